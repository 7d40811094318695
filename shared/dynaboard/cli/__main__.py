"""`python -m dynaboard.cli` is the `dynaboard` command where it is not installed."""

from dynaboard.cli import main

main()
