"""What a browser needs to play without a network: Python, the program, and the client's own files.

`scripts/offline` puts Python and the program into a folder, packed. It lies beside the client's
files in a checkout, and elsewhere `rookery-cards[offline]` brings it. A server without it serves
everything else.
"""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable, Iterator
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.types import Receive, Scope, Send

from rookery.about import OFFLINE, version
from rookery.server.api.problems import Problem
from rookery.server.http.errors import answer_to
from rookery.server.http.static import LOOKED, Content, Static
from rookery.server.work import in_thread

LIST: Final = "list.json"
CONTENTS: Final = "kit.json"
PATH: Final = "/kit"
log = logging.getLogger(__name__)


class Packed(msgspec.Struct, frozen=True):
    """A file of the folder, where it lies as ``NAME.gz`` and has `packed` bytes.

    Of it, unpacked, `bytes` is the length, and `hash` the SHA-256 in hexadecimal.
    """

    name: str
    type: str
    bytes: int
    packed: int
    hash: str


class Contents(msgspec.Struct, frozen=True):
    """What the folder holds; browsers are given it too.

    `wheels` are the names of the packages that Python is given, in order.
    """

    wheels: list[str]
    files: list[Packed]


class Kit:
    """The files of one folder, and the list of all that a browser has to keep."""

    def __init__(
        self,
        static: Static,
        folder: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Take the folder, by default what `found` returns; `clock` gives seconds."""
        self._static = static
        self._folder = folder or found(static.folder)
        self._clock = clock
        self._listed: tuple[tuple[list[str], Contents], Content] | None = None
        self._look_at = float("-inf")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a file, or for the list."""
        name = scope["path"].removeprefix(scope.get("root_path", "")).lstrip("/")
        answer = await in_thread(self._answer, name, Headers(scope=scope))
        # Whoever asks for a part is sent the whole file, as of the client's.
        headers = [one for one in scope["headers"] if one[0] != b"range"]
        await answer({**scope, "headers": headers}, receive, send)

    def _answer(self, name: str, headers: Headers) -> Response:
        contents = self.contents()
        if contents is None:
            return answer_to(Problem("not-found"))
        if name == LIST:
            return self._list(contents).answer(headers)
        if name == CONTENTS:
            return Content(msgspec.json.encode(contents), "application/json").answer(headers)
        for file in contents.files:
            if file.name == name:
                about = {"content-encoding": "gzip", "etag": f'"{file.hash[:20]}"'}
                about |= {"cache-control": "no-cache", "accept-ranges": "none"}
                return FileResponse(self._folder / f"{name}.gz", 200, about, file.type)
        return answer_to(Problem("not-found"))

    def contents(self) -> Contents | None:
        """Return what the folder holds; None where there is no folder."""
        try:
            return msgspec.json.decode((self._folder / CONTENTS).read_bytes(), type=Contents)
        except OSError:
            return None

    def packed(self, name: str) -> bytes:
        """Return one of the folder's files as it lies there, packed by gzip."""
        return (self._folder / f"{name}.gz").read_bytes()

    def licences(self) -> dict[str, bytes]:
        """Return the licences of what the folder holds, by the names of their files."""
        texts = sorted((self._folder / "licenses").glob("*.txt"))
        notice = (self._folder / "NOTICE").read_bytes()
        return {"NOTICE.txt": notice} | {f"licenses/{one.name}": one.read_bytes() for one in texts}

    def client(self) -> Iterator[str]:
        """Yield the client's files that a page may ask for, by their paths in its folder."""
        folder = self._static.folder
        for path in sorted(folder.rglob("*.*")):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and path.suffix not in (".md", ".wasm") and name != "sw.js":
                yield name

    def _list(self, contents: Contents) -> Content:
        """Return the list of all files, with what is fetched in all, bytes as they are sent.

        Whether one of the client's has changed is looked at once in `LOOKED` seconds.
        """
        if self._listed and self._listed[0][1] == contents and self._clock() < self._look_at:
            return self._listed[1]
        self._look_at = self._clock() + LOOKED
        client = [(path, self._static.content(path)) for path in self.client()]
        tags = [content.tag for _, content in client]
        if self._listed is None or self._listed[0] != (tags, contents):
            files: list[dict[str, Any]] = [
                {"path": f"{PATH}/{one.name}", "bytes": one.bytes, "hash": one.hash}
                for one in contents.files
            ]
            own = msgspec.json.encode(contents)
            files.append(_line(f"{PATH}/{CONTENTS}", own))
            sent = sum(one.packed for one in contents.files) + len(own)
            for path, content in client:
                files.append(
                    _line("/" if path == "index.html" else f"/static/{path}", content.plain)
                )
                sent += len(content.packed or content.plain)
            version = hashlib.sha256(msgspec.json.encode(files)).hexdigest()[:16]
            told = {"version": version, "bytes": sent, "files": files}
            made = Content(msgspec.json.encode(told), "application/json")
            self._listed = (tags, contents), made
        return self._listed[1]


def found(static: Path) -> Path:
    """Return the folder for a client in `static`: beside it, or what is installed for it.

    What is installed for another version of Rookery is left alone, and said so.
    """
    beside = static.with_name("kit")
    package = find_spec("rookery_offline")
    if (beside / CONTENTS).exists() or package is None or package.origin is None:
        return beside
    brought = metadata.version(OFFLINE)
    if brought != version():
        log.warning(
            "%s %s is not for version %s, so nobody is offered offline play; install %s==%s",
            *(OFFLINE, brought, version(), OFFLINE, version()),
        )
        return beside
    return Path(package.origin).with_name("kit")


def _line(path: str, plain: bytes) -> dict[str, Any]:
    return {"path": path, "bytes": len(plain), "hash": hashlib.sha256(plain).hexdigest()}
