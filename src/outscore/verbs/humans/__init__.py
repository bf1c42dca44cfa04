"""``humans``, in Python, and ``rank --wins``: means, expected wins and pairs of systems by judgments."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, Options, verb
from outscore.verbs.options import Alpha, Correction

if TYPE_CHECKING:
    from outscore.results.humans import Humans

OfFrames = Annotated[Sequence[str], Option("of a data frame, as in ``read_judgments``.", group="Files", only="python")]
Standardize = Annotated[
    bool,
    Option(
        "Ratings as deviations from the rater's mean.",
        "In the rater's standard deviations, with --wins.",
        python="ratings as deviations from the rater's mean, in the rater's standard deviations.",
        rare=True,
    ),
]
Lower = Annotated[bool, Option("Lower ratings are better, as of ranks.")]
JudgedCluster = Annotated[
    str | None,
    Option("Column of items that belong together.", "Such as document; they are not independent.", metavar="COLUMN"),
]


@dataclass(frozen=True, kw_only=True)
class ScoreByHumans(Options):
    """Score systems by human ratings or preferences.

    Mean ratings get intervals over items; expected wins and pairs of systems rest on what the same rater said of the
    same item. Ratings of one output are averaged first: raters are no items.
    """

    files = (
        "FILE is a table of ratings (system, item, score [, rater]), of ranks (with --lower), or of preferences (item, "
        "system1, system2, winner)."
    )
    given: ClassVar[Mapping[str, str]] = {
        "data": "judgments as ``read_judgments`` gives them, or a data frame of such columns."
    }
    reads: ClassVar[str] = "read_judgments"
    raises: ClassVar[Mapping[str, str]] = {"UsageError": "an option is wrong.", "InputError": "the data are wrong."}

    columns: OfFrames = ()
    standardize: Standardize = False
    lower: Lower = False
    cluster: JudgedCluster = None
    correction: Correction = "holm"
    alpha: Alpha = 0.05

    def run(self, data: Any) -> "Humans":
        """Scores the systems."""
        from outscore.verbs.humans.run import humans

        return humans(data, self)


humans = verb(ScoreByHumans, "humans")
