"""The rules of ``recheck``: what agrees within chance, which metric is printed, how many draws there were."""

from __future__ import annotations

import math
from types import SimpleNamespace as Made
from typing import Any

import numpy as np
import pytest

from outscore.data.printed.records import Number, number
from outscore.metrics import metrics
from outscore.metrics.bleu import Bleu
from outscore.metrics.chrf import Chrf
from outscore.metrics.ter import Ter
from outscore.results.recheck import Reason
from outscore.significance.sacrebleu import Drawn
from outscore.verbs.recheck import multeval, sacrebleu
from outscore.verbs.recheck.records import (
    decision,
    explain_rest,
    metric_of_multeval,
    metric_of_sacrebleu,
    tolerate_chance,
    variants,
)
from tests.verbs.flat import near


def shown(text: str, *, whole: bool = False) -> Number:
    found = number(text, whole=whole)
    assert found is not None
    return found


def pair(p: float | None, **more: Any) -> Any:
    fields = {
        "n_resamples": 400,
        "test": "t",
        "null": "none",
        "question": "which?",
        "p_adjusted": p,
        "verdict": "",
        "notes": (),
    }
    return Made(**{**fields, "p_value": p, "system": "new", **more})


def test_chance_of_two_drawn_numbers() -> None:
    assert tolerate_chance(0.2, 99, 400) == pytest.approx(4 * math.sqrt(0.16 * (1 / 99 + 1 / 400)) + 1 / 100)
    assert tolerate_chance(0.0, 400, 99) == pytest.approx(4 * math.sqrt(0.01 * (1 / 99 + 1 / 400)) + 1 / 100)


def test_what_is_left_between_two_p() -> None:
    edge = tolerate_chance(0.0, 100, 400)
    for p, code, of in (
        (0.0, None, {}),
        (1.0, "other_test", {"test": "t", "null": "none", "cluster": "d"}),
        (edge, "drawing", {"resamples": 100, "ours": 400}),
    ):
        found = explain_rest(0.0, pair(p), 100, "d")
        assert found == (None if code is None else Reason(code=code, values={"rest": p, **of}))
    below = explain_rest(0.5, pair(0.4), 100, None)
    assert below is not None
    assert (below.code, below.values["rest"]) == ("drawing", near(-0.1))
    assert explain_rest(0.0, pair(None), 100, None) == Reason(code="no_p", values={"test": "t"})


@pytest.mark.parametrize(
    ("printed", "p", "verdict", "theirs"),
    [
        ("0.05", 0.06, "", "a difference"),
        ("0.05", 0.04, "better", None),
        ("0.05", 0.04, "worse", None),
        ("0.06", 0.04, "better", "none"),
        ("0.06", 0.06, "", None),
        ("0.06", None, "better", None),
    ],
)
def test_a_reader_of_the_file_may_conclude_otherwise(
    printed: str, p: float | None, verdict: str, theirs: str | None
) -> None:
    found = decision(shown(printed), pair(p, verdict=verdict), 0.05, "holm", 3)
    values = {"alpha": 0.05, "theirs": theirs, "p": p, "correction": "holm", "family": 3}
    assert found == (None if theirs is None else Reason(code="decision", values=values))


@pytest.mark.parametrize(
    ("name", "signature", "expected"),
    [
        ("BLEU", "", "bleu"),
        ("BLEU", "tok:ja-mecab-0.996|case:lc", "bleu:tokenize=ja-mecab,lowercase=true"),
        ("BLEU", "smooth:floor[0.5]", "bleu:smooth=floor,smooth_value=0.5"),
        ("BLEU", "tok:intl|s:add-k|eff:yes", "bleu:tokenize=intl,smooth=add-k,effective_order=true"),
        ("BLEU", "smooth:other|eff:no", "bleu"),
        ("chrF2", "", "chrf"),
        ("chrF", "", "chrf:beta=2"),
        ("chrF3++", "", "chrf:beta=3,word_order=2"),
        ("chrF999", "", "chrf:beta=999"),
        ("chrF1000", "", "chrf:beta=2"),
        ("chrF2+", "nc:5|nw:0|case:lc", "chrf:char_order=5,lowercase=true"),
        ("chrF2", "space:yes|eff:no", "chrf:whitespace=true,eps_smoothing=true"),
        ("chrF2", "nc:six|s:yes", "chrf:whitespace=true"),
        ("TER", "case:lc", "ter"),
        ("TER", "nr:yes|pn:no", "ter:normalized=true,no_punct=true"),
        ("TER", "as:yes|case:mixed", "ter:asian_support=true,case_sensitive=true"),
        ("METEOR", "", None),
    ],
)  # fmt: skip
def test_the_metric_of_a_signature(name: str, signature: str, expected: str | None) -> None:
    options = dict(part.split(":") for part in signature.split("|") if part)
    made = None if expected is None else metrics.make(expected)
    assert metric_of_sacrebleu(name, options, {}) == made
    named = {"bleu": Bleu(tokenize="zh"), "chrf": Chrf(beta=1), "ter": Ter(normalized=True)}
    assert metric_of_sacrebleu(name, options, {**named}) == (None if made is None else named[made.name])


