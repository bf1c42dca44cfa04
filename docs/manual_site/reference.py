"""The reference: everything registered, every command and the Python names, one page for each kind."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING, replace
from pathlib import Path
from typing import Any

import click

import outscore
from manual_site import methods, text
from outscore import results
from outscore.agreement import coefficients
from outscore.base.registry import Registry, options_of
from outscore.cli.command import WHOLE
from outscore.cli.main import COMMANDS, find_command, group
from outscore.data.readers import readers
from outscore.metrics import metrics
from outscore.multiplicity.adjust import CORRECTIONS, MAX_T, MAX_T_STEP_DOWN
from outscore.power.plans import plans
from outscore.results.result import formats
from outscore.significance.bayes import methods as posteriors
from outscore.significance.interval import intervals
from outscore.studies import studies

_WIDTH = 100
_COVERS = {"gain": "gains", "score": "scores", "both": "gains and scores"}

Facts = Callable[[Any], dict[str, str]]


def pages(root: Path) -> dict[str, str]:
    """Names below ``reference/`` and texts."""
    made = {
        "metrics.rst": _listing(
            "Metrics",
            "Given as ``-m NAME`` or ``-m NAME:option=value``; :doc:`/metrics` is about them.",
            metrics,
            _metric,
        ),
        "intervals.rst": _listing(
            "Intervals",
            f"Given as ``--interval NAME``; :doc:`/intervals` is about them. {methods.SIGNS}",
            intervals,
            _interval,
        ),
        "corrections.rst": _corrections(),
        "posteriors.rst": _listing(
            "Posteriors",
            f"Given as ``outscore bayes --method NAME``; :doc:`/bayes` is about them. {methods.SIGNS}",
            posteriors,
            _posterior,
        ),
        "coefficients.rst": _listing(
            "Coefficients of agreement",
            "Given as ``outscore agree -k NAME``; :doc:`/agree` is about them.",
            coefficients,
            _coefficient,
        ),
        "plans.rst": _listing(
            "Plans", "Designs of which ``outscore power`` knows the power; :doc:`/power`.", plans, _plan
        ),
        "studies.rst": _listing("Studies", "Run as ``outscore study NAME``; :doc:`/studies`.", studies, _study),
        "readers.rst": _listing(
            "Readers", "A file is known by its content; ``--reader NAME`` overrules. :doc:`/formats`.", readers, _reader
        ),
        "formats.rst": _listing("Output formats", "Given as ``-f NAME``; :doc:`/formats`.", formats, _format),
        "commands.rst": _commands(),
        "python.rst": _python(),
        "records.rst": _records(),
        **methods.pages(root),
    }
    order = ["commands", "python", "records", "tests", "intervals", "corrections", "metrics", "readers", "formats"]
    order += ["studies", "plans", "posteriors", "coefficients"]
    about = "Made from the program itself, so that it says what the program does; the pages beside it explain."
    return made | {"index.rst": text.page("Everything by name", about, text.contents(order))}


def _listing(title: str, about: str, registry: Registry[Any], facts: Facts) -> str:
    parts = [about]
    for name, cls in registry:
        known = {"Options": text.options(cls), **facts(cls), "Install": text.extra(cls)}
        parts += [text.heading(name, 1), text.docstring(cls), text.facts(known)]
        if isinstance(example := getattr(cls, "example", None), str) and "\n" in example:
            parts.append(text.block(example))
    return text.page(title, *parts)


def _metric(cls: type[Any]) -> dict[str, str]:
    defaults = {f.name: f.default for f in options_of(cls) if f.default is not MISSING}
    made = replace(metrics.make(cls.example), **defaults)
    return {
        "Unit": f"{text.escaped(made.unit)}, {'higher' if made.higher_is_better else 'lower'} is better",
        "Reads": text.escaped(cls.reads),
        "Example": text.code(f"-m {cls.example}"),
        "Source": text.escaped(cls.citation),
    }


def _interval(cls: type[Any]) -> dict[str, str]:
    return {
        "Covers": _COVERS[cls.covers],
        "Formula": text.escaped(cls.formula),
        "When it applies": text.escaped(cls.applies),
        "What it needs": text.escaped(cls.needs),
        "Source": text.escaped(cls.citation),
    }


def _posterior(cls: type[Any]) -> dict[str, str]:
    return {
        "Model": text.escaped(cls.model),
        "Formula": text.escaped(cls.formula),
        "When it applies": text.escaped(cls.applies),
        "What it needs": text.escaped(cls.needs),
        "Source": text.escaped(cls.citation),
    }


def _coefficient(cls: type[Any]) -> dict[str, str]:
    return {
        "Corrects for": text.escaped(cls.corrects),
        "Formula": text.escaped(cls.formula),
        "Source": text.escaped(cls.citation),
    }


def _plan(cls: type[Any]) -> dict[str, str]:
    said = {"Null hypothesis": "null", "Test": "procedure", "Gain in": "unit", "Size in": "sizes", "Source": "citation"}
    found = {name: getattr(cls, attribute) for name, attribute in said.items()}
    # some depend on the options, and are no word of the class
    return {name: text.escaped(value) for name, value in found.items() if isinstance(value, str)}


def _study(cls: type[Any]) -> dict[str, str]:
    return {
        "Question": text.escaped(cls.question),
        "Works on": text.escaped(cls.takes),
        "Source": text.escaped(cls.citation),
        "Example": text.code(cls.example),
    }


def _reader(cls: type[Any]) -> dict[str, str]:
    return {"What it is": text.escaped(cls.description), "Given as": ", ".join(cls.roles)}


def _format(cls: type[Any]) -> dict[str, str]:
    return {"Suffix": " ".join(map(text.code, getattr(cls, "suffixes", ())))}


def _corrections() -> str:
    parts = ["Given as ``--correction NAME``; they adjust all p-values of a family. :doc:`/reading-the-table`."]
    for name, function in CORRECTIONS.items():
        parts += [text.heading(name, 1), text.docstring(function) if name != "none" else "The p-values as they are."]
    joint = (
        "Joint correction by resampling: the largest statistic of every resample, which knows how tests hang together."
    )
    stepwise = "As ``max-t``, each against the largest of those not larger than it; no intervals go with it."
    parts += [text.heading(MAX_T, 1), joint, text.heading(MAX_T_STEP_DOWN, 1), stepwise]
    return text.page("Corrections", *parts)


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
    names = [
        name for name in results.__all__ if inspect.isclass(getattr(results, name)) and name not in outscore.__all__
    ]
    parts = [".. autoclass:: outscore.base.notes.Note"]
    parts += [f".. autoclass:: outscore.results.{name}" for name in names]
    return text.page("Records in results", "What the fields of a result hold; :doc:`python` has the results.", *parts)
