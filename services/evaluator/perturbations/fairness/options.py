"""How the fairness perturbations read and draw: each choice is a switch. Pure."""

from dataclasses import dataclass
from typing import Literal

EntityPolicy = Literal["skip_example", "skip_span"]


@dataclass(frozen=True)
class FairnessOptions:
    """The defaults follow the paper where its draw can be trusted, and its intent where it cannot."""

    # A familiar entity at risk ("Red Robin", "James Bond", or any famous person): leave the whole example alone, as the
    # paper does, or only the entity.
    entity_policy: EntityPolicy = "skip_example"
    # The paper's own draw: all of its names ("In", "May"), each occurrence for itself, from any other group whatever
    # the gender; names without their pronouns, pronouns without their names.
    paper_random: bool = False
    # spaCy pipelines to use besides our rules, the first that is installed. Empty: rules and gazetteer alone.
    pipelines: tuple[str, ...] = ("en_core_web_trf", "en_core_web_lg", "en_core_web_md", "en_core_web_sm")
