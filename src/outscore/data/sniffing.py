"""First sight of a file: which readers need not be asked about it, and lines that are no plain texts or scores."""

from __future__ import annotations

import codecs
import re
from collections import Counter
from shlex import quote
from typing import Any

from outscore.base.errors import InputError, join
from outscore.data.columns import is_known
from outscore.data.exports import check_layout
from outscore.data.readers import Sniffed

SIGNS: dict[str, tuple[str, ...]] = {
    "alpaca_eval": ("json",),
    "arrays": ("numpy", "zip"),
    "comet": ("json", "tab"),
    "conll": ("columns", "tab"),
    "conllu": ("tab", ".conllu", ".conllx", ".conllup"),
    "ctm": ("times", ".ctm", ".stm"),
    "database": ("database",),
    "evalb": ("report",),
    "helm": ("json",),
    "inspect_log": ("json", "zip"),
    "jsonl": ("json", ".jsonl", ".ndjson", ".json"),
    "lm_eval": ("object",),
    "metricx": ("object",),
    "mqm": ("header",),
    "mteb": ("json",),
    "mt_metrics_eval": (".score",),
    "naacl": ("numbers", ".wa", ".naacl"),
    "nemo": ("object",),
    "parquet": ("parquet",),
    "pharaoh": ("numbers", ".talp", "giza"),
    "sacrebleu": ("json", "bar"),
    "scores": ("columns", ".scores", ".score"),
    "squad": ("json",),
    "swe_bench": ("json",),
    "table": ("header", ".csv", ".tsv"),
    "transcripts": ("marked", "ends", ".trn", "sclite"),
    "trec": ("three", "tab"),
    "trees": ("brackets", ".mrg", ".ptb"),
    "workbook": ("zip", "workbook"),
}
"""For modules of readers: every file that one of the readers in it takes for its own shows one of these signs.

A reader that is not named here is asked about every file.
"""

_CELLS = re.compile(r"[,;|\t]")
_DIGIT = re.compile(rb"\d")
_TIMES = re.compile(rb"[ \t]\d+(?:\.\d+)?[ \t]+\d+(?:\.\d+)?[ \t]")
_COMMENTS = (b"# ", b"#begin ", b"#end ")


def rule_out(head: Sniffed) -> set[str]:
    """Modules of readers that will not know a file with this name and these first bytes."""
    seen = _signs(head.start.removeprefix(codecs.BOM_UTF8)) | {head.suffix}
    return {module for module, signs in SIGNS.items() if seen.isdisjoint(signs)}


