"""Berg-Kirkpatrick, Burkett and Klein 2012, Figures 2 to 11: gain against confidence, by systems, size and domain."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from textwrap import fill
from typing import Any

import numpy as np

import outscore
from again.maker import Maker, Section
from outscore import Findings
from outscore.data.dataset import Dataset
from outscore.results.study import Finding

_LAS, _UAS = (f"ratio:num=correct_{name},den=gold_words+sys_words,scale=200" for name in ("las", "uas"))
_PARSEVAL = "ratio:num=matched,den=gold_brackets+test_brackets,scale=200"
_SAME, _DIFFERENT, _ALL = "same group", "different groups", "all pairs"
_RESAMPLES = 10_000


@dataclass(frozen=True)
class Printed:
    """What the source printed of a task.

    Attributes:
        what: task and metric; ``place``: where it stands.
        items: of its test set, None where it is not printed.
        thresholds: by relation of the pairs.
    """

    what: str
    place: str
    items: int | None
    thresholds: Mapping[str, float]


_TAC = Printed("TAC 2008 summarization, ROUGE", "§3.1.1", 48, {_ALL: 1.10})
_DEPENDENCIES = Printed("Chinese dependencies, UAS", "§3.2.2", 690, {_SAME: 1.20, _DIFFERENT: 1.51})
_TRANSLATION = Printed("WMT 2010 German-English, BLEU", "§3.2.3", 2034, {_SAME: 0.28, _DIFFERENT: 0.37})
_ALIGNMENT = Printed("Hansards, AER", "§3.2.4", 100, {_SAME: 0.50, _DIFFERENT: 1.12})
_CONSTITUENTS = Printed("WSJ section 23, F1", "§3.2.5", None, {_SAME: 0.47, _DIFFERENT: 0.57})
_BROWN = {100: 3.00, 24_000: 0.22}  # F1 on the first 100 sentences of Brown, and on all: "approximately 24K" (§4.1)


@dataclass(frozen=True)
class Task:
    """Outputs of many systems on one test set.

    Attributes:
        name: task, as the page says it; ``metric``: and its name there.
        data: read; ``metrics``: what they are scored by.
        groups: of the systems that are alike.
        times: what scores are multiplied by to be points of a hundred.
        printed: what the source has of the same kind.
    """

    name: str
    metric: str
    data: Dataset
    metrics: str
    groups: Mapping[str, str] = field(default_factory=dict)
    times: float = 1.0
    printed: Printed | None = None


def part(maker: Maker) -> Iterator[Section]:
    """The sections on gain, size and domain."""
    parsers = _read(maker, "parse_conll18_en_ewt/sentence_counts.tsv.gz", columns=["item=sent_idx", "domain=genre"])
    translations = _read(maker, "mt_wmt24_en-de_domains/segments.tsv.gz", only=_WITHOUT_THE_COPY)
    tasks = list(_tasks(maker, parsers, translations))
    gains = [_study(maker, "gain", task.data, metrics=task.metrics, groups=dict(task.groups)) for task in tasks]
    yield _gains(tasks, gains)
    cut = {name: next(task for task in tasks if (task.name, task.metric) == of) for name, of in _CUT.items()}
    yield _sizes(
        {
            (name, pick): _study(
                maker, f"gain:by=size,{how}", task.data, metrics=task.metrics, groups=dict(task.groups)
            )
            for name, task in cut.items()
            for pick, how in (("first", "pick=first"), ("random", "pick=random,draws=3"))
        }
    )
    domains = [
        ("CoNLL 2018 parsers of English, LAS", _study(maker, "gain:by=domain", parsers, metrics=_LAS)),
        ("WMT 2024 English-German, BLEU", _study(maker, "gain:by=domain", translations, metrics="bleu")),
    ]
    within = [
        _study(maker, "gain:by=domain", _halves(parsers, _LARGE), metrics=_LAS),
        _study(maker, "gain:by=domain", _halves(translations, ("social",)), metrics="bleu"),
    ]
    yield _domains(domains, within)


_CUT = {
    "LAS, CoNLL 2018": ("the same", "LAS"),
    "BLEU, WMT 2022": ("WMT 2022 German-English", "BLEU"),
    "F1, CRAFT": ("CRAFT parsers", "F1"),
}
"""What is cut to smaller test sets, with the name and metric of its task."""

_LARGE = ("reviews", "email", "answers")
"""Genres with twice as many sentences as the smallest has."""


def _halves(data: Dataset, domains: Sequence[str]) -> Dataset:
    """Random halves of some domains, each as a domain of its own: the control of what domains differ by."""
    rng = np.random.default_rng(12345)
    rows, names = [], []
    for domain in domains:
        here = rng.permutation(np.flatnonzero(np.array(data.labels["domain"]) == domain))
        for half, part in enumerate((here[::2], here[1::2]), 1):
            rows += part.tolist()
            names += [f"{domain} {half}"] * len(part)
    held = data.on_items(rows)
    return replace(held, labels={**held.labels, "domain": tuple(names)})


_WITHOUT_THE_COPY = ("[!C]*", "CUNI-NL", "Claude*", "Command*", "CycleL")  # CycleL2 is CycleL


def _read(maker: Maker, name: str, only: Sequence[str] = (), **options: Any) -> Dataset:
    file = str(maker.data / name)
    return outscore.read([f"{file}#{pattern}" for pattern in only] or [file], **options)


def _study(maker: Maker, name: str, data: Dataset, **options: Any) -> Findings:
    """As the source has it: bootstrap, one-sided p of the winner, items taken for independent."""
    return maker.study(name, data, claim="winner", cluster="none", n_resamples=_RESAMPLES, **options)


def _tasks(maker: Maker, parsers: Dataset, translations: Dataset) -> Iterator[Task]:
    folder = maker.data
    summaries = outscore.read(
        [str(folder / "summ_summeval/outputs.tsv.gz")],
        references=[str(folder / "summ_summeval/references.jsonl.gz")],
        columns=["item=doc", "output=summary"],
    )
    yield Task("SummEval summarizers", "ROUGE-1", summaries, "rouge:type=rouge1", times=100, printed=_TAC)
    yield Task("CoNLL 2018 parsers of English", "UAS", parsers, _UAS, printed=_DEPENDENCIES)
    yield Task("the same", "LAS", parsers, _LAS)
    yield Task(
        "WMT 2022 German-English",
        "BLEU",
        _read(maker, "mt_wmt22_de-en/segments.tsv.gz"),
        "bleu",
        printed=_TRANSLATION,
    )
    yield Task("WMT 2021 English-German", "BLEU", _read(maker, "mt_wmt21_en-de/segments.tsv.gz"), "bleu")
    yield Task("WMT 2024 English-German", "BLEU", translations, "bleu")
    aligners = _read(maker, "align_enfr_hansards/alignments.tsv.gz", columns=["reference=sure", "reference=possible"])
    families = {name: name.split("-")[0] for name in aligners.systems}
    yield Task("Hansards aligners", "AER", aligners, "aer", families, printed=_ALIGNMENT)
    trees = _read(maker, "const_pcfg_craft/evalb_counts.tsv.gz", columns=["item=sent"])
    orders = {name: name.partition("_v")[2][:1] for name in trees.systems}
    yield Task("CRAFT parsers", "F1", trees, _PARSEVAL, orders, printed=_CONSTITUENTS)
    tokens = folder / "multirun_pos_ewt/tokens.tsv.gz"
    taggers = outscore.read([f"{name}={tokens}#{name}.*" for name in "BC"])
    yield Task("EWT taggers B and C", "accuracy, %", taggers, "token_accuracy", times=100)
    entities = _read(maker, "ner_wnut17/tokens.tsv.gz")
    yield Task("WNUT 2017 named entities", "F1", entities, "ner")


def _gains(tasks: Sequence[Task], gains: Sequence[Findings]) -> Section:
    ratios = {task.name: one.findings[0] for task, one in zip(tasks, gains, strict=True) if one.findings}
    smaller = [name for name, one in ratios.items() if one.ci is not None and one.ci[1] < 1]
    shown = "; ".join(f"{name} {_with_ends(one)}" for name, one in ratios.items())
    why = [abs(float(row["made"]) / float(row["fitted"]) - 1) for one in gains for row in _known(one, "why")]
    windows = [int(str(row["window"])) for one in gains for row in one.table("window").records()]
    text = f"""
