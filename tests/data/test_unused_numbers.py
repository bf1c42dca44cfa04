"""Numbers that nobody asked for may be missing."""

from __future__ import annotations

import pandas as pd
import pytest

import outscore
from outscore import InputError

TABLE = pd.DataFrame(
    {
        "system": ["a"] * 3 + ["b"] * 3,
        "item": [1, 2, 3] * 2,
        "output": ["one two", "three four", "five"] * 2,
        "reference": ["one two", "three", "five six"] * 2,
        "z": [0.5, None, 0.25, 1, 2, 3],
    }
)


def test_a_metric_of_outputs_does_not_need_a_number_beside_them() -> None:
    assert outscore.score(TABLE, metrics="bleu", n_resamples=99).scores == outscore.score(
        TABLE.drop(columns="z"), metrics="bleu", n_resamples=99
    ).scores  # fmt: skip
    assert outscore.convert(TABLE).columns["z"][:3] == [0.5, None, 0.25]


def test_the_number_that_is_asked_for_is_needed() -> None:
    with pytest.raises(InputError, match=r"'z' is missing .* for 1 item of system 'a'"):
        outscore.score(TABLE, metrics="mean:column=z", n_resamples=99)
    left = outscore.score(TABLE, metrics="z", missing="drop", n_resamples=99)
    assert list(left.provenance.dropped) == ["2"]
