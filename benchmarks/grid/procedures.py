"""Every registered test with the options that matter, the null hypothesis of each, and what it says of a data set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from grid.family import Data, Family
from outscore.significance import Outcome, tests
from outscore.significance.choose import choose
from outscore.significance.confidence import Found, gain_interval
from outscore.significance.gain import GainContrast
from outscore.significance.independent import gain_interval as of_samples
from outscore.significance.independent import independent_tests
from outscore.significance.omnibus import Groups, omnibus_tests
from outscore.verbs.shared.records import JudgedPair

AUTO = "auto"
"""The label of what a comparison does when no test is named, and the code of its null hypothesis."""

NULLS: dict[str, str] = {
    "bootstrap": "mean",
    "t": "mean",
    "rao": "mean",
    "z": "mean",
    "randomization": "exchangeable",
    "randomization:form=studentized": "mean",
    "mcnemar": "exchangeable",
    "wilcoxon": "symmetric",
    "sign": "median",
    "multeval": "pooled",
    "crossed": "runs and items",
    "multibootstrap": "runs and items",
    "runs": "runs",
    "welch": "means",
    "unpaired-bootstrap": "means",
    "permutation": "means",
    "permutation:statistic=mean": "distributions",
    "student": "means, spreads alike",
    "mann-whitney": "distributions",
    "brunner-munzel": "stochastic",
    "prob-better": "stochastic",
    "aso": "distributions",
    "fisher": "proportions",
    "chi2": "proportions",
    "two-proportions": "proportions",
    "cochran-q": "proportions",
    "friedman": "exchangeable",
    "anova": "means, spreads alike",
    "kruskal-wallis": "distributions",
    "welch-anova": "means",
}
"""What a test, or a test with an option, holds to be true; a family says which of these are true of it."""

IN_WORDS: dict[str, str] = {
    AUTO: "the gain on new items, and over new runs where there are several, is 0",
    "mean": "the mean difference on new items is 0",
    "exchangeable": "the systems are exchangeable on each item",
    "symmetric": "differences are symmetric about 0",
    "median": "a win is as likely as a loss",
    "pooled": "the systems are exchangeable on each item and run, runs being items",
    "runs and items": "the gain over new runs and new items is 0",
    "runs": "the gain over new runs on this test set is 0",
    "means": "the means are equal, whatever the spreads",
    "means, spreads alike": "the means are equal, and so are the spreads",
    "distributions": "the distributions are equal",
    "stochastic": "neither system is better more often than the other",
    "proportions": "the proportions are equal",
}

VARIANTS: dict[str, tuple[str, ...]] = {
    "randomization": ("exact=never", "form=studentized"),
    "bootstrap": ("form=percentile", "form=studentized", "form=bbk", "centre=boot_mean"),
    "mcnemar": ("variant=midp", "variant=exact", "variant=chi2-cc"),
    "sign": ("variant=midp",),
    "wilcoxon": ("variant=normal", "zeros=pratt"),
    "crossed": ("variant=conservative",),
    "runs": ("variant=permutation",),
    "permutation": ("statistic=mean",),
    "unpaired-bootstrap": ("form=shift",),
    "chi2": ("yates=true",),
    "friedman": ("law=f", "law=chi2"),
    "multeval": ("as_coded=true",),
}
"""Options that are measured beside the defaults."""

SILENT = frozenset(
    {
        "single_run",
        "not_exact",
        "p_and_interval",
        "saddlepoint",
        "decision_unstable",
        "alpha_unattainable",
        "interrupted",
        "identical_outputs",
        "runs_fixed",
        "test_set_fixed",
    }
)
"""Notes that do not say that a level may be missed."""

_REGISTRIES = {"pairs": tests, "samples": independent_tests, "groups": omnibus_tests}
_DEAR: dict[str, tuple[tuple[int, int], ...]] = {
    AUTO: ((0, 1), (15, 4), (21, 1)),
    "randomization": ((0, 2), (15, 12), (21, 2)),
    "randomization:exact=never": ((0, 2),),
    "randomization:form=studentized": ((0, 2), (15, 12), (21, 2)),
    "bootstrap": ((0, 2),),
    "bootstrap:form=percentile": ((0, 2),),
    "bootstrap:form=bbk": ((0, 2),),
    "bootstrap:centre=boot_mean": ((0, 2),),
    "bootstrap:form=studentized": ((0, 4),),
    "wilcoxon": ((100, 4), (200, 20), (1000, 40)),
    "wilcoxon:zeros=pratt": ((0, 4), (200, 40)),
    "multeval": ((0, 4), (500, 20)),
    "multeval:as_coded=true": ((0, 20),),
    "multibootstrap": ((0, 4),),
    "permutation": ((0, 2), (500, 4)),
    "permutation:statistic=mean": ((0, 4), (500, 8)),
    "unpaired-bootstrap": ((0, 2),),
    "unpaired-bootstrap:form=shift": ((0, 4),),
    "runs:variant=permutation": ((0, 4),),
    "brunner-munzel": ((0, 2), (15, 1)),
    "mann-whitney": ((30, 4), (100, 2)),
    "prob-better": ((0, 2), (100, 8), (1000, 80)),
    "aso": ((1000, 8),),
    "friedman": ((0, 2), (15, 40), (50, 100)),
    "cochran-q": ((0, 1), (50, 8)),
}
"""From so many units on, a label gets one of so many rounds; units that can just be enumerated cost most."""


@dataclass(frozen=True)
class Said:
    """What a procedure says of one data set.

    Attributes:
        p: None where it has no answer.
        ci: the interval of the gain that a comparison prints beside it; ``own`` where the test brings it itself.
        notes: codes of the notes that go with it.
    """

    p: float | None
    ci: tuple[float, float] | None = None
    ci_method: str = ""
    own: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Procedure:
    """A test with its options, or None for the one that a comparison takes; ``null`` is the code of what it tests."""

    label: str
    test: Any
    null: str

    def own(self, family: Family) -> bool:
        """Whether its null hypothesis is true of a family without an effect; that of the default should always be."""
        return self.test is None or self.null in family.holds

    def refuses(self, data: Data) -> str | None:
        return None if self.test is None else self.test.refuses(data)

    def says(self, data: Data) -> Said:
        if isinstance(data, GainContrast):
            test = self.test or choose(data).test
            return _of_pair(data, test, test.run(data))
        found = self.test.run(data)
        codes = tuple(note.code for note in found.notes)
        if isinstance(data, Groups):
            return Said(found.p_value, notes=codes)
        interval, method, own = found.ci, found.ci_method, found.ci is not None
        if not own:
            interval, method, said = of_samples(data)
            codes += tuple(note.code for note in said)
        return Said(found.p_value, interval, method, own, codes)

    def share(self, units: int) -> int:
        """It gets one of so many rounds."""
        fits = [share for least, share in _DEAR.get(self.label, ()) if units >= least]
        return fits[-1] if fits else 1


def names() -> dict[str, list[str]]:
    """All registered tests by kind."""
    return {kind: registry.names() for kind, registry in _REGISTRIES.items()}


def procedures(family: Family, n: int, only: frozenset[str] = frozenset()) -> list[Procedure]:
    """The tests of a family, those of ``only``, by name or by label, or all; refusals are asked of the data."""
    registry = _REGISTRIES[family.kind]
    made = [Procedure(AUTO, None, AUTO)] if family.kind == "pairs" and (not only or AUTO in only) else []
    for name in registry.names():
        labels = [name, *(f"{name}:{option}" for option in VARIANTS.get(name, ()))]
        if name == "z":
            labels = [] if family.sigma is None else [f"z:sigma={family.sigma(n)!r}"]
        made += [
            Procedure("z" if name == "z" else label, registry.make(label), NULLS.get(label) or NULLS[name])
            for label in labels
            if not only or {name, label} & only
        ]
    return made


def _of_pair(pair: GainContrast, test: Any, found: Outcome) -> Said:
    own = found.ci is not None
    if not own:
        interval, method, said = _printed(pair)
        found = replace(found, ci=interval, ci_method=method, notes=(*found.notes, *said))
    judged = JudgedPair(pair, test, found, (), ())
    return Said(found.p_value, found.ci, found.ci_method, own, tuple(note.code for note in judged.notes))


@lru_cache(maxsize=1)
def _printed(pair: GainContrast) -> Found:
    """The interval of a gain that a comparison prints beside a test that brings none."""
    return gain_interval(pair)
