"""Options are declared once: what a verb declares is what its function, its command and its help have."""

from __future__ import annotations

import dataclasses
import inspect
import math
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import click
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.cli.command import VerbCommand
from outscore.cli.main import COMMANDS, find_command
from outscore.cli.typed import BRIEF, DeclaredClickOption
from outscore.verbs import VERBS, verbs_of_others
from outscore.verbs.declared import GROUPS, Option, Options, declared, find_verb, verb
from tests.cli import commandline

FUNCTIONS = {"power": "plan"}
"""Those that are not called like their command."""


def _function(command: str) -> Any:
    if command not in VERBS:
        cls: Any = find_verb(command)
        return verb(cls, command)
    return getattr(outscore, FUNCTIONS.get(command, command))


@pytest.fixture(params=[*VERBS, *verbs_of_others()])
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_field_of_a_verb_is_an_option_with_words(name: str) -> None:
    cls = find_verb(name)
    fields = [field.name for field in dataclasses.fields(cls)]
    options = declared(cls)
    assert [one.name for one in options] == fields
    for one in options:
        assert one.said.help.endswith("."), f"{one.name}: {one.said.help}"
        assert one.group in GROUPS


def test_a_verb_says_in_a_line_what_it_answers(name: str) -> None:
    """In a docstring of its own; that which a dataclass gets otherwise is its signature."""
    cls = find_verb(name)
    said = (cls.__doc__ or "").partition("\n")[0]
    assert not said.startswith(f"{cls.__name__}(")
    assert len(said.split()) >= 4
    assert re.search(r"[.?]$", said), said


def test_function_and_command_have_the_options_of_the_verb(name: str) -> None:
    options = declared(find_verb(name))
    keywords = [
        one.name
        for one in inspect.signature(_function(name)).parameters.values()
        if one.kind is inspect.Parameter.KEYWORD_ONLY
    ]
    assert sorted(keywords) == sorted(one.name for one in options if one.said.only != "command")
    made = {one.declared.name for one in find_command(name).params if isinstance(one, DeclaredClickOption)}
    assert {one.name for one in options if one.said.only != "python"} <= made
    for one in options:
        assert f"    {one.name}: " in (_function(name).__doc__ or "")


def test_defaults_are_those_of_the_verb_in_both_worlds(name: str) -> None:
    cls = find_verb(name)
    fields = {field.name: field.default for field in dataclasses.fields(cls)}
    for one in inspect.signature(_function(name)).parameters.values():
        if one.kind is inspect.Parameter.KEYWORD_ONLY:
            required = fields[one.name] is dataclasses.MISSING
            assert one.default == (inspect.Parameter.empty if required else fields[one.name])
    of_both = {one.name for one in declared(cls) if not one.said.only}
    for parameter in find_command(name).params:
        if isinstance(parameter, DeclaredClickOption) and parameter.declared.name in of_both and not parameter.multiple:
            default = fields[parameter.declared.name]
            assert parameter.required == (default is dataclasses.MISSING)
            assert parameter.required or parameter.get_default(click.Context(find_command(name))) == default


