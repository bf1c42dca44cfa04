"""Tables that can be read in two ways by the names of their columns: a question, with what to say for either."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from shlex import quote

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, join
from outscore.data.columns import INDEX, OUTPUT, REFERENCE, ColumnTable, Roles, number, split_numeric, texts
from outscore.data.measures import QUALITY, may_describe, only_measures, parse_measure, weighs
from outscore.data.readers import Context
from outscore.data.slips import check_texts

_GOLD = frozenset(
    (
        *("ytrue", "true", "truth", "groundtruth", "gt", "goldlabel", "goldlabels", "goldanswer", "goldstandard"),
        *("golden", "golds", "truelabel", "truelabels", "trueanswer", "trueclass", "correctanswer", "correctlabel"),
        *("expectedlabel", "expectedlabels", "expectedclass", "labeltrue", "labelstrue"),
        *("expected", "expectedoutput", "expectedanswer", "actual", "labels", "targets", "annotation", "annotations"),
        *("solution", "answer", "class", "refanswer", "humanlabel"),
    )
)
"""Names that mostly mean gold, without what joins their words; a system may have one, but hardly has."""
_MAY_BE_GOLD = frozenset(("y", "human", "expert", "oracle", "response"))
"""Names that mean gold as often as a system or a rating: asked about only where all that is compared are labels."""
_PREDICTED = frozenset(
    (
        *("ypred", "yhat", "predictions", "preds", "predlabel", "predlabels", "predictedlabel", "predictedlabels"),
        *("predictedclass", "predclass", "labelpred", "predictedanswer", "predanswer", "outputs", "modeloutput"),
        *("modelprediction", "modelpred"),
    )
)
"""Names that mostly mean the output, without what joins their words, but could be a system's."""
_SUREST = ("gold", "reference", "ref", "target", "label")
"""Names of gold, from what means nothing else to what can be the label that a system gave."""
_JOINTS = re.compile(r"[ _.:-]")
_LINKS = re.compile(r" *\d+[-?p]\d+( +\d+[-?p]\d+)* *")
PYTHON = "python"
"""Name of the reader of data frames: these are mended in Python, where no option is."""


def check_gold(grid: ColumnTable, roles: Roles, context: Context) -> None:
    """Refuses two columns that are the gold by their names, where an output equal to either would be right.

    Numbered ones (reference1, reference2) are several references, and so are those that the user names.

    Raises:
        InputError: with what to say for either, and for both.
    """
    if len(roles.references) < 2 or _chosen(context, "reference"):
        return
    scores = roles.output is None and (roles.system is not None or "score" in grid.columns)
    if scores and context.role == "system":
        _check_gold_named(grid, roles)
        return
    kinds: dict[str, list[str]] = {}
    for name in roles.references:
        found = REFERENCE.fullmatch(name.lower())
        kinds.setdefault(found[1] if found else name, []).append(name)
    names = [of_kind[0] for of_kind in kinds.values()]
    if len(names) < 2 or _equal(grid, names):
        return
    either = " or ".join(" ".join(f"-c reference={quote(name)}" for name in of_kind) for of_kind in kinds.values())
    both = " ".join(f"-c reference={quote(name)}" for name in roles.references)
    remedy = f"say which one is: {either}; {both} makes them several references, of which an output may equal any"
    if grid.reader == PYTHON:
        remedy = (
            f"keep the gold alone, as with .drop(columns={names[-1]!r}), or call them reference1 and reference2 if an "
            "output may equal any"
        )
    if context.role == "system" and _may_be_output(grid, roles, names):
        gold, output = sorted(names, key=_sureness)
        remedy += f"; or {_describe_roles(grid, gold, output)} if {output!r} is what the system said"
    raise grid.error(f"{join(names)} are all the gold by their names, and hold different texts", remedy=remedy)


def check_links(grid: ColumnTable, context: Context) -> None:
    """Refuses sure and possible links of a gold alignment that are not its first and its second reference.

    Raises:
        InputError: with what makes them these.
    """
    both = [name for kind in ("sure", "possible") for name in grid.columns if name.lower() == kind]
    chosen = {name: c.role for c in context.choices for name in c.names if c.role == "reference" or name in both[1:]}
    if len(both) != 2 or list(chosen) == both or chosen.get(both[1], "reference") != "reference":
        return
    if all(_LINKS.fullmatch(" ".join(texts(grid.columns[name]))) for name in both):
        first, second = (f"-c reference={quote(name)}" for name in both)
        remedy = f"say {first} {second}, in this order, or {first} -c label={quote(both[1])} to leave the latter out"
        if grid.reader == PYTHON:
            remedy = "call them reference1 and reference2, as with .rename(columns=...)"
        raise grid.error(f"{join(both)} hold the sure and the possible links of one gold", remedy=remedy)


