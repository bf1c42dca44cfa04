"""``--by``: where a gain comes from, in buckets of items, words or clusters, and whether buckets differ."""

from __future__ import annotations

import csv
import gzip
import io
import json
import math
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats as laws

import outscore
from outscore import InputError, UsageError
from outscore.base.arrays import Float
from outscore.report.formats.terminal import Terminal
from outscore.results.comparison import Comparison
from outscore.significance.interaction import BucketValues, compare_buckets, describe_interaction
from outscore.significance.settings import Settings

FEW: dict[str, Any] = {"n_resamples": 200}


def normal(seed: int, n: int, gain: float = 0.0) -> Float:
    return np.random.default_rng(seed).normal(gain, 1, n)


def compared(gain: float = 0.0, by: str = "kind", **how: Any) -> Comparison:
    """Two systems on 40 items of one kind and 60 of another, in which the second gains."""
    base = normal(1, 100)
    new = base + normal(2, 100) + np.repeat([0.0, gain], [40, 60])
    items = {"kind": ["a"] * 40 + ["b"] * 60, "size": [str(i) for i in range(100)]}
    return outscore.compare({"base": base, "new": new}, items=items, by=by, test="t", **how)


# --- the test ---------------------------------------------------------------------------------------------------------


def test_large_buckets_are_held_against_the_law_of_welch_s_f() -> None:
    # for two buckets it is Welch's t squared, but for the one pooled item that each variance is mixed with
    x, y = normal(3, 400), normal(4, 900, 0.2) * 2
    found = compare_buckets(
        [BucketValues(np.arange(400), x), BucketValues(np.arange(400, 1300), y)], Settings(), "test"
    )
    assert found.p_kind == "asymptotic"
    assert found.p_value == pytest.approx(float(laws.ttest_ind(x, y, equal_var=False).pvalue), rel=0.03)


def test_three_large_buckets_of_equal_variance_are_welchs_analysis_of_variance() -> None:
    values = [np.tile([-1.0, 1.0], 150) + mean for mean in (0.0, 0.1, 0.2)]
    buckets = [BucketValues(np.arange(300) + 300 * i, one) for i, one in enumerate(values)]
    expected = laws.f_oneway(*values, equal_var=False)
    assert compare_buckets(buckets, Settings(), "test").p_value == pytest.approx(float(expected.pvalue), rel=1e-9)


@pytest.mark.parametrize(("size", "tested"), [(4, False), (5, True)])
def test_a_bucket_of_five_is_tested_and_one_of_four_is_not(size: int, tested: bool) -> None:
    items = {"kind": ["a"] * 40 + ["b"] * 40 + ["c"] * size}
    systems = {"base": normal(1, 80 + size), "new": normal(2, 80 + size)}
    (one,) = outscore.compare(systems, items=items, by="kind", test="t").interactions
    assert (one.n_buckets, one.left_out) == ((3, ()) if tested else (2, ("c",)))


def test_rows_have_both_ends_of_the_interval_of_each_bucket() -> None:
    found = compared(by="kind")
    rows = [(row["ci_low"], row["ci_high"]) for row in found.rows() if row["bucket"] is not None]
    assert rows == [gain.ci for gain in found.buckets] and all(low < high for low, high in rows)


def test_permuted_buckets_give_the_p_of_an_exact_enumeration() -> None:
    # 5 of 10 items: 252 labellings, counted here by hand with the same statistic
    from itertools import combinations

    values = np.array([0.1, 0.5, -0.2, 0.9, 0.3, 1.4, 1.1, 0.7, 2.0, 1.2])

    def statistic(first: tuple[int, ...]) -> float:
        x, y = values[list(first)], np.delete(values, first)
        sums = [float(((part - part.mean()) ** 2).sum()) for part in (x, y)]
        mixed = [(s + sum(sums) / 8) / (5 * 5) for s in sums]
        return float((x.mean() - y.mean()) ** 2 / sum(mixed))

    every = [statistic(first) for first in combinations(range(10), 5)]
    exact = np.mean(np.array(every) >= every[0] * (1 - 1e-9))
    parts = [BucketValues(np.arange(5), values[:5]), BucketValues(np.arange(5, 10), values[5:])]
    found = compare_buckets(parts, Settings(n_resamples=20_000), "test")
    assert found.effect == {"statistic": pytest.approx(every[0]), "df": 1}
    assert found.p_value == pytest.approx(exact, abs=5 * (found.p_error or 0) + 1e-4)


