"""A hostile model: when loaded it tries everything a stranger would, and prints what it got. Standard library only."""

import json
import os
import socket
import sys

PROBED = "PROBED "
SECRET_FILES = ("/var/run/secrets", "/run/secrets", "/etc/kubernetes", "/root/.kube", "/data/secrets")


def tried(work):
    """What came of it, or the error's name."""
    try:
        return work()
    except BaseException as error:
        return f"{type(error).__name__}: {error}"


def connected(address):
    """Reach a server by TCP."""
    host, port = address.rsplit(":", 1)
    with socket.create_connection((host, int(port)), timeout=3):
        return "connected"


def written(folder):
    """Leave a file in a folder."""
    path = os.path.join(folder, "dynaboard-probe")
    with open(path, "w") as file:
        file.write("x")
    os.remove(path)
    return "written"


def writable(top="/"):
    """Every folder in which a file can be made."""
    found = []
    for folder, below, _ in os.walk(top):
        below[:] = [name for name in below if os.path.join(folder, name) not in ("/proc", "/sys")]
        if os.access(folder, os.W_OK) and tried(lambda folder=folder: written(folder)) == "written":
            found.append(folder)
    return found


def environments():
    """The environment of every process that lets itself be read."""
    found = {}
    for number in filter(str.isdigit, os.listdir("/proc")):
        found[number] = tried(lambda number=number: environment_of(number))
    return found


def environment_of(number):
    """The variables another process was started with."""
    with open(f"/proc/{number}/environ", "rb") as file:
        return file.read().decode(errors="replace").replace("\0", "\n")


def memory_of(number):
    """Open another process's memory."""
    with open(f"/proc/{number}/mem", "rb"):
        return "opened"


def status():
    """What the kernel says of this process."""
    with open("/proc/self/status") as file:
        pairs = (line.split(":", 1) for line in file if ":" in line)
        return {name: value.strip() for name, value in pairs if name in ("Uid", "CapEff", "NoNewPrivs", "Seccomp")}


class Handler:
    def load(self, model_dir):
        with open(os.path.join(model_dir, "targets.json")) as file:
            targets = json.load(file)
        others = [number for number in filter(str.isdigit, os.listdir("/proc")) if int(number) != os.getpid()]
        report = {
            "environment": dict(os.environ),
            "environments": environments(),
            "memories": {number: tried(lambda number=number: memory_of(number)) for number in others},
            "connections": {address: tried(lambda address=address: connected(address)) for address in targets},
            "resolved": tried(lambda: socket.gethostbyname("kubernetes.default.svc")),
            "secrets": [path for path in SECRET_FILES if os.path.exists(path)],
            "model": tried(lambda: written(model_dir)),
            "writable": writable(),
            "status": status(),
            "hostname": socket.gethostname(),
            "own": os.getpid(),
            "arguments": sys.argv,
        }
        print(PROBED + json.dumps(report), flush=True)

    def predict(self, examples):
        print(PROBED + json.dumps({"fields": sorted({field for example in examples for field in example})}), flush=True)
        return [{"id": example["id"], "label": "neutral"} for example in examples]
