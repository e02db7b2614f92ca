"""Firefox, driven by the browsers' own protocol: https://w3c.github.io/webdriver-bidi/.

Playwright drives a Firefox of its own alone, and the driver that others need is no Debian package.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

PATIENCE = 60.0  # seconds
LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
# The middle of the first visible element, that begins with some words if any are wanted, or null.
SPOT = """(() => {
  const [selector, words] = %s;
  const says = (one) => !words || one.textContent.trim().startsWith(words);
  const fits = (one) => one.checkVisibility() && !one.disabled && says(one);
  const one = [...document.querySelectorAll(selector)].find(fits);
  if (!one) return null;
  one.scrollIntoView({ block: "center" });
  const box = one.getBoundingClientRect();
  return JSON.stringify([box.x + Math.min(box.width / 2, 12), box.y + box.height / 2]);
})()"""


class Firefox:
    """A window of Firefox.

    Attributes:
        wrong: what went wrong in the page's scripts.
    """

    def __init__(self, socket: ClientConnection) -> None:
        self._socket, self._number = socket, 0
        self.wrong: list[str] = []
        self.command("session.new", capabilities={})
        self.command("session.subscribe", events=["log.entryAdded"])
        self._page: str = self.command("browsingContext.getTree")["contexts"][0]["context"]

    def command(self, method: str, **params: object) -> Any:  # noqa: ANN401 (any JSON)
        """Return the answer to a command."""
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv(timeout=PATIENCE))
            if message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
                self.wrong.append(str(message["params"]["text"]))
            if message.get("id") == self._number:
                assert message["type"] == "success", message
                return message["result"]

    def size(self, width: int, height: int) -> None:
        """Make the window so large, in pixels."""
        viewport = {"width": width, "height": height}
        self.command("browsingContext.setViewport", context=self._page, viewport=viewport)

    def goto(self, url: str) -> None:
        """Open a page."""
        self.command("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def tell(self, script: str) -> Any:  # noqa: ANN401 (a text, a number, true, or None)
        """Return what an expression comes to in the page."""
        target = {"context": self._page}
        answer = self.command(
            "script.evaluate", expression=script, target=target, awaitPromise=True
        )
        assert answer["type"] == "success", answer
        return answer["result"].get("value")

    def until(self, script: str) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.tell(script):
            assert time.monotonic() < end, (
                f"never: {script}; {self.tell('document.body.innerText')}"
            )
            time.sleep(0.1)

    def press(self, *selectors: str, words: str = "") -> bool:
        """Click in what is visible of the first selector that finds something, near its left edge.

        With `words` only what begins with these counts. Return whether there was anything.
        """
        for selector in selectors:
            if spot := self.tell(SPOT % json.dumps([selector, words])):
                self._click(*json.loads(spot))
                return True
        return False

    def _click(self, x: float, y: float) -> None:
        steps = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": steps}
        self.command("input.performActions", context=self._page, actions=[mouse])

    def write(self, text: str) -> None:
        """Type into what has the focus."""
        typed = [{"type": kind, "value": key} for key in text for kind in ("keyDown", "keyUp")]
        keys = {"type": "key", "id": "keys", "actions": typed}
        self.command("input.performActions", context=self._page, actions=[keys])


@contextmanager
def firefox() -> Iterator[Firefox | None]:
    """Yield a window of Firefox ESR; None where there is no such program."""
    program = shutil.which("firefox-esr")
    if program is None:
        yield None
        return
    # What is still being written to when the program ends is no matter.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [program, "--headless", "--no-remote", "--profile", profile]
        said = Path(profile) / "said"
        # Into a file, as a pipe that nobody empties would stop it some time.
        with (
            said.open("wb") as written,
            subprocess.Popen(
                [*command, "--remote-debugging-port", "0"],
                stdout=subprocess.DEVNULL,
                stderr=written,
            ) as running,
        ):
            try:
                with connect(f"{_address(running, said)}/session", max_size=None) as socket:
                    yield Firefox(socket)
            finally:
                running.terminate()


def _address(running: subprocess.Popen[bytes], said: Path) -> str:
    """Return where it listens, once it has said so."""
    end = time.monotonic() + 3 * PATIENCE
    told = ""
    while not (found := LISTENS.search(told)):
        assert running.poll() is None, told
        assert time.monotonic() < end, told
        time.sleep(0.05)
        told = said.read_text("utf-8", "replace")
    return found[1]
