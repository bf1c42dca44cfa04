"""Every number and every note of every named test and interval, on data of many shapes, stays what it was.

References of single methods are elsewhere; here nothing that is shown goes without one: thresholds of notes, the least
data, ties at the end of a tail, smallest p-values, degrees of freedom. ``OUTSCORE_GOLDEN=write pytest
tests/significance/test_every_number.py`` keeps all anew, which only a decision to answer otherwise justifies.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outscore.engine.extreme import ALTERNATIVES, Alternative
from outscore.significance import tests
from outscore.significance.advice import facts_of
from outscore.significance.bayes import PairMethod, methods
from outscore.significance.choose import choose
from outscore.significance.contrast import ScoreContrast
from outscore.significance.equivalence import EquivalenceProcedure, procedure
from outscore.significance.gain import GainContrast, standard_effect
from outscore.significance.independent import independent_tests
from outscore.significance.interval import intervals
from outscore.significance.omnibus import omnibus_tests
from outscore.significance.resamples import BOOTSTRAP
from outscore.significance.sequential import decisions
from outscore.significance.sequential.mixture import start
from tests.significance.shapes import KINDS, SEVERAL, SHAPES, SIZES, experiment, groups, pairing, samples, variants
from tests.significance.test_bayes import evidence

KEPT = Path(__file__).parents[1] / "golden" / "named"


Row = list[Any]


def row(value: Any) -> Any:
    """A number with six digits, or words."""
    if isinstance(value, (tuple, list)):
        return [row(one) for one in value]
    if isinstance(value, Mapping):
        return {name: row(one) for name, one in value.items()}
    return float(f"{value:.6g}") if isinstance(value, float) else value


def sides(number: int) -> tuple[Alternative, ...]:
    """Two-sided, and one side, which is another one for each second number."""
    return "two-sided", "greater" if number % 2 else "less"


def noted(notes: Any) -> list[str]:
    return [note.code for note in notes]


def of_outcome(found: Any) -> Row:
    numbers = row([found.p_value, found.p_kind[:2], found.p_min, found.p_error, found.effect, found.ci])
    return [*numbers, noted(found.notes)]


def of_pair(shape: str) -> dict[str, Row]:
    rows = {}
    for side in sides(len(shape)):
        pair = pairing(shape, side).drawing([BOOTSTRAP])
        for name in tests.names():
            for test in variants(tests.find, name):
                if test.refuses(pair) is None:
                    rows[f"{test.label}, {side}"] = of_outcome(test.run(pair))
    return rows


def of_intervals(shape: str) -> dict[str, Row]:
    rows = {}
    made = experiment(shape, systems=3).draw([BOOTSTRAP])
    for name in intervals.names():
        for method in variants(intervals.find, name):
            for estimate in (GainContrast(made, 0, 1), ScoreContrast(made, 0, 1)):
                if method.covers in ("both", estimate.what) and method.refuses(estimate) is None:
                    ends, words, notes = method.compute(estimate)
                    rows[f"{method.label}, {estimate.what}"] = [*row([ends, words]), noted(notes)]
    return rows


def of_beliefs(shape: str) -> dict[str, Row]:
    """Posteriors, and what tests of equivalence say at two margins."""
    pair, rows = pairing(shape), {}
    for name in methods.names():
        for method in variants(methods.find, name):
            for rope in (0.0, 0.2):
                given = evidence(pair, rope)
                if isinstance(method, PairMethod) and method.refuses(given) is None:
                    found = method.run(given)
                    numbers = [found.better, found.within, found.worse, found.error, found.mean, found.ci, found.effect]
                    rows[f"{method.label}, {rope:g}"] = [*row(numbers), noted(found.notes)]
    for name in tests.names():
        for test in variants(tests.find, name):
            if test.refuses(pair) is None:
                of = procedure(pair, test)
                if f"{of.method}, 0.3" not in rows:
                    rows |= {f"{of.method}, {m:g}": of_margin(of, m) for m in (0.3, 0.05)}
    return rows


def of_margin(found: EquivalenceProcedure, margin: float) -> Row:
    tost = found.tost(margin, 0.05)
    powers = [found.power(margin, 0.05, side) for side in ALTERNATIVES]
    return [*row([tost and list(vars(tost).values()), powers]), row([found.detectable(0.05, a) for a in ALTERNATIVES])]


def of_samples(kind: str) -> dict[str, Row]:
    rows = {}
    for n, m in SIZES:
        for side in sides(n) if n < 10 else ("two-sided",):
            given = samples(n, m, kind, "run" if n % 2 else "item", side)
            for name in independent_tests.names():
                for test in variants(independent_tests.find, name):
                    if test.refuses(given) is None:
                        rows[f"{test.label}, {n} and {m}, {side}"] = of_outcome(test.run(given))
    return rows


def of_groups() -> dict[str, Row]:
    rows = {}
    for kind, sizes in ((kind, sizes) for kind, many in SEVERAL.items() for sizes in many):
        for blocks in [False, True][: 1 + (len(set(sizes)) == 1)]:
            given = groups(sizes, kind, blocks=blocks, unit="run" if sizes[0] % 2 else "item")
            for name in omnibus_tests.names():
                for test in variants(omnibus_tests.find, name):
                    if test.refuses(given) is None:
                        found = test.run(given)
                        pairs = [[p.system, p.baseline, p.gain, p.p_adjusted, p.ci] for p in found.pairs]
                        numbers = [found.p_value, found.p_kind[:2], found.p_error, found.effect, pairs]
                        said = [found.pairs_method, noted(found.notes)]
                        rows[f"{test.label}, {sizes} {kind} {blocks}"] = [*row(numbers), *said]
    return rows


def assert_kept(kind: str, name: str, rows: dict[str, Row]) -> None:
    """Compares with what is kept in the file of this kind, under this name."""
    file = KEPT / f"{kind}.json"
    if os.environ.get("OUTSCORE_GOLDEN") == "write":
        kept = {**(json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}), name: rows}
        file.parent.mkdir(exist_ok=True)
        text = "},\n".join(f"{json.dumps(one)}: {{\n{lines(of)}" for one, of in kept.items())
        file.write_text(f"{{{text}}}}}\n", encoding="utf-8")
    held = json.loads(file.read_text(encoding="utf-8"))[name]
    assert list(rows) == list(held)
    other = [f"{key}: {held[key]}, now {value}" for key, value in rows.items() if not alike(value, held[key])]
    assert not other, "\n".join(other[:5])


def lines(rows: dict[str, Row]) -> str:
    """JSON of rows, each in a line."""
    return ",\n".join(f"{json.dumps(key)}: {json.dumps(of, separators=(',', ':'))}" for key, of in rows.items())


def alike(one: Any, other: Any) -> bool:
    """Equal but for rounding."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(alike(one[key], other[key]) for key in one)
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return math.isclose(one, other, rel_tol=1e-5, abs_tol=1e-12) or (math.isnan(one) and math.isnan(other))
    return bool(one == other)


