"""The documentation as a part of a site: its pages, with a policy each, and examples that are live.

`scripts.docs.website` builds it from a checkout. An example of house rules, of a record, of a hand
or of a game's rules is followed by a link to where it can be changed, replayed, asked or read.
"""

from __future__ import annotations

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
from rookery.web.alone.live import links_of

_CHECKOUT: Final = Path(__file__).resolve().parents[4]
_BUILDER: Final = "scripts.docs.website"
_STYLED: Final = re.compile(r' style="[^"]*"')
_EXAMPLE: Final = re.compile(
    r'<div class="highlight-(sh|toml|json) notranslate"><div class="highlight"><pre>'
    r"(.*?)</pre></div>\n</div>",
    re.DOTALL,
)
_TAG: Final = re.compile(r"<[^>]*>")
_HEAD: Final = re.compile(r'<meta charset="utf-8" ?/?>')
_WAYS: Final = '<div class="ways">'


class Failed(Exception):
    """The documentation cannot be built; the message is the last line about it."""


def can_build() -> bool:
    """Return whether there is a checkout to build it from, and Sphinx."""
    return Path(_CHECKOUT, *_BUILDER.split(".")).is_dir() and find_spec("sphinx") is not None


def built() -> dict[str, bytes]:
    """Return the files of the documentation by their paths; none without a checkout or Sphinx.

    Raises:
        Failed: its pages have faults.
    """
    if not can_build():
        return {}
    with tempfile.TemporaryDirectory() as name:
        command = [sys.executable, "-m", _BUILDER, name]
        done = subprocess.run(  # noqa: S603  (our own words)
            command, capture_output=True, text=True, cwd=_CHECKOUT
        )
        if done.returncode:
            raise Failed(done.stderr.strip().rpartition("\n")[2][:300])
        return dict(files_of(Path(name)))


def files_of(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of a documentation that is built, by their paths, as a site has them."""
    for path in sorted(folder.rglob("*.*")):
        name = path.relative_to(folder).as_posix()
        if not path.is_file():
            continue
        plain = path.read_bytes()
        if path.suffix == ".html":
            plain = dressed(plain.decode("utf-8"), name).encode("utf-8")
        yield name, plain


def dressed(page: str, name: str) -> str:
    """Return a page of the documentation as a site has it; `name` is its path there."""
    up = "../" * (name.count("/") + 1)
    page = _STYLED.sub("", page)
    page = _EXAMPLE.sub(lambda found: found[0] + _live(found[1], _text(found[2]), up), page)
    page = page.replace(_WAYS, f'{_WAYS}<a href="{up}">Play</a>', 1)
    meta = f'<meta http-equiv="Content-Security-Policy" content="{PAGE_POLICY}">'
    return _HEAD.sub(lambda found: f"{found[0]}\n{meta}", page, count=1)


def _live(language: str, text: str, up: str) -> str:
    links = [
        f'<a href="{escape(up + address)}">{escape(words)}</a>'
        for words, address in links_of(language, text)
    ]
    return f'\n<p class="live">{" · ".join(links)}</p>' if links else ""


def _text(code: str) -> str:
    return unescape(_TAG.sub("", code))
