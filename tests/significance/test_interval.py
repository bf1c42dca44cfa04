"""The named intervals against plain loops from their definitions, published tables, and each other."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from scipy import stats as laws

import outscore
from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.base.items import Items
from outscore.engine import intervals as engine
from outscore.engine.design import Design
from outscore.metrics.classes import F1
from outscore.metrics.ratio import Ratio
from outscore.significance import notes
from outscore.significance.confidence import find_method, gain_interval, refuse, score_interval
from outscore.significance.contrast import Contrast, ScoreContrast
from outscore.significance.gain import GainContrast
from outscore.significance.interval import Found, intervals
from outscore.significance.proportions import newcombe_paired
from outscore.significance.resamples import BOOTSTRAP, Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from tests.examples import examples
from tests.laws import support
from tests.laws.support import corpus_stats, experiment, settings
from tests.multiplicity.plain import max_single_step

CLUSTERS = [f"c{i % 9}" for i in range(40)]


def ends(found: Found) -> tuple[float, float]:
    assert found[0] is not None
    return found[0]


def ratio_stats(
    n: int = 40, runs: tuple[int, ...] = (1, 1), design: Design | None = None, seed: int = 3, sign: bool = True
) -> Statistics:
    """Two systems under a ratio of sums: counts over lengths."""
    rng = np.random.default_rng(seed)
    systems = []
    for r in runs:
        length = np.broadcast_to(rng.integers(3, 12, size=n), (r, n))
        systems.append(np.stack([rng.binomial(length, 0.4), length], axis=-1).astype(float))
    metric = Ratio(num="x", den="y")
    return Statistics("ratio", systems, metric.score, design or Design(n), higher_is_better=sign, ratio=metric.ratio())


def weibull(values: list[float], p: float) -> float:
    """The quantile of type 6: order statistic (B + 1) p, between neighbours in proportion."""
    values = sorted(values)
    place = min(max((len(values) + 1) * p, 1.0), float(len(values)))
    low = math.floor(place)
    high = min(low + 1, len(values))
    return values[low - 1] + (place - low) * (values[high - 1] - values[low - 1])


SETTINGS = Settings(n_resamples=499, seed=5)


def whole(*by_metric: Statistics, settings: Settings = SETTINGS) -> Resamples:
    return support.experiment(*by_metric, settings=settings)


@pytest.mark.parametrize("what", ["gain", "score"])
def test_bootstrap_intervals_are_their_definitions(what: str) -> None:
    experiment = whole(ratio_stats())
    estimate: Contrast = GainContrast(experiment, 0, 1) if what == "gain" else ScoreContrast(experiment, 0, 1)
    estimate = estimate.drawing([BOOTSTRAP])
    drawn, t0 = estimate.bootstrap_values.tolist(), estimate.value
    mean, sd, z = statistics.fmean(drawn), statistics.stdev(drawn), statistics.NormalDist().inv_cdf(0.975)
    low, high = weibull(drawn, 0.025), weibull(drawn, 0.975)
    expected = {
        "normal": (t0 - z * sd, t0 + z * sd),
        "normal:bias_corrected=true": (2 * t0 - mean - z * sd, 2 * t0 - mean + z * sd),
        "oconnor": (mean - 2 * sd, mean + 2 * sd),
        "percentile": (low, high),
        "basic": (2 * t0 - high, 2 * t0 - low),
    }
    for name, wanted in expected.items():
        assert ends(intervals.make(name).compute(estimate)) == pytest.approx(wanted, rel=1e-9, abs=1e-12), name
    seventh = ends(intervals.make("percentile:quantile=7").compute(estimate))
    assert seventh == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])), rel=1e-12)


def of_gain(name: str, stats: Statistics) -> Found:
    return intervals.make(name).compute(GainContrast(whole(stats), 0, 1))


def without(stats: Statistics, system: int) -> list[float]:
    """Scores without each unit in turn, unit by unit."""
    rows = stats.rows[system] * stats.steps
    return [
        statistics.fmean(float(stats.function(np.delete(run, i, axis=0).sum(axis=0))) for run in rows)
        for i in range(rows.shape[1])
    ]


@pytest.mark.parametrize("design", [None, Design.named(40, CLUSTERS)], ids=["items", "clusters"])
def test_bca_takes_the_jackknife_of_the_gain(design: Design | None) -> None:
    stats = ratio_stats(design=design)
    pair = GainContrast(whole(stats), 0, 1)
    left = np.array(without(stats, 1)) - np.array(without(stats, 0))
    expected = engine.bca(pair.gain, pair.drawing([BOOTSTRAP]).bootstrap_values, left, 0.95)
    assert ends(of_gain("bca", stats)) == pytest.approx((expected.low, expected.high), rel=1e-9)


STRATA = [f"s{i % 3}" for i in range(40)]


def test_bca_within_strata_centres_the_jackknife_within_them() -> None:
    design = Design.named(40, strata=STRATA)
    stats = ratio_stats(design=design)
    left = np.array(without(stats, 1)) - np.array(without(stats, 0))
    for stratum in set(STRATA):
        here = np.array(STRATA) == stratum
        left[here] -= left[here].mean()
    pair = GainContrast(whole(stats), 0, 1)
    expected = engine.bca(pair.gain, pair.drawing([BOOTSTRAP]).bootstrap_values, left, 0.95)
    assert ends(of_gain("bca", stats)) == pytest.approx((expected.low, expected.high), rel=1e-9)


def test_studentized_interval_of_runs_lies_around_the_mean_of_their_scores() -> None:
    # three runs whose pooled ratio is not the mean of their ratios
    stats = ratio_stats(runs=(3, 3))
    stats.items[1][0] *= 9
    pair = GainContrast(whole(stats), 0, 1)
    assert abs(pair.gain - pair.pooled_gain) > 1e-4
    drawn = pair.drawing([pair.studentized_bootstrap]).studentized
    error = drawn.error
    pivots = ((drawn.values[0] - pair.pooled_gain) / drawn.values[1]).tolist()
    expected = (pair.gain - weibull(pivots, 0.975) * error, pair.gain - weibull(pivots, 0.025) * error)
    assert ends(of_gain("studentized", stats)) == pytest.approx(expected, rel=1e-9)


def of_score(name: str, stats: Statistics, system: int = 1) -> Found:
    return intervals.make(name).compute(ScoreContrast(whole(stats), 0, system))


def units_of(labels: list[str] | None, n: int) -> list[list[int]]:
    names = labels or [str(i) for i in range(n)]
    return [[i for i in range(n) if names[i] == name] for name in dict.fromkeys(names)]


@pytest.mark.parametrize("labels", [None, CLUSTERS], ids=["items", "clusters"])
@pytest.mark.parametrize("what", ["gain", "score"])
def test_delta_of_a_ratio_is_the_textbook_formula(what: str, labels: list[str] | None) -> None:
    # var = sum of squares of (x - R y) / sum of y over units, each over 1 - its share of the y (CR2),
    # of a gain the mean of both shares by the variances
    stats = ratio_stats(design=Design.named(40, labels))
    units = units_of(labels, 40)
    parts, held = [], []
    for s in (1, 0):
        x, y = (stats.items[s][0] * stats.steps).T
        ratio = x.sum() / y.sum()
        held.append([sum(y[i] for i in unit) / y.sum() for unit in units])
        parts.append([sum((x[i] - ratio * y[i]) / y.sum() for i in unit) for unit in units])
    used = [a - b for a, b in zip(*parts, strict=True)] if what == "gain" else parts[0]
    v, w = (sum(part * part for part in one) for one in parts)
    shares = [(v * a + w * b) / (v + w) for a, b in zip(*held, strict=True)] if what == "gain" else held[0]
    u = [w * w / (1 - w) for w in shares]
    df = 1 / (sum(w * w for w in shares) + sum(u) ** 2 - sum(v * v for v in u))
    half = laws.t.ppf(0.975, df) * math.sqrt(sum(v * v / (1 - w) for v, w in zip(used, shares, strict=True)))
    found = of_gain("delta", stats) if what == "gain" else of_score("delta", stats)
    value = GainContrast(whole(stats), 0, 1).gain if what == "gain" else float(stats.run_scores[1][0])
    assert ends(found) == pytest.approx((value - half, value + half), rel=1e-6)


def mean_stats(*systems: Float, design: Design | None = None, sign: bool = True, name: str = "mean") -> Statistics:
    """Systems ``(runs, items)`` under a mean."""
    return support.mean_stats(systems, name=name, design=design, higher_is_better=sign)


def normal_stats(n: int = 40, design: Design | None = None, runs: int = 1) -> Statistics:
    rng = np.random.default_rng(11)
    return mean_stats(*rng.normal(size=(2, runs, n)).round(3), design=design)


def test_delta_of_a_mean_is_the_t_interval_also_in_clusters() -> None:
    for design in (None, Design.named(40, CLUSTERS)):
        stats = normal_stats(design=design)
        assert ends(of_gain("delta", stats)) == pytest.approx(ends(of_gain("t", stats)), rel=1e-7)


def test_delta_of_a_mean_in_strata_adds_their_variances() -> None:
    stats = normal_stats(design=Design.named(40, strata=STRATA))
    d = GainContrast(whole(stats), 0, 1).differences
    variance = 0.0
    for stratum in sorted(set(STRATA)):
        here = [float(d[i]) for i in range(40) if STRATA[i] == stratum]
        variance += (len(here) / 40) ** 2 * statistics.variance(here) / len(here)
    half = laws.t.ppf(0.975, 37) * math.sqrt(variance)
    assert ends(of_gain("delta", stats)) == pytest.approx((d.mean() - half, d.mean() + half), rel=1e-7)


@pytest.mark.parametrize("design", [None, Design.named(40, CLUSTERS)], ids=["items", "clusters"])
def test_jackknife_is_a_t_interval_over_pseudo_values(design: Design | None) -> None:
    stats = ratio_stats(design=design)
    gain = GainContrast(whole(stats), 0, 1).gain
    left = [a - b for a, b in zip(without(stats, 1), without(stats, 0), strict=True)]
    n = len(left)
    pseudo = [n * gain - (n - 1) * value for value in left]
    half = laws.t.ppf(0.975, n - 1) * statistics.stdev(pseudo) / math.sqrt(n)
    expected = statistics.fmean(pseudo) - half, statistics.fmean(pseudo) + half
    assert ends(of_gain("jackknife", stats)) == pytest.approx(expected, rel=1e-8)


def test_t_holds_runs_fixed_only_when_asked_to() -> None:
    stats = normal_stats(runs=3)
    pair = GainContrast(whole(stats), 0, 1)
    fixed = laws.ttest_1samp(pair.differences, 0.0).confidence_interval()
    assert ends(of_gain("t:runs=fixed", stats)) == pytest.approx((fixed.low, fixed.high), rel=1e-9)
    found = of_gain("t", stats)
    assert found[1] == "crossed t interval over runs and items"
    assert ends(found)[1] - ends(found)[0] > fixed.high - fixed.low


def test_t_cannot_redraw_the_runs_of_a_system_that_has_one() -> None:
    several = normal_stats(runs=3).items
    one = mean_stats(several[0][:1, :, 0], several[1][..., 0])
    ends_of_gain, method, said = gain_interval(GainContrast(whole(one), 0, 1), intervals.make("t"))
    assert (ends_of_gain, method) == of_gain("t:runs=fixed", one)[:2]
    assert said == (notes.INTERVAL_RUNS_FIXED,)
    assert intervals.make("t").refuses(GainContrast(whole(ratio_stats(runs=(1, 2))), 0, 1)) is not None


def metrics_of_one_test_set(m: int = 4, n: int = 40, seed: int = 9) -> Resamples:
    """Two systems under several metrics that hang together."""
    rng = np.random.default_rng(seed)
    shared = rng.normal(size=n)
    by_metric = [
        mean_stats(np.zeros((1, n)), (shared + rng.normal(size=n) + 0.3).round(3)[None], name=f"m{k}") for k in range(m)
    ]
    return whole(*by_metric)


def test_simultaneous_bands_are_the_quantile_of_the_largest_deviation() -> None:
    experiment = metrics_of_one_test_set().draw([BOOTSTRAP])
    pairs = [GainContrast(experiment, p, 1) for p in range(4)]
    errors = [statistics.stdev(pair.bootstrap_values.tolist()) for pair in pairs]
    largest = [
        max(abs(pair.bootstrap_values[b] - pair.gain) / error for pair, error in zip(pairs, errors, strict=True))
        for b in range(len(pairs[0].bootstrap_values))
    ]
    c = weibull(largest, 0.95)
    for pair, error in zip(pairs, errors, strict=True):
        found = intervals.make("max-t").compute(pair)
        assert ends(found) == pytest.approx((pair.gain - c * error, pair.gain + c * error), rel=1e-9)


@pytest.mark.parametrize("seed", range(5))
def test_a_band_leaves_out_zero_exactly_when_the_single_step_p_value_is_at_most_alpha(seed: int) -> None:
    # 499 resamples: (B + 1) alpha is whole
    rng = np.random.default_rng(seed)
    experiment = whole(
        *(mean_stats(np.zeros((1, 30)), rng.normal(0.3, 1, (1, 30)), name=f"m{k}") for k in range(6)),
        settings=Settings(n_resamples=499, engine="iid"),
    ).draw([BOOTSTRAP])
    pairs = [GainContrast(experiment, p, 1) for p in range(6)]
    gains, draws = np.array([p.gain for p in pairs]), np.stack([p.bootstrap_values for p in pairs], axis=1)
    errors = draws.std(axis=0, ddof=1)
    adjusted = max_single_step(np.abs(gains / errors), np.abs((draws - gains) / errors))
    for pair, p in zip(pairs, adjusted, strict=True):
        low, high = ends(intervals.make("max-t").compute(pair))
        assert (low > 0 or high < 0) == (p <= 0.05)


def test_bands_widen_with_the_family_and_cost_less_than_bonferroni() -> None:
    alone, four = metrics_of_one_test_set(1), metrics_of_one_test_set(4)
    bonferroni = Settings(n_resamples=499, seed=5, alpha=0.05 / 4)
    corrected = Resamples(("0", "1"), alone.by_metric, 0, bonferroni)
    widths = [
        high - low
        for low, high in (
            ends(intervals.make("max-t").compute(GainContrast(e, 0, 1))) for e in (alone, four, corrected)
        )
    ]
    assert widths[0] < widths[1] < widths[2]


def test_what_does_not_vary_takes_no_part_in_a_band() -> None:
    rng = np.random.default_rng(1)
    varies = mean_stats(np.zeros((1, 30)), rng.normal(size=(1, 30)), name="varies")
    still = mean_stats(np.zeros((1, 30)), np.full((1, 30), 0.1), name="still")
    alone, both = whole(varies), whole(varies, still)
    method = intervals.make("max-t")
    assert ends(method.compute(GainContrast(both, 0, 1))) == ends(method.compute(GainContrast(alone, 0, 1)))
    assert method.compute(GainContrast(both, 1, 1))[1:] == ("degenerate", (notes.ZERO_VARIANCE,))


def binary_stats(both: int, b: int, c: int, n: int, sign: bool = True, design: Design | None = None) -> Statistics:
    """The system is right on ``both + b`` items, the baseline on ``both + c``; with ``sign`` off 1 stands for wrong."""
    system, baseline = np.zeros((2, 1, n))
    system[:, : both + b] = baseline[:, :both] = 1.0
    baseline[:, both + b : both + b + c] = 1.0
    return mean_stats(*((baseline, system) if sign else (1 - baseline, 1 - system)), design=design, sign=sign)


@pytest.mark.parametrize(
    ("table", "published"),
    [((36, 12, 2, 50), (0.0569, 0.3404)), ((18, 12, 2, 50), (0.0562, 0.3290)), ((53, 0, 0, 54), (-0.0729, 0.0729))],
)
def test_newcombe_is_the_published_one(table: tuple[int, int, int, int], published: tuple[float, float]) -> None:
    """Newcombe 1998, Statistics in Medicine 17:2635, Table III, method 10."""
    assert newcombe_paired(*table) == pytest.approx(published, abs=5e-5)
    assert ends(of_gain("newcombe", binary_stats(*table))) == pytest.approx(published, abs=5e-5)


@given(cells=st.tuples(*[st.integers(0, 12)] * 4).filter(lambda c: sum(c) > 0))
def test_newcombe_is_mirrored_and_inside_the_scale(cells: tuple[int, int, int, int]) -> None:
    both, b, c, neither = cells
    n = sum(cells)
    low, high = newcombe_paired(both, b, c, n)
    assert -1 - 1e-12 <= low <= (b - c) / n + 1e-12
    assert (b - c) / n - 1e-12 <= high <= 1 + 1e-12
    assert newcombe_paired(both, c, b, n) == pytest.approx((-high, -low), abs=1e-12)
    assert newcombe_paired(neither, c, b, n) == pytest.approx((-high, -low), abs=1e-12)  # wrong for right


GAINS = [name for name, cls in intervals if cls.of_counts and cls.covers != "score"]


@pytest.mark.parametrize("name", GAINS)
def test_a_gain_in_accuracy_is_a_fall_in_error(name: str) -> None:
    right, wrong = binary_stats(20, 9, 3, 50), binary_stats(20, 9, 3, 50, sign=False)
    assert ends(of_gain(name, wrong)) == pytest.approx(ends(of_gain(name, right)), rel=1e-12)


SHARES = [name for name, cls in intervals if cls.of_counts and cls.covers != "gain"]


UNBOUNDED = ("wald", "agresti-coull", "bonett-price")


@pytest.mark.parametrize("name", SHARES)
def test_intervals_of_a_share_are_mirrored_and_inside_the_scale(name: str) -> None:
    for right in range(21):
        low, high = ends(of_score(name, binary_stats(right, 0, 0, 20)))
        assert low <= right / 20 <= high
        assert name in UNBOUNDED or 0 <= low <= high <= 1
        assert ends(of_score(name, binary_stats(20 - right, 0, 0, 20))) == pytest.approx((1 - high, 1 - low), abs=1e-9)


@pytest.mark.parametrize("name", GAINS)
def test_intervals_of_a_paired_difference_stay_inside_the_scale(name: str) -> None:
    low, high = ends(of_gain(name, binary_stats(0, 9, 0, 10)))
    assert -1 <= low < 0.9 <= high
    assert name in UNBOUNDED or high <= 1


@pytest.mark.parametrize("name", ["wald", "agresti-coull", "bonett-price", "t", "delta"])
def test_a_named_interval_beyond_the_scale_is_that_of_its_source_and_says_so(name: str) -> None:
    experiment, method = whole(binary_stats(0, 9, 0, 10)), intervals.make(name)
    made = []
    if method.covers != "score":
        made.append(gain_interval(GainContrast(experiment, 0, 1), method))
    if method.covers != "gain":
        made.append(score_interval(experiment, 0, 1, method))
    assert all(ends(found)[1] > 1 and notes.BEYOND_LIMITS in found[2] for found in made)
    assert notes.BEYOND_LIMITS not in gain_interval(GainContrast(experiment, 0, 1))[2]


def test_an_interval_of_counts_speaks_where_nothing_varies() -> None:
    same = binary_stats(20, 0, 0, 20)
    assert ends(of_gain("tango", same)) == pytest.approx((-3.8415 / 23.8415, 3.8415 / 23.8415), abs=1e-4)
    assert ends(of_score("wilson", same))[0] == pytest.approx(20 / 23.8415, abs=1e-4)
    assert of_gain("bca", same) == ((0.0, 0.0), "degenerate", ())


Chosen = tuple[Callable[[], Statistics], str, str]


def class_stats(n: int = 40) -> Statistics:
    """Two systems under macro F1 of two classes."""
    rng = np.random.default_rng(3)
    metric = F1(_classes=("x", "y"))
    gold, right = np.arange(n) % 4 == 0, rng.random((2, n)) < 0.8
    texts = [np.where(gold == r, "y", "x").tolist() for r in right]
    labels = (np.where(gold, "y", "x").tolist(),)
    systems = [metric.statistics(Items(n=n, outputs=t, references=labels))[None] for t in texts]
    return Statistics("f1", systems, metric.score, Design(n), limits=metric.limits, averaged=metric.as_average())


DEFAULTS: dict[str, Chosen] = {
    "right or wrong": (lambda: binary_stats(20, 9, 3, 50), "tango", "wilson"),
    "a mean": (normal_stats, "t", "t"),
    "clusters": (lambda: normal_stats(design=Design.named(40, CLUSTERS)), "t", "t"),
    "runs": (lambda: normal_stats(runs=3), "t:runs=fixed", "t"),
    "few items of a ratio": (lambda: ratio_stats(199), "delta", "delta"),
    "many items of a ratio": (lambda: ratio_stats(300), "bca", "bca"),
    "strata": (lambda: ratio_stats(design=Design.named(40, strata=STRATA)), "delta", "delta"),
    "right or wrong in strata": (
        lambda: binary_stats(20, 9, 3, 40, design=Design.named(40, strata=STRATA)),
        "tango",
        "logit",
    ),
    "classes": (class_stats, "rao", "rao"),
}


@pytest.mark.parametrize("shape", DEFAULTS)
def test_the_default_is_one_of_the_named(shape: str) -> None:
    make, gain, score = DEFAULTS[shape]
    experiment = whole(make())
    assert gain_interval(GainContrast(experiment, 0, 1)) == intervals.make(gain).compute(GainContrast(experiment, 0, 1))
    assert score_interval(experiment, 0, 1) == intervals.make(score).compute(ScoreContrast(experiment, 0, 1))


def pair_of(stats: Statistics) -> GainContrast:
    return GainContrast(whole(stats), 0, 1)


@pytest.mark.parametrize(
    ("name", "stats", "code"),
    [
        ("oconnor", normal_stats(), "interval_off_centre"),
        ("wald", binary_stats(20, 9, 3, 50), "wald_interval"),
        ("percentile", normal_stats(20), "few_items"),
        ("percentile", normal_stats(design=Design.named(40, CLUSTERS)), "few_clusters"),
        ("bca", normal_stats(runs=2), "interval_runs_fixed"),
        ("t:runs=fixed", normal_stats(runs=2), "interval_runs_fixed"),
        ("max-t", ratio_stats(runs=(1, 2)), "interval_runs_fixed"),
    ],
)
def test_what_must_be_known_of_an_interval_is_a_note(name: str, stats: Statistics, code: str) -> None:
    pair = pair_of(stats)
    assert code in {note.code for note in gain_interval(pair, intervals.make(name))[2]}


@pytest.mark.parametrize(
    ("name", "stats"), [("bca", normal_stats(60)), ("t", normal_stats(runs=2)), ("delta", ratio_stats())]
)
def test_where_nothing_must_be_known_nothing_is_said(name: str, stats: Statistics) -> None:
    assert gain_interval(pair_of(stats), intervals.make(name))[2] == ()


@pytest.mark.parametrize(
    "name", ["normal", "percentile", "basic", "bca", "studentized", "delta", "jackknife", "t", "max-t"]
)
def test_a_constant_difference_has_no_width_and_is_flagged(name: str) -> None:
    stats = mean_stats(np.zeros((1, 60)), np.full((1, 60), 0.1))
    assert of_gain(name, stats) == ((0.1, 0.1), "degenerate", (notes.ZERO_VARIANCE,))


@pytest.mark.parametrize("name", [name for name, cls in intervals if not cls.of_counts])
def test_identical_systems_and_single_items_have_no_interval_from_spread(name: str) -> None:
    same = normal_stats()
    twice = mean_stats(*[same.items[0][..., 0] * same.steps[0]] * 2)
    assert of_gain(name, twice) == ((0.0, 0.0), "degenerate", ())
    single = mean_stats(np.array([[0.25]]), np.array([[0.75]]))
    assert of_gain(name, single)[:2] == of_score(name, single)[:2] == (None, "undefined")


@pytest.mark.parametrize(
    ("name", "stats", "remedy"),
    [
        ("wilson", normal_stats(), "auto"),
        ("tango", ratio_stats(), "auto"),
        ("newcombe", binary_stats(20, 9, 3, 40, design=Design.named(40, CLUSTERS)), "tango or t"),
        ("wilson", binary_stats(20, 9, 3, 40, design=Design.named(40, CLUSTERS)), "logit or t"),
        ("logit", normal_stats(), "bca or t"),
        ("wald", binary_stats(20, 9, 3, 40, design=Design.named(40, strata=STRATA)), "bca or delta"),
        ("t", ratio_stats(), "jackknife"),
        ("t", normal_stats(design=Design.named(40, strata=STRATA)), "bca or delta"),
        ("jackknife", ratio_stats(design=Design.named(40, strata=STRATA)), "bca"),
    ],
)
def test_a_refusal_is_one_line_that_names_what_to_use(name: str, stats: Statistics, remedy: str) -> None:
    with pytest.raises(UsageError) as raised:
        refuse(intervals.make(name), whole(stats))
    assert str(raised.value).endswith(f"use --interval {remedy}")
    assert "\n" not in str(raised.value)


def test_an_interval_of_gains_is_refused_where_there_are_none() -> None:
    with pytest.raises(UsageError, match=r"tango is an interval of a gain; use --interval .*wilson"):
        find_method("tango", "score")
    assert find_method("tango", "gain", "score") == intervals.make("tango")
    assert find_method("auto", "score") is None


def test_an_interval_of_scores_leaves_gains_as_they_are() -> None:
    experiment = whole(binary_stats(20, 9, 3, 50))
    pair, jeffreys = GainContrast(experiment, 0, 1), intervals.make("jeffreys")
    assert gain_interval(pair, jeffreys) == gain_interval(pair)
    assert score_interval(experiment, 0, 1, jeffreys)[1] == "Jeffreys interval"


@hypothesis_settings(max_examples=examples(25))
@given(
    values=st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), min_size=2, max_size=12),
    name=st.sampled_from([name for name, cls in intervals if not cls.of_counts]),
)
def test_any_small_data_give_finite_ends_or_none(values: list[tuple[int, int]], name: str) -> None:
    a, b = (np.array(v, dtype=float)[None] for v in zip(*values, strict=True))
    pair = GainContrast(whole(mean_stats(a, b), settings=Settings(n_resamples=60)), 0, 1)
    assume(intervals.make(name).refuses(pair) is None)
    found, method, _ = gain_interval(pair, intervals.make(name))
    assert method
    assert found is None or (all(map(math.isfinite, found)) and found[0] <= found[1])


@given(seed=st.integers(0, 2**32 - 1), n=st.integers(3, 25))
def test_the_interval_that_was_not_asked_for_keeps_to_what_scores_and_gains_can_be(seed: int, n: int) -> None:
    rng = np.random.default_rng(seed)
    gold = rng.choice(["x", "y", "z"], n).tolist()
    data = {s: np.where(rng.random(n) < 0.8, gold, "x").tolist() for s in ("a", "b")}
    found = outscore.compare(data, references=gold, metrics="f1,accuracy", n_resamples=99)
    for score in found.scores:
        assert score.ci is None or 0 <= score.ci[0] <= score.ci[1] <= 1
    for pair in found.pairs:
        assert pair.ci is None or -1 <= pair.ci[0] <= pair.ci[1] <= 1


@pytest.mark.parametrize("name", [None, *(name for name, cls in intervals if cls.covers != "score")])
@pytest.mark.parametrize("make", [ratio_stats, normal_stats, lambda: binary_stats(20, 9, 4, 40)])
def test_the_interval_of_a_gain_at_another_level_is_that_of_another_alpha(
    name: str | None, make: Callable[[], Statistics]
) -> None:
    method, stats = None if name is None else intervals.make(name), make()
    pair = GainContrast(whole(stats), 0, 1)
    if method is not None and method.refuses(pair):
        return
    strict = GainContrast(whole(stats, settings=Settings(n_resamples=499, seed=5, alpha=0.01)), 0, 1)
    # with 499 resamples hardly any lies beyond the ends of a 99 % interval, and the default knows it
    expected = intervals.make("delta") if name is None and not stats.plain_mean else method
    assert gain_interval(pair, method, level=0.99) == gain_interval(strict, expected)
    assert gain_interval(pair, method) != gain_interval(strict, method) or name == "oconnor"


@pytest.mark.parametrize(("n", "method"), [(1, None), (2, "jackknife")])
def test_pseudo_values_need_two_units(n: int, method: str | None) -> None:
    rows = np.random.default_rng(1).integers(1, 9, (2, 1, n, 2)).astype(float)
    made = corpus_stats(list(rows), lambda sums: sums[..., 0] / sums[..., 1])
    found = intervals.make("jackknife").compute(GainContrast(experiment(made, settings=settings(9)), 0, 1))
    assert (found[0] is None) is (method is None)


@pytest.mark.parametrize("length", [0.7, 1.0, 1.2])
def test_a_rate_without_a_highest_value_has_no_limit_from_the_data(length: float) -> None:
    """The score of the longest outputs is no limit: their interval lies about it as that of the others does."""
    rng = np.random.default_rng(3)
    references = [" ".join("w" * n) for n in rng.integers(5, 30, size=60)]
    outputs = [" ".join("w" * max(1, round(len(r.split()) * length + rng.normal(0, 2)))) for r in references]
    (found,) = outscore.score({"a": outputs}, references=references, metrics="length_ratio").scores
    assert found.ci is not None
    assert sum(found.ci) / 2 == pytest.approx(found.score, abs=1e-12)
