"""Mean ranks of systems on blocks, as a table."""

from __future__ import annotations

from outscore.base.errors import inflect
from outscore.report.model import Block, Cell, Column, Footnote, Table
from outscore.report.numbers import p_text, to_digits, to_fixed
from outscore.report.text import clean
from outscore.report.view import View
from outscore.results import Leaderboard, MeanRanks


def mean_ranks_table(result: Leaderboard, view: View, found: MeanRanks) -> Table:
    """Mean ranks, which of them lie close together, and the tests of all and of pairs."""
    on = f" by {view.label(found.metric)}" if len(view.metrics) > 1 else ""
    rows = tuple(
        (
            Cell(text=clean(system)),
            Cell(text=to_fixed(rank, 2)),
            Cell(text=" ".join(_letter(g) for g, group in enumerate(found.groups) if system in group)),
        )
        for system, rank in zip(found.systems, found.mean_ranks, strict=True)
    )
    law = "all orders" if found.p_kind == "exact" else f"F with {found.df} and {found.df_blocks} df"
    f = "" if found.f is None else f", Iman-Davenport F {to_digits(found.f)}"
    p = p_text(found.p_value, result.alpha)
    signed, nemenyi = (
        sum(getattr(gap, name) <= result.alpha for gap in found.gaps) for name in ("p_wilcoxon", "p_nemenyi")
    )
    return Table(
        title=f"Mean ranks on {blocks_label(found)}{on}",
        columns=(Column(header="System"), Column(header="mean rank", align="right"), Column(header="within the CD")),
        blocks=(Block(rows=rows),),
        footnotes=(
            Footnote(
                text=f"Friedman: p {p if p.startswith('<') else f'= {p}'} ({law}); χ² {to_digits(found.chi2)}{f}, "
                f"Kendall's W {to_fixed(found.kendall_w, 2)}. Null hypothesis: {clean(found.null)}."
            ),
            Footnote(
                text=f"within the CD: systems that share a sign lie less than the critical difference of "
                f"{to_fixed(found.critical_difference, 2)} apart (Nemenyi, alpha {result.alpha:g})."
            ),
            Footnote(
                text=f"{nemenyi} of {inflect(len(found.gaps), 'pair')} differ by Nemenyi, {signed} by Wilcoxon with "
                "Holm, which does not depend on the pool."
            ),
        ),
    )


def blocks_label(found: MeanRanks) -> str:
    """``14 data sets``; ``14 values of category`` for a column."""
    if found.blocks in ("item", "data set", "domain"):
        return inflect(found.n_blocks, found.blocks)
    return f"{found.n_blocks} values of {clean(found.blocks)}"


def _letter(number: int) -> str:
    """A ... Z, then numbers."""
    return chr(ord("A") + number) if number < 26 else str(number + 1)
