"""The items that speak most for a system and most against it, beside reference and outputs."""

from __future__ import annotations

from collections import Counter

from outscore.base.errors import inflect
from outscore.report.html import elements as limits
from outscore.report.html.elements import Markup, element, join, lines, text
from outscore.report.numbers import View, to_digits, to_fixed
from outscore.results.details import ItemGain, ItemText
from outscore.results.flips import Piece, compare_texts
from outscore.results.result import Result

_Key = tuple[str, str, str]

_PRINTED = 3
"""Items for a system, and against it, that are on paper."""


def items_markup(result: Result) -> Markup:
    """A searchable list; where no items were kept, how to see them."""
    listed = result.listed_items()
    if not listed.gains:
        return element("p", listed.absent) if listed.absent else Markup()
    view = View(result, None)
    texts = {text.item: text for text in listed.texts}
    entries, keys = _entries(view, listed.gains, texts)
    unshown = len(listed.gains) - len(entries)
    about = (
        "Influence: how much the item adds to the gain, in the metric's unit; positive speaks for the system. Outputs "
        "are those of the median run."
    )
    missing = len({gain.item for gain in listed.gains} - set(texts)) if texts else 0
    said = [element("p", about)]
    said += [element("p", f"The texts of {inflect(missing, 'item')} are left out to keep it small.")] if missing else []
    said += [element("p", f"{inflect(unshown, 'more item')} left out to keep the page small.")] if unshown else []
    printed = (
        f"On paper: up to {_PRINTED} items for a system and {_PRINTED} against it, long texts cut; the page itself has "
        f"{len(entries)}."
    )
    said.append(element("p", printed, class_="paper"))
    return join([*said, _controls(view, keys), element("div", *entries, id="item-list")])


def _entries(view: View, items: tuple[ItemGain, ...], texts: dict[str, ItemText]) -> tuple[list[Markup], list[_Key]]:
    """The entries that there is room for, in their order, and the pairs that they are about."""
    entries: list[Markup] = []
    keys: dict[_Key, int] = {}
    seen: Counter[tuple[_Key, bool]] = Counter()
    room = limits.ITEMS
    for gain in items:
        pair = keys.get(_key(gain), len(keys))
        side = (_key(gain), gain.influence > 0)
        seen[side] += 1
        unprinted = seen[side] > _PRINTED
        made = _item(view, gain, texts.get(gain.item), pair, unprinted=unprinted)
        if limits.size(made) > room:
            made = _item(view, gain, None, pair, unprinted=unprinted)
        if limits.size(made) > room:
            break
        room -= limits.size(made)
        keys[_key(gain)] = pair
        entries.append(made)
    return entries, list(keys)


def _key(gain: ItemGain) -> _Key:
    return gain.system, gain.baseline, gain.metric


def _controls(view: View, keys: list[_Key]) -> Markup:
    search = element("label", "Search ", element("input", type="search", id="item-search", autocomplete="off"))
    count = element("span", id="item-count", role="status")
    if len(keys) == 1:
        return element("p", search, " ", count, class_="live")
    options = [
        element("option", f"{system} against {baseline}, {view.label(metric)}", value=str(number))
        for number, (system, baseline, metric) in enumerate(keys)
    ]
    pair = element("label", "Pair ", element("select", *options, id="item-pair"))
    return element("p", search, " ", pair, " ", count, class_="live")


def _item(view: View, gain: ItemGain, found: ItemText | None, pair: int, *, unprinted: bool) -> Markup:
    places = view.decimals(gain.metric).score
    head = [element("b", gain.item), f" · influence {_format_signed(gain.influence)}"]
    scores = [to_fixed(one, places) for one in (gain.baseline_score, gain.system_score) if one is not None]
    head += [f" · {' → '.join(scores)}"] if scores else []
    if found is not None and found.labels:
        described = [f"{name}: {value}" for name, value in found.labels.items()]
        head.append(" · " + ", ".join(described[: limits.LABELS]))
        if (more := len(described) - limits.LABELS) > 0:
            head.append(f" and {inflect(more, 'more column')}")
    speaks = "speaks for" if gain.influence > 0 else "speaks against"
    against = f" · {speaks} {gain.system} (against {gain.baseline}, {view.label(gain.metric)})"
    words = element("p", *head, element("span", against, class_="whose"))
    tone = "better" if gain.influence > 0 else "worse"
    kind = f"item {tone} unprinted" if unprinted else f"item {tone}"
    return element("div", words, _texts(gain, found), class_=kind, data_pair=str(pair))


def _format_signed(influence: float) -> str:
    return f"{'+' if influence > 0 else ''}{to_digits(influence, 3)}"


def _texts(gain: ItemGain, found: ItemText | None) -> Markup:
    if found is None:
        return Markup()
    same: dict[str, list[int]] = {}
    for number, reference in enumerate(found.references, 1):
        same.setdefault(reference, []).append(number)
    rows = [
        ("reference" if len(same) == 1 else f"reference {', '.join(map(str, numbers))}", lines(reference))
        for reference, numbers in same.items()
    ]
    both = compare_texts(*(found.outputs.get(name, "") for name in (gain.baseline, gain.system)))
    named = zip((gain.baseline, gain.system), both, strict=True)
    rows += [(name, _mark(pieces)) for name, pieces in named if name in found.outputs]
    return element("dl", *(part for name, text in rows for part in (element("dt", name), element("dd", text))))


def _mark(pieces: list[Piece]) -> Markup:
    """A text in which the words are marked that the other system lacks."""
    return join(element("mark", _in_line(words)) if differs else _in_line(words) for words, differs in pieces)


def _in_line(words: str) -> Markup:
    return Markup("\n".join(map(text, words.split("\n"))))
