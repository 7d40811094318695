"""Lines of a text file, bounded: nothing here holds more than one line, and a line has a greatest length."""

from collections.abc import Iterator
from typing import BinaryIO

from dynaboard.errors import Invalid

MAX_LINE_BYTES = 8 * 2**20
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def numbered_lines(stream: BinaryIO) -> Iterator[tuple[int, str]]:
    """(line number from 1, the line with its ending). Raises Invalid for a line too long or not UTF-8."""
    number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise Invalid(f"line {number}: longer than {MAX_LINE_BYTES // 2**20} MiB; is this a file of that format?")
        try:
            yield number, (line.removeprefix(BYTE_ORDER_MARK) if number == 1 else line).decode()
        except UnicodeDecodeError:
            raise Invalid(f"line {number}: not UTF-8 text; convert the file to UTF-8") from None
