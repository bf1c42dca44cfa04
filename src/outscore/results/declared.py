"""How records say how their fields are written, and what a result may ask of whoever writes it.

A field of a record says it in its annotation, ``gain: Annotated[float, Shown("gain", "gain", ci="ci")]``, and a table
names its columns by these fields. Nothing is rounded here and no text is made: that is the report's.
"""

from __future__ import annotations

import typing
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, Protocol

from outscore.base.lazy import dataclass

Kind = Literal[
    "text", "prose", "command", "score", "gain", "amount", "coefficient", "difference", "p", "number", "given", "count",
    "percent", "proportion", "fixed", "whole",
]  # fmt: skip
"""How a value is written: ``score``, ``gain`` (with its sign) and ``amount`` in the unit of the row's metric;
``coefficient`` and ``difference`` (with its sign) on the scale of 1; ``percent`` and ``proportion`` (``.95``) of what
lies from 0 to 1; ``number`` with significant digits; ``given`` as whoever asked gave it; ``count`` with thousands;
``fixed`` with two decimals; ``whole`` as it is; ``prose`` as text that may break into lines,
``command`` as one of which a line that goes on ends in a backslash."""


@dataclass(frozen=True)
class Shown:
    """How a field, or a column that is made of a row, is written.

    Attributes:
        title: heading; that of a score where there is one metric is the metric's own.
        kind: as in ``Kind``.
        ci: field of the interval that hangs on it, or what makes it of the row, or a text in its place; ``ci_title``
            heads it, by default the level of the result.
        tested: the interval has the sides of the test, so that of a one-sided one an end is open.
        error: its Monte-Carlo error, likewise.
        level: what a p-value is held against, likewise; by default alpha of the result.
        value: makes the value of a column out of a row, where it is no field; an empty text leaves the cell empty.
        words: what values are called.
        spare: where the column goes when there is no room: to a ``footnote``, or nowhere, as it stands ``elsewhere``.
        of_metric: the column is headed by the metric, where there is one, or metrics stand side by side.
        best: the best value of each metric is set off.
        bar: where there is room, the interval is drawn beside the table, with 0; or the name of a field with low end,
            value and high end of what is drawn, without 0.
        marked: marks, colours and note numbers of the row hang here; by default at its name.
        place: makes of a row the place in its text that is to be seen where there is little room.
    """

    title: str = ""
    kind: Kind = "text"
    ci: str | Callable[[Any], Any] = ""
    ci_title: str = ""
    tested: bool = False
    error: str | Callable[[Any], Any] = ""
    level: str | Callable[[Any], Any] = ""
    value: Callable[[Any], Any] | None = None
    words: Mapping[str, str] = field(default_factory=dict)
    spare: Literal["", "footnote", "elsewhere"] = ""
    of_metric: bool = False
    best: bool = False
    bar: bool | str = False
    marked: bool = False
    place: Callable[[Any], int] | None = None


_DECLARED: dict[type[Any], dict[str, Shown]] = {}


def shown(record: type[Any], name: str) -> Shown | None:
    """The declaration of a field or a property; None where it says nothing, or has none of this name."""
    if record not in _DECLARED:
        hints = typing.get_type_hints(record, include_extras=True)
        for cls in reversed(record.__mro__):
            made = {key: one.fget for key, one in vars(cls).items() if isinstance(one, property) and one.fget}
            hints |= {key: typing.get_type_hints(get, include_extras=True).get("return") for key, get in made.items()}
        said = {key: getattr(hint, "__metadata__", ()) for key, hint in hints.items()}
        _DECLARED[record] = {key: one for key, all_ in said.items() for one in all_ if isinstance(one, Shown)}
    return _DECLARED[record].get(name)


