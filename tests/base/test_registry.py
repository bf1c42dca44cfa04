"""Names with options, as users type them."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from outscore.base.errors import UsageError, suggestion
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


class _Point:
    """An entry point of a package whose class is ``loaded``."""

    dist = SimpleNamespace(name="their-package", version="3.1")

    def __init__(self, name: str, loaded: type) -> None:
        self.name, self.loaded = name, loaded

    def load(self) -> object:
        return self.loaded


@pytest.mark.parametrize("first", ["bleu", "loud"])
@pytest.mark.parametrize("decorated", [True, False])
def test_a_name_of_ours_is_refused_to_another_package_whatever_was_asked_for_before(
    first: str, decorated: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry: Registry[Metric] = Registry("metric", "outscore.metrics", "outscore.metrics")
    monkeypatch.setattr("outscore.metrics.metric", registry.register)
    for module in ("bleu", "mean"):  # ours enter again, into this registry
        monkeypatch.delitem(sys.modules, f"outscore.metrics.{module}", raising=False)
    theirs = type("Theirs", (metrics.find("mean"),), {"__module__": "their_package"})

    class Decorating(_Point):
        def load(self) -> object:
            return registry.register("bleu")(theirs) if decorated else theirs

    monkeypatch.setattr("outscore.base.registry.entry_points_of", lambda group: [Decorating("bleu", theirs)])
    if first == "bleu":
        assert registry.find("bleu").__module__ == "outscore.metrics.bleu"
    with pytest.raises(UsageError) as caught:
        registry.find("loud")
    assert str(caught.value) == (
        "the metric 'bleu' of their-package 3.1 cannot be loaded (two metrics are named 'bleu': outscore.metrics.bleu "
        "and their_package): mend or uninstall that package"
    )
    assert registry.find("bleu").__module__ == "outscore.metrics.bleu"


def test_an_entry_point_that_is_not_called_like_its_class_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be listed twice, and take the name that results are saved under from the class."""
    registry: Registry[Metric] = Registry("metric", "outscore.metrics", "outscore.metrics")
    theirs = registry.register("first_word")(type("Theirs", (metrics.find("mean"),), {"__module__": "their_package"}))
    monkeypatch.setattr("outscore.base.registry.entry_points_of", lambda group: [_Point("first", theirs)])
    with pytest.raises(UsageError, match=r"the metric 'first' of their-package 3\.1 .*registered as 'first_word'"):
        registry.find("loud")
    assert vars(theirs)["name"] == "first_word"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("blue", "bleu"), ("bluey", "bleu"), ("BLUE", "bleu"), ("blexx", "blex"), ("holmm", "holm"), ("homel", "hommel")],
)
def test_the_nearest_name_is_suggested_and_of_two_the_one_with_more_of_the_letters(typed: str, meant: str) -> None:
    assert suggestion(typed, ["blex", "bleu", "hommel", "holm"]) == f"; did you mean {meant!r}?"
