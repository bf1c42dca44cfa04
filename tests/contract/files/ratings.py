"""Files that say how good each item is: ratings of errors, scores by query, and alignments that were scored."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from tests.contract.files import FILES, File, Held, names

_POINTS = {
    ("no-error", "no-error"): 0.0,
    ("Accuracy/Mistranslation", "Major"): 5.0,
    ("Fluency/Grammar", "minor"): 1.0,
    ("Fluency/Punctuation", "Minor"): 0.1,
    ("Non-translation!", "Major"): 25.0,
    ("Source error", "Neutral"): 0.0,
}
"""The scheme of Freitag et al. (2021)."""


@st.composite
def mqm(draw: st.DrawFn) -> File:
    n, raters = draw(st.integers(1, 4)), draw(st.integers(1, 2))
    lines = ["\t".join(("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity"))]
    runs = []
    for system in ("A", "B"):
        means = []
        for k in range(n):
            totals = []
            for rater in range(raters):
                errors = draw(st.lists(st.sampled_from(sorted(_POINTS)), min_size=1, max_size=3))
                lines += ["\t".join((system, f"d{k // 2}", "1", str(k), f"r{rater}", "s", "t", *one)) for one in errors]
                totals.append(sum(_POINTS[one] for one in errors))
            means.append(float(np.mean(totals)))
        ids, of = tuple(f"d{k // 2}/{k}" for k in range(n)), tuple(f"d{k // 2}" for k in range(n))
        runs.append(Held(system=system, run="1", ids=ids, columns={"mqm": tuple(means)}, labels={"cluster": of}))
    return File(name="sys.tsv", lines=tuple(lines), runs=tuple(runs))


@st.composite
def trec_eval(draw: st.DrawFn) -> File:
    first = draw(st.booleans())
    measures = ("map", "P_10", "ndcg_cut_10", "num_rel") if first else ("AP", "nDCG@10", "P(rel=2)@5")
    queries = [q for q in draw(names(1, 4)) if q != "all" and not q[:1].isspace()] or ["q1"]
    values = {m: tuple(draw(st.integers(0, 10_000)) / 10_000 for _ in queries) for m in measures}
    triples = [(m, q, values[m][k]) for k, q in enumerate(queries) for m in measures]
    triples += [(m, "all", round(sum(values[m]) / len(queries), 4)) for m in measures if draw(st.booleans())]
    tag = [f"{'runid':<22}\tall\tsys"] if first and draw(st.booleans()) else []
    lines = [f"{m:<22}\t{q}\t{v:.4f}" if first else f"{q}\t{m}\t{v:.4f}" for m, q, v in triples]
    run = Held(system="sys", run="1", ids=tuple(queries), columns=values)
    return File(name=draw(st.sampled_from(["sys", "sys.txt", "sys.eval"])), lines=(*tag, *lines), runs=(run,))


_WORDS = st.sampled_from(["he", "hoped", "there's", "stew", 'a\\"b', "x:y", "1,5"])


@st.composite
def sclite(draw: st.DrawFn) -> File:
    lines = ['<SYSTEM title="sys" ref_fname="r" hyp_fname="h" creation_date="x" format="2.4">', '<SPEAKER id="s">']
    references, outputs = [], []
    n = draw(st.integers(1, 4))
    for k in range(n):
        edits, reference, output = [], [], []
        for kind in draw(st.lists(st.sampled_from("CCSDI"), max_size=5)):
            ref, out = draw(_WORDS), draw(_WORDS)
            out = ref if kind == "C" else out
            left = f'"{ref}"' if kind != "I" else ""
            right = f'"{out.upper() if kind == "C" else out}"' if kind != "D" else ""
            edits.append(f"{kind},{left},{right}")
            reference += [ref] if kind != "I" else []
            output += [out] if kind != "D" else []
        lines += [f'<PATH id="(s-{k})" word_cnt="{len(edits)}">', ":".join(edits), "</PATH>"]
        references.append(" ".join(reference))
        outputs.append(" ".join(output))
    ids = tuple(f"s-{k}" for k in range(n))
    run = Held(system="sys", run="1", ids=ids, outputs=tuple(outputs), references=(tuple(references),))
    return File(name="sys.sgml", lines=(*lines, "</SPEAKER>", "</SYSTEM>"), runs=(run,))


@st.composite
def giza(draw: st.DrawFn) -> File:
    n = draw(st.integers(1, 4))
    written = {}
    texts = []
    for number in range(1, n + 1):
        size, length = draw(st.integers(1, 3)), draw(st.integers(1, 3))
        of = [draw(st.lists(st.integers(1, length), max_size=2, unique=True)) for _ in range(size + 1)]
        words = " ".join(f"w{i} ({{ {''.join(f'{j} ' for j in of[i])}}})" for i in range(1, size + 1))
        head = f"# Sentence pair ({number}) source length {size} target length {length} alignment score : 0.01"
        empty = "".join(f"{j} " for j in of[0])
        written[number] = (head, " ".join("t" * length), f"NULL ({{ {empty}}}) {words}")
        texts.append(" ".join(f"{i}-{j}" for i, j in sorted((i, j - 1) for i, js in enumerate(of[1:]) for j in js)))
    lines = [line for number in draw(st.permutations(sorted(written))) for line in written[number]]
    run = Held(system="sys", run="1", outputs=tuple(texts), notation="links")
    return File(name="sys.txt", lines=tuple(lines), runs=(run,))


FILES["mqm"] = mqm()
FILES["trec-eval"] = trec_eval()
FILES["sclite"] = sclite()
FILES["giza"] = giza()
