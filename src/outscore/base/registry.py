"""One registry for metrics, readers, tests and formats.

A thing is one file plus its decorator. Its options are the fields of a frozen dataclass; the same fields make the
Python keyword, the name ``fbeta:beta=2`` and the signature. Other packages add theirs by an entry point.

What others call a thing stands in it as ``also``, each name with the options that it means: ``("chrf++:word_order=2",
"bleu-{max_order}")``. In braces is an option whose number is in the name. ``outside`` tells of options that are not the
thing's own how they are given.
"""

from __future__ import annotations

import contextlib
import dataclasses
import importlib
import pkgutil
import re
import types
import typing
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from shlex import quote
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from outscore.base.errors import BrokenPackage, UsageError, hides_interrupt, list_known, suggestion
from outscore.base.installed import entry_points_of, said_of
from outscore.base.lazy import is_declared
from outscore.base.text import read_number

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
C = TypeVar("C", bound=type)


class Registry(Generic[T]):
    """Named frozen dataclasses of one kind, loaded when asked for.

    Args:
        kind: name of one entry in messages: ``metric``, ``test`` ...
        package: the package whose modules register themselves, one file for each entry or family of entries.
        group: the entry-point group through which other packages register theirs.
        elsewhere: names that others have among these, with what is to be done for them here.
        families: the module of each entry that is not in a module of its own name.
    """

    def __init__(
        self,
        kind: str,
        package: str,
        group: str,
        families: Mapping[str, str] | None = None,
        elsewhere: Mapping[str, str] | None = None,
    ) -> None:
        self.kind, self.package, self.group = kind, package, group
        self.families, self.elsewhere = families or {}, elsewhere or {}
        self._classes: dict[str, type[Any]] = {}
        self._complete = self._has_entry_points = False
        self._broken: dict[str, UsageError] = {}

    def register(self, name: str) -> Callable[[C], C]:
        """Class decorator that enters a frozen dataclass under ``name``.

        Raises:
            TypeError: the class is no dataclass, or lacks a class attribute or method that all of its kind have.
            UsageError: another class has that name.
        """

        def enter(cls: C) -> C:
            if not is_declared(cls):
                raise TypeError(f"{cls.__name__} must be a frozen dataclass to be a {self.kind}")
            if lacking := [*_undefined(cls), *sorted(getattr(cls, "__abstractmethods__", ()))]:
                raise TypeError(f"{cls.__name__} lacks what every {self.kind} has: {', '.join(lacking)}")
            if not f"{cls.__module__}.".startswith(f"{self.package}."):
                self._import_module_of(name)  # our own is there first, whatever was asked for before
            held = self._classes.get(name)
            if held is not None and (held.__module__, held.__qualname__) != (cls.__module__, cls.__qualname__):
                raise UsageError(f"two {self.kind}s are named {name!r}: {held.__module__} and {cls.__module__}")
            cls.name = name  # type: ignore[attr-defined]
            self._classes[name] = cls
            return cls

        return enter

    def names(self, without: Collection[str] = ()) -> list[str]:
        """All registered names, sorted; imports every module of the package and every entry point.

        Args:
            without: modules of the package that are not imported for this, because they hold nothing that is looked
                for; their names are missing unless something else has imported them.
        """
        if not self._complete:
            for module in self._modules():
                if module not in without:
                    importlib.import_module(f"{self.package}.{module}")
            self._load_entry_points()
            self._complete = not without
        return sorted(self._classes)

    def knows(self, name: str) -> bool:
        """Whether something has that name; looks further than one module of the package only when it has to.

        Raises:
            UsageError: another package has it, and cannot be loaded.
        """
        self._import_module_of(name)
        if name not in self._classes:
            self._load_entry_points(name)
            if name in self._broken:
                raise self._broken[name]
        return name in self._classes

    def find(self, name: str) -> type[T]:
        """The class registered under ``name``, or called so by others.

        Raises:
            UsageError: nothing has that name, and the nearest is suggested; or several have it; or it cannot be loaded.
        """
        return self._classes[self.resolve(name).partition(":")[0]]

    def resolve(self, spec: str) -> str:
        """The name with options that ``spec`` means, which may be what others call it.

        Raises:
            UsageError: as ``find``.
        """
        name, _, text = spec.partition(":")
        if self.knows(name):
            return spec
        meant = self.meanings(name)
        if not meant:
            raise self.unknown(name, self.names())
        *keys, said = ({*re.findall(r"(\w+)=", one)} for one in (*meant, text))
        if len(names := {one.partition(":")[0] for one in meant}) == 1 and all(each <= said for each in keys):
            meant = [*names]
        return join_options(choose_one(f"the {self.kind} {name!r}", meant), text)

    def meanings(self, name: str) -> list[str]:
        """Every registered name, with options, that ``name`` may mean: spelt in another way, or as others call it."""
        wanted = self._fold(name)
        found = [
            join_options(own, ",".join(filter(None, (options, *(f"{k}={v}" for k, v in said.groupdict().items())))))
            for own, cls in self
            for other, _, options in (called.partition(":") for called in (own, *vars(cls).get("also", ())))
            if (said := re.fullmatch(self._pattern(other), wanted))
        ]
        return list(dict.fromkeys(found))

    def unknown(self, name: str, known: Sequence[str]) -> UsageError:
        """The error about a name that nothing has; ``known`` are those that there are."""
        hint = self.hint(name, known)
        kinds = "studies" if self.kind == "study" else f"{self.kind.split()[0]}s"
        return UsageError(f"unknown {self.kind} {name!r}{hint}{list_known(known, kinds)}")

    def hint(self, name: str, known: Sequence[str]) -> str:
        """The words behind a name that nothing has: the way to it, or the nearest of those that are known."""
        outside = self.elsewhere.get(self._fold(name))
        return f": {outside}" if outside else suggestion(name, known)

    def _fold(self, name: str) -> str:
        """The name without case, hyphens, and the word for what it is: ``t-test`` is the test ``t``."""
        return re.sub(r"[^a-z0-9+@^.]|(?<!\d)[.]|[.](?!\d)", "", name.lower()).removesuffix(self.kind.split()[0])

    def _pattern(self, called: str) -> str:
        """Of the folded names that are meant by a name with options in braces."""
        texts = re.split(r"\{(\w+)\}", called)
        return "".join(
            f"(?P<{text}>(0|[1-9][0-9]*)([.][0-9]+)?)" if number % 2 else re.escape(self._fold(text))
            for number, text in enumerate(texts)
        )

    def make(self, spec: str) -> T:
        """An instance from its name with options: ``bleu``, ``bleu:tokenize=intl``, ``ratio:num=a,den=b``.

        A colon before the name of an option is as good as the comma.

        Raises:
            UsageError: unknown name, unknown option, or a value that does not fit its type.
        """
        name, _, text = self.resolve(spec).partition(":")
        cls = self._classes[name]
        # a value may hold a colon too; a slip in the name of an option is to be named as one
        known = [field.name for field in options_of(cls)]
        text = re.sub(
            r":(?=\s*([\w-]+)\s*=)", lambda at: "," if at[1] in known or suggestion(at[1], known) else ":", text
        )
        options = dict(_split_option(part, spec) for part in text.split(",")) if text else {}
        return self.build(cls, options)

    def build(self, cls: type[T], options: dict[str, str]) -> T:
        """An instance of ``cls`` with options given as text."""
        name = cls.name  # type: ignore[attr-defined]
        fields = {f.name: f for f in options_of(cls)}
        hints = hints_of(cls) if options else {}
        values = {}
        for key, value in options.items():
            if key not in fields:
                outside = getattr(cls, "outside", {}).get(key.replace("-", "_"))
                hint = f"; that is {outside}" if outside else suggestion(key, fields)
                raise UsageError(
                    f"{self.kind} {name!r} has no option {key!r}{hint} (it has: {', '.join(fields) or 'none'})"
                )
            values[key] = _parse(value, hints[key], f"{self.kind} option {name}:{key}")
        missing = [k for k, f in fields.items() if is_required(f) and k not in values]
        if missing:
            instead = getattr(cls, "instead", "")
            raise UsageError(
                f"{self.kind} {name!r} needs {', '.join(missing)}: write {name}:{','.join(k + '=...' for k in missing)}"
                + (f", or take {instead}, which needs none" if instead else "")
            )
        return cls(**values)

    def __iter__(self) -> Iterator[tuple[str, type[T]]]:
        for name in self.names():
            yield name, self._classes[name]

    def _import_module_of(self, name: str) -> None:
        """Imports the module of the entry, called like it (hyphens are underscores) or its family, and no other."""
        module = self.families.get(name, name.replace("-", "_"))
        if name not in self._classes and module in self._modules():
            importlib.import_module(f"{self.package}.{module}")

    def _modules(self) -> list[str]:
        package = importlib.import_module(self.package)
        return [m.name for m in pkgutil.iter_modules(package.__path__)]

    def _load_entry_points(self, asked: str = "") -> None:
        """Loads what other packages offer; of one that cannot be loaded it warns, where that one is not asked for."""
        for point in [] if self._has_entry_points else entry_points_of(self.group):
            there = dict(self._classes)
            try:
                with blame_package(self.kind, point):
                    self._enter_loaded(point)
            except UsageError as error:
                # what it had entered before it failed is as broken
                ours = f"{self.package}."
                self._classes = {
                    name: cls for name, cls in self._classes.items() if name in there or cls.__module__.startswith(ours)
                }
                self._broken[point.name] = error
                package = said_of(point) or point.name
                if point.name != asked and package not in _WARNED:
                    warnings.warn(str(error), BrokenPackage, stacklevel=2)
                _WARNED.add(package)
        self._has_entry_points = True

    def _enter_loaded(self, point: EntryPoint) -> None:
        loaded = point.load()
        if isinstance(loaded, type):
            called = vars(loaded).get("name", point.name)
            if called != point.name:
                raise UsageError(f"its class is registered as {called!r}")
            self.register(point.name)(loaded)


