"""A message names options as its reader types them: flags on the command line, arguments in Python."""

from __future__ import annotations

from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import click
import pytest

import outscore
from outscore.base.errors import ARGUMENTS, SWITCHES, InputError, UsageError, flags, spell
from outscore.cli.main import COMMANDS, group
from tests.cli import commandline


@pytest.mark.parametrize(
    ("message", "in_python"),
    [
        ("leave them out with --missing drop", 'leave them out with missing="drop"'),
        ("with --missing pairwise: give a number", 'with missing="pairwise": give a number'),
        ("name clusters: --cluster COLUMN", "name clusters: cluster=COLUMN"),
        ("tell these apart: -c item=item+NAME", 'tell these apart: columns=["item=item+NAME"]'),
        ("use -m mean for other scales", 'use metrics="mean" for other scales'),
        ("-m 'mean:column=a b'; -m x", "metrics='mean:column=a b'; metrics=\"x\""),
        ("--baseline 'c' is none of them", "baseline='c' is none of them"),
        ("add -r GOLD_FILE, in Python references=, or", "add references=GOLD_FILE, or"),
        ("Add --lower (in Python lower=True) if it is", "Add lower=True if it is"),
        ("use fewer --jobs, or --correct holm.", 'use fewer jobs=, or correction="holm".'),
        ("--margin in per cent; -n/--resamples 999", "margin= in per cent; n_resamples=999"),
        (
            "type outscore compare --test t -m x; or `rank --elo`",
            "type outscore compare --test t -m x; or `rank --elo`",
        ),
        ("give what --to_json wrote, a-m b --", "give what --to_json wrote, a-m b --"),
    ],
)
def test_a_message_names_arguments_in_python_and_flags_in_a_command(message: str, in_python: str) -> None:
    assert spell(message) == str(UsageError(message)) == in_python
    with flags():
        assert spell(message) == str(UsageError(message)) == message
    assert spell(message) == in_python


def test_threads_of_a_command_name_flags_too() -> None:
    with ThreadPoolExecutor(1) as pool, flags():
        assert pool.submit(spell, "use --missing drop").result() == "use --missing drop"
        with flags():
            pass
        assert spell("use --missing drop") == "use --missing drop", "until the outermost has ended"
    assert spell("use --missing drop") == 'use missing="drop"'


def test_the_same_fault_is_mended_in_each_language(tmp_path: Path) -> None:
    file = tmp_path / "s.csv"
    file.write_text("system,item,score\na,1,1\na,2,0\nb,1,1\n", encoding="utf-8")
    with pytest.raises(InputError) as error:
        outscore.compare(outscore.read(str(file)))
    done = commandline.outscore("compare", str(file))
    assert done.code == 3
    assert 'missing="drop"' in str(error.value) and "--" not in str(error.value)
    assert "--missing drop" in done.err and "missing=" not in done.err
    with pytest.raises(InputError):  # nor does a command change how Python is spoken to afterwards
        outscore.compare(outscore.read(str(file)))
    assert "--" not in str(error.value)


def test_flags_are_spelled_as_the_arguments_that_commands_hand_on() -> None:
    """Where one flag means one argument everywhere; a few are called otherwise in a command of their own."""
    arguments, switches = defaultdict[str, set[str]](set), defaultdict[str, set[bool]](set)
    for name in COMMANDS:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        for option in command.params:
            if isinstance(option, click.Option) and option.name:
                for flag in option.opts:
                    arguments[flag].add(option.name.removesuffix("_"))
                    switches[flag].add(option.is_flag)
    ours = {
        flag: ARGUMENTS.get(flag, flag.lstrip("-").replace("-", "_")) for flag in arguments if flag.startswith("--")
    }
    ours |= {flag: name for flag, name in ARGUMENTS.items() if flag in arguments}
    assert {flag: names for flag, names in arguments.items() if flag in ours and ours[flag] not in names} == {}
    assert {flag for flag, kinds in switches.items() if kinds == {True} and len(flag) > 2} - {"--quiet"} == SWITCHES