def _signs(start: bytes) -> set[str]:
    """Signs of formats at the beginning of a file, by name."""
    lines = [line for line in start.split(b"\n") if line and not line.isspace()]
    begins = Counter(line.lstrip()[:1] for line in lines)
    widths = Counter(len(line.split()) for line in lines if not line.startswith(_COMMENTS))
    header = lines[0].decode(errors="replace") if lines else ""
    shown = {
        "zip": start.startswith(b"PK\x03\x04"),
        "parquet": start.startswith((b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")),
        "numpy": start.startswith(b"\x93NUMPY"),
        "database": start.startswith(b"SQLite format 3") or start[8:12] == b"DUCK",
        "workbook": start.startswith(b"\xd0\xcf\x11\xe0"),
        "json": start.lstrip()[:1] in (b"{", b"["),
        "object": any(line.lstrip().startswith(b"{") for line in lines[:20]),
        "tab": b"\t" in start,
        "bar": b"|" in start,
        "giza": start.startswith(b"# Sentence pair ("),
        "sclite": any(b"<PATH " in line for line in lines[:20]),
        "report": any(b"Matched" in line for line in lines[:20]),
        "header": any(is_known(cell.strip(' "\r')) for cell in _CELLS.split(header)),
        "numbers": _are_many(sum(begins[b"%d" % digit] for digit in range(10)), begins),
        "marked": _are_many(sum(_DIGIT.search(line.split()[0]) is not None for line in lines), begins),
        "ends": _are_many(sum(line.rstrip().endswith(b")") for line in lines), begins),
        "three": _are_many(max((count for width, count in widths.items() if width >= 3), default=0), widths),
        "columns": _are_many(max(widths.values(), default=0), widths),
        "times": _TIMES.search(start) is not None,
        "brackets": begins[b"("] > 0 and (_are_many(begins[b"("], begins) or any(line[:1].isspace() for line in lines)),
    }
    return {sign for sign, is_there in shown.items() if is_there}


def _are_many(count: int, lines: Counter[Any]) -> bool:
    """A quarter of the lines or more: readers want half of them, of those that are no comments."""
    return 4 * count >= lines.total()


_SETS = re.compile(r"<(refset|tstset|srcset|mteval|dataset|collection)\b", re.I)
_SEGMENT = re.compile(r"<seg\b[^<>]*>", re.I)
_TRANSLATION = re.compile(r"<(hyp|ref|src)\b([^<>]*)>", re.I)
_NAME = re.compile(r"(system|translator)\s*=\s*[\"']([^\"']+)[\"']", re.I)
_PRINTED = "sep='\\n', file=open({!r}, 'w', encoding='utf-8'))"
_SGML = (
    "import html, re{}; t = {}({!r}, 'rt', encoding='utf-8').read(); print(*(' '.join(html.unescape(s).split()) "
    "for s in re.findall('(?is)<seg[^>]*>(.*?)</seg>', t)), "
)
_XML = (
    "import xml.etree.ElementTree as E{}; print(*(' '.join(''.join(s.itertext()).split()) "
    "for h in E.parse({}({!r}, 'rb')).iter({!r}){} for s in h.iter('seg')), "
)
_GROUPS = {"hyp": "system", "ref": "translator"}
_FEWEST = 2


def check_lines(head: Sniffed, reader: str) -> None:
    """Refuses files whose lines would be taken for texts together with their markup, or with what stands beside a tab.

    Args:
        head: the beginning of the file.
        reader: who took it.

    Raises:
        InputError: with the command that makes lines, or a table, of it.
    """
    if reader in ("lines", "kaldi", "conll"):
        _check_markup(head)
    if reader == "lines":
        _check_tabs(head)
    if reader in ("lines", "kaldi") and head.role == "system" and not head.has_references:
        check_layout(head.lines, _name_file(head))


def _check_markup(head: Sniffed) -> None:
    text = "\n".join(head.lines)
    if not text.lstrip().startswith("<") or not _SEGMENT.search(text):
        return
    segments = sum(_SEGMENT.search(line) is not None for line in head.lines)
    if not _SETS.search(text) and 2 * segments < sum(bool(line.strip()) for line in head.lines):
        return
    kind = "ref" if head.role == "reference" else "hyp"
    found = dict.fromkeys(kind.lower() for kind, _ in _TRANSLATION.findall(text))
    kind = kind if kind in found else next(iter(found), "")
    named = (_NAME.search(rest) for one, rest in _TRANSLATION.findall(text) if one.lower() == kind)
    names = list(dict.fromkeys(name[2] for name in named if name))
    file = _name_file(head)
    opened = (", gzip", "gzip.open") if file.endswith(".gz") else ("", "open")
    stem = re.sub(r"(\.(xml|sgml?))?(\.gz)?$", "", file, flags=re.I)
    program = _SGML.format(*opened, file)
    if kind:
        only = f" if h.get({_GROUPS[kind]!r}) == {names[0]!r}" if names else ""
        program = _XML.format(*opened, file, kind, only)
        stem = ".".join(filter(None, (stem, kind, re.sub(r"\W", "_", names[0]) if names else "")))
    program += _PRINTED.format(f"{stem}.txt")
    shell = quote(program) if set(program) & set('$`"!') else f'"{program}"'
    among = f" (here those of the {_GROUPS[kind]} {names[0]!r}, beside {join(names[1:])})" if names[1:] else ""
    raise InputError(
        f"is {'XML' if kind else 'SGML'} of WMT, expected a text a line",
        file=head.file,
        remedy=f"take the segments out{among}, of the systems and of the reference alike: python3 -c {shell}",
    )


def _check_tabs(head: Sniffed) -> None:
    lines = [line for line in head.lines if line.strip()]
    counts = Counter(line.count("\t") for line in lines)
    if len(lines) < _FEWEST or len(counts) > 1 or 0 in counts:
        return
    (tabs,) = counts
    file = _name_file(head)
    stem = re.sub(r"(\.[A-Za-z]+)?(\.gz)?$", "", file) or file
    content = f"gzip -dc {quote(file)}" if file.endswith(".gz") else f"cat {quote(file)}"

    def table(names: list[str]) -> str:
        header = "\\t".join(names)
        return f"(printf '{header}\\n'; {content}) > {quote(f'{stem}.tsv')}"

    text = "reference" if head.role == "reference" else "output"
    ways = [f"with ids in front {table(['item', text, *(f'column{i}' for i in range(3, tabs + 2))])}"]
    if head.role == "reference":
        ways.append(f"with several references {table([f'reference{i}' for i in range(1, tabs + 2)])}")
    else:
        ways.append(f"for one of the columns {content} | cut -f 2 > {quote(f'{stem}.column2.txt')}")
    raise InputError(
        f"every line holds {tabs} tab{'s' if tabs > 1 else ''}, and no header says what the {tabs + 1} columns are",
        file=head.file,
        line=1,
        remedy=f"make a table of it, {', '.join(ways)}; or give --reader lines if the tabs are of the text",
    )


def _name_file(head: Sniffed) -> str:
    """The name of the file for commands, which cannot read the standard input a second time."""
    return "FILE" if head.file == "<stdin>" else head.file
