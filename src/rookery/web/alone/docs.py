"""The documentation as a part of a site: its pages, with a policy each, and examples that are live.

mkdocs builds it from a checkout. What it writes asks nobody else for anything. An example of house
rules, of a record or of a hand is followed by a link to where it can be changed, replayed or asked.
"""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape, unescape
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from rookery.web.alone.build import PAGE_POLICY
from rookery.web.alone.live import links_of, rules_link

_CONFIG: Final = Path(__file__).resolve().parents[4] / "mkdocs.yml"
# Without it the theme asks another host for the colours of code.
_BUILD: Final = """
import sys
from mkdocs.commands.build import build
from mkdocs.config import load_config
theme = {"name": "readthedocs", "highlightjs": False}
build(load_config(sys.argv[1], site_dir=sys.argv[2], theme=theme))
"""
# The page for addresses that are not there knows where it lies, and the map as well; browsers of
# today need none of the other fonts.
_LEFT_OUT: Final = re.compile(r"404\.html|sitemap\.xml.*|css/fonts/.*(?<!\.woff2)")
_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_ALIGNED: Final = re.compile(r' style="text-align: (\w+);"')
_STYLED: Final = re.compile(r' style="[^"]*"')
_EXAMPLE: Final = re.compile(
    r'<pre><code class="language-(sh|toml|json)">(.*?)</code></pre>', re.DOTALL
)
_VARIANT: Final = re.compile(r"<td><code>(\w+)</code></td>")
_HEAD: Final = re.compile(r'<meta charset="utf-8" ?/?>')
_SEARCH: Final = re.compile(r'(<div class="wy-side-nav-search">)')


class Failed(Exception):
    """The documentation cannot be built; the message is mkdocs' last word."""


def built() -> dict[str, bytes]:
    """Return the files of the documentation by their paths; none without a checkout or mkdocs.

    Raises:
        Failed: mkdocs refuses.
    """
    if not _CONFIG.is_file() or find_spec("mkdocs") is None:
        return {}
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, "-c", _BUILD, str(_CONFIG), name]
        done = subprocess.run(command, capture_output=True, text=True)  # noqa: S603
        if done.returncode:
            raise Failed(done.stderr.strip().rpartition("\n")[2][:300])
        return dict(_files(Path(name)))


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in sorted(folder.rglob("*.*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_file() or _LEFT_OUT.fullmatch(name):
            continue
        plain = path.read_bytes()
        if path.suffix == ".html":
            plain = dressed(plain.decode("utf-8"), name).encode("utf-8")
        yield name, plain


def dressed(page: str, name: str) -> str:
    """Return a page of the documentation as a site has it; `name` is its path there."""
    up = "../" * (name.count("/") + 1)
    page = _STYLED.sub("", _ALIGNED.sub(r' align="\1"', page))
    page = _EXAMPLE.sub(lambda found: found[0] + _live(found[1], unescape(found[2]), up), page)
    if name.startswith("reference/variants/"):
        page = _VARIANT.sub(lambda found: _variant(found[1], up), page)
    page = _SEARCH.sub(rf'\1<a href="{up}">Play</a>', page)
    # What stands in a page itself is known by its hash.
    digests = (hashlib.sha256(found.encode()).digest() for found in _SCRIPT.findall(page))
    sources = " ".join(f"'sha256-{base64.b64encode(one).decode()}'" for one in digests)
    policy = f"{PAGE_POLICY}; script-src 'self' {sources}"
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return _HEAD.sub(lambda found: f"{found[0]}\n    {meta}", page, count=1)


def _live(language: str, text: str, up: str) -> str:
    links = [
        f'<a href="{escape(up + address)}">{escape(words)}</a>'
        for words, address in links_of(language, text)
    ]
    return f'\n<p class="live">{" · ".join(links)}</p>' if links else ""


def _variant(variant: str, up: str) -> str:
    address = rules_link(variant)
    code = f"<code>{variant}</code>"
    if address is not None:
        code = f'<a href="{up}{address}">{code}</a>'
    return f"<td>{code}</td>"