def test_metrics_of_multeval() -> None:
    made = {name: metric_of_multeval(name, {}) for name in ("BLEU", "TER", "Length", "METEOR")}
    found = {name: (one[0].label, one[1]) if one else None for name, one in made.items()}
    assert found == {
        "BLEU": ("bleu:tokenize=none", 1),
        "TER": ("ter:case_sensitive=true", 1),
        "Length": (metrics.make("length_ratio:tested=true").label, 100),
        "METEOR": None,
    }
    assert metric_of_multeval("BLEU", {"bleu": Bleu()}) == (Bleu(), 1)


def test_options_that_are_tried_in_turn() -> None:
    of_bleu = [*variants(Bleu(tokenize="intl"))]
    tokenizers = ("intl", "none", "13a", "char", "zh")
    assert [(b.tokenize, b.lowercase) for b in of_bleu[:-3] if isinstance(b, Bleu)] == [
        (t, low) for low in (False, True) for t in tokenizers
    ]
    assert [b.smooth for b in of_bleu[-3:] if isinstance(b, Bleu)] == ["none", "floor", "add-k"]
    assert [*variants(Chrf())] == [Chrf(lowercase=True), Chrf(whitespace=True), Chrf(eps_smoothing=True)]
    assert [*variants(Ter())] == [Ter(case_sensitive=True), Ter(normalized=True), Ter(no_punct=True)]


def given(procedure: str = "bootstrap", *, seed: int | None = 12345, **more: Any) -> Any:
    asked = Made(tool_resamples=more.pop("tool_resamples", None), alpha=0.05, metrics=None)
    printed = Made(procedure=procedure, n_resamples=None, rows=(), signatures={}, **more)
    return Made(printed=printed, tool_seed=seed, asked=asked, data=Made(systems=("base", "new"), runs={"new": ("1",)}))


@pytest.mark.parametrize(
    ("procedure", "ps", "expected"),
    [
        ("scores", [], (None, "default")),
        ("interval", [], (1000, "default")),
        ("bootstrap", [], (1000, "default")),
        ("randomization", [], (10_000, "default")),
        ("bootstrap", [7 / 1001], (1000, "default")),
        *(
            ("bootstrap", [1 / step], (n, "p-values"))
            for step, n in ((67, 200), (53, 900), (79, 1500), (3167, 9500), (137, 10_000), (9091, 100_000))
        ),
        *(("randomization", [1 / (n + 1)], (n, "p-values")) for n in (1500, 2000)),
        *(("bootstrap", [1 / (n + 1)], (n, "p-values")) for n in (1, 999, 9950, 105_000)),
        ("bootstrap", [1 / 1_000_001], (1_000_000, "p-values")),
        ("bootstrap", [0.25, 0.2], (19, "p-values")),
    ],
)  # fmt: skip
def test_how_many_draws_there_were(procedure: str, ps: list[float], expected: tuple[int | None, str]) -> None:
    """p is a count over n + 1; of several n that fit, the first that people ask for."""
    asked = given(procedure)
    asked.printed.rows = [Made(numbers={"p": shown(repr(p), whole=True)}) for p in ps]
    assert sacrebleu._resamples(asked) == expected
    if expected[0] is not None:
        asked.printed.n_resamples = 77
        assert sacrebleu._resamples(asked) == (77, "file")
        asked.asked.tool_resamples = 88
        assert sacrebleu._resamples(asked) == (88, "option")


