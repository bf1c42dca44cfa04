"""Pictures: one chart for each kind of result, with its data, drawn whole, and names that stay text."""

from __future__ import annotations

import functools
import importlib.util
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.base.errors import InputError, UsageError
from outscore.base.text import clean
from outscore.report.plots import SUFFIXES, chart_spec, choose_charts, picture, render
from outscore.results.pictures import Chart, Dots, Histogram
from outscore.results.result import Result, kinds
from tests.examples import first
from tests.report.findings import hostile_findings
from tests.report.kinds.comparisons import with_margin as margins

DRAWN = [
    *(name for name in kinds.names() if kinds.find(name).charts is not Result.charts),
    *("confusion", "curve"),
]
"""Commands whose results have pictures, and the other pictures of ``score``."""

HOSTILE = "<script>alert(1)</script>&\"'\x1b[31m\n\u202e"


def numbers(seed: int, n: int = 40) -> list[float]:
    return [float(x) for x in np.random.default_rng(seed).normal(0, 1, n).round(3)]


def labels(seed: int) -> list[str]:
    return [str(x) for x in np.random.default_rng(seed).choice(["x", "y", HOSTILE], 60)]


def right(seed: int) -> list[int]:
    return [int(x) for x in np.random.default_rng(seed).integers(0, 2, 60)]


def results() -> dict[str, Result]:
    """At least one result for each chart, hostile names among them."""
    gold = labels(1)
    truth = np.random.default_rng(5).integers(0, 2, 40)
    return {
        "compare": outscore.compare({"base": numbers(1), HOSTILE: numbers(2), "third": numbers(1)}),
        "score": outscore.score({"base": [numbers(1), numbers(2)], HOSTILE: numbers(3)}),
        "agree": outscore.agree({HOSTILE: labels(1), "b": labels(2), "c": gold}, n_resamples=100),
        "replicate": outscore.replicate(
            {name: {"base": numbers(i), HOSTILE: numbers(i + 9)} for i, name in enumerate(("a", HOSTILE))},
            n_resamples=99,
        ),
        "confusion": outscore.score({"base": labels(2), HOSTILE: gold}, references=gold, confusion=True),
        "curve": outscore.score(
            {"base": numbers(1), HOSTILE: numbers(2)}, references=[str(x) for x in truth], curve="roc"
        ),
        "power": outscore.plan({"base": numbers(1), HOSTILE: numbers(2)}, effect=0.5, sizes=[30, 90], simulations=20),
        "ppv": outscore.ppv(odds=0.1, power=0.5, bias=0.1),
        "rank": outscore.rank({"base": numbers(1), HOSTILE: numbers(2), "third": numbers(3)}, blocks="item"),
        "sequential": outscore.sequential({"base": right(6), HOSTILE: right(7), "third": right(8)}, margin=0.1),
        "study": replace(hostile_findings(), figures=hostile_findings().figures[:1]),
    }


def judged() -> dict[str, Result]:
    """Metrics against humans, and a judge with some labels."""
    systems = [HOSTILE, "base", "third", "fourth"]
    columns = {name: {s: numbers(i + 4 * k, 30) for i, s in enumerate(systems)} for k, name in enumerate("hm")}
    frame: dict[str, Any] = {
        "system": [s for s in systems for _ in range(30)],
        "item": [str(i) for _ in systems for i in range(30)],
        **{name: [x for s in systems for x in found[s]] for name, found in columns.items()},
    }
    half = [x if i % 2 else None for i, x in enumerate(frame["h"])]
    return {
        "correlate": outscore.correlate(pd.DataFrame(frame), human="h", n_resamples=20),
        "judge": outscore.judge(pd.DataFrame({**frame, "h": half}), human="h"),
    }


@functools.cache
def every() -> dict[str, Result]:
    """A result by the name of its chart."""
    return {**results(), **judged()}


def strings(spec: Any) -> list[str]:
    if isinstance(spec, dict):
        return [text for value in spec.values() for text in strings(value)]
    if isinstance(spec, list):
        return [text for value in spec for text in strings(value)]
    return [spec] if isinstance(spec, str) else []


