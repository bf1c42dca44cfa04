"""Berg-Kirkpatrick, Burkett and Klein 2012, §3.2: systems that are trained on training sets drawn anew."""

from __future__ import annotations

import contextlib
import csv
import gzip
import shlex
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import outscore
from again.maker import Maker, Section
from outscore import Findings

_SETS = "ud_ewt_gold"
_TAGGERS = ("hmm", "neighbours")
_PARSERS = ("contexts", "bayes", "eager")
_SHARES = (1, 2, 4)
"""Training sets as large as the whole, half and a quarter of it, as in §3.2.2."""

_COUNT, _COUNT_OF_PARSERS = 10, 3
_RESAMPLES = 4_000
_ALPHA = 0.05

_PUBLISHED = {  # gains at which p = .05: systems of one model, of two
    "dependency parsing (§3.2.2)": (1.20, 1.51),
    "translation (§3.2.3)": (0.28, 0.37),
    "word alignment (§3.2.4)": (0.50, 1.12),
    "constituency parsing (§3.2.5)": (0.47, 0.57),
}


def part(maker: Maker) -> Iterator[Section]:
    """The sections on training sets."""
    kept = None if maker.resume is None else maker.resume.resolve()
    with tempfile.TemporaryDirectory() as passing:
        made = []
        for script, names, measure, count in (
            ("taggers", _TAGGERS, "upos", _COUNT),
            ("parsers", _PARSERS, "uas", _COUNT_OF_PARSERS),
        ):
            place = (Path(passing) if kept is None else kept) / f"training-sets-{script}"
            place.mkdir(parents=True, exist_ok=True)
            # names of files are short and the same everywhere: they are in the manifest and on the page
            with contextlib.chdir(place):
                made.append(_made(replace(maker, resume=kept), script, names, measure, count))
    (trained, gain, size), of_parsers = made
    yield Section(
        title="Systems trained on training sets drawn anew",
        text=f"{_text(trained, gain, size)}\n\n{_text_of_parsers(*of_parsers)}",
        results=(("Training sets", trained), ("Gain and confidence", gain), ("Size of the training set", size)),
        pictures=(
            (gain, "upos", "sources-training-gain.svg"),
            (of_parsers[1], "uas", "sources-training-gain-parsers.svg"),
            (size, "upos", "sources-training-size.svg"),
            (size, "upos-spread", "sources-training-spread.svg"),
        ),
    )


