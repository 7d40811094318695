"""Perturbed copies of datasets: made once, stored under their digest, shared by all models."""
