"""Texts to measure with where no dataset is at hand: made-up prose of all lengths, the same everywhere. Pure."""

from random import Random
from typing import Any

from dynaboard.nlp_tasks import Task

COUNT = 512
_VOCABULARY = """
a about after again all although always and any are as at away back because been before began behind between both bridge
but by came carried children city clear cold could country day did door down each early end even every eyes family far
few field film first five for found friend from garden gave good great ground had half hand hardly has he head heard her
here him his home hotel house how hundred if in into is it its just kept knew known land large last late left less
letter light like little long made many market matter meeting more morning most mother much music must name near never
new next night no not nothing now of off often old on once one only or other our out over own paper people perhaps place
plain question quiet rather read river road room said same saw school sea seemed several she should side since small so
some something soon still story street such table than that the their them then there these they thing this those though
thought three through time to together told too town train two under until up upon used very voice walked wall warm was
watch water way we week well went were what when where which while white who whole why will window with without woman
words work world would year yet young
"""
WORDS = tuple(_VOCABULARY.split())
# Words in a field: the context of a question or an inference is a paragraph, everything else a sentence or a few.
LONG, SHORT = (40, 160), (4, 48)


def texts(task: Task, count: int = COUNT) -> list[dict[str, Any]]:
    """Examples of a task without labels, spread over lengths as people's texts are: many short ones, few long."""
    random = Random("dynaboard built-in texts")
    return [{"id": f"text-{n}", **{field: _made(random, task, field) for field in task.inputs}} for n in range(count)]


def _made(random: Random, task: Task, field: str) -> str | list[str]:
    text = _prose(random, field)
    return text.split() if field in task.token_inputs else text


def _prose(random: Random, field: str) -> str:
    least, most = LONG if field == "context" else SHORT
    length = round(least * (most / least) ** random.random())
    sentences: list[str] = []
    while length > 0:
        words = random.choices(WORDS, k=min(random.randint(6, 18), length))
        length -= len(words)
        sentences.append(" ".join(words).capitalize() + ".")
    return " ".join(sentences)
