"""One number a line: COMET segment scores, judge scores, correct or not."""

from __future__ import annotations

from pathlib import PurePath
from shlex import quote
from typing import ClassVar

from outscore.base.errors import InputError
from outscore.base.lazy import dataclass
from outscore.data.columns import comma_remedy, number, numbers
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.run import Run
from outscore.data.source import Source, drop_trailing_blank
from outscore.data.spellings import are_thousands


@reader("scores")
@dataclass(frozen=True)
class ScoresReader(Reader):
    """One score a line, aligned by position; they become the column ``score``."""

    description: ClassVar[str] = "one number a line: the score of each item"
    example: ClassVar[str] = "0.8132\n0.7751\n"
    priority: ClassVar[int] = 30
    roles: ClassVar[tuple[Role, ...]] = ("system",)

    def sniff(self, head: Sniffed) -> bool:
        if head.suffix in (".scores", ".score"):
            return True
        # Digits may be labels or scores: with references they are labels, and the user can overrule it.
        if head.has_references:
            return False
        lines = [line for line in head.lines if line.strip()]
        # Half is enough: one bad line must end in an error, not in scores that are taken for sentences.
        return 2 * sum(number(line) is not None or bool(comma_remedy(line)) for line in lines) > len(lines)

    def read(self, source: Source, context: Context) -> Content:
        lines = drop_trailing_blank(source.lines())
        parsed = numbers(lines, typed=False)
        bad = [i for i, line in enumerate(lines) if not line.strip()] or parsed.bad
        if bad:
            found = repr(lines[bad[0]][:60]) if lines[bad[0]].strip() else "a blank line"
            raise InputError(
                f"found {found}, expected one number a line",
                file=context.file,
                line=bad[0] + 1,
                remedy=comma_remedy(lines[bad[0]]) or "mend the line, or give --reader lines if the file holds outputs",
            )
        if are_thousands(lines, parsed.values):
            to = f"{quote(context.file)} > {quote(f'plain-{PurePath(context.file).name}')}"
            raise InputError(
                "whole numbers stand beside numbers of three decimals each: the point may separate thousands",
                file=context.file,
                remedy=f"if it does, take it out: tr -d . < {to}; if not: awk '{{printf \"%.3f\\n\", $1}}' {to}",
            )
        run = Run(
            system=context.system or context.stem,
            run=context.run or "1",
            columns={"score": parsed.values},
            source=context.source(self.name, len(lines)),
        )
        return Content(runs=(run,))
