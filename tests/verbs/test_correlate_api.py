"""``correlate`` in Python: every record of a small table by plain loops, what is tested, noted and refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sacrebleu
from scipy import stats as laws

import outscore
from outscore.base.arrays import Float
from outscore.base.errors import UsageError
from outscore.engine.design import Design
from outscore.engine.intervals import quantile
from outscore.multiplicity.adjust import adjust
from outscore.results.correlation import Correlations
from outscore.significance.correlation import NULLS, MetricMeasure, draws, williams
from outscore.significance.settings import Settings
from tests.verbs.flat import differing, near

HUMAN = np.array([[1, 2, 2, 5.0], [2, 2, 4, 4], [3, 1, 2, 6]])
METRICS = {
    "near": HUMAN + np.array([[0, 1, 0, 0], [1, 0, 0, 2], [0, 0, 0, 1]]),
    "far": np.array([[3, 1, 2, 2.0], [1, 1, 3, 2], [2, 1, 2, 9]]),
}
LEVELS = ("system", "segment", "segment-by-item", "segment-by-system")


def tau_b(x: Float, y: Float) -> float:
    a, b = (np.sign(v[:, None] - v) for v in (x, y))
    return float((a * b).sum() / np.sqrt((a**2).sum() * (b**2).sum()))


OF = {"pearson": lambda x, y: float(np.corrcoef(x, y)[0, 1]), "kendall": tau_b}


def frame(columns: dict[str, Float], **more: Any) -> pd.DataFrame:
    """A row for each output; columns are ``(systems, items)``."""
    k, n = next(iter(columns.values())).shape
    rows = {"system": np.repeat([*"abcdefghijkl"[:k]], n), "item": np.tile(np.arange(n), k)}
    return pd.DataFrame({**rows, **{name: values.ravel() for name, values in columns.items()}, **more})


def correlate(data: pd.DataFrame | None = None, **options: Any) -> Correlations:
    data = frame({"human": HUMAN, **METRICS}) if data is None else data
    return outscore.correlate(data, **{"human": "human", "n_resamples": 40, **options})


def values_of(level: str, coefficient: str, x: Float, y: Float) -> list[float]:
    """The coefficient of each group ``(systems, items)`` in which it is defined."""
    rows = {"system": [(x.mean(axis=1), y.mean(axis=1))], "segment": [(x.ravel(), y.ravel())]}
    rows |= {"segment-by-item": [*zip(x.T, y.T, strict=True)], "segment-by-system": [*zip(x, y, strict=True)]}
    return [OF[coefficient](a, b) for a, b in rows[level] if np.ptp(a) > 1e-9 and np.ptp(b) > 1e-9]


@pytest.mark.parametrize("resample", ["both", "systems", "items"])
@pytest.mark.parametrize(("lower", "alpha", "cluster"), [(False, 0.05, None), (True, 0.2, "document")])
def test_every_record_of_a_table(resample: Any, lower: bool, alpha: float, cluster: str | None) -> None:
    sign = -1 if lower else 1
    data = frame({"human": sign * HUMAN, **METRICS}, document=["p", "p", "q", "r"] * 3)
    human = "mean:column=human,lower=true" if lower else "human"
    options: dict[str, Any] = {"resample": resample, "alpha": alpha, "cluster": cluster, "correction": "bonferroni"}
    result = correlate(data, human=human, levels=",".join(LEVELS), metrics=["near", "far"], **options)
    settings = Settings(alpha=alpha, n_resamples=40)
    design = Design.named(4, ("p", "p", "q", "r")) if lower else Design(4)
    drawn = [(d.systems, d.items) for d in draws(3, design, resample, settings)]
    correlations: list[dict[str, Any]] = []
    gains: list[dict[str, Any]] = []
    for level, coefficient in [(level, name) for level in LEVELS for name in OF]:
        redrawn = {}
        for metric, x in METRICS.items():
            found = values_of(level, coefficient, x, HUMAN)
            groups = {"segment-by-item": 4, "segment-by-system": 3}.get(level, 1)
            each = [values_of(level, coefficient, x[np.ix_(*d)], HUMAN[np.ix_(*d)]) for d in drawn]
            redrawn[metric] = np.array([np.mean(v) if v else math.nan for v in each])
            said = [
                *(["few_systems"] if level == "system" else []),
                *(["undefined_groups"] if len(found) < groups else []),
            ]
            correlations.append(
                {
                    "metric": metric,
                    "level": level,
                    "coefficient": coefficient,
                    "value": np.mean(found),
                    "ci": tuple(
                        float(quantile(np.where(np.isnan(redrawn[metric]), end, redrawn[metric]), p))
                        for end, p in ((-1, alpha / 2), (1, 1 - alpha / 2))
                    ),
                    "epsilon": None,
                    "n_groups": len(found),
                    "n_undefined": groups - len(found),
                    "group_size": {"segment": 12, "segment-by-system": 4}.get(level, 3),
                    "notes": tuple(said),
                }
            )
        apart = redrawn["near"] - redrawn["far"]
        ends = ((-2, alpha / 2), (2, 1 - alpha / 2))
        gains.append(
            {
                "gain": correlations[-2]["value"] - correlations[-1]["value"],
                "ci": tuple(float(quantile(np.where(np.isnan(apart), end, apart), p)) for end, p in ends),
                "ci_method": "percentile",
                "metric": "near",
                "other": "far",
                "level": level,
                "coefficient": coefficient,
                "null": NULLS["perm-systems"],
            }
        )
    assert not differing([vars(c) for c in result.correlations], correlations)
    assert not differing([{k: vars(g)[k] for k in gains[0]} for g in result.pairs], gains)
    assert {g.p_min for g in result.pairs} == {0.25}  # three systems: eight permutations, and their mirror images
    raw = [g.p_value for g in result.pairs if g.p_value is not None]
    assert [g.p_adjusted for g in result.pairs] == pytest.approx(adjust(raw, "bonferroni").tolist())
    assert (result.human, result.resampled, result.alternative) == (result.scores[0].metric, resample, "two-sided")
    by = {(s.metric, s.system): s.score for s in result.scores}
    assert [by["near", s] for s in "abc"] == pytest.approx(METRICS["near"].mean(axis=1))
    assert {"few_systems", "undefined_groups", "few_to_exchange"} <= {note.code for note in result.notes}


def test_accuracy_has_a_threshold_of_ties_and_none_below() -> None:
    """A metric that ties nothing the humans tie: 10 of 13 pairs of items; half a point off is the same."""
    human = np.array([[1, 1, 2], [2, 3, 2], [3, 3, 2.0]])
    metric = np.array([[1, 1.4, 2], [2, 3, 2.2], [3, 3.2, 2.4]])
    (found,) = correlate(
        frame({"human": human, "m": metric}), levels="segment-by-item", coefficients="accuracy"
    ).correlations
    # by item: 3 and 2 pairs are in order, one of the second and all of the third are ties
    assert (found.value, found.epsilon) == near((1, 0.4))
    assert (found.n_groups, found.n_undefined, found.group_size) == (3, 0, 3)
    assert found.ci is not None
    assert 0 <= found.ci[0] <= found.ci[1] == 1
    assert found.notes == ("accuracy_by_chance", "calibrated_ties")  # of three items shuffled ones do as well
    # three copies of one system have no pair: of such resamples nothing is known
    (found,) = correlate(frame({"human": human, "m": human}), levels="system", coefficients="accuracy").correlations
    assert (found.value, found.ci, found.epsilon, found.notes) == (1, (0, 1), None, ("few_systems",))


def test_levels_by_default_are_those_that_the_systems_allow() -> None:
    assert list(dict.fromkeys(c.level for c in correlate().correlations)) == ["system", "segment-by-item"]
    two = correlate(frame({"human": HUMAN[:2], "near": METRICS["near"][:2]}))
    assert {c.level for c in two.correlations} == {"segment"}
    assert "fewer_levels" in {note.code for note in two.notes}
    with pytest.raises(UsageError, match=r"level system compares systems, and there are 2 \('a', 'b'\)"):
        correlate(frame({"human": HUMAN[:2], "near": METRICS["near"][:2]}), levels="system")
    with pytest.raises(UsageError, match=r"level system compares systems, and there is one \('a'\)"):
        correlate(frame({"human": HUMAN[:1], "near": METRICS["near"][:1]}), levels="system")


@pytest.mark.parametrize(("most", "refused"), [(12, False), (11, True)])
def test_accuracy_is_refused_where_pairs_are_too_many(
    most: int, refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("outscore.verbs.correlate.run.MOST_PAIRS", most)
    options = {"levels": "segment-by-item", "coefficients": "accuracy"}
    if refused:
        with pytest.raises(UsageError, match=r'over 12 pairs, too many .*use levels="system", or coefficients'):
            correlate(**options)
        with pytest.raises(UsageError, match=r'over 66 pairs, too many .*use levels="segment-by-item"'):
            correlate(**{**options, "levels": "segment"})
    else:
        assert len(correlate(**options).correlations) == 2


def test_williams_has_the_values_of_its_formula_and_one_family() -> None:
    rng = np.random.default_rng(2)
    columns = {name: rng.normal(size=(12, 2)) for name in ("human", "x", "y", "z")}
    one = correlate(frame(columns), levels="system", coefficients="pearson", test="williams", alternative="greater")
    means = {name: values.mean(axis=1) for name, values in columns.items()}
    r = {(a, b): np.corrcoef(means[a], means[b])[0, 1] for a in means for b in means}
    raw = []
    for gain, (a, b) in zip(one.pairs, (("x", "y"), ("x", "z"), ("y", "z")), strict=True):
        p = williams(r["human", a], r["human", b], r[a, b], 12, alternative="greater").p_value
        assert (gain.metric, gain.other, gain.test) == (a, b, "williams")
        assert gain.gain == pytest.approx(r["human", a] - r["human", b])
        assert gain.p_value == pytest.approx(p)
        raw.append(p or 0)
    assert [g.p_adjusted for g in one.pairs] == pytest.approx(adjust(raw, "holm").tolist())
    cited = ("Pearson 1895", "Deutsch et al. 2021", "Zou 2007", "Williams 1959", "Steiger 1980")
    assert one.provenance.citations[1:] == cited
    resampled = correlate(frame(columns), levels="system", test="williams", coefficients="pearson", resample="both")
    assert resampled.provenance.citations[1:] == tuple(name for name in cited if name != "Zou 2007")
    assert "few_systems" not in {note.code for note in one.notes}
    for wrong in ({"levels": "system,segment"}, {"coefficients": "pearson,kendall"}):
        with pytest.raises(UsageError, match="Williams' test is for Pearson"):
            correlate(frame(columns), **{"levels": "system", "coefficients": "pearson", "test": "williams", **wrong})
    assert correlate(frame(columns), test="none").pairs == ()


def by_hand(r: Callable[[Float, Float], float], human: Float, x: Float, alpha: float) -> tuple[Float, Float]:
    """Low end, value, high end by jackknife t on Fisher's z, and r without each system in turn."""
    n = len(human)
    without = np.array([r(np.delete(x, i), np.delete(human, i)) for i in range(n)])
    z = np.arctanh(without)
    reach = laws.t.ppf(1 - alpha / 2, n - 1) * np.sqrt((n - 1) / n * ((z - z.mean()) ** 2).sum())
    value = np.arctanh(r(x, human))
    return np.tanh([value - reach, value, value + reach]), without


