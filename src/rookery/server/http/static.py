"""The client's files, and content that browsers keep: its type, its tag, its compressed form."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import re
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from rookery.server.api.problems import Problem
from rookery.server.http.errors import answer_to
from rookery.server.work import in_thread

# Named here because a system's own table may lack them, or say something else.
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".md": "text/markdown; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".webmanifest": "application/manifest+json",
}
_PACKED: Final = re.compile(r"^text/|json$|svg|manifest|wasm$")
_IMPORT: Final = re.compile(
    r"""^\s*(?:import|export)\b[^;]*?["'](\.[^"']+\.js)["']""", re.MULTILINE
)
_COMMENT: Final = {
    ".js": re.compile(r"^[ \t]*(?://[^\n]*|/\*\*.*?\*/[ \t]*)$", re.MULTILINE | re.DOTALL),
    ".css": re.compile(r"/\*.*?\*/", re.DOTALL),
}
_NEVER: Final = re.compile(r"q=0(\.0*)?")
_MODULES: Final = "@@MODULES@@"
# Asked for anew each time and answered with 304: there are no names with versions in them.
_KEEP: Final = "no-cache"
WORKER: Final = "table/offline/worker.js"
# It is bound by a policy of its own: it runs Python, which is WebAssembly. No text is evaluated.
WORKER_POLICY: Final = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"
LONGEST: Final = 255  # characters of a file's name with its folders
LOOKED: Final = 1.0  # seconds in which nobody looks through the folder again


class Content:
    """Content that a browser may keep, and asks about each time.

    Its `tag` changes with it; `packed` is the same by gzip, None where that saves nothing.
    """

    def __init__(self, plain: bytes, type_: str) -> None:
        self.plain, self.type = plain, type_
        self.tag = hashlib.sha256(plain).hexdigest()[:20]
        self.packed = gzip.compress(plain, 9, mtime=0) if _PACKED.search(type_) else None

    def answer(self, request: Headers) -> Response:
        """Return the answer to a request for it: whole, packed, or "as you have it"."""
        headers = {"etag": f'"{self.tag}"', "cache-control": _KEEP, "vary": "accept-encoding"}
        if is_known(request.get("if-none-match", ""), self.tag):
            return Response(status_code=304, headers=headers)
        body = self.plain
        if self.packed is not None and takes_gzip(request):
            body, headers["content-encoding"] = self.packed, "gzip"
        return Response(body, headers={**headers, "content-type": self.type})


def takes_gzip(request: Headers) -> bool:
    """Return whether whoever sends these headers takes what gzip has packed; with weight 0, not.

    >>> said = ("br, gzip", "*", "gzip;q=0", "gzip; q=0.0, *", "br", "")
    >>> [takes_gzip(Headers({"accept-encoding": one})) for one in said]
    [True, True, False, False, False, False]
    """
    said = request.get("accept-encoding", "")[:1_000].lower()  # no browser says more
    parts = (one.partition(";") for one in said.split(","))
    weights = {coding.strip(): "".join(weight.split()) for coding, _, weight in parts}
    weight = weights.get("gzip", weights.get("*"))
    return weight is not None and not _NEVER.fullmatch(weight)


def is_known(tags: str, tag: str) -> bool:
    """Return whether a browser that sends these tags has what has this one.

    >>> is_known('"a", W/"b"', "b"), is_known("", "b")
    (True, False)
    """
    sent = (part.strip().removeprefix("W/").strip('"') for part in tags.split(","))
    return any(one in (tag, "*") for one in sent)


@lru_cache(maxsize=256)
def json_content(make: Callable[..., object], *arguments: object) -> Content:
    """Return what a function makes of its arguments, as JSON; it is made once."""
    return Content(msgspec.json.encode(make(*arguments)), "application/json")


async def kept(request: Request, make: Callable[..., object], *arguments: object) -> Response:
    """Return what `json_content` makes of these, as the answer to a request for it."""
    content = await in_thread(json_content, make, *arguments)
    return content.answer(request.headers)


def without_comments(text: str, suffix: str) -> str:
    r"""Return a script (``.js``) or a style sheet (``.css``) without its comments.

    Browsers need none, and they are an eighth of what is sent. Each line keeps its number. Of a
    script only whole lines go, and only outside of templates.

    >>> without_comments("// why\nlet a = 1; // so\n", ".js")
    '\nlet a = 1; // so\n'
    """

    def emptied(found: re.Match[str]) -> str:
        within = suffix == ".js" and text.count("`", 0, found.start()) % 2
        return found[0] if within else "\n" * found[0].count("\n")

    return _COMMENT[suffix].sub(emptied, text)


class Static:
    """The files under one `folder`, each read once and again when it changes."""

    def __init__(
        self, folder: Path | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Take a folder, by default the client's own; `clock` gives seconds."""
        self.folder = (folder or Path(__file__).parents[2] / "web" / "static").resolve()
        self._clock = clock
        self._read: dict[Path, tuple[tuple[int, int], Content]] = {}
        self._changed, self._look_at = 0, float("-inf")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a file, by the rest of its path."""
        root = scope.get("root_path", "")
        name = scope["path"].removeprefix(root).lstrip("/")
        await self.file(name, Headers(scope=scope))(scope, receive, send)

    def file(self, name: str, headers: Headers) -> Response:
        """Return the answer to a request for the file called `name`."""
        try:
            answer = self.content(name).answer(headers)
        except FileNotFoundError:
            return answer_to(Problem("not-found"))
        if name == WORKER:
            answer.headers["content-security-policy"] = WORKER_POLICY
        if name == "sw.js":
            answer.headers["service-worker-allowed"] = "/"
        return answer

    def content(self, name: str) -> Content:
        """Return the file called `name`.

        Raises:
            FileNotFoundError: there is none.
        """
        # One of thousands of folders would be looked up folder by folder, and nobody served.
        if len(name) > LONGEST or "\0" in name or "\\" in name:
            raise FileNotFoundError(name)
        try:
            path = (self.folder / name).resolve()
            hidden = any(part.startswith(".") for part in path.relative_to(self.folder).parts)
            about = path.stat()
            if hidden or not path.is_file():
                raise FileNotFoundError(name)
        except (OSError, ValueError):
            raise FileNotFoundError(name) from None
        changed = about.st_mtime_ns
        if path.name == "index.html":  # it names the modules, so theirs are its changes
            changed = self._newest()
        stamp = (changed, about.st_size)
        # Kept by its path, for there is no end of names for it.
        read, content = self._read.get(path, (None, None))
        if content is None or read != stamp:
            content = self._load(path)
            self._read[path] = stamp, content
        return content

    def modules(self) -> list[str]:
        """Return the modules that ``app.js`` needs before it can run, each once, in order."""
        found, waiting = dict[str, None](), ["app.js"]
        while waiting:
            name = waiting.pop(0)
            path = self.folder / name
            if name in found or not path.is_file():
                continue
            found[name] = None
            for relative in _IMPORT.findall(path.read_text("utf-8")):
                target = (path.parent / relative).resolve()
                if target.is_relative_to(self.folder):
                    waiting.append(target.relative_to(self.folder).as_posix())
        return list(found)

    def _newest(self) -> int:
        """Return when something in the folder last changed, as of a moment ago at most."""
        if self._clock() >= self._look_at:
            self._changed = max(path.stat().st_mtime_ns for path in self.folder.rglob("*.*"))
            self._look_at = self._clock() + LOOKED
        return self._changed

    def _load(self, path: Path) -> Content:
        plain = path.read_bytes()
        if path.name == "index.html":
            plain = plain.replace(_MODULES.encode(), " ".join(self.modules()[1:]).encode())
        elif path.suffix in _COMMENT and "vendor" not in path.parts:
            plain = without_comments(plain.decode("utf-8"), path.suffix).encode("utf-8")
        type_ = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
        return Content(plain, type_ or "application/octet-stream")