Berg-Kirkpatrick et al. compare all pairs of many systems by the paired bootstrap and draw 1 - p (one-sided, of the one
that scored higher) against the gain, for shared tasks and for models trained on resampled training sets (Figures 2 to
8). As a rule of thumb they print the 95th percentile of the gains among the pairs with .04 ≤ p ≤ .06. The outputs
of its own systems are not to be had, those of its shared tasks in part, so the same is done here on open outputs of
the same tasks, with {_RESAMPLES:,} resamples and, as
there, items taken for independent.

{_table(tasks, gains)}

*By the window* is the source's statistic; it names no convention of quantiles (R's type 7 here). {_few(windows)} of
{len(windows)} windows here hold fewer than 20 pairs, too few for a 95th percentile: the source had up to 11,175 pairs.
*By the curve* is for the typical pair, with its interval over systems; *95%* is the gain that is enough for 95 % of the
pairs that tell the curve: what the source's statistic is after, from more pairs. *At the source's size* is that number
brought to the source's items by the law of the root. Metrics, languages and systems are others than the source's, so
these numbers need not agree. Shared tasks without groups stand beside its pairs of different
models.

**Systems that are alike are sure of smaller gains**, as the source says. The threshold within a group over that between
groups, by the curves: {shown}. The interval lies below 1 in {len(smaller)} of {len(ratios)} tasks with groups; where it
is wide or lacks, too few pairs tell it. The reason can be computed: p = .05 stands at z standard errors of the
gain, whose square is that of both systems less twice their covariance. In all tasks z times the jackknife error is
within {100 * max(why):.1f} % of the threshold of the curve. For the aligners a group is one program with its
symmetrizations, of which intersection and union are far from alike; for the CRAFT parsers it is the order of vertical
Markovization; for the taggers one model trained eight times on parts of its training set, the design of the source's
own trained systems.