@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_over_systems_intervals_are_those_of_the_jackknife(alpha: float) -> None:
    """Zou 2007, eq. 5 and 6, joined by the correlation of both estimates without each system in turn."""
    rng = np.random.default_rng(4)
    true = rng.normal(size=(9, 1))
    columns = {name: true + rng.normal(size=(9, 5)) * noise for name, noise in (("human", 1), ("x", 1), ("y", 3))}
    data, means = frame(columns), {name: values.mean(axis=1) for name, values in columns.items()}
    options: dict[str, Any] = {"alpha": alpha, "coefficients": "pearson,kendall,accuracy", "levels": "system"}
    result = correlate(data, **options)
    for gain in result.pairs:
        half = 0.5 if gain.coefficient == "accuracy" else 1.0  # without ties it is (1 + tau)/2
        r = OF["kendall" if half < 1 else gain.coefficient]
        (x, of_x), (y, of_y) = (by_hand(r, means["human"], means[name], alpha) for name in ("x", "y"))
        joined = np.corrcoef(of_x, of_y)[0, 1]
        (a, b), (c, d) = (x[1] - x[0], y[2] - y[1]), (x[2] - x[1], y[1] - y[0])
        low = x[1] - y[1] - (a**2 + b**2 - 2 * joined * a * b) ** 0.5
        high = x[1] - y[1] + (c**2 + d**2 - 2 * joined * c * d) ** 0.5
        assert gain.ci == near((half * low, half * high))
        assert gain.ci_method == "MOVER of jackknife t on Fisher's z"
    told = result.sentence
    assert "sets of systems and items; differences over systems: MOVER of jackknife t on Fisher's z. 9 systems" in told
    both = correlate(data, **options, resample="both")
    assert {g.ci_method for g in both.pairs} == {"percentile"}
    assert [c.ci for c in both.correlations] == [c.ci for c in result.correlations]
    mixed = correlate(data, **{**options, "coefficients": "kendall", "levels": "system,segment-by-item"})
    assert [c.ci_method for c in mixed.pairs] == ["MOVER of jackknife t on Fisher's z", "percentile"]
    assert mixed.pairs[1].ci == correlate(data, **{**options, "levels": "segment-by-item"}, resample="both").pairs[1].ci


