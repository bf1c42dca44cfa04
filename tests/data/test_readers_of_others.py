"""Whatever is asked of a reading that a reader of another package cannot do is refused, never left out in silence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from outscore.base.errors import InputError
from outscore.data import read
from outscore.data.readers import Content, Context, Reader, Sniffed, readers
from outscore.data.run import Gold, Run
from outscore.data.source import Source
from tests.cli.commandline import outscore
from tests.data.files import Write


@dataclass(frozen=True)
class Tally(Reader):
    """One stroke for each point; it says nothing of roles, and looks at nothing that it is told."""

    name: ClassVar[str] = "tally"
    description: ClassVar[str] = "strokes"
    example: ClassVar[str] = "III\nI\n"

    def sniff(self, head: Sniffed) -> bool:
        return all(set(line) <= {"I"} for line in head.lines)

    def read(self, source: Source, context: Context) -> Content:
        found = np.array([len(line) for line in source.lines()], dtype=float)
        origin = context.source("tally", len(found))
        if context.role == "items":
            return Content(golds=(Gold(labels={"strokes": tuple(map(str, found))}, source=origin),))
        return Content(runs=(Run(system=context.stem, run="1", columns={"score": found}, source=origin),))


@pytest.fixture(autouse=True)
def _tally(monkeypatch: pytest.MonkeyPatch) -> None:
    readers.names()
    monkeypatch.setitem(readers._classes, "tally", Tally)


def test_references_in_which_a_reader_finds_none_are_refused(write: Write) -> None:
    base, new = write("base.tally", "I\nII\nI\n"), write("new.tally", "II\nII\nI\n")
    for reader in ([], ["--reader", "tally"]):
        done = outscore("compare", "-r", base, base, new, *reader)
        assert done.code == 3
        assert done.err == (
            f"outscore: error: {base}: the reader 'tally' finds no references in it; give it without -r if it is a "
            "system, or -r a file of another format\n"
        )
    assert outscore("compare", base, new).code == 0


def test_a_description_of_items_may_hold_labels_alone(write: Write) -> None:
    base = write("base.tally", "I\nII\nI\n")
    assert [list(gold.labels) for gold in read([base], items=base).golds] == [["strokes"]]
    with pytest.raises(InputError, match="the reader 'tally' finds no references in it"):
        read([base], references=[base], items=base)


def test_a_name_that_a_reader_does_not_take_is_refused(write: Write) -> None:
    base = write("base.tally", "I\nII\nI\n")
    with pytest.raises(InputError, match=r"holds the system 'base' but was given as 'a'; .* pick one: 'a=\S*#base'"):
        read([f"a={base}"])
    assert [run.system for run in read([f"a={base}#base"]).runs] == ["a"]


def test_a_file_of_two_systems_has_no_single_name(write: Write) -> None:
    """In a format of ours too: the name was left out where the file held several."""
    head = "system\tdoc\tseg_id\trater\tcategory\tseverity\n"
    path = write("m.tsv", head, *(f"{s}\td\t{i}\tr\tAccuracy\tMajor\n" for s in "xy" for i in range(3)))
    assert {run.source.reader for run in read([path]).runs} == {"mqm"}
    with pytest.raises(InputError, match=r"holds 2 systems \('x', 'y'\) but was given as 'a'"):
        read([f"a={path}"])
