"""Training sets drawn anew, and the systems that are trained on them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from outscore.base.errors import InputError, OutscoreError, UsageError, inflect, join
from outscore.base.files import write_whole
from outscore.base.notes import Note
from outscore.data.source import Source, open_source
from outscore.results.study import DataTable, Field
from outscore.studies import Found, Spec, Study, Summary, option, study
from outscore.studies.shared.material import Material
from outscore.studies.shared.training import (
    Unit,
    check_drawable,
    draw_items,
    items_of,
    sizes_of,
    training_seed,
)
from outscore.studies.shared.training_commands import Trainer, trainers_of
from outscore.studies.shared.training_folder import COMMANDS, MANIFEST, Folder, Line, train, write_once
from outscore.studies.shared.training_tables import FAILED, MISSING, NONE, THERE, counts, design, files, find_distinct

_SUFFIX = re.compile(r"\.\w+", re.ASCII)


@study("training-sets")
@dataclass(frozen=True)
class TrainingSets(Study):
    """Outputs under other training sets: draws the sets, trains every system on each, collects the outputs.

    Training sets of each size are drawn from the items of one file, with replacement unless told otherwise, and written
    with a manifest that has a line for each training. With --run, a command is run for each line, with the names of
    files filled in: {train}, {index} (the numbers of the items, from 0), {test}, {output}, {seed}, {size}, {draw}.
    Outputs that are there are not made again. With --no-start nothing is run: any scheduler can do the lines of the
    manifest, each with --only. Without --train, what the manifest in --out holds is done or collected.

    All systems are trained on the same sets. Then the commands of other studies that compare the outputs are printed.

    Source: Berg-Kirkpatrick, Burkett and Klein 2012, §3.2.1.
    """

    question = "What would other training sets have given?"
    takes = "nothing"
    citation = "Berg-Kirkpatrick et al. 2012"
    example = (
        "outscore study training-sets --train train.conllu --test test.conllu --unit block --sizes 1000,4000 "
        "--out sets --run 'hmm=python hmm.py {train} {test} {output} {seed}'"
    )

    train: str = option("", "File that training sets are drawn from.", "Plain or gzip.")
    test: str = option("", "Test file that commands get as {test}.")
    unit: Unit = option("line", "Draw each line, or each block between blank ones.", "Blocks are sentences of CoNLL-U.")
    sizes: str = option("", "Items of a training set, with commas.", "Several sizes.", shown="all that there are")
    count: int = option(10, "Training sets of each size.")
    replace: bool = option(True, "Draw items with replacement.", "As the source does; without, none comes twice.")
    out: str = option("training-sets", "Folder of training sets, outputs and logs.", "And of the manifest.")
    run: str = option("", "Command that trains and answers.", "Or a file with a line NAME=COMMAND for each system.")
    start: bool = option(True, "Run the commands here, or write them down only.")
    only: int | None = option(None, "Do this line of the manifest alone.", "From 1.")
    gold: str = option("", "References for the printed commands.", shown="--test")
    measure: str = option("", "Metrics for the printed commands, with commas.", shown="of the references")

    def grid(self, material: Material) -> list[Spec]:
        """Draws what is to be drawn; a cell for each line of the manifest."""
        folder = Folder(self.out)
        folder.check()
        if self.only is not None and self.train:
            raise UsageError("--only does a line of the manifest that is there: leave out --train")
        if self.run and not self.train:
            raise UsageError("--run: the commands are in the manifest; give --train to draw for others")
        lines = self._draw(folder, material.settings.seed) if self.train else folder.lines()
        if not lines:
            raise UsageError(f"--train FILE: what to draw from; {folder.path} holds no {MANIFEST} that could be done")
        if self.only is not None and not 1 <= self.only <= len(lines):
            raise UsageError(f"--only {self.only}: the manifest has {inflect(len(lines), 'line')}")
        wanted = lines if self.only is None else [lines[self.only - 1]]
        # kept cells of a study stand neither for a training that failed, which is tried again, nor for another folder
        made = folder.last_change()
        return [{"line": x, "tries": folder.tries(x["id"]), "there": _exists(x), "folder": made} for x in wanted]

    def cell(self, material: Material, spec: Spec, seed: int) -> Found:
        """Trains one system on one set, unless its output is there."""
        line = spec["line"]
        why = None
        if line["command"] is not None and (self.start or self.only is not None) and not _exists(line):
            why = train(line, Folder(self.out).log(line["id"], spec["tries"] + 1))
        if why is not None and self.only is not None:
            raise OutscoreError(f"{line['id']}: {why}")
        return {"failed": why, "distinct": len(set(_index(line)))}

    def summary(self, material: Material, cells: Sequence[tuple[Spec, Found]]) -> Summary:
        """The summary of what is there and what is missing, with the commands to run next."""
        lines = [spec["line"] for spec, _ in cells]
        states = [_state(spec["line"], found) for spec, found in cells]
        failed = [f"{spec['line']['id']}: {found['failed']}" for spec, found in cells if found["failed"] is not None]
        commands = self._next(lines, states)
        if self.only is None:
            text = "".join(f"{command}\n" for _, command in commands)
            write_whole(Path(Folder(self.out).path, COMMANDS), text)
        return Summary(
            design=design(lines),
            tables=(counts(lines, states), *([self._commands(commands)] if commands else []), files(lines, states)),
            figures=(),
            findings=tuple(find_distinct(cells)),
            notes=tuple(self._notes(lines, states, failed)),
        )

    def _draw(self, folder: Folder, seed: int) -> list[dict[str, Any]]:
        """The lines of the manifest, when it and the training sets are written."""
        source = open_source(self.train)
        items = items_of(source.data, self.unit)
        test = open_source(self.test) if self.test else None
        trainers = trainers_of(self.run, test is not None) if self.run else ()
        sizes = sizes_of(self.sizes) if self.sizes else (len(items),)
        check_drawable(sizes, self.count, len(items), self.replace, self.train)
        folder.make()
        sets = [
            self._set(folder, source, items, test, seed, size, draw)
            for size in sizes
            for draw in range(1, self.count + 1)
        ]
        suffix = _suffix(self.gold or self.test or self.train)
        lines = [_train(one, trainer, folder, suffix) for trainer in trainers for one in sets] or sets
        folder.keep([Line(**line) for line in lines])
        return lines

    def _set(
        self, folder: Folder, source: Source, items: list[bytes], test: Source | None, seed: int, size: int, draw: int
    ) -> dict[str, Any]:
        """One training set, written."""
        numbers = draw_items(seed, size, draw, len(items), self.replace).tolist()
        index = folder.set_file(size, draw, ".index")
        chosen = folder.set_file(size, draw, _suffix(self.train) or ".txt")
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
            source=self.train,
            of=len(items),
            replace=self.replace,
            index=index,
            train=chosen,
            test=self.test or None,
            output=None,
            command=None,
            shell=None,
            sha256=digests | ({"test": test.sha256} if test else {}),
        ).to_plain()

    def _next(self, lines: Sequence[dict[str, Any]], states: Sequence[str]) -> list[tuple[str, str]]:
        """The other studies that take the outputs, as names and commands; none with fewer than two outputs."""
        have = [line for line, state in zip(lines, states, strict=True) if state == THERE]
        gold = self.gold or next((line["test"] for line in have if line["test"]), "")
        if len(have) < 2 or not gold or self.only is not None:
            return []
        folder = Folder(self.out)
        suffix = Path(have[0]["output"]).name.removeprefix(have[0]["id"])
        systems = dict.fromkeys(line["system"] for line in have)
        sized = dict.fromkeys((line["system"], line["size"]) for line in have)
        metrics = [word for name in self.measure.split(",") if name.strip() for word in ("-m", name.strip())]

        def command(study: str, given: list[str]) -> tuple[str, str]:
            return study, shlex.join(["outscore", "study", study, "-r", gold, *metrics, *given])

        whole = [f"{system}={folder.pattern(system, '*', suffix)}" for system in systems]
        parts = [f"{system}.{size}={folder.pattern(system, str(size), suffix)}" for system, size in sized]
        return [command("gain", whole), command("training-size", parts)]

    def _commands(self, commands: Sequence[tuple[str, str]]) -> DataTable:
        return DataTable(
            name="next",
            title="To compare what is there",
            fields=(
                Field(name="study", title="Study", kind="text"),
                Field(name="command", title="Command", kind="text"),
            ),
            rows=tuple(commands),
            about=f"A line each in {Folder(self.out).path}/{COMMANDS}.",
        )

    def _notes(self, lines: Sequence[dict[str, Any]], states: Sequence[str], failed: Sequence[str]) -> list[Note]:
        place = Folder(self.out).path
        notes = [Note(code="training_failed", text=why, remedy="the next call tries it again") for why in failed[:3]]
        if len(failed) > 3:
            notes.append(Note(code="trainings_failed", text=f"{inflect(len(failed) - 3, 'more training')} failed"))
        missing = [line["id"] for line, state in zip(lines, states, strict=True) if state == MISSING]
        if missing:
            each = shlex.join(["outscore", "study", self.name, "--out", self.out, "--only"])
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
