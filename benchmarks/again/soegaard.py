"""Søgaard et al. 2014, §3.3 to §3.5: p across metrics, sample sizes and covariates, on taggers, parsers and others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import fill
from typing import Any

import outscore
from again.maker import Maker, Section
from outscore import Findings
from outscore.data.dataset import Dataset
from outscore.results.study import Finding

_TA, _UA, _SA = "token_accuracy", "token_accuracy:words=unseen,seen=in_train_vocab", "exact_match"
_LAS, _UAS = (f"ratio:num=correct_{name},den=gold_words+sys_words,scale=200" for name in ("las", "uas"))
_NER = ("ner:average=macro", "ner", "ner:labelled=false", "ner:average=each")
_RESAMPLES = 10_000


def part(maker: Maker) -> Iterator[Section]:
    """Everything that is done of Søgaard et al. 2014."""
    from again import soegaard_toys

    yield from soegaard_toys.sections(maker)
    yield from part_looks(maker)


def part_looks(maker: Maker) -> Iterator[Section]:
    """The sections on metrics, sample sizes and covariates."""
    taggers, parsers, entities = _taggers(maker), _parsers(maker), _entities(maker)
    yield _metrics(maker, taggers, parsers, entities)
    yield _sizes(maker, taggers, parsers)
    yield _lengths(maker, taggers, entities)


def _taggers(maker: Maker) -> Dataset:
    tokens = maker.data / "multirun_pos_ewt/tokens.tsv.gz"
    return outscore.read([f"{name}={tokens}#{name}.seed0" for name in "BC"])


def _parsers(maker: Maker) -> Dataset:
    counts = maker.data / "parse_conll18_en_ewt/sentence_counts.tsv.gz"
    return outscore.read([f"{counts}#HIT-SCIR-18", f"{counts}#LATTICE-18"], columns=["item=sent_idx"])


def _entities(maker: Maker) -> Dataset:
    tokens = maker.data / "ner_wnut17/tokens.tsv.gz"
    return outscore.read([f"{tokens}#spinningbytes", f"{tokens}#uh_ritual"])


def _study(maker: Maker, name: str, data: Dataset, **options: Any) -> Findings:
    """As the source has it: sentences taken for independent."""
    return maker.study(name, data, cluster="none", **options)


def _metrics(maker: Maker, taggers: Dataset, parsers: Dataset, entities: Dataset) -> Section:
    tagged = _study(maker, "metrics", taggers, metrics=[_TA, _UA, _SA], by="group", n_resamples=_RESAMPLES)
    parsed = _study(maker, "metrics", parsers, metrics=[_LAS, _UAS], by="genre", n_resamples=_RESAMPLES)
    named = _study(maker, "metrics", entities, metrics=_NER, n_resamples=_RESAMPLES)
    translations = outscore.read([str(maker.data / "mt_wmt22_de-en/segments.tsv.gz")])
    translated = _study(
        maker, "metrics", translations, metrics=["bleu", "chrf"], pairs="all", n_resamples=_RESAMPLES // 5, versions=500
    )
    (pair,) = named.table("p").records()
    tokens, some = (_value(tagged, f"under {name}") for name in (_TA, "some metric"))
    adds = "adds findings" if int(some) > int(tokens) else "adds no finding"
    text = f"""
The source compares two taggers on ten data sets and two parsers on six, with the bootstrap over sentences. The systems
and most of the data are not open, so here two taggers ({_n(tagged)}) and the two best English parsers of CoNLL 2018
(HIT-SCIR and LATTICE) are compared on the five genres of the English Web Treebank. *The taggers were trained for this
project* (one run each; C sees a wider window than B). p is by permutation of the systems' outputs, the same
permutations under all metrics; with more than 200 sentences bootstrap and permutations differ little. *Joint* is the
smallest p,
corrected over the metrics by the largest gain of all of them.

{_table(tagged, ("tokens (TA)", "unseen words (UA)", "sentences (SA)"))}

{_table(parsed, ("LAS", "UAS"))}

**The choice of a metric {adds} here.** Taggers: by tokens {tokens} of 5 genres are significant, by some metric
{some}, after joint correction {_value(tagged, "after joint correction")}; in the source 3 of 10 by tokens.
Its text counts 9 of 10 with all three metrics, but its Table 2 supports 8: Chem and Twitter are never below
.05. The 4 of 10 with TA and SA
need the Wilcoxon test in the place of the bootstrap for SA, a further free choice. The rows Weblogs and WSJ of that
table are equal in three columns, WSJ and Twitter in a fourth, which must be an error of copying. Parsers: in the source
LAS is significant on 5 of 6 data sets and UAS on all 6; here LAS on {_value(parsed, f"under {_LAS}")} of 5 and UAS on
{_value(parsed, f"under {_UAS}")}: the systems are nearer to each other, and **which of them is ahead depends on the
metric** ({_signs(parsed)}).

