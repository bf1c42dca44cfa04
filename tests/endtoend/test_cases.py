"""Every command of ``docs/cases.md`` on the real data, and what the page says of it."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.commandline import outscore
from tests.docs.manual import ROOT, UPDATE, words_of

pytestmark = pytest.mark.data

PAGE = ROOT / "docs" / "cases.md"
Found = dict[str, Any]


def commands() -> dict[str, str]:
    """The commands of the page by the words before them."""
    rows = re.findall(r"^\| ([^|]+?) \| `(outscore [^`]+)` \|", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(rows)


def p_values(found: Found) -> list[float]:
    return [pair["p_value"] for pair in found["pairs"]]


def adjusted(found: Found) -> list[float]:
    return [pair["p_adjusted"] for pair in found["pairs"]]


def margin(found: Found) -> None:
    assert p_values(found) == [pytest.approx(0.0431, abs=0.0005), pytest.approx(0, abs=0.001)]
    assert [pair["verdict"] for pair in found["pairs"]] == ["inconclusive", "better"]
    assert found["pairs"][0]["equivalence"]["p_equivalent"] > 0.05


def together(found: Found) -> None:
    assert sum(p <= 0.05 for p in adjusted(found)) == 2
    assert [pair["ci"][1] < 0 for pair in found["pairs"]] == [p <= 0.05 for p in adjusted(found)]
    assert all("max-t" in pair["ci_method"] for pair in found["pairs"])


def documents(found: Found) -> None:
    assert found["provenance"]["n_clusters"] > 300
    assert [round(score["score"], 1) for score in found["scores"]] == [84.6, 83.9, 82.5]
    assert max(adjusted(found)) <= 0.05


def over_runs(found: Found) -> None:
    (pair,) = found["pairs"]
    assert pair["gain"] == pytest.approx(0.03362, abs=1e-5)
    assert pair["p_value"] == pytest.approx(0.002, abs=0.001)


def larger(found: Found) -> None:
    assert {pair["system"] for pair in found["pairs"] if pair["p_adjusted"] > 0.05} == {"C51"}
    assert len(found["pairs"]) == 5
    assert "order_of_equals" in {note["code"] for note in found["notes"]}


def sizes(found: Found) -> None:
    (overall,) = found["overall"]
    assert overall["p_value"] < 1e-6
    assert overall["n_systems"] == 4
    assert all(0 < pair["p_adjusted"] <= 1 for pair in found["pairs"])


def trials(found: Found) -> None:
    (overall,) = found["overall"]
    assert overall["statistic"] == pytest.approx(0.273, abs=0.0005)
    assert overall["p_value"] > 0.5


def taggers(found: Found) -> None:
    (pair,) = found["pairs"]
    assert pair["effect"]["n_system"] == pair["effect"]["n_baseline"] == 8
    assert pair["gain"] > 0.04


def chances(found: Found) -> None:
    (pair,) = found["posteriors"]
    assert pair["better"] == pytest.approx(0.96, abs=0.005)
    assert pair["better"] + pair["within"] + pair["worse"] == pytest.approx(1)


def folds(found: Found) -> None:
    for pair in found["posteriors"]:
        assert pair["better"] == pytest.approx(0.982, abs=0.001)


def stopping(found: Found) -> None:
    (sequence,) = found["sequences"]
    assert sequence["analyses"][-1]["n"] == 1319
    assert sequence["analyses"][-1]["decision"] in ("better", "undecided")


def segments_for_bleu(found: Found) -> None:
    assert found["items_needed"] == pytest.approx(7870, abs=500)
    assert found["pilot_items"] == 1984
    assert found["points"][1]["power"] == pytest.approx(0.3, abs=0.05)


def runs_or_items(found: Found) -> None:
    powers = {(design["runs"], design["items"]): design["power"] for design in found["designs"]}
    assert powers[15, 4000] == max(powers.values()) == pytest.approx(0.959, abs=0.001)
    assert powers[5, 12000] == pytest.approx(0.522, abs=0.001)


def hallucinations(found: Found) -> None:
    values = {c["coefficient"]: c["value"] for c in found["coefficients"]}
    assert values["krippendorff"] == pytest.approx(0.711457, abs=1e-6)
    assert found["provenance"]["n_clusters"] == 500
    beside = {label["label"]: label["confused_with"] for label in found["labels"]}
    assert beside["extrinsic"] == "extrinsic+intrinsic"


def factuality(found: Found) -> None:
    whole = {c["coefficient"]: c["value"] for c in found["coefficients"] if not c["domain"]}
    assert whole["krippendorff"] == pytest.approx(0.773606, abs=1e-6)
    assert whole["gwet"] == pytest.approx(0.9477, abs=0.0001)
    differences = [c["gain_ci"] for c in found["coefficients"] if c["against"]]
    assert len(differences) == 6
    assert all(low < 0 < high for low, high in differences)


def values_of(found: Found, level: str, coefficient: str) -> dict[str, float]:
    chosen = [c for c in found["correlations"] if (c["level"], c["coefficient"]) == (level, coefficient)]
    return {c["metric"]: round(c["value"], 3) for c in chosen}


def relevance(found: Found) -> None:
    assert values_of(found, "system", "pearson")["rouge:type=rougeL"] == 0.708
    assert values_of(found, "segment-by-item", "pearson")["rouge:type=rougeL"] == 0.243
    assert [round(end, 2) for end in found["correlations"][0]["ci"]] == [0.23, 0.92]
    assert all(gain["p_adjusted"] > 0.05 for gain in found["pairs"])


def faithfulness(found: Found) -> None:
    expected = {"Entailment": 0.431, "BERTScore": 0.19, "RL": 0.162, "R1": 0.197}
    assert values_of(found, "segment", "spearman") == expected
    assert max(gain["p_adjusted"] for gain in found["pairs"] if gain["metric"] == "Entailment") <= 0.05


def crowd(found: Found) -> None:
    means = {score["system"]: round(score["score"], 3) for score in found["scores"]}
    assert means["Lan-Bridge"] == max(means.values()) == 0.004
    assert means["PROMT"] == min(means.values()) == -0.127


def advice(found: Found) -> None:
    (use,) = found["use"]
    assert use["test"] == "t"
    assert "clusters" in use["reason"]


def tallies(found: Found, null: str, test: str) -> Found:
    (check,) = (c for c in found["checks"] if c["kind"] == null and c["test"].startswith(test))
    return dict(check)


def never_too_often(found: Found) -> None:
    assert found["checks"]
    for check in found["checks"]:
        assert check["verdict"] != "too often", check


def runs_for_items(found: Found) -> None:
    for test in ("runs", "multeval"):
        assert tallies(found, "new_runs_and_items", test)["verdict"] == "too often"
    assert tallies(found, "new_runs_and_items", "crossed")["verdict"] != "too often"


def few_games_decide(found: Found) -> None:
    for test in ("crossed", "runs"):
        assert tallies(found, "new_runs_and_items", test)["verdict"] == "too often"


def treebanks(found: Found) -> None:
    (claim,) = found["replicated"]
    assert claim["n_sets"] == 38
    assert claim["count"] == 28


def embeddings(found: Found) -> None:
    (ranking,) = found["rankings"]
    assert ranking["statistic"] == pytest.approx(1399.2, abs=0.05)


CHECKS: dict[str, Callable[[Found], None]] = {
    "Right or wrong, with a margin: may the small model be replaced?": margin,
    "Preferences, intervals that hold together": together,
    "Sentences of one document": documents,
    "New runs and new items": over_runs,
    "Are the runs of one agent almost always higher?": larger,
    "Do runs differ at all, among several systems?": sizes,
    "Do the trials of one agent differ?": trials,
    "Independent samples of runs": taggers,
    "What are the chances that it is better by a point?": chances,
    "Cross-validation, whose folds share training data": folds,
    "After how many questions could one have stopped?": stopping,
    "How many segments show half a point of BLEU?": segments_for_bleu,
    "Runs or items for a budget?": runs_or_items,
    "Do three annotators agree on hallucinations, where columns are slots?": hallucinations,
    "Do they agree less on one system's summaries, with labels that stand for missing ones?": factuality,
    "On how many of 38 treebanks does a parser win?": treebanks,
    "Do 76 embedding models differ over 23 sets?": embeddings,
    "Fig-QA, in pairs of questions": advice,
    "GSM8K": never_too_often,
    "AlpacaEval": never_too_often,
    "tau-bench": never_too_often,
    "CoNLL-18": never_too_often,
    "MTEB": runs_for_items,
    "Atari": few_games_decide,
    "Which metric finds the relevant summary?": relevance,
    "Which metric sees unfaithful summaries?": faithfulness,
    "What did the crowd of WMT22 say?": crowd,
}


def test_every_command_of_the_page_is_checked() -> None:
    assert set(commands()) == set(CHECKS)


@pytest.mark.slow
@pytest.mark.parametrize("case", CHECKS)
def test_the_case_comes_out_as_the_page_says(
    case: str, data_root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = shlex.split(commands()[case].replace("DATA/", f"{(data_root / 'data').resolve()}/"))
    monkeypatch.chdir(tmp_path)
    done = outscore(*words[1:], "-f", "json", "-q")
    assert done.code == 0, done.err
    CHECKS[case](json.loads(done.out))
    for drawn in tmp_path.glob("*.svg"):
        shown = PAGE.parent / "pictures" / drawn.name
        if UPDATE:
            shutil.copyfile(drawn, shown)
        assert words_of(drawn) == words_of(shown), f"{drawn.name} is not what its command draws now"
