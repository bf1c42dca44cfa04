"""``outscore agree``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

from outscore.report.plots import picture
from outscore.results.agreement import Agreement
from tests.agreement.twins import drawn
from tests.cli.commandline import outscore, written


def table(folder: Path, n: int = 60) -> Path:
    rows = drawn(np.random.default_rng(1), n, 3, [0.5, 0.3, 0.2], 0.3, 0.05)
    names = ["bad", "fair", "good"]
    lines = [
        f"u{i},{'' if r[0] is None else names[r[0]]},{'' if r[1] is None else names[r[1]]},"
        f"{'' if r[2] is None else names[r[2]]},d{i // 6},{'news' if i % 2 else 'chat'}"
        for i, r in enumerate(rows)
    ]
    return written(folder / "labels.csv", ["item,anna,ben,cleo,document,genre", *lines])


WIDE = ("--annotators", "anna,ben,cleo", "-n", "200")


def test_every_table_is_there_in_every_format(tmp_path: Path) -> None:
    file = table(tmp_path)
    said = outscore("agree", file, *WIDE, "-v")
    assert said.code == 0, said.err
    for title in ("Agreement of 3 annotators", "Annotators in pairs", "Annotators", "Labels", "Labels against labels"):
        assert title in said.out
    assert "Units with most disagreement" in said.out
    assert "corrects for" in said.out
    for name in ("markdown", "latex:detail=full"):
        text = outscore("agree", file, *WIDE, "-f", name).out
        assert "Krippendorff" in text
        assert "Units with most disagreement" in text
    rows = list(csv.DictReader(io.StringIO(outscore("agree", file, *WIDE, "-f", "csv").out)))
    assert [row["coefficient"] for row in rows] == ["percent", "conger", "fleiss", "krippendorff", "gwet", "bennett"]
    assert all(float(row["ci_low"]) < float(row["value"]) < float(row["ci_high"]) for row in rows)


@pytest.mark.parametrize("number", [2, 5])
def test_the_units_that_were_asked_for_are_shown(number: int, tmp_path: Path) -> None:
    file, title = table(tmp_path), "Units with most disagreement"
    assert title not in outscore("agree", file, *WIDE).out
    asked = outscore("agree", file, *WIDE, "--disputed", str(number)).out
    told = asked.partition(f"{title}\n")[2].partition("\n\n")[0].splitlines()
    assert len(told) == 1 + number
    lacks = outscore("agree", file, *WIDE, "--disputed", str(number), "-f", "csv").complaint
    assert lacks.startswith("note: csv lacks what --disputed lists; ")


def test_a_saved_result_is_drawn_again(tmp_path: Path) -> None:
    saved = tmp_path / "r.json"
    plain = outscore("agree", table(tmp_path), *WIDE)
    assert outscore("agree", table(tmp_path), *WIDE, "-o", saved, "--cluster", "document").code == 0
    assert outscore("agree", table(tmp_path), *WIDE, "-o", saved).code == 0
    assert outscore("show", saved).out == plain.out
    result = Agreement.from_json(saved.read_text(encoding="utf-8"))
    spec = picture(result)
    assert {row["one"] for row in spec["data"]["values"]} == {"bad", "fair", "good"}
    assert sum(row["pairs"] for row in spec["data"]["values"]) == pytest.approx(sum(map(sum, result.coincidences)))


def test_options_reach_the_result(tmp_path: Path) -> None:
    arguments = (table(tmp_path), *WIDE, "-f", "json", "-k", "gwet:weights=linear,krippendorff:distance=ordinal")
    done = outscore("agree", *arguments, "--labels", "bad,fair,good", "--cluster", "document", "--by", "genre")
    found = json.loads(done.out)
    assert [c["coefficient"] for c in found["coefficients"] if c["domain"] == "news"] == [
        "gwet:weights=linear",
        "krippendorff:distance=ordinal",
    ]
    assert found["coefficients"][0]["n_clusters"] == found["provenance"]["n_clusters"] == 10
    assert {c["against"] for c in found["coefficients"]} == {"", "chat"}
    assert found["coefficients"][0]["title"] == "Gwet's AC2 (linear)"


def test_preferences_are_labels_as_rank_reads_them(tmp_path: Path) -> None:
    """The label is the system that is preferred, on whichever side it stood."""
    for ash_first, elm_first, ash_second in (("ash", "elm", "ash"), ("system1", "system1", "system2")):
        rows = ["item,system1,system2,winner,worker"]
        for i in range(12):
            rows += [f"{i},ash,elm,{ash_first if i % 3 else 'tie'},ann"]
            rows += [f"{i},elm,ash,{elm_first if i % 4 == 0 else ash_second},bob"]
        rows += [f"{i},ash,oak,{ash_first},{who}" for i in range(4) for who in ("ann", "bob")]
        found = json.loads(outscore("agree", written(tmp_path / "votes.csv", rows), "-f", "json").out)
        assert {label["label"] for label in found["labels"]} == {"ash", "elm", "tie"}
        assert found["n_units"] == 16  # four items were shown with two pairs of systems
        percent = next(c["value"] for c in found["coefficients"] if c["coefficient"] == "percent")
        assert percent == pytest.approx((4 + 6) / 16)


@pytest.mark.parametrize("form", ["wide", "long", "lines"])
def test_labels_that_are_one_number_agree_however_they_are_written(form: str, tmp_path: Path) -> None:
    """A gap in a column of pandas makes 1.0 of every 1 beside it."""
    one, other = ["1", "2", "3", "1", "2"], ["1.0", "2.0", "", "1.0", "3.0"]
    if form == "wide":
        rows = [f"{i},{a},{b}" for i, (a, b) in enumerate(zip(one, other, strict=True))]
        files = [str(written(tmp_path / "w.csv", ["item,r1,r2", *rows])), "--annotators", "r1,r2"]
    elif form == "long":
        rows = [f"{i},{who},{label}" for who, of in (("r1", one), ("r2", other)) for i, label in enumerate(of)]
        files = [str(written(tmp_path / "l.csv", ["item,annotator,label", *rows]))]
    else:
        files = [f"{who}={written(tmp_path / who, of)}" for who, of in (("r1", one), ("r2", other))]
    found = json.loads(outscore("agree", *files, "-f", "json", "-n", "20").out)
    percent = next(c["value"] for c in found["coefficients"] if c["coefficient"] == "percent")
    assert percent == pytest.approx(3 / 4)
    assert {label["label"] for label in found["labels"]} == {"1", "2", "3"}
    assert "1.0 is 1, 2.0 is 2, 3.0 is 3" in next(n["text"] for n in found["notes"] if n["code"] == "labels_joined")


def test_winners_stand_in_a_column_of_labels(tmp_path: Path) -> None:
    plain = written(tmp_path / "plain.csv", ["item,worker,winner", "1,ann,x", "1,bob,x", "2,ann,x", "2,bob,y"])
    assert json.loads(outscore("agree", plain, "-f", "json").out)["n_annotators"] == 2


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["-k", "cohen"], 2, "use conger"),
        (["-k", "cohn"], 2, "did you mean 'cohen'?"),
        (["-k", "gwet:weights=linear"], 2, "--labels LOWEST,...,HIGHEST"),
        (["--cluster", "doc"], 2, "no such column; did you mean 'document'?"),
        (["--na", "NULL"], 2, "no such label"),
        (["--labels", "bad,good"], 3, "'fair' among the labels"),
    ],
)
def test_mistakes_are_one_line_with_the_remedy(tmp_path: Path, arguments: list[str], code: int, said: str) -> None:
    done = outscore("agree", table(tmp_path), *WIDE, *arguments)
    assert done.code == code
    assert said in done.complaint
    assert len(done.err.splitlines()) == 1


@pytest.mark.parametrize(("command", "keys"), [(("agree",), "annotator"), (("rank", "--wins"), "winner")])
@pytest.mark.parametrize(
    "text",
    [
        '{"t1": {"items": [[1, 0]], "expected": [{"a": 1, "b": 2}, {"a": 1, "b": 3}]}, "t2": {"x": 1}}',
        '[{"item": {"id": 1}, "label": 3}, {"item": {"id": 2}, "label": 3}]',
        '{"a": [1, 2], "b": [1, 2], "c": [2, 2]}',
    ],
)
def test_json_without_rows_names_their_keys_where_no_option_is_sure(
    command: tuple[str, ...], keys: str, text: str, tmp_path: Path
) -> None:
    file = tmp_path / "tables.json"
    file.write_text(text, encoding="utf-8")
    done = outscore(*command, file)
    assert (done.code, "--reader" in done.err) == (3, False), done.err
    assert "write a list of objects" in done.err and keys in done.err


ANNA, BEN = "xxxxxyyyyy", "xxxxyyyyyx"
"""8 of 10 labels are the same, and each has 5 of both: kappa is (0.8 - 0.5) / (1 - 0.5)."""
BY_ANNOTATOR = {who: {f"d{i}": label for i, label in enumerate(given)} for who, given in {"a": ANNA, "b": BEN}.items()}
BOTH = list(enumerate(zip(ANNA, BEN, strict=True)))
PROJECT = [
    {
        "id": i,
        "data": {"text": "t"},
        "annotations": [{"completed_by": k, "result": [{"value": {"choices": [x]}}]} for k, x in enumerate(two)],
    }
    for i, two in BOTH
]


def kappa_of(*arguments: str | Path) -> float:
    done = outscore("agree", *arguments, "-k", "cohen", "-n", "20", "-f", "json")
    assert done.code == 0, done.err
    return float(json.loads(done.out)["coefficients"][0]["value"])


@pytest.mark.parametrize(
    ("value", "option"),
    [
        (BY_ANNOTATOR, "rows=*.*,item=@2,annotator=@1,label=@"),
        ({"annotators": BY_ANNOTATOR}, "rows=annotators.*.*,item=@2,annotator=@1,label=@"),
        (
            {"items": [{"id": f"d{i}", "labels": {"a": x, "b": y}} for i, (x, y) in BOTH]},
            "rows=items.*.labels.*,item=^id,annotator=@2,label=@",
        ),
        (
            {f"d{i}": {"text": f"t{i}", "labels": {"a": x, "b": y}} for i, (x, y) in BOTH},
            "rows=*.labels.*,item=@1,annotator=@2,label=@",
        ),
    ],
)
def test_labels_inside_json_are_read_by_the_option_that_is_printed(value: object, option: str, tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    refused = outscore("agree", file)
    assert refused.code == 3
    assert refused.complaint.endswith(f"if 'a', 'b' are annotators, say so: --reader 'json:{option}'")
    assert kappa_of(file, "--reader", f"json:{option}") == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("value", "option"),
    [
        (
            [{"id": i, "annotations": [{"by": k, "label": x} for k, x in enumerate(two)]} for i, two in BOTH],
            "rows=*.annotations,item=^id,annotator=by,label=label",
        ),
        (PROJECT, "rows=*.annotations,item=^id,annotator=completed_by,label=result.0.value.choices.0"),
    ],
)
def test_lists_of_annotations_are_read_by_their_paths(value: object, option: str, tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps(value), encoding="utf-8")
    assert "--reader" not in outscore("agree", file).err
    assert kappa_of(file, "--reader", f"json:{option}") == pytest.approx(0.6)


def test_paths_that_lead_nowhere_and_readers_of_something_else_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps(BY_ANNOTATOR), encoding="utf-8")
    wrong = outscore("agree", file, "--reader", "json:rows=nothing.*,item=@1,annotator=@2,label=@")
    assert (wrong.code, wrong.complaint.endswith("nothing stands at rows=nothing.*; check the path")) == (3, True)
    other = outscore("agree", file, "--reader", "scores")
    assert (other.code, "json:rows=PATH,item=PATH,annotator=PATH,label=PATH" in other.err) == (2, True)