Named entities: the two best systems of WNUT 2017 (uh_ritual against spinningbytes). Macro-F1 gives p =
{_p(pair[f"p:{_NER[0]}"])}, the smallest p of {len(pair) - 4} metrics (macro, micro, unlabelled, each type) is
{_p(pair["smallest"])}, corrected jointly {_p(pair["joint"])}. The source has .15 by macro-F1 and .02 by a
free choice on CoNLL 2003, means over five
runs. Translation: of all {translated.n_cells} pairs of WMT 2022 German-English systems
{_value(translated, "under bleu")} are significant by BLEU, {_value(translated, "under chrf")} by chrF,
{_value(translated, "under some metric")} by either, {_value(translated, "under every metric")} by both.

**How often a free choice finds what is not there** is counted on null versions of these data: taggers
{_rate(tagged, "smallest p")} with three metrics, parsers {_rate(parsed, "smallest p")} with two, entities
{_rate(named, "smallest p")} with {len(pair) - 4}, translation {_rate(translated, "smallest p")} with BLEU and chrF.
After joint correction it is {_rate(tagged, "the same after joint")}, {_rate(parsed, "the same after joint")},
{_rate(named, "the same after joint")} and {_rate(translated, "the same after joint")}. The source's "the less the two
metrics are correlated, the more likely we are to obtain p < 0.05" is the second picture.
"""
    return Section(
        "The choice of a metric (Tables 2 and 3)",
        _filled(text),
        (),
        [(tagged, "p", "again-metrics.svg"), (named, "choice", "again-metrics-choice.svg")],
    )


def _sizes(maker: Maker, taggers: Dataset, parsers: Dataset) -> Section:
    how: dict[str, Any] = {"n_resamples": 5000, "versions": 1000}
    tagged = _study(maker, "sample-size", taggers, metrics=[_TA], by="group", **how)
    parsed = _study(maker, "sample-size", parsers, metrics=[_LAS, _UAS], by="genre", **how)
    at_first, *_, at_last = (row["rate"] for row in tagged.table("peeking").records() if row["by"] == "smallest p")
    text = f"""
The source lets samples grow and finds that significance comes and goes, in 6 of 10 data sets of its taggers; it draws
100 subsamples of 10 to 75 % of the sentences for its parsers (Table 4). The same systems as above, sentences in random
order, ten steps: of 5 genres {_value(tagged, "on all items")} are significant on all sentences,
{_value(tagged, "at some step")} at some step, {_value(tagged, "lost it again")} lose it again as more come, and
{_value(tagged, "after joint correction")} are left after correction for ten looks.

**That is not a fault of the test.** A p-value that is looked at ten times is not one p-value: on null versions of these
data {100 * _float(at_first):.1f} % are significant at the first look and {100 * _float(at_last):.1f} % at some look of
ten (normal law of Armitage et al. 1969: {100 * _float(_share(tagged, "smallest p").expected):.1f} %; less
where a small sample of whole counts cannot use up its level), {_rate(tagged, "corrected jointly")} after correction.

Subsamples without replacement with p ≤ .05, {_float(parsed.table("subsamples").records()[0]["subsamples"]):.0f} of each
size:

{_ratios(parsed, ("LAS", "UAS"))}

{_ratios(tagged, ("TA",))}

Where there is a gain the share grows with the size: it is nothing but the power of the test at that size. Where there
is little it stays low, and falls as the subsamples become the whole, as with
LAS on Emails in the source (14 to 22 %, not significant on all sentences). On *all*
sentences every subsample is the same set, so the share must be 0 or 100 %; it is here, because p is exact or gets as
many resamples as it needs. The 36 % of the source (Newsgroups, LAS, p = .049) are noise of the resampling: there were
too few so near to .05. Its text sees "the same picture" with Reviews, but there the share grows from 33 to 100 %.
"""
    return Section(
        "The size of the sample (Figures 3 to 5, Table 4)",
        _filled(text),
        (),
        [(tagged, _TA, "again-sample-size.svg"), (tagged, "peeking", "again-peeking.svg")],
    )


def _lengths(maker: Maker, taggers: Dataset, entities: Dataset) -> Section:
    how: dict[str, Any] = {"n_resamples": 5000, "cutoffs": 15}
    tagged = _study(maker, "covariates", taggers, metrics=[_TA], by="group", **how)
    named = _study(maker, "covariates", entities, metrics=["ner"], by="domain", **how)
    text = f"""
