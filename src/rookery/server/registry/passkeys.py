"""Passkeys: one more way back to the same person, by what a device or a security key proves.

A challenge is signed, not stored: it says for whom it is and until when, with a code that only the
servers of one database can make. So asking for challenges costs nobody anything. Once answered, it
is noted in the store, in the same step as what it was answered for; so it is answered once.

The package webauthn checks what browsers send; it comes with ``rookery-cards[passkeys]``.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64decode
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from typing import Final, NamedTuple

from rookery.server import names
from rookery.server.names import base64url
from rookery.server.registry.people import Entered
from rookery.server.settings import Settings
from rookery.server.store.base import Challenge, Passkey, Store, Token
from rookery.server.table.state import Who
from rookery.server.work import in_thread

MOST: Final = 10  # passkeys of a person
ANSWERED_IN: Final = 5 * 60_000  # milliseconds
ALGORITHMS: Final = (-7, -8, -257)  # ES256, EdDSA, RS256, as COSE numbers them
_CODE: Final = 32  # bytes
_UNTIL: Final = 8
_RANDOM: Final = 16


class Site(NamedTuple):
    """For which pages passkeys are: the name that devices keep them under, and their origin."""

    name: str
    origin: str


class Made(NamedTuple):
    """What a browser says of a new passkey, as bytes."""

    credential: bytes
    client_data: bytes
    attestation: bytes


class Shown(NamedTuple):
    """What a browser says where somebody shows a passkey, as bytes."""

    credential: bytes
    client_data: bytes
    device_data: bytes
    signature: bytes
    handle: bytes


class Passkeys:
    """The passkeys of the people of one server."""

    here: Final = find_spec("webauthn") is not None

    def __init__(
        self,
        store: Store,
        clock: Callable[[], int],
        kept: int = Settings().keep_person,
        expired_by: Callable[[], int] | None = None,
    ) -> None:
        """Keep passkeys in `store`; see `People` for the times."""
        self._store, self._clock, self._kept = store, clock, kept
        self._expired_by = expired_by or clock
        self._key: bytes | None = None

    async def handle(self, person: Who) -> str:
        """Return the name under which a person's devices know them; it says nothing of them."""
        own = await self._store.passkeys(person.id)
        return own[0].handle if own else base64url(await self._code(person, b"handle"))

    async def challenge(self, person: Who | None) -> str:
        """Return a new challenge, for a passkey of a person, or for somebody to come back."""
        until = self._clock() + ANSWERED_IN
        head = secrets.token_bytes(_RANDOM) + until.to_bytes(_UNTIL)
        return base64url(head + await self._code(person, head))

    async def make(self, site: Site, person: Who, made: Made, by: str, device: str) -> bool:
        """Keep a new passkey of a person, if it is one; `by` is the token that asks."""
        challenge = await self._asked(person, made.client_data)
        if challenge is None:
            return False
        key = await in_thread(_new_key, site, made, read(challenge.text))
        if key is None:
            return False
        handle, now = await self.handle(person), self._clock()
        credential = base64url(made.credential)
        passkey = Passkey(credential, person.id, handle, *key, now, now, device)
        hashed = names.token_hash(by)
        return await self._store.add_passkey(passkey, challenge, hashed, MOST)

    async def come_back(self, site: Site, shown: Shown, device: str) -> Entered | None:
        """Return the person of a passkey with a new session; None where anything is wrong.

        It takes as long where nobody has that passkey.
        """
        challenge = await self._asked(None, shown.client_data)
        if challenge is None:
            return None
        found = await self._store.passkey(base64url(shown.credential))
        asked = read(challenge.text)
        key, before = (None, 0) if found is None else (read(found.key), found.counted)
        count = await in_thread(_count, site, shown, asked, key, before)
        if found is None or count is None or base64url(shown.handle) != found.handle:
            return None
        fresh, now = names.new_token(), self._clock()
        session = Token(names.token_hash(fresh), now, now, device)
        since = self._expired_by() - self._kept
        who = await self._store.use_passkey(found.credential, count, since, challenge, session)
        return None if who is None else Entered(who, fresh)

    async def _asked(self, person: Who | None, client_data: bytes) -> Challenge | None:
        """Return the challenge that was answered, if it was this server's, and is still good."""
        challenge = await in_thread(_challenge_in, client_data)
        if challenge is None or len(challenge) != _RANDOM + _UNTIL + _CODE:
            return None
        head, code = challenge[:-_CODE], challenge[-_CODE:]
        until = int.from_bytes(head[_RANDOM:])
        if not hmac.compare_digest(code, await self._code(person, head)):
            return None
        return Challenge(base64url(challenge), until) if self._clock() < until else None

    async def _code(self, person: Who | None, head: bytes) -> bytes:
        if self._key is None:
            kept = await self._store.secret("challenges", secrets.token_hex(32))
            self._key = bytes.fromhex(kept)
        whose = "" if person is None else person.id
        return hmac.digest(self._key, head + whose.encode(), hashlib.sha256)


