"""The reference: everything registered, every command and the Python names, one page for each kind."""

from __future__ import annotations

import dataclasses
import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
from tests.docs.words import SIGNS

import outscore
from manual_site import methods, text
from outscore import results
from outscore.cli.command import WHOLE
from outscore.cli.kinds import KINDS, Kind
from outscore.cli.main import COMMANDS, find_command, group

_WIDTH = 100
_PAGES = {
    "metrics": "/metrics",
    "intervals": "/intervals",
    "corrections": "/reading-the-table",
    "posteriors": "/bayes",
    "coefficients": "/agree",
    "plans": "/power",
    "studies": "/studies",
    "readers": "/formats",
    "formats": "/formats",
}
"""The pages about kinds."""
_WITH_SIGNS = ("intervals", "posteriors")


def pages(root: Path) -> dict[str, str]:
    """Names below ``reference/`` and texts."""
    made = {
        **{f"{name}.rst": _listing(name, kind) for name, kind in KINDS.items()},
        "commands.rst": _commands(),
        "python.rst": _python(),
        "records.rst": _records(),
        **methods.pages(root),
    }
    order = ["commands", "python", "records", *KINDS]
    about = "Made from the program itself, so that it says what the program does; the pages beside it explain."
    return made | {"index.rst": text.page("Everything by name", about, text.contents(order))}


def _listing(title: str, kind: Kind) -> str:
    see = f" :doc:`{_PAGES[title]}` is about them." if title in _PAGES else ""
    said = (
        f"{kind.about[0].upper()}{kind.about[1:]}. Given as {', '.join(map(text.code, kind.given.split(', ')))}.{see}"
    )
    parts = [said, SIGNS if title in _WITH_SIGNS else ""]
    for name, thing in kind.things().items():
        entry = kind.entry(name, thing)
        known = {fact.title: _markup(fact.key, fact.words(entry)) for fact in kind.facts if fact.title}
        about = {"What it is": text.escaped(getattr(thing, "description", "")), "Options": text.options(thing)}
        known = {**about, **known, "Install": text.extra(thing)}
        parts += [text.heading(name, 1), text.docstring(thing), text.facts(known)]
        if "\n" in (example := entry.get("example", "")):
            parts.append(text.block(example))
    return text.page(title.capitalize(), *parts)


def _markup(key: str, words: str) -> str:
    """What is typed as code; what has several lines stands in a block of its own."""
    if "\n" in words:
        return ""
    return text.code(words) if key == "example" else text.escaped(words)


def _commands() -> str:
    parts = [text.block(_help(group, "outscore"))]
    for name in COMMANDS:
        command = find_command(name)
        parts += [text.heading(f"outscore {name}", 1), text.block(_help(command, f"outscore {name}"))]
        if isinstance(command, click.Group):
            for sub, made in _subcommands(command):
                called = f"outscore {name} {sub}"
                parts += [text.heading(called, 2), text.block(_help(made, called))]
    return text.page("Commands", *parts)


def _subcommands(command: click.Group) -> Iterator[tuple[str, click.Command]]:
    context = click.Context(command)
    for sub in command.list_commands(context):
        made = command.get_command(context, sub)
        if made is not None:
            yield sub, made


def _help(command: click.Command, called: str) -> str:
    context = click.Context(command, info_name=called, terminal_width=_WIDTH, max_content_width=_WIDTH)
    context.meta[WHOLE] = True
    return command.get_help(context)


def _python() -> str:
    called, given, errors = [], [], []
    for name in outscore.__all__:
        thing = getattr(outscore, name)
        if inspect.isclass(thing) and issubclass(thing, Exception):
            errors.append(f".. autoclass:: outscore.{name}")
        elif inspect.isclass(thing):
            given.append(f".. autoclass:: outscore.{name}\n   :members:")
        elif callable(thing):
            called.append(f".. autofunction:: outscore.{name}")
    return text.page(
        "Python names",
        ":doc:`/python` is the introduction.",
        *(text.heading("What one calls", 1), *called),
        *(text.heading("What one gets, and gives", 1), *given),
        *(text.heading("Errors", 1), *errors),
    )


def _records() -> str:
    """The parts of results, which nobody makes by hand."""
    modules = [import_module(f"outscore.results.{one.name}") for one in pkgutil.iter_modules(results.__path__)]
    records = {
        name: f"{module.__name__}.{name}"
        for module in modules
        for name, thing in vars(module).items()
        if dataclasses.is_dataclass(thing) and thing.__module__ == module.__name__
    }
    names = sorted(name for name in records if name[0] != "_" and name not in outscore.__all__)
    parts = [".. autoclass:: outscore.base.notes.Note"]
    parts += [f".. autoclass:: {records[name]}" for name in names]
    return text.page("Records in results", "What the fields of a result hold; :doc:`python` has the results.", *parts)
