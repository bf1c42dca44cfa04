"""What a judge with some human labels is told of: who outscores whom in human labels, and what the judge is worth."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.results.judge import JudgeBias, Judgements
from tests.report.kinds.judges import judged
from tests.report.kinds.rare import judged_many


def first(result: Judgements) -> str:
    """The first screen on one line."""
    text = result.to("terminal:columns=80")
    assert len(text.splitlines()) <= 25
    return " ".join(text.split())


def answer(result: Judgements) -> str:
    """The same without what is said of the judge before it."""
    return first(replace(result, biases=()))


def changed(estimate: float, p: float, ci: tuple[float, float]) -> Judgements:
    """Another gain by the judge and the labels together."""
    plain = judged()
    return replace(
        plain,
        estimates=tuple(
            replace(e, value=estimate, p_adjusted=p, ci=ci)
            if e.baseline is not None and e.method == "prediction-powered"
            else e
            for e in plain.estimates
        ),
    )


def test_a_gain_that_is_not_shown_is_said_with_its_interval() -> None:
    said = answer(judged())
    assert said.startswith(
        "birch is not shown to differ from ash in correct: +0.116 (95% CI -0.024 to 0.256, p = .10). "
        "With llm 60 human labels of a system tell as much as 97 do alone."
    )


def test_the_better_one_outscores_and_its_interval_is_on_its_side() -> None:
    gain = answer(changed(0.2, 0.003, (0.05, 0.35)))
    assert gain.startswith("birch outscores ash in correct by 0.200 (95% CI 0.050 to 0.350, p = .003).")
    loss = answer(changed(-0.2, 0.003, (-0.35, -0.04)))
    assert loss.startswith("ash outscores birch in correct by 0.200 (95% CI 0.040 to 0.350, p = .003).")


def test_the_p_that_decides_is_the_corrected_one() -> None:
    """Each by itself p is .1026; the pair is decided by what the correction makes of it."""
    assert "p = .040)" in first(changed(0.2, 0.0401, (0.05, 0.35)))


def test_the_table_holds_labels_and_judge_together_and_the_judge_alone_beside() -> None:
    rows = [line.split() for line in judged().to("terminal:columns=80").splitlines()]
    assert ["ash", "0.487", "[0.386,", "0.588]", "0.533"] in rows
    assert [*["birch", "0.598", "[0.494,", "0.701]", "+0.116", "[-0.024,", "+0.256]", ".10", "0.580"]] in rows


def test_scores_are_told_where_there_is_one_system() -> None:
    plain = judged()
    alone = replace(plain, estimates=tuple(e for e in plain.estimates if e.system == "ash"))
    assert answer(alone).startswith("ash: 0.487 by human labels (95% CI 0.386 to 0.588). With llm 60 human labels tell")


def test_a_gain_that_is_not_the_difference_of_the_scores_beside_it_is_explained() -> None:
    """0.5975 - 0.4868 is 0.1107; it is said of the numbers as they are written, and of lower labels turned round."""
    said = "Scores and gains are estimated each by itself, so that they need not add up."
    assert said in first(judged())  # +0.116
    added = changed(0.1108, 0.1, (-0.024, 0.256))
    assert said not in first(added)
    turned = changed(-0.1108, 0.1, (-0.256, 0.024))
    assert said in first(turned)
    assert said not in first(replace(turned, options={"lower": True}))
    assert said not in first(judged_many())  # which has no scores


def test_many_systems_are_counted() -> None:
    said = answer(judged_many())
    assert said.startswith(
        "3 of 5 systems outscore ash in correct, most of all fir: by 0.149 (95% CI 0.078 to 0.218, p < .001); "
        "1 is outscored by it; 1 is not shown to differ. With llm 56 to 60 human labels of a system tell as much as "
        "90 to 94 do alone."
    )
    assert "p by Holm over 5 gains, intervals each by itself. 56 to 60 of 150 items in 31 clusters labelled" in said
    assert "31 clusters labelled by humans, all by llm." in said


def biased(*of: tuple[str, float, tuple[float, float] | None]) -> Judgements:
    """The same with another bias of each of some systems."""
    made = (JudgeBias(system=s, baseline=None, bias=b, ci=ci, n_labelled=60, same=0.9) for s, b, ci in of)
    return replace(judged(), biases=tuple(made))


def test_the_first_line_says_whether_the_judge_is_off() -> None:
    two = ", the most of 2 systems; both say the same on"
    assert first(judged()).startswith(
        f"llm alone is off: it scores birch 0.117 above humans where they labelled (95% CI 0.019 to 0.221){two} 87% "
    )
    # of those that are shown the furthest, however far others lie
    unsure, sure = ("ash", 0.2, (-0.01, 0.4)), ("birch", -0.1, (-0.15, -0.05))
    assert first(biased(unsure, sure)).startswith(
        f"llm alone is off: it scores birch 0.100 below humans where they labelled (95% CI -0.150 to -0.050){two}"
    )
    assert first(biased(unsure, ("birch", -0.1, (-0.3, 0.1)))).startswith(
        "llm is not shown to be off, though it may be by as much as 0.400, more than the gain found: "
        f"it scores ash 0.200 above humans where they labelled (95% CI -0.010 to 0.400){two}"
    )
    assert first(biased(("ash", 0.0, None))).startswith(
        "llm is not shown to be off: it scores as humans do on average where they labelled; both say"
    )
    assert "as humans do on average where they labelled; both" in first(
        biased(("ash", 0.0, None), ("birch", 0.0, None))
    )
    assert " off" not in first(biased())


def test_a_judge_is_held_against_chance_and_against_labels_alone() -> None:
    """One that guesses says the same as humans on half of the items, and saves no label."""
    draw = np.random.default_rng(2)
    known = np.arange(300) < 100
    labels = {name: np.where(known, draw.integers(0, 2, 300), np.nan) for name in "ab"}
    frame = pd.concat([
        pd.DataFrame({"system": name, "item": range(300), "human": labels[name], "judge": draw.integers(0, 2, 300)})
        for name in "ab"
    ])  # fmt: skip
    found = outscore.judge(frame, human="human", judge="judge")
    said = first(found)
    assert re.search(
        r"^judge is not shown to be off, though it may be by as much as 0\.\d+, more than the gain found: ", said
    )
    assert re.search(r"both say the same on \d\d% of 200 labels, by chance on (49|50|51)% \(κ = -?0\.[01]\d\)\.", said)
    assert "judge adds nothing: intervals are no narrower than by 100 human labels." in said
    few = replace(found, estimates=tuple(replace(e, worth=e.worth and 100.6) for e in found.estimates))
    assert "judge adds next to nothing: with it 100 human labels of a system tell as much as 101 do alone." in first(
        few
    )
    graded = replace(found, biases=tuple(replace(one, chance=None) for one in found.biases))
    assert "by chance" not in graded.to("terminal:detail=full")


@pytest.mark.parametrize(("systems", "of"), [("a", ""), ("ab", " for gains")])
def test_a_judge_of_too_few_labelled_errors_is_not_used_rather_than_of_no_help(systems: str, of: str) -> None:
    right = np.arange(100) % 5 > 1
    rows = [(s, i, float(r) if i < 40 else None, float(r)) for s in systems for i, r in enumerate(right)]
    found = outscore.judge(pd.DataFrame(rows, columns=["system", "item", "human", "llm"]), human="human")
    assert f"llm is not used{of}: there are too few labelled errors to tell how far it errs." in first(found)
    assert "adds nothing" not in first(found)


def test_means_of_samples_are_not_called_labels() -> None:
    """Of two samples of each of 40 items judge and human differ on one in ten: means differ on one in five."""
    rows = [(i, k, i % 2, i % 2 ^ (k == 0 and i % 5 == 0)) for i in range(40) for k in range(2)]
    for samples, said in (
        (2, "both have the same mean of samples on 80% of 40 cases"),
        (1, "say the same on 80% of 40 labels"),
    ):
        frame = pd.DataFrame(rows, columns=["item", "epoch", "human", "llm"])
        found = outscore.judge(frame[frame["epoch"] < samples], human="human")
        assert said in first(found)


def test_what_the_judge_alone_claims_beyond_the_labels_is_said() -> None:
    """Of gains that are open by the labels, the largest that the judge's own interval decides."""
    made = judged()

    def alone(ends: tuple[float, float], value: float, p: float = 0.4) -> str:
        changed = [
            replace(e, value=value, ci=ends) if e.method == "judge" else replace(e, p_value=p, p_adjusted=None)
            for e in made.estimates
            if e.baseline is not None and e.method in ("judge", "prediction-powered")
        ]
        return first(replace(made, estimates=tuple(changed)))

    claim = "llm alone would have {} outscore {} by 0.070 (95% CI 0.004 to 0.136), which the human labels do not show."
    assert claim.format("birch", "ash") in alone((0.004, 0.136), 0.07)
    assert claim.format("ash", "birch") in alone((-0.136, -0.004), -0.07)
    assert "llm alone would" not in alone((0.0, 0.136), 0.07)
    assert "llm alone would" not in alone((-0.136, 0.0), -0.07)
    assert "llm alone would" not in alone((0.004, 0.136), 0.07, p=0.01)


def test_biases_stand_with_all_numbers_beside_the_scores_by_method() -> None:
    whole = judged().to("terminal:detail=full,columns=100")
    rows = [" ".join(line.split()) for line in whole.partition("llm less correct on labelled items")[2].splitlines()]
    assert rows[2:5] == [
        "ash 60 -0.017 [-0.102, +0.067] 0.88",
        "birch 60 +0.117 [+0.019, +0.221] 0.85",
        "birch over ash 60 +0.133 [+0.021, +0.246] 0.73",
    ]
    assert "those of the judge's bias together" in " ".join(whole.split())
    assert "bias together" not in " ".join(replace(judged(), correction="none").to("terminal:detail=full").split())
