"""Addresses that are made from what they stand for: short, and nobody guesses one. Pure."""

from base64 import b32encode
from hashlib import sha256

LENGTH = 10


def digest_of(body: bytes) -> str:
    """sha256 in hexadecimal."""
    return sha256(body).hexdigest()


def address_of(digest: str, length: int = LENGTH) -> str:
    """The first characters of a hexadecimal digest in base32: ten stand for 50 bits."""
    return b32encode(bytes.fromhex(digest)).decode()[:length].lower()
