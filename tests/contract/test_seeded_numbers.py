"""Numbers that a seed decides stay what they were, whatever is renamed or moved.

Some names are data: the purposes of random streams, the names of studies' work and of what they draw. Whoever renames
one draws other numbers, and nothing else would notice. Here every number of some results is kept, whatever key it
stands under; ``OUTSCORE_GOLDEN=write pytest tests/contract/test_seeded_numbers.py`` keeps them anew, which only a
decision to draw otherwise justifies, and the changelog says so.
"""

from __future__ import annotations

import ast
import json
import math
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from tests.cli.commandline import outscore as run
from tests.contract.sources import SOURCE, nodes_of

EXAMPLES = Path(__file__).parents[2] / "examples"
KEPT = Path(__file__).parents[1] / "golden" / "seeded.json"
RUNS = ["-r", "ref.txt", "baseline=baseline.run*.txt", "larger=larger.run*.txt"]
TWO = ["-r", "ref.txt", "base=baseline.run1.txt", "new=tuned.run1.txt"]
LABELS = ["-r", "gold.tsv", "base=labels.base.tsv", "new=labels.new.tsv"]
SHOWN = ("-f", "json")

INVOCATIONS: dict[str, tuple[str, ...]] = {
    "compare bleu": ("compare", *TWO, "-m", "bleu,chrf", "-n", "500"),
    "compare, another seed": ("compare", *TWO, "-m", "bleu", "-n", "500", "--seed", "7"),
    "compare, plain relabelling": ("compare", *TWO, "-m", "bleu", "-n", "500", "--test", "randomization:exact=never"),
    "compare, resamples one by one": (
        "compare",
        *TWO,
        "-m",
        "bleu",
        "-n",
        "500",
        "--test",
        "bootstrap",
        "--engine",
        "iid",
    ),
    "compare f1": ("compare", *LABELS, "-m", "f1,accuracy", "-n", "500", "--interval", "bca"),
    "compare runs": ("compare", *RUNS, "-m", "bleu", "-n", "500"),
    "compare, runs redrawn": ("compare", *RUNS, "-m", "bleu", "-n", "500", "--test", "multibootstrap"),
    "compare, runs exchanged": ("compare", *RUNS, "-m", "bleu", "-n", "500", "--test", "multeval"),
    "compare clusters": (
        "compare",
        "shared-task.csv",
        "-c",
        "cluster=document",
        "-m",
        "mean",
        "-n",
        "500",
        "--test",
        "randomization:exact=never",
        "--interval",
        "studentized",
    ),
    "compare strata": (
        "compare",
        "scores.csv",
        "-m",
        "accuracy",
        "--strata",
        "domain",
        "-n",
        "500",
        "--test",
        "bootstrap",
    ),
    "rank": ("rank", "shared-task.csv", "-m", "mean", "-n", "500"),
    "rank preferences": ("rank", "--preferences", "preferences.csv", "-n", "200"),
    "bayes": ("compare", *TWO, "-m", "bleu", "--posterior", "auto", "--margin", "0.5", "-n", "500"),
    "test independent": ("compare", "base.seg", "new.seg", "--test", "permutation", "-n", "500"),
    "test runs": ("compare", *RUNS, "--test", "aso", "-m", "bleu"),
    "test blocks": ("compare", *RUNS, "--test", "anova", "-m", "bleu", "-n", "500"),
    "score": ("score", *LABELS, "-m", "f1,mcc", "-n", "500", "--interval", "percentile"),
    "curve": (
        "score",
        "-r",
        "{made}/gold.csv",
        "{made}/spam.csv",
        "--curve",
        "roc",
        "-m",
        "auc:positive=spam",
        "-n",
        "200",
    ),
    "agree": ("agree", "{made}/labels.csv", "--annotators", "anna,ben,cleo", "-n", "500", "--test", "relabelling"),
    "humans": ("rank", "--wins", "{made}/ratings.csv"),
    "judge": ("judge", "{made}/judged.csv", "--human", "human", "--judge", "llm"),
    "correlate": ("correlate", "{made}/metrics.csv", "--human", "human", "-n", "500"),
    "sequential": ("sequential", "scores.csv#small", "scores.csv#large", "-m", "accuracy", "--order", "random"),
    "power": ("power", "fake:p10=0.1,p01=0.05", "--sizes", "200", "--simulations", "100"),
    "power of a pilot": ("power", *TWO, "-m", "bleu", "--effect", "1", "--sizes", "100,300", "--simulations", "40"),
    "audit": ("advise", "base=base.seg", "new=new.seg", "--test", "auto", "--rounds", "20"),
    "replicate": ("replicate", "scores.csv", "--set", "domain", "-m", "accuracy", "-n", "500"),
    "study size": ("study", "gain", "--by", "size", *TWO, "-m", "bleu", "-n", "200"),
    "study gain": ("study", "gain", "shared-task.csv", "-m", "mean", "-n", "200"),
    "study domain": ("study", "gain", "--by", "domain", "scores.csv", "-m", "accuracy", "-n", "200"),
}