def test_printed_numbers_beside_those_made_again() -> None:
    scored: Any = Made(metric=Bleu(), found=True)
    edge, none = (tolerate_chance(p, 1000, 1000) for p in (0.2, 0.0))
    cases: list[tuple[Any, str, Number, float | None, bool, str, list[str]]] = [
        (given(), "p", shown("0.1"), None, True, "not made", ["no_rule"]),
        (given(), "score", shown("20.1"), 20.14, True, "same", ["found_options", "same_score"]),
        (given(), "p", shown("0.1"), 0.14, True, "same", ["same_p"]),
        (given(), "p", shown("0.5"), 0.1, False, "differs", ["other_score"]),
        (given(), "mean", shown("20.1"), 20.2, True, "differs", ["other_draws"]),
        (given(), "p", shown("0.3"), 0.2, True, "within chance", ["other_draws"]),
        (given(seed=None), "p", shown("0.3"), 0.2, True, "within chance", ["unseeded"]),
        (given(seed=0), "p", shown("0.3"), 0.2, True, "within chance", ["unseeded"]),
        (given(seed=1), "p", shown("0.3"), 0.2, True, "within chance", ["other_draws"]),
        (given("interval", seed=0), "half_width", shown("0.3"), 0.2, True, "differs", ["other_draws"]),
        (given(), "p", shown(repr(none), whole=True), 0.0, True, "within chance", ["other_draws"]),
        (given(), "p", shown(repr(0.2 - edge + 1e-9), whole=True), 0.2, True, "within chance", ["other_draws"]),
        (given(), "p", shown(repr(0.2 - edge - 1e-9), whole=True), 0.2, True, "differs", ["beyond_chance"]),
        (given(), "p", shown(f"{0.2 - edge - 0.9e-6:.6f}"), 0.2, True, "within chance", ["other_draws"]),
        (given(), "p", shown(f"{0.2 - edge - 2e-6:.6f}"), 0.2, True, "differs", ["beyond_chance"]),
    ]
    for asked, quantity, printed, remade, fits, outcome, codes in cases:
        found = sacrebleu._compare(quantity, printed, remade, scored, asked, "BLEU", 1000, fits=fits)  # type: ignore[arg-type]
        assert (found[0], [reason.code for reason in found[1]]) == (outcome, codes), (quantity, printed, remade)


