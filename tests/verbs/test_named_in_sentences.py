"""Errors name the file at fault, and plans the clusters that items come in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore import InputError


@pytest.mark.parametrize("metric", ["ner", "token_accuracy"])
def test_the_file_with_other_tokens_is_named(tmp_path: Path, metric: str) -> None:
    for name, tags in {"gold": "OBO", "right": "OBO", "short": "OB"}.items():
        lines = [f"w{i} {tag}{'-X' * (tag == 'B')}" for i, tag in enumerate(tags)]
        (tmp_path / f"{name}.conll").write_text("a O\n\n" + "\n".join(lines) + "\n", encoding="utf-8")
    files = [str(tmp_path / f"{name}.conll") for name in ("right", "short")]
    with pytest.raises(InputError, match=r"^\S*short\.conll: .*(sentence|item) 2 "):
        outscore.compare(
            outscore.read(files, references=[str(tmp_path / "gold.conll")]), metrics=metric, n_resamples=99
        )


def test_a_plan_says_in_how_many_clusters_its_items_come() -> None:
    draw = np.random.default_rng(1)
    table = pd.DataFrame({"item": range(120), "doc": [f"d{i // 4}" for i in range(120)], "a": draw.normal(size=120)})
    table["b"] = table["a"] + draw.normal(0.1, size=120)
    long = table.melt(["item", "doc"], ["a", "b"], "system", "score")
    found = outscore.plan(long, effect=0.3, cluster="doc", n_resamples=99)
    assert found.items_needed is not None
    assert f"; {-(-round(found.items_needed) // 4)} clusters as they are here)" in " ".join(str(found).split())
    assert "clusters as they are" not in str(outscore.plan(long, effect=0.3, cluster="none", n_resamples=99))
