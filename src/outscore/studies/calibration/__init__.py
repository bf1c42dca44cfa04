"""How often the system that scores higher is the better one, by p-value."""

from __future__ import annotations

from outscore.base.lazy import dataclass
from outscore.studies import Claim, FolderStudy, option, study


@study("calibration")
@dataclass(frozen=True)
class Calibration(FolderStudy):
    """How often is the system that scores higher the better one? By p-value, on new test sets and on other domains.

    The items given are taken for all there are. Test sets are resampled from them with replacement (whole clusters,
    strata in proportion), every two systems are tested on each, and the sign of the gain is compared with that on all
    items. Beside it stands what the spread of the true gains implies, by a normal law and for these very gains: at
    p = .05 of the winner the proportion of right signs is 95 % for systems whose gains are of any size alike, and less
    for a pool of similar systems.

    With --across COLUMN, p comes from the items of one domain, and the sign from those of each other one. Runs of a
    system count as systems.

    Source: Berg-Kirkpatrick, Burkett and Klein 2012, §4.2 and Table 1.
    """

    question = "How often is the system that scores higher the better one?"
    citation = "Berg-Kirkpatrick et al. 2012"
    example = "outscore study calibration -r ref.txt 'system*.txt' -m bleu --sizes 200,500 --plot calibration.svg"

    test: str = option("bootstrap", "Test of each pair, or auto.")
    claim: Claim = option(
        "two-sided",
        "two-sided, or winner: as if named beforehand.",
        "winner: p of the system that scored higher.",
    )
    sizes: str = option(
        "",
        "Items of a test set, or proportions: 0.1,500.",
        "Or clusters.",
        shown="0.25",
    )
    rounds: int = option(100, "Resampled test sets of each size.")
    bins: str = option(
        "0.00125,0.0025,0.005,0.01,0.02,0.04,0.08,0.16,0.32", "Where one bin of p ends and the next begins."
    )
    low: float = option(0.04, "Lower end of the window of p.")
    high: float = option(0.06, "Upper end of the window of p.")
    across: str = option("", "Column of the domains.", "p on one against the sign on each other.")
    source: str = option("", "With --across, the domain that p is taken on.", shown="all in turn")

    @property
    def work(self) -> str:
        return "across" if self.across else "resampled"

    @property
    def window(self) -> str:
        """The window in words."""
        return f"p from {self.low:g} to {self.high:g}"

    @property
    def sides(self) -> str:
        """The sides of p, in words."""
        return "two-sided" if self.claim == "two-sided" else "one-sided for the winner"
