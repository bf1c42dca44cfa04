"""The table of mutants: how many of each package and kind the tests catch, with an interval of the share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from scipy.stats import binomtest

from tests.mutants.kept import BROKEN, CAUGHT, TIMED_OUT, Mutant, Outcome


def table(mutants: Sequence[Mutant], outcomes: Mapping[str, Outcome], equivalent: Mapping[str, str]) -> str:
    """Of each package and all its kinds what was caught, then what was not, then what could not be."""
    lines = [
        "| package | faults | made | tried | equivalent | caught | not caught | share caught, Wilson's 95% interval |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for package in dict.fromkeys(m.package for m in mutants):
        of = [m for m in mutants if m.package == package]
        for kind in dict.fromkeys(m.kind for m in of):
            lines.append(_line(package, kind, [m for m in of if m.kind == kind], outcomes, equivalent))
        lines.append(_line(package, "all", of, outcomes, equivalent))
    missed = [m for m in mutants if m.key not in equivalent and _is_missed(outcomes.get(m.key))]
    if missed:
        lines += ["", "Not caught:", ""]
        lines += [f"- {outcomes[m.key].outcome}, line {m.line}: `{m.key}`" for m in missed]
    same = [m for m in mutants if m.key in equivalent]
    if same:
        lines += ["", "Equivalent:", ""]
        for reason in dict.fromkeys(equivalent[m.key] for m in same):
            lines += [f"- {reason}", *(f"    - `{m.key}`" for m in same if equivalent[m.key] == reason)]
    return "\n".join(lines)


def _line(
    package: str, kind: str, mutants: Iterable[Mutant], outcomes: Mapping[str, Outcome], equivalent: Mapping[str, str]
) -> str:
    made = list(mutants)
    tried = [outcomes[m.key] for m in made if m.key not in equivalent and m.key in outcomes]
    tried = [o for o in tried if o.outcome != BROKEN]
    same = sum(m.key in equivalent for m in made)
    missed = sum(map(_is_missed, tried))
    cells = [package, kind, len(made), len(tried), same, len(tried) - missed, missed, _share(tried, missed)]
    return f"| {' | '.join(map(str, cells))} |"


def _is_missed(outcome: Outcome | None) -> bool:
    return outcome is not None and outcome.outcome not in (CAUGHT, TIMED_OUT, BROKEN)


def _share(tried: Sequence[Outcome], missed: int) -> str:
    if not tried:
        return "-"
    caught = binomtest(len(tried) - missed, len(tried))
    ends = caught.proportion_ci(method="wilson")
    return f"{100 * caught.statistic:.1f}% [{100 * ends.low:.1f}, {100 * ends.high:.1f}]"
