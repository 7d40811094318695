"""Ed25519 signatures (RFC 8032) of an installation: who made a bundle, and that nobody has changed it since."""

import base64
import binascii
import hashlib
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from dynaboard.errors import Invalid

FINGERPRINT_LENGTH = 16


@dataclass(frozen=True)
class PublicKey:
    """The key that signatures are checked with, as base64 of its 32 bytes."""

    text: str

    @property
    def fingerprint(self) -> str:
        """The first digits of the sha256 of the key: short enough to be read out."""
        return hashlib.sha256(_decoded(self.text, 32)).hexdigest()[:FINGERPRINT_LENGTH]

    def has_signed(self, message: bytes, signature: str) -> bool:
        """Whether a signature (base64) is this key's, of this message. Raises Invalid for what is no key."""
        try:
            Ed25519PublicKey.from_public_bytes(_decoded(self.text, 32)).verify(_decoded(signature, 64), message)
        except InvalidSignature:
            return False
        return True


class SigningKey:
    """The installation's own key. It never leaves this object as text."""

    def __init__(self, pem: str) -> None:
        """Take a private key as `openssl genpkey -algorithm ed25519` writes it. Raises Invalid for anything else."""
        try:
            key = serialization.load_pem_private_key(pem.encode(), password=None)
        except (ValueError, TypeError):
            key = None
        if not isinstance(key, Ed25519PrivateKey):
            raise Invalid("The signing key is not an Ed25519 key; make one with: openssl genpkey -algorithm ed25519")
        self._key = key

    @property
    def public(self) -> PublicKey:
        """The key to check signatures with."""
        raw = self._key.public_key().public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)
        return PublicKey(base64.b64encode(raw).decode())

    def sign(self, message: bytes) -> str:
        """The signature of a message, as base64."""
        return base64.b64encode(self._key.sign(message)).decode()


def new_signing_key() -> str:
    """A new private key as PEM text."""
    return (
        Ed25519PrivateKey.generate()
        .private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        .decode()
    )


def _decoded(text: str, length: int) -> bytes:
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raw = b""
    if len(raw) != length:
        raise Invalid("This is not a public key or signature of a Dynaboard: it is not base64 of the right length.")
    return raw