@pytest.mark.parametrize("coefficient", ["pearson", "spearman", "kendall", "kendall-c", "accuracy"])
def test_resampled_is_what_the_jackknife_has_no_interval_for(coefficient: str) -> None:
    """A metric that is the humans', one that ties all, two that are the same, and values that leaving out keeps."""
    rng = np.random.default_rng(3)
    human = rng.normal(size=(8, 6))
    noisy = human + 3 * rng.normal(size=(8, 6))
    columns = {"human": human, "perfect": human, "noisy": noisy, "twice": 2 * noisy, "same": np.ones((8, 6))}
    options: dict[str, Any] = {"levels": "system", "coefficients": coefficient}
    by_default, resampled = (correlate(frame(columns), **options, resample=how) for how in ("auto", "both"))
    for gain, other_gain in zip(by_default.pairs, resampled.pairs, strict=True):
        # each pair has a perfect, a tied, or a same one
        assert (gain.ci, gain.ci_method) == (other_gain.ci, "percentile")


@pytest.mark.parametrize("systems", [4, 5])
def test_outputs_that_were_left_out_are_counted_by_system_and_named_by_item(systems: int) -> None:
    rng = np.random.default_rng(1)
    columns = {name: rng.normal(size=(6, 7)) for name in ("human", "near")}
    for s in range(systems):
        columns["near"][s, [s, 0][: 1 + (s == 1)]] = np.nan
    result = correlate(frame(columns), levels="segment-by-system,segment-by-item", coefficients="pearson")
    (note,) = (note for note in result.notes if note.code == "outputs_missing")
    who = ["1 of 'a'", "2 of 'b'", "1 of 'c'", "1 of 'd'"]
    more = " and of 1 systems more" if systems == 5 else ""
    assert note.text.startswith(f"{systems + 1} of 42 outputs lack a number")
    assert f"({', '.join(who)}{more}; items '0', '1', '2' and {systems - 3} more)" in note.text
    assert [c.group_size for c in result.correlations] == [7, 6]
    assert {(s.system, s.n_items) for s in result.scores if s.metric == "near"} == {
        (name, 7 - (i < systems) - (name == "b")) for i, name in enumerate("abcdef")
    }


