"""Large files of every format, calls of every command, and ``python -m tests.endtoend.memory``: what each holds.

Each is done in a process of its own, forked from one that holds nothing but what every command needs.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tests.contract.files import binary

_BYTES = 6_000_000
"""Of a file of text."""

_LOG = {"version": 2, "status": "success", "eval": {"task": "t", "model": "a/b", "config": {}}}
_SIGNATURE = "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:2.6.0"


@dataclass(frozen=True)
class Large:
    """A file of many items.

    Attributes:
        suffix: of its name.
        each: text of an item by its number; ``head`` and ``tail``: what stands about them.
        data: bytes for so many items, of formats that are no text.
    """

    suffix: str
    each: Callable[[int], str] = str
    head: str = ""
    tail: str = ""
    data: Callable[[int], bytes] | None = None

    def make(self, size: int = _BYTES) -> bytes:
        """A file of some ``size`` bytes."""
        if self.data is not None:
            return self.data(size // 50)
        n = size // len(self.each(0))
        return (self.head + "".join(map(self.each, range(n))) + self.tail).encode()


def _names(n: int) -> list[str]:
    return [f"a question with the number {i}" for i in range(n)]


def _numbers(n: int) -> list[float]:
    return [i % 997 / 997 for i in range(n)]


def _table(write: Callable[[binary.Table], bytes]) -> Callable[[int], bytes]:
    return lambda n: write((_names(n), _numbers(n)))


def _parquet(n: int) -> bytes:
    import pyarrow
    import pyarrow.parquet

    stream = io.BytesIO()
    pyarrow.parquet.write_table(
        pyarrow.table({"item": _names(n), "score": _numbers(n)}), stream, compression="none", use_dictionary=False
    )
    return stream.getvalue()


def _duckdb(n: int) -> bytes:
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "x.duckdb")
        with duckdb.connect(str(file)) as connection:
            item = "'a question with the number ' || i as item"
            connection.execute(f"create table scores as select {item}, i % 997 / 997 as score from range({n}) t(i)")
        return file.read_bytes()


def _numpy(n: int) -> bytes:
    stream = io.BytesIO()
    np.save(stream, np.arange(6.0 * n))
    return stream.getvalue()


def _swe_bench(n: int) -> bytes:
    ids = [f"a_project__with-{i}" for i in range(n // 2)]
    report: dict[str, Any] = {"total_instances": len(ids), "schema_version": 2}
    report |= dict.fromkeys(("submitted_ids", "completed_ids", "resolved_ids"), ids)
    report |= {name: [] for name in ("incomplete_ids", "empty_patch_ids", "unresolved_ids", "error_ids")}
    return json.dumps(report).encode()


def _rows(**of: Any) -> Callable[[int], str]:
    """A line of JSON for each item; ``#`` is its number."""
    line = json.dumps(of) + "\n"
    return lambda i: line.replace("#", f"{i:07}")


