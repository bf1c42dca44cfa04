"""The kinds of named things, each declared once: its registries, and what the list, the page and JSON say of it."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Callable, Mapping
from dataclasses import MISSING, replace
from importlib import import_module
from typing import Any

from outscore.base.errors import UsageError, suggestion
from outscore.base.lazy import dataclass
from outscore.base.registry import Registry, choose_one, options_of

Entry = Mapping[str, Any]
"""One registered thing: name, description, options and whatever else its kind has, as plain values."""


@dataclass(frozen=True, kw_only=True)
class Attribute:
    """One fact of the things of a kind.

    Attributes:
        key: in JSON; the class attribute that holds it, unless ``find`` gives it of the class.
        title: on the page of a thing and over its column; a fact without one is in JSON alone.
        say: in words, of the whole entry.
    """

    key: str
    title: str = ""
    find: Callable[[Any], Any] | None = None
    say: Callable[[Entry], str] | None = None

    def of(self, thing: Any) -> Any:
        """The plain value; empty where a package of others says less, or where it depends on the options."""
        value = self.find(thing) if self.find else getattr(thing, self.key, "")
        return "" if isinstance(value, property) else value

    def words(self, entry: Entry) -> str:
        """The value in words."""
        return self.say(entry) if self.say else str(entry[self.key])


@dataclass(frozen=True, kw_only=True)
class Kind:
    """Named things of one kind.

    Attributes:
        one: one of them, in messages.
        about: their use, in a few words.
        given: the option or command that takes one.
        tables: the title of each table with the place of what is registered, ``module:name``.
        facts: of each thing, in the order of its page.
        columns: keys of those that are in the list, after the name.
    """

    one: str
    about: str
    given: str
    tables: Mapping[str, str]
    facts: tuple[Attribute, ...] = ()
    columns: tuple[str, ...] = ("description", "options")

    def by_table(self) -> dict[str, dict[str, Any]]:
        """Things by name, table by table: classes, or words."""
        return {title: dict(_load(place)) for title, place in self.tables.items()}

    def things(self) -> dict[str, Any]:
        """All of them by name."""
        return {name: thing for things in self.by_table().values() for name, thing in things.items()}

    def find(self, name: str) -> tuple[str, Any]:
        """The thing of that name, or suffix, or that others call so, with its own name.

        Raises:
            UsageError: there is none, and the nearest is suggested; or several are called so; or it cannot be
                loaded.
        """
        known = self.things()
        of_suffix = (own for own, thing in known.items() if f".{name}" in getattr(thing, "suffixes", ()))
        if name in known or (name := next(of_suffix, name)) in known:
            return name, known[name]
        registries = [each for each in map(_load, self.tables.values()) if isinstance(each, Registry)]
        for each in registries:
            each.knows(name)
        meant = {spec.partition(":")[0]: None for each in registries for spec in each.meanings(name)}
        if meant:
            own = choose_one(f"the {self.one} {name!r}", list(meant))
            return own, known[own]
        if registries:
            raise registries[0].unknown(name, list(known))
        raise UsageError(f"unknown {self.one} {name!r}{suggestion(name, known)} (there are: {', '.join(known)})")

    def entry(self, name: str, thing: Any) -> dict[str, Any]:
        """All that is known of one thing."""
        said = {"name": name, "description": getattr(thing, "description", "") or summary(thing)}
        said |= {fact.key: fact.of(thing) for fact in self.facts}
        return {**said, "options": options(thing), "extra": getattr(thing, "extra", "") or None}

    def column(self, key: str) -> Attribute:
        """The fact with that key; every kind has descriptions and options."""
        return next(fact for fact in (*_OF_ALL, *self.facts) if fact.key == key)


def documentation(thing: Any) -> str:
    """The documentation of a thing, which may be its own words."""
    return inspect.cleandoc(thing if isinstance(thing, str) else thing.__doc__ or "")


def summary(thing: Any) -> str:
    """Its first line."""
    return documentation(thing).partition("\n")[0].replace("``", "")


def options(thing: Any) -> list[dict[str, Any]]:
    """The options of a registered dataclass; words have none."""
    if not dataclasses.is_dataclass(thing):
        return []
    hints = typing.get_type_hints(thing)
    return [_option(field, hints[field.name]) for field in options_of(thing)]


def option_text(option: Mapping[str, Any]) -> str:
    """``name=default``, as it is typed after the name and a colon; ``name=...`` where it has to be given."""
    if option["required"]:
        return f"{option['name']}=..."
    value = option["default"]
    plain = int(value) if isinstance(value, float) and value.is_integer() else value
    return f"{option['name']}={'none' if value is None else str(plain).lower() if isinstance(value, bool) else plain}"


def _option(field: dataclasses.Field[Any], hint: Any) -> dict[str, Any]:
    required = field.default is MISSING
    choices = [c for c in typing.get_args(hint) if c is not None] if typing.get_origin(hint) is typing.Literal else None
    default = None if required else field.default
    return {"name": field.name, "required": required, "default": default, "choices": choices}


def _load(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _as_by_default(cls: Any) -> Any:
    """A metric with the options of its example that have to be given, and no others."""
    from outscore.metrics import metrics

    defaults = {f.name: f.default for f in options_of(cls) if f.default is not MISSING}
    return replace(metrics.make(cls.example), **defaults)


_OF_ALL = (
    Attribute(key="description", title="What it is"),
    Attribute(key="options", title="Options", say=lambda entry: ", ".join(map(option_text, entry["options"]))),
)
_NULL = Attribute(key="null", title="Null hypothesis")
_FORMULA = Attribute(key="formula", title="Formula")
_APPLIES = Attribute(key="applies", title="When it applies")
_NEEDS = Attribute(key="needs", title="What it needs")
_SOURCE = Attribute(key="citation", title="Source")
_COVERS = {"gain": "gains", "score": "scores", "both": "gains and scores"}

KINDS: Mapping[str, Kind] = {
    "metrics": Kind(
        one="metric",
        about="scores of outputs, labels and rankings",
        given="-m NAME",
        tables={"Metrics (↑ higher is better, ↓ lower is better)": "outscore.metrics:metrics"},
        facts=(
            Attribute(
                key="unit",
                title="Unit",
                find=lambda cls: _as_by_default(cls).unit,
                say=lambda entry: entry["unit"] + {True: " ↑", False: " ↓"}.get(entry["higher_is_better"], ""),
            ),
            Attribute(key="higher_is_better", find=lambda cls: _as_by_default(cls).direction),
            Attribute(key="reads", title="Reads"),
            Attribute(key="example", title="Example", say=lambda entry: f"-m {entry['example']}"),
            _SOURCE,
        ),
        columns=("description", "unit", "options"),
    ),
    "tests": Kind(
        one="test",
        about="p-values of pairs, of independent samples, of several systems",
        given="--test NAME",
        tables={
            "Tests of pairs: systems that answered the same items (outscore compare --test NAME)": (
                "outscore.significance:tests"
            ),
            "Tests of independent samples: runs, or items that nobody shares (outscore compare --test NAME)": (
                "outscore.significance.independent:independent_tests"
            ),
            "Tests of several systems at once (outscore compare --test NAME)": (
                "outscore.significance.omnibus:omnibus_tests"
            ),
        },
        facts=(
            Attribute(key="kind", find=lambda cls: _load("outscore.significance.choose:kind_of")(cls.name)),
            _NULL,
            _FORMULA,
            _APPLIES,
            _NEEDS,
            Attribute(key="example", title="Example", find=lambda cls: f"outscore compare --test {cls.name} FILE..."),
            _SOURCE,
        ),
        columns=("null", "options"),
    ),
    "intervals": Kind(
        one="interval",
        about="confidence intervals of scores and gains",
        given="--interval NAME",
        tables={"Confidence intervals": "outscore.significance.interval:intervals"},
        facts=(
            Attribute(key="covers", title="Covers", say=lambda entry: _COVERS[entry["covers"]]),
            _FORMULA,
            _APPLIES,
            _NEEDS,
            _SOURCE,
        ),
        columns=("description", "covers", "options"),
    ),
    "corrections": Kind(
        one="correction",
        about="adjusted p-values of several pairs and metrics",
        given="--correct NAME",
        tables={"Corrections": "outscore.multiplicity.adjust:IN_WORDS"},
        columns=("description",),
    ),
    "posteriors": Kind(
        one="method",
        about="models and priors of what to believe of a pair",
        given="--posterior NAME",
        tables={"Posteriors": "outscore.significance.bayes:methods"},
        facts=(Attribute(key="model", title="Model"), _FORMULA, _APPLIES, _NEEDS, _SOURCE),
        columns=("model", "options"),
    ),
    "coefficients": Kind(
        one="coefficient",
        about="agreement of annotators beyond chance",
        given="outscore agree -k NAME",
        tables={"Coefficients of agreement": "outscore.agreement:coefficients"},
        facts=(
            Attribute(key="corrects", title="Corrects for"),
            _FORMULA,
            Attribute(key="example", title="Example", find=lambda cls: f"outscore agree -k {cls.name} FILE"),
            _SOURCE,
        ),
        columns=("description", "corrects", "options"),
    ),
    "plans": Kind(
        one="plan",
        about="designs whose power is known without data",
        given="outscore power NAME",
        tables={"Plans (outscore power NAME)": "outscore.power.plans:plans"},
        facts=(
            _NULL,
            Attribute(key="procedure", title="Test"),
            Attribute(key="unit", title="Gain in"),
            Attribute(key="sizes", title="Size in"),
            _SOURCE,
        ),
    ),
    "studies": Kind(
        one="study",
        about="empirical questions, answered by experiments",
        given="outscore study NAME",
        tables={"Studies (outscore study NAME --help)": "outscore.studies:studies"},
        facts=(
            Attribute(key="question", title="Question"),
            Attribute(key="takes", title="Works on"),
            Attribute(key="example", title="Example"),
            _SOURCE,
        ),
        columns=("question", "citation"),
    ),
    "readers": Kind(
        one="reader",
        about="formats that can be read; a file is known by its content",
        given="--reader NAME",
        tables={"What can be read (--reader NAME)": "outscore.data.readers:readers"},
        facts=(
            Attribute(
                key="roles", title="Given as", find=lambda cls: list(cls.roles), say=lambda e: ", ".join(e["roles"])
            ),
            Attribute(key="example", title="Example"),
        ),
        columns=("description", "roles"),
    ),
    "formats": Kind(
        one="format",
        about="formats in which results are written",
        given="-f NAME, -o FILE.SUFFIX",
        tables={"What results are written as (-f NAME)": "outscore.results.result:formats"},
        facts=(
            Attribute(
                key="suffixes",
                title="Suffix",
                find=lambda cls: list(getattr(cls, "suffixes", ())),
                say=lambda entry: " ".join(entry["suffixes"]),
            ),
            Attribute(key="example", title="Example", find=lambda cls: f"-f {cls.name}"),
        ),
        columns=("description", "suffixes", "options"),
    ),
}
"""The kinds in their order; a new registry is one more."""
