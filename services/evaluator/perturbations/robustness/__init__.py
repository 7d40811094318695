"""Robustness: typographical errors that leave the meaning alone (appendix B of the Dynaboard paper).

The seven universal transformations of TextFlint 0.1.0 that the paper names, with its default parameters, as edits.
"""

from services.evaluator.perturbations.edits import Perturbation, Propose
from services.evaluator.perturbations.robustness import keyboard, ocr, spelling, typos
from services.evaluator.perturbations.robustness.contraction import contraction
from services.evaluator.perturbations.robustness.options import Options
from services.evaluator.perturbations.robustness.punctuation import punctuation
from services.evaluator.perturbations.robustness.substitution import redrawn, substitution
from services.evaluator.perturbations.robustness.word_case import upper_case

VERSION = 2


def builtin(options: Options) -> dict[str, Perturbation]:
    """The seven transformations under TextFlint's names; `options` says how far they follow it."""
    proposals: dict[str, Propose] = {
        "Contraction": contraction(options),
        "Keyboard": substitution(keyboard.SHARE, redrawn(keyboard.strike_neighbour, options), options),
        "Ocr": substitution(ocr.SHARE, redrawn(ocr.misread, options), options),
        "Punctuation": punctuation(options),
        "SpellingError": substitution(spelling.SHARE, spelling.misspeller(options), options),
        "Typos": substitution(typos.SHARE, redrawn(typos.slip, options), options),
        "WordCase": upper_case,
    }
    return {name: Perturbation(name, "robustness", VERSION, propose) for name, propose in proposals.items()}


ROBUSTNESS: dict[str, Perturbation] = builtin(Options())
