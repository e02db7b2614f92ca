"""The command line: which commands there are, and how each of them ends.

A command's module is imported when that command is run, so ``rookery --help`` waits for none.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from signal import SIG_DFL, SIGTERM, default_int_handler, getsignal, signal
from threading import current_thread, main_thread
from traceback import extract_tb
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from rookery.cli.arguments import Refused, is_stop

# By name: where it lives, a function or a Typer app as `load` knows it, and what it does.
COMMANDS: Final = {
    "serve": ("rookery.cli.server.serve:command", "A table in the browser, for friends and bots."),
    "site": ("rookery.cli.server.site:app", "A site of files, which needs no server."),
    "bots": ("rookery.cli.server.bots:command", "Processes in which a server's bots think."),
    "database": ("rookery.cli.server.database:app", "The tables' database: version and clock."),
    "backup": ("rookery.cli.server.database:backup", "Copy all tables into one file, checked."),
    "restore": ("rookery.cli.server.database:restore", "Restore all tables from such a file."),
    "rules": ("rookery.cli.rules:app", "The catalogue of variants, and your house rules."),
    "replay": ("rookery.cli.records.replay:command", "Play a record again and check every step."),
    "verify-deal": ("rookery.cli.records.verify_deal:command", "Check that all deals were fair."),
    "play": ("rookery.cli.play.game:command", "A game in the terminal, against bots."),
    "match": ("rookery.cli.lab.match:command", "Bots against bots on the same deals."),
    "study": ("rookery.cli.lab.study:command", "A study of bots or rules."),
    "league": ("rookery.cli.lab.league:command", "Every bot against every other."),
    "evaluate": (
        "rookery.cli.lab.evaluate:command",
        "A policy of yours against bots of known strength.",
    ),
    "odds": ("rookery.cli.lab.odds:app", "The odds of how the unseen cards lie."),
    "review": ("rookery.cli.records.review:command", "What each decision of a match cost."),
    "lessons": ("rookery.cli.practice.lessons:app", "Lessons: check one, or make their files."),
    "puzzles": ("rookery.cli.practice.puzzles:app", "Decisions with one right answer."),
    "evening": ("rookery.cli.evening:app", "Many tables, or real cards: seats, score sheets."),
    "foresight": (
        "rookery.cli.records.foresight:command",
        "Find play that seems to use hidden cards.",
    ),
    "solve": ("rookery.cli.records.solve:command", "Best play with all hands open."),
    "train": ("rookery.cli.lab.train:command", "Train the network that plays cards."),
    "bench": ("rookery.cli.lab.bench:command", "How fast this machine runs the engine."),
    "library": (
        "rookery.cli.lab.library:command",
        "The engine for C, and for whatever can call C.",
    ),
    "schema": ("rookery.cli.main:print_schema", "The JSON schema of what a command prints."),
}
LONGEST: Final = 1000  # characters of a line that says what was wrong
# What is read and printed as JSON, by the names that `rookery schema` knows: types, by `load`.
SCHEMAS: Final = {
    "bench": "rookery.lab.bench:Bench",
    "bot-answer": "rookery.bots.protocol:Answer",
    "bot-messages": "rookery.bots.protocol:Message",
    "evaluation": "rookery.envs.evaluation.report:Evaluation",
    "evening-deal": "rookery.cli.evening.deal:DealtEvening",
    "evening-results": "rookery.evening.duplicate.results_file:Results",
    "evening-results-file": "rookery.evening.duplicate.results_file:ResultsFile",
    "evening-schedule": "rookery.evening.movements.schedule:Schedule",
    "evening-score": "rookery.evening.sheet_file:SheetSeen",
    "evening-sheet": "rookery.evening.sheet_file:SheetFile",
    "foresight": "rookery.lab.foresight:Foresight",
    "league": "rookery.lab.league.report:Leagues",
    "match": "rookery.lab.duplicate.result:Result",
    "match-games": "rookery.lab.games.result:SeriesResult",
    "match-hand": "rookery.lab.duplicate.hands:HandLine",
    "odds": "rookery.lab.odds.answer:Odds",
    "puzzle": "rookery.puzzles.document:PuzzleAnswer",
    "puzzles": "rookery.puzzles.document:PuzzleList",
    "record": "rookery.cli.records.record_schema:RecordDocument",
    "review": "rookery.review.document:Review",
    "rules": "rookery.rules:Rules",
    "rules-effect": "rookery.lab.effect.effect:EffectDocument",
    "solve": "rookery.solver.solution:Solution",
    "study": "rookery.lab.studies.file:StudyFile",
    "study-answer": "rookery.lab.studies.run:Document",
    "train": "rookery.cli.lab.train:TrainReport",
    "verify-deal": "rookery.fairness.check:CheckedMatch",
    "view": "rookery.view:View",
}


def load(target: str) -> Any:  # noqa: ANN401  (a function, a Typer app or a model)
    """Return what a target names, importing its module."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)


def print_schema(
    name: Annotated[str, typer.Argument(help=f"One of: {', '.join(SCHEMAS)}.")],
) -> None:
    """Print the JSON schema of a file that is read, or of what `--json` prints."""
    from pydantic import TypeAdapter

    from rookery.cli.output import print_json

    if name not in SCHEMAS:
        raise Refused(f"no schema is called {name!r}; expected one of {', '.join(SCHEMAS)}")
    print_json(TypeAdapter(load(SCHEMAS[name])).json_schema())


