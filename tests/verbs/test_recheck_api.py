"""``recheck``: printed numbers made again, and the reasons that stand beside them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.results.recheck import Recheck, Rechecked
from tests.cli.commandline import BASE, NEW, REFERENCES, written
from tests.cli.printed import sacrebleu
from tests.examples import first

FEW: dict[str, Any] = {"n_resamples": 500}
NEAR = [
    REFERENCES[i] if i % 9 == 1 else line.replace("on day", "by day") if i % 8 == 1 else line
    for i, line in enumerate(BASE)
]
"""A little better here and a little worse there."""
TEXTS = {"ref": REFERENCES, "base": BASE, "new": NEW, "near": NEAR, "copy": BASE}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("texts")
    return {name: written(folder / f"{name}.txt", lines) for name, lines in TEXTS.items()}


def printed(files: dict[str, Path], target: Path, *options: str, seed: str | None = None) -> Path:
    """What sacrebleu prints of the baseline, a better system, one that is nearly the baseline, and a copy of it."""
    systems = [files[name] for name in ("base", "new", "near", "copy")]
    return sacrebleu(target, [files["ref"]], systems, *options, seed=seed)


def rechecked(files: dict[str, Path], file: Path, *names: str, **how: Any) -> Recheck:
    names = names or ("base", "new", "near", "copy")
    data = outscore.read([f"{name}={files[name]}" for name in names], references=[str(files["ref"])])
    return outscore.recheck(file, data, **{**FEW, **how})


def codes(one: Rechecked) -> set[str]:
    return {reason.code for reason in one.reasons}


def of(result: Recheck, system: str, quantity: str) -> Rechecked:
    return next(one for one in result.numbers if (one.system, one.quantity) == (system, quantity))


@pytest.mark.parametrize("layout", first(["json", "text", "latex"], "text", others=pytest.mark.slow))
def test_its_bootstrap_comes_out_just_so_and_is_told_apart_from_a_sound_one(
    layout: str, files: dict[str, Path], tmp_path: Path
) -> None:
    result = rechecked(files, printed(files, tmp_path / "p", "--paired-bs", "-m", "bleu", "-f", layout))
    assert {one.outcome for one in result.numbers} == {"same"}
    assert all(one.reasons for one in result.numbers)
    near = of(result, "near", "p")
    assert near.remade is not None
    assert near.ours is not None
    both = next(reason.values["both"] for reason in near.reasons if reason.code == "one_tail")
    assert isinstance(both, float)
    assert near.remade < both
    assert abs(near.ours - both) < abs(near.ours - near.remade), "the sound p of its draws is nearer to ours"
    assert codes(of(result, "copy", "p")) == {"same_p", "identical"}
    assert of(result, "copy", "p").ours == 1
    assert (result.resamples, result.resamples_from) == (1000, "default" if layout == "json" else "file")


def test_ties_of_its_randomization_are_counted(files: dict[str, Path], tmp_path: Path) -> None:
    file = printed(files, tmp_path / "p", "--paired-ar", "--paired-ar-n", "2000", "-m", "ter")
    result = rechecked(files, file)
    assert {one.outcome for one in result.numbers} == {"same"}
    assert result.resamples in (2000, 10_000) or result.resamples_from == "p-values"
    near = of(rechecked(files, file, tool_resamples=2000), "near", "p")
    assert near.outcome == "same"
    assert "ties_left_out" in codes(near)


def test_the_number_of_draws_is_taken_from_the_p_values(files: dict[str, Path], tmp_path: Path) -> None:
    file = printed(files, tmp_path / "p", "--paired-bs", "--paired-bs-n", "300", "-m", "bleu")
    result = rechecked(files, file)
    assert (result.resamples, result.resamples_from) == (300, "p-values")
    assert {one.outcome for one in result.numbers} == {"same"}


@pytest.mark.slow
def test_another_seed_is_said_and_can_be_named(files: dict[str, Path], tmp_path: Path) -> None:
    file = printed(files, tmp_path / "p", "--paired-bs", "-m", "bleu", seed="7")
    blind = rechecked(files, file)
    assert of(blind, "base", "mean").outcome == "differs"
    assert "other_draws" in codes(of(blind, "base", "mean"))
    assert of(blind, "near", "p").outcome in ("same", "within chance")
    named = rechecked(files, file, tool_seed=7)
    assert {one.outcome for one in named.numbers} == {"same"}


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["none", "0"])
def test_draws_without_a_seed_agree_within_chance(seed: str, files: dict[str, Path], tmp_path: Path) -> None:
    file = printed(files, tmp_path / "p", "--paired-ar", "-m", "bleu", "-f", "text", seed=seed)
    result = rechecked(files, file)
    assert result.seed_of_tool == (None if seed == "none" else 0)
    near = of(result, "near", "p")
    assert near.outcome in ("same", "within chance")
    assert near.outcome == "same" or "unseeded" in codes(near)


@pytest.mark.slow
def test_options_that_the_file_does_not_name_are_found_by_its_scores(files: dict[str, Path], tmp_path: Path) -> None:
    lowered = {**files, "new": written(tmp_path / "new.txt", [f"{line.title()}," for line in NEW])}
    file = printed(lowered, tmp_path / "p", "--paired-ar", "-m", "bleu", "-lc", "--tokenize", "none")
    result = rechecked(lowered, file)
    assert {one.outcome for one in result.numbers} == {"same"}
    assert {one.metric for one in result.numbers} == {"bleu:tokenize=none,lowercase=true"}
    assert "found_options" in codes(of(result, "new", "score"))
    asked = rechecked(lowered, file, metrics="bleu")
    assert of(asked, "new", "score").outcome == "differs", "options of the user are not overruled"
    assert {"other_score", "same_by_chance"} & codes(of(asked, "new", "p"))


def test_options_of_the_signature_are_taken(files: dict[str, Path], tmp_path: Path) -> None:
    options = ("-m", "bleu", "chrf", "ter", "--tokenize", "char", "--smooth-method", "floor", "--chrf-word-order", "2")
    file = printed(files, tmp_path / "p", *options, "--ter-normalized", "-f", "text", "-w", "4")
    result = rechecked(files, file)
    assert {one.outcome for one in result.numbers} == {"same"}
    metrics = {one.printed_metric: one.metric for one in result.numbers}
    assert metrics["chrF2++"] == "chrf:word_order=2"
    assert metrics["TER"] == "ter:normalized=true"
    assert metrics["BLEU"].startswith("bleu:tokenize=char,smooth=floor")


@pytest.mark.slow
def test_other_outputs_are_not_explained_away(files: dict[str, Path], tmp_path: Path) -> None:
    file = printed(files, tmp_path / "p", "--paired-bs", "-m", "bleu", "-f", "text")
    changed = {**files, "near": files["new"]}
    result = rechecked(changed, file)
    assert "other_texts" in codes(of(result, "near", "score"))
    assert "other_score" in codes(of(result, "near", "p"))
    two = tmp_path / "two.txt"
    two.write_text(file.read_text(encoding="utf-8").replace("nrefs:1", "nrefs:2"), encoding="utf-8")
    assert "other_references" in codes(of(rechecked(changed, two), "near", "score"))


def test_another_conclusion_is_said(files: dict[str, Path], tmp_path: Path) -> None:
    result = rechecked(files, printed(files, tmp_path / "p", "--paired-bs", "-m", "bleu"), alpha=0.5)
    differing = [one for one in result.numbers if "decision" in codes(one)]
    for one in result.numbers:
        if one.quantity == "p" and one.system != "copy":
            assert (one in differing) == ((one.printed <= 0.5) != (_adjusted(one, result) <= 0.5))


def _adjusted(one: Rechecked, result: Recheck) -> float:
    found = next((r.values["p"] for r in one.reasons if r.code == "decision"), None)
    return float(found) if isinstance(found, float) else 0.0 if one.printed <= result.alpha else 1.0


def test_systems_are_known_by_name_else_by_order(files: dict[str, Path], tmp_path: Path) -> None:
    alone = rechecked(files, sacrebleu(tmp_path / "one", [files["ref"]], [files["base"]], "-m", "bleu"), "base")
    assert ([one.outcome for one in alone.numbers], alone.notes) == (["same"], ())
    told: list[tuple[str, int, int]] = []
    file = printed(files, tmp_path / "p", "-m", "bleu")
    rechecked(files, file, progress=lambda *said: told.append(said))
    assert [said for said in told if said[0] == "making numbers again"] == [
        ("making numbers again", i, 4) for i in (1, 2, 3, 4)
    ]
    turned = rechecked(files, file, "copy", "near", "new", "base")
    assert {one.outcome for one in turned.numbers} == {"same"}
    assert "matched_by_order" not in {note.code for note in turned.notes}
    others = {f"x{i}": files[name] for i, name in enumerate(("base", "new", "near", "copy"))}
    elsewhere = {
        name: written(tmp_path / f"{name}.out", path.read_text(encoding="utf-8").splitlines())
        for name, path in others.items()
    }
    result = rechecked({**elsewhere, "ref": files["ref"]}, file, *others)
    assert {one.outcome for one in result.numbers} == {"same"}
    assert next(note.code for note in result.notes) == "matched_by_order"
    with pytest.raises(InputError, match="holds 4 systems"):
        rechecked({**elsewhere, "ref": files["ref"]}, file, "x0", "x1")


def test_several_runs_and_wrong_numbers_are_refused(files: dict[str, Path], tmp_path: Path) -> None:
    file = printed(files, tmp_path / "p", "-m", "bleu")
    folder = files["base"].parent
    data = outscore.read([f"all={folder}/*e*.txt"], references=[str(files["ref"])])
    with pytest.raises(InputError):
        outscore.recheck(file, data)
    for wrong in ({"tool_resamples": 0}, {"tool_seed": "x"}, {"metrics": "bleuu"}, {"n_resamples": 1}):
        with pytest.raises(UsageError):
            rechecked(files, file, **wrong)


MULTEVAL = """\
n={n}            BLEU (s_sel/s_opt/p)   METEOR (s_sel/s_opt/p) Length (s_sel/s_opt/p)
baseline       {base}
system 1       {new}
"""


def test_multevals_table_is_made_again(files: dict[str, Path], tmp_path: Path) -> None:
    for run in range(3):
        written(tmp_path / f"b.{run}.txt", [line.replace("the", "ze" if i % 5 == run else "the") for i, line in
                                            enumerate(BASE)])  # fmt: skip
        written(tmp_path / f"n.{run}.txt", [line.replace("the", "ze" if i % 7 == run else "the") for i, line in
                                            enumerate(NEW)])  # fmt: skip
    systems = [f"base={tmp_path}/b.*.txt", f"new={tmp_path}/n.*.txt"]
    data = outscore.read(systems, references=[str(files["ref"])])
    scores = outscore.score(data, metrics=["bleu:tokenize=none", "length_ratio"], **FEW)
    cell = {(s.system, s.metric): s for s in scores.scores}
    parts = {}
    for system, p in (("base", "-"), ("new", "0.00")):
        bleu, length = (cell[system, metric] for metric in ("bleu:tokenize=none", "length_ratio"))
        parts[system] = (
            f"{bleu.score:.1f} ({bleu.s_sel:.1f}/{bleu.s_test:.1f}/{p})   29.3 (0.1/0.0/{p})   "
            f"{100 * length.score:.1f} ({100 * (length.s_sel or 0):.1f}/{100 * (length.s_test or 0):.1f}/{p})"
        )
    file = tmp_path / "multeval.txt"
    file.write_text(MULTEVAL.format(n=3, **parts), encoding="utf-8")
    result = outscore.recheck(file, data, tool_resamples=1000, **FEW)
    made = [one for one in result.numbers if one.printed_metric != "METEOR" and one.quantity in ("score", "s_opt")]
    assert {one.outcome for one in made} == {"same"}
    assert {one.outcome for one in result.numbers if one.printed_metric == "METEOR"} == {"not made"}
    of_bleu = next(one for one in result.numbers if one.quantity == "p" and one.printed_metric == "BLEU")
    assert {"runs_permuted", "runs_as_items"} <= codes(of_bleu)
    assert all(one.reasons for one in result.numbers)


def test_a_recheck_is_saved_read_and_drawn(files: dict[str, Path], tmp_path: Path) -> None:
    result = rechecked(files, printed(files, tmp_path / "p", "--paired-bs", "-m", "bleu"))
    assert Recheck.from_json(result.to_json()) == result
    assert len(result.rows()) == len(result.numbers)
    for format_ in ("terminal", "markdown", "latex", "csv", "html", "sentence"):
        text = result.to(format_)
        assert "near" in text or format_ == "sentence"
        assert "(one_tail)" not in text, "every reason has words"
    assert "come out the same by its own rule" in result.sentence
