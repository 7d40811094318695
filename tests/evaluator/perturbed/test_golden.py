"""Perturbed copies are the same bytes everywhere: their digests, as every machine and every Python must make them.

A change of these digests is a change of results: then the version of the perturbations (VERSION) must grow with it.
"""

from hashlib import sha256
from typing import Any

import pytest

from dynaboard.nlp_tasks import TASKS
from services.evaluator.perturbations.edits import Suite
from services.evaluator.perturbations.fairness.options import FairnessOptions
from services.evaluator.perturbed.making import Workers, make_parts
from services.evaluator.perturbed.recipe import SUITES, Recipe

REVIEWS = """
Mary Jackson told her brother James that the film isn't bad, and he believed her.
I WAS NOT IMPRESSED... 2/10, and neither was my wife <br /> (see www.example.com/a?b=c)!
The waiter, who was born in 1995, brought naïve café-goers the wrong receipt ; "lovely" :)
""".strip().splitlines()
TEXTS: dict[str, list[dict[str, Any]]] = {
    "nli": [
        {"context": "Ahmed and his sister Fatima are walking along the river.", "hypothesis": "She is his sister."},
        {"context": "Two women aren't at home; it is 12:30.", "hypothesis": "Nobody there is a widow’s husband."},
    ],
    "sentiment": [{"statement": text} for text in REVIEWS],
    "hate-speech": [{"text": "@user Women like Keisha should have accepted it, he'd said. #no"}, {"text": "🎉 … !!!"}],
    "qa": [
        {
            "context": "In 1905 Emily Carter received her father's letter. Carter's husband, a policeman, did not.",
            "question": "Whose letter did Emily receive?",
            "answers": ["her father's", "father"],
        }
    ],
}
DIGESTS: dict[tuple[str, Suite], str] = {
    ("nli", "fairness"): "a727dd904fa96beacb73800537a83d835e9488100609b9d130828f06e94d8fda",
    ("nli", "robustness"): "f5c3f05d1930021471e177534322b8e557b43e3203cc5c77b7d407535267e27a",
    ("sentiment", "fairness"): "fdc9e60631221d89ee98d7705b703492f5aa8d661d87337cff7e575b02bf043c",
    ("sentiment", "robustness"): "e5c228bcb255d2563fff67e8ffff1c1e86014e4ec74a8e65bbd5f2545a448279",
    ("hate-speech", "fairness"): "05047bb1a584d9bb9356a9f0c2d2690bae5d20841468f21f63d18b1ce2234293",
    ("hate-speech", "robustness"): "e7ab25622fad72a311cda3652d8e4a6cd2ee10f3c049bf2ac1dbb9e60fb3e078",
    ("qa", "fairness"): "87a1ad526a8798b2fb39a04a8c48208ff298b57089b431139dc86e2beb518d59",
    ("qa", "robustness"): "5592a251e42d4db006f0ece77110ffc446904bba60946428c0786f602336424f",
}


def digest(task: str, suite: Suite, processes: int) -> str:
    """Of a copy made with the rules and lists alone, whichever spaCy pipelines are installed."""
    recipe = Recipe(suite, seed=1, fairness=FairnessOptions(pipelines=()))
    # More than one part, so that several processes have something to do.
    rows = [{"id": f"{task}-{number}", **TEXTS[task][number % len(TEXTS[task])]} for number in range(300)]
    parts = make_parts(TASKS[task], recipe, rows, Workers(processes), lambda: False)
    return sha256(b"".join(line for lines, _ in parts for line in lines)).hexdigest()


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("task", TEXTS)
def test_a_copy_has_the_same_digest_on_every_machine_and_python(task: str, suite: Suite) -> None:
    assert digest(task, suite, 1) == DIGESTS[task, suite]


@pytest.mark.parametrize("suite", SUITES)
def test_a_copy_made_by_several_processes_has_the_same_digest(suite: Suite) -> None:
    assert digest("nli", suite, 2) == DIGESTS["nli", suite]
