"""Printed outputs over real sets made again, all explained: sacrebleu's to the last digit, MultEval's within chance.

sacrebleu 2.6 is run here. MultEval is Java: its table is that of its README, its log that of version 0.5.1 on the same
files (METEOR left out; ``sys2`` is a copy of the baseline).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import outscore
from outscore.results.recheck import Recheck
from tests.cli.printed import sacrebleu
from tests.examples import first

pytestmark = [pytest.mark.data, pytest.mark.slow]

Unpacked = Callable[[str], Path]

WMT21, WMT22, WMT24, OPT = "mt_wmt21_en-de", "mt_wmt22_de-en", "mt_wmt24_en-de_domains", "mt_multeval_opt"


@dataclass(frozen=True)
class Case:
    """One call of sacrebleu: the set, the systems (or how many of them), references and options."""

    set: str
    systems: int | tuple[str, ...]
    options: tuple[str, ...]
    references: int = 1
    seed: str | None = None
    reasons: tuple[str, ...] = ()


BS, AR, TEXT, LATEX = "--paired-bs", "--paired-ar", ("-f", "text"), ("-f", "latex")
CASES = {
    "bootstrap as JSON": Case(WMT22, 4, (BS, "-m", "bleu"), reasons=("one_tail",)),
    "randomization as JSON": Case(WMT22, 3, (AR, "--paired-ar-n", "2000", "-m", "bleu", "chrf")),
    "edits as a table": Case(WMT22, 3, (AR, "-m", "ter", *TEXT)),
    "two references": Case(WMT22, 3, (BS, "-m", "bleu", "chrf", "-w", "3", *TEXT), references=2),
    "a table in LaTeX": Case(WMT21, 3, (BS, "-m", "bleu", "chrf", *LATEX)),
    "one system with intervals": Case(WMT21, 1, ("-m", "bleu", "chrf", "-ci", "-w", "2", *TEXT)),
    "one system as JSON": Case(WMT24, 1, ("-m", "bleu", "chrf", "-ci", "-w", "4")),
    "identical outputs": Case(WMT24, ("CycleL", "CycleL2", "GPT-4"), (AR, "-m", "bleu", *TEXT), reasons=("identical",)),
    "identical outputs redrawn": Case(WMT24, ("CycleL", "CycleL2"), (BS, "-m", "bleu"), reasons=("identical",)),
    "words and characters": Case(WMT24, 3, (BS, "-m", "chrf", "--chrf-word-order", "2", *TEXT)),
    "a tokenizer that it does not name": Case(
        WMT21, 3, (AR, "--paired-ar-n", "500", "-m", "bleu", "--tokenize", "intl"), reasons=("found_options",)
    ),
    "runs as systems": Case(OPT, ("baseline.opt0", "sys1.opt0", "sys1.opt1"), (BS, "-m", "bleu", "--tokenize", "none")),
    "close runs": Case(OPT, ("baseline.opt1", "sys1.opt1"), (BS, "-m", "bleu", "chrf", *TEXT), reasons=("one_tail",)),
    "another seed": Case(WMT22, 3, (BS, "-m", "bleu", "--paired-bs-n", "300", *TEXT), seed="7"),
    "scores alone": Case(WMT22, 4, ("-m", "bleu", "chrf", "-sh", "--smooth-method", "floor", *TEXT)),
}


@pytest.mark.parametrize("name", first(CASES, *list(CASES)[::4]))
def test_what_sacrebleu_printed_is_made_again_and_explained(name: str, unpacked: Unpacked, tmp_path: Path) -> None:
    case = CASES[name]
    folder = unpacked(case.set)
    references = sorted(folder.glob("ref.*.txt"))[: case.references]
    known = sorted(path for path in folder.glob("*.txt") if not path.name.startswith("ref."))
    systems = known[: case.systems] if isinstance(case.systems, int) else [folder / f"{s}.txt" for s in case.systems]
    file = sacrebleu(tmp_path / "printed", references, systems, *case.options, seed=case.seed)
    data = outscore.read([f"{path.stem}={path}" for path in systems], references=[str(path) for path in references])
    result = outscore.recheck(file, data, n_resamples=1000)
    assert {one.outcome for one in result.numbers} == {"same"}, _wrong(result)
    assert all(one.reasons for one in result.numbers)
    assert all(one.ours is not None for one in result.numbers if one.quantity in ("p", "score"))
    assert set(case.reasons) <= {reason.code for one in result.numbers for reason in one.reasons}
    printed = {one.printed_metric for one in result.numbers}
    assert len(result.numbers) >= len(systems) * len(printed)


@pytest.mark.parametrize("kind", [BS, AR])
def test_draws_without_a_seed_are_explained(kind: str, unpacked: Unpacked, tmp_path: Path) -> None:
    folder = unpacked(OPT)
    systems = [folder / "baseline.opt1.txt", folder / "sys1.opt1.txt"]
    reference = folder / "ref.0.txt"
    file = sacrebleu(
        tmp_path / "printed", [reference], systems, kind, "-m", "bleu", "-f", "text", "-w", "4", seed="none"
    )
    data = outscore.read([str(path) for path in systems], references=[str(reference)])
    result = outscore.recheck(file, data, n_resamples=1000)
    assert result.seed_of_tool is None
    for one in result.numbers:
        assert one.outcome == "same" or "unseeded" in {reason.code for reason in one.reasons}
        assert one.quantity != "p" or one.outcome in ("same", "within chance")  # 6 in 100,000


TABLE = """\
n=3            BLEU (s_sel/s_opt/p)   METEOR (s_sel/s_opt/p) TER (s_sel/s_opt/p)    Length (s_sel/s_opt/p)
baseline       18.5 (0.3/0.1/-)       29.3 (0.1/0.0/-)       65.7 (0.4/0.2/-)       107.5 (0.4/0.1/-)
system 1       18.8 (0.3/0.3/0.00)    30.3 (0.1/0.1/0.00)    64.8 (0.4/0.6/0.00)    107.7 (0.3/0.7/0.09)
system 2       18.5 (0.3/0.1/0.00)    29.3 (0.1/0.0/0.00)    65.7 (0.4/0.2/0.00)    107.5 (0.4/0.1/0.00)
"""
LOG = """\
RESULT: baseline: BLEU: AVG: 18.526808
RESULT: baseline: BLEU: STDDEV: 0.057280
RESULT: system 1: BLEU: AVG: 18.813470
RESULT: system 1: BLEU: STDDEV: 0.294001
RESULT: baseline: TER: AVG: 65.656694
RESULT: system 1: TER: AVG: 64.816644
RESULT: baseline: Length: AVG: 107.544525
RESULT: baseline: Length: STDDEV: 0.121665
RESULT: system 1: Length: AVG: 107.700640
RESULT: system 1: Length: STDDEV: 0.724763
RESULT: baseline: BLEU: RESAMPLED_STDDEV_AVG: 0.261707
RESULT: system 1: BLEU: RESAMPLED_STDDEV_AVG: 0.262831
RESULT: baseline: Length: RESAMPLED_STDDEV_AVG: 0.358540
RESULT: system 1: Length: RESAMPLED_STDDEV_AVG: 0.346143
RESULT: system 1: BLEU: P_VALUE: 0.000200
RESULT: system 1: TER: P_VALUE: 0.000100
RESULT: system 1: Length: P_VALUE: 0.090391
"""


@pytest.fixture(scope="module")
def of_multeval(unpacked: Unpacked, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, bool], Recheck]:
    folder, place = unpacked(OPT), tmp_path_factory.mktemp("multeval")

    def made(text: str, copy: bool) -> Recheck:
        file = place / "printed"
        file.write_text(text, encoding="utf-8")
        systems = [f"baseline={folder}/baseline.*.txt", f"sys1={folder}/sys1.*.txt"]
        systems += [f"sys2={folder}/baseline.*.txt"] if copy else []
        data = outscore.read(systems, references=[str(folder / "ref.0.txt")])
        return outscore.recheck(file, data, tool_resamples=4000, n_resamples=4000, cache=place / "cache")

    return made


def test_multevals_table_is_made_again_and_explained(of_multeval: Callable[[str, bool], Recheck]) -> None:
    result = of_multeval(TABLE, True)
    assert all(one.reasons for one in result.numbers)
    known = [one for one in result.numbers if one.printed_metric != "METEOR"]
    assert {one.outcome for one in known} <= {"same", "within chance"}, _wrong(result)
    assert {one.outcome for one in known if one.quantity in ("score", "s_opt")} == {"same"}
    copy = [one for one in known if one.system == "sys2" and one.quantity == "p"]
    assert [one.reasons[-1].code for one in copy] == ["identical"] * 3
    assert {one.ours for one in copy} == {1.0}
    bleu = next(one for one in known if one.quantity == "p" and (one.system, one.printed_metric) == ("sys1", "BLEU"))
    assert (bleu.ours or 0) > 0.1, "over new runs and items .23"
    assert {"runs_permuted", "runs_as_items", "decision"} <= {reason.code for reason in bleu.reasons}
    left = [one for one in result.numbers if one.printed_metric == "METEOR"]
    assert {(one.outcome, one.reasons[0].code) for one in left} == {("not made", "other_metric")}


def test_multevals_log_is_made_again_to_its_last_digit(of_multeval: Callable[[str, bool], Recheck]) -> None:
    result = of_multeval(LOG, False)
    outcomes: dict[tuple[str, str], set[str]] = {}
    for one in result.numbers:
        outcomes.setdefault((one.printed_metric, one.quantity), set()).add(one.outcome)
    for metric in ("BLEU", "Length"):
        assert outcomes[metric, "score"] == outcomes[metric, "s_opt"] == {"same"}
        assert outcomes[metric, "s_sel"] | outcomes[metric, "p"] <= {"same", "within chance"}, _wrong(result)
    # tercom and sacrebleu differ by some edits of 47,000 words
    for one in (one for one in result.numbers if (one.printed_metric, one.quantity) == ("TER", "score")):
        assert one.remade == pytest.approx(one.printed, abs=0.01)
        assert [reason.code for reason in one.reasons] == ["tercom"]


def _wrong(result: Recheck) -> list[Any]:
    return [
        (o.system, o.printed_metric, o.quantity, o.text, o.remade, o.outcome, [r.code for r in o.reasons])
        for o in result.numbers
        if o.outcome not in ("same", "within chance")
    ]