class Writer(Protocol):
    """Writes the parts of a result: numbers as text, records as tables. What it gives back is clean and rounded.

    Where no metric is named, numbers are coefficients or proportions on the scale of 1.

    Attributes:
        brief: where there is little room (1) sentences leave to the table below them what stands in it, and where
            that is not enough (2) they count systems.
    """

    brief: int

    def label(self, metric: str) -> str:
        """The metric as its unit spells it: ``BLEU``."""

    def unit(
        self, metric: str, value: float | None, *, sign: bool = False, up: bool = False, digits: int | None = None
    ) -> str:
        """A gain with its unit: ``1.4 BLEU``, ``19.0 points of accuracy``; ``up``: no less than it is; or in digits."""

    def name(self, text: object) -> str:
        """Text from outside, on one line, without control characters."""

    def score(self, value: float | None, metric: str = "") -> str:
        """A score with the decimals of its metric."""

    def scored(self, value: float | None, metric: str) -> str:
        """A score with its metric, where that is a unit: ``28.8 BLEU``, ``0.62`` of a mean."""

    def gain(self, value: float | None, metric: str = "", *, sign: bool = True) -> str:
        """A gain with the decimals of its metric."""

    def bound(self, ci: tuple[float, float] | None) -> tuple[float, float] | None:
        """The interval of a tested gain without the end of which a one-sided test says nothing: that one is infinite.

        In the record it is the largest gain, or loss, that there can be.
        """

    def below_gains(self, metrics: Iterable[str]) -> list[str]:
        """Below a table of gains: of which metrics a gain is a lower score; tables say it that show the metric."""

    def interval(
        self, ci: tuple[float, float] | None, metric: str = "", *, of: Literal["score", "gain"] = "gain"
    ) -> str:
        """``[0.5, 2.3]``."""

    def ends(self, ci: tuple[float, float] | None, metric: str = "") -> str:
        """The ends of a gain's interval in words: ``0.5 to 2.3``."""

    def p(self, value: float | None, name: str = "p", *, level: float | None = None) -> str:
        """``p = .003``, ``p < .001``, ``no p-value``; ``level`` is what it is held against, by default alpha.

        Without a name it is the number alone, ``.003``.
        """

    def level(self, times: float = 1) -> str:
        """``95%``; of an interval at so many times alpha."""

    def percent(self, value: float | None, places: int = 0) -> str:
        """A proportion in per cent."""

    def number(self, value: float | int | str | None, digits: int = 3) -> str:
        """A number of unknown size with so many significant digits."""

    def given(self, value: float | None, unit: str = "", metric: str = "", *, digits: int = 4) -> str:
        """A number that somebody chose, without more digits than it has: ``0.05``, ``1,500``.

        In the unit of a metric, which needs no scores, it is ``1.25 BLEU`` or ``2 points of accuracy``.
        """

    def fixed(self, value: float | None, places: int | None = None) -> str:
        """A number with so many decimals; two, where nobody asked for others."""

    def margin(self, value: float, metric: str) -> str:
        """A margin as it was given, with the unit of gains: ``0.5 BLEU``, ``2 points of accuracy``."""

    def count(self, number: int, noun: str) -> str:
        """``1,984 segments``."""

    def about(self, number: int, noun: str) -> str:
        """``2,600 items``: a number of which two digits are meant."""

    def warned(self, codes: Iterable[str]) -> bool:
        """Whether a note of these codes changes an answer."""

    def table(
        self,
        title: str,
        rows: Iterable[Any],
        columns: Sequence[str | Shown],
        *,
        first: bool = False,
        asked: str = "",
        by_metric: bool = True,
        group: Callable[[Any], str] | None = None,
        footnotes: Iterable[str] = (),
        naming: int = 1,
        side: Callable[[Any], str] | None = None,
        codes: Callable[[Any], Iterable[str]] | None = None,
    ) -> Any:
        """A table of these rows.

        Args:
            title: what it is about.
            rows: records, or tuples of records that stand on one line, of which the others may be None.
            columns: names of their fields, or columns made of a row.
            first: it is part of the first screen.
            asked: the option that asked for it; so it is part of the first screen, too. ``rows()`` have no part in it.
            by_metric: rows are put under their metrics.
            group: what heads rows that belong together, in the place of the metric.
            footnotes: what its columns mean.
            naming: columns that name the row.
            side: ``better``, ``worse`` or nothing, for marks and colours.
            codes: of the notes that concern a row.
        """


def flat_row(record: Any, **more: Any) -> dict[str, Any]:
    """A record as columns of a data frame, ``more`` behind it: intervals as two ends, notes as one text."""
    row: dict[str, Any] = {}
    for name, value in {**vars(record), **more}.items():
        if name == "ci" or name.endswith("_ci"):
            row[f"{name}_low"], row[f"{name}_high"] = value or (None, None)
        else:
            row[name] = " ".join(value) if name == "notes" else value
    return row


def see_clusters(w: Writer, *also: str) -> str:
    """Where clusters that nobody gave, or what these other notes are about, may turn what is said."""
    return ", BUT see !" if w.warned(["clusters_ignored", *also]) else ""
