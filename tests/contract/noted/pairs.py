"""Comparisons, tests, beliefs and agreement."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import outscore
from tests.contract.noted import (
    CLUSTERED,
    FEW,
    IID,
    TEXTS,
    call,
    compare,
    many,
    normal,
    offset,
    parted,
    right,
    stopped,
    two,
    words,
)

for size in (10, 100, 250):
    compare(f"{size} items, bootstrap", two(size), test="bootstrap")
compare("250 items", two(250))
compare("400 items, margin 1", two(400, 0.3), margin=1.0)
compare("400 items, margin 0.1", two(400, 0.3), margin=0.1)
compare("60 items", two(60))
compare("60 items, sign", two(60), test="sign")
compare("60 items, bbk", two(60), test="bootstrap:form=bbk")
compare("one item", {"a": [1.0], "b": [2.0]}, test="t")
compare("identical", {"a": normal(40), "b": normal(40)})
compare("all better by one", {"a": np.arange(40.0), "b": np.arange(40.0) + 1}, test="t")
compare("four items", two(4), test="randomization")
compare("p near alpha", two(200, 0.17), test="randomization:exact=never")
compare("a large gain", {"a": normal(60), "b": normal(60) + 1 + normal(60, 2, sd=0.3)}, test="randomization")
compare("two large differences", {"a": np.zeros(60), "b": np.r_[30, 30, normal(58, 2, sd=0.1)]}, test="t")
compare("two large differences of 200", {"a": np.zeros(200), "b": np.r_[30, 30, normal(198, 2, sd=0.1)]}, test="t")
four_right = {"a": np.zeros(40), "b": np.r_[np.ones(4), np.zeros(36)]}
compare("four right of 40", four_right)
compare("four right of 40, exact", four_right, test="mcnemar:variant=exact")
compare("right or wrong", {"a": right(60, 1), "b": right(60, 2)})
compare("right or wrong, exact", {"a": right(60, 1), "b": right(60, 2)}, test="mcnemar:variant=exact")
WER = pd.DataFrame({"system": ["a"] * 30 + ["b"] * 30, "item": [*range(30)] * 2, "wer": normal(60)})
compare("lower is better by its name", WER, metrics="mean:column=wer")
compare("lower is better as said", WER, metrics="mean:column=wer,lower=true")
compare("shares and per cent", {"a": right(30, 1), "b": 100 * right(30, 2)})
TAGS = ["D N V", "N V A", "D A N", "V N N", "N V V"]
for metric in ("accuracy", "token_accuracy", None):
    call(
        f"{metric or 'no metric'} of lines of tags",
        outscore.score,
        {"a": ["D N N", *TAGS[1:]]},
        references=[TAGS],
        metrics=metric,
    )
# clusters, strata
compare("9 clusters", two(60), cluster="cluster", items={"cluster": parted(60, 7)})
compare("40 clusters", two(160), cluster="cluster", items={"cluster": parted(160, 4)})
compare(
    "clusters that a test ignores",
    {"a": right(60, 1), "b": right(60, 2)},
    test="mcnemar",
    cluster="cluster",
    items={"cluster": parted(60, 5)},
)
compare("documents that are alike", CLUSTERED, items={"document": parted(60, 5)})
compare("documents that are not", two(60), items={"document": parted(60, 5)})
compare("strata of 5", two(60), test="bootstrap", strata="domain", items={"domain": parted(60, 5)})
compare("strata of 30", two(60), test="bootstrap", strata="domain", items={"domain": parted(60, 30)})
compare("a bucket of 4", two(60), items={"kind": ["a"] * 36 + ["b"] * 20 + ["c"] * 4}, by="kind")
compare("strata that a test ignores", two(60), test="t", strata="domain", items={"domain": parted(60, 30)})
call("scores of other documents", outscore.score, two(60), items={"document": parted(60, 5)}, **FEW)
call("scores of documents", outscore.score, CLUSTERED, items={"document": parted(60, 5)}, **FEW)
# runs
compare("3 runs", two(60, runs=3))
compare("6 runs", two(60, runs=6))
compare("3 and 6 runs", {"a": normal(60, 1, runs=3), "b": normal(60, 2, runs=6)})
compare("1 and 3 runs", {"a": normal(60, 1), "b": normal(60, 2, runs=3)})
compare("3 runs, tests of runs", two(60, runs=3), test="runs")
compare("3 runs, bootstrap", two(60, runs=3), test="bootstrap")
compare("3 runs, multeval", two(60, runs=3), test="multeval")
compare("3 runs, multeval as coded", two(60, runs=3), test="multeval:as_coded=true")
compare(
    "3 and 4 runs, pooled", {"a": normal(60, 1, runs=3), "b": normal(60, 2, runs=4)}, test="crossed:variances=pooled"
)
compare("3 and 4 runs, welch", {"a": normal(60, 1, runs=3), "b": normal(60, 2, runs=4)}, test="crossed")
compare("3 noisy runs, multibootstrap", two(60, runs=3), test="multibootstrap")
compare("3 runs, multibootstrap", offset(3), test="multibootstrap:form=shift")
compare("12 runs, multibootstrap", offset(12), test="multibootstrap:form=shift")
compare("3 runs, percentile", two(60, runs=3), interval="percentile")
# intervals
compare("studentized of one right", {"a": np.zeros(30), "b": np.r_[1.0, np.zeros(29)]}, interval="studentized")
compare("oconnor", two(60), interval="oconnor")
compare("percentile", two(60), interval="percentile")
for seed in (0, 2):  # of two resamples both lie above the gain, and on either side of it
    how: dict[str, Any] = {"interval": "bca", "n_resamples": 2, "engine": "iid", "seed": seed, "test": "t"}
    compare(f"bca of two resamples, seed {seed}", {"a": normal(40), "b": normal(40, 2)}, **how)
for name, sizes in (("3 clusters of 10 and 9 of 5", [10] * 3 + [5] * 9), ("36 clusters of 5", [5] * 36)):
    named = {"d": [f"d{i}" for i, size in enumerate(sizes) for _ in range(size)]}
    compare(f"max-t, {name}", two(sum(sizes)), items=named, cluster="d", interval="max-t")
for interval in ("wald", "wilson"):
    call(f"{interval} of 20 right of 21", outscore.score, {"a": [1.0] * 20 + [0.0]}, interval=interval)
# texts and labels
compare("bleu", TEXTS, references=words(3), metrics="bleu")
compare("bleu and lengths", TEXTS, references=words(3), metrics="bleu,length_ratio")
compare("bleu, one reference empty", TEXTS, references=[*words(3)[:-1], ""], metrics="bleu")
compare("bleu, one called ref", {"a": words(1), "ref": words(2)}, references=words(3), metrics="bleu")
JAPANESE = [[f"これは{k}番目の文で、{who}が訳しました。" for k in range(30)] for who in ("彼", "彼女", "私たち")]
STOPPED, TOKENIZED = ([[f"{text}{stop}" for text in words(seed, 24)] for seed in (1, 2, 3)] for stop in (".", " ."))
compare("bleu of Japanese", dict(zip("ab", JAPANESE, strict=False)), references=JAPANESE[2], metrics="bleu")
compare("bleu of tokenized texts", dict(zip("ab", TOKENIZED, strict=False)), references=TOKENIZED[2], metrics="bleu")
compare("bleu of texts", dict(zip("ab", STOPPED, strict=False)), references=STOPPED[2], metrics="bleu")
HALF = ["the cat sat down", ""] * 6
compare("outputs half empty", {"a": words(1), "b": HALF}, references=words(3), metrics="bleu")
compare("outputs half empty where the references are", {"a": words(1), "b": HALF}, references=HALF, metrics="bleu")
LINES = [f"line {i} holds w{i} x{i} y{i}" for i in range(40)]
compare("outputs a line late", {"a": LINES, "b": [LINES[0], *LINES[:-1]]}, references=LINES, metrics="bleu")
LABELS = {"a": ["x"] * 20 + ["y"] * 20, "b": ["x"] * 18 + ["y"] * 22}
compare("f1", LABELS, references=["x"] * 19 + ["y"] * 21, metrics="f1")
compare("f1, a rare class", LABELS, references=["x"] * 19 + ["y"] * 18 + ["z"] * 3, metrics="f1")
compare("f1, one label empty", LABELS, references=["x"] * 19 + ["y"] * 20 + [""], metrics="f1")
compare("f1 of numbers", {"a": [1, 0, 1], "b": [1, 1, 1]}, references=[1, 0, 1], metrics="f1")
# families
compare("six pairs of 5 items", many(4, 5), test="randomization", all_pairs=True)
compare("six pairs of 30 items", many(4, 30), test="t", all_pairs=True)
# interrupted
call(
    "interrupted",
    lambda: stopped(lambda tell: outscore.compare(two(60), n_resamples=20000, progress=tell, jobs=1, **IID)),
)
call(
    "interrupted look",
    lambda: stopped(
        lambda tell: outscore.compare(two(60), n_resamples=20000, progress=tell, jobs=1, history="i.db", **IID)
    ),
)

# independent samples, several systems at once
RUNS = two(1, runs=6)
APART = {"a": RUNS["a"], "b": RUNS["b"] + 99}
SPREAD = {"a": RUNS["a"], "b": RUNS["b"] * 30}
SYMMETRIC = {name: np.linspace(-1, 1, 6)[:, None] + shift for name, shift in (("a", 0.0), ("b", 0.1))}
for name, data, spec in (
    ("welch on shared items", two(20), "welch"),
    ("welch of runs", SYMMETRIC, "welch"),
    ("welch of skewed runs", {"a": np.r_[np.zeros(5), 9.0][:, None], "b": RUNS["b"]}, "welch"),
    ("student of skewed runs", {"a": np.r_[np.zeros(5), 9.0][:, None], "b": RUNS["b"]}, "student"),
    ("welch of constants", {"a": np.zeros((6, 1)), "b": np.ones((6, 1))}, "welch"),
    ("permutation of runs", SYMMETRIC, "permutation"),
    ("permutation of other spreads", SPREAD, "permutation"),
    ("bootstrap of 6 runs", RUNS, "unpaired-bootstrap:form=shift"),
    ("bootstrap of 40 runs", two(1, runs=40), "unpaired-bootstrap:form=shift"),
    ("chi2 of 12", {"a": right(12, 1, 0.1), "b": right(12, 2, 0.1)}, "chi2"),
    ("chi2 of 80", {"a": right(80, 1, 0.4), "b": right(80, 2, 0.4)}, "chi2"),
    ("brunner-munzel", RUNS, "brunner-munzel:variant=t"),
    ("brunner-munzel, runs apart", APART, "brunner-munzel:variant=t"),
    ("aso", RUNS, "aso"),
    ("aso, tau 0.5", RUNS, "aso:tau=0.5"),
    ("prob-better of 6", RUNS, "prob-better"),
    ("prob-better of 24", two(1, runs=24), "prob-better"),
    ("anova", RUNS, "anova"),
    ("anova of other spreads", SPREAD, "anova"),
    ("cochran, nearly all right", {s: [1.0] * (60 - k) + [0.0] * k for k, s in enumerate("abc")}, "cochran-q:law=chi2"),
    ("cochran", {name: right(60, i) for i, name in enumerate("abc")}, "cochran-q:law=chi2"),
    ("friedman", many(3, 20), "friedman"),
):  # fmt: skip
    call(name, outscore.compare, data, test=spec, **FEW)

# beliefs
for name, data, how in (
    ("beliefs", two(60), {}),
    ("beliefs of right or wrong", {"a": right(60, 1), "b": right(60, 2)}, {"posterior": "beta", "test": "fisher"}),
    ("beliefs, correlated t", two(60), {"posterior": "t:rho=0.1"}),
    ("beliefs, bootstrap", two(60), {"posterior": "bootstrap"}),
    ("beliefs, all better", {"a": np.zeros(60), "b": np.abs(normal(60))}, {"posterior": "bootstrap"}),
    ("beliefs, sign", two(60), {"posterior": "sign"}),
    ("beliefs of 3 runs", two(60, runs=3), {}),
    ("beliefs of 8, bootstrap", two(8), {"posterior": "bootstrap"}),
    ("beliefs of one", {"a": [1.0], "b": [2.0]}, {"posterior": "bootstrap"}),
    ("identical beliefs", {"a": normal(40), "b": normal(40)}, {}),
    ("constant beliefs", {"a": np.arange(40.0), "b": np.arange(40.0) + 1}, {"posterior": "bootstrap"}),
    (
        "beliefs, two large differences",
        {"a": np.zeros(60), "b": np.r_[30, 30, normal(58, 2, sd=0.1)]},
        {"posterior": "t"},
    ),
):
    call(name, outscore.compare, data, **{**FEW, "posterior": "auto", **how})

# annotators
FIRST = ["xyz"[i] for i in np.random.default_rng(1).integers(0, 3, 90)]
SECOND = ["xyz"[(i % 9 == 0) + "xyz".index(label)] if label != "z" else "z" for i, label in enumerate(FIRST)]
AC2 = {"coefficients": "gwet:weights=quadratic"}
for name, labels, how in (
    ("90 units", (FIRST, SECOND), {}),
    ("90 units of 1 to 3", ([" xyz".index(x) for x in FIRST], [" xyz".index(x) for x in SECOND]), {}),
    ("90 units of 1 to 3, by AC2", ([" xyz".index(x) for x in FIRST], [" xyz".index(x) for x in SECOND]), AC2),
    ("10 units", (FIRST[:10], SECOND[:10]), {}),
    ("one label", (["x"] * 40, ["x"] * 40), {}),
    ("agreement everywhere", (FIRST, FIRST), {"interval": "bca"}),
    ("a dominant label", (["x"] * 57 + ["y"] * 3, ["x"] * 54 + ["y"] * 3 + ["x"] * 3), {}),
    ("units labelled once", (FIRST, [None] * 3 + SECOND[3:]), {}),
    ("labels that say NA", (FIRST, ["NA"] * 3 + SECOND[3:]), {}),
    ("12 units, resampled", (["x"] * 11 + ["y"], ["x"] * 10 + ["y"] * 2), {"interval": "percentile"}),
):  # fmt: skip
    call(name, outscore.agree, dict(zip(("r1", "r2"), labels, strict=True)), **FEW, **how)
for name, sizes in (("2 clusters of 60 and 40 of 2", [60] * 2 + [2] * 40), ("40 clusters of 5", [5] * 40)):
    compare(name, two(200), items={"d": [f"d{i}" for i, size in enumerate(sizes) for _ in range(size)]}, cluster="d")
