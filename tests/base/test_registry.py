"""Names with options, as users type them."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from outscore.base.errors import UsageError
from outscore.base.registry import Registry
from outscore.metrics import Metric, metrics


@pytest.mark.parametrize("spec", ["bleu:tokenize=none,smooth=none", "bleu:tokenize=none:smooth=none"])
def test_options_are_separated_by_commas_or_colons(spec: str) -> None:
    assert metrics.make(spec).label == "bleu:tokenize=none,smooth=none"


@pytest.mark.parametrize("mark", [",", ":"])
def test_a_slip_in_the_name_of_an_option_is_named_behind_either(mark: str) -> None:
    with pytest.raises(UsageError, match=r"no option 'smoth'; did you mean 'smooth'\? \(it has: .*tokenize"):
        metrics.make(f"bleu:tokenize=none{mark}smoth=none")


def test_a_value_may_hold_a_colon() -> None:
    assert metrics.make("ratio:num=a:b,den=c").label == "ratio:num=a:b,den=c"


def test_what_lacks_an_attribute_or_a_method_of_its_kind_is_refused_by_name() -> None:
    """Where it is written, not where a list or a report first asks for it."""
    registry: Registry[Metric] = Registry("metric", "outscore.metrics", "none")
    with pytest.raises(
        TypeError, match=r"^Bare lacks what every metric has: citation, example, unit, score, statistics$"
    ):

        @registry.register("bare")
        @dataclass(frozen=True)
        class Bare(Metric):
            """Statistics per item: none."""


class _BrokenPoint:
    """An entry point of a package that cannot be imported."""

    name = "theirs"
    dist = SimpleNamespace(name="their-package", version="3.1")

    def load(self) -> object:
        raise ImportError("no module named 'gone'")


def test_a_package_that_cannot_be_loaded_is_named_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outscore.base.registry.entry_points_of", lambda group: [_BrokenPoint()])
    registry: Registry[Metric] = Registry("metric", "outscore.metrics", "outscore.metrics")
    with pytest.raises(UsageError) as caught:
        registry.names()
    assert str(caught.value) == (
        "the metric 'theirs' of their-package 3.1 cannot be loaded (ImportError: no module named 'gone'): mend or "
        "uninstall that package"
    )
