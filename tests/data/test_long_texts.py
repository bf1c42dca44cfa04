"""Patterns that meet texts of users take time in proportion to their length."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

N = 100_000
WORST = {
    "leftovers._LIKE_NUMBER.fullmatch": "'1' + '.' * N + 'a'",
    "readers.pharaoh._WORD.findall": "'a' * N",
    "readers.conllu._COMMENT.fullmatch": "'# newdoc' + ' ' * N + 'x'",
    "sniffing._SEGMENT.findall": "'<seg ' * N",
    "sniffing._TRANSLATION.findall": "'<ref ' * N",
    "readers.ctm._CTM.fullmatch": "'a 1 1.0 1.0 ' + 'a' * N + ' b' * 6",
    "readers.ctm._STM.fullmatch": "'a 1 a 1.0 1.0' + ' ' * N",
    "readers.workbook._OF_SHARED.findall": "b'<c ' + b't=\"s\"' * N + b'>'",
    "printed.multeval._BLOCK.match": "r'\\multirow{3}{*}{a' + ' ' * N + 'x'",
}
FOUND = {
    "leftovers._LIKE_NUMBER": ("~1,000.5 %", "1.", "$ 3 4 !"),
    "readers.conllu._COMMENT": ("# newdoc id = a b  ", "# sent_id", "#domain = ", "# sent_id=x"),
    "readers.ctm._CTM": ("a 1 0.5 1 word", "a 1 0.5 1 x1 .9 lex s "),
    "printed.multeval._BLOCK": (r"\multirow{3}{*}{BLEU  $\uparrow$}", r"\multirow{3}{*}{TER$\downarrow$}"),
}


@pytest.mark.parametrize("name", WORST)
def test_a_hundred_thousand_characters_take_no_time(name: str) -> None:
    module, pattern, how = name.rsplit(".", 2)
    code = f"from outscore.data.{module} import {pattern} as it\nN = {N}\nit.{how}({WORST[name]})"
    subprocess.run([sys.executable, "-c", code], timeout=10, check=True)


@pytest.mark.parametrize("name", FOUND)
def test_what_they_are_for_is_found(name: str) -> None:
    module, pattern = name.rsplit(".", 1)
    it = getattr(importlib.import_module(f"outscore.data.{module}"), pattern)
    assert all(it.match(text) and it.match(text).end() >= len(text.rstrip()) for text in FOUND[name])
