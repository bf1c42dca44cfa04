"""Tests of scipy and statsmodels, on the same data sets: each is named after its function."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from grid.family import Data
from outscore.base.arrays import Float
from outscore.significance.gain import GainContrast
from outscore.significance.independent import IndependentSamples
from outscore.significance.omnibus import Groups

RESAMPLES = 999
_LARGE = 500


@dataclass(frozen=True)
class Peer:
    """A test of another library.

    Attributes:
        name: the function.
        p: data to a p-value, or None where it does not apply; an interval without 0 counts as 0, another as 1.
        share: it gets one of so many rounds; of large data, where it draws, one of five times as many.
        needs: the library.
    """

    name: str
    p: Callable[[Any], float | None]
    share: int = 1
    needs: str = "scipy"

    def share_of(self, n: int) -> int:
        return 5 * self.share if n >= _LARGE and self.share > 1 else self.share

    @property
    def absent(self) -> bool:
        return importlib.util.find_spec(self.needs) is None


def _plain(pair: GainContrast) -> tuple[Float, Float] | None:
    """Item scores of both systems, of one run and without clusters."""
    if not pair.stats.plain_mean or pair.has_runs or pair.clustered:
        return None
    a, b = (pair.stats.items[s][0, :, 0] * pair.stats.steps[0] for s in (pair.system, pair.baseline))
    return a, b


def _paired(
    test: Callable[[Float, Float], float], *, of_spread: bool = False
) -> Callable[[GainContrast], float | None]:
    """A test on item scores; one that divides by the spread of the differences has no answer where there is none."""

    def p(pair: GainContrast) -> float | None:
        both = _plain(pair)
        return None if both is None or pair.identical or (of_spread and _alike(*both)) else test(*both)

    return p


def _alike(a: Float, b: Float) -> bool:
    """Whether all differences are the same: scipy then divides by 0, or by rounding, and gets a p of 0."""
    return bool(np.ptp(np.round(a - b, 12)) == 0)


def _discordant(pair: GainContrast) -> tuple[int, int] | None:
    if not pair.binary or pair.clustered:
        return None
    d = pair.differences
    return int((d > 0).sum()), int((d < 0).sum())


def _ttest_rel(a: Float, b: Float) -> float:
    from scipy import stats as laws

    return float(laws.ttest_rel(a, b).pvalue)


def _wilcoxon(a: Float, b: Float) -> float:
    from scipy import stats as laws

    return float(laws.wilcoxon(np.round(a - b, 12)).pvalue)


def _sign(a: Float, b: Float) -> float:
    from scipy import stats as laws

    wins, losses = int((a > b).sum()), int((a < b).sum())
    return float(laws.binomtest(wins, wins + losses).pvalue)


def _bootstrap_paired(a: Float, b: Float) -> float:
    return _bca((a - b,), lambda d, axis: np.mean(d, axis=axis), len(a))


def _permutation_paired(a: Float, b: Float) -> float:
    from scipy import stats as laws

    def statistic(x: Float, y: Float, axis: int) -> Float:
        return np.asarray(np.mean(x - y, axis=axis))

    found = laws.permutation_test(
        (a, b), statistic, permutation_type="samples", n_resamples=RESAMPLES, vectorized=True, rng=_seed(a)
    )
    return float(found.pvalue)


def _permutation_of_rows(pair: GainContrast) -> float | None:
    """Approximate randomization of a corpus score: what is exchanged are the numbers of the rows."""
    from scipy import stats as laws

    if pair.stats.plain_mean or pair.clustered or pair.has_runs:
        return None
    stats, n = pair.stats, pair.n_items
    rows = np.concatenate([stats.items[pair.system][0], stats.items[pair.baseline][0]])

    def statistic(x: Float, y: Float, axis: int) -> Float:
        first, second = (stats.score(rows[np.moveaxis(z, axis, -1).astype(int)].sum(axis=-2)) for z in (x, y))
        return np.asarray(first - second)

    found = laws.permutation_test(
        (np.arange(n), n + np.arange(n)),
        statistic,
        permutation_type="samples",
        n_resamples=RESAMPLES,
        vectorized=True,
        rng=_seed(rows),
    )
    return float(found.pvalue)


def _bootstrap_of_rows(pair: GainContrast) -> float | None:
    if pair.stats.plain_mean or pair.clustered or pair.has_runs:
        return None
    stats = pair.stats
    a, b = stats.items[pair.system][0], stats.items[pair.baseline][0]

    def statistic(items: Float, axis: int) -> Float:
        drawn = np.moveaxis(items, axis, -1).astype(int)
        return np.asarray(stats.score(a[drawn].sum(axis=-2)) - stats.score(b[drawn].sum(axis=-2)))

    return _bca((np.arange(pair.n_items),), statistic, len(a))


def _mcnemar(exact: bool, correction: bool = True) -> Callable[[GainContrast], float | None]:
    def p(pair: GainContrast) -> float | None:
        from statsmodels.stats.contingency_tables import mcnemar

        counts = _discordant(pair)
        if counts is None or sum(counts) == 0:
            return None
        return float(mcnemar([[0, counts[0]], [counts[1], 0]], exact=exact, correction=correction).pvalue)

    return p


def _runs(test: Callable[[Float, Float], float]) -> Callable[[GainContrast], float | None]:
    def p(pair: GainContrast) -> float | None:
        if min(pair.n_runs) < 2:
            return None
        a, b = (pair.stats.run_scores[s] for s in (pair.system, pair.baseline))
        return test(a, b)

    return p


def _samples(test: Callable[[Float, Float], float]) -> Callable[[IndependentSamples], float | None]:
    return lambda samples: None if samples.constant else test(samples.system, samples.baseline)


def _welch(a: Float, b: Float) -> float:
    from scipy import stats as laws

    return float(laws.ttest_ind(a, b, equal_var=False).pvalue)


def _student(a: Float, b: Float) -> float:
    from scipy import stats as laws

    return float(laws.ttest_ind(a, b).pvalue)


def _permutation_ind(a: Float, b: Float) -> float:
    from scipy import stats as laws

    def statistic(x: Float, y: Float, axis: int) -> Float:
        return np.asarray(np.mean(x, axis=axis) - np.mean(y, axis=axis))

    found = laws.permutation_test((a, b), statistic, n_resamples=RESAMPLES, vectorized=True, rng=_seed(a))
    return float(found.pvalue)


def _bootstrap_ind(a: Float, b: Float) -> float:
    return _bca((a, b), lambda x, y, axis: np.mean(x, axis=axis) - np.mean(y, axis=axis), min(len(a), len(b)))


def _mannwhitneyu(a: Float, b: Float) -> float:
    from scipy import stats as laws

    return float(laws.mannwhitneyu(a, b).pvalue)


def _brunnermunzel(a: Float, b: Float) -> float:
    from scipy import stats as laws

    with np.errstate(all="ignore"):
        return float(laws.brunnermunzel(a, b).pvalue)


def _table(test: Callable[[Float], float | None]) -> Callable[[IndependentSamples], float | None]:
    def p(samples: IndependentSamples) -> float | None:
        if not samples.binary or samples.constant:
            return None
        counts = [[int(x.sum()), x.size - int(x.sum())] for x in (samples.system, samples.baseline)]
        return test(np.array(counts))

    return p


def _fisher(table: Float) -> float:
    from scipy import stats as laws

    return float(laws.fisher_exact(table).pvalue)


def _chi2(correction: bool) -> Callable[[Float], float]:
    def p(table: Float) -> float:
        from scipy import stats as laws

        return float(laws.chi2_contingency(table, correction=correction).pvalue)

    return p


def _boschloo(table: Float) -> float | None:
    from scipy import stats as laws

    return float(laws.boschloo_exact(table, n=16).pvalue) if table.sum() <= 100 else None


def _ztest(table: Float) -> float:
    from statsmodels.stats.proportion import proportions_ztest

    return float(proportions_ztest(table[:, 0], table.sum(axis=1))[1])


def _groups(test: Callable[[Groups], float], blocks: bool) -> Callable[[Groups], float | None]:
    return lambda groups: test(groups) if groups.blocks == blocks and not groups.constant else None


def _f_oneway(groups: Groups) -> float:
    from scipy import stats as laws

    return float(laws.f_oneway(*groups.values).pvalue)


def _anova_unequal(groups: Groups) -> float:
    from statsmodels.stats.oneway import anova_oneway

    return float(anova_oneway(groups.values, use_var="unequal").pvalue)


def _kruskal(groups: Groups) -> float:
    from scipy import stats as laws

    return float(laws.kruskal(*groups.values).pvalue)


def _friedman(groups: Groups) -> float:
    from scipy import stats as laws

    return float(laws.friedmanchisquare(*groups.values).pvalue)


def _cochrans_q(groups: Groups) -> float | None:
    from statsmodels.stats.contingency_tables import cochrans_q

    if not np.isin(groups.matrix, (0.0, 1.0)).all():
        return None
    return float(cochrans_q(groups.matrix).pvalue)


def _bca(data: tuple[Float, ...], statistic: Callable[..., Float], n: int) -> float:
    """0 where scipy's BCa interval leaves out 0, else 1."""
    from scipy import stats as laws

    found = laws.bootstrap(
        data,
        statistic,
        n_resamples=RESAMPLES,
        vectorized=True,
        method="BCa",
        batch=max(1, 10**6 // n),
        rng=_seed(data[0]),
    )
    low, high = found.confidence_interval
    return 1.0 if not np.isfinite([low, high]).all() or low <= 0 <= high else 0.0


def _seed(values: Float) -> np.random.Generator:
    """Equal data get equal draws."""
    return np.random.default_rng(np.frombuffer(np.ascontiguousarray(values).tobytes(), dtype=np.uint32)[:64])


_PEERS = (
    Peer("scipy ttest_rel", _paired(_ttest_rel, of_spread=True)),
    Peer("scipy bootstrap (BCa)", _paired(_bootstrap_paired, of_spread=True), share=4),
    Peer("scipy permutation_test", _paired(_permutation_paired), share=4),
    Peer("scipy permutation_test of rows", _permutation_of_rows, share=4),
    Peer("scipy bootstrap (BCa) of rows", _bootstrap_of_rows, share=4),
    Peer("scipy wilcoxon", _paired(_wilcoxon), share=4),
    Peer("scipy binomtest", _paired(_sign)),
    Peer("statsmodels mcnemar", _mcnemar(exact=True), needs="statsmodels"),
    Peer("statsmodels mcnemar, chi2", _mcnemar(exact=False, correction=False), needs="statsmodels"),
    Peer("statsmodels mcnemar, chi2 corrected", _mcnemar(exact=False), needs="statsmodels"),
    Peer("scipy ttest_ind of runs, Welch", _runs(_welch)),
    Peer("scipy permutation_test of runs", _runs(_permutation_ind), share=4),
    Peer("scipy ttest_ind, Welch", _samples(_welch)),
    Peer("scipy ttest_ind", _samples(_student)),
    Peer("scipy permutation_test, unpaired", _samples(_permutation_ind), share=4),
    Peer("scipy bootstrap (BCa), unpaired", _samples(_bootstrap_ind), share=4),
    Peer("scipy mannwhitneyu", _samples(_mannwhitneyu)),
    Peer("scipy brunnermunzel", _samples(_brunnermunzel)),
    Peer("scipy fisher_exact", _table(_fisher)),
    Peer("scipy chi2_contingency", _table(_chi2(correction=False))),
    Peer("scipy chi2_contingency, Yates", _table(_chi2(correction=True))),
    Peer("scipy boschloo_exact", _table(_boschloo), share=10),
    Peer("statsmodels proportions_ztest", _table(_ztest), needs="statsmodels"),
    Peer("scipy f_oneway", _groups(_f_oneway, blocks=False)),
    Peer("statsmodels anova_oneway, unequal", _groups(_anova_unequal, blocks=False), needs="statsmodels"),
    Peer("scipy kruskal", _groups(_kruskal, blocks=False)),
    Peer("scipy friedmanchisquare", _groups(_friedman, blocks=True)),
    Peer("statsmodels cochrans_q", _groups(_cochrans_q, blocks=True), needs="statsmodels"),
)
PEERS: dict[str, Peer] = {peer.name: peer for peer in _PEERS}

BESIDE: dict[str, tuple[str, ...]] = {
    "auto": (
        "scipy ttest_rel",
        "scipy permutation_test of rows",
        "scipy bootstrap (BCa) of rows",
        "statsmodels mcnemar, chi2",
    ),
    "t": ("scipy ttest_rel", "scipy bootstrap (BCa)"),
    "z": ("scipy ttest_rel",),
    "bootstrap": ("scipy ttest_rel", "scipy bootstrap (BCa)", "scipy bootstrap (BCa) of rows"),
    "randomization": ("scipy permutation_test", "scipy permutation_test of rows"),
    "wilcoxon": ("scipy wilcoxon",),
    "sign": ("scipy binomtest",),
    "mcnemar": ("statsmodels mcnemar", "statsmodels mcnemar, chi2", "statsmodels mcnemar, chi2 corrected"),
    "mcnemar:variant=exact": ("statsmodels mcnemar",),
    "mcnemar:variant=chi2": ("statsmodels mcnemar, chi2",),
    "mcnemar:variant=chi2-cc": ("statsmodels mcnemar, chi2 corrected",),
    "runs": ("scipy ttest_ind of runs, Welch", "scipy permutation_test of runs"),
    "runs:variant=permutation": ("scipy permutation_test of runs",),
    "welch": ("scipy ttest_ind, Welch", "scipy bootstrap (BCa), unpaired"),
    "student": ("scipy ttest_ind",),
    "permutation": ("scipy permutation_test, unpaired",),
    "unpaired-bootstrap": ("scipy ttest_ind, Welch", "scipy bootstrap (BCa), unpaired"),
    "mann-whitney": ("scipy mannwhitneyu",),
    "brunner-munzel": ("scipy brunnermunzel",),
    "prob-better": ("scipy brunnermunzel",),
    "fisher": ("scipy fisher_exact",),
    "chi2": ("scipy chi2_contingency",),
    "chi2:yates=true": ("scipy chi2_contingency, Yates",),
    "two-proportions": ("statsmodels proportions_ztest", "scipy boschloo_exact"),
    "cochran-q": ("statsmodels cochrans_q",),
    "friedman": ("scipy friedmanchisquare",),
    "anova": ("scipy f_oneway",),
    "welch-anova": ("statsmodels anova_oneway, unequal",),
    "kruskal-wallis": ("scipy kruskal",),
}
"""Peers that test the same null hypothesis; of a test with options, those of its plain name unless said."""


def beside(label: str) -> tuple[Peer, ...]:
    """The peers of one of our tests that are installed."""
    found = BESIDE.get(label, BESIDE.get(label.partition(":")[0], ()))
    return tuple(PEERS[name] for name in found if not PEERS[name].absent)


def p_of(peer: Peer, data: Data) -> float | None:
    """Its p-value; None where it has no answer."""
    p = peer.p(data)
    return None if p is None or not np.isfinite(p) else p
