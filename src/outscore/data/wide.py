"""Columns of numbers of a wide table that are no systems: runs, raters, ranks, wins, other scales, made of others."""

from __future__ import annotations

import itertools
import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from shlex import quote

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import join
from outscore.base.lazy import dataclass
from outscore.data.columns import FIRST, RATER, RUN, SAMPLE, SECOND, ColumnTable, Roles, plain_header, texts
from outscore.data.measures import common_measure, may_describe, only_systems, parse_measure
from outscore.data.questions import PYTHON, check_labels, check_systems, mixed_measures_error
from outscore.data.readers import Context
from outscore.data.specs import match_names

_MOST, _FEW_ROWS, _FIRST_ROWS, _MOST_TIED = 12, 5, 100, 1000
_CLOSE = 0.006
"""How far, in proportions of a spread, a rounded mean may be from the mean."""
_CHANCE, _SOME = 0.001, 0.1
_APART = 10.0
"""How many times larger than all of the others numbers of another scale are, at least half of them."""
_OFTEN = 0.25
"""Whole numbers beyond 1 are so often no slip of rates that can exceed 1, as those of word errors do."""

_OF_RUN = re.compile(r"(.*?[^ _.:-])[ _.:-]*(?:seed|run)[ _.:-]*\d+", re.IGNORECASE)
_RATERS = (*RATER, "ann", "evaluator", "expert", "human", "reviewer")
_OF_RATER = re.compile(rf"(?i)({'|'.join(RATER)}|evaluator|expert|human|reviewer)s?[ _.:-]*(\d+|[a-z])")
_REPEATED = "|".join(
    (
        *(*RUN, *SAMPLE, *_RATERS, "rep", "replica", "attempt", "try", "iteration", "rollout", "draw", "completion"),
        *("response", "answer", "fold", "split", "turn", "prompt", "template", "s", "t", "r"),
    )
)
_BLANK = r"[\s_.:#(\[-]"
_REPEAT = re.compile(
    rf"(?i)(?P<stem>.*?[^\s_.:#(\[-])(?P<apart>{_BLANK}+(?:(?P<word>{_REPEATED})s?{_BLANK}*)?)?"
    rf"(?P<number>\d+|(?<={_BLANK})[a-z])[)\]]?"
)
_REPEAT_FIRST = re.compile(
    rf"(?i)(?P<word>{_REPEATED})s?{_BLANK}*(?P<number>\d+)(?P<apart>{_BLANK}+)(?P<stem>[^\s_.:#\d-].*)"
)
_SETTINGS = frozenset(
    (
        *("v", "ver", "version", "rev", "gen", "step", "steps", "ckpt", "checkpoint", "stage", "phase", "layer"),
        *("layers", "shot", "shots", "k", "n", "top", "beam", "beams", "temp", "x", "rank", "level", "iter", "hop"),
        *("hops", "round", "day", "week", "size", "ngram", "cluster", "expert", "pass", "at"),
    )
)
"""Words before a number that is a setting or a version: those who number so compare them, as ``small_v1``."""


def are_systems(grid: ColumnTable, roles: Roles, columns: Mapping[str, Float], context: Context) -> bool:
    """Whether the columns of numbers are systems, and not measures of one.

    Raises:
        InputError: some headers speak of measures and others do not, or one of gold; or the numbers, or the names,
            are of something else than systems.
    """
    names = list(columns)
    check_systems(grid, [name for name in names if name not in context.measures])
    if context.select is not None:  # the others say nothing of several that were picked
        picked = match_names(names, context.select)
        return only_systems(picked if len(picked) > 1 else names) is not False
    if not context.measures.isdisjoint(names):
        return False
    check_labels(grid, columns)
    _check_wide(grid, columns, roles.item, lower="lower" in context.measures)
    found = only_systems(names)
    mixed = len({*map(may_describe, names)}) > 1 and not all(map(parse_measure, names))
    if found is None or (found and mixed):
        raise mixed_measures_error(grid, names)
    if found:
        _check_scales(grid, columns)
    return found


