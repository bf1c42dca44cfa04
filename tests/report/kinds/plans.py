"""Plans of experiments."""

from __future__ import annotations

from outscore.results.power import Power, PowerPoint, RunsAndItems
from outscore.results.ppv import PpvAtAlpha, PpvOfSetting, PredictiveValue
from tests.report.kinds.shared import made, note

# fmt: off

def planned_t() -> Power:
    """From a standard deviation."""
    return Power(
        seed=12345, alpha=0.05,
        provenance=made(n_resamples=999, test="t:sd=0.35", n_items_read=0, citations=("Student 1908; Cohen 1988",)),
        plan="t:sd=0.35",
        assumes=(
            "the differences are independent and near normal, with standard deviation 0.35; every 1.8 items "
            "count as one"
        ),
        test="paired t", null="the mean difference on new items is 0", p_kind="asymptotic", alternative="two-sided",
        metric="", unit="unit of the scores", sizes="items", gain=0.02, target=0.8, range_is="",
        points=(
            PowerPoint(
                n=1083, power=0.2879, power_ci=None, type_s=0.001356, type_m=1.844, detectable_gain=0.04004,
                sets=None, mean_gain=None,
            ),
            PowerPoint(
                n=2166, power=0.5083, power_ci=None, type_s=7.995e-05, type_m=1.396, detectable_gain=0.02829,
                sets=None, mean_gain=None,
            ),
            PowerPoint(
                n=3249, power=0.6796, power_ci=None, type_s=8.479e-06, type_m=1.217, detectable_gain=0.02309,
                sets=None, mean_gain=None,
            ),
            PowerPoint(
                n=4331, power=0.8001, power_ci=None, type_s=1.199e-06, type_m=1.125, detectable_gain=0.02,
                sets=None, mean_gain=None,
            ),
            PowerPoint(
                n=6497, power=0.9295, power_ci=None, type_s=3.746e-08, type_m=1.042, detectable_gain=0.01633,
                sets=None, mean_gain=None,
            ),
            PowerPoint(
                n=8662, power=0.9774, power_ci=None, type_s=1.615e-09, type_m=1.014, detectable_gain=0.01414,
                sets=None, mean_gain=None,
            ),
        ),
        items_needed=4331.0, items_range=None,
    )


def planned_mcnemar() -> Power:
    """From shares of right answers."""
    return Power(
        seed=12345, alpha=0.05,
        provenance=made(
            n_resamples=999, test="mcnemar:baseline=0.8,agreement=0.9,variant=midp", n_items_read=0,
            citations=("McNemar 1947; Connor 1987; Card et al. 2020",),
        ),
        plan="mcnemar:baseline=0.8,agreement=0.9",
        assumes="independent items; the baseline is right on 0.8 of them; the systems agree on 0.9",
        test="McNemar mid-p", null="the systems are right equally often", p_kind="exact", alternative="two-sided",
        metric="", unit="accuracy 0-1", sizes="items", gain=0.02, target=0.8, range_is="",
        points=(
            PowerPoint(
                n=488, power=0.2851, power_ci=None, type_s=0.001373, type_m=1.845, detectable_gain=0.03945,
                sets=None, mean_gain=None,
            ),
            PowerPoint(
                n=975, power=0.5051, power_ci=None, type_s=7.909e-05, type_m=1.397, detectable_gain=0.02819,
                sets=None, mean_gain=None,
            ),
            PowerPoint(
                n=1462, power=0.6787, power_ci=None, type_s=8.453e-06, type_m=1.217, detectable_gain=0.02306,
                sets=None, mean_gain=None,
            ),
            PowerPoint(
                n=1949, power=0.8, power_ci=None, type_s=1.19e-06, type_m=1.125, detectable_gain=0.02, sets=None,
                mean_gain=None,
            ),
            PowerPoint(
                n=2924, power=0.9299, power_ci=None, type_s=3.687e-08, type_m=1.042, detectable_gain=0.01635,
                sets=None, mean_gain=None,
            ),
            PowerPoint(
                n=3898, power=0.9777, power_ci=None, type_s=1.583e-09, type_m=1.014, detectable_gain=0.01417,
                sets=None, mean_gain=None,
            ),
        ),
        items_needed=1949.0, items_range=None,
    )


def planned_fake() -> Power:
    """From fake data."""
    return Power(
        seed=12345, alpha=0.05, notes=(note("power_not_reached"),),
        provenance=made(
            n_resamples=999, test="bootstrap", n_items_read=0,
            citations=("O'Connor 2015, NLP evaluation (lecture)", "Card et al. 2020"),
        ),
        plan="fake:p10=0.1,p01=0.05",
        assumes="independent items; the system alone is right on 0.1, the baseline alone on 0.05",
        test="bootstrap", null="the expected gain on new items is 0", p_kind="monte-carlo", alternative="two-sided",
        metric="", unit="unit of the scores", sizes="items", gain=0.05, target=0.8,
        range_is="99% Monte-Carlo interval",
        points=(
            PowerPoint(
                n=200, power=0.45, power_ci=(0.3219, 0.583), type_s=0.0, type_m=1.516, detectable_gain=None,
                sets=100, mean_gain=0.05235,
            ),
            PowerPoint(
                n=400, power=0.71, power_ci=(0.58, 0.8194), type_s=0.0, type_m=1.202, detectable_gain=None,
                sets=100, mean_gain=0.05175,
            ),
        ),
        items_needed=None, items_range=(376.6, None),
    )


