"""Tokens of a sentence stand in the order that their column of positions says."""

from __future__ import annotations

from pathlib import Path

import pytest

from outscore.data.read import read


@pytest.mark.parametrize(
    ("name", "places", "sorts"), [("tok", "312", True), ("tok", "420", False), ("n", "312", False)]
)
def test_rows_out_of_order_are_put_in_order(tmp_path: Path, name: str, places: str, sorts: bool) -> None:
    tags = ["I-X", "O", "B-X"]
    rows = [f"s1,{place},w{place},{tag},{tag}" for place, tag in zip(places, tags, strict=True)]
    path = tmp_path / "t.csv"
    path.write_text("\n".join([f"item,{name},form,gold,a", *rows, f"s2,{places[1]},z,O,O"]), encoding="utf-8")
    (run,) = read([f"{path}#a"]).runs
    assert (run.outputs or ())[0] == ("O B-X I-X" if sorts else "I-X O B-X")
    assert run.labels["tokens"][0] == " ".join(f"w{place}" for place in (sorted(places) if sorts else places))
    assert run.ids == ("s1", "s2")
