"""The only rounding in the project."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outscore.report.numbers import (
    UNDEFINED,
    decimals_for,
    interval,
    level,
    p_text,
    p_with_error,
    to_digits,
    to_fixed,
)

ALPHAS = st.sampled_from([0.1, 0.05, 0.01, 0.005, 0.001, 0.0001])


@pytest.mark.parametrize(
    ("unit", "width", "score", "gain"),
    [
        ("BLEU 0-100", None, 1, 1),
        ("chrF 0-100", None, 1, 1),
        ("TER 0-100", None, 1, 1),
        ("share 0-1", None, 3, 3),
        ("F 0-1", None, 3, 3),
        ("BLEU 0-100", 4, 4, 4),
        ("share 0-1", 0, 0, 0),
    ],
)
def test_decimals_follow_the_unit_unless_asked_for(unit: str, width: int | None, score: int, gain: int) -> None:
    found = decimals_for(unit, width=width)
    assert (found.score, found.gain) == (score, gain)


def test_other_units_get_four_significant_digits_of_the_largest_number() -> None:
    found = decimals_for("seconds", scores=[812.3, 9.1, None], gains=[0.02345, math.nan])
    assert to_fixed(812.3456, found.score) == "812.3"
    assert to_fixed(0.02345, found.gain, sign=True) == "+0.02345"
    # what is written counts: 0.99996 is 1.000 with four digits
    assert decimals_for("seconds", scores=[0.99996], gains=[0.0, None]) == decimals_for("seconds", width=3)


@pytest.mark.parametrize(("unit", "small", "places"), [("BLEU 0-100", 0.04, 2), ("share 0-1", -0.0004, 4)])
def test_gains_have_a_decimal_more_where_one_would_be_printed_as_0(unit: str, small: float, places: int) -> None:
    seen = [decimals_for(unit, gains=gains).gain for gains in ([1.0, small], [1.0, 0.0], [1.0, None, math.nan])]
    assert seen == [places, places - 1, places - 1]
    assert decimals_for(unit, scores=[small]).score == places - 1


@pytest.mark.parametrize("value", [-0.0, 0.0, -0.004, 0.004])
def test_zero_has_no_sign(value: float) -> None:
    assert to_fixed(value, 2, sign=True) == to_fixed(value, 2) == "0.00"


@pytest.mark.parametrize("value", [None, math.nan, math.inf, -math.inf])
def test_undefined_is_a_dash(value: float | None) -> None:
    assert to_fixed(value, 1) == p_text(value) == UNDEFINED == "–"
    # without a lower end it is the interval of a one-sided test
    assert interval((value, 1.0), 1) == ("(-∞, 1.0]" if value == -math.inf else "[–]")
    assert interval((1.0, value), 1) == ("[1.0, ∞)" if value == math.inf else "[–]")
    assert interval(None, 1) == "[–]"


def test_interval_carries_both_bounds_and_their_signs() -> None:
    assert interval((26.14, 28.44), 1) == "[26.1, 28.4]"
    assert interval((-0.1, 0.807), 2, sign=True) == "[-0.10, +0.81]"


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.25, ".25"),
        (0.0995, ".10"),
        (0.0994, ".099"),
        (0.0131, ".013"),
        (0.000999, "< .001"),
        (1e-300, "< .001"),
        (0.001, ".001"),
        (1.0, "1"),
        (0.996, ".996"),
        (0.999999, "> .99"),
        (0.0496, ".0496"),
        (0.04996, "< .05"),
        (0.05, ".050"),
        (0.0504, ".050"),
        (0.00996, "< .01"),
        (0.0499999999, "< .05"),
    ],
)
def test_p_is_written_as_papers_do_and_never_across_alpha(p: float, text: str) -> None:
    assert p_text(p, 0.05) == text


def test_p_has_as_many_decimals_as_a_small_alpha_needs() -> None:
    assert [p_text(p, 0.0001) for p in (0.0003, 0.0001, 0.00005)] == [".0003", ".0001", "< .0001"]
    assert p_text(0.00018, 0.0002) == ".00018"


@given(p=st.floats(0, 1), alpha=ALPHAS)
def test_p_is_never_zero_and_never_on_the_other_side_of_alpha(p: float, alpha: float) -> None:
    text = p_text(p, alpha)
    number = float(text.lstrip("<> "))
    assert number > 0
    assert (number == 1) == (p == 1) == (text == "1")
    if text.startswith("< "):
        assert p < number <= alpha
    elif text.startswith("> "):
        assert 0.5 < number < p
    else:
        assert all((number < t) == (p < t) for t in (alpha, alpha / 5))


@pytest.mark.parametrize(
    ("p", "error", "shown"),
    [
        (0.0481, 0.00213, (".0481", "±.0021")),
        (0.0131, 0.0011, (".013", "")),
        (0.0481, None, (".048", "")),
        (0.0481, 0.0, (".048", "")),
        (None, None, ("–", "")),
    ],
)
def test_error_of_p_is_shown_where_it_could_cross_alpha(
    p: float | None, error: float | None, shown: tuple[str, str]
) -> None:
    assert p_with_error(p, error, 0.05) == shown


@given(p=st.floats(0, 1), error=st.floats(0, 1), alpha=ALPHAS)
def test_p_with_error_is_never_zero(p: float, error: float, alpha: float) -> None:
    text, tail = p_with_error(p, error, alpha)
    assert float(text.lstrip("<> ")) > 0
    assert not tail or float(tail.removeprefix("±")) > 0


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (210, "210"),
        (0.2104, "0.210"),
        (1234.0, "1234"),
        (0.00001, "1.00e-05"),
        (0.0, "0"),
        (None, "–"),
        ("x", "x"),
    ],
)
def test_effects_of_unknown_size_get_three_significant_digits(value: float | str | None, text: str) -> None:
    assert to_digits(value) == text


@given(st.floats(allow_nan=True, allow_infinity=True), st.integers(0, 6))
def test_no_number_prints_as_nan_or_minus_zero(value: float, places: int) -> None:
    for text in (to_fixed(value, places), to_fixed(value, places, sign=True), to_digits(value)):
        assert "nan" not in text
        assert "inf" not in text
        assert text == UNDEFINED or not (float(text) == 0 and text[0] in "+-")


def test_level_of_the_intervals() -> None:
    assert [level(a) for a in (0.05, 0.1, 0.01, 0.001)] == ["95%", "90%", "99%", "99.9%"]
