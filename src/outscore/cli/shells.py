"""Completion where click's falls short: behind ``--option=`` and ``name=``, and of words with commas in fish."""

from __future__ import annotations

from typing import Any

from click.shell_completion import BashComplete, CompletionItem, FishComplete, ZshComplete, add_completion_class

_FISH = """set -l before (string match -r '^.*=' -- (commandline -t); or echo)
            __fish_complete_path (string replace -r '^.*=' '' -- $metadata[2]) | string replace -r '^' -- "$before";"""


@add_completion_class
class Bash(BashComplete):
    """Bash ends a word at =, so that it stands between an option and its value."""

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[Any]]:
        if args[-1:] == ["="] and args[-2].startswith("--"):
            args = args[:-1]
        return super().get_completions(args, incomplete)


@add_completion_class
class Zsh(ZshComplete):
    """Zsh puts what it gets in the place of the whole word."""

    source_template = ZshComplete.source_template.replace("_path_files -f", "compset -P '*='; _path_files -f")

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[Any]]:
        return _whole(super().get_completions(args, incomplete), incomplete)


@add_completion_class
class Fish(FishComplete):
    """Fish keeps to what begins like the whole word; click's script cuts it at the first comma, descriptions too."""

    source_template = FishComplete.source_template.replace('split ","', 'split -m 1 ","').replace(
        "__fish_complete_path $metadata[2];", _FISH
    )

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[Any]]:
        return _whole(super().get_completions(args, incomplete), incomplete)


def _whole(found: list[CompletionItem[Any]], word: str) -> list[CompletionItem[Any]]:
    """The same with the option before its value, which click cuts off."""
    option, equals, _ = word.partition("=")
    if equals and option.startswith("--"):
        for item in found:
            item.value = item.value if item.type == "file" else f"{option}={item.value}"
    return found
