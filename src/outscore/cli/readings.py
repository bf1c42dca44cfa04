"""Notes on how files were read, said on stderr where the format of the result has no room for notes."""

from __future__ import annotations

from collections.abc import Iterable

import click

from outscore.base.notes import Note

READINGS = frozenset(
    (
        *("column_as_score", "column_as_sample", "column_left_out", "columns_describe", "columns_left_out"),
        *("counted_as_unresolved", "direction_assumed", "documents_as_clusters", "documents_not_used", "dropped_items"),
        *("empty_gold", "empty_outputs", "folds_overlap", "evalb_skipped", "gold_file", "index_by_position"),
        *(
            "items_by_row_order",
            "keys_not_read",
            "label_left_out",
            "langfuse_scores",
            "left_out_by_metric",
            "log_incomplete",
        ),
        *("metric_left_out", "missing_as_zero", "mixed_scale", "no_links", "no_parse", "numbers_as_labels"),
        *("perturbed_left_out", "references_not_read", "references_replaced", "resegmented", "runs_alike"),
        *("runs_made_otherwise", "samples_failed", "score_left_out", "scores_by_other_names", "seed_as_run"),
        *("sentence_scores", "several_golds", "split_left_out", "system_without_scores", "tasks_joined"),
        *("texts_left_out", "total_as_item", "utterance_ids", "without_gold", "without_references"),
        *("grades_as_scores", "judged_both_ways", "labels_joined", "labels_like_numbers", "missing_as_empty"),
        *("missing_winners", "never_gold", "outputs_left_out", "task_unknown", "tokens_differ"),
    )
)
"""Codes of notes that say what a file was taken for, or what of it was not read: with another reading the numbers would
be others."""


def print_notes(notes: Iterable[Note]) -> None:
    """Prints notes on stderr, a line each."""
    from outscore.report.text import clean

    for note in notes:
        click.echo(clean("; ".join(filter(None, (f"note: {note.text}", note.remedy)))), err=True)
