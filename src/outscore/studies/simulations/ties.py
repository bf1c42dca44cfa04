"""The level of a test that does not count ties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from outscore.base.arrays import Float
from outscore.engine import extreme
from outscore.engine.exact import flip_law
from outscore.results.study import Axis, DataTable, Figure, Finding, Layer, Value
from outscore.significance import tests
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.shared.form import (
    columns,
    compare_numbers,
    count,
    hidden,
    p_value,
    parse_integers,
    share,
    table,
    text,
)
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import contrast_of_scores
from outscore.studies.simulations import Ties, right_wrong, simulated
from outscore.studies.simulations.simulated import SimulatedProportion

_BLOCK = 1000
_COUNTED, _STRICT = "counted (≥)", "not counted (>)"
_WINNER = "winner"
_SIDES: tuple[extreme.Alternative, ...] = ("greater", "two-sided")
_PROCEDURES = (
    "bootstrap",
    "bootstrap:form=percentile",
    "randomization",
    "mcnemar",
    "t",
    "multeval",
    "multeval:as_coded=true",
)
_IDENTICAL_ITEMS = 20
_TENTHS = (2, 4, 3, -2, 2, 5, 4, -2)  # some cancel out, but not as floating-point tenths


def grid(study: Ties, material: Material) -> list[Spec]:
    """Two cells for each size: exact and simulated; and one for identical systems."""
    simulated.check_rounds(study.rounds)
    simulated.check_proportion(study.disagreement, "--disagreement")
    exact: list[Spec] = [{"part": "exact", "n": n, "side": side} for n in _sizes(study) for side in _SIDES]
    drawn = simulated.in_blocks([{"part": "drawn", "n": n} for n in _sizes(study)], study.rounds, _BLOCK)
    return [*exact, *drawn, {"part": "identical"}]


def cell(study: Ties, material: Material, spec: Spec, seed: int) -> Found:
    """Proportions of rejections, or what tests say of identical systems."""
    if spec["part"] == "identical":
        return {"p": {name: _test_identical(name, material, seed) for name in _PROCEDURES}}
    alpha, n = material.settings.alpha, spec["n"]
    if spec["part"] == "drawn":
        return _simulate(study, np.random.default_rng(seed), n, spec["rounds"], material.settings.n_resamples, alpha)
    all_of_them = right_wrong.outcomes(n, study.disagreement / 2, study.disagreement / 2)
    sizes = [[name, ties, all_of_them.proportion(p, alpha)] for name, ties, p in right_wrong.rules(spec["side"])]
    if spec["side"] == "two-sided":
        n_resamples = material.settings.n_resamples
        sizes += [
            [
                _WINNER,
                ties,
                all_of_them.sampled_probability(right_wrong.winner(ties=ties), alpha, n_resamples, added=ties),
            ]
            for ties in (True, False)
        ]
    return {"sizes": sizes}


def _simulate(study: Ties, draw: np.random.Generator, n: int, rounds: int, n_resamples: int, alpha: float) -> Found:
    """The 2δ rule on so many test sets, for the system that scored higher, with ties and as printed, without."""
    half, hits = study.disagreement / 2, {"with": 0, "without": 0}
    for b, c, rest in draw.multinomial(n, [half, half, 1 - 2 * half], size=rounds).tolist():
        counts = draw.multinomial(n, np.array([b, c, rest]) / n, size=n_resamples)
        resampled = (counts[:, 0] - counts[:, 1]).astype(np.float64) * (1 if b >= c else -1)
        gain = float(abs(b - c))
        ties = int(extreme.count(resampled, 2 * gain, alternative="greater", slack=0.5))
        hits["with"] += extreme.p_from_count(ties, n_resamples) <= alpha
        hits["without"] += extreme.count_beyond(resampled, 2 * gain, slack=0.5) / n_resamples <= alpha
    return hits


def summary(study: Ties, material: Material, cells: Cells) -> Summary:
    """Sizes with ties and without, and what is said of identical systems."""
    alpha, n_resamples = material.settings.alpha, material.settings.n_resamples
    sizes: dict[tuple[str, str, int, bool], float] = {}
    counted: list[tuple[tuple[int, str], int, int]] = []
    identical: dict[str, float | None] = {}
    for spec, found in cells:
        if spec["part"] == "identical":
            identical = found["p"]
        elif spec["part"] == "exact":
            sizes |= {(name, spec["side"], spec["n"], ties): size for name, ties, size in found["sizes"]}
        else:
            counted += [((spec["n"], name), hits, spec["rounds"]) for name, hits in found.items()]
    drawn = simulated.add_proportions(counted)
    rows = [
        (name, _SIDE[side], n, sizes[name, side, n, True], sizes[name, side, n, False])
        for name in dict.fromkeys(key[0] for key in sizes if key[0] != _WINNER)
        for side in _SIDES
        for n in _sizes(study)
    ]
    lines: list[tuple[Value, ...]] = [
        (name, _COUNTED if ties else _STRICT, n, size)
        for (name, side, n, ties), size in sizes.items()
        if side == "two-sided" and name != _WINNER
    ]
    return Summary(
        design=f"Two systems that differ on {study.disagreement:.3g} of the items, neither better; tests at "
        f"{alpha:g}; exact, and {study.rounds:,} simulated test sets with {n_resamples:,} resamples.",
        tables=(_false_alarms(rows), _lines(lines), _level(alpha, lines), _identical(identical)),
        figures=(_figure(study, lines, alpha),),
        findings=tuple(_findings(study, sizes, drawn, identical, n_resamples)),
    )


def _sizes(study: Ties) -> list[int]:
    return parse_integers(study.sizes, "--sizes", 2, 1000)


def _findings(
    study: Ties,
    sizes: dict[tuple[str, str, int, bool], float],
    drawn: dict[tuple[int, str], SimulatedProportion],
    identical: dict[str, float | None],
    n_resamples: int,
) -> Iterator[Finding]:
    for n in _sizes(study):
        yield simulated.make_finding(
            f"false alarms with {n} items, 2δ rule for the winner as printed, ties not counted",
            drawn[n, "without"],
            expected=sizes[_WINNER, "two-sided", n, False],
            reason="Expected: exact, over all outcomes. Even with ties this rule has about twice its "
            "level, as the claim is chosen after the data."
            if n == _sizes(study)[0]
            else "",
        )
        yield simulated.make_finding(
            f"false alarms with {n} items, the same, ties counted and one added",
            drawn[n, "with"],
            expected=sizes[_WINNER, "two-sided", n, True],
        )
    coded, least = identical["multeval:as_coded=true"], 1 / (n_resamples + 1)
    yield Finding(
        what="p of identical systems, MultEval 0.5.1 as coded",
        value=coded,
        kind="p",
        expected=least,
        margin=0.0,
        verdict="differs" if coded is None else compare_numbers(coded, least, 0.0, 0.0),
        reason="It counts > and adds one: identical systems are as significant as resamples allow.",
    )
    naive, right = _p_of_tenths()
    yield Finding(
        what="p of differences in tenths by all permutations, added up in floating point, ≥ without tolerance",
        value=naive,
        expected=right,
        margin=0.0,
        verdict=compare_numbers(naive, right, 0.0, 0.0),
        reason=".1 + .2 is not .3 there, so that ties are lost: tests here count in whole numbers or with a tolerance.",
    )


def _figure(study: Ties, lines: Sequence[tuple[Value, ...]], alpha: float) -> Figure:
    least = _sizes(study)[0]
    worst = max(row[3] for row in lines if row[2] == least and isinstance(row[3], float))
    return Figure(
        name="ties",
        title=f"Without ties a test at {alpha:.0%} rejects up to {worst:.0%} of equal systems",
        subtitle=f"Exact false alarms, systems differ on {study.disagreement:.3g} of the items; broken: {alpha:g}",
        x=Axis(title="Items", scale="log", domain=(0.9 * least, 1.1 * _sizes(study)[-1])),
        y=Axis(title="False alarms", percent=True, domain=(0.0, 1.0)),
        layers=(
            Layer(mark="y-rule", table="level", y="alpha"),
            Layer(mark="line", table="lines", x="n", y="size", colour="ties"),
            Layer(mark="point", table="lines", x="n", y="size", colour="ties"),
        ),
        facet="test",
        colours=(_COUNTED, _STRICT),
    )


_SIDE = {"greater": "one", "two-sided": "two"}


def _test_identical(name: str, material: Material, seed: int) -> float | None:
    """p that a test gives two identical systems; None where it has no answer."""
    right = (np.arange(_IDENTICAL_ITEMS) % 2).astype(np.float64)
    pair = contrast_of_scores(right[None], right[None], replace(material.settings, seed=seed))
    return tests.make(name).run(pair).p_value


def _p_of_tenths() -> tuple[float, float]:
    """One-sided p by all permutations: with floating-point tenths compared as they are, and exact."""
    tenths = np.array(_TENTHS) / 10
    signs: Float = np.asarray(
        1.0 - 2.0 * (np.arange(2 ** len(tenths))[:, None] >> np.arange(len(tenths)) & 1), dtype=np.float64
    )
    # from the left, as a loop adds them up
    sums, observed = (np.cumsum(rows * tenths, axis=-1)[..., -1] for rows in (signs, np.ones(len(tenths))))
    law = flip_law(np.array(_TENTHS, dtype=np.float64))
    right = extreme.tail_mass(law.support, law.mass, float(sum(_TENTHS)), alternative="greater", slack=0.5)
    return float((sums >= observed).mean()), right


def _false_alarms(rows: Sequence[tuple[Value, ...]]) -> DataTable:
    return table(
        "sizes",
        "False alarms, exact",
        (
            *columns("text", test="Test", sides="Sides"),
            count("n", "Items"),
            share("with", f"Ties {_COUNTED}"),
            share("without", _STRICT),
        ),
        rows,
        about="For infinitely many resamples. Randomization with ties is the exact McNemar test.",
    )


def _lines(rows: Sequence[tuple[Value, ...]]) -> DataTable:
    fields = (*columns("text", test="Test", ties="Ties"), count("n", "Items"), share("size", "False alarms"))
    return hidden("lines", "Two-sided", fields, rows)


def _level(alpha: float, lines: Sequence[tuple[Value, ...]]) -> DataTable:
    fields = (text("test", "Test"), share("alpha", "Level"))
    rows = tuple((name, alpha) for name in dict.fromkeys(row[0] for row in lines))
    return hidden("level", "Level", fields, rows)


def _identical(found: dict[str, float | None]) -> DataTable:
    return table("identical", "Two identical systems", (text("test", "Test"), p_value("p", "p")), found.items())