def _check_gold_named(grid: ColumnTable, roles: Roles) -> None:
    """Refuses a column that is gold by its name beside another, but not the same for all systems: they said it.

    Raises:
        InputError: with what says so.
    """
    if roles.system is None or roles.item is None:
        return
    items = texts(grid.columns[roles.item])
    said = [name for name in roles.references if _differs(items, texts(grid.columns[name]))]
    golds = [name for name in roles.references if name not in said]
    if len(said) != 1 or not golds:
        return
    gold = golds[0]
    raise grid.error(
        f"{said[0]!r} is the gold by its name, as {gold!r} is, but has another text for the same item",
        remedy=f"{_describe_roles(grid, gold, said[0])} if it is what the systems said"
        + (
            f", .drop(columns={said[0]!r}) if not"
            if grid.reader == PYTHON
            else f", -c reference={quote(gold)} alone if not"
        ),
    )


def _differs(items: Sequence[str], cells: Sequence[str]) -> bool:
    """Whether some item has several texts."""
    found: dict[str, str] = {}
    return any(found.setdefault(item, cell) != cell for item, cell in zip(items, cells, strict=True))


def _may_be_output(grid: ColumnTable, roles: Roles, names: Sequence[str]) -> bool:
    """Whether one of two columns of gold may be the output, as no other column holds such labels."""
    if roles.output is not None or len(names) != 2:
        return False
    known = {cell for name in names for cell in texts(grid.columns[name])}
    return all(known.isdisjoint(texts(grid.columns[name])) for name in roles.rest)


def _sureness(name: str) -> int:
    found = REFERENCE.fullmatch(name.lower())
    kind = found[1].removesuffix("s") if found else ""
    return _SUREST.index(kind) if kind in _SUREST else len(_SUREST)


def _describe_roles(grid: ColumnTable, gold: str, output: str) -> str:
    """Say how to name these two columns as the gold and the output."""
    if grid.reader == PYTHON:
        return f"call them so, as with .rename(columns={{{gold!r}: 'gold', {output!r}: 'output'}}),"
    return f"say -c reference={quote(gold)} -c output={quote(output)}"


def check_pair(grid: ColumnTable, roles: Roles, context: Context) -> None:
    """Refuses a gold and an output of one system by names that mostly mean them, where they would be taken for numbers.

    A score, or a measure beside them, is what was meant then.

    Raises:
        InputError: with what says that they are the gold and the output.
    """
    if any(name == "score" or ((said := parse_measure(name)) and said.kind == QUALITY) for name in roles.rest):
        return
    gold = next(iter(roles.references), None) or find_called_gold(roles.rest)
    output = roles.output or find_called_output(roles.rest)
    if gold is None or output is None or gold in context.measures or (roles.references and roles.output):
        return
    if output == roles.output and (context.has_references or gold not in split_numeric(grid, [gold])[0]):
        return  # descriptions of the items do no harm
    raise pair(grid, _format_typed(context, "reference", gold), _format_typed(context, "output", output))


def pair(grid: ColumnTable, gold: str, output: str, *, wide: bool = False) -> InputError:
    """The error of a gold and an output of one system, by their names.

    Args:
        grid: the table.
        gold, output: its columns.
        wide: either may be a system, as the table has no other columns of numbers.
    """
    other = f"-c label={quote(gold)} if it describes the items"
    if wide:
        other += ", or -c system=@columns if both are systems"
    if grid.reader == PYTHON:
        other = f".drop(columns={gold!r}) if it describes the items"
    return grid.error(
        f"the columns {gold!r} and {output!r} may be the gold and the output of one system by their names",
        remedy=f"{_describe_roles(grid, gold, output)} if they are, or {other}",
    )


def find_called_output(names: Iterable[str]) -> str | None:
    """The first of these names that mostly means the output, though not surely; None without one."""
    return next((name for name in names if _JOINTS.sub("", name.lower()) in _PREDICTED), None)