def _made(
    maker: Maker, script: str, names: Sequence[str], measure: str, count: int
) -> tuple[Findings, Findings, Findings]:
    """Draws training sets, trains systems on them, and compares these by pairs and by sizes."""
    n = _conllu(maker.data / _SETS / "train.tsv.gz", Path("train.conllu"))
    _conllu(maker.data / _SETS / "test.tsv.gz", Path("test.conllu"))
    program = shlex.quote(str(Path(__file__).with_name(f"{script}.py")))
    commands = [
        f"{name}={shlex.quote(sys.executable)} {program} {name} {{train}} {{test}} {{output}}\n" for name in names
    ]
    Path("trainers.txt").write_text("".join(commands), encoding="utf-8")
    sizes = [n // share for share in _SHARES]
    trained = maker.study(
        "training-sets",
        train="train.conllu",
        test="test.conllu",
        unit="block",
        sizes=",".join(map(str, sizes)),
        count=count,
        out="sets",
        run="trainers.txt",
        measure=measure,
    )
    missing = [row["output"] for row in trained.table("files").records() if row["state"] != "there"]
    if missing:
        raise RuntimeError(f"{script} failed: {missing}")

    def given(files: Sequence[str]) -> Any:
        return outscore.read(files, references="test.conllu")

    models = given([f"{name}=sets/outputs/{name}.*.conllu" for name in names])
    gain = maker.study("gain:claim=winner", models, metrics=measure, n_resamples=_RESAMPLES)
    sized = given([f"{name}.{size}=sets/outputs/{name}.{size}.*.conllu" for name in names for size in sizes])
    return trained, gain, maker.study("training-size", sized, metrics=measure, n_resamples=_RESAMPLES)


def _conllu(source: Path, target: Path) -> int:
    """Writes words, tags and trees of a table as CoNLL-U; gives the number of sentences."""
    sentences: dict[str, list[str]] = {}
    with gzip.open(source, "rt", encoding="utf-8", newline="\n") as table:
        for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
            cells = (row["tok"], row["form"], "_", row["upos"], "_", "_", row["head"], row["deprel"], "_", "_")
            sentences.setdefault(row["sent_id"], []).append("\t".join(cells) + "\n")
    target.write_text("".join("".join(words) + "\n" for words in sentences.values()), encoding="utf-8")
    return len(sentences)


def _text(trained: Findings, gain: Findings, size: Findings) -> str:
    ratio = next(found for found in gain.findings if "within a group over that between" in found.what)
    low, high = ratio.ci or (0.0, 2.0)
    order = "lies below 1" if high < 1 else "cannot be told from 1" if low < 1 else "lies above 1"
    source = ", as in all four tasks of the source" if high < 1 else ", unlike in all four tasks of the source"
    theirs = "; ".join(f"{task} {one / two:.2f}" for task, (one, two) in _PUBLISHED.items())
    scores = size.table("scores").records()
    ends = {name: [row for row in scores if row["model"] == name] for name in _TAGGERS}
    grown = " and ".join(f"{float(rows[-1]['score']) - float(rows[0]['score']):.1f}" for rows in ends.values())
    larger = sum(row["items"] > row["sets"] for row in scores)
    quarter, whole = ends["hmm"][0]["size"], ends["hmm"][-1]["size"]
    sets = trained.table("trainings").records()
    sisters = [row for row in gain.table("pairs").records() if _twins(str(row["winner"]), str(row["loser"]))]
    sure = sum(row["p"] is not None and 2 * float(row["p"]) <= _ALPHA for row in sisters)
    first, second = ([float(row["score"] or 0) for row in rows] for rows in ends.values())
    overlap = "overlap" if first[0] < second[-1] and second[0] < first[-1] else "do not overlap"
    alike = {row["relation"]: float(row["correlation"]) for row in gain.table("why").records() if row["correlation"]}
    fits = all(found.verdict == "agrees" for found in trained.findings)
    text = f"""
Berg-Kirkpatrick et al. train each of two or three systems on many training sets that are drawn from one, sentence by
sentence and with replacement, as large as the whole, half and a quarter of it (or other shares). Outputs of one model
are alike, so a test is sure of smaller gains between them than between two models; and the picture looks like that of
systems from shared tasks. Their ratios of the gain at p = .05 within a model to that between two are, from the
thresholds that they print: {theirs}. Theirs are quantiles in a window of p, of systems that are not available.

Here two part-of-speech taggers were written for this page: a bigram hidden Markov model (`hmm`), and naive Bayes on a
word and those on its sides (`neighbours`). Both were trained on {_COUNT} training sets of each of three sizes, drawn
with replacement from the {whole:,} training sentences of the English Web Treebank (UD 2, gold tags), and tag its whole
test set, five genres: {sum(int(row["sets"]) for row in sets)} systems. The score ranges of the two {overlap}, and
the source asks for overlap. Items that come twice in a set are {"as many as" if fits else "not as many as"} chance has
it.

**Same model, smaller gains.** The ratio is {float(ratio.value):.2f} [{low:.2f}, {high:.2f}], by curves that are fitted
to all pairs with the p of the source, of the winner as if it had been named beforehand (half of a two-sided p): it
{order}{source}. Outputs of one model are correlated with {alike["same group"]:.2f}, of two with
{alike["different groups"]:.2f}, which is why: see the table of what makes the threshold.

**What p is of.** {sure} of {len(sisters)} pairs of outputs of one tagger and one size, which differ only by how the
training set was drawn, have two-sided p ≤ .05. That is no fault of the test: these two trained taggers do differ on
such sentences. But they are one method, and whoever trains each of two methods once cannot tell the one kind of
difference from the other. A claim about methods needs several training sets of each (`outscore compare` on the same
files).

**How much is luck.** From {quarter:,} to {whole:,} sentences the scores rise by {grown} points. Another test set would
have moved a score more than another training set in {larger} of {len(scores)} cases, by the two standard deviations
below, which ten training sets tell only roughly (the bars are their intervals). Training sets that are drawn from one
treebank overlap; sentences of another treebank would differ by more.
"""
    return "\n\n".join(textwrap.fill(paragraph, 120, break_long_words=False) for paragraph in text.split("\n\n"))


def _text_of_parsers(trained: Findings, gain: Findings, size: Findings) -> str:
    """The same of parsers, whose tables are not shown in full."""
    ratio = next(found for found in gain.findings if "within a group over that between" in found.what)
    low, high = ratio.ci or (0.0, 2.0)
    alike = {row["relation"]: float(row["correlation"]) for row in gain.table("why").records() if row["correlation"]}
    fitted = {row["relation"]: float(row["fitted"]) for row in gain.table("thresholds").records() if row["fitted"]}
    systems = sum(int(row["sets"]) for row in trained.table("trainings").records())
    rows = [
        f"| `{row['model']}` | {row['size']:,} | {float(row['score']):.1f} | {float(row['sets']):.2f} | "
        f"{float(row['items']):.2f} |"
        for row in size.table("scores").records()
    ]
    larger = sum(row["items"] > row["sets"] for row in size.table("scores").records())
    text = f"""
**Dependency parsing**, as in §3.2.2, by three small parsers that were written for this page: two by arc-standard steps
(`contexts`, by the longest context of tags that was seen; `bayes`, by tags and words taken as independent) and one by
arc-eager ones (`eager`), with gold tags and without labels. Trained on {_COUNT_OF_PARSERS} training sets of each size,
drawn like those above: {systems} systems, UAS on the same test set. p = .05 stands at {fitted["same group"]:.2f} UAS
within a model and at {fitted["different groups"]:.2f} between two (the source: 1.20 and 1.51, Chinese, 690 sentences),
the ratio is {float(ratio.value):.2f} [{low:.2f}, {high:.2f}], and outputs are correlated with {alike["same group"]:.2f}
and {alike["different groups"]:.2f}. Test items move the score more than training sets in {larger} of {len(rows)} cases.
An unsupervised aligner was not trained: the Hansards here are links without their words.
"""
    head = "| parser | sentences | UAS | s, training sets | s, test items |\n| :--- | ---: | ---: | ---: | ---: |"
    filled = textwrap.fill(text.strip(), 120, break_long_words=False)
    return "\n".join([filled, "", head, *rows])


def _twins(one: str, other: str) -> bool:
    """Whether two outputs, ``MODEL/SIZE.DRAW``, are of one model and one size."""
    return one.rpartition(".")[0] == other.rpartition(".")[0]
