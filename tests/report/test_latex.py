"""LaTeX of every kind of result: no advice for the command line in print; TeX compiles it, siunitx or not."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import outscore
from tests.browser.payloads import PAYLOADS
from tests.report.builders import HOSTILE, hostile
from tests.report.kinds import KINDS

ADVICE = re.compile(r"-\{\}-|\boutscore (?:compare|rank|show|power|advise)\b|(?<![\w-])-[a-z]\b(?! )|FILE|NAME=")
OF_COMMANDS = "advised"
"""Kinds of which commands are the very subject."""


def printed(text: str) -> str:
    """All but comments."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("%"))


@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.startswith(OF_COMMANDS)])
@pytest.mark.parametrize("detail", ["brief", "full"])
def test_nothing_printed_is_advice_for_the_command_line(kind: str, detail: str) -> None:
    text = printed(KINDS[kind]().to(f"latex:detail={detail}"))
    assert not [line for line in text.splitlines() if ADVICE.search(line)]


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_one_table(kind: str) -> None:
    captions = re.findall(r"\\caption\{(.*)\}\\label", KINDS[kind]().to_latex())
    assert len(captions) <= 1 or all(caption.endswith("(continued)") for caption in captions[1:])


@pytest.mark.parametrize(("metrics", "wide"), [(("bleu", "chrf"), True), (("bleu", "chrf", "ter"), False)])
def test_metrics_stand_side_by_side_where_both_columns_of_a_paper_have_room(
    metrics: tuple[str, ...], wide: bool
) -> None:
    texts = {
        name: [f"the cat {i % n} sat on the mat" for i in range(40)] for name, n in (("a", 3), ("b", 5), ("c", 40))
    }
    made = outscore.rank(texts, references=[texts["c"]], metrics=list(metrics), n_resamples=200)
    text = printed(made.to_latex())
    (heads,) = [line for line in text.splitlines() if line.startswith("rank & system")]
    assert ("BLEU $\\uparrow$ & [95\\% CI] & may be & chrF" in heads) is wide
    assert ("\\multicolumn" not in text) is wide
    assert text.count("\n1 & c & ") == (1 if wide else len(metrics))
    assert "Bold: the best score, shown to be best or not." in text
    caption = "Scores, and the ranks that systems may have, with 95\\% confidence intervals"
    assert f"\\caption{{{caption}}}\\label{{tab:rank}}" in text
    several = made.to("latex:detail=full")
    assert "\n% Method: Signature of BLEU: nrefs:1|case:mixed|eff:no|tok:13a" in several
    assert len(set(re.findall(r"\\label\{(.*?)\}", several))) == several.count("\\label") > 1
    assert "Bold" not in printed(KINDS["planned_pilot"]().to_latex())


def test_sentences_among_numbers_are_broken_into_lines(tmp_path: Path) -> None:
    (tmp_path / "means.csv").write_text("system,mean,n\nbase,0.829,1319\nours,0.842,1319\n", encoding="utf-8")
    text = printed(outscore.study("printed", means=str(tmp_path / "means.csv")).to_latex())
    (line,) = [line for line in text.splitlines() if "disagree on at most" in line]
    assert r"\parbox[t]{0.3\linewidth}{\raggedright if they disagree" in line
    assert "p of ours, unpaired & .37 & " in text


def test_papers_say_nothing_of_an_option_without_effect() -> None:
    scores = {"a": [1, 0, 0, 1, 1, 0] * 20, "b": [1, 1, 0, 1, 0, 1] * 20}
    made = outscore.compare(scores, n_resamples=500, items={"document": [f"d{i // 12}" for i in range(120)]})
    assert "whatever -n/--resamples is" in str(made).replace("\n", " ")
    for text in (made.to_latex(), made.sentence):
        assert "resampled" not in text
        assert "120 items" in text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX")
@pytest.mark.parametrize("siunitx", ["", r"\usepackage{siunitx}"])
def test_tex_compiles_every_kind(siunitx: str, tmp_path: Path) -> None:
    texts = [KINDS[kind]().to("latex:detail=full") for kind in KINDS]
    texts += [hostile([name for name in HOSTILE if name.isascii()]).to_latex()]
    texts = [text for text in texts if not text.startswith("% needs Lua")]
    parts = [rf"\documentclass{{article}}\usepackage{{booktabs}}{siunitx}\begin{{document}}"]
    parts += [part for text in texts for part in (text, r"\clearpage")]
    (tmp_path / "all.tex").write_text("\n".join([*parts, r"\end{document}"]), encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]


ATTACKS = (
    *(r"\input{secret}", r"\input secret", r"\immediate\write18{touch stolen}", r"\write18{touch stolen}", "$x$", "$$"),
    *("%comment", "#1", "##", "^^5cinput{secret}", "^^M", "^^00", "{", "}", "{{", "}}", r"\end{tabular}", "&", r"\\"),
    *(r"\end{document}", r"\csname input\endcsname{secret}", r"\def\x{\x\x}\x", r"\openout5=stolen \write5{x}"),
    *(r"\catcode`\%=12", "~", "_", r"\verb|", r"\\[1cm]", r"[\input{secret}]", "*", "!", "``", r"\include{secret}"),
    *(r"\special{ps:x}", r"\pdfximage{secret}", "\x00", "\x07", "\\", "^", "^^", "^^^^0041", r"\endinput", "-", "\t"),
    *(r"\begin{filecontents}{stolen}", r"\footnote{x}", r"\loop\iftrue\repeat", "|", "<", ">", "\r\n=1"),
)
"""Names that would read a file, run a program or end the table if TeX took them for commands."""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no TeX")
def test_tex_takes_no_name_for_a_command(tmp_path: Path) -> None:
    (tmp_path / "secret.tex").write_text("never to be read", encoding="utf-8")
    names = [name for name in (*ATTACKS, *PAYLOADS, *HOSTILE) if name.isascii()]
    begin = r"\documentclass{article}\usepackage{booktabs}\begin{document}"
    text = "\n".join([begin, hostile(names).to("latex:detail=full"), r"\end{document}"])
    (tmp_path / "all.tex").write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["pdflatex", "-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "all.tex"],
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout.decode(errors="replace")[-2000:]
    assert "secret.tex" not in (tmp_path / "all.log").read_text(encoding="utf-8", errors="replace")
    assert {file.stem for file in tmp_path.iterdir()} == {"all", "secret"}
