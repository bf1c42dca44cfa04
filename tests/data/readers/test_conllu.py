"""CoNLL-U files: sentences become items, and systems that split the text otherwise share stretches of it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from outscore.base.errors import InputError
from outscore.base.notation import NotationError
from outscore.base.notation.conllu import NO_HEAD, sentence, sentences
from outscore.data import align, read
from outscore.data.collection import Collection
from outscore.data.readers import Sniffed, readers
from outscore.data.run import Gold, Run
from tests.data.files import Write
from tests.examples import examples


def chain(*forms: str, comments: str = "") -> str:
    """A sentence in which each word hangs on the one before it."""
    lines = [f"{i + 1}\t{form}\t_\tX\t_\t_\t{i}\tdep\t_\t_\n" for i, form in enumerate(forms)]
    return "".join([comments, *lines, "\n"])


def words(item: str) -> list[list[str]]:
    return [list(s.forms) for s in sentences(item)]


def together(gold: str, *systems: str) -> Collection:
    return read(list(systems), references=[gold])


def outputs(collection: Collection) -> list[list[list[str]]]:
    (run,) = collection.runs
    return [words(output) for output in run.outputs or ()]


GOLD = (
    chain("One", "two", comments="# newdoc id = d1\n# sent_id = a1\n# genre = news\n# text = One two\n"),
    chain("three", comments="# sent_id = a2\n"),
    chain("four", "five", comments="# newdoc\n# sent_id = b1\n# genre=mail\n"),
    chain("six", comments="# newdoc id = d3\n# sent_id = c1\n"),
)


def test_items_are_sentences_with_what_the_comments_say_of_them(write: Write) -> None:
    found = together(write("gold.conllu", *GOLD), write("sys.conllu", *(g.split("\n", 1)[1] for g in GOLD)))
    (run,), (gold,) = found.runs, found.golds
    assert run.notation == gold.notation == "conllu"
    assert run.source.reader == gold.source.reader == "conllu"
    assert run.ids == gold.ids == ("a1", "a2", "b1", "c1")
    assert gold.labels == {
        "length": ("2", "1", "2", "1"),
        "tokens": ("One two", "three", "four five", "six"),
        "cluster": ("d1", "d1", "2", "d3"),
        "domain": ("news", "news", "mail", ""),
    }
    assert run.outputs == gold.references[0]
    assert run.outputs[0] == "1\tOne\t_\tX\t_\t_\t0\tdep\t_\t_\n2\ttwo\t_\tX\t_\t_\t1\tdep\t_\t_"
    assert not run.notes


def test_one_document_is_no_cluster_and_files_without_ids_go_by_number(write: Write) -> None:
    found = together(
        write("gold.conllu", "# newdoc\n", chain("a"), "# sent_id = only one has an id\n", chain("b c")),
        write("sys.conllu", chain("a"), chain("b c")),
    )
    (gold,) = found.golds
    assert gold.ids == ("1", "2")
    assert gold.labels == {"length": ("1", "1"), "tokens": ("a", "b\u00a0c")}


def test_sentences_in_another_order_are_joined_by_their_ids(write: Write) -> None:
    found = together(write("gold.conllu", *GOLD), write("sys.conllu", *reversed(GOLD)))
    assert outputs(found) == [words(item) for item in found.golds[0].references[0]]
    assert found.runs[0].ids == ("a1", "a2", "b1", "c1")


def test_ids_of_a_parser_that_numbers_its_own_sentences_do_not_matter(write: Write) -> None:
    system = [f"# sent_id = {i}\n" + "".join(g[g.index("1\t") :]) for i, g in enumerate(GOLD)]
    found = together(write("gold.conllu", *GOLD), write("sys.conllu", *system))
    assert found.runs[0].ids == ("a1", "a2", "b1", "c1")


def test_items_end_where_all_files_end_a_sentence(write: Write) -> None:
    gold = write("gold.conllu", *GOLD)
    joined = write("joined.conllu", chain("One", "twothree"), chain("fourfive"), chain("si", "x"))
    cut = write("cut.conllu", chain("One"), chain("two", "three", "four"), chain("five"), chain("six"))
    alone = together(gold, joined)
    assert alone.golds[0].ids == ("a1+1", "b1", "c1")
    assert outputs(alone) == [[["One", "twothree"]], [["fourfive"]], [["si", "x"]]]
    assert words(alone.golds[0].references[0][0]) == [["One", "two"], ["three"]]
    both = together(gold, joined, cut)
    assert both.golds[0].ids == ("a1+2", "c1")
    assert both.golds[0].labels["length"] == ("5", "1")
    assert both.golds[0].labels["tokens"] == ("One two three four five", "six")
    assert both.golds[0].labels["domain"] == ("news", "")
    assert [run.source.n_items for run in both.runs] == [3, 4]
    aligned = align(both.runs, both.golds)
    (note,) = aligned.notes
    assert note.code == "resegmented"
    assert "4 gold sentences became 2 items" in note.text
    assert sum(cell.n for cell in aligned.by_run.values()) == 4


def test_a_system_that_cuts_gold_sentences_only_changes_no_items(write: Write) -> None:
    found = together(
        write("gold.conllu", *GOLD), write("s.conllu", *map(chain, ("One", "two", "three", "four", "five", "six")))
    )
    assert found.runs[0].ids == ("a1", "a2", "b1", "c1")
    assert outputs(found)[0] == [["One"], ["two"]]
    assert not found.runs[0].notes


def test_documents_that_share_a_stretch_are_one_cluster(write: Write) -> None:
    gold = [chain(form, comments=f"# newdoc id = {form}\n") for form in "abcdef"]
    system = [chain("a"), chain("bc"), chain("d"), chain("ef")]
    (found,) = together(write("gold.conllu", *gold), write("sys.conllu", *system)).golds
    assert found.labels["cluster"] == ("a", "b", "d", "e")
    again = [
        chain(form, comments=f"# newdoc id = {document}\n") for form, document in zip("abcdef", "xyzxyw", strict=True)
    ]
    (found,) = together(write("gold.conllu", *again), write("sys.conllu", *system)).golds
    assert found.labels["cluster"] == ("x", "y", "x", "y")
    crossed = [chain("ab"), chain("cd"), chain("ef")]
    (found,) = together(write("gold.conllu", *again), write("sys.conllu", *crossed)).golds
    assert len(set(found.labels["cluster"])) == 1


def test_descriptions_of_the_sentences_follow_into_the_stretches(write: Write) -> None:
    gold = write("gold.conllu", *GOLD)
    system = write("sys.conllu", chain("One", "twothree"), chain("four", "five"), chain("six"))
    rows = ["item,document,topic", "c1,D3,x", "b1,D2,y", "a2,D2,z", "a1,D1,w"]
    for items in (write("by_id.csv", "\n".join(rows)), write("by_row.csv", "document,topic\nD1,w\nD2,z\nD2,y\nD3,x\n")):
        found = read([system], references=[gold], items=items)
        labels = align(found.runs, found.golds).labels
        assert labels["topic"] == ("w", "y", "x")
        assert labels["document"][0] == labels["document"][1] != labels["document"][2]


def test_the_place_where_the_text_differs_is_named(write: Write) -> None:
    gold = write("gold.conllu", *GOLD)
    system = write(
        "sys.conllu", "\n\n", chain("One", "two"), "# x\n", chain("three"), "\n\n", chain("four", "fife", "six")
    )
    with pytest.raises(
        InputError, match=r"sys.conllu:12: .*found 'fesix', expected 'vesix' \(.*gold.conllu:15\); parse"
    ):
        together(gold, system)
    short = write("short.conllu", *GOLD[:3])
    with pytest.raises(InputError, match=r"short.conllu: .*found the end of the text, expected 'six' \(.*:19\)"):
        together(gold, short)
    with pytest.raises(
        InputError, match=r"gold.conllu:19: .*found 'six', expected the end of the text \(.*short.conllu\)"
    ):
        together(short, gold)


def test_spaces_inside_words_do_not_count(write: Write) -> None:
    gold = write("gold.conllu", chain("10\u00a0000", "x"), chain("y"))
    found = together(gold, write("sys.conllu", chain("10", "000", "x"), chain("\u3000y ")))
    assert outputs(found) == [[["10", "000", "x"]], [["\u3000y "]]]


def test_without_gold_the_sentences_of_a_system_stay_as_they_are(write: Write) -> None:
    (run,) = read([write("a.conllu", *GOLD)]).runs
    assert run.ids == ("a1", "a2", "b1", "c1")
    assert not run.labels


@pytest.mark.parametrize("text_is", ["gold", "system"])
def test_trees_and_plain_text_do_not_mix(write: Write, text_is: str) -> None:
    trees, text = write("trees.conllu", *GOLD), write("plain.txt", "One two\nthree\nfour five\nsix\n")
    with pytest.raises(InputError, match=r"plain.txt: holds text.*CoNLL-U.*; give all"):
        together(*((text, trees) if text_is == "gold" else (trees, write("same.conllu", *GOLD), text)))


X = "1\tGroßen\t_\tADJ\tADJA\t_\t2\tNK\t2\tNK\n2\tDank\t_\tN\tNN\t_\t0\tROOT\t0\tROOT\n\n"


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.conll", X),
        ("a.txt", "\ufeff" + X.replace("\n", "\r\n")),
        ("a", "\n\n" + X.rstrip("\n")),
        (
            "a.tsv",
            "# global.columns = ID FORM\n" + chain("de", "le").replace("1\t", "1-2\tdu" + "\t_" * 8 + "\n1\t", 1),
        ),
        ("a.conllu", "0.1\tnull" + "\t_" * 8 + "\n" + chain("a")),
    ],
)
def test_files_are_known_by_their_columns(write: Write, name: str, content: str) -> None:
    (run,) = together(write("gold.conllu", content), write(name, content)).runs
    assert run.source.reader == "conllu"
    assert run.n == 1


@pytest.mark.parametrize(
    "content",
    [
        "id\tb\tc\td\te\tf\tg\th\ti\tj\n1\tx\tx\tx\tx\tx\t1\tx\tx\tx\n",
        "EU\tNNP\tI-NP\tI-ORG\n\n",
        "1\n2\n3\n",
        "# a comment\n",
        "a\tb\tc\td\te\tf\tg\th\ti\tj\n",
        "",
    ],
)
def test_other_files_are_not_taken_for_it(content: str) -> None:
    head = Sniffed(file="a.tsv", lines=tuple(content.split("\n")))
    assert not readers.make("conllu").sniff(head)


def test_one_bad_line_does_not_make_it_another_format() -> None:
    for bad in range(3):
        lines = chain("a", "b", "c").split("\n")
        lines[bad] = lines[bad].replace("\t", " ")
        assert readers.make("conllu").sniff(Sniffed(file="a.txt", lines=tuple(lines)))


MULTI = "1-2\tdu" + "\t_" * 8 + "\n"


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (chain("a", "b").replace("2\tb\t_", "2\tb"), 2, "9 columns, expected 10"),
        (chain("a", "b").replace("2\tb\t", "2 b "), 2, "8 columns, expected 10"),
        (chain("a", "b").replace("2\tb", "3\tb"), 2, "ID '3', expected 2"),
        (chain("a", "b").replace("2\tb", "b\tb"), 2, "ID 'b', expected 2"),
        (chain("a", "b").replace("2\tb", "2.1\tb"), 2, "ID '2.1', expected 2"),
        (chain("a", "b").replace("2\tb", "2-2\tb"), 2, "ID '2-2', expected 2"),
        (MULTI + MULTI + chain("a", "b"), 2, "ID '1-2', expected 1"),
        (MULTI + chain("a"), 2, "ends after 1 word, expected 2"),
        ("# sent_id = 1\n1.1\tx" + "\t_" * 8, 2, "ID '1.1', expected 1"),
        ("0.1\tx" + "\t_" * 8 + "\n", 1, "ends after 0 words, expected 1"),
        (chain("a", "b").replace("\t1\tdep", "\tone\tdep"), 2, "HEAD 'one', expected the number"),
        (chain("a", "b").replace("\t1\tdep", "\t-1\tdep"), 2, "HEAD '-1', expected the number"),
        (chain("a", "b").replace("\t1\tdep", "\t²\tdep"), 2, "HEAD '²', expected the number"),
        (chain("a", "b").replace("\t0\tdep", "\t3\tdep"), 1, "HEAD 3, expected 0 to 2"),
        (chain("a", ""), 2, "FORM is empty"),
        (chain("a", "\u00a0"), 2, "FORM is empty"),
        (chain("a", "b").replace("2\tb", "# inside\n2\tb"), 2, "1 column, expected 10"),
    ],
)
def test_a_bad_line_is_named_with_what_was_expected(write: Write, content: str, line: int, message: str) -> None:
    before = "# a comment\n" + chain("x", "y", "z") + "\n"
    with pytest.raises(InputError, match=f"bad.conllu:{line + 6}: .*{message}.*; mend"):
        together(write("gold.conllu", chain("x")), write("bad.conllu", before, content))


def test_a_file_of_comments_holds_no_sentence(write: Write) -> None:
    with pytest.raises(InputError, match="no sentence"):
        together(write("gold.conllu", "# newdoc\n\n"), write("sys.conllu", chain("a")))


def test_a_word_may_have_no_head_and_a_token_several_words() -> None:
    found = sentence(MULTI + chain("de", "le", "x").replace("\t1\tdep", "\t_\tdep").rstrip("\n"))
    assert (found.texts, found.sizes, found.lines) == (("du", "x"), (2, 1), (0, 3))
    assert found.forms == ("de", "le", "x")
    assert found.heads == (0, NO_HEAD, 2)


@settings(max_examples=examples(200), suppress_health_check=[HealthCheck.too_slow])
@given(text=st.text("12_-.\t\n#ab \u00a0", max_size=60) | st.text(max_size=30))
def test_any_text_is_sentences_or_an_error_that_names_one_of_its_lines(text: str) -> None:
    try:
        found = sentences(text)
    except NotationError as error:
        assert 0 <= error.line <= text.count("\n")
        assert str(error)
    else:
        assert all(len(s.forms) == len(s.heads) == sum(s.sizes) for s in found)


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_stretches_hold_all_of_the_text_and_end_with_a_sentence_of_every_file(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    n = data.draw(st.integers(1, 12))
    folder = tmp_path_factory.mktemp("files")
    ends: list[set[int]] = []
    for name in ("gold", "a", "b"):
        ends.append({n, *data.draw(st.sets(st.integers(1, n)))})
        cuts = [0, *sorted(ends[-1])]
        parts = [chain(*"x" * (end - start)) for start, end in pairwise(cuts)]
        (folder / f"{name}.conllu").write_text("".join(parts), encoding="utf-8")
    found = together(*(str(folder / f"{name}.conllu") for name in ("gold", "a", "b")))
    common = sorted(set.intersection(*ends))
    holders: list[Run | Gold] = [*found.runs, *found.golds]
    for holder in holders:
        stream = holder.outputs or () if isinstance(holder, Run) else holder.references[0]
        sizes = [sum(len(part) for part in words(item)) for item in stream]
        assert [sum(sizes[: i + 1]) for i in range(len(sizes))] == common
        assert holder.ids is not None
        assert len(set(holder.ids)) == len(common)
