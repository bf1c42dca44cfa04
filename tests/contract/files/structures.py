"""Tags, trees, dependencies, links: parsers, taggers and aligners."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.contract.files import FILES, File, Held, names, numbers, words
from tests.contract.files.plain import ROLES, of_role

TAG_SETS = (["O", "B-PER", "I-PER", "S-LOC"], ["B-NP", "I-NP", "O"])


@st.composite
def conll(draw: st.DrawFn) -> File:
    kind = draw(st.sampled_from(["token tag", "token POS chunk entity", "token gold predicted"]))
    role = draw(ROLES) if kind != "token gold predicted" else "system"
    between = draw(st.sampled_from([" ", "\t"]))
    entities, chunks = (st.sampled_from(tags) for tags in TAG_SETS)
    token = st.one_of(words().filter(lambda w: w != "#"), st.just("10\u00a0000"))
    written: list[str] = []
    tokens, tags, gold, documents = [], [], [], []
    document = 0
    has_documents = draw(st.booleans())
    for number in range(draw(st.integers(1, 4))):
        if has_documents and (not number or draw(st.booleans())):
            document += 1
            written += [between.join(["-DOCSTART-", *["O"] * kind.count(" ")]), ""]
        n = draw(st.integers(1, 4))
        found = [draw(token) for _ in range(n)]
        predicted, right = ([draw(entities) for _ in range(n)] for _ in range(2))
        predicted[0] = right[0] = "B-PER"
        chunk = ["B-NP", *(draw(chunks) for _ in range(n - 1))]
        columns = {
            "token tag": [found, predicted],
            "token POS chunk entity": [
                found,
                [draw(st.sampled_from(["NN", "(", "''"])) for _ in found],
                chunk,
                predicted,
            ],
            "token gold predicted": [found, right, predicted],
        }[kind]
        written += [*map(between.join, zip(*columns, strict=True)), ""]
        tokens.append(" ".join(found).replace("\u00a0", "_"))
        tags.append(" ".join(predicted))
        gold.append(" ".join(right))
        documents.append(str(document))
    described = {"tokens": tuple(tokens), "length": tuple(str(len(text.split(" "))) for text in tokens)}
    if len(set(documents)) > 1:
        described["cluster"] = tuple(documents)
    if draw(st.booleans()):
        written.pop()
    judged = kind == "token gold predicted"
    if role == "reference":
        return of_role(role, "sys.txt", written, stream=tuple(tags), labels=described, notation="tags")
    held = Held(
        system="sys",
        run="1",
        outputs=tuple(tags),
        references=(tuple(gold),) if judged else (),
        labels=described if judged else {},
        notation="tags",
    )
    return File(name=draw(st.sampled_from(["sys", "sys.conll", "sys.txt"])), lines=tuple(written), runs=(held,))


@st.composite
def conllu(draw: st.DrawFn) -> File:
    role = draw(ROLES)
    form = st.one_of(words(), st.just("10 000"), st.just("10\u00a0000"))
    with_ids, with_documents = draw(st.booleans()), draw(st.booleans())
    written: list[str] = []
    blocks, starts, tokens, lengths, documents, ids = [], [], [], [], [], []
    for number in range(draw(st.integers(1, 4))):
        if with_documents and (not number or draw(st.booleans())):
            written.append(f"# newdoc id = d{number}")
            document = f"d{number}"
        written += ["# text = 1\t2"] * draw(st.integers(0, 1)) + [f"# sent_id = s/{number}"] * with_ids
        n = draw(st.integers(1, 4))
        forms = [draw(form) for _ in range(n)]
        root = draw(st.integers(1, n))
        block = []
        for i, word in enumerate(forms, 1):
            if i == 1 and n > 1 and draw(st.booleans()):
                block.append("\t".join(["1-2", draw(form), *"________"]))
            head = 0 if i == root else root
            block.append(
                "\t".join([str(i), word, "_", "NOUN", "_", "_", str(head), "nmod:日" if head else "root", "_", "_"])
            )
            if draw(st.booleans()) and not (i == 1 and "-" in block[0].split("\t")[0]):
                block.append("\t".join([f"{i}.1", "x", *"________"]))
        starts.append(str(len(written) + 1))
        blocks.append("\n".join(block))
        written += [*block, ""]
        tokens.append(" ".join(word.replace(" ", "\u00a0") for word in forms))
        lengths.append(str(n))
        documents.append(document if with_documents else "")
        ids.append(f"s/{number}")
    if draw(st.booleans()):
        written.pop()
    labels = {"line": tuple(starts)}
    if role == "reference":
        labels |= {"tokens": tuple(tokens), "length": tuple(lengths)}
        if len(set(documents)) > 1:
            labels["cluster"] = tuple(documents)
    name = draw(st.sampled_from(["sys", "sys.conllu", "sys.txt"]))
    found = tuple(ids) if with_ids else None
    return of_role(role, name, written, stream=tuple(blocks), ids=found, labels=labels, notation="conllu")


def tree_words() -> st.SearchStrategy[str]:
    return words().map(lambda word: word.replace("(", "-LRB-").replace(")", "-RRB-"))


def trees_under(depth: int) -> st.SearchStrategy[str]:
    tag = st.sampled_from(["NN", "NP", "日", "-NONE-"])
    leaf = st.tuples(tag, tree_words()).map(lambda pair: f"({pair[0]} {pair[1]})")
    if not depth:
        return leaf
    children = st.lists(trees_under(depth - 1), min_size=1, max_size=3).map(" ".join)
    label = st.sampled_from(["NP", "VP-SBJ", "S", "PP"])
    return st.one_of(leaf, st.tuples(label, children).map(lambda pair: f"({pair[0]} {pair[1]})"))


def trees_from_top() -> st.SearchStrategy[str]:
    inside = trees_under(2)
    return st.one_of(inside.map(lambda text: f"(TOP {text})"), inside.map(lambda text: f"( (S {text}) )"))


@st.composite
def trees(draw: st.DrawFn) -> File:
    role = draw(ROLES)
    found = draw(st.lists(trees_from_top(), min_size=1, max_size=4))
    name = draw(st.sampled_from(["sys", "sys.txt", "sys.mrg"]))
    written = list(found)
    if draw(st.booleans()):
        # each over several lines, indented; the treebank begins them with "( (S"
        broken = [text.replace(" (", "\n   (").replace("(\n   (", "( (", 1) for text in found]
        written = draw(st.sampled_from(["\n", "\n\n"])).join(broken).split("\n")
    elif role == "system":
        for i in sorted(draw(st.sets(st.integers(0, len(found)), max_size=2)), reverse=True):
            found.insert(i, "")
            written.insert(i, draw(st.sampled_from(["", "(())"])))
    return of_role(role, name, written, stream=tuple(found), notation="tree")


@st.composite
def evalb(draw: st.DrawFn) -> File:
    count = st.integers(0, 40)
    rows, written = [], []
    for number in range(1, draw(st.integers(1, 5)) + 1):
        length, status = draw(count), draw(st.sampled_from([0, 0, 0, 1, 2]))
        matched, gold, test, crossing, n, tags = (draw(count) for _ in range(6))
        rows.append([length, status, *([matched, gold, test, crossing, n, tags] if not status else [0] * 6)])
        if status == 1:
            written.append(f"{number} : Length unmatch ({length}|{n})")
        written.append(
            f"{number:4d}  {length:3d}    {status}  {50:6.2f} {50:6.2f}   {matched:3d}    {gold:3d}  {test:3d}    "
            f"{crossing:3d}    {n:3d}   {tags:3d} {100:6.2f}"
        )
    columns = ("length", "status", "matched", "gold_brackets", "test_brackets", "crossing", "words", "tags")
    values = zip(*rows, strict=True)
    held = {name: tuple(map(float, column)) for name, column in zip(columns, values, strict=True)}
    lines = (
        "  Sent.                        Matched  Bracket   Cross        Correct Tag",
        " ID  Len.  Stat. Recal  Prec.  Bracket gold test Bracket Words  Tags Accracy",
        "=" * 76,
        *written,
        "=" * 76,
        "                 50.00  50.00     12     24   24      0     40    40   100.00",
        "=== Summary ===",
        "",
        "-- All --",
        f"Number of sentence        =    {len(rows):3d}",
    )
    return File(name="sys.txt", lines=lines, runs=(Held(system="sys", run="1", columns=held),))


@st.composite
def pharaoh(draw: st.DrawFn) -> File:
    place = st.integers(0, 12)
    link = st.tuples(place, st.sampled_from("---?p"), place)
    several = st.lists(link, min_size=2, max_size=6)
    found = [draw(several), *draw(st.lists(st.one_of(several, st.lists(link, max_size=2)), max_size=5))]
    written, texts = [], []
    for links in draw(st.permutations(found)):
        written.append(" ".join(f"{i}{sign}{j}" for i, sign, j in links))
        sure = {(i, j) for i, sign, j in links if sign == "-"}
        every = sorted({(i, j) for i, _, j in links})
        texts.append(" ".join(f"{i}{'-' if (i, j) in sure else '?'}{j}" for i, j in every))
    name = draw(st.sampled_from(["sys", "sys.txt", "sys.talp"]))
    return of_role(draw(ROLES), name, written, stream=tuple(texts), notation="links")


@st.composite
def naacl(draw: st.DrawFn) -> File:
    place = st.integers(1, 12)
    n = draw(st.integers(1, 6))
    written, texts = [], []
    confident = draw(st.booleans())
    for number in range(1, n + 1):
        smallest = 1 if number in (1, n) else 0
        links = draw(st.lists(st.tuples(place, place, st.sampled_from("SSP")), min_size=smallest, max_size=5))
        for i, j, certain in links:
            more = f" {draw(numbers()) if confident else ''}".rstrip()
            written.append(f"{number:04d} {i} {j} {certain}{more}")
        sure = {(i, j) for i, j, certain in links if certain == "S"}
        every = sorted({(i, j) for i, j, _ in links})
        texts.append(" ".join(f"{i - 1}{'-' if (i, j) in sure else '?'}{j - 1}" for i, j in every))
        if draw(st.booleans()) and links:
            written.append(f"{number:04d} 0 {draw(place)} S")  # a link to the empty word is none
    if 2 * sum(map(bool, texts)) < n:
        # a part of a longer test set
        texts_by_number = {str(i): text for i, text in enumerate(texts, 1) if text}
    else:
        texts_by_number = {str(i): text for i, text in enumerate(texts, 1)}
    return of_role(
        draw(ROLES),
        draw(st.sampled_from(["sys", "sys.txt", "sys.wa"])),
        written,
        ids=tuple(texts_by_number),
        stream=tuple(texts_by_number.values()),
        notation="links",
    )


@st.composite
def _of_queries(draw: st.DrawFn, value: st.SearchStrategy[str]) -> tuple[list[tuple[str, str, str]], dict[str, str]]:
    """Query, document and value in any order, and the text of each query."""
    found = [(query, document, draw(value)) for query in draw(names(1, 4)) for document in draw(names(1, 4))]
    rows = draw(st.permutations(found))
    texts: dict[str, str] = {}
    for query, document, number in rows:
        texts[query] = "\n".join(filter(None, [texts.get(query, ""), f"{document} {number}"]))
    return rows, texts


@st.composite
def trec(draw: st.DrawFn) -> File:
    rows, texts = draw(_of_queries(numbers().map(repr)))
    tags = draw(names(1, 2))
    used = [tags[i % len(tags)] for i in range(len(rows))]
    between = draw(st.sampled_from([" ", "\t", "   "]))
    written = [between.join([q, "Q0", d, str(i), s, used[i]]) for i, (q, d, s) in enumerate(rows)]
    system = used[0] if len(set(used)) == 1 else "sys"
    run = Held(system=system, run="1", ids=tuple(texts), outputs=tuple(texts.values()), notation="ranking")
    return File(name=draw(st.sampled_from(["sys", "sys.run", "sys.txt"])), lines=tuple(written), runs=(run,))


@st.composite
def qrels(draw: st.DrawFn) -> File:
    rows, texts = draw(_of_queries(st.integers(-2, 4).map(str)))
    if draw(st.booleans()):
        written = ["query-id\tcorpus-id\tscore", *("\t".join(row) for row in rows)]
    else:
        written = [f"{q} 0 {d} {g}" for q, d, g in rows]
    gold = Held(ids=tuple(texts), references=(tuple(texts.values()),), notation="ranking")
    name = draw(st.sampled_from(["sys", "sys.qrels", "sys.txt", "sys.tsv"]))
    return File(name=name, lines=tuple(written), role=draw(ROLES), golds=(gold,))


FILES["conll"] = conll()
FILES["conllu"] = conllu()
FILES["trees"] = trees()
FILES["evalb"] = evalb()
FILES["pharaoh"] = pharaoh()
FILES["naacl"] = naacl()
FILES["trec"] = trec()
FILES["qrels"] = qrels()
