"""Agreement as tables: numbers as they are in the record, and names that stay text."""

from __future__ import annotations

import numpy as np
import pytest

import outscore
from outscore.report import tables_of
from outscore.results import Agreement
from tests.report.builders import HOSTILE


def hostile() -> Agreement:
    rng = np.random.default_rng(1)
    names = [name for name in HOSTILE if name.strip() == name]
    data = {name: [str(x) for x in rng.choice(names, 40)] for name in names[:3]}
    return outscore.agree(data, n_resamples=50)


@pytest.mark.parametrize("name", ["terminal", "markdown", "latex", "csv", "json", "sentence"])
def test_hostile_names_are_harmless_in_every_format(name: str) -> None:
    text = hostile().to(name)
    assert "\x1b" not in text
    assert "Krippendorff" in text


def test_disagreement_on_a_scale_is_not_shown_as_agreement() -> None:
    data = {"a": ["1", "2", "5", "4"] * 5, "b": ["1", "3", "5", "5"] * 5}
    result = outscore.agree(data, coefficients="krippendorff:distance=interval,krippendorff,percent", n_resamples=50)
    rows = {row[0].text: row for row in tables_of(result)[0].rows}
    interval, nominal, percent = result.coefficients
    assert rows["Krippendorff's α (interval)"][2].text == f"D {interval.observed:.3f}"
    assert rows["Krippendorff's α"][2].text == f"{1 - (nominal.observed or 0):.3f}" == rows["Percent agreement"][2].text
    assert rows["Percent agreement"][3].text == ""
    assert percent.value == pytest.approx(0.5)


def test_a_group_without_two_labels_for_a_unit_has_no_value() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": ["x", "y", "x", "y"], "b": ["x", "x", None, None], "g": ["1", "1", "2", "2"]})
    result = outscore.agree(frame, annotators="a,b", domain="g", n_resamples=50, coefficients="krippendorff")
    assert [c.value is None for c in result.coefficients] == [False, False, True]
    assert result.coefficients[2].notes == ()
    assert "–" in result.to("terminal")


def test_pairs_and_annotators_are_left_out_of_slots() -> None:
    data = {"a": ["x", "y"] * 10, "b": ["x", "y", "y", "y"] * 5}
    titles = [table.title for table in tables_of(outscore.agree(data, n_resamples=50))]
    slots = [table.title for table in tables_of(outscore.agree(data, exchangeable=True, n_resamples=50))]
    assert "Annotators in pairs" in titles
    assert "Annotators" in titles
    assert slots[0] == "Agreement of 2 exchangeable annotators"
    assert not {"Annotators in pairs", "Annotators"} & set(slots)
