"""Every reason that a recheck can give has words, in the report and in the manual."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import get_args

from outscore.data.printed.records import Quantity
from outscore.report import screen_of, tables_of
from outscore.results.recheck import WORDS, Reason, Recheck, Rechecked
from outscore.results.result import Provenance
from tests.report.builders import check_golden

ROOT = Path(__file__).parents[2]
RULES = ("scores", "interval", "bootstrap", "randomization", "multeval")
CODES = {
    code
    for file in (ROOT / "src" / "outscore" / "verbs" / "recheck").glob("*.py")
    for code in re.findall(r'code="(\w+)"', file.read_text(encoding="utf-8"))
} - {"matched_by_order"}


def recheck(*reasons: Reason) -> Recheck:
    """One p-value with these reasons."""
    one = Rechecked(
        system="<new>|", printed_system="new", metric="bleu", printed_metric="BLEU", quantity="p", printed=0.01,
        text="0.0100", remade=0.00999, outcome="same", ours=0.02, reasons=reasons,
    )  # fmt: skip
    where = Provenance(
        version="1", libraries={"sacrebleu": "2.6.0"}, n_resamples=1000, test="auto", correction="holm", inputs=(),
        n_items_read=10, dropped={}, cluster=None, n_clusters=None,
    )  # fmt: skip
    return Recheck(
        seed=1, alpha=0.05, tool="sacrebleu", layout="JSON", procedure="bootstrap", resamples=1000,
        resamples_from="default", seed_of_tool=12345, numbers=(one,), provenance=where,
    )  # fmt: skip


def test_every_reason_has_words_and_is_in_the_manual() -> None:
    assert len(CODES) > 20
    assert CODES - {f"same_{quantity}" for quantity in get_args(Quantity)} <= set(WORDS)
    manual = (ROOT / "docs" / "recheck.md").read_text(encoding="utf-8")
    assert not [code for code in WORDS if f"`{code}`" not in manual]


def test_reasons_are_told_in_their_order_with_their_numbers() -> None:
    drawn = {"rest": 0.002, "resamples": 1000, "ours": None}
    said = " ".join(
        recheck(Reason(code="one_tail", values={"both": 0.0184}), Reason(code="drawing", values=drawn))
        .to("markdown")
        .split()
    )
    assert said.index("p = .018") < said.index("What is left, 0.0020, is within chance (1000 of its draws, ours exact)")


def test_rules_and_reasons_are_worded_as_they_were() -> None:
    given: dict[str, float | int | str | None] = {
        "method": "BCa interval", "metric": "bleu|case:lc", "null": "the outputs are alike", "question": "do they?",
        "test": "randomization", "theirs": "2.3.1", "ours": "2.6.0", "cluster": "document", "by": "0.31 and 0.17",
        "alpha": 0.05, "both": 0.0184, "counted": 0.0213, "valid": 0.0317, "p": 0.0413, "least": 0.001, "low": 46.06,
        "high": 56.91, "bias": -0.1244, "rest": 0.0022, "resamples": 999, "seed": 13, "runs": 3, "correction": "holm",
        "family": 4,
    }  # fmt: skip
    said = [f"{code}: {tables_of(recheck(Reason(code=code, values=given)))[-1].rows[0][-1].text}" for code in WORDS]
    rules = (screen_of(replace(recheck(), procedure=rule)).method[0] for rule in RULES)
    check_golden("../kinds/recheck_words.txt", "\n".join([*said, *rules, ""]))


def test_a_reason_of_a_later_version_is_shown_by_its_code() -> None:
    full = "terminal:detail=full"
    assert "(of_tomorrow)" in recheck(Reason(code="of_tomorrow")).to(full)
    assert "(one_tail)" in recheck(Reason(code="one_tail")).to(full), "its numbers are missing"


def test_the_first_screen_says_why_only_where_numbers_or_conclusions_differ() -> None:
    same = recheck(Reason(code="one_tail", values={"both": 0.0184}))
    assert [table.title for table in screen_of(same).first] == ["What sacrebleu printed, made again"]
    assert "outscore draws the same conclusion from the p-value at alpha 0.05." in same.sentence
    values: dict[str, float | int | str | None] = {
        "alpha": 0.05, "theirs": "significant", "p": 0.067, "correction": "holm", "family": 4,
    }  # fmt: skip
    decided = recheck(Reason(code="decision", values=values))
    other = replace(same, numbers=(replace(same.numbers[0], outcome="differs", remade=0.3),))
    for result in (decided, other):
        assert screen_of(result).first[1].title == "What is not the same, and why"
    assert "outscore concludes otherwise on 1 of 1 p-value at alpha 0.05." in decided.sentence
    assert "with p = .067 after the correction (Holm, over 4" in " ".join(decided.to("terminal").split())


def test_a_stronger_claim_that_does_not_hold_is_said() -> None:
    """Printed .0100, here .020: significant by both, and .01 only as printed."""
    bold, held = recheck(), replace(recheck(), numbers=(replace(recheck().numbers[0], ours=0.009),))
    said = "The stronger claim, p ≤ 0.01, is borne out for 0 of 1 p-value."
    assert said in bold.sentence
    for result in (held, replace(bold, alpha=0.01), replace(bold, numbers=(replace(bold.numbers[0], printed=0.04),))):
        assert "stronger claim" not in result.sentence


def test_half_widths_at_another_level_than_the_printed_ones_say_so() -> None:
    half = replace(recheck(), numbers=(replace(recheck().numbers[0], quantity="half_width"),))
    for alpha, label in ((0.05, "± 95%"), (0.001, "± 95%, outscore's 99.9%")):
        for table in tables_of(replace(half, alpha=alpha)):
            assert [row[0].text for row in table.rows] == [label]


def test_numbers_have_the_digits_that_were_printed() -> None:
    one = recheck().numbers[0]
    score = replace(one, quantity="score", text="51.48", printed=51.48, remade=51.476, ours=52.1)
    long = replace(score, text="51.4800000001", printed=51.4800000001)
    shown = [
        [cell.text for cell in row[1:]] for row in tables_of(replace(recheck(), numbers=(one, score, long)))[0].rows
    ]
    assert shown[0] == ["0.0100", "0.0100", "same", ".020"]
    assert shown[1] == shown[2] == ["51.48", "51.48", "same", "52.10"]


def test_names_from_outside_are_escaped() -> None:
    found = recheck(Reason(code="found_options", values={"metric": "<u>\x1b[31m"}))
    assert "<u>" not in found.to("html").split("<body", 1)[1].replace("\\u003c", "")
    assert "\x1b" not in found.to("terminal") + found.to("markdown") + found.to("latex")
    assert replace(found, numbers=()).count("same") == 0
