"""Prints the gateway's OpenAPI document; the page's types are made from it (`make web-api`)."""

import json

from services.gateway.app import create_app
from services.gateway.settings import GatewaySettings


def document() -> str:
    """The document as JSON. Nothing is connected to: the database's address is never used."""
    app = create_app(GatewaySettings(database_url="postgresql://nowhere/none"))
    return json.dumps(app.openapi(), indent=1)


if __name__ == "__main__":
    print(document())
