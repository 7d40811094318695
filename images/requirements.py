"""Prints what extras of ours need, so that an image has its packages in a layer that a change of our code leaves alone.

python requirements.py pyproject.toml service runtime
"""

import re
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence

OURS = re.compile(r"dynaboard\[(.*)\]")


def requirements(project: Mapping[str, object], extras: Sequence[str]) -> list[str]:
    """The requirements of the package and of these extras, sorted; an extra made of others is taken apart.

    Raises SystemExit when pyproject.toml has no such extra.
    """
    optional = project["optional-dependencies"]
    always = project["dependencies"]
    assert isinstance(optional, Mapping)
    assert isinstance(always, Sequence)
    return sorted({*always, *(line for extra in extras for line in _of(optional, extra))})


def _of(optional: Mapping[str, Sequence[str]], extra: str) -> Iterator[str]:
    if extra not in optional:
        sys.exit(f"no extra named {extra}; choose from {', '.join(optional)}")
    for line in optional[extra]:
        if ours := OURS.fullmatch(line):
            for name in ours[1].split(","):
                yield from _of(optional, name)
        else:
            yield line


if __name__ == "__main__":
    with open(sys.argv[1], "rb") as file:
        print(*requirements(tomllib.load(file)["project"], sys.argv[2:]), sep="\n")
