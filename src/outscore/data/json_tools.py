"""JSON that tools write, each known by the paths that all of its files have, with where the scores stand in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from shlex import quote
from typing import Any

from outscore.base.errors import InputError, join
from outscore.base.lazy import dataclass
from outscore.data.documents import parse_lines
from outscore.data.folders import logs_pattern
from outscore.data.json_paths import JsonLayout, has
from outscore.data.source import open_source


@dataclass(frozen=True, kw_only=True)
class Tool:
    """Files of one tool.

    Attributes:
        name: of the files.
        signs: paths that all of them have: in the whole, or with ``rows`` in the first row of a list or of lines.
        layout: where the scores stand; None where they hold none.
        take: what makes rows of the file where no layout can.
        instead: what to give in its place; ``{logs}`` and ``{samples}`` are patterns of files beside it.
    """

    name: str
    signs: tuple[str, ...]
    rows: bool = False
    layout: JsonLayout | None = None
    take: Callable[[Any, str], list[dict[str, Any]]] | None = None
    instead: str = ""

    def remedy(self, file: str) -> str:
        """The remedy for such a file."""
        folder = str(PurePath(file).parent)
        logs = (logs_pattern(folder) or "LOGS/*.eval") if "{logs}" in self.instead else ""
        samples = quote(str(PurePath(folder, "samples_*.jsonl")))
        return self.instead.replace("{logs}", quote(logs)).replace("{samples}", samples)


def tool_of(value: Any) -> Tool | None:
    """The tool that writes such a file, a list of the lines where it has several."""
    row = value[0] if isinstance(value, list) and value else None
    return next((tool for tool in TOOLS if all(has(row if tool.rows else value, sign) for sign in tool.signs)), None)


def _take_evals(events: Sequence[Any], file: str) -> list[dict[str, Any]]:
    """A log of OpenAI's evals: its matches, or the metrics of its samples."""
    of_samples = [e for e in events if isinstance(e, dict) and "sample_id" in e and isinstance(e.get("data"), dict)]
    matches = [e for e in of_samples if e.get("type") == "match" and "correct" in e["data"]]
    if matches:
        return [{"item": e["sample_id"], "score": int(bool(e["data"]["correct"]))} for e in matches]
    scored = [
        {"item": e["sample_id"]} | {name: one for name, one in e["data"].items() if isinstance(one, int | float)}
        for e in of_samples
        if e.get("type") == "metrics"
    ]
    if any(len(row) > 1 for row in scored):
        return scored
    kinds = join(dict.fromkeys(str(e.get("type")) for e in of_samples))
    raise InputError(
        f"is a log of OpenAI's evals without a score of any sample (its events: {kinds or 'none'})",
        file=file,
        remedy="give the whole log, with a line for each of its events, of an eval that logs matches or metrics",
    )


_SCORE = re.compile(r"(^|(?<=/))score(?=/)|(?<=_)score(?=[^/]*$)")


def _take_evalplus(data: Any, file: str) -> list[dict[str, Any]]:
    """Results of EvalPlus, which counts as right under ``plus`` what passes the tests of the benchmark, too."""
    layout = JsonLayout(rows="eval.*", **_fields(item="@1", sample="@2", base="base_status", plus="plus_status"))
    rows = layout.take(data)
    failed = {(row["item"], row["sample"]) for row in rows if row["metric"] == "base" and row["score"] != "pass"}
    right = [row["score"] == "pass" and (row["item"], row["sample"]) not in failed for row in rows]
    return [row | {"score": row["score"] and int(x)} for row, x in zip(rows, right, strict=True)]


