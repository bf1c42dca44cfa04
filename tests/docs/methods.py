"""The page of all methods, each in one form: ``python -m tests.docs.methods`` writes it from what they declare.

What is declared with a method are its null hypothesis, formula, assumptions and source; ``docs/levels.json`` has where
it fails, and ``TWINS`` the test that computes it a second time, from its definition.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from outscore.cli.kinds import KINDS, option_text
from tests.docs.words import DOCS, SIGNS
from tests.laws import test_failures as of_others
from tests.laws import test_interval_coverage as of_means
from tests.laws import test_rare_classes as of_classes

PAGE = DOCS / "methods.md"

TWINS = {
    "bootstrap": "engine/test_exact_bootstrap.py",
    "crossed": "oracles/test_oracle_textbook.py",
    "mcnemar": "significance/test_discordant.py",
    "rao": "significance/test_rao.py",
    "multeval": "oracles/test_oracle_multeval.py",
    "multibootstrap": "significance/test_multibootstrap.py",
    "randomization": "significance/test_randomization.py",
    "runs": "oracles/test_oracle_textbook.py",
    "sign": "oracles/test_oracle_textbook.py",
    "t": "oracles/test_oracle_textbook.py",
    "wilcoxon": "significance/test_wilcoxon.py",
    "z": "oracles/test_oracle_textbook.py",
    "aso": "significance/independent/test_aso.py",
    "brunner-munzel": "significance/independent/test_brunner_munzel.py",
    "chi2": "oracles/test_oracle_independent.py",
    "fisher": "oracles/test_oracle_independent.py",
    "mann-whitney": "oracles/test_oracle_independent.py",
    "permutation": "significance/independent/test_permutation.py",
    "prob-better": "significance/independent/test_prob_better.py",
    "student": "oracles/test_oracle_independent.py",
    "two-proportions": "oracles/test_oracle_independent.py",
    "unpaired-bootstrap": "significance/independent/test_unpaired_bootstrap.py",
    "welch": "oracles/test_oracle_independent.py",
    "anova": "significance/omnibus/test_anova.py",
    "cochran-q": "significance/omnibus/test_blocks.py",
    "friedman": "significance/omnibus/test_blocks.py",
    "kruskal-wallis": "oracles/test_oracle_omnibus.py",
    "welch-anova": "oracles/test_oracle_omnibus.py",
    "corrections": "multiplicity/test_adjust.py",
    "corrections:max-t": "multiplicity/test_max_statistic.py",
    "corrections:max-t-step-down": "multiplicity/test_max_statistic.py",
    "intervals": "significance/test_interval.py",
    "intervals:clopper-pearson": "oracles/test_oracle_intervals.py",
    "intervals:wilson": "oracles/test_oracle_intervals.py",
    "intervals:agresti-coull": "oracles/test_oracle_intervals.py",
    "intervals:jeffreys": "oracles/test_oracle_intervals.py",
    "intervals:wald": "oracles/test_oracle_intervals.py",
    "intervals:newcombe": "significance/test_interval.py",
    "intervals:bonett-price": "oracles/test_oracle_intervals.py",
    "intervals:bca": "oracles/test_oracle_intervals.py",
    "intervals:studentized": "oracles/test_oracle_intervals.py",
    "intervals:rao": "significance/test_interval_limits.py",
    "intervals:tango": "significance/test_confidence.py",
    "intervals:logit": "significance/test_confidence.py",
    "posteriors": "significance/test_bayes.py",
    "coefficients": "agreement/twins.py",
    "plans": "power/test_plans.py",
    "plans:mcnemar": "power/test_mcnemar_power.py",
}
"""The file in ``tests`` that holds a method against its definition: of a test by its name, else by kind and name."""

_SURE, _NAMED = 300, 4
"""Simulated data sets from which on a level that holds says something; families that are named."""
_COVERAGE: tuple[tuple[str, Mapping[str, tuple[float, ...]]], ...] = (
    ("accuracy .9 of 50 items, .9 of 200, .98 of 200", of_means.SHARES),
    (
        "gains in accuracy, one system alone right on 20 and 10 % of 30, 10 and 5 % of 50, 5 and 5 % of 200",
        of_means.GAINS,
    ),
    ("micro-F1 of 20 and 100 items, gains of as many", of_means.F1),
    *(
        (
            f"macro recall, {what}, the rarest class with {', '.join(map(str, of_classes.RARE))} of 200 items",
            {name: rates for (name, of), rates in of_classes.STATED.items() if of == what},
        )
        for what in ("score", "gain")
    ),
)
"""Coverages of 95 % intervals, which the tests of the laws hold."""
SHORT = {
    "logit": "covers .913 (proportion .95, 20 clusters of 10)",
    "max-t": "three gains lie in theirs in .804 (12 unequal clusters)",
    "t": "covers .680 (proportion .98, 20 clusters of 10)",
}
"""Coverages of the page of intervals, of those that no table above has."""
_FORMULAS = {  # p ordered, of m tests
    "holm": "max over j ≤ i of (m - j + 1) p_j",
    "bonferroni": "m p_i",
    "hochberg": "min over j ≥ i of (m - j + 1) p_j",
    "hommel": "max over all sets of s tests with i of min over j of s p_j/j in the set",
    "sidak": "1 - (1 - p_i)ᵐ",
    "holm-sidak": "max over j ≤ i of 1 - (1 - p_j)^(m - j + 1)",
    "bh": "min over j ≥ i of m p_j/j",
    "by": "min over j ≥ i of m p_j/j · Σ 1/k, k from 1 to m",
    "none": "p_i",
    "max-t": "P*(max over j of |t_j*| ≥ |t_i|), t* of one resample for all",
    "max-t-step-down": "max over j ≤ i of P*(max over k ≥ j of |t_k*| ≥ |t_j|)",
    "bleu": "proportion of simulated test sets on which the test rejects; differences Laplace, or 0 with p0",
    "crossed": "P(|d| ≥ t √V), d normal with mean δ and variance 2 run/R + 2 item/n + 2 residual/(R n), averaged over "
    "V and the degrees of freedom of t as they are estimated",
    "fake": "proportion of simulated test sets on which the test rejects",
    "margin": "Σ P(b, c) over the (b, c) whose score z against a loss of the margin rejects, p10 = p01",
    "mcnemar": "Σ P(b, c) over the (b, c) that the test rejects, (b, c) multinomial with p10 and p01",
    "t": "P(|T| ≥ t), T noncentral t with δ √n/s_d and n - 1 degrees of freedom",
    "two-proportions": "Φ((δ √n - z √(2 p̄ (1 - p̄)))/√(p_A (1 - p_A) + p_B (1 - p_B)))",
}
_CORRECTIONS = {  # what it assumes, source
    "holm": ("any dependence", "Holm 1979"),
    "bonferroni": ("any dependence", "Dunn 1961"),
    "hochberg": ("positive dependence", "Hochberg 1988"),
    "hommel": ("positive dependence", "Hommel 1988"),
    "sidak": ("independent tests", "Šidák 1967"),
    "holm-sidak": ("independent tests", "Holm 1979"),
    "bh": ("independent tests, or positive dependence", "Benjamini & Hochberg 1995"),
    "by": ("any dependence", "Benjamini & Yekutieli 2001"),
    "none": ("one test, or claims about each by itself", ""),
    "max-t": ("20 items (clusters) or more; joint resamples of all gains", "Westfall & Young 1993"),
    "max-t-step-down": ("as max-t", "Westfall & Young 1993"),
}
_HEAD = """# Every method, in one form

