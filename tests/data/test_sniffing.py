"""First sight of a file saves the import of readers, and never changes which reader is chosen."""

from __future__ import annotations

import os
import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import outscore
from outscore.data import readers as package
from outscore.data.readers import Sniffed, readers
from outscore.data.sniffing import SIGNS, rule_out
from outscore.data.source import Source, lines_of
from tests.contract.files import File, files_of
from tests.examples import examples

EXAMPLES = Path(__file__).parents[2] / "examples"
MODULES: dict[str, list[str]] = {}
for _name, _cls in readers:
    MODULES.setdefault(_cls.__module__.rpartition(".")[2], []).append(_name)
STEMS = ["sys", "sys.txt", "ref.A.txt", "newstest.de"]
"""File names of no format, so that the content alone is left."""

drawn = settings(max_examples=examples(40), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


def head_of(file: str, raw: bytes) -> Sniffed:
    lines = tuple(lines_of(Source(file, raw, "").beginning(1 << 16))) if b"\0" not in raw else ()
    return Sniffed(file=file, lines=lines, start=raw[: 1 << 16])


def wrongly_left_out(head: Sniffed) -> set[str]:
    """Readers that are not asked although they would say yes."""
    return {name for module in rule_out(head) for name in MODULES[module] if readers.make(name).sniff(head)}


def test_signs_are_given_for_modules_that_are_there() -> None:
    assert set(SIGNS) <= {module.name for module in pkgutil.iter_modules(package.__path__)}
    assert set(SIGNS) <= set(MODULES)


@pytest.mark.parametrize("name", readers.names())
@drawn
@given(data=st.data())
def test_no_reader_is_left_out_that_knows_a_right_file(name: str, data: st.DataObject) -> None:
    file = data.draw(files_of(name))
    raw = file.bytes(data.draw(st.sampled_from(["\n", "\r\n"])), mark=bool(file.lines) and data.draw(st.booleans()))
    for called in (file.name, data.draw(st.sampled_from(STEMS))):
        assert not wrongly_left_out(head_of(called, raw))


@drawn
@given(data=st.data())
def test_no_reader_is_left_out_that_knows_a_file_with_lines_of_others(data: st.DataObject) -> None:
    texts = [name for name in readers.names() if not readers.find(name).binary]
    one = st.sampled_from(texts).flatmap(files_of).filter(lambda file: bool(file.lines))
    files: list[File] = data.draw(st.lists(one, min_size=1, max_size=3))
    lines = data.draw(st.permutations([line for file in files for line in file.lines]))
    raw = "\n".join([*data.draw(st.lists(st.text(max_size=5), max_size=2)), *lines]).encode(errors="replace")
    if raw.removeprefix(b"\xef\xbb\xbf")[:4] not in (b"PK\x03\x04", b"PAR1") and raw[:2] not in (b"\xff\xfe", b"BZ"):
        assert not wrongly_left_out(head_of(data.draw(st.sampled_from([files[0].name, *STEMS])), raw))


@pytest.mark.parametrize("file", ["ref.txt", "baseline.run1.txt", "larger.run3.txt"])
def test_of_sentences_only_readers_without_signs_are_asked(file: str) -> None:
    raw = (EXAMPLES / file).read_bytes()
    assert rule_out(head_of(file, raw)) == set(SIGNS)


PLUGIN = '''
from dataclasses import dataclass
from typing import ClassVar

from outscore.data.readers import Reader, reader
from outscore.data.readers.lines import Lines


@reader("shout")
@dataclass(frozen=True)
class Shout(Lines):
    """Sentences in capitals."""

    priority: ClassVar[int] = 1

    def sniff(self, head):
        return all(line == line.upper() for line in head.lines)
'''


@pytest.mark.parametrize("as_entry_point", [True, False])
def test_a_new_reader_is_asked_about_sentences(tmp_path: Path, as_entry_point: bool) -> None:
    """By an entry point of another package, and as a new file among the readers, which has no signs."""
    folder = tmp_path if as_entry_point else tmp_path / "more"
    folder.mkdir(exist_ok=True)
    (folder / "shouting.py").write_text(PLUGIN, encoding="utf-8")
    info = tmp_path / "shouting-1.0.dist-info"
    if as_entry_point:
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: shouting\nVersion: 1.0\n", encoding="utf-8")
        (info / "entry_points.txt").write_text("[outscore.readers]\nshout = shouting:Shout\n", encoding="utf-8")
    (tmp_path / "loud.txt").write_text("WHAT IS IT?\nA CAT AND A DOG.\n", encoding="utf-8")
    (tmp_path / "soft.txt").write_text("What is it?\nA cat and a dog.\n", encoding="utf-8")
    code = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import outscore.data.readers
outscore.data.readers.__path__ += {[str(folder)] if not as_entry_point else []!r}
from outscore.data import read
print(*(run.source.reader for run in read(["loud.txt", "soft.txt"]).runs))
"""
    env = os.environ | {"PYTHONPATH": str(Path(outscore.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, encoding="utf-8", check=False
    )
    assert done.stdout == "shout lines\n", done.stderr
