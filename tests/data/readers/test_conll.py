"""Files of tagged tokens: which they are, what they hold, and what is wrong with them."""

from __future__ import annotations

import pytest

from outscore.base.errors import InputError, UsageError
from outscore.data import align, read
from outscore.data.read import choose
from outscore.data.readers import Context
from outscore.data.source import open_source
from tests.data.files import Write

GOLD = """-DOCSTART- -X- -X- O

EU NNP B-NP B-ORG
rejects VBZ B-VP O

Peter NNP B-NP B-PER
Blackburn NNP I-NP I-PER

-DOCSTART- -X- -X- O

BRUSSELS NNP B-NP B-LOC
"""
OUTPUT = "EU B-ORG\nrejects O\n\nPeter O\nBlackburn B-PER\n\nBRUSSELS B-LOC\n"
CONLLEVAL = "EU B-ORG B-ORG\nrejects O O\n\nPeter B-PER O\nBlackburn I-PER B-PER\n"


def notes(write: Write, gold: str, output: str) -> dict[str, str]:
    """The notes on documents, by code."""
    found = read([write("a.conll", output)], references=[write("gold.txt", gold)])
    return {note.code: note.text for note in align(found.runs, found.golds).notes}


def test_documents_are_said_to_be_clusters_and_that_they_are_not_used(write: Write) -> None:
    plain = "\n".join(line for line in GOLD.splitlines() if not line.startswith("-DOCSTART-")).strip() + "\n"
    parted = OUTPUT.replace("BRUSSELS", "-DOCSTART- O\n\nBRUSSELS")
    for output in (OUTPUT, parted):
        found = notes(write, GOLD, output)
        assert found["documents_as_clusters"].endswith(
            "gold.txt into 2 documents, the clusters of its sentences unless --cluster names others"
        )
        assert "documents_not_used" not in found
    found = notes(write, plain, parted)
    assert "a.conll into 2 documents, which are not used" in found["documents_not_used"]
    assert "documents_as_clusters" not in found
    one = f"-DOCSTART- O\n\n{OUTPUT}"
    assert not {"documents_not_used", "documents_as_clusters"} & set(notes(write, plain, one)), "one is no cluster"


def test_documents_in_a_file_of_conlleval_are_its_clusters(write: Write) -> None:
    (run,) = read([write("a.txt", CONLLEVAL.replace("Peter", "-DOCSTART- O O\n\nPeter"))]).runs
    assert ([note.code for note in run.notes], run.labels["cluster"]) == (["documents_as_clusters"], ("0", "1"))


def chosen(file: str) -> str:
    """The reader that takes a file by its content."""
    return choose(open_source(file), Context(file=file, stem="a", sha256="")).name


def test_gold_files_hold_the_last_column_with_tokens_lengths_and_documents(write: Write) -> None:
    found = read([write("a.conll", OUTPUT)], references=[write("gold.txt", GOLD)])
    (gold,) = found.golds
    assert gold.source.reader == "conll"
    assert gold.notation == "tags"
    assert gold.references == (("B-ORG O", "B-PER I-PER", "B-LOC"),)
    assert gold.labels == {
        "tokens": ("EU rejects", "Peter Blackburn", "BRUSSELS"),
        "length": ("2", "2", "1"),
        "cluster": ("1", "1", "2"),
    }
    (run,) = found.runs
    assert (run.system, run.outputs, run.notation) == ("a", ("B-ORG O", "O B-PER", "B-LOC"), "tags")
    assert run.references == ()
    assert align(found.runs, found.golds).labels["cluster"] == ("1", "1", "2")


@pytest.mark.parametrize("start", ["", "-DOCSTART- O\n\n"])
def test_less_than_two_documents_are_no_clusters(write: Write, start: str) -> None:
    found = read([write("a", OUTPUT)], references=[write("gold", start + OUTPUT)])
    assert set(found.golds[0].labels) == {"tokens", "length"}


