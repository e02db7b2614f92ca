"""Rookery: the Rook you know, played, recorded, scored and measured.

`rookery.Hand`, `rookery.Match` and `rookery.Deal` are what most programs begin with; each is
imported when it is first asked for.
"""

from importlib import import_module
from typing import Any

__all__ = ["Deal", "Hand", "Match"]


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name in __all__:
        return getattr(import_module("rookery.game"), name)
    raise AttributeError(f"module 'rookery' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
