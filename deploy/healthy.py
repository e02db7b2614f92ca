"""Say whether a server answers: exit status 0 if it does with 200, else 1 and one line.

python healthy.py http://127.0.0.1:8000/readyz
python healthy.py tcp://127.0.0.1:8700

The second is for `rookery bots`, which greets whoever comes. An image without a shell has no curl
either, so a container's health check is this program.
"""

from __future__ import annotations

import socket
import sys
import urllib.error
import urllib.request

WAIT = 5.0  # seconds


def problem(url: str) -> str | None:
    """Return what is wrong with the answer of `url`, None where it is 200, or a greeting."""
    if url.startswith("tcp://"):
        return ungreeted(url)
    if not url.startswith("http://"):
        return f"{url!r} is no address; expected http://127.0.0.1:8000/readyz"
    try:
        with urllib.request.urlopen(url, timeout=WAIT) as answer:  # noqa: S310  (http only)
            return None if answer.status == 200 else f"{url}: {answer.status}"
    except (OSError, urllib.error.HTTPError) as error:
        return f"{url}: {error}"


def ungreeted(url: str) -> str | None:
    """Return why nobody greets at an address, None where somebody does."""
    host, _, port = url.removeprefix("tcp://").rpartition(":")
    if not host or not port.isdecimal():
        return f"{url!r} is no address; expected tcp://127.0.0.1:8700"
    try:
        with socket.create_connection((host, int(port)), timeout=WAIT) as line:
            return None if b"greeting" in line.recv(4096) else f"{url}: no greeting"
    except (OSError, OverflowError) as error:
        return f"{url}: {error}"


def main() -> None:
    """Ask the address on the command line."""
    if len(sys.argv) != 2:
        sys.exit("healthy: expected one address, such as http://127.0.0.1:8000/readyz")
    if (wrong := problem(sys.argv[1])) is not None:
        sys.exit(f"healthy: {wrong}")


if __name__ == "__main__":
    main()