@pytest.mark.parametrize("cut", [" ", "\t", "  ", " \t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_columns_are_cut_at_blanks_or_tabs(write: Write, cut: str, end: str) -> None:
    text = OUTPUT.replace(" ", cut).replace("\n", end)
    assert read([write("a", text)]).runs[0].outputs == ("B-ORG O", "O B-PER", "B-LOC")


def test_tokens_with_blanks_inside_are_kept_whole_between_tabs(write: Write) -> None:
    text = "EU\tB-ORG\nNew York\tB-LOC\n\tO\n"
    (gold,) = read([write("a", text)], references=[write("gold", text)]).golds
    assert gold.references == (("B-ORG B-LOC O",),)
    assert gold.labels["tokens"] == ("EU New_York _",)


def test_several_blank_lines_end_one_sentence_and_the_last_needs_none(write: Write) -> None:
    text = "\n\n" + OUTPUT.replace("\n\n", "\n \n\n\n").rstrip()
    assert read([write("a", text)]).runs[0].outputs == ("B-ORG O", "O B-PER", "B-LOC")


def test_input_of_conlleval_carries_its_gold_tags(write: Write) -> None:
    (run,) = read([write("a", CONLLEVAL)]).runs
    assert run.references == (("B-ORG O", "B-PER I-PER"),)
    assert run.outputs == ("B-ORG O", "O B-PER")
    assert run.labels["length"] == ("2", "2")


def test_gold_tags_that_a_file_carries_are_not_read_where_references_are_given(write: Write) -> None:
    (run,) = read([write("a", CONLLEVAL)], references=[write("gold", "\n".join(OUTPUT.split("\n")[:5]))]).runs
    assert run.references == ()
    assert run.outputs == ("B-ORG O", "O B-PER")


def test_chunk_tags_beside_entities_are_no_gold_tags(write: Write) -> None:
    (run,) = read([write("a", GOLD)]).runs
    assert run.references == ()
    assert run.outputs == ("B-ORG O", "B-PER I-PER", "B-LOC")


def test_files_of_several_systems_that_disagree_on_the_gold_tags_are_refused(write: Write) -> None:
    found = read([write("a", CONLLEVAL), write("b", CONLLEVAL.replace("EU B-ORG", "EU B-LOC"))])
    with pytest.raises(InputError, match="reference"):
        align(found.runs, found.golds)


def test_columns_can_be_named(write: Write) -> None:
    files = [write("a", "EU NNP B-ORG x\nrejects VBZ O x\n")]
    found = read(files, references=[write("gold", "EU NP O\nrejects VB O\n")], reader="conll:tag=2")
    assert found.runs[0].outputs == ("NNP VBZ",)
    assert found.golds[0].references == (("NP VB",),)
    (run,) = read(files, reader="conll:tag=2,gold=3").runs
    assert (run.outputs, run.references) == (("NNP VBZ",), (("B-ORG O",),))
    with pytest.raises(InputError, match="has 4 columns, but column 7 was asked for; "):
        read(files, reader="conll:tag=7")
    with pytest.raises(UsageError, match="columns from 1"):
        read(files, reader="conll:tag=-1")


def test_comments_stand_before_sentences_and_have_no_tag(write: Write) -> None:
    text = "# id 3f8a domain=train\n# B-MISC\nten O\n\n# newdoc\nfive O\n# O\n\n#nlp B-MISC\n"
    (run,) = read([write("a", text)]).runs
    assert run.outputs == ("B-MISC O", "O O", "B-MISC")


def test_parts_of_speech_are_read_too(write: Write) -> None:
    text = "The\tDT\nU.S.\tNNP\n.\t.\n\n``\t``\nYes\tUH\n''\t''\n"
    (run,) = read([write("a", text)]).runs
    assert (run.source.reader, run.outputs) == ("conll", ("DT NNP .", "`` UH ''"))


@pytest.mark.parametrize(
    ("text", "reader"),
    [
        ("system\titem\tscore\nA\tq1\t1\nB\tq1\t0\n", "table"),
        ("system\titem\tscore\n\nA\tq1\t1\n", "table"),
        ("SYSTEM\tITEM\tSCORE\nA\tq1\t1\nB\tq1\t0\n", "table"),
        ("item\toutput\nq1\tB-PER\nq2\tO\n", "table"),
        ("New York\n\nLos Angeles\nI agree\n", "lines"),
        ("0.5\n0.7\n", "scores"),
        ("O O B-PER\nO B-PER I-PER\n", "lines"),
        ("q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 2.4 bm25\n", "trec"),
        (GOLD, "conll"),
        (OUTPUT, "conll"),
    ],
)
def test_only_files_of_tagged_tokens_are_taken_for_them(write: Write, text: str, reader: str) -> None:
    assert chosen(write("a", text)) == reader


def test_parsed_sentences_are_left_to_their_own_reader(write: Write) -> None:
    rows = ["1\tEU\tEU\tPROPN\tNNP\t_\t2\tnsubj\t_\t_", "2\trejects\treject\tVERB\tVBZ\t_\t0\troot\t_\t_", ""]
    assert chosen(write("a", "\n".join([*rows, *rows]))) == "conllu"


@pytest.mark.parametrize("name", ["gold.tsv", "gold.csv", "gold.txt", "gold"])
def test_the_suffix_does_not_matter(write: Write, name: str) -> None:
    assert chosen(write(name, OUTPUT.replace(" ", "\t"))) == "conll"


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        ("EU B-ORG\nrejects\n\nPeter B-PER\nB I-PER\n", 2, "found 1 column, expected 2"),
        ("EU B-ORG\nrejects O\n\nPeter B PER\nB I-PER\n", 4, "found 3 columns"),
        ("EU\tB-ORG\nrejects\t\n\nPeter\tB-PER\nB\tI-PER\n", 2, "an empty column"),
        ("EU B-ORG\nrejects O\n\n#two words O\nPeter B-PER\nB I-PER\n", 4, "found 3 columns"),
        ("EU B-ORG\nrejects O\n# a comment inside\nPeter B-PER\nB I-PER\n", 3, "found 4 columns"),
    ],
)
def test_a_line_that_is_wrong_is_named(write: Write, text: str, line: int, found: str) -> None:
    file = write("a", text)
    with pytest.raises(InputError, match=found) as caught:
        read([file])
    assert (caught.value.file, caught.value.line) == (file, line)
    assert caught.value.remedy


