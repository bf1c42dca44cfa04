"""Options declared once: fields of frozen dataclasses, of which functions, commands, help and reference are made.

A verb is a frozen dataclass that derives from ``Options``: its fields are its options, each annotated with an
``Option``, and ``run`` answers. ``verb`` makes of it the function that users call. Annotations are read as they stand:
where ``from __future__ import annotations`` makes texts of them, a field is no option, so that it is not here either.
"""

import dataclasses
import inspect
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, Literal, ParamSpec, Protocol, TypeVar, overload

from outscore.base.errors import Interrupted, UsageError, suggestion
from outscore.base.files import check_no_file
from outscore.base.lazy import dataclass
from outscore.base.notes import INTERRUPTED
from outscore.base.registry import blame_package, spell
from outscore.verbs import VERBS, verbs_of_others

P = ParamSpec("P")
R = TypeVar("R")
R_co = TypeVar("R_co", covariant=True)

_MOST = 3

GROUPS = ("Files", "Question", "Method", "History", "Work", "Output")
"""Headings of options, in the order of a help."""


@dataclass(frozen=True, eq=False, repr=False)
class Option:
    """The words of an option, and how it is typed.

    Attributes:
        help: one line, for help and reference alike.
        more: whatever else is to be said, which ``--help`` leaves to ``--help-all``.
        python: instead of both where Python is given other things than the command line.
        flags: on the command line, by default ``--`` and the name; a name without hyphens is that of the variable of
            the environment, by default the name of the field.
        metavar: what stands for the value.
        group: one of ``GROUPS``, by default that of the verb.
        default: what is taken where nothing is given, where the default itself does not say it.
        least: the lowest number.
        most: refuses a number that is too large, see ``limits``.
        repeat: several values; ``parse`` gets a tuple of them.
        parse: makes of the typed value that of the field; raises ValueError with one line that says what is wrong.
        words: what others call its values, and which one they mean, or ``one|other``, or a sentence on what to do.
        also: what others call the option itself.
        rare: left out by ``--help``, shown by ``--help-all``.
        only: the world that it belongs to, where it is one of two.
        envvar: a variable of the environment, besides the one that every option has.
    """

    help: str
    more: str = ""
    python: str = ""
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    group: str = ""
    default: str = ""
    least: int | None = None
    most: Callable[[int], None] | None = None
    repeat: bool = False
    parse: Callable[[Any], Any] | None = None
    words: Mapping[str, str] = dataclasses.field(default_factory=dict)
    also: tuple[str, ...] = ()
    rare: bool = False
    only: Literal["", "python", "command"] = ""
    envvar: str | None = None


