"""A result holds the options that it was made with: they make it again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import Interrupted
from outscore.metrics.mean import Mean
from outscore.report.screen import screen_of
from outscore.results.result import Result
from outscore.verbs import VERBS
from outscore.verbs.declared import find_verb
from tests.cli import commandline
from tests.cli.commandline import BASE, NEW, REFERENCES, written
from tests.cli.printed import sacrebleu

EXAMPLES = Path(__file__).parents[2] / "examples"


def scores(seed: int, n: int = 40) -> list[float]:
    return [float(x) for x in np.random.default_rng(seed).normal(0, 1, n).round(2)]


def labels(seed: int, n: int = 40) -> list[str]:
    return [str(x) for x in np.random.default_rng(seed).choice(["x", "y"], n)]


TWO = {"base": scores(1), "new": scores(2)}
THREE = {**TWO, "third": scores(3)}
GOLD = labels(1)
RIGHT = {name: [float(a == b) for a, b in zip(labels(seed), GOLD, strict=True)] for name, seed in (("a", 2), ("b", 3))}
TABLE: dict[str, list[Any]] = {
    "system": [name for name in ("a", "b", "c", "d") for _ in range(40)],
    "item": [str(item) for _ in range(4) for item in range(40)],
    "m": [x for seed in range(4) for x in scores(seed)],
    "h": [x for seed in range(4, 8) for x in scores(seed)],
}
JUDGED = {**TABLE, "h": [x if i % 2 else None for i, x in enumerate(TABLE["h"])]}


def frame(columns: dict[str, Any]) -> Any:
    return pytest.importorskip("pandas").DataFrame(columns)


SETS = {"first": TWO, "second": {"base": scores(4), "new": scores(5)}}
TEXTS = {"base": BASE, "new": NEW}

CASES: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
    "compare": ((THREE,), {"test": "bootstrap", "n_resamples": 200, "all_pairs": True, "margin": {"mean": 0.3},
                           "posterior": "sign:strength=2"}),
    "rank": ((THREE,), {"correction": "holm", "n_resamples": 200, "blocks": "item"}),
    "score": ((TWO,), {"metrics": [Mean(lower=True)], "interval": "percentile", "n_resamples": 200}),
    "agree": (({"a": labels(2), "b": labels(3), "c": GOLD},), {"coefficients": ["fleiss", "percent"], "disputed": 2,
                                                              "n_resamples": 100}),
    "judge": ((JUDGED,), {"human": "h", "judge": "m", "correction": "none"}),
    "correlate": ((TABLE,), {"human": "h", "coefficients": "spearman", "n_resamples": 50}),
    "power": ((TWO,), {"effect": 0.5, "sizes": [30, 90], "simulations": 20}),
    "advise": ((TWO,), {"alternative": "greater", "alpha": 0.1}),
    "replicate": ((SETS,), {"alternative": "less", "n_resamples": 99}),
    "recheck": (("{printed}", TEXTS), {"references": REFERENCES, "metrics": "bleu", "n_resamples": 99}),
    "history": (("{history}",), {"alpha": 0.1}),
    "sequential": ((RIGHT,), {"margin": 0.1, "order": "random", "orders": 10}),
}  # fmt: skip
"""What each verb is given, and options of which some are no defaults."""

IN_FRAMES = ("judge", "correlate")


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


def test_there_is_a_case_for_every_verb() -> None:
    assert set(CASES) == set(VERBS), "a new verb needs data and options here"


@pytest.mark.parametrize("name", CASES)
def test_the_options_of_a_saved_result_make_it_again(name: str, tmp_path: Path, files: dict[str, Path]) -> None:
    data, chosen = CASES[name]
    data = tuple(
        frame(one) if name in IN_FRAMES else files[one] if isinstance(one, str) and one in files else one
        for one in data
    )
    verb = find_verb(name)
    first = verb(**chosen).answer(*data)
    path = tmp_path / "saved.json"
    path.write_text(first.to_json(), encoding="utf-8")
    saved = outscore.load(path)
    assert saved == first
    assert set(chosen) - {"references"} <= set(saved.changed_options) <= set(saved.options)
    references = {"references": chosen["references"]} if "references" in chosen else {}
    again = verb(**saved.options, **references).answer(*data)
    assert again.to_json() == first.to_json()


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
