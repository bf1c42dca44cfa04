"""What every registered reader keeps, whoever wrote it: a new entry is picked up from the registry."""

from __future__ import annotations

import dataclasses
import gzip
import hashlib
import pickle
import typing
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from outscore import convert
from outscore.base.errors import InputError
from outscore.base.items import Items
from outscore.base.registry import options_of, spell
from outscore.data import align, read
from outscore.data.collection import Collection
from outscore.data.dataset import Dataset
from outscore.data.read import choose
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, readers
from outscore.data.run import Gold, Run
from outscore.data.source import Source, lines_of
from outscore.data.specs import stems
from tests.contract.explained import check_explained
from tests.contract.files import File, Held, files_of
from tests.examples import examples

NAMES = readers.names()
ROLES = typing.get_args(Role)
TEXTS = [name for name, cls in readers if not (cls.binary and cls.example.endswith("..."))]
"""Readers of text; the example of the others is no whole file."""
GOLD = {"qrels"}
"""Readers whose files never hold a system."""

several = settings(
    max_examples=examples(15),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.data_too_large],
)


def source_and_context(file: str, raw: bytes, role: Role) -> tuple[Source, Context]:
    digest = hashlib.sha256(raw).hexdigest()
    return Source(file, raw, digest), Context(file=file, stem=stems([file])[0], sha256=digest, role=role)


def chosen(file: str, raw: bytes, role: Role = "system") -> tuple[Reader, Content]:
    """The reader that knows a file by its content or name, and what it reads."""
    source, context = source_and_context(file, raw, role)
    found = choose(source, context)
    return found, found.read(source, context)


def held(one: Run | Gold) -> Held:
    """What a run or gold data hold, to be compared."""
    if isinstance(one, Gold):
        return Held(ids=one.ids, references=one.references, labels=dict(one.labels), notation=one.notation)
    columns = {n: tuple(None if np.isnan(v) else v for v in values.tolist()) for n, values in one.columns.items()}
    return Held(
        system=one.system,
        run=one.run,
        sample=one.sample,
        ids=one.ids,
        outputs=one.outputs,
        references=one.references,
        columns=columns,
        labels=dict(one.labels),
        notation=one.notation,
    )


def all_held(content: Content | Collection) -> list[Held]:
    return [*map(held, content.runs), *map(held, content.golds)]


def stored(folder: Path, name: str, raw: bytes) -> str:
    """A real file."""
    path = folder / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(raw)
    return str(path)


def opened(path: str, file: File, folder: Path) -> list[Held]:
    """What is read from a real file; gold data need some system beside them."""
    if file.runs:
        return all_held(read([path]))
    other = stored(folder, "other.txt", b"it is said\n")
    return [held(gold) for gold in read([other], references=[path]).golds]


def options(cls: type[Reader]) -> list[dict[str, str]]:
    """Values of the options of a reader, one at a time."""
    hints = typing.get_type_hints(cls)
    found: list[dict[str, str]] = [{}]
    for field in options_of(cls):
        kind = hints[field.name]
        if typing.get_origin(kind) is typing.Literal:
            found += [{field.name: value} for value in typing.get_args(kind)]
        else:
            found.append({field.name: "true" if kind is bool else "1"})
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_reader_says_what_it_is(name: str) -> None:
    cls = readers.find(name)
    assert cls.__doc__ is not None
    assert len(cls.__doc__) > 20
    assert not cls.__doc__.startswith(f"{cls.__name__}(")
    assert cls.__dataclass_params__.frozen  # type: ignore[attr-defined]
    assert cls.description
    assert "\n" not in cls.description
    assert not cls.description.endswith(".")
    assert cls.roles
    assert set(cls.roles) <= set(ROLES)
    assert len(set(cls.roles)) == len(cls.roles)
    check_explained(cls)


@pytest.mark.parametrize("name", NAMES)
def test_there_are_files_of_every_format(name: str) -> None:
    assert not files_of(name).is_empty


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_reader_makes_it_again(name: str) -> None:
    cls = readers.find(name)
    for values in options(cls):
        made = readers.build(cls, values)
        assert readers.make(spell(made)) == made
        assert spell(readers.make(spell(made))) == spell(made)
        assert all(str(getattr(made, key)).lower().removesuffix(".0") == value for key, value in values.items())


@pytest.mark.parametrize("name", NAMES)
def test_readers_are_values(name: str) -> None:
    made = readers.make(name)
    again = pickle.loads(pickle.dumps(made))
    assert again == made
    assert hash(again) == hash(made)
    with pytest.raises(dataclasses.FrozenInstanceError):
        made.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize("name", TEXTS)
@settings(several, max_examples=examples(5))
@given(data=st.data())
def test_the_example_is_a_file_of_the_format(name: str, data: st.DataObject) -> None:
    file = data.draw(files_of(name))
    raw = readers.find(name).example.encode()
    source, context = source_and_context(file.name, raw, "system")
    assert choose(source, context) == readers.make(name)
    content = readers.make(name).read(*source_and_context("example", raw, "system"))
    assert content.runs or content.golds


