"""Samples of the lm-evaluation-harness: scores by document, corpus metrics, files of several tasks."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outscore.base.errors import InputError
from outscore.data import align, read
from outscore.data.run import Run
from outscore.metrics import metrics
from tests.cli.commandline import outscore

DATE = "2026-01-02T03-04-05.678901"


def sample(doc: int, filter_: str = "none", *, answer: str = "4", target: str = "4", **scores: Any) -> dict[str, Any]:
    """A line as the harness writes it."""
    return {
        "doc_id": doc,
        "doc": {"question": f"number {doc}", "answer": target},
        "target": target,
        "arguments": {"gen_args_0": {"arg_0": "Q: ...", "arg_1": {"until": ["\n"]}}},
        "resps": [[answer]],
        "filtered_resps": [answer],
        "filter": filter_,
        "metrics": list(scores),
        "doc_hash": f"doc{doc}",
        "prompt_hash": f"prompt{doc}",
        "target_hash": f"target{doc}",
        **scores,
    }


def write(folder: Path, samples: list[dict[str, Any]], model: str = "org__a", task: str = "sums") -> str:
    path = folder / model / f"samples_{task}_{DATE}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(one) + "\n" for one in samples), encoding="utf-8")
    return str(path)


def only(file: str, reader: str | None = None) -> Run:
    (run,) = read([file], reader=reader).runs
    return run


def test_a_task_is_a_run_of_the_model_that_the_folder_is_named_after(tmp_path: Path) -> None:
    run = only(write(tmp_path, [sample(0, acc=1.0, acc_norm=0.0), sample(7, acc=0.0, acc_norm=1.0)]))
    assert (run.system, run.run, run.part, run.source.reader) == ("org__a", "1", "sums", "lm-eval")
    assert run.ids == ("sums/0", "sums/7")
    assert {name: list(values) for name, values in run.columns.items()} == {"acc": [1, 0], "acc_norm": [0, 1]}
    assert run.labels["domain"] == ("sums", "sums")
    assert run.labels["doc_hash"] == ("doc0", "doc7")
    assert run.outputs is None, "the scores of the harness are compared, not its texts"


def renamed(folder: Path, samples: list[dict[str, Any]], name: str) -> str:
    path = folder / name
    path.write_text("".join(json.dumps(one) + "\n" for one in samples), encoding="utf-8")
    return str(path)


BASE = [sample(doc, acc=float(doc % 3 == 0)) for doc in range(12)]
NEW = [sample(doc, acc=float(doc % 4 != 0)) for doc in range(12)]


def test_files_of_other_names_are_paired_by_document_and_a_note_says_so(tmp_path: Path) -> None:
    files = [renamed(tmp_path, BASE, "base.jsonl"), renamed(tmp_path, NEW[::-1], "new.jsonl")]
    found = json.loads(outscore("compare", *files, "-m", "acc", "-q", "-f", "json").out)
    assert {one["system"]: one["score"] for one in found["scores"]} == {"base": 4 / 12, "new": 9 / 12}
    said = [note for note in found["notes"] if note["code"] == "task_unknown"]
    assert [note["text"].partition(" ")[0] for note in said] == files


def test_folders_of_one_name_in_several_places_are_named(tmp_path: Path) -> None:
    files = [write(tmp_path / place, BASE, task=task) for place in ("one", "two") for task in ("sums", "words")]
    other = write(tmp_path / "three", NEW, model="org__b", task="sums")
    for given in (files, [*files, other]):  # they are no runs, which the user did not say
        done = outscore("compare", *given)
        assert done.code == 2
        assert f"its files are in '{tmp_path}/one/org__a', '{tmp_path}/two/org__a': give those of each" in (
            done.complaint
        )
    named = shlex.split(done.complaint.partition("with a name, as ")[2])
    assert [one.partition("=")[0] for one in named] == ["one", "two"]
    found = json.loads(outscore("compare", *named, "-m", "acc", "-q", "-f", "json").out)
    assert {one["system"]: one["score"] for one in found["scores"]} == {"one": 4 / 12, "two": 4 / 12}


def test_the_standard_input_is_of_the_task_that_the_other_file_names(tmp_path: Path) -> None:
    raw = Path(renamed(tmp_path, NEW, "any")).read_bytes()
    done = outscore("compare", f"base={write(tmp_path, BASE)}", "new=-", "-m", "acc", stdin=raw)
    assert done.code == 0
    assert "its task is taken for 'sums'" in " ".join(done.out.split())


def test_other_documents_under_the_same_numbers_are_refused(tmp_path: Path) -> None:
    others = [one | {"doc_hash": f"other{one['doc_id']}"} for one in NEW]
    files = [renamed(tmp_path, BASE, "base.jsonl"), renamed(tmp_path, others, "new.jsonl")]
    done = outscore("compare", *files, "-m", "acc")
    assert done.code == 3
    assert "item '0' has doc_hash 'other0'" in done.complaint


def test_several_files_of_a_system_are_told_apart_by_their_names_if_their_documents_differ(tmp_path: Path) -> None:
    others = [one | {"doc_hash": f"other{one['doc_id']}"} for one in NEW]
    renamed(tmp_path, BASE, "sums.jsonl"), renamed(tmp_path, others, "words.jsonl")
    (run,) = read([f"mine={tmp_path}/*.jsonl"]).runs
    assert (run.n, run.ids[0] if run.ids else "", set(run.labels["domain"])) == (24, "sums/0", {"sums", "words"})
    renamed(tmp_path, NEW, "words.jsonl")
    assert [run.n for run in read([f"mine={tmp_path}/*.jsonl"]).runs] == [12, 12], "two runs of one task"


def test_each_filter_is_a_column_of_its_own(tmp_path: Path) -> None:
    lines = [
        sample(0, "strict-match", exact_match=0.0),
        sample(0, "flexible-extract", exact_match=1.0),
        sample(1, "strict-match", exact_match=1.0),
    ]
    run = only(write(tmp_path, lines))
    assert run.ids == ("sums/0", "sums/1")
    assert list(run.columns["exact_match.strict-match"]) == [0, 1]
    np.testing.assert_array_equal(run.columns["exact_match.flexible-extract"], [1, np.nan])


def test_perplexities_become_log_likelihoods_and_counts(tmp_path: Path) -> None:
    lines = [
        sample(0, word_perplexity=[-12.5, 5], byte_perplexity=[-12.5, 25], bits_per_byte=[-12.5, 25]),
        sample(1, word_perplexity=[-3.5, 2], byte_perplexity=[-3.5, 9], bits_per_byte=[-3.5, 9]),
    ]
    file, other = write(tmp_path, lines), write(tmp_path, lines, "org__b")
    cell = align(read([file, other]).runs).by_run["org__a", "1"]
    for spec, expected in (
        ("perplexity:loglik=word_perplexity.loglik,tokens=word_perplexity.tokens", np.exp(16 / 7)),
        ("perplexity:loglik=bits_per_byte.loglik,tokens=bits_per_byte.tokens,bits=true", 16 / 34 / np.log(2)),
    ):
        metric = metrics.make(spec)
        assert metric.score(metric.statistics(cell).sum(axis=0)) == pytest.approx(expected, rel=1e-12)


def test_the_perplexity_of_a_single_continuation_is_its_log_likelihood(tmp_path: Path) -> None:
    run = only(write(tmp_path, [sample(0, perplexity=-1.5, acc=1.0), sample(1, perplexity=-0.5, acc=1.0)]))
    assert list(run.columns["perplexity.loglik"]) == [-1.5, -0.5]
    assert list(run.columns["perplexity.tokens"]) == [1, 1]
    assert "perplexity" not in run.columns


def test_lists_of_right_and_wrong_become_counts(tmp_path: Path) -> None:
    run = only(write(tmp_path, [sample(0, inst_acc=[True, False, True]), sample(1, inst_acc=[True])]))
    assert list(run.columns["inst_acc.sum"]) == [2, 1]
    assert list(run.columns["inst_acc.count"]) == [3, 1]


def test_pairs_of_a_corpus_metric_are_references_and_outputs(tmp_path: Path) -> None:
    lines = [
        sample(0, bleu=["a cat", "the cat"], chrf=["a cat", "the cat"]),
        sample(1, bleu=[["a dog", "dogs"], ["one dog"]], chrf=[["a dog", "dogs"], ["one dog"]]),
    ]
    run = only(write(tmp_path, lines))
    assert run.outputs == ("the cat", "one dog")
    assert run.references == (("a cat", "a dog"), ("", "dogs"))
    assert run.notes == ()


def test_gold_and_predicted_labels_are_read_beside_scores_on_demand(tmp_path: Path) -> None:
    file = write(tmp_path, [sample(0, acc=1.0, f1=[1, 1]), sample(1, acc=0.0, f1=[0, 1])])
    run = only(file)
    assert run.outputs is None
    (note,) = run.notes
    assert note.code == "texts_left_out"
    assert "'f1'" in note.text
    wanted = only(file, "lm-eval:texts=true")
    assert (wanted.outputs, wanted.references, wanted.notes) == (("1", "1"), (("1", "0"),), ())
    assert list(wanted.columns["acc"]) == [1, 0]


def test_answers_and_targets_are_read_on_demand(tmp_path: Path) -> None:
    file = write(tmp_path, [sample(0, exact_match=1.0), sample(1, exact_match=0.0, answer="five", target="5")])
    run = only(file, "lm-eval:texts=true")
    assert (run.outputs, run.references) == (("4", "five"), (("4", "5"),))


def filtered(folder: Path) -> str:
    """Each document after two filters, with other texts after each."""
    lines = [
        sample(doc, name, answer=answer, exact_match=0.0, bleu=["a cat", answer])
        for doc in (0, 1)
        for name, answer in (("strict", "a"), ("flexible", "a cat"))
    ]
    return write(folder, lines)


def test_the_texts_of_several_filters_are_a_question(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="after 2 filters differ: 'strict', 'flexible'") as caught:
        only(filtered(tmp_path), "lm-eval:texts=true")
    assert caught.value.remedy is not None
    assert "--reader lm-eval:texts=true,filter=flexible" in caught.value.remedy


@pytest.mark.parametrize(("name", "text"), [("strict", "a"), ("flexible", "a cat")])
def test_the_texts_of_the_filter_that_was_named_are_read(tmp_path: Path, name: str, text: str) -> None:
    run = only(filtered(tmp_path), f"lm-eval:texts=true,filter={name}")
    assert (run.outputs, run.references) == ((text, text), (("a cat", "a cat"),))
    (note,) = run.notes
    other = "flexible" if name == "strict" else "strict"
    assert f"'bleu.{other}' have no score" in note.text
    assert f"filter={other}" in str(note.remedy)


def test_what_cannot_be_read_item_by_item_is_said(tmp_path: Path) -> None:
    run = only(write(tmp_path, [sample(0, acc=1.0, matrix=[1, [0.2, 0.8]])]))
    assert list(run.columns) == ["acc"]
    assert [note.code for note in run.notes] == ["metric_left_out"]
    assert "'matrix'" in run.notes[0].text


@pytest.mark.parametrize("probabilities", [[0.25, 0.75], "[0.25 0.75]"])
def test_probabilities_are_no_texts_and_give_the_score_of_brier(tmp_path: Path, probabilities: Any) -> None:
    file = write(tmp_path, [sample(0, acc=1.0, brier_score=[1, probabilities])])
    assert list(only(file).columns["brier_score"]) == [0.125]


def test_probabilities_that_the_harness_cut_are_left_out_and_named(tmp_path: Path) -> None:
    run = only(write(tmp_path, [sample(0, acc=1.0, brier_score=[1, "[0.1 0.2 ... 0.1]"])]))
    assert "'brier_score'" in run.notes[0].text


def test_missing_values_are_missing(tmp_path: Path) -> None:
    run = only(write(tmp_path, [sample(0, acc=None), sample(1, acc=1)]))
    np.testing.assert_array_equal(run.columns["acc"], [np.nan, 1])


def test_older_files_have_no_filters_and_no_list_of_metrics(tmp_path: Path) -> None:
    line = sample(0, acc=1.0)
    del line["filter"], line["metrics"], line["prompt_hash"]
    run = only(write(tmp_path, [line]))
    assert list(run.columns) == ["acc"]
    assert "prompt_hash" not in run.labels


def test_the_tasks_of_a_model_are_one_run(tmp_path: Path) -> None:
    files = [
        write(tmp_path, [sample(0, acc=score), sample(1, acc=1.0)], model, task)
        for model, score in (("org__a", 1.0), ("org__b", 0.0))
        for task in ("sums", "facts")
    ]
    data = align(read(files).runs)
    assert data.items == ("sums/0", "sums/1", "facts/0", "facts/1")
    assert data.labels["domain"] == ("sums", "sums", "facts", "facts")
    assert list(data.by_run["org__b", "1"].columns["acc"]) == [0, 1, 0, 1]


def test_a_document_that_is_scored_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    file = write(tmp_path, [sample(0, acc=1.0), sample(1, acc=1.0), sample(0, acc=0.0)])
    with pytest.raises(InputError, match=r":3: document 0 \(filter 'none'\) was already in line 1; "):
        read([file])


def test_long_documents_are_known_by_their_beginning(tmp_path: Path) -> None:
    line = sample(0, acc=1.0)
    line["doc"] = {"context": "word " * 40_000}
    assert only(write(tmp_path, [line])).source.reader == "lm-eval"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{broken", r":2: broken JSON \(.*column 2\); "),
        ("", ":2: a blank line"),
        ("[1]", ":2: found a list, expected one object a line; "),
        ('{"doc_id": 1, "doc": {}, "metrics": ["acc"], "acc": 1, "acc": 0}', ":2: an object has the key 'acc' twice; "),
        ('{"doc": {}, "filtered_resps": []}', ":2: doc_id: found missing, expected a text; "),
        ('{"doc_id": 1, "doc": {}, "metrics": "acc"}', ":2: metrics: found a text, expected a list; "),
        ('{"doc_id": "\\ud800", "doc": {}, "metrics": []}', ":2: doc_id: half of a surrogate pair"),
        ('{"doc_id": 1, "doc": {}, "metrics": ["acc"], "acc": 1' + "0" * 400 + "}", ":2: acc: the number is too large"),
        ("[" * 100_000, ":2: cannot be read as JSON"),
    ],
)
def test_bad_lines_are_refused_with_their_number(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / f"samples_sums_{DATE}.jsonl"
    path.write_text(f"{json.dumps(sample(0, acc=1.0))}\n{line}\n{json.dumps(sample(2, acc=1.0))}\n", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        read([str(path)])


def test_a_metric_of_texts_is_told_how_the_texts_are_read(tmp_path: Path) -> None:
    files = []
    for name in ("base", "new"):
        rows = [
            sample(i, answer=f"the answer is {i % len(name)}", target=f"the answer is {i}", em=1.0) for i in range(9)
        ]
        files.append(f"{name}={write(tmp_path, rows, name)}")
    done = outscore("compare", *files, "-m", "bleu")
    assert done.code == 3
    remedy = "bleu reads texts, and only scores were read; read the texts too: --reader lm-eval:texts=true\n"
    assert done.err == f"outscore: error: system 'base' (run '1'): {remedy}"
    assert outscore("compare", *files, "-m", "bleu", "--reader", "lm-eval:texts=true", "-n", "200").code == 0


def results(samples: str, **more: Any) -> None:
    """What the harness writes beside the samples."""
    value = {"results": {"sums": {"acc,none": 0.5}}, "group_subtasks": {}, "configs": {}, **more}
    (Path(samples).parent / f"results_{DATE}.json").write_text(json.dumps(value), encoding="utf-8")


@pytest.mark.parametrize(
    ("base", "new", "said"),
    [
        ((1.0, 0), (2.0, 0), "'version 1.0' in .*, but 'version 2.0' in "),
        ((1.0, 0), (1.0, 5), "'n-shot 0' in .*, but 'n-shot 5' in "),
        ((1.0, 5), (1.0, 5), ""),
        (None, (1.0, 5), ""),
    ],
)
def test_a_task_of_another_version_or_number_of_shots_is_named(
    base: tuple[float, int] | None, new: tuple[float, int], said: str, tmp_path: Path
) -> None:
    files = [write(tmp_path, [sample(k, acc=x) for k in range(4)], model) for model, x in (("a", 0.0), ("b", 1.0))]
    for file, of in zip(files, (base, new), strict=True):
        if of is not None:
            results(file, **{"versions": {"sums": of[0], "other": 9}, "n-shot": {"sums": of[1], "other": 9}})
    runs = read(files).runs
    notes = [note.text for run in runs for note in run.notes if note.code == "tests_differ"]
    assert len(notes) == (2 if said else 0)
    assert all(re.search(f"'sums' is not the same test in all files: {said}", text) for text in notes)


@pytest.mark.parametrize("text", ["", "[]", "{", '{"versions": null, "n-shot": []}'])
def test_results_of_nobody_beside_the_samples_say_nothing(text: str, tmp_path: Path) -> None:
    file = write(tmp_path, [sample(0, acc=1.0), sample(1, acc=0.0)])
    (Path(file).parent / f"results_{DATE}.json").write_text(text, encoding="utf-8")
    assert only(file).test == ()
