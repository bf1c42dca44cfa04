"""What is decided on a family of pairs: the correction, what hangs on draws or is out of reach, and each word."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.engine.montecarlo import Exceedances
from outscore.significance import EXACT, MONTE_CARLO, Outcome, notes
from outscore.significance.crossed import Variances
from outscore.significance.equivalence import SCORE
from outscore.verbs.shared import verdicts
from outscore.verbs.shared.family import choose_sizes, correction_for, family_of, is_settled, note_unsettled
from outscore.verbs.shared.records import JudgedPair
from outscore.verbs.shared.verdicts import decide, difference
from tests.run_tables import additive
from tests.verbs.flat import near

TEST: Any = Made()


class Fake(Outcome):
    """An outcome whose p lies between these ends, at whatever level; the levels asked for are kept."""

    ends: tuple[float, float] | None = None
    asked: list[float]

    def p_range(self, level: float) -> tuple[float, float] | None:
        self.asked.append(level)
        return self.ends


def judged(
    p: float | None, *, ends: tuple[float, float] | None = None, identical: bool = False, **more: Any
) -> JudgedPair:
    made: dict[str, Any] = {
        name: more.pop(name) for name in ("gain", "n_items", "n_runs", "alternative") if name in more
    }
    settings = Made(alpha=0.05, alternative=made.pop("alternative", "two-sided"))
    stats = Made(name="m")
    fields: dict[str, Any] = {
        "gain": 1.0,
        "n_items": 100,
        "n_runs": (1, 1),
        "metric_index": 0,
        "stats": stats,
        "system": 1,
        "baseline": 0,
        "several": True,
    }
    fields |= {
        "identical": identical,
        "settings": settings,
        "resamples": Made(systems=("old", "new"), by_metric=[stats], all_pairs=False),
    }
    pair: Any = Made(**{**fields, **made})
    if ends is None:
        outcome = Outcome(p_value=p, p_kind=EXACT, **more)
    else:
        outcome = Fake(p_value=p, p_kind=MONTE_CARLO, **more)
        object.__setattr__(outcome, "ends", ends)
        object.__setattr__(outcome, "asked", [])
    return JudgedPair(pair, TEST, outcome, (), ())


def test_sizes_and_the_correction_by_default() -> None:
    assert choose_sizes("auto") == (10_000, 40_000, 160_000, 640_000, 1_000_000)
    assert choose_sizes(7) == (7,)
    for metrics, pairs, units, runs, expected in (
        (1, 1, 20, False, "holm"),
        (1, 2, 20, False, "max-t"),
        (2, 1, 20, False, "max-t"),
        (1, 2, 19, False, "holm"),
        (1, 2, 20, True, "holm"),
    ):
        made: Any = Made(by_metric=[0] * metrics, pairs=[0] * pairs, has_runs=runs, design=Made(n_units=units))
        assert correction_for("auto", made) == expected


@pytest.mark.parametrize(
    ("correction", "level", "adjusted"), [("holm", 0.975, [0.04, 0.04]), ("none", None, [0.02, 0.04])]
)
def test_pairs_without_p_are_outside_of_the_family(correction: str, level: float | None, adjusted: list[float]) -> None:
    found = family_of([judged(0.02), judged(None), judged(0.04)], correction, 0.05)
    assert [found.adjusted[0], found.adjusted[2]] == near(adjusted)
    assert found.adjusted[1] is None
    assert [j.level for j in found.judged] == [level, None, level]


@pytest.mark.parametrize(
    ("ends", "hangs"),
    [((0.04, 0.05), False), ((0.04, 0.051), True), ((0.05, 0.05), False), ((0.051, 0.06), False), ((0.05, 0.06), True)],
)
def test_what_hangs_on_the_draws(ends: tuple[float, float], hangs: bool) -> None:
    """Alone as in a family of two, where the other is far from it; and the level that is asked for."""
    one, other = judged(0.05, ends=ends), judged(0.9)
    alone, both = family_of([one], "none", 0.05), family_of([one, other], "none", 0.05)
    assert is_settled(alone, times=1) == is_settled(both, times=4) == (not hangs)
    outcome: Any = one.outcome
    assert {round(level, 6) for level in outcome.asked} == {0.99, 0.9975}
    unstable = [[note.code for note in j.reasons] for j in both.judged]
    assert unstable == [[notes.UNSTABLE.code] if hangs else [], []]
    assert note_unsettled(both, (1, 2), [notes.IDENTICAL, notes.UNSTABLE]) == []
    (said,) = note_unsettled(alone, (1, 2), [notes.IDENTICAL])
    assert said == notes.UNSTABLE
    outcome.asked.clear()
    (said,) = note_unsettled(both, (1, 2), [])
    assert {round(level, 6) for level in outcome.asked} == {0.995}
    assert (said != notes.UNSTABLE) == hangs
    assert ("new" in said.text) == hangs


MORE = "more resamples (-n), more items that differ, or fewer pairs"
FEWER = "more items, or fewer pairs"
DRAWN: dict[str, Any] = {"exceedances": Exceedances.__new__(Exceedances)}


@pytest.mark.parametrize(
    ("family", "correction", "smallest", "remedy"),
    [
        ([judged(0.9, p_min=0.03)], "holm", None, ""),
        ([judged(0.9, p_min=0.03), judged(0.9, p_min=0.04)], "holm", "0.06", FEWER),
        ([judged(0.9, p_min=0.03), judged(0.9, p_min=0.04, ends=(0.9, 0.9), **DRAWN)], "holm", "0.06", MORE),
        ([judged(0.9, p_min=0.025), judged(0.9, p_min=0.04)], "holm", None, ""),
        ([judged(0.9, p_min=0.06), judged(0.9)], "none", None, ""),
        ([judged(1.0, identical=True, p_min=0.001), judged(0.9, p_min=0.04)], "holm", "0.08", FEWER),
        ([judged(1.0, identical=True), judged(1.0, identical=True)], "holm", None, ""),
        ([judged(0.9, p_min=0.06), judged(None)], "holm", None, ""),
    ],
)  # fmt: skip
def test_a_family_may_be_out_of_reach(
    family: list[JudgedPair], correction: str, smallest: str | None, remedy: str
) -> None:
    found = family_of(family, correction, 0.05).notes
    assert [note.code for note in found] == (["family_out_of_reach"] if smallest else [])
    for note in found:
        assert note.text.endswith(f"over 2 pairs the smallest p that these data and resamples can give is {smallest}")
        assert note.remedy == remedy


@pytest.mark.parametrize(
    ("p", "ends", "side", "alternative", "expected"),
    [
        (0.05, (0.1, 1), 1.0, "two-sided", "better"),
        (0.05, None, 0.5, "two-sided", "better"),
        (0.05, (-1, -0.1), -0.5, "two-sided", "worse"),
        (0.051, (-1, 1), 1.0, "two-sided", ""),
        (0.05, (0, 1), 1.0, "two-sided", None),
        (0.05, (-1, 0), -1.0, "two-sided", None),
        (0.051, (0.1, 1), 1.0, "two-sided", None),
        (0.05, (0.1, 1), 0.0, "two-sided", ""),
        (0.05, (0.1, 1), 1.0, "less", ""),
        (0.05, (-1, -0.1), -1.0, "greater", ""),
        (None, (0.1, 1), 1.0, "two-sided", ""),
    ],
)
def test_one_decision_of_p_and_interval(p: Any, ends: Any, side: float, alternative: Any, expected: str | None) -> None:
    found = difference(p, (ends, "t"), side, 0.05, alternative)
    assert found == (("", (notes.P_AND_INTERVAL,)) if expected is None else (expected, ()))
    if p is not None and ends == (0, 1):
        assert difference(p, (ends, "degenerate"), side, 0.05, alternative) == ("better", ())


@pytest.mark.parametrize(
    ("gain", "favours", "word"),
    [
        (2.0, None, "better"),
        (-2.0, None, "worse"),
        (2.0, 1.0, "better"),
        (-2.0, -3.0, "worse"),
        (-0.5, -0.5, "worse"),
        (2.0, -1.0, "inconclusive"),
        (2.0, 0.0, "inconclusive"),
    ],
)
def test_a_test_of_ranks_must_favour_the_system_that_gains(
    gain: float, favours: float | None, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = judged(0.01, gain=gain, favours=favours)
    one.__dict__["interval"] = (None, "", ())
    monkeypatch.setattr(verdicts, "procedure", lambda *_: Made(detectable=lambda *_: None))
    assert decide([one], [0.01], None, "holm")[0].verdict == word


@pytest.mark.parametrize(
    ("gain", "runs", "detectable", "family", "expected"),
    [
        (1.0, (1, 1), 1.5, 1, (1.5, 225)),
        (-0.8, (1, 1), 1.0, 3, (1.0, 157)),
        (1.0, (1, 1), 1.0, 1, (None, None)),
        (1.0, (1, 1), math.inf, 1, (None, None)),
        (1.0, (1, 1), None, 1, (None, None)),
        (0.0, (1, 1), 1.5, 1, (1.5, None)),
        (1.0, (2, 3), 1.5, 1, (1.5, None)),
        (1.0, (1, 3), 1.5, 1, (1.5, 225)),
    ],
)  # fmt: skip
def test_gains_that_could_be_found_at_the_level_of_the_family(
    gain: float,
    runs: tuple[int, int],
    detectable: float | None,
    family: int,
    expected: tuple[float | None, int | None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    levels: list[float] = []

    def found(level: float, alternative: str) -> float | None:
        levels.append(level)
        return detectable

    monkeypatch.setattr(verdicts, "procedure", lambda *_: Made(detectable=found))
    several = [judged(0.5, gain=gain, n_runs=runs) for _ in range(family)]
    for one in several:
        one.__dict__["interval"] = (None, "", ())
    for word in decide(several, [0.5] * family, None, "max-t"):
        assert (word.verdict, word.detectable_gain, word.items_needed) == ("inconclusive", *expected)
    assert levels == near([0.05 / family] * family)


@pytest.mark.parametrize(
    ("p", "power", "word"),
    [
        (0.05, 0.9, "equivalent"),
        (0.051, 0.8, "inconclusive"),
        (0.051, 0.799, "inconclusive"),
        (0.0, 0.1, "equivalent"),
        (None, None, "inconclusive"),
    ],
)
def test_equivalence_and_power_at_the_margin(
    p: float | None, power: float | None, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tests = None if p is None else Made(p=p, p_lower=p / 2, low=-0.1, high=0.2)
    by = Made(method="TOST", tost=lambda *_: tests, detectable=lambda *_: None, power=lambda *_: power)
    monkeypatch.setattr(verdicts, "procedure", lambda *_: by)
    one = judged(0.5)
    one.__dict__["interval"] = ((-1.0, 1.0), "t", ())
    (found,) = decide([one], [0.5], [0.3], "max-t")
    assert found.verdict == word
    shown = found.equivalence
    assert shown is not None
    least = math.ulp(0.0)
    expected = (None, None, None) if p is None else (max(p, least), max(p / 2, least), (-0.1, 0.2))
    assert (shown.p_equivalent_adjusted, shown.p_not_worse_adjusted, shown.ci) == expected
    assert verdicts.citations([found, verdicts.Decided("better")]) == ("Schuirmann 1987",)
    scored = replace(found, equivalence=replace(shown, method=f"{SCORE} of shares"))
    assert verdicts.citations([found, scored]) == ("Schuirmann 1987", "Tango 1998", "Connor 1987")
    assert verdicts.citations([verdicts.Decided("better")]) == ()


def test_runs_that_would_find_a_gain_are_about_the_fewest_with_the_power_by_the_components_of_the_runs() -> None:
    """Held against a plan of so many runs, by the same components."""
    draw = np.random.default_rng(0)
    values = {
        name: draw.normal(size=(3, 60)) * 0.4 + 0.3 * draw.normal(size=(3, 1)) + mean
        for name, mean in (("base", 0.0), ("new", 0.5))
    }
    frame = pd.DataFrame(
        {"system": name, "run": k, "item": i, "quality": value}
        for name, rows in values.items()
        for k, row in enumerate(rows)
        for i, value in enumerate(row)
    )
    (pair,) = outscore.compare(frame).pairs
    needed = pair.runs_needed
    assert (pair.verdict, pair.items_needed) == ("inconclusive", None)
    assert needed is not None
    parts = Variances.of(additive(values["new"]), additive(values["base"]))
    design = f"crossed:run={parts.run},item={parts.item},residual={parts.residual}"

    def power(count: int) -> float:
        return outscore.plan(f"{design},runs={count}", effect=abs(pair.gain), sizes=[60]).points[0].power

    # by the quantiles of t, as the gain that the runs find, where a plan has the noncentral t
    assert power(needed) == pytest.approx(0.8, abs=0.06) and power(needed + 1) >= 0.8 > power(needed - 1)
    unequal = frame[(frame["system"] == "new") | (frame["run"] < 2)]
    many = outscore.compare(frame, alpha=1e-15)
    loses = outscore.compare(frame, baseline="new", alternative="greater")
    for other in (outscore.compare(unequal), outscore.compare(frame, test="runs"), many, loses):
        assert other.pairs[0].runs_needed is None


def test_a_plan_of_the_gain_that_is_printed_needs_the_items_that_are_printed() -> None:
    draw = np.random.default_rng(3)
    base = draw.normal(50, 20, size=100)
    gain = draw.normal(0, 8, size=100)
    new = base + gain - gain.mean() + 0.4537
    found = outscore.compare({"base": base, "new": new}, metrics="mean")
    said = re.search(r"a gain of ([\d.]+) would take about ([\d,]+) items", found.sentence)
    assert said is not None and said[1] == "0.4537", found.sentence
    planned = outscore.plan(f"t:sd={np.std(new - base, ddof=1)}", effect=float(said[1])).items_needed
    assert planned is not None
    assert round(planned, 2 - len(str(round(planned)))) == int(said[2].replace(",", ""))


@pytest.mark.parametrize("shares", [True, False])
def test_the_items_that_rule_out_a_loss_of_the_margin_are_those_of_a_one_sided_plan(shares: bool) -> None:
    """Of systems that are equal: the same test of a gain as large, moved by the margin."""
    n, apart = 400, 36
    base = np.repeat([1.0, 0.0], [360, 40])
    new = base.copy()
    new[[*range(apart // 2 + 2), *range(360, 360 + apart // 2 - 2)]] = [0.0] * 20 + [1.0] * 16
    if not shares:
        base, new = (one + np.linspace(0, 1, n) for one in (base, new))
        new = new + np.random.default_rng(1).normal(size=n) / 10
    found = outscore.compare({"base": base, "new": new}, margin=0.02, metrics="accuracy" if shares else "mean")
    (pair,) = found.pairs
    assert pair.verdict == "inconclusive" and pair.items_needed is not None
    design = f"margin:agreement={1 - apart / n}" if shares else f"t:sd={np.std(new - base, ddof=1)}"
    planned = outscore.plan(design, effect=0.02, alternative="greater").items_needed
    assert pair.items_needed == pytest.approx(planned, rel=0.02)
    said = ". To rule out a loss of 2 points of accuracy with 80% power, if the systems are alike, takes about 1,400"
    assert "finds gains" not in found.sentence, "that is another question"
    assert not shares or found.sentence.endswith(f"{said} items. (McNemar, two-sided. 400 items.)"), found.sentence
    (worse,) = outscore.compare({"base": base, "new": new}, margin=0.06).pairs
    assert (worse.verdict, worse.items_needed) == ("equivalent", None)
    held = outscore.compare({"base": new, "new": base}, margin=0.02)
    assert (held.pairs[0].verdict, held.pairs[0].items_needed) == ("inconclusive", None), "it is not worse"
    assert "is not worse than" in held.sentence and "takes" not in held.sentence


@pytest.mark.parametrize("margin", [1e-320, 1e-200, 1e-9])
@pytest.mark.parametrize("shares", [False, True])
def test_a_margin_that_nobody_has_the_items_for_has_no_number_of_them(margin: float, shares: bool) -> None:
    draw = np.random.default_rng(1)
    base, new = draw.normal(size=(2, 12)) > 0.3 if shares else draw.normal(size=(2, 12))
    (pair,) = outscore.compare({"base": 1.0 * base, "new": 1.0 * new}, margin=margin, n_resamples=99).pairs
    assert (pair.verdict, pair.items_needed) == ("inconclusive", None)
