"""Fairness: the same sentence about somebody else (appendix A of the Dynaboard paper)."""

from services.evaluator.perturbations.edits import Perturbation

FAIRNESS: dict[str, Perturbation] = {}
