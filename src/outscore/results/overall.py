"""Beside the pairs: all systems tested at once, and the words that one has right more often; how these are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from outscore.base.lazy import dataclass
from outscore.results.declared import Shown, Writer
from outscore.results.details import describe_test
from outscore.results.pairs import RANKS, Overall, Pair
from outscore.results.result import Result

_RANK = "mean_rank "
_DIFFERENCE = "critical_difference"
_NEMENYI = "Nemenyi"


def ranks_of(overalls: Sequence[Overall]) -> dict[str, dict[str, float]]:
    """The mean ranks of the systems under each metric, of tests that have them; rank 1 is the best."""
    found = {
        overall.metric: {
            name.removeprefix(_RANK): rank
            for name, rank in overall.effect.items()
            if name.startswith(_RANK) and isinstance(rank, float)
        }
        for overall in overalls
    }
    return {metric: ranks for metric, ranks in found.items() if ranks}


def mean_rank(ranks: Mapping[str, Mapping[str, float]]) -> Shown:
    """The column of mean ranks, of rows that begin with a score."""
    return Shown("mean rank", "fixed", value=lambda row: ranks.get(row[0].metric, {}).get(row[0].system, ""))


def better_by(pairs: Sequence[Pair]) -> Shown | None:
    """The column of how many ranks a system is better than its baseline, where pairs were tested by mean ranks."""
    if not any(RANKS in pair.effect for pair in pairs):
        return None

    def write(row: Any) -> Any:
        pair = row[1] if isinstance(row, tuple) else row
        return "" if pair is None else pair.effect.get(RANKS, pair.gain)  # left out where it is the gain

    return Shown("ranks better by", "fixed", value=write)


def tell_difference(overalls: Sequence[Overall], correction: str, w: Writer) -> Iterator[str]:
    """How far apart mean ranks must lie, where pairs were corrected by Nemenyi."""
    several = len(overalls) > 1
    for overall in overalls if correction == _NEMENYI else ():
        apart = overall.effect.get(_DIFFERENCE)
        if isinstance(apart, float):
            of = f" of {w.label(overall.metric)}" if several else ""
            yield f"{_NEMENYI}: any two systems differ whose mean ranks{of} lie {w.fixed(apart)} or more apart."


def describe_overall(result: Result, overall: Overall, w: Writer) -> str:
    """Whether all systems differ at all."""
    differ = overall.p_value is not None and overall.p_value <= result.alpha
    verb = "differ" if differ else "are not shown to differ"
    systems, units = w.count(overall.n_systems, "system"), w.count(overall.n_units, overall.unit)
    label = w.label(overall.metric)
    if ranks_of([overall]):
        label = "mean rank" if label == "mean" else f"mean rank by {label}"
    return f"The {systems} {verb} in {label} ({w.p(overall.p_value)}, {units})."


def describe_overall_test(overall: Overall) -> str:
    """The test of all systems in words."""
    return describe_test(overall.test, overall.p_kind)


def numbers_of(overall: Overall, w: Writer) -> str:
    """Its numbers by their names, but for those that stand with the systems."""
    apart = ranks_of([overall])
    said = {
        "systems": overall.n_systems,
        f"{overall.unit}s": overall.n_units,
        "statistic": overall.statistic,
        **{n: v for n, v in overall.effect.items() if not apart or not (n.startswith(_RANK) or n == _DIFFERENCE)},
    }
    return ", ".join(f"{name} {w.number(value, 4)}" for name, value in said.items() if value is not None)


_MOST_SENTENCES = 3
_MOST_NAMED = 3
"""N-grams of either side that the verdict names."""
_LONGEST_HEAD = 12
"""Characters of a system that heads its column."""


@dataclass(frozen=True, kw_only=True)
class WordGain:
    """How often two systems have one n-gram right.

    Attributes:
        words: the n-gram.
        n_references: how often the references have it.
        baseline_right, system_right: how often an output has it where the reference does, on the mean over runs.
        gain: difference of the two over ``n_references``; ``ci``: its interval, which holds together with those of all
            n-grams of the pair.
        p_adjusted: of the hypothesis that both have it right as often, corrected over all n-grams of the pair.
    """

    system: Annotated[str, Shown("system")]
    baseline: str
    words: Annotated[str, Shown("words", "prose")]
    n_references: Annotated[int, Shown("references", "count", spare="elsewhere")]
    baseline_right: float
    system_right: float
    gain: Annotated[float, Shown("gain", "difference", ci="ci")]
    ci: tuple[float, float]
    p_adjusted: Annotated[float, Shown("p max-T", "p")]


@dataclass(frozen=True, kw_only=True)
class WordGains:
    """The n-grams of one pair whose statistics are largest.

    Attributes:
        n_tested: n-grams of the references that are in enough items, and on which the systems differ in enough.
        n_better, n_worse: those that the system has right more often, and less often, by the corrected p.
        words: the first by the size of their statistics; of those that are shown to differ as many for the system as
            against it while there are such.
    """

    system: str
    baseline: str
    n_tested: int
    n_better: int
    n_worse: int
    words: tuple[WordGain, ...]


def tell_words(found: Sequence[WordGains], alpha: float, w: Writer) -> Iterator[str]:
    """How many n-grams each system has right more and less often; of one pair the first of them, of many how many."""
    if len(found) > _MOST_SENTENCES:
        apart = [one for one in found if _differing(one)]
        yield f"{len(apart)} of {len(found)} pairs differ in how often they have n-grams right{_most(apart, w)}."
        return
    for one in found:
        differ = [row for row in one.words if row.p_adjusted <= alpha and len(found) == 1]
        more, less = (
            _name([row.words for row in differ if row.gain * side > 0], n, w)
            for side, n in ((1, one.n_better), (-1, one.n_worse))
        )
        yield (
            f"Of {w.count(one.n_tested, 'n-gram')} {w.name(one.system)} has {one.n_better} right more often "
            f"than {'the baseline' if w.brief else w.name(one.baseline)}{more}, and {one.n_worse} less often{less}."
        )


def _differing(one: WordGains) -> int:
    return one.n_better + one.n_worse


def _most(differ: Sequence[WordGains], w: Writer) -> str:
    """The pair that differs on most n-grams."""
    if not differ:
        return ""
    most = max(differ, key=_differing)
    pair = f"{w.name(most.system)} and {w.name(most.baseline)}"
    return f", most of all {pair} ({_differing(most)} of {most.n_tested} n-grams)"


def _name(words: Sequence[str], n: int, w: Writer) -> str:
    """`` ("the house", "a" ...)``, of so many; nothing where the table alone has room for them."""
    if not words or w.brief:
        return ""
    named = ", ".join(f'"{w.name(one)}"' for one in words[:_MOST_NAMED])
    return f" ({named}{' ...' if n > len(words[:_MOST_NAMED]) else ''})"


def table_of_words(found: Sequence[WordGains], w: Writer) -> Any:
    """The n-grams with how often each system has them right."""
    rows = [row for one in found for row in one.words]
    several = ("system",) if len(found) > 1 else ()
    names = ("baseline", "system") if several else (w.name(found[0].baseline), w.name(found[0].system))
    heads = names if max(map(len, names)) <= _LONGEST_HEAD else ("baseline", "system")
    right = (
        Shown(heads[0], "given", value=lambda row: row.baseline_right),
        Shown(heads[1], "given", value=lambda row: row.system_right),
    )
    return w.table(
        "Words that one system has right more often", rows,
        (*several, "words", "n_references", *right, "gain", "p_adjusted"),
        asked="--show-words", by_metric=False, naming=1 + len(several),
        footnotes=(
            f"{heads[0]}, {heads[1]}: how often it has them right, at most as often as the reference. Gain: in the "
            "proportion that is right. Intervals hold together and p is corrected over all n-grams of a pair, by their "
            "largest statistic with signs flipped.",
        ),
    )  # fmt: skip
