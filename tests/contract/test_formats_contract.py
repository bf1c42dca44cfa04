"""What every registered output format keeps: a new entry is picked up from the registry."""

from __future__ import annotations

import dataclasses
import json
import os
import re
import subprocess
import sys
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.base.registry import spell
from outscore.report.formats import format_, format_for
from outscore.results.comparison import Comparison
from outscore.results.result import formats
from tests.contract.explained import check_explained

NAMES = formats.names()


def scores(seed: int, runs: int = 1, n: int = 40) -> np.ndarray[Any, np.dtype[np.float64]]:
    found = np.random.default_rng(seed).normal(0, 1, (runs, n)).round(3)
    return found if runs > 1 else found[0]


def comparisons() -> Iterator[tuple[str, Comparison]]:
    """Results that differ in what they hold."""
    yield "two systems", outscore.compare({"base": scores(1), "new": scores(2)})
    yield "several runs", outscore.compare({"base": scores(1, 3), "new": scores(2, 2), "third": scores(3)})
    described = {"cluster": [f"d{i // 4}" for i in range(40)], "domain": ["x", "y"] * 20}
    yield "clusters", outscore.compare({"base": scores(1), "new": scores(2)}, items=described)
    yield "identical", outscore.compare({"base": scores(1), "new": scores(1)})
    yield "one item", outscore.compare({"base": [1.0], "new": [2.0]}, test="t")
    yield "hostile names", outscore.compare({"\x1b[31mb|a&s_e$": scores(1), "<b>\n,\"'": scores(2)})
    yield "no p-value", replace(outscore.compare({"base": scores(1), "new": scores(2)}), pairs=())


EVERY = dict(comparisons())


def variants(name: str) -> list[object]:
    """A format with each value of its truth values and of those that have a few."""
    cls = formats.find(name)
    hints = typing.get_type_hints(cls)
    found: list[object] = [formats.make(name)]
    for field in dataclasses.fields(cls):
        if hints[field.name] is bool:
            found.append(dataclasses.replace(found[0], **{field.name: not field.default}))  # type: ignore[type-var]
        elif typing.get_origin(hints[field.name]) is typing.Literal:
            others = [value for value in typing.get_args(hints[field.name]) if value != field.default]
            found += [dataclasses.replace(found[0], **{field.name: value}) for value in others]  # type: ignore[type-var]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_format_says_what_it_is(name: str) -> None:
    cls = formats.find(name)
    assert cls.__doc__ is not None
    assert len(cls.__doc__) > 20
    assert cls.__dataclass_params__.frozen
    check_explained(cls)
    assert all(suffix.startswith(".") for suffix in getattr(cls, "suffixes", ()))


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_format_makes_it_again(name: str) -> None:
    for made in variants(name):
        assert formats.make(spell(made)) == made


