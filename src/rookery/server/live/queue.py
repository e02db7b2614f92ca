"""What waits in a table's queue to be handled, one after the other."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from rookery.server.live.connection import Connection
from rookery.server.live.turns import Decided
from rookery.server.table import commands as cm


class Asked(NamedTuple):
    """Somebody wants something; `at` is when it came, seconds of the monotonic clock."""

    connection: Connection
    command: cm.Command
    at: float


class Look(NamedTuple):
    """Somebody came or went, or it is time for something."""


class Stop(NamedTuple):
    """Nothing more comes."""


Item: TypeAlias = Asked | Decided | Look | Stop
