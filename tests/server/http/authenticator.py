"""A security key made of software: it makes passkeys and signs with them, or wrongly on purpose."""

from __future__ import annotations

import hashlib
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from typing import Any

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


def written(data: bytes) -> str:
    """Return bytes in base64url, as browsers write them."""
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def read(text: str) -> bytes:
    """Return the bytes of a text in base64url."""
    return urlsafe_b64decode(text + "==")


@dataclass
class Wrong:
    """What of an answer is not as it should be.

    Attributes:
        challenge: another challenge than the one that was asked.
        origin: a page of another site.
        site: another name.
        kind: what was done, by the browser's word.
        crossed: whether a frame of another site asked.
        flags: other than that somebody was there and is who they are.
        count: another count.
        credential: another passkey's name.
        handle: another person's.
        flipped: whether a bit of the signature is turned.
    """

    challenge: str | None = None
    origin: str | None = None
    site: str | None = None
    kind: str | None = None
    crossed: bool = False
    flags: int = PRESENT | VERIFIED
    count: int | None = None
    credential: bytes | None = None
    handle: str | None = None
    flipped: bool = False


RIGHT = Wrong()


@dataclass
class Authenticator:
    """A key with one passkey, for pages of one origin.

    Attributes:
        origin: of the pages.
        counts: whether it counts how often it was used.
    """

    origin: str
    counts: bool = True
    count: int = 0
    handle: str = ""
    credential: bytes = field(default_factory=lambda: secrets.token_bytes(16))
    key: ec.EllipticCurvePrivateKey = field(
        default_factory=lambda: ec.generate_private_key(ec.SECP256R1())
    )

    def made(self, wanted: dict[str, Any], wrong: Wrong = RIGHT, **said: Any) -> dict[str, Any]:  # noqa: ANN401
        """Return the body that keeps the passkey; what is `said` replaces parts of it."""
        self.handle = wanted["handle"]
        credential = wrong.credential or self.credential
        point = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: point.x.to_bytes(32), -3: point.y.to_bytes(32)}
        named = bytes(16) + len(credential).to_bytes(2) + credential + cbor2.dumps(cose)
        data = self._data(wanted, wrong, ATTESTED) + named
        attestation = {"fmt": "none", "attStmt": {}, "authData": data, **said}
        return {
            "credential": written(credential),
            "client_data": written(self._client(wanted, wrong, "webauthn.create")),
            "attestation": written(cbor2.dumps(attestation)),
        }

    def shown(self, asked: dict[str, Any], wrong: Wrong = RIGHT) -> dict[str, Any]:
        """Return the body by which somebody comes back."""
        client = self._client(asked, wrong, "webauthn.get")
        data = self._data(asked, wrong)
        signed = data + hashlib.sha256(client).digest()
        signature = bytearray(self.key.sign(signed, ec.ECDSA(hashes.SHA256())))
        if wrong.flipped:
            signature[-1] ^= 1
        return {
            "credential": written(wrong.credential or self.credential),
            "client_data": written(client),
            "device_data": written(data),
            "signature": written(bytes(signature)),
            "handle": wrong.handle or self.handle,
        }

    def _client(self, asked: dict[str, Any], wrong: Wrong, kind: str) -> bytes:
        told = {
            "type": wrong.kind or kind,
            "challenge": wrong.challenge or asked["challenge"],
            "origin": wrong.origin or self.origin,
            "crossOrigin": wrong.crossed,
        }
        return json.dumps(told).encode()

    def _data(self, asked: dict[str, Any], wrong: Wrong, more: int = 0) -> bytes:
        self.count += self.counts
        count = self.count if wrong.count is None else wrong.count
        name = hashlib.sha256((wrong.site or asked["site"]).encode()).digest()
        return name + bytes([wrong.flags | more]) + count.to_bytes(4)
