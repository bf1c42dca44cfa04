"""Plain text: one output or one reference a line."""

from __future__ import annotations

from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.data.readers import Content, Context, Reader, Role, Sniffed, reader
from outscore.data.source import Source


@reader("lines")
@dataclass(frozen=True)
class Lines(Reader):
    """One output a line, aligned by position; an empty line is an empty output."""

    description: ClassVar[str] = "plain text, one output or reference a line"
    example: ClassVar[str] = "The cat sat on the mat.\nA dog barked.\n"
    priority: ClassVar[int] = 90
    roles: ClassVar[tuple[Role, ...]] = ("system", "reference")

    def sniff(self, head: Sniffed) -> bool:
        return True

    def read(self, source: Source, context: Context) -> Content:
        return context.content_of(self.name, tuple(source.lines()))
