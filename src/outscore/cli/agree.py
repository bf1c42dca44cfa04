"""``outscore agree``, beside its verb: how the labels are read."""

from dataclasses import dataclass
from typing import Annotated, Any

from outscore.cli.command import Around, Call
from outscore.verbs.declared import Option

Columns = Annotated[
    tuple[str, ...],
    Option(
        "Of a table: item=question_id, label=answer.",
        "What a column is for, where its name does not say it: annotator=worker; item=document+sentence joins two.",
        flags=("-c", "--column", "columns"),
        metavar="ROLE=NAME",
        repeat=True,
        group="Files",
    ),
]
Annotators = Annotated[
    str | None,
    Option(
        "Columns of a wide table, or patterns: 'rater*'.",
        "One for each annotator.",
        metavar="COLUMN,...",
        group="Files",
    ),
]


@dataclass(frozen=True, kw_only=True)
class AroundAgree(Around):
    """Labels in place of systems."""

    columns: Columns = ()
    annotators: Annotators = None

    def check(self, call: Call) -> Call:
        """Leaves it to the reader to refuse files, and none."""
        return call

    def read(self, call: Call) -> tuple[Any, ...]:
        """Labels of annotators."""
        from outscore.data.annotations import read_annotations

        names = [] if self.annotators is None else [part.strip() for part in self.annotators.split(",")]
        return (read_annotations(call.inputs.files, annotators=names, columns=self.columns),)
