"""A result holds the options that it was made with: they make it again."""

from __future__ import annotations

import copy
import io
import json
from pathlib import Path
from typing import Any

import pytest

import outscore
from outscore.base.errors import Interrupted
from outscore.metrics.mean import Mean
from outscore.report.screen import screen_of
from outscore.results.result import Result, formats, kinds
from outscore.verbs import VERBS, verbs_of_others
from outscore.verbs.declared import find_verb
from tests.cli import commandline
from tests.cli.commandline import REFERENCES, written
from tests.cli.printed import sacrebleu
from tests.contract.calls import CALLS, IN_FRAMES, TEXTS, THREE, TWO, frame
from tests.examples import first

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """What sacrebleu prints, and a history of one comparison."""
    folder = tmp_path_factory.mktemp("files")
    texts = [written(folder / f"{name}.txt", lines) for name, lines in {"ref": REFERENCES, **TEXTS}.items()]
    outscore.compare(TWO, history=folder / "history.db")
    return {
        "{printed}": sacrebleu(folder / "printed", texts[:1], texts[1:], "--paired-bs", "-m", "bleu"),
        "{history}": folder / "history.db",
    }


def test_there_is_a_call_of_every_verb() -> None:
    assert set(VERBS) <= set(CALLS), "a new verb needs data and options"


def call(name: str, files: dict[str, Path]) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """A verb, its data, and its options."""
    data, chosen = CALLS.get(name, ((THREE,), {}))
    given = (
        frame(one) if name in IN_FRAMES else files[one] if isinstance(one, str) and one in files else one
        for one in data
    )
    return find_verb(name), tuple(given), chosen


@pytest.mark.parametrize("name", [*VERBS, *verbs_of_others()])
def test_the_options_of_a_saved_result_make_it_again(name: str, tmp_path: Path, files: dict[str, Path]) -> None:
    verb, data, chosen = call(name, files)
    made = verb(**chosen).answer(*data)
    path = tmp_path / "saved.json"
    path.write_text(made.to_json(), encoding="utf-8")
    saved = outscore.load(path)
    assert saved == made
    assert set(chosen) - {"references"} <= set(saved.changed_options) <= set(saved.options)
    references = {"references": chosen["references"]} if "references" in chosen else {}
    again = verb(**saved.options, **references).answer(*data)
    assert again.to_json() == made.to_json()


@pytest.mark.parametrize("name", [*first(VERBS, "rank", others=pytest.mark.slow), *verbs_of_others()])
def test_a_result_is_that_of_its_command_and_is_drawn_as_it_is_saved(name: str, files: dict[str, Path]) -> None:
    """In every format, without a change of what was given."""
    verb, data, chosen = call(name, files)
    as_given = copy.deepcopy((data, chosen))
    found = verb(**chosen).answer(*data)
    assert kinds.find(found.command) is type(found) and found.__doc__
    assert repr((data, chosen)) == repr(as_given)
    saved = type(found).from_json(found.to_json())
    for form in formats.names():
        drawn = found.to(form)
        assert drawn.strip(), form
        assert saved.to(form) == drawn, form


def test_options_are_stored_as_they_are_typed() -> None:
    result = outscore.compare(TWO, metrics=[Mean(lower=True).named("loss")], n_resamples=100, jobs=1)
    assert result.options["metrics"] == ["loss=mean:lower=true"]
    assert result.options["n_resamples"] == 100
    assert result.options["seed"] == 12345
    assert result.changed_options == ("metrics", "n_resamples")
    assert not {"references", "items", "jobs", "progress", "cache", "history"} & set(result.options)


def test_those_that_differ_from_the_defaults_stand_on_one_line() -> None:
    result = outscore.compare(TWO, margin={"mean": 0.3}, alpha=0.1)
    assert [line for line in screen_of(result).method if line.startswith("Options")] == [
        "Options: margin=mean:0.3, alpha=0.1."
    ]
    assert not any(line.startswith("Options") for line in screen_of(outscore.compare(TWO)).method)


def test_options_that_were_typed_are_stored_and_shown_again(tmp_path: Path) -> None:
    path = tmp_path / "saved.json"
    typed = ("compare", str(EXAMPLES / "scores.csv"), "-m", "accuracy", "-n", "100", "--missing", "drop", "--seed", "7")
    assert commandline.outscore(*typed, "-o", str(path)).code == 0
    saved = json.loads(path.read_text(encoding="utf-8"))
    assert saved["options"]["missing"] == "drop"
    assert saved["changed_options"] == ["missing", "metrics", "n_resamples", "seed"]
    shown = commandline.outscore("show", str(path), "-v").out
    assert "Options: missing=drop, metrics=accuracy, n_resamples=100, seed=7." in shown


def test_what_was_done_of_interrupted_work_holds_them_too(monkeypatch: pytest.MonkeyPatch) -> None:
    verb: Any = find_verb("score")
    done = verb().run(TWO)

    def stop(_: Any, data: Any) -> Result:
        raise Interrupted("interrupted", done)

    monkeypatch.setattr(verb, "run", stop)
    with pytest.raises(Interrupted) as stopped:
        verb(seed=7).answer(TWO)
    assert stopped.value.result.options["seed"] == 7


def test_what_an_interrupted_verb_had_of_another_holds_the_options_of_that_one(monkeypatch: pytest.MonkeyPatch) -> None:
    verb: Any = find_verb("recheck")
    done = outscore.compare(TWO, alpha=0.01)

    def stop(_: Any, printed: Any, data: Any) -> Result:
        raise Interrupted("interrupted", done)

    monkeypatch.setattr(verb, "run", stop)
    with pytest.raises(Interrupted) as stopped:
        verb(alpha=0.1).answer("printed.txt", TWO)
    assert stopped.value.result.options == done.options


def test_a_saved_result_whose_options_were_cut_is_refused() -> None:
    saved = json.loads(outscore.compare(TWO, test="bootstrap", n_resamples=99).to_json())
    del saved["options"]["n_resamples"]
    with pytest.raises(outscore.InputError, match=r"is not whole \('n_resamples'\)"):
        outscore.load(io.StringIO(json.dumps(saved)))
