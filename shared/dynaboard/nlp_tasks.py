"""The four NLP tasks of the Dynaboard paper (section 3), as data: what goes in, what must come out, what ranks."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    """One NLP task. `inputs` are the fields a model sees; `labels` is empty where the answer is free text (qa)."""

    name: str
    title: str
    inputs: tuple[str, ...]
    labels: tuple[str, ...]
    performance_metric: str
    memory_budget_gib: float

    @property
    def answer_field(self) -> str:
        """The field of a model's answer that is compared with the reference."""
        return "label" if self.labels else "answer"

    @property
    def reference_field(self) -> str:
        """The field of a stored example that holds what is right; it never reaches a model."""
        return "label" if self.labels else "answers"


# The paper's tables were made on instances of 32 GB, although its text says 16 (scoring design, "memory budget").
PAPER_MEMORY_BUDGET_GIB = 32.0

TASKS: dict[str, Task] = {
    task.name: task
    for task in (
        Task(
            "nli",
            "Natural language inference",
            ("context", "hypothesis"),
            ("entailed", "neutral", "contradictory"),
            "accuracy",
            PAPER_MEMORY_BUDGET_GIB,
        ),
        Task("qa", "Question answering", ("context", "question"), (), "squad_f1", PAPER_MEMORY_BUDGET_GIB),
        Task(
            "sentiment",
            "Sentiment analysis",
            ("statement",),
            ("positive", "negative", "neutral"),
            "accuracy",
            PAPER_MEMORY_BUDGET_GIB,
        ),
        Task("hate-speech", "Hate speech", ("text",), ("hateful", "not-hateful"), "accuracy", PAPER_MEMORY_BUDGET_GIB),
    )
}
