"""A tutorial done as its reader does it: files are saved, commands typed, and answers compared."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import deque
from pathlib import Path

from tests.docs.pages import DOCS

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


class Tutorial:
    """A tutorial and the folder in which it is done; its blocks are taken in their order.

    Attributes:
        text: the whole page.
        folder: where its files are saved and its commands run.
    """

    def __init__(self, name: str, folder: Path) -> None:
        self.text = (DOCS / "tutorials" / f"{name}.md").read_text("utf-8")
        self.folder = folder
        self._blocks = deque(BLOCK.findall(self.text))

    def block(self, language: str) -> str:
        """Take the next block, which is in this language."""
        found, text = self._blocks.popleft()
        assert found == language, text
        return str(text)

    def save(self, name: str) -> None:
        """Save the next block as the file that the page says."""
        language = {".toml": "toml", ".py": "python"}[Path(name).suffix]
        assert f"`{name}`" in self.text
        (self.folder / name).write_text(self.block(language), "utf-8")

    def types(
        self, command: str | None = None, *, answers: str = "", status: int = 0, more: str = ""
    ) -> str:
        """Type the next commands, or those of the text with `more`; return what is printed."""
        if command is None:
            command = self.block("sh")
        assert command in self.text
        command += more
        programs = Path(sys.executable).parent
        done = subprocess.run(
            ["/bin/sh", "-ec", command],
            cwd=self.folder,
            env={**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "COLUMNS": "80"},
            input=answers,
            capture_output=True,
            text=True,
        )
        assert done.returncode == status, (command, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def reads(self, printed: str) -> None:
        """Compare what was printed with the next block, part by part in their order.

        Empty lines and dots stand for what the page leaves out.
        """
        rest = " ".join(printed.split())
        for paragraph in re.split(r"\n(?:\s*\.\.\.)?\n", self.block("text")):
            words = " ".join(paragraph.split())
            before, found, rest = rest.partition(words)
            assert found, (words, before)

    def change(self, name: str, old: str, new: str) -> None:
        """Change a file as the text says."""
        path = self.folder / name
        text = path.read_text("utf-8")
        assert text.count(old) == 1, (old, text)
        path.write_text(text.replace(old, new), "utf-8")

    def ends(self) -> None:
        """End; every block has been taken."""
        assert not self._blocks, self._blocks
