"""Outputs that are empty, or stand beside the references of other lines, are said by every verb that scores texts."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

import outscore
from tests.cli.commandline import outscore as command

FEW: dict[str, Any] = {"metrics": "bleu", "n_resamples": 99}
N = 300
WORDS = [f"w{i}" for i in range(3000)]
COMMON = list(accumulate(1 / (i + 1) for i in range(len(WORDS))))
"""How often each word stands in texts: by Zipf's law."""


def sentence(draw: random.Random, size: int | None = None) -> list[str]:
    return draw.choices(WORDS, cum_weights=COMMON, k=draw.randrange(5, 30) if size is None else size)


def texts(seed: int = 1, n: int = N, size: int | None = None) -> list[str]:
    draw = random.Random(seed)
    return [" ".join(sentence(draw, size)) for _ in range(n)]


def rendered(lines: Sequence[str], kept: float = 0.6, seed: int = 2) -> list[str]:
    """The lines as a system has them, with a share of their words."""
    draw = random.Random(seed)
    return [" ".join(word if draw.random() < kept else sentence(draw, 1)[0] for word in line.split()) for line in lines]


def said(code: str, found: Any) -> list[str]:
    return [note.text for note in found.notes if note.code == code]


def compare(outputs: Sequence[str], references: Sequence[str], **how: Any) -> Any:
    return outscore.compare({"base": list(references), "b": list(outputs)}, references=references, **{**FEW, **how})


def lost(lines: list[str], at: int) -> list[str]:
    return [*lines[:at], *lines[at + 1 :], lines[-1]]


def added(lines: list[str], at: int) -> list[str]:
    return [*lines[:at], lines[at], *lines[at:-1]]


def emptied(lines: Sequence[str], count: int) -> list[str]:
    return ["" if i < count else line for i, line in enumerate(lines)]


GOLD = texts()


@pytest.mark.parametrize(("count", "note"), [(0, False), (1, False), (2, False), (3, True), (75, True)])
def test_empty_outputs_are_counted_from_one_in_a_hundred_on(count: int, note: bool) -> None:
    expected = [f"outputs are empty where the references are not: {count} of 300 of 'b'"] if note else []
    assert said("many_empty", compare(emptied(GOLD, count), GOLD)) == expected


def test_empty_outputs_of_files_are_said_by_every_verb(tmp_path: Path) -> None:
    files = {"ref": GOLD[:40], "a": rendered(GOLD[:40]), "b": emptied(GOLD[:40], 10)}
    for name, lines in files.items():
        (tmp_path / f"{name}.txt").write_text("\n".join([*lines, ""]), encoding="utf-8")
    for verb in ("compare", "rank", "score"):
        done = command(verb, "-r", tmp_path / "ref.txt", tmp_path / "a.txt", tmp_path / "b.txt", "-m", "chrf")
        assert done.code == 0
        assert "empty where the references are not: 10 of 40 of 'b'" in " ".join(done.out.split())


def test_outputs_may_be_empty_where_references_are_or_nothing_reads_them() -> None:
    gold = emptied(GOLD, 75)
    assert not said("many_empty", compare(gold, gold))
    frame = {
        "system": [*["a"] * 4, *["b"] * 4],
        "item": [1, 2, 3, 4] * 2,
        "output": ["x", "x", "x", "x", "x", "", "", ""],
        "reference": ["x"] * 8,
        "score": [0.1, 0.2, 0.3, 0.4] * 2,
    }
    pandas = pytest.importorskip("pandas")
    assert said("many_empty", outscore.compare(pandas.DataFrame(frame), metrics="exact_match"))
    assert not said("many_empty", outscore.compare(pandas.DataFrame(frame), metrics="mean:column=score"))


