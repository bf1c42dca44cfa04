"""Does system A really outscore system B, or is it luck?

The verbs and the result types, loaded when first used::

    import outscore
    result = outscore.compare({"base": scores_a, "new": scores_b})
    print(result.to("terminal"))
"""

from __future__ import annotations

from outscore.base import __version__

TYPE_CHECKING = False  # typing is not imported for it: a Ctrl-C is not quiet yet
if TYPE_CHECKING:
    from outscore.base.errors import InputError, Interrupted, MissingExtra, OutscoreError, UsageError
    from outscore.base.items import Items
    from outscore.data.annotations import read_annotations
    from outscore.data.judgments import read_judgments
    from outscore.data.references import References
    from outscore.metrics import Metric, metric
    from outscore.report.plots import plot
    from outscore.results.advice import Advice
    from outscore.results.agreement import Agreement
    from outscore.results.audit import Audit
    from outscore.results.comparison import Comparison
    from outscore.results.correlation import Correlations
    from outscore.results.history import Uses
    from outscore.results.humans import Humans
    from outscore.results.judge import Judgements
    from outscore.results.leaderboard import Leaderboard
    from outscore.results.recheck import Recheck
    from outscore.results.replication import Replication
    from outscore.results.result import load
    from outscore.results.scores import Scores
    from outscore.results.sequences import Sequences
    from outscore.results.study import Findings
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

_PLACES = {
    "InputError": "outscore.base.errors",
    "Interrupted": "outscore.base.errors",
    "MissingExtra": "outscore.base.errors",
    "OutscoreError": "outscore.base.errors",
    "UsageError": "outscore.base.errors",
    "Items": "outscore.base.items",
    "read_annotations": "outscore.data.annotations",
    "read_judgments": "outscore.data.judgments",
    "References": "outscore.data.references",
    "Metric": "outscore.metrics",
    "metric": "outscore.metrics",
    "plot": "outscore.report.plots",
    "Advice": "outscore.results.advice",
    "Agreement": "outscore.results.agreement",
    "Audit": "outscore.results.audit",
    "Comparison": "outscore.results.comparison",
    "Correlations": "outscore.results.correlation",
    "Uses": "outscore.results.history",
    "Humans": "outscore.results.humans",
    "Judgements": "outscore.results.judge",
    "Leaderboard": "outscore.results.leaderboard",
    "Power": "outscore.results.power",
    "PredictiveValue": "outscore.results.ppv",
    "Recheck": "outscore.results.recheck",
    "Replication": "outscore.results.replication",
    "load": "outscore.results.result",
    "Scores": "outscore.results.scores",
    "Sequences": "outscore.results.sequences",
    "Findings": "outscore.results.study",
    "study": "outscore.studies.shared.study",
    "advise": "outscore.verbs.advise",
    "agree": "outscore.verbs.agree",
    "audit": "outscore.verbs.audit",
    "compare": "outscore.verbs.compare",
    "convert": "outscore.verbs.convert",
    "correlate": "outscore.verbs.correlate",
    "history": "outscore.verbs.history",
    "History": "outscore.verbs.history.kept",
    "check_history": "outscore.verbs.history.run",
    "export_history": "outscore.verbs.history.run",
    "import_history": "outscore.verbs.history.run",
    "humans": "outscore.verbs.humans",
    "judge": "outscore.verbs.judge",
    "plan": "outscore.verbs.power",
    "ppv": "outscore.verbs.power.ppv",
    "rank": "outscore.verbs.rank",
    "recheck": "outscore.verbs.recheck",
    "replicate": "outscore.verbs.replicate",
    "score": "outscore.verbs.score",
    "sequential": "outscore.verbs.sequential",
    "follow": "outscore.verbs.sequential.following",
    "Sequential": "outscore.verbs.sequential.live",
    "read": "outscore.verbs.shared.inputs",
    "read_apart": "outscore.verbs.shared.inputs",
}
"""The module of each name of the package."""

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


if not TYPE_CHECKING:  # else every name would be known to type checkers

    def __getattr__(name: str) -> object:
        if name not in _PLACES:
            former = {
                "bayes": "compare(posterior=)",
                "test": "compare(test=)",
                "curve": "score(curve=)",
                "confusion": "score(confusion=)",
                "Posteriors": "Comparison",
                "Curves": "Scores",
                "Confusion": "Scores",
                "Looks": "Uses",
            }
            now = f"; since 0.2.0 it is outscore.{former[name]}" if name in former else ""
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}{now}")
        from importlib import import_module

        return getattr(import_module(_PLACES[name]), name)
