"""Tests of all kinds under one roof."""

from __future__ import annotations

import subprocess
import sys

import pytest

from outscore.base.errors import UsageError
from outscore.significance import tests
from outscore.significance.kinds import KINDS, kind_of, make_paired, make_test
from tests.cli.commandline import environment


def test_a_name_makes_the_test_of_its_kind() -> None:
    for kind, registry in KINDS.items():
        for name in registry.names():
            spec = f"{name}:sigma=1" if name == "z" else name
            assert kind_of(spec) == kind
            assert make_test(spec) == registry.make(spec)
    assert make_paired("wilcoxon:zeros=pratt") == tests.make("wilcoxon:zeros=pratt")


def test_a_test_of_another_kind_is_no_test_of_pairs() -> None:
    for name, said in (("welch", "independent samples"), ("cochran-q", "several systems at once")):
        with pytest.raises(UsageError, match=f"{name} is a test of {said}, not of pairs; use: outscore test {name}"):
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
