"""`rookery evening schedule`: who sits where at an evening of many tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from textwrap import fill
from typing import Annotated, Final

import typer

from rookery.cli.arguments import (
    MOST_SEED,
    AsJson,
    Refused,
    check_number,
    number,
    read_written,
    say_unused,
)
from rookery.cli.output import WIDTH, print_answer, wrapped
from rookery.evening.movements.changes import begin, stand_in
from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.resume import read_rounds, resumed
from rookery.evening.movements.schedule import (
    MOST_ROUNDS,
    BoardPlan,
    Schedule,
    Spread,
    document,
    movement_list,
    played_out,
)
from rookery.evening.movements.state import BOARDS, FOUR, EveningError, Game, game_of
from rookery.evening.movements.suited import A_ROUND, Choice, rounds_in, suited
from rookery.rules import load

MOST_STAND_INS: Final = 7
ROUNDS: Final = 8
DAY: Final = 24 * 60  # minutes


def schedule(
    ctx: typer.Context,
    people: Annotated[
        int | None, typer.Option(metavar="N", help="How many people play; they are 0 to N-1.")
    ] = None,
    rounds: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many rounds.", show_default=str(ROUNDS)),
    ] = None,
    minutes: Annotated[
        int | None, typer.Option(metavar="M", help="How long the evening is, in place of --rounds.")
    ] = None,
    each: Annotated[
        int, typer.Option(metavar="M", help="How many minutes a round takes.")
    ] = A_ROUND,
    movement: Annotated[
        str, typer.Option(metavar="NAME", help=f"One of: {', '.join(MOVEMENTS)}.")
    ] = "individual",
    rules: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID",
            help="The game; its seats are those of a table. May be given again, for tables of "
            "several sizes.",
            show_default="four at a table, two against two",
        ),
    ] = None,
    stand_ins: Annotated[
        int, typer.Option(metavar="N", help="People or bots who only fill a table up.")
    ] = 0,
    best_of: Annotated[
        int, typer.Option(metavar="N", help="The most games that a knockout's match takes.")
    ] = 1,
    boards: Annotated[
        int, typer.Option(metavar="N", help="Prepared deals that a table plays in a round.")
    ] = BOARDS,
    seed: Annotated[int, number("The same seed, the same draws.", 0, MOST_SEED, metavar="S")] = 0,
    after: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="The rounds so far, as --json prints them, with scores filled in."
        ),
    ] = None,
    list_all: Annotated[
        bool,
        typer.Option(
            "--list", help="List the movements; with --people, those that suit them, best first."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Say who sits where in each round, who sits out, and how often two people meet.

    Seats are written clockwise, so partners at a table of four are the first and the third. In a
    movement where results decide who sits where next, only the first round is printed, or the one
    that follows those in --after; give the other options as before.
    """
    if list_all and people is None:
        other = ("rounds", "minutes", "each", "rules")
        say_unused(ctx, "it is for the movements that suit --people", *other)
    if list_all:
        drawn = ("movement", "stand_ins", "best_of", "boards", "seed", "after")
        say_unused(ctx, "it is not for --list", *drawn)
    if list_all and people is None:
        print_answer(lambda: [one.model_dump() for one in movement_list()], _movements(), as_json)
        return
    if people is None:
        raise Refused("--people: how many people play? Expected a number, or --list")
    wanted = _rounds(rounds, minutes, each)
    if minutes is None:
        say_unused(ctx, "it is for --minutes", "each")
    check_number("--stand-ins", stand_ins, 0, MOST_STAND_INS)
    games = [game_of(load(one)) for one in rules] if rules else [FOUR]
    if list_all:
        choices = suited(people, wanted, tuple(games))
        lines = _choices(choices, wanted)
        print_answer(lambda: [one.model_dump() for one in choices], lines, as_json)
        return
    rounds = wanted or ROUNDS
    begun = begin(movement, people, games, seed, best_of, boards)
    if MOVEMENTS[movement].plan is None:
        say_unused(ctx, f"{movement} has no prepared deals", "boards")
    for _ in range(stand_ins):
        begun = stand_in(begun)
    if after is not None:
        kept = read_written(after, read_rounds, "rounds as --json prints them", EveningError)
        begun = resumed(begun, kept)
    found = document(played_out(begun, max(1, rounds - len(begun.rounds))))
    print_answer(found.model_dump, _lines(found, games, rounds), as_json)


