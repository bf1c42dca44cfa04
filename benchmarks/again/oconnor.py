"""O'Connor 2015, slides on evaluation: power by fake data, the interval of the bootstrap; and ties."""

from __future__ import annotations

from collections.abc import Iterator

from again.maker import Maker, Section


def part(maker: Maker) -> Iterator[Section]:
    """Power and coverage, then ties."""
    yield _power(maker)
    yield _ties(maker)


def _power(maker: Maker) -> Section:
    found = maker.study("power-size", rounds=40_000, n_resamples=999)
    value = {one.what: one.value for one in found.findings}
    expected = {one.what: one.expected for one in found.findings}
    bootstrap = "power, bootstrap test (the recipe of the source), 200 items"
    covers = "coverage of mean ± 2 sd of the bootstrap, {}"
    wilson = "coverage of Wilson's interval, {}, exact"
    few, high = "50 items, accuracy 0.9", "200 items, accuracy 0.98"
    bias = "bias of the mean of resampled F1 scores, as a multiple of the bias of F1 itself, rare positives"
    text = f"""
The slides say how to find out how many items are needed: "make fake dataset size N, run the bootstrap, look at whether
differences can be detected", or an off-the-shelf formula such as R's `power.t.test`. Both are done here, on the same
cases. Fake data with 10 % of items that only the system has right and 5 % that only the baseline has right give the
bootstrap test a power of {_percent(value[bootstrap])} with 200 items; the sum over all outcomes, without simulation,
is {_percent(expected[bootstrap])}, and the exact McNemar test has
{_percent(expected["power, exact McNemar test, 200 items"])}. For t tests, the noncentral t law and what R prints stand
beside fake data in the tables below.

The interval of the slides, mean ± 2 standard deviations of the resampled scores as a "95 % CI", is called so too
easily. For an accuracy its coverage is known exactly: {_percent(expected[covers.format(few)])} with {few}, and
{_percent(expected[covers.format(high)])} with {high}; Wilson's has {_percent(value[wilson.format(few)])} and
{_percent(value[wilson.format(high)])}. It belongs around the observed score, not around the mean of the resampled ones:
where a score is biased, resampling adds the bias once more. F1 of rare positives shows it: the mean of the resampled
scores is {_number(value[bias]):.2f} times as far off as the score itself.

That a gain is significant says nothing of whether the test set is the right one, or the task a real one: the slides
ask this first, and no computation answers it.
"""
    pictures = [(found, name, f"sources-{name}.svg") for name in ("power", "coverage")]
    return Section(title="Power by fake data, and mean ± 2 sd", text=text, results=[("", found)], pictures=pictures)


def _ties(maker: Maker) -> Section:
    found = maker.study("ties", rounds=20_000, n_resamples=999)
    rows = {(row["test"], row["sides"], row["n"]): row for row in found.table("sizes").records()}
    shift, percentile = (rows[f"bootstrap, {form}", "one", 10] for form in ("shift", "percentile"))
    later = [rows[f"bootstrap, {form}", "one", 100] for form in ("shift", "percentile")]
    printed = next(one for one in found.findings if one.what.startswith("false alarms with 10 items"))
    text = f"""
"p-value: proportion of replications where the null hypothesis is true", say the slides; Berg-Kirkpatrick et al. 2012
count resampled gains > 2δ in their Figure 1 and "at least" 2δ in the text; MultEval counts >. For scores that are often
the same, such as right and wrong answers, it matters which. Two systems that differ on 5 % of the items, neither
better, are told apart by a one-sided bootstrap test at .05 in {_percent(shift["without"])} (shift) and
{_percent(percentile["without"])} (percentile) of test sets of 10 items if ties are not counted, still in
{_percent(later[0]["without"])} and {_percent(later[1]["without"])} of those of 100 items; if they are, in
{_percent(shift["with"])} and {_percent(later[0]["with"])} (shift). These are exact. The algorithm of Figure 1 as
printed, simulated, calls {_percent(printed.value)} of such test sets of 10 items significant. Identical systems get p
= 1 here, 0 by counting >, and 1/(B + 1) from MultEval.
"""
    return Section(title="Ties", text=text, results=[("", found)], pictures=[(found, "ties", "sources-ties.svg")])


def _percent(value: object) -> str:
    return f"{100 * _number(value):.1f} %"


def _number(value: object) -> float:
    if not isinstance(value, (int, float)):
        raise TypeError(f"{value!r} is no number")
    return float(value)
