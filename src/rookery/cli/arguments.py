"""Arguments that commands share: options, their checks, and how a command refuses."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias, TypeVar

import typer
from typer.core import TyperGroup

from rookery.files import prepare

if TYPE_CHECKING:
    from rookery.engine import targets
    from rookery.rules import Language

T = TypeVar("T")


class Refused(Exception):
    """Ends a command with one line on standard error.

    Attributes:
        status: the exit status: 1 where the answer is no, 2 for bad usage or bad input.
    """

    def __init__(self, line: str, status: int = 2) -> None:
        self.status = status
        super().__init__(line)


def is_stop(error: BaseException | None) -> bool:
    """Return whether an error comes from a Ctrl-C: what is imported wraps one in its own."""
    met = set[int]()  # an error may be its own cause
    while error is not None and id(error) not in met and not isinstance(error, KeyboardInterrupt):
        met.add(id(error))
        error = error.__cause__ or error.__context__
    return isinstance(error, KeyboardInterrupt)


class _Group(TyperGroup):
    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        """Write the list of commands, with what each does in full: Click would cut it off."""
        commands = {name: self.get_command(ctx, name) for name in self.list_commands(ctx)}
        with formatter.section("Commands"):
            formatter.write_dl(
                [
                    (name, " ".join((one.help or "").split("\n\n")[0].split()))
                    for name, one in commands.items()
                    if one is not None
                ]
            )


def group(text: str) -> typer.Typer:
    """Return a command that has commands of its own; `text` is its help."""
    return typer.Typer(cls=_Group, help=text, add_completion=False, rich_markup_mode=None)


_OTHER: Final = re.compile(r"(?s)(\w)=(.*)")  # a database, with its letter
Spread: TypeAlias = tuple[tuple[str, str], ...]
MOST_SEED: Final = 2**63 - 1
MOST_THREADS: Final = 1024


def check_number(option: str, number: int | None, least: int, most: int) -> None:
    """Refuse a number that is out of range; None is fine."""
    if number is not None and not least <= number <= most:
        raise Refused(f"{option} {number}: expected a number from {least} to {most}")


def number(text: str, least: int, most: int, *names: str, metavar: str = "N") -> Any:  # noqa: ANN401  (Typer's own type)
    """Return an option that takes a number from `least` to `most`; `text` is its help."""

    def check(param: typer.CallbackParam, value: int | None) -> int | None:
        check_number(param.opts[0], value, least, most)
        return value

    return typer.Option(*names, metavar=metavar, help=text, callback=check)


def _checked_log(log: str) -> str:
    if log not in ("text", "json"):
        raise Refused(f"--log: {log!r} is neither text nor json")
    return log


def say_unused(ctx: typer.Context, why: str, *names: str) -> None:
    """Say on standard error which options on the command line nothing comes of, and `why`.

    Without `names` it is any but ``--list``. Nothing is said of what is in the environment. They
    are not refused: a program that gives them goes on as before.
    """
    for param in ctx.command.params:
        asked = param.name in names if names else "--list" not in param.opts
        if asked and _is_given(ctx, param.name):
            option = param.opts[0] if param.opts[0][0] == "-" else param.metavar
            typer.echo(f"{option} is passed over: {why}", err=True)


def _is_given(ctx: typer.Context, name: str | None) -> bool:
    source = ctx.get_parameter_source(name or "")
    return source is not None and source.name == "COMMANDLINE"


def _one_place(ctx: typer.Context, value: Any) -> Any:  # noqa: ANN401  (of two options)
    """Say that of a folder and a database the folder is passed over."""
    if _is_given(ctx, "database"):
        say_unused(ctx, "there is a --database", "data")
    return value


def check_name(option: str, path: Path | None) -> None:
    """Refuse ``-`` for what is written: it goes into a file or a folder. None is fine."""
    if path is not None and str(path) == "-":
        raise Refused(f"{option} -: cannot go to standard output; expected a name")


def check_folder(option: str, folder: Path | None) -> None:
    """Refuse a folder that cannot take files; make it where it is not there. None is fine."""
    if folder is None:
        return
    check_name(option, folder)
    try:
        prepare(folder)
    except OSError as error:
        raise Refused(f"{option} {folder}: {(error.strerror or str(error)).lower()}") from None


def check_picture(path: Path | None, *kinds: str) -> None:
    """Refuse a picture that cannot be written or drawn as one of `kinds`; None is fine."""
    if path is None:
        return
    if path.suffix.lower() not in kinds:
        raise Refused(f"--picture {path}: expected a name that ends in {', '.join(kinds)}")
    if path.is_dir():
        raise Refused(f"--picture {path}: is a folder; expected a file")
    if path.parent.exists() and not path.parent.is_dir():
        raise Refused(f"--picture {path}: {path.parent} is no folder")
    check_folder("--picture", path.parent)


class Target(StrEnum):
    """Where the kernels run."""

    NUMBA = "numba"
    NATIVE = "native"
    PYTHON = "python"
    CUDA = "cuda"


def place(target: Target | None) -> targets.Target:
    """Return where the laboratory plays, given what ``--target`` says.

    Raises:
        MissingTarget: that is not here.
    """
    from rookery.engine.targets.choice import check, for_laboratory, prefer

    if target is None:
        return for_laboratory()
    prefer(target.value)
    check(target.value, f"--target {target.value}")
    return target.value


AsJson: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Seed: TypeAlias = Annotated[
    int, number("The same seed, the same cards and figures.", 0, MOST_SEED, metavar="S")
]
Out: TypeAlias = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Write figures, report and pictures here as well."),
]
Cores: TypeAlias = Annotated[
    int | None, number("How many cores to use; all by default.", 1, MOST_THREADS)
]
Cluster: TypeAlias = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Use a Ray cluster: auto, or host:port.")
]
Data: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        help="The folder that keeps the tables.",
        show_default="your data folder",
        callback=_one_place,
    ),
]


def database_option(what: str) -> Any:  # noqa: ANN401
    """Return the option `--database`, which may be given again; `what` says what it names."""
    return typer.Option(
        envvar="ROOKERY_DATABASE_URL",
        metavar="<address>",
        help=what,
        show_default="SQLite in that folder",
        callback=_one_place,
    )


def told_apart(given: Sequence[str]) -> tuple[str | None, Spread]:
    """Return the first database, None where none is given, and the others by their letters.

    Raises:
        Refused: they cannot be told apart.

    >>> told_apart(["postgresql://a/rookery", "B=postgresql://b/tables"])
    ('postgresql://a/rookery', (('B', 'postgresql://b/tables'),))
    """
    first, spread = [], dict[str, str]()
    for one in filter(None, given):
        found = _OTHER.fullmatch(one)
        if found is None:
            first.append(one)
            continue
        _check_letter(found[1])
        if found[1] in spread:
            raise Refused(f"--database: {found[1]}= is given twice; each database has its letter")
        spread[found[1]] = found[2]
    if len(first) > 1:
        line = (
            "two databases without a letter; expected B=postgresql://user@host/name of all others"
        )
        raise Refused(f"--database: {line}")
    if spread and not first:
        raise Refused("--database: the first database, which has no letter, is missing")
    return (first[0] if first else None), tuple(spread.items())


def checked_letters(given: Sequence[str], spread: Spread) -> tuple[str, ...]:
    """Return the letters of databases that take no new tables.

    Raises:
        Refused: no database has such a letter.
    """
    for letter in given:
        if letter not in dict(spread):
            raise Refused(
                f"--drain: no --database is {letter}={'' if spread else ' (none has one)'}"
            )
    return tuple(given)


def _check_letter(letter: str) -> None:
    from rookery.server.names import ALPHABET  # late: nearly nobody has several

    if letter not in ALPHABET:
        raise Refused(
            f"--database: {letter}= is no letter of a database; expected one of {ALPHABET}"
        )


Log: TypeAlias = Annotated[
    str,
    typer.Option(
        envvar="ROOKERY_LOG",
        help="How to write the log: text, or json for programs.",
        callback=_checked_log,
    ),
]
Where: TypeAlias = Annotated[
    Target | None,
    typer.Option(
        help="Where hands are played; the figures are the same.",
        show_default="ROOKERY_TARGET, else the fastest here",
    ),
]
In: TypeAlias = Annotated[str, typer.Option("--lang", help="The language of the words: en or es.")]


def language(written: str) -> Language:
    """Return the language that somebody asked for by ``--lang``.

    Raises:
        Refused: there are no texts in it.
    """
    from rookery.rules import LANGUAGES

    for lang in LANGUAGES:
        if written.lower() == lang:
            return lang
    raise Refused(f"--lang {written}: expected {' or '.join(LANGUAGES)}")


def read_written(
    file: Path, read: Callable[[str, str], T], expected: str, wrong: type[ValueError]
) -> T:
    """Return what `read` makes of a file's text and name; `-` is standard input.

    Raises:
        Refused: it cannot be read, or `read` raised `wrong`; in one line.
    """
    where = "standard input" if str(file) == "-" else str(file)
    try:
        data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        return read(data.decode(), file.name)
    except OSError as error:
        reason = (error.strerror or "cannot be opened").lower()
        raise Refused(f"{where}: {reason}; expected {expected}") from None
    except UnicodeDecodeError:
        raise Refused(f"{where}: is no text in UTF-8; expected {expected}") from None
    except wrong as error:
        # What is neither TOML nor JSON has named the file.
        raise Refused(f"{where}: {str(error).removeprefix(f'{file.name}: ')}") from None
