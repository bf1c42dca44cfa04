"""All 465 pairs of 31 systems on 1,984 segments: 9 that took part in WMT 2022, 22 mixed from two of them each."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from inputs import Inputs
from measure import Call, Command

from rows.pair import CYCLIC
from rows.row import Peer, Recorded, Row

SHARED = "cyclic resampling, shared by all pairs"


def outscore(resamples: int) -> Command:
    def line(inputs: Inputs) -> list[str]:
        files = [str(file) for file in (inputs.reference, *inputs.systems)]
        command = [sys.executable, "-m", "outscore", "compare", "-r", *files, "-m", "bleu", "-q", "--all-pairs"]
        return [*command, "--test", "bootstrap", "-n", str(resamples)]

    return Command(line)


def _sacrebleu(inputs: Inputs) -> list[str]:
    reference, *outputs = (str(file) for file in (inputs.reference, *inputs.systems))
    command = [sys.executable, "-m", "sacrebleu", reference, "-i", *outputs, "-m", "bleu"]
    return [*command, "--paired-bs", "--paired-bs-n", "10000"]


def our_flips(inputs: Inputs) -> Callable[[], float]:
    """One million shared relabellings of segment scores; the p-value of the last pair."""
    from workloads import mean_randomization, segment_scores

    return mean_randomization(segment_scores(inputs), 1_000_000)


def their_flips(inputs: Inputs) -> Callable[[], float]:
    from mt_metrics_eval.pce import compute_pairwise_p_values
    from workloads import segment_scores

    scores: Any = segment_scores(inputs)
    return lambda: float(compute_pairwise_p_values(scores, num_permutations=1_000_000)[-2, -1])


_PEER = Peer("sacrebleu --paired-bs, 31 systems against one, 10,000", Command(_sacrebleu))

ROWS = (
    Row("systems-1e4", "31 systems, all 465 pairs, BLEU, bootstrap 10^4", outscore(10_000), _PEER, 15, None, CYCLIC),
    Row("systems-1e6", "31 systems, all 465 pairs, BLEU, bootstrap 10^6", outscore(1_000_000), _PEER, 8, 500, CYCLIC),
    Row(
        "means-1e6",
        "31 systems, all 465 pairs, mean of segment scores, randomization 10^6",
        Call("rows.systems:our_flips"),
        Peer(
            "mt-metrics-eval, shared sign matrix, 1,000,000",
            Call("rows.systems:their_flips"),
            "mt_metrics_eval",
            Recorded(26.8, 8000, "mt-metrics-eval, pce.py of 2024, 31 systems of 2,037 segments"),
        ),
        10,
        500,
        SHARED,
        in_process=True,
    ),
)
