"""McNemar's mid-p test of two printed accuracies, over all numbers of items on which the answers can differ."""

from __future__ import annotations

from bisect import bisect_right

from outscore.significance.discordant import DiscordantPairs
from outscore.significance.settings import Settings


def paired_p(a: float, b: float, n: int, settings: Settings, family: int) -> tuple[str, dict[int, float]]:
    """On how many of ``n`` items the systems may differ for the gain to be shown, and p, times ``family``, at the ends.

    Of x and y right answers |y - x| items differ at least, min(x + y, 2n - x - y) at most, always by steps of two. At
    one net gain p rises with them: a step adds P(D = k - 2)/8 - P(D = k + 2)/8 to a tail.
    """
    x, y = round(a * n), round(b * n)
    differ = range(abs(y - x), min(x + y, 2 * n - x - y) + 1, 2)

    def p(d: int) -> float:
        found = DiscordantPairs((d + y - x) // 2, (d - y + x) // 2).p("midp", settings.alternative)
        return min(1.0, family * found)

    shown = bisect_right(differ, settings.alpha, key=p)
    said = (
        f"if they disagree on at most {differ[shown - 1]:,} of {n:,} items"
        if shown
        else "at no number of disagreements"
    )
    return said, {d: p(d) for d in (differ[0], differ[-1])}
