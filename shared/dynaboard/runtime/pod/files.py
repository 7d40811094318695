"""What lies in the folders that a model may write to: Kubernetes looks every minute or so, and counts no files.

A node that runs out of disk or of files evicts pods, whoever's fault it was.
"""

import contextlib
import os
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from dynaboard.runtime.limits import MIB, Limits, size_text

MOST_FILES = 20_000
# What TorchServe and we write there ourselves.
OURS = 32 * MIB
GONE = (FileNotFoundError, NotADirectoryError)
HIDDEN = "The model made a folder that cannot be looked into; leave folders readable and not deep."


def complaint(folders: Iterable[Path], limits: Limits) -> str | None:
    """The sentence for a model that fills these folders; None while it does not. Reads no more than it must."""
    size = 0
    try:
        for number, blocks in enumerate(chain.from_iterable(map(_sizes, folders)), 1):
            size += blocks * 512
            if number > MOST_FILES:
                return f"The model made more than the {MOST_FILES:,} files it may have."
            if size > limits.scratch_bytes + OURS:
                return f"The model wrote more than the {size_text(limits.scratch_bytes)} of files it may have."
    except OSError:  # closed to its own user, or deeper than a path is long: what is in it would not count
        return HIDDEN
    return None


def _sizes(folder: Path) -> Iterator[int]:
    """The disk blocks of each file and folder below this one; links count as themselves, what vanishes is left out.

    What is mounted below is not looked into: a model can mount nothing. Raises OSError where a folder is closed.
    """
    try:
        device, folders = folder.stat().st_dev, [str(folder)]
    except GONE:
        return
    while folders:
        with contextlib.suppress(*GONE), os.scandir(folders.pop()) as entries:
            for entry in entries:
                with contextlib.suppress(*GONE):
                    found = entry.stat(follow_symlinks=False)
                    yield found.st_blocks
                    if entry.is_dir(follow_symlinks=False) and found.st_dev == device:
                        folders.append(entry.path)
