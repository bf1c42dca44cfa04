"""Scores of parsers are those of the CoNLL 2018 script, however the systems split the text.

Oracles: udtools' ``evaluate`` on whole files, plain loops over the definition, and the organisers' results.
"""

from __future__ import annotations

import csv
import gzip
import io
import sys
import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from udtools import udeval

from outscore.base.arrays import Float
from outscore.base.errors import InputError, MissingExtra
from outscore.base.items import Items
from outscore.data import align, read
from outscore.data.dataset import Dataset
from outscore.metrics import metrics
from outscore.metrics.dependency import Name
from tests.contract.cases.dependency import block, parses, tree
from tests.examples import examples

several = settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow])


def sums(spec: str, golds: Sequence[str], outputs: Sequence[str]) -> list[float]:
    items = Items(n=len(golds), outputs=outputs, references=(golds,))
    return [float(value) for value in metrics.make(spec).statistics(items).sum(axis=0)]


def official(gold: str, system: str, **options: bool) -> dict[str, Any]:
    gold_ud, system_ud = (udeval.load_conllu(io.StringIO(text + "\n\n"), "", options) for text in (gold, system))
    return dict(udeval.evaluate(gold_ud, system_ud))


def counts(score: Any) -> list[float]:
    return [score.correct, score.gold_total, score.system_total]


def rows(text: str) -> list[list[str]]:
    """The columns of the words of an item without tokens of several words."""
    return [line.split("\t") for line in text.split("\n") if line]


@st.composite
def same_words(draw: st.DrawFn) -> tuple[str, str]:
    forms = draw(st.lists(st.sampled_from(["a", "b", ".", ",", "c|d"]), min_size=1, max_size=6))
    return draw(tree(forms)), draw(tree(forms))


@st.composite
def same_text(draw: st.DrawFn, of_several: bool = True) -> tuple[str, str]:
    text = "".join(draw(st.lists(st.sampled_from("abc.,"), min_size=1, max_size=9)))
    return draw(parses(text, of_several)), draw(parses(text, of_several))


@several
@given(pair=same_words())
def test_with_the_words_of_the_gold_a_score_is_the_share_of_words_that_are_right(pair: tuple[str, str]) -> None:
    gold, system = ([row for row in rows(text) if "-" not in row[0]] for text in pair)
    for punct in (True, False):
        for subtypes in (True, False):
            right = dict.fromkeys(("uas", "las", "upos"), 0)
            total = 0
            for g, s in zip(gold, system, strict=True):
                if not punct and g[3] == "PUNCT":
                    continue
                total += 1
                right["upos"] += g[3] == s[3]
                right["uas"] += g[6] == s[6]
                relations = [row[7] if subtypes else row[7].split(":")[0] for row in (g, s)]
                right["las"] += g[6] == s[6] and relations[0] == relations[1]
            for name, correct in right.items():
                spec = f"{name}:punct={punct}" + (f",subtypes={subtypes}" if name == "las" else "")
                assert sums(spec, [pair[0]], [pair[1]]) == [correct, total, total]


@several
@given(pair=st.one_of(same_words(), same_text()))
def test_every_score_of_an_item_is_that_of_udtools(pair: tuple[str, str]) -> None:
    expected = official(*pair)
    for name in get_args(Name):
        assert sums(f"ud:metric={name}", [pair[0]], [pair[1]]) == counts(expected[name])
    for name in ("uas", "las", "upos", "clas", "mlas", "blex"):
        assert sums(name, [pair[0]], [pair[1]]) == counts(expected[name.upper()])


@several
@given(pair=same_text(of_several=False))
def test_punctuation_is_left_out_where_words_differ(pair: tuple[str, str]) -> None:
    """Without tokens of several words the words that have the same characters of the text are aligned."""
    spans: list[dict[tuple[int, int], list[str]]] = []
    for text in pair:
        at, words = 0, {}
        for row in rows(text):
            words[at, at := at + len(row[1])] = row
        spans.append(words)
    gold, system = spans
    scored = [span for span, row in gold.items() if row[3] != "PUNCT"]
    theirs = [
        span
        for span, row in system.items()
        if (span in scored if span in gold else not all(unicodedata.category(c)[0] == "P" for c in row[1]))
    ]
    right = sum(span in system and gold[span][3] == system[span][3] for span in scored)
    assert sums("upos:punct=false", [pair[0]], [pair[1]]) == [right, len(scored), len(theirs)]


