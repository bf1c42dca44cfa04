"""Opening a file, or what is in a folder: bytes and text with a digest, and errors that say what to mend."""

from __future__ import annotations

import codecs
import hashlib
import importlib
import io
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from shlex import quote
from typing import Any

from outscore.base import limits
from outscore.base.errors import InputError
from outscore.base.installed import require
from outscore.base.lazy import dataclass
from outscore.data.folders import files_of

STDIN = "-"
_HEAD = 1 << 16
_UTF_16 = "UTF-16 text"
_UNMARKED = {"UTF-16LE": 1, "UTF-16BE": 0}
"""Encodings without a mark, and where the empty byte of a letter of English stands."""
_LEAST_EMPTY = 0.05
"""Proportion of characters with an empty byte: other alphabets have them at blanks and line ends alone."""
_BINARY = {
    b"PK\x03\x04": "a zip archive",
    b"PAR1": "a Parquet file",
    b"\x80\x04\x95": "a pickle of Python",
    b"\x80\x05\x95": "a pickle of Python",
    b"\x89HDF\r\n": "an HDF5 file",
    b"\xff\xfe": _UTF_16,
    b"\xfe\xff": _UTF_16,
}
_REMEDIES = {
    _UTF_16: "save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8",  # what spreadsheets call Unicode text
    "a pickle of Python": "give what it holds to outscore.compare in Python",
    "an HDF5 file": "write its table as Parquet or CSV",
}


@dataclass(frozen=True)
class Source:
    """The content of one file.

    Attributes:
        file: its name as the user gave it.
        data: its bytes, decompressed.
        sha256: digest of the bytes as they are stored, before decompression.
        part: what the user picked from the file by ``FILE::PART``: a table, a query, a sheet; else empty.
    """

    file: str
    data: bytes
    sha256: str
    part: str = ""

    @property
    def path(self) -> str:
        """The name of the file without its part."""
        return self.file.removesuffix(f"::{self.part}") if self.part else self.file

    @cached_property
    def text(self) -> str:
        """UTF-8 text without byte-order mark; lines end in ``\\n`` or ``\\r\\n`` as in the file.

        Raises:
            InputError: a format that is no text, or not UTF-8.
        """
        self._check_text()
        return _decode(self.data, self.file)

    def beginning(self, size: int) -> str:
        """The text of the first ``size`` bytes, or of a few less lest a character is cut.

        Raises:
            InputError: as for ``text``.
        """
        self._check_text()
        start = self.data[:size]
        while len(start) < len(self.data) and start and start[-1] & 0xC0 == 0x80:
            start = start[:-1]  # inside a character
        if len(start) < len(self.data) and start and start[-1] & 0x80:
            start = start[:-1]
        return _decode(start, self.file)

    def _check_text(self) -> None:
        for magic, kind in _BINARY.items():
            if self.data.startswith(magic):
                remedy = _REMEDIES.get(kind, "convert it, or compress with gzip")
                raise InputError(f"is {kind}, expected UTF-8 text", file=self.file, remedy=remedy)
        encoding = _guess_encoding(self.data[:_HEAD])
        if encoding:
            raise InputError(
                f"is {_UTF_16} without a mark ({encoding}), expected UTF-8 text",
                file=self.file,
                remedy=f"save it as UTF-8, for example with iconv -f {encoding} -t UTF-8",
            )
        if b"\n" not in self.data and b"\r" in self.data.rstrip(b"\r"):  # one line for us, many for its writer
            raise InputError(
                "lines end in CR alone, expected LF or CR LF",
                file=self.file,
                line=1,
                remedy="save it with the line ends of Windows or Unix, for example with tr '\\r' '\\n'",
            )

    def lines(self) -> list[str]:
        """The lines of the text, see ``lines_of``.

        Raises:
            InputError: one that is longer than the limit.
        """
        lines = lines_of(self.text)
        longest = max(range(len(lines)), key=lambda i: len(lines[i]), default=0)
        limits.check("line", len(lines[longest]) if lines else 0, f"line {longest + 1}", self.file)
        return lines


def open_source(file: str) -> Source:
    """The content of a plain or compressed file, or of a part of it (``FILE::PART``); ``-`` is the standard input.

    Raises:
        InputError: missing, a directory, unreadable, broken when it was compressed, or empty.
        MissingExtra: the library of zstd is not installed.
    """
    path, part = split_part(file)
    raw = _stdin() if file == STDIN else _bytes(path)
    name = "<stdin>" if file == STDIN else file
    data = _unpack(raw, name)
    if data[:1] in (b"{", b"["):
        # an object or list of Python takes a hundred bytes where JSON has two
        limits.check_unpacked(len(data) + _OBJECT * (data.count(b"{") + data.count(b"[")), len(raw), name)
    if not data.removeprefix(codecs.BOM_UTF8):
        raise InputError("the file is empty", file=name, remedy="give a file with one item per line")
    if part and not data.startswith(_WITH_PARTS) and data[8:12] != b"DUCK":
        raise InputError(
            f"has no parts, of which {part!r} could be one", file=name, remedy=f"leave ::{part} out: it is no database"
        )
    return Source(name, data, hashlib.sha256(raw).hexdigest(), part)


_WITH_PARTS = (b"SQLite format 3\0", b"PK\x03\x04", b"\xd0\xcf\x11\xe0")


_OBJECT = 100


