"""The HTML page: one file of bounded size that holds everything, and in which texts stay texts."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from dataclasses import dataclass, replace
from html import escape, unescape
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest

import outscore
from outscore.base.notes import Note
from outscore.base.text import clean
from outscore.report import tables_of
from outscore.report.formats import format_
from outscore.report.formats.html import _emphasize
from outscore.report.html import charts
from outscore.report.html import elements as limits
from outscore.report.html.charts import draw_charts
from outscore.report.html.elements import Markup, element
from outscore.report.plots import charts_of
from outscore.report.screen import screen_of
from outscore.results.comparison import Comparison
from outscore.results.details import DECIDING, Details, ItemGain, ItemText
from outscore.results.pictures import Chart, Marks, Plane, Scale
from outscore.results.result import Result, formats
from tests.report.builders import ALL, comparison, pair, score, several_runs, two_systems
from tests.report.builders import verdicts as of_each_kind
from tests.report.findings import findings, hostile_findings
from tests.report.kinds import KINDS

MOST = 1_200_000
RESULTS: dict[str, Result] = {
    **{name: make() for name, make in ALL.items()},
    "study": findings(),
    "hostile study": hostile_findings(),
}


class Reader(HTMLParser):
    """What a page says, and whether its elements are closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[str] = []
        self.names: list[str] = []
        self.said = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.names += [value for name, value in attrs if name == "id" and value is not None]
        if tag not in ("meta", "input", "br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in ("script", "style"):
            self.said += data


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_has_a_small_page_of_sound_html(name: str) -> None:
    text = RESULTS[name].to("html")
    assert len(text.encode()) < MOST
    read = Reader(text)
    assert read.open == []
    assert len(set(read.names)) == len(read.names)
    screen = screen_of(RESULTS[name])
    told = {DECIDING, *(chart.heading for chart in charts_of(RESULTS[name]))}
    for table in screen.tables:
        assert table.title in text or table.title.partition(" (")[0] in told or "&" in text
    for note in RESULTS[name].notes:
        assert clean(note.remedy).strip()[:5] in read.said
    assert not re.search(r"(src|href)=\"(?!#|data:)", text)


@pytest.mark.parametrize("name", RESULTS)
def test_the_verdict_is_the_title_and_the_first_heading_and_the_first_table_follows_it(name: str) -> None:
    text = RESULTS[name].to("html")
    (said, *_) = screen_of(RESULTS[name]).verdict
    heading = re.search(r"<h1[^>]*>(.*?)</h1>", text, re.S)
    assert heading is not None
    assert unescape(re.sub("<[^>]*>", "", heading[1])) == said
    assert f"<title>{escape(said)} " in text
    assert text.index("<main") < heading.start() < text.index("<table") < text.index("<figure")


def test_the_script_of_the_page_is_the_only_one_that_may_run() -> None:
    text = two_systems().to("html")
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.S)
    assert "document." in script and "@media" in text[text.index("<style>") : text.index("</style>")]
    allowed = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{allowed}'" in text
    assert "unsafe-eval" not in text


def test_the_data_are_in_the_page() -> None:
    made = two_systems()
    page = made.to("html")
    assert page.index("Download outscore-compare.json.gz</a>") < page.index("All numbers in full precision; unpacked")
    linked = re.search(r'href="data:application/gzip;base64,([^"]+)"', page)
    assert linked is not None
    assert Result.from_json(gzip.decompress(base64.b64decode(linked[1])).decode()).to_dict() == made.to_dict()


def test_markup_is_only_what_was_made_as_markup() -> None:
    assert element("p", "<b>&", title='"<') == '<p title="&quot;&lt;">&lt;b&gt;&amp;</p>'
    assert element("p", element("b", "x"), Markup("<i>y</i>")) == "<p><b>x</b><i>y</i></p>"
    assert element("input", disabled=True, value=None, hidden=False) == "<input disabled>"


@pytest.mark.parametrize("end", ["", ".", "!", "?"])
def test_a_note_ends_in_one_stop(end: str) -> None:
    made = replace(two_systems(), notes=(Note(code="x", text=f"few items{end}", remedy=f"take more{end}"),))
    assert f"Few items{end or '.'}</p>" in made.to("html")
    assert f"take more{end or '.'}</p>" in made.to("html")


