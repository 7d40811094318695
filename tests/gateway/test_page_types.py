"""The page's types of the API are those of the gateway as it is."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from services.gateway.openapi import document

WEB = Path(__file__).parents[2] / "services" / "gateway" / "web"
GENERATOR = WEB / "node_modules" / "openapi-typescript" / "bin" / "cli.js"


def test_the_page_knows_the_api_as_the_gateway_has_it(tmp_path: Path) -> None:
    # Where the machine's own Node is too old, one lies beside Python (see the Makefile).
    node = shutil.which("node", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    if node is None or not GENERATOR.is_file():
        pytest.skip("the page's packages are not installed; `make web` does it")
    (tmp_path / "openapi.json").write_text(document())
    made = tmp_path / "schema.d.ts"
    command = [node, str(GENERATOR), str(tmp_path / "openapi.json"), "--output", str(made)]
    subprocess.run(command, check=True, cwd=WEB, capture_output=True, timeout=60)
    kept = WEB / "src" / "api" / "schema.d.ts"
    assert kept.read_text() == made.read_text(), "the page's types are stale: run `make web-api`"
