"""The methods of a paper: a paragraph of sentences, and citations with their BibTeX; names stay text."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

import outscore
from tests.report.builders import HOSTILE, hostile, several_runs, two_systems
from tests.report.kinds import KINDS

ADVICE = re.compile(r"(?<!-)--\w|\boutscore (?:compare|rank|show|power|advise)\b|FILE|NAME=")


def paragraph(text: str) -> str:
    return text.partition("\n\n")[0]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.startswith("advised")])
def test_it_is_one_paragraph_of_sentences_without_advice(kind: str) -> None:
    result = KINDS[kind]()
    said = paragraph(result.to("methods:plain=true"))
    assert "\n" not in said
    assert said.endswith(f"|seed:{result.seed}|version:{result.provenance.version}.") or result.changed_options == ()
    assert not ADVICE.search(said)
    assert all(sentence[:1] not in " ,;" for sentence in said.split(". "))


def test_a_comparison_says_test_null_resamples_correction_intervals_and_signature() -> None:
    scores = {name: [math.sin(i * step) for i in range(80)] for name, step in {"base": 1, "new": 2, "old": 3}.items()}
    made = outscore.compare(scores, test="bootstrap", n_resamples=500, seed=7, correction="holm")
    said = paragraph(made.to("methods:plain=true"))
    for part in (
        "We compared new and old with the baseline base by mean on 80 items.",
        f"tested by paired bootstrap, two-sided with {made.pairs[0].n_resamples} resamples, at a level of 0.05.",
        f"The null hypothesis is that {made.pairs[0].null}.",
        "p-values of the 2 tests are corrected by Holm.",
        f"intervals of gains ({made.pairs[0].ci_method}) are simultaneous",
        f"Computed with outscore {outscore.__version__} on numpy",
        "Signature: compare|test:bootstrap|n_resamples:500|correction:holm|seed:7|version:",
    ):
        assert part in said


def test_intervals_are_spelled_as_in_papers() -> None:
    data = {"a": [math.sin(i) for i in range(80)], "b": [math.sin(2 * i) for i in range(80)]}
    for made in (outscore.compare(data, test="bootstrap", interval="bca"), outscore.score(data, interval="bca")):
        for text in (made.to("methods"), made.to("markdown")):
            assert "BCa bootstrap interval" in text
            assert "bca bootstrap" not in text
        assert made.scores[0].ci_method == "bca bootstrap interval"


def test_signatures_may_be_broken_by_tex() -> None:
    said = paragraph(two_systems().to("methods"))
    bars = re.findall(r"\\textbar\{\}(\\allowbreak\{\})?", said)
    assert bars
    assert all(bars)


def test_every_work_that_is_cited_has_its_entry() -> None:
    made = several_runs()
    cites = ("Post 2018, A Call", "Holm 1979", "Nobody 1900")
    made = replace(made, provenance=replace(made.provenance, citations=cites))
    text = made.to("methods")
    (keys,) = re.findall(r"\\cite\{([^}]*)\}", text)
    assert set(re.findall(r"^@\w+\{([^,]+),", text, re.M)) == set(keys.split(","))
    assert {"outscore", "post-2018", "holm-1979"} <= set(keys.split(","))
    assert "% Nobody 1900" in text
    assert "(sources: Post 2018, A Call; Holm 1979; Nobody 1900)" in made.to("methods:plain=true")


def test_what_limits_a_claim_is_a_comment_in_tex() -> None:
    made = several_runs()
    limits = [note.text for note in made.notes if note.rank != "record"]
    text = made.to("methods")
    assert limits
    for note in limits:
        (line,) = [line for line in text.splitlines() if note in line]
        assert line.startswith("% To know: ")


def test_names_stay_text() -> None:
    text = paragraph(hostile(list(HOSTILE)).to("methods"))
    assert r"\input{x}" not in text
    assert r"50\% \& \$10 \#1" in text
    bare = re.sub(r"\\[\\{}$%&#_]", "", text)
    assert bare.count("{") == bare.count("}")
    assert "\x1b" not in hostile(list(HOSTILE)).to("methods:plain=true")


def test_one_pair_is_not_corrected() -> None:
    text = two_systems().to("methods:plain=true")
    assert "p-values of" not in text and "The gain has a 95% interval (" in text
