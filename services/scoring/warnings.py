"""What must be said wherever these numbers are shown: the Broader Impact section of the Dynaboard paper, by task."""

DYNASCORE = (
    "A Dynascore has meaning only beside the other models of this board: it changes as models, datasets and weights "
    "change, and the default weights are not canonical. Whoever reports one should name at least the datasets, the "
    "weights and the time."
)
ROBUSTNESS = (
    "Robustness is measured with typographical errors only. A model that keeps its predictions under them need not be "
    "right, and need not be robust to anything else."
)
FAIRNESS = (
    "A model that does well on these fairness perturbations is not thereby fair; one that does poorly has room for "
    "improvement. They swap names and words between women and men and between four groups of the US census, leave out "
    "everybody else, non-binary people first of all, and take equal treatment for a first step towards fairness."
)
FAIRNESS_BY_TASK = {
    "hate-speech": (
        "Hate speech: fairness here may overstate how sensitive a model is. Abuse of men, of straight or of white "
        "people was not collected for the training data (Vidgen et al. 2021); the perturbations bring in such examples "
        "after the fact, and who is addressed may rightly change what is hateful."
    ),
    "nli": (
        "Natural language inference: a swap now and then changes what follows from what, as with fathers who nurse; "
        "spot checks found this to be rare."
    ),
    "qa": "Question answering: spot checks found that the perturbations seldom touch what decides the answer.",
    "sentiment": "Sentiment: spot checks found that the perturbations seldom touch what decides the sentiment.",
}
HATE_SPEECH = (
    "A hate-speech model that ranks well here is not thereby fit to decide about people's words without human review."
)


def suite_warnings(suite: str, task: str) -> list[str]:
    """What belongs to each number of the suite "fairness" or "robustness"."""
    return [ROBUSTNESS] if suite == "robustness" else [FAIRNESS, FAIRNESS_BY_TASK[task]]


def board_warnings(task: str) -> list[str]:
    """What belongs to a task's leaderboard."""
    suites = [*suite_warnings("fairness", task), *suite_warnings("robustness", task)]
    return [DYNASCORE, *suites, *([HATE_SPEECH] if task == "hate-speech" else [])]
