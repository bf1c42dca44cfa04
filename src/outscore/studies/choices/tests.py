"""Test beside test on the same pairs, and beside rules that ignore the pairing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from outscore.base.arrays import Bool, Float
from outscore.base.errors import UsageError, inflect
from outscore.engine.beta import normal_ppf
from outscore.results.plain import finite_or_none
from outscore.results.study import Axis, Figure, Finding, Layer
from outscore.significance.choose import make_paired
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import Resamples
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.choices import Tests
from outscore.studies.shared.form import METRIC, Row, columns, count, hidden, share, table, text
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import errors_of, items_of, p_values

_STILL = 1e-9  # p that moves by less over seeds does not move

UNPAIRED, OUTSIDE, APART = "unpaired z", "score outside interval", "intervals apart"


def grid(study: Tests, material: Material) -> list[Spec]:
    """One cell for each metric and test; and one of the rules that ignore the pairing."""
    if len(material.systems) < 2:
        raise UsageError(f"one system ({material.systems[0]!r}) has no pairs: give at least two")
    names = _names(study)
    if len(names) < 2:
        raise UsageError("--tests: name two tests or more, with blanks between them")
    if material.settings.alternative != "two-sided":
        raise UsageError("--alternative: which of two systems is ahead differs from pair to pair; leave it two-sided")
    if study.repeats < 0 or study.repeats == 1:
        raise UsageError(f"--repeats {study.repeats}: expected 0, or 2 or more")
    cells: list[Spec] = [{"metric": stats.name, "test": name} for stats in material.by_metric for name in (*names, "")]
    again = [(stats.name, k) for stats in material.by_metric for k in range(study.repeats)]
    return cells + [{"metric": metric, "test": names[0], "repeat": k} for metric, k in again]


def cell(study: Tests, material: Material, spec: Spec, seed: int) -> Found:
    """p of all pairs by one test, or why it refuses one of them; without a test what rules need that ignore pairs."""
    del study
    stats = material.stats(spec["metric"])
    # all tests draw from the seed of the study, and their repetitions from seeds of their own
    settings = replace(material.settings, seed=seed) if "repeat" in spec else material.settings
    systems = Resamples(material.systems, [stats], 0, settings, all_pairs=True)
    if not spec["test"]:
        errors, _ = errors_of(stats)
        values = items_of(stats)
        n = values.shape[1]
        own = np.sqrt((values**2).sum(axis=1) / max(n * (n - 1), 1))
        return {
            "gains": [abs(stats.gain(*pair)) for pair in systems.pairs],
            "errors": [float(errors[pair]) for pair in systems.pairs],
            "own": [[float(own[one]) for one in pair] for pair in systems.pairs],
            "pairs": [[material.systems[one] for one in pair] for pair in systems.pairs],
        }
    contrasts = [GainContrast(systems, 0, *pair) for pair in systems.pairs]
    made = make_paired(spec["test"])
    refused = next((why for pair in contrasts if (why := made.refuses(pair))), None)
    return {"refused": refused} if refused is not None else {"p": p_values(contrasts, made, systems)}


def summary(study: Tests, material: Material, cells: Cells) -> Summary:
    """How many pairs each test decides, and how far its p lies from that of the first one."""
    names, alpha = _names(study), material.settings.alpha
    z = -normal_ppf(alpha / 2)
    decided: list[Row] = []
    pairs: list[Row] = []
    findings: list[Finding] = []
    refusals: dict[str, str] = {}
    for stats in material.by_metric:
        of_metric = [(spec, found) for spec, found in cells if spec["metric"] == stats.name]
        held = {spec["test"]: found for spec, found in of_metric if "repeat" not in spec}
        rules = held.pop("")
        refusals |= {name: found["refused"] for name, found in held.items() if "refused" in found}
        p = {name: np.array(found["p"], dtype=np.float64) for name, found in held.items() if "p" in found}
        first = p.get(names[0])
        for name, own in p.items():
            decided.append((stats.name, name, *_compare(own, first, alpha)))
            pairs += _rows(stats.name, name, rules["pairs"], own, first)
        sure = _by_rules(rules, z)
        decided += [
            (stats.name, name, int(hits.sum()), float(hits.mean()), None, None, None) for name, hits in sure.items()
        ]
        findings += _findings(stats.name, names[0], first, rules, sure, alpha)
        again = [found["p"] for spec, found in of_metric if "repeat" in spec and "p" in found]
        findings += _noise(stats.name, np.array(again, dtype=np.float64), rules["pairs"]) if again else []
    n = len(rules["pairs"])
    words = f"{inflect(n, 'pair')} of {len(material.systems)} systems on {material.n_items} items"
    left_out = [f"{name} left out ({why})" for name, why in refusals.items()]
    return Summary(
        design="; ".join([f"{words}, {material.settings.n_resamples} resamples where a test draws", *left_out]) + ".",
        findings=tuple(findings),
        tables=(
            table("decided", "Pairs that each test decides", _DECIDED, decided, about=_ABOUT.format(first=names[0])),
            hidden("pairs", "p of every pair", _PAIRS, pairs),
        ),
        # without the first test there is nothing to draw the others against
        figures=() if names[0] in refusals else (_figure(names[0], words, len(material.by_metric)),),
    )


def _names(study: Tests) -> list[str]:
    return list(dict.fromkeys(study.tests.split()))


def _by_rules(rules: Found, z: float) -> dict[str, Bool]:
    """Which pairs are decided by each rule that ignores the pairing."""
    gains, own = np.array(rules["gains"]), np.array(rules["own"]).reshape(-1, 2)
    return {
        UNPAIRED: (gains > 0) & (gains >= z * np.hypot(own[:, 0], own[:, 1])),
        OUTSIDE: gains > z * own.max(axis=1),
        APART: gains > z * own.sum(axis=1),
    }


def _compare(p: Float, first: Float | None, alpha: float) -> Row:
    """Decided pairs and their proportion; median and largest difference from the first test, other decisions."""
    known = ~np.isnan(p)
    counted: Row = (int((p[known] <= alpha).sum()), float((p[known] <= alpha).mean()) if known.any() else None)
    if first is None or p is first or not (known & ~np.isnan(first)).any():
        return (*counted, None, None, None)
    both = known & ~np.isnan(first)
    away = np.abs(p - first)[both]
    other = (p <= alpha)[both] != (first <= alpha)[both]
    return (*counted, float(np.median(away)), float(away.max()), int(other.sum()))


def _rows(metric: str, test: str, pairs: Sequence[Sequence[str]], p: Float, first: Float | None) -> Iterator[Row]:
    there = np.full(len(p), np.nan) if first is None else first
    for (system, baseline), own, one in zip(pairs, p, there, strict=True):
        yield metric, test, f"{system} - {baseline}", finite_or_none(own), finite_or_none(one)


def _findings(
    metric: str, name: str, first: Float | None, rules: Found, sure: dict[str, Bool], alpha: float
) -> Iterator[Finding]:
    errors, own = np.array(rules["errors"]), np.array(rules["own"]).reshape(-1, 2)
    some = errors > 0
    ratios = (own[some] ** 2).sum(axis=1) / errors[some] ** 2
    if ratios.size:
        yield Finding(
            what=f"variance of the gain, unpaired over paired, median of the pairs ({metric})",
            value=float(np.median(ratios)),
            reason="Both systems vary together over the items: the pairing takes that out.",
        )
    if first is None:
        return
    paired = first <= alpha
    yield Finding(what=f"pairs decided by {name} ({metric})", value=int(paired.sum()), kind="count")
    for rule, hits in sure.items():
        yield Finding(
            what=f"of these also decided: {rule} ({metric})",
            value=float((hits & paired).sum() / paired.sum()) if paired.any() else None,
            kind="share",
        )


def _noise(metric: str, p: Float, pairs: Sequence[Sequence[str]]) -> Iterator[Finding]:
    """How p moves over seeds ``(seeds, pairs)``, and whether pairs move together, as all see the same resamples."""
    moves = p.std(axis=0, ddof=1)
    yield Finding(what=f"standard deviation of p over seeds, largest of the pairs ({metric})", value=float(moves.max()))
    told = np.flatnonzero(moves > _STILL)
    together = np.atleast_2d(np.corrcoef(p[:, told].T)) if len(told) > 1 else np.eye(len(told))
    squares: dict[bool, list[float]] = {True: [], False: []}
    for i, j in combinations(range(len(told)), 2):
        squares[bool(set(pairs[told[i]]) & set(pairs[told[j]]))].append(float(together[i, j]) ** 2)
    for shared, values in squares.items():
        if values:
            yield Finding(
                what=f"correlation of this noise, two pairs {'with' if shared else 'without'} a system in common "
                f"({metric})",
                value=math.sqrt(max(0.0, float(np.mean(values)) - 1 / (len(p) - 1))),
                reason="Root mean square over the pairs, less what so few seeds have by chance.",
            )


def _figure(first: str, words: str, metrics: int) -> Figure:
    return Figure(
        name="tests",
        title=f"p by each test beside p by {first}",
        subtitle=f"{words}; a point for each pair, on the diagonal where both are equal",
        x=Axis(title=f"p by {first}", domain=(0.0, 1.0)),
        y=Axis(title="p", domain=(0.0, 1.0)),
        layers=(Layer(mark="point", table="pairs", x="first", y="p", colour="test"),),
        facet="metric" if metrics > 1 else "",
    )


_DECIDED = (
    METRIC,
    text("test", "Test"),
    count("decided", "p ≤ alpha"),
    share("share", "Proportion"),
    *columns("number", median="|Δp|", largest="largest"),
    count("other", "other"),
)
_PAIRS = (METRIC, *columns("text", test="Test", pair="Pair"), *columns("p", p="p", first="p by the first test"))
_ABOUT = (
    "|Δp|: distance of a pair's p from that by {first}. Other decision: pairs on the other side of alpha. Rules that "
    "ignore the pairing decide by the same errors of each system."
)
