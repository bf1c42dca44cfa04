"""Transcripts of NIST with times of words (.ctm) or segments (.stm): what they are called, and how to make lines."""

from __future__ import annotations

import re
from shlex import quote

from outscore.base.errors import InputError
from outscore.data.readers import Sniffed

_TIME = r"(\d+(?:\.\d+)?)"
_CTM = re.compile(rf"\S+\s+\S+\s+{_TIME}\s+{_TIME}\s+\S*[^\W\d]\S*(\s+\S+){{0,3}}\s*")
"""Recording, channel, begin, duration, word, and perhaps a confidence, a type and a speaker."""
_STM = re.compile(rf"\S+\s+\S+\s+\S+\s+{_TIME}\s+{_TIME}\s+.*[^\W\d].*")
"""Recording, channel, speaker, begin, end, perhaps a label in angle brackets, and the words."""
_JOINED = "END {for (i = 1; i <= n; i++) print o[i] t[o[i]]}"
_ONCE = 'k = $1 "-" $2; if (!(k in t)) o[++n] = k;'
_KINDS = {
    ".ctm": (_CTM, "a CTM file of NIST, a word with its time a line", f'{{{_ONCE} t[k] = t[k] " " $5}}'),
    ".stm": (
        _STM,
        "an STM file of NIST, a segment with its times a line",
        f'{{{_ONCE} for (i = $6 ~ /^</ ? 7 : 6; i <= NF; i++) t[k] = t[k] " " $i}}',
    ),
}
_FEW = 3
_TEXTS = ("lines", "kaldi")


def check_untimed(head: Sniffed, reader: str) -> None:
    """Refuses files whose lines are no utterances: of plain text each word would be an item, its times words.

    Args:
        head: the beginning of the file.
        reader: who took it; others than those of plain text know better, unless the suffix says it.

    Raises:
        InputError: with the command that joins the words of each recording and channel behind their name.
    """
    lines = [line for line in head.lines if line.strip() and not line.startswith(";;")]
    for suffix, (form, name, program) in _KINDS.items():
        by_name = head.suffix == suffix
        if not by_name and (reader not in _TEXTS or len(lines) < _FEW):
            continue
        found = [times for line in lines if (times := form.fullmatch(line))]
        if not by_name:  # whole numbers may be ranks
            found = [times for times in found if "." in times[1] and "." in times[2]]
        if not found or len(found) < 0.9 * len(lines):
            continue
        stem = head.file.removesuffix(".gz").removesuffix(suffix)
        words = f"awk '!/^;;/ {program} {_JOINED}' {quote(head.file)} > {quote(f'{stem}.txt')}"
        raise InputError(
            f"is {name}, expected a line for each utterance",
            file=head.file,
            remedy="join the words of each recording and channel, of the systems and of the reference alike: "
            f"{words}; then give --reader kaldi",
        )
