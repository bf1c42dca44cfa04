"""JSON: the record itself, full precision; ``outscore show`` draws it again."""

from __future__ import annotations

from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.report.formats import format_
from outscore.results.result import Result


@format_("json")
@dataclass(frozen=True)
class Json:
    """The public JSON contract (``schema_version``); null for what is undefined, never NaN."""

    suffixes: ClassVar[tuple[str, ...]] = (".json",)

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """The JSON text; ``decimals`` have no part in it, as nothing is rounded."""
        return result.to_json()
