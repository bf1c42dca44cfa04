"""MultEval's pooled randomization over runs (Clark et al. 2011, §4.1), for comparison with its tables only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.base.rng import stream
from outscore.engine import extreme
from outscore.engine.draws import Draws
from outscore.engine.montecarlo import Exceedances
from outscore.engine.sampling import Sampling
from outscore.engine.weights import ATOM, swaps
from outscore.significance import MONTE_CARLO, Outcome, ResamplingTest, make_outcome, notes, test
from outscore.significance.gain import GainContrast
from outscore.significance.resamples import DrawRequest, Resamples


@test("multeval")
@dataclass(frozen=True)
class MultEval(ResamplingTest):
    """Permute the systems' outputs independently for each item *and run*, and score all runs as one long test set.

    Run r of one system is paired with run r of the other, an arbitrary choice, and runs count as extra items: the
    p-value is too small for any claim about methods. It is here to be compared with.

    Args:
        as_coded: the law that MultEval 0.5.1 computes: strict counting, and a permutation of runs that is applied to
            one pseudo-system and inverted for the other.
    """

    null: ClassVar[str] = "outputs are exchangeable within each item and run, runs being independent items"
    formula: ClassVar[str] = (
        "p = P*(|δ*| ≥ |δ|), δ* the gain after permuting both outputs of each item in each run with probability ½, "
        "all runs scored as one test set"
    )
    applies: ClassVar[str] = "to be compared with tables made by MultEval; for no claim of one's own"
    needs: ClassVar[str] = "as many runs of each system, and a score of sums"
    citation: ClassVar[str] = "Clark et al. 2011, Better Hypothesis Testing for Statistical Machine Translation"

    as_coded: bool = False

    def question(self, pair: GainContrast) -> str:
        return "MultEval's: would independent item-run pairs differ as much by chance?"

    def refuses(self, pair: GainContrast) -> str | None:
        a, b = pair.n_runs
        if not pair.stats.of_sums:
            return f"multeval pools the sums of runs, and {pair.stats.name} is no score of sums; use --test auto"
        return (
            None if a == b else f"multeval pairs the runs of both systems, but there are {a} and {b}; use --test auto"
        )

    def compute_directly(self, pair: GainContrast) -> Outcome | None:
        if pair.identical and not self.as_coded:
            return Outcome(p_value=1.0, p_kind=MONTE_CARLO, p_min=1.0, notes=(notes.IDENTICAL, *self._notes(pair)))
        return None

    def draws(self, pair: GainContrast) -> Sequence[DrawRequest]:
        return (_PseudoSystems(pair.metric_index, pair.system, pair.baseline, self.as_coded),)

    def from_draws(self, pair: GainContrast) -> Outcome:
        gain = pair.pooled_gain
        draws = pair.resamples[self.draws(pair)[0]].values[0]
        if self.as_coded:
            count = extreme.count_beyond(np.abs(draws), abs(gain), slack=pair.slack)
        else:
            count = int(extreme.count(draws, gain, alternative=pair.settings.alternative, slack=pair.slack))
        exceedances = Exceedances(np.array([count]), np.array([len(draws)]))
        return make_outcome(exceedances, effect={"pooled_gain": gain}, notes=self._notes(pair))

    def _notes(self, pair: GainContrast) -> list[Note]:
        size = [notes.MULTEVAL_SIZE] if pair.has_runs else []  # of one run each there are no extra items
        found = [*size, *([notes.MULTEVAL_AS_CODED] if self.as_coded else [])]
        return [*found, notes.TEST_IGNORES_CLUSTERS] if pair.clustered else found


@dataclass(frozen=True)
class _PseudoSystems(DrawRequest):
    """Gains of two systems whose outputs were permuted item by item and run by run.

    Attributes:
        metric_index, system, baseline: their numbers.
        as_coded: as ``MultEval`` says.
    """

    metric_index: int
    system: int
    baseline: int
    as_coded: bool

    def draw(self, systems: Resamples, sampling: Sampling) -> Draws:
        stats, seed = systems.by_metric[self.metric_index], sampling.seed
        a, b = stats.items[self.system], stats.items[self.baseline]
        runs, n, k = a.shape
        flat = (b - a).reshape(runs * n, k)
        start_a, start_b = a.sum(axis=(0, 1)), b.sum(axis=(0, 1))

        def task(atoms: range) -> Float:
            first, second = zip(*(self._draw_swaps(runs, n, seed, atom) for atom in atoms), strict=True)
            x = start_a + np.concatenate(first) @ flat
            y = start_b - np.concatenate(second) @ flat
            return stats.sign * (stats.score(x) - stats.score(y))

        values, interrupted = sampling.runtime.resample("multeval", task, sampling.n_resamples, 2 * runs * n)
        uncounted = np.zeros((1, 0, 0, 2), dtype=np.int64)
        return Draws(values[None], np.array([len(values)]), uncounted, independent=True, interrupted=interrupted)

    def _draw_swaps(self, runs: int, n: int, seed: int, atom: int) -> tuple[Float, Float]:
        """Which (run, item) of the system is swapped in each pseudo-system, ``(ATOM, runs * n)`` twice."""
        bits = swaps(runs * n, seed, atom, "multeval")
        if not self.as_coded:
            return bits, bits
        by_item = bits.reshape(ATOM, runs, n)
        order = np.argsort(stream(seed, "multeval runs", atom).random((ATOM, runs, n)), axis=1)
        forth = np.take_along_axis(by_item, order, axis=1).reshape(ATOM, runs * n)
        back = np.take_along_axis(by_item, np.argsort(order, axis=1), axis=1).reshape(ATOM, runs * n)
        return forth, back
