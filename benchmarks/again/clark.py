"""Clark, Dyer, Lavie and Smith 2011: several runs of each system."""

from __future__ import annotations

import csv
import gzip
import math
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import outscore
from again.maker import Maker, Section
from outscore import Comparison, Findings
from outscore.data.dataset import Dataset
from outscore.results.study import Finding
from outscore.studies.runs.laws import probability_of_wrong_sign
from outscore.studies.shared.form import compare_numbers

_BLEU, _TER = "bleu:tokenize=none", "ter"
_OPTIMIZED = "mt_multeval_opt"
_TAGGERS = "multirun_pos_ewt"
_TAGGED = "ratio:num=right,den=total,scale=100"

_PROGRAM = "MultEval 0.5.1, run on these files"
_README = "README of MultEval"
_JAVA_SHUFFLES = 100_000  # of the published p-values
_MANY = 50_000  # resamples for s_sel, whose error is then 0.3 %
_SHUFFLES = 4_000  # as MultEval codes it, which is slow
_DRAWS = 100_000  # permutations of one run of each
_POINT_OF_TER = 0.15  # of TER, whose shifts are searched otherwise (0.1), and rounding (0.05)
_WITHIN = 0.02  # of a rate beside a law that holds for many items


@dataclass(frozen=True)
class Printed:
    """What MultEval prints of one system: mean over runs, s_sel and s_test (its s_opt)."""

    mean: float
    s_sel: float
    s_test: float


_BY_PROGRAM = {  # with all digits; the README rounds them to 18.5 (0.3/0.1) and 18.8 (0.3/0.3)
    "baseline": Printed(18.526807925458318, 0.2618027206521152, 0.05728017499123964),
    "sys1": Printed(18.813470099815724, 0.2628784054764684, 0.29400089239150784),
}
_TER_BY_README = {"baseline": Printed(65.7, 0.4, 0.2), "sys1": Printed(64.8, 0.4, 0.6)}
_P_POOLED = 0.00011999880001199988
_P_SINGLE = (0.0006999930000699993, 0.9407505924940751, 0.0035199648003519965)

_TABLE_1 = {  # gain and deviations of systems A and B in BLEU, as rounded there; the last: optimizer runs of each
    "WMT German-English": (18.7 - 18.5, 0.1, 0.2, 50),
    "BTEC Chinese-English": (49.9 - 48.4, 0.5, 0.4, 300),
}


def part(maker: Maker) -> Iterator[Section]:
    """The sections on several runs."""
    with tempfile.TemporaryDirectory() as folder:
        yield _of_the_example(maker, Path(folder))
        yield _of_figure_2()
        yield _of_taggers(maker, Path(folder))
        yield _of_one_method(maker, Path(folder))
    yield _of_size(maker)


def _of_the_example(maker: Maker, folder: Path) -> Section:
    data = _texts(maker.data / _OPTIMIZED / "segments.tsv.gz", folder)
    found = maker.study("runs", data, metrics=[_BLEU, _TER], n_resamples=4999)
    scored = outscore.compare(data, metrics=_BLEU, n_resamples=_MANY, test="crossed", jobs=maker.jobs)
    coded = outscore.compare(data, metrics=_BLEU, test="multeval:as_coded=true", n_resamples=_SHUFFLES, jobs=maker.jobs)
    ones = [
        _p_of(outscore.compare(_run(data, run), metrics=_BLEU, test="randomization:exact=never", n_resamples=_DRAWS))
        for run in range(3)
    ]
    findings = [
        *_bleu_beside(scored),
        *_ter_beside(found),
        *_p_beside("all runs, as coded", _p_of(coded), _P_POOLED, _SHUFFLES),
    ]
    for run, (p, published) in enumerate(zip(ones, _P_SINGLE, strict=True)):
        findings += _p_beside(f"run {run} of each", p, published, _DRAWS)
    agreed = sum(one.verdict == "agrees" for one in findings)
    last = {row["kind"]: row for row in _rows(found, "p", "BLEU") if row["n"] == 3}
    pooled, crossed = last["runs pooled"]["median"], last["runs and items"]["median"]
    text = f"""
Clark, Dyer, Lavie and Smith (2011) optimized four translation systems 50 or 300 times and asked how far the scores of
the runs lie apart (Table 1), which gains a few runs would have shown (Figures 1 and 2), and which p-values (Table 2).
Their runs were not published. Those that came with their program MultEval were: two systems, three optimizer runs of
each, 2,489 segments of the IWSLT TED test set of 2010, one reference, tokenized and in lower case. (A third system of
that example is a copy of the baseline, file by file, and is left out.) METEOR is left out, too.

What MultEval prints for this example is reproduced: {agreed} of {len(findings)} numbers agree, scores and s_test to
10⁻⁶, s_sel within 1 % ({_MANY:,} resamples, whose own error is .3 %), p-values within a fifth (at least .0005, at most
.01). (MultEval calls these standard deviations variances. TER is that of sacrebleu, which looks for shifts with another
beam: .1 points are allowed beside rounding. The table of systems below has fewer resamples, so its s_sel is another.)

What it concludes is another matter. All runs pooled, as it does, {_said(pooled)} for BLEU; over new runs and new
items, {_said(crossed)}. Single runs of both systems give p-values from {min(ones):.2g} to {max(ones):.2g}, which is
the paper's point: "luck with MERT". But its remedy, to permute the outputs of each segment *and run* independently,
takes three runs for three times as many segments. The remedy that the question needs looks at how far the runs lie
apart, and three runs do not say that well enough: no exact test of run labels with three runs of each can reach
p < .10, so "at least three" is enough to report, not to test.
"""
    named = replace(found, findings=tuple(findings))
    return Section(
        title="Several optimizer runs (Clark et al. 2011, Tables 1 and 2)",
        text=text,
        results=[("", named)],
        pictures=[(found, _figure(found, "p", "BLEU"), "clark-p.svg")],
    )


