"""The machine that the library is built for."""

from __future__ import annotations

import platform
import sys
from typing import Final

TRIPLE: Final = "x86_64-unknown-linux-gnu"
CPU: Final = "x86-64-v2"  # every such processor since about 2009; it counts bits in one instruction


def is_this() -> bool:
    """Return whether that is the machine that builds."""
    return sys.platform == "linux" and platform.machine() == "x86_64"
