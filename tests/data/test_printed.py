"""What sacrebleu and MultEval print is read; what neither printed is refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from outscore.base.errors import InputError
from outscore.data.printed import read_printed
from outscore.data.printed.records import PrintedFile
from tests.cli.commandline import BASE, NEW, REFERENCES, written
from tests.cli.printed import sacrebleu

MULTEVAL = """\
Loading metric: bleu
n=3            BLEU (s_sel/s_opt/p)   Length (s_sel/s_opt/p)
baseline       18.5 (0.3/0.1/-)       107.5 (0.4/0.1/-)
system 1       18.8 (0.3/0.3/0.00)    107.7 (0.3/0.7/0.09)
"""
LATEX = r"""
\bf Metric & \bf System & \bf Avg & \bf $\overline{s}_{\text{sel}}$ & \bf $s_{\text{Test}}$ & \bf $p$-value \\
\hline
\multirow{2}{*}{BLEU $\uparrow$}
& baseline & 18.5 & 0.3 & 0.1 & - \\
& my\_system & 18.8 & 0.3 & 0.3 & 0.00 \\
\hline
"""
LOG = """\
RESULT: baseline: BLEU: AVG: 18.526808
RESULT: system 1: BLEU: P_VALUE: 0.000200
"""


def read(folder: Path, text: str) -> PrintedFile:
    file = folder / "printed"
    file.write_text(text, encoding="utf-8")
    return read_printed(str(file))


def said(printed: PrintedFile) -> list[tuple[str, str, dict[str, str]]]:
    return [(r.system, r.metric, {k: n.text for k, n in r.numbers.items()}) for r in printed.rows]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("texts")
    named = (("ref.txt", REFERENCES), ("the base_1.txt", BASE), ("new.txt", NEW))
    return [written(folder / name, lines) for name, lines in named]


@pytest.mark.parametrize("kind", ["--paired-bs", pytest.param("--paired-ar", marks=pytest.mark.slow)])
def test_every_layout_of_a_paired_test_says_the_same(kind: str, files: list[Path], tmp_path: Path) -> None:
    reference, *systems = files
    found = {
        layout: read_printed(
            str(
                sacrebleu(tmp_path / layout, [reference], systems, kind, f"{kind}-n", "200", "-m", "bleu", "-f", layout)
            )
        )
        for layout in ("json", "text", "latex")
    }
    whole = found["json"]
    for printed in found.values():
        assert printed.procedure == ("bootstrap" if kind == "--paired-bs" else "randomization")
        assert printed.systems == tuple(map(str, systems))
        for row, full in zip(printed.rows, whole.rows, strict=True):
            assert row.numbers.keys() == full.numbers.keys()
            assert all(number.is_of(full.numbers[what].value) for what, number in row.numbers.items())
    assert (found["text"].n_resamples, found["text"].seed) == (200, "12345")
    assert (whole.n_resamples, whole.seed) == (None, None)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(("-f", "text"), marks=pytest.mark.slow),
        ("-f", "text", "-sh"),
        pytest.param(("-f", "json"), marks=pytest.mark.slow),
    ],
)
def test_scores_of_one_system_are_read_with_their_signatures(
    options: tuple[str, ...], files: list[Path], tmp_path: Path
) -> None:
    asked = ("-m", "bleu", "chrf", "ter", "--chrf-word-order", "2", "-ci", "-w", "3", *options)
    printed = read_printed(str(sacrebleu(tmp_path / "one", files[:1], files[1:2], *asked)))
    assert printed.procedure == "interval"
    assert printed.metrics == ("BLEU", "chrF2++", "TER")
    assert printed.signatures["BLEU"]["tok"] == "13a"
    assert all(number.decimals == 3 for row in printed.rows for number in row.numbers.values() if "json" not in options)
    assert {*printed.rows[0].numbers} == {"score", "mean", "half_width"}


def test_multevals_table_latex_and_log(tmp_path: Path) -> None:
    table = read(tmp_path, MULTEVAL)
    assert said(table)[0] == ("baseline", "BLEU", {"score": "18.5", "s_sel": "0.3", "s_opt": "0.1"})
    assert said(table)[3] == ("system 1", "Length", {"score": "107.7", "s_sel": "0.3", "s_opt": "0.7", "p": "0.09"})
    assert read(tmp_path, LATEX).systems == ("baseline", "my_system")
    log = read(tmp_path, LOG + MULTEVAL)
    numbers = {(r.system, r.metric): r.numbers for r in log.rows}
    assert numbers["baseline", "BLEU"]["score"].value == 18.526808
    assert numbers["system 1", "BLEU"]["p"].decimals == 6
    assert numbers["system 1", "Length"]["p"].text == "0.09"


def test_one_run_and_other_countries_numbers(tmp_path: Path) -> None:
    text = "n=1            BLEU (s_sel/s_opt/p)\nbaseline       19,7 (0,6/*/-)\nsystem 1       20,1 (0,6/*/0,03)\n"
    printed = read(tmp_path, text)
    assert printed.rows[1].numbers["p"].value == 0.03
    assert "s_opt" not in printed.rows[0].numbers


def test_a_number_is_that_of_values_that_round_to_it(tmp_path: Path) -> None:
    number = read(tmp_path, MULTEVAL).rows[0].numbers["score"]
    assert number.is_of(18.5499)
    assert number.is_of(18.45)
    assert not number.is_of(18.56)
    assert number.is_of(18.56, slack=0.02)


@pytest.mark.parametrize(
    "text",
    [
        "no scores here\n",
        "[]",
        '{"a": 1}',
        "[1, 2]",
        "{",
        "[" * 100_000,
        '[{"system": "x", "BLEU": {"score": "many"}}]',
        '[{"system": "x", "BLEU": {"score": NaN}}]',
        '[{"system": "x"}]',
        '[{"name": "BLEU", "score": [1]}]',
        '[{"system": "a", "BLEU": "1.0"}, {"system": "a", "BLEU": "1.0"}]',
        "│ System │ BLEU │\n╞═══\n│ a │ x │\n╘═══",
        "n=3   BLEU (s_sel/s_opt/p)   TER (s_sel/s_opt/p)\nbaseline  18.5 (0.3/0.1/-)\n",
        "n=3   BLEU (s_sel/s_opt/p)\n",
        "\\overline{s}_{\\text{sel}}\n\\multirow{2}{*}{BLEU $\\uparrow$}\n& a & 1.0 \\\\\n",
    ],
)
def test_what_neither_printed_is_refused_in_a_line(text: str, tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, text)
    assert "printed: " in str(caught.value) or "printed:" in str(caught.value)
    assert caught.value.remedy
    assert len(str(caught.value)) < 400
