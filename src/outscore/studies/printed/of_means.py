"""Printed means with their errors, of items or of runs, and what they imply for the gains over the first system."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from outscore.base.errors import InputError, join
from outscore.data.measures import lower_by_name
from outscore.engine.beta import normal_ppf
from outscore.results.study import Finding
from outscore.significance.discordant import p_by_disagreements
from outscore.significance.means import t_from
from outscore.significance.settings import Settings
from outscore.studies import Spec, Summary
from outscore.studies.printed.of_runs import name_side
from outscore.studies.shared.form import Row, columns, ends, number, p_value, read_rows, table, text

_POWER = 0.8

_ROLES = {
    "system": ("system", "model", "method", "name"),
    "n": ("n", "items", "n_items", "count", "total"),
    "runs": ("runs", "seeds", "n_runs", "n_seeds", "trainings"),
    "sd": ("sd", "std", "stdev"),
    "se": ("se", "stderr", "sem", "standard_error"),
}
"""Names of columns; whichever is left is the score."""

_PAIRED = "the same, right or wrong"

_BY = "McNemar's test, χ² as a rule; the exact one allows fewer."

_LEAST_SD = 0.1
"""Of the standard deviation of right or wrong items: a smaller one is hardly that of items."""
_RATINGS = 10
"""A mean of ratings, as on a scale of 5: below it nobody can say that it is per cent."""
_NO_MEAN = re.compile(r"f.?1|f.?(score|measure)|kappa|mcc|bleu(?!rt)|chrf|auc|auroc|precision|recall")
"""Scores whose error is not that of a mean over items."""


def read_means(file: Path, alike: float) -> Spec:
    """The cell of a table with a line for each system, the baseline first.

    Raises:
        InputError: it cannot be read, or lacks what an error needs.
    """
    header, *lines = read_rows(file)
    names = [name.strip().lower() for name in header]
    places = {role: next((names.index(one) for one in known if one in names), None) for role, known in _ROLES.items()}
    scores = [k for k in range(len(names)) if k not in places.values()]
    if places["system"] is None or len(scores) != 1 or len(lines) < 2:
        others = f", beside which {join(names[k] for k in scores)} may be the score" if len(scores) > 1 else ""
        raise InputError(
            f"{file}: found the columns {join(names)}{others}; expected a column system, one with the score, and se, "
            "or sd and n (sd and runs of means over runs), or correct and total; and a line for each of two systems or "
            "more, a file for each data set"
        )
    called_twice = [name for name, k in Counter(row[places["system"]].strip() for row in lines).items() if k > 1]
    if called_twice:
        raise InputError(f"{file}: {called_twice[0]!r} has several lines; expected one, and a file for each data set")
    places["score"], called = scores[0], names[scores[0]] + "/total" * ("total" in names)
    systems = []
    for line, row in enumerate(lines, 2):
        if len(row) != len(names):
            raise InputError(f"{file}:{line}: found {len(row)} cells, expected {len(names)} (write 1,319 as 1319)")
        cells = {role: row[k].strip() for role, k in places.items() if k is not None}
        systems.append(_parse_system(cells, f"{file}:{line}", called))
    return {
        "kind": "means",
        "systems": systems,
        "alike": alike,
        "runs": places["runs"] is not None,
        "lower": lower_by_name(called),
    }


def _has_count(value: float, half: float, n: int) -> bool:
    """Whether some whole number of ``n`` right answers is a share that rounds to the printed one."""
    return math.ceil(n * (value - half) - 1e-6) <= math.floor(n * (value + half) + 1e-6)


def _parse_numbers(cells: Mapping[str, str], where: str) -> dict[str, float]:
    found = {}
    for role, typed in cells.items():
        if role == "system" or not typed:
            continue
        try:
            found[role] = float(f"{typed[:-1].strip()}e-2" if typed.endswith("%") else typed)
        except ValueError:
            found[role] = math.nan
        if not math.isfinite(found[role]) or (role != "score" and found[role] < 0):
            two = "; write mean,se or mean,sd in columns of their own" if re.search(r"±|\+/?-|\(", typed) else ""
            raise InputError(f"{where}: {role} {typed!r} is no number that it can be{two}")
    return found


def _parse_system(cells: Mapping[str, str], where: str, called: str) -> tuple[str, float, float, float | None, float]:
    """Name, score, standard error, degrees of freedom or None for the normal law; of a bound, half a last place."""
    found = _parse_numbers(cells, where)
    score, n, name = found.get("score"), found.get("n"), cells["system"]
    if score is None:
        raise InputError(f"{where}: no score of {name!r}")
    for units, k in (("items", n), ("runs", found.get("runs"))):
        if k is not None and not (k.is_integer() and k > 1):
            raise InputError(f"{where}: {k:g} {units} of {name!r}; an error takes two or more")
    if "runs" in cells:
        return _parse_runs(name, found, where)
    df = None if n is None else n - 1
    if called == "correct/total" and n is not None and score.is_integer() and 0 <= score <= n:
        return name, score / n, math.sqrt(score * (n - score) / (n - 1)) / n, df, 0.0
    if "se" in found:
        return name, score, found["se"], df, 0.0
    if "sd" in found and n is not None:
        widest = math.sqrt(max(0.0, score * ((1 if score <= 1 else 100) - score)))
        if found["sd"] < _LEAST_SD * widest and not 1 < score < _RATINGS:
            raise InputError(
                f"{where}: sd {found['sd']:g} of {name!r} is less than items vary (right or wrong ones: {widest:.3g}); "
                "between runs it is for --runs; if it is of items, write it divided by √n as se"
            )
        return name, score, found["sd"] / math.sqrt(n), df, 0.0
    if n is not None and 0 <= score <= 1:
        if _NO_MEAN.search(called):
            raise InputError(
                f"{where}: {called} is no mean over items, and n alone gives it no error; add se, give --counts, or "
                "call the column mean where it is one"
            )
        # the variance of what lies between 0 and 1 is largest where all is 0 or 1 (Bhatia and Davis 2000)
        places = Decimal(cells["score"].replace(" ", "").replace("%", "e-2")).as_tuple().exponent
        return name, score, math.sqrt(score * (1 - score) / (n - 1)), df, 10.0 ** int(places) / 2
    lacks = "n, of scores beyond 0 to 1," if n is not None else "sd without n" if "sd" in found else "a score alone"
    raise InputError(
        f"{where}: {lacks} has no error, and nothing tells a gain of {name!r} from luck; add se, or sd and n (n "
        "alone bounds the error of a mean of scores from 0 to 1: write 83.1 as 83.1% or 0.831)"
    )


def _parse_runs(name: str, found: Mapping[str, float], where: str) -> tuple[str, float, float, float | None, float]:
    """A mean over runs with its standard error."""
    runs, sd, se = (found.get(role) for role in ("runs", "sd", "se"))
    if runs is None or (sd is None and se is None):
        raise InputError(f"{where}: a mean over runs needs their number, and sd between them or se, of {name!r}")
    return name, found["score"], float(se or 0.0) if sd is None else sd / math.sqrt(runs), runs - 1, 0.0


def _side(spec: Spec) -> str:
    return "Lower is better, by the name of the score." if spec["lower"] else "Higher is taken as better."


def summarize_means(spec: Spec, settings: Settings) -> Summary:
    """Differences with the first system: at correlation 0, at the one that is taken, and whatever it is."""
    first, *others = spec["systems"]
    bounded = any(one[4] for one in spec["systems"])
    rows: list[Row] = []
    findings: list[Finding] = []
    for one in others:
        row, found = _compare(first, one, spec, len(others), settings)
        rows.append(row)
        findings += found
    together = f"; p and intervals by Bonferroni over {len(others)}" if len(others) > 1 else ""
    one_sided = name_side(settings)
    if spec["runs"]:
        return _means_of_runs(first[0], together, one_sided, rows, findings, _side(spec))
    unknown = any(one[3] is None for one in spec["systems"])
    about = (
        f"Gain and p: as if on different items. At {spec['alike']:g}: if the systems correlate so over the "
        "items, which is not printed; anyhow: whatever the correlation is. Needed: that from which "
        f"{f'p is at most alpha{one_sided}' if one_sided else 'the interval leaves out 0'}. Finds: the gain found with "
        f"{_POWER:.0%} power, on different items{one_sided}.{' Intervals are two-sided.' * bool(one_sided)}"
    )
    fields = (
        text("system", "System"),
        *ends(number("gain", "Gain")),
        p_value("p", f"p{one_sided}"),
        *ends(number("alike", f"at {spec['alike']:g}"), "alike_"),
        *ends(number("anyhow", "anyhow"), "anyhow_"),
        *columns("number", needed="needed", finds="finds"),
    )
    errors = (
        "bounds on their errors, as items score from 0 to 1 (not so F1, kappa, BLEU)" if bounded else "their errors"
    )
    law = ", by the normal law where no n says how many items (or runs) an error is of" if unknown else ""
    return Summary(
        design=f"Of printed means and {errors}{together}{law}. {_side(spec)} A paired test, clusters, rank tests and "
        "other metrics need the scores of items.",
        findings=tuple(findings),
        tables=(table("means", f"Gains over {first[0]}", fields, rows, about=about),),
        figures=(),
    )


def _means_of_runs(
    base: str, together: str, side: str, rows: Sequence[Row], findings: Sequence[Finding], better: str
) -> Summary:
    """Gains of means over runs, which are independent samples of trainings: no correlation of the systems is asked."""
    fields = (
        text("system", "System"),
        *ends(number("gain", "Gain")),
        p_value("p", f"p{side}"),
        number("finds", "finds"),
    )
    about = f"By Welch's t. Finds: the gain found with {_POWER:.0%} power{side}."
    return Summary(
        design=f"Of printed means over runs and their errors{together}: over new runs on this test set, each system's "
        f"apart. {better} What other items would do is not in these numbers.",
        findings=tuple(findings),
        tables=(table("means", f"Gains over {base}", fields, [(*row[:5], row[-1]) for row in rows], about=about),),
        figures=(),
    )


def _compare(
    base: Sequence[Any], one: Sequence[Any], spec: Spec, family: int, settings: Settings
) -> tuple[Row, list[Finding]]:
    (_, a, s, df_a, half_a), (name, b, t, df_b, half_b) = base, one
    gain, scale, dfs = b - a, max(abs(a), abs(b)), [math.inf if df is None else df for df in (df_a, df_b)]
    level, least, welch = 1 - settings.alpha / family, min(dfs), _welch_df((s, t), dfs)

    def at(correlation: float, df: float) -> tuple[float, float, float]:
        error = math.sqrt(max(s * s + t * t - 2 * correlation * s * t, 0.0))
        found = t_from(gain, error, df, alternative=settings.alternative, level=level, scale=scale)
        return min(1.0, family * found.p), found.low, found.high

    p, low, high = at(0.0, welch)
    _, *likely = at(spec["alike"], least)
    _, *anyhow = at(-1.0, least)
    sides, sign = (2, 1) if settings.alternative == "two-sided" else (1, -1 if settings.alternative == "less" else 1)
    unit = t_from(0.0, 1.0, least, level=1 - 2 / sides * (1 - level)).high
    rest = s * s + t * t - (gain / unit) ** 2
    needed = rest / (2 * s * t) if s and t else math.copysign(math.inf, rest)  # a share of 0 or 1 correlates with none
    if sides == 1 and sign * gain <= 0:
        needed = math.inf  # a gain on the other side is shown by nothing
    finds = (unit + normal_ppf(_POWER)) * math.hypot(s, t)
    row = (name, gain, low, high, p, gain, *likely, gain, *anyhow, needed if -1 <= needed <= 1 else None, finds)
    times = f", times {family}" if family > 1 else ""
    findings = [
        Finding(what=f"gain of {name}, unpaired", value=gain, ci=(low, high)),
        Finding(what=f"p of {name}, unpaired{times}{name_side(settings)}", value=p, kind="p"),
    ]
    if spec["runs"]:
        return row, [*findings, _findable(name, unit * math.hypot(s, t), finds)]
    alike = spec["alike"]
    correlated = math.sqrt(max(s * s + t * t - 2 * alike * s * t, 0.0))
    less = f"If the systems correlate by {alike:g} over items: {unit * correlated:.4g}. "
    said, paired = {}, dict[int, float]()
    loss = settings.alternative == "two-sided" and (gain > 0 if spec["lower"] else gain < 0)
    shown = f"{'loss' if loss else 'gain'} of {name} is shown{name_side(settings)}"
    if needed >= 1:
        said[shown] = "at no correlation of the systems"
    elif needed < -1:
        said[shown] = "whatever the correlation of the systems"
    else:
        said[shown] = (
            f"if systems correlate over items by {needed:.2f} or more"
            if needed > 0
            else f"on different items, and from correlation {needed:.2f} on"
        )
    n = round(least + 1) if math.isfinite(least) else 0
    halves = (half_a, half_b) if half_a and half_b and df_a == df_b else None
    none = [value for value, half in zip((a, b), halves or (), strict=False) if not _has_count(value, half, n)]
    if halves and none:
        said[_PAIRED] = f"no whole number of {n:,} right answers is {none[0]:.{_places(halves)}f}: check what n counts"
    elif halves and gain:
        most, paired = p_by_disagreements(a, b, min(half_a, half_b), n, settings, family)
        on = " to ".join(dict.fromkeys(f"{d:,}" for d in most if d is not None))
        rounded = (", or at no number" * (most[0] is None) + " (rounded)") * (most[0] != most[1])
        on = f"if they disagree on at most {on} of {n:,} items{rounded}" if on else "at no number of disagreements"
        said[_PAIRED] = on
    which = dict(zip(paired, ("fewest", "most"), strict=False))
    return row, [
        *findings,
        *(
            Finding(what=what, value=value, kind="text", reason=_BY * (what == _PAIRED and bool(paired)))
            for what, value in said.items()
        ),
        *(Finding(what=f"p of {name}, {d:,} differ ({which[d]}){times}", value=p, kind="p") for d, p in paired.items()),
        _findable(name, unit * math.hypot(s, t), finds, less),
    ]


def _findable(name: str, least: float, finds: float, correlated: str = "") -> Finding:
    """The threshold of the curve of gain against confidence, and the gain that such a test finds as a rule."""
    reason = f"{correlated}With {_POWER:.0%} power, unpaired: {finds:.4g}."
    return Finding(what=f"least gain of {name} shown", value=least, reason=reason)


def _places(halves: Sequence[float]) -> int:
    """Decimal places of scores whose last place has these halves."""
    return max(0, round(-math.log10(2 * min(halves))))


def _welch_df(errors: Sequence[float], dfs: Sequence[float]) -> float:
    """Of Welch and Satterthwaite."""
    below = sum(error**4 / df for error, df in zip(errors, dfs, strict=True))
    return sum(error**2 for error in errors) ** 2 / below if below else math.inf