def test_progress_counts_resamples() -> None:
    told: list[Any] = []
    correlate(n_resamples=3, progress=lambda *said: told.append(said))
    assert [said for said in told if said[0] == "correlations"] == [("correlations", b, 3) for b in (1, 2, 3)]


def test_more_coefficients_score_no_resample_again(monkeypatch: pytest.MonkeyPatch) -> None:
    scored: list[MetricMeasure] = []
    of_systems = MetricMeasure.systems
    monkeypatch.setattr(MetricMeasure, "systems", lambda m, items: scored.append(m) or of_systems(m, items))  # type: ignore[func-returns-value]
    counts = []
    for coefficients in ("pearson", "pearson,kendall,spearman"):
        for resamples in (3, 9):
            scored.clear()
            correlate(levels="system", coefficients=coefficients, n_resamples=resamples, test="perm-items")
            counts.append(len(scored))
    assert counts[3] - counts[2] == counts[1] - counts[0] == 6 * len({"human", *METRICS})


@pytest.mark.parametrize(
    ("correction", "resamples", "noted"), [("holm", 38, True), ("holm", 40, False), ("none", 38, False)]
)
def test_a_family_whose_least_p_lies_above_alpha_is_noted(correction: Any, resamples: int, noted: bool) -> None:
    """Two tests of p = 1 / (n + 1) at least: by Holm 2 / 39 is above .05, and 2 / 41 is not."""
    draw = np.random.default_rng(1)
    many = frame({name: draw.normal(size=(10, 5)) for name in ("human", "near", "far")})
    both = ["pearson", "kendall"]
    made = correlate(many, n_resamples=resamples, levels=["segment"], coefficients=both, correction=correction)
    tested = [pair for pair in made.pairs if pair.p_value is not None]
    assert (len(tested), "family_out_of_reach" in [note.code for note in made.notes]) == (2, noted)


