"""The pictures of a comparison: its gains, and of reports the resampled gains, the runs and subsets of the test set."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from outscore.base.errors import inflect
from outscore.base.lazy import dataclass
from outscore.results.buckets import BucketGain, Interaction, title_of_picture
from outscore.results.declared import Writer
from outscore.results.details import Details, GainHistogram, describe_correction
from outscore.results.methods import describe_parts
from outscore.results.pairs import DECIDED, Pair
from outscore.results.pictures import Bar, Chart, Dots, Histogram, Intervals, Signs
from outscore.results.places import chart_wins, match_of
from outscore.results.result import Result
from outscore.results.sentences import decision, outscores

_MOST = 60
_MOST_BESIDE = 3  # systems of which all pairs stand in one forest plot
_MOST_PANELS = 4
_BETTER, _WORSE, _OPEN = "better", "worse", "not decided"
_SIGNS = Signs(
    field="verdict",
    colours={_BETTER: "blue", _WORSE: "orange", _OPEN: "faint"},
    shapes={_BETTER: "triangle-right", _WORSE: "triangle-left", _OPEN: "circle"},
)


@dataclass(frozen=True, kw_only=True, repr=False)
class Compared(Result):
    """Pairs of systems under each metric, and the pictures of their gains."""

    baseline: str
    correction: str
    pairs: tuple[Pair, ...]
    buckets: tuple[BucketGain, ...] = ()
    interactions: tuple[Interaction, ...] = ()
    details: Details | None = None

    @property
    def contrasts(self) -> Sequence[Pair]:
        return self.pairs

    @property
    def tested(self) -> int:
        """How many p-values the correction was made over."""
        return sum(pair.p_value is not None or pair.p_adjusted is not None for pair in self.pairs)

    @property
    def corrected(self) -> bool:
        """Whether an adjusted p-value says more than the raw one."""
        differ = any(pair.p_adjusted != pair.p_value for pair in self.pairs)
        return differ or (self.correction != "none" and self.tested > 1)

    @property
    def other_pairs(self) -> tuple[Pair, ...]:
        """The pairs without the baseline."""
        return tuple(pair for pair in self.pairs if pair.baseline != self.baseline)

    def name_of(self, pair: Pair, w: Writer) -> str:
        """The name of a pair: its system alone, where all are compared with the baseline."""
        system = w.name(pair.system)
        return f"{system} against {w.name(pair.baseline)}" if self.other_pairs else system

    def charts(self, w: Writer) -> Iterator[Chart]:
        """The gains, then everything that the comparison has the numbers for."""
        many = len({score.system for score in self.scores}) > _MOST_BESIDE and bool(self.other_pairs)
        asked = bool(self.options.get("by"))
        if asked:
            yield from _chart_buckets(self, w)
        if many:
            yield from _chart_all_pairs(self, w)
        if shown := [pair for pair in self.pairs if not many or pair.baseline == self.baseline]:
            yield _chart_gains(self, shown, w)
        yield from _chart_resampled(self, w)
        if any(len(score.runs) > 1 for score in self.scores):
            yield Chart(
                heading="Scores of the runs", of_page=True, title="Scores of single runs, and their means",
                under=("points: runs; bars: means",), panels=tuple(_runs(self, m, w) for m in self.metrics),
            )  # fmt: skip
        if not asked:
            yield from _chart_buckets(self, w)
        yield from _chart_details(self, w)


def _chart_all_pairs(result: Compared, w: Writer) -> Iterator[Chart]:
    """Who beats whom under each metric, from the best score on."""
    corrected = f", {describe_correction(result.correction)} over {result.tested}" if result.corrected else ""
    for metric in result.metrics:
        by = f" by {w.label(metric)}" if len(result.metrics) > 1 else ""
        scores = [score for score in result.scores if score.metric == metric]
        scores.sort(key=lambda s: s.score if s.higher_is_better is False else -s.score)
        matches = [match_of(pair) for pair in result.pairs if pair.metric == metric]
        yield chart_wins([score.system for score in scores], matches, by, corrected, result.alpha, w)


def _chart_gains(result: Compared, shown: Sequence[Pair], w: Writer) -> Chart:
    """A forest plot from the largest gain on; of very many pairs the largest differences, as the subtitle then says."""
    pairs = sorted(sorted(shown, key=lambda p: -abs(p.gain))[:_MOST], key=lambda p: -p.gain)
    alone = all(pair.baseline == result.baseline for pair in pairs)
    corrected = f", {describe_correction(result.correction)} over {result.tested}" if result.corrected else ""
    arrows = f"coloured arrowheads: p at most {result.alpha:g}{corrected}, and 0 outside the interval"
    return Chart(
        heading="Gains with their intervals",
        title=_find(result, shown, w),
        under=(
            f"Gains with {w.level()} intervals; {arrows}",
            f"the {_MOST} largest of {len(shown)} gains" if len(pairs) < len(shown) else "",
        ),
        panels=tuple(
            Intervals(
                names="pair", values="gain", axis=_axis(result, metric, w), zero=True, signs=_SIGNS,
                rows=tuple(_bar(result, p, w.name(p.system) if alone else result.name_of(p, w), w) for p in of),
            )
            for metric in result.metrics
            if (of := [p for p in pairs if p.metric == metric])
        ),
    )  # fmt: skip


def _bar(result: Compared, pair: Pair, name: str, w: Writer) -> Bar:
    written = f"{w.gain(pair.gain, pair.metric)} {w.interval(w.bound(pair.ci), pair.metric)}"
    return Bar(name=name, value=pair.gain, ci=w.bound(pair.ci), written=written, sign=_verdict(result, pair))


def _axis(result: Result, metric: str, w: Writer) -> str:
    directed = next(s for s in result.scores if s.metric == metric).higher_is_better is not None
    return f"Gain in {w.label(metric)}, {'better' if directed else 'higher'} to the right"


def _verdict(result: Compared, pair: Pair) -> str:
    found = decision(pair, result.alpha)
    return DECIDED.get(found, _OPEN)


def _find(result: Compared, shown: Sequence[Pair], w: Writer) -> str:
    """Who outscores whom, or how many do."""
    pairs = [pair for pair in shown if pair.verdict != "described"]
    found = [_verdict(result, pair) for pair in pairs]
    if len(pairs) == 1:
        (pair,) = pairs
        system, baseline = w.name(pair.system), w.name(pair.baseline)
        size = f"{w.gain(abs(pair.gain), pair.metric, sign=False)} {w.label(pair.metric)}"
        verb = outscores(result, pair.metric)
        return {
            _BETTER: f"{system} {verb} {baseline} by {size}",
            _WORSE: f"{baseline} {verb} {system} by {size}",
            _OPEN: f"{system} is not shown to differ from {baseline}",
        }[found[0]]
    better, worse, of = found.count(_BETTER), found.count(_WORSE), len(pairs)
    alone = all(pair.baseline == result.baseline for pair in pairs)
    against = f" over {w.name(result.baseline)}" if alone else ""
    losses = f", {worse} {'is a loss' if worse == 1 else 'are losses'}" if worse else ""
    if not better + worse:
        return f"None of {of} gains{against} is shown"
    rest = "" if better + worse == of else "; the others are not shown"
    return f"{better} of {of} gains{against} hold{losses}{rest}"


# --- of reports -------------------------------------------------------------------------------------------------------


def _largest(result: Compared, known: Sequence[Any]) -> list[Pair]:
    """Of the pairs that something is known of those of the largest gains, metric by metric in turn."""
    keys = set(map(_key, known))
    pairs = [pair for pair in result.pairs if _key(pair) in keys]
    turns = [
        (turn, pair)
        for metric in result.metrics
        for turn, pair in enumerate(sorted((p for p in pairs if p.metric == metric), key=lambda p: -abs(p.gain)))
    ]
    kept = [pair for _, pair in sorted(turns, key=lambda one: one[0])[:_MOST_PANELS]]
    return [pair for pair in result.pairs if any(pair is one for one in kept)]


def _heading(result: Compared, pair: Pair, w: Writer) -> str:
    metric = f", {w.label(pair.metric)}" if len(result.metrics) > 1 else ""
    return f"{result.name_of(pair, w)}{metric}"


def _describe_left_out(result: Compared, panels: Sequence[Any], known: Sequence[Any]) -> str:
    """The gains without a panel: smaller ones, and those of which nothing was kept."""
    of = len(set(map(_key, known)))
    drawn = f"the {len(panels)} largest of {of} gains" if len(panels) < of else ""
    unknown = len(result.pairs) - of
    return "; ".join(filter(None, (drawn, f"not kept for {inflect(unknown, 'other gain')}" if unknown else "")))


def _key(of: Any) -> tuple[str, str, str]:
    return of.system, of.baseline, of.metric


def _chart_resampled(result: Compared, w: Writer) -> Iterator[Chart]:
    """How the gains fall out on resampled test sets."""
    held = result.details.histograms if result.details else ()
    found = {_key(one): one for one in held}
    panels = tuple(
        Histogram(
            heading=_heading(result, pair, w), axis=f"Gain in {w.label(pair.metric)}",
            edges=found[_key(pair)].edges, counts=found[_key(pair)].counts, observed=pair.gain,
            spread=_two_deviations(found[_key(pair)]),
        )
        for pair in _largest(result, held)
    )  # fmt: skip
    if panels:
        drawn = f"{sum(held[0].counts):,} test sets resampled from the {held[0].resampled}; runs as they are"
        yield Chart(
            heading="The gain on resampled test sets", of_page=True,
            title="How far chance in the choice of the test set moves the gain",
            under=(
                drawn,
                "orange: the observed gain; dark: no gain; broken: mean ± 2 standard deviations",
                _describe_left_out(result, panels, held),
            ),
            panels=panels,
        )  # fmt: skip


def _two_deviations(held: GainHistogram) -> tuple[float, float]:
    """The mean less and plus two standard deviations, by the middles of the bins."""
    total = sum(held.counts)
    middles = [(low + high) / 2 for low, high in pairwise(held.edges)]
    mean = math.fsum(n * x for n, x in zip(held.counts, middles, strict=True)) / total
    squares = math.fsum(n * (x - mean) ** 2 for n, x in zip(held.counts, middles, strict=True))
    deviation = math.sqrt(squares / total)
    return mean - 2 * deviation, mean + 2 * deviation


def _runs(result: Compared, metric: str, w: Writer) -> Dots:
    """Scores of single runs, the baseline first."""
    scores = sorted((s for s in result.scores if s.metric == metric), key=lambda s: s.system != result.baseline)
    return Dots(
        axis=w.label(metric),
        rows=tuple((w.name(s.system), s.score) for s in scores),
        single=tuple(
            (w.name(s.system), w.name(run), value, w.score(value, metric))
            for s in scores
            for run, value in zip(s.runs, s.run_scores, strict=True)
        ),
    )


def _chart_buckets(result: Compared, w: Writer) -> Iterator[Chart]:
    if result.buckets:
        yield _chart_by(result.buckets[0].by, [(one.bucket, one) for one in result.buckets], result, w)


def _chart_details(result: Compared, w: Writer) -> Iterator[Chart]:
    """Gains by length, by cluster, as far as there are any that the buckets do not show."""
    shown = result.buckets[0].by if result.buckets else ""
    held = [part for part in (result.details.parts if result.details else ()) if part.by != shown]
    for by in dict.fromkeys(part.by for part in held):
        cut = result.details.n_clusters_left_out if result.details and by != "length" else 0
        said = f"the largest; {cut} smaller ones are left out" if cut else ""
        yield _chart_by(by, [(part.part, part) for part in held if part.by == by], result, w, said)


def _chart_by(by: str, found: Sequence[tuple[str, Any]], result: Compared, w: Writer, cut: str = "") -> Chart:
    panels = tuple(
        Intervals(
            heading=_heading(result, pair, w), names="part", values="gain", zero=True,
            axis=_axis(result, pair.metric, w), across=pair.gain,
            rows=tuple(_bar_of_part(part, one, w) for part, one in of),
        )
        for pair in _largest(result, [one for _, one in found])
        for of in [[(part, one) for part, one in found if _key(one) == _key(pair)]]
    )  # fmt: skip
    family = describe_parts(result.correction, [one for _, one in found])
    said = f"{w.level()} intervals where drawn: {family}" if any(one.ci for _, one in found) else family
    return Chart(
        heading=f"Gains by {w.name(by)}", of_page=not (result.options.get("by") and by == result.buckets[0].by),
        title=title_of_picture(result.interactions, by, result.alpha, w),
        under=(said, cut, _describe_left_out(result, panels, [one for _, one in found])),
        panels=panels,
    )  # fmt: skip


def _bar_of_part(part: str, one: Any, w: Writer) -> Bar:
    ends = w.interval(w.bound(one.ci), one.metric) if one.ci else ""
    name = f"{w.name(part)} ({w.count(one.n_items, 'item')})"
    return Bar(name=name, value=one.gain, ci=w.bound(one.ci), written=f"{w.gain(one.gain, one.metric)} {ends}".strip())