Made by `python -m tests.docs.methods` from what each method declares, and from what was measured of it.

Each test, interval, correction, posterior, coefficient and plan has its null hypothesis (or what it gives), formula,
assumptions, where it fails with the level that was measured there, its source, and its slow twin: the file below
`tests` that computes it a second time from its definition, or holds it against R and other programs. *Fails* is the
rate of false claims at a level of .05, with its error, on the families of simulated data where it is too high, each at
its worst size; clusters fail all tests that take items for independent. [Levels](levels.md) has all of them, and
[Which test, and why](which-test.md) says what `auto` chooses. `outscore list tests NAME` prints one.
"""
_TITLES = {
    "tests": ("Tests of pairs", "Tests of independent samples", "Tests of several systems at once"),
    "intervals": ("Confidence intervals",),
    "corrections": ("Corrections",),
    "posteriors": ("Posteriors",),
    "coefficients": ("Coefficients of agreement",),
    "plans": ("Plans of power",),
}


def page() -> str:
    """The page as it is to be."""
    rows = [
        (c, row) for c in json.loads((DOCS / "levels.json").read_text(encoding="utf-8"))["cells"] for row in c["tests"]
    ]
    parts = [_HEAD, f"{SIGNS}\n"]
    for kind, titles in _TITLES.items():
        for title, things in zip(titles, KINDS[kind].by_table().values(), strict=True):
            parts.append(f"## {title}\n")
            ours = {name: thing for name, thing in things.items() if _is_ours(thing)}
            parts += [_section(kind, name, thing, rows) for name, thing in ours.items()]
    return "\n".join(parts)


def _is_ours(thing: Any) -> bool:
    """Whether it is not of another package that happens to be installed; some things are their own words."""
    return isinstance(thing, str) or str(thing.__module__).partition(".")[0] == "outscore"


def _section(kind: str, name: str, thing: Any, rows: Iterable[tuple[dict[str, Any], dict[str, Any]]]) -> str:
    entry = KINDS[kind].entry(name, thing)
    fails = (
        _level(name, rows)
        if kind == "tests"
        else f"{_covers_least(name)}; [in clusters, over runs, several at once](intervals.md)"
        if kind == "intervals"
        else of_others.stated()[kind, name]
    )
    assumes, source = _CORRECTIONS[name] if kind == "corrections" else (entry.get("applies"), entry.get("citation"))
    formula = _FORMULAS[name] if kind in ("corrections", "plans") else entry.get("formula")
    covered = [(data, rates[name]) for data, rates in _COVERAGE if kind == "intervals" and name in rates]
    twin = TWINS[name] if kind == "tests" else TWINS.get(f"{kind}:{name}", TWINS[kind])
    known = {
        "Null hypothesis": entry.get("null"),
        "Model": entry.get("model"),
        "Corrects for": entry.get("corrects"),
        "Formula": formula,
        "Assumes": assumes,
        "Needs": entry.get("needs"),
        "Covers, nominal 95 %": "; ".join(f"{', '.join(map(_share, rates))} ({data})" for data, rates in covered),
        "Fails": fails,
        "Source": source,
        "Slow twin": f"`tests/{twin}`",
    }
    lines = "".join(f"- *{title}*: {_escaped(words)}\n" for title, words in known.items() if words)
    options = ", ".join(f"`{option_text(option)}`" for option in entry["options"])
    about = _escaped(entry["description"]) + (f" Options: {options}." if options else "")
    return f"### `{name}`\n{about}\n\n{lines}"


def _covers_least(name: str) -> str:
    """Of an interval, its lowest coverage and the data that it is of."""
    rates = [(rate, data) for data, by_name in _COVERAGE for rate in by_name.get(name, ())]
    return SHORT.get(name) or f"covers {_share(min(rates)[0])} at worst ({min(rates)[1]})"


def _escaped(words: str) -> str:
    """Stars and underscores of formulas are no marks."""
    return "`".join(part if i % 2 else re.sub(r"([*_<|])", r"\\\1", part) for i, part in enumerate(words.split("`")))


def _level(name: str, rows: Iterable[tuple[dict[str, Any], dict[str, Any]]]) -> str:
    """Where the test, without options, rejects a true null hypothesis too often: each family at its worst."""
    own = [(cell, row) for cell, row in rows if row["test"] == name and row["own_null"]]
    worst: dict[str, str] = {}
    for cell, row in sorted(own, key=lambda each: -float(each[1]["level_0.05"][0])):
        if row["fails_at"]:
            worst.setdefault(cell["family"], _said(cell, row))
    if worst:
        return "; ".join([*worst.values()][:_NAMED]) + (f"; {len(worst) - _NAMED} more" if len(worst) > _NAMED else "")
    return "nowhere; highest " + _said(
        *max(own, key=lambda each: (each[1]["rounds"] >= _SURE, each[1]["level_0.05"][0]))
    )


def _said(cell: dict[str, Any], row: dict[str, Any]) -> str:
    level, error = map(_share, row["level_0.05"])
    return f"{level} ± {error} ({cell['family']}, n = {cell['n']})"


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
