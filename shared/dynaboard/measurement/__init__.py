"""Measures what a model costs: throughput, latency, memory and cold start, by one protocol with profiles as data.

`measure` is one model beside the reference, `compare` is two models beside one another.
"""

from dynaboard.measurement.comparison import compare
from dynaboard.measurement.endpoint import Endpoint
from dynaboard.measurement.findings import Comparison, Measurement
from dynaboard.measurement.hardware import HardwareProfile, hardware_profile
from dynaboard.measurement.profiles import PROFILES, PROTOCOL_VERSION, Profile
from dynaboard.measurement.protocol import measure

__all__ = [
    "PROFILES",
    "PROTOCOL_VERSION",
    "Comparison",
    "Endpoint",
    "HardwareProfile",
    "Measurement",
    "Profile",
    "compare",
    "hardware_profile",
    "measure",
]
