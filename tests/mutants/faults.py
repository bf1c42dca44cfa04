"""The faults that are put in: what is looked for in a syntax tree, and what takes its place."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

SWAPS = ("columns", "words", "ends", "systems", "signs")
ARITHMETIC = ("signs", "operators", "comparisons", "ones", "constants", "extremes")
KINDS = tuple(dict.fromkeys((*SWAPS, *ARITHMETIC)))

_ENDS = (("low", "high"), ("lower", "upper"), ("lowest", "highest"), ("left", "right"), ("first", "last"))
_SYSTEMS = (
    *(("system", "baseline"), ("systems", "baselines"), ("a", "b"), ("x", "y"), ("first", "second")),
    *(("better", "worse"), ("wins", "losses"), ("won", "lost"), ("old", "new"), ("one", "other")),
    *(("ours", "theirs"), ("before", "after"), ("null", "effect"), ("rows", "columns"), ("observed", "expected")),
)
_EXTREMES = (
    *(("min", "max"), ("minimum", "maximum"), ("argmin", "argmax"), ("nanmin", "nanmax"), ("fmin", "fmax")),
    *(("floor", "ceil"), ("any", "all")),
)
_SIGNS: Mapping[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add}
_OPERATORS: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Pow: ast.Mult,
}
_COMPARISONS: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
_UNORDERED = {"isinstance", "issubclass", "set", "frozenset", "startswith", "endswith", "union", "suppress", "replace"}
"""What asks only whether something is among several, so that their order says nothing."""

_ALIKE = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
"""Values of arguments that may change places: what they hold cannot be seen."""

Apply = Callable[[], None]
_Found = tuple[str, str, str, Apply, Apply]


@dataclass(frozen=True)
class Fault:
    """One fault at one place.

    Attributes:
        kind: one of ``KINDS``.
        scope: the outermost function that holds it, as ``Class.method``; empty where it is run on import.
        line: its line in the source.
        was, now: the code before and after.
        apply: changes the tree that the fault was found in; ``undo``: changes it back.
    """

    kind: str
    scope: str
    line: int
    was: str
    now: str
    apply: Apply
    undo: Apply


def faults(tree: ast.Module) -> list[Fault]:
    """All faults of a module, in the order of its source."""
    return list(_Walk(tree).block(tree.body, ""))


def counterpart(name: str, pairs: Sequence[tuple[str, str]]) -> str | None:
    """The name with one of its parts exchanged: ``ci_high`` for ``ci_low``."""
    parts = re.split(r"(_|\d+)", name)
    for one, other in pairs:
        for here, there in ((one, other), (other, one)):
            if here in parts:
                return "".join(there if part == here else part for part in parts)
    return None


class _Walk:
    """One walk over a module; ``_known`` are the names that a name may be exchanged for."""

    def __init__(self, tree: ast.Module) -> None:
        self._attributes = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        self._words = {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        self._names: set[str] = set()

    def block(self, body: Sequence[ast.stmt], scope: str) -> Iterator[Fault]:
        """Faults of statements outside of functions."""
        for statement in body:
            if isinstance(statement, ast.ClassDef):
                yield from self.block(statement.body, f"{scope}{statement.name}.")
            elif isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                for default in (*statement.args.defaults, *filter(None, statement.args.kw_defaults)):
                    yield from self._node(default, "")
                self._names = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
                self._names |= {n.arg for n in ast.walk(statement) if isinstance(n, ast.arg)}
                for inner in statement.body:
                    yield from self._node(inner, scope + statement.name)
                self._names = set()
            elif not _for_types_only(statement):
                yield from self._node(statement, "")

    def _node(self, node: ast.AST, scope: str, *, unordered: bool = False) -> Iterator[Fault]:
        for kind, was, now, apply, undo in self._here(node, unordered=unordered):
            yield Fault(kind, scope, getattr(node, "lineno", 0), was, now, apply, undo)
        for child, free in _children(node):
            yield from self._node(child, scope, unordered=free)

    def _here(self, node: ast.AST, *, unordered: bool) -> Iterator[_Found]:
        if isinstance(node, ast.Tuple | ast.List) and not unordered:
            yield from _neighbours("ends" if isinstance(node.ctx, ast.Store) else "columns", node.elts)
        elif isinstance(node, ast.Dict):
            pairs = enumerate(pairwise(node.values))
            yield from _neighbours("columns", node.values, [i for i, (one, other) in pairs if _alike(one, other)])
        elif isinstance(node, ast.Call):
            yield from self._call(node)
        elif isinstance(node, ast.JoinedStr):
            yield from _spoken(node)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield from self._renamed(node, "id", self._names)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            if node.attr not in ("lower", "upper"):  # as a rule what a text does
                yield from self._renamed(node, "attr", self._attributes)
        elif isinstance(node, ast.Subscript):
            yield from self._index(node)
        elif isinstance(node, ast.BinOp | ast.AugAssign | ast.UnaryOp | ast.Compare):
            yield from _computed(node)
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            value = ast.literal_eval(node)
            if value + 1 != value:  # beyond 2^53 both may be the same double
                yield from _set(node, "constants", "value", value + 1)

    def _call(self, node: ast.Call) -> Iterator[_Found]:
        for here, there in pairwise(node.keywords):
            if isinstance(here.value, _ALIKE) and _alike(here.value, there.value):
                yield from _exchanged("columns", here, there)
        for one, other in pairwise(node.args):
            if isinstance(one, ast.Name | ast.Attribute) and type(one) is type(other):
                name, second = ast.unparse(one).rpartition(".")[2], ast.unparse(other).rpartition(".")[2]
                for kind, pairs in (("ends", _ENDS), ("systems", _SYSTEMS)):
                    if counterpart(name, pairs) == second:
                        at = node.args.index(one)
                        yield from _neighbours(kind, node.args, (at,))
        for key in node.keywords:
            if key.arg == "sign" and isinstance(key.value, ast.Constant):
                yield from _set(key.value, "signs", "value", not key.value.value)
        function = node.func
        field = "id" if isinstance(function, ast.Name) else "attr"
        if other_name := counterpart(getattr(function, field, ""), _EXTREMES):
            yield from _set(function, "extremes", field, other_name)

    def _renamed(self, node: ast.AST, field: str, known: set[str]) -> Iterator[_Found]:
        for kind, pairs in (("ends", _ENDS), ("systems", _SYSTEMS)):
            other = counterpart(getattr(node, field), pairs)
            if other in known:
                yield from _set(node, kind, field, other)

    def _index(self, node: ast.Subscript) -> Iterator[_Found]:
        index = node.slice
        if isinstance(index, ast.Constant) and index.value in (0, 1) and index.value is not True:
            yield from _set(index, "ends", "value", 1 - index.value, ast.unparse(node))
        elif isinstance(index, ast.Constant) and isinstance(index.value, str):
            yield from self._renamed(index, "value", self._words)
        elif isinstance(index, ast.UnaryOp) and ast.unparse(index) == "-1":
            yield _change("ends", node, "slice", ast.Constant(0))


def _children(node: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """What is below a node and is run, and whether its order is without meaning."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params") or isinstance(node, ast.Assert):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_index(node, child) and not _for_types_only(child):
                yield child, _is_unordered(node, child)


