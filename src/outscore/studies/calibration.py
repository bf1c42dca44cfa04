"""Calibration: how often the system that scores higher is the better one, by p-value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from outscore.base.errors import UsageError, inflect
from outscore.base.notes import Note
from outscore.significance.statistics import Statistics
from outscore.studies import Found, Spec, Study, Summary, option, study
from outscore.studies.shared import (
    calibration_across,
    calibration_across_tables,
    calibration_bootstrap,
    calibration_bootstrap_tables,
)
from outscore.studies.shared.bins import Bins
from outscore.studies.shared.calibration_across import Across
from outscore.studies.shared.calibration_bootstrap import BootstrapTestSets
from outscore.studies.shared.judging import How
from outscore.studies.shared.material import Material
from outscore.studies.shared.pairs import Claim

_BATCH = 5  # test sets of one cell
_SIZE = "0.25"
_POOL = Note(
    code="pool",
    text="the proportion of right signs at a p-value is a property of this pool of systems, not of the test",
    remedy="do not take it for the chance that one comparison of other systems is right",
)


@study("calibration")
@dataclass(frozen=True)
class Calibration(Study):
    """How often is the system that scores higher the better one? By p-value, on new test sets and on other domains.

    The items given are taken for all there are. Test sets are resampled from them with replacement (whole clusters,
    strata in proportion), every two systems are tested on each, and the sign of the gain is compared with that on all
    items. Beside it stands what the spread of the true gains implies, by a normal law and for these very gains: at
    p = .05 of the winner the proportion of right signs is 95 % for systems whose gains are of any size alike, and less
    for a pool of similar systems.

    With --across COLUMN, p comes from the items of one domain, and the sign from those of each other one. Runs of a
    system count as systems.

    Source: Berg-Kirkpatrick, Burkett and Klein 2012, §4.2 and Table 1.
    """

    question = "How often is the system that scores higher the better one?"
    citation = "Berg-Kirkpatrick et al. 2012"
    example = "outscore study calibration -r ref.txt 'system*.txt' -m bleu --sizes 200,500 --plot calibration.svg"

    test: str = option("bootstrap", "Test of each pair, or auto.")
    claim: Claim = option(
        "two-sided",
        "two-sided, or winner: as if named beforehand.",
        "winner: p of the system that scored higher.",
    )
    sizes: str = option(
        "",
        "Items of a test set, or proportions: 0.1,500.",
        "Or clusters.",
        shown=f"{_SIZE}",
    )
    rounds: int = option(100, "Resampled test sets of each size.")
    bins: str = option(
        "0.00125,0.0025,0.005,0.01,0.02,0.04,0.08,0.16,0.32", "Where one bin of p ends and the next begins."
    )
    low: float = option(0.04, "Lower end of the window of p.")
    high: float = option(0.06, "Upper end of the window of p.")
    across: str = option("", "Column of the domains.", "p on one against the sign on each other.")
    source: str = option("", "With --across, the domain that p is taken on.", shown="all in turn")

    def grid(self, material: Material) -> list[Spec]:
        """One cell for each metric and some resampled test sets of each size, or for each metric and domain."""
        apart = material.with_runs_apart
        self._check(apart)
        if self.across:
            domains = calibration_across.domains_of(apart, self.across, self.source)
            return [{"metric": stats.name, "from": name} for stats in apart.by_metric for name in domains]
        batches = -(-self.rounds // _BATCH)
        return [
            {"metric": stats.name, "size": size, "batch": batch}
            for stats in apart.by_metric
            for size in calibration_bootstrap.sizes_of(self.sizes or _SIZE, stats)
            for batch in range(batches)
        ]

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """Some test sets, or one domain."""
        apart, how = material.with_runs_apart, self._how
        stats = _stats(apart, spec["metric"])
        if self.across:
            return calibration_across.compare_domain(apart, stats, how, self.across, spec["from"], seed)
        rounds = range(spec["batch"] * _BATCH, min(self.rounds, (spec["batch"] + 1) * _BATCH))
        return {
            "rounds": [
                calibration_bootstrap.run_round(apart, stats, how, spec["size"], seed, number) for number in rounds
            ]
        }

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        """Proportions of right signs by p-value, beside the laws."""
        apart = material.with_runs_apart
        return self._summarize_across(apart, cells) if self.across else self._summarize_bootstrap(apart, cells)

    def _summarize_bootstrap(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        rounds: dict[tuple[str, int], list[Mapping[str, Any]]] = {}
        for spec, found in cells:
            rounds.setdefault((spec["metric"], spec["size"]), []).extend(found["rounds"])
        sets = [
            BootstrapTestSets.of(material, _stats(material, metric), self._how, size, found)
            for (metric, size), found in rounds.items()
        ]
        sizes = ", ".join(dict.fromkeys(one.where for one in sets))
        design = self._design(material, f"{inflect(self.rounds, 'test set')} of {sizes}")
        by_metric = [[one for one in sets if one.stats is stats] for stats in material.by_metric]
        return Summary(
            design=design,
            tables=calibration_bootstrap_tables.tables_of(sets),
            figures=tuple(
                calibration_bootstrap_tables.figure_of(some[0].stats.name, some, design) for some in by_metric
            ),
            findings=tuple(finding for one in sets for finding in one.findings()),
            notes=(_POOL, *(note for one in sets for note in one.notes())),
        )

    def _summarize_across(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        metrics = [
            Across(
                material,
                stats,
                self._how,
                self.across,
                {spec["from"]: found for spec, found in cells if spec["metric"] == stats.name},
            )
            for stats in material.by_metric
        ]
        sizes = ", ".join(f"{name} {part.design.n_units}" for name, part in metrics[0].parts.items())
        units = "clusters" if material.by_metric[0].design.labels is not None else "items"
        design = self._design(material, f"{len(metrics[0].parts)} domains ({sizes} {units})")
        return Summary(
            design=design,
            tables=calibration_across_tables.tables_of(metrics),
            figures=tuple(calibration_across_tables.figure_of(one, design) for one in metrics),
            findings=tuple(finding for one in metrics for finding in one.findings()),
            notes=(_POOL, *(note for one in metrics for note in one.notes())),
        )

    @property
    def _how(self) -> How:
        return How(self.test, self.claim, Bins.of(self.bins, "--bins"), self.low, self.high)

    def _check(self, material: Material) -> None:
        if not 0 <= self.low < self.high <= 1:
            raise UsageError("the window of p goes from --low to --high, both from 0 to 1")
        if self.rounds < 2:
            raise UsageError(f"--rounds {self.rounds}: it takes two or more")
        if len(material.systems) < 2:
            raise UsageError("one system has no pairs: give at least two, or several runs")
        if self.across and self.sizes:
            raise UsageError("--sizes is for test sets resampled from all items: leave out it or --across")
        if self.source and not self.across:
            raise UsageError("--source names a domain: give the column of the domains, --across COLUMN")
        Bins.of(self.bins, "--bins")

    def _design(self, material: Material, what: str) -> str:
        n = len(material.systems)
        return (
            f"{inflect(n * (n - 1) // 2, 'pair')} of {n} systems, {what}; {self.test} test, p {self._how.winner}, "
            f"{material.settings.n_resamples} resamples."
        )


def _stats(material: Material, metric: str) -> Statistics:
    return next(stats for stats in material.by_metric if stats.name == metric)
