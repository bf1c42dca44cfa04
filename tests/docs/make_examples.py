"""Makes the files of the folder ``examples``: ``python tests/docs/make_examples.py [FOLDER]``.

All texts and numbers are invented, and the same files come out every time. These are the sets:

- a "translation" test set: ``ref.txt``, three runs each of the systems baseline, tuned and larger, and ``items.csv``,
  which says to which document and domain each segment belongs;
- right or wrong answers of three models to 400 questions about 60 passages: ``scores.csv``;
- labels (``gold.tsv``, ``labels.base.tsv``, ``labels.new.tsv``) and scores, one number a line (``base.seg``,
  ``new.seg``);
- parsed sentences of four genres: ``treebanks/*/gold.conllu`` and the trees of two parsers;
- a benchmark of language models: right and wrong answers (``benchmark.csv``), programs that pass their tests
  (``samples.csv``) and preferences of judges (``preferences.csv``);
- a shared task with twelve systems: ``shared-task.csv``.

Truth is known here because it is made: *larger* makes fewer errors than *baseline* by far, *tuned* makes slightly
fewer. SEED was chosen among 75 so that the gain of *tuned* is one that a test which counts runs as extra items calls
significant and a test over runs and items does not; that is a case which the manual explains.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

SEED = 23

N_SEGMENTS = 300
RUNS = 3
REDRAWN = 0.2  # the share of words on which a run decides anew instead of as its system always does
DRIFT = 0.06  # how much the error rates of the runs of one system differ
SYSTEMS = {"baseline": 0.235, "tuned": 0.220, "larger": 0.145}  # errors per word on an item of mean difficulty

TEMPLATES = {
    "news": [
        "The {body} of {place} will {act} the {thing} {time}, {person} said on {day}.",
        "{person}, who leads the {body}, called the {thing} a {adj} step for {place}.",
        "More than {number} people in {place} have signed the letter against the {thing}.",
        "After {number} hours of talks the {body} agreed to {act} the {thing}.",
        "Nobody was hurt when the {adj} {thing} near {place} had to be closed {time}.",
        "The {body} expects the {thing} to cost {number} million, twice as much as planned.",
        "According to {person}, the {body} did not know of the {thing} before {day}.",
    ],
    "travel": [
        "The {transport} to {place} leaves every {number} minutes from the {adj} station.",
        "From the {sight} you can walk down to the {sight2} in about {number} minutes.",
        "Visitors who come to {place} {time} will find the {sight} {adj} and almost empty.",
        "If it rains, take the {transport} to {place} and spend the day in the {sight}.",
        "The {adj} {sight} of {place} was built by {person} and is open until {day}.",
        "We stayed in a {adj} house behind the {sight} and went to the {sight2} on foot.",
    ],
    "manual": [
        "Press the {colour} button for {number} seconds until the {part} starts to {light}.",
        "Do not open the {part} while the {device} is {adj} or still connected to the {part2}.",
        "Remove the {part} from the {device} and clean it with a {adj} cloth.",
        "If the {colour} lamp does not {light}, check the {part} and restart the {device}.",
        "The {device} stores up to {number} measurements and sends them to the {part2} {time}.",
        "Turn the {part} to the left before you lift the {adj} cover of the {device}.",
    ],
}

WORDS = {
    "body": ["city council", "harbour authority", "ministry", "school board", "railway company", "farmers' union"],
    "place": ["Norwick", "Lake Harrow", "Saint Alda", "Brenfield", "Port Elm", "the old quarter", "Westmoor", "Kallin"],
    "act": ["approve", "reject", "postpone", "examine", "withdraw", "support"],
    "thing": ["bridge", "new tram line", "water tax", "night market", "coal plant", "budget", "flood wall", "library"],
    "time": ["next spring", "at the end of the month", "before the elections", "in early autumn", "twice a year"],
    "person": ["Maria Tanner", "the mayor", "Jonas Weller", "a spokeswoman", "Ada Lindqvist", "the chief engineer"],
    "day": ["Monday", "Tuesday", "Thursday", "Friday", "Sunday"],
    "adj": ["important", "narrow", "quiet", "expensive", "damaged", "small", "beautiful", "dry", "warm", "broken"],
    "number": ["three", "five", "twelve", "twenty", "forty", "sixty", "ninety", "two hundred"],
    "transport": ["ferry", "night train", "bus", "cable car", "tram"],
    "sight": ["castle", "market hall", "lighthouse", "botanical garden", "old mill", "town museum"],
    "sight2": ["harbour", "cathedral", "beach", "vineyard", "fish market"],
    "colour": ["red", "green", "blue", "yellow"],
    "part": ["battery", "filter", "handle", "sensor", "valve", "lid"],
    "part2": ["power supply", "water pipe", "base station", "computer"],
    "device": ["pump", "scale", "thermostat", "printer", "coffee machine", "recorder"],
    "light": ["flash", "glow", "blink"],
}

SYNONYMS = {
    "approve": "accept",
    "reject": "refuse",
    "postpone": "delay",
    "examine": "check",
    "important": "significant",
    "narrow": "tight",
    "quiet": "calm",
    "expensive": "costly",
    "damaged": "harmed",
    "beautiful": "pretty",
    "small": "little",
    "broken": "defective",
    "said": "told",
    "called": "named",
    "expects": "awaits",
    "leaves": "departs",
    "walk": "go",
    "find": "meet",
    "spend": "pass",
    "stayed": "lived",
    "press": "push",
    "remove": "take",
    "clean": "wash",
    "stores": "saves",
    "sends": "transmits",
    "turn": "rotate",
    "lift": "raise",
    "starts": "begins",
    "flash": "light",
    "closed": "locked",
    "hurt": "injured",
    "agreed": "decided",
    "people": "persons",
    "house": "home",
    "ferry": "boat",
    "bridge": "crossing",
    "cover": "hood",
    "button": "key",
    "twice": "double",
    "until": "till",
    "about": "around",
    "almost": "nearly",
    "cloth": "towel",
    "budget": "household",
    "library": "bookshop",
    "harbour": "port",
    "before": "prior",
    "while": "during",
    "near": "by",
    "every": "each",
    "day": "date",
    "talks": "speeches",
    "letter": "writing",
    "three": "thirteen",
    "twelve": "twenty",
    "forty": "fourteen",
    "sixty": "sixteen",
    "ninety": "nineteen",
    "monday": "Sunday",
    "thursday": "Tuesday",
}

ARTICLES = {"the": "a", "a": "the", "in": "at", "at": "in", "of": "from", "to": "into", "on": "at", "from": "of"}


def main(folder: Path) -> None:
    """Writes every example file into ``folder``."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, lines in [
        *translation_files(),
        *question_files(),
        *label_files(),
        *score_files(),
        *treebank_files(),
        *benchmark_files(),
        *shared_task_files(),
    ]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def chance(*key: object) -> random.Random:
    """A stream of random numbers that depends on its key and SEED only."""
    return random.Random(":".join(map(str, (SEED, *key))))


