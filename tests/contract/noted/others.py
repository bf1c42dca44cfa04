"""The other verbs, studies, histories, and reading."""

from __future__ import annotations

import shlex
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pandas as pd

import outscore
from outscore import History
from outscore.base.notes import Note
from outscore.verbs.rank import contests
from tests.contract.noted import CLUSTERED, FEW, IID, call, file, many, normal, parted, right, table, two

PYTHON = shlex.quote(sys.executable)
COPY = f"{PYTHON} -c {shlex.quote('import shutil, sys; shutil.copy(sys.argv[1], sys.argv[2])')} {{train}} {{output}}"
FAIL = f"{PYTHON} -c {shlex.quote('raise SystemExit(1)')} {{train}} {{output}}"


how: dict[str, Any]


# labels
CLASSES = {"a": ["yes", "no"] * 20, "b": ["yes"] * 40}
call("yes and no", outscore.score, CLASSES, references=["no", "yes"] * 20, metrics="accuracy")
call("yes and no for Yes and No", outscore.score, CLASSES, references=["Yes", "No"] * 20, metrics="accuracy")
call("yes and no for 1 and 0", outscore.score, CLASSES, references=["1", "0"] * 20, metrics="accuracy")
WHOLE = {"a": ["1", "0"] * 20, "b": ["1"] * 40}
call("1 and 0", outscore.score, WHOLE, references=["0", "1"] * 20, metrics="accuracy")
call("1.0 and 0", outscore.score, WHOLE, references=["0", "1.0"] * 20, metrics="accuracy")


# judges and people
def judged(labelled: int, *, best: bool = False, errs: float = 0.1) -> Any:
    """Two systems of 200 items, all with the verdict of a judge and some, the best or the first, with a label."""
    rows = []
    for seed, system in enumerate("ab", 1):
        truth, err = right(200, seed, 0.6), right(200, seed + 5, errs)
        verdict = np.where(err > 0, 1 - truth, truth)
        chosen = set((np.argsort(-verdict, kind="stable") if best else np.arange(200))[:labelled].tolist())
        rows += [f"{system},{i},{truth[i] if i in chosen else ''},{verdict[i]}" for i in range(200)]
    return outscore.read(table("judged.csv", "system,item,correct,judge", *rows))


def judged_apart() -> Any:
    """Of either system 60 of 160 items with labels, 20 of them the same."""
    rows = [
        f"{s},{i},{(i * 7 + k) % 2 if 40 * k <= i < 40 * k + 60 else ''},{(i * 5 + k) % 2}"
        for k, s in enumerate("ab")
        for i in range(160)
    ]
    return outscore.read(table("judged_apart.csv", "system,item,correct,judge", *rows))


def judged_runs(gap: bool) -> Any:
    """Two runs of each system, the first half of the items with labels of both runs, or one of them of one only."""
    every = [(system, i, run) for system in "ab" for i in range(80) for run in (1, 2)]
    rows = [
        f"{s},{i},{r},{'' if i > 39 or (gap and (i, r) == (3, 2)) else (i * 7 + r) % 2},{(i * 5 + r) % 2}"
        for s, i, r in every
    ]
    return outscore.read(table("judged_runs.csv", "system,item,run,correct,judge", *rows))


call("a judge, 100 labels", lambda: outscore.judge(judged(100), human="correct"))
call("a judge, 20 labels", lambda: outscore.judge(judged(20), human="correct"))
call("a judge, the best labelled", lambda: outscore.judge(judged(60, best=True), human="correct"))
call("a judge, other items labelled", lambda: outscore.judge(judged_apart(), human="correct"))
call("a judge of runs", lambda: outscore.judge(judged_runs(False), human="correct"))
call("a judge of runs, one label missing", lambda: outscore.judge(judged_runs(True), human="correct"))


def ratings(*, constant: bool = False, missing: bool = False, fewer: bool = False) -> pd.DataFrame:
    """Two raters of two systems; the second always says 3, the first leaves one out, or ``b`` lacks items."""
    rows = []
    for k, i, rater in [(k, i, rater) for k in (0, 1) for i in range(20) for rater in "uv"]:
        if not (fewer and k and i < 2):
            rating = 3 if constant and rater == "v" else (k * 5 + i * 7 + 3 * (rater == "v")) % 5 + 1
            rows.append(("ab"[k], i, rater, None if missing and (i, rater) == (0, "u") else rating))
    return pd.DataFrame(rows, columns=["system", "item", "rater", "score"])


