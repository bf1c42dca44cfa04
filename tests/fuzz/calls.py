"""Commands as they might be typed, on files of which one or two are broken."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

from outscore.data.readers import readers
from tests.cli.commandline import BASE, NEW, REFERENCES, outscore
from tests.fuzz.mutate import mutate

_ITEMS = 12
_FEW = ("-n", "60")
_ONE = (*_FEW, "-j", "1")
_ODD = [
    *(
        "nan",
        "inf",
        "-1",
        "0",
        "1",
        "2",
        "1e-320",
        "1e999",
        "99999999999999999999",
        "",
        " ",
        "-",
        "=1",
        "x",
        "0x10",
        "½",
    ),
    *(
        "score",
        "item",
        "system",
        "a,b",
        "a=b",
        "bleu:",
        "bleu:x=1",
        "f1:average=macro",
        "t",
        "bootstrap:form=bca",
        "../x",
    ),
    *("\x1b[31m", "\u202e", "\udcff", "'; echo x", "a" * 300, "*", "[", "{}", "1,2,3", "0.5,0.1", "json:x=1"),
]


def _numbers(seed: int) -> str:
    draw = random.Random(seed)
    return "".join(f"{draw.choice([0, 1, draw.random()]):.3g}\n" for _ in range(_ITEMS))


def _table() -> str:
    draw = random.Random(1)
    rows = ["system,run,item,score,acc,cluster,domain,human,judge,output,gold"]
    rows += [
        f"{system},{run},q{i},{draw.gauss(0, 1):.3f},{draw.randrange(2)},{i // 3},{'ab'[i % 2]},"
        f"{draw.randrange(2) if i % 2 else ''},{draw.randrange(2)},{'xyz'[draw.randrange(3)]},{'xyz'[i % 3]}"
        for system in "ABC"
        for run in (1, 2)
        for i in range(_ITEMS)
    ]
    return "\n".join(rows) + "\n"


def _ratings() -> str:
    draw = random.Random(2)
    return "item,annotator,label\n" + "".join(f"{i},{who},{draw.choice('yn?')}\n" for i in range(9) for who in "pqr")


def _battles() -> str:
    draw = random.Random(3)
    rows = (f"{','.join(draw.sample('ABCD', 2))},{draw.choice(['model_a', 'model_b', 'tie'])},{i}" for i in range(40))
    return "model_a,model_b,winner,question_id\n" + "\n".join(rows) + "\n"


_SIGNATURE = "nrefs:1|bs:60|seed:12345|case:mixed|eff:no|tok:13a|smooth:exp|version:2.3.1"
_PRINTED = json.dumps([
    {"name": "BLEU", "score": score, "signature": _SIGNATURE, "system": system, "mean": score, "ci": 5.0, "p_value": p}
    for system, score, p in (("base.txt", 61.2, None), ("new.txt", 71.2, 0.03))
])  # fmt: skip
RIGHT: dict[str, Callable[[], str]] = {
    "ref.txt": lambda: "\n".join(REFERENCES[:_ITEMS]) + "\n",
    "base.txt": lambda: "\n".join(BASE[:_ITEMS]) + "\n",
    "new.txt": lambda: "\n".join(NEW[:_ITEMS]) + "\n",
    "a.scores": lambda: _numbers(4),
    "b.scores": lambda: _numbers(5),
    "table.csv": _table,
    "sized.csv": lambda: _table().replace("\nA,", "\nA.10,").replace("\nB,", "\nA.20,").replace("\nC,", "\nA.40,"),
    "ratings.csv": _ratings,
    "battles.csv": _battles,
    "printed.json": lambda: _PRINTED,
}
COMMANDS = [
    ["compare", "-r", "ref.txt", "base.txt", "new.txt", "-m", "bleu,chrf", *_FEW],
    ["compare", "-r", "ref.txt", "base.txt", "new.txt", "-m", "ter,rouge1", *_FEW, "-f", "html"],
    ["compare", "a.scores", "b.scores", *_FEW],
    ["compare", "a.scores", "b.scores", "--test", "wilcoxon", "-f", "latex"],
    ["compare", "a.scores", "b.scores", *_FEW, "--margin", "0.1", "-f", "csv"],
    ["compare", "table.csv", "-m", "score,acc", *_FEW],
    ["compare", "table.csv", "-m", "acc", "--cluster", "cluster", *_FEW, "-f", "json"],
    ["compare", "table.csv", "-m", "f1", "-c", "reference=gold", *_FEW, "-v"],
    ["compare", "table.csv", "-m", "score", "--by", "domain", *_FEW, "-f", "markdown"],
    ["compare", "table.csv", "-m", "score", "--all-pairs", "--correct", "holm", *_FEW],
    ["rank", "table.csv", "-m", "score", *_FEW],
    ["rank", "battles.csv", "--preferences", *_FEW],
    ["score", "table.csv", "-m", "acc,score", *_FEW],
    ["score", "-r", "ref.txt", "new.txt", "-m", "bleu", *_FEW],
    ["sequential", "table.csv", "-m", "acc", "--missing", "drop"],
    ["replicate", "table.csv", "--set", "domain", "-m", "score", *_FEW],
    ["power", "a.scores", "b.scores", "--effect", "0.2", "--simulations", "20", *_ONE],
    ["power", "t:sd=0.3", "--effect", "0.1"],
    ["advise", "table.csv", "-m", "score"],
    ["agree", "ratings.csv", *_FEW],
    ["judge", "table.csv", "--human", "human", "--judge", "judge"],
    ["correlate", "table.csv", "--human", "judge", "-m", "score", *_FEW],
    ["recheck", "printed.json", "-r", "ref.txt", "base.txt", "new.txt"],
    ["show", "saved.json"],
    ["show", "saved.json", "-f", "html"],
    ["compare", "saved.json", "table.csv", *_FEW],
    ["convert", "table.csv", "-o", "long.csv"],
    ["history", "--history", "uses.db"],
    ["history", "--history", "uses.db", "--check"],
    ["history", "--history", "new.db", "--import", "uses.jsonl"],
    ["compare", "a.scores", "b.scores", *_FEW, "--history", "uses.db"],
    ["study", "all-pairs", "table.csv", "-m", "score", "--test", "t"],
    ["study", "all-pairs", "table.csv", "--set", "domain", "-m", "score,acc", *_ONE, "--resume", "cells"],
    ["study", "gain", "table.csv", "-m", "score", "--test", "t"],
    ["study", "sample-size", "a.scores", "b.scores", "--steps", "3", "-n", "20", "-j", "1"],
    ["study", "calibration", "table.csv", "-m", "score", "--sizes", "4,6", "--rounds", "3", *_ONE],
    ["study", "covariates", "-r", "ref.txt", "base.txt", "new.txt", "-m", "bleu", "--least", "4", *_ONE, "-f", "csv"],
    ["study", "metrics", "-r", "ref.txt", "base.txt", "new.txt", "-m", "bleu,chrf", *_ONE, "-f", "markdown"],
    ["study", "tests", "table.csv", "-m", "score", *_ONE, "-f", "json"],
    ["study", "runs", "table.csv", "-m", "score", "--draws", "5", *_ONE],
    ["study", "runs-size", "--runs", "2,3", "--ratios", "0,1", "--rounds", "3", *_ONE],
    ["study", "ties", "--sizes", "5,10", "--rounds", "20", *_ONE],
    ["study", "toys", "--sizes", "5,10", "--rounds", "20", *_ONE, "-f", "latex"],
    ["study", "power-size", "--sizes", "10", "--t-sizes", "10", "--rounds", "20", *_ONE],
    ["study", "ppv", "--odds", "0.1", "--power", "0.5", "--rounds", "50", "--sizes", "20", "-j", "1"],
    ["study", "printed", "--runs", "48.4,0.5,300 49.9,0.4,300"],
    ["study", "training-size", "sized.csv", "-m", "score", *_ONE],
]
"""On the files of ``RIGHT``, on a saved result and on a history."""


def write_right(folder: Path) -> dict[str, bytes]:
    """Writes the right files into the folder and gives the bytes of each."""
    for name, content in RIGHT.items():
        (folder / name).write_text(content(), encoding="utf-8")
    scores = (folder / "a.scores", folder / "b.scores", "-n", "60")
    done = outscore("compare", *scores, "-o", folder / "saved.json", "--history", folder / "uses.db")
    assert done.code == 0, done.err
    done = outscore("history", "--history", folder / "uses.db", "--export", folder / "uses.jsonl")
    assert done.code == 0, done.err
    right = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    for name in readers.names():
        right[f"example-{name}"] = readers.find(name).example.encode()
    return right


def write_wrong(folder: Path, right: dict[str, bytes], draw: random.Random, verb: str = "") -> list[str]:
    """Writes the files of one command into the folder, some of them broken, and gives the command."""
    typed = list(draw.choice([command for command in COMMANDS if verb in ("", command[0])]))
    files = [i for i, word in enumerate(typed) if word in right]
    for i in files:
        if draw.random() < 0.06 and typed[0] not in ("show", "history"):
            name = f"example-{draw.choice(readers.names())}"
        else:
            name = typed[i]
        raw = right[name]
        if draw.random() < 0.4:
            raw = mutate(raw, draw, list(right.values()))
        (folder / typed[i]).write_bytes(raw)
    if draw.random() < 0.05 and files:
        _spoil(folder / typed[draw.choice(files)], draw)
    if draw.random() < 0.15:
        # an option gets a value that is none
        options = [i for i, word in enumerate(typed) if word.startswith("-") and i + 1 < len(typed)]
        if options:
            typed[draw.choice(options) + 1] = draw.choice(_ODD)
    return typed


def _spoil(file: Path, draw: random.Random) -> None:
    """The file is no file: a folder, a link to itself, nothing, or compressed by halves."""
    raw = file.read_bytes()
    file.unlink()
    match draw.randrange(4):
        case 0:
            file.mkdir()
        case 1:
            file.symlink_to(file.name)
        case 2:
            file.write_bytes(b"")
        case 3:
            file.write_bytes(b"\x1f\x8b\x08\x00" + raw)