@pytest.mark.parametrize("mark", ["-", "N/A", "None", "null"])
def test_marks_of_no_answer_are_counted_unless_they_are_gold(mark: str) -> None:
    def compared(gold: list[str]) -> Any:
        systems = {"a": ["A", *gold[1:]], "b": [*[mark] * 12, *["A", "C"] * 24]}
        return outscore.compare(systems, references=gold, metrics="accuracy")

    without = compared(["A", "B", "C"] * 20)
    assert said("many_empty", without) == [f"outputs are {mark!r} where the references are not: 12 of 60 of 'b'"]
    assert (without.scores[1].n_items, without.scores[1].score) == (60, 16 / 60), "they stay wrong answers"
    assert not said("many_empty", compared(["A", "B", mark.lower()] * 20))
    outputs = [*[mark, ""] * 3, *GOLD[6:]]
    assert said("many_empty", compare(outputs, GOLD)) == [
        f"outputs are empty or {mark!r} where the references are not: 6 of 300 of 'b'"
    ]


def test_those_with_most_empty_outputs_are_named() -> None:
    outputs = {f"s{k}": emptied(GOLD, k) for k in (2, 5, 9, 80, 7)}
    assert said("many_empty", outscore.score(outputs, references=GOLD, metrics="bleu")) == [
        "outputs are empty where the references are not: 80 of 300 of 's80', 9 of 300 of 's9', 7 of 300 of 's7', and "
        "some of 1 more system"
    ]


@pytest.mark.parametrize(("count", "note"), [(1, False), (2, True)])
def test_blank_outputs_are_empty_and_of_a_hundred_items_two_are_many(count: int, note: bool) -> None:
    outputs = ["  " if i < count else line for i, line in enumerate(GOLD[:100])]
    expected = [f"outputs are empty where the references are not: {count} of 100 of 'b'"] if note else []
    assert said("many_empty", compare(outputs, GOLD[:100])) == expected


def test_three_systems_are_all_that_a_note_names() -> None:
    outputs = {f"s{k}": emptied(GOLD, k) for k in (9, 80, 7)}
    (text,) = said("many_empty", outscore.score(outputs, references=GOLD, metrics="bleu"))
    assert text.endswith("80 of 300 of 's80', 9 of 300 of 's9', 7 of 300 of 's7'")
    moved = {f"s{k}": lost(rendered(GOLD, seed=k), 50) for k in range(4)}
    texts_of = [
        said("misaligned", outscore.score(dict([*moved.items()][:n]), references=GOLD, metrics="bleu"))[0]
        for n in (3, 4)
    ]
    assert [text.count("the outputs of") for text in texts_of] == [3, 3]
    assert [text.partition("; so do")[2] for text in texts_of] == ["", " those of 1 more"]