def _of_figure_2() -> Section:
    numbers = (1, 3, 5, 50)
    lines = ["| systems | " + " | ".join(f"n = {n}" for n in numbers) + " |", "|---|" + "---:|" * len(numbers)]
    for name, (gain, *deviations, _) in _TABLE_1.items():
        whole = math.hypot(*deviations)
        chances = [probability_of_wrong_sign(gain, whole, n) for n in numbers]
        lines.append(f"| {name} | " + " | ".join(f"{chance:.2g}" for chance in chances) + " |")
    wmt = _TABLE_1["WMT German-English"]
    one, five = (probability_of_wrong_sign(wmt[0], math.hypot(*wmt[1:3]), n) for n in (1, 5))
    table = "\n".join(lines)
    text = f"""
Figure 2 shows how often which difference in BLEU is observed with n runs of each system, and says of one run that there
is "a reasonably high chance of observing a non-trivial improvement (or even a decline)". Its curves can be had from
Table 1: the observed difference is about normal around the true one, with variance (s_A² + s_B²)/n. From the means and
the deviations s_test as rounded there, the chance of a decline is

{table}

So on the German-English systems one run of each says the opposite of the truth in {100 * one:.0f} % of cases, five
runs in {100 * five:.1f} %. That is what the figure is said to show; it prints no numbers. (The deviations of Table 1
have one digit, so these chances are rough.)
"""
    return Section(title="What a few runs would have shown (Clark et al. 2011, Figure 2)", text=text)


def _of_taggers(maker: Maker, folder: Path) -> Section:
    table = _table(maker.data / _TAGGERS / "tokens.tsv.gz", folder / "taggers.csv", lambda name, _: name)
    found = maker.study("runs", outscore.read(str(table)), metrics=_TAGGED, pairs="all", draws=60, n_resamples=499)
    worst = max((row for row in found.table("gains").records() if row["n"] == 1), key=lambda row: row["expected"])
    shares = {
        kind: [row["significant"] for row in found.table("p").records() if row["n"] == 2 and row["kind"] == kind]
        for kind in ("runs pooled", "runs and items")
    }
    pooled, crossed = (sum(of_kind) / len(of_kind) for of_kind in shares.values())
    ratios = {row["system"]: row["ratio"] for row in found.table("systems").records()}
    widest = max(ratios, key=lambda name: ratios[name])
    text = f"""
Three part-of-speech taggers, eight training runs of each, 2,077 sentences of the English Web Treebank. *These runs were
made for this project*, and are no published systems: logistic models with more and more features, each run on another
70 % of the training sentences, the same for the k-th run of all three, which no test here makes use of.

Runs of {widest} lie farthest apart: s_test is {ratios[widest]:.1f} times s_sel, so more test sentences would not help
it, more runs would. One run of each gives the wrong sign for {worst["pair"]} with a chance of
{100 * worst["expected"]:.2g} % by the normal law ({100 * worst["wrong"]:.2g} % of the pairs of runs do). With n = 8 all
runs are drawn, so the bands close there; the broken lines are for new runs. (The source goes to n = 50, and one of its
pools holds 50 runs.) With two runs of each, runs pooled are significant in {100 * pooled:.0f} % of draws, and
over runs and items it is {100 * crossed:.0f} %, since two runs say little of how far runs lie apart.
"""
    return Section(
        title="Three taggers of eight runs",
        text=text,
        results=[("", found)],
        pictures=[
            (found, found.figures[1].name, "clark-gains-taggers.svg"),
            (found, found.figures[2].name, "clark-p-taggers.svg"),
        ],
    )


