"""A model's pod as Kubernetes wants it told: dataclasses in, a dict out. Pure.

The pods of all models are alike. Two submissions' differ in their name, two labels, the archive's sha256 and a token.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dynaboard.runtime.limits import MIB, Limits
from dynaboard.runtime.pod import options
from services.evaluator.deployers.purpose import EVALUATED, INTERACTIVE, Purpose

RECEIVE, MODEL = "receive", "model"
UID = 65532
APP, MANAGED, INSTALLATION, PURPOSE, EVALUATOR, SUBMISSION = (
    "app.kubernetes.io/name",
    "app.kubernetes.io/managed-by",
    "dynaboard.org/installation",
    "dynaboard.org/purpose",
    "dynaboard.org/evaluator",
    "dynaboard.org/submission",
)
OURS = {APP: "dynaboard-model", MANAGED: "dynaboard"}
MODEL_VOLUME, SCRATCH_VOLUME, RUN_VOLUME = "model", "tmp", "run"
# TorchServe's files and the model's log.
RUN_BYTES = 64 * MIB
GRACE_S = 2
# A node that does not answer for so long has lost its pods: Kubernetes itself would wait five minutes.
GONE_AFTER_S = 30
HOSTNAME = "kubernetes.io/hostname"
# A measurement must not be moved: what tidies clusters up asks for these. Nor may a mesh put its own into the pod.
ALONE = {
    "cluster-autoscaler.kubernetes.io/safe-to-evict": "false",
    "karpenter.sh/do-not-disrupt": "true",
    "sidecar.istio.io/inject": "false",
    "linkerd.io/inject": "disabled",
}


@dataclass(frozen=True)
class Identity:
    """What makes one pod this one. `submission` is an id of ours, or "reference"; `token` opens its control port.

    `evaluator` made it, and is one of those that share the database of this `installation`.
    """

    name: str
    purpose: Purpose
    evaluator: str
    submission: str
    digest: str
    token: str = field(repr=False)
    installation: str = ""


@dataclass(frozen=True)
class Terms:
    """What all pods of an installation share. `cpu` in processors, sizes in bytes; `longest_s` ends a pod for good."""

    image: str
    limits: Limits
    cpu: float
    server_bytes: int
    disk_bytes: int
    longest_s: int
    pull_secrets: Sequence[str] = ()
    runtime_class: str = ""
    node_selector: Mapping[str, str] = field(default_factory=dict)
    interactive_node_selector: Mapping[str, str] = field(default_factory=dict)
    tolerations: Sequence[Mapping[str, Any]] = ()


def pod(identity: Identity, terms: Terms, node: str = "") -> dict[str, Any]:
    """The pod's manifest; on this very node if one is named."""
    labels = {
        INSTALLATION: identity.installation,
        PURPOSE: identity.purpose,
        EVALUATOR: identity.evaluator,
        SUBMISSION: identity.submission,
    }
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": identity.name, "labels": OURS | labels, "annotations": dict(ALONE)},
        "spec": {
            **_closed(),
            **_placement(identity.purpose, terms, node),
            "restartPolicy": "Never",
            "terminationGracePeriodSeconds": GRACE_S,
            "activeDeadlineSeconds": terms.longest_s,
            "imagePullSecrets": [{"name": name} for name in terms.pull_secrets],
            "initContainers": [_container(RECEIVE, identity, terms)],
            "containers": [_container(MODEL, identity, terms)],
            "volumes": [
                {"name": MODEL_VOLUME, "emptyDir": {"sizeLimit": str(terms.disk_bytes)}},
                _in_memory(SCRATCH_VOLUME, terms.limits.scratch_bytes),
                _in_memory(RUN_VOLUME, RUN_BYTES),
            ],
        },
    }


def _closed() -> dict[str, Any]:
    """No token, no names of services, no DNS, no root."""
    return {
        "automountServiceAccountToken": False,
        "enableServiceLinks": False,
        "hostname": "model",
        "dnsPolicy": "None",
        "dnsConfig": {"nameservers": ["127.0.0.1"]},
        "securityContext": {
            "runAsNonRoot": True,
            "runAsUser": UID,
            "runAsGroup": UID,
            "fsGroup": UID,
            "seccompProfile": {"type": "RuntimeDefault"},
        },
    }


