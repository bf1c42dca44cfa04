"""Results of one thing alone, and others that only a few data give: what a report says nowhere else."""

from __future__ import annotations

from dataclasses import replace

from outscore.results.agreement import Agreement
from outscore.results.audit import Audit
from outscore.results.comparison import Comparison
from outscore.results.correlation import Correlations
from outscore.results.judge import JudgeEstimate, Judgements
from outscore.results.power import Power
from outscore.results.ppv import PredictiveValue
from outscore.results.recheck import Recheck
from outscore.results.replication import Replication
from outscore.results.scores import Scores
from outscore.results.sequences import Sequences
from outscore.results.set_gains import Replicated, SetGain
from outscore.results.study import Axis, Figure, Findings, Layer
from tests.report.findings import findings
from tests.report.kinds import agreements, audits, data_sets, fuller, judges, metrics_and_people, plans, posteriors
from tests.report.kinds.scored import scores
from tests.report.kinds.shared import made, note, with_tests

# fmt: off

def score_of_one() -> Scores:
    """A system alone, and by domain."""
    plain = scores()
    assert plain.buckets is not None
    return replace(plain, scores=plain.scores[:1], buckets=tuple(d for d in plain.buckets if d.system == "ash"))


def scores_of_one() -> Scores:
    """A system alone under two metrics."""
    plain = score_of_one()
    (ash,) = plain.scores
    bleu = replace(ash, metric="bleu", signature="bleu|v:2", unit="BLEU 0-100", score=31.42, ci=(30.17, 32.71),
                   run_scores=(31.53,), run_min=30.91, run_max=32.04, s_sel=0.6513)
    return replace(plain, scores=(ash, bleu), buckets=())


def planned_for_one_size() -> Power:
    """The power that one number of items has, from simulated test sets."""
    plain = plans.planned_fake()
    return replace(plain, points=plain.points[:1], notes=())


def planned_just_so() -> Power:
    """One size, which is that which is needed."""
    plain = plans.planned_t()
    return replace(plain, points=plain.points[3:4])


def planned_with_fewer() -> Power:
    """The smallest size has the wanted power; the unit stands in the name of the metric."""
    plain = plans.planned_pilot()
    few, more = plain.points
    return replace(
        plain, metric="bleu:tokenize=char", unit="BLEU 0-100", gain=1.25, pilot_gain=0.8317, notes=(), range_is="",
        items_range=None,
        points=(replace(more, n=70, power=0.8713, power_ci=None, detectable_gain=1.113),
                replace(few, n=35, power=0.8117, power_ci=None, detectable_gain=1.213)),
    )


def planned_without_an_end() -> Power:
    """Between the first two sizes the power is reached; how few items may do is not known."""
    return replace(plans.planned_t(), target=0.4, items_needed=1591.0, items_range=(None, 1713.0),
                   range_is="99% interval")


def planned_without_a_bound() -> Power:
    """How many items may be needed is not known."""
    return replace(plans.planned_mcnemar(), items_range=(1717.0, None), range_is="99% interval")


def predictive_value_with_ease() -> PredictiveValue:
    """The cut-off lies between the two largest levels of the curve."""
    plain = plans.predictive_value()
    first, *more = plain.worth
    return replace(plain, wanted=0.36, worth=(replace(first, cutoff=0.08713), *more))


def agreement_in_percent() -> Agreement:
    """Nothing that corrects for chance."""
    plain = agreements.agreement()
    return replace(plain, coefficients=plain.coefficients[:1], annotators=tuple(
        replace(one, without={"percent": round(0.61 + i / 90, 4)}) for i, one in enumerate(plain.annotators)
    ))


def correlations_led() -> Correlations:
    """A metric that agrees best, and one whose correlation is not defined."""
    plain = metrics_and_people.correlations()
    chrf, comet, *others = plain.correlations
    first, *more = plain.pairs
    constant = [replace(score, metric="length", signature="length", score=1.0, ci=None) for score in plain.scores[5:10]]
    return replace(
        plain, scores=(*plain.scores, *constant),
        correlations=(chrf, comet, replace(chrf, metric="length", value=None, ci=None), *others),
        pairs=(
            replace(first, ci=(-0.2731, -0.0193), p_value=0.0213, p_kind="monte-carlo", p_error=0.0119,
                    p_adjusted=0.0413, n_resamples=1000),
            *more,
        ),
    )


def judged_many() -> Judgements:
    """So many systems that the sentence counts them: gains, losses, and one that is open; in clusters."""
    plain = judges.judged()
    tuned, *_ = (e for e in plain.estimates if e.baseline is not None)

    def gain(i: int, name: str, estimate: float, p: float) -> JudgeEstimate:
        return replace(
            tuned, system=name, value=estimate, ci=(round(estimate - 0.071, 4), round(estimate + 0.069, 4)),
            p_value=p, p_adjusted=round(1.9 * p, 5), n_labelled=60 - i, worth=90.3 + i, weight=round(0.41 + i / 50, 3),
        )

    found = (("birch", 0.116, 0.0011), ("cedar", 0.131, 0.0007), ("dill", -0.127, 0.0009), ("elm", 0.0213, 0.5113),
             ("fir", 0.149, 0.0003))
    return replace(
        plain, provenance=made(test="prediction-powered", correction="holm", n_items_read=150, n_clusters=31),
        estimates=tuple(gain(i, *one) for i, one in enumerate(found)),
    )