def planned_pilot() -> Power:
    """From a pilot."""
    return Power(
        seed=12345, alpha=0.05, notes=(note("small_pilot"), note("power_not_reached")),
        provenance=made(n_resamples=999, test="t", citations=("the arithmetic mean", "Card et al. 2020")),
        plan="pilot",
        assumes="items of the pilot drawn with replacement, a constant of +0.03202 added to the gain of each item",
        test="t", null="the mean difference on new items is 0", p_kind="monte-carlo", alternative="two-sided",
        metric="mean", unit="units of the score", sizes="items", gain=0.03, target=0.8,
        range_is="99% Monte-Carlo interval",
        points=(
            PowerPoint(
                n=50, power=0.3833, power_ci=(0.2283, 0.5573), type_s=0.0, type_m=1.753, detectable_gain=0.05433,
                sets=60, mean_gain=0.03367,
            ),
            PowerPoint(
                n=100, power=0.6833, power_ci=(0.5104, 0.8263), type_s=0.0, type_m=1.314, detectable_gain=0.03803,
                sets=60, mean_gain=0.03242,
            ),
        ),
        items_needed=None, items_range=(92.9, None), system="birch", baseline="ash", pilot_items=48,
        pilot_gain=-0.002021,
    )


def planned_runs() -> Power:
    """Runs and items for a budget."""
    return Power(
        seed=12345, alpha=0.05, notes=(note("small_pilot"), note("pilot_of_few_runs")),
        provenance=made(n_resamples=999, n_items_read=30, citations=("the arithmetic mean", "Clark et al. 2011")),
        plan="pilot",
        assumes=(
            "3 runs of each system; variance 0.000112 between runs, 0.000569 between items within a system, "
            "0.00918 left"
        ),
        test="crossed t",
        null="the methods do not differ over new runs and new items",
        p_kind="asymptotic", alternative="two-sided", metric="mean", unit="units of the score", sizes="items",
        gain=0.05, target=0.8, range_is="",
        points=(
            PowerPoint(
                n=15, power=0.3743, power_ci=None, type_s=0.0002696, type_m=1.357, detectable_gain=0.08768,
                sets=None, mean_gain=None,
            ),
            PowerPoint(
                n=30, power=0.6032, power_ci=None, type_s=1.126e-05, type_m=1.173, detectable_gain=0.06368,
                sets=None, mean_gain=None,
            ),
            PowerPoint(
                n=45, power=0.7293, power_ci=None, type_s=1.407e-06, type_m=1.106, detectable_gain=0.0547,
                sets=None, mean_gain=None,
            ),
            PowerPoint(
                n=60, power=0.8024, power_ci=None, type_s=3.033e-07, type_m=1.073, detectable_gain=0.04984,
                sets=None, mean_gain=None,
            ),
            PowerPoint(
                n=90, power=0.8774, power_ci=None, type_s=3.472e-08, type_m=1.043, detectable_gain=0.04462,
                sets=None, mean_gain=None,
            ),
            PowerPoint(
                n=120, power=0.9127, power_ci=None, type_s=7.878e-09, type_m=1.03, detectable_gain=0.04185,
                sets=None, mean_gain=None,
            ),
        ),
        items_needed=60.0, items_range=None, system="birch", baseline="ash", pilot_items=30, pilot_gain=0.02096,
        designs=(
            RunsAndItems(runs=2, items=2600, cost=3000.0, power=0.6718, best=False),
            RunsAndItems(runs=3, items=2400, cost=3000.0, power=0.9847, best=False),
            RunsAndItems(runs=4, items=2200, cost=3000.0, power=0.9996, best=False),
            RunsAndItems(runs=5, items=2000, cost=3000.0, power=1.0, best=False),
            RunsAndItems(runs=6, items=1800, cost=3000.0, power=1.0, best=False),
            RunsAndItems(runs=8, items=1400, cost=3000.0, power=1.0, best=False),
            RunsAndItems(runs=10, items=1000, cost=3000.0, power=1.0, best=False),
            RunsAndItems(runs=12, items=600, cost=3000.0, power=1.0, best=True),
        ),
        budget=3000.0,
    )