def _check_wide(grid: ColumnTable, columns: Mapping[str, Float], item: str | None, *, lower: bool) -> None:
    """Refuses columns of numbers that are no systems: raters or runs by their names, made of others, sides of pairs,
    ranks, or wins of each over each.

    Args:
        grid: the table.
        columns: its columns of numbers.
        item: the column that names the items.
        lower: the user says that less is better.

    Raises:
        InputError: with what says either.
    """
    _check_square(grid, columns, item)
    name = _find_made(columns) if 2 < len(columns) <= _MOST and grid.n > _FEW_ROWS else None
    if name is not None:
        remedy = f"say -c label={quote(name)}; or -c system=@columns if it is one"
        raise grid.error(f"{name!r} is the mean, or difference, of others in every row, no system", 0, remedy)
    free = grid.columns.keys() - columns.keys() - {*grid.described}
    sides = [name for name in grid.columns if name in free and plain_header(name) in (*FIRST, *SECOND)]
    if len(sides) == 2 and not {*texts(grid.columns[sides[0]])}.isdisjoint(texts(grid.columns[sides[1]])):
        remedy = f"write a row for each: item, system, score; say -c label={quote(sides[0])} if they are no systems"
        raise grid.error(f"{join(sides)} name the two systems of each row, which change places", 0, remedy)
    raters = [name for name in columns if _OF_RATER.fullmatch(name)]
    if len(raters) > 1:
        agree = f"outscore agree {quote(grid.file)} --annotators {quote(','.join(raters))}"
        remedy = f"see how far they agree by {agree}; say -c system=@columns if each is a system, NAME=FILE if none is"
        raise grid.error(f"{join(raters, 4)} may be raters by their names, or systems", remedy=remedy)
    _check_repeats(grid, [*columns])
    if not lower:
        _check_ranks(grid, columns)


def _find_made(columns: Mapping[str, Float]) -> str | None:
    """A column that is the mean, or the difference of two, of the others in every row, as far as roundings tell."""
    widest, lows = max(map(np.ptp, columns.values())), sorted(float(values.min()) for values in columns.values())
    for name, values in columns.items():
        others = [x for other, x in columns.items() if other != name]
        pairs = itertools.permutations(others, 2) if values.min() == lows[0] < lows[1] else ()
        ways = [(np.full(len(others), 1 / len(others)), others), *((np.array([1, -1]), [*pair]) for pair in pairs)]
        for weights, of in ways:
            # the first rows tell nearly every column; none is farther from another than twice the widest
            if np.abs(values[:_FIRST_ROWS] - weights @ [x[:_FIRST_ROWS] for x in of]).max() < 2 * _CLOSE * widest:
                apart = _CLOSE * min(float(np.ptp(values - x)) for x in others)  # 0 where it is a copy
                if np.abs(values - weights @ of).max() < apart:
                    return name
    return None


def _check_square(grid: ColumnTable, columns: Mapping[str, Float], item: str | None) -> None:
    """Refuses a table whose rows are called as its columns: each number is of two systems, and of no item."""
    if item is None or len(columns) < 2 or grid.n != len(columns) or {*texts(grid.columns[item])} != columns.keys():
        return
    raise grid.error(
        f"the rows have the same names as the columns, {join([*columns], 3)}: a number of each system against each, as "
        "wins are, is of no item",
        remedy="if they are wins, write a row for each judgment, with the columns system1, system2 and winner, and "
        "count them by outscore rank --wins; "
        + (_CALL_ITEMS if grid.reader == PYTHON else "-c system=@columns if the rows are items"),
    )


_CALL_ITEMS = "call the items otherwise if the rows are items"


@dataclass(frozen=True)
class _Repeats:
    """Numbered columns of one stem: ``base_seed1``, ``base_seed2``; ``word`` is the one before the number, if any."""

    stem: str
    word: str
    names: tuple[str, ...]

    def pattern(self, every: Sequence[str]) -> str:
        """The pattern that picks these columns, and no other."""
        one, number = self.names[-1], _read_number(self.names[-1])
        start, end = number.span("number") if number else (len(one), len(one))
        ways = f"{self.stem}*", f"{one[:start]}*{one[end:]}", f"{one[:start]}[0-9]*{one[end:]}"
        return next((way for way in ways if {*match_names(every, way)} == {*self.names}), ways[-1])


