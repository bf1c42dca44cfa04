"""What a shell completes, as click asks for it; and that its scripts ask the right program."""

from __future__ import annotations

import pytest
from click.shell_completion import BashComplete, FishComplete, ZshComplete

from outscore.cli.main import group


def offered(*words: str) -> list[str]:
    """What is offered for the last word; files are called so."""
    asked = BashComplete(group, {}, "outscore", "_OUTSCORE_COMPLETE")
    found = asked.get_completions(list(words[:-1]), words[-1])
    return [one.value if one.type == "plain" else one.type for one in found]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["comp"], ["compare"]),
        (["compare", "--fail"], ["--fail-unless"]),
        (["compare", "--fail-unless", "b"], ["better"]),
        (["compare", "--alternative", ""], ["two-sided", "greater", "less"]),
        (["compare", "-m", "chr"], ["chrf"]),
        (["score", "--metric", "bleu,chr"], ["bleu,chrf"]),
        (["compare", "--test", "mcn"], ["mcnemar"]),
        (["compare", "--interval", "wils"], ["wilson"]),
        (["compare", "--correct", "bonf"], ["bonferroni"]),
        (["compare", "-f", "jun"], ["junit"]),
        (["compare", "--reader", "trec"], ["trec", "trec-eval"]),
        (["agree", "-k", "coh"], ["cohen"]),
        (["list", "met"], ["metrics"]),
        (["list", "metrics", "chr"], ["chrf"]),
        (["list", "no such", "chr"], []),
        (["compare", "ba"], ["file"]),
        (["compare", "-r", "ref"], ["file"]),
        (["compare", "--seed", "1"], []),
        (["study", "cali"], ["calibration"]),
    ],
)
def test_a_shell_is_offered_what_can_be_typed(words: list[str], expected: list[str]) -> None:
    assert offered(*words) == expected


@pytest.mark.parametrize("shell", [BashComplete, ZshComplete, FishComplete])
def test_each_shell_has_a_script(shell: type[BashComplete | ZshComplete | FishComplete]) -> None:
    text = shell(group, {}, "outscore", "_OUTSCORE_COMPLETE").source()
    assert "_OUTSCORE_COMPLETE" in text and "outscore" in text
