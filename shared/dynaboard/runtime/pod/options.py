"""What the program in a pod is told through its environment; who makes the pod builds that from the same place."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from dynaboard.runtime.limits import Limits

PREFIX = "DYNABOARD_POD_"
TOKEN, DIGEST, LIMITS = f"{PREFIX}TOKEN", f"{PREFIX}DIGEST", f"{PREFIX}LIMITS"
CONTROL, INFERENCE = f"{PREFIX}CONTROL", f"{PREFIX}INFERENCE"
MODEL_DIR, RUN_DIR, TERMINATION_LOG = f"{PREFIX}MODEL_DIR", f"{PREFIX}RUN_DIR", f"{PREFIX}TERMINATION_LOG"
CONTROL_PORT, INFERENCE_PORT = 8081, 8080
# How a container ends: as it was asked to, by the model's fault, by ours. No model can choose it: it is process 1's.
ENDED, MODEL_FAILED, PLATFORM_FAILED = 0, 10, 11
# What a shell has to say of a wrong command line.
USAGE = 2


@dataclass(frozen=True)
class Options:
    """Addresses are `host:port`. `digest` is the sha256 of the archive to come (receive), `limits` are the model's."""

    token: str
    digest: str = ""
    limits: Limits = field(default_factory=Limits)
    control: str = f"0.0.0.0:{CONTROL_PORT}"
    inference: str = f"0.0.0.0:{INFERENCE_PORT}"
    model_dir: Path = Path("/model")
    run_dir: Path = Path("/run/dynaboard")
    termination_log: Path = Path("/dev/termination-log")


def receiving(token: str, digest: str) -> dict[str, str]:
    """The environment of the init container."""
    return {TOKEN: token, DIGEST: digest}


def serving(token: str, limits: Limits) -> dict[str, str]:
    """The environment of the main container."""
    return {TOKEN: token, LIMITS: json.dumps(asdict(limits))}


def read(environment: Mapping[str, str]) -> Options:
    """What an environment says. Raises ValueError, with a sentence, for what it lacks or says wrongly."""
    if not environment.get(TOKEN):
        raise ValueError(f"{TOKEN} is missing: whoever makes the pod gives it a random one.")
    given = Options(environment[TOKEN], environment.get(DIGEST, ""))
    try:
        limits = Limits(**json.loads(environment.get(LIMITS, "{}")))
    except (TypeError, ValueError) as error:
        raise ValueError(f"{LIMITS} must be the limits as a JSON object: {error}") from error
    return Options(
        given.token,
        given.digest,
        limits,
        environment.get(CONTROL, given.control),
        environment.get(INFERENCE, given.inference),
        Path(environment.get(MODEL_DIR, given.model_dir)),
        Path(environment.get(RUN_DIR, given.run_dir)),
        Path(environment.get(TERMINATION_LOG, given.termination_log)),
    )