@pytest.mark.parametrize(
    ("sizes", "kind"), [((200, 200), "asymptotic"), ((199, 300), "monte-carlo"), ((300, 200, 199), "monte-carlo")]
)
def test_welchs_law_needs_200_units_in_the_smallest_bucket(sizes: tuple[int, ...], kind: str) -> None:
    ends = np.cumsum(sizes)
    units = [np.arange(end - size, end) for size, end in zip(sizes, ends, strict=True)]
    buckets = [BucketValues(each, normal(i, len(each))) for i, each in enumerate(units)]
    assert compare_buckets(buckets, Settings(**FEW), "test").p_kind == kind
    assert ("permuted" in describe_interaction(buckets, "item")) == (kind == "monte-carlo")


def test_flipped_units_give_the_p_of_an_exact_enumeration() -> None:
    """Eight units that reach over three buckets of 8, 6 and 5: 256 signs, all of a unit's values at once.

    Values count from the gain that weights each bucket by its variance; the statistic is the distance of the means
    from their best common value by the inverse of their products. Variances and products are mixed with one unit more.
    """
    values = np.array([1.0, 2.5, -0.5, 4.0, 0.3, 3.2, 1.8, 2.2, 5.0, 0.1, 4.4, 6.0, 2.0, 3.3, 0.7, 1.1, 2.9, -2.0, 0.4])
    units = [np.arange(8), np.array([0, 1, 2, 4, 5, 7]), np.array([1, 2, 3, 6, 7])]
    sizes = [8, 6, 5]
    parts = [values[:8], values[8:14], values[14:]]
    gains = [float(np.mean(part)) for part in parts]
    whole = float(((values - values.mean()) ** 2).mean())
    variances = [
        (sum((v - g) ** 2 for v in part) + whole) / (n * n) for part, g, n in zip(parts, gains, sizes, strict=True)
    ]
    common = sum(g / v for g, v in zip(gains, variances, strict=True)) / sum(1 / v for v in variances)
    of_unit: list[dict[int, float]] = [
        {int(u): v - common for u, v in zip(own, part, strict=True)} for own, part in zip(units, parts, strict=True)
    ]
    products = np.array([[sum(a[u] * b.get(u, 0.0) for u in a) for b in of_unit] for a in of_unit])
    products += np.eye(3) * products.trace() / 19
    roots = [(n * (n + 1)) ** 0.5 for n in sizes]
    inverse = np.linalg.inv([[products[i, j] / roots[i] / roots[j] for j in range(3)] for i in range(3)])

    def statistic(means: Float) -> float:
        away = means - (inverse @ means).sum() / inverse.sum()
        return float(away @ inverse @ away)

    every = [
        statistic(np.array([sum(signs[u] * v for u, v in of_unit[i].items()) / sizes[i] for i in range(3)]))
        for signs in product((1, -1), repeat=8)
    ]
    found = compare_buckets(
        [BucketValues(own, part) for own, part in zip(units, parts, strict=True)], Settings(n_resamples=20_000), "test"
    )
    assert found.effect == {"statistic": pytest.approx(statistic(np.array(gains)), rel=1e-9), "df": 2}
    exact = np.mean(np.array(every) >= every[0] * (1 - 1e-9))
    assert found.p_value == pytest.approx(exact, abs=5 * (found.p_error or 0) + 1e-4)


def test_a_common_gain_is_no_difference_between_buckets() -> None:
    apart = compared(1.0).interactions[0]
    moved = outscore.compare(
        {"base": normal(1, 100), "new": normal(1, 100) + normal(2, 100) + np.repeat([5.0, 6.0], [40, 60])},
        items={"kind": ["a"] * 40 + ["b"] * 60}, by="kind", test="t",
    ).interactions[0]  # fmt: skip
    assert moved.p_value == apart.p_value
    assert moved.statistic == pytest.approx(apart.statistic)


def test_a_difference_is_told_and_its_absence_is_not_called_equal() -> None:
    said = " ".join(str(compared(1.5)).split())
    assert "The gain of new differs between 2 buckets by kind (p < .001):" in said
    assert "is not shown to differ between 2 buckets by kind (p = " in " ".join(str(compared(0.1)).split())


def test_the_table_alone_answers_its_question_and_has_buckets_that_were_asked_for_however_many() -> None:
    table = Terminal(detail="table").render(compared(0.8, **FEW))
    assert " ".join(table.split()).endswith("permuted among items: p = .005.")
    many = {f"k{i:02}": [f"k{i:02}"] * 5 for i in range(25)}
    items = {"kind": [kind for kinds in many.values() for kind in kinds]}
    scores = {"base": normal(1, 125), "new": normal(2, 125)}
    found = (
        outscore.compare(scores, items=items, by="kind", **FEW),
        outscore.score(scores, items=items, metrics="mean", by="kind", **FEW),
    )
    for result in found:
        assert set(many) <= set(Terminal(detail="table").render(result).split())
        assert "more: --all" in result.to("terminal")


