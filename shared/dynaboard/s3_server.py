"""An S3 server in the foreground, for trials in containers: `python -m dynaboard.s3_server`.

It keeps DYNABOARD_DATA_DIR/s3 and takes the same key pair as the services: DYNABOARD_S3_ACCESS_KEY, _SECRET_KEY. One
process, one disk, no copies: keep nothing in it that you could not lose.
"""

import os
import sys
from pathlib import Path

from dynaboard.settings import Settings


class S3ServerSettings(Settings):
    """Where the server listens and what it lets in."""

    port: int = 9000


def command(address: str, folder: Path) -> list[str]:
    """The command line of a server on `address` (host:port) that keeps `folder`; see `environment`."""
    # Without ETags: to make one, rclone reads an object whole before it answers the first request for any of it.
    options = ["--addr", address, "--config", os.devnull, "--etag-hash", ""]
    return [str(Path(sys.executable).parent / "rclone"), "serve", "s3", *options, str(folder)]


def environment(access_key: str, secret_key: str) -> dict[str, str]:
    """The key pair for `command`: not an argument, which every user of the machine could read; one quoted CSV field."""
    return {"RCLONE_AUTH_KEY": f'"{access_key},{secret_key}"'}


def main() -> None:
    """Become the server. Ends with a sentence when the key pair is missing, or rclone."""
    settings = S3ServerSettings()
    if not (settings.s3_access_key and settings.s3_secret_key):
        sys.exit("dynaboard: set DYNABOARD_S3_ACCESS_KEY and DYNABOARD_S3_SECRET_KEY; without them all could read")
    folder = settings.data_dir / "s3"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)  # models, predictions and hidden labels lie in it
    program = command(f"{settings.host}:{settings.port}", folder)
    ours = {name: value for name, value in os.environ.items() if not name.startswith("DYNABOARD_")}
    try:
        os.execve(program[0], program, ours | environment(settings.s3_access_key, settings.s3_secret_key))
    except FileNotFoundError:
        sys.exit("dynaboard: the S3 server is missing: pip install 'dynaboard[embedded]'")


if __name__ == "__main__":
    main()
