"""Formats of real tools: small files of two systems each, how they are read, and what comes out or is refused.

Base is right on 4 of 12 items, new on 9. Files are written by the tool or library that is named, or after the schema
that it documents; the reader knows nothing of how they were made. Numbers that a tool printed of these very files stand
as it printed them.
"""

from __future__ import annotations

import csv
import io
import json
import math
import pickle
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

N = 12
RIGHT = {"base": [int(i % 3 == 0) for i in range(N)], "new": [int(i % 4 != 0) for i in range(N)]}
IDS = [f"q{i}" for i in range(N)]
GOLD = ["ABC"[i % 3] for i in range(N)]
SAID = {s: [gold if x else "D" for gold, x in zip(GOLD, of, strict=True)] for s, of in RIGHT.items()}
MEANS = (4 / N, 9 / N)
TOOLS = Path(__file__).parent / "tool_files"

Files = Mapping[str, str | bytes]
SCHEMA, LIBRARY, PANDAS = "its schema", "the library", "pandas 3.1.1"
TOOL = "the tool"
PUT_IN = "scores put in"


@dataclass(frozen=True, kw_only=True)
class Tried:
    """A format.

    Attributes:
        made: by whom its files were written.
        write: the files that are given, by name, below a folder: ``NAME=FILE`` for a name of the system,
            ``-FILE`` for references, ``+FILE`` for what lies beside them.
        reader: the one that is to know them.
        options: of the command.
        means: what both systems score, where no tool printed it.
        less: is better.
        refused: words of the refusal instead.
        checked: which tool printed which number of these files.
        printed: of both systems, as it stood there.
        scale: what our score is multiplied by for that number.
        errors: the standard errors that stood beside them, of 12 items as drawn from more.
        command: that reads them.
    """

    name: str
    write: Callable[[Path], Files]
    reader: str
    made: str = SCHEMA
    options: tuple[str, ...] = ()
    means: tuple[float, float] = MEANS
    less: bool = False
    refused: str = ""
    checked: str = PUT_IN
    printed: tuple[str, str] | None = None
    scale: float = 1
    errors: tuple[float, float] | None = None
    command: str = "compare"


