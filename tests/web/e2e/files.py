"""A host that serves files and nothing else, as the simplest of them do."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

UNDER = "some/path"  # where a site lies on the host


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


class Host:
    """A host of files.

    Attributes:
        origin: its address.
        url: the address of the site that lies there.
        registry: it has no tables.
    """

    def __init__(self, port: int) -> None:
        self.origin = f"http://127.0.0.1:{port}/"
        self.url = f"{self.origin}{UNDER}/"


@contextlib.contextmanager
def hosted(folder: Path) -> Iterator[Host]:
    """Serve a folder, in which a site lies under `UNDER`."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield Host(server.server_port)
        server.shutdown()
        thread.join()
