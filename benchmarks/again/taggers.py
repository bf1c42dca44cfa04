#!/usr/bin/env python3
"""Two small part-of-speech taggers that are trained in a second, for training sets drawn anew.

    python taggers.py neighbours|hmm TRAIN.conllu TEST.conllu OUTPUT.conllu

``neighbours`` tags each word by itself, from the word and those on its two sides, which it takes as independent given
the tag (naive Bayes); ``hmm`` finds the likeliest tags of a sentence under a bigram hidden Markov model (as Brants
2000, with bigrams). Both know unseen words by how they end. Nothing in them is random: what differs between two of them
is what they were trained on.
"""

from __future__ import annotations

import math
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

Sentence = list[tuple[str, str]]
"""Words with their tags."""

Tagger = Callable[[Sequence[str]], list[str]]

_ENDING = 4
_RARE = 5
_MOST_GUESSES = 6
_DOUBT = 5.0


def sentences(path: Path) -> Iterator[Sentence]:
    """The sentences of a CoNLL-U file; tokens of several words and empty nodes are passed over."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
        words = [(row[1], row[3]) for row in rows if row[0].isdigit()]
        if words:
            yield words


def shapes(word: str) -> Iterator[str]:
    """What an unseen word is known by, from the most telling to nothing at all."""
    kind = "#" if any(c.isdigit() for c in word) else "A" if word[:1].isupper() else "a"
    for size in range(min(_ENDING, len(word)), -1, -1):
        yield kind + word[len(word) - size :].lower()


class Guesser:
    """How likely each tag is for a word: by the word where it was seen, else by its ending."""

    def __init__(self, training: Sequence[Sentence]) -> None:
        self.known: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for sentence in training:
            for word, tag in sentence:
                self.known[word][tag] += 1
        self.endings: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.tags: Counter[str] = Counter()
        for word, tags in self.known.items():
            self.tags.update(tags)
            if tags.total() <= _RARE:
                for shape in shapes(word):
                    self.endings[shape].update(tags)
        self._found: dict[str, dict[str, float]] = {}

    def shares(self, word: str) -> dict[str, float]:
        """Tags with their probabilities given the word, the likeliest first."""
        if word not in self._found:
            counts = self.known.get(word) or self.known.get(word.lower()) or self._by_ending(word)
            total = counts.total()
            self._found[word] = {tag: n / total for tag, n in counts.most_common(_MOST_GUESSES)}
        return self._found[word]

    def _by_ending(self, word: str) -> Counter[str]:
        return next((self.endings[shape] for shape in shapes(word) if shape in self.endings), self.tags)


def neighbours(training: Sequence[Sentence]) -> Tagger:
    """The likeliest tag of each word, given it and the words on its sides."""
    guesser = Guesser(training)
    sides: list[defaultdict[str, Counter[str]]] = [defaultdict(Counter), defaultdict(Counter)]
    tags: Counter[str] = Counter()
    for sentence in training:
        words = _lowered([word for word, _ in sentence])
        for i, (_, tag) in enumerate(sentence):
            tags[tag] += 1
            for side, word in zip(sides, (words[i], words[i + 2]), strict=True):
                side[word][tag] += 1
    total = tags.total()

    def worth(tag: str, counts: Counter[str]) -> float:
        """The log of how much likelier a neighbour makes a tag; few sightings say little."""
        base = tags[tag] / total
        return math.log((counts[tag] + _DOUBT * base) / (counts.total() + _DOUBT) / base)

    def tagged(words: Sequence[str]) -> list[str]:
        found, low = [], _lowered(words)
        for i, word in enumerate(words):
            near = [side[n] for side, n in zip(sides, (low[i], low[i + 2]), strict=True) if n in side]
            shares = guesser.shares(word)
            values = {
                tag: math.log(share) + sum(worth(tag, counts) for counts in near) for tag, share in shares.items()
            }
            found.append(max(values, key=values.__getitem__))
        return found

    return tagged


def _lowered(words: Sequence[str]) -> list[str]:
    return ["<s>", *(word.lower() for word in words), "</s>"]


def hmm(training: Sequence[Sentence]) -> Tagger:
    """The likeliest sequence of tags, by Viterbi's algorithm."""
    guesser = Guesser(training)
    pairs: Counter[tuple[str, str]] = Counter()
    before: Counter[str] = Counter()
    for sentence in training:
        previous = ""
        for _, tag in sentence:
            pairs[previous, tag] += 1
            before[previous] += 1
            previous = tag
    total = guesser.tags.total()
    base = {tag: n / total for tag, n in guesser.tags.items()}
    # half a pair of each tag's own frequency, so that no sequence is impossible
    log_next = {
        (previous, tag): math.log((pairs[previous, tag] + 0.5 * base[tag]) / (before[previous] + 0.5))
        for previous in before
        for tag in base
    }
    log_base = {tag: math.log(share) for tag, share in base.items()}
    # p(word | tag) by Bayes' law, without p(word), which is the same for all tags
    emitted: dict[str, list[tuple[str, float]]] = {}

    def options(word: str) -> list[tuple[str, float]]:
        if word not in emitted:
            emitted[word] = [(tag, math.log(share) - log_base[tag]) for tag, share in guesser.shares(word).items()]
        return emitted[word]

    def tagged(words: Sequence[str]) -> list[str]:
        best: dict[str, tuple[float, tuple[str, ...]]] = {"": (0.0, ())}
        for word in words:
            found = {}
            for this, given in options(word):
                value, path = max((v + log_next[previous, this], p) for previous, (v, p) in best.items())
                found[this] = (value + given, (*path, this))
            best = found
        return list(max(best.values())[1])

    return tagged


TAGGERS = {"neighbours": neighbours, "hmm": hmm}


def main(arguments: Sequence[str]) -> int:
    name, train, test, output = arguments
    tagger = TAGGERS[name](list(sentences(Path(train))))
    with Path(output).open("w", encoding="utf-8", newline="\n") as out:
        for sentence in sentences(Path(test)):
            words = [word for word, _ in sentence]
            rows = (
                f"{number}\t{word}\t_\t{tag}\t_\t_\t_\t_\t_\t_\n"
                for number, (word, tag) in enumerate(zip(words, tagger(words), strict=True), 1)
            )
            out.write("".join(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
