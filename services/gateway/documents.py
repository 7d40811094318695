"""The API's own description: OpenAPI at /api/v1/openapi.json, and Swagger UI out of a wheel at /api/v1/docs."""

from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.responses import HTMLResponse
from fastapi.staticfiles import StaticFiles

from services.gateway.page import PAGES
from services.gateway.upstreams import PREFIX

DESCRIPTION = """Evaluation-as-a-service for NLP models: hand in a model, have it measured on every dataset of its task
on the same hardware, and see it ranked by the Dynascore under your own weights.

Send your API key as `Authorization: Bearer dyb_…`. Without one you may read leaderboards, published models, tasks and
the list of datasets, and talk to published models.

An error is always `{"error": "its class", "detail": "one sentence that says what to do"}`.
"""
# Swagger UI styles its elements in place and draws its icons from data addresses; nothing comes from elsewhere.
POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"


def add_documents(app: FastAPI) -> None:
    """Describe the API, and serve the description. To be called when all routes are there."""
    app.title, app.description = "Dynaboard", DESCRIPTION

    @app.get(f"{PREFIX}/openapi.json", include_in_schema=False)
    def document() -> dict[str, Any]:
        return app.openapi()

    @app.get(f"{PREFIX}/docs", include_in_schema=False)
    def docs() -> HTMLResponse:
        return HTMLResponse(PAGES.get_template("docs.html").render(), headers={"content-security-policy": POLICY})

    app.mount("/static/swagger", StaticFiles(directory=_folder("fastapi_offline")))
    app.mount("/static", StaticFiles(directory=_folder("services.gateway")))


def _folder(package: str) -> Path:
    with as_file(files(package) / "static") as folder:
        return folder
