"""Names with options, as users type them."""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass
from types import SimpleNamespace

import pytest

from outscore.base.errors import BrokenPackage, UsageError, suggestion
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

    def __init__(self, raised: BaseException, behind: BaseException | None = None) -> None:
        self.raised, self.behind = raised, behind

    def load(self) -> object:
        raise self.raised from self.behind


def _registry_with(monkeypatch: pytest.MonkeyPatch, *points: object) -> Registry[Metric]:
    """Metrics, beside which another package has these."""
    monkeypatch.setattr("outscore.base.registry.entry_points_of", lambda group: list(points))
    monkeypatch.setattr("outscore.base.registry._WARNED", set())
    return Registry("metric", "outscore.metrics", "outscore.metrics")


@pytest.mark.parametrize(
    "raised", [ImportError("no module named 'gone'"), ValueError("no"), KeyError("home"), SystemExit(1), MemoryError()]
)
def test_a_package_that_cannot_be_loaded_is_named_in_one_line_where_it_is_asked_for(
    raised: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    registry = _registry_with(monkeypatch, _BrokenPoint(raised))
    with warnings.catch_warnings(), pytest.raises(UsageError) as caught:
        warnings.simplefilter("error")
        registry.make("theirs")
    assert str(caught.value) == (
        f"the metric 'theirs' of their-package 3.1 cannot be loaded ({type(raised).__name__}: {raised}): mend that "
        "package, or: pip uninstall their-package"
    )


def test_what_else_there_is_goes_on_with_one_warning_of_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _Point("whole", type("Whole", (metrics.find("mean"),), {"__module__": "another_package"}))
    registry = _registry_with(monkeypatch, _BrokenPoint(ImportError("gone")), whole)
    with pytest.warns(BrokenPackage, match=r"^the metric 'theirs' of their-package 3\.1 cannot be loaded") as said:
        assert registry.knows("whole") and "theirs" not in registry.names()
        assert not Registry("test", registry.package, registry.group).knows("no_such_name")
    assert len(said) == 1


def test_an_interrupt_while_a_package_is_loaded_is_no_fault_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of C code may say in its place that it cannot be imported."""
    registry = _registry_with(monkeypatch, _BrokenPoint(ImportError("in C"), KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        registry.knows("no_such_name")


def test_what_a_package_entered_before_it_failed_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    half = type("Half", (metrics.find("mean"),), {"__module__": "their_package"})

    class Failing(_BrokenPoint):
        def load(self) -> object:
            registry.register("theirs")(half)
            return super().load()

    registry = _registry_with(monkeypatch, Failing(NameError("name 'typo' is not defined")))
    with pytest.raises(UsageError, match="cannot be loaded"):
        registry.find("theirs")


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
    monkeypatch.setattr("outscore.base.registry._WARNED", set())
    with pytest.warns(BrokenPackage) as said:
        assert not registry.knows("loud")
    assert str(said[0].message) == (
        "the metric 'bleu' of their-package 3.1 cannot be loaded (two metrics are named 'bleu': outscore.metrics.bleu "
        "and their_package): mend that package, or: pip uninstall their-package"
    )
    assert registry.find("bleu").__module__ == "outscore.metrics.bleu"


def test_an_entry_point_that_is_not_called_like_its_class_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be listed twice, and take the name that results are saved under from the class."""
    registry: Registry[Metric] = Registry("metric", "outscore.metrics", "outscore.metrics")
    theirs = registry.register("first_word")(type("Theirs", (metrics.find("mean"),), {"__module__": "their_package"}))
    monkeypatch.setattr("outscore.base.registry.entry_points_of", lambda group: [_Point("first", theirs)])
    with pytest.raises(UsageError, match=r"the metric 'first' of their-package 3\.1 .*registered as 'first_word'"):
        registry.find("first")
    assert vars(theirs)["name"] == "first_word"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("blue", "bleu"), ("bluey", "bleu"), ("BLUE", "bleu"), ("blexx", "blex"), ("holmm", "holm"), ("homel", "hommel")],
)
def test_the_nearest_name_is_suggested_and_of_two_the_one_with_more_of_the_letters(typed: str, meant: str) -> None:
    assert suggestion(typed, ["blex", "bleu", "hommel", "holm"]) == f"; did you mean {meant!r}?"
