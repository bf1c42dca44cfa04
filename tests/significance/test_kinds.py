"""Tests of all kinds under one roof."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.significance import Test, tests
from outscore.significance.choose import KINDS, kind_of, make_paired, make_test
from tests.cli.commandline import environment
from tests.laws.support import pairing, settings
from tests.significance.pairs import RUNS_A, RUNS_B, A, B, verdict


def test_a_name_makes_the_test_of_its_kind() -> None:
    for kind, registry in KINDS.items():
        for name in registry.names():
            spec = f"{name}:sigma=1" if name == "z" else name
            assert kind_of(spec) == kind
            assert make_test(spec) == registry.make(spec)
    assert make_paired("wilcoxon:zeros=pratt") == tests.make("wilcoxon:zeros=pratt")


def test_a_test_of_another_kind_is_no_test_of_pairs() -> None:
    for name, said in (("welch", "independent samples"), ("cochran-q", "several systems at once")):
        with pytest.raises(
            UsageError, match=f"{name} is a test of {said}, not of pairs; use: outscore compare --test {name}"
        ):
            make_paired(name)


def test_unknown_names_suggest_the_nearest_of_all_kinds() -> None:
    with pytest.raises(UsageError, match="did you mean 'brunner-munzel'"):
        kind_of("bruner-munzel")


def test_a_name_with_a_hyphen_is_found_by_one_import() -> None:
    code = (
        "import sys\nfrom outscore.significance.independent import independent_tests\n"
        "independent_tests.find('mann-whitney')\n"
        "print(*(m for m in sys.modules if m.startswith('outscore.significance.independent.')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, encoding="utf-8", check=True
    )
    loaded = {name.rpartition(".")[2] for name in done.stdout.split()}
    assert "mann_whitney" in loaded
    assert not {"welch", "fisher", "permutation"} & loaded


@pytest.mark.parametrize("test", ["t", "mcnemar", "sign", "wilcoxon", "z:sigma=1"])
def test_tests_of_items_refuse_corpus_scores_and_say_what_to_use(test: str) -> None:
    texts = ["a b c d e", "f g h"]
    with pytest.raises(UsageError, match=r"--test|\bauto"):
        outscore.compare({"x": texts, "y": texts[::-1]}, references=texts, metrics="bleu", test=test)


@pytest.mark.parametrize(("test", "says"), [("multeval", "4 and 3.*auto"), ("mcnemar", r"\bauto")])
def test_tests_of_a_design_refuse_another(test: str, says: str) -> None:
    with pytest.raises(UsageError, match=says):
        verdict(RUNS_A, RUNS_B, test)


@pytest.mark.parametrize("test", ["crossed", "runs"])
def test_tests_over_runs_refuse_single_runs(test: str) -> None:
    with pytest.raises(UsageError, match=r"at least two runs.*--test auto"):
        verdict(A, B, test)


@pytest.mark.parametrize("name", ["sign", "t", "wilcoxon", "bootstrap", "randomization"])
def test_one_item_is_refused_or_has_no_p_below_one(name: str) -> None:
    test: Test = tests.make(name)
    pair = pairing(np.array([[0.75]]), np.array([[0.25]]), settings(9))
    if test.refuses(pair) is None:
        p = test.run(pair).p_value
        assert p is None or p == 1.0
