"""The work of ``recheck``: read, match systems, make every number again."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from outscore.base.errors import InputError, UsageError, inflect, join
from outscore.base.notes import Note
from outscore.base.rng import DEFAULT_SEED
from outscore.data.dataset import Dataset
from outscore.data.printed import read_printed
from outscore.data.printed.records import PrintedFile
from outscore.results.recheck import Recheck
from outscore.results.result import SourceFile
from outscore.verbs.recheck import RecheckNumbers, multeval, sacrebleu
from outscore.verbs.recheck.records import Given, name_metrics
from outscore.verbs.shared.inputs import align_from, check_resamples

BY_ORDER = Note(
    code="matched_by_order",
    text="the printed names are not those of the systems given here: they were matched in their order",
    remedy="name the systems as in the file, where the order is another",
)


def recheck(file: str | os.PathLike[str], data: Any, asked: RecheckNumbers) -> Recheck:
    """Every number of the file, made again."""
    named = name_metrics(asked.metrics)
    check_resamples(asked.n_resamples)
    printed = read_printed(os.fspath(file))
    aligned = align_from(data, references=asked.references, items=asked.items, missing=asked.missing)
    systems, by_order = _match_systems(printed, aligned)
    given = Given(
        printed=printed,
        data=aligned.with_systems(tuple(systems.values())),
        systems=systems,
        metrics=named,
        tool_seed=_seed(asked.tool_seed, printed),
        asked=asked,
    )
    made = (multeval if printed.tool == "MultEval" else sacrebleu).remake(given)
    ours = made.ours
    source = SourceFile(
        file=printed.source.file, role="printed", reader=printed.tool, sha256=printed.source.sha256,
        n_items=len(printed.rows),
    )  # fmt: skip
    return Recheck(
        seed=asked.seed,
        alpha=asked.alpha,
        tool=printed.tool,
        layout=printed.layout,
        procedure=printed.procedure,
        resamples=made.resamples,
        resamples_from=made.resamples_from,
        seed_of_tool=given.tool_seed,
        numbers=made.numbers,
        notes=(*([BY_ORDER] if by_order else []), *(note for note in ours.notes if note.code != "few_scored")),
        provenance=replace(ours.provenance, inputs=(source, *ours.provenance.inputs)),
    )


def _match_systems(printed: PrintedFile, data: Dataset) -> tuple[dict[str, str], bool]:
    """Which system is meant by each name of the file, by name, else by order; and whether it was by order.

    Raises:
        InputError: neither fits.
    """
    known = {name: name for name in data.systems}
    files = [source.file for source in data.sources if source.role == "system"]
    if len(files) == len(data.systems):
        for file, system in zip(files, data.systems, strict=True):
            for alias in (file, PurePath(file).name, PurePath(file).stem):
                known.setdefault(alias, system)
    names = printed.systems
    if names == ("",) and len(data.systems) == 1:
        return {"": data.systems[0]}, False
    found = {
        name: known.get(name) or known.get(PurePath(name).name) or known.get(PurePath(name).stem) for name in names
    }
    meant = {name: system for name, system in found.items() if system is not None}
    if len(meant) == len(names) == len(set(meant.values())):
        return meant, False
    if len(names) == len(data.systems):
        return dict(zip(names, data.systems, strict=True)), printed.tool == "sacrebleu"
    lines = "one system, which it does not name" if names == ("",) else join(names)
    raise InputError(
        f"holds {inflect(len(names), 'system')} ({lines}), but {inflect(len(data.systems), 'system')} were given "
        f"({join(data.systems)})",
        file=printed.source.file,
        remedy="give those systems, the baseline first",
    )


def _seed(asked: int | str | None, printed: PrintedFile) -> int | None:
    """The seed of the program; None for unseeded.

    Raises:
        UsageError: neither a whole number nor ``none``.
    """
    said = printed.seed if asked is None else str(asked)
    if said is None:
        return DEFAULT_SEED
    if said.lower() == "none":
        return None
    if not said.isdecimal():
        raise UsageError(f"tool_seed={said!r}: expected a whole number, or none for unseeded")
    return int(said)