call("ratings", outscore.humans, ratings())
call("ratings, standardized", outscore.humans, ratings(), standardize=True)
VOTES = pd.DataFrame({"item": range(6), "system1": "x", "system2": "y", "winner": ["x", "y", "tie"] * 2})
call("votes", outscore.humans, VOTES)
call("votes, mostly ties", outscore.humans, VOTES.assign(winner=["x", "y", *["tie"] * 4]))
call("votes, a winner missing", outscore.humans, VOTES.assign(winner=["x", "y", None] * 2))


def rated(groups: int) -> Any:
    """Ratings of which more than so many units stand in groups."""
    votes = VOTES.loc[VOTES.index.repeat(20)].assign(item=range(120))
    votes = votes.assign(system2=["y", "z"] * 60, winner=["x", "tie", "y", "z", "x", "tie"] * 20)
    with mock.patch.multiple(contests, _GROUPS=groups, _MOST_CELLS=10):
        return outscore.rank(votes, n_resamples=99, jobs=1)


call("ratings in groups", rated, 30)
call("ratings by items", rated, 300)
TURNED = VOTES.rename(columns={"system1": "system2", "system2": "system1"})
call("votes, one rater, both orders", outscore.humans, pd.concat([VOTES, TURNED]).assign(rater="r"))
call("ratings, a rater says one thing", outscore.humans, ratings(constant=True), standardize=True)
call("ratings, one missing", outscore.humans, ratings(missing=True))
call("ratings of other items", outscore.humans, ratings(fewer=True))


def scored(systems: int, *, ties: bool = False, alike: bool = False, noise: bool = False) -> pd.DataFrame:
    """Scores of humans and of two metrics."""
    draw = np.random.default_rng(1)
    rows = []
    for k, i in [(k, i) for k in range(systems) for i in range(12)]:
        human = 1.0 if ties and i < 2 else float(draw.normal(k / 5))
        first, second = human * (not noise) + draw.normal(size=2) * (1, 2)
        rows.append((f"s{k}", i, human, first, first if alike else second))
    return pd.DataFrame(rows, columns=["system", "item", "human", "m1", "m2"])


for name, data, how in (
    ("5 systems and humans", scored(5), {}),
    ("12 systems and humans", scored(12), {}),
    ("humans tie items", scored(5, ties=True), {}),
    ("metrics that are one", scored(5, alike=True), {}),
    (
        "accuracy of judgments of noise",
        scored(5, noise=True),
        {"coefficients": "accuracy", "levels": "segment-by-item"},
    ),
    ("accuracy of 5", scored(5), {"coefficients": "accuracy", "levels": "segment-by-item"}),
):
    call(name, outscore.correlate, data, human="human", **FEW, **how)


def texts_scored() -> Any:
    """Outputs with a human score, for a metric that counts a corpus."""
    rows = [
        f"s{k},{i},{' '.join('abcdef'[(i * j + k) % 6] for j in range(6))},{(i + k) % 5}"
        for k in range(5)
        for i in range(8)
    ]
    references = table(
        "cr.csv", "item,reference", *(f"{i},{' '.join('abcdef'[i * j % 6] for j in range(6))}" for i in range(8))
    )
    return outscore.read(table("cs.csv", "system,item,output,human", *rows), references=references)


call(
    "a corpus metric and humans",
    lambda: outscore.correlate(texts_scored(), human="human", metrics="bleu,chrf", test="perm-items", **FEW),
)

# data sets, leaderboards
for name, data in (
    ("3 data sets", {f"d{i}": two(40, 0.4) for i in range(3)}),
    ("6 data sets", {f"d{i}": two(40, 0.4) for i in range(6)}),
    ("6 data sets of 3 systems", {f"d{i}": many(3, 20) for i in range(6)}),
    ("6 data sets of one number", {f"d{i}": {"a": [1.0 * i], "b": [1.1 * i + 0.5]} for i in range(6)}),
):
    call(name, outscore.replicate, data, **FEW)
