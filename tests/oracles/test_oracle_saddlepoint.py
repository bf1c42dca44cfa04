"""Saddlepoint tails against the formula evaluated by scipy's root finder, and against exact whole-number counts."""

from __future__ import annotations

import numpy as np

from outscore.engine.saddlepoint import draw_cumulant, flip_cumulant, flip_tail, tilt_to
from tests.engine.exact_laws import draw_tail
from tests.oracles.support import Case, cases, close


@cases("saddlepoint")
def test_tails_with_lattice_correction(case: Case) -> None:
    given, expected, tolerance = case["input"], case["expected"], case["tolerance"]
    d, span = np.array(given["d"], dtype=float), float(given["span"])
    points, counts = np.unique(d, return_counts=True)
    flips = given["kind"] == "signflip"
    cumulant = flip_cumulant(d) if flips else draw_cumulant(points, counts / d.size, d.size)
    # the oracle's point lies half a span below the sum that is asked for
    found = (flip_tail if flips else draw_tail)(d, given["point"] + span / 2, span)
    assert close(tilt_to(cumulant, given["point"]), expected["saddlepoint"], tolerance["formula_rel"])
    assert close(found, expected["lugannani_rice_lattice"], tolerance["formula_rel"])
    assert close(found, expected["exact"], tolerance["vs_exact_rel"])
    assert close(found / expected["exact"], expected["ratio"], tolerance["formula_rel"])