def _find_repeats(names: Sequence[str]) -> list[_Repeats]:
    """Columns of which several are one system's by their names: with a word for runs, or numbered alike for several.

    Numbers alone are versions and sizes as often (``gpt-3``, ``gpt-4``): they are the same for each of two stems or
    more, all from 0 or 1 on, only where they count something.
    """
    stems: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in names:
        if found := _OF_RUN.fullmatch(name):
            stems[found[1], "run"].append(name)
    if several := [_Repeats(*key, tuple(of)) for key, of in stems.items() if len(of) > 1]:
        return several
    numbered: dict[tuple[str, str], dict[int, str]] = defaultdict(dict)
    for name in names:
        if (found := _read_number(name)) and (word := _count_word(found)) is not None:
            number = found["number"].lower()
            numbered[found["stem"], word][int(number) if number.isdigit() else ord(number) - ord("a") + 1] = name
            if found["apart"] == "." and found["stem"] in names:  # pandas writes the second of a name so
                numbered[found["stem"], word][0] = found["stem"]
    alike: dict[tuple[str, tuple[int, ...]], list[_Repeats]] = defaultdict(list)
    for (stem, word), of in numbered.items():
        counted = tuple(sorted(of))
        if counted in (tuple(range(len(of))), tuple(range(1, len(of) + 1))) and len(of) > 1:
            alike[word, counted].append(_Repeats(stem, word, tuple(of.values())))
    return next((found for found in alike.values() if len(found) > 1), [])


def _read_number(name: str) -> re.Match[str] | None:
    return _REPEAT.fullmatch(name) or _REPEAT_FIRST.fullmatch(name)


def _count_word(found: re.Match[str]) -> str | None:
    """The word that says what the number of a name counts, empty for none; None where it is a setting or a version."""
    stem, apart, word, number = found["stem"], found["apart"] or "", (found["word"] or "").lower(), found["number"]
    if word:
        return word if number.isdigit() or len(word) > 1 else None
    last = re.split(r"[\s_.:#-]", stem)[-1].lower()
    version = stem[-1].isdigit() and apart in ("", ".")
    short = not apart and len(last) < 3
    return None if last in _SETTINGS or version or short or not number.isdigit() else ""


def _check_repeats(grid: ColumnTable, names: Sequence[str]) -> None:
    found = _find_repeats(names)
    if not found:
        return
    word, stems = found[0].word, [one.stem for one in found]
    what, how = _describe_repeats(word)
    message = f"{join(names, 4)} may be {what} of {join(stems)}, or systems themselves"
    if grid.reader == PYTHON:
        column = "run" if what == "runs" else "run or sample"
        remedy = f"give a frame with columns system, item, score and {column} if so, as by .melt(); or a mapping from "
        raise grid.error(message, remedy=f"{remedy}system to scores if each is a system")
    given = " ".join(quote(f"{one.stem}={grid.file}#{one.pattern(names)}") for one in found)
    raise grid.error(message, remedy=f"give {given}{how}; {quote(f'{grid.file}#*')} if each is a system")


def _describe_repeats(word: str) -> tuple[str, str]:
    """Words for what such columns may be, and for the way in which they are then given."""
    mean = "-c sample=@file, which takes the mean over an item of the"
    if word in _RATERS:
        return "scores by raters", f" {mean} ratings, if they are"
    if word in ("turn", "prompt", "template"):
        return f"{word}s", f" {mean} numbers, if they are"
    if word in ("run", "seed", "replicate", "fold", "split"):
        return "runs", " if they are runs"
    return "runs or samples", f" if they are runs, new trainings; with {mean} numbers, if samples or ratings"


def find_ranks(columns: Mapping[str, Float]) -> int | None:
    """The first place, 0 or 1, where each row of the columns ranks all of them; None where they are no ranks."""
    if len(columns) < 2:
        return None
    values = np.stack([*columns.values()], axis=1)
    n, k = values.shape
    first = int(values.min()) if np.isfinite(values).all() else -1
    if first not in ((0, 1) if k > 2 else (1,)) or not np.ptp(values, axis=0).any() or values.max() > k:
        return None
    ranks = np.sort(values - first + 1, axis=1)
    plain = (ranks == np.arange(1, k + 1)).all(axis=1)
    chance = math.exp(math.lgamma(k + 1) - k * math.log(k))
    rare = chance ** int(plain.sum()) <= _CHANCE and 2 * plain.sum() >= n
    return first if rare and _are_ranks(ranks[~plain][:_MOST_TIED]) else None


