"""Tries what no model may reach, from a pod with a model's labels, and says loudly what answered.

MODE=strict: ends with 1 when anything was reached; MODE=warn: only says so. TARGETS: host:port of what else is tried.
"""

import os
import socket
import struct
import sys
from collections.abc import Iterator

PATIENCE_S = 3.0
# What is the address (A, internet) of kubernetes.default.svc?
QUERY = (
    struct.pack(">HHHHHH", 7, 0x0100, 1, 0, 0, 0) + b"\x0akubernetes\x07default\x03svc\x00" + struct.pack(">HH", 1, 1)
)


def connects(host: str, port: int) -> bool:
    """Whether a TCP connection is opened. One that is refused tells nothing: so do plugins what they forbid."""
    try:
        socket.create_connection((host, port), timeout=PATIENCE_S).close()
    except OSError:
        return False
    return True


def answers(server: str) -> bool:
    """Whether a DNS server answers a question over UDP."""
    with socket.socket(socket.AF_INET6 if ":" in server else socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.settimeout(PATIENCE_S)
        try:
            asking.connect((server, 53))
            asking.send(QUERY)
            return bool(asking.recv(512))
        except OSError:
            return False


def nameservers() -> list[str]:
    """The servers of /etc/resolv.conf."""
    with open("/etc/resolv.conf") as file:
        return [line.split()[1] for line in file if line.startswith("nameserver ")]


def attempts() -> Iterator[tuple[str, bool]]:
    """What is tried: its name, and whether it was reached."""
    for server in nameservers():
        yield f"DNS at {server}", answers(server)
    yield "the API server", connects(os.environ["KUBERNETES_SERVICE_HOST"], int(os.environ["KUBERNETES_SERVICE_PORT"]))
    for target in os.environ["TARGETS"].split():
        host, _, port = target.rpartition(":")
        yield target, connects(host, int(port))
    yield "the cloud's metadata server", connects("169.254.169.254", 80)
    yield "the internet", connects("1.1.1.1", 443)


reached = []
for name, was_reached in attempts():
    print(f"{'REACHED' if was_reached else 'not reached'}: {name}", flush=True)
    if was_reached:
        reached.append(name)
if not reached:
    print("PASSED: a model reaches nothing")
elif os.environ["MODE"] == "warn":
    print("WARNING: this cluster's network plugin does not enforce NetworkPolicy; models can reach what is named above")
else:
    print(
        "FAILED: this cluster's network plugin does not enforce NetworkPolicy; a model can reach what is named above. "
        "Use a plugin that does (Calico, Cilium), or set tests.network=warn if you trust the models' authors."
    )
    sys.exit(1)
