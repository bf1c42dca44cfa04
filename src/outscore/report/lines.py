"""Lines beside a result: why a gate does not hold, and the analyses of a comparison that is followed."""

from __future__ import annotations

from outscore.report.numbers import interval, p_text, to_fixed, to_given
from outscore.report.writer import ReportWriter
from outscore.results.comparison import Comparison
from outscore.results.pairs import Pair
from outscore.results.result import Gate
from outscore.results.sequences import InterimAnalysis, Sequence

_MOST = 3


def gate_line(result: Comparison, gate: Gate[Pair]) -> str:
    """One line that names the first pairs for which a gate does not hold, and why."""
    w, failing = ReportWriter(result, None), gate.failing
    said = "; ".join(
        f"{result.name_of(p, w)} on {w.label(p.metric)}: {reason(w, p, gate.condition)}" for p in failing[:_MOST]
    )
    more = f"; and {len(failing) - _MOST} more" if len(failing) > _MOST else ""
    return f"gate {gate.condition!r} does not hold: {said}{more}"


def reason(w: ReportWriter, pair: Pair | Sequence, condition: str) -> str:
    """The numbers by which a gate is decided."""
    if isinstance(pair, Sequence):
        return pair.decision
    found = pair.equivalence
    if condition == "better" or found is None:
        p, name = pair.p, "p"
    elif condition == "not-worse":
        p, name = found.p_not_worse_adjusted, "p not worse"
    else:
        p, name = found.p_equivalent_adjusted, "p within"
    margin = "" if found is None else f", margin {to_given(found.margin)}"
    return f"{pair.verdict}, gain {w.gain(pair.gain, pair.metric)}{margin}, {w.p(p, name)}"


def analysis_line(analysis: InterimAnalysis) -> str:
    """One interim analysis as it comes: ``n 200  gain +0.040 [-0.012, +0.093]  p .21  undecided``."""
    ends = interval(analysis.ci, 3, sign=True)
    gain, p = to_fixed(analysis.gain, 3, sign=True), p_text(analysis.p_value)
    return f"n {analysis.n}  gain {gain} {ends}  p {p}  {analysis.decision}"