PURPOSES = (
    "aso",
    "audit {}",
    "bootstrap",
    "correlation of {}",
    "drawn runs",
    "draws of runs",
    "exchange of {}",
    "followed versions",
    "gains of drawn runs",
    "joint law",
    "multeval runs",
    "order of items",
    "part of {}",
    "parts",
    "permutation",
    "permutation within blocks",
    "pool of runs",
    "power at {}",
    "prob-better",
    "randomization",
    "redrawn test set",
    "relabelling",
    "runs-size",
    "sequential",
    "shuffled judgments",
    "side by side",
    "still gains from {}",
    "subsample",
    "systems",
    "tests of drawn runs",
    "training of {}",
    "training set of {}",
    "versions",
    "words",
)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_tables(tmp_path_factory.mktemp("made"))


def make_tables(folder: Path) -> Path:
    """Small tables for the verbs that the examples have no files for."""
    folder.mkdir(exist_ok=True)
    draw = np.random.default_rng(3)
    n = range(60)
    right = draw.integers(2, size=60)
    labels = ["spam" if one else "ham" for one in right]
    near = np.clip(right + draw.normal(0, 0.7, 60), 0, 1)
    tables = {
        "gold": ["item,gold", *(f"{i},{labels[i]}" for i in n)],
        "spam": ["item,score", *(f"{i},{near[i]:.3f}" for i in n)],
        "labels": [
            "unit,anna,ben,cleo",
            *(f"{i},{labels[i]},{labels[i] if i % 4 else 'ham'},{labels[i - (i % 3 == 0)]}" for i in n),
        ],
        "ratings": [
            "item,system,rater,rating",
            *(f"{i},{s},r{(i + k) % 3},{3 + right[i] - (i + k) % 2}" for i in n for k, s in enumerate("ab")),
        ],
        "judged": [
            "item,system,human,llm",
            *(
                f"{i},{s},{(right[i] + k * (i % 5 == 0)) % 2 if i % 2 else ''},{(right[i] + (i % 7 == 0)) % 2}"
                for i in n for k, s in enumerate("ab")
            ),
        ],
        "metrics": [
            "item,system,human,comet,bleu",
            *(
                f"{i},{s},{right[i] + k / 2:.2f},{near[i] + k / 4:.3f},{near[i] * (1 + (i % 3)) - k / 9:.3f}"
                for i in n for k, s in enumerate("abcd")
            ),
        ],
    }  # fmt: skip
    for name, rows in tables.items():
        (folder / f"{name}.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", INVOCATIONS)
def test_what_a_seed_decides_stays(name: str, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    done = run(*(one.replace("{made}", made.as_posix()) for one in INVOCATIONS[name]), *SHOWN)
    assert done.code == 0, done.err
    found = sorted(set(_numbers(json.loads(done.out))))
    if os.environ.get("OUTSCORE_GOLDEN") == "write":
        kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
        kept[name] = found
        KEPT.write_text(json.dumps(kept, indent=0) + "\n", encoding="utf-8")
    held = json.loads(KEPT.read_text(encoding="utf-8"))[name]
    gone = [one for one in held if not any(math.isclose(one, other, rel_tol=1e-5, abs_tol=1e-9) for other in found)]
    assert not gone, f"{len(gone)} of {len(held)} numbers are gone, {gone[:5]} among them"


def _numbers(value: object) -> Iterator[float]:
    """Numbers that are no whole ones, six digits of each."""
    if isinstance(value, dict):
        for one in value.values():
            yield from _numbers(one)
    elif isinstance(value, list):
        for one in value:
            yield from _numbers(one)
    elif isinstance(value, float) and not value.is_integer():
        yield float(f"{value:.6g}")


def test_purposes_of_random_streams_are_these() -> None:
    """Also those of studies that are too long to run here."""
    found: set[str] = set()
    for file in sorted(SOURCE.rglob("*.py")):
        for node in nodes_of(file):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "stream" and len(node.args) > 1:
                found |= {ast.literal_eval(node.args[1])} if isinstance(node.args[1], ast.Constant) else _template(node)
            if isinstance(node, ast.FunctionDef):
                named = node.args.args[len(node.args.args) - len(node.args.defaults) :]
                pairs = zip(named, node.args.defaults, strict=True)
                found |= {ast.literal_eval(value) for name, value in pairs if name.arg == "purpose"}
    assert sorted(found) == sorted(PURPOSES)


def _template(call: ast.Call) -> set[str]:
    """What stands between the values of a purpose; nothing of one that is named elsewhere."""
    if not isinstance(call.args[1], ast.JoinedStr):
        return set()
    return {"".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in call.args[1].values)}