def _check_ranks(grid: ColumnTable, columns: Mapping[str, Float]) -> None:
    """Refuses rows that each hold the ranks of all systems: as scores they would count the best as the worst."""
    if (
        common_measure([*columns]) != "score" or (first := find_ranks(columns)) is None
    ):  # a name may say it: less is better
        return
    k = len(columns)
    remedy = f"give a mapping from system to scores, with metrics='mean:lower=true' if {first} is the best"
    if grid.reader != PYTHON:
        remedy = f"add -m mean:lower=true if {first} is the best, or -c system=@columns if more is better"
    raise grid.error(
        f"each row ranks {join([*columns], 4)}, from {first} to {first + k - 1}: as scores more would be better",
        remedy=remedy,
    )


def _are_ranks(rows: Float) -> bool:
    """Whether sorted rows ``(n, k)`` with ties are ranks: all the mean of the places of a tie, or all the first."""
    below, upto = (rows[:, None, :] < rows[:, :, None]).sum(axis=2), (rows[:, None, :] <= rows[:, :, None]).sum(axis=2)
    return bool((rows == below + 1).all() or (rows == (below + 1 + upto) / 2).all())


def _check_scales(grid: ColumnTable, columns: Mapping[str, Float]) -> None:
    """Refuses columns of numbers that are of no one measure by their ranges: counts or percentages beside proportions.

    Systems differ by any factor where scores have no limit, fail everywhere or solve all. So the others are to lie
    between 0 and 1 and to differ among items; and these are to be whole and often beyond 1 where the others have
    fractions, percentages of right and wrong beside right and wrong, ten times all of them in half of the rows, or
    never right or wrong where two others are nothing else.

    Raises:
        InputError: with both ranges.
    """
    held = {name: values[np.isfinite(values)] for name, values in columns.items()}
    held = {name: values for name, values in held.items() if len(values) >= _FEW_ROWS}
    small = {name: x for name, x in held.items() if x.min() >= 0 and x.max() <= 1 and np.ptp(x) > 0}
    if not small:
        return
    # a slip has a fraction in one row, and points may be halved
    parts = {name: x for name, x in small.items() if np.mean(x % 0.5 > 0) > _SOME}
    others = [name for name, x in held.items() if x.max() > 1 and _is_apart(x, small, parts)]
    if not others:
        return
    other, one = others[0], next(iter(parts or small))
    percent = all(held[name].min() >= 0 and _APART < held[name].max() <= 100 for name in others)
    raise grid.error(
        f"{other!r} holds {_describe_range(held[other])}, {one!r} {_describe_range(held[one])}: they are hardly of one "
        "measure",
        remedy=_mend_scales(grid, others, percent=percent),
    )


def _is_apart(x: Float, small: Mapping[str, Float], parts: Mapping[str, Float]) -> bool:
    if not np.any(x % 1):
        if {*np.unique(x).tolist()} == {0.0, 100.0}:  # right and wrong in per cent
            return True
        if parts:
            return bool(np.mean(x > 1) > _OFTEN)
        # of counts, as of errors, some systems may have none but 0 and 1
        return len(small) > 1 and len(x) > 2 * _FEW_ROWS and x.min() >= 1 and x.max() > 2
    return bool(np.median(x) >= _APART * max(values.max() for values in small.values()))


def _describe_range(x: Float) -> str:
    kind = "numbers" if np.any(x % 1) else "whole numbers"
    return f"{kind} from {x.min():.4g} to {x.max():.4g}"


def _mend_scales(grid: ColumnTable, others: Sequence[str], *, percent: bool) -> str:
    one, they = ("it holds", "it describes") if len(others) == 1 else ("they hold", "they describe")
    divide = f"divide {join(others, 4)} by 100 if {one} percentages, " if percent else ""
    if grid.reader == PYTHON:
        drop = f"drop what describes the items, as with .drop(columns={[*others]!r})"
        return f"{divide}{drop}, or give a mapping from system to scores if each is a system"
    label = " ".join(f"-c label={quote(name)}" for name in others)
    return f"{divide}say {label} if {they} the items, or -c system=@columns if each is a system"
