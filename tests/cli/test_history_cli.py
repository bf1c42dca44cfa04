"""``outscore history`` and the options of ``compare`` that belong to it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commandline import NEW, numbers, outscore, texts, written

FEW = ("-n", "99", "-q")


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """Two uses at one test set, one under each metric, decided by LOND."""
    file = tmp_path / "uses.db"
    done = outscore(
        "compare", *texts(tmp_path), "-m", "bleu,chrf", *FEW, "--history", file, "--correct-history", "lond"
    )
    assert done.code == 0, done.err
    assert "Over all uses of this test set (LOND)" in done.out
    return file


@pytest.mark.parametrize("format_", ["terminal", "markdown", "latex", "json", "csv", "html", "sentence"])
def test_a_history_is_drawn_in_every_format(format_: str, history: Path) -> None:
    done = outscore("history", "--history", history, "-f", format_)
    assert done.code == 0, done.err
    assert "2" in done.out


def test_of_a_long_history_the_last_uses_are_shown_and_all_are_written(
    history: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ("history", "--history", history)
    every = outscore(*asked, "-f", "csv").out.splitlines()[1:]
    assert "The last" not in outscore(*asked).out and len(every) > 1
    monkeypatch.setattr("outscore.results.history._MOST_USES", 1)
    said = outscore(*asked).out
    assert f"The last 1 of {len(every)} uses; -f csv and -f json have all." in said
    assert outscore(*asked, "-f", "csv").out.splitlines()[1:] == every


def test_the_environment_names_the_history(history: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OUTSCORE_HISTORY", str(history))
    assert outscore("compare", *texts(tmp_path), "-m", "ter", *FEW).code == 0
    found = json.loads(outscore("history", "-f", "json").out)
    assert [use["comparison"]["metric"] for use in found["uses"]] == ["bleu", "chrf", "ter"]
    assert "3 comparisons" in outscore("history", "--check").out


def test_other_commands_record_nothing(history: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OUTSCORE_HISTORY", str(history))
    assert outscore("score", *texts(tmp_path), "-m", "bleu", *FEW).code == 0
    assert "2 comparisons" in outscore("history", "--check").out


def test_looks_are_decided_anew(history: Path) -> None:
    done = outscore("history", "--history", history, "--correct-history", "alpha-spending", "--alpha", "0.1")
    assert "by alpha spending" in " ".join(done.out.split())
    assert "0.0437" in done.out  # 0.1 γ_1
    cited = outscore("history", "--history", history, "--correct-history", "lord", "--cite").out
    assert "javanmard-montanari-2018" in cited
    assert "ramdas-et-al-2017" in cited


def test_a_history_is_filtered_by_test_set_and_family(history: Path, tmp_path: Path) -> None:
    outscore("compare", *numbers(tmp_path), *FEW, "--history", history, "--test-set", "mine", "--family", "odd")
    rows = outscore("history", "--history", history, "--test-set", "mine", "-f", "csv").out.splitlines()
    assert len(rows) == 2
    assert ",odd," in rows[1]
    assert len(outscore("history", "--history", history, "--family", "bleu", "-f", "csv").out.splitlines()) == 2
    assert outscore("history", "--history", history, "--test-set", "mien").code == 2


def test_export_and_import_say_how_many(history: Path, tmp_path: Path) -> None:
    text = tmp_path / "uses.jsonl"
    done = outscore("history", "--export", text, "--history", history)
    assert (done.code, done.complaint) == (0, f"wrote 2 comparisons to {text}")
    done = outscore("history", "--history", tmp_path / "other.db", "--import", text)
    assert (done.code, done.complaint) == (0, "added 2 comparisons; 0 had been there")
    assert outscore("history", "--export", history, "--history", history).code == 2


@pytest.mark.parametrize("where", ["test_set", "use"])
@pytest.mark.parametrize("count", [2**63, -1, 10**400])
def test_counts_that_no_history_holds_are_refused_with_their_line(
    where: str, count: int, history: Path, tmp_path: Path
) -> None:
    text = tmp_path / "uses.jsonl"
    outscore("history", "--export", text, "--history", history)
    *first, last = text.read_text(encoding="utf-8").splitlines()
    found = json.loads(last)
    found[where]["n_items"] = count
    text.write_text("\n".join([*first, json.dumps(found)]), encoding="utf-8")
    done = outscore("history", "--history", tmp_path / "other.db", "--import", text)
    assert (done.code, len(done.err.splitlines())) == (3, 1)
    assert "uses.jsonl:3: a number of items or resamples is" in done.err and "out of its range" in done.err


def test_errors_end_with_one_line_and_their_code(history: Path, tmp_path: Path) -> None:
    done = outscore("history")
    assert done.code == 2
    assert "OUTSCORE_HISTORY" in done.err
    assert outscore("history", "--history", tmp_path / "none.db").code == 3
    assert outscore("compare", *texts(tmp_path), "--family", "x").code == 2
    done = outscore("compare", *texts(tmp_path), "--history", history, "--correct-history", "lnod")
    assert done.code == 2
    assert "did you mean 'lond'" in done.complaint
    raw = history.read_bytes()[:3000]
    history.write_bytes(raw)
    for check in ((), ("--check",)):
        done = outscore("history", "--history", history, *check)
        assert done.code == 3
        assert len(done.err.splitlines()) == 1
    done = outscore("compare", *texts(tmp_path), *FEW, "--history", history)
    assert (done.code, done.out) == (3, "")
    assert history.read_bytes() == raw


def test_a_name_from_outside_cannot_break_the_table(tmp_path: Path) -> None:
    file = tmp_path / "h.db"
    base, new = numbers(tmp_path)
    done = outscore(
        "compare", base, new.replace("new=", "\x1b[31mcmd|<b>="), *FEW, "--history", file, "--family", "=1+1|<i>"
    )
    assert done.code == 0, done.err
    for format_ in ("terminal", "markdown", "latex", "csv", "html"):
        text = outscore("history", "--history", file, "-f", format_).out
        assert "\x1b" not in text
        assert "<i>" not in text or format_ in ("terminal", "csv", "latex")
    assert "'=1+1" in outscore("history", "--history", file, "-f", "csv").out


def test_a_board_is_recorded_and_decided(history: Path, tmp_path: Path) -> None:
    third = written(tmp_path / "third.txt", [line.replace("cat", "dog") for line in NEW])
    done = outscore(
        "rank",
        *texts(tmp_path),
        f"third={third}",
        "-m",
        "bleu",
        *("-n", "99", "-v"),
        "--history",
        history,
        "--correct-history",
        "lond",
    )
    assert done.code == 0, done.err
    assert "had been used 2 times before (bleu 1, chrf 1" in " ".join(done.out.split())
    assert "Over all uses of this test set (LOND)" in done.out
    uses = json.loads(outscore("history", "--history", history, "--family", "bleu", "-f", "json").out)["uses"]
    assert [(use["comparison"]["system"], use["comparison"]["baseline"]) for use in uses] == [
        ("new", "base"),
        ("third", "base"),
        ("third", "new"),
    ]


def test_a_board_of_several_sets_is_in_no_history(
    history: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        for file, lines in (("a.seg", ["0", "1", "1"]), ("b.seg", ["1", "1", "0"])):
            written(tmp_path / name / file, lines)
    asked = ("rank", "--sets", str(tmp_path / "[ot]*"), "a.seg", "b.seg", *FEW)
    done = outscore(*asked, "--history", history)
    assert done.code == 2
    assert "of one test set" in done.complaint
    monkeypatch.setenv("OUTSCORE_HISTORY", str(history))
    done = outscore(*asked)
    assert done.code == 0, done.err
    assert "2 comparisons" in outscore("history", "--check").out
    assert outscore("rank", *texts(tmp_path), "-m", "ter", *FEW).code == 0
    assert "3 comparisons" in outscore("history", "--check").out
