"""Tests, corrections and intervals as papers call them."""

from __future__ import annotations

import re

P_KINDS = {"exact": "exact law", "monte-carlo": "", "saddlepoint": "saddlepoint", "asymptotic": ""}
"""How a p-value was computed, where that is worth a word; an exact law is that of the null hypothesis."""

_TESTS = {
    "t": "paired t",
    "z": "paired z",
    "crossed": "crossed t over runs and items",
    "randomization": "paired randomization",
    "randomization:form=studentized": "paired randomization, studentized",
    "bootstrap": "paired bootstrap",
    "mcnemar": "McNemar mid-p",
    "mcnemar:variant=exact": "McNemar, exact",
    "wilcoxon": "Wilcoxon signed ranks",
    "sign": "sign test",
    "runs": "Welch t over runs",
    "multibootstrap": "multi-bootstrap",
    "multeval": "MultEval's stratified randomization",
    "perm-systems": "permutation of systems between metrics",
    "perm-items": "permutation of items between metrics",
    "perm-both": "permutation of outputs between metrics",
    "williams": "Williams",
    "friedman": "Friedman",
    "cochran-q": "Cochran Q",
    "kruskal-wallis": "Kruskal-Wallis",
    "anova": "one-way ANOVA",
    "welch-anova": "Welch ANOVA",
    "student": "Student t",
    "welch": "Welch t",
    "mann-whitney": "Mann-Whitney",
    "brunner-munzel": "Brunner-Munzel",
    "fisher": "Fisher, exact",
    "chi2": "chi-squared",
    "aso": "almost stochastic order",
}

_CORRECTIONS = {
    "bonferroni": "Bonferroni",
    "sidak": "Šidák",
    "holm": "Holm",
    "holm-sidak": "Holm-Šidák",
    "hochberg": "Hochberg",
    "hommel": "Hommel",
    "bh": "Benjamini-Hochberg",
    "by": "Benjamini-Yekutieli",
    "max-t-step-down": "step-down max-T",
    "max-t": "max-T",
    "maxt": "max-T",
}


_IN_CLUSTERS = {
    "t": "cluster-robust t (CR2)",
    "randomization": "randomization of whole clusters",
    "randomization:form=studentized": "randomization of whole clusters, studentized",
    "bootstrap": "bootstrap of whole clusters",
}


def describe_test(name: str, kind: str = "", *, clustered: bool = False) -> str:
    """A test in words, and how its p was computed where that is worth a word."""
    said = _IN_CLUSTERS.get(name, "") if clustered else ""
    said = said or _TESTS.get(name, name)
    extra = P_KINDS.get(kind, kind)
    # a mid-p is enumerated and yet no p of an exact test
    return f"{said} ({extra})" if extra and not re.search("exact|mid-?p", said) else said


def describe_interval(method: str) -> str:
    """An interval as papers call it, which spell BCa with one small letter."""
    return re.sub(r"^bca\b", "BCa", method)


def describe_correction(name: str) -> str:
    """How papers spell a correction."""
    return _CORRECTIONS.get(name.lower().replace("_", "-"), name)