@pytest.mark.parametrize("name", DRAWN)
def test_a_picture_is_valid_and_carries_its_data(name: str) -> None:
    spec = picture(every()[name])
    json.loads(json.dumps(spec, allow_nan=False))
    assert spec["$schema"].endswith("v6.4.json")
    assert spec.get("title", spec.get("vconcat", [{}])[0].get("title"))["text"]
    named = {score.system for score in every()[name].scores}
    for system in named:
        assert any(clean(system) in text for text in strings(spec))


@pytest.mark.parametrize("name", sorted({*DRAWN} - {"ppv"}))  # which names nothing
def test_names_stay_text_in_a_picture(name: str) -> None:
    pytest.importorskip("vl_convert", reason="needs the extra: pip install 'outscore[report]'")
    svg = render(picture(every()[name]), ".svg")
    tree = ET.fromstring(svg)
    assert not [e for e in tree.iter() if e.tag.endswith("script")]
    assert "alert(1)" in "".join(tree.itertext())
    assert "\x1b" not in str(svg)


def test_clips_and_gradients_are_numbered_as_they_stand_and_named_by_their_numbers() -> None:
    """Vega goes on counting from picture to picture."""
    pytest.importorskip("vl_convert", reason="needs the extra: pip install 'outscore[report]'")
    spec = chart_spec(choose_charts(every()["confusion"]) * 2)
    svg = str(render(spec, ".svg"))
    made = re.findall(r'id="((?:clip|gradient_)\d+)"', svg)
    assert len({*made}) > 1
    assert {*re.findall(r"url\(#((?:clip|gradient_)\d+)\)", svg)} == {*made}
    assert [re.sub(r"\D", "", name) for name in dict.fromkeys(made)] == [str(i) for i in range(len({*made}))]


@pytest.mark.parametrize("suffix", first(SUFFIXES, ".svg", ".json", others=pytest.mark.slow))
def test_a_picture_is_written_whole(suffix: str, tmp_path: Path) -> None:
    if suffix != ".json":
        pytest.importorskip("vl_convert", reason="needs the extra: pip install 'outscore[report]'")
    path = tmp_path / f"gains{suffix.upper()}"
    outscore.plot(every()["compare"], path)
    starts = {".svg": b"<svg", ".png": b"\x89PNG", ".pdf": b"%PDF", ".json": b"{", ".html": b"<!DOCTYPE"}
    assert path.read_bytes().startswith(starts[suffix])
    assert [p.name for p in tmp_path.iterdir()] == [path.name]


HISTOGRAM = Histogram(
    heading="a", axis="Gain", edges=(-1.0, 0.0, 2.0, 3.0), counts=(2, 9, 4), observed=0.5, spread=(-0.5, 2.5)
)
DOTS = Dots(axis="Score", rows=(("a", 3.0), ("b", 4.0)), single=(("a", "1", 2.5, "2.50"), ("a", "2", 3.5, "3.50")))