_WARNED: set[str] = set()
"""Packages that cannot be loaded, of which it has been said."""


@contextlib.contextmanager
def blame_package(kind: str, point: EntryPoint) -> Iterator[None]:
    """Whatever goes wrong while a thing of another package is loaded becomes one line that names the package.

    Raises:
        UsageError: it cannot be loaded.
        KeyboardInterrupt: Ctrl-C, whatever that package made of it.
    """
    try:
        yield
    except (Exception, SystemExit) as error:
        if hides_interrupt(error):
            raise KeyboardInterrupt from error
        package = f" of {said}" if (said := said_of(point)) else ""
        why = str(error) if isinstance(error, UsageError) else f"{type(error).__name__}: {error}"
        remedy = f", or: pip uninstall {quote(point.dist.name)}" if point.dist else ""
        raise UsageError(
            f"the {kind} {point.name!r}{package} cannot be loaded ({why}): mend that package{remedy}"
        ) from error


def _undefined(cls: type[Any]) -> list[str]:
    """The class attributes that the bases of a class declare and nothing defines."""
    declared = {
        name: None
        for base in cls.__mro__
        for name, hint in vars(base).get("__annotations__", {}).items()
        if str(hint).startswith(("ClassVar", "typing.ClassVar"))
    }
    return sorted(name for name in declared if name != "name" and not hasattr(cls, name))


