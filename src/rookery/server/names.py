"""Texts that people bring, made fit to be shown, and random ones: codes, numbers and tokens."""

from __future__ import annotations

import base64
import hashlib
import secrets
import unicodedata
from typing import Final

from rookery.unicode.looks import has_unseen

NAME_MAX: Final = 24
TITLE_MAX: Final = 60
CHAT_MAX: Final = 300
RULES_NAME_MAX: Final = 80
RULES_NOTE_MAX: Final = 600
# Without 0 O 1 I L, which look alike on a phone held up across the room.
ALPHABET: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
CODE_LENGTH: Final = 7
PHRASES: Final = (
    *("hello", "good-luck", "well-played", "thanks", "sorry", "nice-hand", "oops", "hurry"),
    *("one-moment", "back-soon", "good-game", "again"),
    *("smile", "laugh", "wow", "sad", "wink", "heart"),  # drawn, not written
)


class BadText(ValueError):
    """A text that cannot be shown to others. Codes: ``bad-name bad-title bad-text``."""

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        self.reason = reason
        super().__init__(reason)


def clean(text: str, longest: int, code: str, what: str) -> str:
    """Return `text` in normal form, its spaces single, if it is fit to be shown to others.

    Raises:
        BadText: it is empty, too long, or holds control, direction or unassigned characters.

    >>> clean("  Ann   B ", 24, "bad-name", "a name")
    'Ann B'
    """
    if len(text) > 4 * longest:
        raise BadText(code, f"{what} has at most {longest} characters")
    shown = " ".join(unicodedata.normalize("NFC", text).split())
    if len(shown) > longest:
        raise BadText(code, f"{what} has at most {longest} characters, not {len(shown)}")
    if any(not _may_show(c) for c in shown):
        raise BadText(code, f"{what} may not hold control or direction characters")
    if all(unicodedata.category(c)[0] in "MZC" for c in shown):
        raise BadText(code, f"{what} has at least one character that can be seen")
    return shown


def clean_name(text: str) -> str:
    """Return a name as it is shown; refused as `clean` and `_visible` say, code ``bad-name``."""
    return _visible(clean(text, NAME_MAX, "bad-name", "a name"), "bad-name", "a name")


def clean_title(text: str) -> str:
    """Return a table's title as it is shown; empty for none; code ``bad-title``."""
    if not text.strip():
        return ""
    return _visible(clean(text, TITLE_MAX, "bad-title", "a title"), "bad-title", "a title")


def clean_chat(text: str) -> str:
    """Return a line of chat as it is shown; code ``bad-text``."""
    return clean(text, CHAT_MAX, "bad-text", "a line of chat")


def tidied(text: str, longest: int) -> str:
    r"""Return what can be shown of a text that was written elsewhere, cut to `longest` characters.

    >>> tidied("Our\x00 \u202e rules", 24), tidied("a" * 9, 4)
    ('Our rules', 'aaa…')
    """
    normal = unicodedata.normalize("NFC", text[: 4 * longest])
    shown = " ".join("".join(c if _may_show(c) else " " for c in normal).split())
    return shown if len(shown) <= longest else f"{shown[: longest - 1]}…"


def new_code() -> str:
    """Return the code of a new table: seven characters that are easily told apart."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def code_from(secret: bytes) -> str:
    """Return the code that follows from a secret of at least seven bytes.

    >>> code_from(bytes(7))
    '2222222'
    """
    return "".join(ALPHABET[byte % len(ALPHABET)] for byte in secret[:CODE_LENGTH])


def is_code(text: str) -> bool:
    """Return whether `text` could be a table's code, in capitals.

    >>> is_code("ABCDEF2"), is_code("ABCDEF2B"), is_code("abcdef2"), is_code("../etc")
    (True, True, False, False)
    """
    return 0 <= len(text) - CODE_LENGTH <= 1 and all(c in ALPHABET for c in text)


def place_of(code: str) -> str:
    """Return in which of several databases a table is: the eighth letter of its code.

    Empty for the first database, whose codes have seven.

    >>> place_of("ABCDEF2"), place_of("ABCDEF2B")
    ('', 'B')
    """
    return code[CODE_LENGTH:]


def is_host(text: str) -> bool:
    """Return whether something can be looked up: a name such as ``a..b`` can be nowhere.

    >>> is_host("db.example"), is_host("::1"), is_host("a..b"), is_host("")
    (True, True, False, False)
    """
    try:
        return bool(text.encode("idna"))
    except UnicodeError:
        return False


def new_person() -> str:
    """Return the public number of a new person; it opens nothing."""
    return secrets.token_hex(8)


def new_token() -> str:
    """Return a secret of 32 bytes for a cookie or a link."""
    return base64url(secrets.token_bytes(32))


def base64url(data: bytes) -> str:
    """Return bytes as letters, figures, - and _, without padding: 32 bytes come to 43.

    >>> base64url(b"rook?")
    'cm9vaz8'
    """
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def token_hash(token: str) -> str:
    """Return the hash of a secret; only this is stored."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _visible(shown: str, code: str, what: str) -> str:
    if has_unseen(shown):
        raise BadText(code, f"{what} may not hold characters that nobody can see")
    return shown


def _may_show(c: str) -> bool:
    # Joiners hold emoji and Indic letters together; every other format character is refused,
    # and with them the marks that turn the direction of writing.
    return unicodedata.category(c)[0] != "C" or c in "\u200c\u200d"