def predictive_value() -> PredictiveValue:
    """What a significant result is worth."""
    return PredictiveValue(
        seed=0, alpha=0.05,
        provenance=made(
            n_resamples=0, test="", n_items_read=1, engine="iid",
            citations=("Ioannidis 2005", "Søgaard et al. 2014"),
        ),
        odds=0.1, prior=0.09091, power=0.5, positives=0.09229, bias=0.1015, teams=10, wanted=0.95,
        worth=(
            PpvOfSetting(setting="plain", ppv=0.5, cutoff=0.002632),
            PpvOfSetting(setting="bias", ppv=0.275, cutoff=None),
            PpvOfSetting(setting="teams", ppv=0.1993, cutoff=0.0005271),
        ),
        curve=(
            PpvAtAlpha(alpha=0.1, ppv=0.3333, ppv_bias=0.2245, ppv_teams=0.133),
            PpvAtAlpha(alpha=0.07943, ppv=0.3863, ppv_bias=0.2428, ppv_teams=0.1507),
            PpvAtAlpha(alpha=0.0631, ppv=0.4421, ppv_bias=0.2597, ppv_teams=0.1726),
            PpvAtAlpha(alpha=0.05012, ppv=0.4994, ppv_bias=0.2749, ppv_teams=0.199),
            PpvAtAlpha(alpha=0.05, ppv=0.5, ppv_bias=0.275, ppv_teams=0.1993),
            PpvAtAlpha(alpha=0.03981, ppv=0.5567, ppv_bias=0.2882, ppv_teams=0.2303),
            PpvAtAlpha(alpha=0.03162, ppv=0.6126, ppv_bias=0.2998, ppv_teams=0.2666),
            PpvAtAlpha(alpha=0.02512, ppv=0.6656, ppv_bias=0.3097, ppv_teams=0.3078),
            PpvAtAlpha(alpha=0.02, ppv=0.7143, ppv_bias=0.3179, ppv_teams=0.3532),
            PpvAtAlpha(alpha=0.01995, ppv=0.7148, ppv_bias=0.318, ppv_teams=0.3537),
            PpvAtAlpha(alpha=0.01585, ppv=0.7593, ppv_bias=0.3249, ppv_teams=0.4036),
            PpvAtAlpha(alpha=0.01259, ppv=0.7989, ppv_bias=0.3307, ppv_teams=0.4564),
            PpvAtAlpha(alpha=0.01, ppv=0.8333, ppv_bias=0.3354, ppv_teams=0.511),
            PpvAtAlpha(alpha=0.007943, ppv=0.8629, ppv_bias=0.3392, ppv_teams=0.5658),
            PpvAtAlpha(alpha=0.00631, ppv=0.8879, ppv_bias=0.3423, ppv_teams=0.6196),
            PpvAtAlpha(alpha=0.005012, ppv=0.9089, ppv_bias=0.3448, ppv_teams=0.6709),
            PpvAtAlpha(alpha=0.005, ppv=0.9091, ppv_bias=0.3448, ppv_teams=0.6714),
            PpvAtAlpha(alpha=0.003981, ppv=0.9263, ppv_bias=0.3468, ppv_teams=0.7187),
            PpvAtAlpha(alpha=0.003162, ppv=0.9405, ppv_bias=0.3484, ppv_teams=0.7622),
            PpvAtAlpha(alpha=0.002512, ppv=0.9522, ppv_bias=0.3497, ppv_teams=0.8009),
            PpvAtAlpha(alpha=0.0025, ppv=0.9524, ppv_bias=0.3498, ppv_teams=0.8016),
            PpvAtAlpha(alpha=0.001995, ppv=0.9616, ppv_bias=0.3508, ppv_teams=0.8348),
            PpvAtAlpha(alpha=0.001585, ppv=0.9693, ppv_bias=0.3516, ppv_teams=0.8639),
            PpvAtAlpha(alpha=0.001259, ppv=0.9754, ppv_bias=0.3523, ppv_teams=0.8886),
            PpvAtAlpha(alpha=0.001, ppv=0.9804, ppv_bias=0.3528, ppv_teams=0.9094),
            PpvAtAlpha(alpha=0.0007943, ppv=0.9844, ppv_bias=0.3532, ppv_teams=0.9266),
            PpvAtAlpha(alpha=0.000631, ppv=0.9875, ppv_bias=0.3535, ppv_teams=0.9408),
            PpvAtAlpha(alpha=0.0005012, ppv=0.9901, ppv_bias=0.3538, ppv_teams=0.9523),
            PpvAtAlpha(alpha=0.0005, ppv=0.9901, ppv_bias=0.3538, ppv_teams=0.9524),
            PpvAtAlpha(alpha=0.0003981, ppv=0.9921, ppv_bias=0.354, ppv_teams=0.9617),
            PpvAtAlpha(alpha=0.0003162, ppv=0.9937, ppv_bias=0.3542, ppv_teams=0.9694),
            PpvAtAlpha(alpha=0.0002512, ppv=0.995, ppv_bias=0.3543, ppv_teams=0.9755),
            PpvAtAlpha(alpha=0.0002, ppv=0.996, ppv_bias=0.3544, ppv_teams=0.9804),
            PpvAtAlpha(alpha=0.0001995, ppv=0.996, ppv_bias=0.3544, ppv_teams=0.9804),
            PpvAtAlpha(alpha=0.0001585, ppv=0.9968, ppv_bias=0.3545, ppv_teams=0.9844),
            PpvAtAlpha(alpha=0.0001259, ppv=0.9975, ppv_bias=0.3546, ppv_teams=0.9876),
            PpvAtAlpha(alpha=0.0001, ppv=0.998, ppv_bias=0.3546, ppv_teams=0.9901),
        ),
        p=0.03, risk=0.7409,
    )
