"""Names with options, as users type them."""

from __future__ import annotations

import pytest

from outscore.base.errors import UsageError
from outscore.metrics import metrics


@pytest.mark.parametrize("spec", ["bleu:tokenize=none,smooth=none", "bleu:tokenize=none:smooth=none"])
def test_options_are_separated_by_commas_or_colons(spec: str) -> None:
    assert metrics.make(spec).label == "bleu:tokenize=none,smooth=none"


@pytest.mark.parametrize("mark", [",", ":"])
def test_a_slip_in_the_name_of_an_option_is_named_behind_either(mark: str) -> None:
    with pytest.raises(UsageError, match=r"no option 'smoth'; did you mean 'smooth'\? \(it has: .*tokenize"):
        metrics.make(f"bleu:tokenize=none{mark}smoth=none")


def test_a_value_may_hold_a_colon() -> None:
    assert metrics.make("ratio:num=a:b,den=c").label == "ratio:num=a:b,den=c"
