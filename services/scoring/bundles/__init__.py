"""Reproducibility bundles: made from what is stored, verified and repeated where nothing but the bundle is."""
