"""``--margin`` and ``--fail-unless``: exit codes, the line that says why, and a result that is printed all the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.cli.commandline import outscore, texts, written

Files = tuple[str, str, str]


@pytest.fixture
def files(tmp_path: Path) -> Files:
    """A baseline, a system that is better by .3 with deviation 1, and one that is worse by as much: in whole tenths,
    whose exact laws are quick.
    """
    rng = np.random.default_rng(2)
    base, d = (np.rint(10 * rng.normal(mean, 1, 120)) for mean in (5, 0))
    d[: abs(int(d.sum()))] -= np.sign(d.sum())
    found = []
    for name, values in (("base", base), ("good", base + 3 + d), ("bad", base - 3 + d)):
        found.append(f"{name}={written(tmp_path / f'{name}.seg', [f'{v / 10:.1f}' for v in values])}")
    return found[0], found[1], found[2]


def test_a_gate_that_holds_ends_with_0(files: Files) -> None:
    base, good, bad = files
    for gate, systems in (
        (["--fail-unless", "better"], (base, good)),
        (["--fail-unless", "not-worse", "--margin", "0.1"], (base, good)),
        (["--fail-unless", "equivalent", "--margin", "20%"], (base, good, bad)),
        (["--margin", "0.1"], (base, bad)),  # a verdict alone changes no exit code
        ([], (base, bad)),
    ):
        done = outscore("compare", *systems, "-n", "1000", *gate)
        assert (done.code, done.err) == (0, ""), gate


def test_a_gate_that_does_not_hold_ends_with_1_and_says_why(files: Files) -> None:
    base, good, bad = files
    done = outscore("compare", base, good, bad, "--fail-unless", "better")
    assert done.code == 1
    assert done.err.count("\n") == 1
    assert done.err.startswith("outscore: gate 'better' does not hold: bad on mean: worse, gain -0.3000, p = .00")
    done = outscore("compare", base, bad, "--margin", "0.4", "--fail-unless", "not-worse")
    assert done.code == 1
    assert "worse, gain -0.3000, margin 0.4, p not worse = .1" in done.err
    done = outscore("compare", base, good, "--margin", "mean=0.1", "--fail-unless", "equivalent", "-q")
    assert (done.code, done.err) == (1, done.err)
    assert "p within = .98" in done.err


@pytest.mark.parametrize("metric", ["accuracy", "exact_match", "f1"])
def test_outputs_that_are_never_a_gold_label_pass_no_gate_unless_they_are_the_same(tmp_path: Path, metric: str) -> None:
    def lines(name: str, made: str) -> Path:
        return written(tmp_path / name, [made.format(i) for i in range(60)])

    gold = written(tmp_path / "gold", ["A", "B", "C"] * 20)
    base, other = lines("base", "The answer, after long thought about it all, is {}"), lines("other", "it is {}")
    asked = ("compare", "-r", gold, "-m", metric, "--margin", "0.5", "--fail-unless")
    for gate in ("equivalent", "not-worse"):
        done = outscore(*asked, gate, base, other)
        assert (done.code, done.out.splitlines()[0][:58]) == (
            1,
            "No output of other or base is one of the gold labels: they",
        )
        assert "find" not in done.out and "long thought about it all, is" not in done.out
        assert outscore(*asked, gate, base, f"again={base}").code == 0
        done = outscore("sequential", base, other, *asked[1:], gate, "--order", "given")
        said = (done.code, "equivalent" in done.out, "\n! no output of" in done.out)
        assert said == (1, False, True) or metric == "f1", "which is no mean of items"
    alike = written(tmp_path / "alike", ["A", "B", "C"] * 20)
    assert outscore(*asked, "equivalent", f"gold={gold}", f"alike={alike}").code == 0


@pytest.mark.parametrize("format", ["terminal", "markdown", "latex", "json", "csv", "sentence"])
def test_the_result_is_the_same_with_a_gate(files: Files, format: str) -> None:
    base, _, bad = files
    arguments = ("compare", base, bad, "--margin", "0.1", "-n", "200", "-f", format)
    plain, gated = outscore(*arguments), outscore(*arguments, "--fail-unless", "equivalent")
    assert (plain.code, gated.code) == (0, 1)
    assert plain.out == gated.out
    if format == "json":
        assert json.loads(gated.out)["pairs"][0]["verdict"] == "worse"


def test_the_result_is_written_before_the_gate_ends_the_command(files: Files, tmp_path: Path) -> None:
    base, _, bad = files
    done = outscore("compare", base, bad, "--fail-unless", "better", "-o", tmp_path / "r.json")
    assert done.code == 1
    assert outscore("show", tmp_path / "r.json").code == 0


@pytest.mark.slow
def test_many_failing_pairs_are_counted(files: Files) -> None:
    base, _, bad = files
    path = bad.split("=", 1)[1]
    done = outscore("compare", base, *(f"s{i}={path}" for i in range(5)), "-n", "200", "--fail-unless", "better")
    assert done.code == 1
    assert done.err.rstrip().endswith("; and 2 more")


@pytest.mark.parametrize("gate", ["not-worse", "equivalent"])
def test_a_gate_without_its_margin_is_a_usage_error(files: Files, gate: str) -> None:
    done = outscore("compare", *files[:2], "--fail-unless", gate)
    assert (done.code, done.out) == (2, "")
    assert "--margin" in done.err


def test_wrong_margins_and_gates_are_usage_errors(files: Files) -> None:
    for arguments in (["--margin", "-1"], ["--margin", "bleu=1"], ["--fail-unless", "best"], ["--margin", "x%"]):
        done = outscore("compare", *files[:2], *arguments)
        assert (done.code, done.out) == (2, ""), arguments


def test_margins_by_metric_can_be_repeated_or_listed(tmp_path: Path) -> None:
    arguments = ("compare", *texts(tmp_path), "-m", "bleu,chrf", "-n", "50", "-f", "json")
    listed = outscore(*arguments, "--margin", "bleu=2,chrf=1%")
    repeated = outscore(*arguments, "--margin", "bleu=2", "--margin", "chrf=1%")
    assert listed.code == 0
    found, again = (json.loads(done.out) for done in (listed, repeated))
    assert again["provenance"].pop("command_line") != found["provenance"].pop("command_line")
    assert again == found
    score = {(s["system"], s["metric"]): s["score"] for s in found["scores"]}
    assert [p["equivalence"]["margin"] for p in found["pairs"]] == [2.0, score["base", "chrf"] / 100]


def test_a_gate_on_the_same_outputs_holds(tmp_path: Path) -> None:
    reference, base = texts(tmp_path)[1:3]
    same = base.replace("base=", "same=", 1)
    done = outscore(
        "compare", "-r", reference, base, same, "-m", "bleu", "--margin", "0.5", "--fail-unless", "not-worse"
    )
    assert (done.code, done.err) == (0, "")
