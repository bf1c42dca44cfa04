#!/usr/bin/env python3
"""Three small dependency parsers that are trained in seconds, for training sets drawn anew.

    python parsers.py contexts|bayes|eager TRAIN.conllu TEST.conllu OUTPUT.conllu

Each reads a sentence from the left and decides step by step, from the words and gold tags near the step: ``contexts``
and ``bayes`` by arc-standard steps (Nivre 2004), ``eager`` by arc-eager ones (Nivre 2003). ``contexts`` and ``eager``
take the step that was most frequent in the longest context of tags that was seen, ``bayes`` takes single tags and words
as independent given the step. Nothing in them is random; arcs have no labels.
"""

from __future__ import annotations

import math
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

Word = tuple[str, str, int]
"""Form, tag, and number of the head; the root is word 0."""

SHIFT, LEFT, RIGHT, REDUCE = "shift", "left", "right", "reduce"
_SEEN = 2
_DOUBT = 0.1


def sentences(path: Path) -> Iterator[list[Word]]:
    """The sentences of a CoNLL-U file; tokens of several words and empty nodes are passed over."""
    for block in path.read_text(encoding="utf-8").split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
        words = [(row[1], row[3], int(row[6])) for row in rows if row[0].isdigit()]
        if words:
            yield [("<root>", "ROOT", -1), *words]


@dataclass
class State:
    """A sentence that is read up to the word ``at``, with what waits on the stack and the heads that were found."""

    words: list[Word]
    stack: list[int] = field(default_factory=lambda: [0])
    at: int = 1
    heads: dict[int, int] = field(default_factory=dict)

    @property
    def done(self) -> bool:
        return self.at >= len(self.words)

    def near(self) -> list[Word]:
        """The three words on top of the stack, the deepest first, and the next two."""
        none = ("", "", -1)
        top = [self.words[i] for i in self.stack[-3:]]
        after = self.words[self.at : self.at + 2]
        return [none] * (3 - len(top)) + top + after + [none] * (2 - len(after))


class Standard:
    """Arcs are between the two words on top of the stack."""

    @staticmethod
    def allowed(s: State) -> list[str]:
        two = len(s.stack) > 1
        left = two and s.stack[-2] != 0
        right = two and (s.stack[-2] != 0 or (s.done and len(s.stack) == 2))
        return [step for step, can in ((SHIFT, not s.done), (LEFT, left), (RIGHT, right)) if can]

    @staticmethod
    def take(s: State, step: str) -> None:
        if step == SHIFT:
            s.stack.append(s.at)
            s.at += 1
        else:
            lower = s.stack.pop(-2 if step == LEFT else -1)
            s.heads[lower] = s.stack[-1]

    @staticmethod
    def right_step(s: State) -> str:
        """The step towards the given tree."""
        if len(s.stack) > 1:
            under, top = s.stack[-2:]
            waiting = {word[2] for number, word in enumerate(s.words) if number and number not in s.heads}
            if s.words[under][2] == top and under not in waiting:
                return LEFT
            if s.words[top][2] == under and top not in waiting:
                return RIGHT
        return SHIFT

    @staticmethod
    def ended(s: State) -> bool:
        return s.done and len(s.stack) == 1


class Eager:
    """Arcs are between the top of the stack and the next word, as soon as both are there."""

    @staticmethod
    def allowed(s: State) -> list[str]:
        top = s.stack[-1]
        return [SHIFT, RIGHT, *([REDUCE] if top in s.heads else [LEFT] if top else [])]

    @staticmethod
    def take(s: State, step: str) -> None:
        if step == LEFT:
            s.heads[s.stack.pop()] = s.at
        elif step == REDUCE:
            s.stack.pop()
        else:
            if step == RIGHT:
                s.heads[s.at] = s.stack[-1]
            s.stack.append(s.at)
            s.at += 1

    @staticmethod
    def right_step(s: State) -> str:
        top, head = s.stack[-1], s.words[s.at][2]
        if s.words[top][2] == s.at:
            return LEFT
        if head == top:
            return RIGHT
        deeper = s.stack[:-1]
        return REDUCE if top in s.heads and any(i == head or s.words[i][2] == s.at for i in deeper) else SHIFT

    @staticmethod
    def ended(s: State) -> bool:
        return s.done