for name, data, how in (
    ("a board of 60 items", many(3, 60, 0.0), {}),
    ("a board of systems apart", many(3, 60, 3.0), {}),
    ("a board of near systems", many(3, 40, 0.25), {}),
    ("a board of 6 near systems", many(6, 60, 0.3), {}),
    ("a board of 3 runs", many(3, 60, 0.0, runs=3), {}),
    ("a board by bh", many(3, 60, 0.0), {"correction": "bh"}),
):
    call(name, outscore.rank, data, **FEW, **how)

# plans, audits, advice, sequences
FAR = {"a": right(120, 1), "b": right(120, 2, 0.97)}
EQUAL_SIZES = {"a": np.zeros(120), "b": np.r_[np.ones(70), -np.ones(50)]}
BLIND: dict[str, Any] = {"test": "t", "cluster": "c", "items": {"c": parted(60, 5)}, "ignore_clusters": True}
SHORT: dict[str, Any] = {"simulations": 20, "n_resamples": 99, "jobs": 1}
for name, data, how in (
    ("a plan by a pilot of 60", two(60), {"effect": "pilot", "sizes": [50], **SHORT}),
    ("a plan by a pilot of 120", two(120, 0.3), {"effect": 0.3, "sizes": [20, 400], "test": "t", **SHORT}),
    ("a plan of 3 runs", two(120, runs=3), {"effect": 0.5}),
    ("a plan of 5 runs", two(120, runs=5), {"effect": 0.5}),
    ("a plan by a pilot far off", FAR, {"effect": 0.02, "sizes": [100], **SHORT}),
    ("a plan by accuracies", "mcnemar:baseline=0.7", {"effect": 0.1, "sizes": [100]}),
    ("a plan by accuracies and agreement", "mcnemar:baseline=0.7,agreement=0.8", {"effect": 0.1, "sizes": [100]}),
    ("a plan of two items", EQUAL_SIZES, {"effect": 0.1, "sizes": [2], "test": "t", **SHORT}),
):  # fmt: skip
    call(name, outscore.plan, data, **how)
for name, data, how in (
    ("an audit of 20 rounds", two(30), {"rounds": 20, "test": "t"}),
    ("an audit of 400 rounds", two(30), {"rounds": 400, "test": "t"}),
    ("an audit of sign tests", two(8), {"rounds": 400, "test": "sign"}),
    ("an audit of ignored clusters", CLUSTERED, {"rounds": 100, **BLIND}),
    ("an audit of 3 and 2 runs", {"a": normal(30, 1, runs=3), "b": normal(30, 2, runs=2)}, {"rounds": 5}),
    ("an audit of a gain everywhere", {"a": np.zeros(30), "b": 1 + right(30, 1)}, {"rounds": 5, "test": "t"}),
    ("an audit of three items", {"a": [0.0, 0, 0], "b": [1.0, 1, -1]}, {"rounds": 30, "test": "t"}),
):  # fmt: skip
    call(name, outscore.audit, data, n_resamples=99, jobs=1, **how)


def resumed(spoil: bool) -> Any:
    """An audit that goes on from its own cells, of which one was changed."""
    with tempfile.TemporaryDirectory() as folder:
        how: dict[str, Any] = {"rounds": 20, "test": "t", "n_resamples": 99, "jobs": 1, "resume": folder}
        outscore.audit(two(30), **how)
        for path in list(Path(folder).iterdir())[:spoil]:
            path.write_text("{}", encoding="utf-8")
        return outscore.audit(two(30), **how)


call("an audit of changed cells", resumed, True)
call("an audit of kept cells", resumed, False)
DETECTED = {"references": ["0", "1"] * 20, "metrics": "auc", "rounds": 5, "n_resamples": 99, "jobs": 1}
call("an audit of rankings", outscore.audit, two(40), **DETECTED)
SEEN = {name: np.asarray(normal(60)) + k for k, name in enumerate("abcd")}
for sign, said in ((1.0, "human scores as metrics say"), (-1.0, "human scores the other way")):
    humans = {s: sign * x + normal(60, k) for k, (s, x) in enumerate(SEEN.items(), 9)}
    seen = pd.concat(
        [pd.DataFrame({"system": s, "item": range(60), "bleu": SEEN[s], "human": humans[s]}) for s in SEEN]
    )
    call(said, outscore.correlate, seen, human="human", metrics="bleu", n_resamples=99)
