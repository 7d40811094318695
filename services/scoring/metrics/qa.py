"""Exact match and token F1 of SQuAD v1.1 (Rajpurkar et al. 2016), the greatest over the reference answers."""

import re
import string
from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

import numpy as np

from services.scoring.board import FloatArray
from services.scoring.metrics.answers import Answers
from services.scoring.metrics.coded import each_pair
from services.scoring.metrics.metric import Metric, percent_of_examples

_ARTICLES = re.compile(r"\b(a|an|the)\b")
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)


@lru_cache(maxsize=4096)  # annotators often give the same answer, and a model copies it
def normalised(text: str) -> str:
    """Lower case, without ASCII punctuation and English articles, single spaces."""
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_NO_PUNCTUATION)).split())


def exact(prediction: str, reference: str) -> float:
    """1 if both are the same once normalised, else 0."""
    return float(normalised(prediction) == normalised(reference))


def token_f1(prediction: str, reference: str) -> float:
    """F1 of the two bags of tokens, 0 to 1; 0 where either is empty, as in v1.1."""
    predicted, expected = normalised(prediction).split(), normalised(reference).split()
    common = (Counter(predicted) & Counter(expected)).total()
    return 2 * common / (len(predicted) + len(expected)) if common else 0.0


def exact_matches(answers: Answers) -> FloatArray:
    """1 where the prediction matches a reference exactly, shape (n,)."""
    return each_pair(answers.predictions, answers.references, partial(_greatest, exact))


def _greatest(score: Callable[[str, str], float], given: str, texts: Sequence[str]) -> float:
    return max((score(given, text) for text in texts), default=0.0)


def _squad_em(answers: Answers) -> FloatArray | None:
    return None if answers.labels else np.column_stack([exact_matches(answers), np.ones(len(answers))])


def _squad_f1(answers: Answers) -> FloatArray | None:
    if answers.labels:
        return None
    scores = each_pair(answers.predictions, answers.references, partial(_greatest, token_f1))
    return np.column_stack([scores, np.ones(len(answers))])


SQUAD_EM = Metric("squad_em", 1, _squad_em, percent_of_examples)
SQUAD_F1 = Metric("squad_f1", 1, _squad_f1, percent_of_examples)
