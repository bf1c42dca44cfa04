"""The pages that are made of declarations: all methods in one form, all public names, all notes."""

from __future__ import annotations

import inspect
import re
from types import ModuleType

import pytest

import outscore
from outscore.cli.kinds import KINDS
from tests.docs import api, manual, methods, noted, tried
from tests.docs.manual import ROOT


@pytest.mark.slow
@pytest.mark.parametrize("made", [api, methods, noted, tried], ids=lambda made: made.PAGE.stem)
def test_the_page_is_what_is_declared(made: ModuleType) -> None:
    if manual.UPDATE:
        made.PAGE.write_text(made.page(), encoding="utf-8")
    assert made.page() == made.PAGE.read_text(encoding="utf-8"), f"python -m {made.__name__} writes it"


def test_every_method_has_all_of_the_form() -> None:
    parts = re.split(r"^### `([^`]+)`$", methods.PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    found = list(zip(parts[::2], parts[1::2], strict=True))
    kinds = ("tests", "intervals", "corrections", "posteriors", "coefficients", "plans")
    assert [name for name, _ in found] == [name for kind in kinds for name in KINDS[kind].things()]
    for name, text in found:
        assert "- *Fails*: " in text, name
        assert "- *Slow twin*: " in text, name
        assert re.search(r"- \*Fails\*: .*(?<![\d])\.\d\d", text), f"{name} does not say how far it fails"
        assert re.search(r"[.?](?: Options: .*)?$", text.split("\n")[1]), f"{name} has half a sentence"
    short = (ROOT / "docs" / "intervals.md").read_text(encoding="utf-8")
    assert not [said for said in methods.SHORT.values() if re.findall(r"\.\d{3}", said)[0] not in short]
    for name, text in found[: len(KINDS["tests"].things())]:
        for fact in ("Null hypothesis", "Formula", "Assumes", "Needs", "Source"):
            assert f"- *{fact}*: " in text, (name, fact)


def test_every_slow_twin_is_there() -> None:
    assert not [twin for twin in methods.TWINS.values() if not (ROOT / "tests" / twin).is_file()]


def test_every_public_name_says_what_it_takes_what_it_raises_and_where_its_source_is() -> None:
    assert set(api.names()) >= api.PROVISIONAL
    for name in api.names():
        thing = getattr(outscore, name)
        documented = " ".join(inspect.getdoc(one) or "" for one in getattr(thing, "__mro__", (thing,)))
        lacking = [one for one in api.parameters(thing) if not re.search(rf"\b{one}\b", documented)]
        assert not lacking, f"{name} does not say what {lacking} are"
        assert inspect.isclass(thing) or "Raises" in api.said(thing), name
        assert (ROOT / "docs" / api.page_about(name)).is_file()


def test_every_method_of_a_public_class_is_described() -> None:
    page = api.PAGE.read_text(encoding="utf-8")
    of_name = {part.partition("`")[0]: part for part in page.split("\n### `")[1:]}
    assert {"gate", "flips", "pvalue"} <= set(api.methods(outscore.Comparison))
    assert {"update", "sequence", "to_json"} <= set(api.methods(outscore.Sequential))
    for name in api.names():
        for method in api.methods(getattr(outscore, name)):
            assert re.search(rf"^- `{method}(?:\(.*\))?`: [`\w]", of_name[name], re.MULTILINE), f"{name}.{method}"
    for method in api.OF_ALL:
        assert re.search(rf"^- `{method}(?:\(.*\))?`: [`\w]", page, re.MULTILINE), method
