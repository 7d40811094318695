"""The S3 server for containers: the key pair of the services, and nobody without it."""

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from botocore.exceptions import ClientError

from dynaboard.embedded import free_port
from dynaboard.settings import Settings
from dynaboard.storage import make_storage

COMMAND = [sys.executable, "-m", "dynaboard.s3_server"]


def wait_for(port: int) -> None:
    deadline = time.monotonic() + 20
    with socket.socket() as probe:
        while probe.connect_ex(("127.0.0.1", port)):
            assert time.monotonic() < deadline
            time.sleep(0.02)


def test_it_keeps_objects_below_the_data_folder_for_those_who_have_the_keys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    keys = {"s3_access_key": "platform", "s3_secret_key": "of-the-test"}
    monkeypatch.setenv("DYNABOARD_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("DYNABOARD_PORT", str(port))
    for name, value in keys.items():
        monkeypatch.setenv(f"DYNABOARD_{name.upper()}", value)
    with subprocess.Popen(COMMAND, stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(port)
            ours = make_storage(Settings(s3_url=f"http://127.0.0.1:{port}", **keys))
            ours.create_bucket()
            ours.put("kept", b"bytes")
            assert (tmp_path / "s3" / "dynaboard" / "kept").read_bytes() == b"bytes"
            guess = make_storage(Settings(s3_url=f"http://127.0.0.1:{port}", **keys | {"s3_secret_key": "guess"}))
            with pytest.raises(ClientError, match=r"403|SignatureDoesNotMatch"):
                guess.client.list_buckets()
            ours.client.close()
            guess.client.close()
        finally:
            server.terminate()


def test_it_does_not_start_without_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DYNABOARD_DATA_DIR", str(tmp_path))
    done = subprocess.run(COMMAND, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert "DYNABOARD_S3_SECRET_KEY" in done.stderr
