"""Robustness: typographical errors that leave the meaning alone (appendix B of the Dynaboard paper)."""

from services.evaluator.perturbations.edits import Perturbation

ROBUSTNESS: dict[str, Perturbation] = {}