def contexts(s: State) -> list[tuple[str, ...]]:
    """Tags near the step, from the longest context to none."""
    a, b, c, d, e = (word[1] for word in s.near())
    return [(a, b, c, d, e), (b, c, d, e), (b, c, d), (b, c), (c,), ()]


def pieces(s: State) -> list[tuple[str, ...]]:
    """Single tags and words near the step."""
    (_, a), (bw, b), (cw, c), (_, d), (_, e) = ((form.lower(), tag) for form, tag, _ in s.near())
    return [("abcd", a, b, c, d), ("bcd", b, c, d), ("bcde", b, c, d, e), ("b", bw, c, d), ("c", b, cw, d)]


Chooser = Callable[[State, list[str]], str]
System = type[Standard] | type[Eager]
Nearby = Callable[[State], list[tuple[str, ...]]]
Training = list[tuple[list[tuple[str, ...]], str]]
"""What stood near each step, and the step."""


def longest(training: Training, of: Nearby) -> Chooser:
    """The most frequent step in the longest context that was seen often enough."""
    counts: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for found, step in training:
        for context in found:
            counts[context][step] += 1

    def choose(s: State, allowed: list[str]) -> str:
        for context in of(s):
            here = counts.get(context)
            if here and sum(here[step] for step in allowed) >= _SEEN:
                return max(allowed, key=lambda step: here[step])
        return allowed[0]

    return choose


def bayes(training: Training, of: Nearby) -> Chooser:
    """The likeliest step, all pieces taken as independent given it."""
    counts: defaultdict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    steps: Counter[str] = Counter()
    for found, step in training:
        steps[step] += 1
        for piece in found:
            counts[piece][step] += 1

    def choose(s: State, allowed: list[str]) -> str:
        here = [counts[piece] for piece in of(s) if piece in counts]

        def value(step: str) -> float:
            return math.log(steps[step] + 1) + sum(math.log((n[step] + _DOUBT) / (steps[step] + 1)) for n in here)

        return max(allowed, key=value)

    return choose


PARSERS: dict[str, tuple[System, Nearby, Callable[[Training, Nearby], Chooser]]] = {
    "contexts": (Standard, contexts, longest),
    "bayes": (Standard, pieces, bayes),
    "eager": (Eager, contexts, longest),
}


def steps_of(system: System, of: Nearby, words: list[Word]) -> Training:
    """The steps that make the given tree with what stands near each; none for a tree that they cannot make."""
    s, found = State(words), []
    while not system.ended(s):
        step = system.right_step(s)
        if step not in system.allowed(s):
            return []
        found.append((of(s), step))
        system.take(s, step)
    return found


def parse(system: System, choose: Chooser, words: list[Word]) -> list[int]:
    """Heads of the words, of which one is the root."""
    s = State([(form, tag, -1) for form, tag, _ in words])
    while not system.ended(s):
        system.take(s, choose(s, system.allowed(s)))
    heads = [s.heads.get(number, 0) for number in range(1, len(words))]
    root = heads.index(0) + 1 if 0 in heads else 1
    return [0 if number == root else head or root for number, head in enumerate(heads, 1)]


def main(arguments: Sequence[str]) -> int:
    name, train, test, output = arguments
    system, of, learn = PARSERS[name]
    choose = learn([one for words in sentences(Path(train)) for one in steps_of(system, of, words)], of)
    with Path(output).open("w", encoding="utf-8", newline="\n") as out:
        for words in sentences(Path(test)):
            heads = parse(system, choose, words)
            rows = (
                f"{number}\t{form}\t_\t{tag}\t_\t_\t{head}\t{'dep' if head else 'root'}\t_\t_\n"
                for number, ((form, tag, _), head) in enumerate(zip(words[1:], heads, strict=True), 1)
            )
            out.write("".join(rows) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
