"""Whether a docstring has a line for each option, as the page of a thing and its help show it."""

from __future__ import annotations

import re
from typing import Any

from outscore.base.registry import options_of


def check_explained(cls: type[Any]) -> None:
    """Each option of a dataclass is one of the arguments of its docstring: ``name: words`` or ``one, other: words``."""
    said = {
        name
        for names in re.findall(r"^ +(\w+(?:, \w+)*): +\S", cls.__doc__ or "", flags=re.MULTILINE)
        for name in names.split(", ")
    }
    lacking = [field.name for field in options_of(cls) if field.name not in said]
    assert not lacking, f"the docstring of {cls.__name__} has no line of its own for {', '.join(lacking)}"