def check_zip(data: bytes, file: str) -> Iterator[tuple[str, bytes]]:
    """The names of a zip archive's members and, part by part, their bytes, until they make too much.

    Raises:
        InputError: broken, too many members, or too much in them.
    """
    import zipfile
    import zlib

    made = 0
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            limits.check("members", len(archive.infolist()), "the archive", file)
            for member in archive.infolist():
                member.file_size = sys.maxsize  # it may make more than it says
                with archive.open(member) as stream:
                    while part := stream.read(_PART):
                        made += len(part)
                        limits.check_unpacked(made, len(data), file)
                        yield member.filename, part
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError) as error:
        raise InputError(f"is a broken archive ({error})", file=file, remedy="save it again") from None


def split_part(file: str) -> tuple[str, str]:
    """The name of a file, and the part of it that ``FILE::PART`` picks; empty where a file is called so."""
    path, mark, part = file.partition("::")
    return (path, part) if mark and path and part and not os.path.exists(file) else (file, "")  # noqa: PTH110  never raises


_PACKED = (".gz", ".bz2", ".xz", ".zst")


def unpacked_name(file: str) -> str:
    """The name of a file without the suffix of what compressed it."""
    return next((file[: -len(suffix)] for suffix in _PACKED if file.lower().endswith(suffix)), file)


def lines_of(text: str) -> list[str]:
    """The lines of a text; only ``\\n`` and ``\\r\\n`` end a line, and the last line end makes no extra line.

    ``str.splitlines`` would also cut at U+2028, form feeds and the like, which occur inside segments.
    """
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    if "\r" in text:
        lines = [line.removesuffix("\r") for line in lines]
    return lines


def drop_trailing_blank(lines: list[str]) -> list[str]:
    """The lines without one blank line at the end, which many editors and programs leave."""
    return lines[:-1] if len(lines) > 1 and not lines[-1].strip() else lines


def _stdin() -> bytes:
    buffer = getattr(sys.stdin, "buffer", None)
    if buffer is None:
        raise InputError("there is no standard input to read", file="<stdin>", remedy="name a file instead of '-'")
    return bytes(buffer.read())


def _bytes(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except FileNotFoundError:
        raise InputError("no such file", file=file, remedy=_suggest(file)) from None
    except (IsADirectoryError, PermissionError):
        if Path(file).is_dir():  # which Windows says of a directory too
            raise InputError("is a directory, expected a file", file=file, remedy=files_of(file)) from None
        raise InputError("may not be read", file=file, remedy="check the permissions of the file") from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the name
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"cannot be read ({reason})", file=file, remedy="check the name of the file") from None


def _suggest(file: str) -> str:
    import difflib

    path = Path(file)
    try:
        names = [entry.name for entry in path.parent.iterdir()]
    except OSError:
        return f"there is no directory {str(path.parent)!r} that can be read"
    same = [name for name in names if name.casefold() == path.name.casefold()]
    near = same or difflib.get_close_matches(path.name, names, n=3, cutoff=0.5)
    if not near:
        return "check the name and the directory you are in; a system of a table is TABLE#NAME"
    return "did you mean " + " or ".join(repr(str(path.parent / name)) for name in near) + "?"


_PACKERS = {b"\x1f\x8b": "gzip", b"BZh": "bz2", b"\xfd7zXZ": "lzma", b"\x28\xb5\x2f\xfd": "zstd"}


def _unpack(raw: bytes, file: str) -> bytes:
    """The bytes that were compressed, by what they begin with."""
    name = next((name for magic, name in _PACKERS.items() if raw.startswith(magic)), "")
    if not name:
        return raw
    import zlib

    what = "a file that is compressed with zstd"
    packer = zstd_library(what, "zstd") if name == "zstd" else importlib.import_module(name)
    own = [getattr(packer, error, OSError) for error in ("LZMAError", "ZstdError")]
    try:
        return _read_all(packer, io.BytesIO(raw), file)
    except (EOFError, OSError, ValueError, zlib.error, *own) as error:
        raise InputError(
            f"broken {name} data ({error})", file=file, remedy="copy the file again or compress it again"
        ) from None


def _read_all(packer: Any, packed: io.BytesIO, file: str) -> bytes:
    """All that is unpacked, read in parts, so that a few bytes do not fill the memory."""
    parts, made = [], 0
    with packer.open(packed) as stream:
        while part := stream.read(_PART):
            parts.append(part)
            made += len(part)
            limits.check_unpacked(made, packed.tell(), file)
    return b"".join(parts)


_PART = 1 << 20


def zstd_library(what: str, extra: str) -> Any:
    """The library of zstd, of the standard one from Python 3.14 on."""
    name = "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    return require(name, what, extra)


def _guess_encoding(start: bytes) -> str:
    """The encoding of text whose characters take two bytes, one of them mostly empty; empty where they do not."""
    if b"\0" not in start:
        return ""
    empty = {encoding: start[at::2].count(0) for encoding, at in _UNMARKED.items()}
    encoding = max(empty, key=empty.__getitem__)
    many = empty[encoding] >= _LEAST_EMPTY * len(start) / 2 and empty[encoding] > 4 * min(empty.values())
    # a short text in UTF-8 may hold a null character too, but its lines do not end in two bytes
    wide = 2 * start.count("\n".encode(encoding)) >= start.count(b"\n")
    return encoding if many and wide else ""


def _decode(data: bytes, file: str) -> str:
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = error.start - data.rfind(b"\n", 0, error.start)
        raise InputError(
            f"byte {byte} of the line (0x{data[error.start]:02x}) is not UTF-8",
            file=file,
            line=line,
            remedy="save the file as UTF-8, for example with iconv -f LATIN1 -t UTF-8",
        ) from None


def format_as_runs(files: Mapping[str, Sequence[str]]) -> str:
    """The arguments that make the files of each system its runs; for a comma in a name stands what matches it."""
    lists = {system: ",".join(one.replace(",", "?") for one in of) for system, of in files.items()}
    return " ".join(quote(f"{system}={joined}") for system, joined in lists.items())