@pytest.mark.parametrize(
    ("panel", "numbers"), [(HISTOGRAM, {-1.0, -0.5, 0.5, 2, 9, 4, 2.5}), (DOTS, {2.5, 3.0, 3.5, 4.0})]
)
def test_what_ours_shows_on_pages_alone_is_drawn_into_a_file_for_another_result(
    panel: Any, numbers: set[float], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    result = every()["ppv"]
    monkeypatch.setattr(type(result), "charts", lambda *_: [Chart(heading="h", title="T", panels=(panel, panel))])
    outscore.plot(result, tmp_path / "made.json")
    spec = json.loads((tmp_path / "made.json").read_text(encoding="utf-8"))
    (first_panel, _) = spec["vconcat"]
    rows = [row for part in (first_panel, *first_panel["layer"]) for row in part.get("data", {}).get("values", ())]
    assert numbers <= {value for row in rows for value in row.values()}
    assert panel.axis in strings(first_panel)
    if importlib.util.find_spec("vl_convert"):
        outscore.plot(result, tmp_path / "made.svg")


def test_the_gains_of_a_picture_are_those_of_the_result() -> None:
    result = every()["compare"]
    assert isinstance(result, outscore.Comparison)
    (panel,) = picture(result)["vconcat"]
    assert [row["gain"] for row in panel["data"]["values"]] == [pair.gain for pair in result.pairs]
    assert [(row["low"], row["high"]) for row in panel["data"]["values"]] == [pair.ci for pair in result.pairs]


def test_of_very_many_gains_the_largest_are_drawn() -> None:
    made = margins()
    one = made.pairs[0]
    pairs = tuple(replace(one, system=f"s{i}", gain=(-1) ** i * i / 100) for i in range(1, 64))
    spec = picture(replace(made, pairs=pairs))
    (panel,) = spec["vconcat"]
    largest = sorted((pair.gain for pair in pairs[3:]), reverse=True)
    assert [row["gain"] for row in panel["data"]["values"]] == largest
    assert "the 60 largest of 63 gains" in spec["title"]["subtitle"]


def test_the_title_states_the_finding() -> None:
    def title(base: list[float], new: list[float]) -> str:
        return str(picture(outscore.compare({"base": base, "new": new}))["title"]["text"])

    low = numbers(1)
    high = [x + 1 for x in low]
    assert title(low, [x + 1 + y / 10 for x, y in zip(low, numbers(2), strict=True)]).startswith(
        "new outscores base by"
    )
    assert title(high, [x - 1 + y / 10 for x, y in zip(high, numbers(2), strict=True)]).startswith("base outscores new")
    assert title(low, numbers(9)) == "new is not shown to differ from base"


def test_a_picture_needs_a_suffix_and_a_chart(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"a picture ends in \.svg, \.png, \.pdf, \.html, \.json"):
        outscore.plot(every()["compare"], tmp_path / "gains.gif")
    with pytest.raises(InputError, match="cannot write here"):
        outscore.plot(every()["compare"], tmp_path / "no" / "gains.json")


def test_a_sequence_is_drawn_with_its_looks_and_its_decision() -> None:
    result = outscore.sequential({"base": [0, 1] * 300, "new": [1, 1] * 300}, margin=0.02)
    (sequence,) = result.sequences
    spec = picture(result)
    assert spec["title"]["text"] == f"new outscores base after {sequence.decided_at} of 600 items"
    (panel,) = spec["vconcat"]
    band, *rules, decision, said, line = (layer["data"]["values"] for layer in panel["layer"])
    assert [(row["n"], (row["low"], row["high"])) for row in band] == [(k.n, k.ci) for k in sequence.analyses]
    assert [row["gain"] for row in line] == [analysis.gain for analysis in sequence.analyses]
    assert [row["gain"] for (row,) in rules] == [0, -0.02, 0.02]
    assert decision == said == [{"n": sequence.decided_at, "said": f"better after {sequence.decided_at}"}]
    # what is known between two analyses is what was known at the first
    assert panel["layer"][0]["mark"]["interpolate"] == "step-after"
    alike = picture(outscore.sequential({"base": [0, 1] * 9, "new": [1, 0] * 9, "third": [0, 1] * 9}))
    assert alike["title"]["text"] == "None of 2 sequences came to a decision"


def test_every_chart_is_drawn_here() -> None:
    assert set(DRAWN) == set(every())


def test_the_power_picture_marks_the_items_that_are_needed() -> None:
    spec = picture(outscore.plan("t:sd=0.3", effect=0.02))
    assert spec["title"]["text"] == "1,768 items find a gain of 0.02 with 80% power"
    assert [p["n"] for p in spec["data"]["values"]] == [442, 884, 1326, 1768, 2652, 3536]
    assert "1,768 items" in strings(spec)
    assert not any("\u2013" in text for text in strings(picture(every()["power"])))


def test_the_picture_of_predictive_values_is_the_figure_of_the_paper() -> None:
    # Søgaard et al. 2014, Figure 7: horizontal line at the value of .05, vertical line at the cut-off for .95
    spec = picture(every()["ppv"])
    rules = [layer["data"]["values"][0] for layer in spec["layer"] if layer["mark"]["type"] == "rule"]
    assert rules[0]["value"] == pytest.approx(0.5)
    assert rules[1]["alpha"] == pytest.approx(0.0026316, abs=1e-7)


def test_names_that_every_object_of_javascript_has_are_names() -> None:
    result = outscore.compare({"base": numbers(1), "constructor": numbers(2), "toString": numbers(3)})
    assert "constructor" in str(render(picture(result), ".svg"))
