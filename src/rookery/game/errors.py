"""What is said when a text, a deal or an action is refused.

Each error carries a ``code`` that programs can rely on and a ``reason`` that people can read::

    ValueError
    ├── IllegalAction   well written, but the rules do not allow it now
    ├── BadAction       no action at all
    └── BadDeal         cards that are not a deal of this game
"""

from __future__ import annotations


class Refusal(ValueError):
    """What refusals share.

    Attributes:
        code: a stable word for programs.
        reason: the same in plain words.
    """

    def __init__(self, code: str, reason: str) -> None:
        self.code = code
        self.reason = reason
        super().__init__(reason)

    def __reduce__(self) -> tuple[type[Refusal], tuple[str, str]]:
        return type(self), (self.code, self.reason)


class IllegalAction(Refusal):
    """An action that the rules do not allow now.

    Codes: ``not-your-turn not-now not-held must-follow bid-too-low bid-too-high bid-step
    already-passed discard-count discard-ban call-not-allowed card-not-callable no-redeal no-revoke
    hand-over``. ``must-follow`` is every duty to play or give other cards; the reason says which.
    """


class BadAction(Refusal):
    """A text that is no action. Codes: ``bad-action unknown-card``."""


class BadDeal(Refusal):
    """Cards that are not a deal of this game. Codes: ``bad-deal unknown-card``."""


def check_kind(name: str, value: object, kind: type, expected: str) -> None:
    """Raise a TypeError unless a value is of a kind; its line says what was `expected`."""
    if not isinstance(value, kind):
        raise TypeError(f"{name}: expected {expected}, not {type(value).__name__}")


def shortened(text: object, length: int = 60) -> str:
    """Return `text` in quotes, cut to about `length` characters, for an error line.

    >>> shortened("play G5"), shortened("x" * 100, 8)
    ("'play G5'", "'xxxxx...'")
    """
    whole = str(text)
    return repr(whole if len(whole) <= length else whole[: length - 3] + "...")


def counted(n: int, thing: str) -> str:
    """Return a number of things in words.

    >>> counted(1, "card"), counted(2000, "card")
    ('1 card', '2,000 cards')
    """
    return f"{n:,} {thing}{'' if n == 1 else 's'}"
