"""Agreement of annotators."""

from __future__ import annotations

from outscore.results.agreement import Agreement
from outscore.results.annotators import Annotator, AnnotatorPair, Coefficient, LabelAgreement, UnitDisagreement
from outscore.results.humans import Humans, Preference, Rater, Wins
from outscore.results.result import Score
from tests.report.kinds.shared import made

# fmt: off

def agreement() -> Agreement:
    """Three annotators, two items in dispute."""
    return Agreement(
        seed=12345, alpha=0.05,
        provenance=made(
            test="none", n_items_read=40, engine="iid",
            citations=(
                "Gwet 2014, Handbook of inter-rater reliability",
                (
                    "Conger 1980, Integration and generalization of kappas for multiple raters; Gwet 2014, "
                    "Handbook of inter-rater reliability"
                ),
            ),
        ),
        exchangeable=False,
        coefficients=(
            Coefficient(
                coefficient="percent", title="Percent agreement",
                corrects="nothing: raters who guess agree often where labels are few",
                domain="", value=0.6417, observed=0.6506, expected=0.0, parts="agreement", ci=(0.525, 0.75),
                ci_method="BCa bootstrap", se=0.05894, p_value=None, null="", null_se=None, n_units=40,
                n_clusters=None,
            ),
            Coefficient(
                coefficient="conger", title="Conger's κ",
                corrects="raters who guess, each with the frequencies of labels of their own",
                domain="", value=0.4586, observed=0.6417, expected=0.3381, parts="agreement", ci=(0.2894, 0.6315),
                ci_method="BCa bootstrap", se=0.08687, p_value=9.999e-05,
                null="every annotator labels units independently of the others",
                null_se=None, n_units=40, n_clusters=None, p_method="relabelling",
            ),
            Coefficient(
                coefficient="fleiss", title="Fleiss' κ",
                corrects="raters who guess, all with the frequencies that the labels have over all raters",
                domain="", value=0.456, observed=0.6417, expected=0.3413, parts="agreement", ci=(0.2846, 0.633),
                ci_method="BCa bootstrap", se=0.08817, p_value=9.999e-05,
                null="every annotator labels units independently of the others",
                null_se=None, n_units=40, n_clusters=None, p_method="relabelling",
            ),
            Coefficient(
                coefficient="krippendorff", title="Krippendorff's α",
                corrects="labels dealt out at random from all that were given to units with two or more",
                domain="", value=0.4606, observed=0.3583, expected=0.6643, parts="disagreement", ci=(0.2905, 0.636),
                ci_method="BCa bootstrap", se=0.08744, p_value=9.999e-05,
                null="every annotator labels units independently of the others",
                null_se=None, n_units=40, n_clusters=None, p_method="relabelling",
            ),
            Coefficient(
                coefficient="gwet", title="Gwet's AC1",
                corrects="raters who guess only where a unit is hard, with labels that are seldom all the same",
                domain="", value=0.4657, observed=0.6417, expected=0.3294, parts="agreement", ci=(0.2866, 0.6292),
                ci_method="BCa bootstrap", se=0.08897, p_value=None, null="", null_se=None, n_units=40,
                n_clusters=None,
            ),
            Coefficient(
                coefficient="bennett", title="Bennett's S",
                corrects="raters who guess, with all labels of the scheme equally often",
                domain="", value=0.4625, observed=0.6417, expected=0.3333, parts="agreement", ci=(0.2875, 0.625),
                ci_method="BCa bootstrap", se=0.08841, p_value=None, null="", null_se=None, n_units=40,
                n_clusters=None,
            ),
        ),
        annotators=(
            Annotator(
                annotator="anna", n_labels=40, labels={"neg": 13, "neu": 15, "pos": 12}, agreement=0.5875,
                without={
                    "percent": 0.75, "conger": 0.6212, "fleiss": 0.6174, "krippendorff": 0.6222, "gwet": 0.6287,
                    "bennett": 0.625,
                },
            ),
            Annotator(
                annotator="ben", n_labels=40, labels={"neg": 8, "neu": 19, "pos": 13}, agreement=0.6625,
                without={
                    "percent": 0.6, "conger": 0.3996, "fleiss": 0.3988, "krippendorff": 0.4063, "gwet": 0.4006,
                    "bennett": 0.4,
                },
            ),
            Annotator(
                annotator="cleo", n_labels=40, labels={"neg": 12, "neu": 14, "pos": 15}, agreement=0.675,
                without={
                    "percent": 0.575, "conger": 0.3555, "fleiss": 0.349, "krippendorff": 0.3571, "gwet": 0.3691,
                    "bennett": 0.3625,
                },
            ),
        ),
        annotator_pairs=(
            AnnotatorPair(
                first="anna", second="ben", n_units=40, agreement=0.575, kappa=0.3555, kappa_ci=(0.1282, 0.5663),
                kappa_max=0.8104, prevalence=None, bias=None,
            ),
            AnnotatorPair(
                first="anna", second="cleo", n_units=40, agreement=0.6, kappa=0.3996, kappa_ci=(0.1689, 0.6044),
                kappa_max=0.925, prevalence=None, bias=None,
            ),
            AnnotatorPair(
                first="ben", second="cleo", n_units=40, agreement=0.75, kappa=0.6212, kappa_ci=(0.3933, 0.7845),
                kappa_max=0.8106, prevalence=None, bias=None,
            ),
        ),
        labels=(
            LabelAgreement(
                label="neg", count=33, share=0.275, agreement=0.5455, confused_with="neu", confused=0.2576,
            ),
            LabelAgreement(
                label="neu", count=48, share=0.4, agreement=0.6875, confused_with="neg", confused=0.1771,
            ),
            LabelAgreement(
                label="pos", count=39, share=0.325, agreement=0.6667, confused_with="neg", confused=0.1667,
            ),
        ),
        coincidences=((18.0, 8.5, 6.5), (8.617, 33.0, 6.589), (6.679, 6.771, 26.0)),
        disputes=(
            UnitDisagreement(unit="q23", labels={"anna": "pos", "ben": "neu", "cleo": "neg"}, disagreement=1.0),
            UnitDisagreement(unit="q28", labels={"anna": "neu", "ben": "pos", "cleo": "neg"}, disagreement=1.0),
        ),
        n_units=40, n_single=0, n_annotators=3,
    )


