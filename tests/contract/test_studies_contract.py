"""What every registered study keeps: it says what it asks and where it comes from, and its options are options."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import json
import pickle
import re
import shlex
import subprocess
import sys
import typing
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import outscore
from outscore.base.registry import is_required, options_of, spell
from outscore.cli.study import command as group
from outscore.cli.typed import BRIEF
from outscore.report.formats.methods import bibtex
from outscore.report.plots import picture
from outscore.studies import Study, Takes, studies
from outscore.studies.shared.material import Material
from outscore.verbs.declared import declared

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = Path(outscore.__file__).parent / "studies"
NAMES = [name for name, cls in studies if not cls.__module__.startswith("tests.")]
OURS = [name for name, cls in studies if cls.__module__.partition(".")[0] == "outscore"]
"""The others are in no folder, and no bibliography, of ours."""
NOTHING = [name for name in NAMES if studies.find(name).takes == "nothing"]
SMALL = "12345"


def variants(name: str) -> Iterator[Study]:
    """A study, and the study with each of its options at another value."""
    cls = studies.find(name)
    yield cls()
    hints = typing.get_type_hints(cls)
    for field in dataclasses.fields(cls):
        for value in _others(hints[field.name], field.default):
            yield cls(**{field.name: value})


def _others(hint: object, default: object) -> list[object]:
    choices = typing.get_args(hint)
    if typing.get_origin(hint) is typing.Literal:
        return [value for value in choices if value != default]
    if hint is bool:
        return [not default]
    kind = next((one for one in choices if one is not type(None)), hint)
    value = next(value for value in (7, 0.25, "other") if type(value) is kind)
    return [value, None] if type(None) in choices and default is not None else [value]


EVERY = [study for name in NAMES for study in variants(name)]


def command_of(name: str) -> click.Command:
    found = group.get_command(click.Context(group), name)
    assert isinstance(found, click.Command)
    return found


@pytest.fixture(scope="module")
def manual() -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in sorted(DOCS.glob("*.md")))


@pytest.mark.parametrize("name", NAMES)
def test_a_study_says_what_it_asks_and_where_it_comes_from(name: str) -> None:
    cls = studies.find(name)
    assert cls.name == name
    assert re.fullmatch(r"[a-z][a-z-]*[a-z]", name)
    assert name not in OURS or cls.__module__ == f"outscore.studies.{studies.families.get(name, name)}"
    assert cls.question.endswith("?")
    assert cls.question[0].isupper()
    assert cls.takes in typing.get_args(Takes)
    assert re.search(r"\b(19|20)\d\d\b", cls.citation), "a source has a year"
    doc = inspect.cleandoc(cls.__doc__ or "")
    assert "\nSource: " in doc
    source = doc.partition("\nSource: ")[2]
    assert re.search(r"\b(19|20)\d\d\b", source), "the source has a year"
    assert source.rstrip().endswith(".")
    assert cls.__dataclass_params__.frozen  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", OURS)
def test_every_source_has_an_entry_in_the_bibliography(name: str) -> None:
    for work in studies.find(name).citation.split("; "):
        if "lecture" in work:
            continue  # slides have no entry
        found = bibtex([work])
        assert "@" in found, f"{work!r} is in no entry of the bibliography"
        assert not found.startswith("%")


@pytest.mark.parametrize("name", NAMES)
def test_every_option_has_a_default_and_a_line_of_help(name: str) -> None:
    cls = studies.find(name)
    for field in options_of(cls):
        assert not is_required(field), f"{field.name} has no default"
    for one in declared(cls):
        assert re.search(r"\.$", one.said.help), one.said.help
        assert "\n" not in one.said.help + one.said.more
        assert len(one.said.help) <= BRIEF, f"{one.name}: {one.said.help}"
    assert [one.name for one in declared(cls)] == [field.name for field in options_of(cls)]
    assert len(options_of(cls)) == len(dataclasses.fields(cls)), "a study has no working data of its own"


@pytest.mark.parametrize("study", EVERY, ids=lambda study: study.label)
def test_the_name_of_a_study_makes_it_again(study: Study) -> None:
    assert studies.make(spell(study)) == study
    assert pickle.loads(pickle.dumps(study)) == study
    assert study.label == spell(study)


@pytest.mark.parametrize("name", NAMES)
def test_its_command_has_its_options_and_takes_its_example(name: str) -> None:
    cls, command = studies.find(name), command_of(name)
    flags = {flag for parameter in command.params for flag in parameter.opts}
    for field in options_of(cls):
        assert f"--{field.name.replace('_', '-')}" in flags
    names = [parameter.name for parameter in command.params]
    assert len(set(names)) == len(names), "an option of the study is called like one of the command"
    assert {"--resume", "--dask", "--jobs", "--seed", "--plot", "--output"} <= flags
    assert ("--groups" in flags) == (cls.takes != "nothing")
    words = shlex.split(cls.example)
    assert words[:3] == ["outscore", "study", name]
    with command.make_context(name, words[3:]) as parsed:
        assert (not parsed.params.get("files")) == (cls.takes == "nothing")


@pytest.mark.parametrize("name", NAMES)
def test_the_manual_names_every_study_and_its_help_every_option(name: str, manual: str) -> None:
    assert f"outscore study {name}" in manual, f"no page shows how {name} is run"
    said = {parameter.name: getattr(parameter, "help", None) for parameter in command_of(name).params}
    for field in options_of(studies.find(name)):
        assert said[field.name], f"{field.name} of {name} is not explained"


@pytest.mark.parametrize("name", NOTHING)
def test_cells_are_told_apart_by_plain_values(name: str) -> None:
    try:
        grid = studies.find(name)().grid(Material())
    except outscore.UsageError:
        return  # it needs an option to begin with
    plain = [json.dumps(spec, sort_keys=True, allow_nan=False) for spec in grid]
    assert plain
    assert len(set(plain)) == len(plain)
    assert [json.loads(json.dumps(spec)) for spec in grid] == grid, "JSON gives back other values"
    assert studies.find(name)().grid(Material()) == grid


LONG = ("sample-size",)


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n in LONG else ()) for n in NAMES if n not in NOTHING]
)
def test_a_study_of_systems_is_made_or_refuses_in_a_line(name: str) -> None:
    data = {system: [float((i * k) % 7) for i in range(24)] for k, system in enumerate("abc", 2)}
    for systems in (data, {"a": data["a"]}):
        try:
            found = outscore.study(name, systems, n_resamples=40, jobs=1)
        except outscore.UsageError as error:
            assert "\n" not in str(error)
            continue
        assert found.command == "study"
        assert type(found).from_json(found.to_json()).to_json() == found.to_json()
        assert found.to("terminal:columns=80")
        for figure in found.figures:
            assert picture(found, figure=figure.name)["title"]["text"]


def test_studies_are_listed_without_what_they_work_with() -> None:
    """The list and the help of all studies need no arrays and no work of any of them."""
    code = """
import contextlib, sys
from outscore.cli.main import main
from outscore.studies import studies

for words in [["study"], *(["study", name, "--help"] for name in studies.names())]:
    with contextlib.suppress(SystemExit):
        main(words)
print([m for m in sys.modules if m in ("numpy", "scipy") or m.startswith("outscore.studies.")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    found = set(ast.literal_eval(done.stdout.splitlines()[-1]))
    folders = {f"outscore.studies.{path.parent.name}" for path in FOLDER.glob("*/__init__.py")}
    assert found <= {*folders, "outscore.studies.shared.study"}
