"""What the program is called where packages are installed from, and which version of it this is."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

# Another project has the name rookery there; docs/design/packaging.md.
DISTRIBUTION: Final = "rookery-cards"
OFFLINE: Final = f"{DISTRIBUTION}-offline"  # what `rookery-cards[offline]` brings
ABOVE: Final = ("server", "web", "cli")  # layers that no result depends on


@cache
def version() -> str:
    """Return the version that is installed, such as ``1.2.0``."""
    from importlib.metadata import version as installed

    return installed(DISTRIBUTION)


@cache
def code_version() -> str:
    """Return the version of Rookery with a hash of all files that results depend on.

    These are the code below the server, the catalogue and the shipped networks. The hash is the
    same on every machine with the same files.
    """
    from hashlib import sha256

    package = Path(__file__).parent
    digest = sha256()
    for path in sorted(package.rglob("*")):
        name = path.relative_to(package).as_posix()
        if path.suffix in (".py", ".toml", ".npz") and name.partition("/")[0] not in ABOVE:
            digest.update(name.encode() + b"\0" + path.read_bytes())
    return f"{version()}+{digest.hexdigest()[:8]}"
