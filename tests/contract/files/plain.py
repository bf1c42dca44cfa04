"""A line for each item: texts, scores, and what programs print."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import strategies as st

from outscore.data.readers import Role
from tests.contract.files import FILES, File, Held, anything, columns, names, numbers, texts

ROLES: st.SearchStrategy[Role] = st.sampled_from(["system", "reference"])


def of_role(role: Role, name: str, lines: list[str], **held: object) -> File:
    """A file of one stream, which is outputs of a system or references."""
    stream = held.pop("stream")
    if role == "reference":
        return File(name=name, lines=tuple(lines), role=role, golds=(Held(references=(stream,), **held),))  # type: ignore[arg-type]
    return File(name=name, lines=tuple(lines), runs=(Held(system="sys", run="1", outputs=stream, **held),))  # type: ignore[arg-type]


@st.composite
def lines(draw: st.DrawFn) -> File:
    prose = texts().map(lambda text: f"it is said that {text}")
    # an empty output is an empty line, a number may be one, but most of them are prose
    found = draw(st.lists(st.one_of(prose, prose, prose, st.just("")), min_size=1, max_size=6))
    found += draw(st.lists(texts(), max_size=max(0, sum(map(bool, found)) - 1)))
    return of_role(draw(ROLES), draw(st.sampled_from(["sys", "sys.txt", "sys.de"])), found, stream=tuple(found))


@st.composite
def scores(draw: st.DrawFn) -> File:
    values = draw(st.integers(1, 7).flatmap(columns))
    missing = st.sampled_from(["nan", "NaN", "NA", "None"])
    written = [draw(missing) if v is None else draw(st.sampled_from([repr(v), f" {v!r}", f"{v:.17g}"])) for v in values]
    name = draw(st.sampled_from(["sys", "sys.txt", "sys.scores"]))
    return File(name=name, lines=tuple(written), runs=(Held(system="sys", run="1", columns={"score": values}),))


@st.composite
def sacrebleu(draw: st.DrawFn) -> File:
    metric, signature = draw(
        st.sampled_from(
            [
                ("BLEU", "nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:2.6.0"),
                ("chrF2++", "nrefs:var|case:lc|eff:yes|nc:6|nw:2|space:no|version:2.6.0"),
                ("TER", "nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.6.0"),
            ]
        )
    )
    values = draw(st.lists(st.integers(0, 1000).map(lambda tenths: tenths / 10), min_size=2, max_size=6))
    more = " 100.0/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 4 ref_len = 4)" if metric == "BLEU" else ""
    run = Held(
        system="sys",
        run="1",
        columns={metric[:4].lower().strip("+"): tuple(values)},
        labels={"signature": (signature,) * len(values)},
    )
    return File(
        name="sys.txt", lines=tuple(f"{metric}|{signature} = {value:.1f}{more}" for value in values), runs=(run,)
    )


NAMES = st.lists(st.sampled_from(["a", "Ünï", "日 本", "x.y"]), min_size=1, max_size=3)


@st.composite
def comet(draw: st.DrawFn) -> File:
    files = [f"{name}{i}.txt" for i, name in enumerate(draw(NAMES))]
    systems = [file.removesuffix(".txt") for file in files]
    n = draw(st.integers(1, 5))
    values = {file: tuple(draw(numbers()) for _ in range(n)) for file in files}
    runs = [Held(system=s, run="1", columns={"comet": values[f]}) for s, f in zip(systems, files, strict=True)]
    if not draw(st.booleans()):
        printed = ["INFO: predicting"]
        for i in range(n):
            printed += [f"{file}\tSegment {i}\tscore: {values[file][i]!r}" for file in files]
        printed += [f"{file}\tscore: 0.5" for file in files]
        return File(name="out.txt", lines=tuple(printed), runs=tuple(runs))
    references = tuple(draw(anything()) for _ in range(n))
    objects, found = {}, []
    for file, run in zip(files, runs, strict=True):
        outputs = tuple(draw(anything()) for _ in range(n))
        rows = zip(outputs, references, values[file], strict=True)
        objects[file] = [{"src": "?", "mt": mt, "ref": ref, "COMET": value} for mt, ref, value in rows]
        labels = {"source": ("?",) * n}
        found.append(replace(run, outputs=outputs, references=(references,), labels=labels))
    written = json.dumps(objects, ensure_ascii=draw(st.booleans()), indent=draw(st.sampled_from([None, 4])))
    return File(name="out.json", lines=tuple(written.split("\n")), runs=tuple(found))


@st.composite
def mt_metrics_eval(draw: st.DrawFn) -> File:
    level = draw(st.sampled_from(["seg", "doc", "domain"]))
    name, metric = draw(st.sampled_from([(f"COMET-22-refA.{level}", "COMET-22"), (f"en-de.mqm.{level}", "mqm")]))
    systems = [f"sys-{name}" for name in draw(names(1, 3))]
    n = draw(st.integers(2, 5))
    domains = draw(names(n, n)) if level == "domain" else None
    written, runs = [], []
    for system in systems:
        values = draw(columns(n))
        cells = ["None" if value is None else repr(value) for value in values]
        before = [f"d{domain} " for domain in domains] if domains else [""] * n
        written += [f"{domain}{system}\t{cell}" for domain, cell in zip(before, cells, strict=True)]
        ids = tuple(f"d{domain}" for domain in domains) if domains else None
        runs.append(Held(system=system, run="1", ids=ids, columns={metric: values}))
    return File(name=f"en-de/{name}.score", lines=tuple(written), runs=tuple(runs))


@st.composite
def utterances(draw: st.DrawFn, reader: str) -> File:
    """Lines with an id, before the words or behind them."""
    n = draw(st.integers(3, 6))
    ids = tuple(f"{draw(st.sampled_from(['spk', 'FA_', '84-']))}{draw(st.integers(0, 99))}-{i:04d}" for i in range(n))
    blank = draw(st.sampled_from([" ", "  ", "\t"]))
    # words stand in half of the lines at least: an answer of one word a line is no id
    said = tuple(f"{'it is ' if 2 * i < n else ''}{draw(texts())}".strip(" \t") for i in range(n))
    written = [
        f"{one}{blank}{words}" if reader == "kaldi" else f"{words}{blank}({one})"
        for one, words in zip(ids, said, strict=True)
    ]
    return of_role(draw(ROLES), "sys.trn" if reader == "trn" else "sys", written, stream=said, ids=ids)


@st.composite
def timed(draw: st.DrawFn) -> File:
    """Words of some channels, or segments of them, all with their times."""
    blank, channels = (
        draw(st.sampled_from([" ", "  ", "\t"])),
        [f"r{i} {'AB'[i % 2]}" for i in range(draw(st.integers(1, 3)))],
    )
    said = [[f"w{draw(st.integers(0, 9))}" for _ in range(draw(st.integers(3, 5)))] for _ in channels]
    ids = tuple(channel.replace(" ", "-") for channel in channels)
    texts = tuple(map(" ".join, said))
    if draw(st.booleans()):
        label = draw(st.sampled_from(["", "<o,f> "]))
        lines = [f"{channel} spk 0.50 9.25 {label}{text}" for channel, text in zip(channels, texts, strict=True)]
        labels = {"channel": ids, "speaker": ("spk",) * len(ids), "times": ("0.50 9.25",) * len(ids)}
        gold = Held(ids=tuple(f"{one}-0.50-9.25" for one in ids), references=(texts,), labels=labels, notation="ctm")
        lines = [";; segments", *(line.replace(" ", blank) for line in lines)]
        return File(name="sys.stm", lines=tuple(lines), role="reference", golds=(gold,))
    rows = [f"{one} {at}.25 0.50 {word}" for one, of in zip(channels, said, strict=True) for at, word in enumerate(of)]
    labels = {"times": tuple(" ".join(f"{at}.5" for at in range(len(of))) for of in said)}
    run = Held(system="sys", run="1", ids=tuple(map(str.lower, ids)), outputs=texts, labels=labels, notation="ctm")
    return File(name="sys.ctm", lines=tuple(row.replace(" ", blank) for row in rows), runs=(run,))


@st.composite
def nemo(draw: st.DrawFn) -> File:
    n = draw(st.integers(1, 6))
    ids = tuple(f"{i}-{draw(names())}.wav" for i in range(n))
    said, heard = (tuple(draw(anything()) for _ in ids) for _ in range(2))
    durations = [draw(st.integers(1, 99)) / 4 for _ in ids]
    of_system = draw(st.booleans())
    rows = [{"audio_filepath": a, "duration": d, "text": t} for a, d, t in zip(ids, durations, said, strict=True)]
    if of_system:
        rows = [{**row, "pred_text": text} for row, text in zip(rows, heard, strict=True)]
    lines = tuple(json.dumps(row, ensure_ascii=draw(st.booleans())) for row in rows)
    labels = {"duration": tuple(f"{d:g}" for d in durations)}
    if not of_system:
        return File(
            name="sys.json", lines=lines, role="reference", golds=(Held(ids=ids, references=(said,), labels=labels),)
        )
    run = Held(system="sys", run="1", ids=ids, outputs=heard, references=(said,), labels=labels)
    return File(name="sys.json", lines=lines, runs=(run,))


@st.composite
def metricx(draw: st.DrawFn) -> File:
    n = draw(st.integers(1, 6))
    outputs, references = (tuple(f"a {draw(texts())}" for _ in range(n)) for _ in range(2))
    scores = tuple(draw(st.integers(0, 250)) / 10 for _ in range(n))
    without = draw(st.booleans())
    rows = [
        {"source": "Quelle", "reference": "" if without else r, "hypothesis": o, "prediction": s}
        for r, o, s in zip(references, outputs, scores, strict=True)
    ]
    run = Held(
        system="sys",
        run="1",
        outputs=outputs,
        references=() if without else (references,),
        columns={"metricx": scores},
        labels={"source": ("Quelle",) * n},
    )
    return File(name="sys.jsonl", lines=tuple(json.dumps(row) for row in rows), runs=(run,))


FILES["nemo"] = nemo()
FILES["metricx"] = metricx()
FILES["kaldi"] = utterances("kaldi")
FILES["trn"] = utterances("trn")
FILES["ctm"] = timed()
FILES["lines"] = lines()
FILES["scores"] = scores()
FILES["sacrebleu"] = sacrebleu()
FILES["comet"] = comet()
FILES["mt-metrics-eval"] = mt_metrics_eval()
