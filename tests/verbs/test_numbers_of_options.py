"""The numbers of options: what each is by default, and below which it is refused."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.verbs import VERBS
from outscore.verbs.audit import AuditTest
from outscore.verbs.declared import declared, find_verb
from outscore.verbs.humans import ScoreByHumans
from outscore.verbs.power.ppv import PredictValue

DRAWN = {"n_resamples": 10_000, "alpha": 0.05, "seed": 12345}
DEFAULTS: Mapping[str, Mapping[str, float]] = {
    **dict.fromkeys(("rank", "score", "recheck", "replicate"), DRAWN),
    "compare": DRAWN | {"flips": 0, "words": 0},
    "correlate": DRAWN | {"n_resamples": 1000},
    **{key: {"alpha": 0.05} for key in ("advise", "history")},
    "agree": DRAWN,
    "judge": {"alpha": 0.05},
    "power": DRAWN | {"n_resamples": 999, "target": 0.8, "design_effect": 1.0},
    "sequential": {"alpha": 0.05, "orders": 0, "seed": 12345},
}
OF_OTHERS: Mapping[type, Mapping[str, float]] = {
    ScoreByHumans: {"alpha": 0.05},
    AuditTest: DRAWN | {"n_resamples": 999, "rounds": 1000},
    PredictValue: {"power": 0.8, "alpha": 0.05, "wanted": 0.95},
}
"""Of verbs that are functions, or commands within others."""
LEAST = {"n_resamples": 2, "disputed": 0, "flips": 0, "orders": 0, "seed": 0, "words": 0}
"""Of every other number that has a limit it is 1."""


@pytest.mark.parametrize("name", VERBS)
def test_numbers_by_default_and_their_limits(name: str) -> None:
    options = declared(find_verb(name))
    assert {one.name: one.default for one in options if type(one.default) in (int, float)} == DEFAULTS[name]
    needed = {one.name: "x" for one in options if one.default is dataclasses.MISSING}
    for one in options:
        if one.said.least is not None:
            least = LEAST.get(one.name, 1)
            assert getattr(find_verb(name)(**{**needed, one.name: least}), one.name) == least
            with pytest.raises(UsageError, match=f"^{one.name}={least - 1}: expected {least} or more$"):
                find_verb(name)(**{**needed, one.name: least - 1})


def test_two_resamples_are_enough_to_vary() -> None:
    data = {"a": [0.0, 1.0, 3.0, 2.0], "b": [1.0, 3.0, 4.0, 2.5]}
    assert outscore.compare(data, n_resamples=2).provenance.n_resamples == 2


@pytest.mark.parametrize("options", OF_OTHERS)
def test_numbers_of_other_verbs_by_default(options: type) -> None:
    fields = dataclasses.fields(options)
    assert {one.name: one.default for one in fields if type(one.default) in (int, float)} == OF_OTHERS[options]