def _is_unordered(node: ast.AST, child: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        return any(isinstance(op, ast.In | ast.NotIn) for op in node.ops)
    if isinstance(node, ast.Call):
        return ast.unparse(node.func).rpartition(".")[2] in _UNORDERED
    if isinstance(node, ast.Assign):
        return ast.unparse(node.targets[0]) in ("__all__", "__slots__")
    return isinstance(node, ast.ExceptHandler | ast.Subscript)


def _is_index(node: ast.AST, child: ast.AST) -> bool:
    """Whether a fault of an index has been made where the whole was seen, or none is wanted."""
    if not isinstance(node, ast.Subscript) or child is not node.slice:
        return False
    return isinstance(child, ast.Constant) or ast.unparse(child) == "-1"


def _alike(one: ast.AST, other: ast.AST) -> bool:
    """Whether two values may be of one kind: others that change places are found at once, or are no columns."""
    if isinstance(one, ast.Constant) and isinstance(other, ast.Constant):
        return isinstance(one.value, str) and isinstance(other.value, str)
    return isinstance(one, _ALIKE) and type(one) is type(other)


def _for_types_only(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")


def _neighbours(kind: str, nodes: list[ast.expr], places: Sequence[int] | None = None) -> Iterator[_Found]:
    """Each of several changes places with the next."""
    for i in range(len(nodes) - 1) if places is None else places:
        one, other = ast.unparse(nodes[i]), ast.unparse(nodes[i + 1])
        if one != other:

            def apply(i: int = i) -> None:
                nodes[i], nodes[i + 1] = nodes[i + 1], nodes[i]

            yield kind, f"{one}, {other}", f"{other}, {one}", apply, apply


def _spoken(node: ast.JoinedStr) -> Iterator[_Found]:
    """What stands in a text changes places with what stands there next."""
    places = [i for i, part in enumerate(node.values) if isinstance(part, ast.FormattedValue)]
    for i, j in pairwise(places):
        one, other = (ast.unparse(ast.JoinedStr([node.values[k]])) for k in (i, j))
        if one != other:

            def apply(i: int = i, j: int = j) -> None:
                node.values[i], node.values[j] = node.values[j], node.values[i]

            yield "words", f"{one}, {other}", f"{other}, {one}", apply, apply


def _computed(node: ast.BinOp | ast.AugAssign | ast.UnaryOp | ast.Compare) -> Iterator[_Found]:
    if isinstance(node, ast.UnaryOp):
        if isinstance(node.op, ast.USub):
            yield _change("signs", node, "op", ast.UAdd())
        return
    if isinstance(node, ast.Compare):
        for i, op in enumerate(node.ops):
            if other := _COMPARISONS.get(type(op)):
                yield _change("comparisons", node, "ops", [*node.ops[:i], other(), *node.ops[i + 1 :]])
        return
    if any(map(_is_text, ast.iter_child_nodes(node))):
        return
    for kind, table in (("signs", _SIGNS), ("operators", _OPERATORS)):
        if operator := table.get(type(node.op)):
            yield _change(kind, node, "op", operator())
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub):
        for here in ("left", "right"):
            side = getattr(node, here)
            if isinstance(side, ast.Constant) and side.value == 1 and (here, type(node.op)) != ("left", ast.Sub):
                yield _change("ones", node, here, ast.Constant(0))


def _is_text(node: ast.AST) -> bool:
    """Whether something is a text or a list by its looks: other operators are no faults there but errors at once."""
    if isinstance(node, ast.IfExp):
        return _is_text(node.body) or _is_text(node.orelse)
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )


def _set(node: ast.AST, kind: str, field: str, value: object, shown: str | None = None) -> Iterator[_Found]:
    """A part of a node takes another value."""
    was = ast.unparse(node)
    before = getattr(node, field)
    if isinstance(value, ast.expr):
        ast.copy_location(value, node)
    setattr(node, field, value)
    now = ast.unparse(node)
    setattr(node, field, before)
    if shown is not None:
        was, now = shown, f"{shown.rpartition('[')[0]}[{now}]"
    yield kind, was, now, lambda: setattr(node, field, value), lambda: setattr(node, field, before)


def _change(kind: str, node: ast.AST, field: str, value: object) -> _Found:
    return next(_set(node, kind, field, value))


def _exchanged(kind: str, one: ast.keyword, other: ast.keyword) -> Iterator[_Found]:
    """The values of two arguments change places."""
    if ast.dump(one.value) == ast.dump(other.value):
        return
    here, there = one.value, other.value
    was = f"{ast.unparse(one)}, {ast.unparse(other)}"

    def apply() -> None:
        one.value, other.value = there, here

    def undo() -> None:
        one.value, other.value = here, there

    apply()
    now = f"{ast.unparse(one)}, {ast.unparse(other)}"
    undo()
    yield kind, was, now, apply, undo
