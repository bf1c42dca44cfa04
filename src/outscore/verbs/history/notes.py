"""Notes on the uses of a test set, and on the levels that they leave."""

from __future__ import annotations

from collections.abc import Sequence

from outscore.base.errors import inflect
from outscore.base.notes import Note
from outscore.data.dataset import Dataset
from outscore.data.history.store import Kept
from outscore.multiplicity.online import PROCEDURES
from outscore.results.comparison import Comparison
from outscore.results.leaderboard import Leaderboard
from outscore.results.pairs import Pair
from outscore.results.set_history import PairInHistory, SetHistory
from outscore.verbs.shared.naming import prefix_names

_MOST_FAMILIES = 4


def note_uses(found: SetHistory, new: int, earlier: Sequence[Kept]) -> list[Note]:
    """How often the test set was used, and for what."""
    known, before = found.test_set, len(earlier)
    named = f"{known.name} ({known.digest[:12]})" if known.name else known.digest[:12]
    said = "was used for the first time"
    if before:
        families = [f"{family} {n}" for family, n in list(found.before.items())[:_MOST_FAMILIES]]
        more = len(found.before) - len(families)
        last = earlier[-1].comparison
        said = (
            f"had been used {inflect(before, 'time')} before ({', '.join(families)}"
            f"{f' and {more} more' if more > 0 else ''}; the last: {last.system} against {last.baseline} under "
            f"{last.metric}, {last.created[:10]})"
        )
    again = len(found.pairs) - new
    same = f", and {inflect(again, 'pair')} had been compared just so" if again else ""
    remedy = ""
    if before + new > 1 and found.procedure is None:
        remedy = "decide over all uses by --correct-history alpha-spending"
    notes = [Note(code="test_set_history", text=f"the test set {named} {said}; {inflect(new, 'use')} added{same}",
                  remedy=remedy)]  # fmt: skip
    if known.known_by == "number of items":
        notes.append(
            Note(
                code="test_set_unknown",
                text=f"neither ids nor references tell this test set from others of {inflect(known.n_items, 'item')}",
                remedy="name it: --test-set NAME",
            )
        )
    return notes


def notes_of_levels(
    result: Comparison | Leaderboard, found: SetHistory, earlier: Sequence[Kept], data: Dataset
) -> list[Note]:
    """Notes on the assumptions that the levels over the history rest on."""
    notes = []
    if data.dropped and found.test_set.known_by != "name":
        notes.append(
            Note(
                code="test_set_cut",
                text="items were dropped, and what is left counts as a test set of its own",
                remedy="name the whole: --test-set NAME",
            )
        )
    if found.procedure is None:
        return notes
    if PROCEDURES[found.procedure].dependence == "independent":
        notes.append(
            Note(
                code="uses_depend",
                text=f"{found.procedure} is proved for independent p-values, and uses of one test set share its items",
                remedy="alpha-spending holds however they depend, lond where they depend positively",
            )
        )
    beyond = [pair for pair, one in zip(result.pairs, found.pairs, strict=True) if _out_of_reach(pair, one)]
    if beyond:
        note = Note(
            code="level_out_of_reach",
            text="so many uses leave a level below the smallest p-value that this test can give",
            remedy="draw more resamples (-n), which is no new use, or begin a new test set",
        )
        names = [f"{pair.system!r} against {pair.baseline!r} under {pair.metric}" for pair in beyond]
        notes.append(note if len(beyond) == len(result.pairs) else prefix_names(note, names))
    families = {pair.family for pair in found.pairs}
    decided = {
        (use.procedure, use.alpha)
        for use in (one.comparison for one in earlier)
        if use.family in families and use.procedure is not None
    }
    if decided - {(found.procedure, result.alpha)}:
        notes.append(
            Note(
                code="procedures_mixed",
                text="earlier uses were decided under another correction or alpha; the levels are those of this one "
                "had it been used from the start",
                remedy="keep to one",
            )
        )
    return notes


def _out_of_reach(pair: Pair, one: PairInHistory) -> bool:
    if one.level is None or one.rejected:
        return False
    drawn = 0.0 if pair.n_resamples is None else 1 / (pair.n_resamples + 1)
    return max(drawn, pair.p_min or 0.0) > one.level
