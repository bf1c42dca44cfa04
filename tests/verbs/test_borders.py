"""What stands at a border: the last count before words change, the first and last of a list, the file that is named."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import outscore
from outscore import InputError, UsageError
from outscore.base.notes import Note
from outscore.multiplicity.online import online_levels
from outscore.power.plans import Question
from outscore.power.plans.crossed import CrossedPlan
from outscore.verbs import VERBS
from outscore.verbs.declared import declared, find_verb
from outscore.verbs.shared.naming import attribute

# --- items that decide ------------------------------------------------------------------------------------


@pytest.mark.parametrize("most", [1, 2, 5, 9])
def test_the_items_that_decide_are_the_first_and_the_last_of_all(most: int) -> None:
    rng = np.random.default_rng(3)
    base, new = rng.normal(size=(2, 30))
    found = outscore.compare({"base": base, "new": new}, flips=most, n_resamples=99)
    assert found.details is not None
    by_gain = np.argsort(base - new, kind="stable")  # of a mean an item decides as much as it differs
    for_new = [i for i in by_gain[:most] if new[i] > base[i]]
    against = [i for i in by_gain[::-1][:most] if new[i] < base[i]]
    assert [item.item for item in found.details.items] == [str(i + 1) for i in (*for_new, *against)]
    assert [item.influence for item in found.details.items] == pytest.approx(
        [(new - base)[i] / 30 for i in (*for_new, *against)]
    )


# --- systems that lack items ------------------------------------------------------------------------------


@pytest.mark.parametrize("lacking", [1, 3, 4, 5, 7])
def test_four_systems_that_lack_items_are_named_and_more_are_counted(tmp_path: Path, lacking: int) -> None:
    rng = np.random.default_rng(1)
    file = tmp_path / "t.csv"
    rows = ["system,item,score"]
    for s in range(9):
        rows += [f"s{s},i{i},{rng.random():.3f}" for i in range(30) if not (s < lacking and i == s)]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    found = outscore.compare(outscore.read(str(file), missing="pairwise"), missing="pairwise", n_resamples=99)
    (note,) = [note for note in found.notes if note.code == "pairwise_items"]
    names = [int(name) for name in re.findall(r"'s(\d)' lacks 1", note.text.partition(":")[0])]
    assert names == list(range(min(lacking, 4)))
    more = re.search(r" and (\d+) more some", note.text)
    assert (None if more is None else int(more[1])) == (lacking - 4 if lacking > 4 else None)


# --- numbers where labels are compared --------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["scores", "outputs"])
@pytest.mark.parametrize(
    ("numbers", "refused"),
    [
        (".2 .7 .4 .9", True),
        ("0 .7 1 .9", True),
        ("0 1 1 .5", True),
        ("0 1 1 0", False),
        ("-.1 .7 .4 .9", False),
        (".2 .7 .4 1.1", False),
    ],
)
def test_numbers_between_0_and_1_are_no_labels_with_either_end(
    tmp_path: Path, kind: str, numbers: str, refused: bool
) -> None:
    cells = numbers.split()
    files = []
    for name, column in (("good", ["1", "0", "1", "0"]), ("odd", cells)):
        file = tmp_path / f"{name}.csv"
        head = "item,gold,score" if kind == "scores" else "item,gold,output"
        lines = [f"{i},{gold},{cell}" for i, (gold, cell) in enumerate(zip("1010", column, strict=True))]
        file.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
        files.append(f"{name}={file}")

    try:
        outscore.compare(outscore.read(files), metrics="accuracy", n_resamples=99)
        said = ""
    except InputError as error:  # numbers beyond 0 and 1 may be refused in other words
        said = str(error)
    assert (f"{kind} of 'odd' are numbers between 0 and 1" in said) == refused
    if refused:
        assert said.startswith(f"{tmp_path / 'odd.csv'}: ")
    if refused and kind == "outputs":
        first = next(cell for cell in cells if float(cell) not in (0, 1))
        assert f"as {first!r}" in said


# --- samples ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("item", "run"), [(0, 1), (2, 0), (4, 2)])
def test_a_sample_that_is_neither_right_nor_wrong_is_named_by_its_item(item: int, run: int) -> None:
    samples = np.zeros((3, 5))
    samples[run, item] = 0.5
    with pytest.raises(InputError, match=rf"item {item + 1} has 0\.5"):
        outscore.score({"a": samples}, metrics="pass_at_k:k=1")


def test_a_number_that_a_metric_reads_is_missing_from_one_domain() -> None:
    pandas = pytest.importorskip("pandas")
    frames = []
    for system in ("a", "b"):
        length = [1.0, 2.0, 3.0, np.nan, np.nan, np.nan] if system == "a" else [1.0, 2.0, 3.0, 4.0, np.nan, 6.0]
        frames.append(
            pandas.DataFrame(
                {
                    "system": system,
                    "item": list("uvwxyz"),
                    "domain": ["p", "p", "p", "q", "q", "q"],
                    "score": 1.0,
                    "length": length,
                }
            )
        )
    with pytest.raises(InputError, match="'length' is missing") as found:
        outscore.compare(pandas.concat(frames), metrics="mean:column=length", n_resamples=99)
    assert "3 items of system 'a'" in str(found.value)
    assert all(f"'{item}'" in str(found.value) for item in "xyz")


# --- disputes ---------------------------------------------------------------------------------------------


def test_a_disputed_unit_shows_every_label_that_it_got() -> None:
    labels: dict[str, list[str | None]] = {
        "ann": ["x", "y", "x", "y", "x", None],
        "ben": ["x", "x", "y", "y", "x", "x"],
        "cis": ["x", "x", "x", "x", "x", "y"],
    }
    found = outscore.agree(labels, n_resamples=99)
    for unit in found.disputes:
        at = int(unit.unit) - 1
        assert unit.labels == {name: given[at] for name, given in labels.items() if given[at] is not None}


# --- sources ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("systems", "cited"), [("ab", False), ("abc", True)])
def test_who_ranked_systems_is_cited_where_there_are_three(systems: str, cited: bool) -> None:
    rng = np.random.default_rng(1)
    sets = {name: {system: rng.normal(size=30) for system in systems} for name in "xyz"}
    found = outscore.replicate(sets, n_resamples=99)
    assert bool(found.rankings) == cited
    assert any("Friedman" in source for source in found.provenance.citations) == cited


# --- runs against items -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("budget", "divided"), [(42, [(2, 2)]), (41.9, []), (43, [(2, 3)]), (62, [(2, 22), (3, 2)])])
def test_a_budget_pays_for_two_runs_and_two_items_or_for_nothing(budget: float, divided: list[tuple[int, int]]) -> None:
    def plan() -> Any:
        design = "crossed:run=1,item=20,residual=50"
        return outscore.plan(design, effect=2, cost_run=10, cost_item=1, budget=budget)

    if not divided:
        with pytest.raises(outscore.UsageError, match="does not pay for two runs of each system and two items"):
            plan()
        return
    assert [(one.runs, one.items) for one in plan().designs] == divided


def test_items_in_clusters_are_worth_less_beside_runs_too() -> None:
    options: dict[str, Any] = {"effect": 2, "cost_run": 10, "cost_item": 1, "budget": 400}
    found = outscore.plan("crossed:run=1,item=20,residual=50", design_effect=2.5, **options)
    question = Question(effect=2, alpha=0.05, alternative="two-sided", target=0.8)
    for one in found.designs:
        alone = CrossedPlan(run=1, item=20, residual=50, runs=one.runs).power(max(2.0, one.items / 2.5), question)
        assert one.power == pytest.approx(alone.power)


# --- what two runs allow, and what is said twice -----------------------------------------------------------


@pytest.mark.parametrize(("runs", "said"), [((1, 1), False), ((2, 2), True), ((2, 3), True), ((1, 3), False)])
def test_null_versions_of_two_runs_and_more_are_modelled(runs: tuple[int, int], said: bool) -> None:
    rng = np.random.default_rng(1)
    data = {name: rng.normal(size=(k, 40)) for name, k in zip("ab", runs, strict=True)}
    found = outscore.audit(data, test=["auto"], rounds=20, n_resamples=49)
    assert ("runs_modelled" in {note.code for note in found.notes}) == said


def test_a_metric_that_describes_keeps_the_answer_beside_the_others_in_the_other_way() -> None:
    rng = np.random.default_rng(1)
    words = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "one", "more", "dog", "near", "it"]
    references = [" ".join(rng.permutation(words)) for _ in range(30)]

    def outputs(errors: int) -> list[list[str]]:
        cut = [[line.split() for line in references] for _ in range(2)]
        return [[" ".join(line[: 12 - rng.integers(errors)]) for line in run] for run in cut]

    found = outscore.compare(
        {"a": outputs(2), "b": outputs(5)},
        references=references,
        metrics=["bleu", "length_ratio"],
        test="multeval",
        n_resamples=99,
    )
    assert {pair.metric: pair.otherwise is not None for pair in found.pairs}["bleu"]


def test_a_decision_that_hangs_on_the_drawing_is_said_of_pairs_or_not_at_all() -> None:
    for seed in range(40, 50):  # of seed 44 the joint law alone is open, of a pair whose own p is above alpha
        rng = np.random.default_rng(seed)
        base = rng.normal(size=60)
        data = {"base": base, "a": base + rng.normal(0.26, 1, 60), "b": base + rng.normal(0, 1, 60)}
        found = outscore.compare(data, test="randomization", n_resamples=199, seed=seed)
        pairs = any("decision_unstable" in pair.notes for pair in found.pairs)
        assert ("decision_unstable" in {note.code for note in found.notes}) == pairs


# --- drawn by a second sample -----------------------------------------------------------------------------


def test_resamples_are_drawn_until_every_decision_of_the_family_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("outscore.verbs.shared.family.AUTO_SIZES", (199, 9_999))
    drawn = []
    for seed, test in ((49, "t"), (44, "randomization")):  # of 44 the joint law is open where the own p is above alpha
        rng = np.random.default_rng(seed)
        base = rng.normal(size=60)
        data = {"base": base, "a": base + rng.normal(0.26, 1, 60), "b": base + rng.normal(0, 1, 60)}
        found = outscore.compare(data, test=test, n_resamples="auto", seed=seed)
        drawn.append(found.provenance.n_resamples)
    assert drawn == [9_999, 199]


@pytest.mark.parametrize("metrics", [["accuracy", "bleu"], ["bleu", "accuracy"], ["bleu"], ["bleu", "exact_match"]])
def test_one_metric_of_labels_is_enough_to_leave_out_what_has_none(metrics: list[str]) -> None:
    gold = ["x y z w v", "p q r s t", "", "k l m n o"]
    found = outscore.compare(
        {"a": ["x y z w v", "p q r s t", "u", "k l m n o"], "b": ["x y z w v", "p q r s z", "u", "k l z n o"]},
        references=gold, metrics=metrics, n_resamples=99,
    )  # fmt: skip
    labels = "accuracy" in metrics
    assert {score.n_items for score in found.scores} == {3 if labels else 4}
    assert ("without_gold" in {note.code for note in found.notes}) == labels


def test_a_share_of_right_samples_keeps_between_0_and_1() -> None:
    pandas = pytest.importorskip("pandas")
    rows = [{"system": "a", "item": i, "sample": s, "score": float(i > 0 or s)} for i in range(12) for s in range(2)]
    (score,) = outscore.score(pandas.DataFrame(rows)).scores
    assert "logit" in score.ci_method
    assert score.ci is not None
    assert 0 < score.ci[0] < score.score < score.ci[1] < 1


@pytest.mark.parametrize("procedure", ["alpha-spending", "lond", "lord", "saffron"])
def test_a_p_at_its_level_rejects(tmp_path: Path, procedure: str) -> None:
    p = 2.0**-6  # seven of seven, by signs
    first = float(online_levels([p], procedure, p)[0]) / p
    alpha = next(
        at for k in range(99) if online_levels([p], procedure, at := p / first * (1 + (k - 49) * 2.0**-52))[0] == p
    )
    data = {name: {f"q{i}": value for i in range(7)} for name, value in (("a", 0.0), ("b", 1.0))}
    for at, rejected in ((alpha, True), (alpha * 0.999, False)):
        kept = outscore.History(file=tmp_path / f"{rejected}.db", correction=procedure)
        found = outscore.compare(data, test="sign", n_resamples=99, history=kept, alpha=at)
        assert found.history is not None
        assert [one.rejected for one in found.history.pairs] == [rejected]


# --- notes, defaults and zeros ----------------------------------------------------------------------------


@pytest.mark.parametrize(("named", "said"), [(3, "a, b, c"), (4, "a, b, c and 1 more")])
def test_a_note_names_three_and_counts_the_rest(named: int, said: str) -> None:
    note = Note(code="x", text="text")
    (found,) = attribute([(name, [note] if i < named else []) for i, name in enumerate("abcdef")])
    assert found.text == f"text ({said})"


def test_outputs_are_texts_where_any_reference_has_a_blank() -> None:
    found = outscore.compare({"a": ["x", "a b"], "b": ["y", "a b c"]}, references=["x", "a b c"], n_resamples=99)
    assert found.scores[0].metric == "bleu"


@pytest.mark.parametrize(("differ", "few"), [(299, True), (300, False)])
def test_differences_are_few_below_three_hundred(differ: int, few: bool) -> None:
    base = np.zeros(400)
    new = np.concatenate([np.random.default_rng(1).normal(0.5, 1, differ), np.zeros(400 - differ)])
    found = outscore.compare({"base": base, "new": new}, test="t")
    assert ("few_differences" in found.pairs[0].notes) == few


@pytest.mark.parametrize(("scale", "test", "said"), [(1, "mcnemar", False), (100, "t", True), (50, "t", False)])
def test_right_or_wrong_answers_in_per_cent_are_told_to_be_divided(scale: int, test: str, said: bool) -> None:
    draw = np.random.default_rng(4)
    answers = {name: scale * (draw.random(60) < share) for name, share in (("a", 0.7), ("b", 0.85))}
    found = outscore.compare(answers)
    assert (found.pairs[0].test, "divide them by 100" in [note.remedy for note in found.notes]) == (test, said)


@pytest.mark.parametrize(("largest", "few"), [(38.9, False), (39.0, True)])
def test_items_that_count_like_fewer_than_a_hundred_are_few(largest: float, few: bool) -> None:
    pandas, draw = pytest.importorskip("pandas"), np.random.default_rng(1)
    words = [largest] + [1.0] * 399
    assert (sum(words) ** 2 / sum(word**2 for word in words) < 100) == few
    errors = {"system": [*["a"] * 400, *["b"] * 400], "item": [*range(400)] * 2, "words": words * 2}
    data = pandas.DataFrame({**errors, "errors": draw.random(800)})
    found = outscore.compare(data, metrics="ratio:num=errors,den=words", n_resamples=20)
    assert ("few_differences" in found.pairs[0].notes) == few


def test_an_audit_draws_as_many_as_make_levels_whole() -> None:
    """Of 999 draws there are 50 p-values of at most .05."""
    assert inspect.signature(outscore.audit).parameters["n_resamples"].default == 999


@pytest.mark.parametrize("least", [-3.0, -0.5])
def test_a_zero_for_what_is_missing_is_refused_where_no_number_is_better(least: float, tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    numbers = {"a": ["0", "0", "0"], "b": [str(least), "0", ""]}
    rows = [f"{system},i{i},{value}" for system, values in numbers.items() for i, value in enumerate(values) if value]
    file.write_text("\n".join(["system,item,score", *rows]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match="0 is the best that"):
        outscore.compare(outscore.read(str(file), missing="zero"), metrics="mean", missing="zero")


def test_a_zero_for_what_is_missing_is_taken_where_one_system_has_better_numbers(tmp_path: Path) -> None:
    file = tmp_path / "t.csv"
    file.write_text("system,item,score\na,i0,-1\na,i1,-2\na,i2,-3\nb,i0,1\nb,i1,-1\n", encoding="utf-8")
    found = outscore.compare(outscore.read(str(file), missing="zero"), metrics="mean", missing="zero", n_resamples=99)
    assert [score.score for score in found.scores] == [-2, 0]


@pytest.mark.parametrize(("clusters", "few"), [(29, True), (30, False)])
def test_clusters_are_few_below_thirty(clusters: int, few: bool) -> None:
    base, new = np.random.default_rng(1).normal(size=(2, 2 * clusters))
    items = {"document": [f"d{i // 2}" for i in range(2 * clusters)]}
    found = outscore.compare({"base": base, "new": new}, items=items, cluster="document", n_resamples=99)
    assert ("few_clusters" in found.pairs[0].notes) == few


@pytest.mark.parametrize(("numbers", "higher"), [("0 1 2 0", False), ("0 -1 -2 0", True)])
def test_scores_of_errors_are_better_low_unless_any_is_below_zero(numbers: str, higher: bool, tmp_path: Path) -> None:
    rows = [f"{system},i{i},{value}" for system in "ab" for i, value in enumerate(numbers.split())]
    file = tmp_path / "t.csv"
    file.write_text("\n".join(["system,item,metricx", *rows]) + "\n", encoding="utf-8")
    assert outscore.compare(outscore.read(str(file)), n_resamples=99).scores[0].higher_is_better == higher


# --- words on options of others, and on columns of clusters -----------------------------------------------


def test_an_option_of_others_is_said_to_be_theirs_and_three_of_them_are_named() -> None:
    takes = {name: [one.name for one in declared(find_verb(name))] for name in VERBS}
    for name in takes:
        verb = getattr(outscore, name, None)
        for option in dict.fromkeys(option for options in takes.values() for option in options):
            having = [other for other in takes if option in takes[other]]
            if not callable(verb) or name in having:
                continue
            with pytest.raises(UsageError) as refused:
                verb("x", **{option: 1})
            said = str(refused.value)
            if "did you mean" not in said:
                named = ", ".join(f"{one}()" for one in having[:3])
                assert said == f"{name}() has no option {option!r}; {named} {'has' if len(having) == 1 else 'have'} it"


def test_of_two_columns_of_clusters_the_one_that_matters_more_is_noted() -> None:
    rng = np.random.default_rng(5)
    whole = np.repeat(rng.normal(size=8), 6)
    half = np.tile(np.repeat(rng.normal(size=2), 3), 8)
    gains = whole + 0.7 * half + rng.normal(size=48) * 0.3
    labels = {"document": [str(i // 6) for i in range(48)], "passage": [str(i // 3 % 2) for i in range(48)]}
    found = outscore.compare({"a": np.zeros(48), "b": gains}, items=labels, n_resamples=99)
    again = outscore.compare({"a": np.zeros(48), "b": gains}, items={"document": labels["document"]}, n_resamples=99)
    for result, column in ((found, "passage"), (again, "document")):
        (note,) = [note for note in result.notes if note.code == "clusters_ignored"]
        assert f"items of one {column!r} are alike (design effect " in note.text
        assert note.remedy == f"use --cluster {column}"


# --- the first label, and proportions that do not vary  -------------------------------------------------


def test_a_dispute_names_the_first_label_too() -> None:
    found = outscore.agree({"x": ["p", "q", "p", None], "y": ["p", "q", "q", "p"]}, labels=["p", "q"], disputed=1)
    assert [dispute.labels for dispute in found.disputes] == [{"x": "p", "y": "q"}]


def test_wins_that_never_vary_may_be_by_luck(tmp_path: Path) -> None:
    def wins(*rows: tuple[str, int, int]) -> list[tuple[float, float] | None]:
        file = tmp_path / "r.csv"
        file.write_text(
            "\n".join(["system,item,rater,rating", *(f"{s},{i},x,{r}" for s, i, r in rows)]), encoding="utf-8"
        )
        return [one.ci for one in outscore.humans(outscore.read_judgments(str(file))).wins or ()]

    always = [(s, i, r) for i in range(6) for s, r in (("a", 3), ("b", 1))]
    least = 6 / (6 + stats.t.ppf(0.975, 5) ** 2)
    assert wins(*always) == [pytest.approx((least, 1)), pytest.approx((0, 1 - least))]
    # of two items one is for either: there may be none to all
    for low, high in filter(None, wins(("a", 1, 3), ("b", 1, 1), ("a", 2, 1), ("b", 2, 3))):
        assert (low < 0.01, high > 0.99) == (True, True)
    assert wins(("a", 1, 3), ("b", 1, 1)) == [None, None]


# --- plans ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("runs", "crossed"), [((1, 3), False), ((3, 1), False), ((2, 3), True)])
def test_a_pilot_is_crossed_where_both_systems_have_two_runs(runs: tuple[int, int], crossed: bool) -> None:
    rng = np.random.default_rng(1)
    data = {name: rng.normal(size=(n, 12)) for name, n in zip("ab", runs, strict=True)}
    assert ("crossed" in repr(outscore.plan(data, sizes=[50], effect=0.3, simulations=20))) == crossed


@pytest.mark.parametrize(("sizes", "test"), [([4, 60], "randomization"), ([60, 4], "randomization"), ([60], "t")])
def test_a_simulated_pilot_takes_the_test_that_suits_its_smallest_size(sizes: list[int], test: str) -> None:
    rng = np.random.default_rng(1)
    data = {name: rng.normal(size=(1, 40)) for name in "ab"}
    assert outscore.plan(data, sizes=sizes, effect=0.5, simulations=20).test == test


def test_where_an_interval_ends_at_zero_no_decision_hangs_on_the_draws() -> None:
    rng = np.random.default_rng(38)
    base = 2.0 * rng.integers(0, 2, 16)
    data = {"base": base, "new": base + rng.choice([-1, 0, 1, 2], 16, p=[0.1, 0.4, 0.3, 0.2])}
    how: dict[str, Any] = {"test": "bootstrap:exact=never", "interval": "percentile", "seed": 38}
    (pair,) = outscore.compare(data, n_resamples=99, **how).pairs
    assert pair.ci is not None
    assert (pair.ci[0], "p_and_interval" in pair.notes, "decision_unstable" in pair.notes) == (0, True, False)


# --- counts in messages -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("columns", "said"), [(("bleu",), ""), (("bleu", "ter"), "its columns 'bleu', 'ter'")])
def test_two_columns_of_one_system_may_have_been_meant_for_systems(
    columns: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    file = tmp_path / "t.csv"
    rows = [",".join(["item", *columns]), *(",".join([str(i), *(f"{i / 9:.2f}" for _ in columns)]) for i in range(9))]
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    with pytest.raises(UsageError) as refused:
        outscore.compare(outscore.read(str(file)))
    assert str(refused.value).endswith("give at least two") == (not said)
    assert said in str(refused.value)


@pytest.mark.parametrize(("rare", "more"), [(2, ""), (3, ""), (4, " and 1 more"), (5, " and 2 more")])
def test_three_rare_classes_are_named_and_more_are_counted(rare: int, more: str) -> None:
    gold = ["x"] * 20 + [*"abcde"[:rare]]
    found = outscore.score({"s": gold}, references=gold, metrics="f1:average=macro", n_resamples=20)
    (note,) = [note for note in found.notes if note.code == "rare_classes"]
    named = ", ".join(f"{name!r} with 1" for name in "abc"[:rare])
    assert f"f1 ({named}{more})" in note.text


def test_numbers_that_sacrebleu_printed_are_of_one_run_each(tmp_path: Path) -> None:
    printed = tmp_path / "printed.json"
    printed.write_text(
        '[{"system": "Baseline: a", "BLEU": {"score": 9.0, "p_value": null, "mean": 9.0, "ci": 1.0}},'
        ' {"system": "b", "BLEU": {"score": 9.0, "p_value": 0.5, "mean": 9.0, "ci": 1.0}}]',
        encoding="utf-8",
    )
    texts = ["a cat sat", "on the mat"]
    with pytest.raises(InputError, match="system 'b' has 2 runs; sacrebleu prints one number for each file"):
        outscore.recheck(str(printed), {"a": texts, "b": [texts, texts]}, references=texts)
