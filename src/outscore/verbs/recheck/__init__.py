"""``recheck``: what another program printed, made again by its own rule, beside what outscore finds, and why."""

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from outscore.base.lazy import dataclass
from outscore.verbs.declared import Option, verb
from outscore.verbs.options import (
    Alpha,
    Cache,
    Cluster,
    Missing,
    NumberOfResamples,
    ReadingOptions,
    Seed,
    TestName,
    WorkingOptions,
    listed,
)

if TYPE_CHECKING:
    from outscore.metrics import Metric
    from outscore.results.recheck import Recheck

PrintedMetrics = Annotated[
    "Sequence[str | Metric] | str | Metric | None",
    Option(
        "Options of the printed metrics: bleu:tokenize=intl.",
        "Those that the file does not name.",
        flags=("-m", "--metric", "metrics"),
        metavar="NAME,...",
        default="as printed, else those of the printed scores",
        repeat=True,
        parse=listed,
    ),
]
ToolResamples = Annotated[
    int | None,
    Option(
        "Resamples or trials that the program drew.",
        metavar="NUMBER",
        least=1,
        default="as printed, else what its p-values allow",
        group="Method",
    ),
]
ToolSeed = Annotated[
    int | str | None,
    Option(
        "Seed of the program, none for unseeded.",
        metavar="NUMBER|none",
        default="as printed, else 12345, sacrebleu's",
        group="Method",
    ),
]


@dataclass(frozen=True, kw_only=True)
class RecheckNumbers(ReadingOptions, WorkingOptions):
    """Can the numbers that sacrebleu or MultEval printed be made again, and are they right?

    Every number is made again by the program's own rule, draw for draw where its seed is known, and set beside ours
    with the reasons for each difference.
    """

    files = (
        "PRINTED is what the program printed or saved: sacrebleu 2's JSON, tables, LaTeX or lines, MultEval's table, "
        "LaTeX or log. Files are given as to `outscore compare`, those that were scored then."
    )
    examples = (
        "outscore recheck printed.txt -r ref.txt base.txt new.txt",
        "outscore recheck paired.json -r ref.txt base.txt new.txt --tool-resamples 500",
        "outscore recheck multeval.txt -r ref.txt baseline='base.opt*' sys1='sys1.opt*'",
    )
    given: ClassVar[Mapping[str, str]] = {
        "printed": "saved output: sacrebleu 2's JSON, tables, LaTeX or lines; MultEval's table, LaTeX or log.",
        "data": "the outputs that were scored, as ``compare`` takes them, the baseline first; for sacrebleu one run "
        "of each system.",
    }
    raises: ClassVar[Mapping[str, str]] = {
        "UsageError": "an option is wrong.",
        "InputError": "the file is neither program's, or the data are not those it is about.",
        "Interrupted": "Ctrl-C.",
    }

    missing: Missing = "error"
    metrics: PrintedMetrics = None
    cluster: Cluster = None
    tool_resamples: ToolResamples = None
    tool_seed: ToolSeed = None
    test: TestName = "auto"
    n_resamples: NumberOfResamples = 10_000
    alpha: Alpha = 0.05
    seed: Seed = 12345
    cache: Cache = None

    def run(self, printed: "str | os.PathLike[str]", data: Any) -> "Recheck":
        """Makes the printed numbers again."""
        from outscore.verbs.recheck.run import recheck

        return recheck(printed, data, self)


recheck = verb(RecheckNumbers, "recheck")
