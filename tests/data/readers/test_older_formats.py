"""What trec_eval, ir_measures, sclite, GIZA++, MQM and CoNLL-U Plus hold, and folders of harnesses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from outscore import compare, score
from outscore import read as read_data
from outscore.base.errors import InputError
from outscore.data import read
from tests.data.files import Write

QRELS = "".join(f"q{q} 0 d{d} {int((q * d) % 3 == 0)}\n" for q in range(1, 9) for d in range(6))
RUN = "".join(f"q{q} Q0 d{d} {d} {(d * (q + 3)) % 7} t\n" for q in range(1, 9) for d in range(6))


def test_scores_by_query_are_those_of_ir_measures(write: Write) -> None:
    """Its own means over the queries are what its lines by query average to here."""
    pytest.importorskip("ir_measures")
    command = [sys.executable, "-m", "ir_measures", write("qrels", QRELS), write("t.run", RUN), "AP", "nDCG@3", "P@2"]
    lines = subprocess.run(
        [*command, "-q", "-p", "12"], capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout
    printed = subprocess.run(
        [*command, "-p", "12"], capture_output=True, text=True, check=True, encoding="utf-8"
    ).stdout
    (run,) = read([write("scores.txt", lines)]).runs
    means = {name: float(column.mean()) for name, column in run.columns.items()}
    own = dict(line.split("\t") for line in printed.splitlines())
    assert means == pytest.approx({name: float(value) for name, value in own.items()}, abs=1e-10)


@pytest.mark.parametrize(
    ("counts", "quality"),
    [("num_ret", "num_rel_ret"), ("num_nonrel_judged_ret", "map"), ("NumRel(rel=2)", "NumRelRet")],
)
def test_numbers_of_documents_describe_beside_measures(write: Write, counts: str, quality: str) -> None:
    """As many relevant ones as can be are wanted, but nobody is better for having retrieved more."""
    files = []
    for name, more in (("base.txt", 0), ("new.txt", 3)):
        of_queries = [(f"q{q}", q % 4 + more * (q % 3), q % 5 + more) for q in range(20)]
        rows = [(q, which, number) for q, *n in of_queries for which, number in zip((counts, quality), n, strict=True)]
        ours = [(which, q, number) if counts.islower() else (q, which, number) for q, which, number in rows]
        files.append(write(name, "".join(f"{a}\t{b}\t{number}\n" for a, b, number in ours)))
    described, tested = compare(read_data(files), metrics=[counts, quality], n_resamples=1000).pairs
    assert (described.p_value, described.metric) == (None, counts)
    assert (tested.verdict, tested.p_value is None) == ("better", False)


def test_a_measure_that_is_not_known_is_one_of_trec_eval_beside_others(write: Write) -> None:
    (run,) = read([write("t.txt", "map\tq1\t0.5\nP_5\tq1\t0.2\nunj_5\tq1\t0.4\nmap\tq2\t0.25\n")]).runs
    assert (run.source.reader, list(run.columns), run.ids) == ("trec-eval", ["map", "P_5", "unj_5"], ("q1", "q2"))


def test_geometric_means_of_trec_eval_are_said_to_be_logarithms(write: Write) -> None:
    files = [
        write(f"{s}.txt", "".join(f"gm_map\tq{q}\t-0.{q % k + 1}\nmap\tq{q}\t0.{q % k + 1}\n" for q in range(20)))
        for s, k in (("base", 7), ("new", 5))
    ]
    found = compare(read_data(files), metrics=["gm_map"], n_resamples=1000)
    assert [note.text for note in found.notes if note.code == "sentence_scores"] == [
        "'gm_map' of a query is a logarithm: trec_eval's value for all queries is exp of the mean"
    ]
    assert not any("gm_map" in n.text for n in compare(read_data(files), metrics=["map"], n_resamples=1000).notes)


def test_the_means_of_trec_eval_alone_are_no_queries(write: Write) -> None:
    with pytest.raises(InputError, match=r"means over all queries alone.*trec_eval -q"):
        read([write("t.txt", "runid\tall\tbm25\nmap\tall\t0.21\nP_10\tall\t0.4\n")])


@pytest.mark.parametrize(
    ("line", "says"),
    [("map\tq1", r"t.txt:3: found 'map q1'"), ("map\tq1\t0.4", r"t.txt:3: query 'q1' has a second value of map")],
)
def test_a_line_of_trec_eval_that_is_wrong_is_named(write: Write, line: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        read([write("t.txt", f"map\tq1\t0.5\nmap\tq2\t0.25\n{line}\nmap\tall\t0.4\n")])


SCLITE = """<SYSTEM title="a" ref_fname="r" hyp_fname="h">
<SPEAKER id="s">
<PATH id="(s-1)" word_cnt="4" sequence="0">
C,"he","He":S,"hoped","hopped":D,"there",
</PATH>
<PATH id="(s-2)" word_cnt="2" sequence="1">
C,"stew","stew":C,"now","now":I,,"uh"
</PATH>
</SPEAKER>
</SYSTEM>
"""


def test_the_errors_of_sclite_are_counted_as_it_counts_them(write: Write) -> None:
    """1 substitution, 1 deletion and 1 insertion of 5 words, whatever the case of a word that it takes as right."""
    found = score(read_data([write("a.sgml", SCLITE), "b=" + write("b.sgml", SCLITE)]))
    assert [one.score for one in found.scores] == pytest.approx([3 / 5, 3 / 5])


def test_an_alignment_that_is_cut_off_is_named(write: Write) -> None:
    with pytest.raises(InputError, match=r"a.sgml:3: found an alignment that is cut off"):
        read([write("a.sgml", SCLITE.replace('S,"hoped",', "S,hoped,"))])


def test_pairs_of_giza_that_are_no_whole_are_named(write: Write) -> None:
    pair = "# Sentence pair ({}) source length 1 target length 1 alignment score : 0.1\nt\nNULL ({{ }}) s ({{ 1 }})\n"
    (run,) = read([write("a.txt", pair.format(2) + pair.format(1))]).runs
    assert run.outputs == ("0-0", "0-0")
    with pytest.raises(InputError, match=r"a.txt:4: .*expected a new sentence pair"):
        read([write("a.txt", pair.format(1) * 2)])
    for long in (pair.format("1" * 5000), pair.format(1).replace("({ 1", f"({{ {'1' * 5000}")):
        with pytest.raises(InputError, match=r"a.txt:1: "):
            read([write("a.txt", long)], reader="giza")


MQM = "system\tdoc\tseg_id\trater\tcategory\tseverity\n"


def test_a_critical_error_costs_what_the_user_says(write: Write) -> None:
    file = write("m.tsv", f"{MQM}A\td\t1\tr\tAccuracy\tCritical\nA\td\t2\tr\tno-error\tno-error\n")
    with pytest.raises(InputError, match=r"m.tsv:2: the severity is 'critical'.*mqm:critical=25"):
        read([file])
    (run,) = read([file], reader="mqm:critical=25").runs
    assert run.columns["mqm"].tolist() == [25, 0]
    assert run.labels["cluster"] == ("d", "d")


def test_ratings_without_a_column_of_mqm_are_refused(write: Write) -> None:
    with pytest.raises(
        InputError, match=r"m.tsv:1: no column 'category', 'severity', 'seg_id'; found 'system', 'rater'"
    ):
        read([write("m.tsv", "system\trater\nA\tr\n")], reader="mqm")


def test_a_column_behind_those_of_conllu_changes_nothing(write: Write) -> None:
    columns = ["ID", "FORM", "UPOS", "HEAD", "DEPREL", "MISC", "PARSEME:NE"]
    plus = "# global.columns = " + " ".join(columns) + "\n# sent_id = s\n1\tit\tPRON\t0\troot\t_\tB-PER\n\n"
    (run,) = read([write("a.conllup", plus)]).runs
    assert run.outputs == ("1\tit\t_\tPRON\t_\t_\t0\troot\t_\t_",)
    assert run.ids == ("s",)


def sample(folder: Path, task: str, right: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{"doc_id": k, "doc": {}, "filter": "none", "metrics": ["acc"], "acc": float(k < right)} for k in range(4)]
    file = folder / f"samples_{task}_2026-01-02T03-04-05.678.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def test_a_folder_of_models_of_the_harness_is_read_whole(tmp_path: Path) -> None:
    for model, right in (("org__a", 1), ("org__b", 3)):
        for task in ("t1", "t2"):
            sample(tmp_path / "out" / model, task, right)
    both = score(read_data([str(tmp_path / "out")]), metrics=["acc"])
    assert [(one.system, one.score) for one in both.scores] == [("org__a", 0.25), ("org__b", 0.75)]
    one = score(read_data([str(tmp_path / "out" / "org__b")]), metrics=["acc"])
    assert [(one.system, one.score) for one in one.scores] == [("org__b", 0.75)]


def test_a_suite_of_helm_is_read_whole(tmp_path: Path) -> None:
    for scenario in ("x", "y"):
        for model, right in (("a", 1), ("b", 2)):
            folder = tmp_path / "runs" / f"{scenario}:model={model}"
            folder.mkdir(parents=True)
            stats = [
                {"name": {"name": "em", "split": "test"}, "count": 1, "sum": float(k < right), "mean": float(k < right)}
                for k in range(4)
            ]
            rows = [{"instance_id": f"i{k}", "train_trial_index": 0, "stats": [one]} for k, one in enumerate(stats)]
            (folder / "per_instance_stats.json").write_text(json.dumps(rows), encoding="utf-8")
            spec = {"name": folder.name, "adapter_spec": {"model": model}}
            (folder / "run_spec.json").write_text(json.dumps(spec), encoding="utf-8")
    found = score(read_data([str(tmp_path / "runs")]), metrics=["em"])
    assert [(one.system, one.score) for one in found.scores] == [("a", 0.25), ("b", 0.5)]