The CRAFT parsers and the taggers were made for this project, the other outputs are of shared tasks or published. System
CycleL2 of WMT 2024 is the same as CycleL on every segment and left out; of the taggers A is left out, as its scores lie
too far from those of B and C to tell a threshold.
"""
    by_name = dict(zip([task.name for task in tasks], gains, strict=True))
    pictures = [
        (by_name[name], by_name[name].figures[0].name, file)
        for name, file in (
            ("WMT 2024 English-German", "again-gain-translation.svg"),
            ("CRAFT parsers", "again-gain-parsing.svg"),
            ("EWT taggers B and C", "again-gain-tagging.svg"),
        )
    ]
    return Section("Gain and confidence (Berg-Kirkpatrick et al. 2012, Figures 2 to 8)", _filled(text), (), pictures)


def _few(windows: Sequence[int]) -> int:
    return sum(n < 20 for n in windows)


def _with_ends(found: Finding) -> str:
    ends = "" if found.ci is None else f" [{found.ci[0]:.2f}, {found.ci[1]:.2f}]"
    return f"{float(str(found.value)):.2f}{ends}"


def _filled(text: str) -> str:
    """Paragraphs with lines of equal width, whatever numbers were put into them; tables as they are."""
    paragraphs = text.strip().split("\n\n")
    return "\n\n".join(p if p.startswith(("|", "- ")) else fill(p, 120, break_on_hyphens=False) for p in paragraphs)


def _table(tasks: Sequence[Task], gains: Sequence[Findings]) -> str:
    lines = [
        "| task | metric | systems | items | pairs | in the window | by the window | by the curve | 95% | at the "
        "source's size | source | printed |",
        "| :--- | :--- | ---: | ---: | :--- | ---: | ---: | ---: | ---: | ---: | :--- | ---: |",
    ]
    for task, found in zip(tasks, gains, strict=True):
        windows = {row["relation"]: row for row in found.table("window").records()}
        curves = {row["relation"]: row for row in found.table("thresholds").records()}
        items = found.provenance.n_items_read
        systems = (1 + math.isqrt(1 + 8 * int(str(windows[_ALL]["pairs"])))) // 2
        for relation, window in windows.items():
            curve, printed = curves[relation], task.printed
            published = None if printed is None else _published(printed, str(relation), len(windows) > 1)
            ends = "" if curve["low"] is None else f" [{_said(curve['low'], task)}, {_said(curve['high'], task)}]"
            scaled = None
            if printed is not None and published is not None and printed.items and curve["last"] is not None:
                scaled = float(str(curve["last"])) * math.sqrt(items / printed.items)
            source = f"{printed.what} ({printed.place})" if printed is not None and published is not None else ""
            cells = (
                task.name,
                task.metric,
                systems,
                items,
                relation,
                window["window"],
                _said(window["threshold"], task),
                _said(curve["fitted"], task) + ends,
                _said(curve["last"], task),
                "" if published is None else _said(scaled, task),
                source,
                "" if published is None else f"{published:.2f}",
            )
            lines.append(f"| {' | '.join(str(cell) for cell in cells)} |")
    return "\n".join(lines)


def _published(printed: Printed, relation: str, grouped: bool) -> float | None:
    """What stands beside these pairs; all pairs of systems without groups are pairs of different models."""
    alone = _DIFFERENT if not grouped and _ALL not in printed.thresholds else relation
    return printed.thresholds.get(alone)


def _said(value: Any, task: Task) -> str:
    return "–" if value is None else f"{float(value) * task.times:.2f}"


def _known(found: Findings, table: str) -> list[dict[str, Any]]:
    return [dict(row) for row in found.table(table).records() if None not in row.values()]


def _sizes(sizes: Mapping[tuple[str, str], Findings]) -> Section:
    small, large = sorted(_BROWN)
    printed = math.log(_BROWN[large] / _BROWN[small]) / math.log(large / small)
    of_trees = sizes["F1, CRAFT", "random"].findings
    apart = next(one for one in of_trees if one.what.startswith("exponent") and _DIFFERENT in one.what)
    text = f"""