class Commands(TyperGroup):
    """The commands, each imported when it is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401  (Click's own type)
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401
        """Return a command, importing its module; None where there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        found = load(COMMANDS[cmd_name][0])
        if not isinstance(found, typer.Typer):
            single = typer.Typer(add_completion=False, rich_markup_mode=None)
            single.command(cmd_name)(found)
            found = single
        command = typer.main.get_command(found)
        _check_names(command)
        return command

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        """Write the list of commands without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, does) for name, (_, does) in COMMANDS.items()])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        *_: Any,  # noqa: ANN401  (the rest steers what this replaces)
        **__: Any,  # noqa: ANN401
    ) -> Any:  # noqa: ANN401
        """Run a command and exit with its status; whatever goes wrong is one line, not a trace."""
        _open_streams()
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(errors="backslashreplace")
        status = 0
        # As Ctrl-C: what a command has started, such as a program in a seat, ends with it.
        ours = current_thread() is main_thread() and getsignal(SIGTERM) is SIG_DFL
        if ours:
            signal(SIGTERM, default_int_handler)
        try:
            words = list(sys.argv[1:] if args is None else args)
            with self.make_context(prog_name or "rookery", words) as ctx:
                _check_target(words)
                if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
                    ctx.color = False  # a terminal that shows none, or somebody who wants none
                self.invoke(ctx)
            sys.stdout.flush()
        except typer.Exit as done:
            status = done.exit_code
        except KeyboardInterrupt:
            status = 130
        except BrokenPipeError:
            # The reader has seen enough; what is left in the buffer goes nowhere.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        except Exception as error:
            line, status = _line(error)
            if line:
                print(_shown(line), file=sys.stderr)
        finally:
            if ours:
                signal(SIGTERM, SIG_DFL)
        sys.exit(status)


def _check_names(command: Any) -> None:  # noqa: ANN401  (Click's own type)
    """Have a command refuse an empty name of a file or folder: as a path it is the current one."""
    for one in getattr(command, "commands", {}).values():
        _check_names(one)
    for param in command.params:
        param.process_value = partial(_named, param, param.process_value)


def _named(param: Any, process: Any, ctx: Any, value: Any) -> Any:  # noqa: ANN401
    found = process(ctx, value)
    paths = found if isinstance(found, list | tuple) else [found]
    texts = value if isinstance(value, list | tuple) else [value]
    if "" in texts and any(isinstance(path, Path) for path in paths):
        raise typer.BadParameter("the name is empty", ctx=ctx, param=param)
    return found


def _open_streams() -> None:
    """Open those of the three standard streams that whoever started the program has closed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: PTH123, SIM115  (it stays)


def _shown(line: str) -> str:
    """Return a line for a terminal, with what would steer it written out: a file's words, say.

    What is very long loses its middle: the end says what was expected.
    """
    from rookery.cli.output import one_line

    shown = one_line(line)
    return shown if len(shown) <= LONGEST else f"{shown[:600]} ... {shown[-395:]}"


def _check_target(words: Sequence[str]) -> None:
    """Refuse a ``$ROOKERY_TARGET`` that is not here, for any command; ``--target`` wins over it."""
    asked = {word.partition("=")[0] for word in words}
    if os.environ.get("ROOKERY_TARGET", "").strip() and not asked & {"--target", "--help", "-h"}:
        from rookery.engine.targets.choice import wanted

        wanted()


def _line(error: Exception) -> tuple[str, int]:
    """Return what went wrong, in a line or none, and the exit status; a bug is raised again."""
    if isinstance(error, Refused):
        return str(error), error.status
    if isinstance(error, typer.Abort):
        return "stopped", 130
    if hasattr(error, "format_message"):  # what Click says of wrong options and arguments
        context = getattr(error, "ctx", None)
        where = context.command_path if context is not None else "rookery"
        line = _in_our_words(error, str(error.format_message())).rstrip(".")
        return f"{where}: {line[:1].lower()}{line[1:]}; see {where} --help", 2
    if isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("rookery"):
        return f"this needs {error.name}, which is not installed; rookery-cards[lab] brings it", 2
    if isinstance(error, OSError):
        return f"{_named_place(error)}{(error.strerror or str(error)).lower()}", 2
    if isinstance(error, ValueError) and hasattr(error, "code"):
        return str(error), 2
    if is_stop(error):
        return "", 130
    raise error


_KINDS: Final = {"int_parsing": "a whole number", "float_parsing": "a number"}


def _in_our_words(error: Exception, line: str) -> str:
    """Return what Click says of an option's value; newer ones of Typer leave that to pydantic."""
    errors = getattr(error.__cause__, "errors", None)
    if errors is None:
        return line
    fault: dict[str, Any] = errors()[0]
    said = fault["msg"]
    ours = said.removeprefix("Value error, ")
    if fault["type"] in _KINDS:
        ours = f"{fault['input']!r}; expected {_KINDS[fault['type']]}"
    return line.replace(said, ours)


def _named_place(error: OSError) -> str:
    """Return what could not be read or written, for a line about it; nothing where none knows."""
    if error.filename is not None:
        return f"{error.filename}: "
    *_, last = extract_tb(error.__traceback__)  # a stream's own error does not name it
    return "standard output: " if last.name in ("echo", "main") else ""


app = typer.Typer(
    cls=Commands,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from rookery.about import version

        typer.echo(f"rookery {version()}")
        raise typer.Exit


@app.callback()
def root(
    version: bool = typer.Option(
        False, "--version", is_eager=True, callback=_print_version, help="Print the version."
    ),
) -> None:
    """The Rook you know: played, recorded, scored and measured."""
