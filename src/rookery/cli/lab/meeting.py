"""How `rookery match` plays what is asked for, deals or whole matches, and says what came of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import typer

from rookery.bots.names import Bot
from rookery.cli.lab.runs import journal_of, mark_of
from rookery.cli.output import print_answer, shown, write_files
from rookery.engine.targets import Target
from rookery.files import write_file
from rookery.lab.duplicate.hands import HandFile
from rookery.lab.duplicate.holdout import Look
from rookery.lab.duplicate.match import Match, Played, Stopped, play_match
from rookery.lab.duplicate.result import Result, report, result_of
from rookery.lab.duplicate.seeds import Family
from rookery.lab.duplicate.sprt import Sprt
from rookery.lab.games.games import DEALS
from rookery.lab.games.result import SeriesResult, series_report, series_result
from rookery.lab.games.series import JOB, play_series, run_of, series_of
from rookery.lab.run.jobs import Executor, Journal
from rookery.rules import Rules

Spans = Callable[[Journal], Iterable[tuple[int, int]]]


@dataclass(frozen=True)
class Asked:
    """What both kinds have in common; see the options of the command."""

    rules: Rules
    label: str
    bots: tuple[Bot, ...]
    seed: int
    family: Family
    target: Target
    deadline_ms: int
    hands: Path | None
    as_json: bool
    out: Path | None
    picture: Path | None

    @contextmanager
    def noted(
        self, run: dict[str, str | int], lines: HandFile | None, done: Spans, rooms: int
    ) -> Iterator[Journal | None]:
        """Give the journal of a run; none where lines of its hands are lost: it is played anew."""
        if lines is not None:
            run = {**run, "hands": str(lines.path.absolute())}
        with journal_of(run, self.out) as journal:
            spans = [] if journal is None else list(done(journal))
            kept = lines is None or lines.take_up(spans, rooms, mark_of(run))
            yield journal if kept else None


class Deals:
    """A match on duplicate deals."""

    def __init__(self, asked: Asked, deals: int, sprt: Sprt | None) -> None:
        """Make it ready.

        Raises:
            BadLineup: the number of bots does not fit the game.
            NoHands: the file of the hands is something else.
        """
        self.asked = asked
        self.lines = _file(asked.hands, asked.family.first_board, games=False)
        self.match = Match(
            asked.rules, asked.label, asked.bots, deals, asked.seed, asked.family, sprt,
            asked.target, asked.deadline_ms, None if self.lines is None else self.lines.add,
        )  # fmt: skip

    @property
    def question(self) -> tuple[str, str]:
        """What the holdout is asked, and the settings in words."""
        match, sprt = self.match, self.match.sprt
        test = f", test {sprt.low:g},{sprt.high:g}" if sprt else ""
        return match.question, f"seed {match.seed}, {match.deals} deals{test}"

    def play(self, executor: Executor, look: Look | None) -> None:
        """Play it, print what came of it and write its files; so far as it came, where stopped."""
        match, asked = self.match, self.asked
        next(match.stretches()).count(0, 0)  # compiles, before anybody counts the seconds
        with asked.noted(match.run, self.lines, self._done, match.rooms) as journal:
            try:
                with shown("deals") as progress:
                    played = play_match(
                        match, executor=executor, journal=journal, progress=progress
                    )
            except Stopped as stopped:
                self._print(result_of(stopped.played))
                raise
            result = result_of(played)
            self._print(result)
            self._write(played, result)
            if self.lines is not None and self.match.sprt is not None:
                self.lines.keep_first(result.deals)  # the last wave went on after the answer
            if look is not None:  # last: what did not come out may be asked again
                ends = result.difference.ci95
                sure = "no interval" if ends is None else "{:+.2f} to {:+.2f}".format(*ends)
                look.done(f"{result.difference.mean:+.2f}, {sure}")

    def _done(self, journal: Journal) -> Iterator[tuple[int, int]]:
        for wave in self.match.waves():
            whole = True
            for job in wave:
                counted = journal.counted(job.name)
                whole = whole and counted.units == job.units
                before = job.skip - self.match.family.first_board
                for first, end in counted.spans:
                    yield before + first, before + end
            if not whole:  # so none of a later one has begun
                return

    def _print(self, result: Result) -> None:
        document = partial(result.model_dump, mode="json")
        print_answer(document, report(result).splitlines(), self.asked.as_json)

    def _write(self, played: Played, result: Result) -> None:
        picture, out = self.asked.picture, self.asked.out
        if picture is None and out is None:
            return
        from rookery.lab.duplicate.picture import picture as drawn

        if picture is not None:
            kind = picture.suffix.lower().removeprefix(".")
            write_file(picture, drawn(played, result, kind))
            typer.echo(str(picture), err=True)
        if out is not None:
            files = {
                "match.json": (result.model_dump_json(indent=2) + "\n").encode(),
                "report.txt": report(result).encode(),
                "match.png": drawn(played, result, "png"),
                "match.svg": drawn(played, result, "svg"),
            }
            write_files(out, files)


class Games:
    """Whole matches, mirrored."""

    def __init__(self, asked: Asked, games: int) -> None:
        """Make them ready.

        Raises:
            BadLineup: the number of bots does not fit the game.
            UnevenGames: so many games cannot be mirrored.
            NoHands: the file of the hands is something else.
        """
        self.asked = asked
        self.lines = _file(asked.hands, asked.family.first_board // DEALS, games=True)
        match = Match(
            asked.rules, asked.label, asked.bots, games, asked.seed, asked.family, None,
            asked.target, asked.deadline_ms, None if self.lines is None else self.lines.add,
        )  # fmt: skip
        self.series = series_of(match)

    @property
    def question(self) -> tuple[str, str]:
        """What the holdout is asked, and the settings in words."""
        series = self.series
        return f"{series.question} games", f"seed {series.seed}, {series.deals} sets of games"

    def play(self, executor: Executor, look: Look | None) -> None:
        """Play them, print what came of it and write it; so far as it came, where stopped."""
        series, out = self.series, self.asked.out
        with self.asked.noted(run_of(series), self.lines, _sets_done, series.rooms) as journal:
            try:
                with shown("games") as progress:
                    played = play_series(
                        series, executor=executor, journal=journal, progress=progress
                    )
            except Stopped as stopped:
                self._print(stopped.played)
                raise
            result = self._print(played)
            if out is not None:
                files = {
                    "games.json": (result.model_dump_json(indent=2) + "\n").encode(),
                    "report.txt": series_report(result).encode(),
                }
                write_files(out, files)
            if look is not None:
                low, high = result.won.ci95
                look.done(f"{result.won.mean:.3f}, {low:.3f} to {high:.3f}")

    def _print(self, played: Played) -> SeriesResult:
        result = series_result(played)
        document = partial(result.model_dump, mode="json")
        print_answer(document, series_report(result).splitlines(), self.asked.as_json)
        return result


def _file(path: Path | None, first: int, *, games: bool) -> HandFile | None:
    return None if path is None else HandFile(path, first, games=games)


def _sets_done(journal: Journal) -> Iterable[tuple[int, int]]:
    return journal.counted(JOB).spans
