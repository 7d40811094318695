"""The built page is served by the gateway: every one of its addresses, its files for ever, itself anew each time."""

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from services.gateway.secure_headers import SecureHeaders
from services.gateway.web_page import PLACES, add_page
from tests.serving import serving

SOURCE = Path("services/gateway/web/src/app/App.tsx")


@pytest.fixture
def page(tmp_path: Path) -> Iterator[httpx.Client]:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>Dynaboard</title>")
    (tmp_path / "assets" / "index-abc.js").write_text("export {};" * 1000)
    app = FastAPI()
    add_page(app, tmp_path)
    app.add_middleware(SecureHeaders)
    with serving(app) as address, httpx.Client(base_url=address) as http:
        yield http


@pytest.mark.parametrize(
    "address", ["/", "/submit", "/boards/sentiment", "/boards/sentiment/trade-offs?weight.memory=3"]
)
def test_every_address_of_the_page_is_the_same_document(page: httpx.Client, address: str) -> None:
    answer = page.get(address)
    assert (answer.status_code, answer.headers["cache-control"]) == (200, "no-cache")
    assert "<title>Dynaboard</title>" in answer.text


def test_the_page_may_load_nothing_from_elsewhere(page: httpx.Client) -> None:
    assert page.get("/").headers["content-security-policy"].startswith("default-src 'self'")


def test_files_with_a_digest_in_their_name_are_compressed_and_kept_for_ever(page: httpx.Client) -> None:
    answer = page.get("/assets/index-abc.js")
    assert (answer.headers["content-encoding"], answer.headers["cache-control"]) == (
        "gzip",
        "public, max-age=31536000, immutable",
    )


def test_a_file_that_is_not_there_is_not_remembered(page: httpx.Client) -> None:
    answer = page.get("/assets/index-gone.js")
    assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-store")


def test_the_gateway_knows_all_addresses_that_the_page_knows() -> None:
    known = {path.split("/")[1] for path in re.findall(r'<Route path="(/[^"]*)"', SOURCE.read_text())}
    assert known - {""} == set(PLACES)
