"""A page for every registered test."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tests.docs.words import SIGNS

from manual_site import text
from manual_site.levels import Levels
from manual_site.oracles import Oracles
from outscore.report.formats.methods import bibtex
from outscore.significance.choose import KINDS, all_tests

_TITLES = {
    "paired": ("Tests of pairs", "Systems that answered the same items."),
    "independent": ("Tests of independent samples", "Runs, or items that the systems do not share."),
    "omnibus": ("Tests of several systems at once", "Does any system differ, and which pairs do?"),
}


def pages(root: Path) -> dict[str, str]:
    """Names below ``reference/`` and texts."""
    levels, oracles = Levels(root), Oracles(root)
    made = {f"tests/{name}.rst": _page(kind, cls, levels, oracles) for name, (kind, cls) in all_tests().items()}
    parts = [
        "``outscore list tests`` lists them, ``outscore list tests NAME`` shows one; :doc:`/which-test` says which."
    ]
    for kind, (title, about) in _TITLES.items():
        rows = [
            (f":doc:`{name} <tests/{name}>`", text.escaped(cls.null))
            for name, cls in KINDS[kind]  # type: ignore[index]  # the titles have the names of the kinds
        ]
        parts += [text.heading(title, 1), about, text.table(("test", "null hypothesis"), rows)]
    parts.append(text.contents((name.removesuffix(".rst") for name in made), hidden=True))
    return made | {"tests.rst": text.page("Tests", *parts)}


def _page(kind: str, cls: type[Any], levels: Levels, oracles: Oracles) -> str:
    name = cls.name
    return text.page(
        name,
        text.docstring(cls),
        text.facts(
            {
                "Null hypothesis": text.escaped(cls.null),
                "Formula": text.escaped(cls.formula),
                "When it applies": text.escaped(cls.applies),
                "What it needs": text.escaped(cls.needs),
                "Options": text.options(cls),
                "Source": text.escaped(cls.citation),
            }
        ),
        SIGNS,
        text.block(f"outscore compare --test {name} FILE..."),
        _when_not(name, levels),
        _measured(name, levels),
        _held(oracles, cls),
        _source(cls.citation),
    )


def _when_not(name: str, levels: Levels) -> str:
    parts = []
    if fails := levels.fails(name):
        parts.append(
            "It rejects too often, and carries a note, on some sizes of these data "
            f"(:doc:`what they are </levels>`): {_listed(fails)}."
        )
    if others := levels.others(name):
        parts.append(
            "Its null hypothesis is false of these data although the expected scores are equal, so that it may reject "
            f"for another reason: {_listed(others)}."
        )
    if refusals := levels.refusals(name):
        parts.append("It does not answer, and says why, where the data are not its own, as here:")
        parts.append("\n".join(f"- {text.escaped(reason)}" for reason in refusals))
    return "\n\n".join([text.heading("When not", 1), *parts]) if parts else ""


def _listed(families: list[str]) -> str:
    return "; ".join(map(text.escaped, families))


def _measured(name: str, levels: Levels) -> str:
    found = levels.of(name)
    return f"{text.heading('Level and coverage, measured', 1)}\n\n{found}" if found else ""


def _held(oracles: Oracles, cls: type[Any]) -> str:
    found = oracles.of(cls)
    if not found:
        return ""
    rows = [
        (text.code(family.name), text.escaped(family.by), ", ".join(map(text.code, family.modules))) for family in found
    ]
    about = (
        "Numbers of other programs with which the test, or a formula or exact law that it uses, agrees in our tests."
    )
    return "\n\n".join(
        [text.heading("Outside numbers", 1), about, text.table(("family", "computed by", "checked in"), rows)]
    )


def _source(citation: str) -> str:
    return f"{text.heading('BibTeX', 1)}\n\n{text.block(bibtex([citation]))}"
