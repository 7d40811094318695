"""What a model answered on one dataset, beside what is right: the input of every metric."""

from collections.abc import Sequence
from dataclasses import dataclass

from services.scoring.board import FloatArray
from services.scoring.metrics.coded import Rows, taken


@dataclass(frozen=True, eq=False)
class Answers:
    """Predictions and references in the order of the dataset, n of each.

    `predictions` are labels, or answer texts for qa. `references` are the accepted labels or answers of each example:
    more than one where any of them is right (HANS: neutral or contradictory). Stored ones are coded columns, and long:
    `each` and `each_pair` of services.scoring.metrics.coded spare a loop over the examples. `labels` are the task's,
    empty for qa.
    `probabilities` has the shape n × labels, `confidences` (n,); None where the model gave none for some example.
    Raises ValueError where the lengths differ.
    """

    predictions: Sequence[str]
    references: Sequence[Sequence[str]]
    labels: tuple[str, ...] = ()
    probabilities: FloatArray | None = None
    confidences: FloatArray | None = None

    def __post_init__(self) -> None:
        count = len(self.predictions)
        for given in (self.references, self.probabilities, self.confidences):
            if given is not None and len(given) != count:
                raise ValueError(f"{count} predictions, but {len(given)} of what belongs to them")

    def __len__(self) -> int:
        return len(self.predictions)

    def subset(self, rows: Rows) -> "Answers":
        """The answers to some of the examples."""
        return Answers(
            taken(self.predictions, rows),
            taken(self.references, rows),
            self.labels,
            None if self.probabilities is None else self.probabilities[rows],
            None if self.confidences is None else self.confidences[rows],
        )
