"""Text files that are no texts a line, markup of WMT and cells between tabs: what they are, and how to make lines."""

from __future__ import annotations

import re
from collections import Counter
from shlex import quote

from outscore.base.errors import InputError, shown
from outscore.data.readers import Sniffed

_SETS = re.compile(r"<(refset|tstset|srcset|mteval|dataset|collection)\b", re.I)
_SEGMENT = re.compile(r"<seg\b[^>]*>", re.I)
_TRANSLATION = re.compile(r"<(hyp|ref|src)\b([^>]*)>", re.I)
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
    file = _named(head)
    opened = (", gzip", "gzip.open") if file.endswith(".gz") else ("", "open")
    stem = re.sub(r"(\.(xml|sgml?))?(\.gz)?$", "", file, flags=re.I)
    program = _SGML.format(*opened, file)
    if kind:
        only = f" if h.get({_GROUPS[kind]!r}) == {names[0]!r}" if names else ""
        program = _XML.format(*opened, file, kind, only)
        stem = ".".join(filter(None, (stem, kind, re.sub(r"\W", "_", names[0]) if names else "")))
    program += _PRINTED.format(f"{stem}.txt")
    shell = quote(program) if set(program) & set('$`"!') else f'"{program}"'
    among = f" (here those of the {_GROUPS[kind]} {names[0]!r}, beside {shown(names[1:])})" if names[1:] else ""
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
    file = _named(head)
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


def _named(head: Sniffed) -> str:
    """The name of the file for commands, which cannot read the standard input a second time."""
    return "FILE" if head.file == "<stdin>" else head.file