def said_in(result: Result) -> str:
    return Reader(result.to("html")).said


def test_every_note_is_said_once_and_what_changes_the_answer_first_with_its_mark() -> None:
    made = several_runs()
    changing = Note(code="zero_variance", text="runs of it are all alike", remedy="look at them")
    bigger = replace(made.pairs[1], notes=(*made.pairs[1].notes, changing.code))
    made = replace(made, pairs=(made.pairs[0], bigger), notes=(*made.notes, changing))
    said = said_in(made)
    for note in made.notes:
        # it begins with a capital there
        assert said.count(note.text[1:]) == 1
        assert said.count(note.remedy) == 1 or not note.remedy
    assert "bigger!" in said
    assert said.index("! Runs of it are all alike") < min(said.index(note.text[1:]) for note in made.notes[:-1])


def test_the_heading_of_a_page_leads_to_the_note_and_its_title_has_no_mark() -> None:
    """In a list of pages, and once it is pasted, no mark is in sight."""
    made, changing = two_systems(), Note(code="clusters_ignored", text="items are alike")
    marked = replace(made.pairs[0], gain=0.5, verdict="better", notes=(changing.code,))
    page = replace(made, pairs=(marked,), notes=(changing,)).to("html")
    (heading,) = re.findall("<h1>(.*)</h1>", page)
    assert ', BUT see <a href="#changing">!</a>.' in heading and page.count('id="changing"') == 1
    (title,) = re.findall("<title>(.*)</title>", page)
    assert ", BUT see notes." in title and "!" not in title


@pytest.mark.parametrize("name", ["study", "rank"])
def test_notes_of_other_results_are_said_once_too(name: str) -> None:
    made = {**RESULTS, "rank": ranked()}[name]
    assert made.notes
    assert "Note: " not in said_in(made)
    said = said_in(made).replace(made.sentence, "")  # which is pasted elsewhere, and says what it hangs on
    for note in made.notes:
        assert said.count(clean(note.text)[1:30]) == 1


def test_a_note_says_what_it_is_about() -> None:
    """Of several data sets those that it concerns are named, as under the table of other formats."""
    draw = np.random.default_rng(1)
    small, large = draw.normal(0, 1, (2, 4)), draw.normal(0, 1, (2, 60))
    sets = {"little": dict(zip("ab", small, strict=True)), "much": dict(zip("ab", large, strict=True))}
    made = outscore.replicate(sets, n_resamples=99)
    said = said_in(made)
    assert re.search("[Ww]ith so few items[^;.]*on little", said)
    assert re.search("[Tt]est chosen: a mean of 10 items or more[^;.]*on much", said)
    assert not re.search("[Ww]ith so few items[^.]*on much", said)


def ranked() -> Result:
    draw = np.random.default_rng(3)
    return outscore.rank({name: draw.normal(k, 1, 30) for k, name in enumerate("abc")}, n_resamples=99)


