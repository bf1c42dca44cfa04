"""Scores of retrieved documents: one value for each query from ir-measures (MacAvaney et al. 2022)."""

from __future__ import annotations

from abc import abstractmethod
from importlib.metadata import version
from subprocess import SubprocessError
from typing import Any, ClassVar

import numpy as np

from outscore.base.arrays import Float
from outscore.base.errors import InputError, UsageError, suggestion
from outscore.base.installed import require
from outscore.base.items import Items
from outscore.base.lazy import dataclass
from outscore.base.notation import NotationError
from outscore.base.notation.lists import RANKING, grades, scores
from outscore.metrics import Metric, check_option, metric
from outscore.metrics.mean import DESCRIBES
from outscore.metrics.shared.columns import MeanOfItems


@dataclass(frozen=True)
class RankingMetric(MeanOfItems):
    """The mean over queries of a value that ir-measures computes, as a rule with trec_eval's own code.

    Documents with the same score are ordered by their names, the last one first, as in trec_eval, which reads scores in
    single precision. A query for which nothing was retrieved has the value 0.
    """

    unit: ClassVar[str] = "share 0-1"
    limits: ClassVar[tuple[float, float] | None] = (0.0, 1.0)
    extra: ClassVar[str] = "ir"
    reads: ClassVar[str] = RANKING

    @abstractmethod
    def measure_in(self, library: Any) -> Any:
        """The measure, as an object of ir-measures."""

    def values(self, items: Items) -> Float:
        """The value ``(items,)`` of each query.

        Raises:
            InputError: there are no rankings or no judgements, or no value can be computed from them.
        """
        library = require("ir_measures", self.label, self.extra)
        judged, retrieved = self._read(items)
        measure = self.measure_in(library)
        if not library.DefaultPipeline.supports(measure):
            raise UsageError(f"{self.label}: ir-measures finds no program installed that computes it")
        values = np.full(items.n, np.nan)
        try:
            for found in library.iter_calc([measure], judged, retrieved):
                values[int(found.query_id)] = found.value
        except (ArithmeticError, TypeError, ValueError, SubprocessError) as error:
            raise InputError(f"{self.label}: ir-measures fails ({error})", remedy="use another measure") from None
        undefined = np.flatnonzero(~np.isfinite(values))
        if undefined.size:
            raise InputError(
                f"{self.label} has no value for {_query(items, int(undefined[0]))}", remedy="use another measure"
            )
        return values

    def signature(self, items: Items) -> str:
        library = require("ir_measures", self.label, self.extra)
        return f"{self.measure_in(library)}|ir-measures:{version('ir-measures')}"

    def _read(self, items: Items) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
        """Judgements and rankings, both by the number of the item."""
        if items.outputs is None:
            raise InputError(f"{self.label} reads rankings, but the systems hold scores", remedy="give runs of TREC")
        if len(items.references) != 1:
            raise InputError(
                f"{self.label} needs one file of relevance judgements, found {len(items.references)}",
                remedy="give it with -r QRELS_FILE",
            )
        judged: dict[str, dict[str, int]] = {}
        retrieved: dict[str, dict[str, float]] = {}
        for i, (output, judgements) in enumerate(zip(items.outputs, items.references[0], strict=True)):
            try:
                relevance = grades(judgements)
                # trec_eval's nDCG never ends where no document is judged 0 or better
                hopeless = all(grade < 0 for grade in relevance.values())
                judged[str(i)] = dict.fromkeys(relevance, 0) if hopeless else relevance
                if output:
                    retrieved[str(i)] = scores(output)
            except NotationError as error:
                raise InputError(f"{_query(items, i)}: {error}", remedy="give runs of TREC and qrels") from None
            if not judged[str(i)]:
                raise InputError(
                    f"{_query(items, i)} has no relevance judgements", remedy="leave it out with --missing drop"
                )
        return judged, retrieved


def check_cutoff(metric: Metric, option: str, cutoff: int | None) -> None:
    """Refuses cutoffs of 0, at which trec_eval ends the whole program, and those that it cannot count to."""
    check_option(cutoff is None or 1 <= cutoff <= 10**9, metric, option, "a cutoff of 1 or more")


def _query(items: Items, i: int) -> str:
    """The name of an item in a message: its number, and its first document."""
    return f"query {i + 1} ({(items.outputs or [''])[i].partition(' ')[0]!r} ...)"


@metric("ndcg")
@dataclass(frozen=True)
class Ndcg(RankingMetric):
    """Gain of the retrieved documents, discounted by the logarithm of their ranks, as a proportion of the best
    possible.

    The gain of a document is its relevance, as in trec_eval. Statistics per item: ``[nDCG, 1]``.

    Args:
        cutoff: how many documents count from the top; none for all.
    """

    also: ClassVar[tuple[str, ...]] = ("ndcg@k", "ndcg@{cutoff}")
    citation: ClassVar[str] = "Järvelin and Kekäläinen 2002, Cumulated Gain-Based Evaluation of IR Techniques"
    example: ClassVar[str] = "ndcg:cutoff=20"

    cutoff: int | None = 10

    def __post_init__(self) -> None:
        check_cutoff(self, "cutoff", self.cutoff)

    def measure_in(self, library: Any) -> Any:
        return library.nDCG if self.cutoff is None else library.nDCG @ self.cutoff