call("advice on rows that agree", outscore.advise, {"a": normal(60), "b": normal(60) + normal(60, 2)})
call("advice on rows that do not", outscore.advise, {"a": normal(60), "b": normal(60)[::-1].copy()})
SHARES = {"a": np.clip(normal(300, 1, 0.5, 0.2), 0, 1), "b": np.clip(normal(300, 2, 0.5, 0.2), 0, 1)}
for name, data, how in (
    ("a sequence", SHARES, {}),
    ("a sequence in random order", SHARES, {"order": "random"}),
    ("a sequence of 600", SHARES, {"population": 600}),
    ("a sequence without bounds", SHARES, {"method": "mixture"}),
    (
        "a sequence of steady gains",
        {"a": np.full(300, 0.5), "b": 0.5005 + normal(300, sd=0.0001)},
        {"method": "betting"},
    ),
    ("a sequence of sorted gains", {"a": np.full(400, 0.5), "b": np.repeat([0.9, 0.1], 200)}, {}),
):
    call(name, outscore.sequential, data, **how)


# histories
def named(*systems: str) -> dict[str, dict[str, float]]:
    """Scores by the names of items."""
    return {s: {f"q{i}": float(v) for i, v in enumerate(normal(40, ord(s)))} for s in systems}


def after(*looks: tuple[Any, dict[str, Any]], **how: Any) -> Any:
    """The last of some looks at one test set."""
    place = Path(f"{len(list(Path().glob('*.db')))}.db")
    for data, asked in looks:
        found = outscore.compare(data, history=History(file=place, **asked), **{**FEW, **how})
    return found


CUT = named("a", "b")
del CUT["b"]["q3"]
SPENDING, SAFFRON = {"correction": "alpha-spending"}, {"correction": "saffron"}
call("a first look", after, (named("a", "b"), {}))
call("a look at unnamed items", after, (two(40), {}))
call("a look at fewer items", after, (CUT, {}), missing="drop")
call("a look by saffron", after, (named("a", "b"), SAFFRON))
call("a look by alpha-spending", after, (named("a", "b"), SPENDING))
call("a look by another correction", after, (named("a", "b"), SAFFRON), (named("a", "c"), SPENDING))
call("a look that cannot show anything", after, (named(*"abcdefgh"), SPENDING), **IID, n_resamples=20)

# studies
ONE: dict[str, Any] = {"jobs": 1, "n_resamples": 20}
TWICE: dict[str, Any] = {"sizes": "10", "rounds": 2, "test": "t", "seed": 1}
for name, what, data, how in (
    ("calibration", "calibration", many(6), TWICE),
    ("calibration by many resamples", "calibration", many(6), {**TWICE, "n_resamples": 200_000}),
    ("calibration of copies", "calibration", {"a": np.ones(50), "b": np.zeros(50), "c": np.zeros(50)}, TWICE),
    ("gains of 6", "gain", many(6), {"test": "t"}),
    ("gains of 6 and a copy", "gain", {**many(6), "copy": normal(40, 0)}, {"test": "t"}),
    ("gains of 40", "gain", many(40, step=0.02), {"test": "t", "low": 0.001, "high": 0.5}),
    ("domains", "gain:by=domain", many(8, 60), {"test": "t", "sizes": "18", "items": {"domain": parted(60, 20)}}),
    (
        "domains, one small",
        "gain:by=domain",
        many(8, 46),
        {"test": "t", "sizes": "18", "items": {"domain": parted(46, 20)}},
    ),
    ("runs of one system", "runs", {"a": normal(40, runs=3)}, {"numbers": "2"}),
    ("runs of two", "runs", two(40, runs=3), {"numbers": "2"}),
    ("runs of two by mcnemar", "runs", two(40, runs=3), {"numbers": "2", "pooled": "mcnemar"}),
):
    call(name, outscore.study, what, data, **{**ONE, **how})


def trained(out: str, count: int = 2, **how: Any) -> Any:
    """Training sets of five sentences, and what a command makes of them."""
    source = file("train.txt", *(f"sentence {i}" for i in range(20)))
    return outscore.study("training-sets", jobs=1, train=source, sizes="5", count=count, out=out, **how)