def _of_one_method(maker: Maker, folder: Path) -> Section:
    lines = ["| tagger | one run each | runs pooled, n = 2 | crossed, n = 2 | runs pooled, n = 4 | crossed, n = 4 |",
             "|---|---:|---:|---:|---:|---:|"]  # fmt: skip
    shares: dict[str, list[float]] = defaultdict(list)
    for tagger in "ABC":
        table = _table(
            maker.data / _TAGGERS / "tokens.tsv.gz",
            folder / f"{tagger}.csv",
            lambda name, seed, tagger=tagger: f"{name}{1 + seed // 4}" if name == tagger else None,
        )
        found = maker.study("runs", outscore.read(str(table)), metrics=_TAGGED, numbers="1,2,4", n_resamples=999)
        rows = {(row["n"], row["kind"]): row for row in found.table("p").records()}
        for (n, kind), row in rows.items():
            if n < 4:
                shares[f"{kind} {n}"].append(row["significant"])
        cells = [
            *(f"{100 * rows[key]['significant']:.0f} %" for key in ((1, "one run each"), *_KINDS_OF_2)),
            *(_said(rows[key]["median"]) for key in ((4, "runs pooled"), (4, "runs and items"))),
        ]
        lines.append(f"| {tagger} | " + " | ".join(cells) + " |")
    pooled, crossed = (sum(shares[f"{kind} 2"]) / 3 for _, kind in _KINDS_OF_2)
    table_text = "\n".join(lines)
    text = f"""
Two "systems" that are one: the first four training runs of a tagger against its other four. There is no difference
between the methods, so a test of methods should find one in about 5 % of cases. Shares of p-values up to .05, over all
ways to draw n runs of each half (the draws have runs in common, so these are few independent cases); with all four, p:

{table_text}

On average runs pooled in pairs are significant in {100 * pooled:.0f} % of draws, and the crossed test in
{100 * crossed:.0f} %. One run each is significant that often because two trained models *are* different models; that is
true, and not what a paper claims.
"""
    return Section(title="One method against itself", text=text)


_KINDS_OF_2 = ((2, "runs pooled"), (2, "runs and items"))


def _of_size(maker: Maker) -> Section:
    found = maker.study("runs-size", rounds=5000)
    rates = found.table("sizes").records()
    still = [row for row in rates if row["ratio"] == 0]
    agreed = sum(one.verdict == "agrees" for one in found.findings)
    falls = " and ".join(f"{100 * row['pooled']:.0f} % with {row['n']} runs" for row in still)
    crossed = [row["crossed"] for row in rates]
    further = [100 * (row["coded"] - row["pooled"]) for row in rates if row["coded"] is not None]
    coded = sum(further) / len(further)
    text = f"""
The same with made data, where the truth is known: half of the variance of the items is a stable preference of a system
for an item, as real systems have, half is noise of single runs. §4.1 of the source says that randomization assumes
samples "representative of all extraneous variables", and "therefore" must include several runs. It does not follow:
runs change what is compared, not what is permuted. Even where runs do not differ in level at all, pooled randomization
rejects a true null hypothesis in {falls}, since the stable part is divided by runs × items and
not by items. MultEval 0.5.1 also counts strictly (so that identical systems come out as significant:
p = 1/(K + 1)), and permutes three or more runs by a permutation on one side and its inverse on the other, which is no
valid permutation; with few runs it rejects in {coded:.1f} points more. The crossed t stays between
{100 * min(crossed):.1f} and {100 * max(crossed):.1f} %.

{agreed} of {len(found.findings)} rates agree with a law for many items within {100 * _WITHIN:g} points; each rests on
5,000 test sets. The source published no such rates; these are ours.
"""
    return Section(
        title="How often pooled runs find what is not there",
        text=text,
        results=[("", found)],
        pictures=[(found, "sizes", "clark-sizes.svg")],
    )