@pytest.mark.parametrize("name", ["uas", "las", "upos", "mlas", "ud:metric=Sentences", "ud:metric=Tokens"])
@several
@given(data=st.data())
def test_items_add_up_to_the_whole_file_however_it_was_split(
    name: str, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    texts = data.draw(st.lists(st.text("abc", min_size=1, max_size=4), min_size=1, max_size=4))
    files = []
    for _ in range(3):
        # some sentence ends are shared, others are not
        cuts = data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts)))
        parts = [""]
        for text, cut in zip(texts, cuts, strict=True):
            parts[-1] += text
            parts += [""] if cut else []
        files.append("\n\n".join(data.draw(parses(part, of_several=False)) for part in parts if part))
    folder = tmp_path_factory.mktemp("files")
    for i, text in enumerate(files):
        (folder / f"{i}.conllu").write_text(text + "\n\n", encoding="utf-8")
    collection = read([str(folder / "1.conllu"), str(folder / "2.conllu")], references=[str(folder / "0.conllu")])
    aligned = align(collection.runs, collection.golds)
    metric = metrics.make(name)
    for i in (1, 2):
        got = metric.statistics(aligned.by_run[str(i), "1"]).sum(axis=0).tolist()
        assert got == counts(official(files[0], files[i])[name.partition("=")[2] or name.upper()])


def test_udtools_may_align_words_of_several_sentences_in_a_whole_file_and_items_do_not() -> None:
    """A known difference: its spans of several words may begin too early, where the other file lags behind."""
    tag = ["X"] * 3
    gold = [block(["aaa"], [0], ["root"], tag), block(["b|a"], [0, 1], ["root", "obj"], tag)]
    system = [block(["a", "a|a"], [0, 1, 1], ["root", "obj", "obj"], tag), block(["ba"], [0], ["root"], tag)]
    assert sums("ud:metric=Words", gold, system)[0] == 0
    assert official("\n\n".join(gold), "\n\n".join(system))["Words"].correct == 1


def test_in_conll_x_punctuation_is_known_by_its_form() -> None:
    gold = block(["Ja", "``", "»", "$,"], [0, 1, 1, 1], ["root"] * 4, ["itj", "punc", "punc", "PROPN"])
    assert sums("uas:punct=false", [gold], [gold])[1] == 3  # a grave accent is a symbol
    assert sums("uas:punct=false", [gold.replace("punc", "PUNCT")], [gold])[1] == 2
    assert sums("uas:punct=false", [gold.replace("punc", "SYM")], [gold])[1] == 4


def test_several_roots_are_counted_word_by_word_and_refused_where_the_shared_task_did() -> None:
    gold = block(["a", "bc"], [0, 1], ["root", "obj"], ["X", "X"])
    same = block(["a", "bc"], [0, 0], ["root", "root"], ["X", "X"])
    other = block(["a", "b", "c"], [0, 0, 0], ["root"] * 3, ["X"] * 3)
    assert sums("las", [gold], [same]) == [1, 2, 2]
    assert sums("las", [gold], [other]) == [1, 2, 3]
    for system in (same, other):
        with pytest.raises(InputError, match=r"system's tree of 'a b.*multiple roots.*; mend it: every sentence"):
            sums("clas", [gold], [system])


@pytest.mark.parametrize(
    ("heads", "deps", "reason"),
    [([2, 1], "_", "cycle"), ([1, 1], "_", "cycle"), ([0, 1], "3", "unpack"), ([0, 1], "9:obj", "range")],
)
def test_what_udtools_cannot_read_is_refused_with_a_remedy(heads: list[int], deps: str, reason: str) -> None:
    gold = block(["a", "b"], [0, 1], ["root", "obj"], ["X", "X"])
    system = block(["a", "b"], heads, ["root", "obj"], ["X", "X"]).replace("\t_\t_", f"\t{deps}\t_")
    system = "\n".join("\t".join([*line.split("\t")[:8], deps, "_"]) for line in system.split("\n"))
    assert sums("uas", [gold], [system])[1:] == [2, 2]
    with pytest.raises(InputError, match=f"{reason}.*; mend it"):
        sums("mlas", [gold], [system])


def test_a_chain_deeper_than_the_recursion_of_udtools_is_an_error_with_a_remedy() -> None:
    n = 3 * sys.getrecursionlimit()
    chain = block(["a"] * n, [*range(2, n + 1), 0], ["dep"] * n, ["X"] * n)
    assert sums("las", [chain], [chain]) == [n, n, n]
    with pytest.raises(InputError, match=r"recursion.*; mend it"):
        sums("clas", [chain], [chain])


def test_words_without_heads_have_tags_only() -> None:
    gold = block(["a", "b"], [0, 1], ["root", "obj"], ["X", "X"])
    tagged = gold.replace("\t1\tobj", "\t_\t_")
    assert sums("upos", [gold], [tagged]) == [2, 2, 2]
    for name in ("uas", "las"):
        for pair in ((gold, tagged), (tagged, gold)):
            with pytest.raises(InputError, match=r"'b' in 'a b' has none.*; give parsed files"):
                sums(name, [pair[0]], [pair[1]])


def test_other_texts_than_the_gold_are_refused() -> None:
    gold, other = (block([form], [0], ["root"], ["X"]) for form in ("ab", "cd"))
    with pytest.raises(InputError, match=r"system's words of 'ab'.*differ"):
        sums("las", [gold], [other])


