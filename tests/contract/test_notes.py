"""Every note is raised by some data through the public Python, and stays silent on data of the neighbouring kind."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import outscore
from outscore.base.notes import READINGS
from outscore.data.readers import readers
from tests.contract.noted import CALLS, others, pairs
from tests.contract.sources import SOURCE, nodes_of, syntax_of
from tests.contract.test_readers_contract import source_and_context

ROOT = Path(__file__).parents[2]
assert pairs, others  # which enter the data

CASES = """
accuracy_by_chance: accuracy of judgments of noise | 5 systems and humans
additive_model: items missing, additive | an item missing, drop
agreement_undefined: one label | 90 units
all_negative: human scores the other way | human scores as metrics say
alpha_unattainable: four items | 60 items
apostrophes_taken: cells behind an apostrophe | cells that begin with a plus
asymptotic_sequence: a sequence without bounds | a sequence
auto_: right or wrong | right or wrong, exact
bbk_one_sided: 60 items, bbk | 100 items, bootstrap
bca_undefined: bca of two resamples, seed 0 | bca of two resamples, seed 2
bootstrap_of_few_runs: 3 runs, multibootstrap | 12 runs, multibootstrap
calibrated_ties: accuracy of 5 | 5 systems and humans
called_reference: bleu, one called ref | bleu
cases_differ: yes and no for Yes and No | yes and no
cells_redone: an audit of changed cells | an audit of kept cells
clusters_ignored: documents that are alike | documents that are not
clusters_ignored: scores of documents | scores of other documents
column_as_sample: a column epoch | a column sample
column_as_score: one number called goodness | one number called score
column_left_out: a column of one system | columns alike
columns_describe: predictions | references carried
columns_left_out: items across, words beside them | items across
columns_renamed: a table with a column named seed | a table
constant_samples: welch of constants | welch of runs
correlation_is_given: beliefs, correlated t | beliefs
counts_apart: 6 data sets of 3 systems | 6 data sets
coverage_too_low: an audit of ignored clusters | an audit of 400 rounds
decision_unstable: p near alpha | 250 items
depends_on_the_pool: friedman | anova
described: bleu and lengths | bleu
direction_assumed: lower is better by its name | lower is better as said
dominant_label: a dominant label | 90 units
dropped_items: an item missing, drop | an item missing, zero
empty_gold: bleu, one reference empty | bleu
empty_outputs: an empty cell of outputs | references carried
family_out_of_reach: six pairs of 5 items | six pairs of 30 items
few_clusters: 9 clusters | 40 clusters
few_data_sets: 3 data sets | 6 data sets
few_decided: votes, mostly ties | votes
few_clusters_apart: 3 of 60 documents with an error | 30 of 60 documents with an error
few_differences: 100 items, bootstrap | 400 items, margin 1
few_disagreements: 90 units of 1 to 3, by AC2 | 90 units of 1 to 3
few_in_the_window: gains of 6 | gains of 40
few_informative_items: cochran, nearly all right | cochran
few_items_apart: welch on shared items | welch of runs
few_items: 10 items, bootstrap | 100 items, bootstrap
few_items: beliefs of 8, bootstrap | beliefs, bootstrap
few_items_decide: two large differences of 200 | two large differences
few_labels: a judge, 20 labels | a judge, 100 labels
few_resamples: calibration | calibration by many resamples
few_rounds: an audit of 20 rounds | an audit of 400 rounds
few_runs: 3 runs | 6 runs
few_scored: scores of 999 items | scores of 1,000 items
few_systems: 5 systems and humans | 12 systems and humans
few_to_exchange: 5 systems and humans | 12 systems and humans
few_units: 10 units | 90 units
fewer_levels: two systems and humans | 5 systems and humans
folds_overlap: scores of folds | scores of sheep
gain_left: an audit of a gain everywhere | an audit of 20 rounds
gain_moved: a sequence of sorted gains | a sequence
given_order: a sequence | a sequence in random order
gold_file: systems and descriptions | systems alone
grades_as_scores: scores that are grades | scores that are numbers
identical_metrics: metrics that are one | 5 systems and humans
identical_outputs: identical | 60 items
identical_outputs: identical beliefs | beliefs
identical_pairs: calibration of copies | calibration
identical_systems: gains of 6 and a copy | gains of 6
index_by_position: slices of a series | series from 0
interrupted: interrupted | 100 items, bootstrap
interval_beyond_limits: wald of 20 right of 21 | wilson of 20 right of 21
interval_off_centre: oconnor | percentile
interval_runs_fixed: 3 runs, percentile | percentile
items_as_systems: questions as systems | questions as items
items_by_row_order: items by their rows | items by name
judge_alone: a judge, 100 labels | ratings
judged_both_ways: votes, one rater, both orders | votes
judged_in_groups: ratings in groups | ratings by items
keys_not_read: a key of lists | a key of numbers
labels_joined: 1.0 and 0 | 1 and 0
label_left_out: comments not alike | comments alike
labelled_differ: a judge, the best labelled | a judge, 100 labels
labelled_apart: a judge, other items labelled | a judge, 100 labels
labels_like_numbers: a table of years | a table
langfuse_scores: scores of Langfuse | a table
left_out_by_metric: trees of other words | trees of the same words
lines_of_tags: accuracy of lines of tags | token_accuracy of lines of tags
lines_of_tags: no metric of lines of tags | token_accuracy of lines of tags
level_out_of_reach: a look that cannot show anything | a look by alpha-spending
level_too_high: an audit of ignored clusters | an audit of 400 rounds
level_too_low: an audit of sign tests | an audit of 400 rounds
uses_depend: a look by saffron | a look by alpha-spending
looks_missing: labels that say NA | units labelled once
looks_unpaired: advice on rows that do not | advice on rows that agree
loose_order: aso, tau 0.5 | aso
many_dropped: an item missing, drop | an item missing, zero
many_empty: outputs half empty | outputs half empty where the references are
max_t_in_clusters: max-t, 3 clusters of 10 and 9 of 5 | max-t, 36 clusters of 5
not_exact: right or wrong | right or wrong, exact
exact_disagrees: four right of 40 | right or wrong
misaligned: outputs a line late | bleu
missing_as_empty: a table of an answer that is null | a table
missing_as_zero: an item missing, zero | an item missing, drop
missing_ratings: ratings, one missing | ratings
missing_winners: votes, a winner missing | votes
mixed_scale: shares and per cent | right or wrong
multeval_as_coded: 3 runs, multeval as coded | 3 runs, multeval
multeval_pseudo_replication: 3 runs, multeval | 3 runs
n_too_small: one item | four items
n_too_small: beliefs of one | beliefs of 8, bootstrap
never_gold: yes and no for 1 and 0 | yes and no
no_command: training sets alone | trainings
no_disagreement: agreement everywhere | 90 units
no_joint_level: a board by bh | a board of 60 items
no_overlap: brunner-munzel, runs apart | brunner-munzel
no_p: calibration of copies | calibration
no_pair_with_runs: runs of one system | runs of two
noisy_items: 3 noisy runs, multibootstrap | 3 runs, multibootstrap
not_a_test_of_the_mean: 60 items, sign | 60 items
not_exchanged: an audit of 3 and 2 runs | an audit of 20 rounds
not_recorded: interrupted look | interrupted
not_redrawn: an audit of rankings | an audit of 20 rounds
notation_not_written: a table of trees | a table
numbers_as_labels: f1 of numbers | f1
numbers_as_labels: 90 units of 1 to 3 | 90 units
one_number_each: 6 data sets of one number | 6 data sets
one_run_only: 1 and 3 runs | 3 and 6 runs
one_side_only: beliefs, all better | beliefs, bootstrap
one_tier: a board of near systems | a board of systems apart
others_unstable: a board of 6 near systems | a board of systems apart
order_of_equals: aso | brunner-munzel
outputs_left_out: a table of some outputs | a table
outputs_missing: trainings to be started elsewhere | trainings
p_and_interval: four right of 40, exact | four right of 40
paired_data: welch on shared items | welch of runs
paired_data: beliefs of right or wrong | beliefs
pairwise_by_holm: items missing, pairwise | items missing, drop
pairwise_items: items missing, pairwise | items missing, drop
pairwise_without_details: items missing, pairwise with details | items missing, pairwise
partly_labelled: a judge of runs, one label missing | a judge of runs
pilot_gain: a plan by a pilot of 60 | a plan by a pilot of 120
pilot_of_few_runs: a plan of 3 runs | a plan of 5 runs
pilot_too_far: a plan by a pilot far off | a plan by a pilot of 120
pool: calibration | gains of 6
pooled_runs: 3 and 4 runs, pooled | 3 and 4 runs, welch
posterior_is_no_p: beliefs | 60 items
posterior_of_signs: beliefs, sign | beliefs
power_not_reached: a plan by a pilot of 60 | a plan by a pilot of 120
procedures_mixed: a look by another correction | a look by alpha-spending
rare_classes: f1, a rare class | f1
rare_differences: 10 items, bootstrap | 100 items, bootstrap
rare_labels: a dominant label | 90 units
rated_items_differ: ratings of other items | ratings
raters_without_spread: ratings, a rater says one thing | ratings, standardized
quotes_taken: a table quoted in TSV | a table of raw quotes in TSV
references_not_read: scores beside references | 60 items
references_replaced: references carried and given | references carried
resamples_undefined: 12 units, resampled | 10 units
rows_made: a list of numbers in JSON | a key of numbers
runs_alike: two runs in files alike | two runs in files
runs_as_systems: systems named like runs | runs alone, each a system
runs_by_holm: a board of 3 runs | a board of 60 items
runs_fixed: 3 runs, bootstrap | 3 runs
runs_fixed: beliefs of 3 runs | beliefs
runs_modelled: an audit of 3 and 2 runs | an audit of 20 rounds
saddlepoint: a large gain | 60 items
samples_as_items: items and samples joined | no sample is absent
samples_unequal: a sample is absent | no sample is absent
scores_by_other_names: numbers of other names | one number called goodness
seed_as_run: a column seed | a column run
several_golds: a gold and a label | a gold alone
single_ratings: units labelled once | 90 units
single_run: 60 items | 3 runs
skewed: two large differences | 60 items
skewed: beliefs, two large differences | beliefs, correlated t
skewed_samples: welch of skewed runs | welch of runs
small_domains: domains, one small | domains
small_expected_counts: chi2 of 12 | chi2 of 80
small_pilot: a plan by a pilot of 60 | a plan by a pilot of 120
small_samples: bootstrap of 6 runs | bootstrap of 40 runs
small_buckets: a bucket of 4 | strata of 30
small_strata: strata of 5 | strata of 30
steady_gain: a sequence of steady gains | a sequence
studentized_undefined: studentized of one right | percentile
superiority_of_few_runs: prob-better of 6 | prob-better of 24
system_without_scores: a system without scores | systems with scores
test_ignores_clusters: clusters that a test ignores | 9 clusters
test_ignores_strata: strata that a test ignores | strata of 30
test_refused: runs of two by mcnemar | runs of two
test_set_cut: a look at fewer items | a first look
test_set_fixed: 3 runs, tests of runs | 3 runs
test_set_history: a first look | 60 items
test_set_unknown: a look at unnamed items | a first look
tokenized_texts: bleu of tokenized texts | bleu of texts
no_blanks: bleu of Japanese | bleu of texts
total_as_item: words, the last one total | words, the last one totem
training_failed: trainings that fail | trainings
trainings_failed: five trainings that fail | trainings that fail
unanswered: a plan of two items | a plan by a pilot of 120
unanswered: an audit of three items | an audit of 20 rounds
undefined_groups: humans tie items | 5 systems and humans
under_200_items: 100 items, bootstrap | 250 items, bootstrap
under_30_labels: a judge, 20 labels | a judge, 100 labels
unequal_clusters: 2 clusters of 60 and 40 of 2 | 40 clusters of 5
unequal_runs: 3 and 4 runs, welch | 3 runs
unequal_spread: anova of other spreads | anova
unequal_spread: student of skewed runs | welch of skewed runs
unequal_spreads: permutation of other spreads | permutation of runs
unknown_agreement: a plan by accuracies | a plan by accuracies and agreement
wald_interval: wald of 20 right of 21 | wilson of 20 right of 21
whole_systems_exchanged: a corpus metric and humans | 5 systems and humans
whole_test_set: a sequence of 600 | a sequence
within_margin: 400 items, margin 1 | 400 items, margin 0.1
without_gold: f1, one label empty | f1
without_references: items without references | items with references
zero_variance: all better by one | 60 items
zero_variance: constant beliefs | beliefs, bootstrap
"""
"""A code, or how it begins where a reason follows; the data that raise it; their neighbours on which it is silent."""

OF_READERS = {
    "counted_as_unresolved": ("swe_bench", "swe-bench"),
    "documents_as_clusters": ("conll", "conll"),
    "documents_not_used": ("conll", "conll"),
    "evalb_skipped": ("trees", "evalb"),
    "log_incomplete": ("inspect_log", "inspect"),
    "metric_left_out": ("lm_eval", "lm-eval"),
    "no_links": ("pharaoh", "naacl"),
    "no_parse": ("trees", "trees"),
    "perturbed_left_out": ("helm", "helm"),
    "resegmented": ("conllu", "conllu"),
    "runs_made_otherwise": ("inspect_log", "inspect"),
    "samples_failed": ("inspect_log", "inspect"),
    "score_left_out": ("inspect_log", "inspect"),
    "sentence_scores": ("mt_scores", "comet"),
    "split_left_out": ("helm", "helm"),
    "task_unknown": ("lm_eval", "lm-eval"),
    "tasks_joined": ("inspect_log", "inspect"),
    "tests_differ": ("lm_eval", "lm-eval"),
    "texts_left_out": ("lm_eval", "lm-eval"),
    "tokens_differ": ("conll", "conll"),
    "utterance_ids": ("transcripts", "lines"),
}
"""Notes on files of one format: the tests of readers that raise it, and the format whose example is silent."""
ELSEWHERE = {
    "matched_by_order": "tests/verbs/test_recheck_api.py",
    "tasks_as_items": "tests/data/readers/test_mteb.py",
}
"""Notes whose data are too long for this place: both are there."""
REASONS = {"needs_", "refused_"}
"""Codes of what speaks against a test, of which advice shows the text alone."""

ROWS = [(code, *data.split(" | ")) for code, data in (row.split(": ") for row in CASES.strip().splitlines())]


@pytest.fixture(scope="module")
def raised(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], set[str]]]:
    """The codes that data raise, by their name."""
    known: dict[str, set[str]] = {}

    def of(name: str) -> set[str]:
        if name not in known:
            known[name] = {note.code for note in CALLS[name]()}
        return known[name]

    with contextlib.chdir(tmp_path_factory.mktemp("noted")):
        yield of


def holds(codes: set[str], code: str) -> bool:
    """Whether a code, or one that begins so, is among others."""
    return any(one.startswith(code) for one in codes) if code.endswith("_") else code in codes


@pytest.mark.parametrize(("code", "raising", "silent"), ROWS, ids=[f"{row[0]}: {row[1]}" for row in ROWS])
def test_a_note_is_raised_and_is_silent(
    code: str, raising: str, silent: str, raised: Callable[[str], set[str]]
) -> None:
    assert holds(raised(raising), code)
    assert not holds(raised(silent), code)


@pytest.mark.parametrize("code", OF_READERS)
def test_a_note_of_a_reader_is_raised_by_its_tests_and_not_by_an_example(code: str) -> None:
    tests, reader = OF_READERS[code]
    text = (ROOT / "tests" / "data" / "readers" / f"test_{tests}.py").read_text(encoding="utf-8")
    assert f'"{code}"' in text
    raw = readers.find(reader).example.encode()
    content = readers.make(reader).read(*source_and_context("example", raw, "system"))
    assert content.runs
    assert code not in {note.code for run in content.runs for note in run.notes}


def test_what_speaks_against_a_test_is_said_of_it_alone() -> None:
    found = outscore.advise({"a": [1.0, 2.0, 4.0] * 20, "b": [2.0, 1.0, 3.0] * 20})
    said = {test: avoid.reason for avoid in found.avoid for test in avoid.tests}
    assert said["z"] == "it needs sigma, known beforehand and not from these data"
    assert said["crossed"] == "crossed needs at least two runs of each system, but there are 1 and 1"
    assert not {"t", "randomization"} & set(said)


def codes_in_source() -> dict[str, str]:
    """Every code that the source gives a note, with the place; of one that is put together, how it begins."""
    found: dict[str, str] = {}
    for file in sorted(SOURCE.rglob("*.py")):
        tree = syntax_of(file)
        names = {
            target.id: node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in nodes_of(file):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Note":
                where = f"{file.relative_to(SOURCE).as_posix()}:{node.lineno}"
                value = next((keyword.value for keyword in node.keywords if keyword.arg == "code"), None)
                if isinstance(value, ast.JoinedStr):
                    value = value.values[0]
                if isinstance(value, ast.Attribute):
                    continue  # of another note, with another text
                code = names.get(value.id) if isinstance(value, ast.Name) else getattr(value, "value", None)
                assert isinstance(code, str) and code, f"{where}: which code?"
                found.setdefault(code, where)
    return found


def test_every_note_of_the_source_has_its_data() -> None:
    source = codes_in_source()
    assert len(source) > 150
    known = {row[0] for row in ROWS} | set(OF_READERS) | set(ELSEWHERE) | REASONS
    lacking = {code: where for code, where in source.items() if code not in known}
    assert not lacking, f"give data that raise them, and data that do not: {lacking}"
    assert not known - set(source), "no such note any more"
    for code, file in ELSEWHERE.items():
        text = (ROOT / file).read_text(encoding="utf-8")
        assert f'"{code}" not in' in text and text.count(f'"{code}"') > 1


def test_all_data_are_used() -> None:
    assert set(CALLS) == {name for row in ROWS for name in row[1:]}


def test_every_note_of_a_reader_is_a_reading() -> None:
    """A new reader's note belongs into the list, and what is in the list is a note."""
    of_readers, of_all = set[str](), set[str]()
    for file in SOURCE.rglob("*.py"):
        nodes = nodes_of(file)
        if file.name != "readings.py":
            of_all |= {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
        if "data" in file.relative_to(SOURCE).parts and file.name != "write.py":
            codes = [node.value for node in nodes if isinstance(node, ast.keyword) and node.arg == "code"]
            of_readers |= {str(code.value) for code in codes if isinstance(code, ast.Constant)}
    assert len(of_readers) > 30
    assert not of_readers - READINGS
    assert not READINGS - of_all
