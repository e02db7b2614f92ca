"""What the judge says when something is against the rules."""

from __future__ import annotations


class JudgeError(Exception):
    """An action or a deal that the rules do not allow.

    Attributes:
        code: One word for the fault, such as ``must-follow``.
    """

    def __init__(self, code: str, reason: str = "") -> None:
        """Keep the code and the reason."""
        super().__init__(f"{code}: {reason}" if reason else code)
        self.code = code
