"""Asks the gateway as anybody might; ends with 1 and a sentence when an answer is not what it should be."""

import json
import os
import sys
import time
import urllib.error
import urllib.request
from typing import Any

GATEWAY = os.environ["GATEWAY"]


def get(path: str) -> Any:
    """The answer to a GET as JSON; a gateway that just starts is given a minute."""
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(GATEWAY + path, timeout=10) as answer:
                return json.load(answer)
        except (OSError, ValueError) as error:
            if time.monotonic() > deadline:
                sys.exit(f"FAILED: GET {path}: {error}")
            time.sleep(1)


ready = get("/readyz")
if ready.get("status") != "ready":
    sys.exit(f"FAILED: /readyz says {ready}")
tasks = get("/api/v1/tasks")
if not tasks:
    sys.exit("FAILED: there are no tasks")
for task in tasks:
    board = get("/api/v1/leaderboards/" + task["name"])
    print(f"the leaderboard of {task['name']} has {len(board['rows'])} models")
print("PASSED: the gateway answers")
