"""Options that say what the data sets are."""

from typing import Annotated

from outscore.verbs.declared import Option

Sets = Annotated[
    tuple[str, ...],
    Option(
        "Data sets: folders, or tables with all systems.",
        "Folders in which all FILEs lie. Quote the pattern.",
        metavar="PATTERN",
        repeat=True,
        group="Files",
    ),
]
