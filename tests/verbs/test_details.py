"""What a report shows beside a comparison, against plain loops."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.notation.conllu import CONLLU
from outscore.base.notation.trees import TREE
from outscore.metrics import metrics
from outscore.results.comparison import Comparison
from outscore.results.details import Details, ItemGain
from outscore.verbs.compare.details import _interleave, _shorten
from outscore.verbs.shared.reading import output_text, reference_text

WORDS = ["the", "cat", "sat", "on", "a", "mat", "dog", "ran", "far", "away"]


def texts(seed: int, n: int = 40) -> list[str]:
    draw = np.random.default_rng(seed)
    return [" ".join(draw.choice(WORDS, draw.integers(2, 12))) for _ in range(n)]


GOLD = texts(1)
NEAR = [g if i % 3 else t for i, (g, t) in enumerate(zip(GOLD, texts(2), strict=True))]
FAR = [g if i % 2 else t for i, (g, t) in enumerate(zip(GOLD, texts(3), strict=True))]


def compare(systems: object, **options: object) -> tuple[Comparison, Details]:
    made = outscore.compare(systems, flips="auto", n_resamples=200, **options)  # type: ignore[arg-type]
    assert made.details is not None
    return made, made.details


def corpus(name: str, outputs: list[str], gold: list[str]) -> float:
    made = outscore.score({"x": outputs}, references=[gold], metrics=[name], n_resamples=20)
    return made.scores[0].score


def without(side: list[str], item: int) -> list[str]:
    return [text for i, text in enumerate(side) if i != item]


@pytest.mark.parametrize("name", ["bleu", "ter", "chrf"])
def test_the_influence_of_an_item_is_the_gain_minus_the_gain_without_it(name: str) -> None:
    made, details = compare({"far": FAR, "near": NEAR}, references=[GOLD], metrics=[name])
    sign = 1 if metrics.make(name).higher_is_better else -1
    for gain in (*details.items[:2], details.items[-1]):
        item = int(gain.item) - 1
        near, far = (corpus(name, without(side, item), without(GOLD, item)) for side in (NEAR, FAR))
        assert gain.influence == pytest.approx(made.pairs[0].gain - sign * (near - far), abs=1e-9)


def test_the_influence_over_several_runs_is_that_of_the_mean_scores() -> None:
    runs = {"base": [FAR, NEAR, texts(4)], "new": [NEAR, FAR]}
    made, details = compare(runs, references=[GOLD], metrics=["chrf"])
    gain = details.items[0]
    item = int(gain.item) - 1
    gold = without(GOLD, item)
    means = [np.mean([corpus("chrf", without(run, item), gold) for run in runs[s]]) for s in ("new", "base")]
    assert gain.influence == pytest.approx(made.pairs[0].gain - (means[0] - means[1]), abs=1e-9)


def test_the_outputs_shown_are_those_of_the_median_run() -> None:
    runs = {"base": [FAR, NEAR, texts(4)], "new": [GOLD, texts(5), NEAR]}
    made, details = compare(runs, references=[GOLD], metrics=["chrf"])
    for text in details.texts:
        for system, shown in text.outputs.items():
            score = next(s for s in made.scores if s.system == system)
            median = score.run_scores.index(sorted(score.run_scores)[1])
            assert shown == runs[system][median][int(text.item) - 1]


def test_items_that_speak_for_the_system_come_first_and_the_largest_first() -> None:
    _, details = compare({"far": FAR, "near": NEAR}, references=[GOLD], metrics=["chrf"])
    values = [gain.influence for gain in details.items]
    better = [v for v in values if v > 0]
    assert better == sorted(better, reverse=True)
    assert values[: len(better)] == better
    assert values[len(better) :] == sorted(values[len(better) :])
    assert 0 not in values


def test_the_histogram_counts_every_redrawn_test_set() -> None:
    made, details = compare({"far": FAR, "near": NEAR}, references=[GOLD], metrics=["chrf"])
    (drawn,) = details.histograms
    assert sum(drawn.counts) >= 200
    assert len(drawn.edges) == len(drawn.counts) + 1
    assert drawn.edges[0] < made.pairs[0].gain < drawn.edges[-1]
    assert drawn.resampled == "items"


def test_gains_of_parts_are_the_gains_of_their_items() -> None:
    documents = [f"d{i // 7}" for i in range(40)]
    made, details = compare(
        {"far": FAR, "near": NEAR}, references=[GOLD], metrics=["chrf"], items={"doc": documents}, cluster="doc"
    )
    for part in details.parts:
        if part.by == "doc":
            here = [i for i in range(40) if documents[i] == part.part]
        else:
            low, high = (ends := part.part.removesuffix(" words").split("–"))[0], ends[-1]
            here = [i for i in range(40) if int(low) <= len(GOLD[i].split()) <= int(high)]
        near, far = (corpus("chrf", [side[i] for i in here], [GOLD[i] for i in here]) for side in (NEAR, FAR))
        assert part.n_items == len(here)
        assert part.gain == pytest.approx(near - far, abs=1e-9)
    by_length = [part for part in details.parts if part.by == "length"]
    assert sum(part.n_items for part in by_length) == 40
    assert {part.part for part in details.parts if part.by == "doc"} == set(documents)
    assert details.histograms[0].resampled == "clusters"
    assert made.provenance.n_clusters == 6


def test_the_parts_by_length_of_a_pair_are_a_family_of_their_own() -> None:
    scores, gold = {"a": [0.0] * 20, "b": [float(i % 3) for i in range(20)]}, [" ".join("x" * n) for n in range(1, 21)]
    parts = compare(scores, references=[gold])[1].parts
    assert len(parts) == 5
    for part in parts:
        low, high = (int(end) for end in part.part.removesuffix(" words").split("–"))
        lone = outscore.compare({s: of[low - 1 : high] for s, of in scores.items()}, alpha=0.05 / 5).pairs[0]
        assert part.ci == pytest.approx(lone.ci)


def test_every_pair_has_its_own_parts_where_all_are_compared() -> None:
    _, details = compare({"far": FAR, "near": NEAR, "gold": GOLD}, references=[GOLD], metrics=["chrf"], all_pairs=True)
    parts = {(p.system, p.baseline): p.gain for p in details.parts if p.by == "length" and p.part.startswith("2")}
    assert parts["gold", "far"] == pytest.approx(parts["gold", "near"] + parts["near", "far"])


def test_identical_systems_have_nothing_to_show() -> None:
    _, details = compare({"a": NEAR, "b": NEAR}, references=[GOLD], metrics=["chrf"])
    assert details == Details()


def test_scores_alone_have_influences_and_no_texts() -> None:
    draw = np.random.default_rng(1)
    _, details = compare({"a": draw.normal(0, 1, 30), "b": draw.normal(1, 1, 30)})
    assert len(details.items) > 10
    assert all(text.outputs == {} and text.references == () for text in details.texts)
    assert all(gain.system_score is not None for gain in details.items)


def test_labels_are_shown_as_they_are() -> None:
    gold, first, second = ["yes", "no"] * 10, ["yes"] * 20, ["yes", "no"] * 9 + ["no", "yes"]
    _, details = compare({"a": first, "b": second}, references=[gold], metrics=["accuracy", "f1"])
    shown = {text.item: text for text in details.texts}
    assert shown["2"].references == ("no",)
    assert shown["2"].outputs == {"a": "yes", "b": "no"}


def test_one_item_has_details_too() -> None:
    made, _ = compare({"a": [1.0], "b": [2.0]}, test="t")
    assert Comparison.from_json(made.to_json()).to_dict() == made.to_dict()
    assert "<html" in made.to("html")


def test_long_texts_are_cut_and_all_of_them_are_bounded() -> None:
    long = [f"{t} " * 2_000 for t in GOLD]
    other = [f"{t} x " * 2_000 for t in GOLD]
    draw = np.random.default_rng(1)
    mixed = [a if draw.random() < 0.5 else b for a, b in zip(long, other, strict=True)]
    _, details = compare({"a": other, "b": mixed}, references=[long], metrics=["exact_match"])
    assert details.texts
    every = [t for one in details.texts for t in (*one.references, *one.outputs.values())]
    assert max(map(len, every)) < 1_600
    assert sum(map(len, every)) <= 40_000


def test_details_are_saved_and_read_again() -> None:
    made, _ = compare({"far": FAR, "near": NEAR}, references=[GOLD], metrics=["chrf"])
    again = Comparison.from_json(made.to_json())
    assert again.details == made.details
    assert again.to("html") == made.to("html")


def row(number: int, form: str, head: int, relation: str) -> str:
    return "\t".join([str(number), form, "_", "X", "_", "_", str(head), relation, "_", "_"])


PARSED = "\n".join([row(1, "dogs", 2, "nsubj"), row(2, "run", 0, "root"), row(3, "far", 2, "advmod")])


def test_a_parsed_sentence_is_shown_as_its_words_and_what_hangs_otherwise() -> None:
    other = PARSED.replace("2\tnsubj", "2\tobj").replace("2\tadvmod", "1\tadvmod")
    assert reference_text(PARSED, CONLLU) == "dogs run far"
    assert output_text(PARSED, PARSED, CONLLU) == "as the reference"
    assert output_text(other, PARSED, CONLLU) == (
        "dogs ← run (obj), gold: ← run (nsubj)\nfar ← dogs (advmod), gold: ← run (advmod)"
    )
    assert output_text(PARSED, row(1, "dogs", 0, "root"), CONLLU) == "other words than the reference: dogs run far"


def test_a_sentence_that_is_split_otherwise_is_shown_by_what_hangs_otherwise() -> None:
    split = "\n".join([row(1, "dogs", 2, "nsubj"), row(2, "run", 0, "root"), "", row(1, "far", 0, "root")])
    assert output_text(split, PARSED, CONLLU) == "far ← root (root), gold: ← run (advmod)"
    assert output_text(PARSED, split, CONLLU) == "far ← run (advmod), gold: ← root (root)"


def test_lines_of_words_that_differ_stay_lines_on_the_page() -> None:
    systems = {"one": ["a\nb\nsame", "x"], "two": ["c\nd\nsame", "x"]}
    made, _ = compare(systems, references=[["a\nb\nsame", "x"]], metrics=["exact_match"])
    assert "<mark>c\nd</mark>" in made.to("html")


def test_a_tree_is_shown_on_one_line() -> None:
    assert output_text("(S (N dogs)\n   (V run))", "", TREE) == "(S (N dogs) (V run))"
    assert reference_text("a  b", "text") == "a  b"


def test_parts_by_length_need_ten_items_of_five_lengths() -> None:
    def parts(lengths: list[int]) -> list[tuple[str, int]]:
        gold = [" ".join(["x"] * n) for n in lengths]
        outputs = ["y " + text[2:] if i % 2 else text for i, text in enumerate(gold)]
        found = compare({"a": gold, "b": outputs}, references=[gold], metrics=["chrf"])[1].parts
        return [(part.part, part.n_items) for part in found]

    two_each = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    assert parts(two_each) == [("1–2 words", 4), ("3 words", 2), ("4 words", 2), ("5 words", 2)]
    assert parts(two_each[1:]) == []
    assert parts([1, 1, 2, 2, 3, 3, 4, 4, 4, 4]) == []
    # edges at the higher of the items at each fifth: 3, 5, 7, 9
    assert parts([*range(1, 11)]) == [
        ("1–3 words", 3),
        ("4–5 words", 2),
        ("6–7 words", 2),
        ("8–9 words", 2),
        ("10 words", 1),
    ]


@pytest.mark.parametrize(("clusters", "left"), [(40, 0), (41, 1)])
def test_the_largest_clusters_are_parts(clusters: int, left: int) -> None:
    names = [f"c{i:02}" for i in range(clusters)] + ["c07"]
    scores = {"a": [0.0] * (clusters + 1), "b": [float(i % 3) for i in range(clusters + 1)]}
    details = compare(scores, items={"document": names}, cluster="document")[1]
    parts = [part for part in details.parts if part.by == "document"]
    assert (len(parts), details.n_clusters_left_out) == (40, left)
    assert (parts[0].part, parts[0].n_items, parts[0].gain) == ("c07", 2, (7 % 3 + clusters % 3) / 2)
    assert {part.ci for part in parts} == {None}


@pytest.mark.parametrize(("systems", "most"), [(2, 20), (5, 20), (6, 16), (7, 13), (10, 8), (28, 3), (32, 3)])
def test_fewer_items_stand_beside_each_of_more_pairs(systems: int, most: int) -> None:
    rng = np.random.default_rng(1)
    details = compare({f"s{i}": rng.normal(size=60) + i for i in range(systems)})[1]
    pairs = {(item.system, item.metric) for item in details.items}
    assert len(pairs) == min(30, systems - 1) == len(details.histograms)
    assert pairs == {(f"s{i}", "mean") for i in range(max(1, systems - 30), systems)}
    for system, _ in pairs:
        influence = [item.influence for item in details.items if item.system == system]
        up, down = [v for v in influence if v > 0], [v for v in influence if v < 0]
        assert len(influence) == len(up) + len(down)
        assert max(len(up), len(down)) == most
        assert influence == [*sorted(up, reverse=True), *sorted(down)]
    assert {(len(drawn.counts), len(drawn.edges), drawn.resampled) for drawn in details.histograms} == {
        (40, 41, "items")
    }


def test_texts_are_cut_behind_fifteen_hundred_characters_and_taken_in_turn() -> None:
    assert (_shorten("x" * 1500), _shorten("x" * 1501)) == ("x" * 1500, "x" * 1500 + " …")
    gains = [
        ItemGain(**{**GAIN, "system": s, "item": i})
        for s, i in (("a", "1"), ("a", "2"), ("a", "3"), ("b", "4"), ("b", "5"))
    ]
    assert [gain.item for gain in _interleave(gains)] == ["1", "4", "2", "5", "3"]


GAIN: dict[str, Any] = {"baseline": "x", "metric": "m", "influence": 1.0, "baseline_score": None, "system_score": None}


@pytest.mark.parametrize(("pairs", "most"), [(3, 20), (4, 20), (5, 16), (9, 8), (10, 8), (26, 3), (30, 3)])
def test_of_many_pairs_fewer_items_are_shown_of_each(pairs: int, most: int) -> None:
    """Eighty of all pairs together for the system and as many against it, of one 3 to 20."""
    draw = np.random.default_rng(2)
    _, details = compare({f"s{i}": draw.normal(size=60) for i in range(pairs + 1)}, metrics=["mean"])
    shown = Counter((item.system, item.influence > 0) for item in details.items)
    assert set(shown.values()) == {most} and len(shown) == 2 * pairs
