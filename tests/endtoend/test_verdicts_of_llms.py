"""The real case of ``docs/verdicts.md``: one model behind three services, and a smaller one, on GSM8K."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

from tests.cli.commandline import outscore
from tests.docs import manual

pytestmark = pytest.mark.data


def test_the_same_model_is_equivalent_and_a_smaller_one_worse(data_root: Path) -> None:
    table = data_root / "data" / "llm_gsm8k_zeroeval" / "correct.csv.gz"
    systems = [f"{table}#{name}" for name in ("Llama-3.1-405B-Inst-fp8*", "*hyperbolic", "Meta-Llama-3.1-70B*")]
    done = outscore(
        "compare", *systems, "-m", "accuracy", "--margin", "0.01", "--fail-unless", "not-worse", "-f", "json"
    )
    assert done.code == 1
    assert done.err.count("Meta-Llama-3.1-70B-Instruct on accuracy: worse") == 1
    assert "hyperbolic" not in done.err
    same, smaller = json.loads(done.out)["pairs"]
    assert (same["verdict"], smaller["verdict"]) == ("equivalent", "worse")
    assert same["equivalence"]["p_equivalent_adjusted"] == pytest.approx(0.0222, abs=1e-4)


def test_the_page_shows_what_is_printed(data_root: Path) -> None:
    (block,) = (
        b for b in manual.blocks_of(manual.DOCS / "verdicts.md") if b.lines[0].startswith("outscore compare 'DATA")
    )
    end = block.lines.index("")
    words = shlex.split("\n".join(block.lines[:end]).replace("\\\n", "").replace("DATA/", f"{data_root}/data/"))
    done = outscore(*words[1:])
    assert manual.fits(block.lines[end + 1 :], [*done.out.splitlines(), *done.err.splitlines()]), done