call("trainings", trained, "t1", run=COPY)
call("trainings that fail", trained, "t2", run=FAIL)
call("five trainings that fail", trained, "t3", 5, run=FAIL)
call("training sets alone", trained, "t4")
call("trainings to be started elsewhere", trained, "t5", run=COPY, start=False)

# reading and writing
ROWS = ("a,1,x,x", "a,2,y,y", "b,1,x,x", "b,2,y,y")


def columns(second: str, *rows: str) -> Any:
    """A file with a score and another number, and one with these columns."""
    first = table("c1.csv", "item,score,extra", "1,2,3", "2,3,4")
    return outscore.read([first, table("c2.csv", second, *rows)])


def commented(last: str) -> Any:
    """Two systems with a comment on an item, of which the second is this."""
    return outscore.read(table("l.csv", "system,item,score,comment", "a,1,2,hm", f"b,1,2,{last}"))


def repeated(word: str) -> Any:
    """Scores of two runs, in a column of this name."""
    rows = [f"{s},{i},{r},{i + r}" for s in "ab" for i in range(3) for r in (1, 2)]
    return outscore.read(table(f"{word}.csv", f"system,item,{word},score", *rows))


def crossed(of: str, items: str) -> Any:
    """Scores of 60 questions of two models, of which one column names the systems."""
    made = table("crossed.csv", "id,model,score", *(f"q{k},{m},{k % 2}" for k in range(60) for m in "ab"))
    return outscore.read(made, columns=[f"system={of}", f"item={items}"])


def sampled(absent: int, items: str = "item") -> Any:
    """Scores of two samples, of which the last one or none is absent; these columns are the items."""
    rows = [f"{s},{i},{r},{i + r}" for s in "ab" for i in range(3) for r in (1, 2)]
    made = table("s.csv", "system,item,sample,score", *rows[: len(rows) - absent])
    return outscore.score(outscore.read(made, columns=[f"item={items}"]))


def without(*references: str) -> Any:
    """Outputs of two items with these references, what is missing scored 0."""
    outputs = file("w.csv", "system,item,output", *(row[:5] for row in ROWS))
    return outscore.read(outputs, references=table("g.csv", "item,reference", *references), missing="zero")


def parsed(first: str) -> Any:
    """Trees, of which the first is this."""
    return outscore.score({"a": [first, *GOLD[1:]]}, references=GOLD, metrics="evalb", **FEW)


def carried(*references: str) -> Any:
    """Outputs with references beside them, and references in a file."""
    given = [table("gold.csv", "item,reference", *references)] if references else []
    return outscore.read(table("carried.csv", "system,item,output,reference", *ROWS), references=given)


@dataclass(frozen=True)
class Written:
    """What is said when a table is written."""

    notes: Iterable[Note]


def written(data: Any, **how: Any) -> Written:
    """The notes on a table in CSV."""
    return Written(outscore.convert(data, **how).notes_in("csv"))


HOLE = {"a": {"x": 1.0, "y": 2.0, "z": 3.0}, "b": {"x": 1.0, "z": 3.0}}
for missing in ("drop", "zero"):
    call(f"an item missing, {missing}", outscore.compare, HOLE, missing=missing, **FEW)
GAPS = {name: {f"i{i}": float(i % 3 > 0) for i in range(n)} for name, n in (("a", 70), ("b", 60))}
call("items missing, additive", outscore.compare, GAPS, missing="additive", **FEW)
for wrong in (3, 30):
    call(
        f"{wrong} of 60 documents with an error",
        outscore.score,
        {"a": [float(k % 10 > 0 or k >= 10 * wrong) for k in range(600)]},
        items={"document": [f"d{k // 10}" for k in range(600)]},
        cluster="document",
        n_resamples=99,
    )
for n in (999, 1000):
    call(f"scores of {n:,} items", outscore.score, {"a": [k / n for k in range(n)]}, n_resamples=99)
