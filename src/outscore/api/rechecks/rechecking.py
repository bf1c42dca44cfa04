"""``recheck``: what another program printed, made again by its own rule, beside what outscore finds, and why."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

from outscore.api.rechecks import multeval, sacrebleu
from outscore.api.rechecks.printed_metrics import name_metrics
from outscore.api.rechecks.records import Given
from outscore.api.shared.inputs import align_from, check_resamples
from outscore.base.errors import InputError, UsageError, inflect, join
from outscore.base.notes import Note
from outscore.base.rng import DEFAULT_SEED
from outscore.data.align import Missing
from outscore.data.dataset import Dataset
from outscore.data.printed import read_printed
from outscore.data.printed.records import PrintedFile
from outscore.engine.sampling import Engine
from outscore.jobs import Progress, cores
from outscore.metrics import Metric
from outscore.results import Recheck, SourceFile
from outscore.significance import Test

BY_ORDER = Note(
    code="matched_by_order",
    text="the printed names are not those of the systems given here: they were matched in their order",
    remedy="name the systems as in the file, where the order is another",
)


def recheck(
    file: str | os.PathLike[str],
    data: Any,
    *,
    metrics: Sequence[str | Metric] | str | Metric | None = None,
    references: Any = None,
    items: Any = None,
    tool_resamples: int | None = None,
    tool_seed: int | str | None = None,
    test: str | Test = "auto",
    n_resamples: int = 10_000,
    seed: int = DEFAULT_SEED,
    engine: Engine = "cyclic",
    alpha: float = 0.05,
    cluster: str | None = None,
    missing: Missing = "error",
    jobs: int | None = None,
    cache: str | os.PathLike[str] | None = None,
    progress: Progress | None = None,
) -> Recheck:
    """Can the numbers that sacrebleu or MultEval printed be made again, and what does outscore say in their place?

    Every printed number is made again by that program's own rule, draw for draw where its seed is known, and stands
    beside ours with the reasons why they agree or differ.

    Args:
        file: saved output: sacrebleu 2's JSON, tables, LaTeX or lines; MultEval's table, LaTeX or log.
        data: the outputs that were scored, as ``compare`` takes them, the baseline first; for sacrebleu one run of each
            system.
        metrics: options that the file does not name (``"bleu:tokenize=intl"``); by default those of its signature, or
            of its scores.
        references, items, missing, cluster, jobs, cache, progress: as in ``compare``.
        tool_resamples: how many resamples the program drew, where the file does not say it; by default what its
            p-values allow, else the program's own default.
        tool_seed: the program's seed, or ``none`` for unseeded; by default that of the file, else 12345, sacrebleu's
            own.
        test, n_resamples, seed, engine, alpha: of our comparison, as in ``compare``.

    Raises:
        UsageError: an option is wrong.
        InputError: the file is neither program's, or the data are not those it is about.
    """
    check_resamples(n_resamples)
    if tool_resamples is not None and tool_resamples < 1:
        raise UsageError(f"tool_resamples={tool_resamples}: expected 1 or more")
    asked = name_metrics(() if metrics is None else (metrics,) if isinstance(metrics, str | Metric) else tuple(metrics))
    printed = read_printed(os.fspath(file))
    aligned = align_from(data, references=references, items=items, missing=missing)
    systems, by_order = _match_systems(printed, aligned)
    given = Given(
        printed=printed,
        data=aligned.with_systems(tuple(systems.values())),
        systems=systems,
        asked=asked,
        tool_resamples=tool_resamples,
        tool_seed=_seed(tool_seed, printed),
        alpha=alpha,
        jobs=cores() if jobs is None else jobs,
        cache=cache,
        progress=progress,
        how={"seed": seed, "engine": engine, "alpha": alpha, "cluster": cluster, "jobs": jobs, "cache": cache,
             "progress": progress, "n_resamples": n_resamples},
        test=test,
    )  # fmt: skip
    made = (multeval if printed.tool == "MultEval" else sacrebleu).remake(given)
    ours = made.ours
    source = SourceFile(
        file=printed.source.file, role="printed", reader=printed.tool, sha256=printed.source.sha256,
        n_items=len(printed.rows),
    )  # fmt: skip
    return Recheck(
        seed=seed,
        alpha=alpha,
        tool=printed.tool,
        layout=printed.layout,
        procedure=printed.procedure,
        resamples=made.resamples,
        resamples_from=made.resamples_from,
        seed_of_tool=given.tool_seed,
        numbers=made.numbers,
        notes=(*([BY_ORDER] if by_order else []), *ours.notes),
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
