"""What TorchServe takes for its Python: opens the worker's socket and log outside the sandbox, then becomes the worker.

The worker inherits both as file descriptors, so the sandbox needs no writable path of the host. Standard library only;
runs with `-I -S` in about 15 ms. Arguments: the plan (JSON), then what TorchServe passes.
"""

import json
import os
import socket
import sys


def main() -> None:
    """Replace this process by the planned command."""
    with open(sys.argv[1], encoding="utf-8") as file:
        plan = json.load(file)
    arguments = sys.argv[2:]
    path = arguments[arguments.index("--sock-name") + 1]
    if os.path.exists(path):
        os.remove(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind(path)
    listener.listen(1)
    log = os.open(plan["log"], os.O_WRONLY)
    for descriptor in (listener.fileno(), log):
        os.set_inheritable(descriptor, True)
    job = {**plan["job"], "listener": listener.fileno(), "log": log}
    command = [*plan["command"], json.dumps(job), *arguments[1:]]  # arguments[0] is TorchServe's own worker script
    os.execvpe(command[0], command, plan["environment"])


main()
