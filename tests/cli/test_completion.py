"""What a shell completes, as click asks for it; and that its scripts ask the right program."""

from __future__ import annotations

import gzip
from pathlib import Path

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


SCORES = str(Path(__file__).parents[2] / "examples" / "scores.csv")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--cluster", "doc"], ["document"]),
        (["-c", "item=it"], ["item=item"]),
        (["-c", "item", "=", "it"], ["item"]),  # bash ends words at =
        (["-c", "item", "=", ""], ["system", "item", "score", "document", "domain"]),
        (["-m", "accuracy,scor"], ["accuracy,score"]),
        (["--by", "dom"], ["domain"]),
        (["new", "=", ""], ["file"]),
    ],
)
def test_a_shell_is_offered_columns_of_the_tables_that_were_typed(words: list[str], expected: list[str]) -> None:
    assert offered("compare", SCORES, *words) == expected
    assert offered("compare", f"base={SCORES}#small", *words) == expected


def test_columns_come_from_tables_of_every_kind(tmp_path: Path) -> None:
    texts = {
        "a.tsv": "item\tthe score\tgerman\n",
        "b.jsonl": '{"item": 1, "german": 2}\n',
        "c.csv.gz": "item;german\n1;2\n",
        "broken.jsonl": "{",
        "broken.csv.gz": "",
        "other.txt": "item,german\n",
    }
    for name, text in texts.items():
        file = tmp_path / name
        file.write_bytes(gzip.compress(text.encode()) if name == "c.csv.gz" else text.encode() or b"no gzip")
        known = name[0] in "abc" and "broken" not in name
        assert offered("compare", str(file), "--cluster", "ge") == (["german"] if known else [])
    assert offered("compare", str(tmp_path / "a.tsv"), "--cluster", "the") == []
    assert offered("compare", str(tmp_path), str(tmp_path / "none.csv"), "--cluster", "") == []


@pytest.mark.parametrize("shell", [BashComplete, ZshComplete, FishComplete])
def test_each_shell_has_a_script(shell: type[BashComplete | ZshComplete | FishComplete]) -> None:
    text = shell(group, {}, "outscore", "_OUTSCORE_COMPLETE").source()
    assert "_OUTSCORE_COMPLETE" in text and "outscore" in text