def test_a_family_is_in_reach_where_one_of_its_pairs_is() -> None:
    """Of the scores of five systems p is 1/16 at least, of their outputs 1/100, and by Holm 1/50."""
    draw = np.random.default_rng(1)
    many = frame({name: draw.integers(1, 9, (5, 5)).astype(float) for name in ("human", "near", "far", "words")})
    made = correlate(
        many,
        metrics=[f"ratio:num={name},den=words" for name in ("near", "far")],
        levels=["system", "segment"],
        coefficients="pearson",
        test="perm-both",
        n_resamples=99,
    )
    assert [pair.p_min for pair in made.pairs] == [1 / 16, 1 / 100]
    assert "family_out_of_reach" not in [note.code for note in made.notes]


def test_scores_that_stand_beside_other_items_are_told() -> None:
    """Systems keep their means, so that only the items within a system tell; shuffled, shifted, or one metric right."""
    draw = np.random.default_rng(4)
    human = draw.normal(size=(4, 80)) + np.arange(4)[:, None]
    bleu, chrf = (human + draw.normal(size=human.shape) for _ in range(2))
    shuffled = [bleu[:, draw.permutation(80)], np.roll(chrf, 1, axis=1)]

    def told(a: Float, b: Float, **options: Any) -> list[str]:
        found = correlate(frame({"human": human, "bleu": a, "chrf": b}), **options)
        return [note.text for note in found.notes if note.code == "looks_unpaired"]

    (text,) = told(*shuffled)
    assert "no metric goes with 'human'" in text and "over 80 items" in text
    assert told(*shuffled, levels="system") == [text]
    assert not told(bleu, chrf) and not told(bleu, shuffled[1]) and not told(-bleu, -chrf)
    assert not told(np.zeros_like(human), np.zeros_like(human)), "what does not vary tells nothing"


