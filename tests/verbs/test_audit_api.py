"""Audits: what they hold, what they say of it, and what they refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import outscore
from outscore.base.errors import UsageError
from outscore.engine.runtime import Runtime
from outscore.results.audit import Audit
from outscore.results.result import Result
from outscore.verbs.audit.run import _notes_of

RNG = np.random.default_rng(1)
PLAIN = {"base": RNG.normal(0, 1, 60), "new": RNG.normal(0.2, 1, 60)}
CLUSTERED = {s: RNG.normal(0, 1, 20).repeat(4) + RNG.normal(0, 0.3, 80) for s in ("base", "new")}
DOCUMENTS = {"document": [f"d{i // 4}" for i in range(80)]}
RUNS = {"base": RNG.normal(0, 1, (3, 40)), "new": RNG.normal(0, 1, (3, 40)) + RNG.normal(0, 1, (3, 1))}


@pytest.fixture(scope="module")
def found() -> Audit:
    return outscore.audit(PLAIN, test="auto,t,bootstrap:form=percentile,sign", rounds=60, n_resamples=99)


def codes(audit: Audit) -> set[str]:
    return {note.code for note in audit.notes}


def test_every_test_once_on_every_kind_of_null_versions(found: Audit) -> None:
    seen = [(check.kind, check.test) for check in found.checks]
    kinds = ("permuted", "centred")
    drawn = "bootstrap:form=percentile,exact=never"
    assert seen == [(kind, test) for kind in kinds for test in ("t", drawn, "sign")]


def test_shares_are_counts_over_rounds_with_their_intervals(found: Audit) -> None:
    for check in found.checks:
        assert check.rounds == 60
        assert check.rejections is not None
        assert check.level == check.rejections / 60
        assert check.level_ci is not None
        assert check.level_ci[0] <= check.level <= check.level_ci[1]
        assert check.coverage is not None
        assert check.coverage_ci is not None
        assert check.coverage_ci[0] <= check.coverage <= check.coverage_ci[1]
    t = found.checks[0]
    assert t.level is not None
    assert t.coverage == pytest.approx(1 - t.level)  # the t interval is the t test turned around
    assert "few_rounds" in codes(found)


def test_it_is_saved_and_drawn_again_in_every_format(found: Audit) -> None:
    again = Result.from_json(found.to_json())
    assert isinstance(again, Audit)
    assert again == found
    for name in ("terminal", "markdown", "latex", "csv", "sentence", "json"):
        assert again.to(name) == found.to(name)
        assert "sign" in found.to(name)
    assert len(found.rows()) == 6
    assert repr(found).startswith("<Audit of t, bootstrap:form=percentile")


def test_ignored_clusters_are_found_out_with_a_remedy() -> None:
    def audited(*, ignore: bool) -> Audit:
        return outscore.audit(
            CLUSTERED, items=DOCUMENTS, cluster="document", ignore_clusters=ignore, test="t", rounds=150
        )

    told, blind = audited(ignore=False), audited(ignore=True)
    assert {check.verdict for check in blind.checks} == {"too often"}
    assert {check.coverage_verdict for check in blind.checks} == {"too low"}
    assert {"level_too_high", "coverage_too_low"} <= codes(blind)
    assert "not told of the clusters" in blind.sentence
    assert "too often" not in {check.verdict for check in told.checks}


def test_a_test_that_holds_is_named_as_the_remedy() -> None:
    found = outscore.audit(RUNS, test="crossed,multeval", rounds=150, n_resamples=99)
    verdicts = {(check.kind, check.test): check.verdict for check in found.checks}
    assert verdicts["new_runs_and_items", "multeval"] == "too often"
    assert verdicts["new_runs_and_items", "crossed"] != "too often"
    note = next(note for note in found.notes if note.code == "level_too_high")
    assert "multeval" in note.text
    assert "--test crossed" in note.remedy
    assert "runs_modelled" in codes(found)


def test_a_test_that_holds_of_some_null_versions_alone_is_no_remedy(found: Audit) -> None:
    verdicts = [("t", "too often"), ("sign", "too often"), ("sign", "holds"), ("wilcoxon", "unclear")]
    checks = [replace(found.checks[0], test=test, verdict=verdict, coverage_verdict=None) for test, verdict in verdicts]
    high, unclear = _notes_of(checks)
    assert high.remedy == "use --test wilcoxon, of which that was not found"
    assert "unclear" in unclear.code or "rounds" in unclear.remedy
    (none,) = _notes_of(checks[:3])
    assert none.remedy == "audit others too: --test NAME,NAME"


def test_what_could_not_be_made_is_said() -> None:
    assert "not_exchanged" in codes(outscore.audit({"a": RUNS["base"], "b": RUNS["new"][:2]}, rounds=5))
    better = outscore.audit({"a": PLAIN["base"], "b": PLAIN["base"] + 1 + PLAIN["new"] ** 2}, test="t", rounds=5)
    assert "gain_left" in codes(better)
    resampled = better.checks[-1]
    assert (resampled.kind, resampled.level, resampled.verdict, resampled.rejections) == ("resampled", None, None, None)
    assert resampled.coverage is not None
    labels = (RNG.random(40) < 0.5).astype(float)
    ranking = {s: RNG.random(40) for s in ("a", "b")}
    gold = list(map(str, labels.astype(int)))
    found = outscore.audit(ranking, references=gold, metrics="auc", rounds=3)
    assert {check.kind for check in found.checks} == {"permuted"}
    assert "not_redrawn" in codes(found)
    written = {name: list(map(str, scores.round(3))) for name, scores in ranking.items()}
    assert "not_redrawn" in codes(outscore.audit(written, references=gold, metrics="auc,token_accuracy", rounds=3))


def test_equal_seeds_give_equal_audits_for_any_number_of_jobs() -> None:
    one, two = (outscore.audit(PLAIN, test="bootstrap", rounds=30, n_resamples=50, seed=0, jobs=j) for j in (1, 2))
    assert one == two
    assert outscore.audit(PLAIN, test="bootstrap", rounds=30, n_resamples=50, seed=1).checks != one.checks


def quick(**options: Any) -> Audit:
    return outscore.audit(PLAIN, **{"test": "bootstrap", "rounds": 30, "n_resamples": 50, "jobs": 1, **options})


@pytest.mark.slow
def test_kept_rounds_serve_an_audit_of_more_rounds_and_no_other(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    quick(resume=tmp_path)
    assert len(list(tmp_path.iterdir())) == 3
    found = quick(rounds=50, resume=tmp_path, progress=lambda *said: told.append(said))
    assert [said for said in told if said[0] == "audit"] == [("audit", done, 5) for done in (3, 4, 5)]
    assert found.to_json() == quick(rounds=50).to_json()
    for other in ({"n_resamples": 60}, {"alpha": 0.1}, {"seed": 1}, {"test": "t"}, {"interval": "percentile"}):
        before = len(list(tmp_path.iterdir()))
        quick(resume=tmp_path, **other)
        assert len(list(tmp_path.iterdir())) == before + 3, other


def stopping_at(cells: int, what: str) -> Callable[[str, int, int], None]:
    def tell(said: str, done: int, of: int) -> None:
        if said == what and done == cells:
            raise KeyboardInterrupt

    return tell


def test_an_interruption_leaves_the_rounds_that_were_done_and_keeps_them(tmp_path: Path) -> None:
    checkpoint = tmp_path / "audit.cells"
    with pytest.raises(outscore.Interrupted) as stop:
        quick(progress=stopping_at(2, "audit"), checkpoint=checkpoint)
    assert str(stop.value) == f"interrupted; go on with --resume {checkpoint}"
    found = stop.value.result
    assert {check.rounds for check in found.checks} == {20}
    assert found.checks == quick(rounds=20).checks
    (note,) = (note for note in found.notes if note.code == "interrupted")
    assert note.text == "interrupted with 2 of 3 cells done: the result holds what these found"
    assert note.remedy == f"go on with --resume {checkpoint}"
    # a kept cell that somebody changed is said where the work that does it again is interrupted, too
    first = min(checkpoint.iterdir())
    first.write_text("{}", encoding="utf-8")
    with pytest.raises(outscore.Interrupted) as stop:
        quick(progress=stopping_at(2, "audit"), resume=checkpoint)
    assert {"interrupted", "cells_redone"} <= {note.code for note in stop.value.result.notes}
    assert quick(resume=checkpoint).to_json() == quick().to_json()
    with pytest.raises(KeyboardInterrupt, match="interrupted with 0 of 3 cells done"):
        quick(progress=stopping_at(0, "audit"))


def test_an_interruption_within_a_round_keeps_no_part_of_its_cell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever else draws answers by what it has drawn; a null version that is judged so would belong to no audit."""
    how: dict[str, Any] = {"test": "bootstrap:exact=never", "rounds": 30, "n_resamples": 3000}
    gather, drawn = Runtime.gather, list[str]()

    def stop(
        self: Runtime, what: str, task: Any, parts: Any, sizes: Any, add: Callable[[Any], object], total: Any = None
    ) -> bool:
        def then(found: Any) -> None:
            add(found)
            if len(drawn) == 50:  # two kinds of versions, ten rounds a cell: in its third one
                raise KeyboardInterrupt

        drawn.append(what)
        return gather(self, what, task, parts, sizes, then, total)

    monkeypatch.setattr(Runtime, "gather", stop)
    with pytest.raises(outscore.Interrupted) as stopped:
        quick(**how, checkpoint=tmp_path / "advise.cells")
    monkeypatch.undo()
    assert len(drawn) == 50
    assert len(list((tmp_path / "advise.cells").iterdir())) == 2
    assert stopped.value.result.checks == quick(**{**how, "rounds": 20}).checks
    assert quick(**how, resume=tmp_path / "advise.cells").to_json() == quick(**how).to_json()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ignore_clusters": True}, "cluster="),
        ({"rounds": 0}, "rounds"),
        ({"test": "mcnemar"}, "mcnemar needs"),
        ({"test": "no-such-test"}, "unknown test"),
        ({"test": ""}, "no test"),
        ({"alpha": 2.0}, "alpha"),
    ],
)
def test_wrong_options_are_one_line(options: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words) as error:
        outscore.audit(PLAIN, **options)  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


def test_intervals_are_said_to_cover_where_all_were_judged(found: Audit) -> None:
    def sentence(*verdicts: str | None) -> str:
        checks = tuple(
            replace(found.checks[0], coverage=None if v is None else 0.95, coverage_verdict=v) for v in verdicts
        )
        return str(replace(found, checks=checks).sentence)

    assert "intervals cover as they should" in sentence("holds", "too high", None)
    assert "cover" not in sentence("holds", "unclear")
    assert "cover" not in sentence(None)


def test_several_tests_that_reject_too_often_are_one_sentence_with_the_worst(found: Audit) -> None:
    plain = found.checks[0]
    checks = [
        replace(plain, test=test, level=level, level_ci=(level - 0.05, level + 0.05), verdict="too often")
        for test, level in (("sign", 0.15), ("t", 0.2))
    ]
    said = replace(found, checks=tuple(checks)).sentence
    assert said.startswith(
        "Sign test and paired t reject too often: in up to 20.0% of null versions (99% CI 15.0% to 25.0%), "
        "where 5% are allowed."
    )