def pick(words: Sequence[str], rng: random.Random) -> str:
    """One of ``words``. Only ``Random.random`` is used in this file: its sequence is the same in every Python."""
    return words[int(rng.random() * len(words))]


def normal(rng: random.Random) -> float:
    """A standard normal number (Box and Muller)."""
    return math.sqrt(-2 * math.log(1 - rng.random())) * math.cos(2 * math.pi * rng.random())


# --- a translation test set -------------------------------------------------------------------------------------------


def translation_files() -> Iterable[tuple[str, list[str]]]:
    """``ref.txt``, ``items.csv`` and the runs of every system."""
    domains = [domain for domain in TEMPLATES for _ in range(N_SEGMENTS // len(TEMPLATES))]
    references: list[str] = []
    for i, domain in enumerate(domains):
        rng = chance("reference", i)
        text = segment(domain, rng)
        while text in references:
            text = segment(domain, rng)
        references.append(text)
    yield "ref.txt", references
    # ten segments make a document
    rows = [f"{i + 1},{domain}-{i % 100 // 10 + 1:02d},{domain}" for i, domain in enumerate(domains)]
    yield "items.csv", ["item,document,domain", *rows]
    for system, rate in SYSTEMS.items():
        for run in range(1, RUNS + 1):
            drift = math.exp(DRIFT * normal(chance("run", system, run)))
            texts = [translated(text, i, system, run, rate * drift) for i, text in enumerate(references)]
            yield f"{system}.run{run}.txt", texts


def segment(domain: str, rng: random.Random) -> str:
    """One invented sentence."""
    text = pick(TEMPLATES[domain], rng)
    for slot, words in WORDS.items():
        text = text.replace("{" + slot + "}", pick(words, rng))
    for vowel in "aei":
        text = text.replace(f" a {vowel}", f" an {vowel}")
    return text[0].upper() + text[1:]


def translated(text: str, item: int, system: str, run: int, rate: float) -> str:
    """``text`` with the errors that this run of this system makes.

    Some items are hard for everybody, some for one system; what a system gets wrong, most of its runs get wrong.
    """
    hard = math.exp(0.5 * normal(chance("difficulty", item)) + 0.3 * normal(chance("affinity", system, item)))
    stable, own = chance("errors", system, item), chance("errors", system, item, run)
    words = text.split(" ")
    result: list[str] = []
    for word in words:
        usual = (stable.random(), stable.random())
        fresh = (own.random(), own.random())
        happens, kind = fresh if own.random() < REDRAWN else usual
        result += damaged(word, kind) if happens < rate * hard else [word]
    # a run now and then puts two words in the wrong order
    if len(result) > 4 and own.random() < rate * hard:
        i = 1 + int(own.random() * (len(result) - 3))
        result[i], result[i + 1] = result[i + 1], result[i]
    return " ".join(result) or words[0]


def damaged(word: str, kind: float) -> list[str]:
    """The word as it goes wrong: another word, another form, or nothing."""
    bare = word.rstrip(".,")
    end, plain = word[len(bare) :], bare.lower()
    other = SYNONYMS.get(plain) or ARTICLES.get(plain)
    if other is not None and kind < 0.8:
        return [(other.capitalize() if bare[0].isupper() else other) + end]
    if kind < 0.6 and len(bare) > 3 and bare.islower():
        return [(bare[:-1] if bare.endswith("s") else bare + "s") + end]
    return []


# --- right or wrong answers -------------------------------------------------------------------------------------------


def question_files() -> Iterable[tuple[str, list[str]]]:
    """``scores.csv``: system, item, score (1 right, 0 wrong), document (the passage asked about), domain."""
    skill = {"small": 0.15, "medium": 0.9, "large": 1.35}
    domains = ("biology", "history", "law")
    documents = [f"p{d + 1:02d}" for d in range(60)]
    rows = ["system,item,score,document,domain"]
    for system, ability in skill.items():
        for q in range(400):
            # passages have five to eight questions
            d = min(59, int(60 * ((q + 0.5) / 400) ** 1.05))
            document, domain = documents[d], domains[d % 3]
            ease = 0.9 * normal(chance("passage", d)) + 0.8 * normal(chance("question", q))
            fit = 0.75 * normal(chance("passage", system, d)) + 0.5 * normal(chance("question", system, q))
            right = ability + ease + fit > 0
            rows.append(f"{system},q{q + 1:03d},{int(right)},{document},{domain}")
    yield "scores.csv", rows


# --- labels and scores ------------------------------------------------------------------------------------------------


def label_files() -> Iterable[tuple[str, list[str]]]:
    """``gold.tsv`` and the labels of two classifiers: sentiment of 250 sentences."""
    labels = ["positive", "negative", "neutral"]
    gold = [pick(labels, chance("gold", i)) for i in range(250)]
    yield "gold.tsv", ["item\tgold", *(f"s{i + 1:03d}\t{label}" for i, label in enumerate(gold))]
    for system, skill in (("base", 0.64), ("new", 0.78)):
        rows = ["item\tprediction"]
        for i, label in enumerate(gold):
            hard = 0.5 * chance("sentence", i).random() + 0.5 * chance("sentence", system, i).random()
            right = hard < skill
            wrong = pick([other for other in labels if other != label], chance("wrong", system, i))
            rows.append(f"s{i + 1:03d}\t{label if right else wrong}")
        yield f"labels.{system}.tsv", rows


def score_files() -> Iterable[tuple[str, list[str]]]:
    """``base.seg`` and ``new.seg``: a learned metric's score of 200 segments, one number a line."""
    for system, mean in (("base", 0.78), ("new", 0.79)):
        values = []
        for i in range(200):
            shared, own = normal(chance("segment", i)), normal(chance("segment", system, i))
            values.append(min(0.9999, mean + 0.06 * shared + 0.03 * own))
        yield f"{system}.seg", [f"{value:.4f}" for value in values]


# --- parsed sentences -------------------------------------------------------------------------------------------------

# word, tag, head, relation; slots are filled from NOUNS and VERBS
TREES = [
    "The DET 3 det,{adj} ADJ 3 amod,{noun} NOUN 4 nsubj,{verb} VERB 0 root,the DET 6 det,{noun2} NOUN 4 obj,"
    "{adv} ADV 4 advmod,. PUNCT 4 punct",
    "{pron} PRON 2 nsubj,{verb} VERB 0 root,{adp} ADP 5 case,the DET 5 det,{noun} NOUN 2 obl,. PUNCT 2 punct",
    "{adp} ADP 2 case,{noun} NOUN 5 obl,, PUNCT 2 punct,{pron} PRON 5 nsubj,{verb} VERB 0 root,that SCONJ 9 mark,"
    "the DET 8 det,{noun2} NOUN 9 nsubj,{verb2} VERB 5 ccomp,. PUNCT 5 punct",
    "The DET 2 det,{noun} NOUN 6 nsubj,{adp} ADP 5 case,the DET 5 det,{noun2} NOUN 2 nmod,{verb} VERB 0 root,"
    "{adv} ADV 6 advmod,. PUNCT 6 punct",
]
LEXICON = {
    "adj": ["old", "quiet", "heavy", "green", "late"],
    "adv": ["slowly", "again", "today", "there"],
    "pron": ["They", "We", "She", "You"],
    "adp": ["near", "with", "behind", "without"],
}
GENRES = {
    "letters": (["friend", "stamp", "answer", "cousin", "envelope"], ["wrote", "sent", "missed", "found"]),
    "recipes": (["oven", "onion", "butter", "pan", "spoon"], ["heat", "cut", "stir", "serve"]),
    "tales": (["wolf", "king", "forest", "miller", "well"], ["saw", "feared", "followed", "left"]),
    "weather": (["storm", "coast", "wind", "cloud", "valley"], ["reaches", "leaves", "covers", "crosses"]),
}
PARSERS = {  # share of words whose head goes wrong, by genre; tags go wrong half as often
    "base": {"letters": 0.20, "recipes": 0.19, "tales": 0.17, "weather": 0.21},
    "new": {"letters": 0.11, "recipes": 0.10, "tales": 0.17, "weather": 0.10},
}
TAGS = ["NOUN", "VERB", "ADJ", "ADV"]


def treebank_files() -> Iterable[tuple[str, list[str]]]:
    """``treebanks/GENRE/gold.conllu`` and the parsers' output: fourteen documents of three sentences each."""
    for genre in GENRES:
        sentences = [(d, k, tree(genre, d, k)) for d in range(14) for k in range(3)]
        gold = []
        for d, k, words in sentences:
            gold += [f"# newdoc id = {genre}-{d + 1:02d}"] * (k == 0)
            gold += [f"# sent_id = {genre}-{d + 1:02d}-{k + 1}", *conllu(words)]
        yield f"treebanks/{genre}/gold.conllu", gold
        for parser, rates in PARSERS.items():
            lines = []
            for d, k, words in sentences:
                hard = math.exp(0.5 * normal(chance("document", parser, genre, d)))
                lines += conllu(parsed(words, rates[genre] * hard, (parser, genre, d, k)))
            yield f"treebanks/{genre}/{parser}.conllu", lines


def tree(genre: str, document: int, number: int) -> list[list[str]]:
    """One invented sentence: its words with tag, head and relation."""
    rng = chance("tree", genre, document, number)
    text = pick(TREES, rng)
    nouns, verbs = GENRES[genre]
    for slot, fillers in {"noun": nouns, "noun2": nouns, "verb": verbs, "verb2": verbs, **LEXICON}.items():
        text = text.replace("{" + slot + "}", pick(fillers, rng))
    # the comma of a sentence is a word as well
    words = [word.split(" ") for word in text.replace(",, PUNCT", ",\n PUNCT").split(",")]
    words[0][0] = words[0][0].capitalize()
    return words


def parsed(words: list[list[str]], rate: float, key: tuple[object, ...]) -> list[list[str]]:
    """The tree with the errors of a parser. A word that is hard is hard for both parsers."""
    result = []
    for i, (form, tag, head, relation) in enumerate(words):
        shared, own = chance("word", *key[1:], i), chance("word", *key, i)
        luck = shared if own.random() < 0.6 else own
        attached = [head, relation]
        if luck.random() < rate and head != "0":
            attached = [str(1 + (int(head) + int(own.random() * (len(words) - 1))) % len(words)), "dep"]
        mistaken = luck.random() < rate / 2
        result.append([form, pick([t for t in TAGS if t != tag], own) if mistaken else tag, *attached])
    return result


def conllu(words: list[list[str]]) -> list[str]:
    """The lines of a sentence in CoNLL-U, and the empty one after it."""
    lines = []
    for i, (form, tag, head, relation) in enumerate(words, 1):
        word = form.replace("\n", ",")
        lines.append(f"{i}\t{word}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_")
    return [*lines, ""]


# --- a benchmark of language models -----------------------------------------------------------------------------------

MODELS = {"small": 0.55, "large": 1.15, "large-int8": 1.15, "rival": 1.0}


def benchmark_files() -> Iterable[tuple[str, list[str]]]:
    """``benchmark.csv`` (1 right, 0 wrong), ``samples.csv`` (right ones of ten programs), ``preferences.csv``."""
    rows = ["item," + ",".join(MODELS)]
    for q in range(600):
        ease = 1.6 * normal(chance("ease", q))
        rows.append(f"q{q + 1:03d}," + ",".join(str(int(answered(model, q, ease))) for model in MODELS))
    yield "benchmark.csv", rows
    rows = ["system,item,n_samples,n_correct"]
    for model, skill in (("small", -0.6), ("large", 0.1)):
        for problem in range(80):
            ease = 1.5 * normal(chance("problem", problem)) + 0.5 * normal(chance("problem", model, problem))
            share = 1 / (1 + math.exp(-(skill + ease)))
            right = sum(chance("program", model, problem, k).random() < share for k in range(10))
            rows.append(f"{model},p{problem + 1:02d},10,{right}")
    yield "samples.csv", rows
    rows = ["item,system1,system2,winner"]
    names = list(MODELS)
    strength = {"small": -0.7, "large": 0.4, "large-int8": 0.35, "rival": 0.1}
    for prompt in range(90):
        for one, other in [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]:
            rng = chance("vote", prompt, one, other)
            wins = 1 / (1 + math.exp(strength[other] - strength[one]))
            winner = "tie" if rng.random() < 0.15 else one if rng.random() < wins else other
            rows.append(f"v{prompt + 1:02d},{one},{other},{winner}")
    yield "preferences.csv", rows


def answered(model: str, question: int, ease: float) -> bool:
    """Whether a model is right. The model in 8-bit numbers differs from the whole one on few questions."""
    whole = model.removesuffix("-int8")
    right = MODELS[whole] + ease + 0.8 * normal(chance("answer", whole, question)) > 0
    return right ^ (whole != model and chance("rounding", question).random() < 0.02)


# --- a shared task ----------------------------------------------------------------------------------------------------

TEAMS = {
    "Aster": 0.62, "Birch": 0.60, "Cedar": 0.59, "Dahlia": 0.58, "Elder": 0.50, "Fern": 0.49,
    "Gorse": 0.47, "Hazel": 0.46, "Iris": 0.40, "Juniper": 0.39, "Knapweed": 0.30, "Larch": 0.24,
}  # fmt: skip


def shared_task_files() -> Iterable[tuple[str, list[str]]]:
    """``shared-task.csv``: a score from 0 to 1 of every answer of twelve systems to 240 questions on 48 passages."""
    rows = ["item,document," + ",".join(TEAMS)]
    for q in range(240):
        passage = q // 5
        ease = 0.20 * normal(chance("text", passage)) + 0.20 * normal(chance("asked", q))
        scores = []
        for team, skill in TEAMS.items():
            own = 0.08 * normal(chance("text", team, passage)) + 0.15 * normal(chance("asked", team, q))
            scores.append(f"{min(1.0, max(0.0, skill + ease + own)):.2f}")
        rows.append(f"q{q + 1:03d},p{passage + 1:02d}," + ",".join(scores))
    yield "shared-task.csv", rows


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[2] / "examples")
