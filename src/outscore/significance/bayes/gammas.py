"""Tails of sums of independent gamma variables, to rounding: what random weights make of a mean, without sampling.

Dirichlet weights are gamma variables over their sum, so a weighted mean Σ w_j x_j lies above c just where
Σ (x_j - c) G_j lies above 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from outscore.base.arrays import Float
from outscore.engine.beta import normal_ppf

_STEP = 1 / 8
_NEGLIGIBLE = 40.0  # in exponents: e^-40 is 4e-18
_CELLS = 2**21
_AGREE = 1e-7
_FINEST = 2.0**-12
_FAR = 9.0  # standard deviations: no double near 1 lies further out


def positive_probability(scales: Float, shapes: Float) -> float:
    """P(Σ λ_j G_j > 0) for independent G_j ~ Gamma(k_j, 1), to rounding; down to 1e-30 to about ten digits of its own.

    With K(s) = -Σ k_j log(1 - λ_j s) the chance is the integral of e^K(s) / (2πi s) along a line beside the imaginary
    axis (Gil-Pelaez 1951; Imhof 1961 for χ² variables). The line goes through the saddle point of the integrand, where
    it hardly turns (Lugannani & Rice 1980), and the trapezoidal rule sums it up in t, where s = s_0 + i v and
    v ~ exp(t - e^-t) (Takahasi & Mori 1974).

    Some 70 to 400 values of a sum over all variables: they are doubled until two sums agree.

    Args:
        scales: ``(m,)`` the λ_j, of any sign.
        shapes: ``(m,)`` the k_j, positive; they add up to 1 or more.
    """
    moving = scales != 0
    lambdas, k = scales[moving], shapes[moving]
    if not lambdas.size or (lambdas < 0).all():
        return 0.0
    if (lambdas > 0).all():
        return 1.0
    # the smaller of both tails is integrated
    return 1 - _tail(-lambdas, k) if k @ lambdas > 0 else _tail(lambdas, k)


def _tail(lambdas: Float, shapes: Float) -> float:
    from scipy import optimize

    lambdas = lambdas / lambdas.max()

    def slope(s: float) -> float:
        return float((lambdas / (1 - lambdas * s)) @ shapes) - 1 / s

    # between the pole of 1/s and the nearest one of e^K, where e^K(s)/s is convex along the axis: one saddle
    saddle = float(optimize.brentq(slope, 1e-300, 1 - 1e-15, xtol=1e-300, rtol=1e-12))
    tilted = lambdas / (1 - lambdas * saddle)
    width = 1 / math.sqrt(float(shapes @ tilted**2) + saddle**-2)
    last = 0.0
    # beyond this the integrand is negligible: it falls with the sum of the shapes for each unit of t
    while float(np.log1p((width * math.exp(last) * tilted) ** 2) @ shapes) / 2 < _NEGLIGIBLE:
        last += 1.0
    height = -float(np.log1p(-lambdas * saddle) @ shapes)

    # e^K(s)/s by modulus and phase, as products of thousands of powers would overflow
    def integrate(t: Float) -> float:
        v = width * np.exp(t - np.exp(-t))
        phase, modulus = -np.arctan(v / saddle), np.log(np.hypot(saddle, v))
        for part in np.array_split(np.arange(lambdas.size), -(-lambdas.size * v.size // _CELLS)):
            turned = np.multiply.outer(v, tilted[part])
            phase += np.arctan(turned) @ shapes[part]
            modulus += np.log1p(turned**2) @ shapes[part] / 2
        return float((np.cos(phase) * np.exp(height - modulus) * v * (1 + np.exp(-t))).sum()) / math.pi

    # One heavy term against many light ones turns the integrand fast far from the saddle. Halving the step squares the
    # relative error of the rule, so that two sums which agree to half of the digits have the rest.
    step = 2 * _STEP
    points = np.arange(-math.log(_NEGLIGIBLE) - 0.5, last + 1.0, step)
    found = integrate(points) * step
    while True:
        before, found = found, (found + integrate(points + step / 2) * step) / 2
        step /= 2
        if abs(found - before) <= _AGREE * abs(found) or step < _FINEST:
            return found
        points = np.arange(points[0], last + 1.0, step)


def mean_ratio(numerators: Float, denominators: Float, shapes: Float) -> float:
    """E(Σ a_j G_j / Σ b_j G_j) for independent G_j ~ Gamma(k_j, 1) and positive b_j.

    It is ∫ Σ k_j a_j/(1 + b_j t) Π (1 + b_j t)^-k_j dt over t > 0, as 1/D = ∫ e^-tD dt. The trapezoidal rule in log t,
    where the integrand falls off exponentially on both sides, has 15 digits at this step.

    Args:
        numerators, denominators, shapes: ``(m,)`` the a_j, b_j and k_j; the k_j add up to 1 or more, or the range of
            log t is too short.
    """
    if (denominators == denominators[0]).all():
        return float(numerators @ shapes / (denominators @ shapes))
    u = np.arange(-_NEGLIGIBLE, _NEGLIGIBLE, _STEP)
    t = np.exp(u) / float(denominators @ shapes)
    share, modulus = np.zeros(t.size), np.zeros(t.size)
    for part in np.array_split(np.arange(shapes.size), -(-shapes.size * t.size // _CELLS)):
        scaled = np.multiply.outer(t, denominators[part])
        share += (1 / (1 + scaled)) @ (shapes * numerators)[part]
        modulus += np.log1p(scaled) @ shapes[part]
    return float((share * np.exp(-modulus) * t).sum()) * _STEP


def largest_probabilities(shapes: Float) -> Float:
    """The chance of each of some independent gamma variables to be the largest ``(m,)``; they add up to 1.

    ∫ f_i(x) Π_{j≠i} F_j(x) dx by the trapezoidal rule in log x, between the quantiles of 1e-18 on either side. It has
    13 digits, but 7 where shapes are a thousandth, whose logarithms reach out too far.

    Args:
        shapes: ``(m,)`` of the variables; one of shape 0 is 0.
    """
    from scipy import special

    alive = np.flatnonzero(shapes > 0)
    found = np.zeros(shapes.size)
    for i in alive:
        own = float(shapes[i])
        ends = special.gammaincinv(own, 1e-18), special.gammainccinv(own, 1e-18)
        t = np.linspace(math.log(max(float(ends[0]), 1e-300)), math.log(float(ends[1])), 2001)
        x = np.exp(t)
        density = np.exp(own * t - x - special.gammaln(own))
        for j in alive[alive != i]:
            density *= special.gammainc(shapes[j], x)
        found[i] = density.sum() * (t[1] - t[0])
    return np.asarray(found / found.sum()) if alive.size else found


def quantile(chance_above: Callable[[float], float], level: float, centre: float, spread: float) -> float:
    """The number that a variable exceeds with chance 1 - level, from its chance to exceed any number.

    Args:
        chance_above: continuous and falling.
        centre, spread: about its mean and its standard deviation; they only save time.
    """
    from scipy import optimize

    wanted = normal_ppf(level)

    # what the search makes 0
    def miss(c: float) -> float:
        # on the normal scale the chance is nearly a straight line, which the search likes
        return min(max(normal_ppf(1 - chance_above(c)), -_FAR), _FAR) - wanted

    low, high = centre + (wanted - 0.5) * spread, centre + (wanted + 0.5) * spread
    while miss(low) > 0:
        low -= spread
    while miss(high) < 0:
        high += spread
    return float(optimize.brentq(miss, low, high, xtol=1e-11 * spread))
