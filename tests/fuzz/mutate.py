"""Broken relatives of right files: bytes are put in, taken out, doubled, cut off, shuffled."""

from __future__ import annotations

import random
import re

TOKENS = [
    *(b"", b"\n", b"\r\n", b"\r", b"\t", b" ", b",", b'"', b"'", b":", b"#", b"-", b"p"),
    *(b"(", b")", b"[", b"]", b"{", b"}", b"[[[[[[[[[[[[[[[[" * 400, b'{"a":' * 5000),
    *(b"0", b"-1", b"1e999", b"nan", b"inf", b"null", b"true", b'""', b"[]", b"{}", b"99999999999999999999", b"0x10"),
    *(b"1e300", b"-1e308", b"5e-324", b"9007199254740993", b"2147483648", b"1" * 5000, b"1_000", b"1,5"),
    *(b"\x00", b"\xff", b"\xc3", b"\xef\xbb\xbf", "日本\u2028".encode(), b"\\ud800", b"PK\x03\x04", b"PAR1"),
    *(b"\x1f\x8b", b"\x1b[31m", "\u202e".encode(), b"=1+1", b"<script>", b"\\input{x}"),
    *(b"score", b"system", b"item", b"None", b"-DOCSTART-", b"1-2", b"1.1", b"0-0", b"(S (NP x))", b"B-PER", b"Q0"),
]
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")


def mutate(right: bytes, draw: random.Random, others: list[bytes]) -> bytes:
    """The bytes with one to nine faults."""
    raw = bytearray(right * draw.choice([1, 1, 2, 3]))
    for _ in range(draw.choice([1, 1, 1, 2, 4, 9])):
        at, to = sorted((draw.randrange(len(raw) + 1), draw.randrange(len(raw) + 1)))
        match draw.choice([0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8]):
            case 0:
                raw[at:at] = draw.choice(TOKENS)
            case 1:
                raw[at : at + 1] = bytes([draw.randrange(256)])
            case 2:
                del raw[at : min(to, at + 12)]
            case 3:
                raw[at:at] = raw[at : min(to, at + 60)]
            case 4:
                del raw[at if at > len(raw) // 2 else to :]
            case 5:
                raw[at : min(to, at + 12)] = draw.choice(TOKENS)
            case 6:
                lines = bytes(raw).split(b"\n")
                draw.shuffle(lines)
                raw = bytearray(b"\n".join(lines))
            case 7:
                raw += draw.choice(others)
            case 8:
                # a number in the place of a number: what is broken is its meaning, not its form
                if found := list(_NUMBER.finditer(bytes(raw[:20_000]))):
                    place = draw.choice(found)
                    raw[place.start() : place.end()] = draw.choice([t for t in TOKENS if _NUMBER.match(t)])
    return bytes(raw)