_HINTS: dict[type[Any], dict[str, Any]] = {}


def hints_of(cls: type[Any]) -> dict[str, Any]:
    """The types of the fields of a class, whose annotations are text that has to be evaluated."""
    if cls not in _HINTS:
        _HINTS[cls] = typing.get_type_hints(cls)
    return _HINTS[cls]


def options_of(thing: Any) -> list[dataclasses.Field[Any]]:
    """The fields of a dataclass that are options; names that begin with ``_`` are working data."""
    return [f for f in dataclasses.fields(thing) if not f.name.startswith("_")]


def spell(thing: Any) -> str:
    """The name that makes ``thing`` again: its registered name and the options that differ from their defaults."""
    parts = []
    for f in options_of(thing):
        value = getattr(thing, f.name)
        if is_required(f) or value != f.default:
            parts.append(f"{f.name}={_text(value)}")
    return f"{thing.name}:{','.join(parts)}" if parts else str(thing.name)


def join_options(spec: str, options: str) -> str:
    """A name with these options behind those that it has."""
    return f"{spec}{',' if ':' in spec else ':'}{options}" if options else spec


def choose_one(called: str, meant: Sequence[str]) -> str:
    """The only meaning.

    Raises:
        UsageError: there are several.
    """
    if len(meant) > 1:
        raise UsageError(f"{called} may be {', '.join(meant[:-1])} or {meant[-1]}: say which")
    return meant[0]


def split_specs(text: str) -> list[str]:
    """The names in a comma list; an option after a comma belongs to the name before it.

    ``bleu,ratio:num=a,den=b,ter`` gives ``bleu``, ``ratio:num=a,den=b``, ``ter``.
    """
    specs: list[str] = []
    for part in (p.strip() for p in text.split(",")):
        if specs and ":" in specs[-1] and "=" in part and ":" not in part.partition("=")[0]:
            specs[-1] += f",{part}"
        elif part:
            specs.append(part)
    return specs


def _split_option(part: str, spec: str) -> tuple[str, str]:
    key, equals, value = part.partition("=")
    if not equals or not key.strip():
        raise UsageError(f"{spec!r}: {part!r} is no option; write name:option=value,option=value")
    return key.strip(), value.strip()


def is_required(field: dataclasses.Field[Any]) -> bool:
    """Whether an option has no default."""
    return field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING


def _text(value: object) -> str:
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).lower() if isinstance(value, bool) else "none" if value is None else str(value)


def _parse(text: str, hint: Any, what: str) -> object:
    """A value of an option from its text, by the type of its field."""
    origin = typing.get_origin(hint)
    if origin is typing.Literal:
        choices = [str(c) for c in typing.get_args(hint)]
        if text not in choices:
            raise UsageError(
                f"{what}={text}: expected one of {', '.join(filter(None, choices))}{suggestion(text, choices)}"
            )
        return typing.get_args(hint)[choices.index(text)]
    if origin in (typing.Union, types.UnionType):
        if text.lower() == "none":
            return None
        hint = next(h for h in typing.get_args(hint) if h is not type(None))
    if hint is bool:
        if text.lower() not in ("true", "false", "yes", "no", "1", "0"):
            raise UsageError(f"{what}={text}: expected true or false")
        return text.lower() in ("true", "yes", "1")
    try:
        number = hint(text)
    except (TypeError, ValueError):
        raise UsageError(f"{what}={text}: expected {hint.__name__}") from None
    try:
        return read_number(text) if hint is float else number
    except ValueError as error:
        raise UsageError(f"{what}={error}") from None