def lines(rows: Sequence[Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def table(header: Sequence[str], rows: Sequence[Sequence[Any]], delimiter: str = ",") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows([header, *rows])
    return out.getvalue()


Row = tuple[int, str, int]


def rows_of(system: str) -> list[Row]:
    return list(zip(range(N), IDS, RIGHT[system], strict=True))


def each(suffix: str, make: Callable[[str, list[Row]], Any]) -> Callable[[Path], Files]:
    """A file of each system: its text, lines of a list, or one JSON value."""

    def write(_: Path) -> Files:
        return {f"{system}{suffix}": as_text(make(system, rows_of(system)), suffix) for system in RIGHT}

    return write


def as_text(value: Any, suffix: str) -> str | bytes:
    if isinstance(value, str | bytes):
        return value
    return lines(value) if suffix.endswith("l") else json.dumps(value, indent=1)


def both(name: str, make: Callable[[], Any]) -> Callable[[Path], Files]:
    """One file of both systems."""
    return lambda _: {name: as_text(make(), name)}


def every() -> list[tuple[str, int, str, int]]:
    return [(system, *row) for system in RIGHT for row in rows_of(system)]


def parquet(name: str) -> Callable[[Path], Files]:
    def write(folder: Path) -> Files:
        import pyarrow
        from pyarrow import feather, ipc
        from pyarrow import parquet as pq

        made = pyarrow.table(
            {"system": [r[0] for r in every()], "item": [r[2] for r in every()], "score": [r[3] for r in every()]}
        )
        path = folder / name
        if name.endswith(".parquet"):
            pq.write_table(made, path)
        elif name.endswith(".feather"):
            feather.write_feather(made, str(path))
        else:
            with ipc.new_stream(str(path), made.schema) as stream:
                stream.write_table(made)
        return {name: path.read_bytes()}

    return write


def database(name: str) -> Callable[[Path], Files]:
    def write(folder: Path) -> Files:
        path = folder / name
        if name.endswith(".duckdb"):
            import duckdb

            store: Any = duckdb.connect(str(path))
        else:
            store = sqlite3.connect(path)
        store.execute("create table scores (system text, item text, score real)")
        store.executemany("insert into scores values (?, ?, ?)", [(s, i, x) for s, _, i, x in every()])
        store.commit()
        store.close()
        return {name: path.read_bytes()}

    return write


def arrays(name: str) -> Callable[[Path], Files]:
    def write(_: Path) -> Files:
        out = {system: io.BytesIO() for system in RIGHT}
        if name.endswith(".npz"):
            np.savez(out["base"], **{system: np.array(of) for system, of in RIGHT.items()})  # type: ignore[arg-type]
            return {name: out["base"].getvalue()}
        for system, buffer in out.items():
            np.save(buffer, np.array(RIGHT[system]))
        return {f"{system}{name}": buffer.getvalue() for system, buffer in out.items()}

    return write


def stored(folder: str, *names: str) -> Callable[[Path], Files]:
    """Files that the tool wrote."""
    return lambda _: {name: (TOOLS / folder / name.rpartition("=")[2].lstrip("-")).read_bytes() for name in names}


def packed(suffix: str) -> Callable[[Path], Files]:
    import bz2
    import gzip
    import lzma

    import backports.zstd

    by_suffix: dict[str, Callable[[bytes], bytes]] = {
        ".gz": gzip.compress,
        ".bz2": bz2.compress,
        ".xz": lzma.compress,
        ".zst": backports.zstd.compress,
    }
    text = table(["system", "item", "score"], [(s, i, x) for s, _, i, x in every()]).encode()
    return lambda _: {f"scores.csv{suffix}": by_suffix[suffix](text)}


def conll(_: str, rows: list[Row]) -> str:
    return "".join(f"w{i} NN O O\nParis NNP B-LOC {'B-LOC' if x else 'O'}\n\n" for _, i, x in rows)


def conllu(_: str, rows: list[Row]) -> str:
    word = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_\n"
    return "".join(
        f"# sent_id = {i}\n"
        + word.format(1, "it", "PRON" if x else "X", 2, "nsubj")
        + word.format(2, "is", "VERB", 0, "root")
        + "\n"
        for _, i, x in rows
    )


def gold_conllu() -> str:
    return conllu("", [(k, i, 1) for k, i in enumerate(IDS)])


def plus(text: str) -> str:
    """A part of the columns of CoNLL-U, and one more."""
    names = ["ID", "FORM", "UPOS", "HEAD", "DEPREL", "PARSEME:MWE"]
    rows = [line.split("\t") for line in text.split("\n")]
    cells = [[row[k] for k in (0, 1, 3, 6, 7)] + ["*"] if len(row) > 1 else row for row in rows]
    return f"# global.columns = {' '.join(names)}\n" + "\n".join("\t".join(row) for row in cells)


HIPE = [
    "TOKEN",
    "NE-COARSE-LIT",
    "NE-COARSE-METO",
    "NE-FINE-LIT",
    "NE-FINE-METO",
    "NE-FINE-COMP",
    "NE-NESTED",
    "NEL-LIT",
    "NEL-METO",
    "MISC",
]


def hipe(_: Path) -> Files:
    def document(item: str, right: int) -> str:
        found = ["B-loc", "O", "B-loc.adm.town", "O", "O", "O", "Q90", "_"] if right else ["O"] * 6 + ["_"] * 2
        rows = [[f"w{item}", *["O"] * 6, "_", "_", "_"], ["Paris", *found, "EndOfSentence"]]
        head = f"# hipe2022:document_id = {item}\n# hipe2022:date = 1900-01-01\n# hipe2022:language = en\n"
        return head + "".join("\t".join(row) + "\n" for row in rows) + "\n"

    of = {f"{s}.tsv": right for s, right in RIGHT.items()} | {"-gold.tsv": [1] * N}
    head = "\t".join(HIPE) + "\n"
    return {name: head + "".join(map(document, IDS, right)) for name, right in of.items()}


def details(folder: Path) -> Files:
    """Nested columns, sorted by name."""
    import pyarrow
    from pyarrow import parquet as pq

    files = {}
    for system in RIGHT:
        rows = [
            {
                "doc": {"query": "?", "id": i, "task_name": "t|0", "choices": ["x"]},
                "metric": {"em": x},
                "model_response": {"text": ["x"], "input_tokens": [1, 2]},
            }
            for _, i, x in rows_of(system)
        ]
        path = folder / "made.parquet"
        pq.write_table(pyarrow.Table.from_pylist(rows), path)
        files[f"{system}=details_t|0_{system}.parquet".replace("|", "_")] = path.read_bytes()
    return files


def langfuse(*joined: str) -> Files:
    """The fields that are documented in 2026, and perhaps the item of a trace, which the API names."""
    day = "2026-11-01 10:00:00.000000"
    ours = {"project_id": "p", "environment": "default", "observation_id": "", "session_id": ""}
    rows = [
        {"id": f"{s}{k}", "timestamp": day, **ours, "trace_id": f"t{s}{k}", "dataset_run_id": s}
        | {"name": "right", "value": x, "source": "API", "comment": "", "data_type": "NUMERIC", "string_value": ""}
        | {"created_at": day, "updated_at": day}
        | dict.fromkeys(joined, i)
        for s, k, i, x in every()
    ]
    return {"scores.csv": table(list(rows[0]), [list(row.values()) for row in rows])}


def xcomet(right: int) -> dict[str, Any]:
    """A segment without a mistake has no key for mistakes."""
    span = {"text": "b", "confidence": 0.5, "severity": "minor", "start": 0, "end": 1}
    return {"src": "a", "mt": "b", "ref": "c", "COMET": right} | ({} if right else {"errors": [span]})


LOG_ODDS = (-math.log(9 / 3) / 2, math.log(9 / 3) / 2)
"""By Bradley and Terry, of 9 votes of 12."""


def votes() -> list[dict[str, Any]]:
    return [
        {"question_id": i, "model_a": "base", "model_b": "new", "winner": "model_b" if x else "model_a"}
        for i, x in zip(IDS, RIGHT["new"], strict=True)
    ]


GIZA_GOLD = """0-0 1-1
0-0 1-1
0-0 1-1 2-2 3-3
0-0 1-1 2-3 3-4 4-2
0-0 1-1 2-3 3-4 4-2
0-0 1-1 2-2 3-3
0-0 1-1 2-2 3-3
0-0 1-1 2-2
0-0 1-2 2-1 3-3 4-4
0-0 1-2 2-1 3-3 4-4 5-5
0-0 1-1 2-3 3-4 4-2
0-0 1-1 2-3 3-4 4-2
"""
"""Which words of das haus, ich habe das haus gesehen, and ten more translate which of the English ones."""


def mteb(_: Path) -> Files:
    """A file for each task, beside what describes the model; the folder is given."""
    files: dict[str, str] = {}
    for system, right in RIGHT.items():
        folder = f"mteb/{system}/{'0' * 40}"
        files[f"+{folder}/model_meta.json"] = json.dumps({"name": system, "revision": "0" * 40, "loader": None})
        for item, x in zip(IDS, right, strict=True):
            row = {"accuracy": x, "main_score": float(x), "hf_subset": "default", "languages": ["eng-Latn"]}
            head = {"dataset_revision": "1", "task_name": item, "mteb_version": "2.26.24"}
            tail = {"evaluation_time": 1.5, "kg_co2_emissions": None}
            files[f"{folder}/{item}.json"] = json.dumps(head | {"scores": {"test": [row]}} | tail, indent=2)
    return files


def trec_runs(_: Path, above: str = "") -> Files:
    """The relevant document first, or second."""
    runs = {
        f"{system}={system}.run": above
        + "".join(
            f"{i} Q0 {'rel' if x else 'not'} 1 2.0 t\n{i} Q0 {'not' if x else 'rel'} 2 1.0 t\n"
            for _, i, x in rows_of(system)
        )
        for system in RIGHT
    }
    return runs | {"-qrels": above + "".join(f"{i} 0 rel 1\n" for i in IDS)}


def bfcl(_: Path) -> Files:
    files: dict[str, str] = {}
    for system, right in RIGHT.items():
        counts = {"accuracy": sum(right) / N, "correct_count": sum(right), "total_count": N}
        wrong = [
            {"id": f"simple_python_{k}", "model_name": system, "valid": False} for k, x in enumerate(right) if not x
        ]
        files[f"{system}=score/{system}/non_live/BFCL_v4_simple_python_score.json"] = lines([counts, *wrong])
        results = [{"id": f"simple_python_{k}", "result": "f()"} for k in range(N)]
        files[f"+result/{system}/non_live/BFCL_v4_simple_python_result.json"] = lines(results)
    return files


def alpaca(system: str, rows: list[Row]) -> Any:
    pair = {"output_1": "a", "generator_1": "gpt4", "output_2": "b", "generator_2": system, "annotator": "judge"}
    return [{"instruction": i, "dataset": "d", **pair, "preference": 1 + x} for _, i, x in rows]


def kaldi(_: Path) -> Files:
    runs = {f"{s}.text": "".join(f"utt-{i} a {'b' if x else 'c'}\n" for _, i, x in rows_of(s)) for s in RIGHT}
    return runs | {"-ref.text": "".join(f"utt-{i} a b\n" for i in IDS)}


def trn(_: Path) -> Files:
    runs = {f"{s}.trn": "".join(f"a {'b' if x else 'c'} (spk_{i})\n" for _, i, x in rows_of(s)) for s in RIGHT}
    return runs | {"-ref.trn": "".join(f"a b (spk_{i})\n" for i in IDS)}


def ctm(_: Path) -> Files:
    """Words of recordings: one in a segment that is ignored, one in a segment, and one outside all."""
    words = "r{0} 1 0.2 0.5 b 0.9\nr{0} 1 2.5 0.2 a 0.8\nr{0} 1 9.5 0.2 {1}\n"
    runs = {f"{s}.ctm": "".join(words.format(i, "b" if x else "c") for _, i, x in rows_of(s)) for s in RIGHT}
    segments = "r{0} 1 spk 0.0 2.0 IGNORE_TIME_SEGMENT_IN_SCORING\nr{0} 1 spk 2.0 4.0 <o> a b\n"
    return runs | {"-ref.stm": ";; segments\n" + "".join(segments.format(i) for i in IDS)}


def mtme(_: Path) -> Files:
    return {"x.seg.score": "".join(f"{system}\t{x}\n" for system, _, _, x in every())}


def mqm(_: Path) -> Files:
    """Two raters: one marks a major mistake where the item is wrong, the other a comma."""
    header = ["system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"]
    marks = {"r1": ("Accuracy/Mistranslation", "Major"), "r2": ("Fluency/Punctuation", "Minor")}
    rows = [
        [s, "d", k + 1, k, rater, "x", "y", *(("No-error", "No-error") if x else mark)]
        for s, k, _, x in every()
        for rater, mark in marks.items()
    ]
    return {"mqm.tsv": table(header, rows, "\t")}


ESA = [
    "login",
    "system",
    "item",
    "is_bad",
    "source_lang",
    "target_lang",
    "score",
    "doc_id",
    "complete",
    "spans",
    "start_time",
    "end_time",
]


def esa_rows() -> list[list[Any]]:
    span = '[{"start_i": 1, "end_i": 3, "severity": "minor"}]'
    return [
        [rater, s, k, "TGT", "eng", "deu", 100 * x, f"doc{k // 4}", False, span, 1.0, 2.0]
        for s, k, _, x in every()
        for rater in ("engdeu01", "engdeu02")
    ]


def divided(rows: list[list[Any]]) -> tuple[list[Any], list[list[Any]]]:
    """The first row in place of a header."""
    return rows[0], rows[1:]


def pharaoh(_: Path) -> Files:
    runs = {f"{s}.align": "".join(f"0-0 {'1-1' if x else '0-1'}\n" for _, _, x in rows_of(s)) for s in RIGHT}
    return runs | {"-gold.align": "0-0 1-1\n" * N}


def squad(_: Path) -> Files:
    runs = {f"{s}.json": json.dumps(dict(zip(IDS, SAID[s], strict=True))) for s in RIGHT}
    qas = [
        {"id": i, "question": "?", "answers": [{"text": g, "answer_start": 0}]} for i, g in zip(IDS, GOLD, strict=True)
    ]
    return runs | {
        "-dev.json": json.dumps(
            {"version": "1.1", "data": [{"title": "t", "paragraphs": [{"context": "c", "qas": qas}]}]}
        )
    }


def judged(system: str, rows: list[Row]) -> Any:
    return [
        {"question_id": k, "model": system, "judge": ["gpt-4", "single-v1"], "score": x, "turn": 1, "tstamp": 1.5}
        for k, _, x in rows
    ]


TRIED = (
    Tried(
        name="lm-evaluation-harness 0.4.13, samples",
        made=TOOL,
        reader="lm-eval",
        options=("-m", "acc"),
        checked="`acc` of its results",
        printed=("0.6666666666666666", "1.0"),
        errors=(0.1421338109037403, 0.0),
        write=lambda _: {
            f"{s}/{f.name}": f.read_bytes() for s in ("weak", "strong") for f in (TOOLS / "lm_eval" / s).glob("*.jsonl")
        },
    ),
    Tried(
        name="Inspect 0.3.285, .eval",
        made=TOOL,
        reader="inspect",
        options=("-m", "match"),
        checked="`accuracy` in its log",
        printed=("0.5833333333333334", "0.8333333333333334"),
        errors=(0.1486470975026408, 0.11236664374387367),
        write=stored("inspect", "weak.eval", "strong.eval"),
    ),
    Tried(
        name="Inspect 0.3.285, JSON log",
        made=TOOL,
        reader="inspect",
        options=("-m", "match"),
        checked="`accuracy` in its log",
        printed=("0.3333333333333333", "0.75"),
        errors=(0.1421338109037403, 0.1305582419667734),
        write=stored("inspect", "base.json.gz", "new.json.gz"),
    ),
    Tried(
        name="Inspect, JSON log of version 2",
        reader="inspect",
        options=("-m", "match"),
        write=each(
            ".json",
            lambda s, rows: {
                "version": 2,
                "status": "success",
                "eval": {"task": "t", "model": s, "config": {}},
                "samples": [
                    {"id": i, "epoch": 1, "input": "?", "target": "x", "scores": {"match": {"value": "IC"[x]}}}
                    for _, i, x in rows
                ],
            },
        ),
    ),
    Tried(
        name="HELM 0.5.16, per_instance_stats.json",
        reader="helm",
        options=("-m", "em"),
        write=lambda _: {
            f"{s}/per_instance_stats.json": json.dumps(
                [
                    {
                        "instance_id": i,
                        "perturbation": None,
                        "train_trial_index": 0,
                        "stats": [
                            {"name": {"name": "em", "split": "test"}, "count": 1, "sum": x, "sum_squared": x}
                            | dict.fromkeys(("min", "max", "mean"), x)
                            | {"variance": 0.0, "stddev": 0.0}
                        ],
                    }
                    for _, i, x in rows_of(s)
                ]
            )
            for s in RIGHT
        },
    ),
    Tried(
        name="lighteval 0.13.0, details_*.parquet",
        reader="parquet",
        write=details,
    ),
    Tried(
        name="lighteval 0.13.0, details as JSON lines",
        reader="jsonl",
        write=each(
            ".jsonl",
            lambda _, rows: [
                {"doc": {"id": i, "task_name": "t"}, "metric": {"em": x}, "model_response": {"text": ["x"]}}
                for _, i, x in rows
            ],
        ),
    ),
    *(
        Tried(
            name=f"promptfoo 0.121.20, {kind}",
            made=TOOL,
            reader="jsonl",
            options=("--baseline", "base/0"),
            checked="testPassCount in its JSON, of 12",
            printed=("4", "9"),
            scale=N,
            write=stored("promptfoo", name),
        )
        for kind, name in (("JSON", "out.json.gz"), ("JSONL", "out.jsonl.gz"))
    ),
    Tried(
        name="promptfoo 0.121.20, CSV",
        made=TOOL,
        reader="table",
        options=("--baseline", "base/0"),
        checked="testPassCount in its JSON, of 12",
        printed=("4", "9"),
        scale=N,
        write=stored("promptfoo", "out.csv"),
    ),
    Tried(
        name="promptfoo, CSV of outputs with [PASS] or [FAIL]",
        reader="table",
        options=("--baseline", "base/0"),
        write=lambda _: {
            "out.csv": table(
                ["q", *(f"[{system}] Say {{{{q}}}}" for system in RIGHT)],
                [
                    [item, *("[PASS] (1.00) A" if of[k] else "[FAIL] (0.00) no\n---\nD" for of in RIGHT.values())]
                    for k, item in enumerate(IDS)
                ],
            )
        },
    ),
    Tried(
        name="deepeval 4.3.1, what evaluate returns, as JSON",
        made=TOOL,
        reader="jsonl",
        checked="Average Score that it printed",
        printed=("0.33", "0.75"),
        write=stored("deepeval", "base.json", "new.json"),
    ),
    Tried(
        name="deepeval 4.3.1, test_run_*.json",
        made=TOOL,
        reader="jsonl",
        checked="Average Score that it printed",
        printed=("0.33", "0.75"),
        write=stored("deepeval", "base=test_run_base.json", "new=test_run_new.json"),
    ),
    Tried(
        name="deepeval 4.3.1, latest test run",
        reader="jsonl",
        write=each(
            ".json",
            lambda _, rows: {
                "testRunData": {
                    "testCases": [{"name": i, "metricsData": [{"name": "EM", "score": x}]} for _, i, x in rows]
                }
            },
        ),
    ),
    Tried(
        name="OpenAI evals 3.0.1.post1, log",
        reader="jsonl",
        write=each(
            ".jsonl",
            lambda s, rows: (
                [{"spec": {"completion_fns": [s]}}]
                + [{"event_id": k, "sample_id": i, "type": "match", "data": {"correct": bool(x)}} for k, i, x in rows]
            ),
        ),
    ),
    Tried(
        name="OpenAI graders",
        reader="jsonl",
        write=each(
            ".jsonl",
            lambda _, rows: [{"item": {"id": i}, "sample": {}, "grades": {"match": float(x)}} for _, i, x in rows],
        ),
    ),
    Tried(
        name="simple-evals, with examples",
        reader="jsonl",
        write=each(
            ".json",
            lambda _, rows: {
                "score": 0.5,
                "metrics": {"chars": 3},
                "htmls": [],
                "convos": [],
                "metadata": {"example_level_metadata": [{"score": x} for *_, x in rows]},
            },
        ),
    ),
    Tried(
        name="simple-evals, averages",
        reader="jsonl",
        refused="example_level_metadata",
        write=each(".json", lambda *_: {"score": 0.6, "metrics": {"chars": 3}, "htmls": [], "convos": []}),
    ),
    Tried(
        name="BFCL v4 (bfcl-eval 2026.3.23)",
        reader="jsonl",
        write=bfcl,
    ),
    Tried(
        name="tau2-bench",
        reader="jsonl",
        write=each(
            ".json",
            lambda s, rows: {
                "timestamp": "2026",
                "info": {"agent_info": {"llm": s}},
                "tasks": [{"id": i} for i in IDS],
                "simulations": [
                    {
                        "id": f"{i}-0",
                        "task_id": i,
                        "trial": 0,
                        "seed": 7,
                        "reward_info": {"reward": float(x)},
                        "duration": 3.0,
                    }
                    for _, i, x in rows
                ],
            },
        ),
    ),
    Tried(
        name="tau-bench",
        reader="jsonl",
        options=("-m", "reward"),
        write=each(
            ".json",
            lambda _, rows: [
                {"task_id": k, "reward": float(x), "info": {}, "traj": [], "trial": 0} for k, _, x in rows
            ],
        ),
    ),
    Tried(
        name="HumanEval 1.0.3, results",
        made=TOOL,
        reader="jsonl",
        options=("-m", "passed"),
        checked="pass@1 that it printed",
        printed=("0.3333333333333333", "0.75"),
        write=stored("human_eval", "base.jsonl_results.jsonl", "new.jsonl_results.jsonl"),
    ),
    Tried(
        name="EvalPlus 0.3.1, eval_results.json",
        made=TOOL,
        reader="jsonl",
        options=("-m", "plus"),
        checked="pass@1 of humaneval+ that it printed",
        printed=("0.333", "0.750"),
        write=stored("evalplus", "base_eval_results.json", "new_eval_results.json"),
    ),
    Tried(
        name="BigCode harness",
        reader="jsonl",
        write=each(".json", lambda _, rows: {str(k): [[0, {"task_id": k, "passed": bool(x)}]] for k, _, x in rows}),
    ),
    Tried(
        name="SWE-bench 5.0.2, report of make_run_report",
        made=TOOL,
        reader="swe-bench",
        checked="Instances resolved that it printed, of 12",
        printed=("4", "9"),
        scale=N,
        write=stored("swe_bench", "base.r1.json", "new.r1.json"),
    ),
    Tried(
        name="SWE-bench Pro, results",
        reader="jsonl",
        write=each(".json", lambda _, rows: {i: bool(x) for _, i, x in rows}),
    ),
    Tried(
        name="SWE-bench, lists of the leaderboard",
        reader="jsonl",
        refused="give the report of the run",
        write=each(".json", lambda *_: {"no_generation": [], "no_logs": [], "resolved": ["a", "b"]}),
    ),
    Tried(
        name="ZeroEval",
        reader="jsonl",
        write=each(
            ".jsonl",
            lambda s, rows: [
                {"session_id": i, "generator": s, "id": i, "output": ["o"], "correct": bool(x)} for _, i, x in rows
            ],
        ),
    ),
    Tried(
        name="LiveBench",
        reader="jsonl",
        write=both(
            "live.jsonl",
            lambda: [
                {"question_id": i, "task": "math", "model": s, "score": x, "turn": 1, "tstamp": 17.5, "category": "m"}
                for s, _, i, x in every()
            ],
        ),
    ),
    Tried(
        name="LiveCodeBench",
        reader="jsonl",
        write=each(
            ".json",
            lambda _, rows: [
                {"question_id": i, "graded_list": [bool(x)], "pass@1": float(x), "difficulty": "easy"}
                for _, i, x in rows
            ],
        ),
    ),
    Tried(
        name="MT-Bench (FastChat 0.2.36), judgments",
        reader="jsonl",
        write=both("judge.jsonl", lambda: [one for s in RIGHT for one in judged(s, rows_of(s))]),
    ),
    Tried(
        name="LongBench v2",
        reader="jsonl",
        options=("-m", "judge"),
        write=each(
            ".jsonl",
            lambda _, rows: [
                {
                    "_id": i,
                    "domain": "x",
                    "answer": "A",
                    "pred": "A" if x else "B",
                    "judge": bool(x),
                    "difficulty": "easy",
                }
                for _, i, x in rows
            ],
        ),
    ),
    Tried(
        name="aider",
        reader="jsonl",
        write=both(
            "all.jsonl",
            lambda: [{"testcase": i, "model": s, "tests_outcomes": [False, bool(x)]} for s, _, i, x in every()],
        ),
    ),
    Tried(
        name="OpenCompass, details",
        reader="jsonl",
        write=each(
            ".json",
            lambda s, rows: {
                "accuracy": 50.0,
                "details": {
                    str(k): {"prompt": "p", "pred": SAID[s][k], "refr": GOLD[k], "is_correct": bool(x)}
                    for k, _, x in rows
                },
            },
        ),
    ),
    Tried(
        name="OpenCompass 0.5.4, details that it formats",
        reader="jsonl",
        write=each(
            ".json",
            lambda s, rows: {
                "accuracy": 50.0,
                "details": {"type": "GEN"}
                | {
                    str(k): {"prompt": "p", "predictions": SAID[s][k], "references": GOLD[k], "correct": bool(x)}
                    for k, _, x in rows
                },
            },
        ),
    ),
    Tried(
        name="EvalScope 1.14.1, reviews",
        reader="jsonl",
        write=each(
            ".jsonl",
            lambda s, rows: [
                {"index": k, "model": s, "sample_score": {"score": {"value": {"acc": x}}}} for k, _, x in rows
            ],
        ),
    ),
    Tried(
        name="Braintrust, experiment",
        reader="jsonl",
        write=each(
            ".jsonl",
            lambda s, rows: [
                {"id": f"{s}{i}", "experiment_id": s, "input": {"q": i}, "output": "o", "scores": {"F": x}}
                for _, i, x in rows
            ],
        ),
    ),
    Tried(
        name="LangSmith, CSV",
        reader="table",
        options=("-c", "item=inputs", "-m", "correctness"),
        write=each(
            ".csv",
            lambda _, rows: table(
                ["id", "inputs", "outputs", "correctness"], [[f"r{k}", i, "o", x] for k, i, x in rows]
            ),
        ),
    ),
    Tried(
        name="MMLU-Pro",
        reader="jsonl",
        options=("-c", "reference=answer", "-m", "accuracy"),
        write=each(
            ".json",
            lambda s, rows: [
                {
                    "question_id": k,
                    "question": "?",
                    "options": ["x"],
                    "answer": GOLD[k],
                    "answer_index": 0,
                    "category": "law",
                    "pred": SAID[s][k],
                    "model_outputs": "text",
                }
                for k, _, _ in rows
            ],
        ),
    ),
    Tried(
        name="VLMEvalKit, CSV",
        reader="table",
        options=("-m", "hit"),
        write=each(
            ".csv",
            lambda _, rows: table(["index", "question", "A", "B", "hit"], [[k, "?", "x", "y", x] for k, _, x in rows]),
        ),
    ),
    Tried(
        name="RAGAS 0.4.3, CSV by to_pandas",
        made=TOOL,
        reader="table",
        options=("-c", "item=user_input", "-c", "output=response", "-m", "exact_match"),
        checked="exact_match that it printed",
        printed=("0.3333", "0.7500"),
        write=stored("ragas", "base.csv", "new.csv"),
    ),
    Tried(
        name="MLflow 3.17.2, eval_results_table.json",
        made=TOOL,
        reader="jsonl",
        options=("-m", "exact/score"),
        checked="`exact/mean` of the run",
        printed=("0.3333333333333333", "0.75"),
        write=stored("mlflow", "base.json", "new.json"),
    ),
    Tried(
        name="Weights & Biases 0.31.0, table",
        made=TOOL,
        reader="jsonl",
        options=("-m", "right"),
        write=stored("wandb", "base.table.json", "new.table.json"),
    ),
    Tried(
        name="Langfuse, scores/ of its blob storage, CSV",
        reader="table",
        options=("-c", "system=dataset_run_id"),
        refused="add a column datasetItemId",
        write=lambda _: langfuse(),
    ),
    Tried(
        name="Langfuse, scores/ with dataset_item_id joined",
        reader="table",
        options=("-c", "system=dataset_run_id"),
        write=lambda _: langfuse("dataset_item_id"),
    ),
    Tried(
        name="AlpacaEval 0.6.6, annotations.json",
        reader="alpaca-eval",
        options=("-m", "win_rate"),
        checked="win_rate of alpaca_eval 0.6.6",
        printed=("33.33333333333333", "75.0"),
        write=each(".json", alpaca),
    ),
    Tried(
        name="MTEB 2.26.24, results of tasks",
        reader="mteb",
        write=mteb,
    ),
    Tried(
        name="lm-evaluation-harness 0.4.13, averages",
        reader="jsonl",
        refused="samples_",
        write=each(
            ".json", lambda *_: {"results": {"t": {"acc,none": 0.5}}, "configs": {}, "versions": {}, "n-shot": {}}
        ),
    ),
    Tried(
        name="HELM 0.5.16, stats.json",
        reader="jsonl",
        refused="per_instance_stats.json",
        write=each(".json", lambda *_: [{"name": {"name": "em", "split": "test"}, "count": 1, "sum": 0.5}] * 2),
    ),
    Tried(
        name="Inspect 0.3.285, list of an eval set",
        reader="jsonl",
        refused="*.eval",
        write=each(".json", lambda *_: {"eval_set_id": "x", "tasks": [{"name": "t"}, {"name": "u"}]}),
    ),
    Tried(
        name="CSV, long",
        reader="table",
        write=both("s.csv", lambda: table(["system", "item", "score"], [(s, i, x) for s, _, i, x in every()])),
    ),
    Tried(
        name="CSV, wide",
        reader="table",
        write=both("w.csv", lambda: table(["item", *RIGHT], [*zip(IDS, *RIGHT.values(), strict=True)])),
    ),
    Tried(
        name="CSV by semicolons",
        reader="table",
        write=both("s.csv", lambda: table(["system", "item", "score"], [(s, i, x) for s, _, i, x in every()], ";")),
    ),
    Tried(
        name="CSV, decimal commas",
        reader="table",
        refused="decimal point",
        write=both(
            "s.csv", lambda: table(["system", "item", "score"], [(s, i, f"0,{x}5") for s, _, i, x in every()], ";")
        ),
    ),
    Tried(
        name="TSV, labels and gold",
        reader="table",
        options=("-m", "accuracy"),
        write=lambda _: (
            {"gold.tsv": table(["item", "gold"], [*zip(IDS, GOLD, strict=True)], "\t")}
            | {f"{s}.tsv": table(["item", "prediction"], [*zip(IDS, SAID[s], strict=True)], "\t") for s in RIGHT}
        ),
    ),
    Tried(
        name="pandas 3.1.1, JSON by columns",
        reader="jsonl",
        write=both(
            "s.json",
            lambda: {
                key: {str(k): row[n] for k, row in enumerate(every())}
                for n, key in ((0, "system"), (2, "item"), (3, "score"))
            },
        ),
    ),
    Tried(
        name="pandas 3.1.1, JSON of a table",
        reader="jsonl",
        write=both(
            "s.json",
            lambda: {
                "schema": {"fields": [{"name": "item"}]},
                "data": [{"system": s, "item": i, "score": x} for s, _, i, x in every()],
            },
        ),
    ),
    Tried(
        name="JSON, {system: {item: score}}",
        reader="jsonl",
        write=both("s.json", lambda: {s: dict(zip(IDS, of, strict=True)) for s, of in RIGHT.items()}),
    ),
    Tried(name="XLSX (openpyxl 3.1.5)", made=PANDAS, reader="workbook", write=stored("workbook", "scores.xlsx")),
    Tried(name="ODS (odfpy 1.4.1)", made=PANDAS, reader="workbook", write=stored("workbook", "scores.ods")),
    *(
        Tried(name=f"CSV, {kind}", made=LIBRARY, reader="table", write=packed(suffix))
        for kind, suffix in (("gzip", ".gz"), ("bzip2", ".bz2"), ("xz", ".xz"), ("zstd", ".zst"))
    ),
    Tried(name="Parquet (pyarrow)", made=LIBRARY, reader="parquet", write=parquet("s.parquet")),
    Tried(name="Feather (pyarrow)", made=LIBRARY, reader="arrow", write=parquet("s.feather")),
    Tried(name="Arrow stream (pyarrow)", made=LIBRARY, reader="arrow", write=parquet("s.arrows")),
    Tried(name="SQLite", made=LIBRARY, reader="sqlite", write=database("s.db")),
    Tried(name="DuckDB", made=LIBRARY, reader="duckdb", write=database("s.duckdb")),
    Tried(name="NumPy, .npy", made=LIBRARY, reader="numpy", write=arrays(".npy")),
    Tried(name="NumPy, .npz", made=LIBRARY, reader="numpy", write=arrays("s.npz")),
    Tried(
        name="pickle",
        made=LIBRARY,
        reader="lines",
        refused="pickle",
        write=lambda _: {f"{s}.pkl": pickle.dumps(of) for s, of in RIGHT.items()},
    ),
    Tried(
        name="trec_eval 10.0-rc3, -q",
        made=TOOL,
        reader="trec-eval",
        options=("-m", "P_1"),
        checked="P_1 of all",
        printed=("0.3333", "0.7500"),
        write=stored("trec_eval", "base.txt", "new.txt"),
    ),
    Tried(
        name="ir_measures 0.4.3, -q",
        made=TOOL,
        reader="trec-eval",
        options=("-m", "P@1"),
        checked="P@1 of all",
        printed=("0.3333", "0.7500"),
        write=stored("ir_measures", "base.txt", "new.txt"),
    ),
    Tried(
        name="TREC runs and qrels",
        reader="trec",
        options=("-m", "ir:measure=P@1"),
        checked="P_1 of trec_eval 10.0-rc3",
        printed=("0.3333", "0.7500"),
        write=trec_runs,
    ),
    Tried(
        name="TREC runs and qrels, with comments",
        reader="trec",
        options=("-m", "ir:measure=P@1"),
        checked="P_1 of trec_eval 10.0-rc3",
        printed=("0.3333", "0.7500"),
        write=lambda _: trec_runs(_, "# made by us\n"),
    ),
    Tried(
        name="Kaldi, text",
        less=True,
        reader="kaldi",
        options=("-m", "wer"),
        checked="WER of jiwer 4.0.0",
        printed=("0.3333333333333333", "0.125"),
        write=kaldi,
    ),
    Tried(
        name="sclite, .trn",
        less=True,
        reader="trn",
        options=("-m", "wer"),
        checked="Err of sclite 2.10 (SCTK 2.4.12)",
        printed=("33.3", "12.5"),
        scale=100,
        write=trn,
    ),
    Tried(
        name="sclite 2.10 (SCTK 2.4.12), -o sgml",
        made=TOOL,
        less=True,
        reader="sclite",
        options=("-m", "wer"),
        checked="Err that it printed",
        printed=("33.3", "12.5"),
        scale=100,
        write=stored("sclite", "base=base.sgml", "new=new.sgml"),
    ),
    Tried(
        name="sclite, .ctm and .stm",
        less=True,
        reader="ctm",
        options=("-m", "wer"),
        checked="Err of sclite 2.10 (SCTK 2.4.12)",
        printed=("33.3", "12.5"),
        scale=100,
        write=ctm,
    ),
    Tried(
        name="NeMo, manifest",
        less=True,
        reader="nemo",
        options=("-m", "wer"),
        checked="WER of jiwer 4.0.0",
        printed=("0.3333333333333333", "0.125"),
        write=each(
            ".json",
            lambda _, rows: lines(
                [
                    {"audio_filepath": f"{i}.wav", "duration": 1.5, "text": "a b", "pred_text": "a b" if x else "a c"}
                    for _, i, x in rows
                ]
            ),
        ),
    ),
    Tried(
        name="CoNLL, conlleval's columns",
        reader="conll",
        options=("-m", "ner:measure=recall"),
        checked="recall of conlleval.py of 2019",
        printed=("33.33", "75.00"),
        write=each(".conll", conll),
    ),
    Tried(
        name="HIPE 2022",
        reader="conll",
        options=("--reader", "conll:tag=NE-COARSE-LIT", "-m", "ner:measure=recall"),
        checked="R (micro, strict) of HIPE-scorer of 2024",
        printed=("0.333", "0.75"),
        scale=0.01,
        write=hipe,
    ),
    Tried(
        name="CoNLL-U",
        reader="conllu",
        options=("-m", "upos"),
        checked="UPOS of eval.py of the UD tools of 2026",
        printed=("66.67", "87.50"),
        write=lambda _: {f"{s}.conllu": conllu(s, rows_of(s)) for s in RIGHT} | {"-gold.conllu": gold_conllu()},
    ),
    Tried(
        name="CoNLL-U Plus",
        reader="conllu",
        options=("-m", "upos"),
        means=(100 * (N + 4) / 2 / N, 100 * (N + 9) / 2 / N),
        write=lambda _: (
            {f"{s}.conllup": plus(conllu(s, rows_of(s))) for s in RIGHT} | {"-gold.conllup": plus(gold_conllu())}
        ),
    ),
    Tried(
        name="COMET 2.2.7, --to_json",
        reader="comet",
        options=("-m", "comet"),
        write=lambda _: {
            "comet.json": json.dumps(
                {f"{s}.txt": [{"src": "a", "mt": "b", "ref": "c", "COMET": x} for *_, x in rows_of(s)] for s in RIGHT}
            )
        },
    ),
    Tried(
        name="COMET 2.2.7, --to_json of XCOMET",
        reader="comet",
        options=("-m", "comet"),
        write=lambda _: {f"{s}.json": json.dumps({f"out/{s}.txt": [xcomet(x) for *_, x in rows_of(s)]}) for s in RIGHT},
    ),
    Tried(
        name="sacreBLEU 2.6.0, --sentence-level",
        made=TOOL,
        reader="sacrebleu",
        options=("-m", "chrf"),
        means=(100 * MEANS[0], 100 * MEANS[1]),
        write=stored("sacrebleu", "base.txt", "new.txt"),
    ),
    Tried(
        name="sacreBLEU 2.6.0, JSON of corpus scores",
        made=TOOL,
        reader="sacrebleu",
        refused="none of a segment",
        write=stored("sacrebleu", "base.json", "new.json"),
    ),
    Tried(
        name="BLEURT, COMET: a number a line",
        reader="scores",
        write=each(".seg", lambda _, rows: "".join(f"{x}.0\n" for *_, x in rows)),
    ),
    Tried(
        name="COMET's scores as CSV (src, mt, ref, COMET)",
        reader="table",
        options=("-m", "COMET"),
        write=each(
            ".csv", lambda _, rows: table(["src", "mt", "ref", "COMET"], [("a", "b", "c", x) for *_, x in rows])
        ),
    ),
    Tried(
        name="MetricX",
        less=True,
        reader="metricx",
        options=("-m", "metricx"),
        write=each(
            ".jsonl",
            lambda _, rows: [
                {"source": "a", "reference": "r", "hypothesis": "h", "prediction": float(x)} for *_, x in rows
            ],
        ),
    ),
    Tried(name="mt-metrics-eval, .seg.score", reader="mt-metrics-eval", write=mtme),
    Tried(
        name="mt-metrics-eval, .seg.rating",
        reader="lines",
        refused="no header says what the 3 columns are",
        write=lambda _: {"x.seg.rating": "".join(f'{s}\t{{"errors": []}}\tr1\n' for s, *_ in every())},
    ),
    Tried(
        name="MQM of WMT",
        less=True,
        reader="mqm",
        options=("-m", "mqm"),
        checked="mean by score_mqm.py of mt-metrics-eval of 2026",
        printed=("-1.7000000000000002", "-0.6375"),
        scale=-1,
        write=mqm,
    ),
    Tried(
        name="ESA of WMT, CSV with a header",
        reader="table",
        options=("-c", "sample=login"),
        means=(100 * MEANS[0], 100 * MEANS[1]),
        write=lambda _: {"esa.csv": table(ESA, esa_rows())},
    ),
    Tried(
        name="Appraise of WMT24, CSV of scores",
        reader="table",
        refused="grep ,TGT,",
        write=lambda _: {"scores.csv": table(*divided(esa_rows()))},
    ),
    Tried(
        name="Direct Assessment, CSV",
        reader="table",
        write=both(
            "da.csv",
            lambda: table(["system", "segment", "rater", "score"], [(s, i, "r1", x) for s, _, i, x in every()]),
        ),
    ),
    Tried(
        name="Pharaoh, word alignments",
        reader="pharaoh",
        options=("-m", "alignment:measure=recall"),
        means=(100 * (N + 4) / 2 / N, 100 * (N + 9) / 2 / N),
        write=pharaoh,
    ),
    Tried(
        name="GIZA++ (giza-pp of November 2025), A3.final",
        made=TOOL,
        less=True,
        reader="giza",
        options=("-m", "aer"),
        checked="alignment_error_rate of NLTK 3.10.4",
        printed=("0.04081632653061229", "0.010101010101010055"),
        scale=0.01,
        write=lambda _: dict(stored("giza", "base.A3.final", "new.A3.final")(_)) | {"-gold.talp": GIZA_GOLD},
    ),
    Tried(
        name="SQuAD 1.1, predictions and dev set",
        reader="squad",
        options=("-m", "squad_em"),
        checked="exact of evaluate-v2.0.py",
        printed=("33.333333333333336", "75.0"),
        scale=100,
        write=squad,
    ),
    Tried(
        name="plain text, outputs and references",
        reader="lines",
        options=("-m", "exact_match"),
        write=lambda _: (
            {f"{s}.txt": "\n".join(f"the {x} ." for x in SAID[s]) + "\n" for s in RIGHT}
            | {"-ref.txt": "\n".join(f"the {g} ." for g in GOLD) + "\n"}
        ),
    ),
    Tried(
        name="Arena, votes as CSV",
        reader="table",
        command="rank",
        options=("--preferences",),
        means=LOG_ODDS,
        write=both("votes.csv", lambda: table(list(votes()[0]), [list(vote.values()) for vote in votes()])),
    ),
    Tried(
        name="Arena, votes as JSON lines",
        reader="jsonl",
        command="rank",
        options=("--preferences",),
        means=LOG_ODDS,
        write=both("votes.jsonl", lambda: [vote | {"turn": 1, "anony": True, "tstamp": 1.5} for vote in votes()]),
    ),
)
