"""Classification beyond one number."""

from __future__ import annotations

from outscore.results.confusion import ClassScores, Matrix
from outscore.results.curves import Curve, Point
from outscore.results.result import Score
from outscore.results.scores import Scores
from tests.report.kinds.shared import made, note

# fmt: off

def curves() -> Scores:
    """Two systems of twelve items."""
    return Scores(
        seed=12345, alpha=0.05,
        scores=(
            Score(
                system="old", metric="auc:positive=spam", signature="auc:positive=spam", unit="AUC 0-1",
                higher_is_better=True, score=0.5556, ci=(0.25, 0.875), ci_method="bca bootstrap interval",
                runs=("1",), run_scores=(0.5633,), s_sel=0.1646, s_test=None, run_min=0.5711, run_max=0.5791,
                median_run="1", n_items=12,
            ),
            Score(
                system="new", metric="auc:positive=spam", signature="auc:positive=spam", unit="AUC 0-1",
                higher_is_better=True, score=0.963, ci=(0.5, 1.0), ci_method="bca bootstrap interval", runs=("1",),
                run_scores=(0.9763,), s_sel=0.09886, s_test=None, run_min=0.9898, run_max=1.003, median_run="1",
                n_items=12,
            ),
        ),
        notes=(note("few_items"),),
        provenance=made(
            test="none", n_items_read=12,
            citations=("Hanley & McNeil 1982, The meaning and use of the area under a ROC curve",),
        ),
        curves=(
            Curve(
                system="old", run="1", kind="roc",
                points=(
                    Point(threshold=1.186, x=0.0, x_ci=(0.0, 0.0), y=0.0, y_ci=(0.0, 1.0)),
                    Point(threshold=1.181, x=0.1111, x_ci=(0.0, 0.375), y=0.0, y_ci=(0.0, 1.0)),
                    Point(threshold=1.111, x=0.2222, x_ci=(0.0, 0.5455), y=0.0, y_ci=(0.0, 1.0)),
                    Point(threshold=1.003, x=0.3333, x_ci=(0.0, 0.6667), y=0.0, y_ci=(0.0, 1.0)),
                    Point(threshold=0.944, x=0.3333, x_ci=(0.0, 0.6667), y=0.338, y_ci=(0.0, 1.0)),
                    Point(threshold=0.836, x=0.4444, x_ci=(0.125, 0.7778), y=0.3333, y_ci=(0.0, 1.0)),
                    Point(threshold=0.651, x=0.4444, x_ci=(0.125, 0.7778), y=0.6667, y_ci=(0.0, 1.0)),
                    Point(threshold=0.417, x=0.5556, x_ci=(0.2222, 0.875), y=0.6667, y_ci=(0.0, 1.0)),
                    Point(threshold=-0.378, x=0.5556, x_ci=(0.2222, 0.875), y=1.0, y_ci=(0.0, 1.0)),
                    Point(threshold=-0.382, x=0.6667, x_ci=(0.3333, 1.0), y=1.0, y_ci=(0.0, 1.0)),
                    Point(threshold=-1.233, x=0.7778, x_ci=(0.5, 1.0), y=1.0, y_ci=(0.0, 1.0)),
                    Point(threshold=-1.535, x=0.8889, x_ci=(0.6667, 1.0), y=1.0, y_ci=(0.0, 1.0)),
                    Point(threshold=None, x=1.0, x_ci=(1.0, 1.0), y=1.0, y_ci=(0.0, 1.0)),
                ),
            ),
            Curve(
                system="new", run="1", kind="roc",
                points=(
                    Point(threshold=2.848, x=0.0, x_ci=(0.0, 0.0), y=0.0, y_ci=(0.0, 1.0)),
                    Point(threshold=2.187, x=0.0, x_ci=(0.0, 0.0), y=0.3333, y_ci=(0.0, 1.0)),
                    Point(threshold=1.982, x=0.0, x_ci=(0.0, 0.0), y=0.6667, y_ci=(0.0, 1.0)),
                    Point(threshold=1.884, x=0.1111, x_ci=(0.0, 0.375), y=0.6667, y_ci=(0.0, 1.0)),
                    Point(threshold=1.105, x=0.1111, x_ci=(0.0, 0.375), y=1.0, y_ci=(0.0, 1.0)),
                    Point(threshold=0.618, x=0.2222, x_ci=(0.0, 0.5), y=1.0, y_ci=(0.0, 1.0)),
                    Point(threshold=0.477, x=0.3333, x_ci=(0.0, 0.6667), y=1.0, y_ci=(0.0, 1.0)),
                    Point(threshold=0.39, x=0.4444, x_ci=(0.125, 0.7778), y=1.0, y_ci=(0.0, 1.0)),
                    Point(threshold=0.248, x=0.5556, x_ci=(0.2222, 0.875), y=1.0, y_ci=(0.0, 1.0)),
                    Point(threshold=0.202, x=0.6667, x_ci=(0.3333, 1.0), y=1.0, y_ci=(0.0, 1.0)),
                    Point(threshold=0.048, x=0.7778, x_ci=(0.4545, 1.0), y=1.0, y_ci=(0.0, 1.0)),
                    Point(threshold=-0.615, x=0.8889, x_ci=(0.625, 1.0), y=1.0, y_ci=(0.0, 1.0)),
                    Point(threshold=None, x=1.0, x_ci=(1.0, 1.0), y=1.0, y_ci=(0.0, 1.0)),
                ),
            ),
        ),
    )


