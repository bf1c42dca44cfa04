"""SQuAD: predicted answers by question, and the data set with the gold answers."""

from __future__ import annotations

from typing import ClassVar

from outscore.base.lazy import dataclass
from outscore.data.columns import is_known
from outscore.data.documents import Node, beginning, parse
from outscore.data.readers import Content, Context, Reader, Sniffed, reader
from outscore.data.run import Gold, Run
from outscore.data.source import Source


@reader("squad")
@dataclass(frozen=True)
class SquadPredictions(Reader):
    """``{question id: answer}`` of a system, or the data set (versions 1.1 and 2.0) as references.

    The label ``cluster`` is the passage that a question is about, ``article`` the article that the passage is from. A
    question without an answer has empty references.
    """

    description: ClassVar[str] = "SQuAD: predictions {question id: answer}, and the data set as references"
    example: ClassVar[str] = '{"q1": "in 1066", "q2": "the Normans"}\n'
    priority: ClassVar[int] = 6

    def sniff(self, head: Sniffed) -> bool:
        value, more = beginning("\n".join(head.lines))
        if not isinstance(value, dict) or not value or more:
            return False
        data = value.get("data")
        if isinstance(data, list):
            return bool(data) and isinstance(data[0], dict) and bool({"title", "paragraphs"} & data[0].keys())
        answers = all(isinstance(answer, str) for answer in value.values())
        return head.role == "system" and answers and not any(is_known(key) for key in value)

    def read(self, source: Source, context: Context) -> Content:
        document = parse(source.text, context.file)
        if isinstance(document.get("data").value, list):
            return Content(golds=(_gold(document, context),))
        if context.role != "system":
            raise document.error("has no list 'data', expected the SQuAD data set", "give the file with the questions")
        answers = {question: answer.text() for question, answer in document.fields().items()}
        if not answers:
            raise document.error("holds no answer", "give a file of predictions")
        run = Run(
            system=context.system or context.stem,
            run=context.run or "1",
            ids=tuple(answers),
            outputs=tuple(answers.values()),
            source=context.source(SquadPredictions.name, len(answers)),
        )
        return Content(runs=(run,))


def _gold(document: Node, context: Context) -> Gold:
    ids: list[str] = []
    answers: list[list[str]] = []
    clusters: list[str] = []
    articles: list[str] = []
    for number, article in enumerate(document.get("data").items(), 1):
        named = article.get("title")
        title = str(number) if named.missing else named.text()
        for passage, paragraph in enumerate(article.get("paragraphs").items(), 1):
            for question in paragraph.get("qas").items():
                ids.append(question.get("id").text())
                answers.append(_answers(question))
                clusters.append(f"{title}/{passage}")
                articles.append(title)
    if not ids:
        raise document.error("holds no question", "give the file with the questions")
    count = max(1, *map(len, answers))
    streams = tuple(tuple(several[i] if i < len(several) else "" for several in answers) for i in range(count))
    return Gold(
        ids=tuple(ids),
        references=() if context.role == "items" else streams,
        labels={"cluster": tuple(clusters), "article": tuple(articles)},
        source=context.source(SquadPredictions.name, len(ids), "items" if context.role == "items" else "reference"),
    )


def _answers(question: Node) -> list[str]:
    """The distinct gold answers; none for a question that cannot be answered."""
    if question.get("is_impossible").value is True:
        return []
    return list(dict.fromkeys(answer.get("text").text() for answer in question.get("answers").items()))