def test_udtools_is_needed_only_where_words_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "udtools.udeval", None)
    gold = block(["de|le", "x"], [0, 1, 1], ["root", "obj", "obj"], ["X"] * 3)
    assert sums("las", [gold], [gold]) == [3, 3, 3]
    number = block(["10 000"], [0], ["root"], ["NUM"])
    assert sums("las", [number], [number.replace(" ", "\u00a0")]) == [1, 1, 1]
    with pytest.raises(MissingExtra, match=r"las of words.*pip install 'outscore\[ud\]'"):
        sums("las", [gold], [gold.replace("\tle\t", "\tl\t")])
    with pytest.raises(MissingExtra, match=r"outscore\[ud\]"):
        sums("blex", [gold], [block(["dele", "x"], [0, 1], ["root", "dep"], ["X", "X"])])


def test_the_signature_of_an_official_score_names_the_version_that_counts() -> None:
    assert "udtools:" in metrics.make("mlas").signature(Items(n=0))
    assert metrics.make("las").signature(Items(n=0)) == "las"


PARSERS = ("HIT-SCIR-18", "ArmParser")
"""One that divides the text nearly as the gold data do, and one that does not; all of them are nightly."""
PUBLISHED = {"uas": "UAS_F1", "las": "LAS_F1", "upos": "UPOS_F1", "ud:metric=Sentences": "Sentences_F1"}


@pytest.fixture(scope="module")
def folder(data_root: Path) -> Path:
    return data_root / "data" / "parse_conll18_en_ewt"


@pytest.fixture(scope="module")
def published(folder: Path) -> dict[str, dict[str, str]]:
    with (folder / "published_style_scores.tsv").open(encoding="utf-8") as lines:
        return {row["system"]: row for row in csv.DictReader(lines, delimiter="\t")}


def read_and_aligned(folder: Path, systems: Sequence[str]) -> Dataset:
    files = [str(folder / "raw" / f"{system}.conllu.gz") for system in systems]
    collection = read(files, references=[str(folder / "raw" / "gold.conllu.gz")])
    return align(collection.runs, collection.golds)


@pytest.fixture(scope="module")
def two(folder: Path) -> Dataset:
    return read_and_aligned(folder, PARSERS)


Sums = dict[tuple[str, str], Float]


def sums_of(aligned: Dataset, names: Sequence[str]) -> Sums:
    """Statistics of all sentences together, by metric and system."""
    made = [(name, system) for name in names for system in aligned.systems]
    return {(n, s): metrics.make(n).statistics(aligned.by_run[s, "1"]).sum(axis=0) for n, s in made}


@pytest.fixture(scope="module")
def two_sums(two: Dataset) -> Sums:
    return sums_of(two, ("uas", "las", "upos"))


def check_published(found: Sums, rows: dict[str, dict[str, str]]) -> None:
    """The scores to the four digits in which they were published."""
    for (name, system), sums in found.items():
        assert round(float(metrics.make(name).score(sums)), 4) == float(rows[system][PUBLISHED[name]])


@pytest.mark.slow
def test_systems_of_conll_2018_have_their_published_scores(
    two: Dataset, two_sums: Sums, published: dict[str, dict[str, str]]
) -> None:
    assert [note.code for note in two.notes] == ["resegmented"]
    assert sum(map(int, two.labels["length"])) == 25096
    check_published(two_sums, published)


@pytest.mark.slow
def test_words_of_conll_2018_are_right_where_the_organisers_script_found_them_right(
    folder: Path, two: Dataset, two_sums: Sums
) -> None:
    """Oracle: counts for each gold sentence by the organisers' script; their sums are whole numbers."""
    with gzip.open(folder / "sentence_counts.tsv.gz", "rt", encoding="utf-8") as lines:
        rows = [row for row in csv.DictReader(lines, delimiter="\t") if row["system"] in PARSERS]
    for name in ("uas", "las", "upos"):
        for system in two.systems:
            expected = [
                sum(int(row[column]) for row in rows if row["system"] == system)
                for column in (f"correct_{name}", "gold_words", "sys_words")
            ]
            assert two_sums[name, system].tolist() == expected


@pytest.mark.nightly
def test_all_systems_of_conll_2018_have_the_scores_of_udtools(
    folder: Path, published: dict[str, dict[str, str]]
) -> None:
    """All of its scores, from whole files; the items are those of all 25 systems."""
    aligned = read_and_aligned(folder, list(published))
    assert len(aligned.systems) == 25
    check_published(sums_of(aligned, list(PUBLISHED)), published)
    gold, *systems = (
        gzip.decompress((folder / "raw" / f"{system}.conllu.gz").read_bytes()).decode().rstrip("\n")
        for system in ("gold", *published)
    )
    for system, text in zip(published, systems, strict=True):
        expected = official(gold, text)
        cell = aligned.by_run[system, "1"]
        for name in get_args(Name):
            metric = metrics.make(f"ud:metric={name}")
            got = metric.statistics(cell).sum(axis=0)
            assert got.tolist() == counts(expected[name])
            np.testing.assert_allclose(metric.score(got), 100 * expected[name].f1, rtol=1e-12)
        for name in ("uas", "las", "upos", "clas", "mlas", "blex"):
            assert metrics.make(name).statistics(cell).sum(axis=0).tolist() == counts(expected[name.upper()])
