"""Token accuracy against plain loops and published numbers; exact match of whole outputs."""

from __future__ import annotations

import csv
import gzip
import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.base.items import Items
from outscore.metrics import metrics

TOKENS = st.tuples(st.sampled_from("NVX"), st.sampled_from("NVX"), st.sampled_from(["the", "cat", "sat", "zyx"]))
SENTENCES = st.lists(st.lists(TOKENS, max_size=5), min_size=1, max_size=6)
SMALL = Items(
    n=2,
    outputs=["D N V", "D V"],
    references=(["D N N", "D N"],),
    labels={"tokens": ["the cat sat", "a dog"], "known": ["1 1 0", "1 0"]},
)


def score(spec: str, items: Items) -> float:
    (metric,) = metrics.make(spec).prepare([items])
    return float(metric.score(metric.statistics(items).sum(axis=0)))


def sentences(rows: list[list[tuple[str, str, str]]]) -> Items:
    """Items of sentences of (gold, predicted, form)."""
    gold, predicted, forms = ([" ".join(token[i] for token in row) for row in rows] for i in range(3))
    return Items(n=len(rows), outputs=predicted, references=(gold,), labels={"tokens": forms})


@given(rows=SENTENCES)
def test_every_token_counts_once(rows: list[list[tuple[str, str, str]]]) -> None:
    tokens = [token for row in rows for token in row]
    expected = sum(g == p for g, p, _ in tokens) / len(tokens) if tokens else 0
    assert score("token_accuracy", sentences(rows)) == pytest.approx(expected)


@given(rows=SENTENCES, vocabulary=st.sets(st.sampled_from(["the", "cat", "sat", "unused"]), min_size=1))
def test_unseen_words_are_those_that_the_vocabulary_has_not(
    rows: list[list[tuple[str, str, str]]], vocabulary: set[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("words") / "train.txt"
    file.write_text("\n".join(vocabulary), encoding="utf-8")
    for words in ("seen", "unseen"):
        tokens = [t for row in rows for t in row if (t[2] in vocabulary) == (words == "seen")]
        expected = sum(g == p for g, p, _ in tokens) / len(tokens) if tokens else 0
        ours = score(f"token_accuracy:words={words},vocabulary={file}", sentences(rows))
        assert ours == pytest.approx(expected)


TRAINING = {
    "words.txt": "the\n\ncat\nsat\n",
    "conll.txt": "-DOCSTART- -X- O O\n\nthe DT O O\ncat NN O O\n\nsat VB O O\n",
    "tags.tsv": "the\tD\ncat\tN\n\nsat\tV\n",
    "train.conllu": "# sent_id = a\n"
    + "".join(f"{i}\t{form}\t" + "\t".join("_" * 8) + "\n" for i, form in enumerate(("the", "cat", "sat"), 1)),
    "bom.txt": "\ufeffthe\r\ncat\r\nsat\r\n",
}


@pytest.mark.parametrize("name", TRAINING)
@pytest.mark.parametrize("zipped", [False, True])
def test_a_training_file_is_a_vocabulary(name: str, zipped: bool, tmp_path: Path) -> None:
    file, data = tmp_path / name, TRAINING[name].encode()
    file.write_bytes(gzip.compress(data) if zipped else data)
    (metric,) = metrics.make(f"token_accuracy:words=seen,vocabulary={file}").prepare([SMALL])
    assert metric._known == ("cat", "sat", "the")  # type: ignore[attr-defined]
    assert metric.label == f"token_accuracy:words=seen,vocabulary={file}"
    np.testing.assert_array_equal(metric.statistics(SMALL), [[2, 3], [0, 0]])


def test_a_vocabulary_is_read_once_and_not_for_every_part_of_the_items(tmp_path: Path) -> None:
    file = tmp_path / "train.txt"
    file.write_text("the\na\n", encoding="utf-8")
    (metric,) = metrics.make(f"token_accuracy:words=unseen,vocabulary={file}").prepare([SMALL])
    unprepared = metrics.make(f"token_accuracy:words=unseen,vocabulary={file}").statistics(SMALL)
    file.unlink()
    np.testing.assert_array_equal(metric.statistics(SMALL), unprepared)
    np.testing.assert_array_equal(unprepared, [[1, 2], [0, 1]])


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (None, "cannot read .No such file or directory.; name a file with one word"),
        (b"", "there is no word in it; name a file"),
        (b"\n \n\t\n", "there is no word in it"),
        (b"\xff\xfe\x00", "not UTF-8 text"),
        (b"\x1f\x8b\x08\x00damaged", "cannot read .damaged."),
        (gzip.compress(b"the cat" * 99, mtime=0)[:-9], "cannot read .damaged."),
    ],
)
def test_a_vocabulary_that_cannot_be_read_is_refused_by_its_name(data: bytes | None, says: str, tmp_path: Path) -> None:
    file = tmp_path / "train.txt"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(InputError, match=f"train.txt: {says}"):
        score(f"token_accuracy:words=unseen,vocabulary={file}", SMALL)


