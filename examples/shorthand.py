"""Reads shorthand, in which only the ends of a word are written: ``python shorthand.py word|pair TRAIN TEST OUTPUT``.

``word`` writes the word of TRAIN that most often has these ends; ``pair`` looks at the shorthand before it too. A small
trainer for the manual: it learns from one file, answers another, and has nothing random in it.
"""

import re
import sys
from collections import Counter, defaultdict
from pathlib import Path


def short(word: str) -> str:
    """``railway.`` is written ``ry.``"""
    return re.sub("([A-Za-z])[a-z]+([a-z])", r"\1\2", word)


how, train, test, output = sys.argv[1:]

seen: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
for line in Path(train).read_text(encoding="utf-8").splitlines():
    words = line.split()
    for before, word in zip(["", *words], words, strict=False):
        seen[(short(word),)][word] += 1
        seen[short(before), short(word)][word] += 1

with Path(output).open("w", encoding="utf-8") as out:
    for line in Path(test).read_text(encoding="utf-8").splitlines():
        words = line.split()
        written = []
        for before, word in zip(["", *words], words, strict=False):
            counts = (how == "pair" and seen.get((before, word))) or seen.get((word,)) or Counter([word])
            written.append(counts.most_common(1)[0][0])
        out.write(" ".join(written) + "\n")