# what an earlier reader would take for its own, if it looked at the form of the cells alone
LOOKALIKES = [
    ("table", "system\titem\tlang\tseed\tscore\tdomain\nA\tx\tde\t1\t0.5\tnews\nA\ty\tde\t1\t0.5\tnews\n"),  # trec
    ("trees", "(S (X 日本))\n\n(S (X 猫))\n(S (X 犬))\n"),  # conll
    ("trees", "( (IP\n   (NN 上海)\n   (NN 浦东)))\n\n( (IP\n   (NN 浦东)\n   (NN 上海)))\n"),  # conll
    ("pharaoh", "0-0 1-1\n\n0-0 1-2\n1-1 2?2\n"),  # conll
    ("conll", "( (\nParis NNP\n) )\n\nRome NNP\nis VBZ\n"),  # trees
    ("lines", "Yes .\n\nNo .\nOk !\n"),  # conll
    ("lines", "日本 語\n\n中国 語\n東京 都\n"),  # conll
    ("table", 'system,item,output\nA,1,"1\tx' + "\t_" * 8 + "\n2\ty" + "\t_" * 8 + '"\n'),  # conllu
    ("lines", "\n\nit rains\n\n"),  # scores
]


@pytest.mark.parametrize(("name", "text"), LOOKALIKES)
def test_what_only_looks_like_another_format_is_read_as_what_it_is(name: str, text: str) -> None:
    assert chosen("sys", text.encode())[0].name == name


@pytest.mark.parametrize("name", NAMES)
@several
@given(data=st.data())
def test_what_was_written_is_read(name: str, data: st.DataObject) -> None:
    file = data.draw(files_of(name))
    found, content = chosen(file.name, file.bytes(), file.role)
    assert found == readers.make(name)
    assert all_held(content) == [*file.runs, *file.golds]


@pytest.mark.parametrize("name", TEXTS)
@several
@given(data=st.data())
def test_line_ends_and_a_byte_order_mark_change_nothing(name: str, data: st.DataObject) -> None:
    file = data.draw(files_of(name).filter(lambda file: bool(file.lines)))
    closed = data.draw(st.booleans()) or not file.lines[-1]  # a last line that is empty has nothing but its end
    raw = file.bytes(data.draw(st.sampled_from(["\n", "\r\n"])), closed=closed, mark=data.draw(st.booleans()))
    found, content = chosen(file.name, raw, file.role)
    assert found == readers.make(name)
    assert all_held(content) == [*file.runs, *file.golds]


@pytest.mark.parametrize("name", NAMES)
@several
@given(data=st.data())
def test_gzip_changes_nothing(name: str, data: st.DataObject, tmp_path: Path) -> None:
    file = data.draw(files_of(name))
    plain = stored(tmp_path, file.name, file.bytes())
    packed = stored(tmp_path, f"{file.name}.gz", gzip.compress(file.bytes()))
    assert opened(packed, file, tmp_path) == opened(plain, file, tmp_path)


@pytest.mark.parametrize("name", NAMES)
@several
@given(data=st.data())
def test_content_is_consistent_and_the_same_every_time(name: str, data: st.DataObject) -> None:
    file = data.draw(files_of(name))
    found, content = chosen(file.name, file.bytes(), file.role)
    again = chosen(file.name, file.bytes(), file.role)[1]
    assert all_held(again) == all_held(content)
    assert [run.notes for run in again.runs] == [run.notes for run in content.runs]
    holders: list[Run | Gold] = [*content.runs, *content.golds]
    assert holders
    assert len({(run.system, run.run, run.sample) for run in content.runs}) == len(content.runs)
    for one in holders:
        assert one.n > 0
        assert (one.source.file, one.source.reader) == (file.name, found.name)
        assert one.source.sha256 == hashlib.sha256(file.bytes()).hexdigest()
        assert one.ids is None or len(set(one.ids)) == len(one.ids)
        streams = [*one.references, *one.labels.values()]
        streams += [stream for stream in (one.ids, one.outputs if isinstance(one, Run) else None) if stream is not None]
        assert {len(stream) for stream in streams} <= {one.n}
        assert all(type(cell) is str for stream in streams for cell in stream)
        for column in one.columns.values() if isinstance(one, Run) else ():
            assert column.shape == (one.n,)
            assert column.dtype == np.float64


def given_as(name: str, file: File, lines: Sequence[str]) -> list[Held] | None:
    """What the reader finds in these lines, or None where it refuses them and says where and what to do."""
    source, context = source_and_context(file.name, "\n".join([*lines, ""]).encode(), file.role)
    try:
        return all_held(readers.make(name).read(source, context))
    except InputError as error:
        assert file.name in str(error)
        assert error.remedy
        return None


def files_of_lines(name: str) -> st.SearchStrategy[File]:
    """Files of a format that is text, with a line at least."""
    return files_of(name).filter(lambda file: bool(file.lines))


