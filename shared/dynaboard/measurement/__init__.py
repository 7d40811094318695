"""Measures what a model costs: throughput, latency, memory and cold start, by one protocol with profiles as data."""

from dynaboard.measurement.driver import Measurement, measure
from dynaboard.measurement.hardware import HardwareProfile, hardware_profile
from dynaboard.measurement.plan import PROFILES, PROTOCOL_VERSION, Profile

__all__ = ["PROFILES", "PROTOCOL_VERSION", "HardwareProfile", "Measurement", "Profile", "hardware_profile", "measure"]