def test_identical_systems_have_nothing_to_differ_by() -> None:
    found = outscore.compare({"a": normal(1, 60), "b": normal(1, 60)}, items={"kind": ["x", "y"] * 30}, by="kind")
    assert found.interactions[0].p_value == 1
    assert str(found)


def test_clusters_that_reach_over_buckets_flip_as_a_whole() -> None:
    rng = np.random.default_rng(5)
    shared = np.repeat(rng.normal(size=30), 4)
    base = rng.normal(size=120)
    items = {"kind": ["a", "b", "c", "c"] * 30, "document": [f"d{i // 4}" for i in range(120)]}
    found = outscore.compare(
        {"base": base, "new": base + 3 * shared + rng.normal(0, 0.1, 120) + np.array([0.2, 0, 0, 0] * 30)},
        items=items, by="kind", cluster="document", test="t",
    )  # fmt: skip
    (one,) = found.interactions
    # gains of documents are far apart, but alike in each of their buckets: the difference is seen within documents
    assert "flipped" in one.test
    assert one.p_value is not None
    assert one.p_value < 0.001
    alone = outscore.compare(
        {"base": base, "new": base + 3 * shared + rng.normal(0, 0.1, 120)}, items=items, by="kind", test="t",
        cluster="none",
    )  # fmt: skip
    assert "permuted" in alone.interactions[0].test


def test_tests_of_several_pairs_are_a_family_of_their_own() -> None:
    base = normal(1, 100)
    systems = {"base": base} | {f"s{i}": base + normal(i + 2, 100) for i in range(4)}
    items = {"kind": ["a"] * 40 + ["b"] * 60}
    found = outscore.compare(systems, items=items, by="kind", test="t")
    raw = [one.p_value or 0 for one in found.interactions]
    assert min(one.p_adjusted or 0 for one in found.interactions) == pytest.approx(min(1, 4 * min(raw)))
    none = outscore.compare(systems, items=items, by="kind", test="t", correction="none")
    assert [one.p_adjusted for one in none.interactions] == raw
    assert "of 4 gains differ between buckets by kind" in str(found)


def test_small_buckets_stand_in_the_table_and_not_in_the_test() -> None:
    kinds = ["a"] * 50 + ["b"] * 46 + ["c"] * 3 + ["one"]
    found = outscore.compare(
        {"base": normal(1, 100), "new": normal(2, 100)}, items={"kind": kinds}, by="kind", test="t"
    )
    assert [gain.bucket for gain in found.buckets] == ["a", "b", "c", "one"]
    assert found.interactions[0].n_buckets == 2
    assert found.interactions[0].left_out == ("c", "one")
    assert "small_buckets" in {note.code for note in found.notes}
    lone = outscore.compare({"base": normal(1, 9), "new": normal(2, 9)}, items={"kind": list("abcdefghi")}, by="kind")
    assert lone.interactions[0].p_value is None
    assert "cannot be tested" in str(lone)


# --- the buckets ------------------------------------------------------------------------------------------------------


def named(found: Comparison) -> dict[str, int]:
    return {gain.bucket: gain.n_items for gain in found.buckets}


def test_numbers_are_cut_into_parts_or_at_edges() -> None:
    assert named(compared(by="size")) == {"0–20": 21, "21–40": 20, "41–60": 20, "61–80": 20, "81–99": 19}
    assert list(named(compared(by="size:parts=2")).values()) == [51, 49]
    at = compared(by="size:edges=10+50+500")
    assert named(at) == {"<10": 10, "[10,50)": 40, "[50,500)": 50}
    assert "no item is in '≥500'" in next(note.text for note in at.notes if note.code == "small_buckets")


def test_items_of_which_a_column_says_nothing_are_a_bucket() -> None:
    for values, expected in (
        (["a"] * 30 + [" "] * 30 + ["b"] * 40, {"a": 30, "(none)": 30, "b": 40}),
        ([str(i % 20) for i in range(80)] + [""] * 20, {"(none)": 20}),
    ):
        found = outscore.compare(
            {"base": normal(1, 100), "new": normal(2, 100)}, items={"kind": values}, by="kind", test="t"
        )
        assert expected.items() <= named(found).items()
        assert sum(named(found).values()) == 100


