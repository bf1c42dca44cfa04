"""``outscore compare`` as a user types it: the forms of input, the options, the output files, the interrupt."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore as library
from outscore.cli.main import find_command
from tests.cli.commandline import (
    BASE,
    NEW,
    REFERENCES,
    environment,
    in_a_process,
    nothing_new,
    numbers,
    outscore,
    texts,
    written,
)

SUFFIXES = {".json": "json", ".csv": "csv", ".md": "markdown", ".tex": "latex", ".txt": "terminal"}
FORMATS = ["terminal", "markdown", "latex", "json", "csv", "sentence"]


def result(*arguments: str | Path, stdin: bytes = b"") -> dict[str, Any]:
    """The JSON result of a call that must succeed."""
    done = outscore("compare", *arguments, "-f", "json", stdin=stdin)
    assert done.code == 0, done.err
    assert done.err == ""
    loaded: dict[str, Any] = json.loads(done.out, parse_constant=lambda name: pytest.fail(f"{name} in the JSON"))
    return loaded


# the forms of the input


def test_texts_with_a_reference_and_three_metrics(tmp_path: Path) -> None:
    found = result(*texts(tmp_path), "-m", "bleu,chrf,ter", "-n", "200")
    assert [(s["system"], s["metric"]) for s in found["scores"]] == [
        (system, metric) for metric in ("bleu", "chrf", "ter") for system in ("base", "new")
    ]
    assert [p["metric"] for p in found["pairs"]] == ["bleu", "chrf", "ter"]
    score = {(s["system"], s["metric"]): s["score"] for s in found["scores"]}
    for pair in found["pairs"]:
        plain = score["new", pair["metric"]] - score["base", pair["metric"]]
        assert pair["gain"] == pytest.approx(-plain if pair["metric"] == "ter" else plain, abs=1e-9)


def test_metrics_can_be_repeated_or_listed_with_options(tmp_path: Path) -> None:
    arguments = texts(tmp_path)
    listed = result(*arguments, "-m", "bleu:tokenize=none,lowercase=true,chrf:word_order=2", "-n", "50")
    repeated = result(*arguments, "-m", "bleu:tokenize=none,lowercase=true", "-m", "chrf:word_order=2", "-n", "50")
    assert (listed["scores"], listed["pairs"]) == (repeated["scores"], repeated["pairs"])
    assert {s["metric"] for s in listed["scores"]} == {"bleu:tokenize=none,lowercase=true", "chrf:word_order=2"}


def test_several_references_are_all_used(tmp_path: Path) -> None:
    one, *systems = texts(tmp_path)[1:]
    other = written(tmp_path / "ref.b.txt", BASE)
    both = result("-r", one, "-r", other, *systems, "-m", "bleu", "-n", "50")
    assert "nrefs:2" in both["scores"][0]["signature"]
    assert both["scores"][0]["score"] == pytest.approx(100)  # the baseline is one of the references
    assert result("-r", one, *systems, "-m", "bleu", "-n", "50")["scores"][0]["score"] < 90


def test_a_pattern_gives_runs_in_natural_order(tmp_path: Path) -> None:
    for run in (1, 2, 10):
        written(tmp_path / f"base.opt{run}.txt", BASE[run:] + BASE[:run])
        written(tmp_path / f"sys1.opt{run}.txt", NEW if run == 2 else REFERENCES)
    reference = written(tmp_path / "ref.txt", REFERENCES)
    found = result("-r", reference, f"base={tmp_path}/base.opt*", f"sys1={tmp_path}/sys1.opt*", "-m", "chrf")
    assert [s["runs"] for s in found["scores"]] == [["opt1", "opt2", "opt10"]] * 2
    assert found["scores"][1]["run_scores"][0] == found["scores"][1]["run_scores"][2] == pytest.approx(100)
    assert found["scores"][1]["median_run"] == "opt1"
    assert found["pairs"][0]["test"] == "crossed"


def test_a_long_table_carries_runs_clusters_domains_and_metrics(tmp_path: Path) -> None:
    rows = [
        f"{system},i{i},{run},d{i // 4},{'news' if i < 20 else 'talk'},{metric},{(i * k + run) % 5 / 4}"
        for k, system in ((2, "base"), (3, "new"))
        for run in (1, 2)
        for i in range(40)
        for metric in ("accuracy", "comet")
    ]
    table = written(tmp_path / "scores.csv", ["system,item,run,cluster,domain,metric,score", *rows])
    found = result(table, "-m", "accuracy", "-m", "comet")
    assert [p["metric"] for p in found["pairs"]] == ["accuracy", "comet"]
    assert found["provenance"]["cluster"] == "cluster"
    assert found["provenance"]["n_clusters"] == 10
    assert {(d["bucket"], d["metric"], d["n_items"]) for d in found["buckets"]} == {
        (domain, metric, 20) for domain in ("news", "talk") for metric in ("accuracy", "comet")
    }
    assert found["scores"][0]["runs"] == ["1", "2"]


def test_one_number_per_line_gives_means(tmp_path: Path) -> None:
    found = result(*numbers(tmp_path))
    assert [s["metric"] for s in found["scores"]] == ["mean", "mean"]
    assert found["scores"][0]["score"] == pytest.approx(np.mean([i % 5 / 4 for i in range(12)]))


def test_gold_and_predicted_labels_give_accuracy_by_id(tmp_path: Path) -> None:
    gold = written(tmp_path / "gold.tsv", ["item\tgold", *(f"q{i}\t{'abc'[i % 3]}" for i in range(12))])
    base = written(tmp_path / "a.tsv", ["item\tprediction", *(f"q{i}\ta" for i in reversed(range(12)))])
    new = written(tmp_path / "b.tsv", ["item\tprediction", *(f"q{i}\t{'abb'[i % 3]}" for i in range(12))])
    found = result(gold, f"base={base}", f"new={new}", "-m", "accuracy")
    assert [s["score"] for s in found["scores"]] == pytest.approx([1 / 3, 2 / 3])
    default = result(gold, f"base={base}", f"new={new}")  # accuracy is the default of labels
    assert (found["scores"], found["pairs"]) == (default["scores"], default["pairs"])
    assert found["pairs"][0]["test"] == "mcnemar"


def test_standard_input_and_gzip_give_the_same_numbers_as_plain_files(tmp_path: Path) -> None:
    _, reference, base, new = texts(tmp_path)
    plain = result("-r", reference, base, new, "-m", "bleu", "-n", "100")
    packed = tmp_path / "new.txt.gz"
    packed.write_bytes(gzip.compress((tmp_path / "new.txt").read_bytes()))
    piped = result(
        "-r",
        reference,
        "base=-",
        f"new={packed}",
        "-m",
        "bleu",
        "-n",
        "100",
        stdin=(tmp_path / "base.txt").read_bytes(),
    )
    for found in (plain, piped):
        del found["provenance"]
    assert plain == piped


def test_standard_input_reaches_a_process(tmp_path: Path) -> None:
    base, _ = numbers(tmp_path)
    done = in_a_process("compare", base, "new=-", "-f", "json", stdin="".join(f"{i % 2}\n" for i in range(12)).encode())
    assert done.code == 0, done.err
    assert json.loads(done.out)["scores"][1]["score"] == 0.5


def test_a_bare_file_is_named_after_its_stem(tmp_path: Path) -> None:
    numbers(tmp_path)
    found = result(tmp_path / "new.seg", tmp_path / "base.seg")
    assert (found["baseline"], found["pairs"][0]["system"]) == ("new", "base")


def test_the_baseline_option_overrides_the_order(tmp_path: Path) -> None:
    arguments = numbers(tmp_path)
    found, other = result(*arguments), result(*arguments, "--baseline", "new")
    assert (other["baseline"], other["pairs"][0]["system"]) == ("new", "base")
    assert other["pairs"][0]["gain"] == -found["pairs"][0]["gain"]
    assert other["pairs"][0]["p_value"] == found["pairs"][0]["p_value"]


def test_items_describe_lines_by_position(tmp_path: Path) -> None:
    arguments = numbers(tmp_path, 40)
    items = written(tmp_path / "items.tsv", ["document\tdomain", *(f"d{i // 5}\tx" for i in range(40))])
    found = result(*arguments, "--items", items, "--cluster", "document")
    assert found["provenance"]["n_clusters"] == 8
    assert found["pairs"][0]["effect"]["n_clusters"] == 8
    assert result(*arguments, "--items", items, "--cluster", "none")["provenance"]["n_clusters"] is None


def test_missing_drop_leaves_an_item_out_of_all_systems_and_says_so(tmp_path: Path) -> None:
    base = written(tmp_path / "base.seg", ["1", "nan", "0", "1", "1", "0"])
    new = written(tmp_path / "new.seg", ["1", "1", "0", "1", "0", "nan"])
    assert outscore("compare", f"base={base}", f"new={new}").code == 3
    found = result(f"base={base}", f"new={new}", "--missing", "drop")
    assert found["pairs"][0]["n_items"] == 4
    assert sorted(found["provenance"]["dropped"]) == ["2", "6"]
    assert "dropped_items" in {n["code"] for n in found["notes"]}


# where the result goes


@pytest.mark.parametrize(("suffix", "format_"), SUFFIXES.items())
def test_the_suffix_of_the_output_file_chooses_the_format(suffix: str, format_: str, tmp_path: Path) -> None:
    target = tmp_path / f"result{suffix}"
    done = outscore("compare", *numbers(tmp_path), "-o", target)
    assert (done.code, done.out) == (0, "")
    assert done.err == f"wrote {target}\n"
    direct = outscore("compare", *numbers(tmp_path), "-f", format_)
    assert target.read_text(encoding="utf-8") == direct.out
    assert not list(tmp_path.glob(".*")), "a part was left behind"


def test_the_format_option_wins_over_the_suffix(tmp_path: Path) -> None:
    target = tmp_path / "result.txt"
    assert outscore("compare", *numbers(tmp_path), "-o", target, "-f", "json", "-q").code == 0
    assert json.loads(target.read_text(encoding="utf-8"))["command"] == "compare"


def test_an_output_file_is_replaced_whole(tmp_path: Path) -> None:
    target = written(tmp_path / "result.json", ["something longer than a result"] * 900)
    outscore("compare", *numbers(tmp_path), "-o", target, "-q")
    assert json.loads(target.read_text(encoding="utf-8"))["schema_version"] == 2


def test_quiet_says_nothing_on_stderr(tmp_path: Path) -> None:
    done = outscore("compare", *numbers(tmp_path), "-o", tmp_path / "r.json", "-q")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_a_result_on_stdout_leaves_stderr_empty(tmp_path: Path) -> None:
    done = in_a_process("compare", *texts(tmp_path), "-m", "bleu,chrf,ter", "-n", "100")
    assert done.code == 0
    assert done.err == ""
    assert "\x1b" not in done.out


def test_decimals_are_those_asked_for(tmp_path: Path) -> None:
    arguments = texts(tmp_path)
    score = result(*arguments, "-m", "bleu")["scores"][0]["score"]
    for places in (0, 3, 7):
        out = outscore("compare", *arguments, "-m", "bleu", "--decimals", str(places), "-f", "markdown").out
        assert re.search(rf"(?<![\d.]){re.escape(f'{score:.{places}f}')}(?![\d.])", out), places


def test_cite_adds_bibtex_for_what_was_used(tmp_path: Path) -> None:
    plain = outscore("compare", *texts(tmp_path), "-m", "bleu", "-n", "100")
    cited = outscore("compare", *texts(tmp_path), "-m", "bleu", "-n", "100", "--cite")
    assert cited.out.startswith(plain.out)
    entries = re.findall(r"^@\w+\{", cited.out, re.M)
    assert len(entries) >= 2
    assert "Papineni" in cited.out
    assert "Popovi" not in cited.out  # chrF was not used


@pytest.mark.parametrize("format_", ["json", "csv"])
def test_cite_keeps_machine_readable_output_whole(format_: str, tmp_path: Path) -> None:
    plain = outscore("compare", *numbers(tmp_path), "-f", format_)
    cited = outscore("compare", *numbers(tmp_path), "-f", format_, "--cite")
    assert cited.out == plain.out
    assert "@" in cited.err


def test_csv_has_a_row_for_each_pair(tmp_path: Path) -> None:
    out = outscore("compare", *texts(tmp_path), "-m", "bleu,chrf", "-n", "100", "-f", "csv").out
    rows = list(csv.DictReader(io.StringIO(out)))
    found = result(*texts(tmp_path), "-m", "bleu,chrf", "-n", "100")
    assert [row["metric"] for row in rows] == ["bleu", "chrf"]
    assert [float(row["p_value"]) for row in rows] == [p["p_value"] for p in found["pairs"]]


@pytest.mark.parametrize("flag", ["-V", "--version"])
def test_version(flag: str) -> None:
    done = outscore(flag)
    assert (done.code, done.err) == (0, "")
    assert library.__version__ in done.out


def test_help_shows_every_default_and_an_example() -> None:
    done = outscore("compare", "--help", "-v")
    assert (done.code, done.err) == (0, "")
    assert "outscore compare -r ref.txt" in done.out
    options = done.out.partition("Examples:")[0].split("\n  -")
    for parameter in find_command("compare").params:
        if parameter.param_type_name != "option" or getattr(parameter, "is_flag", False) or parameter.name == "help":
            continue
        names = max(parameter.opts, key=len)
        about = next(one for one in options if names in f"-{one}".partition("  ")[0].replace(",", "").split())
        default = parameter.default
        if isinstance(default, str | int | float) and not isinstance(default, bool):
            assert f"{default}" in about, f"{names} does not show its default {default!r}: {about}"


@pytest.mark.parametrize(
    "arguments", [[], ["-h"], ["--help"], ["compare"], ["compare", "-h"], ["show", "-h"], ["demo", "-h"]]
)
def test_help_is_given_without_computing(arguments: list[str]) -> None:
    done = outscore(*arguments)
    assert done.code in ((0,) if arguments and arguments[-1].startswith("-") else (0, 2))
    assert "Usage: outscore" in done.out + done.err


# the resampling


def test_seed_0_is_a_seed_and_another_seed_gives_other_numbers(tmp_path: Path) -> None:
    drawn = ["-n", "300", "--test", "randomization:exact=never", "--interval", "bca"]
    arguments = [*texts(tmp_path), "-m", "bleu", *drawn]
    zero, again, one = (result(*arguments, "--seed", s) for s in ("0", "0", "1"))
    assert zero == again
    assert (zero["seed"], one["seed"]) == (0, 1)
    assert zero["scores"][0]["ci"] != one["scores"][0]["ci"]


def test_the_default_seed_is_12345(tmp_path: Path) -> None:
    arguments = [*texts(tmp_path), "-m", "bleu", "-n", "300"]
    plain, seeded = result(*arguments), result(*arguments, "--seed", "12345")
    assert seeded["provenance"].pop("command_line") != plain["provenance"].pop("command_line")
    assert plain == seeded


@pytest.mark.parametrize("test", ["auto", "bootstrap", "randomization:exact=never", "multeval"])
def test_two_jobs_give_the_same_bytes_as_one(test: str, tmp_path: Path) -> None:
    arguments = [*texts(tmp_path), "-m", "bleu,chrf", "-n", "3000", "--test", test, "-f", "json"]
    one, two = (outscore("compare", *arguments, "-j", jobs) for jobs in ("1", "2"))
    assert one.code == 0
    assert one.out == two.out


def test_n_sets_the_resamples_and_the_smallest_p(tmp_path: Path) -> None:
    base, new = (a.partition("=")[2] for a in numbers(tmp_path, 200))
    written(Path(new), [str(i % 5 / 4 + 0.01 * (i % 3 + 1)) for i in range(200)])
    arguments = [f"base={base}", f"new={new}", "--test", "bootstrap:exact=never", "-n", "99"]
    found = result(*arguments, "--engine", "iid")["pairs"][0]
    assert (found["n_resamples"], found["p_value"], found["p_min"]) == (99, 0.01, 0.01)
    cyclic = result(*arguments)["pairs"][0]  # twenty blocks of five
    assert cyclic["n_resamples"] == 20 * 5
    assert cyclic["p_value"] == cyclic["p_min"] == 1 / 101


@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_one_sided_alternatives_are_about_the_gain(alternative: str, tmp_path: Path) -> None:
    base = written(tmp_path / "base.seg", ["0"] * 12)
    new = written(tmp_path / "new.seg", ["1"] * 9 + ["0"] * 3)
    found = result(f"base={base}", f"new={new}", "--alternative", alternative, "--test", "randomization")["pairs"][0]
    assert found["p_value"] == (2**-9 if alternative == "greater" else 1)


def test_both_p_values_are_given_and_none_leaves_them_alone(tmp_path: Path) -> None:
    arguments = [*texts(tmp_path), "-m", "bleu,chrf,ter", "-n", "200"]
    for name, factor in (("none", 1), ("bonferroni", 3)):
        for pair in result(*arguments, "--correct", name)["pairs"]:
            assert pair["p_adjusted"] == pytest.approx(min(1, factor * pair["p_value"]))


def test_alpha_sets_the_level_of_the_intervals(tmp_path: Path) -> None:
    arguments = numbers(tmp_path, 60)
    wide, narrow = (result(*arguments, "--alpha", a)["pairs"][0]["ci"] for a in ("0.01", "0.2"))
    assert wide[0] < narrow[0] < narrow[1] < wide[1]


# the saved result

CONTRACT = {
    "scores": {"system", "metric", "signature", "score", "ci", "run_scores", "s_sel", "s_test", "median_run"},
    "pairs": {
        *("system", "baseline", "metric", "gain", "ci", "test", "null", "alternative", "p_value", "p_kind", "p_error"),
        *("p_min", "p_adjusted", "n_items", "n_resamples", "effect", "notes"),
    },
    "notes": {"code", "text", "remedy"},
}


def test_the_saved_result_keeps_its_public_contract(tmp_path: Path) -> None:
    target = tmp_path / "result.json"
    outscore("compare", *texts(tmp_path), "-m", "bleu,ter", "-n", "100", "-o", target, "-q")
    text = target.read_text(encoding="utf-8")
    found = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} in the JSON"))
    assert (found["schema_version"], found["command"]) == (2, "compare")
    assert (found["baseline"], found["seed"]) == ("base", 12345)
    assert isinstance(found["provenance"], dict)
    for part, keys in CONTRACT.items():
        assert found[part], part
        for record in found[part]:
            assert keys <= record.keys(), keys - record.keys()
    codes = {note["code"] for note in found["notes"]}
    for pair in found["pairs"]:
        assert pair["p_kind"] in ("exact", "monte-carlo", "asymptotic")
        assert len(pair["ci"]) == 2
        assert isinstance(pair["effect"], dict)
        assert set(pair["notes"]) <= codes


def test_undefined_numbers_are_null(tmp_path: Path) -> None:
    base, new = written(tmp_path / "a.seg", ["2"]), written(tmp_path / "b.seg", ["3"])
    found = result(f"a={base}", f"b={new}", "--test", "t")
    assert found["pairs"][0]["p_value"] is None
    assert found["scores"][0]["ci"] is None
    assert found["scores"][0]["s_sel"] is None
    constant = result(
        f"a={written(tmp_path / 'c.seg', ['1'] * 9)}", f"b={written(tmp_path / 'd.seg', ['2'] * 9)}", "--test", "t"
    )
    assert constant["pairs"][0]["statistic"] is None  # infinite


def test_the_command_that_made_a_result_is_kept_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts(tmp_path)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "the new.txt").write_bytes((tmp_path / "new.txt").read_bytes())
    asked = ("compare", "-r", "ref.txt", "-mbleu", "base.txt", "x=the new.txt", "--resamples=50", "--all-pairs")
    made = "outscore compare --reference ref.txt --metric bleu --resamples 50 --all-pairs base.txt 'x=the new.txt'"
    direct = outscore(*asked, "-f", "json")
    assert json.loads(direct.out)["provenance"]["command_line"] == made
    assert outscore(*asked, "-qo", "r.json", "-o", "r.md", "-j", "1").code == 0
    assert Path("r.json").read_text(encoding="utf-8") == direct.out, "what changes no number is no part of it"
    assert outscore("show", "r.json", "-f", "json").out == direct.out
    assert "outscore compare --reference ref.txt" in outscore("show", "r.json", "-f", "html").out
    again = outscore(*shlex.split(made)[1:], "-f", "json")
    assert again.out == direct.out
    from_python = library.compare({"base": [1.0, 2.0], "new": [2.0, 2.0]}, n_resamples=9)
    assert from_python.provenance.command_line == ""


def test_the_provenance_names_and_digests_every_input(tmp_path: Path) -> None:
    import hashlib

    found = result(*texts(tmp_path), "-m", "bleu", "-n", "50")["provenance"]
    assert found["version"] == library.__version__
    assert {Path(i["file"]).name for i in found["inputs"]} == {"ref.txt", "base.txt", "new.txt"}
    for source in found["inputs"]:
        assert source["sha256"] == hashlib.sha256(Path(source["file"]).read_bytes()).hexdigest()
        assert source["n_items"] == 60


@pytest.mark.slow
def test_nothing_of_the_place_or_the_time_is_in_the_result(tmp_path: Path) -> None:
    """The same files give the same bytes another day in another process."""
    texts(tmp_path)
    arguments = ("compare", "-r", "ref.txt", "base.txt", "new.txt", "-m", "bleu", "-n", "100", "-f", "json")
    first, second = (in_a_process(*arguments, cwd=tmp_path, env={"PYTHONHASHSEED": h}) for h in ("1", "2"))
    assert first.code == 0
    assert first.out == second.out


def test_the_family_of_a_comparison_is_every_system_and_metric(tmp_path: Path) -> None:
    third = written(tmp_path / "third.txt", REFERENCES)
    found = result(*texts(tmp_path), f"third={third}", "-m", "bleu,chrf", "-n", "200", "--correct", "bonferroni")
    assert [(p["system"], p["metric"]) for p in found["pairs"]] == [
        (s, m) for m in ("bleu", "chrf") for s in ("new", "third")
    ]
    for pair in found["pairs"]:
        assert pair["p_adjusted"] == pytest.approx(min(1, 4 * pair["p_value"]))


# the interrupt


def interrupted(arguments: list[str], *, after: float) -> tuple[int, str, str]:
    """Starts a process, sends it SIGINT once it has worked for ``after`` seconds of its own time."""
    process = subprocess.Popen(
        [sys.executable, "-m", "outscore", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    try:
        stat = Path(f"/proc/{process.pid}/stat")
        tick = os.sysconf("SC_CLK_TCK")
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
            if (int(fields[11]) + int(fields[12])) / tick >= after:
                break
            time.sleep(0.02)
        assert process.poll() is None, "it ended before it could be interrupted"
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
    return process.returncode, out.decode(), err.decode()


def long_work(folder: Path) -> list[str]:
    """A comparison of minutes."""
    base, new = (a.partition("=")[2] for a in numbers(folder, 3000))
    return [
        "compare",
        f"base={base}",
        f"new={new}",
        "-m",
        "mean",
        "--test",
        "bootstrap:exact=never",
        "-n",
        "20000000",
        "--engine",
        "iid",
    ]


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the CPU time of the process from /proc")
def test_an_interrupt_keeps_what_was_done(tmp_path: Path) -> None:
    target = tmp_path / "result.json"
    arguments = long_work(tmp_path)
    code, out, err = interrupted([*arguments, "-o", str(target)], after=2.5)
    assert code == 130, err
    assert out == ""
    assert "Traceback" not in err
    assert err.splitlines()[-1] == "outscore: interrupted"
    found = json.loads(target.read_text(encoding="utf-8"))
    assert "interrupted" in {note["code"] for note in found["notes"]}
    assert 0 < found["pairs"][0]["n_resamples"] < 20_000_000
    assert found["pairs"][0]["p_value"] >= 1 / (found["pairs"][0]["n_resamples"] + 1)
    assert not list(tmp_path.glob(".*"))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the CPU time of the process from /proc")
@pytest.mark.parametrize("after", [0.1, 0.3])  # before that it may be Python's own start-up, which can lose it
def test_an_interrupt_before_the_work_ends_cleanly(after: float, tmp_path: Path) -> None:
    """At whatever moment: no half-written file, and the exit code of an interrupt (or of Python's own start-up)."""
    arguments = long_work(tmp_path)
    with nothing_new(tmp_path):
        code, out, err = interrupted([*arguments, "-o", str(tmp_path / "none.json")], after=after)
        if (tmp_path / "none.json").exists():
            assert "interrupted" in (tmp_path / "none.json").read_text(encoding="utf-8")
            (tmp_path / "none.json").unlink()
    assert code in (130, -signal.SIGINT), err
    assert out == ""


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_an_interrupt_while_a_finished_command_tidies_up_is_not_heard() -> None:
    """At exit libraries wait for their workers, and Ctrl-C there showed the traceback of whatever it met."""
    code = """
import atexit, sys, time
from outscore.cli.main import main
atexit.register(lambda: (print("tidying", file=sys.stderr, flush=True), time.sleep(1)))
sys.argv = ["outscore", "--version"]
main()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    )
    assert process.stderr is not None
    assert process.stderr.readline() == b"tidying\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (0, b"")
    assert out.startswith(b"outscore")


def test_a_reader_that_leaves_early_is_no_error(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "outscore", "compare", *texts(tmp_path), "-m", "bleu,chrf", "-f", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    err = process.stderr.read().decode()
    assert process.wait(timeout=60) == 0
    assert err == ""
    process.stderr.close()


@pytest.mark.parametrize("format_", ["latex", "markdown"])
def test_a_quiet_table_has_nothing_around_it(format_: str, tmp_path: Path) -> None:
    """Its caption and its rows: no notes, no sentences, no options, no other tables."""
    arguments = ("compare", *numbers(tmp_path), "-n", "100", "-f", format_)
    done, whole = outscore(*arguments, "-q"), outscore(*arguments)
    assert (done.code, done.err) == (0, "")
    assert done.out.count("Scores, and gains over") == 1
    kept = [line for line in done.out.splitlines() if line.strip()]
    if format_ == "latex":
        assert [kept[0], kept[-1]] == [r"% \usepackage{booktabs}", r"\end{table*}"]
        assert kept.count(r"\begin{table*}[t]") == 1 and r"\par" not in done.out
        # what \input prints ends with the last table
        _, *after = whole.out.rsplit(r"\end{table", 1)[1].split("\n")
        assert any(line.startswith("% For the text:") for line in after) and all(
            line.startswith("%") for line in after if line
        )
    else:
        assert all(line.startswith("|") for line in kept[1:])
        assert "Options:" not in done.out and "Options:" in whole.out


def test_a_column_of_tasks_that_no_option_names_is_told_with_the_option(tmp_path: Path) -> None:
    """Its items are pooled by their numbers; where there is one task, or one for each item, nothing is told."""
    for column in ("task", "dataset", "subset"):
        rows = [f"q{i},{'large' if i < 30 else 'small'},{i % 2},{i % 3 == 0:d}" for i in range(40)]
        table = written(tmp_path / "several.csv", [f"item,{column},a,b", *rows])
        for verb, option in (("compare", "--by"), ("score", "--by"), ("rank", "--blocks")):
            said = f"- items of 2 values of '{column}' are pooled; {option} {column} tells them apart\n"
            assert said in outscore(verb, table, "-m", "accuracy", "-n", "50").out
            for more in ((option, column), ("--cluster", column), ("-m", f"suite:task={column}")):
                assert "are pooled" not in outscore(verb, table, "-m", "accuracy", "-n", "50", *more).out
    alone = written(tmp_path / "alone.csv", ["item,task,a,b", *(f"q{i},t{i},{i % 2},{i % 3 == 0:d}" for i in range(9))])
    assert "are pooled" not in outscore("compare", alone, "-m", "accuracy").out
