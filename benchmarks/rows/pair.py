"""BLEU of two systems on 1,984 segments: paired bootstrap and approximate randomization."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from inputs import Inputs
from measure import Call, Command

from rows.row import Peer, Recorded, Row

CYCLIC = "cyclic resampling: n resamples from one circular correlation"
_FLAGS = {"bootstrap": "--paired-bs", "randomization": "--paired-ar"}


def outscore(test: str, resamples: int) -> Command:
    def line(inputs: Inputs) -> list[str]:
        files = [str(file) for file in (inputs.reference, *inputs.pair)]
        command = [sys.executable, "-m", "outscore", "compare", "-r", *files, "-m", "bleu", "-q"]
        return [*command, "--test", test, "-n", str(resamples)]

    return Command(line)


def sacrebleu(test: str, resamples: int) -> Peer:
    flag = _FLAGS[test]

    def line(inputs: Inputs) -> list[str]:
        reference, *outputs = (str(file) for file in (inputs.reference, *inputs.pair))
        command = [sys.executable, "-m", "sacrebleu", reference, "-i", *outputs, "-m", "bleu"]
        return [*command, flag, f"{flag}-n", str(resamples)]

    return Peer(f"sacrebleu {flag}, {resamples:,}", Command(line))


def compare_mt(resamples: int) -> Peer:
    def line(inputs: Inputs) -> list[str]:
        files = [str(file) for file in (inputs.reference, *inputs.pair)]
        command = [sys.executable, "-m", "compare_mt.compare_mt_main", *files]
        command += ["--compare_scores", f"score_type=bleu,bootstrap={resamples}"]
        others = ("word_accuracies", "src_word_accuracies", "sentence_buckets", "ngrams", "sentence_examples")
        return command + [f"--compare_{section}" for section in others]

    recorded = Recorded(59.5, 214, "compare-mt 0.2.10")
    return Peer(f"compare-mt 0.2.10, {resamples:,} of half the size", Command(line), "compare_mt", recorded)


def our_bootstrap(inputs: Inputs) -> Callable[[], float]:
    """Bootstrap share of gains of at most 0, from the statistics, with 10,000 resamples."""
    from workloads import bleu_statistics, bootstrap

    statistics, score = bleu_statistics(inputs, inputs.pair)
    return bootstrap(statistics, score, 10_000)


def their_bootstrap(inputs: Inputs) -> Callable[[], float]:
    """sacrebleu's p-value from the same statistics; it ends with the interval of each system, as its command does."""
    from sacrebleu.metrics.bleu import BLEU
    from sacrebleu.significance import PairedTest

    reference, *outputs = (file.read_text(encoding="utf-8").splitlines() for file in (inputs.reference, *inputs.pair))
    metric: Any = BLEU(references=[reference])
    known = {id(texts): metric._extract_corpus_statistics(texts, None) for texts in outputs}
    metric._extract_corpus_statistics = lambda texts, references: known[id(texts)]
    named: Any = list(zip(("baseline", "system"), outputs, strict=True))

    def work() -> float:
        test: Any = PairedTest(named, {"BLEU": metric}, None, test_type="bs", n_samples=10_000)
        return float(test()[1]["BLEU"][1].p_value)

    return work


_AT_10_4 = sacrebleu("bootstrap", 10_000)

ROWS = (
    Row(
        "bleu-1e3",
        "BLEU pair, bootstrap 10^3",
        outscore("bootstrap", 1_000),
        sacrebleu("bootstrap", 1_000),
        2.5,
        algorithm=CYCLIC,
    ),
    Row("bleu-1e4", "BLEU pair, bootstrap 10^4", outscore("bootstrap", 10_000), _AT_10_4, 8, 200, CYCLIC),
    Row(
        "bleu-1e4-compare-mt",
        "BLEU pair, bootstrap 10^4",
        outscore("bootstrap", 10_000),
        compare_mt(10_000),
        100,
        200,
        CYCLIC,
    ),
    Row(
        "bleu-1e5",
        "BLEU pair, bootstrap 10^5",
        outscore("bootstrap", 100_000),
        sacrebleu("bootstrap", 100_000),
        60,
        200,
        CYCLIC,
    ),
    Row("bleu-1e6", "BLEU pair, bootstrap 10^6", outscore("bootstrap", 1_000_000), _AT_10_4, 3, None, CYCLIC),
    Row(
        "bleu-in-process",
        "BLEU pair, bootstrap 10^4, from the statistics",
        Call("rows.pair:our_bootstrap"),
        Peer("sacrebleu's PairedTest, 10,000", Call("rows.pair:their_bootstrap")),
        300,
        None,
        CYCLIC,
        in_process=True,
    ),
    Row(
        "bleu-randomization",
        "BLEU pair, randomization 10^5",
        outscore("randomization", 100_000),
        sacrebleu("randomization", 100_000),
        25,
        None,
        CYCLIC,
    ),
)
