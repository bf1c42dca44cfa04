"""BLEU from sums of statistics, standard and as on lecture slides: the BLEU cases of the family ``metrics``."""

from __future__ import annotations

import numpy as np
import pytest

from outscore.metrics.bleu import Bleu
from tests.oracles.support import Case, agree, family

FAMILY = family("metrics")
BLEU = {
    case["id"]: {**case, "tolerance": FAMILY["tolerance"]} for case in FAMILY["cases"] if "matches" in case["input"]
}
# MultEval scores a corpus too short for 4-grams as if they all matched; sacrebleu gives it 0
MULTEVAL_ONLY = "bleu_3_1_0_0"


def bleu(case: Case, metric: Bleu) -> float:
    given = case["input"]
    sums = [given["attempts"][0], given["reference_length"], *given["matches"], *given["attempts"]]
    return float(metric.score(np.array(sums, dtype=float))) / 100


@pytest.mark.parametrize("case", [case for name, case in BLEU.items() if name != MULTEVAL_ONLY], ids=lambda c: c["id"])
def test_bleu_of_sums(case: Case) -> None:
    found = {
        "multeval_exp_smooth": bleu(case, Bleu()),
        "standard_unsmoothed": bleu(case, Bleu(smooth="none")),
        "oconnor_slide": bleu(case, Bleu(variant="slide")),
    }
    agree(case, found, skip=("slide_weights_normalised",))


def test_a_corpus_without_any_4_gram_scores_0_as_in_sacrebleu_and_not_as_in_multeval() -> None:
    case = BLEU[MULTEVAL_ONLY]
    assert bleu(case, Bleu()) == 0
    assert case["expected"]["multeval_exp_smooth"] == pytest.approx(0.5**0.5)
