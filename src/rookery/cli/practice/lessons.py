"""`rookery lessons`: check a lesson, and make the files that the page shows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rookery.cli.arguments import Refused, check_folder, group
from rookery.lessons import IDS, Lesson, LessonError, load, made, read
from rookery.lessons.tree import dumped

app = group("Lessons: check one, or make the files that the page shows.")


@app.command("check")
def check(
    file: Annotated[
        Path, typer.Argument(help="The lesson: a record with its steps, not what `make` writes.")
    ],
) -> None:
    """Check with the engine that every goal of a lesson can be reached, and missed."""
    status = 2
    try:
        lesson = read(file.stem, file.read_bytes())
        status = 1  # it is a lesson, and the answer may be no
        tree = made(lesson)
    except LessonError as error:
        made_of = "; expected a record with its steps, not what `rookery lessons make` writes"
        hint = made_of if error.reason.startswith("format: ") else ""
        raise Refused(f"{file}: {error}{hint}", status) from None
    asked = sum("ways" in node or "find" in node for node in tree["nodes"])
    typer.echo(f"{_steps(lesson)}; {asked} questions on all ways through it")


@app.command("make")
def make(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the files go.")],
) -> None:
    """Make the file of every lesson that comes with the program."""
    check_folder("DIR", folder)
    for name in IDS:
        lesson = load(name)
        (folder / f"{name}.json").write_text(dumped(made(lesson)), "utf-8")
        typer.echo(f"{name}: {_steps(lesson)}")


def _steps(lesson: Lesson) -> str:
    return f"{len(lesson.steps)} steps, by the rules {lesson.record.rules.name}"
