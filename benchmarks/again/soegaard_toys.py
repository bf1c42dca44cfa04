"""Søgaard et al. 2014: what was simulated there, §3.3 to §3.5, and what significant results are worth, §4."""

from __future__ import annotations

from collections.abc import Iterator

from again.maker import Maker, Section
from outscore import Findings


def sections(maker: Maker) -> Iterator[Section]:
    """Free choice where there is nothing; predictive values."""
    yield _toys(maker)
    yield _worth(maker)


def _toys(maker: Maker) -> Section:
    found = maker.study("toys", rounds=20_000, n_resamples=999)
    at = _Numbers(found)
    by_bootstrap = "four sample sizes, by the bootstrap, p ≤ 0.05"
    alike = "correlation of p and of how alike two metrics are, {}"
    copies = [at.percent(f"{name}, p ≤ 0.05") for name in ("noise of sd 0.1", "10 % of values replaced")]
    lost = at.percent("significant with fewer than 800 items and then no more, gain 0 sd")
    possible = " and from ".join(
        one.what.partition(", two metrics")[0]
        for one in found.findings
        if one.what.endswith("two metrics, p ≤ 0.05") and one.published == 0.162 and one.verdict != "differs"
    )
    text = f"""
The source draws two samples of 100 normal numbers a thousand times and gives authors something to choose: a second
metric, a random half of the data, both, one of four sample sizes. The same is done here {_rounds(found)} times, and
each share stands beside the law that gives it without simulation. No data are needed.

Once tested it is {at.percent("one test, p ≤ 0.05")} (printed: 4.8 %), with two independent metrics
{at.percent("two independent metrics, p ≤ 0.05")} (9.75 %, computed there); the 1.9 % for p < .01 is 1.99 %, cut off.
**The 10.0 % for a distorted copy with 10 % of noise cannot be**: even independent metrics give 9.75 %, and such a copy
gives {copies[0]} (noise of one tenth of the standard deviation) to {copies[1]} (a tenth of the values replaced). A
thousand rounds have an error of about one point.

Which parts of a random split there were to choose from is not said. For two halves it is
{at.percent("two random halves, p ≤ 0.05")}, for the whole or one half {at.percent("the whole or one half, p ≤ 0.05")},
for all three {at.percent("the whole or either half, p ≤ 0.05")}; printed is 9.5 %. The 16.2 % that is printed for two
metrics as well may come from {possible}; a thousand rounds cannot tell. The caption of its Figure 2 speaks of several
metrics, the text of four sample sizes: both are in the first picture
({at.percent("four sample sizes, p ≤ 0.05")} below .05 with four sizes; {at.percent(by_bootstrap)} by the bootstrap,
which the source used).

"The less the two metrics are correlated, the more likely we are to obtain p < .05", at p < .0001 in a thousand rounds,
a correlation of .12 or more: at a fixed noise of one tenth the correlation of p with how alike the two are is
{at.number(alike.format("noise of one tenth")):.2f}, as all copies are equally alike but for chance; with noise of any
size it is {at.number(alike.format("noise of any size")):.2f}.

The source is right that a bootstrap of few items rejects too often: {at.percent("bootstrap of 10 items, p ≤ 0.05")}
with 10 items, {at.percent("bootstrap of 200 items, p ≤ 0.05")} with 200. The cause is not that "the bootstrap samples
are too similar", but that it has the variance with divisor n and no t. Its other alarm, significance that is *lost* as
data are added, is what sound tests do: {lost} of growing samples without any difference are significant at 50 to 400
items and not at 800.

Items in clusters make a t test that takes them as independent reject
{at.percent("t of 100 items in clusters of 5, clusters ignored, p ≤ 0.05")} (clusters of five with a correlation of .5,
as sentences of a document may have); over clusters it is
{at.percent("t of 100 items in clusters of 5, over clusters, p ≤ 0.05")}.
"""
    pictures = [
        (found, "p", "sources-toys-p.svg"),
        (found, "correlation", "sources-toys-correlation.svg"),
        (found, "bootstrap", "sources-toys-bootstrap.svg"),
    ]
    return Section(title="Free choice where there is nothing", text=text, results=[("", found)], pictures=pictures)


def _worth(maker: Maker) -> Section:
    found = maker.study("ppv", rounds=400_000)
    at = _Numbers(found)
    held, same = (
        at.number(f"cut-off for a predictive value of 0.95, {part}") for part in ("power held", "same test sets")
    )
    all_of_them = at.number("tests for one significant result, power 1")
    share = at.percent(f"true among the significant, p ≤ {held:.4g}, same test sets")
    rows = {(row["choice"], row["n"]): row["ppv"] for row in found.table("sizes").records()}
    largest = max(int(n) for _, n in rows if isinstance(n, int))
    one, best = (_percent(rows[name, largest]) for name in ("one metric", "the best of several"))
    text = f"""
The source computes the share of true results among the significant from R = .1 true hypotheses for each null one and a
power of 50 % (equation 1, which is correct), and asks for p < .0025. Here the formula stands beside simulated fields.

At .05 it is {at.percent("true among the significant, p ≤ 0.05, power held")}, as equation 2 has it: *exactly* one
half, where §1 says "more than half". The cut-off for 95 % is {held:.4g}; .0025 is .05/20. The formula holds
the power while the level falls, which is to say that test sets grow. **With the same test sets the cut-off is
{same:.2g}**, and at {held:.2g} only {share} of the significant results are true. Of those with p from .04 to .05
alone it is {at.percent("true among those with p from 0.04 to 0.05")}.

"Positive results in R + (1 - R) α, about 1/7, of cases" takes R for a probability, and the power for 1: equation 1
gives one in {at.number("tests for one significant result, power 0.5"):.3g}, and one in {all_of_them:.3g} if every true
effect is found. The error rate of the first kind is not "the likelihood to accept a non-significant result" but the
probability of rejecting a null hypothesis that holds, and it has nothing to do with the precision of a system. Nor
does .0025 "lead to a 95 % chance of seeing the same effect on held-out test data": the first row of the table that is
cited, p from .00125 to .0025, has 97 % and 95 % on two sections of the same newspaper and 73 % on another genre.

Several metrics over sample sizes: with {largest} items and a gain of .2 standard deviations, {one} of the significant
results are true with one metric, and {best} with the better of two.
"""
    pictures = [(found, "level", "sources-ppv-level.svg"), (found, "size", "sources-ppv-size.svg")]
    return Section(title="What a significant result is worth", text=text, results=[("", found)], pictures=pictures)


class _Numbers:
    """The findings of a study by what they are."""

    def __init__(self, found: Findings) -> None:
        self._values = {one.what: one.value for one in found.findings}

    def number(self, what: str) -> float:
        value = self._values[what]
        if not isinstance(value, (int, float)):
            raise TypeError(f"{what}: {value!r} is no number")
        return float(value)

    def percent(self, what: str) -> str:
        return _percent(self.number(what))


def _percent(value: object) -> str:
    return f"{100 * float(str(value)):.1f} %"


def _rounds(found: Findings) -> str:
    return found.design.partition(" ")[0]