def test_a_suffix_belongs_to_one_format() -> None:
    every = [suffix for _, cls in formats for suffix in getattr(cls, "suffixes", ())]
    assert len(set(every)) == len(every)
    for name, cls in formats:
        for suffix in getattr(cls, "suffixes", ()):
            assert format_for(f"folder.x/result{suffix}") == name
            assert format_for(Path(f"RESULT{suffix.upper()}")) == name


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("which", EVERY)
@pytest.mark.parametrize("decimals", [None, pytest.param(0, marks=pytest.mark.slow), 5])
def test_every_format_draws_every_comparison(name: str, which: str, decimals: int | None) -> None:
    comparison = EVERY[which]
    for made in variants(name):
        text = comparison.to(spell(made), decimals=decimals)
        assert isinstance(text, str)
        assert text == made.render(comparison, decimals=decimals)  # type: ignore[attr-defined]
        ours = re.compile(r"\x1b\[[0-9;]*m") if "color=true" in spell(made) else re.compile("(?!)")
        assert all(c.isprintable() or c in "\n\r" for c in ours.sub("", text))
        text.encode("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_drawing_changes_nothing_and_repeats_itself(name: str) -> None:
    comparison = EVERY["several runs"]
    before = comparison.to_json()
    assert comparison.to(name) == comparison.to(name)
    assert comparison.to_json() == before
    assert outscore.compare({"base": scores(1, 3), "new": scores(2, 2), "third": scores(3)}).to(name) == (
        comparison.to(name)
    )


def test_decimals_are_seen_where_numbers_are_rounded() -> None:
    comparison = outscore.compare({"base": scores(1) + 50, "new": scores(2) + 60})
    score = comparison.scores[1].score
    for name in ("terminal", "markdown", "latex"):
        assert f"{score:.6f}" in comparison.to(name, decimals=6)
        assert f"{score:.6f}" not in comparison.to(name, decimals=2)


@pytest.fixture
def shouting() -> Iterator[str]:
    """A format of another package, for one test."""

    @format_("shouting")
    @dataclass(frozen=True)
    class Shouting:
        """The names of the systems, loudly."""

        suffixes: typing.ClassVar[tuple[str, ...]] = (".shout",)

        marks: int = 1

        def render(self, comparison: Comparison, *, decimals: int | None = None) -> str:
            return " ".join(s.system.upper() for s in comparison.scores) + "!" * self.marks + "\n"

    yield "shouting"
    del formats._classes["shouting"]


def test_a_format_from_outside_works_like_ours(shouting: str) -> None:
    comparison = EVERY["two systems"]
    assert comparison.to(shouting) == "BASE NEW!\n"
    assert comparison.to("shouting:marks=3") == "BASE NEW!!!\n"
    assert format_for("result.shout") == "shouting"
    assert "shouting" in formats.names()
    with pytest.raises(UsageError, match="did you mean 'shouting'"):
        comparison.to("shoutin")


def test_a_name_is_given_once() -> None:
    with pytest.raises(UsageError, match="two formats are named 'json'"):

        @format_("json")
        @dataclass(frozen=True)
        class Other:
            """Another."""


PLUGIN = '''
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from outscore.significance import EXACT, Outcome, Test


@dataclass(frozen=True)
class Shout:
    """Loud."""

    suffixes: ClassVar[tuple[str, ...]] = (".shout",)

    def render(self, comparison, *, decimals=None):
        pair = comparison.pairs[0]
        return f"{pair.metric} {pair.test} {comparison.scores[1].score:g} {pair.p_value}!\\n"


from outscore import Metric


@dataclass(frozen=True)
class Longest(Metric):
    """Share of outputs longer than so many characters. Statistics per item: [long, 1]."""

    unit: ClassVar[str] = "share 0-1"
    citation: ClassVar[str] = "made for this test"
    example: ClassVar[str] = "longest:than=3"

    than: int = 5

    def statistics(self, items):
        return np.array([[float(len(o) > self.than), 1.0] for o in items.outputs])

    def score(self, sums):
        return sums[..., 0] / sums[..., 1]


@dataclass(frozen=True)
class Coin(Test):
    """Always the same."""

    null: ClassVar[str] = "nothing whatever"
    applies: ClassVar[str] = "never"
    needs: ClassVar[str] = "nothing"
    citation: ClassVar[str] = "nobody"

    def refuses(self, pair):
        return None

    def run(self, pair):
        return Outcome(p_value=0.5, p_kind=EXACT)
'''

READER = '''
from outscore.base.lazy import dataclass
from outscore.data.readers import Content, Context, Reader, Sniffed, reader
from outscore.data.readers.lines import Lines
from outscore.data.source import Source

@reader("hum")
@dataclass(frozen=True)
class Hum(Lines):
    """Lines under a mark."""

    description = "lines under a mark"
    example = "# hum"
    priority = 1

    def sniff(self, head: Sniffed) -> bool:
        return head.start.startswith(b"# hum")
'''


@pytest.fixture
def loudly(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The comparison of two files where a package is installed that has a metric, a test and a format."""
    (tmp_path / "loudly.py").write_text(PLUGIN, encoding="utf-8")
    meta = tmp_path / "loudly-1.0.dist-info"
    meta.mkdir()
    (meta / "METADATA").write_text("Metadata-Version: 2.1\nName: loudly\nVersion: 1.0\n", encoding="utf-8")
    points = {"metrics": "longest = loudly:Longest", "tests": "coin = loudly:Coin", "formats": "shout = loudly:Shout"}
    lines = [f"[outscore.{group}]\n{point}\n" for group, point in points.items()]
    (meta / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "ref.txt").write_text("abcd\nabc\n", encoding="utf-8")
    (tmp_path / "a.txt").write_text("abcd\nabc\n", encoding="utf-8")
    (tmp_path / "b.txt").write_text("abcd\nabcde\n", encoding="utf-8")
    places = [str(tmp_path), str(Path(outscore.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]

    def call(*more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "outscore", "compare", "-r", "ref.txt", "a.txt", "b.txt", *more],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(p for p in places if p)},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )

    return call


@pytest.mark.slow
def test_entry_points_of_another_package_are_found_by_the_command_line(
    loudly: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    """A metric, a test and a format of an installed package, used by name without a line of ours."""
    asked = ("-m", "longest:than=3", "--test", "coin")
    done = loudly(*asked, "-f", "shout")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "longest:than=3 coin 1 0.5!\n"
    assert loudly(*asked, "-o", "result.shout", "-q").returncode == 0
    assert (tmp_path / "result.shout").read_text(encoding="utf-8") == done.stdout


@pytest.mark.parametrize(
    ("asked", "of_others"),
    [("-m longest:than=3", "loudly 1.0"), ("-m accuracy --test coin", "loudly 1.0"), ("-m accuracy", "")],
)
def test_the_package_of_a_metric_or_test_is_part_of_the_provenance(
    asked: str, of_others: str, loudly: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    saved = json.loads(loudly(*asked.split(), "-f", "json").stdout)["provenance"]["libraries"]
    assert saved.get("loudly", "") == of_others.removeprefix("loudly ")
    said = [line for line in loudly(*asked.split(), "-v").stdout.splitlines() if "Of other packages" in line]
    assert said == ([f"Of other packages: {of_others}."] if of_others else [])


def test_the_package_of_a_reader_is_part_of_the_provenance(
    loudly: Callable[..., subprocess.CompletedProcess[str]], tmp_path: Path
) -> None:
    with (tmp_path / "loudly-1.0.dist-info" / "entry_points.txt").open("a", encoding="utf-8") as points:
        points.write("[outscore.readers]\nhum = humming:Hum\n")
    (tmp_path / "humming.py").write_text(READER, encoding="utf-8")
    saved = json.loads(loudly("-m", "accuracy", "-f", "json").stdout)["provenance"]
    assert {one["reader"] for one in saved["inputs"]} == {"lines"}
    assert "loudly" not in saved["libraries"]
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("# hum\nabc\n", encoding="utf-8")
    saved = json.loads(loudly("-m", "accuracy", "-f", "json").stdout)["provenance"]
    assert {one["reader"] for one in saved["inputs"]} == {"hum", "lines"}
    assert saved["libraries"]["loudly"] == "1.0"