_TEXT = "some words of a longer answer"
_STATS = [{"name": {"name": "exact_match", "split": "test"}, "count": 1, "sum": 1.0, "mean": 1.0}]
_LM = {"doc_id": "#", "doc": {"q": _TEXT}, "target": "4", "arguments": {}, "resps": [["4"]], "filtered_resps": ["4"]}
_RULE = "=" * 76
READERS: dict[str, Large] = {
    "alpaca-eval": Large(
        ".json",
        lambda i: (", " if i else "") + json.dumps({"instruction": f"{_TEXT} {i:07}", "dataset": "v", "output_1": "Hi",
        "generator_1": "b", "output_2": _TEXT, "generator_2": "m", "annotator": "j", "preference": 1 + i % 2}),
        "[", "]",
    ),
    "arrow": Large(".feather", data=_table(binary.arrow)),
    "comet": Large(".txt", lambda i: f"sys.txt\tSegment {i}\tscore: 0.{i % 9973:04}\n", tail="sys.txt\tscore: 0.5\n"),
    "conll": Large(".conll", lambda i: f"word{i % 999} B-ORG\nrejects O\nGerman I-MISC\ncalls O\n\n"),
    "conllu": Large(".conllu", lambda i:
        f"# sent_id = s{i:07}\n1\tBirds\tbird\tNOUN\tNNS\tNumber=Plur\t2\tnsubj\t_\t_\n"
        "2\tsing\tsing\tVERB\tVBP\t_\t0\troot\t_\t_\n\n"),
    "ctm": Large(".ctm", lambda i: f"84-{i // 20:07} A {i % 20}.25 0.50 hoped 0.98\n"),
    "duckdb": Large(".duckdb", data=_duckdb),
    "evalb": Large(".txt", lambda i:
        f"{i + 1:4}    4    0   75.00  75.00     3      4    4      0      4     4   100.00\n",
        "  Sent.                        Matched  Bracket   Cross        Correct Tag\n"
        " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy\n" + _RULE + "\n", _RULE + "\n"),
    "giza": Large(".giza", lambda i:
        f"# Sentence pair ({i + 1}) source length 2 target length 2 alignment score : 0.1\n"
        "the house\nNULL ({ }) das ({ 1 }) haus ({ 2 })\n"),
    "helm": Large(".json", lambda i: (", " if i else "") + json.dumps(
        {"instance_id": f"id{i:07}", "train_trial_index": 0, "stats": _STATS}), "[", "]"),
    "inspect": Large(".json", lambda i: (", " if i else "") + json.dumps({"id": i, "epoch": 1, "input": _TEXT,
        "scores": {"match": {"value": "CI"[i % 2]}}}), json.dumps(_LOG)[:-1] + ', "samples": [', "]}"),
    "jsonl": Large(".jsonl", _rows(system="A", item="#", score=0.25, output=_TEXT)),
    "kaldi": Large(".txt", lambda i: f"84-12-{i:07} he hoped there would be stew for {i % 97}\n"),
    "lines": Large(".txt", lambda i: f"The cat number {i} sat on the mat for a while.\n"),
    "lm-eval": Large(".jsonl", lambda i: json.dumps({**_LM, "doc_id": i, "filter": "none", "metrics": ["exact_match"],
        "exact_match": 1.0}) + "\n"),
    "metricx": Large(".jsonl", _rows(source="Guten Tag #", hypothesis=_TEXT, reference="Hello", prediction=1.32)),
    "mqm": Large(".tsv", lambda i: f"A\td1\t{i + 1}\t{i + 1}\tr1\tJa\t{_TEXT}\tAccuracy/Mistranslation\tMajor\n",
        "system\tdoc\tdoc_id\tseg_id\trater\tsource\ttarget\tcategory\tseverity\n"),
    "mteb": Large(".json", lambda i: (", " if i else "")
        + f'{{"main_score": 0.{i % 9973:04}, "hf_subset": "s{i:07}", "languages": ["eng-Latn"]}}',
        '{"task_name": "t", "mteb_version": "2.26.24", "scores": {"test": [', "]}}"),
    "mt-metrics-eval": Large(".score", lambda i: f"Online-A 0.{i % 9973:04}\n"),
    "naacl": Large(".naacl", lambda i: f"{i + 1:07} 1 1 S\n{i + 1:07} 2 3 P\n"),
    "nemo": Large(".jsonl", lambda i: json.dumps(
        {"audio_filepath": f"84-{i}.wav", "duration": 3.2, "text": _TEXT, "pred_text": "he hopped"}) + "\n"),
    "numpy": Large(".npy", data=_numpy),
    "parquet": Large(".parquet", data=_parquet),
    "pharaoh": Large(".align", lambda i: "0-0 1-2 2-1 3-3 4-5\n"),
    "qrels": Large(".qrels", lambda i: f"q{i // 20} 0 d{i:07} {i % 3}\n"),
    "sacrebleu": Large(".txt", lambda i: f"{_SIGNATURE} = {i % 100}.{i % 10}\n"),
    "sclite": Large(".sgml", lambda i:
        f'<PATH id="(84-{i:07})" word_cnt="3">\nC,"he","he":S,"hoped","hopped":D,"there",\n</PATH>\n',
        '<SYSTEM title="base" ref_fname="ref" hyp_fname="base">\n<SPEAKER id="84">\n', "</SPEAKER>\n</SYSTEM>\n"),
    "scores": Large(".txt", lambda i: f"0.{i % 9973:04}\n"),
    "sqlite": Large(".db", data=_table(binary.sqlite)),
    "squad": Large(".json", lambda i:
        (", " if i else "") + f'"q{i:07}": "in the year {i % 997}, of the Normans"', "{", "}"),
    "swe-bench": Large(".json", data=_swe_bench),
    "table": Large(".csv", lambda i:
        "ABCDEFGHIJ"[i % 10] + f",q{i // 10},0.{i % 9973:04},0\n", "system,item,score,acc\n"),
    "trec": Large(".run", lambda i: f"q{i // 20} Q0 d{i:07} {i % 20 + 1} {20 - i % 20}.5 bm25\n"),
    "trec-eval": Large(".eval", lambda i: f"map  \tq{i}\t0.{i % 9973:04}\n", tail="map  \tall\t0.375\n"),
    "trees": Large(".trees", lambda i: "(TOP (S (NP (DT the) (NN cat)) (VP (VBD sat))))\n"),
    "trn": Large(".trn", lambda i: f"he hoped there would be stew for {i % 97} (84-12-{i:07})\n"),
    "workbook": Large(".xlsx", data=_table(binary.workbook)),
}  # fmt: skip


