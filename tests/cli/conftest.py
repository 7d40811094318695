"""The command, run in this process as a shell would: arguments and stdin in; exit code, stdout and stderr out."""

import io
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from dynaboard.cli import main
from tests.client import fake_gateway
from tests.client.fake_gateway import PART, Gateway


@dataclass(frozen=True)
class Ran:
    """What came of a command."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on stdout; fails if there is anything else."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture(scope="session")
def running_gateway() -> Iterator[Gateway]:
    """One server a run."""
    with fake_gateway.running() as gateway:
        yield gateway


@pytest.fixture
def gateway(running_gateway: Gateway) -> Gateway:
    """A gateway that knows nothing yet."""
    running_gateway.forget()
    return running_gateway


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home of the test's own, and no account in the environment."""
    home = tmp_path / "home"
    for name in [name for name in os.environ if name.startswith("DYNABOARD_")]:
        monkeypatch.delenv(name)
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(home / name))
    return home


@pytest.fixture
def account(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ada, logged in by the environment."""
    monkeypatch.setenv("DYNABOARD_URL", gateway.url)
    monkeypatch.setenv("DYNABOARD_KEY", "ada-key")


@pytest.fixture
def dynaboard(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command: dynaboard("status", "--json")."""

    def run(*arguments: str, stdin: str = "") -> Ran:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["dynaboard", *arguments])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as ended:
            main()
        said = capsys.readouterr()
        return Ran(int(ended.value.code or 0), said.out, said.err)

    return run


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model that says positive, with weights of four parts."""
    return write_model(tmp_path / "model", "positive")


def write_model(folder: Path, label: str) -> Path:
    """A model that gives every example one label."""
    folder.mkdir()
    card = "card: {summary: Always the same., licence: MIT}"
    (folder / "dynaboard.yaml").write_text(f"name: echo\ntask: sentiment\nhandler: handler.py:Handler\n{card}\n")
    (folder / "handler.py").write_text(
        "class Handler:\n"
        "    def load(self, model_dir):\n"
        "        print('loading echo')\n"
        "    def predict(self, examples):\n"
        f"        return [{{'id': example['id'], 'label': '{label}'}} for example in examples]\n"
    )
    (folder / "weights.bin").write_bytes(bytes(range(256)) * (4 * PART // 256))
    return folder
