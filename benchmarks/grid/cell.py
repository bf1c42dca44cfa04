"""One cell of the grid: a family at one size, every test and its peers on the same data sets."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import numpy as np
from scipy import stats

from grid.family import Data, Family
from grid.peers import Peer, beside, p_of
from grid.procedures import SILENT, Procedure, Said, procedures
from outscore.base.arrays import Bool
from outscore.base.rng import stream
from outscore.significance.choose import choose
from outscore.significance.gain import GainContrast
from outscore.significance.settings import Settings

Cell = dict[str, Any]
LEVELS = (0.05, 0.01)
RESAMPLES = 999
BEYOND = float(stats.norm.sf(3))
"""A rate is above its level where chance alone would make it so with the probability of three standard errors."""
_CLEARLY = 1e-8
_AGAIN = 2
_PICKED = 100
_LEAST = 10
_SLACK = 1e-9
_SEED = 2026


@dataclass(frozen=True)
class Rounds:
    """Data sets of a cell without an effect, and with one."""

    null: int
    effect: int


@dataclass
class Tally:
    """What one procedure said of the data sets of a cell, in turn."""

    said: list[Said] = field(default_factory=list)

    @property
    def p(self) -> Any:
        """``(rounds,)``; no answer is no rejection."""
        return np.array([1.0 if each.p is None else each.p for each in self.said])

    def rejected(self, alpha: float) -> Bool:
        return np.asarray(self.p <= alpha + _SLACK)


def measured(family: Family, n: int, rounds: Rounds, only: frozenset[str] = frozenset()) -> Cell:
    """The cell as plain data, for JSON: see the page for what the fields mean."""
    with warnings.catch_warnings(), _without_pairs():
        warnings.simplefilter("ignore")  # peers warn of ties, of zero variances and of their own approximations
        return _measured(family, n, rounds, only)


def above(count: int, rounds: int, level: float) -> bool:
    """Whether so many rejections are more than the level allows, beyond three standard errors."""
    return bool(stats.binom.sf(count - 1, rounds, level) < BEYOND)


@contextmanager
def _without_pairs() -> Iterator[None]:
    """Leaves out the pairs of an analysis of variance, which are not measured here and cost most of its time."""
    names = {"range_p": lambda *_: 1.0, "range_quantile": lambda *_: 1.0}
    with mock.patch.multiple("outscore.significance.omnibus.anova", **names):
        yield


def _measured(family: Family, n: int, rounds: Rounds, only: frozenset[str]) -> Cell:
    first = _data(family, n, 0, effect=False)
    tests, refused = [], {}
    for each in procedures(family, n, only):
        reason = each.refuses(first)
        if reason is None:
            tests.append(each)
        else:
            refused[each.label] = reason
    peers = {peer.name: peer for each in tests for peer in beside(each.label)}
    shares = {each.label: 1 if _cheap(each, first) else each.share(n // family.members) for each in tests}
    null, peers_null, picked = _rounds(family, n, rounds.null, tests, shares, list(peers.values()), effect=False)
    effect, peers_effect, _ = _rounds(family, n, rounds.effect, tests, shares, list(peers.values()), effect=True)
    cell: Cell = {"family": family.name, "kind": family.kind, "n": n, "rounds": [rounds.null, rounds.effect]}
    if family.gain is not None:
        cell["gain"] = family.gain(n)
    cell["chosen"] = {name: count / picked.total() for name, count in sorted(picked.items())}
    cell["tests"] = [
        _row(
            family,
            n,
            each,
            null[each.label],
            effect[each.label],
            {p.name: (peers_null[p.name], peers_effect[p.name]) for p in beside(each.label)},
        )
        for each in tests
    ]
    cell["refused"] = refused
    return cell


def _cheap(each: Procedure, data: Data) -> bool:
    """The default of a mean, which enumerates few permutations or none."""
    return each.test is None and isinstance(data, GainContrast) and data.stats.plain_mean


def _data(family: Family, n: int, number: int, *, effect: bool) -> Data:
    """The data set of this number: the same for every choice of tests and rounds."""
    rng = stream(_SEED, f"{family.kind} {family.name} {n} {effect}", number)
    return family.draw(rng, n, effect, Settings(n_resamples=RESAMPLES, seed=number))


def _rounds(
    family: Family,
    n: int,
    rounds: int,
    tests: list[Procedure],
    shares: dict[str, int],
    peers: list[Peer],
    *,
    effect: bool,
) -> tuple[dict[str, Tally], dict[str, Any], Counter[str]]:
    ours = {each.label: Tally() for each in tests}
    theirs: dict[str, list[float]] = {peer.name: [] for peer in peers}
    picked: Counter[str] = Counter()
    for number in range(rounds):
        data = _data(family, n, number, effect=effect)
        for each in tests:
            if number < max(_LEAST, math.ceil(rounds / shares[each.label])):
                ours[each.label].said.append(_says(each, data))
        for peer in peers:
            if number < math.ceil(rounds / peer.share_of(n)):
                p = p_of(peer, data)
                theirs[peer.name].append(1.0 if p is None else p)
        if isinstance(data, GainContrast) and number < _PICKED:
            picked[choose(data).test.name] += 1
    return ours, {name: np.array(p) for name, p in theirs.items()}, picked


def _says(each: Procedure, data: Data) -> Said:
    """Data of a family may be refused now and then: a sample that holds one value only, say."""
    return Said(None) if each.refuses(data) is not None else each.says(data)


def _row(
    family: Family, n: int, each: Procedure, null: Tally, effect: Tally, peers: dict[str, tuple[Any, Any]]
) -> dict[str, Any]:
    own = each.own(family)
    fails = []
    level = null
    if own:
        marginal = [
            alpha
            for alpha in LEVELS
            if _CLEARLY < stats.binom.sf(null.rejected(alpha).sum() - 1, len(null.said), alpha) < BEYOND
        ]
        if marginal:
            level = _drawn_again(family, n, each, len(null.said))
        fails = [a for a in LEVELS if above(int(level.rejected(a).sum()), len(level.said), a)]
    row: dict[str, Any] = {"test": each.label, "null": each.null, "own_null": own, "rounds": len(level.said)}
    for alpha in LEVELS:
        row[f"level_{alpha:.2f}"] = _rate(level.rejected(alpha))
    row["fails_at"] = fails
    row["unanswered"] = float(np.mean([each.p is None for each in level.said]))
    said = Counter(code for one in level.said for code in one.notes)
    row["notes"] = {code: round(count / len(level.said), 4) for code, count in sorted(said.items())}
    warned = np.array([bool(set(one.notes) - SILENT) for one in level.said])
    row["warned"] = float(warned.mean())
    row["level_unwarned"] = _rate(level.rejected(0.05)[~warned]) if not warned.all() else None
    if own and family.kind != "groups":
        row |= _coverage(level, effect, 0.0 if family.gain is None else family.gain(n))
    row["power"] = _rate(effect.rejected(0.05))
    row["peers"] = [_beside(name, null, effect, *p) for name, p in peers.items()]
    return row


def _drawn_again(family: Family, n: int, each: Procedure, rounds: int) -> Tally:
    """The same on fresh data sets, more of them: of a thousand rates one is three errors too large by chance."""
    again = Tally()
    for number in range(10**6, 10**6 + _AGAIN * rounds):
        again.said.append(_says(each, _data(family, n, number, effect=False)))
    return again


def _coverage(null: Tally, effect: Tally, gain: float) -> dict[str, Any]:
    """How often the interval printed with the test holds the true gain, without an effect and with one."""
    found = [
        (one.ci[0] - _SLACK <= truth <= one.ci[1] + _SLACK, one.ci_method, one.own)
        for tally, truth in ((null, 0.0), (effect, gain))
        for one in tally.said
        if one.ci is not None
    ]
    if not found:
        return {"coverage": None, "interval": ""}
    held, methods, own = zip(*found, strict=True)
    return {
        "coverage": _rate(np.array(held)),
        "interval": Counter(methods).most_common(1)[0][0],
        "own_interval": bool(np.mean(own) > 0.5),
        "covered_rounds": len(held),
    }


def _beside(name: str, null: Tally, effect: Tally, peer_null: Any, peer_effect: Any) -> dict[str, Any]:
    """A peer on the data sets that it shares with ours.

    A peer that rejects more often than its level allows without an effect, though not beyond three standard errors, is
    held to the level: its p-values count up to the largest that keeps it.
    """
    shared = min(len(effect.said), len(peer_effect))
    rate = float(np.mean(peer_null <= LEVELS[0] + _SLACK))
    cut = LEVELS[0] + _SLACK
    if rate > LEVELS[0]:
        allowed = int(LEVELS[0] * len(peer_null))
        cut = float(np.sort(peer_null)[allowed]) - _SLACK
    ours, theirs = effect.rejected(LEVELS[0])[:shared], peer_effect[:shared] <= cut
    apart = ours.astype(float) - theirs
    return {
        "peer": name,
        "rounds": len(peer_null),
        "level": _rate(peer_null <= LEVELS[0] + _SLACK),
        "holds": not above(round(rate * len(peer_null)), len(peer_null), LEVELS[0]),
        "power": _rate(peer_effect <= LEVELS[0] + _SLACK),
        "difference": [float(apart.mean()), float(apart.std() / math.sqrt(shared))],
        "shared_rounds": shared,
    }


def _rate(hits: Any) -> list[float]:
    """A share and its standard error, which is that of one hit where there is none."""
    n = len(hits)
    share = float(np.mean(hits))
    at = min(max(share, 1 / n), 1 - 1 / n) if n > 1 else 0.5
    return [share, math.sqrt(at * (1 - at) / n)]
