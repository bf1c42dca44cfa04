"""The same kinds with all that they can hold: several systems and metrics, clusters, corrections, decisions."""

from __future__ import annotations

from dataclasses import replace

from outscore.results.advice import Advice, Avoid, Fact, Step
from outscore.results.agreement import Agreement
from outscore.results.annotators import Annotator, Coefficient, LabelAgreement
from outscore.results.audit import Audit
from outscore.results.comparison import Comparison
from outscore.results.history import KnownSet, SetUses, Uses
from outscore.results.pairs import Pair
from outscore.results.power import Power
from outscore.results.recheck import Reason, Recheck, Rechecked
from outscore.results.sequences import InterimAnalysis, Sequence, Sequences, StoppingTimes
from outscore.results.study import Axis, Figure, Findings, Layer
from tests.report.findings import findings
from tests.report.kinds import agreements, audits, plans, posteriors, sequences
from tests.report.kinds.shared import made, note, with_tests

# fmt: off

def audited_whole() -> Audit:
    """Several systems, metrics and tests, with every verdict, and clusters that no test is told of."""
    plain = audits.audited()
    first, second = plain.checks
    return replace(
        plain, clusters_ignored=True, notes=(note("few_rounds"), note("clusters_ignored")),
        provenance=made(n_resamples=999, cluster="document", n_clusters=12),
        checks=(
            replace(first, test="t", verdict="holds", null="the mean difference on new items is 0"),
            replace(second, test="t", verdict="holds", system="cedar", level=0.04, level_ci=(0.003, 0.171),
                    coverage=0.96, coverage_ci=(0.829, 0.997), coverage_verdict="holds",
                    null="the mean difference on new items is 0"),
            replace(first, test="sign", level=0.18, level_ci=(0.083, 0.319), verdict="too often", rejections=9,
                    coverage=0.82, coverage_ci=(0.681, 0.917), coverage_verdict="too low",
                    ci_method="Newcombe interval", null="a win is as likely as a loss"),
            replace(second, test="sign", system="cedar", level=0.22, level_ci=(0.113, 0.367), verdict="too often",
                    rejections=11, coverage=0.8, coverage_ci=(0.658, 0.903), coverage_verdict="too low",
                    ci_method="Newcombe interval", null="a win is as likely as a loss"),
            replace(first, metric="bleu", test="randomization", level=0.1, level_ci=(0.03, 0.23), verdict="unclear",
                    coverage=0.9, coverage_ci=(0.77, 0.972)),
            replace(first, metric="bleu", test="randomization", system="cedar", kind="resampled", rejections=None,
                    level=None, level_ci=None, verdict=None, coverage=0.92, coverage_ci=(0.796, 0.979),
                    versions="items drawn again with replacement"),
        ),
    )


def audited_and_kept() -> Audit:
    """All of it holds."""
    plain = audits.audited()
    first, second = plain.checks
    return replace(
        plain, alpha=0.1,
        checks=(
            replace(first, verdict="holds", coverage_verdict="holds"),
            replace(second, verdict="holds", coverage_verdict="too high"),
        ),
    )


def advised_whole() -> Advice:
    """Two metrics, other tests for other systems, one number that is the same for all pairs, and a long command."""
    plain = audits.advised()
    (use,) = plain.use
    return replace(
        plain, notes=(note("few_clusters"),), systems=("ash", "birch", "cedar", "dill", "elm"),
        facts=(
            Fact(metric="mean", name="items", low=48, high=48, text="items that all systems answered"),
            Fact(metric="mean", name="runs_of_both", low=2, high=5, text="runs of each system"),
            Fact(metric="bleu", name="icc", low=0.0412, high=0.0733, text="correlation within clusters"),
        ),
        use=(
            replace(use, systems=("birch", "cedar"), others=("crossed", "runs")),
            replace(use, systems=("dill",), test="bootstrap", interval="percentile interval", beside=(),
                    reason="one run is much longer", null="the scores of new items are alike",
                    others=("studentized",), caveats=("one item makes up a third of it",)),
            replace(use, metric="bleu", systems=("birch", "cedar", "dill", "elm"), test="randomization",
                    interval="BCa interval", reason="a corpus score!", beside=("sign", "t"), caveats=()),
        ),
        avoid=(
            Avoid(metric="mean", tests=("sign", "wilcoxon"), reason="they are about signs", evidence=("items",)),
            Avoid(metric="bleu", tests=("t",), reason="it has no score of an item", evidence=("icc", "runs_of_both")),
        ),
        steps=(
            Step(purpose="compare", command="outscore compare ash.txt birch.txt cedar.txt dill.txt elm.txt --ref "
                 "'the references.txt' --metric bleu --metric chrf --metric ter --cluster document --test "
                 "randomization --correction holm --margin 0.5 -o a-file-with-a-long-name.json"),
            Step(purpose="in Python", command="outscore.compare(data, metric=['mean', 'bleu'])"),
        ),
    )


