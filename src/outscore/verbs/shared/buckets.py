"""Items in buckets, with the scores and gains in each: where a gain comes from, and whether buckets differ."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from outscore.base.arrays import Int
from outscore.base.errors import UsageError, inflect, join
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.engine.design import Design
from outscore.metrics.shared.labels import OfTags
from outscore.multiplicity import adjust as corrections
from outscore.results.buckets import BucketGain, BucketScore, Ends, Interaction
from outscore.significance.confidence import needed_for_score, plain_interval, score_interval
from outscore.significance.gain import GainContrast
from outscore.significance.interaction import CITATION, FEWEST, BucketValues, compare_buckets, describe_interaction
from outscore.significance.interval import IntervalMethod
from outscore.significance.notes import FEW_DIFFERENCES, ZERO_VARIANCE
from outscore.significance.resamples import Resamples
from outscore.significance.settings import Settings
from outscore.significance.statistics import Statistics
from outscore.verbs.shared.criteria import NONE, Criterion, Named
from outscore.verbs.shared.measured import Measured, Measurements
from outscore.verbs.shared.records import ENOUGH_DIFFERENCES

_DEFAULT = "domain"
_MOST_NAMED = 3


@dataclass(frozen=True)
class Bucket:
    """Some items under one metric.

    Attributes:
        name: of the bucket.
        items: their numbers in the whole test set.
        stats: their numbers under the metric, or those of the words of the bucket in them.
    """

    name: str
    items: Int
    stats: Statistics


@dataclass(frozen=True)
class Buckets:
    """All items in buckets by one criterion.

    Attributes:
        criterion: as it was asked for.
        made: the items under every metric.
    """

    criterion: Criterion
    made: Measurements

    @classmethod
    def of(cls, made: Measurements, asked: str | None) -> Buckets | None:
        """By the criterion that is asked for; unasked by a column ``domain`` that tells items apart; ``none`` for none.

        Raises:
            UsageError: no such criterion, or all items are in one bucket.
        """
        columns = list(made.data.labels)
        if asked is None:
            several = len(set(made.data.labels.get(_DEFAULT, ()))) > 1
            return cls(Criterion(_DEFAULT, column=True), made) if several else None
        if asked.lower() == "none" and "none" not in columns:
            return None
        found = cls(Criterion.parse(asked, columns), made)
        if not found.by_pair:
            held = [name for name, items in found._named if len(items)] if not found._by_tag else found._tags
            if len(held) < 2:
                raise UsageError(f"--by {asked!r}: all items are in one bucket ({join(held)}), which cannot differ")
        return found

    @property
    def by(self) -> str:
        """The name of the criterion."""
        return self.criterion.name

    @property
    def by_pair(self) -> bool:
        """Whether each pair has buckets of its own, made of the other systems."""
        return self.by == "difficulty" and not self.criterion.column

    @property
    def _by_tag(self) -> bool:
        return self.by == "pos" and not self.criterion.column

    def under(self, metric: int, system: int, baseline: int) -> list[Bucket]:
        """The buckets that are not empty under a metric; of a pair of systems, by their numbers."""
        stats = self.made.measured[metric].stats
        if not self.by_pair:
            return self._by_metric[metric]
        return _restrict(stats, self._split_by_others(stats, {system, baseline}))

    @cached_property
    def empty(self) -> list[str]:
        """Names of the buckets that hold no item."""
        return [] if self.by_pair or self._by_tag else [name for name, items in self._named if not len(items)]

    @cached_property
    def _by_metric(self) -> list[list[Bucket]]:
        if self._by_tag:
            return [self._count_tags(measured) for measured in self.made.measured]
        return [_restrict(measured.stats, self._named) for measured in self.made.measured]

    @cached_property
    def _named(self) -> list[Named]:
        return self.criterion.split_items(self.made.data)

    def _split_by_others(self, stats: Statistics, compared: set[int]) -> list[Named]:
        if not stats.plain_mean:
            raise UsageError(f"--by difficulty reads scores of items, and {stats.name} has none: give a column")
        others = [items for s, items in enumerate(stats.items) if s not in compared]
        return self.criterion.split_by_others(
            [items[..., 0].mean(axis=0) * stats.steps[0] for items in others], stats.name
        )

    @cached_property
    def _tags(self) -> list[str]:
        """Parts of speech in the gold, the most frequent first."""
        metric = _of_words(self.made.measured[0])
        items = next(iter(self.made.data.by_run.values()))
        tags, counts = np.unique([tag for of in metric.gold_tags(items) for tag in of], return_counts=True)
        return [str(tag) for tag in tags[np.argsort(-counts, kind="stable")]]

    def _count_tags(self, measured: Measured) -> list[Bucket]:
        """The words of each part of speech, within the items that have such."""
        metric, made = _of_words(measured), self.made
        found = []
        for tag in self._tags:
            of_tag = made.measure(metric.of_tag(tag)).stats
            items = np.flatnonzero(of_tag.items[0][0].any(axis=1))
            if len(items):
                found.append(Bucket(tag, items, of_tag.restrict(items)))
        return found


def _of_words(measured: Measured) -> OfTags:
    if not isinstance(measured.metric, OfTags):
        raise UsageError(
            f"--by pos counts words by their tag in the gold, and {measured.metric.name} counts no such words: use "
            "las, uas, upos or token_accuracy, or --by COLUMN with a column that describes the items"
        )
    return measured.metric


def _restrict(stats: Statistics, named: Sequence[Named]) -> list[Bucket]:
    return [Bucket(name, items, stats.restrict(items)) for name, items in named if len(items)]


@dataclass(frozen=True)
class BucketedGains:
    """Gains in buckets, whether they differ, and what a reader must know of them."""

    gains: tuple[BucketGain, ...] = ()
    interactions: tuple[Interaction, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def citations(self) -> tuple[str, ...]:
        """Sources of the tests, where there are any."""
        return (CITATION,) if any(one.p_value is not None for one in self.interactions) else ()

    @classmethod
    def joined(cls, parts: Iterable[BucketedGains], correction: str) -> BucketedGains:
        """Those of several pairs that are corrected together."""
        parts = list(parts)
        interactions = [one for part in parts for one in part.interactions]
        return cls(
            tuple(gain for part in parts for gain in part.gains),
            tuple(_correct(interactions, correction)),
            tuple(dict.fromkeys(note for part in parts for note in part.notes)),
        )


def bucket_gains(buckets: Buckets | None, baseline: int, settings: Settings, correction: str) -> BucketedGains:
    """The gain over the baseline in each bucket, with intervals that hold together over those of a pair and metric.

    A test of each pair and metric says whether the gains differ; these tests are a family of their own.
    """
    if buckets is None:
        return BucketedGains()
    data = buckets.made.data
    placed, interactions = [], []
    for p, measured in enumerate(buckets.made.measured):
        for s, system in enumerate(data.systems):
            if s == baseline:
                continue
            who = {"system": system, "baseline": data.systems[baseline], "metric": measured.stats.name}
            parts = buckets.under(p, s, baseline)
            pairs = [GainContrast(Resamples(data.systems, [one.stats], baseline, settings), 0, s) for one in parts]
            level = level_of_parts([one.stats.design for one in parts], settings.alpha, correction)
            for number, (part, pair) in enumerate(zip(parts, pairs, strict=True)):
                gain = BucketGain(
                    **who,
                    by=buckets.by,
                    bucket=part.name,
                    n_items=len(part.items),
                    baseline_score=float(part.stats.run_scores[baseline].mean()),
                    system_score=float(part.stats.run_scores[s].mean()),
                    gain=pair.gain,
                    ci=plain_interval(pair, level),
                )
                placed.append(((number, p, s), gain, pair))
            interactions.append(_interact(buckets, parts, pairs, settings, who))
    placed.sort(key=lambda one: one[0])
    return BucketedGains(
        tuple(gain for _, gain, _ in placed),
        tuple(_correct(interactions, correction)),
        (*_note_left_out(buckets, interactions), *_note_few(buckets.criterion, [one[1:] for one in placed])),
    )


def _interact(
    buckets: Buckets, parts: Sequence[Bucket], pairs: Sequence[GainContrast], settings: Settings, who: dict[str, str]
) -> Interaction:
    """The test of one pair under one metric; without p where fewer than two buckets are large enough."""
    large = [pair.n_units >= FEWEST and math.isfinite(pair.gain) for pair in pairs]
    design = buckets.made.design
    each = zip(parts, pairs, large, strict=True)
    values = [BucketValues.of(pair, _units(design, part.items)) for part, pair, enough in each if enough]
    values = [one for one in values if np.isfinite(one.values).all()]
    unit = "item" if design.labels is None else "cluster"
    tasks = [pair for part, pair in zip(parts, pairs, strict=True) if part.name != NONE]
    rate, ends = _count_wins(tasks, settings.alpha) if buckets.criterion.wins else (None, None)
    found = compare_buckets(values, settings, f"buckets by {buckets.by}") if len(values) > 1 else None
    return Interaction(
        **who,
        by=buckets.by,
        n_buckets=len(values),
        test="" if found is None else f"{describe_interaction(values, unit)}{', runs as they are' * pairs[0].has_runs}",
        statistic=None if found is None else float(found.effect["statistic"] or 0.0),
        p_value=None if found is None else found.p_value,
        p_kind="" if found is None else found.p_kind,
        p_error=None if found is None else found.p_error,
        p_adjusted=None if found is None else found.p_value,
        n_resamples=None if found is None else found.n_resamples,
        left_out=tuple(part.name for part, enough in zip(parts, large, strict=True) if not enough),
        win_rate=rate,
        win_ci=ends,
    )


def _count_wins(pairs: Sequence[GainContrast], alpha: float) -> tuple[float, Ends]:
    """The win rate over buckets, and its interval: it jumps where a bucket is near a tie, so no error of it will do.

    All buckets are judged at once, by Bonferroni: at least those are won whose gain is above 0, and at most those that
    are not below it.
    """
    level = level_of_parts([pair.stats.design for pair in pairs], alpha, "bonferroni")
    ends = [plain_interval(pair, level) or (-math.inf, math.inf) for pair in pairs]
    won = sum(0.5 * (pair.gain > 0) + 0.5 * (not pair.gain < 0) for pair in pairs)
    least, most = sum(low > 0 for low, _ in ends), sum(not high < 0 for _, high in ends)
    return won / len(pairs), (least / len(pairs), most / len(pairs))


def _units(design: Design, items: Int) -> Int:
    """Numbers in the whole test set of the units that some items belong to, in the order of their own design."""
    return items if design.labels is None else np.unique(design.labels[items])


def _correct(interactions: Sequence[Interaction], correction: str) -> list[Interaction]:
    """The same with p corrected over all pairs and metrics; by Holm where the correction is a joint one."""
    known = [one.p_value for one in interactions if one.p_value is not None]
    by = "holm" if correction in corrections.JOINT else correction
    adjusted = iter(corrections.adjust(known, by).tolist() if known else ())
    return [one if one.p_value is None else replace(one, p_adjusted=next(adjusted)) for one in interactions]


def _note_left_out(buckets: Buckets, interactions: Sequence[Interaction]) -> list[Note]:
    """A note on buckets that are empty, or too small for the test."""
    small = list(dict.fromkeys(name for one in interactions for name in one.left_out))
    said = [f"{inflect(len(small), 'bucket')} of fewer than {FEWEST} items or clusters ({join(small, _MOST_NAMED)})"]
    said = said * bool(small) + [f"no item is in {join(buckets.empty, _MOST_NAMED)}"] * bool(buckets.empty)
    named = buckets.criterion.split_items(buckets.made.data) if buckets.criterion.wins and not buckets.by_pair else ()
    said += [
        f"the win rate leaves out {inflect(len(items), 'item')} of no task" for name, items in named if name == NONE
    ]
    if not said:
        return []
    text = f"by {buckets.by}: {'; '.join(said)}"
    return [
        Note(
            code="small_buckets",
            text=f"{text}: their gains stand in the table, the test whether buckets differ leaves them out"
            if small
            else text,
            remedy="join small buckets: by edges= of numbers, of names by a column that is coarser" if small else "",
        )
    ]


def _note_few(by: Criterion, each: Sequence[tuple[BucketGain, GainContrast]]) -> Iterator[Note]:
    """Notes on buckets in which few items or clusters differ, and on those in which nothing varies."""
    few = [(pair.n_different, gain.bucket) for gain, pair in each if pair.can_be_skewed]
    if names := {name for n, name in few if n < ENOUGH_DIFFERENCES}:
        text = (
            f"by {by.name}: under {ENOUGH_DIFFERENCES} items or clusters differ in {inflect(len(names), 'bucket')} "
            f"({min(few)[0]} in {min(few)[1]!r}): of skewed gains, 95 % intervals{' and win rates' * by.wins} hold in "
            "68 % of cases in 20 buckets of 20, in 82 and 89 % in 12 of 40 and 6 of 60; where a few large ones make up "
            "for many small losses, in 7 % in 20 of 20"
        )
        yield replace(FEW_DIFFERENCES, text=text)
    undefined = [gain for gain, pair in each if gain.ci is None and (pair.n_units > 1 or by.wins)]
    if flat := list(dict.fromkeys(gain.bucket for gain in undefined if math.isfinite(gain.gain))):
        text = f"by {by.name}: nothing varies in {inflect(len(flat), 'bucket')} ({join(flat, _MOST_NAMED)}): no gain "
        text += f"there has an interval{', and the win rate takes each as undecided' * by.wins}"
        yield replace(ZERO_VARIANCE, text=text, remedy="give more items")


def level_of_parts(parts: Sequence[Design], alpha: float, correction: str) -> float | None:
    """The level of the interval of one gain on each part of a test set, so that they hold together.

    By Bonferroni, or Šidák where the correction is by that: parts have different items, so that a joint law would gain
    next to nothing, and where they share clusters or runs it holds still. None where each interval is by itself.
    """
    alone = corrections.level_of_one(alpha, sum(design.n_units > 1 for design in parts), correction)
    return None if alone == alpha else 1 - alone


def bucket_scores(
    buckets: Buckets | None, settings: Settings, method: IntervalMethod | None = None
) -> tuple[BucketScore, ...]:
    """The score in each bucket with its interval, by ``method`` if given, as if its items were all there are."""
    if buckets is None:
        return ()
    if buckets.by_pair:
        raise UsageError("--by difficulty of other systems is of pairs; for scores give a column")
    if buckets.criterion.wins:
        raise UsageError("--by NAME:wins=true is of pairs; leave it out for scores")
    data, found = buckets.made.data, []
    for p in range(len(buckets.made.measured)):
        for number, bucket in enumerate(buckets.under(p, 0, 0)):
            part = Resamples(data.systems, [bucket.stats], 0, settings)
            part = part.draw(need for s in range(len(data.systems)) for need in needed_for_score(part, 0, s, method))
            for s, system in enumerate(data.systems):
                interval, name, _ = score_interval(part, 0, s, method)
                score = BucketScore(
                    system=system,
                    metric=bucket.stats.name,
                    by=buckets.by,
                    bucket=bucket.name,
                    n_items=len(bucket.items),
                    score=float(bucket.stats.run_scores[s].mean()),
                    ci=interval,
                    ci_method=name,
                )
                found.append(((number, p), score))
    return tuple(score for _, score in sorted(found, key=lambda one: one[0]))