def confusions() -> Scores:
    """Three classes."""
    return Scores(
        seed=12345, alpha=0.05,
        scores=(
            Score(
                system="ash", metric="accuracy", signature="accuracy", unit="share 0-1", higher_is_better=True,
                score=0.6667, ci=(0.5406, 0.7727), ci_method="Wilson interval", runs=("1",), run_scores=(0.676,),
                s_sel=0.06086, s_test=None, run_min=0.6854, run_max=0.6949, median_run="1", n_items=60,
            ),
            Score(
                system="birch", metric="accuracy", signature="accuracy", unit="share 0-1", higher_is_better=True,
                score=0.75, ci=(0.6277, 0.8422), ci_method="Wilson interval", runs=("1",), run_scores=(0.7604,),
                s_sel=0.0559, s_test=None, run_min=0.7709, run_max=0.7816, median_run="1", n_items=60,
            ),
            Score(
                system="cedar", metric="accuracy", signature="accuracy", unit="share 0-1", higher_is_better=True,
                score=0.8667, ci=(0.7583, 0.9309), ci_method="Wilson interval", runs=("1",), run_scores=(0.8787,),
                s_sel=0.04389, s_test=None, run_min=0.8909, run_max=0.9032, median_run="1", n_items=60,
            ),
        ),
        notes=(note("columns_describe"),),
        provenance=made(test="none", n_items_read=60, citations=("share of right answers",)),
        matrices=(
            Matrix(
                system="ash", run="1", classes=("neg", "neu", "pos"),
                counts=((19, 3, 4), (5, 15, 2), (6, 7, 8)),
                margins=(
                    ClassScores(precision=0.76, recall=0.7308, f1=0.7451),
                    ClassScores(precision=0.6522, recall=0.7143, f1=0.6818),
                    ClassScores(precision=0.5, recall=0.4615, f1=0.48),
                ),
            ),
            Matrix(
                system="birch", run="1", classes=("neg", "neu", "pos"),
                counts=((19, 2, 5), (1, 16, 4), (3, 6, 10)),
                margins=(
                    ClassScores(precision=0.8636, recall=0.7308, f1=0.7917),
                    ClassScores(precision=0.8421, recall=0.7619, f1=0.8),
                    ClassScores(precision=0.5263, recall=0.7692, f1=0.625),
                ),
            ),
            Matrix(
                system="cedar", run="1", classes=("neg", "neu", "pos"),
                counts=((23, 0, 3), (2, 19, 1), (4, 5, 10)),
                margins=(
                    ClassScores(precision=0.8214, recall=0.8846, f1=0.8519),
                    ClassScores(precision=1.0, recall=0.9048, f1=0.95),
                    ClassScores(precision=0.7692, recall=0.7799, f1=0.7907),
                ),
            ),
        ),
    )