call("columns alike", columns, "item,score,extra", "1,2,3", "2,3,4")
call("a column of one system", columns, "item,score", "1,2", "2,3")
call("items without references", without, "1,x")
call("items with references", without, "1,x", "2,y")
call("references carried", carried)
BELIEFS = {"a": [0.1, 0.9, 0.4], "b": [0.2, 0.7, 0.5]}
call("scores beside references", outscore.compare, BELIEFS, references=[0, 1, 0], **FEW)
EMPTY = ("system,item,output", *(row[:5] for row in ROWS[:3]), "b,2,")
call("an empty cell of outputs", lambda: outscore.read(table("e.csv", *EMPTY)))
call("references carried and given", carried, "1,x", "2,z")
ITEMS = ("item,domain", "q1,x", "q2,y")
call(
    "items by their rows",
    lambda: outscore.read([file("n1.txt", "0.5", "0.25"), file("n2.txt", "0.5", "0.75")], items=table("i.csv", *ITEMS)),
)
call(
    "items by name",
    lambda: outscore.read(
        [table("n1.csv", "item,score", "q1,1", "q2,2"), table("n2.csv", "item,score", "q1,3", "q2,2")],
        items=table("i.csv", *ITEMS),
    ),
)


def runs_in_files(second: str) -> Any:
    """A system with one run and one with two, each in a file of its own, the last of them this."""
    runs = file("x.1.txt", "0.5", "0.25"), file("x.2.txt", second, "0.25")
    return outscore.read([f"b={file('y.txt', '0.5', '0.75')}", f"x={Path(runs[0]).parent}/x.?.txt"])


call("two runs in files alike", runs_in_files, "0.5")
call("two runs in files", runs_in_files, "0.75")
NUMBERS = [1.0, 2.0, 3.0]
call("systems named like runs", outscore.score, {"a.run1": NUMBERS, "a.run2": NUMBERS[::-1], "b": NUMBERS})
call("runs alone, each a system", outscore.score, {"a.run1": NUMBERS, "a.run2": NUMBERS[::-1]})
LONG = pd.Series([1.0, 2.0, 3.0, 2.0])
call("slices of a series", outscore.compare, {"a": LONG[:2], "b": LONG[2:]}, **FEW)
call("series from 0", outscore.compare, {"a": LONG, "b": LONG + pd.Series([0, 1, 0, 1])}, **FEW)
call("questions as systems", crossed, "id", "model")
call("questions as items", crossed, "model", "id")
call("a column seed", repeated, "seed")
call("a column run", repeated, "run")
call("a column epoch", repeated, "epoch")
call("a column sample", repeated, "sample")
call("a sample is absent", sampled, 1)
call("no sample is absent", sampled, 0)
call("items and samples joined", sampled, 0, "item+sample")
call("comments alike", commented, "hm")
call("comments not alike", commented, "no")
call(
    "predictions",
    lambda: outscore.read(table("p.csv", "text,gold,model:a,model:b", "hi there,x,x,y", "ho,y,y,y")),
)
TREES = ("(S (NP a) (VP b))", "(S (NP a) (VP c))")
call("a table of trees", lambda: written(outscore.read([file("t1.mrg", *TREES), file("t2.mrg", *TREES)])))
call("a table", lambda: written(carried()))
call(
    "cells behind an apostrophe", lambda: outscore.read(table("e.csv", "system,item,score", "'+new,q1,1", "base,q1,2"))
)
call(
    "cells that begin with a plus", lambda: outscore.read(table("d.csv", "system,item,score", "+new,q1,1", "base,q1,2"))
)
for kind, cell in (("quoted", '"a ""b"" c"'), ("of raw quotes", 'a "b" c')):
    call(
        f"a table {kind} in TSV",
        lambda cell=cell: outscore.read(table("q.tsv", "system\titem\toutput", f"new\tq1\t{cell}", "old\tq1\tb")),
    )
NULLS = pd.DataFrame({"system": ["a", "b"], "item": [1, 1], "output": ["x", None]})
call("a table of an answer that is null", written, NULLS)
call(
    "a table of some outputs",
    lambda: written(
        outscore.read(
            [table("o1.csv", "item,score,output", "1,2,x", "2,1,y"), table("o2.csv", "item,score", "1,2", "2,1")]
        )
    ),
)
call("a table of years", written, {"a": [1.0, 2.0], "b": [2.0, 3.0]}, items={"year": ["2019", "2020"]})
call("a table with a column named seed", written, {"a": [1.0, 2.0], "b": [2.0, 3.0]}, items={"seed": ["x", "y"]})
WMT = ("a\t1", "a\t2", "b\tNone", "b\tNone")
call(
    "a system without scores",
    lambda: outscore.read(file("comet-src.seg.score", *WMT, "c\t1", "c\t2"), reader="mt-metrics-eval"),
)
call(
    "systems with scores",
    lambda: outscore.read(file("comet-src.seg.score", *WMT[:2], "c\t1", "c\t2"), reader="mt-metrics-eval"),
)
GOLD = [f"(S (NP (NN w{i})) (VP (VB v)))" for i in range(6)]
call("trees of other words", parsed, "(S (NN x))")
call("trees of the same words", parsed, GOLD[0])


