"""``power``, ``plan`` in Python: how many items, and runs, an evaluation needs to find a gain that matters."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from outscore.base.lazy import dataclass
from outscore.base.text import read_number
from outscore.verbs.declared import Option, verb
from outscore.verbs.options import (
    Alpha,
    Alternative,
    Baseline,
    Checkpoint,
    Cluster,
    Dask,
    Missing,
    OneMetric,
    ReadingOptions,
    ResamplesOfEach,
    Resume,
    Seed,
    TestName,
    WorkingOptions,
)

if TYPE_CHECKING:
    from outscore.results.power import Power


def _sizes(text: str) -> tuple[int, ...]:
    """Numbers of items, joined by commas."""
    sizes = [part.strip() for part in text.split(",")]
    if not all(size.isdecimal() for size in sizes):
        raise ValueError(f"{text!r}: expected whole numbers of items, such as 500,1000,2000")
    return tuple(int(size) for size in sizes)


def _effect(text: str) -> float | str:
    """A gain, or ``pilot``; ``observed`` is refused later, with the reason."""
    if text in ("pilot", "observed"):
        return text
    try:
        return read_number(text)
    except ValueError:
        raise ValueError(f"{text!r} is neither a gain nor pilot") from None


Effect = Annotated[
    float | Literal["pilot", "observed"] | None,
    Option(
        "The smallest gain that matters.",
        "In the metric's own unit; pilot takes that of the pilot, for other sizes than its own. "
        "Power at the observed gain is refused. That an equal system is not worse by a margin takes --effect MARGIN "
        "--alternative greater, of right or wrong answers with margin:agreement=0.9.",
        metavar="GAIN|pilot",
        parse=_effect,
        also=("delta", "gain", "difference", "mde", "margin"),
    ),
]
Sizes = Annotated[
    Sequence[int] | None,
    Option(
        "Numbers of items.",
        metavar="ITEMS,...",
        default="around the answer, or the pilot",
        parse=_sizes,
        also=("n", "n-items", "size"),
    ),
]
Target = Annotated[float, Option("The power that is wanted.", flags=("--power", "target"), metavar="NUMBER")]
DesignEffect = Annotated[
    float,
    Option(
        "Of clustered items, 1 + (m - 1) ICC.",
        "m = Σm²/Σm over clusters; for a pilot give --cluster instead.",
        metavar="NUMBER",
    ),
]
CostRun = Annotated[
    float | None,
    Option(
        "Of a run of one system: weighs runs against items.",
        "With --cost-item, for crossed or a pilot with several runs.",
        metavar="NUMBER",
        rare=True,
    ),
]
CostItem = Annotated[float | None, Option("Of an item.", metavar="NUMBER", rare=True)]
Budget = Annotated[
    float | None,
    Option("What runs and items may cost.", metavar="NUMBER", default="the least for the wanted power", rare=True),
]
By = Annotated[
    Literal["auto", "shift", "scale", "exchange"],
    Option(
        "How the gain is made from a pilot.",
        "Means of scores shifted or scaled, outputs exchanged; auto shifts means of numbers and exchanges otherwise.",
        group="Method",
        rare=True,
    ),
]
Simulations = Annotated[
    int | None,
    Option(
        "Simulated sets of each size.",
        "Where the law of the test is known, nothing is simulated unless this is given: McNemar's on right and wrong "
        "answers, and t's on scores whose mean is near normal.",
        metavar="NUMBER",
        least=1,
        default="the law, or 1000",
        group="Method",
    ),
]


@dataclass(frozen=True, kw_only=True)
class PlanPower(ReadingOptions, WorkingOptions):
    """How many items, and runs, are needed to find a gain that matters?"""

    files = (
        "A design with what is known of it: t:sd=0.3, two-proportions:baseline=0.8, "
        "mcnemar:baseline=0.8,agreement=0.9, crossed:run=1,item=300,residual=100, bleu:p0=0.13,b0=25.8, "
        "fake:p10=0.1,p01=0.05, margin:agreement=0.9. Or the files of two systems, a pilot, as to `outscore compare`, "
        "from which test sets "
        "with the gain --effect are drawn and tested. Or --odds alone: how many significant results are "
        "true."
    )
    examples = (
        "outscore power mcnemar:baseline=0.8,agreement=0.9 --effect 0.02",
        "outscore power -r ref.txt base=base.txt new=new.txt -m bleu --effect 0.5",
        "outscore power --odds 0.1 --power 0.5",
        "outscore power t:sd=0.35 --effect 0.02 --sizes 500,1000,2000,4000 --design-effect 1.8",
        "outscore power -r ref.txt base='base.run*' new='new.run*' -m bleu --effect 1 --cost-run 40 --cost-item 0.5",
    )
    given: ClassVar[Mapping[str, str]] = {
        "data": 'a design by name with its options, ``"t:sd=0.3"``, ``"mcnemar:baseline=0.8,agreement=0.9"``, '
        '``"two-proportions:baseline=0.8"``, ``"crossed:run=1,item=300,residual=100"``, ``"bleu"``, ``"fake:..."``; or '
        "a pilot, as ``compare`` takes it: two systems, from whose items test sets are drawn."
    }
    reads: ClassVar[str] = ""
    raises: ClassVar[Mapping[str, str]] = {
        "UsageError": "an option is wrong, or what is asked for has no answer.",
        "InputError": "the data are wrong, or the folder.",
        "WorkersLostError": "workers die again and again; what is done is kept as after an interruption.",
        "Interrupted": "Ctrl-C; its ``result`` is of what had been done.",
    }

    missing: Missing = "error"
    metric: OneMetric = None
    baseline: Baseline = None
    effect: Effect = None
    sizes: Sizes = None
    target: Target = 0.8
    alternative: Alternative = "two-sided"
    cluster: Cluster = None
    design_effect: DesignEffect = 1.0
    cost_run: CostRun = None
    cost_item: CostItem = None
    budget: Budget = None
    test: TestName = "auto"
    by: By = "auto"
    simulations: Simulations = None
    n_resamples: ResamplesOfEach = 999
    alpha: Alpha = 0.05
    seed: Seed = 12345
    dask: Dask = None
    resume: Resume = None
    checkpoint: Checkpoint = None

    def run(self, data: Any) -> "Power":
        """Finds the power by the number of items."""
        from outscore.verbs.power.run import plan

        return plan(data, self)


plan = verb(PlanPower, "plan")
