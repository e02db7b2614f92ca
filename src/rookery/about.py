"""What the program is called where packages are installed from, and which version of it this is."""

from __future__ import annotations

from functools import cache
from typing import Final

# Another project has the name rookery there; docs/design/packaging.md.
DISTRIBUTION: Final = "rookery-cards"
OFFLINE: Final = f"{DISTRIBUTION}-offline"  # what `rookery-cards[offline]` brings


@cache
def version() -> str:
    """Return the version that is installed, such as ``1.2.0``."""
    from importlib.metadata import version as installed

    return installed(DISTRIBUTION)
