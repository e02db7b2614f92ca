"""Tapes repeated by the kernels in WebAssembly, in Node and in a browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from playwright.sync_api import Browser, Route
from scripts.native.wasm import ALONE
from tests.engine.tape import Step

LOADER: Final = ALONE.path.parent / "kernels.js"
PLAYER: Final = Path(__file__).parent / "tape.js"
IN_NODE: Final = Path(__file__).parent / "tape_in_node.mjs"
SITE: Final = "http://kernels.test"  # nobody's: every request is answered here
TYPES: Final = {".js": "text/javascript", ".wasm": "application/wasm"}
REPEAT: Final = """async (tapes) => {
  const [{ open }, { repeat }] = await Promise.all([import("/kernels.js"), import("/tape.js")]);
  const kernels = await open(fetch("/rookery.wasm"));
  return tapes.map((tape) => repeat(kernels, tape));
}"""


class Repeated(NamedTuple):
    """How a tape went.

    Attributes:
        agreed: how many steps had the same results.
        difference: the first difference, "" where there is none.
        ms: the time of each call.
    """

    agreed: int
    difference: str
    ms: list[float]


def node() -> str:
    """Return where node is; without it a test is skipped, but fails in continuous integration."""
    found = shutil.which("node")
    if found is None and os.environ.get("CI"):
        pytest.fail("this test needs node on the path")
    return found or pytest.skip("no node on the path")


def in_node(
    tapes: Sequence[list[Step]], folder: Path, *, file: Path = ALONE.path
) -> tuple[dict[str, Any], list[Repeated]]:
    """Return what a file offers and asks for, and how each tape went in Node."""
    written = folder / "tapes"
    with written.open("w") as lines:
        lines.writelines(json.dumps(tape) + "\n" for tape in tapes)
    command = [node(), IN_NODE, LOADER, file, written]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    about, *results = map(json.loads, done.stdout.splitlines())
    return about, [Repeated(**one) for one in results]


def in_browser(browser: Browser, tapes: Sequence[list[Step]]) -> list[Repeated]:
    """Return how each tape went on a page in a browser."""

    def answer(route: Route) -> None:
        name = route.request.url.removeprefix(SITE).lstrip("/")
        files = {path.name: path for path in (LOADER, PLAYER, ALONE.path)}
        if name in files:
            path = files[name]
            route.fulfill(body=path.read_bytes(), content_type=TYPES[path.suffix])
        else:
            route.fulfill(body="<!doctype html><title>Kernels</title>", content_type="text/html")

    context = browser.new_context()
    try:
        page = context.new_page()
        page.route("**/*", answer)
        page.goto(SITE)
        return [Repeated(**one) for one in page.evaluate(REPEAT, list(tapes))]
    finally:
        context.close()
