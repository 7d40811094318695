"""Runs a submitted model: TorchServe, a sandboxed worker, and a driver that checks every answer."""

from dynaboard.runtime.control import PodAddress
from dynaboard.runtime.limits import Limits
from dynaboard.runtime.predictor import Predictor
from dynaboard.runtime.remote import RemoteServer
from dynaboard.runtime.served import Served
from dynaboard.runtime.server import ModelServer, start_server
from dynaboard.runtime.trial import Trial, trial

__all__ = [
    "Limits",
    "ModelServer",
    "PodAddress",
    "Predictor",
    "RemoteServer",
    "Served",
    "Trial",
    "start_server",
    "trial",
]