@pytest.mark.parametrize("text", ["\n\n", "-DOCSTART- -X- O\n", "EU\nrejects\n", "# comment\n"])
def test_a_file_without_tagged_tokens_is_refused(write: Write, text: str) -> None:
    with pytest.raises(InputError, match=";"):
        read([write("a", text)], reader="conll")


HIPE = "TOKEN\tNE-COARSE-LIT\tNE-FINE-LIT\tNEL-LIT\tMISC\n"
DOCUMENT = (
    "# hipe2022:document_id = {0}\n# hipe2022:date = 1900-01-01\nAda\tB-pers\tB-pers.ind\tQ7259\t_\n"
    "slept\tO\tO\t_\tEndOfSentence\n# segment = 3\nin\tO\tO\t_\t_\nParis\tB-loc\tB-loc.adm\tQ90\t_\n\n"
)


@pytest.mark.parametrize("named", ["3", "NE-FINE-LIT", "ne-fine-lit"])
def test_headers_and_comments_of_hipe_are_no_tokens(write: Write, named: str) -> None:
    file = write("gold.tsv", HIPE + DOCUMENT.format("a") + DOCUMENT.format("b"))
    (run,) = read([file], reader=f"conll:tag={named}").runs
    assert run.outputs == ("B-pers.ind O O B-loc.adm",) * 2


def test_a_column_that_the_header_does_not_have_is_refused_with_those_that_it_has(write: Write) -> None:
    file = write("gold.tsv", HIPE + DOCUMENT.format("a") + DOCUMENT.format("b"))
    with pytest.raises(InputError, match=r"has 5 columns, but column NE was asked for; .* or name one of 'TOKEN'"):
        read([file], reader="conll:tag=NE")


@pytest.mark.parametrize("header", [HIPE, ""])
def test_tags_in_several_columns_and_none_in_the_last_are_a_question(write: Write, header: str) -> None:
    file = write("gold.txt", header + DOCUMENT.format("a") + DOCUMENT.format("b"))
    assert chosen(file) == "conll"
    with pytest.raises(InputError, match=r"in several columns: .*2.*3") as caught:
        read([file])
    assert (caught.value.file, caught.value.line) == (file, 1 if header else 3)
    assert caught.value.remedy == "say which: --reader conll:tag=2"


def test_a_last_column_without_a_span_behind_one_with_spans_is_a_question(write: Write) -> None:
    """A system that finds nothing behind a column of chunks looks like GermEval's second level that is not used."""
    file = write("g.tsv", "1\tin\tO\tO\n2\tParis\tB-LOC\tO\n\n1\tno\tO\tO\n")
    with pytest.raises(InputError, match=r"g\.tsv:1: the last column \(4\) holds no span, .* stand in: 3; say which"):
        read([file])
    outputs = {tag: read([file], reader=f"conll:tag={tag}").runs[0].outputs for tag in (3, 4)}
    assert outputs == {3: ("O B-LOC", "O"), 4: ("O O", "O")}


