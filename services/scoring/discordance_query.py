"""What may be asked about two models: which, and of which dataset examples are wanted."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

ModelId = Annotated[str, Field(pattern="^[0-9a-f]{32}$", description="A model_id of the board.")]


class DiscordanceQuery(BaseModel):
    """Two models of a board, and the dataset whose examples are shown."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    a: ModelId
    b: ModelId
    dataset: Annotated[str | None, Field(max_length=62, description="Left out: the first scoring dataset.")] = None
    unpublished: Annotated[bool, Field(description="Include unpublished models that you may see.")] = False
    limit: Annotated[int, Field(ge=1, le=50, description="Examples to show.")] = 10
