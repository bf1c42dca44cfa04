"""Every number and every note that verbs give, on small data at borders, stays what it was.

References of each number are elsewhere; here nothing that verbs compute or choose goes without one: how many a list
holds, counts at which words change, ends of intervals, what lies exactly at alpha. ``OUTSCORE_GOLDEN=write pytest
tests/verbs/test_every_record.py`` keeps all anew, which only a decision to answer otherwise justifies.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import OutscoreError
from tests.significance.test_every_number import assert_kept, row

pandas = pytest.importorskip("pandas")

FEW: dict[str, Any] = {"n_resamples": 99}
QUICK: dict[str, Any] = {"simulations": 4, "n_resamples": 19, "jobs": 1}
RARE = "uvwxyyz"
LENGTHS = (*range(1, 24), 1499, 1500, 1501, 1600)
OF_ONE_PLACE = ("version", "libraries", "inputs", "command_line", "created")


def normal(seed: int, *shape: int, shift: float = 0.0) -> Any:
    return np.random.default_rng(seed).normal(shift, 1, shape).round(3)


def labels(seed: int, n: int, p: float = 0.5) -> list[str]:
    return [str(int(one)) for one in np.random.default_rng(seed).random(n) < p]


def labels_of(seed: int, n: int, p: float = 0.5) -> list[float]:
    return [float(one) for one in labels(seed, n, p)]


def sentences(seed: int, n: int, errors: float = 0.0, least: int = 5) -> list[str]:
    """Some sentences that are the same for all seeds, with errors that are not."""
    plain, draw = np.random.default_rng(1), np.random.default_rng(seed)
    made = [[f"w{w}" for w in plain.integers(0, 9, least + i % 4)] for i in range(n)]
    made[::3] = [["w1", "w2", "w3", "w4", "w5", "w6"]] * len(made[::3])
    return [" ".join("x" if draw.random() < errors else word for word in words) for words in made]


def of_words(**how: Any) -> Any:
    """Two systems whose errors differ, word by word."""
    systems = {
        "base": sentences(2, 24, 0.4),
        "new": sentences(3, 24, 0.1),
        "old": [sentences(s, 24, 0.3) for s in (4, 5)],
    }
    asked: dict[str, Any] = {"metrics": "bleu", "n_resamples": 199, "words": 60} | how
    return outscore.compare(systems, references=sentences(0, 24), **asked)


def table(systems: int, items: int, seed: int = 1, **columns: Callable[[int, int], Any]) -> Any:
    """Scores of some systems on the same items, a little better from one to the next, and other columns of them."""
    draw, hard = np.random.default_rng(seed), np.random.default_rng(seed + 1).normal(0, 1, items)
    rows = [
        {
            "system": f"s{s}", "item": f"i{i}", "score": round(hard[i] + 0.15 * s + draw.normal(0, 0.7), 3),
            **{name: of(s, i) for name, of in columns.items()},
        }
        for s in range(systems) for i in range(items)
    ]  # fmt: skip
    return pandas.DataFrame(rows)


def of_long_texts(last: int) -> Any:
    """Fourteen items with 40,000 letters in all, or more, and others that do not fit."""
    long = [*[1000] * 13, 327, *[1] * 6]
    wrong = [*[1000] * 13, last, *[1] * 6]
    gold = ["r" * n for n in long]
    new = [*gold[:14], *"nnnnnn"]
    return outscore.compare(
        {"base": ["b" * n for n in wrong], "new": new}, references=gold, metrics="exact_match", flips=14, **FEW
    )


def of_samples(right: bool) -> Any:
    """Two systems with two or three samples of each item."""
    draw = np.random.default_rng(5)
    rows = [
        {"system": s, "item": f"i{i}", "sample": k, "score": float(draw.random() < 0.5) if right else draw.random()}
        for s in "ab" for i in range(20) for k in range(2 + i % 2)
    ]  # fmt: skip
    return pandas.DataFrame(rows)


def of_domains(sizes: dict[str, int], by: str | None = "domain", **how: Any) -> Any:
    """A comparison of three systems over domains of these sizes."""
    of = [name for name, n in sizes.items() for _ in range(n)]
    data = table(3, len(of), domain=lambda s, i: of[i], marked=lambda s, i: str(1 + i * i % 17))
    return outscore.compare(data, metrics="score", by=by, **FEW, **how)


def of_judge(labelled: int, *, proportions: bool = True, errors: float = 0.2, **how: Any) -> Any:
    draw = np.random.default_rng(labelled)

    def human(s: int, i: int) -> float:
        return np.nan if i >= labelled else value(s, i)

    def value(s: int, i: int) -> float:
        return float((i * 7 + s * (i % 3 == 0)) % 5 < 3) if proportions else round(1 + (i * 7 + s) % 5 / 2, 3)

    data = table(
        2, 60, human=human, doc=lambda s, i: f"d{i // 4}",
        llm=lambda s, i: value(s, i) if draw.random() > errors else 1 - value(s, i),
    )  # fmt: skip
    return outscore.judge(data, human="human", judge="llm", **how)


def of_judged_documents(labelled: int, *, always: float | None = None, **how: Any) -> Any:
    """Labels that are alike within documents, of which the first have some; the judge errs on some items."""

    def human(s: int, i: int) -> float:
        return float((i // 4 * 7 + s * (i // 4 % 3 == 0)) % 5 < 3)

    data = table(
        2, 80, doc=lambda s, i: f"d{i // 4}",
        human=lambda s, i: human(s, i) if (i * 7) % 80 < labelled else np.nan,
        llm=lambda s, i: abs(human(s, i) - (i % (6 + s) == 0)) if always is None else always,
    )  # fmt: skip
    return outscore.judge(data, human="human", judge="llm", **how)


def of_sets(n: int, **how: Any) -> Any:
    """Three systems on so many data sets, one of them of a single item."""
    sets = {
        f"set{k}": {f"s{s}": normal(10 * k + s, 1 if k == 2 else 20 + k, shift=0.3 * s).tolist() for s in range(3)}
        for k in range(n)
    }
    return outscore.replicate(sets, **FEW, **how)


def of_raters(annotators: int, units: int, classes: int = 3, **how: Any) -> Any:
    draw = np.random.default_rng(annotators)
    true = draw.integers(0, classes, units)
    given: dict[str, list[str | None]] = {
        f"r{a:02}": [
            None if (i + a) % 11 == 0 else f"l{true[i] if draw.random() < 0.7 else draw.integers(0, classes):02}"
            for i in range(units)
        ]
        for a in range(annotators)
    }
    return outscore.agree(given, **FEW, **how)


def of_ratings(raters: int, items: int, **how: Any) -> Any:
    draw = np.random.default_rng(raters)
    rows = [
        {
            "system": f"s{s}", "item": i, "rater": f"r{(i + k) % raters}", "topic": f"t{i % 7}",
            "rating": int(np.clip(round(3 + 0.4 * s + (i % 3 - 1) + draw.normal()), 1, 5)),
        }
        for s in range(3) for i in range(items) for k in range(2) if (i + s) % 9
    ]  # fmt: skip
    return outscore.humans(pandas.DataFrame(rows), **how)


def of_votes(n: int, **how: Any) -> Any:
    draw, rows = np.random.default_rng(n), []
    for i in range(n):
        a, b = draw.choice(4, 2, replace=False)
        won = draw.random() < 1 / (1 + np.exp(0.5 * (b - a)))
        winner = "tie" if i % 6 == 0 else f"s{a if won else b}"
        rows.append(
            {"item": i // 2, "system1": f"s{a}", "system2": f"s{b}", "winner": winner, "topic": f"t{i // 2 % 12}"}
        )
    return outscore.rank(pandas.DataFrame(rows), **FEW, **how)


def of_metrics(systems: int, items: int, **how: Any) -> Any:
    draw = np.random.default_rng(systems)
    data = table(
        systems, items,
        human=lambda s, i: np.nan if (s, i) == (1, 2) and "missing" in how else round(s / 2 + draw.normal(), 2),
        good=lambda s, i: round(s / 2 + draw.normal(), 2), poor=lambda s, i: round(draw.normal(), 1),
    )  # fmt: skip
    return outscore.correlate(data, human="human", **FEW, **how)


def of_one_sign(n: int, alpha: float, shift: float = 1.0, **how: Any) -> Any:
    """Gains that all have one sign: the least p of an exact test is alpha."""
    base = normal(3, n)
    data = {
        "base": base.tolist(),
        "new": (base + shift + np.arange(n) / 7).tolist(),
        "old": (base - normal(4, n) / 9).tolist(),
    }
    return outscore.compare(data, test="randomization:form=plain", alpha=alpha, n_resamples=99, **how)


CASES: dict[str, Callable[[], Any]] = {
    "words": of_words,
    "words at alpha": lambda: of_words(alpha=0.005, words=9),
    "words of clusters": lambda: of_words(
        items={"document": [f"d{i // 3}" for i in range(24)]}, cluster="document", words=20
    ),
    "items of many pairs": lambda: outscore.compare(table(32, 9), metrics="score", flips="auto", **FEW),
    "items of three metrics": lambda: outscore.compare(
        table(13, 12, length=lambda s, i: (i * 5 + s) % 7, mark=lambda s, i: float((i + s) % 4 == 0)),
        metrics="mean:column=score,mean:column=length,mean:column=mark",
        flips="auto",
        **FEW,
    ),
    "items of clusters": lambda: outscore.compare(
        table(2, 90, doc=lambda s, i: f"d{i // 2 if i < 84 else 42}"), metrics="score", cluster="doc", flips=30, **FEW
    ),
    "items that decide nothing": lambda: outscore.compare(
        {"base": [0.0, 1.0, 0.0, 1.0, 1.0, 0.0], "new": [0.0, 1.0, 0.0, 1.0, 0.0, 1.0]}, flips=6, **FEW
    ),
    "texts of every length": lambda: outscore.compare(
        {"base": ["x" * n for n in LENGTHS], "new": ["y" * (n + 1) for n in LENGTHS]},
        references=["z" * n for n in LENGTHS],
        metrics="chrf",
        flips=30,
        **FEW,
    ),
    "p at alpha": lambda: of_one_sign(7, 1 / 32, correction="holm"),
    "p above alpha": lambda: of_one_sign(6, 1 / 64, alternative="greater", correction="none"),
    "p at alpha on the other side": lambda: of_one_sign(6, 1 / 32, -1.0, alternative="less", correction="none"),
    "margins": lambda: of_one_sign(12, 0.05, 0.1, margin=0.4),
    "margins in percent": lambda: outscore.compare(table(3, 40), metrics="score", margin="20%", **FEW),
    "margins of proportions": lambda: outscore.compare(
        {"base": labels(1, 60), "new": labels(2, 60)}, references=labels(3, 60), metrics="accuracy", margin=0.3, **FEW
    ),
    "few units": lambda: outscore.compare(table(3, 19), metrics="score", **FEW),
    "enough units": lambda: outscore.compare(table(3, 20), metrics="score", **FEW),
    "29 and 30 units": lambda: outscore.compare(table(2, 29), metrics="score", **FEW),
    "a posterior": lambda: outscore.compare(
        table(2, 30), metrics="score", posterior="auto", margin=0.2, n_resamples=100
    ),
    **{
        f"a posterior, {name}": partial(
            outscore.compare, {"a": labels_of(1, 30), "b": labels_of(2, 30, 0.9)}, posterior=name, n_resamples=100
        )
        for name in ("bootstrap", "dirichlet", "sign", "signed-rank", "t")
    },
    "a posterior, beta": lambda: outscore.compare(
        {"a": labels_of(1, 30), "b": labels_of(2, 25, 0.9)}, test="fisher", posterior="beta", n_resamples=100
    ),
    "buckets": lambda: of_domains({"a": 19, "b": 20, "c": 21, "d": 1}),
    "buckets by a column": lambda: of_domains({"a": 61}, by="marked:edges=4+9+99+999"),
    "buckets by difficulty": lambda: outscore.compare(table(7, 61), metrics="score", by="difficulty", **FEW),
    "buckets by length": lambda: outscore.compare(
        {"base": sentences(2, 70, 0.4), "new": sentences(3, 70, 0.1)},
        references=sentences(0, 70),
        metrics="chrf",
        by="length",
        **FEW,
    ),
    "buckets of all pairs": lambda: of_domains({"a": 25, "b": 20}, correction="sidak"),
    "buckets of scores": lambda: outscore.score(
        table(2, 45, domain=lambda s, i: "abc"[i % 3]), metrics="score", by="domain", **FEW
    ),
    "strata": lambda: outscore.compare(
        table(2, 30, domain=lambda s, i: "aab"[i % 3] if i > 4 else "c"), metrics="score", strata="domain", **FEW
    ),
    "independent": lambda: outscore.compare(
        {"base": normal(1, 12).tolist(), "new": normal(2, 15).tolist()}, test="welch", **FEW
    ),
    "independent at alpha": lambda: outscore.compare(
        {"base": [1.0, 2.0, 3.0], "new": [4.0, 5.0, 6.0, 7.0]}, test="mann-whitney", alpha=2 / 35, **FEW
    ),
    "anova": lambda: outscore.compare(
        {name: normal(i, 5, 12, shift=i / 3).tolist() for i, name in enumerate("abc")}, test="anova", **FEW
    ),
    "friedman": lambda: outscore.compare(
        {name: normal(i, 9, shift=i / 3).tolist() for i, name in enumerate("abc")}, test="friedman", **FEW
    ),
    "runs": lambda: outscore.compare(
        {name: normal(i, 2 + i, 30, shift=i / 3).tolist() for i, name in enumerate("abc")}, **FEW
    ),
    "all pairs of runs": lambda: outscore.compare(
        {name: normal(i, 4, 30, shift=i / 3).tolist() for i, name in enumerate("abcd")}, all_pairs=True, **FEW
    ),
    "scores": lambda: outscore.score(table(2, 40, doc=lambda s, i: f"d{i // 4}"), metrics="score", **FEW),
    "scores of labels": lambda: outscore.score(
        {"s": labels(1, 40), "t": labels(2, 40)}, references=labels(3, 40), confusion=True, **FEW
    ),
    "a curve": lambda: outscore.score(
        {"s": normal(1, 30).round(1).tolist()},
        references=labels(3, 30),
        metrics="average_precision:positive=1",
        curve="threshold",
        **FEW,
    ),
    "a curve of clusters": lambda: outscore.score(
        {"s": normal(1, 30).round(1).tolist()},
        references=labels(3, 30),
        metrics="auc:positive=1",
        curve="roc",
        items={"document": [f"d{i // 2}" for i in range(30)]},
        cluster="document",
        **FEW,
    ),
    "a board": lambda: outscore.rank(table(7, 40), metrics="score", **FEW),
    "a board of blocks": lambda: outscore.rank(
        table(5, 24, doc=lambda s, i: f"d{i // 3}"), metrics="score", cluster="doc", **FEW
    ),
    "a board of runs": lambda: outscore.rank(
        {f"s{i}": normal(i, 3, 20, shift=i / 9).tolist() for i in range(5)}, **FEW
    ),
    "a board at alpha": lambda: outscore.rank(
        {f"s{i}": (normal(1, 8) + i * np.arange(1, 9)).tolist() for i in range(3)},
        alpha=1 / 128,
        test="randomization:form=plain",
        correction="none",
        **FEW,
    ),
    "preferences": lambda: of_votes(80),
    "preferences of topics": lambda: of_votes(80, cluster="topic"),
    "preferences, elo, ties": lambda: of_votes(60, elo=True, ties="davidson"),
    "sequential": lambda: outscore.sequential({"base": labels_of(1, 60), "new": labels_of(2, 60)}, every=7),
    "sequential, an order": lambda: outscore.sequential(
        {"base": labels_of(1, 30), "new": labels_of(2, 30, 0.9)}, order="random", orders=9, margin=0.2
    ),
    "sequential, a population": lambda: outscore.sequential(
        {"base": labels_of(1, 40), "new": labels_of(2, 40, 0.9)}, population=50, alpha=0.1
    ),
    "sequential, the whole population": lambda: outscore.sequential(
        {"base": labels_of(1, 40), "new": labels_of(2, 40, 0.9)}, population=40
    ),
    **{f"judged, {n} labels": partial(of_judge, n) for n in (2, 29, 30, 59, 60)},
    "judged, no proportions": lambda: of_judge(40, proportions=False),
    "judged in clusters": lambda: of_judge(40, cluster="doc"),
    "judged without errors": lambda: of_judge(40, errors=0.0),
    "judged at random": lambda: of_judge(31, errors=0.5, alpha=0.1),
    "judged no proportions without errors": lambda: of_judge(40, proportions=False, errors=0.0),
    **{f"judged, documents alike, {n} labels": partial(of_judged_documents, n) for n in (50, 79, 80)},
    **{f"judged, all {value}": partial(of_judged_documents, 50, always=value) for value in (0.0, 0.5, 1.0)},
    "judged, all right, in clusters": lambda: of_judged_documents(50, always=1.0, cluster="doc"),
    "replicated": lambda: of_sets(4),
    "replicated, a law": lambda: of_sets(3, correction="max-t"),
    "replicated on ten": lambda: of_sets(10, alternative="greater"),
    "replicated, behind": lambda: of_sets(5, alternative="less", alpha=0.2),
    "annotators": lambda: of_raters(3, 40),
    "two annotators": lambda: of_raters(2, 12, 2, disputed=4),
    "many annotators": lambda: of_raters(21, 24, 4),
    "annotators that are too many to name": lambda: of_raters(31, 16, 4),
    "twenty labels": lambda: of_raters(3, 60, 20),
    "twenty-one labels": lambda: of_raters(3, 60, 21),
    "thirty-one labels": lambda: of_raters(3, 90, 31),
    "ordered labels": lambda: of_raters(
        3, 30, 3, labels=["l00", "l01", "l02"], coefficients="krippendorff:distance=ordinal"
    ),
    "ratings": lambda: of_ratings(3, 24),
    "ratings, standardized": lambda: of_ratings(4, 24, standardize=True),
    "ratings of topics": lambda: of_ratings(5, 30, cluster="topic"),
    "correlations": lambda: of_metrics(6, 14),
    "correlations of few": lambda: of_metrics(3, 9),
    "correlations by item": lambda: of_metrics(5, 9, levels="segment-by-item"),
    "a plan": lambda: outscore.plan("t:sd=0.3", effect=0.05),
    "a plan of clusters": lambda: outscore.plan(
        "t:sd=0.3", effect=0.05, design_effect=1.8, target=0.9, sizes=[100, 400]
    ),
    "a plan of shares": lambda: outscore.plan("mcnemar:baseline=0.8,agreement=0.9", effect=0.03),
    "a plan of two shares": lambda: outscore.plan("two-proportions:baseline=0.8", effect=0.05, alternative="greater"),
    "a plan of runs": lambda: outscore.plan("crossed:run=1,item=20,residual=50", effect=2, cost_run=10, cost_item=1),
    "a plan of a budget": lambda: outscore.plan(
        "crossed:run=1,item=20,residual=50", effect=2, cost_run=10, cost_item=1, budget=400
    ),
    "a plan of runs alone": lambda: outscore.plan("crossed:run=1,item=20,residual=50", effect=2),
    "a simulated plan": lambda: outscore.plan("fake:p10=0.2,p01=0.1", effect=0.1, sizes=[20, 30], **QUICK),
    "a pilot": lambda: outscore.plan(table(2, 40), metric="score", effect=0.3, **QUICK),
    "a pilot of 100": lambda: outscore.plan(table(2, 100), metric="score", effect=0.3, sizes=[9], **QUICK),
    "a pilot's own gain": lambda: outscore.plan(table(2, 40), metric="score", effect="pilot", **QUICK),
    "a simulated pilot": lambda: outscore.plan(
        table(2, 20), metric="score", effect=0.5, sizes=[20], simulations=30, n_resamples=49, jobs=1
    ),
    "a pilot of clusters": lambda: outscore.plan(
        table(2, 40, doc=lambda s, i: f"d{i // 3}"),
        metric="score",
        effect=0.5,
        cluster="doc",
        sizes=[20, 40],
        **QUICK,
    ),
    **{
        f"a pilot of {k} runs": partial(
            lambda k: outscore.plan({n: normal(k + ord(n), k, 20).tolist() for n in "ab"}, effect=0.5), k
        )
        for k in (2, 4, 5)
    },
    "odds": lambda: outscore.ppv(odds=0.1, power=0.5),
    "odds with bias": lambda: outscore.ppv(odds=0.1, power=0.5, bias=0.1, teams=10, alpha=0.03, p=0.02),
    "an audit": lambda: outscore.audit(
        {"a": normal(1, 20).tolist(), "b": normal(2, 20).tolist()}, test="t,sign", rounds=23, n_resamples=49, jobs=1
    ),
    "an audit of runs": lambda: outscore.audit(
        {"a": normal(1, 1, 20).tolist(), "b": normal(2, 2, 20).tolist(), "c": normal(3, 2, 20).tolist()},
        baseline="b",
        rounds=9,
        jobs=1,
        n_resamples=49,
    ),
    "pairs on their own items": lambda: outscore.compare(
        table(5, 30).drop(index=[1, 33, 34, 65, 66, 67, 140]),
        metrics="score",
        missing="pairwise",
        **FEW,
    ),
    "one pair on its own items": lambda: outscore.compare(
        table(2, 30).drop(index=[1, 33, 34]), metrics="score", missing="pairwise", **FEW
    ),
    "out of reach": lambda: outscore.compare({f"s{i}": normal(i, 5).tolist() for i in range(3)}, **FEW),
    "out of reach by a law": lambda: outscore.compare(
        {f"s{i}": normal(i, 5).tolist() for i in range(3)}, correction="max-t", **FEW
    ),
    "two systems, all pairs, two metrics": lambda: outscore.compare(
        table(2, 24, mark=lambda s, i: 1.0), metrics="mean:column=score,mean:column=mark", all_pairs=True, **FEW
    ),
    "three systems, all pairs, two metrics": lambda: outscore.compare(
        table(3, 24, mark=lambda s, i: float(s == 2 and i % 5 == 0)),
        metrics="mean:column=score,mean:column=mark",
        all_pairs=True,
        **FEW,
    ),
    "rare classes": lambda: outscore.compare(
        {"a": [RARE[i % 7] for i in range(60)], "b": [*RARE, *RARE[::-1]] * 3 + ["z"] * 18},
        references=[*RARE, *"zzzzzzyyyyyx"] * 2 + ["z"] * 22,
        metrics="f1:average=macro",
        **FEW,
    ),
    "a metric that describes": lambda: of_words(metrics="length_ratio,chrf", words=0),
    "metrics that describe": lambda: outscore.score(
        table(2, 20, cost=lambda s, i: s + i % 3), metrics="mean:column=cost,mean:column=score", **FEW
    ),
    "samples": lambda: outscore.compare(of_samples(True), metrics="score", **FEW),
    "samples of numbers": lambda: outscore.compare(of_samples(False), metrics="score", **FEW),
    "samples that pass": lambda: outscore.score(of_samples(True), metrics="pass_at_k:k=2,column=score", **FEW),
    "twelve numbers": lambda: of_domains({str(n): 6 for n in range(12)}),
    "thirteen numbers": lambda: of_domains({str(n): 6 for n in range(13)}),
    "negative numbers": lambda: of_domains({str(n): 6 for n in range(-3, 13)}),
    "small strata": lambda: outscore.compare(
        table(2, 38, domain=lambda s, i: "aaaabbbbcccd"[min(i // 3, 11)]), metrics="score", strata="domain", **FEW
    ),
    "independent runs": lambda: outscore.compare(
        {n: normal(ord(n), k, 12).tolist() for n, k in (("a", 2), ("b", 3))}, test="welch", **FEW
    ),
    "independent items of runs": lambda: outscore.compare(
        {n: normal(ord(n), 2, 12).tolist() for n in "ab"}, test="welch", unit="item", **FEW
    ),
    "independent labels beyond their limits": lambda: outscore.compare(
        {"a": list("1110"), "b": list("0001")}, references=list("1111"), metrics="accuracy", test="welch", **FEW
    ),
    "a pilot of unequal runs": lambda: outscore.plan(
        {"a": normal(1, 2, 20).tolist(), "b": normal(2, 3, 20).tolist()}, effect=0.5
    ),
    "a pilot of four items": lambda: outscore.plan(table(2, 6), metric="score", effect=0.5, **QUICK),
    "replicated where gains are sure": lambda: outscore.replicate(
        {f"set{k}": {"a": normal(k, 30).tolist(), "b": (normal(k, 30) + 900).tolist()} for k in range(40)},
        test="t",
        **FEW,
    ),
    "replicated two metrics": lambda: outscore.replicate(
        {f"set{k}": table(3, 12, seed=k, mark=lambda s, i: float((i + s) % 3 == 0)) for k in range(3)},
        metrics="mean:column=score,mean:column=mark",
        **FEW,
    ),
    "a metric that reads a column of its name": lambda: outscore.score(
        table(2, 24, auc=lambda s, i: (i * 7 + s) % 11, gold=lambda s, i: "xy"[i % 3 > 0]), metrics="auc", **FEW
    ),
    **{
        f"a board of {n} sets": partial(
            lambda n: outscore.rank(
                {f"set{k}": {f"s{s}": normal(9 * k + s, 12).tolist() for s in range(4)} for k in range(n)}, **FEW
            ),
            n,
        )
        for n in (5, 6)
    },
    "followed": lambda: outscore.follow([f"{i % 3 == 0:d}\t{i % 5 > 0:d}" for i in range(40)]),
    "followed by a mixture": lambda: outscore.follow(
        [f"{i % 3}\t{i % 5 + 1}" for i in range(40)], bounds=None, method="mixture", every=7
    ),
    "labels that are never gold": lambda: outscore.compare(
        {"s0": list("xyxyx"), **{f"s{i}": [f"q{k}" for k in range(i, i + 5)] for i in range(1, 7)}},
        references=list("xyxyy"),
        metrics="accuracy",
        **FEW,
    ),
    "texts that just fit": lambda: of_long_texts(327),
    "texts of one letter too many": lambda: of_long_texts(328),
    "edges that are no numbers": lambda: of_domains({"a": 61}, by="marked:edges=4+x"),
    "independent, two metrics": lambda: outscore.compare(
        table(3, 12, mark=lambda s, i: float((i + s) % 3)),
        metrics="mean:column=score,mean:column=mark",
        test="welch",
        **FEW,
    ),
    **{
        f"sequential, differences of {step}": partial(
            lambda step: outscore.sequential(
                {"base": [4.0] * 40, "new": [4 + step * (1 + (i % 2)) for i in range(40)]}, bounds=(0, 10)
            ),
            step,
        )
        for step in (0.5, 2.0, 3.0)
    },
    **{
        f"a ratio of counts, the least {least}": partial(
            lambda least: outscore.score(
                table(2, 14, bad=lambda s, i: least if s and i == 3 else i == 5 + s, all=lambda s, i: 4 + i % 3),
                metrics="ratio:num=bad,den=all",
                **FEW,
            ),
            least,
        )
        for least in (0, -1)
    },
    "one domain": lambda: of_domains({"a": 20}, by=None),
    "no such baseline": lambda: outscore.compare(table(13, 2), metrics="score", baseline="x", **FEW),
    "no such label": lambda: of_raters(3, 60, 13, na="x"),
    "one system of four columns": lambda: outscore.compare(
        table(1, 9, b=lambda s, i: i, c=lambda s, i: i + 1, d=lambda s, i: i + 2), **FEW
    ),
    "items without a cluster": lambda: outscore.compare(
        table(2, 9, doc=lambda s, i: "x" if i > 3 else ""), metrics="score", cluster="doc", **FEW
    ),
    "empty gold": lambda: outscore.compare(
        {"base": labels(1, 12), "new": labels(2, 12)}, references=[*[""] * 4, *"10101010"], metrics="exact_match", **FEW
    ),
    "advice": lambda: outscore.advise(table(2, 60, domain=lambda s, i: "abc"[i % 3], doc=lambda s, i: f"d{i // 2}")),
    "advice on a board": lambda: outscore.advise(table(6, 12)),
    "advice on runs": lambda: outscore.advise({n: normal(ord(n), 3, 9).tolist() for n in "abc"}),
}


def of_history(folder: Path) -> Iterator[Any]:
    """What is said of one history, use by use; families by the name of the metric, more than are named."""
    file = folder / "kept.history"

    def use(data: Any, correction: str | None = None, test: str = "t", column: str = "score") -> Any:
        kept = outscore.History(file=file, correction=correction)
        return outscore.compare(data, metrics=f"mean:column={column}", history=kept, test=test, **FEW)

    data = table(7, 20)
    for k, name in enumerate("abcdef", 1):
        data[name] = [float((i * k + s) % 7) for s in range(7) for i in range(20)]
    some = [data[data.system.isin(["s0", *more])] for more in (["s1"], ["s2", "s3"], ["s4"], ["s1"])]
    yield use(some[0])
    yield use(some[1])
    yield use(some[2], "alpha-spending")
    yield use(some[3], "alpha-spending")
    yield use(some[1], "lond", "randomization:exact=never")
    for column in "abcdef":
        yield use(some[1], column=column)
    yield outscore.rank(data, metrics="score", history=outscore.History(file=file, correction="alpha-spending"), **FEW)
    for correction in ("alpha-spending", "saffron", None):
        yield outscore.history(file, correction=correction)
    yield outscore.history(file, correction="lond", family="score", alpha=0.2)


def plain(made: Any) -> dict[str, Any]:
    """What is saved of a result, but for where and when it was made."""
    text = re.sub(r"([a-z])\1{30,}", lambda found: f"{found[1]} {len(found[0])} times", made.to_json())
    data: dict[str, Any] = json.loads(re.sub(r"\|version:[\w.]+", "", text))
    data["provenance"] = {name: one for name, one in data["provenance"].items() if name not in OF_ONE_PLACE}
    return data


@pytest.mark.parametrize("name", CASES)
def test_what_verbs_say_stays(name: str) -> None:
    try:
        said = plain(CASES[name]())
    except OutscoreError as error:
        said = {"error": str(error)}
    assert_kept("verbs", name, json.loads(json.dumps({key: row(one) for key, one in said.items()})))


def test_what_a_history_says_stays(tmp_path: Path) -> None:
    said = {f"use {i}": mask(plain(one)) for i, one in enumerate(of_history(tmp_path), 1)}
    assert_kept("verbs", "a history", json.loads(json.dumps(row(said))))


def mask(data: dict[str, Any]) -> dict[str, Any]:
    """Without what is of the moment, the place and the person."""
    kept = {name: data[name] for name in ("history", "test_sets", "uses", "notes", "procedure") if name in data}
    text = re.sub(r"\d{4}-\d\d-\d\d(?:T[^\"]*)?", "DATE", json.dumps(kept))
    masked: dict[str, Any] = json.loads(re.sub(r'"(who|version|file)": "[^"]*"', r'"\1": ""', text))
    return masked
