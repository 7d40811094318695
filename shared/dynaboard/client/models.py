"""Models: what is shown of them, and to whom."""

from dynaboard.client.connection import Connection, given
from dynaboard.schemas import ModelChange, ModelView

MOST = 200


class Models:
    """`client.models`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def all(self, task: str | None = None) -> list[ModelView]:
        """Every model you may see: published ones and your own; at most 200."""
        return self._connection.ask(list[ModelView], "GET", "models", params=given(task=task, limit=MOST))

    def get(self, model_id: str) -> ModelView:
        """A model, its versions and its card."""
        return self._connection.ask(ModelView, "GET", f"models/{model_id}")

    def change(self, model_id: str, change: ModelChange) -> ModelView:
        """Publish, hide, name or anonymise a model of yours; what `change` leaves out stays."""
        body = change.model_dump(exclude_none=True)
        return self._connection.ask(ModelView, "PATCH", f"models/{model_id}", json=body)
