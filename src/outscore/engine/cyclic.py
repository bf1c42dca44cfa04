"""Cyclic resampling: one vector of weights gives many resamples.

A multinomial vector of counts is exchangeable, and so is a vector of independent signs: all n cyclic shifts of it are
as likely as itself, so each is an exact resample. The sums of one column over all n shifts are one circular
correlation, which two Fourier transforms make: n resamples for O(n log n) operations for each column and n random
numbers, where n resamples one by one take n² of both. Units are put into a random order first, anew for each vector, so
that neighbouring shifts have nothing in common but chance.

Any other way to move the weights to other units is as good, as long as it does not look at them. Where fewer than n
resamples are wanted of a vector, it is cut into several rings of equal length that turn together, one step for each
resample. Rings have lengths without large prime factors, which make transforms slow; the few units that are left over
turn in a ring of their own.

Resamples of one block, the shifts of one vector, are exact one by one, but not independent of each other: they use the
same counts. Whatever is estimated from them is unbiased; its error comes from the variance between blocks
(``montecarlo.Exceedances``). As a multiple of what independent resamples would have, the variance of an upper tail of
.5, .2, .1, .05, .01 and .001 was .4, .7, .9, 1.0, 1.1 and 1.1 for means and ratios of units resampled in one ring
(n = 500, 4,000 blocks): the mean of a sum over all shifts is the same for every vector, which helps in the middle of
its law. For swapped units it was 1 throughout.

Sums are whole numbers and are rounded to them, so they are exact, and do not depend on the transform: see ``_Digits``
for the error that it may have. Memory is that of the columns of one group times the resamples handled at once, some
three times over, in double precision.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from typing import Literal

import numpy as np

from outscore.base.arrays import Array, Float, Int
from outscore.base.lazy import dataclass
from outscore.base.rng import stream
from outscore.engine.lattice import Columns

_ATOM_RESAMPLES = 256  # of one random stream, where blocks are short: to open it takes longer than to fill one
_LARGEST_HELD = 2**20  # numbers that a thread holds on to
_NUMBERS_AT_ONCE = 2**15  # that are transformed in one call
_ANY_LENGTH = 64  # up to which transforms of any length are fast
_SMOOTH = (2, 3, 5)  # a longer transform whose length has no other factors is fast

Kind = Literal["redrawn", "exchanged"]
"""Units drawn with replacement as often as there are, or each swapped with probability one half."""


def counts(rng: np.random.Generator, m: int, n: int) -> Float:
    """How often each of n units is drawn in n draws with replacement, m times ``(m, n)``."""
    drawn = rng.integers(n, size=(m, n)) + (np.arange(m) * n)[:, None]
    return np.bincount(drawn.ravel(), minlength=m * n).reshape(m, n).astype(np.float64)


def bits(rng: np.random.Generator, m: int, n: int) -> Float:
    """Fair coins, 0 or 1 ``(m, n)``."""
    octets = np.frombuffer(rng.bytes(m * ((n + 7) // 8)), dtype=np.uint8).reshape(m, -1)
    return np.unpackbits(octets, axis=1, count=n).astype(np.float64)


class _Scratch(threading.local):
    """Memory that each thread uses again and again: to be given fresh memory takes as long as the transforms."""

    def __init__(self) -> None:
        self._held: dict[str, Array] = {}

    def array(self, name: str, shape: tuple[int, ...], kind: type = np.float64) -> Array:
        """An array of that shape, with whatever stood in the memory of that name."""
        size = math.prod(shape)
        if size > _LARGEST_HELD:
            return np.empty(shape, dtype=kind)
        held = self._held.get(name)
        if held is None or held.size < size:
            held = self._held[name] = np.empty(size, dtype=kind)
        return held[:size].reshape(shape)


_SCRATCH = _Scratch()


@dataclass(frozen=True)
class Cyclic:
    """Cyclic resamples of groups of columns, the same resamples for all of them.

    Attributes:
        groups: whole-number statistics, ``(units, k)`` each; k may differ.
        strata: numbers of the units of each stratum; units are resampled, or shifted, within strata.
        kind: what the weights are.
        seed: seed of the draws; ``purpose`` names their stream.
        wanted: how many resamples a vector should give; it gives fewer where there are fewer units.
    """

    groups: Sequence[Float]
    strata: Sequence[Int]
    kind: Kind
    seed: int
    purpose: str
    wanted: int

    @cached_property
    def block(self) -> int:
        """Resamples of one block: the steps that the longest rings of a stratum turn.

        Strata with shorter rings take several vectors for it. Resample s is step s of every stratum, whose vectors are
        independent of those of the others.
        """
        return max(rings(len(units), self.wanted)[1] for units in self.strata)

    @cached_property
    def atom(self) -> int:
        """Resamples that one random stream gives: a block, or several of small ones."""
        return self.block * max(1, min(_ATOM_RESAMPLES, self.wanted) // self.block)

    @cached_property
    def _spun(self) -> list[list[tuple[Columns, _Digits]]]:
        """For each group its columns in each stratum, ready to be correlated."""
        found = []
        for rows in self.groups:
            parts = [Columns.of(rows[units]) for units in self.strata]
            found.append([(part, _Digits.of(part.distinct)) for part in parts])
        return found

    def sums(self, atoms: range) -> Iterator[Float]:
        """Resampled sums ``(b, k)`` of each group in turn; b is the length of ``atoms`` times ``atom``.

        They stand in memory that the next sums overwrite, so that what is held is what one group needs, however many
        there are. The weights are the same for all groups.
        """
        blocks_of_strata = [
            _CirculantBlocks.joined(parts) for parts in zip(*(self._blocks_of(atom) for atom in atoms), strict=True)
        ]
        for group in self._spun:
            yield self._sum_strata(group, blocks_of_strata)

    def _sum_strata(self, group: list[tuple[Columns, _Digits]], blocks_of_strata: list[_CirculantBlocks]) -> Float:
        (columns, digits), *others = group
        sums = self._sum_stratum(columns, digits, blocks_of_strata[0])
        if others:
            sums = sums.copy(order="K")
            for (columns, digits), blocks in zip(others, blocks_of_strata[1:], strict=True):
                sums += self._sum_stratum(columns, digits, blocks)
        return sums

    def _sum_stratum(self, columns: Columns, digits: _Digits, blocks: _CirculantBlocks) -> Float:
        # before the sums, as it comes out of the same memory
        weight = blocks.weight if any(columns.shift) else 0.0
        added = digits.join(blocks.correlate(digits.rows))
        return columns.sums(added, weight, _SCRATCH.array("sums", (len(columns.place), added.shape[1])))

    def _blocks_of(self, atom: int) -> list[_CirculantBlocks]:
        rng = stream(self.seed, self.purpose, atom)
        return [_CirculantBlocks.draw(rng, self.kind, len(units), self.atom, self.wanted) for units in self.strata]


@dataclass(frozen=True)
class _CirculantBlocks:
    """Vectors of weights of one stratum, in rings that turn.

    Attributes:
        equal: the rings that give as many resamples as they are long.
        rest: the ring of the units that are left over, if any.
        wanted: how many resamples an atom takes from its vectors, and how many vectors that are.
    """

    equal: _ConvolutionRings
    rest: _ConvolutionRings | None
    wanted: tuple[int, int]

    @classmethod
    def draw(cls, rng: np.random.Generator, kind: Kind, n: int, atom: int, wanted: int) -> _CirculantBlocks:
        number, length = rings(n, wanted)
        m = -(-atom // length)  # vectors
        weights = counts(rng, m, n) if kind == "redrawn" else bits(rng, m, n)
        order = np.stack([rng.permutation(n) for _ in range(m)]) if n > 1 else np.zeros((m, 1), dtype=np.int64)
        # all shifts swap as many units; were one system better on all of them, all shifts would be nearly the
        # same. The opposite for half of the units is as likely, and mends it: each unit has a coin of its own, which
        # stays with it and turns over the coin that comes round to it, or does not. That makes a fair coin again
        flipped = bits(rng, m, n) if kind == "exchanged" else None
        turning = number * length
        return cls(
            _ConvolutionRings.cut(weights, order, flipped, slice(0, turning), number),
            _ConvolutionRings.cut(weights, order, flipped, slice(turning, n), 1) if turning < n else None,
            (atom, m),
        )

    @classmethod
    def joined(cls, parts: Sequence[_CirculantBlocks]) -> _CirculantBlocks:
        if len(parts) == 1:
            return parts[0]
        rests = [part.rest for part in parts if part.rest is not None]
        return cls(
            _ConvolutionRings.joined([part.equal for part in parts]),
            _ConvolutionRings.joined(rests) if rests else None,
            parts[0].wanted,
        )

    @cached_property
    def weight(self) -> Float | float:
        """Sum of the weights of each resample ``(b,)``, or one number for all."""
        n = self.equal.units + (0 if self.rest is None else self.rest.units)
        return float(n) if self.equal.flipped is None else np.asarray(self.correlate(np.ones((1, n)))[0].copy())

    def correlate(self, rows: Float) -> Float:
        """Weighted sums of ``rows (p, n)`` at every step, as whole numbers ``(p, b)``, which the next overwrite."""
        sums = self.equal.sums(rows, "equal")
        if self.rest is not None:
            sums += self.rest.sums(rows, "rest")[..., np.arange(sums.shape[-1]) % self.rest.units]
        # without the steps of the last vector that are not wanted: all strata give an atom as many steps
        wanted, vectors = self.wanted
        atoms = sums.shape[1] // vectors
        by_atom = sums.reshape(len(sums), atoms, vectors * sums.shape[-1])
        return by_atom[..., :wanted].reshape(len(sums), atoms * wanted)


@dataclass(frozen=True)
class _ConvolutionRings:
    """Rings of equal length that turn together: at step s weight i of a ring meets the unit in place i + s of it.

    Attributes:
        weights: ``(m, rings, length)`` of m vectors; ``order``: which unit each weight meets before the first step.
        flipped: 1 where a unit has the opposite of the weight that meets it, or None.
    """

    weights: Float
    order: Int
    flipped: Float | None

    @classmethod
    def cut(cls, weights: Float, order: Int, flipped: Float | None, part: slice, number: int) -> _ConvolutionRings:
        """Rings from a part of vectors ``(m, n)``."""

        def rings_of(values: Array) -> Array:
            return np.ascontiguousarray(values[:, part]).reshape(len(values), number, -1)

        return cls(rings_of(weights), rings_of(order), None if flipped is None else rings_of(flipped))

    @classmethod
    def joined(cls, parts: Sequence[_ConvolutionRings]) -> _ConvolutionRings:
        flipped = [part.flipped for part in parts if part.flipped is not None]
        return cls(
            np.concatenate([part.weights for part in parts]),
            np.concatenate([part.order for part in parts]),
            np.concatenate(flipped) if flipped else None,
        )

    @property
    def units(self) -> int:
        return math.prod(self.weights.shape[1:])

    @cached_property
    def _spectrum(self) -> np.ndarray[tuple[int, ...], np.dtype[np.complex128]]:
        return np.conj(np.fft.rfft(self.weights))

    @cached_property
    def _signs(self) -> Float:
        assert self.flipped is not None
        return 1 - 2 * self.flipped

    def sums(self, rows: Float, name: str) -> Float:
        """Weighted sums of ``rows (p, n)`` at every step ``(p, m, length)``, in the memory of that name.

        Σ_i w_i x_{i+s} for all s at once is the inverse transform of the transform of x times the conjugate of that of
        w. The rings of a vector are added before the way back, which is then one for all of them.
        """
        sums = _SCRATCH.array(f"{name} shifted", (len(rows), len(self.weights), self.weights.shape[2]))
        few = max(1, _NUMBERS_AT_ONCE // self.order.size)  # of the rows: what they need stays in the processor's cache
        for first in range(0, len(rows), few):
            self._sum_into(sums[first : first + few], rows[first : first + few], name)
        return sums

    def _sum_into(self, sums: Float, rows: Float, name: str) -> None:
        number, length = self.weights.shape[1:]
        ordered = _SCRATCH.array(f"{name} ordered", (len(rows), *self.order.shape))
        np.take(rows, self.order, axis=1, out=ordered, mode="clip")  # which writes at once where raise does not
        once = None
        if self.flipped is not None:
            # a weight w turned into 1 - w: -w in the sums, and once more the flipped units, alike at every step
            once = np.einsum("pmrl,mrl->pm", ordered, self.flipped)
            np.multiply(ordered, self._signs, out=ordered)
        shape = (*ordered.shape[:-1], length // 2 + 1)
        spectrum = np.fft.rfft(ordered, out=_SCRATCH.array(f"{name} spectrum", shape, np.complex128))
        np.multiply(spectrum, self._spectrum, out=spectrum)
        together = spectrum[:, :, 0] if number == 1 else np.add.reduce(spectrum, axis=2)
        np.fft.irfft(together, length, out=sums)
        np.rint(sums, out=sums)
        if once is not None:
            np.add(sums, once[..., None], out=sums)


@cache
def rings(n: int, wanted: int) -> tuple[int, int]:
    """How many rings turn in n units, and how long they are: about ``wanted``, less than twice; nearly n if n is less.

    Left over are two units in a hundred on average, at most one in nine of 65 or more: 71 units turn as 64 and 7.
    """
    number = max(1, n // wanted)
    longest = n // number
    if longest <= _ANY_LENGTH:
        return number, longest
    return number, next(length for length in range(longest, 0, -1) if _is_smooth(length))


def smooth_length(least: int) -> int:
    """The smallest number from ``least`` on without large prime factors."""
    return next(length for length in range(least, 2 * least + 1) if _is_smooth(length))


def _is_smooth(length: int) -> bool:
    for prime in _SMOOTH:
        while length % prime == 0:
            length //= prime
    return length == 1


@dataclass(frozen=True)
class _Digits:
    """Columns of whole numbers as digits so small that their transforms round to the right integers.

    A transform of n numbers in floating point errs by some log2 n rounding errors of the norm of what it transforms
    (Higham 2002, §24.1). The sums are a product of two of them: their error is below rounding error * levels * norm of
    the digits * norm of the weights, and must be below one half. Counts of n draws have a norm of √(2n) or so, coins
    one of √(n/2); 2√n + 8 is out of the reach of chance. Four rounding errors a level and an error of an eighth are on
    the safe side: digits of the largest norm erred by .004 at most where 64 to 100,000 units were tried. Counts are one
    digit: up to 4e9 each of 1,000 units, 3e7 of 100,000. Real numbers on the grid of ``lattice`` are two, each of which
    costs as much as a column.

    Attributes:
        rows: ``(p, n)`` the digits.
        owner, scale: ``(p,)`` which column each belongs to, and what it counts.
        columns: number of columns q.
    """

    rows: Float
    owner: tuple[int, ...]
    scale: tuple[float, ...]
    columns: int

    @classmethod
    def of(cls, columns: Float) -> _Digits:
        n = columns.shape[1]
        # the largest norm of a digit; those cut off have values up to half of the base, and a norm of half of this
        room = 0.125 / (4 * 2.0**-52 * (math.log2(4 * n) + 1) * (2 * math.sqrt(n) + 8))
        rows, owner, scale = [], [], []
        for j, column in enumerate(columns):
            left, unit = column, 1.0
            while float(np.linalg.norm(left)) > room:
                base = 2.0 ** max(1, math.floor(math.log2(room / math.sqrt(n))))
                higher = np.rint(left / base)
                rows.append(left - higher * base)
                owner.append(j)
                scale.append(unit)
                left, unit = higher, unit * base
            rows.append(left)
            owner.append(j)
            scale.append(unit)
        return cls(np.array(rows).reshape(len(rows), n), tuple(owner), tuple(scale), len(columns))

    def join(self, sums: Float) -> Float:
        """Sums of the columns ``(q, b)`` from those of their digits ``(p, b)``."""
        if len(self.owner) == self.columns:
            return sums
        whole = np.zeros((self.columns, sums.shape[1]))
        for row, owner, scale in zip(sums, self.owner, self.scale, strict=True):
            whole[owner] += row * scale
        return whole
