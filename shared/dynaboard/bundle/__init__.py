"""Reproducibility bundles: one file that holds results with all that made them, signed by the installation."""
