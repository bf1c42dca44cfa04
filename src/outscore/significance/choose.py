"""Picks a test by the metric, the design and the number of items, and says why; and the three kinds of named tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from outscore.base.errors import UsageError
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.registry import Registry, choose_one, join_options
from outscore.significance import Named, Test, tests
from outscore.significance.crossed import Crossed
from outscore.significance.discordant import McNemar, choose_variant
from outscore.significance.gain import GainContrast
from outscore.significance.independent import independent_tests
from outscore.significance.interval.rao import is_of_few, suits
from outscore.significance.omnibus import omnibus_tests
from outscore.significance.randomization import Randomization
from outscore.significance.rao import RaoTest
from outscore.significance.runs import Runs
from outscore.significance.student import StudentT

_ENOUGH_FOR_T = 10
"""Units from which t holds its level on grids of scores (at most 6 % at 5 %). Gains of one size on nearly every item
give 9 % at 13 items and 8 % at 16 and 21; at 7 they give 12 %."""
_FEWEST_DIFFERENT = 4
"""Gains of one size from which t rejects at .05: with so many it finds what it finds anyway."""
_COARSE = 20
"""Steps of the grid below which ties cost permuted outputs power, in the spread of their sums: recall of 60 sentences
with up to three entities (5 steps) they find in 70 %, t in 75."""
_UNITS_FOR_ANOTHER = 25
_MOST_DIFFERENT = 6
"""Gains of one size from which exact randomization rejects: more would cost power and hold no level better."""

_ENOUGH = (
    f"{_FEWEST_DIFFERENT} ({_FEWEST_DIFFERENT + 1} from {_UNITS_FOR_ANOTHER} items, {_MOST_DIFFERENT} from "
    f"{(_MOST_DIFFERENT - _FEWEST_DIFFERENT) * _UNITS_FOR_ANOTHER})"
)


@dataclass(frozen=True)
class ChosenTest:
    """The test of a pair, the reason, and the tests whose answers stand beside it."""

    test: Test
    reason: Note
    beside: tuple[Test, ...] = ()


def choose(pair: GainContrast) -> ChosenTest:
    """The test for a pair, by what was measured and how, never by its outcome.

    All systems of one metric may get different tests when their designs differ, e.g. in the number of runs. A gain that
    does not vary at all has no t, and its items are permuted.
    """
    if min(pair.n_runs) >= 2 and not pair.constant:
        per_item: Test = StudentT() if _suits_t(pair) else _randomize(pair)[0]
        return ChosenTest(
            Crossed(),
            _reason(
                "crossed", "several runs of each system: the gain is judged over new runs and new items (crossed t)"
            ),
            (per_item, Runs()),
        )
    if pair.clustered:
        if pair.stats.plain_mean and not pair.stratified and (pair.binary or not pair.constant):
            return ChosenTest(
                StudentT(),
                _reason(
                    "cluster_t", "a mean of items in clusters: cluster-robust t (CR2), cluster permutations beside it"
                ),
                (Randomization(),),
            )
        if not suits(pair):
            beside: tuple[Test, ...] = (StudentT(),) if pair.stats.plain_mean else ()
            return ChosenTest(*_randomize(pair, "cluster", "items in clusters: whole clusters are permuted"), beside)
    if pair.binary:
        return ChosenTest(
            McNemar(choose_variant(pair.n_items, sum(pair.discordant), pair.settings.alpha)),
            _reason("mcnemar", "right or wrong on each item, one run: McNemar's test"),
            (Randomization(),),
        )
    if _suits_t(pair):
        return ChosenTest(
            StudentT(),
            _reason(
                "t",
                f"a mean of {_ENOUGH_FOR_T} items or more, different on {_ENOUGH} or more: paired t",
            ),
            (Randomization(),),
        )
    if pair.stats.plain_mean:
        return ChosenTest(
            Randomization(),
            _reason(
                "item_randomization",
                f"a mean of fewer than {_ENOUGH_FOR_T} items, or different on fewer than {_ENOUGH}, or gains that are "
                "all the same: signs are permuted, exactly where possible",
            ),
        )
    if not pair.stats.of_sums:
        return ChosenTest(
            Randomization(),
            _reason("rank_randomization", "a score of a ranking: the ranks that the systems give an item are permuted"),
        )
    if suits(pair):
        why = (
            "a ratio with fewer than 5 right or wrong ones in a system" if is_of_few(pair) else "an average of classes"
        )
        return ChosenTest(RaoTest(), _reason("rao", f"{why}: by its score test"), (_randomize(pair)[0],))
    return ChosenTest(
        *_randomize(pair, "corpus", "a corpus score is no mean of items: outputs are permuted item by item")
    )


def _randomize(pair: GainContrast, code: str = "", why: str = "") -> tuple[Randomization, Note]:
    """Randomization, studentized where the systems may predict different amounts, and why.

    Plain, with its exact laws, where the denominators are equal: tokens of one reference, weights of items.
    """
    if not pair.stats.of_sums or pair.equal_denominators:
        return Randomization(), _reason(f"{code}_randomization", why)
    studentized = f"{why}, each gain in its own standard error, as the systems may predict different amounts"
    return Randomization(form="studentized"), _reason(f"{code}_studentized", studentized)


def _suits_t(pair: GainContrast) -> bool:
    """A mean of enough units that vary, or a weighted one whose gains lie on a coarse grid.

    The exact law of permuted signs counts ties in full. On a grid of few values, as averages over samples or marks of
    judges are, that halves its level and costs power: four samples of each of ten items, found by t in 61 % and by
    exact randomization in 44 %, at levels of 4.3 % and 1.5 %.

    But where a few items differ, and one gain in a hundred makes up for many small losses, a sample without that gain
    has losses only. No test holds there, and t least: with one item in ten different it rejects in 41 % at 50 items,
    randomization in 18 %. The number that must differ leaves symmetric ties the power of t (two points are lost where
    80 % tie, four at 25 items), and from 50 items finds such losses in 18 % too; in 10 and 20 % at 30 and 40 items (t
    21 and 34, randomization 4 and 10). The price is paid where more tie: with 90 % of 50 items t finds 58 % of
    symmetric gains, this rule 38 %.
    """
    enough = min(_MOST_DIFFERENT, _FEWEST_DIFFERENT + pair.n_units // _UNITS_FOR_ANOTHER)
    few = pair.n_units < _ENOUGH_FOR_T or pair.n_different < enough
    suited = pair.stats.plain_mean or (pair.has_t and 0 < pair.spread_in_steps < _COARSE)
    return suited and not few and not pair.constant


def _reason(code: str, text: str) -> Note:
    return Note(code=f"auto_{code}", text=f"test chosen: {text}", remedy="")


Kind = Literal["paired", "independent", "omnibus"]

KINDS: Mapping[Kind, Registry[Any]] = {"paired": tests, "independent": independent_tests, "omnibus": omnibus_tests}

_WORDS: Mapping[Kind, str] = {
    "paired": "a test of pairs",
    "independent": "a test of independent samples",
    "omnibus": "a test of several systems at once",
}


def all_tests() -> dict[str, tuple[Kind, type[Named]]]:
    """All registered tests by name, with their kinds."""
    return {name: (kind, cls) for kind, registry in KINDS.items() for name, cls in registry}


def kind_of(name: str) -> Kind:
    """The kind of the test of that name; options after a colon do not matter.

    Raises:
        UsageError: as ``make_test``.
    """
    return _resolve(name)[0]


def make_test(spec: str) -> Named:
    """The test of any kind that a name with options means.

    Raises:
        UsageError: unknown name, unknown option, or a value that does not fit its type.
    """
    kind, meant = _resolve(spec)
    made: Named = KINDS[kind].make(meant)
    return made


def make_paired(spec: str) -> Test:
    """The test of pairs that a name with options means.

    Raises:
        UsageError: as ``make_test``, or a test of another kind.
    """
    bare = spec.partition(":")[0]
    of_pairs = [] if tests.knows(bare) else tests.meanings(bare)
    if not tests.knows(bare) and (not of_pairs or any(registry.knows(bare) for registry in KINDS.values())):
        kind, meant = _resolve(bare)
        instead = f"--test {' or '.join(of_pairs)} is; for that one" if of_pairs else "use"
        raise UsageError(f"{bare} is {_WORDS[kind]}, not of pairs; {instead}: outscore compare --test {meant}")
    return tests.make(spec)


def _resolve(spec: str) -> tuple[Kind, str]:
    """The kind of a test, and its own name with options.

    Raises:
        UsageError: no test has that name, and the nearest is suggested; or several have it.
    """
    bare, _, options = spec.partition(":")
    found = next((kind for kind, registry in KINDS.items() if registry.knows(bare)), None)
    if found is not None:
        return found, spec
    meant = {one: kind for kind, registry in KINDS.items() for one in registry.meanings(bare)}
    if not meant:
        raise tests.unknown(bare, sorted(all_tests()))
    one = choose_one(f"the test {bare!r}", list(meant))
    return meant[one], join_options(one, options)