def test_all_runs_of_a_system_are_counted_together() -> None:
    runs = [rendered(GOLD), emptied(rendered(GOLD), 30)]
    found = outscore.score({"a": runs}, references=GOLD, metrics="bleu")
    assert said("many_empty", found) == ["outputs are empty where the references are not: 30 of 600 of 'a'"]


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(("slip", "where"), [(lost, "later"), (added, "earlier")])
def test_a_line_lost_or_added_is_found_where_it_was(
    slip: Callable[[list[str], int], list[str]], where: str, seed: int
) -> None:
    draw = random.Random(seed)
    n = draw.choice([40, 120, 300, 900])
    gold = texts(seed, n)
    at = draw.randrange(n * 7 // 10)
    (text,) = said("misaligned", compare(slip(rendered(gold, seed=seed), at), gold))
    assert text.startswith(f"the outputs of 'b' match the references 1 line {where} better than their own, from line ")
    assert text.endswith(" on")
    assert abs(int(text.split()[-2]) - at - 1) <= 2


def test_a_line_added_second_leaves_the_first_two_where_they_are() -> None:
    (text,) = said("misaligned", compare(added(GOLD, 1), GOLD))
    assert text == "the outputs of 'b' match the references 1 line earlier better than their own, from line 3 on"


def test_every_verb_says_so_and_it_changes_the_answer() -> None:
    outputs = {"a": rendered(GOLD), "b": lost(rendered(GOLD, seed=3), 120)}
    for verb in (outscore.compare, outscore.rank, outscore.score):
        found = verb(outputs, references=GOLD, metrics="bleu")
        (note,) = [note for note in found.notes if note.code == "misaligned"]
        assert note.rank == "answer"
        assert "'b' match the references 1 line later" in note.text
        assert "from line 12" in note.text
        assert "no line was lost" in note.remedy


def test_where_a_line_is_lost_and_another_added_the_part_between_is_said() -> None:
    outputs = rendered(GOLD)
    (text,) = said("misaligned", compare([*outputs[:60], *outputs[61:201], outputs[60], *outputs[201:]], GOLD))
    assert text.endswith("1 line later better than their own, from line 61 to line 200")


def test_items_with_ids_and_runs_are_named(tmp_path: Path) -> None:
    outputs = {"1": rendered(GOLD), "2": lost(rendered(GOLD), 0)}
    rows = [f"b\tx{i}\t{run}\t{o}\t{GOLD[i]}" for run, lines in outputs.items() for i, o in enumerate(lines)]
    file = tmp_path / "t.tsv"
    file.write_text("\n".join(["system\titem\trun\toutput\treference", *rows, ""]), encoding="utf-8")
    (text,) = said("misaligned", outscore.score(outscore.read([str(file)]), metrics="bleu"))
    assert (
        text == "the outputs of 'b' (run '2') match the references 1 item later better than their own, from item x0 on"
    )


def test_scripts_without_blanks_are_read_by_pairs_of_letters() -> None:
    draw = random.Random(5)
    signs = [chr(0x4E00 + i) for i in range(800)]
    gold = ["".join(draw.choices(signs, k=draw.randrange(8, 40))) for _ in range(N)]
    outputs = [line[: len(line) * 2 // 3] + "".join(draw.choices(signs, k=5)) for line in gold]
    assert not said("misaligned", compare(outputs, gold, metrics="chrf"))
    assert "1 line later" in str(said("misaligned", compare(lost(outputs, 30), gold, metrics="chrf")))


@pytest.mark.parametrize(
    ("by", "where"),
    [(3, "3 lines later"), (-3, "3 lines earlier"), (4, "of other lines"), (-4, "of other lines")],
)
def test_three_lines_away_are_the_farthest_that_are_counted(by: int, where: str) -> None:
    outputs = rendered(GOLD)
    (text,) = said("misaligned", compare([*outputs[by:], *outputs[:by]], GOLD))
    assert f"match the references {where} better than their own" in text


@pytest.mark.parametrize(("at", "where"), [(200, "1 line later"), (100, "2 lines later")])
def test_of_two_lost_lines_the_longer_part_is_said(at: int, where: str) -> None:
    outputs = rendered(GOLD)
    (text,) = said("misaligned", compare([*outputs[1:at], *outputs[at + 1 :], outputs[0], outputs[at]], GOLD))
    assert text.startswith(f"the outputs of 'b' match the references {where} better than their own, from line ")


def test_parts_that_are_moved_in_both_directions_are_no_shift() -> None:
    outputs = rendered(GOLD)
    (text,) = said("misaligned", compare([*outputs[1:151], *outputs[149:299]], GOLD))
    assert text.endswith("the references of other lines better than their own, all over")


@pytest.mark.parametrize(("letters", "note"), [(11, False), (12, True)])
def test_words_of_twelve_letters_are_read_by_pairs_of_letters(letters: int, note: bool) -> None:
    """Of lines of three words, which are too few to say anything as words."""
    draw = random.Random(3)
    gold = [" ".join("".join(draw.choices("abcdefghijklmnopqrst", k=letters)) for _ in range(3)) for _ in range(N)]
    gold[0] += "x"  # with blanks twelve letters to a word are not too many
    assert bool(said("misaligned", compare(lost(gold, 30), gold, metrics="chrf"))) is note


def test_lines_of_four_words_are_enough_to_say_where_they_belong() -> None:
    gold = texts(3, N, 4)
    assert "1 line later" in str(said("misaligned", compare(lost(gold, 0), gold)))


@pytest.mark.parametrize("moved", ["shuffled", "turned", "by 7"])
def test_lines_in_another_order_are_said_to_be_so(moved: str) -> None:
    outputs = rendered(GOLD)
    others = {
        "shuffled": random.Random(1).sample(outputs, N),
        "turned": outputs[::-1],
        "by 7": [*outputs[7:], *outputs[:7]],
    }
    expected = "the outputs of 'b' match the references of other lines better than their own, all over"
    assert said("misaligned", compare(others[moved], GOLD)) == [expected]


def test_lines_that_share_no_word_with_a_second_one_are_said_to_be_in_disorder_too() -> None:
    gold = [" ".join(f"{letter}{i}" for letter in "abcdefgh") for i in range(60)]
    outputs = [line.replace("h", "x") for line in random.Random(1).sample(gold, 60)]
    (text,) = said("misaligned", compare(outputs, gold))
    assert text.endswith("match the references of other lines better than their own, all over")


def line(i: int, size: int = 32) -> list[str]:
    """Words that no other line has."""
    return [f"w{i}x{k}" for k in range(size)]


def mixed(n: int, size: int, **shares: int) -> list[str]:
    """Outputs that have so many words of their own line, of the one ``by_k`` lines later, and others of nobody."""
    made = []
    for i in range(n):
        words, at = [], 0
        for name, count in shares.items():
            j = (i if name == "own" else i + int(name.removeprefix("by_"))) % n
            words += line(j, size)[at : at + count]
            at += count
        made.append(" ".join([*words, *(f"none{i}x{k}" for k in range(size - at))]))
    return made


def of_unlike_lines(outputs: Sequence[str], size: int) -> list[str]:
    return said("misaligned", compare(outputs, [" ".join(line(i, size)) for i in range(len(outputs))]))


@pytest.mark.parametrize(
    ("own", "other", "note"),
    [(4, 8, False), (4, 9, True), (0, 2, False), (0, 3, True), (1, 3, False), (1, 4, True)],
)
def test_a_block_has_twice_as_much_in_common_with_other_lines_and_more_by_a_seventh(
    own: int, other: int, note: bool
) -> None:
    assert ("1 line later" in str(of_unlike_lines(mixed(40, 16, own=own, by_1=other), 16))) is note


@pytest.mark.parametrize(("silent", "note"), [(1, True), (2, False)])
def test_nine_of_ten_lines_of_a_block_must_say_it(silent: int, note: bool) -> None:
    outputs = [text if i % 10 >= silent else "none of all these" for i, text in enumerate(mixed(40, 16, by_1=16))]
    assert ("1 line later" in str(of_unlike_lines(outputs, 16))) is note


@pytest.mark.parametrize(("known", "note"), [(5, True), (4, False)])
def test_half_of_the_lines_of_a_block_must_be_long_enough(known: int, note: bool) -> None:
    outputs = [text if i % 2 == 0 and i < 2 * known else "none" for i, text in enumerate(mixed(10, 16, by_1=16))]
    assert ("1 line later" in str(of_unlike_lines(outputs, 16))) is note


@pytest.mark.parametrize(
    ("shares", "note"),
    [
        ({"own": 6, "by_1": 6, "by_20": 12}, False),
        ({"own": 6, "by_1": 6, "by_20": 13}, True),
        ({"own": 2, "by_1": 2, "by_20": 6}, False),
        ({"own": 2, "by_1": 2, "by_20": 7}, True),
        ({"by_10": 8, "by_20": 12}, False),
        ({"by_10": 8, "by_20": 13}, True),
        ({"own": 5, "by_1": 4, "by_20": 13}, True),
        ({"own": 7, "by_1": 4, "by_20": 16}, False),
    ],
)
def test_lines_in_disorder_have_more_in_common_with_one_than_with_their_own_or_a_second(
    shares: dict[str, int], note: bool
) -> None:
    assert bool(of_unlike_lines(mixed(40, 32, **shares), 32)) is note


@pytest.mark.parametrize(
    ("n", "kept", "known", "note"),
    [
        *[(40, 12, 32, True), (40, 24, 31, False), (40, 32, 37, True), (40, 32, 38, False)],
        *[(20, 24, 20, True), (19, 24, 19, False), (79, 24, 79, True), (80, 24, 80, True)],
    ],
)
def test_most_of_twenty_lines_must_say_that_they_are_in_disorder_and_not_be_copies(
    n: int, kept: int, known: int, note: bool
) -> None:
    outputs = [text if i < known else "none of all these" for i, text in enumerate(mixed(n, 32, by_10=kept))]
    assert bool(of_unlike_lines(outputs, 32)) is note


def test_lines_that_match_nothing_are_not_in_disorder() -> None:
    outputs = [text if i % 10 < 7 else "none of all these" for i, text in enumerate(mixed(40, 32, by_10=24))]
    assert not of_unlike_lines(outputs, 32)


def test_one_answer_to_all_is_no_disorder() -> None:
    gold = [" ".join(line(i)) for i in range(40)]
    assert not said("misaligned", compare([" ".join([*line(50, 8), *line(7, 24)])] * 40, gold))


@pytest.mark.parametrize(("moved", "where"), [(20, "to line 20"), (21, "on")])
def test_a_part_that_ends_less_than_twenty_lines_before_the_last_goes_on(moved: int, where: str) -> None:
    gold = [" ".join(line(i)) for i in range(40)]
    (text,) = said("misaligned", compare([*gold[1 : moved + 1], *gold[moved:]], gold))
    assert text.endswith(f"from line 1 {where}")


@pytest.mark.parametrize(("n", "lines", "note"), [(60, 3, True), (60, 4, False), (80, 4, True), (80, 5, False)])
def test_lines_in_disorder_are_known_by_words_that_few_lines_have(n: int, lines: int, note: bool) -> None:
    gold = [f"the a{i // lines} b{i % (n // lines)} c{(i + i // lines) % (n // lines)}" for i in range(n)]
    outputs = [f"{text} x{i}" for i, text in enumerate(gold)]
    assert bool(said("misaligned", compare([*outputs[10:], *outputs[:10]], gold))) is note


@pytest.mark.parametrize(
    ("n", "moved", "note"),
    [(28, 21, False), (28, 27, True), (12, 9, False), (12, 11, True)],
)
def test_both_halves_of_a_short_file_must_say_so(n: int, moved: int, note: bool) -> None:
    gold = texts(4, n)
    assert bool(said("misaligned", compare([*gold[1 : moved + 1], *gold[moved:]], gold))) is note


@pytest.mark.parametrize(("at", "note"), [(0, True), (1, False)])
def test_all_of_nine_lines_must_say_so(at: int, note: bool) -> None:
    gold = texts(4, 10)
    assert bool(said("misaligned", compare(added(gold, at), gold))) is note


def test_all_lines_of_a_short_file_say_whether_its_script_has_blanks() -> None:
    draw = random.Random(5)
    signs = ["".join(chr(0x4E00 + draw.randrange(800)) for _ in range(16)) for _ in range(30)]
    gold = [text if i % 2 == 0 else " ".join(sentence(draw, 3)) for i, text in enumerate(signs)]
    assert not said("misaligned", compare(lost(gold, 0), gold, metrics="chrf"))


def test_the_second_line_is_compared_with_the_first_reference() -> None:
    outputs = rendered(GOLD)
    (text,) = said("misaligned", compare([*outputs[:2], "none of them", *outputs[2:-1]], GOLD))
    assert text.endswith("1 line earlier better than their own, from line 3 on")


def test_who_chooses_the_wrong_one_of_the_references_has_them_in_order() -> None:
    assert not said("misaligned", compare(random.Random(1).sample(GOLD, N), GOLD))


def templates(n: int) -> tuple[list[str], list[str]]:
    """Summaries of one frame, with other facts in the outputs."""
    draw = random.Random(n)
    frame = "in this quarter the company had a turnover of {} and a profit of {} which is more than expected"
    return tuple([frame.format(*sentence(draw, 2)) for _ in range(n)] for _ in range(2))  # type: ignore[return-value]


def alternating(n: int) -> tuple[list[str], list[str]]:
    """Two stock answers in turn, of which the system mostly gives the wrong one."""
    draw, stock = random.Random(n), texts(7, 2, 8)
    return [stock[(i + (draw.random() < 0.8)) % 2] for i in range(n)], [stock[i % 2] for i in range(n)]


def answers(n: int) -> tuple[list[str], list[str]]:
    draw = random.Random(n)
    return draw.choices(["yes", "no", "i do not know that"], k=n), draw.choices(["yes", "no"], k=n)


def of_other_texts(n: int) -> tuple[list[str], list[str]]:
    return texts(n), texts(n + 1)


def short(n: int) -> tuple[list[str], list[str]]:
    gold = texts(n, n, 3)
    return lost(rendered(gold), 0), gold


def weak(n: int) -> tuple[list[str], list[str]]:
    gold = texts(n, n)
    return rendered(gold, 0.1), gold


def topics(n: int) -> tuple[list[str], list[str]]:
    """Lines that share most of their words with those beside them."""
    gold = [line for topic in texts(n, n // 5 + 1, 12) for line in rendered([topic] * 5, 0.7, seed=len(topic))][:n]
    return rendered(gold, 0.3), gold


@pytest.mark.parametrize("made", [templates, alternating, answers, of_other_texts, short, weak, topics])
@pytest.mark.parametrize("n", [9, 15, 40, 200])
def test_texts_at_their_place_are_not_called_misaligned(
    made: Callable[[int], tuple[list[str], list[str]]], n: int
) -> None:
    outputs, gold = made(n)
    assert not said("misaligned", compare(outputs[:n], gold[:n]))


@pytest.mark.parametrize(
    ("name", "note"),
    [("ref", True), ("Ref.B", True), ("references", True), ("src", True), ("refined", False), ("gold-standard", False)],
)
def test_a_system_that_is_called_like_references_is_named(name: str, note: bool) -> None:
    """Where outputs and references changed places every score is wrong, and nothing else shows it."""
    found = outscore.compare({"base": rendered(GOLD), name: GOLD[::-1]}, references=rendered(GOLD, seed=3), **FEW)
    assert bool(said("called_reference", found)) is note
    assert all(f"sources: {name!r}" in text for text in said("called_reference", found))
    assert (f"But scored as a system, though called like references or sources: {name!r}." in found.sentence) is note


@pytest.mark.parametrize(("n", "note"), [(19, False), (20, True)])
def test_a_system_that_equals_the_references_on_every_item_is_named(n: int, note: bool) -> None:
    labels = (["A", "B", "B"] * 7)[:n]
    systems = {"a": labels[::-1], "mine": labels}
    told = said("called_reference", outscore.compare(systems, references=labels, metrics="accuracy"))
    assert told == ["equal to the references on every item: 'mine'"] * note
    almost = {"a": labels[::-1], "mine": [*labels[:-1], "C"]}
    assert not said("called_reference", outscore.compare(almost, references=labels, metrics="accuracy"))


@pytest.mark.parametrize(
    ("name", "note"), [("gold", True), ("labels", True), ("ground_truth", True), ("refA", False), ("source", False)]
)
def test_labels_of_the_gold_that_are_compared_as_scores_are_named(name: str, note: bool, tmp_path: Path) -> None:
    for k, called in enumerate((name, "a", "b")):
        (tmp_path / f"{called}.txt").write_text(
            "".join(f"{int(i % (k + 2) == 0)}\n" for i in range(40)), encoding="utf-8"
        )
    done = command("compare", *(tmp_path / f"{called}.txt" for called in (name, "a", "b")), "-m", "accuracy")
    assert (f"though called like references or sources: {name!r}" in " ".join(done.out.split())) is note


def test_trees_of_the_gold_as_a_system_are_named(tmp_path: Path) -> None:
    for name, every in {"parser": 3, "gold": 30, "other": 5}.items():
        lines = (f"1\tword{k}\t_\tNOUN\t_\t_\t0\t{'root' if k % every else 'dep'}\t_\t_\n\n" for k in range(30))
        (tmp_path / f"{name}.conllu").write_text("".join(lines), encoding="utf-8")
    files = [tmp_path / f"{name}.conllu" for name in ("parser", "gold", "other")]
    done = command("compare", "-r", *files, "-m", "las", "-n", "99")
    assert "though called like references or sources: 'gold'" in " ".join(done.out.split()), done.err


def test_systems_that_are_called_like_references_share_a_note() -> None:
    found = outscore.score({"ref": GOLD, "a": rendered(GOLD), "src": GOLD}, references=GOLD, metrics="bleu")
    (text,) = said("called_reference", found)
    assert text.endswith("sources: 'ref', 'src'")


@pytest.mark.parametrize(
    ("outputs", "references", "metric", "named"),
    [
        (" .", " .", "bleu", "'references', 'a', 'b'"),
        (".", " .", "bleu", "'references'"),
        (" .", ".", "bleu,chrf", "'a', 'b'"),
        (".", ".", "bleu", ""),
        (" ?", " !", "bleu", ""),
        (" .", " .", "bleu:tokenize=none", ""),
        (" .", " .", "chrf", ""),
    ],
)
def test_texts_that_look_tokenized_are_told(outputs: str, references: str, metric: str, named: str) -> None:
    """Published BLEU of such files is on their own tokens: 13a splits what is joined in them, as in "do n't"."""
    systems = {name: [text + outputs for text in rendered(GOLD, seed=k)] for k, name in enumerate("ab")}
    found = outscore.compare(systems, references=[text + references for text in GOLD], **{**FEW, "metrics": metric})
    expected = f"the texts of {named} look tokenized, most lines end in ' .': BLEU tokenizes them again"
    assert said("tokenized_texts", found) == ([expected] if named else [])


def test_numbers_beside_references_that_are_texts_are_told() -> None:
    """Scores given in the place of outputs, of which a metric of texts makes nothing but zeros."""
    gold = [f"the answer is {i}" for i in range(12)]
    scores, answers = [f"{i / 12:.3f}" for i in range(12)], [str(i) for i in range(12)]

    def told(metric: str, references: list[str], **systems: list[str]) -> list[str]:
        found = outscore.score({**systems}, references=references, metrics=metric)
        return [note.text for note in found.notes if note.code == "numbers_as_labels"]

    said = ["the numbers of 'a' are taken for texts, not for scores"]
    assert told("squad_f1", gold, a=scores, b=gold) == told("bleu", gold, a=answers, b=gold) == said
    assert not told("squad_f1", answers, a=answers, b=gold) and not told("squad_f1", gold, b=["yes", *gold[1:]])
    assert not told("squad_f1", gold, b=["yes", "no"] * 6) and not told("squad_f1", gold, b=[""] * 12)


UNSPACED = {"ja-mecab": "これは{}番目の文です。", "zh": "这是第{}句话，请看。", "char": "นี่คือประโยคที่{}ครับผม"}


@pytest.mark.parametrize("tokens", UNSPACED)
@pytest.mark.parametrize(
    ("metric", "way"), [("bleu", "bleu:tokenize={}"), ("wer", "cer"), ("ter", "chrf"), ("chrf", ""), ("cer", "")]
)
def test_references_without_blanks_are_no_words_to_count(tokens: str, metric: str, way: str) -> None:
    """BLEU of Japanese was 1.2 for 25: a line is one word to 13a, and nothing differed."""
    texts = [UNSPACED[tokens].format(k) for k in range(30)]
    systems = {"a": texts[1:] + texts[:1], "b": texts}
    found = outscore.score(systems, references=texts, metrics=metric)
    notes = [note for note in found.notes if note.code == "no_blanks"]
    assert [note.remedy.split(",")[0] for note in notes] == [f"say -m {way.format(tokens)}"] * bool(way)


@pytest.mark.parametrize("metric", ["bleu:tokenize=zh", "bleu:tokenize=char"])
def test_a_tokenizer_of_the_script_is_no_matter(metric: str) -> None:
    texts = [UNSPACED["zh"].format(k) for k in range(30)]
    assert not said("no_blanks", outscore.score({"a": texts}, references=texts, metrics=metric))


def test_other_references_have_blanks_or_long_words() -> None:
    for texts in (GOLD, [f"Donaudampfschifffahrtsgesellschaft{k}" for k in range(30)], ["서울에 갑니다 오늘"] * 30):
        assert not said("no_blanks", outscore.score({"a": texts}, references=texts, metrics="bleu"))
