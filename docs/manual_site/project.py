"""The pages that stand at the top of the checkout, for the site."""

from __future__ import annotations

import re
from pathlib import Path

PAGES = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
PLAIN = {"CITATION.cff": ("How to cite", "yaml"), "LICENSE": ("Licence", "text")}

_LINK = re.compile(r"\]\((?P<up>(?:\.\./)*)(?P<name>[A-Z]+)(?:\.md|\.cff)?(?P<part>#[\w-]+)?\)")


def pages(root: Path) -> dict[str, str]:
    """Names below ``reference/`` and texts; links into ``docs/`` are those of the site."""
    found = {}
    for name in PAGES:
        text = (root / name).read_text(encoding="utf-8")
        found[place(name)] = linked(re.sub(r"\]\(docs/", "](../../", text), "")
    for name, (title, language) in PLAIN.items():
        found[place(name)] = f"# {title}\n\n```{language}\n{(root / name).read_text(encoding='utf-8')}\n```\n"
    return found


def place(name: str) -> str:
    """Where a page of the project is, below ``reference/``."""
    return f"project/{Path(name).stem.lower()}.md"


def linked(text: str, folder: str) -> str:
    """A page whose links to pages of the project lead to ``folder``."""
    return _LINK.sub(lambda link: f"]({folder}{link['name'].lower()}.md{link['part'] or ''})", text)