@dataclass(frozen=True)
class RelevanceMetric(RankingMetric):
    """A measure of documents that are relevant or not."""

    cutoff: int | None = None
    rel: int = 1

    def __post_init__(self) -> None:
        check_cutoff(self, "cutoff", self.cutoff)
        check_option(1 <= self.rel <= 10**6, self, "rel", "1 or more")  # what trec_eval has


@metric("map")
@dataclass(frozen=True)
class MeanAveragePrecision(RelevanceMetric):
    """Mean over queries of the precision at each relevant document, 0 for those that are not retrieved.

    Statistics per item: ``[average precision, 1]``.

    Args:
        cutoff: how many documents count from the top; none for all.
        rel: the least relevance of a relevant document.
    """

    also: ClassVar[tuple[str, ...]] = ("map@{cutoff}", "mean_average_precision")
    citation: ClassVar[str] = "Harman 1992, Evaluation Issues in Information Retrieval"
    example: ClassVar[str] = "map:rel=2"

    def measure_in(self, library: Any) -> Any:
        measure = library.AP(rel=self.rel)
        return measure if self.cutoff is None else measure @ self.cutoff


@metric("mrr")
@dataclass(frozen=True)
class MeanReciprocalRank(RelevanceMetric):
    """Mean over queries of 1 / rank of the first relevant document, 0 if none is retrieved.

    Statistics per item: ``[reciprocal rank, 1]``.

    Args:
        cutoff: how many documents count from the top; none for all.
        rel: the least relevance of a relevant document.
    """

    also: ClassVar[tuple[str, ...]] = ("mrr@{cutoff}", "mean_reciprocal_rank")
    citation: ClassVar[str] = "Voorhees 1999, The TREC-8 Question Answering Track Report"
    example: ClassVar[str] = "mrr:cutoff=10"

    def measure_in(self, library: Any) -> Any:
        return library.RR(rel=self.rel)

    def values(self, items: Items) -> Float:
        ranks = super().values(items)
        # RR@k of ir-measures is MS MARCO's, which breaks ties the other way round
        return ranks if self.cutoff is None else np.where(ranks >= 1 / self.cutoff, ranks, 0.0)

    def signature(self, items: Items) -> str:
        whole = super().signature(items)
        return whole if self.cutoff is None else f"{whole}|cutoff:{self.cutoff}"


_SHARES = (
    "Accuracy", "AP", "MAP", "AP_IA", "MAP_IA", "BPM", "Bpref", "BPref", "Compat", "ERR", "alpha_nDCG", "α_nDCG",
    "nERR_IA", "nNRBP", "infAP", "IPrec", "Judged", "nDCG", "NDCG", "P", "Precision", "P_IA", "R", "Recall", "RBP",
    "Rprec", "RPrec", "RR", "MRR", "SetP", "SetRelP", "SetR", "SetF", "SetAP", "StRecall", "Success",
)  # fmt: skip
"""Measures that lie between 0 and 1; others are gains without a highest one, or their highest one is not known."""


@metric("ir")
@dataclass(frozen=True)
class IrMeasure(RankingMetric):
    """The mean over queries of a measure of ir-measures: ``nDCG@10``, ``P@5``, ``R@100``, ``AP(rel=2)`` ...

    Counts (``NumRet``), which ir-measures sums, are means too; of documents retrieved or relevant, they describe.
    Statistics per item: ``[value, 1]``.

    Args:
        measure: its name in ir-measures; parameters are parted by ``;``, because commas part the options of metrics.
    """

    citation: ClassVar[str] = "MacAvaney et al. 2022, Streamlining Evaluation with ir-measures"
    example: ClassVar[str] = "ir:measure=P(rel=2;judged_only=True)@5"

    measure: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "measure", self.measure.replace(",", ";"))
        if self.measure.partition("@")[0].partition("(")[0] not in _SHARES:
            object.__setattr__(self, "limits", None)
            object.__setattr__(self, "unit", "units of the measure")

    @property
    def descriptive(self) -> bool:
        return DESCRIBES.fullmatch(self.measure) is not None

    def measure_in(self, library: Any) -> Any:
        known = [name for name in library.measures.registry if name.isascii()]
        try:
            measure = library.parse_measure(self.measure.replace(";", ","))
            measure.validate_params()
        except NameError:
            name = self.measure.partition("@")[0].partition("(")[0]
            raise UsageError(
                f"{self.name}:measure={self.measure}: ir-measures knows no such measure{suggestion(name, known)} "
                f"(it knows: {', '.join(known)})"
            ) from None
        except (AssertionError, TypeError, ValueError) as error:
            reason = str(error).partition("=<")[0]
            raise UsageError(f"{self.name}:measure={self.measure}: ir-measures says: {reason}") from None
        check_cutoff(self, "measure", measure.params.get("cutoff"))
        return measure