def check_output(grid: ColumnTable, roles: Roles, context: Context) -> None:
    """Refuses two columns that are the output by their names.

    Raises:
        InputError: with what to say for either.
    """
    inferred = "premise" in {name.lower() for name in grid.columns}
    may_be = [name for name in OUTPUT if not (inferred and name == "hypothesis")]  # which is then what was asked about
    names = [name for name in grid.columns if name.lower() in may_be and name not in grid.described]
    if roles.output is None or len(names) < 2 or _chosen(context, "output") or _equal(grid, names):
        return
    raise grid.error(
        f"{join(names)} are all the output by their names, and hold different texts",
        remedy=f"keep one of them, as with .drop(columns={names[-1]!r})"
        if grid.reader == PYTHON
        else f"say which one is: {' or '.join(f'-c output={quote(name)}' for name in names)}",
    )


def check_systems(grid: ColumnTable, systems: Iterable[str]) -> None:
    """Refuses a column among the systems whose name mostly means gold.

    Raises:
        InputError: with what to say of it.
    """
    systems = list(systems)
    name = find_called_gold(systems)
    if name is not None:
        output = find_called_output(systems) if len(systems) == 2 else None
        raise _gold_or_system(grid, name) if output is None else pair(grid, name, output, wide=True)


def check_labels(grid: ColumnTable, systems: Mapping[str, Float]) -> None:
    """Refuses a column among systems of whole numbers whose name means gold as often as a system.

    Raises:
        InputError: with what to say of it.
    """
    names = {name.strip().lower(): name for name in systems}
    name = next((names[one] for one in names if one in _MAY_BE_GOLD and not (one == "y" and "x" in names)), None)
    if name is None or any(np.any(values[np.isfinite(values)] % 1) for values in systems.values()):
        return
    output = find_called_output(systems) if len(systems) == 2 else None
    raise _gold_or_system(grid, name) if output is None else pair(grid, name, output, wide=True)


def _gold_or_system(grid: ColumnTable, name: str) -> InputError:
    return grid.error(
        f"the column {name!r} may be the gold by its name, or a system",
        remedy=f"call it 'gold', as with .rename(columns={{{name!r}: 'gold'}}), drop it, or call the system otherwise"
        if grid.reader == PYTHON
        else f"say -c reference={quote(name)} if it holds gold labels, -c label={quote(name)} if it describes the "
        "items, or -c system=@columns if every column of numbers is a system",
    )


def find_called_gold(names: Iterable[str]) -> str | None:
    """The first of these names that mostly means gold, though not surely; None without one."""
    return next((name for name in names if _JOINTS.sub("", name.lower()) in _GOLD), None)


def check_upright(grid: ColumnTable, item: str | None, systems: Iterable[str]) -> None:
    """Refuses columns without names of their own beside rows with names, as pandas writes systems x items.

    Raises:
        InputError: with what to say for either.
    """
    systems = list(systems)
    if item is None or item.lower() not in INDEX or len(systems) < 2 or systems != number_names(len(systems)):
        return
    rows = texts(grid.columns[item])
    if all(number(row) is not None for row in rows):
        return
    raise grid.error(
        f"the columns are called {join(systems, 3)} and the rows {join(rows, 3)}: either may be the systems",
        remedy="say -c item=@columns if the rows are the systems, or -c system=@columns if the columns are",
    )


def no_items(
    grid: ColumnTable, roles: Roles, spread: Collection[str], context: Context, *, wide: bool = False
) -> InputError:
    """The error of a table in which no column names the items.

    Args:
        grid: the table; ``roles``: of its columns; ``context``: what was asked for.
        spread: its columns of numbers, which may be items.
        wide: no column names the systems either.

    Raises:
        InputError: a column holds numbers that are written otherwise, which must be mended first.
    """
    check_texts(grid, [name for name in roles.rest if name not in spread])
    if wide:
        message = f"found {join(grid.columns)}; no column is known to name systems or items"
        remedy = (
            "name the columns system, item, score [, run], or say which they are: -c system=COLUMN -c item=COLUMN; or, "
            "for one column of numbers per system, say which one "
            f"names the items: -c item={_call_item(grid, roles)}, or -c item=@row where each line is an item"
        )
        if len(spread) > grid.n and not only_measures(spread):
            remedy += f"; or, where each column of numbers is one, -c system={_call_item(grid, roles)} -c item=@columns"
        if grid.reader == PYTHON:
            remedy = (
                "give columns system, item, score [, run]; or, for one column of numbers per system, a column or index "
                "called item, as with .rename_axis('item')"
            )
        return grid.error(message, remedy=remedy)
    several = len(spread) > 1 and not only_measures(spread)
    remedy = "add a column 'item' with their ids"
    if grid.reader == PYTHON:
        remedy += "; .rename_axis(columns='item') if each column of numbers is one" if several else ""
    else:
        own = _chosen(context, "run") and not roles.system
        remedy += f", or name the one that has them: -c item={'COLUMN' if own else _call_item(grid, roles)}"
        remedy += "; -c item=@columns if each column of numbers is one" if several else ""
        told = [name for name in (roles.system, roles.run) if name]
        if roles.run and _once(grid, *told):
            both = quote("+".join([*told[:-1], _format_typed(context, "run", roles.run)]))
            remedy += f"; if each line is the score of a whole run, compare runs by -c item={both} --test welch"
            remedy += ", without -c run=" if _chosen(context, "run") else ""
        if roles.system and len(spread) <= len(("mean", "n", "sd", "se")) and _once(grid, roles.system):
            means = f"of a mean for each system, see outscore study printed --means {quote(grid.file)}"
            bare = only_measures(spread) and {"n", "sd", "se"}.isdisjoint(grid.columns)
            means += ", with columns system, score, and se, or sd and n" if bare else ""
            remedy = f"{means}; else {remedy}"
    return grid.error(f"no column names the items; found {join(grid.columns)}", remedy=remedy)