The source cuts test sets to their first 100, 200, 400 ... items (Figure 9: BLEU on WMT 2010; Figure 10: F1 on Brown)
and finds that the threshold and the spread of the plot shrink as the square root of the size: {_BROWN[small]:.2f} F1
for the first {small} sentences of Brown, {_BROWN[large]:.2f} for all of them, some {large:,}. That is an exponent of
{printed:.2f}.

Here parsers and translations are compared on their first sentences, as there, and on random ones. The threshold is that
of the curve, with the gain that is enough for 95 % of the pairs behind it; the law of the exponent is -1/2, and the
verdict is on a margin of a tenth:

{_table_of_sizes(sizes)}

The first sentences of CoNLL 2018 are weblogs, whose thresholds are lower (see the next section); random ones are like
the rest. The intervals hold for other systems and other sentences; the pairs near p = .05, which tell a threshold, are
not the same at all sizes: of the CRAFT parsers those of one group are near it on many sentences only, so that the
exponent of all pairs is steeper than that of the pairs of different groups, {_with_ends(apart)}. Half the threshold
asks for four times the sentences, and between the two numbers of a cell the gain alone does not decide.
"""
    files = {("BLEU, WMT 2022", "first"): "translation", ("F1, CRAFT", "first"): "parsing"}
    pictures = [(sizes["LAS, CoNLL 2018", "random"], 0, "again-size.svg")]
    pictures += [(sizes[key], 1, f"again-size-{name}.svg") for key, name in files.items()]
    named = [(found, found.figures[number].name, file) for found, number, file in pictures]
    return Section("The size of the test set (Figures 9 and 10)", _filled(text), (), named)


def _table_of_sizes(sizes: Mapping[tuple[str, str], Findings]) -> str:
    numbers = sorted({int(str(row["items"])) for found in sizes.values() for row in _all_pairs(found)})
    columns = [*(f"{n:,}" for n in numbers if n < _WHOLE), "all"]
    lines = [
        f"| metric, data | sentences | {' | '.join(columns)} | exponent | |",
        f"| :--- | :--- | {' | '.join('---:' for _ in columns)} | ---: | :--- |",
    ]
    for (name, pick), found in sizes.items():
        rows = _all_pairs(found)
        here = {f"{int(str(row['items'])):,}": row for row in rows[:-1]} | {"all": rows[-1]}
        cells = [
            f"{float(str(row['fitted'])):.2f}, {float(str(row['last'])):.2f}" if row else "–"
            for row in (here.get(column) for column in columns)
        ]
        exponent = found.findings[0]
        lines.append(f"| {name} | {pick} | {' | '.join(cells)} | {_with_ends(exponent)} | {exponent.verdict} |")
    return "\n".join(lines)


_WHOLE = 900  # from so many items on a size is that of all


def _all_pairs(found: Findings) -> list[dict[str, Any]]:
    return [dict(row) for row in found.table("thresholds").records() if row["relation"] == _ALL]


def _domains(domains: Sequence[tuple[str, Findings]], within: Sequence[Findings]) -> Section:
    said = []
    for _, found in domains:
        rows = found.table("differences").records()
        apart = [row for row in rows if row["holm"] is not None and float(str(row["holm"])) <= found.alpha]
        names = ", ".join(f"{row['part']} {float(str(row['ratio'])):.2f}" for row in apart) or "none"
        said.append(
            f"the largest threshold is {float(str(found.findings[0].value)):.2f} times the smallest, and these of "
            f"{len(rows)} domains differ from the mean of all after Holm's correction (ratio to it): {names}"
        )
    text = f"""
