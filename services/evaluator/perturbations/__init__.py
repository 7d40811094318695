"""The perturbations behind the metrics robustness and fairness: pure functions of an example and a seed.

To add one: write `propose`, name it in its suite's dict; tests/evaluator/perturbations/test_contract.py then holds it
to the contract.
"""

from services.evaluator.perturbations.edits import Perturbation
from services.evaluator.perturbations.fairness import FAIRNESS
from services.evaluator.perturbations.robustness import ROBUSTNESS

PERTURBATIONS: dict[str, Perturbation] = {**ROBUSTNESS, **FAIRNESS}
