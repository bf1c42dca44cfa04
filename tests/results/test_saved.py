"""What was saved is read as it was, or refused with the place that is wrong."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from outscore.base.errors import InputError, UsageError, inflect
from outscore.results.comparison import Comparison
from outscore.results.leaderboard import Leaderboard
from outscore.results.replication import Replication
from outscore.results.result import Result, check_gate, kinds
from outscore.results.sequences import Sequences
from outscore.results.study import Findings
from tests.report.kinds import KINDS


def without_scores(saved: dict[str, Any], system: str) -> None:
    saved["scores"] = [score for score in saved["scores"] if score["system"] != system]


def refused(saved: dict[str, Any]) -> str:
    with pytest.raises(InputError) as error:
        Result.from_json(json.dumps(saved))
    return str(error.value)


@pytest.mark.parametrize("kind", ["two", "posterior"])
def test_a_pair_without_scores_is_named_whichever_of_its_systems_has_none(kind: str) -> None:
    result = KINDS[kind]()
    assert isinstance(result, Comparison)
    pair = result.pairs[0]
    for system in (pair.system, pair.baseline):
        saved = json.loads(result.to_json())
        without_scores(saved, system)
        assert f"no scores for the pair '{pair.system}' and '{pair.baseline}'" in refused(saved)


def test_a_gain_of_a_data_set_without_scores_is_named_whichever_of_its_systems_has_none() -> None:
    result = KINDS["replicated"]()
    assert isinstance(result, Replication)
    for system in {gain.system for gain in result.set_gains} | {gain.baseline for gain in result.set_gains}:
        saved = json.loads(result.to_json())
        without_scores(saved, system)
        gain = next(g for g in result.set_gains if system in (g.system, g.baseline))
        assert f"no scores for the gain of '{gain.system}' on '{gain.data_set}'" in refused(saved)


def test_a_sequence_without_scores_or_looks_is_named_whichever_of_its_systems_has_none() -> None:
    result = KINDS["sequence"]()
    for change in ("birch", "ash", "analyses"):
        saved = json.loads(result.to_json())
        if change == "analyses":
            saved["sequences"][0]["analyses"] = []
        else:
            without_scores(saved, change)
        assert "no interim analyses or no scores for 'birch' and 'ash'" in refused(saved)


def test_sequences_are_read_as_they_were_saved_with_a_row_for_each_interim_analysis() -> None:
    result = Result.from_json(KINDS["sequence"]().to_json())
    assert isinstance(result, Sequences) and result == KINDS["sequence"]()
    analyses = [(s, analysis) for s in result.sequences for analysis in s.analyses]
    for row, (s, analysis) in zip(result.rows(), analyses, strict=True):
        assert (row["system"], row["baseline"], row["metric"]) == (s.system, s.baseline, s.metric)
        assert (row["method"], row["alpha"], row["n"]) == (s.method, s.alpha, analysis.n)
        assert list(row)[:5] == ["system", "baseline", "metric", "method", "alpha"]


def test_sequences_are_shown_by_baseline_number_and_decisions() -> None:
    result = KINDS["sequence"]()
    assert isinstance(result, Sequences)
    decisions = ", ".join(s.decision for s in result.sequences)
    assert repr(result) == f"<Sequences against 'ash': {inflect(len(result.sequences), 'sequence')}; {decisions}>"


def test_a_matrix_that_is_not_square_is_named_with_what_it_should_be() -> None:
    result = KINDS["confusions"]()
    for part in ("margins", "counts", "row"):
        saved = json.loads(result.to_json())
        matrix = saved["matrices"][1]
        rows = matrix["counts"] if part != "margins" else matrix["margins"]
        (rows[0] if part == "row" else rows).pop()
        assert "the matrix of 'birch' is not 3 x 3" in refused(saved)


@pytest.mark.parametrize("end", ["x", "y", "low", "high", "colour", "label"])
def test_a_picture_of_a_field_that_its_table_does_not_hold_is_named(end: str) -> None:
    saved = json.loads(KINDS["study"]().to_json())
    saved["figures"][0]["layers"][0][end] = "elsewhere"
    saved["figures"][0]["name"] = "drawn"  # as the table has the name of the picture, nobody would see them swapped
    assert "the picture 'drawn' draws what the table 'gains' does not hold" in refused(saved)


def test_a_picture_of_some_rows_is_read_if_its_table_has_the_field_that_chooses_them() -> None:
    saved = json.loads(KINDS["study"]().to_json())
    field = saved["figures"][0]["layers"][0]["x"]
    saved["figures"][0]["where"] = [field, "a value that is no field"]
    result = Result.from_json(json.dumps(saved))
    assert isinstance(result, Findings)
    assert result.figures[0].where == (field, "a value that is no field")
    saved["figures"][0]["where"] = ["no field", field]
    assert "the picture 'gains' draws what the table 'gains' does not hold" in refused(saved)


def test_findings_are_shown_by_study_and_size() -> None:
    result = KINDS["study"]()
    assert isinstance(result, Findings)
    cells, tables = inflect(result.n_cells, "cell"), inflect(len(result.tables), "table")
    assert repr(result) == f"<Findings of {result.study}: {cells}, {tables}>"


@pytest.mark.parametrize("end", ["low", "high"])
def test_a_table_without_an_end_of_its_intervals_is_named(end: str) -> None:
    saved = json.loads(KINDS["study"]().to_json())
    for field in saved["tables"][0]["fields"]:
        if field[end]:
            field[end] = "elsewhere"
    assert "the table 'gains' does not hold the ends of its intervals" in refused(saved)


def test_a_word_that_is_none_of_those_that_there_are_is_named_with_its_path() -> None:
    saved = json.loads(KINDS["study"]().to_json())
    saved["findings"][1]["verdict"] = "maybe"
    assert "(.findings[1].verdict is 'maybe')" in refused(saved)


def test_another_version_of_the_format_is_named_beside_the_known_one() -> None:
    saved = json.loads(KINDS["two"]().to_json()) | {"schema_version": 7}
    assert "schema_version is 7, expected 2" in refused(saved)


@pytest.mark.parametrize("command", ["compare", "confusion", "curve", "bayes", "humans"])
def test_a_result_of_0_1_0_is_refused_by_its_version_whatever_became_of_its_command(command: str) -> None:
    saved = json.loads(KINDS["two"]().to_json()) | {"schema_version": 1, "command": command}
    assert "schema_version is 1, expected 2" in refused(saved)


def test_another_kind_of_result_is_refused_where_one_is_asked_for() -> None:
    with pytest.raises(InputError, match="not a saved leaderboard"):
        Leaderboard.from_json(KINDS["two"]().to_json())
    with pytest.raises(InputError, match="not a saved result"):
        Result.from_json("[]")
    with pytest.raises(InputError) as other:
        Result.from_json("[]", file="mine.json")
    assert (other.value.file, other.value.remedy) == ("mine.json", "give a file saved by -o FILE.json")


def test_what_is_no_json_is_said_with_its_line() -> None:
    for text, line, why in (
        ("[1,\n2", 2, "Expecting ',' delimiter"),
        ("[" * 10**5, None, "brackets or digits without"),
    ):
        with pytest.raises(InputError, match=why) as error:
            Result.from_json(text, file="mine.json")
        assert error.value.line == line


def test_every_kind_of_result_is_found_by_the_module_that_registers_it() -> None:
    for name, kind in kinds:
        assert kind.__module__ == f"{kinds.package}.{kinds.families.get(name, name)}"


def test_a_notebook_is_shown_the_terminals_text_and_markdown() -> None:
    result = KINDS["two"]()
    shown = result._repr_mimebundle_()
    assert shown == {"text/plain": result.to("terminal"), "text/html": result.to("notebook")}


@pytest.mark.parametrize("part", ["places", "pairs"])
def test_a_system_of_a_board_without_scores_is_named(part: str) -> None:
    """A system that only places name, or only pairs do; of several the first by name."""
    result = KINDS["board"]()
    assert isinstance(result, Leaderboard)
    metric = result.places[0].metric
    names = sorted({place.system for place in result.places if place.metric == metric})
    for gone in (names[:1], names[-1:], names[-2:]):
        saved = json.loads(result.to_json())
        for system in gone:
            without_scores(saved, system)
        saved["pairs" if part == "places" else "places"] = []
        assert f"no scores for ('{gone[0]}', '{metric}')" in refused(saved)


def _first_pair(change: Callable[[dict[str, Any]], object]) -> Callable[[dict[str, Any]], object]:
    return lambda saved: change(saved["pairs"][0])


WRONG: dict[str, Callable[[dict[str, Any]], object]] = {
    "it.colour is unknown": lambda saved: saved.update(colour="red"),
    ".pairs[0].colour is unknown": _first_pair(lambda pair: pair.update(colour="red")),
    ".pairs[1] is a str": lambda saved: saved["pairs"].insert(1, "none"),
    ".pairs[0].gain is a str": _first_pair(lambda pair: pair.update(gain="much")),
    ".pairs[0].n_items is null": _first_pair(lambda pair: pair.update(n_items=None)),
    ".pairs[0].p_value is a list": _first_pair(lambda pair: pair.update(p_value=[0.5])),
    ".pairs[0].notes[1] is a int": _first_pair(lambda pair: pair.update(notes=["few", 3])),
    ".provenance.samples.ash[1] is a str": lambda saved: saved["provenance"].update(samples={"ash": [1, "two"]}),
    ".pairs is a dict": lambda saved: saved.update(pairs={}),
    ".scores[0].ci is a list": lambda saved: saved["scores"][0].update(ci=[1.0, 2.0, 3.0]),
    ".provenance.dropped.i7 is a int": lambda saved: saved["provenance"].update(dropped={"i7": 7}),
    ".provenance.samples.ash has 3 entries, not 2": lambda saved: saved["provenance"].update(
        samples={"ash": [1, 2, 3]}
    ),
}


@pytest.mark.parametrize("said", WRONG)
def test_what_does_not_fit_is_refused_with_its_path(said: str) -> None:
    saved = json.loads(KINDS["two"]().to_json())
    WRONG[said](saved)
    assert f"the saved comparison is not whole ({said.removeprefix('it')})" in refused(saved)


@pytest.mark.parametrize(("kept", "read"), [([None, 3.5], (-math.inf, 3.5)), ([3.5, None], (3.5, math.inf))])
def test_an_interval_with_one_end_has_the_other_at_infinity(
    kept: list[float | None], read: tuple[float, float]
) -> None:
    saved = json.loads(KINDS["two"]().to_json())
    saved["pairs"][0]["ci"] = kept
    result = Result.from_json(json.dumps(saved))
    assert isinstance(result, Comparison)
    assert result.pairs[0].ci == read
    assert json.loads(result.to_json())["pairs"][0]["ci"] == kept


def test_a_gate_that_there_is_not_names_those_that_there_are_the_strictest_first() -> None:
    with pytest.raises(UsageError) as error:
        check_gate("bettr")
    assert str(error.value) == ("no gate 'bettr'; did you mean 'better'? (there are: better, not-worse, equivalent)")
