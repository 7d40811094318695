"""A local address that leads into a pod, through the API server: works on every cluster, with any network.

Each connection goes to a pod that is ready at that moment, so that it outlives any one of them.
"""

import random
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from kubernetes import stream

from tests.e2e.kubernetes.cluster import Cluster, is_ready, until

BLOCK = 65536


@contextmanager
def door(cluster: Cluster, namespace: str, selector: str, port: int) -> Iterator[str]:
    """http://127.0.0.1:N, which is `port` of the pods with these labels, for as long as the block lasts."""
    listener = socket.create_server(("127.0.0.1", 0))
    accepting = threading.Thread(target=_accept, args=(listener, cluster, namespace, selector, port), daemon=True)
    accepting.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        accepting.join(5)


def _accept(listener: socket.socket, cluster: Cluster, namespace: str, selector: str, port: int) -> None:
    while True:
        try:
            visitor, _ = listener.accept()
        except OSError:
            return
        arguments = (visitor, cluster, namespace, selector, port)
        threading.Thread(target=_serve, args=arguments, daemon=True).start()


def _serve(visitor: socket.socket, cluster: Cluster, namespace: str, selector: str, port: int) -> None:
    with visitor:
        try:
            ready = until(
                lambda: [pod for pod in cluster.pods(namespace, selector) if is_ready(pod)], 60, "a ready pod"
            )
            name = random.choice(ready).metadata.name
            with cluster.streaming() as core:
                forward = core.connect_get_namespaced_pod_portforward
                opened = stream.portforward(forward, name, namespace, ports=str(port))
        except Exception:  # the pod went at this very moment, and the visitor sees a broken connection, as anywhere
            return
        inside = opened.socket(port)
        answering = threading.Thread(target=_pump, args=(inside, visitor), daemon=True)
        answering.start()
        _pump(visitor, inside)
        answering.join()
        opened.close()
        with suppress(TimeoutError):
            until(lambda: not opened.connected, 5, "the way into the pod is closed")


def _pump(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while block := source.recv(BLOCK):
            sink.sendall(block)
    for end in (sink, source):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
