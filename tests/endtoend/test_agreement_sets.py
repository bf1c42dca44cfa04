"""Agreement on published tables and on the labels of XSum summaries, held against published coefficients."""

from __future__ import annotations

import csv
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commandline import outscore

pytestmark = pytest.mark.data

NAMES = {
    "Percentage": "percent",
    "CohenKappa": "cohen",
    "ScottPi": "scott",
    "FleissKappa": "fleiss",
    "BennettS": "bennett",
}
ARTSTEIN_POESIO = ("--labels", "STAT,Chck,IReq")
"""Their distances of dialogue acts (2008, Table 6): a check lies halfway between a statement and a request."""

BY_UNITS = 9 / 11
"""Percent agreement of Krippendorff's third example; the tables pool the pairs of all units (.8)."""


def named(expected: dict[str, Any], raters: int) -> str:
    """What we call a coefficient of the tables."""
    distance = {"I": "linear", None: "nominal"}.get(expected["distance"], str(expected["distance"]).lower())
    if expected["coefficient"] == "KrippendorffAlpha":
        return f"krippendorff:distance={distance}"
    if expected["coefficient"] == "WeightedKappa":
        return "cohen:weights=linear" if distance == "linear" else "cohen"
    if raters > 2:
        return {"CohenKappa": "conger", "ScottPi": "fleiss"}.get(
            expected["coefficient"], NAMES[expected["coefficient"]]
        )
    return NAMES[expected["coefficient"]]


def part(found: dict[str, Any], expected: dict[str, Any]) -> float:
    """The quantity that a table gives, as agreement or disagreement, on the scale of the table."""
    quantity = expected["quantity"]
    if quantity == "agreement":
        return float(found["value"])
    got = float(found["observed" if quantity.startswith("observed") else "expected"])
    if quantity.endswith("Agreement") or found["parts"] == "disagreement":
        return got / 2 if found["coefficient"] == "krippendorff:distance=linear" else got
    return 1 - got


def agreed(file: Path, *arguments: str) -> dict[str, Any]:
    done = outscore("agree", file, *arguments, "--interval", "analytic", "-f", "json")
    assert done.code == 0, done.err
    found: dict[str, Any] = json.loads(done.out)
    return found


def value(found: dict[str, Any]) -> float:
    (coefficient,) = found["coefficients"]
    return float(coefficient["value"])


@pytest.mark.slow
def test_every_published_coefficient_of_the_textbooks(data_root: Path, tmp_path: Path) -> None:
    tables = json.loads((data_root / "data" / "iaa_textbook_tables" / "tables.json").read_text(encoding="utf-8"))
    compared = 0
    for number, (name, table) in enumerate(tables.items()):
        file = tmp_path / f"{number}.csv"
        with file.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out)
            writer.writerow([f"r{i}" for i in range(table["raters"])])
            writer.writerows(["" if label is None else label for label in item] for item in table["items"])
        for expected in table["expected"]:
            order = ARTSTEIN_POESIO if expected["distance"] == "I" else ()
            (found,) = agreed(file, "--annotators", "r*", "-k", named(expected, table["raters"]), *order)[
                "coefficients"
            ]
            if (name, expected["coefficient"]) == ("Krippendorff2004.createExample3", "Percentage"):
                assert found["value"] == pytest.approx(BY_UNITS)
            else:
                assert part(found, expected) == pytest.approx(expected["value"], abs=expected["tol"]), (name, expected)
            compared += 1
    assert compared == 73


@pytest.mark.parametrize(
    ("file", "options", "alpha"),
    [
        ("factual_yesno", [], 0.785826),
        ("factual_yesno", ["--na", "NULL"], 0.773606),
        ("hallucination_type", [], 0.711457),
    ],
)
def test_alpha_of_the_labels_of_summaries(file: str, options: list[str], alpha: float, data_root: Path) -> None:
    labels = data_root / "data" / "iaa_xsum_factuality" / f"{file}.tsv.gz"
    arguments = ("--annotators", "rater*", "-c", "item=bbcid+system", "--exchangeable", "-k", "krippendorff", *options)
    assert value(agreed(labels, *arguments)) == pytest.approx(alpha, abs=5e-7)


@pytest.mark.parametrize(
    ("name", "units", "kappa", "observed"),
    [("factual_yesno", 1859, 0.7866, 0.9580), ("hallucination_type", 2499, 0.7117, 0.8365)],
)
def test_fleiss_of_the_summaries_that_all_three_have_labelled(
    name: str, units: int, kappa: float, observed: float, data_root: Path, tmp_path: Path
) -> None:
    source = data_root / "data" / "iaa_xsum_factuality" / f"{name}.tsv.gz"
    header, *rows = gzip.decompress(source.read_bytes()).decode().splitlines()
    whole = [row for row in rows if all(row.split("\t")[2:5])]
    (tmp_path / "whole.tsv").write_text("\n".join([header, *whole]) + "\n", encoding="utf-8")
    (found,) = agreed(tmp_path / "whole.tsv", "--annotators", "rater*", "--exchangeable", "-k", "fleiss")[
        "coefficients"
    ]
    assert found["n_units"] == units
    assert found["value"] == pytest.approx(kappa, abs=5e-5)
    assert found["observed"] == pytest.approx(observed, abs=5e-5)
