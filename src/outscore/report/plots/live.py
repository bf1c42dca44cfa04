"""A live picture: one page with the chart, its data and the library that draws it, which fetches nothing."""

from __future__ import annotations

import html
import json
from typing import Any

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>
body {{ margin: 2em auto; max-width: 75em; padding: 0 1em; font-family: sans-serif; background: white; color: #222; }}
#picture {{ overflow-x: auto; }}
</style>
<script>{library}</script>
</head>
<body>
<div id="picture"></div>
<noscript>{title}: this picture is drawn by a script in this page, and scripts are switched off.</noscript>
<script type="application/json" id="chart">{chart}</script>
<script>
vegaEmbed("#picture", JSON.parse(document.getElementById("chart").textContent), {{
  renderer: "svg",
  actions: {{ export: true, source: false, compiled: false, editor: false }},
  downloadFileName: "picture"
}});
</script>
</body>
</html>
"""

_POLICY = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"
"""Nothing is fetched, whatever the data say; Vega compiles the expressions of a chart."""


def live(spec: dict[str, Any], library: str) -> str:
    """A page with a picture that answers the mouse: values under the pointer, zoom, saving as SVG or PNG.

    Args:
        spec: the chart as Vega-Lite, with its data.
        library: JavaScript that defines ``vegaEmbed``.
    """
    text = json.dumps(spec, ensure_ascii=False, allow_nan=False)
    # JSON knows these escapes and HTML does not: no text in the data can end the script or begin a tag
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return _PAGE.format(
        title=html.escape(_title(spec)),
        policy=html.escape(_POLICY, quote=True),
        library=library.replace("</script", "<\\/script").replace("<!--", "<\\!--"),
        chart=text,
    )


def _title(spec: dict[str, Any]) -> str:
    """The title of the first picture that has one."""
    if "title" not in spec:
        first: dict[str, Any] = next(
            (part for key in ("vconcat", "hconcat", "concat") for part in spec.get(key, [])), {}
        )
        return _title(first) if first else "outscore"
    said = spec["title"]
    text = said.get("text", "") if isinstance(said, dict) else said
    return " ".join(text) if isinstance(text, list) else str(text)