def _take_bfcl(rows: Sequence[Any], file: str) -> list[dict[str, Any]]:
    """The scores of BFCL name the items that failed; all of them are named by the results, in another folder."""
    counts, failed = rows[0], {str(row.get("id")) for row in rows[1:]}
    beside = _SCORE.sub("result", PurePath(file).as_posix())
    if beside == PurePath(file).as_posix() or not Path(beside).is_file():
        raise InputError(
            "holds scores of BFCL, which name only the items that failed",
            file=file,
            remedy=f"put the results, which name all of them, where BFCL writes them ({beside})",
        )
    items = [node.get("id").text() for node in parse_lines(open_source(beside))]
    right = sum(item not in failed for item in items)
    if (len(items), right) != (counts["total_count"], counts["correct_count"]):
        raise InputError(
            f"says {counts['correct_count']} of {counts['total_count']} items are right, but with {beside} "
            f"{right} of {len(items)} are",
            file=file,
            remedy="give scores and results of one evaluation",
        )
    return [{"item": item, "score": int(item not in failed)} for item in items]


def _take_mt_bench(rows: Sequence[Any], file: str) -> list[dict[str, Any]]:
    """Pairwise judgments of MT-bench, two games each in which the answers change places: a tie where they disagree."""
    found = []
    for row in rows:
        games = {row.get("g1_winner"), row.get("g2_winner")}
        if "error" in games:
            continue  # the judge said nothing that can be read
        won = games.pop() if len(games) == 1 else "tie"
        turn, judge = row.get("turn"), row.get("judge")
        found.append(
            {
                "item": f"{row['question_id']}/{turn}" if turn is not None else row["question_id"],
                "question": row["question_id"],
                "system1": row["model_1"],
                "system2": row["model_2"],
                "winner_name": row.get(str(won), "tie"),
                "judge": "/".join(map(str, judge)) if isinstance(judge, list) else str(judge),
            }
        )
    return found


_LOGS = "give its logs, of which each model is a system: {logs}"


def _fields(**fields: str) -> dict[str, Any]:
    return {"fields": fields, "own": False}


