"""The promise of p-values for a pool of systems: how often the system that scores higher is the better one.

A pool is the true gains of all pairs with the standard errors that a test set leaves them. The test is taken for a z
test with known standard errors: z is gain over standard error, and normal around its true value with variance 1.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.studies import Claim
from outscore.studies.shared.pairs import z_of

_NODES = 96
_FAR = 9.0  # standard deviations beyond which a normal law has no mass worth counting
_CERTAIN, _STEP = 8.0, 0.1  # true gains in standard errors: where the sign is certain, and how finely they are told
_ROUNDS = 500  # of the fit


@dataclass(frozen=True)
class Promise:
    """The prediction of a law for the tests whose p lies in some range.

    Attributes:
        right: proportion of them with the right sign, None where the law has no test there.
        mass: proportion of all tests that lie there.
    """

    right: float | None
    mass: float


@dataclass(frozen=True)
class Pool:
    """Any law of the true gains: a mixture.

    Of a pair with true gain d standard errors, |z| has the density φ(z - d) + φ(z + d), of which the first part has
    the sign of the true gain.

    Attributes:
        d: ``(m,)`` true gains in standard errors, 0 or more; ``weights``: ``(m,)`` how common each is, adding up to 1.
        agree: ``(m,)`` how often the sign that is to be met is that of the true gain: always, unless it is itself that
            of a gain on a test set.
        claim: hypothesis that p tests.
    """

    d: Float
    weights: Float
    agree: Float
    claim: Claim

    @classmethod
    def of(cls, gains: Float, errors: Float, claim: Claim) -> Pool:
        """These very gains ``(pairs,)``, with standard errors above 0."""
        d = np.abs(gains) / errors
        return cls(d, np.full(len(d), 1 / len(d)), np.ones(len(d)), claim)

    @classmethod
    def again(cls, gains: Float, errors: Float, others: Float, claim: Claim) -> Pool:
        """The gains that one test set lets surmise, to be met by the signs on another test set of the same kind.

        The law of the true gains is the one that makes the gains most likely, of any form (Kiefer and Wolfowitz 1956;
        by the EM algorithm on a grid, as in Jiang and Zhang 2009), alike for both signs.

        Args:
            gains, errors: ``(pairs,)`` on the one test set, with standard errors above 0.
            others: ``(pairs,)`` standard errors on the other.
        """
        from scipy.stats import norm

        z = np.minimum(np.abs(gains) / errors, _CERTAIN)
        d = np.arange(0, _CERTAIN + _STEP / 2, _STEP)
        likely = norm.pdf(z[:, None] - d) + norm.pdf(z[:, None] + d)
        weights = np.full(len(d), 1 / len(d))
        for _ in range(_ROUNDS):
            posterior = likely * weights
            weights = (posterior / posterior.sum(axis=1, keepdims=True)).mean(axis=0)
        there = others > 0
        met = norm.cdf(d[:, None] * (errors[there] / others[there])).mean(axis=1) if there.any() else np.ones(len(d))
        return cls(d, weights, np.asarray(met), claim)

    def promise(self, low: float, high: float) -> Promise:
        """Of the tests with low <= p <= high."""
        from scipy.stats import norm

        near, far = _z_range(low, high, self.claim)
        own = norm.cdf(far - self.d) - norm.cdf(near - self.d)
        other = norm.cdf(far + self.d) - norm.cdf(near + self.d)
        right = own * self.agree + other * (1 - self.agree)
        return _promise(float(self.weights @ right), float(self.weights @ (own + other)))

    def proportion_at(self, p: float) -> float:
        """Proportion of right signs at one p-value."""
        from scipy.special import expit

        z = _z(p, self.claim)
        # φ(z - d)/(φ(z - d) + φ(z + d)) = 1/(1 + exp(-2zd)); in logarithms, as both may be tiny
        log_mass = -((z - self.d) ** 2) / 2 + np.log1p(np.exp(-2 * z * self.d))
        mass = self.weights * np.exp(log_mass - log_mass.max())
        own = expit(2 * z * self.d)
        return float(mass @ (own * self.agree + (1 - own) * (1 - self.agree)) / mass.sum())


@dataclass(frozen=True)
class NormalPool:
    """True gains from a normal law with mean 0: P(right sign | z) = Φ(z τ/√(σ² + τ²)), pair by pair.

    Attributes:
        spread: τ.
        errors: ``(pairs,)`` σ, above 0.
        claim: hypothesis that p tests.
    """

    spread: float
    errors: Float
    claim: Claim

    def promise(self, low: float, high: float) -> Promise:
        """Of the tests with low <= p <= high."""
        near, far = _z_range(low, high, self.claim)
        far = min(far, max(near, _FAR * float(self._width.max())))
        nodes, weights = np.polynomial.legendre.leggauss(_NODES)
        z = near + (far - near) * (nodes + 1) / 2
        mass, right = self._density(z[:, None])
        step = weights[:, None] * (far - near) / 2
        return _promise(float((step * mass * right).sum(axis=0).mean()), float((step * mass).sum(axis=0).mean()))

    def proportion_at(self, p: float) -> float:
        """Proportion of right signs at one p-value."""
        mass, right = self._density(np.array([[_z(p, self.claim)]]))
        # far out hardly any pair may have mass: the proportion of those that lie widest
        total = float(mass.sum())
        return float((mass * right).sum() / total) if total > 0 else float(right.max())

    @cached_property
    def _width(self) -> Float:
        """Standard deviation of z ``(pairs,)``."""
        return np.asarray(np.sqrt(1 + (self.spread / self.errors) ** 2))

    def _density(self, z: Float) -> tuple[Float, Float]:
        """Density of |z| and proportion of right signs ``(nodes, pairs)``."""
        from scipy.stats import norm

        right = norm.cdf(z * self.spread / np.sqrt(self.errors**2 + self.spread**2))
        return 2 * norm.pdf(z / self._width) / self._width, right


def bound_proportion(low: float, high: float, claim: Claim) -> float:
    """The largest proportion of tests that any pool can have with low <= p <= high, all gains of the best size."""
    from scipy.stats import norm

    near, far = _z_range(low, high, claim)
    if np.isinf(far):
        return 1.0
    d = np.linspace(0, far, 2001)
    mass = norm.cdf(far - d) - norm.cdf(near - d) + norm.cdf(far + d) - norm.cdf(near + d)
    return float(mass.max())


def _promise(right: float, mass: float) -> Promise:
    return Promise(right / mass if mass > 0 else None, mass)


def _z(p: float, claim: Claim) -> float:
    """Standard errors that the winner is ahead by at this p; never negative, as it has won."""
    return max(0.0, float(z_of(p, claim)))


def _z_range(low: float, high: float, claim: Claim) -> tuple[float, float]:
    return _z(high, claim), _z(low, claim)
