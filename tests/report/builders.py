"""Small comparisons built by hand: the records are the contract, so nothing is computed here.

``OUTSCORE_GOLDEN=write pytest tests/report`` writes the goldens anew.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

from outscore.base.notes import Note
from outscore.results.buckets import BucketGain
from outscore.results.comparison import Comparison
from outscore.results.pairs import Answer, Equivalence, Pair
from outscore.results.result import Provenance, Score, SourceFile

GOLDEN = Path(__file__).parents[1] / "golden" / "report"

HOSTILE = (
    "<script>alert(1)</script>",
    "\\input{x}",
    "=cmd|' /C calc'!A0",
    "\x1b[31mred\x1b[0m",
    "a|b`c`*d*_e_",
    "名前システム",
    '50% & $10 #1 ~x^2 {y} "q"',
    "two\nlines\r\n\ttab",
    "[opt] *star -- dash",
    "a-system-with-a-very-long-name/checkpoint-000123/beam=4,length_penalty=0.6,nbest=10-and-more",
)


def score(system: str, value: float, **changes: Any) -> Score:
    """A single-run BLEU score with an interval of ±1.2."""
    plain = Score(
        system=system,
        metric="bleu",
        signature="nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0",
        unit="BLEU 0-100",
        higher_is_better=True,
        score=value,
        ci=(value - 1.2, value + 1.2),
        ci_method="percentile bootstrap",
        runs=("1",),
        run_scores=(value,),
        s_sel=0.61,
        s_test=None,
        run_min=value,
        run_max=value,
        median_run="1",
        n_items=3003,
    )
    return replace(plain, **changes)


def pair(system: str, gain: float, p: float | None, **changes: Any) -> Pair:
    """A BLEU pair against ``base`` tested by randomization."""
    plain = Pair(
        system=system,
        baseline="base",
        metric="bleu",
        gain=gain,
        ci=(gain - 0.35, gain + 0.36),
        ci_method="BCa bootstrap",
        test="randomization",
        question="do the outputs of these two systems differ on items like these?",
        null="the two outputs of an item are exchangeable",
        alternative="two-sided",
        p_value=p,
        p_kind="monte-carlo",
        p_error=None if p is None else (p * (1 - p) / 10000) ** 0.5,
        p_min=1 / 10001,
        p_adjusted=p,
        n_items=3003,
        n_resamples=10000,
        effect={},
    )
    return replace(plain, **changes)


def equivalence(p: float | None, not_worse: float | None, **changes: Any) -> Equivalence:
    """Half a BLEU point as margin."""
    plain = Equivalence(
        margin=0.5,
        method="t over jackknife pseudo-values",
        p_equivalent=p,
        p_equivalent_adjusted=None if p is None else min(1.0, 2 * p),
        p_not_worse=not_worse,
        p_not_worse_adjusted=None if not_worse is None else min(1.0, 2 * not_worse),
        ci=None if p is None else (-0.2, 0.4),
        detectable_gain=0.511,
        power_at_margin=0.7812,
    )
    return replace(plain, **changes)


def comparison(scores: Sequence[Score], pairs: Sequence[Pair], **changes: Any) -> Comparison:
    """A comparison with the baseline ``base``."""
    plain = Comparison(
        baseline="base",
        seed=12345,
        alpha=0.05,
        alternative="two-sided",
        correction="none",
        scores=tuple(scores),
        pairs=tuple(pairs),
        provenance=Provenance(
            version="0.1.0",
            libraries={"numpy": "2.1.0"},
            n_resamples=10000,
            test="auto",
            correction="none",
            inputs=(SourceFile(file="base.txt", role="output", reader="lines", sha256="0" * 64, n_items=3003),),
            n_items_read=3003,
            dropped={},
            cluster=None,
            n_clusters=None,
        ),
    )
    return replace(plain, **changes)


def two_systems() -> Comparison:
    """One metric, one run each, no correction."""
    effect = {"d_z": 0.0412, "wins": 1210, "losses": 1100, "ties": 693}
    return comparison(
        [score("base", 27.31), score("big", 27.76)],
        [pair("big", 0.4512, 0.0131, effect=effect)],
    )


def several_runs() -> Comparison:
    """Three runs each; other answers beside the main one; domains; two systems against the baseline."""
    asks = "would new runs of these systems on these items differ?"
    also = (
        Answer(test="randomization", question=asks, p_value=0.0481, p_kind="monte-carlo", p_error=0.0021),
        Answer(
            test="wilcoxon",
            question="are more than half of the gains positive?",
            p_value=None,
            p_kind="exact",
            p_error=None,
        ),
    )
    runs = ("seed1", "seed2", "seed3")

    def trio(system: str, values: tuple[float, float, float]) -> Score:
        mean = fmean(values)
        return score(
            system, mean, runs=runs, run_scores=values, s_test=0.213,
            run_min=min(values), run_max=max(values), median_run=runs[values.index(sorted(values)[1])],
        )  # fmt: skip

    main = {
        "test": "crossed-t",
        "p_kind": "asymptotic",
        "p_error": None,
        "p_min": None,
        "n_resamples": None,
        "question": "would new runs on new items differ?",
        "null": "the expected gain over runs and items is 0",
        "also": also,
    }
    return comparison(
        [
            trio("base", (26.9, 27.3, 27.1)),
            trio("big", (27.9, 27.6, 28.0)),
            trio("bigger", (27.0, 26.8, 27.1)),
        ],
        [
            pair("big", 0.7333, 0.00312, p_adjusted=0.00624, notes=("few_runs",), **main),
            pair("bigger", -0.1333, 0.4219, notes=("few_runs", "unequal"), effect={"P(A>B)": 1 / 3}, **main),
        ],
        correction="holm",
        buckets=tuple(
            BucketGain(
                system=s, baseline="base", metric="bleu", by="domain", bucket=d, n_items=n, baseline_score=25.0,
                system_score=25.0 + g, gain=g, ci=ci,
            )
            for s, d, n, g, ci in (
                ("big", "news", 2001, 0.91, (0.2, 1.6)),
                ("big", "talks", 1002, 0.30, (-0.5, 1.1)),
                ("bigger", "news", 2001, -0.004, None),
                ("bigger", "talks", 1002, -0.5, (-1.5, 0.6)),
            )
        ),
        notes=(
            Note(code="few_runs", text="3 runs leave few degrees of freedom", remedy="use 5 or more runs"),
            Note(code="unequal", text="runs are not paired by seed"),
            Note(code="global", text="2 items were empty in every output.", remedy="check the outputs"),
        ),
    )  # fmt: skip


def grid() -> Comparison:
    """Four systems, three metrics of different units and directions, max-T correction, a note, clusters."""
    values = {
        "bleu": {"base": 27.31, "transformer-big": 28.76, "no-dropout": 26.02, "distilled": 27.33},
        "ter": {"base": 61.3, "transformer-big": 59.9, "no-dropout": 62.8, "distilled": 61.2},
        "accuracy": {"base": 0.7421, "transformer-big": 0.7609, "no-dropout": 0.7421, "distilled": 0.7402},
    }
    ps = {"transformer-big": 0.0001, "no-dropout": 0.0171, "distilled": 0.81}
    scores, pairs = [], []
    for metric, systems in values.items():
        share = metric == "accuracy"
        extra = {
            "metric": metric,
            "unit": "share 0-1" if share else f"{metric.upper()} 0-100",
            "higher_is_better": metric != "ter",
            "signature": f"{metric}|version:1",
            "ci_method": "Wilson" if share else "percentile bootstrap",
        }
        for system, value in systems.items():
            half = 0.015 if share else 1.2
            scores.append(score(system, value, ci=(value - half, value + half), **extra))
            if system == "base":
                continue
            gain = (value - systems["base"]) * (-1 if metric == "ter" else 1)
            p = ps[system] if gain else 1.0
            changes: dict[str, Any] = {"metric": metric, "p_adjusted": min(1.0, 2.7 * p)}
            if share:
                changes |= {"test": "mcnemar:variant=midp", "p_kind": "exact", "p_error": None, "n_resamples": None,
                            "null": "a wrong and a right answer are equally likely to change places",
                            "effect": {"b": 120, "c": 101, "odds_ratio": 1.188}}  # fmt: skip
            if gain == 0:
                changes |= {"notes": ("identical",), "ci": None}
            pairs.append(pair(system, gain, p, **changes))
    plain = comparison(scores, pairs, correction="maxt")
    return replace(
        plain,
        notes=(Note(code="identical", text="the scores are equal", remedy="compare the files"),),
        provenance=replace(plain.provenance, cluster="document", n_clusters=120, n_items_read=3005,
                           dropped={"7": "empty reference", "9": "missing in distilled"}),
    )  # fmt: skip


def all_pairs() -> Comparison:
    """Every two of four systems under two metrics: other answers, effects, notes, strata, one pair tested otherwise."""
    values = {
        "bleu": {"base": 27.31, "big": 28.76, "small": 26.02, "distilled": 27.33},
        "ter": {"base": 61.3, "big": 59.9, "small": 62.8, "distilled": 61.2},
    }
    asks = "are more than half of the gains positive?"
    scores, pairs = [], []
    for metric, systems in values.items():
        sign = 1 if metric == "bleu" else -1
        unit = {"metric": metric, "unit": f"{metric.upper()} 0-100", "signature": metric}
        scores += [score(s, value, higher_is_better=sign > 0, **unit) for s, value in systems.items()]
        for baseline, system in combinations(systems, 2):
            gain = sign * (systems[system] - systems[baseline])
            p = max(0.0001, 0.05 - abs(gain) / 30)
            changes: dict[str, Any] = {"metric": metric, "baseline": baseline, "p_adjusted": min(1.0, 3 * p)}
            changes |= {"effect": {"d_z": round(gain / 30, 4)}, "n_resamples": 60_060}
            if {system, baseline} == {"big", "distilled"}:
                also = Answer(test="sign", question=asks, p_value=0.0481, p_kind="monte-carlo", p_error=0.0021)
                changes |= {"also": (also,), "notes": ("odd",)}
            if (metric, system, baseline) == ("bleu", "distilled", "base"):
                changes |= {"p_kind": "exact", "p_error": None, "p_min": 0.0625, "n_resamples": None}
            pairs.append(pair(system, gain, p, **changes))
    plain = comparison(scores, pairs, correction="holm")
    return replace(
        plain,
        notes=(Note(code="odd", text="one of them was made from the other", remedy="think"),),
        provenance=replace(plain.provenance, engine="cyclic", strata="genre"),
    )


def verdicts() -> Comparison:
    """Four systems and a margin, a verdict each."""
    found = {
        "big": ("better", 0.45, 0.0131, equivalence(0.3, 0.0001)),
        "tied": ("equivalent", -0.02, 0.81, equivalence(0.0021, 0.0014)),
        "tiny": ("inconclusive", 0.11, 0.57, equivalence(0.0377, 0.0002, detectable_gain=0.611, power_at_margin=0.431)),
        "odd": ("inconclusive", 0.2, None, equivalence(None, None, detectable_gain=None, power_at_margin=None)),
    }
    return comparison(
        [score("base", 27.31), *(score(s, 27.31 + gain) for s, (_, gain, _, _) in found.items())],
        [
            pair(s, gain, p, p_adjusted=p and min(1.0, 3 * p), verdict=verdict, equivalence=lies)
            for s, (verdict, gain, p, lies) in found.items()
        ],
        correction="maxt",
    )


def hostile(names: Sequence[str] = HOSTILE) -> Comparison:
    """Names that mean something to a format, on every text field that comes from outside."""
    odd = names[0]
    return comparison(
        [score("base", 27.3), *(score(n, 27.4, ci=None, signature=n, ci_method=n) for n in names)],
        [
            pair(
                n, 0.1, 0.2, ci=None, notes=("odd",), effect={n: n}, question=n, null=n, test=n,
                also=(Answer(test=n, question=n, p_value=0.5, p_kind=n, p_error=None),),
            )
            for n in names
        ],
        buckets=tuple(
            BucketGain(system=n, baseline="base", metric="bleu", by="domain", bucket=n, n_items=1, baseline_score=1.0,
                       system_score=1.0, gain=0.0, ci=None)
            for n in names
        ),
        notes=(Note(code="odd", text=odd, remedy=odd),),
    )  # fmt: skip


ALL = {
    "two_systems": two_systems,
    "several_runs": several_runs,
    "grid": grid,
    "all_pairs": all_pairs,
    "verdicts": verdicts,
    "hostile": hostile,
}


def check_golden(name: str, text: str) -> None:
    """Compares a text with the golden file of that name, or writes it."""
    path = GOLDEN / name
    if os.environ.get("OUTSCORE_GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    assert path.read_bytes().decode() == text