PRINTED = {"comet", "evalb", "sclite"}
"""Readers of what programs print among other lines."""
SETS = {"naacl"}
"""Readers whose lines are members of the set of an item, which may be named again."""


@pytest.mark.parametrize("name", [name for name in TEXTS if name not in PRINTED])
@settings(several, max_examples=examples(8))
@given(data=st.data())
def test_a_line_that_is_wrong_is_refused_or_changes_what_is_read(name: str, data: st.DataObject) -> None:
    """To skip it would leave out an item that nobody misses."""
    file = data.draw(files_of_lines(name))
    where = data.draw(st.integers(0, len(file.lines)))
    found = given_as(name, file, [*file.lines[:where], "%?!", *file.lines[where:]])
    assert found is None or found != given_as(name, file, file.lines)


@pytest.mark.parametrize("name", TEXTS)
@settings(several, max_examples=examples(8))
@given(data=st.data())
def test_a_line_that_is_cut_short_is_refused_or_read(name: str, data: st.DataObject) -> None:
    file = data.draw(files_of_lines(name))
    where = data.draw(st.integers(0, len(file.lines) - 1))
    line = file.lines[where]
    for rest in (line[: len(line) // 2], line.split(" ")[0].split("\t")[0]):
        given_as(name, file, [*file.lines[:where], rest, *file.lines[where + 1 :]])


@pytest.mark.parametrize("name", TEXTS)
@settings(several, max_examples=examples(8))
@given(data=st.data())
def test_an_item_that_is_named_twice_is_refused(name: str, data: st.DataObject) -> None:
    """Where each line is an item with an id, one of the two would be lost."""
    file = data.draw(files_of_lines(name))
    where = data.draw(st.integers(0, len(file.lines) - 1))
    found = given_as(name, file, [*file.lines[: where + 1], *file.lines[where:]])
    for one in found or ():
        assert one.ids is None or len(set(one.ids)) == len(one.ids)
    if name not in SETS and all(
        one.ids is not None and len(one.ids) == len(file.lines) for one in (*file.runs, *file.golds)
    ):
        assert found is None


@pytest.mark.parametrize("name", NAMES)
@settings(several, max_examples=examples(8))
@given(data=st.data())
def test_the_names_that_the_user_gives_are_taken(name: str, data: st.DataObject) -> None:
    """Of the system, where the file holds one; of the run, where the file names none."""
    file = data.draw(files_of(name))
    if len({run.system for run in file.runs}) != 1:
        return
    source, context = source_and_context(file.name, file.bytes(), file.role)
    found = readers.make(name).read(source, dataclasses.replace(context, system="given", run="again")).runs
    assert {run.system for run in found} == {"given"}
    if {run.run for run in file.runs} == {"1"}:
        assert {run.run for run in found} == {"again"}


def aligned(path: str, columns: Sequence[str] = ()) -> Dataset:
    found = read([path], columns=columns)
    return align(found.runs, found.golds, missing="drop")


def cells_of(data: Dataset) -> list[Items]:
    """What metrics may read, in the order of systems, runs and samples; the names of single runs are not written."""
    return [cell for system in data.systems for run in data.runs[system] for cell in data.layers[system, run]]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in GOLD])
@several
@given(data=st.data())
def test_a_converted_file_reads_back_the_same(name: str, data: st.DataObject, tmp_path: Path) -> None:
    file = data.draw(files_of(name).filter(lambda file: bool(file.runs)))
    before = aligned(stored(tmp_path, file.name, file.bytes()))
    assert len(cells_of(before)) == len(file.runs)
    table = convert(before)
    csv = stored(tmp_path, "long.csv", str(table.to("csv")).encode())
    after = aligned(csv, [f"label={label}" for label in table.labels])
    assert (after.systems, after.items) == (before.systems, before.items)
    for back, cell in zip(cells_of(after), cells_of(before), strict=True):
        assert (back.outputs, back.references) == (cell.outputs, cell.references)
        assert list(back.columns) == list(cell.columns)
        for column in cell.columns:
            np.testing.assert_array_equal(back.columns[column], cell.columns[column])
        assert list(back.labels.values()) == list(cell.labels.values())


GENERAL = {"lines", "scores", "table", "jsonl", "kaldi"}
"""Readers of what no other knows: they are asked behind those of their kind, and take what these would take too."""


@pytest.mark.parametrize("name", NAMES)
@settings(several, max_examples=examples(8))
@given(data=st.data())
def test_no_file_is_claimed_by_the_reader_of_another_format(name: str, data: st.DataObject) -> None:
    file = data.draw(files_of(name))
    raw, binary = file.bytes(), readers.find(name).binary
    lines = () if binary else tuple(lines_of(raw.decode()))
    head = Sniffed(file=file.name, lines=lines, start=raw, role=file.role)
    asked = [other for other, cls in readers if file.role in cls.roles and cls.binary == binary]
    claimed = {other for other in asked if readers.make(other).sniff(head)}
    assert name in claimed
    assert claimed - GENERAL <= {name}