def peaks(works: dict[str, Callable[[], object]]) -> dict[str, tuple[float, str]]:
    """MB that a process of each work holds at its peak, beyond what it began with, and what went wrong."""
    found = {}
    for name, work in works.items():
        reads, writes = os.pipe()
        child = os.fork()
        if not child:
            with contextlib.suppress(BaseException):
                os.close(reads)
                before, said = _now(), ""
                try:
                    work()
                except SystemExit as end:
                    said = f"exit {end.code}" if end.code else ""
                except BaseException:  # noqa: BLE001  it is printed
                    said = traceback.format_exc()[-400:]
                os.write(writes, json.dumps([_now("VmHWM") - before, said]).encode())
            os._exit(0)
        os.close(writes)
        with os.fdopen(reads, "rb") as stream:
            found[name] = tuple(json.loads(stream.read()))
        os.waitpid(child, 0)
    return found


def _now(which: str = "VmRSS") -> float:
    """MB of this process."""
    line = next(line for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines() if which in line)
    return int(line.split()[1]) / 1000


def read_all(folder: Path) -> dict[str, tuple[float, float, str]]:
    """Of each reader MB of its file, MB that it holds beyond what a small file takes, and complaints."""
    from outscore.data.readers import Context, readers
    from outscore.data.source import Source

    def reading(name: str, file: Path) -> Callable[[], object]:
        def work() -> object:
            data = file.read_bytes()
            digest = hashlib.sha256(data).hexdigest()
            context = Context(file=str(file), stem=file.stem, sha256=digest, role="system")
            return readers.make(name).read(Source(str(file), data, digest), context)

        return work

    sizes, works = {}, {}
    for name, large in READERS.items():
        for kind, size in (("small", 5_000), ("large", _BYTES)):
            file = folder / f"{kind}-{name}{large.suffix}"
            file.write_bytes(large.make(size))
            works[f"{kind}-{name}"] = reading(name, file)
        sizes[name] = file.stat().st_size / 1e6
    found = peaks(works)
    return {
        name: (size, found[f"large-{name}"][0] - found[f"small-{name}"][0], found[f"large-{name}"][1])
        for name, size in sizes.items()
    }


