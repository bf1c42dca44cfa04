"""Rules of other programs, and the reasons why their numbers and ours agree or differ, in words."""

from __future__ import annotations

RULES = {
    "scores": "corpus scores, nothing drawn",
    "interval": "mean μ of the scores of resampled test sets, and half the distance of those a fortieth from "
    "either end",
    "bootstrap": "P(|d*| - mean of |d*| > |d|), where d is the difference of scores and d* that on a resampled "
    "test set",
    "randomization": "P(|d*| > |d|), where d is the difference of scores and d* that after random permutations of "
    "outputs",
    "multeval": "all runs pooled, outputs permuted run by run, draws beyond the difference counted; deviations of "
    "resampled scores (s_sel) and between runs (s_opt)",
}
"""Rule of each procedure."""

WORDS = {
    "same_score": "The corpus score of these files.",
    "same_mean": "The same draws.",
    "same_half_width": "The same draws.",
    "same_p": "Its rule on the same draws gives it.",
    "same_by_chance": "The same comes of other draws, or other outputs, than its own.",
    "same_from_other_draws": "It drew without a seed; its rule gives the same from draws of ours.",
    "same_s_opt": "The same deviation between runs.",
    "found_options": "It is that of {metric}; the file names no options.",
    "numpy_1": "Made under NumPy 1, which computes resampled scores in double precision.",
    "no_rule": "No rule is known that makes it.",
    "other_texts": "The options are those it names, so it had other outputs or references.",
    "other_texts_or_options": "It had other outputs or references, or other options (tokenizer, case): name those with "
    "-m.",
    "other_references": "It had {theirs} references of each item, {ours} were given.",
    "other_version": "It was made by sacrebleu {theirs}, and again by {ours}.",
    "other_score": "Its score, or the baseline's, is not that of these files, so that its draws cannot be had again.",
    "other_draws": "Its draws were others than {resamples} under seed {seed}: another seed (SACREBLEU_SEED), another "
    "number of them, or items in another order.",
    "unseeded": "It drew without a seed; {resamples} other draws agree within chance.",
    "beyond_chance": "{resamples} other draws do not come near it: it had far fewer, or other outputs.",
    "one_tail": "It centres absolute differences and counts one tail; both tails of its draws, ties counted: {both}.",
    "ties_left_out": "It leaves out draws just as far apart as the systems are; counted, {counted}.",
    "identical": "The outputs are the same. No draw lies beyond a difference of 0, so that it prints the least p it "
    "can, {least}, as if this were significant; p is 1.",
    "drawing": "What is left, {rest}, is within chance ({drawn}).",
    "other_test": "What is left, {rest}, is the other test: {test}, of the null hypothesis that {null}{clusters}.",
    "no_p": "{test} has no p-value here.",
    "decision": "At {alpha} it says {theirs}; outscore says otherwise, with {p} after the correction ({correction}, "
    "over {family} p-values).",
    "mean_of_redrawn": "Resampled scores are off by {bias} in the mean, their bias; outscore reports the score itself.",
    "half_width": "It is the same on both sides; outscore has [{low}, {high}] ({method}).",
    "other_metric": "MultEval has METEOR 1.3 or 1.4, another metric than 1.5, so that it cannot be made again.",
    "tercom": "tercom looks for shifts otherwise than sacrebleu does; {by} between them.",
    "runs_permuted": "It permutes runs for one side and inverts that for the other; by valid permutations {valid}.",
    "runs_as_items": "It takes {runs} runs for {runs} times as many items; outscore ({test}) asks: {question}",
}
"""Sentence of each reason by its code; the manual lists the codes."""
