"""What the site has beyond its pages: a reference out of the registries, tables of contents, the project's own pages.

A Sphinx extension, for ``conf.py``.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

from manual_site import contents, project, readers, reference


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    # the tables that pages show have no lexer of their own
    for language in ("csv", "tsv"):
        app.add_lexer(language, TextLexer)
    app.connect("builder-inited", _write)
    app.connect("source-read", contents.read)
    app.connect("build-finished", readers.mend)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def _write(app: Sphinx) -> None:
    """Writes ``reference/`` anew: files that are as they were stay untouched, others go."""
    folder = Path(app.srcdir) / "reference"
    made = {**project.pages(folder.parents[1]), **reference.pages(folder.parents[1])}
    folder.mkdir(exist_ok=True)
    for old in folder.rglob("*"):
        if old.is_file() and old.relative_to(folder).as_posix() not in made:
            old.unlink()
    for name, text in made.items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
