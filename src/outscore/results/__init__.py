"""Results: frozen records and their JSON, without computation."""

from typing import TYPE_CHECKING

from outscore.base.lazy import lazily
from outscore.results.comparison import Answer, Comparison, DomainGain, Equivalence, Overall, Pair
from outscore.results.gates import Gate
from outscore.results.result import DomainScore, Provenance, Result, Score, SourceFile

if TYPE_CHECKING:
    from outscore.results.advice import Advice, Avoid, Fact, Step, Use
    from outscore.results.agreement import Agreement
    from outscore.results.annotators import Annotator, AnnotatorPair, Coefficient, LabelAgreement, UnitDisagreement
    from outscore.results.audit import Audit, Check
    from outscore.results.confusion import ClassScores, Matrix
    from outscore.results.correlation import Correlation, CorrelationGain, Correlations
    from outscore.results.curves import Curve, Point
    from outscore.results.details import Details, GainHistogram, ItemGain, ItemText, SubsetGain
    from outscore.results.flips import Flip
    from outscore.results.history import HistoryEntry, SetUses, Uses
    from outscore.results.humans import Humans, Preference, Rater, Wins
    from outscore.results.judge import JudgeEstimate, Judgements
    from outscore.results.leaderboard import Leaderboard, MeanRanks, Place, RankGap
    from outscore.results.posteriors import PairPosterior
    from outscore.results.power import Power, PowerPoint, RunsAndItems
    from outscore.results.ppv import PpvAtAlpha, PpvOfSetting, PredictiveValue
    from outscore.results.recheck import Reason, Recheck, Rechecked
    from outscore.results.replication import AcrossSets, MeanRank, Ranking, Replicated, Replication, SetGain
    from outscore.results.scores import Scores
    from outscore.results.sequences import InterimAnalysis, Sequence, Sequences, StoppingTimes
    from outscore.results.set_history import KnownSet, PairInHistory, RecordedComparison, SetHistory
    from outscore.results.study import Axis, DataTable, Field, Figure, Finding, Findings, Layer
else:
    __getattr__ = lazily(
        __name__,
        {
            "Advice": "outscore.results.advice",
            "Avoid": "outscore.results.advice",
            "Fact": "outscore.results.advice",
            "Step": "outscore.results.advice",
            "Use": "outscore.results.advice",
            "Agreement": "outscore.results.agreement",
            "Annotator": "outscore.results.annotators",
            "AnnotatorPair": "outscore.results.annotators",
            "Coefficient": "outscore.results.annotators",
            "UnitDisagreement": "outscore.results.annotators",
            "LabelAgreement": "outscore.results.annotators",
            "Audit": "outscore.results.audit",
            "Check": "outscore.results.audit",
            "ClassScores": "outscore.results.confusion",
            "Matrix": "outscore.results.confusion",
            "Correlation": "outscore.results.correlation",
            "CorrelationGain": "outscore.results.correlation",
            "Correlations": "outscore.results.correlation",
            "Curve": "outscore.results.curves",
            "Point": "outscore.results.curves",
            "Details": "outscore.results.details",
            "Flip": "outscore.results.flips",
            "GainHistogram": "outscore.results.details",
            "ItemGain": "outscore.results.details",
            "ItemText": "outscore.results.details",
            "SubsetGain": "outscore.results.details",
            "Uses": "outscore.results.history",
            "SetUses": "outscore.results.history",
            "HistoryEntry": "outscore.results.history",
            "Humans": "outscore.results.humans",
            "Preference": "outscore.results.humans",
            "Rater": "outscore.results.humans",
            "Wins": "outscore.results.humans",
            "JudgeEstimate": "outscore.results.judge",
            "Judgements": "outscore.results.judge",
            "Leaderboard": "outscore.results.leaderboard",
            "MeanRanks": "outscore.results.leaderboard",
            "Place": "outscore.results.leaderboard",
            "RankGap": "outscore.results.leaderboard",
            "KnownSet": "outscore.results.set_history",
            "PairInHistory": "outscore.results.set_history",
            "RecordedComparison": "outscore.results.set_history",
            "SetHistory": "outscore.results.set_history",
            "PairPosterior": "outscore.results.posteriors",
            "Power": "outscore.results.power",
            "PowerPoint": "outscore.results.power",
            "RunsAndItems": "outscore.results.power",
            "PredictiveValue": "outscore.results.ppv",
            "PpvOfSetting": "outscore.results.ppv",
            "PpvAtAlpha": "outscore.results.ppv",
            "Reason": "outscore.results.recheck",
            "Recheck": "outscore.results.recheck",
            "Rechecked": "outscore.results.recheck",
            "AcrossSets": "outscore.results.replication",
            "MeanRank": "outscore.results.replication",
            "Ranking": "outscore.results.replication",
            "Replicated": "outscore.results.replication",
            "Replication": "outscore.results.replication",
            "SetGain": "outscore.results.replication",
            "DomainScore": "outscore.results.result",
            "Scores": "outscore.results.scores",
            "InterimAnalysis": "outscore.results.sequences",
            "Sequence": "outscore.results.sequences",
            "Sequences": "outscore.results.sequences",
            "StoppingTimes": "outscore.results.sequences",
            "Axis": "outscore.results.study",
            "DataTable": "outscore.results.study",
            "Field": "outscore.results.study",
            "Figure": "outscore.results.study",
            "Finding": "outscore.results.study",
            "Findings": "outscore.results.study",
            "Layer": "outscore.results.study",
        },
    )

__all__ = [
    "AcrossSets",
    "Advice",
    "Agreement",
    "Annotator",
    "AnnotatorPair",
    "Answer",
    "Audit",
    "Avoid",
    "Axis",
    "Check",
    "ClassScores",
    "Coefficient",
    "Comparison",
    "Correlation",
    "CorrelationGain",
    "Correlations",
    "Curve",
    "DataTable",
    "Details",
    "DomainGain",
    "DomainScore",
    "Equivalence",
    "Fact",
    "Field",
    "Figure",
    "Finding",
    "Findings",
    "Flip",
    "GainHistogram",
    "Gate",
    "HistoryEntry",
    "Humans",
    "InterimAnalysis",
    "ItemGain",
    "ItemText",
    "JudgeEstimate",
    "Judgements",
    "KnownSet",
    "LabelAgreement",
    "Layer",
    "Leaderboard",
    "Matrix",
    "MeanRank",
    "MeanRanks",
    "Overall",
    "Pair",
    "PairInHistory",
    "PairPosterior",
    "Place",
    "Point",
    "Power",
    "PowerPoint",
    "PpvAtAlpha",
    "PpvOfSetting",
    "PredictiveValue",
    "Preference",
    "Provenance",
    "RankGap",
    "Ranking",
    "Rater",
    "Reason",
    "Recheck",
    "Rechecked",
    "RecordedComparison",
    "Replicated",
    "Replication",
    "Result",
    "RunsAndItems",
    "Score",
    "Scores",
    "Sequence",
    "Sequences",
    "SetGain",
    "SetHistory",
    "SetUses",
    "SourceFile",
    "Step",
    "StoppingTimes",
    "SubsetGain",
    "UnitDisagreement",
    "Use",
    "Uses",
    "Wins",
]