def test_a_label_may_say_which_words_are_seen() -> None:
    assert score("token_accuracy:words=seen,seen=known", SMALL) == 1
    assert score("token_accuracy:words=unseen,seen=known", SMALL) == 0
    assert score("token_accuracy", SMALL) == 3 / 5


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ({}, "needs a column 'known' that describes the items; give a table with it by --items: 1 or 0 of each token"),
        ({"known": ["1 1 0", "1"]}, "item 2 has 2 tags, but 1 in 'known'; give one for each token"),
        ({"known": ["1 1 yes", "1 0"]}, "item 1 has '1 1 yes' in 'known'; write 1 for seen and 0 for unseen"),
    ],
)
def test_a_label_that_does_not_say_it_for_every_token_is_refused(labels: dict[str, list[str]], says: str) -> None:
    items = Items(n=2, outputs=SMALL.outputs, references=SMALL.references, labels=labels)
    with pytest.raises(InputError, match=says):
        score("token_accuracy:words=seen,seen=known", items)


def test_unseen_words_need_the_forms_of_the_items(tmp_path: Path) -> None:
    file = tmp_path / "train.txt"
    file.write_text("the\n", encoding="utf-8")
    items = Items(n=2, outputs=SMALL.outputs, references=SMALL.references)
    with pytest.raises(InputError, match=r"needs a column 'tokens'.*the form of each token"):
        score(f"token_accuracy:words=unseen,vocabulary={file}", items)


@pytest.mark.parametrize(
    "options", ["words=unseen", "words=seen", "vocabulary=x", "seen=x", "words=unseen,vocabulary=x,seen=y"]
)
def test_options_that_do_not_go_together_are_refused(options: str) -> None:
    with pytest.raises(
        UsageError, match="expected all; or unseen or seen, together with vocabulary=FILE or seen=LABEL"
    ):
        metrics.make(f"token_accuracy:{options}")


def test_another_number_of_tags_is_refused_with_the_item_and_both_counts() -> None:
    items = Items(n=2, outputs=["D N", "D"], references=(["D N", "D N V"],))
    with pytest.raises(InputError, match="item 2 has 1 tag in the output, but 3 in the gold data; give one tag for"):
        score("token_accuracy", items)
    with pytest.raises(InputError, match="item 2 has 1 tag in the output, but 3"):
        metrics.make("token_accuracy").statistics(items)


def test_the_item_is_numbered_in_the_test_set_also_where_outputs_are_counted_in_portions() -> None:
    gold = [f"N V{i}" for i in range(700)]
    outputs = {"base": list(gold), "new": [*gold[:650], "N", *gold[651:]]}
    with pytest.raises(InputError, match="item 651 has 1 tag"):
        outscore.compare(outputs, references=gold, metrics="token_accuracy", n_resamples=20)


def test_token_accuracy_is_tested_exactly_as_a_ratio_of_sums() -> None:
    gold = ["D N V", "D N", "N V N N", "V", "N N"]
    outputs = {"base": ["D N N", "D V", "N V V N", "N", "V N"], "new": gold}
    found = outscore.compare(outputs, references=gold, metrics="token_accuracy", test="randomization")
    assert found.pairs[0].p_kind == "exact"
    assert found.pairs[0].p_value == 2 * 0.5**5