def read(text: str) -> bytes:
    """Return the bytes that a text in base64url stands for, see `names.base64url`.

    Raises:
        ValueError: it is not base64url.
    """
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _challenge_in(client_data: bytes) -> bytes | None:
    from webauthn.helpers import parse_client_data_json

    try:
        said = parse_client_data_json(client_data)
        challenge: bytes | None = None if said.cross_origin else said.challenge
    except Exception:  # whatever a stranger sends, and the package makes of it
        return None
    return challenge


def _new_key(site: Site, made: Made, challenge: bytes) -> tuple[str, int] | None:
    """Return the public key of a new passkey and its count; None where anything is wrong.

    Nobody is asked which make a device is of, so no certificates are looked at.
    """
    from webauthn import verify_registration_response
    from webauthn.helpers import parse_attestation_object
    from webauthn.helpers.cose import COSEAlgorithmIdentifier
    from webauthn.helpers.structs import (
        AuthenticatorAttestationResponse,
        RegistrationCredential,
    )

    try:
        said = parse_attestation_object(made.attestation)
        if said.fmt not in ("none", "packed") or said.att_stmt.x5c:
            return None
        found = verify_registration_response(
            credential=RegistrationCredential(
                id=base64url(made.credential),
                raw_id=made.credential,
                response=AuthenticatorAttestationResponse(made.client_data, made.attestation),
            ),
            expected_challenge=challenge,
            expected_rp_id=site.name,
            expected_origin=site.origin,
            supported_pub_key_algs=[COSEAlgorithmIdentifier(one) for one in ALGORITHMS],
        )
    except Exception:  # as above
        return None
    if found.credential_id != made.credential:
        return None
    return base64url(found.credential_public_key), found.sign_count


def _count(
    site: Site, shown: Shown, challenge: bytes, key: bytes | None, before: int
) -> int | None:
    """Return the count that a device says with its signature; None where anything is wrong.

    Without a `key` the signature is held against one that nobody has.
    """
    from webauthn import verify_authentication_response
    from webauthn.helpers.structs import AuthenticationCredential, AuthenticatorAssertionResponse

    try:
        found = verify_authentication_response(
            credential=AuthenticationCredential(
                id=base64url(shown.credential),
                raw_id=shown.credential,
                response=AuthenticatorAssertionResponse(
                    shown.client_data, shown.device_data, shown.signature, shown.handle
                ),
            ),
            expected_challenge=challenge,
            expected_rp_id=site.name,
            expected_origin=site.origin,
            credential_public_key=key or _nobodys(),
            credential_current_sign_count=before,
        )
        count: int = found.new_sign_count
    except Exception:  # as above
        return None
    return count


@lru_cache(maxsize=1)
def _nobodys() -> bytes:
    """Return a public key whose other half is thrown away."""
    from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
    from webauthn.helpers import encode_cbor

    point = generate_private_key(SECP256R1()).public_key().public_numbers()
    x, y = (number.to_bytes(32) for number in (point.x, point.y))
    key: bytes = encode_cbor({1: 2, 3: -7, -1: 1, -2: x, -3: y})
    return key
