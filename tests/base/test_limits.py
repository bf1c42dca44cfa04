"""What asks for far too much is refused before it is done, with the option that allows it."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import itertools
import lzma
import sqlite3
import threading
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace

import pytest

import outscore as package
from outscore.base import limits
from outscore.base.errors import InputError, MissingExtra, OutscoreError, UsageError
from outscore.engine.runtime import Runtime
from tests.cli.commandline import outscore

SCORES = ("0.5", "0.7", "0.1", "0.9") * 5


@pytest.fixture
def scores(tmp_path: Path) -> list[Path]:
    files = [tmp_path / "a.txt", tmp_path / "b.txt"]
    files[0].write_text("\n".join(SCORES) + "\n", encoding="utf-8")
    files[1].write_text("\n".join(reversed(SCORES)) + "\n", encoding="utf-8")
    return files


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)])
def test_a_bomb_is_refused_while_it_is_unpacked(
    suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # the smallest size at which a file is looked at is smaller here, as packing takes long
    monkeypatch.setattr(limits, "_UNPACKED_FREE", 100_000)
    bomb = tmp_path / f"bomb.txt{suffix}"
    bomb.write_bytes(pack(b"0.5\n" * 100_000))
    done = outscore("score", bomb)
    assert (done.code, done.out) == (3, "")
    assert done.complaint.startswith(f"outscore: error: {bomb}: unpacks to more than ")
    assert done.complaint.endswith("allow it with --limit unpacked=BYTES")
    assert outscore("score", bomb, "--limit", "unpacked=5e5").code == 0


def test_text_is_unpacked_however_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_UNPACKED_FREE", 10_000)
    text = tmp_path / "scores.txt.gz"
    text.write_bytes(gzip.compress("".join(f"{i % 97 / 97:.4f}\n" for i in range(20_000)).encode()))
    assert outscore("score", text).code == 0


def test_resamples_without_end_are_refused_and_allowed_by_name(scores: list[Path]) -> None:
    done = outscore("compare", *scores, "-n", "100000001")
    assert done.code == 2
    assert done.complaint == (
        "outscore: error: n_resamples=100000001: expected 100,000,000 or fewer: BLEU of 3,000 items takes some "
        "1 minute and 2 GB for each pair; --limit resamples=1.1e+08 allows more"
    )
    with pytest.raises(UsageError, match="expected 100,000,000 or fewer"):
        package.compare({"A": [1, 2, 3], "B": [2, 3, 5]}, n_resamples=10**9)
    # drawn by no test here, so that it costs nothing
    assert outscore("compare", *scores, "--test", "t", "-n", "100000001", "--limit", "resamples=1.1e8").code == 0


def test_counts_beyond_their_limits_are_refused_and_allowed(tmp_path: Path) -> None:
    rows = "".join(f"s{i},q{k},{(i * k) % 3}\n" for i in range(6) for k in range(9))
    table = tmp_path / "table.csv"
    table.write_text(f"system,item,score\n{rows}", encoding="utf-8")
    texts = tmp_path / "texts.txt"
    texts.write_text("a b c d\n" * 9, encoding="utf-8")
    calls: dict[str, tuple[int, list[str | Path]]] = {
        "pairs": (14, ["compare", table, "--all-pairs", "--test", "t"]),
        "systems": (5, ["score", table]),
        "columns": (2, ["score", table]),
        "line": (6, ["score", texts, "-r", texts, "-m", "bleu"]),
        "words": (15, ["score", texts, "-r", texts, "-m", "ter"]),
    }
    for name, (most, call) in calls.items():
        done = outscore(*call, "--limit", f"{name}={most}")
        assert done.code == 3, (name, done.err)
        assert f"{limits.LIMITS[name][1]}, expected {most} or fewer; if it is what you expect" in done.complaint, name
        assert outscore(*call, "--limit", f"{name}={most + 1}").code == 0, name
    assert outscore("compare", table, "--all-pairs", "--test", "welch", "--limit", "pairs=14").code == 3


def test_test_sets_without_end_are_refused_before_the_first() -> None:
    fake = ("power", "fake:p10=0.1,p01=0.05", "--jobs", "1", "--limit", "memory=1e9")
    known = ("power", "mcnemar:p10=0.1,p01=0.05", "--limit", "memory=1e9")
    refused: dict[str, tuple[str, ...]] = {
        "simulated test sets of 1,000,000,000 items would hold 200.0 GB": (*fake, "--sizes", "1000000000"),
        "1,000,000,000 simulated test sets of each size would hold 40.0 GB": (
            *(*fake, "--sizes", "100", "--simulations", "1000000000"),
        ),
        "law of 1,000,000,000,000,000 items would hold ": (*known, "--sizes", "1000000000000000"),
    }
    for said, call in refused.items():
        done = outscore(*call)
        assert done.code == 3, done.err
        assert said in done.complaint
        assert "or allow it with --limit memory=" in done.complaint
    assert outscore(*fake, "--sizes", "100", "--simulations", "50").code == 0


def test_simulated_test_sets_that_would_take_weeks_stop_when_that_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outscore.jobs.tasks._UNSURE", 0.0)
    said = "the 1,000 simulated test sets of each size would take about"
    with limits.raise_to(["hours=1e-9"]), pytest.raises(limits.TooMuchError, match=said):
        package.plan("fake:p10=0.1,p01=0.05", sizes=[100], simulations=1000, jobs=1)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            ("sequential", "--orders"),
            "'--orders': 1000000000: expected 100,000,000 or fewer; --limit",
        ),
        (
            ("study", "ties", "--rounds"),
            "expected 100,000,000 or fewer; --limit resamples=1e+09 allows more",
        ),
        (
            ("study", "ppv", "--limit", "resamples=1e10,memory=1e6", "--rounds"),
            "5,000 cells would hold 0.0 GB",
        ),
    ],
)
def test_rounds_without_end_are_refused_before_the_first(call: tuple[str, ...], said: str, scores: list[Path]) -> None:
    done = outscore(*call, "1000000000", *(scores if call[0] == "sequential" else ()))
    assert done.code in (2, 3), done.err
    assert said in " ".join(done.err.split())


def test_cells_that_would_take_weeks_stop_when_that_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outscore.jobs.tasks._UNSURE", 0.0)
    with limits.raise_to(["hours=1e-9"]), pytest.raises(limits.TooMuchError, match="cells would take about"):
        package.study("ties", sizes="5,10", rounds=20, jobs=1)


def test_pairs_beyond_their_limit_are_refused_before_anything_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outscore.verbs.compare.run.Measurements", None)
    scores = {f"s{i}": [1, 2, i % 3] for i in range(6)}
    with limits.raise_to(["pairs=14"]), pytest.raises(InputError, match="6 systems: 15 pairs of systems"):
        package.compare(scores, all_pairs=True)


def test_words_count_as_each_metric_takes_them(tmp_path: Path) -> None:
    texts = tmp_path / "texts.txt"
    texts.write_text("a-b-c-d-e-f-g h-i-j\n" * 9, encoding="utf-8")
    # ROUGE has ten words; WER has one blank and 64 words at once, CER has 19 characters
    for metric, needed in {"rougeL": 100, "wer": 1 / 64, "cer": 19 * 19 / 64}.items():
        call: list[str | Path] = ["score", texts, "-r", texts, "-m", metric, "--limit"]
        done = outscore(*call, f"words={needed * 0.99}")
        assert (done.code, "words of its reference, where a metric" in done.complaint) == (3, True), metric
        assert outscore(*call, f"words={needed}").code == 0, metric


def test_more_jobs_than_a_machine_has_are_refused(scores: list[Path]) -> None:
    done = outscore("compare", *scores, "-j", "99999999999999999999")
    assert (done.code, done.complaint) == (2, "outscore: error: jobs=99999999999999999999: expected 1,000 or fewer")


def test_a_query_without_end_ends(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    with contextlib.closing(sqlite3.connect(file)) as connection:
        endless = "with recursive c(x) as (select 1 union all select x + 1 from c)"
        connection.execute(f"create view scores as {endless} select count(*) as score from c")
    done = outscore("score", file, "--limit", "seconds=0.01")
    assert (done.code, done.out) == (3, "")
    assert "SQLite says: interrupted" in done.complaint


def test_a_query_of_duckdb_without_end_ends(tmp_path: Path) -> None:
    duckdb = pytest.importorskip("duckdb")
    file = tmp_path / "x.duckdb"
    with duckdb.connect(str(file)) as connection:
        connection.execute(
            "create view scores as select sum(i * j) as score from range(10000000) t(i), range(100000) u(j)"
        )
    done = outscore("score", file, "--limit", "seconds=0.1")
    assert (done.code, done.out) == (3, "")
    assert "DuckDB says: INTERRUPT Error: Interrupted!" in done.complaint


def test_limits_end_with_their_command(scores: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(limits.VARIABLE, raising=False)
    assert outscore("compare", *scores, "--limit=resamples=1e9", "-n", "100").code == 0
    assert limits.allowed("resamples") == 1e8
    monkeypatch.setenv(limits.VARIABLE, "resamples=1e9")
    assert limits.allowed("resamples") == 1e9
    with limits.raise_to(["resamples=2e9,hours=3"]):
        assert (limits.allowed("resamples"), limits.allowed("hours")) == (2e9, 3)
    assert limits.allowed("resamples") == 1e9


@pytest.mark.parametrize("wrong", ["days=3", "hours", "hours=", "hours=x", "hours=-1", "hours=nan", ""])
def test_a_limit_that_is_none_is_named(wrong: str, scores: list[Path]) -> None:
    done = outscore("compare", *scores, "--limit", wrong)
    assert done.code == 2
    assert "expected NAME=NUMBER, where NAME is one of resamples (" in done.complaint
    assert outscore("compare", *scores).code == 0, "it was forgotten"


def test_work_that_would_take_weeks_stops_when_that_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outscore.engine.runtime._UNSURE", 0.0)
    done: list[int] = []
    with (
        limits.raise_to(["hours=1e-9"]),
        pytest.raises(limits.TooMuchError, match="the work would take about"),
    ):
        list(Runtime().run("work", done.append, range(1000), [1] * 1000))
    assert len(done) == 1
    assert len(list(Runtime().run("work", done.append, range(10), [1] * 10))) == 10


def test_hours_are_those_of_the_whole_of_which_this_work_is_a_part(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = itertools.count(0, 10)  # ten seconds for each part
    monkeypatch.setattr("outscore.engine.runtime.time", SimpleNamespace(monotonic=lambda: next(clock)))
    with limits.raise_to(["hours=1"]), pytest.raises(limits.TooMuchError, match=r"about 2\.78 hours"):
        list(Runtime().run("work", abs, [1, 2], [1, 1], total=1000))


def test_resamples_that_do_not_fit_are_refused_after_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np

    from outscore.engine.weights import ATOM

    blocks: list[range] = []

    def task(atoms: range) -> np.ndarray:
        blocks.append(atoms)
        return np.zeros((len(atoms) * ATOM, 100))

    with (
        limits.raise_to(["memory=1e6"]),
        pytest.raises(limits.TooMuchError, match='of them, or allow it with OUTSCORE_LIMIT="memory='),
    ):
        Runtime().resample("bootstrap", task, 100_000, 1000)
    assert len(blocks) == 1
    monkeypatch.setattr(limits, "_memory", lambda: 0.0)
    values, stopped = Runtime().resample("bootstrap", task, 1000, 1000)
    assert (len(values), stopped) == (1000, False)


def _nested(path: Path, depth: int) -> Path:
    inner = '{"a":[' * (depth // 2) + "]}" * (depth // 2)
    rows = ",".join(
        f'{{"system":"{s}","item":"{i}","score":{i + len(s)},"x":{inner}}}' for s in ("A", "BB") for i in (1, 2)
    )
    path.write_text(f"[{rows}]", encoding="utf-8")
    return path


def test_brackets_are_read_as_deep_as_is_said_and_no_deeper(tmp_path: Path) -> None:
    files = {depth: _nested(tmp_path / f"{depth}.json", depth) for depth in (998, 1300, 1998, 2300)}
    assert outscore("score", files[998]).code == 0
    done = outscore("score", files[1300])
    assert done.code == 3
    assert done.complaint.endswith(
        "(too deeply nested); give the file as the program wrote it, or allow it with --limit depth=2e+03"
    )
    assert outscore("score", files[1998], "--limit", "depth=2e3").code == 0
    done = outscore("score", files[2300], "--limit", "depth=2000")
    assert done.code == 3
    assert done.complaint.endswith("(too deeply nested); give the file as the program wrote it")
    for number in ("999", "2001", "1e9"):
        assert "expected 1000 to 2000" in outscore("score", files[998], "--limit", f"depth={number}").complaint


def test_the_deepest_brackets_fit_a_stack_of_half_a_megabyte(tmp_path: Path) -> None:
    file = str(_nested(tmp_path / "deep.json", 1998))
    before, codes = threading.stack_size(512 * 1024), []
    try:
        worker = threading.Thread(target=lambda: codes.append(outscore("score", file, "--limit", "depth=2000").code))
        worker.start()
        worker.join()
    finally:
        threading.stack_size(before)
    assert codes == [0]


def test_numbers_that_a_float_does_not_hold_are_refused(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    table.write_text("system,item,score\nA,1,9007199254740993\nA,2,5\nB,1,9007199254740992\nB,2,6\n", encoding="utf-8")
    done = outscore("compare", table)
    assert done.code == 3
    assert done.complaint.startswith(f"outscore: error: {table}:2: column 'score' holds '9007199254740993'")
    for cells in ([2**53 + 1, 1], [1, 10**400]):
        with pytest.raises(InputError, match="expected a number"):
            package.compare({"A": cells, "B": [1, 2]})


@pytest.mark.parametrize(
    ("shift", "scale", "said"),
    [
        ("1000000000000000", 1, "it has more digits than a number holds, which would be 1000000000000000.4"),
        ("9007199254740992", 1, "it has more digits than a number holds, which would be 9007199254740992:"),
        ("10000000000", 1, "holds numbers of a size of 1e+10 that differ by 0.8 at most: too few of their digits"),
        ("1", 1e-12, "holds numbers of a size of 1 that differ by 8e-13 at most: too few of their digits"),
        ("1000000", 1, ""),
        ("1", 1e-16, ""),  # the noise of sums that are 1: ties
    ],
)
def test_differences_that_are_lost_beside_large_scores_are_refused(
    shift: str, scale: float, said: str, tmp_path: Path
) -> None:
    cells = [Decimal(shift) + Decimal(str(scale)) * Decimal(k) / 100 for k in range(37, 127, 10)]
    table = tmp_path / "table.csv"
    rows = "".join(f"{s},{i},{cells[(i * len(s)) % 9]:f}\n" for s in ("A", "BB") for i in range(9))
    table.write_text(f"system,item,score\n{rows}", encoding="utf-8")
    done = outscore("compare", table)
    assert done.code == (3 if said else 0), done.err
    assert said in done.err


def test_identifiers_of_many_digits_stay_apart(tmp_path: Path) -> None:
    table = tmp_path / "table.csv"
    ids = ("1234567890123456788", "1234567890123456789")
    table.write_text(
        "system,item,score\n" + "".join(f"{s},{i},{len(s) + k}\n" for s in ("A", "BB") for k, i in enumerate(ids)),
        encoding="utf-8",
    )
    done = outscore("compare", table, "-f", "json")
    assert done.code == 0, done.err
    assert '"n_items": 2' in done.out


@pytest.mark.parametrize(("scale", "said"), [(1e200, "up to 3e+200"), (1e-200, "up to 3e-200")])
def test_numbers_of_which_no_deviation_can_be_computed_are_refused(scale: float, said: str) -> None:
    with pytest.raises(InputError, match=rf"numbers {said.replace('+', '[+]')} in size, of which no deviation"):
        package.compare({"A": [1 * scale, 2 * scale, 3 * scale], "B": [2 * scale, 2 * scale, 3 * scale]})
    mixed = package.compare({"A": [0.1, 0.2, 1e-200], "B": [0.2, 0.2, 0.3]})
    assert mixed.pairs[0].n_items == 3


def test_a_number_that_is_too_small_for_a_deviation_is_taken_of_one_item_and_refused_of_two() -> None:
    assert package.score({"A": [1e-200]}).scores[0].score == 1e-200
    with pytest.raises(InputError, match="of which no deviation can be computed"):
        package.score({"A": [1e-200, 2e-200]})


def test_exit_codes_are_those_that_the_manual_names() -> None:
    assert [e.exit_code for e in (OutscoreError, UsageError, InputError, MissingExtra)] == [3, 2, 3, 4]


def test_a_picture_of_too_many_cells_is_refused_behind_its_result(tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    table, picture = tmp_path / "table.csv", tmp_path / "picture.svg"
    rows = "".join(f"s{s},{i},{(s * i + i) % 7}\n" for s in range(5) for i in range(9))
    table.write_text(f"system,item,score\n{rows}", encoding="utf-8")
    call = ("compare", table, "--all-pairs", "--test", "t", "--plot", picture)
    done = outscore(*call, "--limit", "cells=19")
    assert (done.code, picture.exists()) == (3, False)
    assert "s4" in done.out
    assert done.complaint.startswith("outscore: error: the picture would have ")
    assert "and 19 are allowed: draw fewer systems, or allow it with --limit cells=" in done.complaint
    assert outscore(*call, "--limit", "cells=100").code == 0
    assert picture.exists()
    page = outscore("compare", table, "--all-pairs", "--test", "t", "-f", "html", "--limit", "cells=1")
    assert page.code == 0