def _bleu_beside(scored: Comparison) -> list[Finding]:
    """Mean, s_sel and s_test of both systems beside what MultEval prints, with all its digits."""
    found = []
    for score in scored.scores:
        printed = _BY_PROGRAM[score.system]
        values = {"mean": score.score, "s_sel": score.s_sel, "s_test": score.s_test}
        for name, value in values.items():
            margin = 0.01 * printed.s_sel if name == "s_sel" else 1e-6
            found.append(_beside(f"BLEU of {score.system}, {name}", value, getattr(printed, name), margin, _PROGRAM))
    return found


def _ter_beside(found: Findings) -> list[Finding]:
    """The same of TER beside what the README prints, give or take 0.1 for other shifts and 0.05 for rounding."""
    return [
        _beside(
            f"TER of {row['system']}, {name}",
            row[name],
            getattr(_TER_BY_README[row["system"]], name),
            _POINT_OF_TER,
            _README,
        )
        for row in _rows(found, "systems", "ter")
        for name in ("mean", "s_sel", "s_test")
    ]


def _beside(what: str, value: float | None, published: float, margin: float, source: str) -> Finding:
    assert value is not None, "there are three runs"
    verdict = compare_numbers(value, published, 0.0, margin)
    return Finding(what=what, value=value, published=published, source=source, margin=margin, verdict=verdict)


def _p_beside(what: str, p: float, published: float, resamples: int) -> list[Finding]:
    """A sampled p-value beside another; below .001 all are alike, and above .05 a hundredth more or less is nothing."""
    error = math.sqrt(published * (1 - published) * (1 / resamples + 1 / _JAVA_SHUFFLES))
    margin = min(0.01, max(0.0005, published / 5))
    return [
        Finding(
            what=f"BLEU, p of {what}",
            value=p,
            kind="p",
            error=error,
            published=published,
            source=_PROGRAM,
            margin=margin,
            verdict=compare_numbers(p, published, error, margin),
        )
    ]


def _p_of(found: Comparison) -> float:
    p = found.pairs[0].p_value
    assert p is not None, "every one of these tests has an answer"
    return p


def write_texts(source: Path, folder: Path) -> None:
    """The example as text files, one segment a line: ``baseline.opt0.txt``, ``ref.0.txt`` and so on."""
    with gzip.open(source, "rt", encoding="utf-8", newline="\n") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    for column in rows[0]:
        name = column.replace("sys:", "").replace("ref:", "ref.")
        (folder / f"{name}.txt").write_text("".join(row[column] + "\n" for row in rows), encoding="utf-8")


def _texts(source: Path, folder: Path) -> Dataset:
    """The example, read from its text files."""
    write_texts(source, folder)
    systems = [f"{name}={folder}/{name}.opt*.txt" for name in ("baseline", "sys1")]
    return outscore.read(systems, references=str(folder / "ref.0.txt"))


def _run(data: Dataset, run: int) -> Any:
    """One run of each system."""
    sources = [Path(source.file) for source in data.sources if f".opt{run}." in source.file]
    reference = sources[0].with_name("ref.0.txt")
    return outscore.read([f"{path.name.partition('.')[0]}={path}" for path in sources], references=str(reference))


def _table(source: Path, target: Path, system_of: Callable[[str, int], str | None]) -> Path:
    """Right and all tokens of each sentence and run, for the runs to which ``system_of`` gives a system."""
    right: dict[tuple[str, str], int] = defaultdict(int)
    total: dict[str, int] = defaultdict(int)
    with gzip.open(source, "rt", encoding="utf-8", newline="\n") as lines:
        reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        columns = [name for name in reader.fieldnames or [] if ".seed" in name]
        for row in reader:
            total[row["sent"]] += 1
            for column in columns:
                right[column, row["sent"]] += row[column] == row["gold"]
    with target.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["system", "run", "item", "right", "total"])
        for column in columns:
            name, _, seed = column.partition(".seed")
            system = system_of(name, int(seed))
            if system is not None:
                writer.writerows([system, f"seed{seed}", item, right[column, item], n] for item, n in total.items())
    return target


def _rows(found: Findings, table: str, metric: str) -> Sequence[Mapping[str, Any]]:
    return [row for row in found.table(table).records() if str(row["metric"]).lower().startswith(metric.lower())]


def _figure(found: Findings, kind: str, metric: str) -> str:
    return next(one.name for one in found.figures if one.name.lower().startswith(f"{kind} {metric.lower()}"))


def _said(p: float) -> str:
    return f"p = {p:.2g}" if p >= 1e-4 else "p < .0001"