@pytest.mark.parametrize(
    ("header", "row"),
    [("TOKEN POS CHUNK NE\n", "{} NNP B-NP {}\n"), ("token\ttag\n", "{}\t{}\n"), ("word ner_tag\n", "{} {}\n")],
)
def test_a_row_that_names_the_columns_is_no_token(write: Write, header: str, row: str) -> None:
    words = [("EU", "B-ORG"), ("rejects", "O"), ("", ""), ("Peter", "B-PER"), ("Blackburn", "I-PER")]
    text = header + "".join(row.format(*pair) if pair[0] else "\n" for pair in words)
    file = write("a.txt", text)
    assert chosen(file) == "conll"
    assert read([file]).runs[0].outputs == ("B-ORG O", "B-PER I-PER")


def test_a_word_that_is_called_as_a_column_is_a_token(write: Write) -> None:
    file = write("a.txt", "word NN\nfor VB\n\nword NN\nby VB\n")
    assert read([file], reader="conll").runs[0].outputs == ("NN VB", "NN VB")


@pytest.mark.parametrize(
    "comment", ["#id: 7", "# sent_id = 7", "#\thttp://example.org/a [2009-10-17]", "# id 7\tdomain=en"]
)
def test_comments_of_every_form_are_no_tokens(write: Write, comment: str) -> None:
    file = write("a.txt", f"{comment}\nEU\tB-ORG\nrejects\tO\n\n{comment}\nPeter\tB-PER\nBlackburn\tI-PER\n")
    assert chosen(file) == "conll"
    assert read([file]).runs[0].outputs == ("B-ORG O", "B-PER I-PER")


def test_an_underscore_among_tags_of_spans_is_named_with_its_line(write: Write) -> None:
    file = write("a.txt", "EU B-ORG\nrejects _\n\nPeter B-PER\nslept _\nhere _\n")
    assert chosen(file) == "conll"
    with pytest.raises(InputError, match="column 2 holds '_', expected O") as caught:
        read([file])
    assert (caught.value.file, caught.value.line) == (file, 2)


SENTENCES = [[f"w{i}" for i in range(k, k + 5)] for k in range(12)]


def tagged(sentences: list[list[str]], before: str = "") -> str:
    lines = ["\n".join(f"{w} {'B-PER' if k == 1 else 'O'}" for k, w in enumerate(s)) + "\n" for s in sentences]
    return before + "\n".join(lines)


@pytest.mark.parametrize("references", [True, False])
def test_tags_of_other_tokens_are_refused_with_the_line(write: Write, references: bool) -> None:
    first = write("gold.txt" if references else "a.txt", tagged(SENTENCES))
    other = write("b.txt", tagged([[word.upper() for word in s] for s in SENTENCES], "# a comment\n"))
    said = r"b\.txt:2: 60 of 60 tokens are not those of .*'W0' here and 'w0' in .*txt:1;"
    with pytest.raises(InputError, match=said):
        read([other] if references else [first, other], references=[first] if references else [])


def test_a_few_tokens_in_another_writing_are_noted_with_the_line(write: Write) -> None:
    gold = write("gold.txt", tagged(SENTENCES))
    words = [["-LRB-" if (i, k) == (1, 2) else w for k, w in enumerate(s)] for i, s in enumerate(SENTENCES)]
    (run,) = read([write("a.txt", tagged(words))], references=[gold]).runs
    (note,) = run.notes
    assert note.code == "tokens_differ"
    assert note.text.endswith(f"a.txt:9: 1 of 60 tokens differ, the first is '-LRB-' here and 'w3' in {gold}:9")
    assert "tokens_differ" not in {n.code for n in read([gold], references=[gold]).runs[0].notes}


def test_tokens_are_compared_only_where_both_files_have_them(write: Write) -> None:
    gold = write("gold.txt", tagged(SENTENCES))
    numbered = [[str(k + 1) for k in range(len(s))] for s in SENTENCES]
    (run,) = read([write("a.txt", tagged(numbered))], references=[gold]).runs
    assert run.notes == ()
