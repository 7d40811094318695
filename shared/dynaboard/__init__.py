"""What the four services, the client and the command line share."""

__version__ = "0.1.0"
