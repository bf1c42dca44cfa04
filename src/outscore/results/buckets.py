"""Where a gain comes from: scores and gains in buckets of items, whether buckets differ, and how that is told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer, flat_row
from outscore.results.details import describe_correction

Ends = tuple[float, float]

_FEW = 20
"""Rows of buckets that stand on the first screen."""
_MOST_SENTENCES = 3


@dataclass(frozen=True, kw_only=True)
class BucketGain:
    """The gain within one bucket of items, outside the family of the gains on all items.

    Its interval holds together with those of the other buckets of the pair and metric, unless nothing is corrected.

    Attributes:
        by: criterion of the buckets: ``length``, ``frequency``, ``pos``, ``difficulty``, or the name of a column.
        bucket: this one, such as ``5–12 words`` or the name of a domain.
        n_items: its items; of a part of speech those that have such words.
        gain: there; ``ci``: its interval; None where it is undefined.
    """

    system: Annotated[str, Shown("system")]
    baseline: str
    metric: str
    by: str
    bucket: str
    n_items: Annotated[int, Shown("items", "count")]
    baseline_score: Annotated[float, Shown("baseline", "score")]
    system_score: Annotated[float, Shown("score", "score")]
    gain: Annotated[float, Shown("gain", "gain", ci="ci", tested=True, bar=True)]
    ci: Ends | None


@dataclass(frozen=True, kw_only=True)
class BucketScore:
    """The score of one system within one bucket, as if its items were all there are; ``ci`` as in ``Score``."""

    system: Annotated[str, Shown("system")]
    metric: str
    by: str
    bucket: str
    n_items: Annotated[int, Shown("items", "count")]
    score: Annotated[float, Shown("score", "score", ci="ci", of_metric=True)]
    ci: Ends | None
    ci_method: str


@dataclass(frozen=True, kw_only=True)
class Interaction:
    """Whether the gain of a pair differs between buckets: the test that it is the same in all.

    Attributes:
        n_buckets: that have a part in the test; ``left_out``: those that are too small for it.
        test: what was drawn: buckets permuted among items, or signs flipped of items that reach over buckets.
        statistic: squared distances of the gains from their weighted mean, in units of their variances.
        p_value, p_kind, p_error, n_resamples: as in ``Pair``; p is None where fewer than two buckets are large enough.
        p_adjusted: p after the correction over all pairs and metrics, a family of its own.
        win_rate: the share of buckets with a gain, ties half, where it was asked for; ``win_ci``: from those surely won
            to those not surely lost, as all are judged at once.
    """

    system: Annotated[str, Shown("system")]
    baseline: str
    metric: str
    by: str
    n_buckets: Annotated[int, Shown("buckets", "count")]
    test: str
    statistic: float | None
    p_value: Annotated[float | None, Shown("p, each by itself", "p", error="p_error")]
    p_kind: str
    p_error: float | None
    p_adjusted: Annotated[float | None, Shown("p", "p")]
    n_resamples: int | None
    left_out: tuple[str, ...] = ()
    win_rate: float | None = None
    win_ci: Ends | None = None


def tell_interactions(
    found: Sequence[Interaction], gains: Sequence[BucketGain], alpha: float, w: Writer
) -> Iterator[str]:
    """A sentence on each pair and metric: whether its gain differs between buckets, and how far; of many, how many."""
    if len(found) > _MOST_SENTENCES:
        differ = sum(_differs(one, alpha) for one in found)
        yield f"{differ} of {len(found)} gains differ between buckets by {w.name(found[0].by)}."
        if won := [one.win_ci for one in found if one.win_ci]:
            more, less = sum(low > 0.5 for low, _ in won), sum(high < 0.5 for _, high in won)
            yield f"{more} of {len(found)} win on more than half of the buckets, {less} on less."
        return
    several = len({one.metric for one in found}) > 1
    for one in found:
        inside = f" in {w.label(one.metric)}" if several else ""
        if one.win_rate is not None and one.win_ci is not None:
            yield f"{w.name(one.system)}{inside} {_tell_wins(one.win_rate, one.win_ci, one.by, w)}"
        whose = f"The gain of {w.name(one.system)}{inside}"
        here = [gain for gain in gains if _key(gain) == _key(one) and gain.bucket not in one.left_out]
        if one.p_adjusted is None or not here:
            yield f"{whose} cannot be tested for differing by {w.name(one.by)}: buckets are too small."
            continue
        low, high = min(here, key=lambda g: g.gain), max(here, key=lambda g: g.gain)
        ends = (
            f"{w.gain(low.gain, one.metric)} ({w.name(low.bucket)}) to {w.gain(high.gain, one.metric)} "
            f"({w.name(high.bucket)})"
        )
        verb = "differs" if _differs(one, alpha) else "is not shown to differ"
        yield f"{whose} {verb} between {one.n_buckets} buckets by {w.name(one.by)} ({w.p(one.p_adjusted)}): {ends}."


def _tell_wins(rate: float, ci: Ends, by: str, w: Writer) -> str:
    share = "more" if ci[0] > 0.5 else "less" if ci[1] < 0.5 else ""
    shown = f"wins on {share} than half" if share else "is not shown to win on more or less than half"
    return (
        f"{shown} of the buckets by {w.name(by)}: on {w.percent(rate)} ({w.level()} CI {w.percent(ci[0])} to "
        f"{w.percent(ci[1])}, all judged at once; ties half)."
    )


def table_of_buckets(
    gains: Sequence[BucketGain], found: Sequence[Interaction], family: str, correction: str, asked: bool, w: Writer
) -> Any:
    """The gain in each bucket.

    Args:
        gains, found: gains and tests.
        family: how the intervals hold together.
        correction: of the tests.
        asked: buckets were asked for, and stand on the first screen.
        w: writes them.
    """
    by = w.name(gains[0].by)
    several = ("system",) if len({gain.system for gain in gains}) > 1 else ()
    bucket = Shown(by, value=lambda gain: w.name(gain.bucket))
    return w.table(
        f"Gain by {by} ({family})", gains, (bucket, *several, "n_items", "baseline_score", "system_score", "gain"),
        first=_has_room(gains, asked), naming=1 + len(several), footnotes=_explain(found, correction, w),
    )  # fmt: skip


def _has_room(rows: Sequence[BucketGain] | Sequence[BucketScore], asked: bool) -> bool:
    """Whether a table stands on the first screen: a short one, or one that was asked for and is of few systems."""
    return len(rows) <= _FEW or (asked and len({row.system for row in rows}) <= _MOST_SENTENCES)


def table_of_interactions(found: Sequence[Interaction], correction: str, w: Writer) -> Any:
    """The tests whether buckets differ."""
    wins = (
        Shown("win rate", value=lambda one: f"{w.percent(one.win_rate)} [{', '.join(map(w.percent, one.win_ci))}]"),
    )
    return w.table(
        f"Do gains differ by {w.name(found[0].by)}?", found,
        ("system", "n_buckets", *(("p_value",) if len(found) > 1 and correction != "none" else ()), "p_adjusted",
         *(wins if found[0].win_ci else ())),
    )  # fmt: skip


def table_of_bucket_scores(scores: Sequence[BucketScore], asked: bool, w: Writer) -> Any:
    """The score of each system in each bucket."""
    by = w.name(scores[0].by)
    columns = (Shown(by, value=lambda score: w.name(score.bucket)), "system", "n_items", "score")
    return w.table(f"Score by {by}", scores, columns, first=_has_room(scores, asked), naming=2)


def title_of_picture(found: Sequence[Interaction], by: str, alpha: float, w: Writer) -> str:
    """Whether gains differ between buckets, of one test as its answer."""
    tested = [one for one in found if one.by == by and one.p_adjusted is not None]
    if len(tested) != 1:
        return f"Is the gain the same for every {w.name(by)}?"
    verb = "differs" if _differs(tested[0], alpha) else "is not shown to differ"
    return f"The gain {verb} by {w.name(by)} ({w.p(tested[0].p_adjusted)})"


def add_buckets(
    rows: Sequence[dict[str, Any]], gains: Sequence[BucketGain], found: Sequence[Interaction]
) -> list[dict[str, Any]]:
    """Rows of pairs, then one for each bucket of each pair, with the p-value of the test whether buckets differ."""
    tests = {_key(one): one.p_adjusted for one in found}
    within = [flat_row(gain, p_differ=tests.get(_key(gain))) for gain in gains]
    empty: dict[str, Any] = dict.fromkeys((*rows[0], *within[0]))
    return [empty | row for row in (*rows, *within)]


def drop_wins(plain: dict[str, Any]) -> dict[str, Any]:
    """The same without win rates that were not asked for."""
    for one in plain["interactions"]:
        if one["win_rate"] is None:
            del one["win_rate"], one["win_ci"]
    return plain


def _explain(found: Sequence[Interaction], correction: str, w: Writer) -> Iterator[str]:
    """How the tests were made, and their answers."""
    known = [one for one in found if one.p_adjusted is not None]
    if not known:
        return
    if len(known) == 1:
        answer = f" {w.p(known[0].p_adjusted)}."
    elif len(known) <= _MOST_SENTENCES:
        several = len({one.metric for one in known}) > 1
        said = (
            f"{w.name(one.system)}{f' ({w.label(one.metric)})' if several else ''} {w.p(one.p_adjusted)}"
            for one in known
        )
        answer = f" {', '.join(said)}."
    else:
        answer = f" the smallest of {len(known)}: {w.p(min(one.p_adjusted or 0.0 for one in known))}."
    by = "" if len(known) == 1 or correction == "none" else f", {describe_correction(_family(correction))}"
    tests = " or ".join(dict.fromkeys(one.test for one in known))
    small = list(dict.fromkeys(name for one in found for name in one.left_out))
    without = f", without {w.count(len(small), 'bucket')} too small for it" if small else ""
    told = f"{tests}{by}{without}{':' if answer else '.'}{answer}"
    yield f"Do they differ? Null hypothesis: the same mean gain in every bucket; {told}"


def tell_buckets(found: Sequence[Interaction], correction: str, w: Writer) -> Iterator[str]:
    """For a paper: how it was tested whether gains differ between buckets, and what the win rate is."""
    by, tests = w.name(found[0].by) if found else "", [one.test for one in found if one.p_adjusted is not None]
    how = f", {describe_correction(_family(correction))}" if len(tests) > 1 and correction != "none" else ""
    for test in dict.fromkeys(tests):
        yield f"That the mean gain is the same in every bucket by {by} was tested by {test}{how}."
    if any(one.win_ci for one in found):
        said = "reaches from the buckets surely won to those not surely lost, all judged at once"
        yield f"The win rate is the share of buckets by {by} with a gain, ties half; its {w.level()} interval {said}."


def _family(correction: str) -> str:
    return "holm" if correction.startswith("max") else correction


def _differs(one: Interaction, alpha: float) -> bool:
    return one.p_adjusted is not None and one.p_adjusted <= alpha


def _key(of: Any) -> tuple[str, str, str]:
    return of.system, of.baseline, of.metric
