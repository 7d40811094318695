"""What a perturbation is made of: edits of the original text, never a text put together again from tokens. Pure.

Edits themselves are the shared vocabulary of the services (`dynaboard.edits`); they are named here too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from dynaboard.edits import (
    Edit,
    Edits,
    apply_edits,
    as_json,
    check_edits,
    from_json,
    inverse,
    map_answers,
    map_span,
    occurrences,
    to_original,
)
from dynaboard.nlp_tasks import Task
from services.evaluator.perturbations.draws import Draws

__all__ = [
    "Edit",
    "Edits",
    "Example",
    "Perturbation",
    "Propose",
    "Suite",
    "Variant",
    "apply_edits",
    "as_json",
    "check_edits",
    "from_json",
    "inverse",
    "map_answers",
    "map_span",
    "occurrences",
    "to_original",
]

# A stored example (services.evaluator.datasets.canonical); only its id and its input fields (qa: and answers) are read.
Example = Mapping[str, Any]
Suite = Literal["robustness", "fairness"]


class Variant(NamedTuple):
    """One perturbed form of an example.

    `kind` is what was done ("Keyboard", "name_gender"), `group` between whom ("black-white"; "" where there is nobody).
    """

    kind: str
    group: str
    edits: Edits


Propose = Callable[[Task, Example, Draws], Sequence[Edits | Variant]]


@dataclass(frozen=True)
class Perturbation:
    """A named way of changing examples; `version` grows when the same seed no longer gives the same edits.

    `propose` is a pure function of its arguments. It may return nothing, and edits alone stand for a Variant of the
    perturbation's own name.
    """

    name: str
    suite: Suite
    version: int
    propose: Propose
