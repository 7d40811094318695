"""The platform's own PostgreSQL or S3 killed beside it: it ends with a sentence, and the next start has everything."""

from collections.abc import Callable
from pathlib import Path

import httpx
import psutil
import pytest

from dynaboard.embedded import free_port
from examples.local_platform import LocalPlatform, local_platform
from tests.evaluator.world import wait_until


def named(program: str, platform: LocalPlatform) -> list[psutil.Process]:
    """Processes of this program with the platform's folder on their command line or in their environment."""
    folder = str(platform.log.parent)

    def ours(process: psutil.Process) -> bool:
        return process.name() == program and any(folder in part for part in process.cmdline())

    return [process for process in psutil.process_iter() if _safely(ours, process)]


def _safely(ask: Callable[[psutil.Process], bool], process: psutil.Process) -> bool:
    try:
        return ask(process)
    except psutil.Error:
        return False


@pytest.mark.parametrize(("program", "said"), [("postgres", "PostgreSQL has ended"), ("rclone", "S3 server has ended")])
def test_a_lost_server_ends_the_platform_and_a_new_start_goes_on(program: str, said: str, tmp_path: Path) -> None:
    port = free_port()
    with local_platform(tmp_path, port) as platform:
        headers = {"authorization": f"Bearer {platform.key}"}
        made = httpx.post(f"{platform.url}/api/v1/users", headers=headers, json={"name": "ada"}, timeout=30)
        assert made.status_code == 201
        for process in named(program, platform):
            process.kill()
        wait_until(lambda: said in platform.log.read_text(), 20)
    with local_platform(tmp_path, port) as platform:
        users = httpx.get(f"{platform.url}/api/v1/users", headers=headers, timeout=30).json()
        assert [user["name"] for user in users] == ["ada", "admin"]
