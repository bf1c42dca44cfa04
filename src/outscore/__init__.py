"""Does system A really outscore system B, or is it luck?

The verbs and the result types, loaded when first used::

    import outscore
    result = outscore.compare({"base": scores_a, "new": scores_b})
    print(result.to("terminal"))
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from outscore.base.lazy import lazily
from outscore.base.version import __version__

if TYPE_CHECKING:
    from outscore.base.errors import InputError, Interrupted, MissingExtra, OutscoreError, UsageError
    from outscore.base.items import Items
    from outscore.data.annotations import read_annotations
    from outscore.data.judgments import read_judgments
    from outscore.data.references import References
    from outscore.metrics import Metric, metric
    from outscore.report.plots import plot
    from outscore.results import (
        Advice,
        Agreement,
        Audit,
        Comparison,
        Correlations,
        Findings,
        Humans,
        Judgements,
        Leaderboard,
        Recheck,
        Replication,
        Scores,
        Sequences,
        Uses,
    )
    from outscore.results.result import load
    from outscore.studies.shared.study import study
    from outscore.verbs.advise import advise
    from outscore.verbs.agree import agree
    from outscore.verbs.audit import audit
    from outscore.verbs.compare import compare
    from outscore.verbs.convert import convert
    from outscore.verbs.correlate import correlate
    from outscore.verbs.history import history
    from outscore.verbs.history.kept import History
    from outscore.verbs.history.run import check_history, export_history, import_history
    from outscore.verbs.humans import humans
    from outscore.verbs.judge import judge
    from outscore.verbs.power import plan
    from outscore.verbs.power.ppv import ppv
    from outscore.verbs.rank import rank
    from outscore.verbs.recheck import recheck
    from outscore.verbs.replicate import replicate
    from outscore.verbs.score import score
    from outscore.verbs.sequential import sequential
    from outscore.verbs.sequential.following import follow
    from outscore.verbs.sequential.live import Sequential
    from outscore.verbs.shared.inputs import read, read_apart
else:
    __getattr__ = lazily(
        __name__,
        {
            "advise": "outscore.verbs.advise",
            "agree": "outscore.verbs.agree",
            "read_annotations": "outscore.data.annotations",
            "read_judgments": "outscore.data.judgments",
            "audit": "outscore.verbs.audit",
            "compare": "outscore.verbs.compare",
            "score": "outscore.verbs.score",
            "convert": "outscore.verbs.convert",
            "correlate": "outscore.verbs.correlate",
            "humans": "outscore.verbs.humans",
            "judge": "outscore.verbs.judge",
            "read": "outscore.verbs.shared.inputs",
            "read_apart": "outscore.verbs.shared.inputs",
            "recheck": "outscore.verbs.recheck",
            "replicate": "outscore.verbs.replicate",
            "History": "outscore.verbs.history.kept",
            "history": "outscore.verbs.history",
            "check_history": "outscore.verbs.history.run",
            "export_history": "outscore.verbs.history.run",
            "import_history": "outscore.verbs.history.run",
            "load": "outscore.results.result",
            "plan": "outscore.verbs.power",
            "ppv": "outscore.verbs.power.ppv",
            "rank": "outscore.verbs.rank",
            "sequential": "outscore.verbs.sequential",
            "study": "outscore.studies.shared.study",
            "References": "outscore.data.references",
            "Sequential": "outscore.verbs.sequential.live",
            "follow": "outscore.verbs.sequential.following",
            "plot": "outscore.report.plots",
            "Advice": "outscore.results",
            "Agreement": "outscore.results",
            "Audit": "outscore.results",
            "Comparison": "outscore.results",
            "Scores": "outscore.results",
            "Sequences": "outscore.results",
            "Correlations": "outscore.results",
            "Findings": "outscore.results",
            "Uses": "outscore.results",
            "Humans": "outscore.results",
            "Judgements": "outscore.results",
            "Leaderboard": "outscore.results",
            "Recheck": "outscore.results",
            "Replication": "outscore.results",
            "Power": "outscore.results",
            "PredictiveValue": "outscore.results",
            "Items": "outscore.base.items",
            "Metric": "outscore.metrics",
            "metric": "outscore.metrics",
            "OutscoreError": "outscore.base.errors",
            "UsageError": "outscore.base.errors",
            "InputError": "outscore.base.errors",
            "Interrupted": "outscore.base.errors",
            "MissingExtra": "outscore.base.errors",
        },
    )


__all__ = [
    "Advice",
    "Agreement",
    "Audit",
    "Comparison",
    "Correlations",
    "Findings",
    "History",
    "Humans",
    "InputError",
    "Interrupted",
    "Items",
    "Judgements",
    "Leaderboard",
    "Metric",
    "MissingExtra",
    "OutscoreError",
    "Power",
    "PredictiveValue",
    "Recheck",
    "References",
    "Replication",
    "Scores",
    "Sequences",
    "Sequential",
    "UsageError",
    "Uses",
    "__version__",
    "advise",
    "agree",
    "audit",
    "check_history",
    "compare",
    "convert",
    "correlate",
    "export_history",
    "follow",
    "history",
    "humans",
    "import_history",
    "judge",
    "load",
    "metric",
    "plan",
    "plot",
    "ppv",
    "rank",
    "read",
    "read_annotations",
    "read_apart",
    "read_judgments",
    "recheck",
    "replicate",
    "score",
    "sequential",
    "study",
]


def __dir__() -> list[str]:
    return __all__