@pytest.mark.parametrize("columns", [80, 90, 100])
def test_the_help_of_a_command_fits_a_screen(name: str, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = commandline.outscore(name, "--help").out.splitlines()
    assert len(lines) <= 45
    assert sum(line.startswith(f"  outscore {name} ") for line in lines) == 3, "three examples"
    assert any("--help-all has every option" in line for line in lines)


def test_all_options_are_in_the_whole_help(name: str) -> None:
    whole = commandline.outscore(name, "--help-all")
    assert whole.code == 0
    assert whole.out == commandline.outscore(name, "--help", "-v").out
    assert len(whole.out.splitlines()) >= len(commandline.outscore(name, "--help").out.splitlines())


def test_an_option_of_the_short_help_has_one_line(name: str) -> None:
    for parameter in find_command(name).params:
        if isinstance(parameter, DeclaredClickOption) and not parameter.declared.said.rare:
            assert len(parameter.text(whole=False)) <= BRIEF, parameter.text(whole=False)


def test_the_whole_help_has_every_option_and_every_example(name: str) -> None:
    text = commandline.outscore(name, "--help", "-v").out
    command = find_command(name)
    assert isinstance(command, VerbCommand)
    assert all(max(one.opts, key=len) in text for one in command.params if isinstance(one, click.Option))
    assert all(example in text for example in find_verb(name).examples)


def test_the_help_of_all_commands_names_it(name: str) -> None:
    assert re.search(rf"^  {name} ", commandline.outscore("--help").out, flags=re.MULTILINE)


def test_an_unknown_keyword_is_refused_with_the_nearest_one(name: str) -> None:
    for error in (UsageError, TypeError):
        with pytest.raises(error, match="has no option 'alhpa'; did you mean 'alpha'"):
            _function(name)({}, alhpa=0.1)


@pytest.mark.parametrize("edge", [-1, -0.5, -math.inf, math.nan])
def test_a_number_below_the_least_is_refused_whole_or_not(edge: float) -> None:
    field = Annotated[float, Option("Wins by no more are ties.", metavar="NUMBER", least=0)]
    made = dataclasses.make_dataclass("made", [("edge", field)], bases=(Options,), frozen=True, kw_only=True)
    assert made(edge=0.5).edge == 0.5
    with pytest.raises(UsageError, match=rf"edge={edge}: expected 0 or more"):
        made(edge=edge)


def test_a_word_that_an_option_may_not_be_is_refused_with_the_one_that_was_meant() -> None:
    data = {"a": [0.0, 1.0, 0.5], "b": [1.0, 1.0, 0.5]}
    with pytest.raises(UsageError, match=r"alternative='larger': expected one of .* did you mean 'greater'"):
        outscore.compare(data, alternative="larger")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="engine='cylic': expected one of cyclic, iid; did you mean 'cyclic'"):
        outscore.compare(data, engine="cylic")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="seed=-1: expected 0 or more"):
        outscore.compare(data, seed=-1)
    done = commandline.outscore("compare", "a", "b", "--alternative", "larger")
    assert (done.code, "did you mean 'greater'" in done.err) == (2, True)


def test_the_data_can_be_named_and_must_be_given() -> None:
    scores = {"a": [0.0, 1.0, 0.5], "b": [1.0, 1.0, 0.5]}
    assert outscore.compare(data=scores) == outscore.compare(scores)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r"compare\(\): missing a required argument: 'data'"):
        outscore.compare()  # type: ignore[call-arg]


def test_a_verb_is_declared_without_what_it_needs_to_work(name: str) -> None:
    if name not in VERBS:
        pytest.skip("how another package is divided is its own affair")
    module, _ = VERBS[name]
    code = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=commandline.environment(), capture_output=True, encoding="utf-8", check=True
    )
    assert not {"numpy", "scipy", "click"} & set(done.stdout.split())
    assert f"{module}.run" not in done.stdout.split()


def test_every_verb_is_a_command_and_has_its_work() -> None:
    assert set(VERBS) <= set(COMMANDS)
    for module, _ in VERBS.values():
        assert import_module(f"{module}.run").__doc__


def test_variables_of_the_environment_set_options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One for each option, called like the command and the option."""
    monkeypatch.setenv("OUTSCORE_COMPARE_SEED", "7")
    monkeypatch.setenv("OUTSCORE_COMPARE_MARGINS", "0.5")
    monkeypatch.setenv("OUTSCORE_COMPARE_N_RESAMPLES", "100")
    done = commandline.outscore("compare", *commandline.numbers(tmp_path), "-f", "json")
    assert '"seed": 7' in done.out
    assert '"n_resamples": 100' in done.out
    assert '"margin": 0.5' in done.out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["rank", "a", "b", "--margin", "1"], r"No such option '--margin': `outscore compare`.* it"),
        (["power", "a", "b", "--interval", "t"], r"No such option '--interval': `outscore compare`.* it"),
        (["compare", "a", "b", "--elo"], r"No such option '--elo': `outscore rank` has it"),
        (["compare", "a", "b", "--alhpa", "1"], "--alpha"),
    ],
)
def test_an_option_of_another_command_is_said_to_be_one(arguments: list[str], says: str) -> None:
    done = commandline.outscore(*arguments)
    assert done.code == 2
    assert re.search(says, done.complaint), done.err