def posterior_of_many() -> Comparison:
    """So many pairs that they are counted by their side, in several runs."""
    plain = posteriors.posterior()
    _, cedar = plain.posteriors
    chances = (("birch", 0.9713, 0.0211, 0.0076, "better"), ("cedar", 0.9613, 0.0311, 0.0077, "better"),
               ("dill", 0.0113, 0.9713, 0.0174, "within"), ("elm", 0.0117, 0.0213, 0.967, "worse"),
               ("fir", 0.9511, 0.0411, 0.0078, "better"), ("gum", 0.0119, 0.0317, 0.9564, "worse"),
               ("hop", 0.4317, 0.3113, 0.257, ""))
    ash = plain.scores[0]
    return with_tests(plain.pairs[0], replace(
        plain,
        scores=(replace(ash, runs=("1", "2"), run_scores=(0.4771, 0.4947), s_test=0.0124), *(
            replace(ash, system=name, score=round(0.47 + i / 50, 4),
                    ci=(round(0.41 + i / 50, 4), round(0.53 + i / 50, 4)), run_scores=(round(0.471 + i / 50, 4),))
            for i, (name, *_) in enumerate(chances)
        )),
        posteriors=tuple(
            replace(cedar, system=name, better=better, within=within, worse=worse, likely=likely,
                    gain=round(0.031 - i / 90, 4), mean=round(0.029 - i / 90, 4),
                    ci=(round(-0.011 - i / 90, 4), round(0.071 - i / 90, 4)))
            for i, (name, better, within, worse, likely) in enumerate(chances)
        ),
    ))


def replicated_many() -> Replication:
    """So many systems that the sentence counts them and the picture shows the first; notes of some of them only."""
    plain = data_sets.replicated()
    birch, cedar = plain.replicated
    holds = (("birch", 1, 0.0512, ("c",)), ("cedar", 2, 0.1113, ("a", "b")), ("dill", 0, 0.3717, ()),
             ("elm", 2, -0.0913, ("a", "c")), ("fir", 1, 0.0313, ("b",)), ("gum", 1, 0.3117, ("c",)))
    base = plain.scores[0]

    def claim(i: int, name: str, count: int, gain: float, where: tuple[str, ...]) -> Replicated:
        return replace(cedar if count else birch, system=name, gain=gain, count=count, n_ahead=3 - i % 2,
                       ci=(round(gain - 0.041, 4), round(gain + 0.043, 4)), count_independent=count + i % 2,
                       holds_on=where)

    def gains(i: int, name: str, gain: float, where: tuple[str, ...]) -> list[SetGain]:
        like = [one for one in plain.set_gains if one.system == "cedar"]
        return [
            replace(one, system=name, system_score=round(one.baseline_score + gain + j / 70, 4),
                    gain=round(gain + j / 70, 4),
                    ci=(round(gain - 0.0211 + i / 900, 4), round(gain + 0.0913 + j / 70, 4)),
                    p_value=round(0.0007 * (1 + i + j), 5), p_adjusted=round(0.0113 * (1 + i + j), 5),
                    p_holm=round(0.0021 * (1 + i + j), 5) if one.data_set in where else round(0.21 + i / 9 + j / 50, 4),
                    notes=("auto_mcnemar", *(("of_two",) if name in ("dill", "elm") else ()),
                           *(("of_one_set",) if one.data_set == "b" else ())))
            for j, one in enumerate(like)
        ]

    return replace(
        plain, notes=(note("auto_mcnemar"), note("of_two"), note("of_one_set", mended=False)), rankings=(),
        scores=(base, *(replace(base, system=name, score=round(0.61 + gain, 4), run_scores=(round(0.613 + gain, 4),))
                        for name, _, gain, _ in holds)),
        replicated=tuple(claim(i, *one) for i, one in enumerate(holds)),
        set_gains=tuple(one for i, (name, _, gain, where) in enumerate(holds) for one in gains(i, name, gain, where)),
    )


