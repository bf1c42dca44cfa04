"""Printed means and deviations of runs, and what they imply: gains of n runs, wrong signs, p-values of drawn runs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.rng import stream
from outscore.base.text import read_number
from outscore.engine.beta import normal_ppf
from outscore.engine.extreme import Alternative
from outscore.results.study import Axis, DataTable, Figure, Finding, Layer, Value
from outscore.significance.means import TTest, welch, welch_from
from outscore.significance.settings import Settings
from outscore.studies import Spec, Summary
from outscore.studies.printed import Printed
from outscore.studies.runs.laws import probability_of_wrong_sign
from outscore.studies.runs.shown import ALONE, CROSSED, POOLED
from outscore.studies.shared.form import (
    Row,
    columns,
    count,
    ends,
    hidden,
    number,
    p_value,
    parse_integers,
    points,
    share,
    table,
    text,
)

_POINTS, _REACH = 201, 4.0
"""Points of a density, and standard deviations that it is drawn to."""

_DRAWS = 250  # of the source

_RUNS_ONLY = "runs, these items"

_SMALLEST = 1e-4  # p that a picture goes down to


def spec_of_runs(study: Printed) -> Spec:
    """The cell of what was typed.

    Raises:
        UsageError: it cannot be read.
    """
    numbers = parse_integers(study.numbers, "--numbers", 1, 10**6)
    return {
        "kind": "runs",
        "systems": _parse_systems(study.runs),
        "names": [part.rpartition("=")[0] or name for part, name in zip(study.runs.split(), "AB", strict=True)],
        "numbers": numbers,
        "alike": study.alike,
    }


def name_side(settings: Settings) -> str:
    """The side, after the name of a one-sided p."""
    return "" if settings.alternative == "two-sided" else f", one-sided ({settings.alternative})"


def summarize_runs(spec: Spec, settings: Settings) -> Summary:
    """Clark et al. 2011, Figures 1 and 2: the gain of n new runs of each is normal, with variance (s_A² + s_B²) / n."""
    (first, s_first, n_first, *_), (second, s_second, n_second, *_) = spec["systems"]
    a, b = spec["names"]
    gain, spread, z = second - first, math.hypot(s_first, s_second), -normal_ppf(settings.alpha / 2)
    rows: list[Row] = []
    for n in spec["numbers"]:
        error = spread / math.sqrt(n)
        rows.append((n, gain, gain - z * error, gain + z * error, probability_of_wrong_sign(gain, spread, n)))
    shown = (
        table(
            "gains",
            "Gains that n runs of each would show",
            (count("n", "runs"), *ends(number("gain", "Gain")), share("wrong", "Wrong sign")),
            rows,
            about="By the normal law, over new runs on the same test set. Interval: of the gains that would be seen.",
        ),
        hidden("runs", "Scores of runs", _DENSITY, _densities({a: (first, s_first), b: (second, s_second)})),
        hidden(
            "differences",
            "Gains of n runs",
            _DENSITY,
            _densities({str(n): (gain, spread / math.sqrt(n)) for n in spec["numbers"]}),
        ),
        hidden("expected", "Expected gain", (number("gain", "Gain"),), [(gain,)]),
    )
    beats = 1 - probability_of_wrong_sign(gain, spread, 1)
    drawn = _p_of_draws(spec, settings)
    left = "" if drawn else "; what other items would do is not in these numbers"
    return Summary(
        design=f"Of printed means and standard deviations between runs (±) of {n_first} and {n_second} runs, by the "
        f"normal law{left}.",
        findings=(
            *_findings_of_runs(spec, gain, beats, settings),
            *(_chance(f"wrong sign, runs of each: {n}", wrong) for n, *_, wrong in rows),
            *_overfitting(spec),
        ),
        tables=(*shown, *_tables_of_p(drawn, spec["alike"], settings)),
        figures=(
            *_figures_of_runs(gain, beats, b if gain >= 0 else a),
            *([_figure_of_p(drawn, settings.alpha)] if drawn else []),
        ),
    )


def _findings_of_runs(spec: Spec, gain: float, beats: float, settings: Settings) -> Iterator[Finding]:
    (first, s_first, n_first, *_), (second, s_second, n_second, *_) = spec["systems"]
    a, b = spec["names"]

    def test(own: float, base: float) -> TTest:
        return welch_from(
            gain, (own, base), (n_second, n_first), alternative=settings.alternative,
            level=1 - settings.alpha, scale=max(abs(first), abs(second)),
        )  # fmt: skip

    found, of_errors = test(s_second**2, s_first**2), test(n_second * s_second**2, n_first * s_first**2)
    yield Finding(what=f"gain of {b} over {a}, new runs on this test set", value=gain, ci=(found.low, found.high))
    side = name_side(settings)
    yield Finding(what=f"p of it, ± taken as SD between runs (Welch's t){side}", value=found.p, kind="p")
    yield Finding(what=f"p of it, were ± a standard error{side}", value=of_errors.p, kind="p")
    better, worse = (b, a) if gain >= 0 else (a, b)
    yield _chance(f"a run of {better} above one of {worse}", beats)


def _chance(what: str, value: Value) -> Finding:
    return Finding(what=f"were the gain exactly this: {what}", value=value, kind="share")


def _figures_of_runs(gain: float, beats: float, better: str) -> tuple[Figure, Figure]:
    density = Axis(title="Density")
    return (
        Figure(
            name="runs",
            title=f"Were the gain exactly this, a run of {better} scored higher in {beats:.1%} of cases",
            subtitle="Normal densities of the scores of runs, of printed means and deviations",
            x=Axis(title="Score"),
            y=density,
            layers=(Layer(mark="line", table="runs", x="x", y="density", colour="name"),),
        ),
        Figure(
            name="gains",
            title="The more runs, the nearer the gain that is seen to the expected one",
            subtitle=f"Densities of the gain of n runs of each; broken: the expected gain, {gain:.3g}",
            x=Axis(title="Gain"),
            y=density,
            layers=(
                Layer(mark="x-rule", table="expected", x="gain", dashed=True),
                Layer(mark="line", table="differences", x="x", y="density", colour="name"),
            ),
        ),
    )


_DENSITY = (text("name", "Name"), *columns("number", x="x", density="Density"))


def _densities(laws: Mapping[str, tuple[float, float]]) -> Iterator[Row]:
    """Normal densities by their means and deviations; one without deviation has none."""
    for name, (mean, deviation) in laws.items():
        for z in np.linspace(-_REACH, _REACH, _POINTS).tolist() if deviation > 0 else ():
            yield name, mean + z * deviation, math.exp(-z * z / 2) / (deviation * math.sqrt(2 * math.pi))


# --- p-values of drawn runs -------------------------------------------------------------------------------------


def _p_of_draws(spec: Spec, settings: Settings) -> list[Row]:
    """Clark et al. 2011, Table 2: runs, test, median and ends of p over draws from a pool, and how often it is small.

    The pool is simulated: as many normal runs as were printed, with exactly the printed means and deviations. Pooled,
    runs count as so many more items: the error of the gain of n runs is s_sel's over √n. Over runs and items it is
    s_sel's, as all runs have the same items, and that of the runs over √n.
    """
    systems = spec["systems"]
    own, side = [one[3] for one in systems], settings.alternative
    if None in own:
        return []
    items = math.sqrt(max(own[0] ** 2 + own[1] ** 2 - 2 * spec["alike"] * own[0] * own[1], 0.0))
    pools = [_pool(one, k, settings.seed) for k, one in enumerate(systems)]
    low, median, high = ([float(f(pool)) for pool in pools] for f in (np.min, np.median, np.max))
    single = {
        "high A, low B": low[1] - high[0],
        "median of both": median[1] - median[0],
        "low A, high B": high[1] - low[0],
    }
    rows: list[Row] = [
        (name, ALONE, 1, *[_normal_p(np.array([gain]), items, side)[0].item()] * 3, None)
        for name, gain in single.items()
    ]
    for n in spec["numbers"]:
        draw = stream(settings.seed, "draws of runs", n)
        seen = [pool[draw.integers(len(pool), size=(_DRAWS, n))] for pool in pools]
        gains = seen[1].mean(axis=1) - seen[0].mean(axis=1)
        noise = sum(one[1] ** 2 for one in systems) / n
        kinds = {ALONE if n == 1 else POOLED: _normal_p(gains, items / math.sqrt(n), side)}
        if n > 1:
            kinds[_RUNS_ONLY] = np.array([welch(b, a, alternative=side).p for a, b in zip(*seen, strict=True)])
            kinds[CROSSED] = _normal_p(gains, math.sqrt(items**2 + noise), side)
        for name, p in kinds.items():
            ends_of = np.quantile(p, [0.5, 0.025, 0.975]).tolist()
            rows.append((str(n), name, _DRAWS, *ends_of, float((p <= settings.alpha).mean())))
    return rows


def _pool(system: Sequence[float], which: int, seed: int) -> Float:
    mean, deviation, n = system[0], system[1], int(system[2])
    drawn = stream(seed, "pool of runs", which).standard_normal(n)
    return np.asarray(mean + deviation * (drawn - drawn.mean()) / drawn.std(ddof=1))


def _normal_p(gains: Float, error: float, side: Alternative) -> Float:
    from scipy import special

    if side == "two-sided":
        return np.asarray(2 * special.ndtr(-np.abs(gains) / error))
    return np.asarray(special.ndtr((-gains if side == "greater" else gains) / error))


_OF_P = (
    text("n", "runs"),
    text("kind", "Test"),
    count("draws", "draws"),
    *ends(p_value("median", "p, median")),
    share("significant", "Significant"),
)


def _tables_of_p(rows: Sequence[Row], alike: float, settings: Settings) -> Iterator[DataTable]:
    if not rows:
        return
    yield table(
        "p",
        f"p over draws of n runs of each{name_side(settings)}",
        _OF_P,
        rows,
        about=f"Interval: the middle 95% of p over {_DRAWS} draws from a pool that is simulated with these numbers; "
        f"the items of the two systems are taken to be correlated with {alike:g} (--alike). Runs pooled: as the source "
        "does it, runs count as so many more items. Runs, these items: Welch's t, on this test set. Runs and items: "
        "over new ones of both.",
    )
    kept = [
        (*row[:3], *(max(float(str(p)), _SMALLEST) for p in row[3:6]), row[6]) for row in rows if row[6] is not None
    ]
    yield hidden("drawn p", "p over draws, as drawn", _OF_P, kept)
    yield hidden("level", "The level", (number("alpha", "alpha"),), [(settings.alpha,)])


def _figure_of_p(rows: Sequence[Row], alpha: float) -> Figure:
    last = str(rows[-1][0])
    sure = {
        str(kind): f"{float(str(share_of)):.0%}" for n, kind, *_, share_of in rows if n == last and share_of is not None
    }
    said = ", ".join(f"{share_of} ({kind})" for kind, share_of in sure.items())
    return Figure(
        name="p",
        title=f"Were the gain exactly this, {last} runs each were significant in {said}",
        subtitle=f"Middle 95% of p over {_DRAWS} draws of runs, and its median; broken: p = {alpha:g}\n"
        f"Smaller p than {_SMALLEST:g} are drawn there",
        x=Axis(title="Runs of each system", scale="names"),
        y=Axis(title="p", scale="log", domain=(_SMALLEST / 2, 1.0)),
        layers=(Layer(mark="y-rule", table="level", y="alpha"), *points("drawn p", "n", "median", "kind")),
    )


def _overfitting(spec: Spec) -> Iterator[Finding]:
    """Clark et al. 2011, §3.2: whether runs vary more on the test set than on the one they were tuned on."""
    from scipy import special

    for name, (_, s_test, n, _, s_dev) in zip(spec["names"], spec["systems"], strict=True):
        if s_dev is not None:
            p = float(special.fdtrc(n - 1, n - 1, (s_test / s_dev) ** 2)) if s_dev else None
            yield Finding(
                what=f"p of s_test above s_dev, {name}",
                value=p,
                kind="p",
                reason="By the F law of two independent samples of normal runs."
                if s_dev
                else "s_dev was rounded to 0: there is no ratio.",
            )


# --- what was typed -----------------------------------------------------------------------------------------------


def _parse_systems(typed: str) -> list[list[float | None]]:
    said = f"--runs {typed!r}: expected mean,sd,runs[,s_sel[,s_dev]] of two systems, as '48.4,0.5,300 49.9,0.4,300'"
    found: list[list[float | None]] = []
    for part in typed.split():
        try:
            mean, deviation, runs, *more = (read_number(value) for value in part.rpartition("=")[2].split(","))
        except ValueError:
            raise UsageError(said) from None
        if runs == 1:
            raise UsageError(f"--runs {typed!r}: one run has no standard deviation")
        if not (math.isfinite(mean) and 0 <= deviation < math.inf and runs >= 1 and runs.is_integer()):
            raise UsageError(said)
        if len(more) > 2 or not all(0 <= value < math.inf for value in more) or 0 in more[:1]:
            raise UsageError(said)
        found.append([mean, deviation, int(runs), *more, *[None] * (2 - len(more))])
    if len(found) != 2 or found[0][1] == found[1][1] == 0:
        raise UsageError(said)
    return found