_PROMPTFOO: dict[str, Any] = {
    **_fields(system="provider.label+promptIdx|provider.id+promptIdx", item="vars", sample="testIdx", score="score"),
    "columns": "namedScores",
    "void": ("failureReason", 2),
    "order": "promptIdx",
}
TOOLS: tuple[Tool, ...] = (
    Tool(
        name="pairwise judgments of MT-bench, a tie where the two games disagree",
        signs=("g1_winner", "g2_winner", "model_1", "model_2", "question_id"),
        rows=True,
        take=_take_mt_bench,
    ),
    Tool(
        name="promptfoo's output",
        signs=("evalId", "results.results"),
        layout=JsonLayout(rows="results.results", **_PROMPTFOO),
    ),
    Tool(
        name="results of promptfoo",
        signs=("promptIdx", "testIdx", "provider"),
        rows=True,
        layout=JsonLayout(**_PROMPTFOO),
    ),
    Tool(
        name="deepeval's result",
        signs=("test_results.0.metrics_data",),
        layout=JsonLayout(rows="test_results", columns="metrics_data", **_fields(item="name")),
    ),
    Tool(
        name="a test run of deepeval",
        signs=("testCases.0.metricsData", "metricsScores"),
        layout=JsonLayout(rows="testCases", columns="metricsData", **_fields(item="name")),
    ),
    Tool(
        name="the latest test run of deepeval",
        signs=("testRunData.testCases",),
        layout=JsonLayout(rows="testRunData.testCases", columns="metricsData", **_fields(item="name")),
    ),
    Tool(
        name="the averages of the lm-evaluation-harness",
        signs=("results", "configs", "versions", "n-shot"),
        instead="give the samples beside it, which --log_samples writes: NAME={samples}",
    ),
    Tool(
        name="the averages of lighteval",
        signs=("config_general", "results"),
        instead="give the details beside it, which --save-details writes: NAME='details/*.parquet'",
    ),
    Tool(name="the list of an eval set of Inspect", signs=("eval_set_id", "tasks"), instead=_LOGS),
    Tool(name="the list of a folder of Inspect's logs", signs=("*.eval", "*.status", "*.version"), instead=_LOGS),
    Tool(
        name="results of tau-bench",
        signs=("simulations.0.reward_info", "tasks"),
        layout=JsonLayout(rows="simulations", **_fields(item="task_id", sample="trial", score="reward_info.reward")),
    ),
    Tool(name="a log of OpenAI's evals", signs=("spec.completion_fns",), rows=True, take=_take_evals),
    Tool(
        name="results of a grader of OpenAI",
        signs=("item", "sample", "grades"),
        rows=True,
        layout=JsonLayout(columns="grades", **_fields(item="item.id|item")),
    ),
    Tool(
        name="results of simple-evals",
        signs=("metadata.example_level_metadata", "convos"),
        layout=JsonLayout(rows="metadata.example_level_metadata", fields={"item": "@1", "score": "score"}),
    ),
    Tool(
        name="the averages of simple-evals",
        signs=("score", "metrics", "convos"),
        instead="its metadata holds no example_level_metadata: log the score of each example there",
    ),
    Tool(
        name="an experiment of Braintrust",
        signs=("id", "input", "scores", "experiment_id"),
        rows=True,
        layout=JsonLayout(columns="scores", skip=("is_root", False), **_fields(item="input")),
    ),
    Tool(name="scores of BFCL", signs=("0.accuracy", "0.correct_count", "0.total_count", "1.valid"), take=_take_bfcl),
    Tool(
        name="results of EvalPlus",
        signs=("eval.*.0.base_status", "eval.*.0.task_id"),
        take=_take_evalplus,
    ),
    Tool(
        name="results of the BigCode harness",
        signs=("*.0.1.passed",),
        layout=JsonLayout(rows="*.*.1", **_fields(item="@1", sample="@2", score="passed")),
    ),
    Tool(
        name="the lists of a leaderboard of SWE-bench, which name only what was resolved",
        signs=("resolved", "no_generation", "no_logs"),
        instead="give the report of the run, MODEL.RUN.json, which names every instance",
    ),
    Tool(
        name="results of ZeroEval",
        signs=("session_id", "generator", "correct"),
        rows=True,
        layout=JsonLayout(**_fields(system="generator", item="id", score="correct")),
    ),
    Tool(
        name="results of LiveCodeBench",
        signs=("question_id", "graded_list", "pass@1"),
        rows=True,
        layout=JsonLayout(
            rows="*.graded_list", **_fields(item="^question_id", sample="@2", score="@", domain="^difficulty")
        ),
    ),
    Tool(
        name="results of aider's benchmark",
        signs=("testcase", "tests_outcomes"),
        rows=True,
        layout=JsonLayout(**_fields(system="model", item="testcase", score="tests_outcomes.-1")),
    ),
    Tool(
        name="details of OpenCompass",
        signs=("details.type", "details.0.correct"),
        layout=JsonLayout(rows="details.*.correct", **_fields(item="@1", score="@")),
    ),
    Tool(
        name="reviews of EvalScope",
        signs=("index", "sample_score.score.value"),
        rows=True,
        layout=JsonLayout(columns="sample_score.score.value", **_fields(item="index")),
    ),
    Tool(
        name="details of lighteval",
        signs=("doc.task_name", "metric", "model_response"),
        rows=True,
        layout=JsonLayout(columns="metric", **_fields(item="doc.task_name+doc.id", domain="doc.task_name")),
    ),
    Tool(
        name="details of lighteval",
        signs=("full_prompt", "metrics", "example"),
        rows=True,
        layout=JsonLayout(columns="metrics", **_fields(item="@1")),
    ),
    Tool(
        name="results of ir_measures",
        signs=("query_id", "measure", "value"),
        rows=True,
        layout=JsonLayout(**_fields(item="query_id", metric="measure", score="value")),
    ),
    Tool(
        name="the averages of HELM",
        signs=("name.name", "count", "sum"),
        rows=True,
        instead="give the per_instance_stats.json beside it",
    ),
    Tool(
        name="a table with its schema, as pandas writes it",
        signs=("schema.fields", "data.0"),
        layout=JsonLayout(rows="data"),
    ),
)
"""Those whose files are of other shapes than rows of plain values."""
