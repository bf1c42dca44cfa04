"""Reads the pages of the manual and runs what they show.

What a page may hold:

- ``console`` blocks: each line that starts with ``$ `` is a command (``> `` continues it); the lines under it are what
  it prints, on both streams. A line ``...`` stands for any number of lines, and versions and days may be others. Where
  nothing is shown, nothing is compared. Commands end with exit code 0 unless the block says ``console exit=3``.
- ``python`` blocks: run in one namespace per page; a ``text`` block right after one is what it prints.
- blocks that say ``file=NAME`` after their language: written to that file.
- ``sh`` blocks: commands that install, which ``.ci/run`` runs. What follows ``.venv/bin/outscore`` in one is run here
  too, and a ``text`` block right after it is what it prints.

A picture that a page shows, ``pictures/NAME.svg`` in the folder of the manual, is drawn by one of its commands into
``NAME.svg``. A page that another program writes with its pictures says so in its first lines, ``Made by `python
benchmarks/...` ``.

All blocks of a page run in order, in one copy of the example files. ``OUTSCORE_DOCS_UPDATE=1`` writes what the commands
print now into the pages; ``python -m tests.docs.manual`` says how many there are.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import re
import shutil
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

import outscore
from outscore.data.readers import readers
from outscore.metrics import metrics
from outscore.results.result import formats, kinds
from outscore.significance import tests
from outscore.studies import studies
from tests.docs import house, tree
from tests.docs.typed import typed

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
# pages that the builder of the site writes are no pages of ours
_BUILT = {"_build", "reference"}
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(page for page in DOCS.rglob("*.md") if not _BUILT & {*page.relative_to(DOCS).parts}),
]
UPDATE = bool(os.environ.get("OUTSCORE_DOCS_UPDATE"))

_INSTALLED = ".venv/bin/outscore"
_FENCE = re.compile(r"^(`{3,})(.*)$")
_PICTURE = re.compile(r"\]\(((?:\.\./)*pictures/[\w.-]+\.svg)\)")
_MADE = re.compile(r"\A#[^\n]*\n\n(?:[^\n]+\n)*?Made by `python benchmarks/")
_VERSION = re.compile(r"version:[\w.]+")
_PROGRESS = re.compile(r"[^:]+: [\d,]+ of [\d,]+, .+ left of this step")
"""What a command says on a busy machine alone."""
_DAY = re.compile(r"\b20\d\d-[01]\d-[0-3]\d\b")


@dataclass
class Block:
    """One fenced block.

    Attributes:
        language: the first word after the fence; ``options`` are the others, as ``key=value``.
        lines: what is between the fences; changed when the page is brought up to date.
        start: number of the opening fence's line, from 1; ``end`` of the closing one's.
    """

    language: str
    options: dict[str, str]
    lines: list[str]
    start: int
    end: int


@dataclass
class Command:
    """One command of a console block and the lines shown under it."""

    text: str
    typed: list[str]
    shown: list[str] = field(default_factory=list)


def name_of(page: Path) -> str:
    """What a page is called in messages: its place below the folder of the manual."""
    return page.relative_to(DOCS).as_posix() if page.is_relative_to(DOCS) else page.name


def blocks_of(page: Path) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found: list[Block] = []
    lines = page.read_text(encoding="utf-8").splitlines()
    start, fence = 0, ""
    for number, line in enumerate(lines, 1):
        match = _FENCE.match(line)
        if match and not fence:
            start, fence = number, match[1]
        elif fence and line == fence:
            language, *options = lines[start - 1].removeprefix(fence).split() or [""]
            pairs = dict(option.split("=", 1) for option in options)
            found.append(Block(language, pairs, lines[start : number - 1], start, number))
            fence = ""
    assert not fence, f"{name_of(page)}:{start}: the block is never closed"
    return found


def commands_of(block: Block) -> list[Command]:
    """The commands of a console block."""
    found: list[Command] = []
    for line in block.lines:
        if line.startswith("$ "):
            found.append(Command(line[2:], [line]))
        elif found and line.startswith("> ") and not found[-1].shown:
            found[-1].text += f"\n{line[2:]}"
            found[-1].typed.append(line)
        else:
            assert found, f"line {block.start}: a console block starts with '$ '"
            found[-1].shown.append(line)
    return found


def fits(shown: list[str], printed: list[str]) -> bool:
    """Whether the printed lines are those shown, ``...`` standing for any lines, versions and days left aside."""
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else f"{re.escape(_plain(line))}\n" for line in shown)
    return re.fullmatch(pattern, "".join(f"{_plain(line)}\n" for line in printed)) is not None


def renewed(shown: list[str], printed: list[str]) -> list[str]:
    """What to show instead: the printed lines, with the parts that were left out left out again.

    A part begins at the printed line that is most like its first line and keeps its number of lines.
    """
    if "..." not in shown:
        return printed
    parts: list[list[str]] = [[]]
    for line in shown:
        if line == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    result: list[str] = []
    place = 0
    for number, part in enumerate(parts):
        if number:
            result.append("...")
        if not part:
            continue
        if number == 0:
            at = 0
        elif number == len(parts) - 1:
            at = max(place, len(printed) - len(part))
        else:
            at = next((i for i in range(place, len(printed)) if _shape(printed[i]) == _shape(part[0])), place)
        result += printed[at : at + len(part)]
        place = at + len(part)
    return result


def environment(folder: Path) -> dict[str, str]:
    """The environment of a reader who follows the manual.

    On the path are ``outscore``, ``python`` and the commands installed beside this Python, whether or not its
    environment is active; 80 columns, as where there is no terminal.
    """
    bin_ = folder / "bin"
    bin_.mkdir(parents=True, exist_ok=True)
    for name, what in (("outscore", f"{sys.executable} -m outscore"), ("python", sys.executable)):
        (bin_ / name).write_text(f'#!/bin/sh\nexec {what} "$@"\n', encoding="utf-8")
        (bin_ / name).chmod(0o755)
    kept = {k: v for k, v in os.environ.items() if not k.startswith("OUTSCORE_") and k != "NO_COLOR"}
    source = str(Path(outscore.__file__).parents[1])
    paths = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH"))))
    commands = os.pathsep.join((str(bin_), sysconfig.get_path("scripts"), os.environ["PATH"]))
    tests = {"PYTEST_PLUGINS": "outscore.pytest_plugin"}  # as the entry point of an installed package does
    return kept | tests | {"PATH": commands, "PYTHONPATH": paths, "COLUMNS": "80"}


def run_page(page: Path, folder: Path) -> list[str]:
    """Runs a page in a copy of the examples inside ``folder``.

    Returns:
        What went otherwise than shown, one text each; empty if all is well or was brought up to date.
    """
    place = folder / "examples"
    shutil.copytree(ROOT / "examples", place, ignore=shutil.ignore_patterns("__pycache__"))
    if page.name == "README.md":
        # its commands are typed at the top of a checkout
        place = folder
    env = environment(folder)
    blocks = blocks_of(page)
    wrong: list[str] = []
    # real processes where people begin, and where modules are written, which may be imported once only
    alone = not page.is_relative_to(DOCS) or any(b.options.get("file", "").endswith(".py") for b in blocks)
    names: dict[str, object] = {"__name__": "__main__"}
    path = list(sys.path)
    # else "." on the path of imports would stand for the folder of the page before
    importlib.invalidate_caches()
    for i, block in enumerate(blocks):
        where = f"{name_of(page)}:{block.start}"
        if "file" in block.options:
            (place / block.options["file"]).write_text("".join(f"{line}\n" for line in block.lines), encoding="utf-8")
        elif block.language == "console":
            wrong += _run_console(block, place, env, where, alone)
        elif block.language == "python":
            wrong += _run_python(block, _output_of(blocks, i), place, names, where)
        elif block.language == "sh" and _INSTALLED in "\n".join(block.lines):
            wrong += _run_installed(block, _output_of(blocks, i), place, env, where)
    wrong += _check_pictures(page, place)
    sys.path[:] = path
    # a metric or a study that a page defines is not there for other tests
    for registry in (metrics, studies, tests, readers, formats, kinds):
        classes: dict[str, type[object]] = registry._classes
        for name in [name for name, cls in classes.items() if not cls.__module__.startswith(("outscore.", "tests."))]:
            del classes[name]
    if UPDATE:
        _write(page, blocks)
    return wrong


def _check_pictures(page: Path, place: Path) -> list[str]:
    """Every picture that a page shows was drawn by one of its commands, with the same words and numbers."""
    wrong: list[str] = []
    text = page.read_text(encoding="utf-8")
    if _MADE.search(text):
        return [
            f"{name_of(page)}: {shown} is not there"
            for shown in _PICTURE.findall(text)
            if not (page.parent / shown).exists()
        ]
    for shown in _PICTURE.findall(text):
        made, kept = place / Path(shown).name, page.parent / shown
        if not made.exists():
            if re.search(rf"^\|.* --plot {made.name}`", text, flags=re.MULTILINE):
                continue  # a command on real data, which other tests run
            if kept in (house.PICTURE, tree.PICTURE):
                continue  # drawn of the code, see test_architecture and test_questions
            wrong.append(f"{name_of(page)}: no command draws {shown}")
        elif UPDATE:
            kept.parent.mkdir(exist_ok=True)
            shutil.copyfile(made, kept)
        elif words_of(made) != words_of(kept):
            wrong.append(f"{name_of(page)}: {shown} is not what its command draws now")
    return wrong


def words_of(picture: Path) -> list[str]:
    """All that a drawing says in words and numbers."""
    return [text for text in ElementTree.parse(picture).getroot().itertext() if text.strip()]


def _run_console(block: Block, place: Path, env: dict[str, str], where: str, alone: bool) -> list[str]:
    wrong = []
    # a block that ends in an error may prepare it by commands that end well
    expected = int(block.options.get("exit", "0"))
    commands = commands_of(block)
    for command in commands:
        code, printed = typed(command.text, place, env, alone=alone)
        printed = [line for line in printed if not _PROGRESS.fullmatch(line)]
        if code != (expected if command is commands[-1] else 0):
            wrong.append(f"{where}: exit code {code}\n$ {command.text}\n" + "\n".join(printed))
        while command.shown and not command.shown[-1]:
            command.shown.pop()
        if command.shown and not fits(command.shown, printed):
            if UPDATE:
                command.shown = renewed(command.shown, printed)
            else:
                wrong.append(_difference(where, f"$ {command.text}", command.shown, printed))
    if UPDATE:
        block.lines = [line for command in commands for line in (*command.typed, *command.shown)]
    return wrong


def _run_installed(block: Block, output: Block | None, place: Path, env: dict[str, str], where: str) -> list[str]:
    command = "outscore" + "\n".join(block.lines).split(_INSTALLED, 1)[1]
    code, printed = typed(command, place, env, alone=True)
    if code:
        return [f"{where}: exit code {code}\n" + "\n".join(printed)]
    return _compared(where, output, printed)


def _output_of(blocks: list[Block], i: int) -> Block | None:
    """The ``text`` block right after block ``i``."""
    after = blocks[i + 1] if i + 1 < len(blocks) else None
    return after if after is not None and after.language == "text" and after.start <= blocks[i].end + 2 else None


def _run_python(block: Block, output: Block | None, place: Path, names: dict[str, object], where: str) -> list[str]:
    stdout = io.StringIO()
    # as the reader's own file: without what this one imports from the future
    code = compile("\n" * block.start + "\n".join(block.lines), where, "exec", dont_inherit=True)
    columns = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"
    try:
        with contextlib.chdir(place), contextlib.redirect_stdout(stdout):
            exec(code, names)
    except Exception as error:  # noqa: BLE001  whatever goes wrong on a page is a finding
        return [f"{where}: {type(error).__name__}: {error}"]
    finally:
        os.environ.pop("COLUMNS")
        if columns is not None:
            os.environ["COLUMNS"] = columns
    printed = [line.rstrip() for line in stdout.getvalue().splitlines()]
    return _compared(where, output, printed)


def _compared(where: str, output: Block | None, printed: list[str]) -> list[str]:
    if output is None or fits(output.lines, printed):
        return []
    if UPDATE:
        output.lines = renewed(output.lines, printed)
        return []
    return [_difference(where, "the block", output.lines, printed)]


def _difference(where: str, what: str, shown: list[str], printed: list[str]) -> str:
    return "\n".join([f"{where}: {what}", "--- shown", *shown, "--- printed", *printed])


def _plain(line: str) -> str:
    # the day on which a comparison was made is that of the run
    return _DAY.sub("DAY", _VERSION.sub("version:*", line.rstrip()))


def _shape(line: str) -> str:
    return re.sub(r"[\d\s.+─-]+", " ", line)


def _write(page: Path, blocks: list[Block]) -> None:
    lines = page.read_text(encoding="utf-8").splitlines()
    for block in reversed(blocks):
        lines[block.start : block.end - 1] = block.lines
    page.write_text("\n".join(lines) + "\n", encoding="utf-8")


def counted() -> str:
    """How much of the manual is run: ``N commands and K blocks of Python on M pages``."""
    blocks = [block for page in PAGES for block in blocks_of(page)]
    commands = sum(len(commands_of(block)) for block in blocks if block.language == "console")
    installed = sum(block.language == "sh" and _INSTALLED in "\n".join(block.lines) for block in blocks)
    python = sum(block.language == "python" and "file" not in block.options for block in blocks)
    return f"{commands + installed} commands and {python} blocks of Python on {len(PAGES)} pages"


if __name__ == "__main__":
    sys.stdout.write(f"{counted()}\n")
