"""``agree``: labels of annotators in, coefficients of agreement with intervals and units with most disagreement out."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, verb
from outscore.verbs.options import Alpha, NumberOfResamples, Seed, WorkingOptions, listed

if TYPE_CHECKING:
    from outscore.agreement import AgreementCoefficient
    from outscore.results.agreement import Agreement


def _split(text: str) -> list[str]:
    """Labels, joined by commas."""
    return [part.strip() for part in text.split(",")]


Coefficients = Annotated[
    "Sequence[str | AgreementCoefficient] | str | AgreementCoefficient | None",
    Option(
        "cohen, fleiss, krippendorff, gwet ...",
        "percent, cohen, conger, scott, fleiss, krippendorff, gwet, bennett; options as krippendorff:distance=ordinal; "
        "`outscore list coefficients` explains them.",
        python="names with options, or instances.",
        flags=("-k", "--coefficient", "coefficients"),
        also=("weights", "weight", "kappa", "measure", "metric", "m"),
        metavar="NAME",
        default="those that suit the number of annotators",
        repeat=True,
        parse=listed,
    ),
]
OfFrames = Annotated[
    Sequence[str] | str, Option("of a data frame, as in ``read_annotations``.", group="Files", only="python")
]
Exchangeable = Annotated[
    bool,
    Option(
        "The columns are slots, not persons.",
        "In which different persons may stand: nothing is said of single annotators, and coefficients that need "
        "persons are refused.",
    ),
]
Labels = Annotated[
    Sequence[str],
    Option(
        "Of the scheme, from low to high if ordered.",
        "Those that nobody gave included.",
        metavar="LABEL,...",
        default="those that were given, numbers by size",
        parse=_split,
    ),
]
MissingLabels = Annotated[
    Sequence[str],
    Option("Labels that stand for missing ones.", "Empty cells do, too.", metavar="LABEL,...", parse=_split),
]
UnitCluster = Annotated[
    str | None,
    Option("Column of units that belong together.", "Such as document; they are resampled together.", metavar="COLUMN"),
]
UnitBy = Annotated[
    str | None,
    Option(
        "Column of groups, each compared with the first.",
        "Groups of units, which get coefficients of their own.",
        metavar="COLUMN",
        also=("domain",),
    ),
]
Disputed = Annotated[
    int | None,
    Option(
        "List so many units with most disagreement.",
        "Where it is not given five stand among the tables of -v.",
        metavar="NUMBER",
        least=0,
    ),
]
NullTest = Annotated[
    Literal["auto", "relabelling"],
    Option(
        "Of no agreement beyond chance: auto, relabelling.",
        "auto gives coefficients that are 0 where annotators guess a p-value by the null variance, or by relabelling "
        "where labels are rare or an annotator gave fewer than 50; relabelling gives one to every coefficient, about "
        "the mean of its relabellings.",
        metavar="NAME",
        group="Method",
    ),
]
UnitInterval = Annotated[
    Literal["auto", "bca", "percentile", "analytic"],
    Option(
        "auto, bca, percentile, analytic.",
        "Bootstrap over units (clusters), or by the standard error; auto is bca, but t in clusters and on scales, a "
        "score interval of two annotators and two labels, and of labels expected by chance on fewer than 5 units.",
        metavar="NAME",
        group="Method",
    ),
]


@dataclass(frozen=True, kw_only=True)
class Agree(WorkingOptions):
    """How well do annotators agree beyond chance, who disagrees with whom, and on what?"""

    files = (
        "Files are tables, long (item, annotator, label) or wide (a column for each annotator), or NAME=FILE for each "
        "annotator with one label a line. An empty cell is a missing label."
    )
    examples = (
        "outscore agree labels.csv",
        "outscore agree anna=anna.txt ben=ben.txt -k cohen,krippendorff",
        "outscore agree labels.csv --labels bad,fair,good -k cohen:weights=quadratic",
        "outscore agree labels.tsv --annotators 'rater*' -c item=document+sentence --cluster document",
    )
    given: ClassVar[Mapping[str, str]] = {
        "data": "as ``read_annotations`` gives them; a data frame, long (item, annotator, label) or wide; or a mapping "
        "from annotator to labels."
    }
    reads: ClassVar[str] = "read_annotations"
    raises: ClassVar[Mapping[str, str]] = {
        **WorkingOptions.raises,
        "UsageError": "an option is wrong, or a coefficient cannot be had of these labels.",
    }

    coefficients: Coefficients = None
    annotators: OfFrames = ()
    columns: OfFrames = ()
    exchangeable: Exchangeable = False
    labels: Labels = ()
    na: MissingLabels = ()
    cluster: UnitCluster = None
    by: UnitBy = None
    disputed: Disputed = None
    test: NullTest = "auto"
    n_resamples: NumberOfResamples = 10_000
    interval: UnitInterval = "auto"
    alpha: Alpha = 0.05
    seed: Seed = 12345

    def run(self, data: Any) -> "Agreement":
        """Finds how well the annotators agree."""
        from outscore.verbs.agree.run import agree

        return agree(data, self)


agree = verb(Agree, "agree")
