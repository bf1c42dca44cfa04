"""The record of a comparison: frozen, short in print, whole as JSON, rows for data frames."""

from __future__ import annotations

import dataclasses
import io
import json
import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import InputError
from outscore.results.comparison import Comparison


def normal(seed: int, *shape: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.random.default_rng(seed).normal(0, 1, shape)


@pytest.fixture(scope="module")
def found() -> Comparison:
    data = {"base": normal(1, 3, 40), "new": normal(2, 2, 40), "one": normal(3, 40)}
    described = {"cluster": [f"d{i // 4}" for i in range(40)], "domain": ["x", "y"] * 20}
    return outscore.compare(data, items=described, n_resamples=300)


def records(value: object) -> list[Any]:
    """All records inside a record."""
    if isinstance(value, tuple | list):
        return [r for v in value for r in records(v)]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return [value] + [r for f in dataclasses.fields(value) for r in records(getattr(value, f.name))]
    return []


def test_every_record_is_frozen(found: Comparison) -> None:
    every = records(found)
    assert len({type(r).__name__ for r in every}) >= 7
    for record in every:
        for field in dataclasses.fields(record):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(record, field.name, None)


def test_records_hold_plain_python_values(found: Comparison) -> None:
    """No numpy scalars or arrays: they would not compare, hash or print as numbers do."""
    for record in records(found):
        for field in dataclasses.fields(record):
            value = getattr(record, field.name)
            values = value if isinstance(value, tuple) else value.values() if isinstance(value, dict) else [value]
            for one in values:
                assert type(one).__module__ != "numpy", (type(record).__name__, field.name, one)


def test_a_repr_is_one_short_line(found: Comparison) -> None:
    text = repr(found)
    assert "\n" not in text
    assert len(text) < 200
    assert "3 systems" in text
    assert "'base'" in text
    assert "mean" in text


def test_jupyter_is_given_text_and_html(found: Comparison) -> None:
    bundle = found._repr_mimebundle_(include=None, exclude=None)
    assert bundle == {"text/plain": found.to("terminal"), "text/html": found.to("notebook")}
    assert all("\x1b" not in text for text in bundle.values())


def test_rows_are_flat_and_one_for_each_pair(found: Comparison) -> None:
    rows = found.rows()
    assert len(rows) == len(found.pairs) == 2
    scores = {s.system: s.score for s in found.scores}
    for row, pair in zip(rows, found.pairs, strict=True):
        assert all(v is None or isinstance(v, str | int | float) for v in row.values())
        assert row["baseline_score"] == scores["base"]
        assert row["system_score"] == scores[pair.system]
        assert (row["ci_low"], row["ci_high"]) == pair.ci
        assert row["notes"].split() == list(pair.notes)
        assert row["p_value"] == pair.p_value
    assert len({tuple(row) for row in rows}) == 1


def test_rows_of_undefined_numbers_are_none() -> None:
    row = outscore.compare({"a": [1.0], "b": [2.0]}, test="t").rows()[0]
    assert (row["p_value"], row["ci_low"], row["ci_high"]) == (None, None, None)


def test_to_pandas_is_the_rows(found: Comparison) -> None:
    pandas = pytest.importorskip("pandas")
    frame = found.to_pandas()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == list(found.rows()[0])
    assert frame["gain"].tolist() == [p.gain for p in found.pairs]


def test_json_comes_back_as_the_same_record(found: Comparison, tmp_path: Path) -> None:
    path = tmp_path / "result.json"
    path.write_text(found.to_json(), encoding="utf-8")
    for again in (
        outscore.load(path),
        outscore.load(str(path)),
        outscore.load(io.StringIO(found.to_json())),
        Comparison.from_json(found.to_json()),
    ):
        assert again == found
        assert again.to_json() == found.to_json()
        assert again.to("terminal") == found.to("terminal")
        assert repr(again) == repr(found)


@pytest.mark.parametrize(
    "comparison",
    [
        outscore.compare({"a": [1.0], "b": [2.0]}, test="t"),
        outscore.compare({"a": [1.0] * 8, "b": [2.0] * 8}, test="t"),
        outscore.compare({"a": [1.0, 0.0], "b": [1.0, 0.0]}),
        outscore.compare({"a": [1.0, 0.0] * 9, "b": [1.0] * 18}, test="mcnemar"),
    ],
    ids=["no p", "infinite t", "identical", "infinite odds"],
)
def test_json_has_no_nan_whatever_is_undefined(comparison: Comparison) -> None:
    text = comparison.to_json()
    data = json.loads(text, parse_constant=pytest.fail)
    again = Comparison.from_json(text)
    assert again.to_json() == text

    def finite(value: Any) -> bool:
        if isinstance(value, dict):
            return all(finite(v) for v in value.values())
        if isinstance(value, list):
            return all(finite(v) for v in value)
        return not isinstance(value, float) or math.isfinite(value)

    assert finite(data)
    assert again.to("terminal") == comparison.to("terminal")


def test_json_carries_full_precision(found: Comparison) -> None:
    data = json.loads(found.to_json())
    assert [p["gain"] for p in data["pairs"]] == [p.gain for p in found.pairs]
    assert [s["run_scores"] for s in data["scores"]] == [list(s.run_scores) for s in found.scores]


def test_the_shortcuts_are_the_formats(found: Comparison) -> None:
    assert found.to_latex() == found.to("latex")
    assert found.to_latex(decimals=1) == found.to("latex", decimals=1) != found.to_latex(decimals=4)
    assert found.to_markdown() == found.to("markdown")
    assert found.to_json() == found.to("json")
    assert found.sentence == found.to("sentence").strip()


def test_the_sentence_is_ready_for_a_paper() -> None:
    b = normal(1, 50)
    won = outscore.compare({"base": b, "new": b + 0.5 + 0.1 * normal(2, 50)})
    sentence = won.sentence
    assert re.fullmatch(r"new outscores base by .*\(95% CI .*\)\. \(.*\.\)", sentence)
    assert "\n" not in sentence
    for part in ("new", "base", "95% CI", "50 items", "two-sided"):
        assert part in sentence
    none = outscore.compare({"base": b, "new": normal(9, 50)})
    assert "is not shown to differ" in none.sentence
    assert "does not differ" not in sentence


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"command": "compare"}', "nonsense", '{"command": "power"}'])
def test_what_is_no_saved_comparison_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"give|make"):
        Comparison.from_json(text)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        outscore.load(tmp_path / "none.json")


