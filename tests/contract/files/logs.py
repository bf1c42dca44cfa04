"""Logs of programs that evaluate language models."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from typing import Any

from backports.zstd import zipfile as zstd
from hypothesis import strategies as st

from outscore.data.readers import Role
from tests.contract.files import FILES, File, Held, anything, columns, names, numbers, texts


def lines_of(value: Any, draw: st.DrawFn) -> tuple[str, ...]:
    """A JSON document."""
    text = json.dumps(value, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 0, 4])))
    return tuple(text.split("\n"))


@st.composite
def lm_eval(draw: st.DrawFn) -> File:
    task = draw(st.sampled_from(["gsm8k", "mmlu_日本", "a_b-c.d"]))
    ids = draw(st.lists(st.integers(0, 99), min_size=1, max_size=5, unique=True))
    n = len(ids)
    filters = draw(st.sampled_from([["none"], ["strict-match", "none"], ["strict", "flexible extract"]]))
    of_texts = draw(st.booleans())
    values = {name: draw(columns(n)) for name in filters}
    rates = [(-draw(st.integers(0, 99)) / 8, draw(st.integers(1, 9))) for _ in ids]
    outputs, references = (tuple(draw(anything()) for _ in ids) for _ in range(2))
    written = []
    for i, doc in enumerate(ids):
        for name in filters[:1] if of_texts else filters:
            sample: dict[str, Any] = {"doc_id": doc, "doc": {"q": draw(anything())}, "target": "4", "resps": [["4"]]}
            sample |= {"filtered_resps": ["4"], "filter": name, "doc_hash": f"h{doc}"}
            sample |= (
                {"metrics": ["bleu"], "bleu": [references[i], outputs[i]]}
                if of_texts
                else {"metrics": ["acc", "word_perplexity"], "acc": values[name][i], "word_perplexity": rates[i]}
            )
            written.append(json.dumps(sample, ensure_ascii=draw(st.booleans())))
    held: dict[str, tuple[float | None, ...]] = {}
    for name in [] if of_texts else filters:
        ending = "" if name == "none" else f".{name}"
        held[f"acc{ending}"] = values[name]
        held[f"word_perplexity{ending}.loglik"] = tuple(float(loglik) for loglik, _ in rates)
        held[f"word_perplexity{ending}.tokens"] = tuple(float(tokens) for _, tokens in rates)
    run = Held(
        system="org__model",
        run="1",
        ids=tuple(f"{task}/{doc}" for doc in ids),
        outputs=outputs if of_texts else None,
        references=(references,) if of_texts else (),
        columns=held,
        labels={"domain": (task,) * n, "doc_hash": tuple(f"h{doc}" for doc in ids)},
    )
    name = f"org__model/samples_{task}_2026-01-31T10-11-12.345678.jsonl"
    return File(name=name, lines=tuple(written), runs=(run,))


def zipped(entries: dict[str, Any], draw: st.DrawFn) -> bytes:
    buffer = io.BytesIO()
    if draw(st.booleans()):
        archive: Any = zstd.ZipFile(buffer, "w", zstd.ZIP_ZSTANDARD)
    else:
        archive = zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED)
    with archive:
        for name, value in entries.items():
            archive.writestr(name, json.dumps(value))
    return buffer.getvalue()


SAMPLES = st.one_of(st.integers(0, 99), texts(1).filter(lambda text: not text.isdecimal()))
GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}


@st.composite
def inspect(draw: st.DrawFn) -> File:
    model = draw(st.sampled_from(["org/model", "日本/m 1"]))
    ids: list[Any] = draw(st.lists(SAMPLES, min_size=1, max_size=4, unique=True))
    inputs = [draw(anything()) for _ in ids]
    topics = [draw(st.sampled_from(["x", "", "日本", "7"])) for _ in ids]
    samples, runs = [], []
    epochs = draw(st.integers(1, 3))
    for epoch in range(1, epochs + 1):
        found: dict[str, list[float | None]] = {"match": [], "judge.a b": [], "judge.ü": []}
        for i, item in enumerate(ids):
            grade, a, b = draw(st.sampled_from(list(GRADES))), draw(numbers()), draw(st.booleans())
            failed = bool(i) and draw(st.integers(0, 5)) == 0
            scores = {"match": {"value": grade, "answer": "?"}, "judge": {"value": {"a b": a, "ü": b}}}
            sample = {"id": item, "epoch": epoch, "input": inputs[i], "target": "x", "metadata": {"topic": topics[i]}}
            samples.append(sample | {"scores": scores} | ({"error": "Timeout"} if failed else {}))
            for name, value in zip(found, (GRADES[grade], a, float(b)), strict=True):
                found[name].append(None if failed else value)
        labels = {"topic": tuple(topics), "length": tuple(str(len(text)) for text in inputs)}
        runs.append(
            Held(
                system=model,
                run="1",
                sample=str(epoch) if epochs > 1 else "",
                ids=tuple(map(str, ids)),
                columns={name: tuple(values) for name, values in found.items()},
                labels=labels,
            )
        )
    header = {"version": 2, "status": "success", "eval": {"task": "t", "model": model, "config": {}}}
    kind = draw(st.sampled_from(["json", "summaries", "samples"]))
    if kind == "json":
        lines = lines_of(header | {"samples": samples}, draw)
        return File(name=draw(st.sampled_from(["log.json", "log"])), lines=lines, runs=tuple(runs))
    if kind == "summaries":
        entries: dict[str, Any] = {"_journal/start.json": header, "summaries.json": samples, "header.json": header}
    else:
        entries = {"header.json": header} | {
            f"samples/{number % len(ids)}_epoch_{sample['epoch']}.json": sample for number, sample in enumerate(samples)
        }
    return File(name="log.eval", data=zipped(entries, draw), runs=tuple(runs))


@st.composite
def helm(draw: st.DrawFn) -> File:
    ids = [f"id{name}" for name in draw(names(1, 4))]
    n = len(ids)
    entries, runs = [], []
    for trial in range(draw(st.integers(1, 2))):
        em, f1 = draw(columns(n)), draw(columns(n))
        for i, instance in enumerate(ids):
            stats = [{"name": {"name": "em", "split": "test"}, "count": 1, "sum": em[i] or 0.0, "mean": em[i]}]
            stats[0] |= {"count": 0} if em[i] is None else {}
            stats += [{"name": {"name": "f1 日", "split": "test"}, "count": 4, "sum": (f1[i] or 0) / 2}]
            stats += [{"name": {"name": "em", "split": "valid"}, "count": 1, "sum": 9, "mean": 9}] * (i % 2)
            entry: dict[str, Any] = {
                "instance_id": instance,
                "perturbation": None,
                "train_trial_index": trial,
                "stats": stats,
            }
            entries.append(entry)
            if draw(st.booleans()):
                entries.append(entry | {"perturbation": {"name": "typos"}})
        runs.append(
            Held(
                system="sums:model=日本_a",
                run=str(trial),
                ids=tuple(ids),
                columns={"em": em, "f1 日": tuple((value or 0) / 2 / 4 for value in f1)},
            )
        )
    name = "sums:model=日本_a/per_instance_stats.json"
    return File(name=name, lines=lines_of(entries, draw), runs=tuple(runs))


REPOSITORIES = st.lists(st.sampled_from(["django__django", "a__b-c", "日__本"]), min_size=1, unique=True)


@st.composite
def swe_bench(draw: st.DrawFn) -> File:
    repositories = draw(REPOSITORIES)
    ids = [f"{name}-{number}" for name in repositories for number in range(draw(st.integers(1, 3)))]
    kinds = ["resolved", "unresolved", "empty_patch", "error", "incomplete"]
    fate = {instance: draw(st.sampled_from(kinds)) for instance in draw(st.permutations(ids))}
    ids.sort()
    run = Held(
        system="org__model-1.5",
        run="1",
        ids=tuple(ids),
        columns={"resolved": tuple(float(fate[instance] == "resolved") for instance in ids)},
        labels={"cluster": tuple(instance[: instance.rindex("-")] for instance in ids)},
    )
    if draw(st.booleans()):
        one = {
            i: {"patch_exists": True, "resolved": f == "resolved", "tests_status": {}} for i, f in sorted(fate.items())
        }
        return File(name="org__model-1.5.json", lines=lines_of(one, draw), runs=(run,))
    report: dict[str, Any] = {"total_instances": len(ids)}
    report |= {f"{kind}_ids": [i for i, found in fate.items() if found == kind] for kind in kinds}
    report["completed_ids"] = report["resolved_ids"] + report["unresolved_ids"]
    report["submitted_ids"] = [i for i, found in fate.items() if found != "incomplete"]
    report["submitted_instances"], report["schema_version"] = len(report["submitted_ids"]), 2
    return File(name="org__model-1.5.json", lines=lines_of(report, draw), runs=(run,))


@st.composite
def mteb(draw: st.DrawFn) -> File:
    task = draw(st.sampled_from(["Banking77", "STS17.v2", "日本Retrieval"]))
    subsets = draw(st.lists(st.sampled_from(["default", "eng-deu", "日"]), min_size=1, max_size=3, unique=True))
    scores = [draw(st.integers(0, 64)) / 64 for _ in subsets]
    rows = [
        {"ndcg_at_10": 0.5, "main_score": score, "hf_subset": subset, "languages": ["eng-Latn"]}
        for subset, score in zip(subsets, scores, strict=True)
    ]
    value: dict[str, Any] = {"dataset_revision": draw(anything()), "task_name": task, "mteb_version": "2.26.24"}
    value |= {"scores": {draw(st.sampled_from(["test", "validation"])): rows}, "evaluation_time": 1.5}
    several = len(subsets) > 1
    run = Held(
        system="org__model-1.5",
        run="1",
        ids=tuple(f"{task}/{subset}" for subset in subsets) if several else (task,),
        columns={"main_score": tuple(scores)},
        labels={"cluster": (task,) * len(subsets)} if several else {},
    )
    return File(name="org__model-1.5/Task.json", lines=lines_of(value, draw), runs=(run,))


@st.composite
def alpaca_eval(draw: st.DrawFn) -> File:
    instructions = [draw(anything()) for _ in range(draw(st.integers(1, 4)))]
    instructions += instructions[:1] * draw(st.integers(0, 1))
    n = len(instructions)
    preferences = [draw(st.sampled_from([1, 2, 1.5, 1.25, 0, None] if i else [1, 2.0])) for i in range(n)]
    ids = []
    for i, text in enumerate(instructions):
        digest = hashlib.sha256(text.encode()).hexdigest()[:8]
        before = instructions[:i].count(text)
        ids.append(f"{' '.join(text.split())[:40]} #{digest}" + (f" ({before + 1})" if before else ""))
    ours, theirs = ([draw(anything()) for _ in range(n)] for _ in range(2))
    with_data_set = draw(st.booleans())
    rows: list[dict[str, Any]] = [
        {"instruction": instructions[i], "output_1": theirs[i], "generator_1": "gpt 4", "output_2": ours[i]}
        | ({"dataset": f"d{i}"} if with_data_set else {})
        | {"generator_2": "m日", "annotator": "judge", "preference": preferences[i], "raw_completion": {"a": [1]}}
        for i in range(n)
    ]
    run = Held(
        system="m日",
        run="1",
        ids=tuple(ids),
        columns={
            "preference": tuple(None if p is None else p - 1 if p else 0.5 for p in preferences),
            "model_chars": tuple(float(len(text)) for text in ours),
            "baseline_chars": tuple(float(len(text)) for text in theirs),
        },
        labels={"baseline": ("gpt 4",) * n} | ({"domain": tuple(f"d{i}" for i in range(n))} if with_data_set else {}),
    )
    return File(name="annotations.json", lines=lines_of(rows, draw), runs=(run,))


@st.composite
def squad(draw: st.DrawFn) -> File:
    if draw(st.booleans()):
        # no name that begins so is the name of a column, as "qid" is
        answers = {f"q.{name}": draw(anything()) for name in draw(names(1, 6))}
        run = Held(system="sys", run="1", ids=tuple(answers), outputs=tuple(answers.values()))
        name = draw(st.sampled_from(["sys.json", "sys"]))
        return File(name=name, lines=lines_of(answers, draw), runs=(run,))
    ids, right, clusters, articles, data = [], [], [], [], []
    for a, title in enumerate(draw(st.lists(texts(), min_size=1, max_size=3))):
        paragraphs = []
        for p in range(1, draw(st.integers(1, 2)) + 1):
            questions = []
            for q in range(draw(st.integers(1, 2))):
                several = draw(st.lists(anything(), max_size=3, unique=True))
                ids.append(f"{a}.{p}.{q}")
                right.append(several)
                clusters.append(f"{title}/{p}")
                articles.append(title)
                answers_of = [{"text": text, "answer_start": 0} for text in several]
                question = {"id": ids[-1], "question": "?", "answers": answers_of * draw(st.integers(1, 2))}
                questions.append(question | {"is_impossible": not several})
            paragraphs.append({"context": draw(anything()), "qas": questions})
        data.append({"title": title, "paragraphs": paragraphs})
    count = max(1, *map(len, right))
    role: Role = draw(st.sampled_from(["system", "reference", "items"]))
    gold = Held(
        ids=tuple(ids),
        references=tuple(tuple([*texts_, *[""] * count][k] for texts_ in right) for k in range(count))
        if role != "items"
        else (),
        labels={"cluster": tuple(clusters), "article": tuple(articles)},
    )
    lines = lines_of({"version": "v2.0", "data": data}, draw)
    return File(name="dev.json", lines=lines, role=role, golds=(gold,))


FILES["lm-eval"] = lm_eval()
FILES["inspect"] = inspect()
FILES["helm"] = helm()
FILES["swe-bench"] = swe_bench()
FILES["mteb"] = mteb()
FILES["alpaca-eval"] = alpaca_eval()
FILES["squad"] = squad()
