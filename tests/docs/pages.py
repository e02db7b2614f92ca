"""The pages of the project, and what they name: files, commands, links."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Final

from scripts.docs.website.navigation import sections
from tests.imports import LAYERS
from tests.test_project import fenced
from typer.testing import CliRunner

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
PACKAGE: Final = ROOT / "src" / "rookery"
KIRO: Final = sorted((ROOT / ".kiro").rglob("*.md"))
PAGES: Final = [*ROOT.glob("*.md"), *KIRO, *sorted(DOCS.rglob("*.md"))]
# What is built there may be absent.
TOP: Final = {path.name for path in ROOT.iterdir()} - {"build", "dist", "site"}
# Programs that a page may use although they are no part of the project.
OTHERS: Final = {
    *("aws", "cc", "cd", "chmod", "chown", "cp", "curl", "docker", "echo"),
    *("export", "git", "install"),
    *(
        "jupyter",
        "ln",
        "luajit",
        "mkdir",
        "mv",
        "openssl",
        "pip",
        "ray",
        "source",
        "sudo",
        "systemctl",
        "until",
    ),
}


def name(page: Path) -> str:
    """Return the path of a page inside the project."""
    return page.relative_to(ROOT).as_posix()


def missing(text: str) -> list[str]:
    """Return the paths in backticks that do not exist, of the project or of its package."""
    words = set(re.findall(r"`([\w./-]+)`", text))
    inside = {word for word in words if word.split("/")[0] in TOP and ("/" in word or "." in word)}
    inside |= {word for word in words if "/" in word and word.split("/")[0] in LAYERS}
    return sorted(p for p in inside if not ((ROOT / p).exists() or (PACKAGE / p).exists()))


def commands(text: str) -> list[list[str]]:
    """Return the commands in the shell blocks of a page, word by word."""
    joined = "".join(fenced(text, "sh")).replace("\\\n", " ").replace(" && ", "\n")
    lines = [shlex.split(line, comments=True) for line in joined.splitlines()]
    return [words[1:] if words[0] == "sudo" else words for words in lines if words]


def unknown(words: list[str]) -> str | None:
    """Return the part of a command that does not exist, None where all of it does."""
    program, *rest = words
    while "=" in program and rest:  # a setting before the command
        program, *rest = rest
    program = program.removeprefix(".venv/bin/").removeprefix("/opt/rookery/bin/")
    if program == "rookery":
        return _unknown_option(rest)
    if program == "python" and rest[:1] == ["-m"]:
        module = ROOT / rest[1].replace(".", "/")
        return None if module.is_dir() or module.with_suffix(".py").exists() else rest[1]
    if program == "python":
        program, *rest = rest
    if program.startswith((".", "benchmarks/", "deploy/", "examples/", "scripts/")):
        return None if (ROOT / program).exists() or program == "." else program
    if program in ("pytest", "mypy", "coverage"):
        files = [word for word in rest if word.startswith("tests/")]
        return next((file for file in files if not (ROOT / file).exists()), None)
    return None if program in OTHERS else program


def _unknown_option(words: list[str]) -> str | None:
    """Return a command of `rookery` where it, or an option that it is given, does not exist."""
    from rookery.cli.main import app

    path = [word for word in words[:2] if re.fullmatch("[a-z-]+", word) and word[0] != "-"]
    for depth in (2, 1):  # the second word may be an argument
        shown = CliRunner().invoke(app, [*path[:depth], "--help"], env={"COLUMNS": "200"})
        if "Usage" in shown.output and shown.exit_code == 0:
            break
    else:
        return " ".join(words)
    options = [word.partition("=")[0] for word in words if word.startswith("--")]
    wrong = [option for option in options if not re.search(rf"{option}[ ,]", shown.output)]
    return " ".join(words) if wrong else None


def navigation() -> list[str]:
    """Return the pages in the navigation of the documentation, in its order."""
    return [f"{page.name}.md" for section in sections({}) for page in section.pages]