def test_numbers_of_one_system_beside_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its mean of resamples against the score, half of its interval against half of ours."""
    statistics = {name: np.array([[2.0, 1.0], [4.0, 1.0]]) for name in ("base", "new")}
    scored = sacrebleu._Scored(Bleu(), found=False, statistics=statistics, score=lambda sums: sums[0] / sums[1])
    asked = given("interval")
    asked.systems = {"a": "base", "b": "new"}
    texts = {"score": "3.0", "mean": "3.5", "half_width": "1.2"}
    row: Any = Made(system="b", metric="BLEU", numbers={name: shown(text) for name, text in texts.items()})
    first: Any = Made(system="a", metric="BLEU", numbers={"score": shown("3.0")})
    record = Made(score=3.25, ci=(1.0, 4.0), ci_method="t")
    ours: Any = Made(score=lambda *_: record)
    drawn = Drawn(p_value=1.0, with_ties=1.0, two_sided=1.0, mean=3.52, half_width=1.7)
    monkeypatch.setattr(sacrebleu, "_draw", lambda *_: (drawn, True))
    for of_first in ("3.0", "9.0"):
        first.numbers["score"], asked.printed.rows = shown(of_first), (first, row)
        score, mean, half = sacrebleu._row(row, scored, asked, ours, 99)
        assert (score.remade, score.ours, score.outcome) == (3.0, 3.25, "same")
        assert (mean.remade, mean.ours, mean.outcome) == (3.52, None, "same")
        assert [reason.code for reason in mean.reasons] == ["same_by_chance", "numpy_1", "mean_of_redrawn"]
        assert mean.reasons[-1].values["bias"] == near(0.52)
        assert (half.remade, half.ours, half.outcome) == (1.7, 1.5, "differs")
        assert half.reasons[0].code == ("other_draws" if of_first == "3.0" else "other_score")
        assert half.reasons[1].values == {"low": 1.0, "high": 4.0, "method": "t"}
    unknown = [*sacrebleu._row(row, scored, asked, ours, None)]
    assert [(one.quantity, one.remade, one.ours) for one in unknown[1:]] == [
        ("mean", None, None),
        ("half_width", None, 1.5),
    ]
    assert unknown[1].reasons[-1].values["bias"] == near(0.5)


@pytest.mark.parametrize(
    ("texts", "remade"),
    [
        ({"mean": "3.5", "half_width": "1.7"}, True),
        ({"mean": "3.6", "half_width": "1.7"}, False),
        ({"mean": "3.5", "half_width": "1.8"}, False),
        ({"score": "9.9", "mean": "3.5"}, True),
    ],
)
def test_all_that_was_printed_of_the_draws_must_come_out(texts: dict[str, str], remade: bool) -> None:
    row: Any = Made(numbers={name: shown(text) for name, text in texts.items()})
    drawn = Drawn(p_value=1.0, with_ties=1.0, two_sided=1.0, mean=3.52, half_width=1.7)
    assert sacrebleu._is_remade(row, drawn) == remade


def test_the_way_from_sacrebleus_p_to_ours() -> None:
    from outscore.results.comparison import Comparison

    class Found(Comparison):
        def __init__(self) -> None:
            object.__setattr__(self, "correction", "holm")
            object.__setattr__(self, "pairs", (1, 2))
            object.__setattr__(self, "provenance", Made(cluster=None))

    drawn: Any = Made(p_value=0.01, with_ties=0.02, two_sided=0.02)
    for procedure, one, codes in (
        ("bootstrap", pair(0.02), ["one_tail", "decision"]),
        ("randomization", pair(0.02), ["ties_left_out", "decision"]),
        ("randomization", pair(0.02, notes=("identical_outputs",)), ["identical"]),
    ):
        ours: Any = Made(pair=lambda *_, one=one: one, result=Found())
        p, reasons = sacrebleu._explain_p(shown("0.010"), drawn, "new", "bleu", given(procedure), ours, 99)
        assert (p, [reason.code for reason in reasons]) == (0.02, codes)
        assert [reason.values["least"] for reason in reasons if reason.code == "identical"] == [0.01] * (
            codes == ["identical"]
        )


@pytest.mark.parametrize(
    ("quantity", "text", "remade", "label", "outcome", "reason"),
    [
        ("p", "0.10", None, "bleu", "not made", Reason(code="no_rule", values={"procedure": "multeval"})),
        ("p", "0.10", 0.104, "bleu", "same", Reason(code="same_from_other_draws")),
        ("score", "20.1", 20.14, "bleu", "same", Reason(code="same_score")),
        ("s_sel", "0.1", 0.2, "bleu", "within chance", Reason(code="unseeded", values={"seed": None, "resamples": 9})),
        ("s_sel", "0.1", 0.4, "bleu", "differs", Reason(code="beyond_chance", values={"resamples": 9})),
        ("score", "20.1", 20.5, "bleu", "differs", Reason(code="other_texts_or_options")),
        ("score", "20.0", 20.5, "ter", "differs", Reason(code="tercom", values={"by": 0.5})),
    ],
)
def test_multevals_numbers_beside_those_made_again(
    quantity: Any, text: str, remade: float | None, label: str, outcome: str, reason: Reason
) -> None:
    assert multeval._compare(quantity, shown(text), remade, 0.1, label, 9) == (outcome, reason)


def test_a_row_of_multeval_has_every_number_by_its_rule_and_by_ours() -> None:
    """Deviations over redrawn items agree within 4 / √n of themselves, p within chance, scores as printed."""
    record = Made(score=0.5, s_sel=0.1, s_test=0.02)
    by = {"coded": pair(0.2), "valid": pair(0.3), "ours": pair(0.1, verdict="")}
    sides: Any = {
        name: Made(pair=lambda *_, one=one: one, score=lambda *_: record, result=None) for name, one in by.items()
    }
    for runs, more in ((1, []), (2, ["runs_as_items"]), (3, ["runs_permuted", "runs_as_items"])):
        asked = given("multeval")
        asked.systems, asked.data.runs = {"system 1": "new"}, {"new": [*"abc"[:runs]]}
        texts = {"score": "50.0", "s_sel": "12.0", "s_opt": "2.0", "p": "0.21"}
        row: Any = Made(system="system 1", metric="Length", numbers={q: shown(text) for q, text in texts.items()})
        found = [*multeval._row(row, Bleu(), 100.0, asked, sides["ours"], sides["coded"], sides["valid"], 400)]
        numbers = [(one.quantity, one.remade, one.ours, one.outcome) for one in found]
        assert numbers == [
            ("score", 50, 50, "same"),
            ("s_sel", 10, 10, "within chance"),
            ("s_opt", 2, 2, "same"),
            ("p", 0.2, 0.1, "within chance"),
        ]
        assert [reason.code for reason in found[3].reasons] == ["unseeded", *more]
    edges = [(f"{10 + 4 * 10 / 20 + by:.3f}", outcome) for by, outcome in ((0, "within chance"), (0.01, "differs"))]
    for text, outcome in edges:
        row.numbers = {"s_sel": shown(text)}
        (one,) = multeval._row(row, Bleu(), 100.0, asked, sides["ours"], None, None, 400)
        assert one.outcome == outcome
    for quantity, text in (("s_sel", "0.1"), ("score", "49.0")):
        row.numbers = {quantity: shown(text)}
        zero: Any = Made(score=lambda *_: Made(score=0.5, s_sel=0.0, s_test=None), pair=None, result=None)
        (one,) = multeval._row(row, Bleu(), 100.0, asked, zero, None, None, 400)
        assert one.outcome == "differs"
    same: Any = pair(1.0, notes=("identical_outputs",))
    (only,) = multeval._explain_p(shown("1.0"), same, None, asked, sides["ours"], 99)
    assert only == Reason(code="identical", values={"least": 0.01})
    row.numbers = {"p": shown("0.2"), "s_sel": shown("0.0")}
    nothing: Any = Made(pair=lambda *_: None, score=lambda *_: Made(score=1.0, s_sel=None, s_test=None), result=None)
    unmade = [*multeval._row(row, Bleu(), 1.0, asked, nothing, None, None, 400)]
    assert [(one.quantity, one.remade, one.ours, one.outcome) for one in unmade] == [
        ("s_sel", None, None, "not made"),
        ("p", None, None, "not made"),
    ]