For a fixed size of 1,600 sentences the source finds that "the domain has only a small effect on the shape of the curve"
(Figure 11: three sections of WSJ, and Brown); no numbers are printed. Here the first items of each domain, as many as
the smallest has. CoNLL 2018: {said[0]}. WMT 2024: {said[1]}.

The control, random halves of one domain as if they were two: {"; ".join(map(_apart, within))}. What lies within that is
no domain, but the choice of the sentences.

The *shape* is much the same, a normal curve in each domain, but the scale is not, so a threshold that was read off in
one domain should not be carried to another. Sections of one newspaper are more alike than weblogs and reviews: of the
214 sentences that are compared here one of a weblog has 21 words, one of a review 8 (4,495 words and 1,738), and longer
items are worth more.
"""
    pictures = [(domains[0][1], domains[0][1].figures[0].name, "again-domain.svg")]
    return Section("The domain of the test set (Figure 11)", _filled(text), domains, pictures)


def _apart(found: Findings) -> str:
    """By what factor the thresholds of the halves of each domain lie apart."""
    fitted = {str(row["part"]): float(str(row["fitted"])) for row in _all_pairs(found)}
    ratios = {}
    for part, value in fitted.items():
        name, half = part.rsplit(" ", 1)
        other = fitted[f"{name} {'21'[int(half) - 1]}"]
        ratios[name] = max(value / other, other / value)
    return ", ".join(f"{name} {ratio:.2f}" for name, ratio in ratios.items())