@pytest.mark.parametrize("metrics", ["bleu,chrf", "bleu"])
def test_human_errors_that_were_taken_for_quality_are_no_praise_of_a_metric(metrics: str) -> None:
    """MQM counts errors: the metric nearest to 0 was said to be the nearest to it."""
    draw = np.random.default_rng(6)
    good = draw.normal(size=(8, 60)) + np.arange(8)[:, None]
    scores = {"mqm": 9 - good} | {name: good + draw.normal(size=good.shape) for name in ("bleu", "chrf")}
    found = correlate(frame(scores), human="mqm", metrics=metrics)
    assert "all_negative" in [note.code for note in found.notes if note.rank == "answer"]
    first, *_ = str(found).split("\n\n")
    assert " ".join(first.split()) == "No metric agrees with mqm: all correlations with it are negative, see !."
    assert "see !" not in found.sentence and found.sentence.startswith("No metric agrees with mqm: all correlations ")
    turned = correlate(frame(scores), human="mean:column=mqm,lower=true", metrics=metrics)
    assert "all_negative" not in {note.code for note in turned.notes} and "nearest" not in first
    noise = correlate(frame(scores | {"mqm": draw.normal(size=good.shape)}), human="mqm", metrics=metrics, seed=4)
    assert "all_negative" not in {note.code for note in noise.notes}


def test_one_metric_of_errors_does_not_hide_that_the_others_go_against_counts_of_errors() -> None:
    """Beside BLEU and chrF a column of TER: both counts were read upside down, so that they agree with each other."""
    draw = np.random.default_rng(6)
    good = draw.normal(size=(8, 60)) + np.arange(8)[:, None]
    scores = {name: side * good + draw.normal(size=good.shape) for name, side in (("a", 1), ("b", 1), ("c", -1))}
    found = correlate(frame(scores | {"mqm": 9 - good}), human="mqm", metrics="a,b,c", levels="system")
    (text,) = (note.text for note in found.notes if note.code == "all_negative")
    assert text.startswith("most correlations with 'mqm' are negative ('a', 'b'), as if lower were better")
    said = "No metric can be said to agree with mqm: most correlations with it are negative"
    assert found.sentence.startswith(f"{said}. (")
    assert " ".join(str(found).split()).startswith(f"{said}, see !.")
    quality = correlate(frame(scores | {"da": 9 - good}), human="da", metrics="a,b,c", levels="system")
    assert "all_negative" not in {note.code for note in quality.notes}, "no name speaks of errors"
    half = correlate(frame(scores | {"mqm": 9 - good}), human="mqm", metrics="b,c", levels="system")
    assert "all_negative" not in {note.code for note in half.notes}


def test_human_scores_that_stand_one_line_off_are_told() -> None:
    """Neighbours in a document are alike, so that lines one away still go with each other, only less."""
    draw = np.random.default_rng(5)
    noise = draw.normal(size=(3, 402))
    human = noise[:, 1:-1] + 0.5 * noise[:, 2:]
    metric = human + draw.normal(size=human.shape)

    def told(moved: Float) -> list[str]:
        files = frame({"human": human[:, 1:-1], "bleu": moved})
        return [note.text for note in correlate(files).notes if note.code == "looks_unpaired"]

    for off in (metric[:, 2:], metric[:, :-2]):
        (text,) = told(off)
        assert "of the next line better than with that of their own" in text and "over 398 items" in text
    assert not told(metric[:, 1:-1])


@pytest.mark.parametrize(
    ("spec", "options"), [("bleu", {}), ("bleu:lowercase=true,max_order=2", {"lowercase": True, "max_ngram_order": 2})]
)
def test_segments_have_the_bleu_that_sacrebleu_gives_sentences(spec: str, options: dict[str, Any]) -> None:
    """By effective order: an output of three words or fewer has no 4-grams, and scored 0 however good it was."""
    draw = np.random.default_rng(8)
    gold = [[f"w{k}" for k in draw.integers(0, 9, size=n)] for n in draw.integers(1, 7, size=40)]
    outputs = [
        " ".join(w if draw.random() > share else "x" for w in line) for share in (0.1, 0.3, 0.5) for line in gold
    ]
    references = [" ".join(line) for line in gold] * 3
    human = draw.normal(size=(3, 40))
    data = frame({"da": human}, output=outputs, reference=references)
    theirs = sacrebleu.BLEU(**options, effective_order=True)
    scores = [theirs.sentence_score(*pair).score for pair in zip(outputs, ([r] for r in references), strict=True)]
    found = correlate(data, human="da", metrics=spec, levels="segment", coefficients="pearson")
    assert found.correlations[0].value == pytest.approx(OF["pearson"](np.array(scores), human.ravel()), abs=1e-9)