def humans() -> Humans:
    """Ratings of outputs by people."""
    return Humans(
        seed=12345, alpha=0.05,
        scores=(
            Score(
                system="ash", metric="rating z", signature="rating z", unit="rating", higher_is_better=True,
                score=-0.336, ci=(-0.6777, 0.005685), ci_method="t interval of items", runs=("1",),
                run_scores=(-0.3405,), s_sel=None, s_test=None, run_min=-0.345, run_max=-0.3496, median_run="1",
                n_items=20,
            ),
            Score(
                system="birch", metric="rating z", signature="rating z", unit="rating", higher_is_better=True,
                score=-0.03162, ci=(-0.444, 0.3808), ci_method="t interval of items", runs=("1",),
                run_scores=(-0.03192,), s_sel=None, s_test=None, run_min=-0.03223, run_max=-0.03254, median_run="1",
                n_items=20,
            ),
            Score(
                system="cedar", metric="rating z", signature="rating z", unit="rating", higher_is_better=True,
                score=0.3676, ci=(0.1035, 0.6318), ci_method="t interval of items", runs=("1",),
                run_scores=(0.3728,), s_sel=None, s_test=None, run_min=0.378, run_max=0.3833, median_run="1",
                n_items=20,
            ),
        ),
        provenance=made(
            n_resamples=1000, test="sign", correction="holm", n_items_read=20, engine="iid",
            citations=("Koehn 2012",),
        ),
        human="rating z", standardized=True, correction="holm",
        wins=(
            Wins(system="ash", expected_wins=0.375, ci=(0.25, 0.5122), n_judgments=40, n_items=20),
            Wins(system="birch", expected_wins=0.475, ci=(0.3375, 0.625), n_judgments=40, n_items=20),
            Wins(system="cedar", expected_wins=0.65, ci=(0.5375, 0.7625), n_judgments=40, n_items=20),
        ),
        preferences=(
            Preference(
                system="ash", other="birch", wins=17, ties=0, losses=23, share=0.425, ci=(0.25, 0.485),
                null="on items where one of the two is preferred more often, it is as likely to be either",
                p_value=0.5811, p_adjusted=0.5892, items_won=5, items_lost=8,
            ),
            Preference(
                system="ash", other="cedar", wins=13, ties=0, losses=27, share=0.325, ci=(0.175, 0.475),
                null="on items where one of the two is preferred more often, it is as likely to be either",
                p_value=0.06543, p_adjusted=0.1963, items_won=2, items_lost=9,
            ),
            Preference(
                system="birch", other="cedar", wins=15, ties=0, losses=25, share=0.375, ci=(0.225, 0.492),
                null="on items where one of the two is preferred more often, it is as likely to be either",
                p_value=0.2668, p_adjusted=0.5337, items_won=4, items_lost=9,
            ),
        ),
        raters=(
            Rater(rater="ina", n_ratings=60, mean=66.15, deviation=13.83),
            Rater(rater="jo", n_ratings=60, mean=71.34, deviation=12.8),
        ),
    )