REFERENCES = [" ".join(["the"] * (i % 7 + 1) + [f"rare{i % 3}"] * (i % 2)) for i in range(84)]


def test_length_counts_words_of_the_reference_whatever_systems_say() -> None:
    systems = {"a": REFERENCES, "b": ["the " * 9] * 84}
    found = outscore.compare(systems, references=REFERENCES, metrics="bleu", by="length:edges=3+5", **FEW)
    lengths = np.array([len(one.split()) for one in REFERENCES])
    assert named(found) == {
        "<3 words": int((lengths < 3).sum()),
        "[3,5) words": int(((lengths >= 3) & (lengths < 5)).sum()),
        "≥5 words": int((lengths >= 5).sum()),
    }
    scored = outscore.score(systems, references=REFERENCES, metrics="bleu", by="length:edges=3+5", **FEW)
    of_b = [(one.bucket, one.score) for one in scored.buckets if one.system == "b"]
    assert of_b == [(gain.bucket, gain.system_score) for gain in found.buckets]


def test_frequency_is_that_of_the_rarest_word_in_the_references_or_in_training(tmp_path: Path) -> None:
    systems = {"a": REFERENCES, "b": ["the"] * 84}
    ask: dict[str, Any] = {"references": REFERENCES, "metrics": "bleu", **FEW}
    rare = sum("rare" in one for one in REFERENCES)
    assert named(outscore.compare(systems, by="frequency:edges=15", **ask)) == {"<15×": rare, "≥15×": 84 - rare}
    training = tmp_path / "train.txt"
    training.write_text("the the\nrare0 rare0 rare0 rare0 rare0\n", encoding="utf-8")
    found = named(outscore.compare(systems, by=f"frequency:edges=1+2,train={training}", **ask))
    assert found["<1×"] == sum("rare1" in one or "rare2" in one for one in REFERENCES)
    with pytest.raises(InputError, match="no such file"):
        outscore.compare(systems, by="frequency:train=none.txt", **ask)


def conllu(sentences: list[list[str]]) -> str:
    blocks = (
        "\n".join(f"{i}\tw\t_\t{tag}\t_\t_\t{i - 1}\tdep\t_\t_" for i, tag in enumerate(one, 1)) for one in sentences
    )
    return "\n\n".join(blocks) + "\n\n"


