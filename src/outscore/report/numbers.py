"""The only rounding in the project: decimals, how a p-value is written, and the view that all parts share."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import cached_property

from outscore.base.lazy import dataclass
from outscore.base.text import clean
from outscore.results.result import Result, Score

UNDEFINED = "–"
"""Sign for a number that is undefined."""

_MOST_PLACES = 4


@dataclass(frozen=True, kw_only=True)
class Decimals:
    """Decimals of the scores and of the gains of one metric."""

    score: int
    gain: int


def decimals_for(
    unit: str,
    *,
    scores: Iterable[float | None] = (),
    gains: Iterable[float | None] = (),
    width: int | None = None,
) -> Decimals:
    """The custom of a unit: 0-100 gets 1 decimal, 0-1 gets 3, others 4 significant digits.

    Gains have one more where one of them, or an end of its interval, would be printed as 0 and is not.

    Args:
        unit: the metric's unit, e.g. ``BLEU 0-100``.
        scores, gains: the numbers that will be printed; only their sizes matter.
        width: decimals asked for; they hold for scores and gains alike.
    """
    gains = list(gains)
    if width is not None:
        return Decimals(score=max(0, width), gain=max(0, width))
    if re.search(r"\b100\b|%|per ?cent", unit):
        return Decimals(score=1, gain=1 + _vanishes(gains, 1))
    if re.search(r"\b0\s*[-–]\s*1\b|-1 to 1", unit):
        return Decimals(score=3, gain=3 + _vanishes(gains, 3))
    return Decimals(score=_places(scores), gain=_places(gains))


def _vanishes(values: Iterable[float | None], decimals: int) -> bool:
    """Whether a number other than 0 would be printed as 0."""
    return any(value and math.isfinite(value) and not round(value, decimals) for value in values)


def _places(values: Iterable[float | None], digits: int = 4) -> int:
    """Decimals that give the largest of ``values`` so many significant digits."""
    largest = max((abs(v) for v in values if v is not None and math.isfinite(v)), default=0.0)
    if largest == 0:
        return digits - 1
    exponent = int(f"{largest:.{digits - 1}e}".partition("e")[2])  # as it is written: 0.99999 as 1
    return min(12, max(0, digits - 1 - exponent))


def round_up(value: float, decimals: int) -> float:
    """The least number of so many decimals that is no smaller, but for what is lost by counting."""
    step = 10.0**decimals
    return math.ceil(value * step - 1e-6) / step


def to_fixed(value: float | None, decimals: int, *, sign: bool = False) -> str:
    """A number with so many decimals; never ``-0.0``; ``–`` where it is undefined."""
    if value is None or not math.isfinite(value):
        return UNDEFINED
    if abs(value) >= 1e12:
        return f"{value:+.3e}" if sign else f"{value:.3e}"
    text = f"{value:+.{decimals}f}" if sign else f"{value:.{decimals}f}"
    return text if float(text) != 0 else text.lstrip("+-")


def to_digits(value: float | int | str | None, digits: int = 3) -> str:
    """A number of unknown size with so many significant digits; whole numbers in full; text as it is."""
    if isinstance(value, bool | int | str):
        return str(value)
    if value is not None and math.isfinite(value) and 0 < abs(value) < 1e-4:
        return f"{value:.{digits - 1}e}"
    return to_fixed(value, 0 if value is None or value == 0 else _places([value], digits))


def to_given(value: float) -> str:
    """A number that somebody gave: 0.05 is ``0.05``, whatever the digits of what is found beside it."""
    return f"{value:.6g}" if math.isfinite(value) else UNDEFINED


def interval(ci: tuple[float | None, float | None] | None, decimals: int, *, sign: bool = False) -> str:
    """``[26.1, 28.4]``, ``[26.1, ∞)`` of a one-sided one, or ``[–]`` where there is none."""
    low, high = ci or (None, None)
    if low is None or high is None or math.isnan(low) or math.isnan(high) or low == math.inf or high == -math.inf:
        return f"[{UNDEFINED}]"
    first = "(-∞" if low == -math.inf else f"[{to_fixed(low, decimals, sign=sign)}"
    last = "∞)" if high == math.inf else f"{to_fixed(high, decimals, sign=sign)}]"
    return f"{first}, {last}"


def p_text(p: float | None, alpha: float = 0.05, *, places: int | None = None) -> str:
    """A p-value as papers print it, two digits: ``.25``, ``.013``, ``< .001``, never ``.000``.

    Digits are added where rounding would put p on the other side of ``alpha`` or ``alpha / 5``: 0.0496 is
    ``.0496`` and not ``.050``, which would contradict what is said of it; nearer than four digits tell it is ``< .05``.
    """
    if p is None or not math.isfinite(p):
        return UNDEFINED
    least = max(3, math.ceil(-math.log10(alpha))) if 0 < alpha < 1 else 3
    if p < 10**-least:
        return f"< {10**-least:.{least}f}".replace("0.", ".")
    places = places or (2 if p >= 0.0995 else 3 if p >= 0.00995 else least)
    for decimals in range(places, max(_MOST_PLACES, places, least + 1) + 1):
        text = f"{p:.{decimals}f}"
        if all((float(text) < t) == (p < t) for t in (alpha, alpha / 5)) and (float(text) < 1 or p == 1):
            return "1" if p == 1 else text.removeprefix("0")
    near = 1 - 10**-places if p > 0.5 else min((alpha, alpha / 5), key=lambda threshold: abs(p - threshold))
    sign = "<" if p < near else ">" if p > near else "="
    return f"{sign} {near:g}".replace(" 0.", " .").removeprefix("= ")


def p_with_error(p: float | None, error: float | None, alpha: float = 0.05) -> tuple[str, str]:
    """p and its Monte-Carlo standard error, ``("0.0481", "±0.0021")``, or ``("0.013", "")``.

    The error is given where chance in the resampling could move p across alpha: within 4 errors of it.
    """
    if p is None or not error or not math.isfinite(error) or abs(p - alpha) > 4 * error:
        return p_text(p, alpha), ""
    places = min(_MOST_PLACES, max(3, 1 - math.floor(math.log10(error))))
    shown = to_fixed(error, places)
    return p_text(p, alpha, places=places), f"±{shown.removeprefix('0')}" if float(shown) else ""


def level(alpha: float) -> str:
    """``95%`` for alpha 0.05; of a share of it, as 0.05 / 3, four digits."""
    short = f"{100 * (1 - alpha):.4g}"
    return f"{100 * (1 - alpha):g}%" if short == "100" else f"{short}%"


_MEAN = re.compile(r"mean:column=([^,]+)(?:,(?:lower|tested)=true)+")


class View:
    """A result as tables and pictures need it.

    Args:
        result: the record.
        width: decimals asked for, or None for the custom of each unit.
        brief: see ``outscore.results.declared.Writer``.
    """

    def __init__(self, result: Result, width: int | None, *, brief: int = 0) -> None:
        self.result, self.width, self.brief = result, width, brief

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """Names of the metrics, in the order of the scores."""
        return self.result.metrics

    def scores(self, metric: str) -> list[Score]:
        """Scores under one metric."""
        return self._grouped.get(metric, [])

    @cached_property
    def _grouped(self) -> dict[str, list[Score]]:
        found: dict[str, list[Score]] = {}
        for score in self.result.scores:
            found.setdefault(score.metric, []).append(score)
        return found

    def label(self, metric: str) -> str:
        """The metric as its unit spells it: ``BLEU`` for ``bleu`` in ``BLEU 0-100``, options kept.

        A mean of a column is called like the column; which way is better is said by its arrow.
        """
        mean = _MEAN.fullmatch(metric)
        if mean is not None and mean[1] not in self.metrics:
            return clean(mean[1])
        return spell_metric(metric, self.scores(metric)[0].unit)

    def decimals(self, metric: str) -> Decimals:
        """Decimals of the scores and gains of one metric, or of coefficients; the same in all tables."""
        return self._decimals[metric] if metric else decimals_for("0-1", width=self.width)

    @cached_property
    def _decimals(self) -> dict[str, Decimals]:
        return {
            m: decimals_for(
                self.scores(m)[0].unit,
                scores=[s.score for s in self.scores(m)],
                gains=[
                    number
                    for p in self.result.contrasts
                    if p.metric == m
                    for number in {p.gain, *(getattr(p, "ci", None) or ())}
                ],
                width=self.width,
            )
            for m in self.metrics
        }


def spell_metric(metric: str, unit: str) -> str:
    """The metric as its unit spells it, with its options: ``chrF (word_order=2)``."""
    name, _, options = clean(metric).partition(":")
    spelled = clean(unit).partition(" ")[0]
    own = spelled if spelled.casefold() == name.casefold() else name
    return f"{own} ({options})" if options else own