def agreement_of_two() -> Agreement:
    """Two annotators, two labels, some units that one of them skipped, clusters, and two domains beside the whole."""
    def coefficient(domain: str, value: float, more: float, n: int) -> Coefficient:
        return Coefficient(
            coefficient="cohen", title="Cohen's κ", corrects="raters who guess", domain=domain, value=value,
            observed=round(value + more, 4), expected=round(more * 1.9, 4), parts="agreement",
            ci=(round(value - 0.11, 4), round(value + 0.12, 4)), ci_method="cluster bootstrap", se=0.061,
            p_value=0.0021, null="they label independently of each other", null_se=0.09, n_units=n, n_clusters=11,
            p_method="null variance", against="news" if domain == "talk" else "",
            gain=0.0713 if domain == "talk" else None,
            gain_ci=(0.0012, 0.1431) if domain == "talk" else None,
        )

    def distance(domain: str, value: float) -> Coefficient:
        return replace(coefficient(domain, value, 0.2, 37), coefficient="krippendorff:distance=interval",
                       title="Krippendorff's α (interval)", parts="disagreement", against="")

    plain = agreements.agreement()
    one, two, _ = plain.annotators
    (pair, *_) = plain.annotator_pairs
    return replace(
        plain,
        provenance=made(test="none", n_items_read=40, cluster="document", n_clusters=11, engine="iid"),
        notes=(note("few_clusters"),),
        coefficients=(
            coefficient("", 0.6213, 0.14, 37), distance("", 0.5521), coefficient("news", 0.5541, 0.15, 19),
            coefficient("talk", 0.6254, 0.13, 18),
        ),
        annotators=(
            replace(one, labels={"no": 15, "yes": 24}, n_labels=39, without={}),
            replace(two, labels={"no": 12, "yes": 26}, n_labels=38, without={}),
        ),
        annotator_pairs=(replace(pair, prevalence=0.2973, bias=0.0811, n_units=37),),
        labels=(
            LabelAgreement(label="no", count=27, share=0.3506, agreement=0.7407, confused_with="yes", confused=0.26),
            LabelAgreement(label="yes", count=50, share=0.6494, agreement=0.84, confused_with="no", confused=0.16),
        ),
        coincidences=((10.0, 5.0), (2.0, 20.0)), disputes=(), n_units=40, n_single=3, n_annotators=2,
    )


def agreement_of_a_crowd() -> Agreement:
    """Annotators who may change places, of whom some labels are not known apart."""
    return replace(agreements.agreement(), exchangeable=True, annotators=(), annotator_pairs=(), n_annotators=5)


def annotators_alone() -> Agreement:
    """One of three annotators gave no label, and no two labels of a unit differ."""
    plain = agreements.agreement()
    silent = Annotator(annotator="dora", n_labels=0, labels={"neg": 0, "neu": 0, "pos": 0}, agreement=None,
                       without={"percent": 0.51, "conger": 0.31})
    return replace(plain, annotators=(*plain.annotators, silent), disputes=(),
                   coincidences=((18.0, 0.0, 0.0), (0.0, 33.0, 0.0), (0.0, 0.0, 26.0)))


