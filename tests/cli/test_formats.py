"""``outscore formats``: what can be read and what can be written."""

from __future__ import annotations

import json

from outscore.data.readers import readers
from outscore.results.result import formats
from tests.cli.commandline import outscore


def test_readers_and_output_formats_are_told_apart() -> None:
    found = json.loads(outscore("formats", "-f", "json").out)
    kinds = {kind: {e["name"]: e for e in found if e["kind"] == kind} for kind in ("read", "write")}
    for name, each in kinds["read"].items():
        cls = readers.find(name)
        assert (each["description"], each["example"], tuple(each["roles"])) == (cls.description, cls.example, cls.roles)
    for name, each in kinds["write"].items():
        assert each["suffixes"] == list(formats.find(name).suffixes)
        assert each["description"]
        assert each["example"] == f"-f {name}"
    assert kinds["read"]["parquet"]["extra"] == "parquet"


def test_the_tables_are_headed_by_what_their_names_are_for() -> None:
    done = outscore("formats")
    read, written = done.out.split("What results are written as (-f)")
    assert read.startswith("What can be read (--reader)")
    assert "mt-metrics-eval" in read
    assert "sentence" in written


def test_one_format_is_shown_in_full_with_an_example() -> None:
    assert "Example:\n  system,item,score\n  A,q1,1\n" in outscore("formats", "table").out
    assert "color=false" in outscore("formats", "terminal").out


def test_an_unknown_format_is_a_usage_error_with_a_suggestion() -> None:
    done = outscore("formats", "jsonll")
    assert (done.code, done.out) == (2, "")
    assert "unknown format 'jsonll'; did you mean 'jsonl'?" in done.complaint
