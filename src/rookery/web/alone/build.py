"""What a site of files is made of: the client, what plays in it, and answers that never change.

The pages are those of a server. Their paths are relative, so that they work from any folder of any
host; what a server says in headers stands in the page, or in the list of what is fetched.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from rookery.rules import Language, catalog
from rookery.server.http.kit import CONTENTS, LIST, Kit
from rookery.server.http.middleware import POLICY
from rookery.server.http.static import WORKER, WORKER_POLICY, Static
from rookery.server.offline.host import Host

# A page cannot say by itself who may frame it: that is for the host's headers.
PAGE_POLICY: Final = POLICY.replace("frame-ancestors 'none'; ", "")
_HEAD: Final = '<meta charset="utf-8">'
_SERVER, _NONE = "const ALONE = false;", "const ALONE = true;"  # in the service worker
_ROOT: Final = '<html lang="en">'


class NoKit(Exception):
    """What plays in a browser has not been built."""


class _Nothing:
    """A shelf with nothing on it."""

    async def load(self, prefix: str) -> list[tuple[str, str]]:
        return []

    async def write(
        self, new: Mapping[str, str], changed: Mapping[str, str], gone: Sequence[str]
    ) -> bool:
        raise AssertionError("only questions are asked")


def site(docs: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of a site by their paths, with these of the documentation under ``docs/``.

    Raises:
        NoKit: there is nothing yet that could play.
    """
    static = Static()
    kit = Kit(static)
    contents = kit.contents()
    if contents is None:
        raise NoKit
    files, listed = dict[str, bytes](), list[dict[str, Any]]()
    sent = 0

    def keep(path: str, plain: bytes, type_: str, **more: str) -> None:
        listed.append(_line(path, plain, {"content-type": type_, **more}))

    for one in contents.files:
        # Not .gz: some hosts unpack such files on their way.
        packed, stored = kit.packed(one.name), f"kit/{one.name}.bin"
        files[stored] = packed
        sent += len(packed)
        about = {"bytes": one.bytes, "hash": one.hash, "headers": {"content-type": one.type}}
        listed.append({"path": f"kit/{one.name}", "as": stored, **about})
    own = json.dumps({"wheels": contents.wheels}).encode()
    files[f"kit/{CONTENTS}"] = own
    files |= {f"kit/{name}": text for name, text in kit.licences().items()}
    keep(f"kit/{CONTENTS}", own, "application/json")
    for name in kit.client():
        content = static.content(name)
        if name != "index.html":
            files[f"static/{name}"] = content.plain
            policy = {"content-security-policy": WORKER_POLICY} if name == WORKER else {}
            keep(f"static/{name}", content.plain, content.type, **policy)
    sent += sum(len(files[line["path"]]) for line in listed if "as" not in line)
    page = page_of(static.content("index.html").plain.decode("utf-8"), sent, bool(docs)).encode()
    keep("./", page, "text/html; charset=utf-8")
    version = hashlib.sha256(json.dumps(listed).encode()).hexdigest()[:16]
    told = {"version": version, "bytes": sent + len(page), "files": listed}
    files["index.html"] = page
    # Not on the list: a device that has fetched the rest answers them by itself.
    files |= {f"static/answers/{name}": plain for name, plain in answers().items()}
    files["sw.js"] = _said(static.content("sw.js").plain.decode(), _SERVER, _NONE).encode()
    files[f"kit/{LIST}"] = json.dumps(told).encode()
    files[".nojekyll"] = b""  # where GitHub serves it: as it is
    return files | {f"docs/{name}": plain for name, plain in docs.items()}


def page_of(page: str, sent: int, has_docs: bool) -> str:
    """Return the one page of a site, from that of a server.

    `sent` is how many bytes are fetched when somebody wants to play.
    """
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{PAGE_POLICY}">'
        '\n  <meta name="referrer" content="same-origin">'
    )
    says = f'data-alone="{sent}"' + (" data-docs" if has_docs else "")
    for old, new in (
        (_ROOT, _ROOT.replace(">", f" {says}>")),
        (_HEAD, f"{_HEAD}\n  {head}"),
        ('="/static/', '="static/'),
    ):
        page = _said(page, old, new)
    return page


def _said(text: str, old: str, new: str) -> str:
    if old not in text:
        raise AssertionError(f"the page has no {old}")
    return text.replace(old, new)


def answers() -> dict[str, bytes]:
    """Return what a device would answer to everybody, by the names of the files that hold it."""
    return asyncio.run(_answers())


async def _answers() -> dict[str, bytes]:
    host = Host(_Nothing(), "http://localhost")
    await host.open()
    found = {}
    for path in _asked():
        answer = await host.answer("GET", f"/api/{path}")
        if answer.status != 200:
            raise AssertionError(f"/api/{path}: {answer.body}")
        found[path.replace("?lang=", ".") + ".json"] = answer.body.encode()
    await host.close()
    # In a browser nothing knows passkeys, whatever is installed here.
    nobody = {**json.loads(found["session.json"]), "passkeys": False}
    return found | {"session.json": json.dumps(nobody).encode()}


def _asked() -> Iterator[str]:
    yield from ("session", "tables", "bots")
    for language in get_args(Language):
        for path in ("variants", "rules/names", "rules/schema"):
            yield f"{path}?lang={language}"
        for variant in catalog():
            yield f"variants/{variant}?lang={language}"


def _line(path: str, plain: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
    digest = hashlib.sha256(plain).hexdigest()
    return {"path": path, "bytes": len(plain), "hash": digest, "headers": dict(headers)}