def _once(grid: ColumnTable, *names: str) -> bool:
    """Whether no system, or no run of one, comes twice."""
    return len(set(zip(*(texts(grid.columns[name]) for name in names), strict=True))) == grid.n


def _call_item(grid: ColumnTable, roles: Roles) -> str:
    """The column of texts, else of whole numbers, of which each is there once, or once for each system: that of the
    fewest values, which the systems have in common, of these the first; COLUMN if there is none.
    """
    systems = [""] * grid.n if roles.system is None else texts(grid.columns[roles.system])
    found = []
    for name, column in grid.columns.items():
        cells = texts(column)
        may_name = name != roles.system and not ((said := parse_measure(name)) and said.kind == QUALITY)
        if name and may_name and len(set(zip(systems, cells, strict=True))) == grid.n > 1:
            numbers = [value for cell in cells if (value := number(cell)) is not None]
            if not numbers or (len(numbers) == grid.n and all(value.is_integer() for value in numbers)):
                found.append((len(set(cells)), bool(numbers), name))
    return quote(min(found, key=lambda one: one[:2])[2]) if found else "COLUMN"


def mixed_measures_error(grid: ColumnTable, names: Iterable[str]) -> InputError:
    """The error of columns of numbers of which some speak of measures, and some do not and may be systems."""
    names = list(names)
    surely = [name for name in names if parse_measure(name) is not None]
    measures = [name for name in names if name in surely or may_describe(name)]
    if len(measures) == len(names):
        measures = surely
    others = [name for name in names if name not in measures]
    cells = {name: texts(column) for name, column in grid.columns.items()}
    named = [n for n, c in cells.items() if 1 < len(set(c)) <= grid.n / 2 and all(number(cell) is None for cell in c)]
    known = {cell for name in others for cell in cells[name]}
    gold = [f", or -c reference={quote(name)} if it is the gold" for name in measures if known.issuperset(cells[name])]
    weight = next((quote(name) for name in measures if weighs(name)), "")
    say = f"add -c label={weight} -m mean:weight={weight} if it weighs the items; else pick" if weight else "pick"
    if named:
        say = f"say -c system={quote(named[0])} -m {quote(measures[0])} if {named[0]!r} names the systems; or pick"
    return grid.error(
        f"the columns {join(measures, 3)} may describe the items or measure one system, and {join(others, 3)} "
        "may be systems",
        remedy=f"keep the systems, as with .drop(columns={measures!r}), or give a mapping from system to scores"
        if grid.reader == PYTHON
        else f"{say} the systems, as in {quote(f'{grid.file}#{others[0]}*')}, or say what describes the items, "
        f"as in -c label={quote(measures[0])}{''.join(gold[:1])}; -c system=@columns makes every column of numbers a "
        f"system, and NAME={quote(grid.file)} measures of one",
    )


def number_names(n: int) -> list[str]:
    """The names of ``n`` columns that have none of their own."""
    return [str(i) for i in range(n)]


def _format_typed(context: Context, role: str, name: str) -> str:
    """A column as the user called it who gave it this role, and else its name."""
    return next(("+".join(c.names) for c in context.choices if c.role == role and name.startswith(role)), name)


def _chosen(context: Context, role: str) -> bool:
    return any(choice.role == role for choice in context.choices)


def _equal(grid: ColumnTable, names: Iterable[str]) -> bool:
    first, *others = (texts(grid.columns[name]) for name in names)
    return all(cells == first for cells in others)