@dataclass(frozen=True, eq=False, repr=False)
class DeclaredOption:
    """An option of a verb.

    Attributes:
        name: of the field.
        kind: the type of its values.
        said: its words.
        group: its heading.
        default: ``dataclasses.MISSING`` for none.
    """

    name: str
    kind: Any
    said: Option
    group: str
    default: Any

    @property
    def hint(self) -> Any:
        """The type as it is written, where it was not imported."""
        return getattr(self.kind, "__forward_arg__", self.kind)

    @property
    def kinds(self) -> tuple[Any, ...]:
        """The types of its values, without None."""
        several = typing.get_origin(self.kind) in (typing.Union, types.UnionType)
        return tuple(one for one in typing.get_args(self.kind) if one is not type(None)) if several else (self.kind,)

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that it may be."""
        literals = (one for one in self.kinds if typing.get_origin(one) is Literal)
        return tuple(str(word) for one in literals for word in typing.get_args(one))

    @property
    def flags(self) -> tuple[str, ...]:
        """As it is typed on a command line."""
        typed = tuple(flag for flag in self.said.flags if flag.startswith("-"))
        return typed or (f"--{self.name.replace('_', '-')}",)

    @property
    def variable(self) -> str:
        """The name by which a command, and a variable of the environment, know it."""
        return next((flag for flag in self.said.flags if not flag.startswith("-")), self.name)

    def changes(self, options: Any) -> bool:
        """Whether it is given other than by default."""
        return bool(getattr(options, self.name) != self.default)

    def is_called(self, name: str) -> bool:
        """Whether others call it so; with hyphens or underscores, as it was typed."""
        return is_called(name, (self.name, *self.said.flags, *self.said.also))

    def suggest(self, value: str) -> str:
        """``; did you mean 'x'?`` for a word that it may not be."""
        called = self.said.words.get(value.lower().replace("_", "-"), "")
        if " " in called:
            return f"; {called}"
        meant = [word for word in called.split("|") if word in self.choices]
        return f"; did you mean {' or '.join(map(repr, meant))}?" if meant else suggestion(value, self.choices)


def is_called(name: str, names: Sequence[str]) -> bool:
    """Whether a name is one of several; with hyphens or underscores, as it was typed."""
    folded = name.lstrip("-").replace("_", "-").lower()
    return any(folded == one.lstrip("-").replace("_", "-") for one in names)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Options:
    """A verb: its options, and what is said of it.

    Raises:
        UsageError: a word that an option may not be, or a number below the least.
    """

    group: ClassVar[str] = "Question"
    """The heading of options that have none of their own."""

    files: ClassVar[str] = ""
    """Of the files, in the help of the command; empty for a verb that takes none."""

    examples: ClassVar[tuple[str, ...]] = ()
    """Commands: three in the help, all of them with ``--help-all``."""

    given: ClassVar[Mapping[str, str]] = {}
    """The words of each parameter of ``run``."""

    raises: ClassVar[Mapping[str, str]] = {
        "UsageError": "an option is wrong.",
        "InputError": "the data are wrong.",
        "Interrupted": "Ctrl-C; its ``result`` is of what had been done.",
    }
    """The errors of the function."""

    reads: ClassVar[str] = "read"
    """The function that makes ``data`` of files; empty where ``data`` may be a word."""

    def __post_init__(self) -> None:
        for one in declared(type(self)):
            value = getattr(self, one.name)
            if isinstance(value, str) and all(typing.get_origin(kind) is Literal for kind in one.kinds):
                _check_word(one, value)
            if one.said.least is not None and isinstance(value, int | float) and not value >= one.said.least:
                raise UsageError(f"{one.name}={value}: expected {one.said.least} or more")
            if one.said.most is not None and isinstance(value, int):
                one.said.most(value)

    def answer(self, *given: Any, **more: Any) -> Any:
        """The result of ``run``, which holds these options."""
        return self.sign(lambda: typing.cast(Any, self).run(*given, **more))

    def sign(self, work: Callable[[], Any]) -> Any:
        """The result of the work, or of what was done of it, with these options."""
        try:
            return self._store(check_whole(work()))
        except KeyboardInterrupt as stop:
            if not isinstance(stop, Interrupted):
                raise Interrupted from stop
            # that of a verb within this one holds the options of that verb
            if stop.result is not None and not stop.result.options:
                stop.result = self._store(stop.result)
            raise

    def _store(self, result: Any) -> Any:
        """The result with what can change a number, but for the data."""
        options: dict[str, Any] = {}
        changed: list[str] = []
        for one in declared(type(self)):
            value = _plain(getattr(self, one.name))
            if value is not _NOT_PLAIN and one.kind is not Any and one.group not in ("History", "Work"):
                options[one.name] = value
                if one.default is dataclasses.MISSING or value != _plain(one.default):
                    changed.append(one.name)
        return dataclasses.replace(result, options=options, changed_options=tuple(changed))


def check_whole(result: R) -> R:
    """The result, which is never a part for the whole.

    Raises:
        Interrupted: it is of work that was interrupted; the error holds it.
    """
    notes = {note.code: note.remedy for note in getattr(result, "notes", ())}
    if (remedy := notes.get(INTERRUPTED.code)) is not None:
        more = f"; {remedy}" if "--resume" in remedy else ""
        more += "; the history does not know of this look" * ("not_recorded" in notes)  # -q shows no note
        raise Interrupted(f"interrupted{more}", result)
    return result


_NOT_PLAIN = object()


def _plain(value: Any) -> Any:
    """A value as JSON writes it: metrics, tests and other things with names as they are typed."""
    if isinstance(value, PathLike):
        return str(value)
    if dataclasses.is_dataclass(value) and hasattr(value, "name"):
        name, title = spell(value), getattr(value, "title", "")
        return f"{title}={name}" if title not in ("", name, getattr(value, "label", "")) else name
    if isinstance(value, Mapping):
        value = {str(key): _plain(one) for key, one in value.items()}
        return _NOT_PLAIN if _NOT_PLAIN in value.values() else value
    if isinstance(value, Sequence) and not isinstance(value, str):
        value = [_plain(one) for one in value]
        return _NOT_PLAIN if _NOT_PLAIN in value else value
    return value if value is None or isinstance(value, str | bool | int | float) else _NOT_PLAIN


def _check_word(one: DeclaredOption, value: str) -> None:
    if value not in one.choices:
        raise UsageError(f"{one.name}={value!r}: expected one of {', '.join(one.choices)}{one.suggest(value)}")


def find_verb(command: str) -> type[Options]:
    """The class that declares the options of a command.

    Raises:
        UsageError: it is of another package, and cannot be loaded.
    """
    if command in VERBS:
        module, name = VERBS[command]
        found: type[Options] = getattr(import_module(module), name)
    else:
        point = verbs_of_others()[command]
        with blame_package("verb", point):
            found = point.load()
            if not (isinstance(found, type) and issubclass(found, Options)):
                raise TypeError("no outscore.verbs.declared.Options")
    return found


_DECLARED: dict[type[Any], tuple[DeclaredOption, ...]] = {}


def declared(cls: type[Any]) -> tuple[DeclaredOption, ...]:
    """The options of a dataclass: those of its fields that have words, in the annotation or as metadata."""
    if cls not in _DECLARED:
        _DECLARED[cls] = tuple(_declared(cls))
    return _DECLARED[cls]


def _declared(cls: type[Any]) -> Iterator[DeclaredOption]:
    for field in dataclasses.fields(cls):
        hint: Any = field.type
        said = next((one for one in getattr(hint, "__metadata__", ()) if isinstance(one, Option)), None)
        if said is not None:
            kind = hint.__origin__
        elif (said := field.metadata.get("option")) is not None:
            kind = typing.get_type_hints(cls)[field.name]
        else:
            continue
        yield DeclaredOption(field.name, kind, said, said.group or getattr(cls, "group", "Question"), field.default)


def by_group(options: Sequence[DeclaredOption]) -> list[DeclaredOption]:
    """The same, group by group."""
    return sorted(options, key=lambda one: GROUPS.index(one.group))


class UnknownOption(UsageError, TypeError):  # noqa: N818 (it names what is unknown)
    """A function was called with a keyword that it does not have."""


if TYPE_CHECKING:
    # whose keywords a type checker then knows

    class OfNothing(Protocol[R_co]):
        """A verb that takes options alone."""

        def run(self) -> R_co:
            """Answers."""

    class OfData(Protocol[R_co]):
        """A verb about data."""

        def run(self, data: Any, /) -> R_co:
            """Answers."""

    class OfTwo(Protocol[R_co]):
        """A verb about two things."""

        def run(self, first: Any, second: Any, /) -> R_co:
            """Answers."""


@overload
def verb(options: "Callable[P, OfNothing[R]]", name: str) -> Callable[P, R]: ...
@overload
def verb(options: "Callable[P, OfData[R]]", name: str) -> Callable[Concatenate[Any, P], R]: ...
@overload
def verb(options: "Callable[P, OfTwo[R]]", name: str) -> Callable[Concatenate[Any, Any, P], R]: ...
def verb(options: Any, name: str) -> Callable[..., Any]:
    """The function that users call: what ``run`` takes, then options by name.

    Args:
        options: the class of the verb.
        name: of the function. Where ``run`` takes any keyword, so does it: those that are no option of the verb.
    """
    parameters = list(inspect.signature(options.run).parameters.values())[1:]
    takes = [one for one in parameters if one.kind is not inspect.Parameter.VAR_KEYWORD]
    others = [one for one in parameters if one.kind is inspect.Parameter.VAR_KEYWORD]
    known = [one for one in by_group(declared(options)) if one.said.only != "command"]
    signature = inspect.Signature(
        [
            *takes,
            *(
                inspect.Parameter(
                    one.name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=inspect.Parameter.empty if one.default is dataclasses.MISSING else one.default,
                    annotation=one.hint,
                )
                for one in known
            ),
            *others,
        ],
        return_annotation=inspect.signature(options.run).return_annotation,
    )

    def call(*given: Any, **chosen: Any) -> Any:
        strange = next((key for key in chosen if key not in signature.parameters), None)
        if strange is not None and not others:
            raise UnknownOption(f"{name}() has no option {strange!r}{_meant(strange, known)}")
        try:
            bound = signature.bind(*given, **chosen).arguments
        except TypeError as error:
            raise UnknownOption(f"{name}(): {error}") from None
        found = [bound.pop(one.name) for one in takes if one.name in bound]
        if options.reads:
            check_no_file(name, options.reads, [one.name for one in takes], found)
        more = bound.pop(others[0].name, {}) if others else {}
        return options(**bound).answer(*found, **more)

    call.__name__ = call.__qualname__ = name
    call.__module__ = options.__module__
    call.__doc__ = reference(options, [one.name for one in parameters])
    call.__dict__["__signature__"] = signature
    return call


def _meant(strange: str, known: Sequence[DeclaredOption]) -> str:
    """The meanings of a keyword that a function lacks: one of its own, or that of another verb."""
    own = [one.name for one in known if one.is_called(strange)]
    if own:
        return f"; did you mean {' or '.join(map(repr, own))}?"
    having = [verb for verb in VERBS if any(one.name == strange for one in declared(find_verb(verb)))]
    if having:
        return f"; {', '.join(f'{verb}()' for verb in having[:_MOST])} {'has' if len(having) == 1 else 'have'} it"
    return suggestion(strange, [one.name for one in known])


def reference(cls: type[Options], takes: Sequence[str] = ()) -> str:
    """The docstring of the function of a verb."""
    said = {name: cls.given[name] for name in takes}
    for one in by_group(declared(cls)):
        if one.said.only != "command":
            about = one.said.python or f"{one.said.help} {one.said.more}".strip()
            said[one.name] = f"{about} By default {one.said.default}." if one.said.default else about
    lines = [inspect.cleandoc(cls.__doc__ or ""), "", "Args:"]
    lines += [f"    {name}: {text}" for name, text in said.items()]
    lines += ["", "Raises:", *(f"    {name}: {text}" for name, text in cls.raises.items())]
    return "\n".join(lines)
