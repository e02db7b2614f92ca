"""How a command says that something cannot be done."""

from __future__ import annotations


class Refused(Exception):
    """Ends a command with one line on standard error.

    Attributes:
        status: the exit status: 1 where the answer is no, 2 for bad usage or bad input.
    """

    def __init__(self, line: str, status: int = 2) -> None:
        self.status = status
        super().__init__(line)
