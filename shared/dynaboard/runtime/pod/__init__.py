"""The program in a model's pod: `python -m dynaboard.runtime.pod receive` in its init container, then `serve`.

Importable without the rest of the platform; needs no Kubernetes: both run as plain processes too.
"""