def _placement(purpose: Purpose, terms: Terms, node: str) -> dict[str, Any]:
    """Where it may run: no two measurements on a node, and questions rather elsewhere."""
    selector = terms.interactive_node_selector if purpose == INTERACTIVE else terms.node_selector
    gone = [
        {
            "key": f"node.kubernetes.io/{key}",
            "operator": "Exists",
            "effect": "NoExecute",
            "tolerationSeconds": GONE_AFTER_S,
        }
        for key in ("not-ready", "unreachable")
    ]
    affinity: dict[str, Any] = {}
    away = {"labelSelector": {"matchLabels": OURS | {PURPOSE: EVALUATED}}, "topologyKey": HOSTNAME}
    if node:  # by the name of the node, which its label may differ from
        here = {"matchFields": [{"key": "metadata.name", "operator": "In", "values": [node]}]}
        required = {"nodeSelectorTerms": [here]}
        affinity["nodeAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": required}
    elif purpose == EVALUATED:
        affinity["podAntiAffinity"] = {"requiredDuringSchedulingIgnoredDuringExecution": [away]}
    else:
        preferred = [{"weight": 100, "podAffinityTerm": away}]
        affinity["podAntiAffinity"] = {"preferredDuringSchedulingIgnoredDuringExecution": preferred}
    return {
        "nodeSelector": dict(selector),
        "tolerations": [*map(dict, terms.tolerations), *gone],
        "affinity": affinity,
        **({"runtimeClassName": terms.runtime_class} if terms.runtime_class else {}),
    }


def _container(name: str, identity: Identity, terms: Terms) -> dict[str, Any]:
    """Both containers have the same limits, so that the pod as a whole is Guaranteed what the model gets."""
    serves = name == MODEL
    token, ports = identity.token, {"control": options.CONTROL_PORT}
    environment = options.serving(token, terms.limits) if serves else options.receiving(token, identity.digest)
    memory = terms.limits.memory_bytes + terms.limits.scratch_bytes + terms.server_bytes
    amounts = {"cpu": f"{round(terms.cpu * 1000)}m", "memory": str(memory)}
    if serves:
        ports["inference"] = options.INFERENCE_PORT
    return {
        "name": name,
        "image": terms.image,
        "imagePullPolicy": "IfNotPresent",
        "args": ["serve" if serves else "receive"],
        "env": [{"name": key, "value": value} for key, value in environment.items()],
        "ports": [{"name": key, "containerPort": port, "protocol": "TCP"} for key, port in ports.items()],
        "resources": {"requests": amounts, "limits": dict(amounts)},
        "securityContext": _locked(),
        "volumeMounts": [
            {"name": MODEL_VOLUME, "mountPath": "/model", "readOnly": serves},
            {"name": SCRATCH_VOLUME, "mountPath": "/tmp", "readOnly": False},
            {"name": RUN_VOLUME, "mountPath": "/run/dynaboard", "readOnly": False},
        ],
        **({"readinessProbe": _probe()} if serves else {}),
    }


def _locked() -> dict[str, Any]:
    return {
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
        "readOnlyRootFilesystem": True,
        "runAsNonRoot": True,
        "seccompProfile": {"type": "RuntimeDefault"},
    }


def _probe() -> dict[str, Any]:
    """For whoever looks at the pod: ready when the model is loaded. Seldom, for it may fall into a measurement."""
    return {"httpGet": {"path": "/readyz", "port": "control"}, "periodSeconds": 30, "timeoutSeconds": 5}


def _in_memory(name: str, size: int) -> dict[str, Any]:
    """What the model may write to. It counts as its memory: no model can fill a node's disk, with names or without."""
    return {"name": name, "emptyDir": {"medium": "Memory", "sizeLimit": str(size)}}
