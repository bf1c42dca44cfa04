"""``ppv``, in Python, and ``power --odds``: the predictive value of a significant result."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, ClassVar

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, Options, verb

if TYPE_CHECKING:
    from outscore.results.ppv import PredictiveValue

ODDS = Option(
    "Predictive value: true effects for each null one.",
    "Odds, not a probability, among the hypotheses that a field tests; with --power and --alpha alone: what proportion "
    "of significant results is true.",
    python="true effects for each null one among the hypotheses that a field tests: odds, not a probability.",
    metavar="NUMBER",
    also=("ppv", "predictive-value"),
)
PowerOfTests = Annotated[float, Option("Power of the tests.", metavar="NUMBER")]
Level = Annotated[
    float, Option("Level of the tests.", "A result is significant where p is at most that.", metavar="NUMBER")
]
Wanted = Annotated[float, Option("The predictive value to find a cut-off for.", metavar="NUMBER", rare=True)]
Bias = Annotated[
    float | None,
    Option(
        "Proportion of no findings reported as findings.",
        "Of what should not be a finding.",
        metavar="NUMBER",
        rare=True,
    ),
]
Teams = Annotated[
    int | None,
    Option(
        "Teams that test the same.",
        "One significant result of theirs is enough.",
        metavar="NUMBER",
        least=1,
        rare=True,
    ),
]
PValue = Annotated[
    float | None,
    Option(
        "A p-value, for the probability of the null.",
        "The least probability that the null hypothesis holds given that value.",
        metavar="NUMBER",
        rare=True,
    ),
]


@dataclass(frozen=True, kw_only=True)
class PredictValue(Options):
    """With what probability is a significant result true?

    The positive predictive value of a field whose hypotheses are true with these odds and whose tests have this power
    (Ioannidis 2005), the cut-off at which it has a wanted value, and what bias and many teams do to it.
    """

    raises: ClassVar[Mapping[str, str]] = {"UsageError": "a number outside its range."}

    odds: Annotated[float, ODDS]
    power: PowerOfTests = 0.8
    alpha: Level = 0.05
    wanted: Wanted = 0.95
    bias: Bias = None
    teams: Teams = None
    p: PValue = None

    def run(self) -> "PredictiveValue":
        """Finds the predictive value."""
        from outscore.verbs.power.ppv.run import ppv

        return ppv(self)


ppv = verb(PredictValue, "ppv")