def alone(*names: str) -> Any:
    """A system for each name, whose file has one column of numbers that is called so."""
    made = [table(f"only{i}{name}.csv", f"item,{name}", "1,2", "2,3") for i, name in enumerate(names)]
    return outscore.read([f"s{i}={one}" for i, one in enumerate(made)])


def spread(cell: str) -> Any:
    """Items in the header of a table, and a cell of a further column."""
    made = table("across.csv", "system,q1,q2,more", f"a,1,2,{cell}", f"b,2,3,{cell}")
    return outscore.read(made, columns=["item=@columns"])


def lines(key: str) -> Any:
    """JSON lines with this further key."""
    rows = [f'{{"system": "{s}", "item": {i}, "score": {i}, "more": {key}}}' for s in "ab" for i in (1, 2)]
    return outscore.read(file("more.jsonl", *rows))


def beside_gold(second: str) -> Any:
    """A table of outputs with a gold column and another."""
    return outscore.read(table("beside.csv", f"item,gold,{second},a,b", "1,x,x,x,y", "2,y,y,y,y"))


def with_descriptions(*more: str) -> Any:
    """Two systems, and a file given like one of a system."""
    systems = [table(f"{name}.csv", "item,score", "1,2", "2,3") for name in "ab"]
    return outscore.read([*systems, *(table("c.csv", one, "1,x", "2,y") for one in more)])


def lexicon(last: str) -> Any:
    """Words as items, of two systems."""
    return outscore.read(table("words.csv", "item,a,b", "way,.3,.6", "mean,.4,.5", "cruel,.5,.4", f"{last},.9,.1"))


call(
    "scores of Langfuse",
    lambda: outscore.read(table("lf.csv", "id,name,value,traceId,model", "1,m,1,t,a", "2,m,0,t,b")),
)
call("words, the last one total", lexicon, "total")
call("words, the last one totem", lexicon, "totem")


def of_folds(name: str) -> Any:
    """Two systems, a score for each of ten folds."""
    rows = [f"{system},{name}{i},{i * k % 7}" for k, system in enumerate("ab", 2) for i in range(10)]
    return outscore.read(table("folds.csv", "system,item,score", *rows))


def graded(*grades: str) -> Any:
    """Two systems whose scores the user names."""
    rows = [f"{system},{i},{grades[i * k % 5 % 2]}" for k, system in enumerate("ab", 2) for i in range(10)]
    return outscore.read(table("graded.csv", "system,item,match", *rows), columns=["score=match"])


call("scores that are grades", graded, "C", "I")
call("scores that are numbers", graded, "1", "0")
call("scores of folds", of_folds, "fold")
call("scores of sheep", of_folds, "sheep")
call("one number called goodness", alone, "goodness", "goodness")
call("one number called score", alone, "score", "score")
call("numbers of other names", alone, "goodness", "niceness")
call("items across, words beside them", spread, "x")
call("items across", spread, "3")
call("a key of lists", lines, "[1, 2]")
call("a key of numbers", lines, "1")
call("a list of numbers in JSON", lambda: outscore.read(file("list.json", "[1, 0, 1]")))
call("a gold and a label", beside_gold, "label")
call("a gold alone", beside_gold, "c")
call("systems and descriptions", with_descriptions, "item,domain")
call("systems alone", with_descriptions)
call("two systems and humans", outscore.correlate, scored(2), human="human", **FEW)
GAPS = {
    "a": {str(i): float(i % 3) for i in range(12)},
    "b": {str(i): float(i % 4) for i in range(11)},
    "c": {str(i): float(i % 5) for i in range(1, 12)},
}
call("items missing, pairwise", outscore.compare, GAPS, missing="pairwise", **FEW)
call("items missing, pairwise with details", outscore.compare, GAPS, missing="pairwise", flips="auto", **FEW)
call("items missing, drop", outscore.compare, GAPS, missing="drop", **FEW)