def test_parts_of_speech_are_those_of_the_gold_and_count_words(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    gold = [list(rng.choice(["NOUN", "VERB", "X"], size, p=[0.6, 0.3, 0.1])) for size in rng.integers(3, 9, 40)]
    outputs = {
        name: [[tag if rng.random() > error else "NOUN" for tag in one] for one in gold]
        for name, error in (("base", 0.4), ("new", 0.1))
    }
    for name, sentences in (("gold", gold), *outputs.items()):
        (tmp_path / f"{name}.conllu").write_text(conllu(sentences), encoding="utf-8")
    files = [f"{name}={tmp_path / name}.conllu" for name in outputs]
    data = outscore.read(files, references=[str(tmp_path / "gold.conllu")])
    found = outscore.compare(data, metrics="upos", by="pos", **FEW)
    for gain in found.buckets:
        pairs = [
            (tag, outputs["new"][i][k]) for i, one in enumerate(gold) for k, tag in enumerate(one) if tag == gain.bucket
        ]
        assert gain.system_score == pytest.approx(100 * np.mean([tag == got for tag, got in pairs]))
        assert gain.n_items == sum(gain.bucket in one for one in gold)
    assert {gain.bucket for gain in found.buckets} == {"NOUN", "VERB", "X"}
    assert found.interactions[0].p_value == pytest.approx(0.001, abs=0.01)  # NOUN is always right


def test_words_that_systems_split_otherwise_count_where_the_gold_has_the_tag(tmp_path: Path) -> None:
    line = "{}\t{}\t_\t{}\t_\t_\t{}\tdep\t_\t_"
    gold = "\n".join((line.format(1, "ab", "NOUN", 0), line.format(2, "c", "VERB", 1)))
    split = "\n".join((line.format(1, "a", "NOUN", 0), line.format(2, "b", "NOUN", 1), line.format(3, "c", "VERB", 1)))
    for name, one in (("gold", gold), ("base", split), ("new", gold)):
        (tmp_path / f"{name}.conllu").write_text("\n\n".join([one] * 8) + "\n\n", encoding="utf-8")
    files = [f"{name}={tmp_path / name}.conllu" for name in ("base", "new")]
    data = outscore.read(files, references=[str(tmp_path / "gold.conllu")])
    scores = {gain.bucket: gain.baseline_score for gain in outscore.compare(data, metrics="upos", by="pos").buckets}
    assert scores == {"NOUN": 0.0, "VERB": 100.0}


def right(seed: int, n: int = 120) -> dict[str, Float]:
    rng = np.random.default_rng(seed)
    easy = rng.beta(1, 1, n)
    return {f"s{i}": np.asarray(rng.random(n) < easy, dtype=np.float64) for i in range(7)}


def test_difficulty_is_taken_from_five_systems_beside_the_pair_or_refused() -> None:
    systems = right(7)
    found = outscore.compare(systems, metrics="accuracy", by="difficulty:parts=2", correction="none", test="t")
    others = np.mean([systems[f"s{i}"] for i in range(2, 7)], axis=0)
    easy = others > np.quantile(others, 0.5, method="higher")
    of_first = [gain for gain in found.buckets if gain.system == "s1"]
    gains = systems["s1"] - systems["s0"]
    assert [gain.gain for gain in of_first] == pytest.approx([gains[~easy].mean(), gains[easy].mean()])
    few = {name: systems[name] for name in list(systems)[:6]}
    with pytest.raises(UsageError, match=r"there are 4: .* find differences between equal systems every time"):
        outscore.compare(few, metrics="accuracy", by="difficulty")
    given = outscore.compare(
        {name: few[name] for name in ("s0", "s1")}, items={"difficulty": ["hard", "easy"] * 60}, by="difficulty",
        metrics="accuracy",
    )  # fmt: skip
    assert named(given) == {"hard": 60, "easy": 60}


def test_a_column_goes_before_a_criterion_of_its_name() -> None:
    systems = {"a": REFERENCES, "b": ["the"] * 84}
    items = {"length": ["short", "long"] * 42}
    found = outscore.compare(systems, references=REFERENCES, items=items, metrics="bleu", by="length", **FEW)
    assert named(found) == {"short": 42, "long": 42}


@pytest.mark.parametrize(
    ("by", "said"),
    [
        ("knid", "did you mean 'kind'"),
        ("kind,size", "one criterion at a time"),
        ("length", "there are none"),
        ("kind:parts=x", "2 or more"),
        ("kind:edges=3", "holds 'a', which is no number"),
        ("kind:word=mean", "has no option 'word'"),
        ("size:edges=1000", "all items are in one bucket"),
        ("size:edges", "is no option"),
        ("pos", "counts no such words"),
    ],
)
def test_what_cannot_be_had_is_refused(by: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        compared(by=by)


# --- how it is told ---------------------------------------------------------------------------------------------------


def test_every_format_has_the_buckets() -> None:
    found = compared(1.5)
    rows = list(csv.DictReader(io.StringIO(found.to("csv"))))
    assert [row["bucket"] for row in rows] == ["", "a", "b"]
    assert float(rows[2]["gain"]) == found.buckets[1].gain
    assert float(rows[2]["p_differ"]) == found.interactions[0].p_adjusted
    held = json.loads(found.to("json"))
    assert [gain["bucket"] for gain in held["buckets"]] == ["a", "b"]
    assert outscore.Comparison.from_json(found.to("json")) == found
    for format in ("terminal", "markdown", "latex", "html", "notebook"):
        assert "by kind" in found.to(format)
    assert len(str(found).splitlines()) <= 40


def test_runs_are_averaged_within_buckets() -> None:
    base, new = (np.stack([normal(seed + k, 80) for k in range(3)]) for seed in (10, 20))
    items = {"kind": ["a", "b"] * 40}
    found = outscore.compare({"base": base, "new": new}, items=items, by="kind")
    gains = (new.mean(axis=0) - base.mean(axis=0)).reshape(40, 2).mean(axis=0)
    assert [gain.gain for gain in found.buckets] == pytest.approx(list(gains))
    assert found.interactions[0].p_value is not None


# --- oracles ----------------------------------------------------------------------------------------------------------


def columns(file: Path) -> list[dict[str, str]]:
    with gzip.open(file, "rt", encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_bleu_by_length_is_that_of_compare_mt(data_root: Path) -> None:
    # compare-mt 0.2.10, --compare_sentence_buckets bucket_type=length,statistic_type=score,score_measure=bleu; of fewer
    # than four words it counts one 4-gram all the same, which sacrebleu does not
    rows = columns(data_root / "data/mt_wmt24_en-de_domains/segments.tsv.gz")
    texts = {name: [row[f"sys:{name}"] for row in rows] for name in ("ONLINE-G", "Unbabel-Tower70B")}
    found = outscore.compare(
        texts, references=[row["ref:A"] for row in rows], metrics="bleu:tokenize=none",
        by="length:edges=10+20+30+40+50+60", test="bootstrap", interval="jackknife", **FEW,
    )  # fmt: skip
    theirs = [
        (21.3227, 20.6431), (23.2760, 21.5085), (22.7680, 23.5255), (24.4632, 24.4026), (24.7965, 24.3752),
        (27.5380, 25.4919),
    ]  # fmt: skip
    ours = [(gain.baseline_score, gain.system_score) for gain in found.buckets]
    assert [len(theirs) + 1, *named(found).values()] == [7, 265, 209, 120, 78, 70, 77, 178]
    np.testing.assert_allclose(ours[1:], theirs, atol=0.00006)


def test_the_gain_that_compare_mt_shows_is_within_chance(data_root: Path) -> None:
    """As docs/buckets.md has it, by the defaults."""
    rows = columns(data_root / "data/mt_wmt24_en-de_domains/segments.tsv.gz")
    texts = {name: [row[f"sys:{name}"] for row in rows] for name in ("ONLINE-G", "Unbabel-Tower70B")}
    found = outscore.compare(
        texts, references=[row["ref:A"] for row in rows], metrics="bleu:tokenize=none",
        by="length:edges=10+20+30+40+50+60",
    )  # fmt: skip
    gain, (whole,) = found.buckets[3], found.interactions
    assert gain.ci is not None
    assert [f"{x:+.2f}" for x in (gain.gain, *gain.ci)] == ["+0.76", "-2.56", "+4.08"]
    assert whole.p_value is not None
    assert f"{whole.p_value:.2f}" == "0.45"


def test_compare_mt_counts_a_wrong_n_gram_of_an_output_of_fewer_than_n_words(data_root: Path) -> None:
    rows = columns(data_root / "data/mt_wmt22_de-en/segments.tsv.gz")
    references = [row["ref:A"] for row in rows]
    texts = {name: [row[f"sys:{name}"] for row in rows] for name in ("Online-A", "LT22")}
    found = outscore.compare(
        texts, references=references, metrics="bleu:tokenize=none", by="length:edges=10+20+30+40+50+60", **FEW
    )
    pairs = [(text.split(), ref.split()) for text, ref in zip(texts["Online-A"], references, strict=True)]
    short = [pair for pair in pairs if len(pair[1]) < 10]
    scores = []
    for least in (0, 1):  # n-grams of an output that has none
        score = min(0.0, 1 - sum(len(ref) for _, ref in short) / sum(len(text) for text, _ in short))
        for n in range(1, 5):
            grams = [[Counter(zip(*(side[i:] for i in range(n)), strict=False)) for side in pair] for pair in short]
            right = sum((text & ref).total() for text, ref in grams)
            score += math.log(right / sum(max(text.total(), least) for text, _ in grams)) / 4
        scores.append(100 * math.exp(score))
    assert found.buckets[0].baseline_score == pytest.approx(scores[0])
    assert [f"{score:.2f}" for score in scores] == ["31.16", "30.81"]


@pytest.mark.slow
def test_las_by_part_of_speech_is_that_of_the_counts_of_words(data_root: Path, tmp_path: Path) -> None:
    folder = data_root / "data/parse_conll18_en_ewt"
    names = ("UDPipe-Future", "Stanford-18")
    for name in ("gold", *names):
        (tmp_path / f"{name}.conllu").write_bytes(gzip.decompress((folder / f"raw/{name}.conllu.gz").read_bytes()))
    data = outscore.read(
        [str(tmp_path / f"{name}.conllu") for name in names], references=[str(tmp_path / "gold.conllu")]
    )
    found = outscore.compare(data, metrics="las", by="pos", n_resamples=999)
    words = columns(folder / "words.tsv.gz")
    for gain in found.buckets:
        codes = [[row[name] for row in words if row["upos"] == gain.bucket] for name in names]
        right = [100 * float(np.mean([code != "." and int(code) & 4 > 0 for code in of])) for of in codes]
        assert [gain.baseline_score, gain.system_score] == pytest.approx(right)
    assert found.interactions[0].n_buckets == 17
    assert found.interactions[0].p_value == 0.001


@pytest.mark.slow
def test_systems_that_are_equal_on_all_questions_differ_by_subject(data_root: Path) -> None:
    rows = columns(data_root / "data/llm_mmlu_pro/predictions.tsv.gz")
    right = {
        name: [float(row[name] == row["gold"]) for row in rows] for name in ("Yi-34B", "Mixtral-8x7B-Instruct-v0.1")
    }
    items = {"category": [row["category"] for row in rows]}
    found = outscore.compare(right, items=items, metrics="accuracy", by="category")
    assert found.pairs[0].p_value == pytest.approx(0.70, abs=0.01)
    assert len(found.buckets) == 14
    assert found.interactions[0].test == "Welch's F"
    assert (found.interactions[0].p_value or 1) < 0.001


# --- win rates --------------------------------------------------------------------------------------------------------


def won(gains: list[float], items: int = 30, **how: Any) -> Comparison:
    """Tasks on which the second system gains so many standard deviations, to the last digit."""
    noise = laws.norm.ppf((np.arange(items) + 0.5) / items)
    noise /= noise.std(ddof=1)
    new = np.concatenate([gain + noise * (gain != 0) for gain in gains])
    tasks = [f"t{k}" for k in range(len(gains)) for _ in range(items)]
    return outscore.compare(
        {"base": np.zeros(len(new)), "new": new}, items={"task": tasks}, by="task:wins=true", test="t", **FEW | how
    )


def test_a_win_rate_is_judged_on_all_tasks_at_once() -> None:
    edge = laws.t.isf(0.025 / 4, 29) / math.sqrt(30)  # of four intervals that hold together
    for gains, rate, ci in [
        ([edge + 1e-6, -edge - 1e-6, edge - 1e-6, -edge + 1e-6], 0.5, (0.25, 0.75)),
        ([edge - 1e-6, 0.01, 0.0, -0.01], 0.625, (0, 1)),
        ([2.0, 2.0, 2.0, -2.0], 0.75, (0.75, 0.75)),
    ]:
        (one,) = won(gains).interactions
        assert (one.win_rate, one.win_ci) == (rate, ci)
    plain = outscore.compare({"a": normal(1, 20), "b": normal(2, 20)}, items={"t": ["x", "y"] * 10}, by="t")
    assert (plain.interactions[0].win_rate, plain.interactions[0].win_ci) == (None, None)


def test_each_interval_by_itself_does_not_make_a_win_rate_surer() -> None:
    gains = [0.8 * laws.t.isf(0.025 / 4, 29) / math.sqrt(30)] * 4
    found = won(gains, correction="none")
    assert all(gain.ci is not None and gain.ci[0] > 0 for gain in found.buckets)
    assert found.interactions[0].win_ci == (0, 1)


def test_a_win_rate_is_told_as_above_a_half_where_its_lower_end_is() -> None:
    for gains, said in [
        ([2.0, 2.0, 2.0, -2.0], "new wins on more than half of the buckets by task: on 75% (95% CI 75% to 75%,"),
        ([2.0, 2.0, 0.0, 0.0], "new is not shown to win on more or less than half of the buckets by task: on 75% (95%"),
        ([-2.0, -2.0, -2.0, 0.0], "new wins on less than half of the buckets by task: on 12% (95% CI 0% to 25%,"),
    ]:
        assert said in " ".join(Terminal().render(won(gains)).split())


def test_of_many_systems_it_is_said_how_many_win() -> None:
    tasks = ["x"] * 30 + ["y"] * 30
    systems = {f"s{k}": normal(k, 60) + 3 * (k == 3) - 3 * (k == 4) for k in range(6)}
    text = " ".join(
        Terminal(detail="full").render(outscore.compare(systems, items={"t": tasks}, by="t:wins=true")).split()
    )
    assert "1 of 5 win on more than half of the buckets, 1 on less." in text
    assert "100% [100%, 100%]" in text


def test_each_number_of_a_column_is_a_task_of_the_win_rate_and_what_has_none_is_no_task() -> None:
    tasks = [*(str(k) for k in range(1, 15) for _ in range(20)), *[""] * 40]
    new = np.array([1.0] * 20 * 10 + [-1.0] * 20 * 4 + [-1.0] * 40) + 0.1 * normal(3, 320)
    systems = {"base": np.zeros(320), "new": new}
    found = outscore.compare(systems, items={"task": tasks}, by="task:wins=true", test="t")
    assert [gain.bucket for gain in found.buckets] == [*(str(k) for k in range(1, 15)), "(none)"]
    assert (found.interactions[0].win_rate, found.interactions[0].win_ci) == (10 / 14, (10 / 14, 10 / 14))
    assert "the win rate leaves out 40 items of no task" in next(n.text for n in found.notes if "win rate" in n.text)
    plain = outscore.compare(systems, items={"task": tasks}, by="task", test="t")
    assert len(plain.buckets) == 6
    assert "small_buckets" not in {note.code for note in plain.notes}


def test_the_paragraph_for_a_paper_tells_of_buckets_and_of_the_win_rate() -> None:
    text = won([2.0, 2.0, 2.0, -2.0]).to("methods")
    assert "That the mean gain is the same in every bucket by task was tested by Welch's statistic, buckets" in text
    assert "permuted among items. The win rate is the share of buckets by task with a gain, ties half;" in text
    assert (
        r"its 95\% interval reaches from the buckets surely won to those not surely lost, all judged at once." in text
    )
    systems = {f"s{k}": normal(k, 60) for k in range(3)}
    plain = outscore.compare(systems, items={"t": ["x"] * 30 + ["y"] * 30}, by="t").to("methods")
    assert "permuted among items, Holm." in plain
    assert "win rate" not in plain


def note_of(found: Comparison, code: str) -> list[str]:
    """What is said of the buckets by task."""
    return [note.text for note in found.notes if note.code == code and note.text.startswith("by task: ")]


@pytest.mark.parametrize("wins", ["", ":wins=true"])
def test_few_differences_are_counted_in_each_bucket_and_not_in_all(wins: str) -> None:
    """400 items that differ are many, and 20 of each of 20 tasks are few."""

    def said(sizes: list[int], gains: Float) -> list[str]:
        items = {"task": [f"t{k}" for k, size in enumerate(sizes) for _ in range(size)]}
        systems = {"a": np.zeros(len(gains)), "b": gains}
        more = {"c": -gains} if sizes[0] == 20 else {}
        return note_of(outscore.compare(systems | more, items=items, by=f"task{wins}", test="t"), "few_differences")

    (text,) = said([20] * 20, 1 - np.random.default_rng(5).exponential(size=400))
    assert "differ in 20 buckets (20 in 't0')" in text
    assert ("win rates" in text) == bool(wins)
    (text,) = said([300, 299, 350], np.r_[normal(1, 850), np.zeros(99)])
    assert "differ in 2 buckets (251 in 't2')" in text
    assert said([300, 300], normal(1, 600)) == []
    assert said([30] * 20, np.tile([1.0, 0.0, 0.0], 200)) == [], "right or wrong, one size of differences"


def test_a_bucket_in_which_nothing_varies_claims_nothing() -> None:
    """Five gains of one point on a scale of five are no proof that every gain is one point."""
    tasks = ["same"] * 5 + ["varied"] * 5 + ["ties"] * 5 + ["one"]
    base = np.arange(16.0) % 3 + 2
    new = base + np.array([1.0] * 5 + [1, -1, 0, 1, -1.5] + [0.0] * 5 + [1.0])
    for wins, flat in (("", "1 bucket ('same')"), (":wins=true", "2 buckets ('one', 'same')")):
        found = outscore.compare({"base": base, "new": new}, items={"task": tasks}, by=f"task{wins}", test="t")
        ends = {gain.bucket: gain.ci for gain in found.buckets}
        assert ends["same"] is None and ends["one"] is None
        assert ends["ties"] == (0.0, 0.0)
        assert ends["varied"] is not None
        (text,) = note_of(found, "zero_variance")
        assert f"nothing varies in {flat}" in text
        assert ("undecided" in text) == bool(wins)
        assert (found.interactions[0].win_rate, found.interactions[0].win_ci) == (
            (0.625, (0, 1)) if wins else (None,) * 2
        )


def test_a_bucket_of_gains_within_known_limits_keeps_its_interval_where_none_varies() -> None:
    right = {"base": np.zeros(40), "new": np.r_[np.ones(20), np.tile([0.0, 1], 10)]}
    found = outscore.compare(right, metrics="accuracy", items={"task": ["x"] * 20 + ["y"] * 20}, by="task:wins=true")
    assert all(gain.ci is not None and gain.ci[0] < gain.ci[1] for gain in found.buckets)
    assert note_of(found, "zero_variance") == []


def test_wins_are_true_or_false_and_of_no_words() -> None:
    with pytest.raises(UsageError, match="wins=maybe: expected true or false"):
        compared(by="kind:wins=maybe")
    with pytest.raises(UsageError, match="is of pairs"):
        outscore.score({"a": normal(1, 20)}, items={"t": ["x", "y"] * 10}, by="t:wins=true")
    assert compared(by="kind:wins=false").interactions[0].win_ci is None
