"""Notes: warnings as data, which travel with the result and end as footnotes of its table."""

from __future__ import annotations

from typing import Literal

from outscore.base.lazy import dataclass

Rank = Literal["answer", "claim", "record"]

_RANKS: dict[Rank, str] = {
    "answer": "accuracy_by_chance agreement_undefined all_negative "
    "alpha_unattainable bbk_one_sided called_reference cases_differ clusters_ignored constant_samples coverage_too_low "
    "decision_unstable dominant_label family_out_of_reach few_to_exchange "
    "folds_overlap gain_moved interrupted items_as_systems labelled_apart labelled_differ labels_joined "
    "level_out_of_reach level_too_high lines_of_tags log_incomplete looks_missing max_t_in_clusters "
    "looks_unpaired many_dropped misaligned mixed_scale multeval_pseudo_replication "
    "n_too_small never_gold no_blanks no_joint_level no_overlap no_parse not_recorded one_side_only outputs_missing "
    "p_and_interval paired_data pilot_too_far procedures_mixed rare_labels runs_alike "
    "runs_as_items runs_as_systems runs_made_otherwise samples_as_items samples_failed samples_unequal "
    "scores_by_other_names task_unknown test_ignores_clusters test_set_cut tests_differ tokens_differ total_as_item "
    "training_failed trainings_failed unanswered undefined_groups unequal_clusters without_references zero_variance",
    "record": "bca_undefined calibrated_ties cells_redone columns_renamed described empty_outputs found_options "
    "given_order identical_outputs items_by_row_order judge_alone judged_in_groups "
    "label_left_out small_buckets matched_by_order not_exact not_redrawn one_tier others_unstable pairwise_by_holm "
    "pairwise_without_details posterior_is_no_p power_not_reached references_replaced resegmented runs_by_holm "
    "saddlepoint sentence_scores studentized_undefined utterance_ids whole_systems_exchanged within_margin",
}
_RANK_OF = {code: rank for rank, codes in _RANKS.items() for code in codes.split()}

_READINGS = (
    "additive_model apostrophes_taken cases_differ column_as_sample column_as_score column_left_out columns_describe "
    "columns_left_out counted_as_unresolved direction_assumed documents_as_clusters documents_not_used dropped_items "
    "empty_gold empty_outputs evalb_skipped folds_overlap gold_file grades_as_scores index_by_position "
    "items_as_systems items_by_row_order judged_both_ways keys_not_read label_left_out labels_joined "
    "labels_like_numbers langfuse_scores left_out_by_metric lines_of_tags log_incomplete looks_missing many_dropped "
    "metric_left_out missing_as_empty missing_as_zero missing_winners mixed_scale never_gold no_links no_parse "
    "numbers_as_labels "
    "outputs_left_out perturbed_left_out quotes_taken references_not_read references_replaced resegmented rows_made "
    "runs_alike runs_as_systems runs_made_otherwise samples_as_items samples_failed samples_unequal score_left_out "
    "scores_by_other_names seed_as_run sentence_scores several_golds split_left_out system_without_scores "
    "task_unknown tasks_as_items tasks_joined tests_differ texts_left_out tokens_differ total_as_item utterance_ids "
    "without_gold without_references"
)
READINGS = frozenset(_READINGS.split())
"""Codes of notes that say what a file was taken for, or what of it was not read: with another reading the numbers would
be others."""


@dataclass(frozen=True, kw_only=True)
class Note:
    """Something a reader of the result must know.

    Attributes:
        code: short stable name, e.g. ``few_items``; pairs refer to notes by it.
        text: the matter, in one sentence.
        remedy: the way to mend it, or the empty string.
    """

    code: str
    text: str
    remedy: str = ""

    @property
    def rank(self) -> Rank:
        """How much it matters: it changes the ``answer``, limits the ``claim``, or is for the ``record``."""
        return "record" if self.code.startswith("auto_") else _RANK_OF.get(self.code, "claim")


INTERRUPTED = Note(
    code="interrupted",
    text="the resampling was interrupted: the result holds the resamples that were done",
    remedy="run it again for all of them",
)

CELLS_REDONE = Note(code="cells_redone", text="not as it was written, so that it was done again")