def looked_at_whole() -> Uses:
    """Two test sets, one with a name and many families, decided under a procedure."""
    plain = audits.looked_at()
    (one,) = plain.test_sets
    other = KnownSet(digest="5" * 64, name="wmt22", known_by="name", n_items=1984)
    first, second = plain.uses
    third = replace(first.comparison, test_set=other.digest, family="side", system="dill", baseline="cedar",
                    metric="bleu", test="bootstrap", gain=0.731, p_value=0.01234, created="2026-11-23T11:00:00+00:00",
                    who="bob")
    return replace(
        plain, procedure="saffron", alpha=0.1,
        test_sets=(
            one,
            SetUses(test_set=other, n_uses=7, families={"side": 3, "main": 2, "late": 1, "last": 1},
                    first="2026-11-22T09:00:00+00:00", last="2026-11-24T09:00:00+00:00"),
        ),
        uses=(
            replace(first, level=0.0213, rejected=False), replace(second, level=0.0167, rejected=True),
            replace(first, number=None, level=None, rejected=None, comparison=replace(third, p_value=None, gain=None)),
            replace(first, number=1, level=0.0321, rejected=True, comparison=third),
        ),
    )


def looked_at_as_decided() -> Uses:
    """No procedure is asked for, but one was used then."""
    plain = audits.looked_at()
    first, second = plain.uses
    then = replace(first.comparison, procedure="alpha-spending", level=0.0304, rejected=False)
    return replace(plain, uses=(replace(first, level=0.0304, rejected=False, comparison=then), second))


def sequence_whole() -> Sequences:
    """Two metrics and a margin: a gain that was found early, a loss, a share of the level, clusters, random orders."""
    plain = sequences.sequence()
    (one,) = plain.sequences
    (pair,) = plain.pairs
    ash, birch = plain.scores
    analyses = (
        replace(one.analyses[0], decision="undecided"),
        InterimAnalysis(n=31, gain=0.1213, ci=(0.0314, 0.2117), p_value=0.0123, e_value=81.3,
            decision="better", observed=0.1301),
        InterimAnalysis(n=48, gain=0.1517, ci=(0.0718, 0.2311), p_value=0.0004, e_value=25190.0,
            decision="better", observed=0.1611),
    )
    lost = (
        InterimAnalysis(n=12, gain=-0.0921, ci=(-0.3121, 0.1282), p_value=0.4131, e_value=0.0043,
            decision="undecided", observed=-0.0941),
        InterimAnalysis(n=48, gain=-0.1123, ci=(-0.2267, 0.0021), p_value=0.0613, e_value=2.351,
            decision="not-worse", observed=-0.1201),
    )
    stops = StoppingTimes(orders=200, decided=181, better=163, worse=11, equivalent=7, n10=17, n50=29, n90=43)
    return replace(
        plain, margin=0.05, order="random", correction="bonferroni",
        scores=(
            ash, birch, replace(ash, metric="bleu", unit="BLEU 0-100", score=31.42, ci=(30.1, 32.7)),
            replace(birch, metric="bleu", unit="BLEU 0-100", score=30.17, ci=(28.9, 31.5)),
        ),
        sequences=(
            replace(one, alpha=0.025, analyses=analyses, decision="better", decided_at=31, population=480, n_units=12,
                    bounds=(0.5, 7.5), stops=stops),
            replace(one, metric="bleu", alpha=0.0251, analyses=lost, decision="not-worse", method="mixture",
                    kind="asymptotic", bounds=None, n_units=48, decided_at=48,
                    stops=replace(stops, decided=101, better=5, worse=83, equivalent=13, n10=19, n50=47, n90=None)),
        ),
        pairs=(
            pair,
            Pair(
                system="birch", baseline="ash", metric="bleu", gain=-1.25, ci=(-2.31, -0.18), ci_method="BCa interval",
                test="bootstrap", question="do the systems differ?", null="the scores are alike", alternative="less",
                p_value=None, p_kind="monte-carlo", p_error=None, p_min=None, p_adjusted=None, n_items=48,
                n_resamples=1000, effect={},
            ),
        ),
    )


def sequence_of_a_stream() -> Sequences:
    """One sequence that ended when it liked."""
    plain = sequence_whole()
    one: Sequence = replace(plain.sequences[0], stops=None)
    return replace(plain, order="stream", sequences=(one,), pairs=(), scores=plain.scores[:2])


