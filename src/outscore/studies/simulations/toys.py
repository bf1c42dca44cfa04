"""Systems that are the same, and how often something is significant all the same."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise

import numpy as np

from outscore.base.errors import UsageError
from outscore.results.study import Finding
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.shared.form import parse_integers, parse_numbers
from outscore.studies.shared.material import Material
from outscore.studies.simulations import Toys, laws, simulated
from outscore.studies.simulations import toy_data as toys
from outscore.studies.simulations.simulated import PublishedNumber
from outscore.studies.simulations.toy_tables import BINS, Shares, tables_and_figures

_BLOCK = 5000
_SAMPLES: Mapping[str, Callable[[np.random.Generator, int, int], toys.Found]] = {
    "metrics": toys.metrics,
    "parts": toys.simulate_subsets,
    "sizes": toys.sizes,
    "looks": toys.simulate_interim,
    "clusters": toys.clusters,
}
_WITH_BINS = (toys.ONE, toys.INDEPENDENT, toys.SIZES, f"{toys.SIZES}, two metrics")
_ITEMS, _ROUNDS = 100, 1000  # of the source
_ARMITAGE = {2: 0.083, 4: 0.126, 5: 0.142, 10: 0.193}


def grid(study: Toys, material: Material) -> list[Spec]:
    """One cell for each kind of data, by blocks of rounds."""
    simulated.check_rounds(study.rounds)
    if study.rounds % _BLOCK == 1:
        raise UsageError(f"--rounds {study.rounds}: one round alone has no correlation, take one more")
    if study.items_each < 20 or study.items_each % 20:
        raise UsageError(
            f"--items-each {study.items_each}: expected a multiple of 20, as it is cut into quarters and clusters"
        )
    del material
    kinds: list[dict[str, str | int | float]] = [{"toy": name, "n": study.items_each} for name in _SAMPLES]
    kinds += [{"toy": name, "n": study.items_each} for name in ("copies", "bootstrap sizes")]
    kinds += [{"toy": "bootstrap", "n": n} for n in _sizes(study)]
    kinds += [{"toy": "growth", "gain": gain} for gain in _gains(study)]
    assert _levels(study) and _growth(study), "lists of an option are never empty"
    return simulated.in_blocks(kinds, study.rounds, _BLOCK)


def cell(study: Toys, material: Material, spec: Spec, seed: int) -> Found:
    """How often the smallest p was significant, for each free choice and level."""
    draw = np.random.default_rng(seed)
    toy, rounds = spec["toy"], spec["rounds"]
    if toy == "growth":
        return {"hits": _count_growing(study, toys.grow(draw, rounds, _growth(study), spec["gain"]))}
    if toy == "copies":
        return {"hits": {}, "correlations": dict(toys.correlate_copies(draw, rounds, spec["n"]))}
    if toy.startswith("bootstrap"):
        simulate = toys.simulate_bootstrap if toy == "bootstrap" else toys.choose_bootstrap_size
        p = simulate(draw, rounds, spec["n"], material.settings.n_resamples, seed)
    else:
        p = _SAMPLES[toy](draw, rounds, spec["n"])
    hits = {name: [int((values <= level).sum()) for level in _levels(study)] for name, values in p.items()}
    binned = {
        name: np.histogram(1 - p[name], bins=BINS, range=(0, 1))[0][::-1].tolist() for name in _WITH_BINS if name in p
    }
    return {"hits": hits, "bins": binned}


def summary(study: Toys, material: Material, cells: Cells) -> Summary:
    """The proportions beside theory and print, and pictures of them."""
    shares: Shares = simulated.add_proportions(
        ((spec["toy"], spec.get("n", spec.get("gain")), name, level), hit, spec["rounds"])
        for spec, found in cells
        for name, hits in found["hits"].items()
        for level, hit in zip(_levels(study), hits, strict=True)
    )
    bins: dict[str, list[int]] = {}
    for _, found in cells:
        for name, counts in found.get("bins", {}).items():
            bins[name] = [a + b for a, b in zip(bins.get(name, [0] * BINS), counts, strict=True)]
    tables, figures = tables_and_figures(
        shares, bins, _levels(study)[0], _sizes(study), _gains(study), _growth(study), study.items_each
    )
    resamples = f"bootstrap with {material.settings.n_resamples:,} resamples"
    return Summary(
        design=f"{study.rounds:,} simulated data sets of each kind, {study.items_each} items, {resamples}.",
        tables=tables,
        figures=figures,
        findings=(*_findings(study, shares), *_find_correlations(cells)),
    )


def _count_growing(study: Toys, p: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> dict[str, list[int]]:
    """Counts by level: significant at each size, no more at the next one, and at some size but not at the last."""
    hits: dict[str, list[int]] = {}
    for level in _levels(study):
        sure = p <= level
        for k, n in enumerate(_growth(study)):
            hits.setdefault(f"{n}", []).append(int(sure[:, k].sum()))
        for k, (n, more) in enumerate(pairwise(_growth(study))):
            hits.setdefault(f"{n} to {more}", []).append(int((sure[:, k] & ~sure[:, k + 1]).sum()))
        hits.setdefault("last", []).append(int((sure[:, :-1].any(axis=1) & ~sure[:, -1]).sum()))
    return hits


def _findings(study: Toys, shares: Shares) -> Iterator[Finding]:
    for level in _levels(study):
        for toy, name, expected, said in _choices(level):
            printed = _find_published(name, level) if study.items_each == _ITEMS else None
            if printed is not None or level == _levels(study)[0]:
                yield simulated.make_finding(
                    f"{name}, p ≤ {level:g}",
                    shares[toy, study.items_each, name, level],
                    expected=expected,
                    printed=printed,
                    reason=said if level == _levels(study)[0] else "",
                    differs=_differs(name, level),
                )
    yield from _find_by_size(study, shares, _levels(study)[0])


def _find_by_size(study: Toys, shares: Shares, level: float) -> Iterator[Finding]:
    for k in toys.AUTO_SIZES:
        printed = PublishedNumber(value=_ARMITAGE[k], source="Armitage et al. 1969, Table 2", unit=0.001)
        yield simulated.make_finding(
            f"{k} looks at growing data, p ≤ {level:g}",
            shares["looks", study.items_each, f"{k} looks", level],
            expected=1 - laws.p_none(level, range(1, k + 1)),
            printed=printed if level == 0.05 else None,
        )
    yield simulated.make_finding(
        f"{toys.SIZES_BOOTSTRAP}, p ≤ {level:g}",
        shares["bootstrap sizes", study.items_each, toys.SIZES_BOOTSTRAP, level],
        reason="As the source does it; more than by t, as the bootstrap of few items rejects too often.",
    )
    for n in _sizes(study):
        yield simulated.make_finding(
            f"bootstrap of {n} items, p ≤ {level:g}",
            shares["bootstrap", n, "bootstrap", level],
            expected=laws.bootstrap_size(level, n),
            approximate=0.1,
            reason="Expected: P(|t| > z √((n - 1)/n)) with n - 1 degrees of freedom, as if the resampled mean were "
            "normal, which holds to a tenth: the bootstrap has the variance with divisor n and no t."
            if n == _sizes(study)[0]
            else "",
        )
    effect = 1 + 4 * 0.5  # of clusters of 5 with a correlation of .5
    yield simulated.make_finding(
        f"t of {study.items_each} items in clusters of 5, clusters ignored, p ≤ {level:g}",
        shares["clusters", study.items_each, toys.IGNORED, level],
        expected=laws.p_inflated(level, effect),
        approximate=0.1,
        reason="Items of a cluster have a correlation of .5, which makes the variance three times as large: more "
        "items do not help. Expected: for many clusters.",
    )
    yield simulated.make_finding(
        f"t of {study.items_each} items in clusters of 5, over clusters, p ≤ {level:g}",
        shares["clusters", study.items_each, toys.RESPECTED, level],
        expected=level,
    )
    for gain in _gains(study) if len(_growth(study)) > 1 else []:
        yield simulated.make_finding(
            f"significant with fewer than {_growth(study)[-1]} items and then no more, gain {gain:g} sd",
            shares["growth", gain, "last", level],
            expected=laws.p_loss(level, _growth(study), gain),
            reason="Tests that hold their level do this, too: it is no sign that they are unreliable."
            if gain == _gains(study)[0]
            else "",
        )


def _find_correlations(cells: Cells) -> Iterator[Finding]:
    """The correlation, over rounds, of the correlation of two metrics with the smallest p of both."""
    of_cells = [(spec["rounds"], found["correlations"]) for spec, found in cells if "correlations" in found]
    rounds = sum(n for n, _ in of_cells)
    for name, reason in _OF_CORRELATION.items():
        yield Finding(
            what=f"correlation of p and of how alike two metrics are, {name}",
            value=sum(n * held[name] for n, held in of_cells) / rounds,
            error=1 / math.sqrt(rounds),
            reason=reason,
        )


_OF_CORRELATION = {
    toys.FIXED: "The source finds one at p < .0001 in 1,000 rounds, which is .12 or more: so it cannot be.",
    toys.VARYING: "So it is found.",
}


def _levels(study: Toys) -> list[float]:
    found = parse_numbers(study.levels, "--levels", 1e-6, 0.5)
    return list(dict.fromkeys(found))


def _sizes(study: Toys) -> list[int]:
    return parse_integers(study.sizes, "--sizes", 5, 2000)


def _growth(study: Toys) -> list[int]:
    return parse_integers(study.growth, "--growth", 5, 10_000)


def _gains(study: Toys) -> list[float]:
    return list(dict.fromkeys(parse_numbers(study.gains, "--gains", 0, 10)))


def _choices(level: float) -> Iterator[tuple[str, str, float, str]]:
    """Free choices: kind of data, name, what is expected, and what must be known."""
    yield "metrics", toys.ONE, level, "The source says that it should be smaller than the level: it equals it."
    for name, (correlation, _) in toys.COPIES.items():
        said = "Expected: two normal statistics with the correlation of both metrics." if name in _FIRST else ""
        yield "metrics", name, laws.p_any(level, 2, correlation), said
    yield "metrics", toys.INDEPENDENT, laws.p_any(level, 2), ""
    one = {
        toys.HALVES: laws.p_any(level, 2),
        toys.HALF_OR_WHOLE: laws.p_any(level, 2, math.sqrt(0.5)),
        toys.ALL_PARTS: laws.p_subset_or_whole(level),
    }
    for name, expected in one.items():
        yield "parts", name, expected, _THREE if name == toys.HALVES else ""
    for name, expected in one.items():
        yield "parts", f"{name}, two metrics", 1 - (1 - expected) ** 2, ""
    four = 1 - laws.p_none(level, (1, 2, 3, 4))
    yield "sizes", toys.SIZES, four, "The text of Figure 2 speaks of four sample sizes, its caption of several metrics."
    yield "sizes", f"{toys.SIZES}, two metrics", 1 - (1 - four) ** 2, ""


_FIRST = next(iter(toys.COPIES))
_THREE = "The source does not say between which parts there was a choice; 1,000 rounds can hardly tell."
_AT = {
    toys.ONE: ({0.05: 0.048, 0.01: 0.008}, "§3.3"),
    **{name: ({0.05: 0.1}, "§3.3") for name in list(toys.COPIES)[:4]},
    **{name: ({0.05: 0.095, 0.01: 0.027}, "§3.5") for name in (toys.HALVES, toys.HALF_OR_WHOLE, toys.ALL_PARTS)},
    **{
        f"{name}, two metrics": ({0.05: 0.162, 0.01: 0.037}, "§3.5")
        for name in (toys.HALVES, toys.HALF_OR_WHOLE, toys.ALL_PARTS)
    },
}


def _find_published(name: str, level: float) -> PublishedNumber | None:
    """The number that the source printed for a free choice; None where there is none."""
    where = "Søgaard et al. 2014"
    if name == toys.INDEPENDENT:  # computed, not simulated
        value = {0.05: (0.0975, 0.0001), 0.01: (0.019, 0.001)}.get(level)
        return None if value is None else PublishedNumber(value=value[0], source=f"{where}, §3.3", unit=value[1])
    values, place = _AT.get(name, ({}, ""))
    if level not in values:
        return None
    return PublishedNumber(value=values[level], source=f"{where}, {place}", unit=0.001, rounds=_ROUNDS)


def _differs(name: str, level: float) -> str:
    """Why a printed number differs."""
    if name in toys.COPIES and name != _FIRST:
        return "Not possible so either."
    if name == _FIRST:
        return (
            f"Not possible so: even two independent metrics give {laws.p_any(level, 2):.2%}, and a copy with 10 % "
            "of noise is nearly the same metric."
        )
    if name == toys.INDEPENDENT:
        return f"The printed number is cut off, not rounded: 1 - (1 - {level:g})² = {laws.p_any(level, 2):.2%}."
    return "So it was not meant, or the printed number is off." if name in _AT else ""