@given(pairs=st.lists(st.tuples(st.sampled_from(["A b", "a b", "a", ""]), st.sampled_from(["A b", "a b", "c"]))))
def test_exact_match_counts_whole_outputs(pairs: list[tuple[str, str]]) -> None:
    pairs = [("a b", "a b"), *pairs]
    outputs, gold = ([pair[i] for pair in pairs] for i in range(2))
    items = Items(n=len(pairs), outputs=[o.replace(" ", "\t ") + " " for o in outputs], references=(gold,))
    assert score("exact_match", items) == pytest.approx(sum(o == g for o, g in pairs) / len(pairs))
    folded = sum(o.lower() == g.lower() for o, g in pairs) / len(pairs)
    assert score("exact_match:lowercase=true", items) == pytest.approx(folded)


def test_exact_match_takes_any_of_several_references() -> None:
    items = Items(n=3, outputs=["a  b", "c", ""], references=(["a b", "x", "y"], ["", "c", ""]))
    assert score("exact_match", items) == pytest.approx(2 / 3)  # a reference that is not there matches nothing


def tagged(data_root: Path) -> tuple[dict[str, dict[str, list[str]]], dict[str, list[str]]]:
    """Outputs of every run and the descriptions, sentence by sentence."""
    path = data_root / "data" / "multirun_pos_ewt" / "tokens.tsv.gz"
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    starts = [i for i, row in enumerate(rows) if i == 0 or row["sent"] != rows[i - 1]["sent"]] + [len(rows)]
    spans = list(itertools.pairwise(starts))
    streams = {c: [" ".join(row[c] for row in rows[a:b]) for a, b in spans] for c in rows[0]}
    runs: dict[str, dict[str, list[str]]] = {}
    for name, stream in streams.items():
        if ".seed" in name:
            system, _, run = name.partition(".")
            runs.setdefault(system, {})[run] = stream
    return runs, {"gold": streams["gold"], "tokens": streams["form"], "known": streams["in_train_vocab"]}


# from the description of the data
PUBLISHED = {
    "A": (0.8649, 0.8564, 0.8585, 0.8806, 0.8774, 0.8773, 0.8724, 0.8771),
    "B": (0.921, 0.9221, 0.9202, 0.9217, 0.9221, 0.9236, 0.9201, 0.9183),
    "C": (0.9276, 0.9259, 0.9264, 0.9283, 0.9256, 0.9269, 0.9275, 0.9266),
}


@pytest.mark.slow
def test_taggers_have_their_published_accuracies(data_root: Path) -> None:
    runs, labels = tagged(data_root)
    assert len(labels["gold"]) == 2077
    for system, expected in PUBLISHED.items():
        for run, accuracy in enumerate(expected):
            outputs = runs[system][f"seed{run}"]
            items = Items(n=len(outputs), outputs=outputs, references=(labels["gold"],), labels=labels)
            assert score("token_accuracy", items) == pytest.approx(accuracy, abs=5.1e-5)


@pytest.mark.slow
def test_unseen_words_are_tagged_worse_and_all_words_are_the_seen_and_the_unseen(
    data_root: Path, tmp_path: Path
) -> None:
    runs, labels = tagged(data_root)
    outputs = runs["A"]["seed0"]
    items = Items(n=len(outputs), outputs=outputs, references=(labels["gold"],), labels=labels)
    sums = {}
    for words in ("all", "seen", "unseen"):
        metric = metrics.make(f"token_accuracy:words={words}" + ("" if words == "all" else ",seen=known"))
        sums[words] = metric.statistics(items).sum(axis=0)
    np.testing.assert_array_equal(sums["seen"] + sums["unseen"], sums["all"])
    assert sums["all"][1] == 25094
    assert sums["unseen"][0] / sums["unseen"][1] < 0.7 < sums["seen"][0] / sums["seen"][1]
    forms, known = (" ".join(labels[name]).split(" ") for name in ("tokens", "known"))
    vocabulary = tmp_path / "train.txt"
    vocabulary.write_text("\n".join({f for f, k in zip(forms, known, strict=True) if k == "1"}), encoding="utf-8")
    metric = metrics.make(f"token_accuracy:words=unseen,vocabulary={vocabulary}").prepare([items])[0]
    np.testing.assert_array_equal(metric.statistics(items).sum(axis=0), sums["unseen"])
