"""``outscore compare --posterior``: probabilities of better, within the ROPE and worse, beside the test."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore as package
from outscore.base.registry import options_of
from outscore.report import tables_of
from outscore.report.text import width_of
from outscore.results.comparison import Comparison
from outscore.results.result import formats
from outscore.significance.bayes import methods
from tests.cli.commandline import numbers, outscore, texts, written
from tests.examples import first


def table(folder: Path, n: int = 80) -> Path:
    """Three systems, right or wrong on items with documents."""
    rng = np.random.default_rng(5)
    rows = [
        f"{system},{i},{int(rng.random() < share)},d{i // 4}"
        for system, share in (("a", 0.5), ("b", 0.7), ("c", 0.72))
        for i in range(n)
    ]
    return written(folder / "t.csv", ["system,item,score,document", *rows])


def arguments_of(shape: str, folder: Path) -> list[str]:
    if shape == "texts":
        return [*texts(folder), "-m", "bleu,chrf", "-n", "500", "--posterior", "auto"]
    if shape == "numbers":
        return [*numbers(folder), "--margin", "0.1", "--posterior", "auto"]
    if shape == "ranks":
        return [*numbers(folder), "--posterior", "signed-rank", "-n", "500"]
    if shape == "all pairs":
        return [str(table(folder)), "-m", "accuracy", "--margin", "0.02", "--all-pairs", "--posterior", "auto"]
    return [str(table(folder)), "--cluster", "document", "--posterior", "auto"]


SHAPES = ["texts", "numbers", "ranks", "all pairs", "clusters"]


@pytest.mark.parametrize("shape", first(SHAPES, "numbers", others=pytest.mark.slow))
def test_every_format_draws_posteriors_and_redraws_them(shape: str, tmp_path: Path) -> None:
    arguments = arguments_of(shape, tmp_path)
    saved = tmp_path / "posteriors.json"
    assert outscore("compare", *arguments, "-o", saved, "-q").code == 0
    assert isinstance(package.load(saved), Comparison)
    for name in formats.names():
        direct, again = outscore("compare", *arguments, "-f", name), outscore("show", saved, "-f", name)
        assert (direct.code, again.code) == (0, 0), direct.err + again.err
        # a page of its own has details, too
        assert "P(better)" in again.out if name == "html" else again.out == direct.out


@pytest.mark.parametrize("shape", SHAPES)
def test_the_record_says_model_prior_and_chances(shape: str, tmp_path: Path) -> None:
    found = json.loads(outscore("compare", *arguments_of(shape, tmp_path), "-f", "json").out)
    assert (found["command"], len(found["posteriors"])) == ("compare", len(found["pairs"]))
    assert "posterior_is_no_p" in {note["code"] for note in found["notes"]}
    for pair in found["posteriors"]:
        assert pair["better"] + pair["within"] + pair["worse"] == pytest.approx(1)
        assert len(pair["model"].split()) > 5
        assert len(pair["prior"].split()) > 3
        assert pair["ci"][0] <= pair["mean"] <= pair["ci"][1]
        assert (pair["error"] is None) == (pair["kind"] == "exact")
        likely = [name for name in ("better", "within", "worse") if pair[name] > 0.95]
        assert pair["likely"] == "".join(likely)
        assert set(pair["notes"]) <= {note["code"] for note in found["notes"]}


def test_all_pairs_are_all_pairs(tmp_path: Path) -> None:
    found = json.loads(outscore("compare", *arguments_of("all pairs", tmp_path), "-f", "json").out)
    assert [(p["baseline"], p["system"]) for p in found["posteriors"]] == [("a", "b"), ("a", "c"), ("b", "c")]
    plain = outscore("compare", table(tmp_path), "-m", "accuracy", "--baseline", "c", "--posterior", "auto")
    assert "Posterior against c" in plain.out


def believed(data: Any, **options: Any) -> Comparison:
    """The comparison with posteriors, by default those that suit the data."""
    return package.compare(data, **{"posterior": "auto", **options})


def test_rows_are_flat_and_hold_the_scores() -> None:
    found = believed({"a": [1.0, 0.0, 1.0, 1.0], "b": [1.0, 1.0, 1.0, 0.0]})
    (row,) = found.rows()
    assert all(v is None or isinstance(v, str | int | float) for v in row.values())
    assert (row["posterior_ci_low"], row["posterior_ci_high"]) == found.posteriors[0].ci
    assert (row["baseline_score"], row["system_score"]) == (0.75, 0.75)
    read = list(csv.DictReader(io.StringIO(found.to("csv"))))
    assert float(read[0]["posterior_better"]) == found.posteriors[0].better == pytest.approx(0.5)
    assert not any(
        name.startswith("posterior") for name in package.compare({"a": [1.0, 0.0], "b": [1.0, 1.0]}).rows()[0]
    )


def test_a_saved_result_is_what_it_was(tmp_path: Path) -> None:
    made = believed({"a": [0.1, 0.4, 0.3, 0.9], "b": [0.2, 0.6, 0.3, 0.8]}, margin=0.05)
    path = tmp_path / "r.json"
    path.write_text(made.to_json(), encoding="utf-8")
    assert package.load(path) == made


def test_what_has_no_posterior_is_null_and_said() -> None:
    found = believed({"a": [0.1, 0.2, 0.3], "b": [0.6, 0.7, 0.8]}, posterior="t")
    posterior = json.loads(found.to_json())["posteriors"][0]
    assert (posterior["better"], posterior["ci"], posterior["likely"]) == (None, None, "")
    assert "zero_variance" in posterior["notes"]
    assert "no posterior" in found.sentence
    assert "–" in found.to("terminal")


def test_notes_of_some_pairs_name_them() -> None:
    scores = {"a": [1.0, 0.0, 1.0, 1.0, 0.0], "b": [1.0, 0.0, 1.0, 1.0, 0.0], "c": [0.0, 0.0, 1.0, 0.0, 1.0]}
    said = [
        note.text for note in believed(scores).notes if note.text.startswith("the systems have the same statistics")
    ]
    assert [text.rpartition(" (")[2] for text in said] == ["'b')", "'b' against 'a')"], "of test and posterior"


def posterior_of(found: Comparison) -> Any:
    """The rows of the table of posteriors."""
    return next(table for table in tables_of(found) if table.title.startswith("Posterior")).rows


def test_chances_that_are_not_certain_are_not_printed_as_such() -> None:
    rng = np.random.default_rng(0)
    found = believed({"a": rng.normal(0, 1, 60), "b": rng.normal(5, 1, 60)})
    assert "> 99.9%" in found.sentence
    assert "100%" not in found.sentence
    assert "> .999" in found.to("terminal")
    sampled = believed({"a": rng.normal(0, 1, 60), "b": rng.normal(5, 1, 60)}, posterior="signed-rank")
    assert sampled.posteriors[0].better == 1
    assert "> 99.9%" in sampled.sentence and "100%" not in sampled.sentence
    (row,) = posterior_of(sampled)
    assert (row[1].text, row[2].text) == ("> .999", "< .001")


def test_belief_in_one_number_is_certain() -> None:
    """All differences are the same, so that no draw could be on the other side."""
    found = believed({"a": [0.0] * 20, "b": [0.5] * 20}, posterior="signed-rank")
    (row,) = posterior_of(found)
    ends = found.posteriors[0].ci
    assert ends is not None
    assert (row[1].text == "1") == (ends[0] == ends[1])


@pytest.mark.parametrize("columns", [20, 40, 80])
def test_tables_fit_any_terminal_whatever_the_names(columns: int) -> None:
    hostile = {
        "\x1b[31mb|a&s_e$": [0.1, 0.5, 0.2, 0.4],
        "<b>\n,\"'": [0.3, 0.4, 0.6, 0.4],
        "x" * 60: [0.2, 0.3, 0.3, 0.5],
    }
    found = believed(hostile, margin=0.05, all_pairs=True)
    for name in formats.names():
        text = found.to(f"terminal:columns={columns}" if name == "terminal" else name)
        assert all(c.isprintable() or c == "\n" for c in text)
        if name == "terminal":
            assert max(map(width_of, text.splitlines())) <= columns


def test_many_pairs_are_counted_in_the_sentence() -> None:
    rng = np.random.default_rng(0)
    found = believed({f"s{i}": rng.normal(i > 3, 0.3, 40) for i in range(7)})
    assert "Of 6 systems 3 are better than s0, 0 worse, with a probability above 95%; 3 are" in found.sentence


def test_several_runs_are_held_fixed_and_that_is_said() -> None:
    rng = np.random.default_rng(0)
    found = believed({"a": rng.normal(0, 1, (3, 40)), "b": rng.normal(0.2, 1, (3, 40))})
    assert found.posteriors[0].method == "t"
    assert "runs_fixed" in found.posteriors[0].notes
    assert "single_run" not in {note.code for note in found.notes}


def test_sampling_near_the_level_is_called_unstable() -> None:
    scores = {"a": [0.0] * 12, "b": [0.3, -0.1, 0.2, 0.4, -0.2, 0.5, 0.1, -0.3, 0.2, 0.1, 0.15, -0.25]}
    exact = believed(scores, posterior="t")
    better = believed(scores, posterior="signed-rank").posteriors[0].better
    assert better is not None
    near = believed(scores, posterior="signed-rank", alpha=1 - better, n_resamples=200, seed=3)
    assert "decision_unstable" in near.posteriors[0].notes
    assert "decision_unstable" not in exact.posteriors[0].notes


def test_cores_change_no_number_and_seeds_do(tmp_path: Path) -> None:
    arguments = arguments_of("texts", tmp_path)
    one = outscore("compare", *arguments, "-j", "1", "-f", "csv").out
    assert one == outscore("compare", *arguments, "-j", "2", "-f", "csv").out
    assert one != outscore("compare", *arguments, "--seed", "7", "-f", "csv").out


def test_sources_are_cited(tmp_path: Path) -> None:
    cited = outscore("compare", *texts(tmp_path), "-m", "chrf", "--cite", "-n", "200", "--posterior", "auto").out
    assert "{Bayesian} Bootstrap" in cited
    assert "Popovi" in cited


def test_the_page_of_the_manual_explains_every_method_and_option() -> None:
    page = (Path(__file__).parents[2] / "docs" / "bayes.md").read_text(encoding="utf-8")
    for name, cls in methods:
        assert f"| `{name}` |" in page
        assert all(f"`{option.name}`" in page for option in options_of(cls))


def test_the_help_names_every_method() -> None:
    help_ = outscore("compare", "--help", "-v").out
    assert set(methods.names()) <= set(re.findall(r"[a-z][a-z-]*", re.sub(r"-\s*\n\s*", "-", help_)))


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (["--posterior", "nope"], 2, "unknown method 'nope'"),
        (["--posterior", "t:rho=2"], 2, "t:rho=2"),
        (["--posterior", "dirichlet"], 2, "--posterior t"),
        (["--posterior", "auto", "-n", "10"], 2, "100 draws"),
        (["--posterior", "beta"], 2, "--test fisher"),
        (["--posterior", "t", "--test", "welch"], 2, "use beta, or a test of pairs"),
        (["--posterior", "auto", "--test", "welch"], 2, "use beta, or a test of pairs"),
        (["--posterior", "auto", "--test", "friedman"], 2, "friedman about all at once"),
    ],
)
def test_what_is_wrong_is_one_line(options: list[str], code: int, says: str, tmp_path: Path) -> None:
    done = outscore("compare", *numbers(tmp_path), *options)
    assert (done.code, done.out) == (code, "")
    assert says in done.complaint


def test_the_rope_is_the_margin_of_each_metric(tmp_path: Path) -> None:
    asked = ("-m", "bleu,chrf", "--margin", "bleu=0.5,chrf=1", "--posterior", "auto", "-n", "200")
    done = outscore("compare", *texts(tmp_path), *asked, "-f", "json")
    assert [one["rope"] for one in json.loads(done.out)["posteriors"]] == [0.5, 1.0]


def test_pairs_on_items_of_their_own_have_none(tmp_path: Path) -> None:
    lacking = written(tmp_path / "t.csv", ["system,item,score", "a,1,1", "a,2,0", "b,1,1", "b,2,1", "c,2,0", "c,3,1"])
    done = outscore("compare", lacking, "--missing", "pairwise", "--posterior", "auto")
    assert (done.code, "--posterior needs the same items" in done.complaint) == (2, True)


def test_the_old_name_leads_there() -> None:
    assert "no command 'bayes'; did you mean 'compare --posterior'?" in outscore("bayes", "t.csv").err


def test_systems_with_items_of_their_own_have_two_shares(tmp_path: Path) -> None:
    """45 of 60 against 35 of 62: the first case of the family ``bayes``."""
    rows = [f"new,n{i},{int(i < 45)}" for i in range(60)] + [f"base,b{i},{int(i < 35)}" for i in range(62)]
    path = written(tmp_path / "t.csv", ["system,item,score", *rows])
    done = outscore(
        "compare", path, "-m", "accuracy", "--test", "fisher", "--posterior", "beta", "--baseline", "base", "-f", "json"
    )
    (found,) = json.loads(done.out)["posteriors"]
    assert found["better"] == pytest.approx(0.9839050393217337, rel=1e-8)
    assert found["mean"] == pytest.approx(0.17943548387096775, rel=1e-9)
    assert (found["n_items"], found["effect"]["right"], found["effect"]["baseline_right"]) == (122, 45, 35)
    assert "paired_data" not in found["notes"]


def test_shared_items_are_no_independent_samples(tmp_path: Path) -> None:
    done = outscore(
        "compare", table(tmp_path), "-m", "accuracy", "--test", "fisher", "--posterior", "beta", "-f", "json"
    )
    assert all("paired_data" in pair["notes"] for pair in json.loads(done.out)["posteriors"])
    clustered = outscore(
        "compare", table(tmp_path), "-m", "accuracy", "--test", "fisher", "--posterior", "beta", "--cluster", "document"
    )
    assert (clustered.code, "--cluster none" in clustered.complaint) == (2, True)
    real = outscore("compare", *numbers(tmp_path), "--test", "fisher", "--posterior", "beta")
    assert (real.code, "right or wrong" in real.complaint) == (2, True)
