"""Tables of contents, out of the lists of links on the front page.

Each ``## Section`` of ``index.md`` whose list items link to pages is a section of the site. A viewer of Markdown shows
the list, the site has it in its margin too, and nothing is kept twice.
"""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

from manual_site.project import linked, place

_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_ITEM = re.compile(r"^- .*", re.MULTILINE)
_LINK = re.compile(r"\[[^\]]*\]\(([^)#:\s]+)\)")


def read(app: Sphinx, page: str, source: list[str]) -> None:
    """A page as Sphinx is to see it: the front page with its tables of contents, and links to the project's pages."""
    text = source[0]
    if page == app.config.root_doc:
        text += "".join(
            f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{entries}\n```\n"
            for caption, found in sections(text).items()
            for entries in ["\n".join(found + _generated(caption))]
        )
    if not page.startswith("reference/") and (Path(app.srcdir) / f"{page}.md").exists():
        text = linked(text, f"{'../' * page.count('/')}reference/project/")
    source[0] = text


def sections(text: str) -> dict[str, list[str]]:
    """The sections of the front page and the pages that each lists, without their suffixes, in order."""
    parts = _SECTION.split(text)
    found: dict[str, list[str]] = {}
    for caption, body in zip(parts[1::2], parts[2::2], strict=True):
        pages = []
        for target in _LINK.findall("\n".join(_ITEM.findall(body))):
            inside = f"reference/{place(target)}" if target.startswith("../") else target
            pages.append(re.sub(r"\.(md|ipynb)$", "", inside))
        if pages:
            found[caption] = pages
    return found


def _generated(caption: str) -> list[str]:
    return ["reference/index"] if caption == "Reference" else []
