"""What the theme leaves out for those who use a keyboard or hear a page: mended in the pages when they are written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

MENDED = (
    # what is wider than the screen can be reached, and moved by the keys
    (r"<pre>", '<pre tabindex="0">'),
    (r'<div class="table-wrapper ([^"]*)">', r'<div class="table-wrapper \1" tabindex="0">'),
    (r'role="heading">', 'role="heading" aria-level="2">'),
    (r'<aside class="sidebar-drawer">', '<aside class="sidebar-drawer" aria-label="All pages">'),
    (r'<aside class="(toc-drawer[^"]*)">', r'<aside class="\1" aria-label="On this page">'),
    # parameters of a signature are a list without terms
    (r'<dl>\n<dd><em class="sig-param">', '<dl role="list">\n<dd><em class="sig-param">'),
    (r'<dd><em class="sig-param">', '<dd role="listitem"><em class="sig-param">'),
    (r'(id="furo-main-content">\s*(?:<!--.*?-->\s*)?)<noscript>', r"\1<h1>Search</h1>\n<noscript>"),
    # a corner of a table heads nothing
    (r"<th( [^>]*)?>\s*(<p></p>)?\s*</th>", r"<td\1></td>"),
)


def mend(app: Any, error: Exception | None) -> None:
    """Every page of a site that was built."""
    if error is not None or app.builder.format != "html":
        return
    for path in Path(app.outdir).rglob("*.html"):
        text = made = path.read_text(encoding="utf-8")
        for pattern, put in MENDED:
            made = re.sub(pattern, put, made)
        if made != text:
            path.write_text(made, encoding="utf-8")