_SYSTEMS, _ITEMS = 30, 10_000
_FEW = ("-n", "1000", "-j", "1")
_BOARD = ("board.csv", "-m", "score", *_FEW)
COMMANDS: dict[str, tuple[str, ...]] = {
    "advise": ("board.csv", "-m", "score"),
    "agree": ("ratings.csv", *_FEW),
    "compare": _BOARD,
    "convert": ("board.csv", "-o", "long.csv"),
    "correlate": ("board.csv", "--human", "judge", "-m", "score", "-n", "50", "-j", "1"),
    "demo": ("demo",),
    "history": ("--history", "uses.db"),
    "judge": ("board.csv", "--human", "human", "--judge", "judge"),
    "list": ("metrics",),
    "power": ("a.scores", "b.scores", "--effect", "0.01", "-j", "1"),
    "rank": _BOARD,
    "recheck": ("printed.json", "-r", "ref.txt", "base.txt", "new.txt", *_FEW),
    "replicate": ("board.csv", "--set", "domain", "-m", "score", *_FEW),
    "score": _BOARD,
    "sequential": ("a.scores", "b.scores"),
    "show": ("saved.json", "-f", "html"),
    "study": ("all-pairs", "board.csv", "-m", "score", "--test", "t", "-j", "1"),
}
"""A call of each command, on a board of 30 systems on 10,000 items, or on texts of as many lines."""


def write_board(folder: Path) -> None:
    """Writes what the commands read."""
    draw = np.random.default_rng(1)
    level = np.linspace(0.3, 0.6, _SYSTEMS)[:, None]
    scores = np.clip(level + draw.normal(0, 0.2, (_SYSTEMS, _ITEMS)), 0, 1)
    judge = draw.random((_SYSTEMS, _ITEMS)) < level
    with (folder / "board.csv").open("w", encoding="utf-8") as file:
        file.write("system,item,score,judge,human,domain\n")
        for s, (own, said) in enumerate(zip(scores.tolist(), judge.tolist(), strict=True)):
            file.writelines(
                f"s{s},q{i},{x:.4f},{j:d},{int(j) if i % 9 == 0 else ''},{'ab'[i % 2]}\n"
                for i, (x, j) in enumerate(zip(own, said, strict=True))
            )
    for name, own in (("a", scores[0]), ("b", scores[1])):
        np.savetxt(folder / f"{name}.scores", own, fmt="%.4f")
    labels = draw.integers(0, 3, (_ITEMS, 5)).tolist()
    rows = (f"{i},r{who},{label}\n" for i, of in enumerate(labels) for who, label in enumerate(of))
    (folder / "ratings.csv").write_text("item,annotator,label\n" + "".join(rows), encoding="utf-8")
    lines = [f"the old cat saw the red boat and three apples on day {i}" for i in range(_ITEMS)]
    texts = {"ref": lines, "base": [line.replace("the", "a") for line in lines], "new": [f"{line} ." for line in lines]}
    for name, some in texts.items():
        (folder / f"{name}.txt").write_text("\n".join(some) + "\n", encoding="utf-8")
    printed = [
        {"system": name, "BLEU": {"score": score, "p_value": p, "mean": score, "ci": 0.4}}
        for name, score, p in (("Baseline: base.txt", 61.2, None), ("new.txt", 71.2, 0.03))
    ]
    (folder / "printed.json").write_text(json.dumps(printed), encoding="utf-8")


def run_all(folder: Path) -> dict[str, tuple[float, str]]:
    """MB that a process of each command holds, and complaints."""
    from outscore.cli.main import main

    def call(words: tuple[str, ...]) -> Callable[[], object]:
        def work() -> None:
            with contextlib.redirect_stdout(io.StringIO()):
                main([*words])

        return work

    write_board(folder)
    os.chdir(folder)
    made = ("compare", *_BOARD, "-o", "saved.json", "--history", "uses.db")
    peaks({"before": call(made)})
    begun = _now()
    found = peaks({name: call((name, *words)) for name, words in COMMANDS.items()})
    return {name: (begun + more, said) for name, (more, said) in found.items()}


if __name__ == "__main__":
    import outscore.data
    import outscore.verbs.score.run  # noqa: F401  what every process needs is there before it is measured

    with tempfile.TemporaryDirectory() as place:
        sys.stdout.write(json.dumps((read_all if sys.argv[1] == "readers" else run_all)(Path(place))))
