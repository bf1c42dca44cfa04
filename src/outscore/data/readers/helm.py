"""HELM: the statistics of each instance in the folder of a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar

import numpy as np

from outscore.base.errors import inflect, join
from outscore.base.lazy import dataclass
from outscore.base.notes import Note
from outscore.data.documents import Node, beginning, parse
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Run
from outscore.data.source import Source, open_source


@reader("helm")
@dataclass(frozen=True)
class Helm(Reader):
    """``per_instance_stats.json``: a column for each statistic, a run for each training trial.

    Args:
        split: the split to read; by default ``test``, or ``valid`` where nothing is in ``test``.
        perturbed: perturbed variants are items too, and the variants of one instance are one cluster.
    """

    description: ClassVar[str] = "HELM: per_instance_stats.json of a run"
    example: ClassVar[str] = (
        '[{"instance_id": "id1", "train_trial_index": 0, "stats": [{"name": {"name": "exact_match", "split": "test"}, '
        '"count": 1, "sum": 1.0, "mean": 1.0}]}]\n'
    )
    priority: ClassVar[int] = 3
    roles: ClassVar[tuple[Role, ...]] = ("system",)

    split: str = ""
    perturbed: bool = False

    def sniff(self, head: Sniffed) -> bool:
        value, _ = beginning("\n".join(head.lines))
        first = value[0] if isinstance(value, list) and value else None
        return isinstance(first, dict) and {"instance_id", "train_trial_index"} <= first.keys()

    def read(self, source: Source, context: Context) -> Content:
        entries = parse(source.text, context.file).items()
        variants = [entry for entry in entries if self.perturbed or entry.get("perturbation").missing]
        splits = Counter(
            split for entry in variants for split in {_text(s.get("name"), "split") for s in _stats(entry)}
        )
        wanted = self.split or next((s for s in ("test", "valid") if s in splits), "test")
        trials: dict[str, dict[str, dict[str, float]]] = {}
        for entry in variants:
            values = _values(entry, wanted)
            if not values:
                continue
            trial, item = entry.get("train_trial_index").text(), _item(entry)
            if item in trials.setdefault(trial, {}):
                raise entry.error(f"the instance {item!r} is there twice in trial {trial}", "keep one of the two")
            trials[trial][item] = values
        if not trials:
            raise parse("[]", context.file).error(
                f"nothing is in the split {wanted!r}; the file has {join(splits) or 'no statistics'}",
                "name a split: --reader helm:split=NAME",
            )
        notes = _note_left_out(len(entries) - len(variants), wanted, splits)
        named, task = _model_and_task(context)
        model = context.system or named
        origin = context.source(self.name, len(next(iter(trials.values()))))
        runs = []
        for trial, items in trials.items():
            names = dict.fromkeys(name for values in items.values() for name in values)
            run = trial if context.run is None else context.run if len(trials) == 1 else f"{context.run}.{trial}"
            cluster = tuple(item.partition("/")[0] for item in items)
            runs.append(
                Run(
                    system=model,
                    run=run,
                    part=task,
                    ids=tuple(items),
                    columns={n: np.array([values.get(n, np.nan) for values in items.values()]) for n in names},
                    labels={"cluster": cluster} if self.perturbed else {},
                    notes=notes,
                    source=origin,
                )
            )
        return Content(runs=tuple(runs))


def _item(entry: Node) -> str:
    perturbation = entry.get("perturbation")
    instance = entry.get("instance_id").text()
    return instance if perturbation.missing else f"{instance}/{perturbation.get('name').text()}"


def _stats(entry: Node) -> list[Node]:
    return entry.get("stats").items()


def _values(entry: Node, split: str) -> dict[str, float]:
    """The statistics of an instance by name; those that a name has several of by name and sub-split."""
    stats = [stat for stat in _stats(entry) if _text(stat.get("name"), "split") == split]
    names = Counter(stat.get("name").get("name").text() for stat in stats)
    found: dict[str, float] = {}
    for stat in stats:
        name, sub = stat.get("name").get("name").text(), _text(stat.get("name"), "sub_split")
        column = f"{name}.{sub}" if names[name] > 1 and sub else name
        if column in found:
            raise stat.error(f"the statistic {column!r} is there twice for one instance", "keep one of the two")
        found[column] = _mean(stat)
    return found


def _mean(stat: Node) -> float:
    count = stat.get("count").number()
    if not count > 0:
        return float("nan")
    mean = stat.get("mean")
    return stat.get("sum").number() / count if mean.missing else mean.number()


def _text(node: Node, key: str) -> str:
    found = node.get(key)
    return "" if found.missing else found.text()


def _note_left_out(perturbed: int, split: str, splits: Mapping[str, int]) -> tuple[Note, ...]:
    notes = []
    if perturbed:
        notes.append(
            Note(
                code="perturbed_left_out",
                text=f"{inflect(perturbed, 'perturbed instance')} in the file were not read",
                remedy="read them with --reader helm:perturbed=true",
            )
        )
    other = [name for name in splits if name != split]
    if other:
        notes.append(
            Note(
                code="split_left_out",
                text=f"only the split {split!r} was read, the file also has {join(other)}",
                remedy=f"read another with --reader helm:split={other[0]}",
            )
        )
    return tuple(notes)


def _model_and_task(context: Context) -> tuple[str, str]:
    """The model and the scenario with its arguments, from the run's specification beside the file or its folder.

    A folder of another name says nothing of the task.
    """
    folder = Path(context.file).parent
    beside = folder / "run_spec.json"
    model, name = folder.name or context.stem, folder.name
    if beside.is_file():
        spec = parse(open_source(str(beside)).text, str(beside))
        model = spec.get("adapter_spec").get("model").text()
        name = _text(spec, "name") or name
    scenario, _, arguments = name.partition(":")
    of_task = [one for one in arguments.split(",") if one and not one.startswith("model=")]
    return model, ":".join([scenario, *([",".join(of_task)] if of_task else [])]) if arguments else ""