def test_a_leaderboard_has_a_verdict_for_each_metric() -> None:
    frame = {"system": list("aabb") * 5, "item": [str(i // 4 * 2 + i % 2) for i in range(20)]}
    draw = np.random.default_rng(3)
    table = pd.DataFrame({**frame, "x": draw.normal(0, 1, 20), "y": draw.normal(0, 1, 20)})
    made = outscore.rank(table, metrics=["x", "y"], n_resamples=99)
    said = verdicts_on_the_page(made)
    assert len(said) == 2
    assert said == [clean(one) for one in screen_of(made).verdict]


def test_a_note_that_changes_the_answer_stands_above_a_long_table() -> None:
    changing = Note(code="zero_variance", text="nothing varies")
    for systems, before in ((20, False), (21, True)):
        made = outscore.rank({f"s{k}": [float(k), 0.0] for k in range(systems)}, n_resamples=99)
        page = str(replace(made, notes=(changing,)).to("html"))
        assert (page.index('id="changing"') < page.index("<table")) == before


def test_the_first_part_of_a_long_verdict_stands_out() -> None:
    said = "a is not shown to differ from b: +0.1 BLEU (95% CI -0.7 to 0.6, p = .998), 2 chrF (p = .99). This test set "
    assert _emphasize(f"{said}finds gains of 1.0 BLEU or more with 80% power; more.") == (
        f'{said[:-15]} <span class="rest">This test set finds gains of 1.0 BLEU or more with 80% power; more.</span>'
    )
    assert _emphasize("a; b") == "a; b"


def test_a_study_says_its_question_first() -> None:
    made = findings()
    assert verdicts_on_the_page(made)[0].startswith(made.question)


@pytest.mark.parametrize("name", RESULTS)
def test_every_picture_has_its_finding_in_words_and_each_image_has_them_as_its_name(name: str) -> None:
    page = RESULTS[name].to("html")
    words = re.findall(r'<figcaption id="([^"]+)"><b>([^<]+)</b>', page)
    assert len(words) == page.count("<figure>")
    images = re.findall(r'role="img" aria-labelledby="([^"]+)"', page)
    assert set(images) <= {found for found, _ in words}
    # without a name of its own there is only what is read as a table
    assert len(images) + page.count('<table class="matrix') >= len(words)


def test_references_that_are_alike_are_shown_once() -> None:
    made = two_systems()
    key = {"system": "big", "baseline": "base", "metric": "bleu"}
    details = Details(
        items=(ItemGain(**key, item="7", influence=0.1, baseline_score=None, system_score=None),),
        texts=(ItemText(item="7", labels={}, references=("the cat", "a cat", "the cat"), outputs={"big": "cat"}),),
    )
    said = said_in(replace(made, details=details))
    assert said.count("the cat") == 1
    assert "reference 1, 3the cat" in said
    assert "reference 2a cat" in said


def verdicts_on_the_page(result: Result) -> list[str]:
    """What stands at the top of the page, a text for each paragraph or line of a list."""
    page = result.to("html")
    found = re.findall(r'<h1[^>]*>(.*?)</h1>|<ul class="verdict">(.*?)</ul>', page, re.S)
    parts = [part for alone, listed in found for part in ([alone] if alone else re.findall("<li>(.*?)</li>", listed))]
    return [unescape(re.sub("<[^>]*>", "", part)) for part in parts]


@pytest.mark.parametrize("name", ALL)
def test_the_page_says_the_verdict_of_all_formats_first(name: str) -> None:
    made = ALL[name]()
    assert verdicts_on_the_page(made) == list(screen_of(made).verdict)


def test_a_pair_has_a_verdict_in_plain_words() -> None:
    assert verdicts_on_the_page(of_each_kind()) == [
        "big outscores base by 0.45 BLEU (95% CI 0.10 to 0.81, p = .039).",
        "tied is equivalent to base within 0.5 BLEU (p = .004).",
        "tiny is not worse than base by 0.5 BLEU or more (p < .001); it is not shown to differ: +0.11 BLEU "
        "(95% CI -0.24 to 0.47, p = 1).",
        "odd is not shown to differ from base: +0.20 BLEU (95% CI -0.15 to 0.56, no p-value).",
    ]


def test_a_loss_is_said_as_what_it_is() -> None:
    made = comparison([score("base", 27.0), score("small", 26.0)], [pair("small", -1.0, 0.001, verdict="worse")])
    assert "-1.0 (significant) [-1.4, -0.6]" in said_in(made)
    assert verdicts_on_the_page(made) == ["base outscores small by 1.0 BLEU (95% CI 0.6 to 1.4, p = .001)."]


@pytest.mark.parametrize(("new", "better"), [(1.0, True), (3.0, False)])
def test_who_outscores_whom_follows_the_direction_of_the_metric(new: float, better: bool) -> None:
    errors = np.random.default_rng(1).normal(2, 0.1, 40)
    data = {"base": errors, "new": np.random.default_rng(2).normal(new, 0.1, 40)}
    made = outscore.compare(data, metrics="mean:lower=true", n_resamples=200)
    gain = made.pairs[0].gain
    assert (gain > 0) == better
    (said,) = verdicts_on_the_page(made)
    who = "new outscores base" if better else "base outscores new"
    assert said.startswith(f"{who} by {abs(gain):.3f} (lower is better; 95% CI ")
    assert f"{gain:+.3f}" in made.to("markdown").replace("\\", "")


def test_many_pairs_are_counted() -> None:
    names = [f"s{i}" for i in range(6)]
    ps = [0.001, 0.001, 0.9, 0.9, 0.9, 0.9]
    gains = [1.0, -1.0, 0.1, 0.1, 0.1, 0.1]
    pairs = [pair(n, gain, p) for n, gain, p in zip(names, gains, ps, strict=True)]
    made = comparison([score("base", 27.0), *(score(n, 27.0) for n in names)], pairs)
    assert verdicts_on_the_page(made) == [
        "1 of 6 systems outscores base by BLEU: s0 by 1.0 BLEU (95% CI 0.7 to 1.4, p = .001); 1 is outscored by it "
        "(s1); 4 are not shown to differ."
    ]


def test_pairs_within_the_margin_are_counted_apart() -> None:
    plain = of_each_kind()
    big, tied, tiny, odd = plain.pairs
    scores = [*plain.scores, *(score(f"tied {i}", 27.3) for i in range(2))]
    more = [replace(tied, system=f"tied {i}") for i in range(2)]
    worse = replace(tiny, gain=-0.4, verdict="worse")
    made = replace(plain, scores=tuple(scores), pairs=(big, tied, worse, odd, *more))
    assert verdicts_on_the_page(made) == [
        "1 of 6 systems outscores base by BLEU: big by 0.45 BLEU (95% CI 0.10 to 0.81, p = .039); 1 is outscored by it "
        "(tiny); 3 are equivalent to it within 0.5 BLEU (tied, tied 0 and "
        "tied 1); 1 is not shown to differ (odd)."
    ]


def test_long_tables_have_a_filter_above_them() -> None:
    page = many(9).to("html")
    assert page.index('id="table-0-filter"') < page.index('<table id="table-0"')
    assert "-filter" not in two_systems().to("html")


def test_without_the_library_that_draws_a_page_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "EXTRA", "no_such_library")
    page = unescape(findings().to("html"))
    assert "This picture needs an extra: pip install 'outscore[report]'" in page
    # a comparison needs none
    assert "extra" not in two_systems().to("html")


def many(rows: int, text: str = "") -> Comparison:
    """A comparison with so many systems and items."""
    names = [f"system {i} {text}" for i in range(rows)]
    keys = [{"system": name, "baseline": "base", "metric": "bleu"} for name in names]
    details = Details(
        items=tuple(
            ItemGain(**key, item=key["system"], influence=0.1, baseline_score=None, system_score=None) for key in keys
        ),
        texts=tuple(ItemText(item=n, labels={}, references=(n * 20,), outputs={n: "\u540d" * 500}) for n in names),
    )
    made = comparison([score("base", 1.0), *(score(n, 1.0) for n in names)], [pair(n, 0.1, 0.2) for n in names])
    where = replace(made.provenance, dropped=dict.fromkeys(names, "missing"))
    return replace(made, details=details, provenance=where)


@pytest.mark.slow
def test_a_page_of_very_much_stays_small_and_says_what_it_left_out() -> None:
    page = many(1_500, "<&>" * 30).to("html")
    assert len(page.encode()) < MOST
    said = unescape(page)
    assert re.search(r"The first \d[\d,]* of 1501 rows; the data below hold all", said)
    assert re.search(r"\d+ more items left out to keep the page small", said)
    assert f"And {1_500 - limits.LISTED} more items" in said


def test_data_that_are_too_large_are_left_to_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = len(two_systems().to("html").encode())
    monkeypatch.setattr(limits, "PAGE", whole + 10_000)
    assert "data:application/gzip" in two_systems().to("html")
    monkeypatch.setattr(limits, "PAGE", whole - 1)
    page = two_systems().to("html")
    assert "data:application/gzip" not in page
    file = "outscore-compare.json"
    said = f"The numbers are too large for a page: -o {file} saves them; outscore show {file} draws them again"
    assert said in unescape(page)


def picture(points: int) -> Chart:
    rows = tuple({"x": float(i), "y": i % 7 + 1 / (i + 1)} for i in range(points))
    plane = Plane(x=Scale(title="x"), y=Scale(title="y"), rows=rows, marks=(Marks(mark="point", x="x", y="y"),))
    return Chart(heading=f"of {points}", title=f"{points} points", under=("made for a test",), panels=(plane,))


@pytest.mark.nightly
def test_a_picture_of_very_many_points_becomes_an_image(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two points for each of the page, so that it has the size that its lines would have had."""
    (few,), _ = draw_charts([picture(10)])
    monkeypatch.setattr(limits, "ONE_PICTURE", limits.size(few.figure) + 1_000)
    made, left_out = draw_charts([picture(10), picture(100)])
    assert ["<svg" in one.figure for one in made] == [True, False]
    assert ["<img " in one.figure for one in made] == [False, True]
    assert not left_out
    (width, height) = re.findall(r'(?:width|height)="(\d+)"', re.sub(".*<img ", "", made[1].figure))
    monkeypatch.setattr(limits, "ONE_PICTURE", 100_000)
    (lines,), _ = draw_charts([picture(100)])
    assert f'width="{width}" height="{height}"' in lines.figure


def test_an_image_has_half_the_points_of_its_head(monkeypatch: pytest.MonkeyPatch) -> None:
    """PNG has its width and height, four bytes each, behind sixteen others."""
    head = bytes(16) + (1400).to_bytes(4, "big") + (70_000).to_bytes(4, "big")
    drawn = {".svg": "<svg>" + "x" * limits.ONE_PICTURE * 4 + "</svg>", ".png": head}
    monkeypatch.setattr(charts, "render", lambda spec, suffix: drawn[suffix])
    monkeypatch.setattr(limits, "ONE_PICTURE", 100)
    (made,), _ = draw_charts([picture(3)])
    assert 'width="700" height="35000"' in made.figure


def test_pictures_beyond_the_budget_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    (one,), _ = draw_charts([picture(10)])
    monkeypatch.setattr(limits, "PICTURES", limits.size(one.figure) + 1_000)
    made, left_out = draw_charts([picture(10), picture(11), picture(300)])
    assert [each.heading for each in made] == ["of 10"]
    assert "2 pictures left out to keep the page small: of 11, of 300." in left_out
    monkeypatch.setattr(limits, "PICTURES", 10_000)
    page = KINDS["details_whole"]().to("html")
    assert page.index("<h3>The gain on resampled test sets") < page.index(
        "3 pictures left out to keep the page small: "
    )


def test_a_format_from_outside_draws_every_result_from_the_one_table_model() -> None:
    """A new output format is one small class over ``tables_of``: here org-mode tables."""

    @format_("org")
    @dataclass(frozen=True)
    class Org:
        """Tables for Emacs."""

        def render(self, result: Result, *, decimals: int | None = None) -> str:
            lines = []
            for table in tables_of(result, decimals):
                lines += [f"#+CAPTION: {table.title}", "| " + " | ".join(c.plain for c in table.columns) + " |", "|-"]
                lines += ["| " + " | ".join(cell.plain for cell in row) + " |" for row in table.rows]
                lines += table.footnotes
            return "\n".join(lines) + "\n"

    try:
        for made in RESULTS.values():
            text = made.to("org")
            tables = tables_of(made)
            assert text.count("#+CAPTION: ") == len(tables)
            assert sum(line.startswith("|") for line in text.splitlines()) == sum(2 + len(t.rows) for t in tables)
        assert "| big |" in two_systems().to("org")
    finally:
        del formats._classes["org"]


def test_words_that_the_other_system_lacks_are_marked_and_stay_text() -> None:
    made = outscore.compare(
        {"a": ["x <b>one</b> y", "same", "p q"], "b": ["x <i>two</i> y", "same", "p r"]},
        references=[["x <i>two</i> y", "same", "p q"]], metrics="exact_match", flips="auto",
    )  # fmt: skip
    text = made.to("html")
    assert "<dd>x <mark>&lt;b&gt;one&lt;/b&gt;</mark> y</dd>" in text
    assert "<dd>x <mark>&lt;i&gt;two&lt;/i&gt;</mark> y</dd>" in text
    assert "<dd>p <mark>r</mark></dd>" in text


def test_what_both_systems_say_keeps_its_lines() -> None:
    said = {"a": ["def f():\n  return 1\n", "same"], "b": ["def f():\n  return 2\n", "same"]}
    text = outscore.compare(said, references=[said["a"]], metrics="exact_match", flips=2).to("html")
    assert "<dd>def f():\n  return <mark>1</mark>\n</dd>" in text
