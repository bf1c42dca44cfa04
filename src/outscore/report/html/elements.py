"""HTML by construction: whatever is not made here is text, and stays text."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from outscore.base.text import clean
from outscore.report.html.limits import clip

_VOID = {"input", "meta", "br", "img"}


class Markup(str):
    """HTML that was made here; any other text is escaped where it is put in."""

    __slots__ = ()


def element(tag: str, *inside: str, **attributes: str | int | bool | None) -> Markup:
    """An element with its attributes and what is inside.

    Args:
        tag: name of the element.
        inside: markup as it is; other texts are escaped.
        attributes: ``class_`` and ``for_`` lose their underscore, inner underscores are hyphens; None and False leave
            an attribute out, True gives one without a value; markup is put in as it is.
    """
    said = "".join(_attribute(name, value) for name, value in attributes.items())
    if tag in _VOID:
        return Markup(f"<{tag}{said}>")
    return Markup(f"<{tag}{said}>{join(inside)}</{tag}>")


def join(parts: Iterable[str]) -> Markup:
    """Markup and texts, one after the other."""
    return Markup("".join(part if isinstance(part, Markup) else text(part) for part in parts))


def text(value: object) -> Markup:
    """A text that means nothing to a browser; control characters become harmless, very long ones are clipped."""
    return Markup(escape(clip(clean(value))))


def lines(value: str) -> Markup:
    """The same of several lines, which stay lines."""
    return join(part for line in value.split("\n") for part in (line, Markup("\n")))


def _attribute(name: str, value: str | int | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    if value is True:
        return f" {name}"
    return f' {name}="{value if isinstance(value, Markup) else escape(clip(clean(value)), quote=True)}"'
