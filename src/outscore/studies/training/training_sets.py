"""Training sets drawn anew, and the systems that are trained on them."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from outscore.base.errors import InputError, OutscoreError, UsageError, inflect, join
from outscore.base.files import write_whole
from outscore.base.notes import Note
from outscore.data.source import Source, open_source
from outscore.results.study import DataTable, Finding, Value
from outscore.studies import Cells, Found, Spec, Summary
from outscore.studies.shared.form import columns, compare_numbers, count, hidden, table, text
from outscore.studies.shared.material import Material
from outscore.studies.training import TrainingSets
from outscore.studies.training.commands import (
    Trainer,
    check_drawable,
    draw_items,
    expect_distinct,
    items_of,
    sizes_of,
    trainers_of,
    training_seed,
)
from outscore.studies.training.folder import COMMANDS, MANIFEST, Folder, Line, train, write_once

THERE, FAILED, MISSING, NONE = "there", "failed", "missing", "no command"
"""States of an output; the last of a training set that nothing is trained on."""

_STATES = (THERE, FAILED, MISSING)
_DISTINCT = 0.01
"""Margin of a number of distinct items beside its law, as a proportion of it."""


def design(lines: Sequence[dict[str, Any]]) -> str:
    """How many sets there are, of what, for whom."""
    sets = {(line["size"], line["draw"]) for line in lines}
    sizes = sorted({size for size, _ in sets})
    systems = sorted({line["system"] for line in lines} - {""})
    how = "with" if lines[0]["replace"] else "without"
    trained = f", {inflect(len(systems), 'system')} on each" if systems else ""
    return (
        f"{inflect(len(sets), 'training set')} of {', '.join(f'{size:,}' for size in sizes)} items, drawn {how} "
        f"replacement from {lines[0]['of']:,}{trained}."
    )


def counts(lines: Sequence[dict[str, Any]], states: Sequence[str]) -> DataTable:
    """Training sets of each system and size, and the states of their outputs."""
    asked = Counter((line["system"], line["size"]) for line in lines)
    have = Counter((line["system"], line["size"], state) for line, state in zip(lines, states, strict=True))
    trained = any(system for system, _ in asked)
    outputs = tuple(count(state, f"Outputs {state}") for state in _STATES) if trained else ()
    return table(
        "trainings",
        "Training sets",
        (*((text("system", "System"),) if trained else ()), *columns("count", size="Items", sets="Sets"), *outputs),
        [
            (
                *((system,) if trained else ()),
                size,
                sets,
                *((have[system, size, state] for state in _STATES) if trained else ()),
            )
            for (system, size), sets in asked.items()
        ],
    )


def files(lines: Sequence[dict[str, Any]], states: Sequence[str]) -> DataTable:
    """A row for each line of the manifest."""
    rows: list[tuple[Value, ...]] = [
        (line["id"], line["system"], line["size"], line["draw"], line["seed"], line["train"], line["output"], state)
        for line, state in zip(lines, states, strict=True)
    ]
    return hidden(
        "files",
        "Every training",
        (
            *columns("text", id="Training", system="System"),
            *columns("count", size="Items", draw="Draw", seed="Seed"),
            *columns("text", train="Training set", output="Output", state="State"),
        ),
        rows,
    )


def find_distinct(cells: Cells) -> list[Finding]:
    """Whether as many items come twice as chance has it, which is the law of drawing with replacement."""
    lines = [spec["line"] for spec, _ in cells]
    if not lines[0]["replace"]:
        return []
    found = []
    for size in dict.fromkeys(line["size"] for line in lines):
        of = {spec["line"]["draw"]: c["distinct"] for spec, c in cells if spec["line"]["size"] == size}
        expected, spread = expect_distinct(lines[0]["of"], size)
        error, value = spread / len(of) ** 0.5, sum(of.values()) / len(of)
        margin = _DISTINCT * expected
        what = f"Distinct items in a set of {size:,} (of {lines[0]['of']:,})"
        found.append(
            Finding(
                what=what,
                value=value,
                error=error,
                expected=expected,
                margin=margin,
                verdict=compare_numbers(value, expected, error, margin),
            )
        )
    return found


_SUFFIX = re.compile(r"\.\w+", re.ASCII)


def grid(study: TrainingSets, material: Material) -> list[Spec]:
    """Draws what is to be drawn; a cell for each line of the manifest."""
    folder = Folder(study.out)
    folder.check()
    if study.only is not None and study.train:
        raise UsageError("--only does a line of the manifest that is there: leave out --train")
    if study.run and not study.train:
        raise UsageError("--run: the commands are in the manifest; give --train to draw for others")
    lines = _draw(study, folder, material.settings.seed) if study.train else folder.lines()
    if not lines:
        raise UsageError(f"--train FILE: what to draw from; {folder.path} holds no {MANIFEST} that could be done")
    if study.only is not None and not 1 <= study.only <= len(lines):
        raise UsageError(f"--only {study.only}: the manifest has {inflect(len(lines), 'line')}")
    wanted = lines if study.only is None else [lines[study.only - 1]]
    # kept cells of a study stand neither for a training that failed, which is tried again, nor for another folder
    made = folder.last_change()
    return [{"line": x, "tries": folder.tries(x["id"]), "there": _exists(x), "folder": made} for x in wanted]


def cell(study: TrainingSets, material: Material, spec: Spec, seed: int) -> Found:
    """Trains one system on one set, unless its output is there."""
    line = spec["line"]
    why = None
    if line["command"] is not None and (study.start or study.only is not None) and not _exists(line):
        why = train(line, Folder(study.out).log(line["id"], spec["tries"] + 1))
    if why is not None and study.only is not None:
        raise OutscoreError(f"{line['id']}: {why}")
    return {"failed": why, "distinct": len(set(_index(line)))}


def summary(study: TrainingSets, material: Material, cells: Cells) -> Summary:
    """The summary of what is there and what is missing, with the commands to run next."""
    lines = [spec["line"] for spec, _ in cells]
    states = [_state(spec["line"], found) for spec, found in cells]
    failed = [f"{spec['line']['id']}: {found['failed']}" for spec, found in cells if found["failed"] is not None]
    commands = _next(study, lines, states)
    if study.only is None:
        text = "".join(f"{command}\n" for _, command in commands)
        write_whole(Path(Folder(study.out).path, COMMANDS), text)
    return Summary(
        design=design(lines),
        tables=(counts(lines, states), *([_commands(study, commands)] if commands else []), files(lines, states)),
        figures=(),
        findings=tuple(find_distinct(cells)),
        notes=tuple(_notes(study, lines, states, failed)),
    )


def _draw(study: TrainingSets, folder: Folder, seed: int) -> list[dict[str, Any]]:
    """The lines of the manifest, when it and the training sets are written."""
    source = open_source(study.train)
    items = items_of(source.data, study.unit)
    test = open_source(study.test) if study.test else None
    trainers = trainers_of(study.run, test is not None) if study.run else ()
    sizes = sizes_of(study.sizes) if study.sizes else (len(items),)
    check_drawable(sizes, study.count, len(items), study.replace, study.train)
    folder.make()
    sets = [
        _set(study, folder, source, items, test, seed, size, draw)
        for size in sizes
        for draw in range(1, study.count + 1)
    ]
    suffix = _suffix(study.gold or study.test or study.train)
    lines = [_train(one, trainer, folder, suffix) for trainer in trainers for one in sets] or sets
    folder.keep([Line(**line) for line in lines])
    return lines


def _set(
    study: TrainingSets,
    folder: Folder,
    source: Source,
    items: list[bytes],
    test: Source | None,
    seed: int,
    size: int,
    draw: int,
) -> dict[str, Any]:
    """One training set, written."""
    numbers = draw_items(seed, size, draw, len(items), study.replace).tolist()
    index = folder.set_file(size, draw, ".index")
    chosen = folder.set_file(size, draw, _suffix(study.train) or ".txt")
    digests = {
        "source": source.sha256,
        "index": write_once(index, "".join(f"{number}\n" for number in numbers).encode()),
        "train": write_once(chosen, b"".join(items[number] for number in numbers)),
    }
    return Line(
        id=f"{size}.{draw}",
        system="",
        size=size,
        draw=draw,
        seed=training_seed(seed, size, draw),
        source=study.train,
        of=len(items),
        replace=study.replace,
        index=index,
        train=chosen,
        test=study.test or None,
        output=None,
        command=None,
        shell=None,
        sha256=digests | ({"test": test.sha256} if test else {}),
    ).to_plain()


def _next(study: TrainingSets, lines: Sequence[dict[str, Any]], states: Sequence[str]) -> list[tuple[str, str]]:
    """The other studies that take the outputs, as names and commands; none with fewer than two outputs."""
    have = [line for line, state in zip(lines, states, strict=True) if state == THERE]
    gold = study.gold or next((line["test"] for line in have if line["test"]), "")
    if len(have) < 2 or not gold or study.only is not None:
        return []
    folder = Folder(study.out)
    suffix = Path(have[0]["output"]).name.removeprefix(have[0]["id"])
    systems = dict.fromkeys(line["system"] for line in have)
    sized = dict.fromkeys((line["system"], line["size"]) for line in have)
    metrics = [word for name in study.measure.split(",") if name.strip() for word in ("-m", name.strip())]

    def command(study: str, given: list[str]) -> tuple[str, str]:
        return study, shlex.join(["outscore", "study", study, "-r", gold, *metrics, *given])

    whole = [f"{system}={folder.pattern(system, '*', suffix)}" for system in systems]
    parts = [f"{system}.{size}={folder.pattern(system, str(size), suffix)}" for system, size in sized]
    return [command("gain", whole), command("training-size", parts)]


def _commands(study: TrainingSets, commands: Sequence[tuple[str, str]]) -> DataTable:
    return table(
        "next",
        "To compare what is there",
        columns("text", study="Study", command="Command"),
        commands,
        about=f"A line each in {Folder(study.out).path}/{COMMANDS}.",
    )


def _notes(
    study: TrainingSets, lines: Sequence[dict[str, Any]], states: Sequence[str], failed: Sequence[str]
) -> list[Note]:
    place = Folder(study.out).path
    notes = [Note(code="training_failed", text=why, remedy="the next call tries it again") for why in failed[:3]]
    if len(failed) > 3:
        notes.append(Note(code="trainings_failed", text=f"{inflect(len(failed) - 3, 'more training')} failed"))
    missing = [line["id"] for line, state in zip(lines, states, strict=True) if state == MISSING]
    if missing:
        each = shlex.join(["outscore", "study", study.name, "--out", study.out, "--only"])
        notes.append(
            Note(
                code="outputs_missing",
                text=f"{inflect(len(missing), 'output')} of {len(lines)} missing: {join(missing)}",
                remedy=f"without --no-start they are made here; a scheduler makes that of line N of "
                f"{place}/{MANIFEST} by {each} N",
            )
        )
    if NONE in states:
        notes.append(
            Note(
                code="no_command",
                text=f"{place}/{MANIFEST} holds training sets and no commands",
                remedy="give --run COMMAND to train on them",
            )
        )
    return notes


def _train(one: dict[str, Any], trainer: Trainer, folder: Folder, suffix: str) -> dict[str, Any]:
    """The line of one system trained on one set."""
    output = folder.output(trainer.system, one["size"], one["draw"], suffix)
    values = {**one, "test": one["test"] or "", "output": output}
    words = trainer.fill({place: str(value) for place, value in values.items()})
    about = {"id": f"{trainer.system}.{one['id']}", "system": trainer.system}
    return {**one, **about, "output": output, "command": words, "shell": shlex.join(words)}


def _suffix(file: str) -> str:
    found = Path(file.removesuffix(".gz")).suffix
    return found if _SUFFIX.fullmatch(found) else ""


def _exists(line: dict[str, Any]) -> bool:
    return line["output"] is not None and Path(line["output"]).exists()


def _index(line: dict[str, Any]) -> list[str]:
    try:
        return Path(line["index"]).read_text(encoding="ascii").split()
    except (OSError, ValueError) as error:
        raise InputError(f"no file of drawn items ({error})", file=line["index"]) from None


def _state(line: dict[str, Any], found: Found) -> str:
    if line["command"] is None:
        return NONE
    return THERE if _exists(line) else FAILED if found["failed"] is not None else MISSING