def planned_whole() -> Power:
    """From a pilot: items that are needed with their range, and the cheapest design."""
    plain, runs = plans.planned_pilot(), plans.planned_runs()
    more = replace(plain.points[0], n=210, power=0.8313, power_ci=(0.7112, 0.9215), detectable_gain=0.0291)
    return replace(plain, points=(*plain.points, more), items_needed=187.0, items_range=(121.0, 243.0),
                   designs=runs.designs[:3], budget=None)


def posterior_whole() -> Comparison:
    """Two metrics, notes of one pair only, chances that are nearly certain, draws with their error."""
    plain = posteriors.posterior()
    birch, cedar = plain.posteriors
    scores = tuple(replace(score, metric="bleu", unit="BLEU 0-100", score=round(60 * score.score, 2),
                           ci=(round(55 * score.score, 2), round(65 * score.score, 2))) for score in plain.scores)
    return with_tests(plain.pairs[0], replace(
        plain, alpha=0.1, scores=(*plain.scores, *scores), notes=(note("few_clusters"), *plain.notes),
        posteriors=(
            replace(birch, better=0.0004, within=0.00041, worse=0.99919, likely="worse", notes=("few_clusters",)),
            replace(cedar, baseline="birch", notes=("single_run",)),
            replace(cedar, metric="bleu", gain=3.51, mean=3.46, ci=(1.12, 5.91), rope=0.5, better=0.8713,
                    within=0.1117, worse=0.017, method="bootstrap", kind="monte-carlo", error=0.0021, n_draws=9000,
                    likely="", about="score", model="items are drawn again", prior="every share is as likely"),
        ),
    ))


def study_whole() -> Findings:
    """Pictures with names upward, with words at the marks, on a scale of logarithms, and two of the same axes."""
    plain = findings()
    first = plain.figures[0]
    names = Figure(
        name="named", title="Metrics apart", subtitle="each by itself",
        x=Axis(title="Gain (points)", domain=(-9.0, 3.5)), y=Axis(title="Metric", scale="names"),
        layers=(
            Layer(mark="interval", table="gains", y="metric", low="low", high="high", colour="groups"),
            Layer(mark="text", table="gains", x="gain", y="metric", label="groups", colour="groups"),
        ),
    )
    logs = replace(
        first, name="logs", x=Axis(title="Pairs", scale="log"), facet="", own_ranges=False,
        layers=(
            Layer(mark="band", table="gains", x="pairs", low="low", high="high", colour="groups"),
            Layer(mark="line", table="gains", x="pairs", y="gain", colour="groups", dashed=True),
        ),
    )
    return replace(plain, figures=(first, logs, names))


def rechecked_whole() -> Recheck:
    """What MultEval printed of two systems, with every outcome and its reasons."""
    plain = audits.rechecked()
    one = plain.numbers[0]
    other = Reason(code="other_version", values={"theirs": "2.3.1", "ours": "2.6.0"})
    no_p = Reason(code="no_p", values={"test": "multeval"})
    numbers: tuple[Rechecked, ...] = (
        one,
        replace(one, quantity="p", printed=0.031, text="0.031", remade=0.0271, outcome="within chance", ours=0.0333,
                reasons=(
                    Reason(code="drawing", values={"rest": 0.0211, "resamples": 10000, "ours": 2000}),
                    Reason(code="decision", values={"alpha": 0.05, "theirs": "significant", "p": 0.0671,
                                                    "correction": "holm", "family": 4}),
                )),
        replace(one, system="t100", printed_system="t100.txt", printed=53.1, text="53.1", remade=52.2, ours=52.31,
                outcome="differs", reasons=(other,)),
        replace(one, system="t100", printed_system="t100.txt", quantity="mean", printed=52.9, text="52.9",
                remade=None, ours=None, outcome="not made", reasons=(no_p,)),
        replace(one, system="t100", printed_system="t100.txt", metric="chrf", printed_metric="chrF2", printed=61.7,
                text="61.7", remade=None, ours=61.9, outcome="not made", reasons=(no_p,)),
    )
    return replace(plain, numbers=numbers, tool="MultEval", layout="text", procedure="multeval", resamples=10000,
                   resamples_from="default", seed_of_tool=None)
