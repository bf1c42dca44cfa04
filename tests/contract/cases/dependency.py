"""Small dependency trees in CoNLL-U, split into words and sentences in several ways."""

from __future__ import annotations

from hypothesis import strategies as st

from outscore.base.items import Items
from outscore.metrics import Metric
from tests.contract.cases import CASES, Case, One

TAGS = ["NOUN", "VERB", "PUNCT", "DET"]
RELATIONS = ["nsubj", "obj", "nmod:poss", "nmod", "case", "punct"]
FORMS = ["a", "b", ".", "ab", "10 000"]


def block(forms: list[str], heads: list[int], relations: list[str], tags: list[str]) -> str:
    """A sentence in CoNLL-U; a form with a bar is one token of two words."""
    lines, number = [], 0
    for form in forms:
        parts = form.split("|")
        if len(parts) > 1:
            lines.append(f"{number + 1}-{number + len(parts)}\t{''.join(parts)}" + "\t_" * 8)
        for part in parts:
            row = [part, "lemma", tags[number], "_", "_", str(heads[number]), relations[number], "_", "_"]
            number += 1
            lines.append("\t".join([str(number), *row]))
    return "\n".join(lines)


@st.composite
def tree(draw: st.DrawFn, forms: list[str]) -> str:
    """A sentence of these tokens, each word below one of those before it or after it, without cycles."""
    n = sum(form.count("|") + 1 for form in forms)
    order = draw(st.permutations(range(1, n + 1)))
    heads = {word: order[draw(st.integers(0, k - 1))] if k else 0 for k, word in enumerate(order)}
    relations = [draw(st.sampled_from(RELATIONS)) if heads[i + 1] else "root" for i in range(n)]
    return block(forms, [heads[i + 1] for i in range(n)], relations, [draw(st.sampled_from(TAGS)) for _ in range(n)])


@st.composite
def parses(draw: st.DrawFn, text: str, of_several: bool = True) -> str:
    """A text of characters in one or two sentences, cut into words somehow, or into tokens of several words as well."""
    ends = sorted({len(text), *draw(st.sets(st.integers(1, len(text))))})
    tokens = [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    tokens = [f"{t[:1]}|{t[1:]}" if of_several and len(t) > 1 and draw(st.integers(0, 3)) == 0 else t for t in tokens]
    cut = draw(st.integers(0, len(tokens) - 1)) if draw(st.booleans()) else 0
    return "\n\n".join(draw(tree(part)) for part in (tokens[:cut], tokens[cut:]) if part)


@st.composite
def item(draw: st.DrawFn, metric: Metric, n_references: int) -> One:
    text = "".join(draw(st.lists(st.sampled_from("abc.,"), min_size=1, max_size=8)))
    gold = draw(parses(text))
    output = draw(st.one_of(parses(text), st.just(gold), st.just(gold.replace("nmod:poss", "nmod"))))
    return One(references=(gold,), output=output)


GOLD = [
    block(["Birds", "sing", "."], [2, 0, 2], ["nsubj", "root", "punct"], ["NOUN", "VERB", "PUNCT"]),
    block(["do|n't", "go"], [3, 3, 0], ["aux", "advmod", "root"], ["AUX", "PART", "VERB"]),
]
BAD = [
    block(["Bir", "ds", "sing."], [0, 1, 1], ["root", "obj", "obj"], ["X", "X", "X"]),
    "\n\n".join(
        [block(["d"], [0], ["root"], ["X"]), block(["o|n't", "g", "o"], [0, 1, 1, 1], ["root"] * 4, ["X"] * 4)]
    ),
]
BROKEN = ["Birds sing .", GOLD[0].replace("\t2\t", "\t9\t"), ""]


def _items(outputs: list[str], gold: list[str] = GOLD) -> Items:
    return Items(n=2, outputs=outputs, references=(gold,))


CASES["conllu"] = Case(
    item=item,
    perfect=lambda metric: _items(GOLD),
    bad=lambda metric: _items(BAD),
    refuses=lambda metric: [
        Items(n=2, outputs=GOLD),
        Items(n=2, outputs=GOLD, references=(GOLD, GOLD)),
        *(_items([GOLD[0], text]) for text in BROKEN),
        *(_items(GOLD, [text, GOLD[1]]) for text in BROKEN),
    ],
    several_references=False,
)
