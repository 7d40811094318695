"""`python -m dynaboard.runtime.pod receive` or `serve`; everything else is said by the environment (options.py)."""

import os
import sys

from dynaboard.runtime.pod.options import USAGE, read
from dynaboard.runtime.pod.receive import receive
from dynaboard.runtime.pod.serve import serve

ROLES = {"receive": receive, "serve": serve}


def main(arguments: list[str]) -> int:
    """Play the role that is named; return the exit status."""
    if len(arguments) != 1 or arguments[0] not in ROLES:
        print(f"say one of: {', '.join(ROLES)}", file=sys.stderr)
        return USAGE
    try:
        options = read(os.environ)
    except ValueError as error:
        print(error, file=sys.stderr)
        return USAGE
    return ROLES[arguments[0]](options)


if __name__ == "__main__":
    status = main(sys.argv[1:])
    sys.stderr.flush()
    os._exit(status)  # threads that wait for a caller need not be waited for
