"""What a model is started for."""

from typing import Final, Literal

Purpose = Literal["evaluation", "interactive", "reference"]
EVALUATED: Final = "evaluation"
INTERACTIVE: Final = "interactive"
REFERENCE: Final = "reference"
