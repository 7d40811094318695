"""The four services and the command that runs them together."""
