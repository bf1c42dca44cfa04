"""JSON, which ``show`` draws again."""

from __future__ import annotations

import re
from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.report.formats import format_
from outscore.results.result import Result

_HIDDEN = re.compile("[\x7f-\x9f\xad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
"""Characters with power over a terminal, or hidden, that may stand in JSON; as escapes they are the same text."""


@format_("json")
@dataclass(frozen=True)
class Json:
    """The public JSON contract (``schema_version``); null for what is undefined, never NaN."""

    suffixes: ClassVar[tuple[str, ...]] = (".json",)

    def render(self, result: Result, *, decimals: int | None = None) -> str:
        """The JSON text; ``decimals`` have no part in it, as nothing is rounded."""
        return _HIDDEN.sub(lambda found: f"\\u{ord(found[0]):04x}", result.to_json())
