"""``--show-words``: words and n-grams that one system has right more often, with corrected p and intervals."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import outscore
from outscore import UsageError
from outscore.results.comparison import Comparison
from tests.laws.support import ALPHA, most, repeated

REFERENCES = [f"the {'cat' if i % 2 else 'dog'} sat on mat {i % 5}" for i in range(40)]


def without(word: str) -> list[str]:
    return [text.replace(word, "thing") for text in REFERENCES]


def compared(systems: dict[str, Any], references: Any = REFERENCES, **how: Any) -> Comparison:
    asked: dict[str, Any] = {"words": 50, "n_resamples": 999, "metrics": "bleu"} | how
    return outscore.compare(systems, references=references, **asked)


def test_the_word_that_a_system_lacks_is_found_with_its_counts() -> None:
    (found,) = compared({"base": without("cat"), "new": REFERENCES}).words
    by_words = {one.words: one for one in found.words}
    cat = by_words["cat"]
    assert (cat.n_references, cat.baseline_right, cat.system_right, cat.gain) == (20, 0, 20, 1)
    assert cat.p_adjusted == 1 / 1000
    assert {"cat", "the cat", "cat sat", "the cat sat", "cat sat on mat"} <= by_words.keys()
    assert "dog" not in by_words  # on which systems never differ
    assert (found.n_better, found.n_worse) == (found.n_tested, 0)
    (back,) = compared({"base": REFERENCES, "new": without("cat")}).words
    assert (back.n_better, back.n_worse) == (0, found.n_tested)


def test_a_word_counts_no_more_often_than_a_reference_has_it() -> None:
    more = [text.replace("cat", "cat cat cat") for text in REFERENCES]
    (found,) = compared({"base": without("cat"), "new": more}).words
    assert next(one.system_right for one in found.words if one.words == "cat") == 20
    second = [text.replace("cat", "cat and cat") for text in REFERENCES]
    (found,) = compared({"base": without("cat"), "new": more}, references=[REFERENCES, second]).words
    assert next(one.system_right for one in found.words if one.words == "cat") == 40


def test_runs_are_averaged_and_clusters_flip_as_a_whole() -> None:
    systems = {"base": [without("cat"), without("cat")], "new": [REFERENCES, without("cat")]}
    (found,) = compared(systems).words
    assert next(one.system_right for one in found.words if one.words == "cat") == 10
    items = {"document": [f"d{i // 8}" for i in range(40)]}
    (few,) = compared({"base": without("cat"), "new": REFERENCES}, items=items, cluster="document").words
    assert few.n_tested == 0  # five documents cannot reach a level of .05


def test_intervals_of_words_reach_by_the_same_number_of_standard_errors_to_either_side() -> None:
    less = [text if i % 3 else text.replace("sat", "was") for i, text in enumerate(without("cat"))]
    (found,) = compared({"base": less, "new": REFERENCES}).words
    reach = []
    for one in found.words:
        lost = one.system_right - one.baseline_right  # an item has each of these words once
        error = np.sqrt(lost) / one.n_references  # that of p: under the null hypothesis
        assert one.ci is not None
        reach.append((one.gain - one.ci[0]) / error)
    assert len({round(one.gain, 3) for one in found.words}) == 2
    np.testing.assert_allclose(reach, reach[0])
    assert reach[0] > 1.96


def test_a_word_that_is_gained_everywhere_may_be_lost_elsewhere() -> None:
    (found,) = compared({"base": without("sat"), "new": REFERENCES}).words
    low, high = next(one.ci for one in found.words if one.words == "sat")
    assert 0 < low < high == 1


@pytest.mark.parametrize(("alpha", "n_resamples"), [(0.05, 199), (0.05, 210), (0.3, 99), (0.004, 99)])
def test_an_interval_leaves_out_0_where_p_is_at_most_alpha_and_nowhere_else(alpha: float, n_resamples: int) -> None:
    rng, sides, without_0 = np.random.default_rng(4), [], []
    for _ in range(12):
        sentences = [rng.choice(12, 6, p=np.arange(12, 0, -1) / 78) for _ in range(40)]
        right = np.full(12, 0.7), np.array([0.9, 0.95, 0.5, *[0.7] * 9])
        plain, *texts = (
            [" ".join(f"w{w}" if rng.random() < rates[w] else "x" for w in one) for one in sentences]
            for rates in (np.ones(12), *right)
        )
        (found,) = compared(
            {"a": texts[0], "b": texts[1]}, references=plain, n_resamples=n_resamples, alpha=alpha, test="bootstrap",
            interval="jackknife",
        ).words  # fmt: skip
        sides += [one.p_adjusted <= alpha for one in found.words]
        without_0 += [not one.ci[0] <= 0 <= one.ci[1] for one in found.words]
    assert sides == without_0
    assert any(sides) == (alpha * (n_resamples + 1) >= 1)


def test_what_is_told_and_kept() -> None:
    found = compared({"base": without("cat"), "new": REFERENCES}, words=2)
    said = " ".join(str(found).split())
    first, second = (one.words for one in found.words[0].words)
    named = f'("{first}", "{second}" ...)'
    assert f"{found.words[0].n_better} right more often than base {named}, and 0 less often." in said
    assert "Words that one system has right more often" in said
    assert len(found.words[0].words) == 2
    assert outscore.Comparison.from_json(found.to("json")) == found
    assert "words" not in json.loads(compared({"base": without("cat"), "new": REFERENCES}, words=0).to("json"))
    for format in ("markdown", "html"):
        assert "cat sat" in found.to(format)
    same = compared({"base": REFERENCES, "new": REFERENCES})
    assert (same.words[0].n_tested, same.words[0].words) == (0, ())
    assert str(same)


def test_of_many_pairs_one_sentence_says_how_many_differ() -> None:
    systems = {"base": without("cat"), **{f"new {k}": REFERENCES for k in range(3)}}
    said = " ".join(str(compared(systems)).split())
    assert said.count("n-grams new") == 3
    made = compared({**systems, "same": without("cat")})
    (found, *_) = made.words
    assert "n-grams new" not in str(made)
    assert (
        f"3 of 4 pairs differ in how often they have n-grams right, most of all new 0 and base ({found.n_better} of "
        f"{found.n_tested} n-grams)."
    ) in " ".join(made.to("terminal:columns=1000").split())
    none = compared({f"same {k}": REFERENCES for k in range(5)}).to("terminal:columns=1000")
    assert "0 of 4 pairs differ in how often they have n-grams right." in none


def test_words_of_both_sides_are_kept_and_named() -> None:
    made = compared({"base": without("cat"), "new": without("dog")}, words=3)
    (found,) = made.words
    assert [one.gain > 0 for one in found.words].count(True) == 2 and found.n_better > 2 < found.n_worse
    for side, where in ((True, "right more often than base ("), (False, "less often (")):
        first = next(one.words for one in found.words if (one.gain > 0) is side)
        assert f'{where}"{first}"' in " ".join(str(made).split())


@pytest.mark.parametrize("flips", [0, 5])
def test_as_many_words_as_were_asked_for_stand_on_the_first_screen(flips: int) -> None:
    rng = np.random.default_rng(4)
    gold = [" ".join(rng.choice([*"abcdefgh"], 30)) for _ in range(60)]
    base, new = ([" ".join(w if rng.random() < p else "z" for w in text.split()) for text in gold] for p in (0.6, 0.7))
    made = compared({"last": base, "now": new}, references=gold, words=5, flips=flips)
    lines = made.to("terminal:columns=80").splitlines()
    assert len(lines) <= 40
    at = next(i for i, line in enumerate(lines) if line.split()[:4] == ["words", "references", "last", "now"])
    assert [line.split("  ")[0] for line in lines[at + 1 : at + 6]] == [one.words for one in made.words[0].words]
    assert ("Items that differ most" in lines) is bool(flips)


def test_numbers_have_no_words() -> None:
    with pytest.raises(UsageError, match="needs texts and references"):
        outscore.compare({"a": [1.0, 2.0], "b": [2.0, 1.0]}, words=5)


@repeated(None, 500)
def test_equal_systems_have_some_word_right_more_often_no_more_often_than_alpha(reps: int) -> None:
    # two systems that have each of 30 words right with the same probability, in 60 sentences
    rng, wrong = np.random.default_rng(9), 0
    for _ in range(reps):
        sentences = [rng.choice(30, 8, p=np.arange(30, 0, -1) / 465) for _ in range(60)]
        texts = [[" ".join(f"w{w}" if rng.random() < 0.7 else "x" for w in one) for one in sentences] for _ in range(2)]
        plain = [" ".join(f"w{w}" for w in one) for one in sentences]
        (found,) = compared(
            {"a": texts[0], "b": texts[1]}, references=plain, n_resamples=199, test="bootstrap", interval="jackknife"
        ).words
        assert found.n_tested > 5
        wrong += found.n_better + found.n_worse > 0
    assert wrong / reps <= most(ALPHA, reps)


def test_every_ngram_is_counted_as_often_as_the_references_have_it() -> None:
    rng = np.random.default_rng(2)
    references = [f"{' '.join(rng.choice([*'abcd'], 5))} end" for _ in range(60)]
    base = [text.replace("end", "fin") if i % 2 else text for i, text in enumerate(references)]
    new = [text.replace(" a", " z") if i % 3 else text for i, text in enumerate(references)]
    found = outscore.compare(
        {"base": base, "new": new}, references=references, metrics="bleu", words=50, n_resamples=99
    )
    (gains,) = found.words
    assert {"end", "a"} <= {one.words for one in gains.words}
    for one in gains.words:
        n = len(one.words.split())
        grams = [" ".join(text.split()[i : i + n]) for text in references for i in range(len(text.split()) - n + 1)]
        assert one.n_references == grams.count(one.words)