def test_the_package_shows_its_verbs_and_nothing_else() -> None:
    assert set(dir(outscore)) >= {"compare", "read", "load", "Comparison", "__version__"}
    for name in outscore.__all__:
        assert getattr(outscore, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'comparee'"):
        outscore.comparee  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize(
    ("former", "now"),
    [
        ("bayes", "compare(posterior=)"),
        ("test", "compare(test=)"),
        ("curve", "score(curve=)"),
        ("confusion", "score(confusion=)"),
        ("Posteriors", "Comparison"),
        ("Curves", "Scores"),
        ("Confusion", "Scores"),
        ("Looks", "Uses"),
    ],
)
def test_a_name_of_the_last_version_is_answered_with_the_one_that_it_has_now(former: str, now: str) -> None:
    with pytest.raises(AttributeError, match=re.escape(f"outscore.{now}")):
        getattr(outscore, former)
    assert now.partition("(")[0] in outscore.__all__


def test_the_citations_are_of_what_was_used() -> None:
    plain = outscore.compare({"a": [1.0, 0.0, 1.0], "b": [1.0, 1.0, 0.0]}).provenance.citations
    assert any("McNemar" in c for c in plain)
    assert not any("Holm" in c or "Phipson" in c for c in plain)  # one p-value, not sampled
    sampled = outscore.compare(
        {"a": normal(1, 40), "b": normal(2, 40), "c": normal(3, 40)}, test="bootstrap", n_resamples=50
    )
    cited = set(sampled.provenance.citations)
    assert {"Westfall & Young 1993; Hothorn, Bretz & Westfall 2008", "Phipson & Smyth 2010"} <= cited


def test_printing_shows_the_first_screen(found: Comparison) -> None:
    assert str(found) + "\n" == found.to("terminal")
    assert f"{found}" == str(found)


def test_to_polars_is_the_rows(found: Comparison) -> None:
    polars = pytest.importorskip("polars")
    frame = found.to_polars()
    assert isinstance(frame, polars.DataFrame)
    assert frame.columns == list(found.rows()[0])
    assert frame["gain"].to_list() == [p.gain for p in found.pairs]


def test_one_pair_has_the_names_of_scipy() -> None:
    from scipy import stats

    a, b = [0.1, 0.5, 0.4, 0.9, 0.3, 0.2, 0.8, 0.7], [0.4, 0.7, 0.5, 0.8, 0.6, 0.1, 0.9, 0.9]
    made, other = outscore.compare({"a": a, "b": b}, test="t"), stats.ttest_rel(b, a)
    assert made.pvalue == pytest.approx(other.pvalue)
    assert made.statistic == pytest.approx(other.statistic)
    ends = made.confidence_interval()
    assert (ends.low, ends.high) == pytest.approx(tuple(other.confidence_interval()))
    assert made.confidence_interval(confidence_level=0.95) == ends
    assert made.pairs[0].pvalue == made.pvalue
    wide = outscore.compare({"a": a, "b": b}, test="t", alpha=0.01).confidence_interval(0.99)
    assert tuple(wide) == pytest.approx(tuple(other.confidence_interval(0.99)))
    with pytest.raises(outscore.UsageError, match=r"made at a level of 0.95: give compare\(\) alpha=0.1 for another"):
        made.confidence_interval(0.9)


@pytest.mark.parametrize("test", ["wilcoxon", "mann-whitney", "brunner-munzel", "welch", "student"])
def test_statistics_are_those_of_scipy(test: str) -> None:
    from scipy import stats

    a, b = [0.1, 0.5, 0.4, 0.9, 0.3, 0.2, 0.8, 0.7], [0.45, 0.77, 0.51, 0.8, 0.65, 0.13, 0.92, 0.97]
    made = outscore.compare({"a": a, "b": b}, test=test, unit="item" if test != "wilcoxon" else None)
    theirs: dict[str, Any] = {
        "wilcoxon": lambda: stats.wilcoxon(b, a, alternative="greater"),
        "mann-whitney": lambda: stats.mannwhitneyu(b, a),
        "brunner-munzel": lambda: stats.brunnermunzel(a, b),
        "welch": lambda: stats.ttest_ind(b, a, equal_var=False),
        "student": lambda: stats.ttest_ind(b, a),
    }
    assert made.statistic == pytest.approx(theirs[test]().statistic)


def test_where_the_gain_is_resampled_it_is_the_statistic() -> None:
    made = outscore.compare({"a": [0.1, 0.5, 0.4, 0.9], "b": [0.4, 0.7, 0.5, 0.8]}, test="randomization")
    assert made.statistic == made.pairs[0].gain


def test_several_pairs_have_no_single_p(found: Comparison) -> None:
    for ask in (lambda: found.pvalue, lambda: found.statistic, found.confidence_interval):
        with pytest.raises(outscore.UsageError, match=r"holds 2 pairs: ask one of them, as pairs\[0\].pvalue"):
            ask()


def test_an_undefined_interval_has_no_ends() -> None:
    ends = outscore.compare({"a": [1.0], "b": [2.0]}, test="t").confidence_interval()
    assert ends.low != ends.low and ends.high != ends.high