def replicated_below() -> Replication:
    """Numbers of data sets that no test took by themselves, and the question who is worse."""
    plain = replicated_many()
    losses = (-0.0512, 0.1113, -0.3717, -0.0913, -0.0313, 0.0617)
    return replace(
        plain, alternative="less", notes=(),
        replicated=tuple(
            replace(one, gain=gain, ci=(round(gain - 0.0413, 4), round(gain + 0.0422, 4)), count=None,
                    count_independent=None, holds_on=(), overall=tuple(
                replace(answer, p_adjusted=round((0.0113 + j / 900) * (i + 1), 5))
                for j, answer in enumerate(one.overall[:2])
            ))
            for i, (one, gain) in enumerate(zip(plain.replicated, losses, strict=True))
        ),
        set_gains=tuple(
            replace(one, p_value=None, p_holm=None, p_adjusted=None, p_kind="", test="", ci=None, ci_method="",
                    notes=())
            for one in plain.set_gains
        ),
    )


def replicated_on_many() -> Replication:
    """A system on so many data sets that more of them would have lower rows."""
    plain = data_sets.replicated()
    one = plain.set_gains[-1]
    names = tuple(f"set {i:02}" for i in range(19))
    return replace(
        plain, data_sets=names, rankings=(), notes=(),
        replicated=(replace(plain.replicated[1], n_sets=19, n_ahead=17, count=3, count_independent=5,
                            holds_on=("set 01", "set 02", "set 04")),),
        set_gains=tuple(
            replace(one, data_set=name, gain=round(0.1 + i / 90, 4), p_value=round(0.011 + i / 900, 5), notes=(),
                    ci=(round(i / 90 - 0.0313, 4), round(0.2617 + i / 90, 4)), p_holm=round(0.0411 + i / 90, 5),
                    p_adjusted=round(0.0713 + i / 90, 5))
            for i, name in enumerate(names)
        ),
    )


def replicated_behind() -> Replication:
    """One system that is worse on most data sets, of which none was tested by itself."""
    plain = replicated_below()
    return replace(plain, replicated=plain.replicated[2:3])


def replicated_by_one() -> Replication:
    """Of many systems one holds somewhere."""
    plain = replicated_many()
    birch, cedar, *others = plain.replicated
    return replace(plain, replicated=(birch, *(
        replace(one, count=0, count_independent=1, holds_on=()) for one in (cedar, *others)
    )))


def replicated_lost() -> Replication:
    """Losses that hold, and one whose interval says otherwise than its p."""
    plain = data_sets.replicated()
    _, cedar = plain.replicated
    first, second, third = (one for one in plain.set_gains if one.system == "cedar")
    return replace(
        plain, alternative="less", notes=(),
        replicated=(replace(cedar, gain=-0.1913, ci=(-0.3117, -0.0711), count=2, count_independent=3,
                            holds_on=("a", "c")),),
        set_gains=(
            replace(first, gain=-0.2113, ci=(-0.3411, -0.0817), p_value=0.0031, p_holm=0.0093, p_adjusted=0.0113,
                    notes=()),
            replace(second, gain=-0.0517, ci=(-0.1311, 0.0279), p_value=0.0131, p_holm=0.0262, p_adjusted=0.0311,
                    notes=()),
            replace(third, gain=-0.3117, ci=(-0.4713, -0.1519), p_value=0.0011, p_holm=0.0033, p_adjusted=0.0051,
                    notes=()),
        ),
    )


def sequences_early_and_late() -> Sequences:
    """Decisions at the beginning and near the end, without a margin."""
    plain = fuller.sequence_whole()
    one, other = plain.sequences
    return replace(plain, margin=None, sequences=(
        replace(one, decided_at=31, decision="better"), replace(other, decided_at=12, decision="worse"),
    ))


def study_in_one_layer() -> Findings:
    """Pictures of one layer and of three, of some rows only, with words on either side of the marks."""
    plain = findings()
    points = Layer(mark="point", table="gains", x="pairs", y="gain", colour="groups")
    return replace(plain, figures=(
        Figure(name="points", title="Points", subtitle="one layer", x=Axis(title="Pairs"), y=Axis(title="Gain"),
               layers=(points,), where=("metric", "ter")),
        Figure(name="three", title="Three", subtitle="three layers", x=Axis(title="Pairs"), y=Axis(title="Share"),
               layers=(
                   replace(points, colour="metric"),
                   Layer(mark="line", table="gains", x="pairs", y="share", colour="metric"),
                   Layer(mark="text", table="gains", x="pairs", y="share", label="groups", colour="metric"),
               )),
    ))


def rechecked_in_full() -> Recheck:
    """Whole numbers among those that were printed, and draws that only the p-values tell of."""
    plain = audits.rechecked()
    one = plain.numbers[0]
    return replace(
        plain, procedure="randomization", resamples=999, resamples_from="p-values", seed_of_tool=None,
        numbers=(
            replace(one, printed=51.0, text="51", remade=51.48, ours=52.19),
            replace(one, quantity="p", printed=0.031, text="0.031", remade=0.0312, outcome="same", ours=0.0333),
            replace(one, system="t100", printed_system="t100.txt", printed=53.9, text="53.9", remade=53.87, ours=54.61),
        ),
    )


def audited_once() -> Audit:
    """One test on one kind of null versions."""
    plain = audits.audited()
    return replace(plain, checks=plain.checks[:1])
