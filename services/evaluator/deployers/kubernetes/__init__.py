"""Models as pods of a Kubernetes cluster."""