def _rounds(rounds: int | None, minutes: int | None, each: int) -> int | None:
    """Return how many rounds are wanted; None where nobody has said."""
    check_number("--each", each, 1, DAY)
    if minutes is None:
        check_number("--rounds", rounds, 1, MOST_ROUNDS)
        return rounds
    if rounds is not None:
        raise Refused("--minutes: expected --rounds or --minutes, not both")
    check_number("--minutes", minutes, 1, DAY)
    return min(rounds_in(minutes, each), MOST_ROUNDS)


def _choices(choices: Sequence[Choice], wanted: int | None) -> Iterator[str]:
    """Yield the movements that suit an evening, for a person."""
    yield f"{'':11}{'rounds':>7}{'sit out':>9}"
    for one in choices:
        mark = "" if wanted is None or one.fits else f"  needs {one.full} rounds, not {wanted}"
        exact = "  exact" if one.exact and not mark else ""
        yield f"{one.movement:<11}{one.full or 'any':>7}{one.byes:>9}{exact}{mark}"


def _movements() -> Iterator[str]:
    for name, one in MOVEMENTS.items():
        after = " Results say who sits where next." if one.by_results else ""
        yield wrapped(name, f"{one.does}{after}", 0, 13)
    yield ""
    yield "Exact, for four at a table and up to 41 people:"
    for entry in movement_list():
        yield wrapped(entry.id, f"{entry.promise}: {', '.join(map(str, entry.exact))}.", 0, 13)


def _lines(found: Schedule, games: list[Game], wanted: int) -> Iterator[str]:
    does = MOVEMENTS[found.movement].does
    yield fill(f"{found.people} people, {found.movement}. {does}", WIDTH)
    pairs = len(games) == 1 and games[0] == FOUR
    everybody = [who for tables in found.rounds for table in tables for who in table.seats]
    longest = len(str(max(everybody)))
    for turn, (tables, byes) in enumerate(zip(found.rounds, found.byes, strict=True), 1):
        yield ""
        out = f", sitting out: {' '.join(map(str, byes))}" if byes else ""
        yield fill(f"Round {turn}{out}", WIDTH)
        cells = []
        for table in tables:
            seats = [f"{who:>{longest}}" for who in table.seats]
            who = "{0} {2} v {1} {3}".format(*seats) if pairs else " ".join(seats)
            cells.append(f"{table.table:>5}: {who}{_boards(table.boards)}")
        width = max(map(len, cells))
        across = max(1, WIDTH // width)
        for i in range(0, len(cells), across):
            yield "".join(f"{cell:<{width}}" for cell in cells[i : i + across]).rstrip()
    yield ""
    if found.partners is None:
        yield f"Two people share a table {_times(found.opponents)}."
    elif not MOVEMENTS[found.movement].fixed_teams:
        yield f"Two people are partners {_times(found.partners)}."
        yield f"Two people are opponents {_times(found.opponents)}."
    else:
        yield "Partners stay together."
        if found.plan is None:
            most = found.opponents.max
            yield f"Two pairs meet at most {'once' if most == 1 else f'{most} times'}."
    if found.plan is not None:
        yield from _plan(found.plan)
    if found.by_results and wanted > 1:
        yield "The next rounds depend on results, so no more of them can be said."


def _boards(boards: list[int]) -> str:
    """Return which prepared deals a table plays.

    >>> _boards([3, 4]), _boards([7]), _boards([])
    (', deals 3-4', ', deal 7', '')
    """
    if len(boards) > 1:
        return f", deals {boards[0]}-{boards[-1]}"
    return f", deal {boards[0]}" if boards else ""


def _plan(plan: BoardPlan) -> Iterator[str]:
    yield f"{plan.boards} deals have to be prepared; the whole movement has {plan.full} rounds."
    yield f"Each pair plays {_number(plan.played)} deals."
    yield f"Two pairs that may meet do so {_times(plan.met)}."
    yield f"Two pairs that are compared sit on the same side in {_number(plan.compared)} deals."
    if plan.shared:
        yield f"Tables share deals in {plan.shared} round{'s' if plan.shared > 1 else ''}."
    else:
        yield "No deal is at two tables at once."


def _number(spread: Spread) -> str:
    return f"{spread.max}" if spread.max == spread.min else f"{spread.min} to {spread.max}"


def _times(spread: Spread) -> str:
    """Return how often, in words.

    >>> _times(Spread(max=2, min=2)), _times(Spread(max=1, min=0))
    ('exactly 2 times', '0 to 1 times')
    """
    if spread.max == spread.min:
        return "exactly once" if spread.max == 1 else f"exactly {spread.max} times"
    return f"{spread.min} to {spread.max} times"