The source varies the largest length of a sentence and finds its taggers significantly different at some length in 8 of
10 data sets; "on full sentence length, four differences seem significant", it says, where its Table 2 has three. Here
15 cut-offs, at equal shares of the sentences: taggers on 5 genres {_value(tagged, "on all items")} on all sentences,
{_value(tagged, "at some cut-off")} at some length, {_value(tagged, "after joint correction")} after correction over all
cut-offs; entities (uh_ritual against spinningbytes, F1) on the 4 sources of WNUT 2017 {_value(named, "on all items")},
{_value(named, "at some cut-off")} and {_value(named, "after joint correction")}. A free choice of the cut-off finds
something in {_rate(tagged, "some cut-off")} and {_rate(named, "some cut-off")} of null versions of these data; after
joint correction in {_rate(tagged, "the same after joint")} and {_rate(named, "the same after joint")}. Results on
sentences of up to 22 words say nothing unless the 22 were named beforehand.
"""
    return Section(
        "A covariate: the length of sentences (Figure 6)", _filled(text), (), [(tagged, _TA, "again-lengths.svg")]
    )


def _filled(text: str) -> str:
    """Paragraphs with their lines filled anew; tables as they are."""
    return "\n\n".join(
        part if part.startswith("|") else fill(part, 120, break_on_hyphens=False) for part in text.strip().split("\n\n")
    )


def _n(found: Findings) -> str:
    """The items of a study, as its design says."""
    return found.design.split(" on ")[1].split(" in ")[0].replace("items", "sentences")


def _value(found: Findings, words: str) -> str:
    """A count among the findings, by what its description ends with or holds."""
    fitting = [one for one in found.findings if one.kind == "count" and one.what.endswith(words)]
    fitting = fitting or [one for one in found.findings if one.kind == "count" and words in one.what]
    return str(fitting[0].value)


def _share(found: Findings, words: str) -> Finding:
    (one,) = [one for one in found.findings if one.kind == "share" and words in one.what]
    return one


def _rate(found: Findings, words: str) -> str:
    one = _share(found, words)
    return f"{100 * _float(one.value):.1f} ± {100 * _float(one.error):.1f} %"


def _float(value: object) -> float:
    return float(str(value))


def _p(value: object) -> str:
    return "< .001" if _float(value) < 0.001 else f"{_float(value):.3f}".lstrip("0")


def _table(found: Findings, names: Sequence[str]) -> str:
    """p by genre and metric, as Tables 2 and 3 of the source."""
    pair = str(found.table("p").records()[0]["pair"]).split(": ")[1]
    lines = [f"| {pair} | {' | '.join(names)} | smallest | joint |"]
    lines.append("|---" * (len(names) + 3) + "|")
    for record in found.table("p").records():
        pair, *ps = record.values()
        shown = [*ps[: len(names)], record["smallest"], record["joint"]]
        lines.append(f"| {str(pair).split(':')[0]} | {' | '.join(map(_p, shown))} |")
    return "\n".join(lines)


def _ratios(found: Findings, names: Sequence[str]) -> str:
    """Shares of subsamples that are significant, as Table 4 of the source."""
    table = found.table("ratios")
    sizes = [field.title.split(" ")[0].replace("%", " %") for field in table.fields[2:]]
    lines = [f"| | | {' | '.join(sizes)} |", "|---" * (len(sizes) + 2) + "|"]
    metrics = list(dict.fromkeys(str(row[0]) for row in table.rows))
    for metric, pair, *shares in table.rows:
        shown = " | ".join(f"{100 * _float(share):.0f} %" for share in shares)
        lines.append(f"| {str(pair).split(':')[0]} | {names[metrics.index(str(metric))]} | {shown} |")
    return "\n".join(lines)


def _signs(found: Findings) -> str:
    """On how many test sets the second system is ahead, by metric."""
    records = found.table("gains").records()
    ahead = {m: [r for r in records if r["metric"] == m and _float(r["gain"]) > 0] for m in (_LAS, _UAS)}
    n = len(records) // 2
    return f"LATTICE is ahead on {len(ahead[_LAS])} of {n} genres by LAS, on {len(ahead[_UAS])} by UAS"