@pytest.mark.parametrize("shape", SHAPES)
def test_what_tests_of_pairs_say_stays(shape: str) -> None:
    assert_kept("pairs", shape, of_pair(shape))


@pytest.mark.parametrize("shape", SHAPES)
def test_what_intervals_say_stays(shape: str) -> None:
    assert_kept("intervals", shape, of_intervals(shape))


@pytest.mark.parametrize("shape", SHAPES)
def test_what_posteriors_and_tests_of_equivalence_say_stays(shape: str) -> None:
    assert_kept("beliefs", shape, of_beliefs(shape))


@pytest.mark.parametrize("kind", KINDS)
def test_what_tests_of_independent_samples_say_stays(kind: str) -> None:
    assert_kept("samples", kind, of_samples(kind))


@pytest.mark.slow
def test_what_tests_of_several_systems_say_stays() -> None:
    assert_kept("several", "all", of_groups())


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_said_of_data_stays(shape: str) -> None:
    pair = pairing(shape)
    chosen = choose(pair)
    names = [chosen.test.label, chosen.reason.code, *(test.label for test in chosen.beside)]
    facts = row([list(fact) for fact in facts_of(pair)])
    assert_kept("facts", shape, {"facts": facts, "chosen": names, "effect": [row(standard_effect(pair))]})


SEQUENCES = {
    "betting": {"bounds": (0.0, 1.0), "margin": 0.2},
    "betting of clusters": {"bounds": (0.0, 1.0), "largest": 4},
    "betting on a population": {"bounds": (-1.0, 1.0), "population": 60, "margin": 0.5},
    "mixture": {"bounds": None, "method": "mixture", "margin": 0.3},
    "mixture at another level": {"bounds": None, "method": "mixture", "alpha": 0.2},
}


@pytest.mark.parametrize("name", SEQUENCES)
@pytest.mark.parametrize("shift", [0.0, 0.35, -0.6])
def test_what_a_sequence_says_stays(name: str, shift: float) -> None:
    draw = np.random.default_rng(4)
    sizes = draw.integers(1, 5, 40) if "clusters" in name else np.ones(40)
    sums = np.clip(draw.normal(shift, 0.4, 40).round(2), -1, 1) * sizes
    sequence = start(**SEQUENCES[name])  # type: ignore[arg-type]
    path = sequence.extend(sums, sizes.astype(float))
    rows = {
        str(i): [*row([float(path.gain[i]), float(path.low[i]), float(path.high[i]), float(path.log_e[i])]), said]
        for i, said in enumerate(decisions(path))
        if i < 3 or i % 6 == 0 or i == 39
    }
    assert_kept("sequences", f"{name}, {shift:g}", rows)
