"""`rookery foresight`: look for play that seems to use hidden cards, over many records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from rookery.cli.arguments import AsJson, Refused, Seed, number
from rookery.cli.output import print_answer, printable, shown
from rookery.cli.records.replay import replayed
from rookery.cli.records.review import folded
from rookery.game.errors import counted
from rookery.lab.foresight import (
    BEYOND,
    ENOUGH,
    SEED,
    Foresight,
    PairForesight,
    PlayerForesight,
    look,
)
from rookery.lab.observations import TRICKS, WORLDS

NAME = 20
VERDICTS = {
    "too-few": "too few hands to say",
    "nothing": "nothing to see",
    "more": "more than chance explains",
}


def report(found: Foresight, pairs: bool = False) -> Iterator[str]:
    """Yield the lines of the report, a player a line, or two partners."""
    yield typer.style("Play that is better than its information", bold=True)
    looked = f"{counted(found.records, 'record')}, {counted(found.hands, 'hand')} looked at"
    if found.unsuited:
        looked += f", {found.unsuited:,} of them without cards to look at"
    if found.again:
        twice = "occurs twice and counts" if found.again == 1 else "occur twice and count"
        looked += f"; {found.again:,} {twice} once"
    yield from folded(f"{looked}.")
    yield ""
    yield f"{'':<{NAME}}{'hands':>7}{'cards':>8}{'points a hand':>18}"
    for one in found.pairs if pairs else found.players:
        yield _line(one)
    yield ""
    yield from folded(_meaning(found))


def _name(one: PlayerForesight | PairForesight) -> str:
    if isinstance(one, PairForesight):
        if one.names is None:
            return "Seats " + " and ".join(map(str, one.seats or ()))
        return "+".join(printable(name, (NAME - 2) // 2) or "?" for name in one.names)
    return f"Seat {one.seat}" if one.name is None else printable(one.name, NAME - 1) or "?"


def _line(one: PlayerForesight | PairForesight) -> str:
    name = _name(one)
    figure = "-"
    if one.foresight is not None:
        figure = f"{one.foresight:+.2f}"
        if one.error is not None:
            figure += f" ± {one.error:.2f}"
    return f"{name:<{NAME}}{one.hands:>7,}{one.decisions:>8,}{figure:>18}  {VERDICTS[one.verdict]}"


def _meaning(found: Foresight) -> str:
    others = counted(found.worlds, "other")
    allowed = {one.allowed for one in found.players if one.allowed is not None}
    points = f"{allowed.pop():.1f} points, " if len(allowed) == 1 else ""
    return (
        "Points a hand: by how much more a player's cards gained over the best guess in the true "
        f"hands than in {others} that they could not tell from them, ± the standard error. An "
        "honest player comes out near 0, whether they play well or badly. More than chance "
        f"explains is {BEYOND:.0f} errors above what honest players were measured at, "
        f"{points}in {ENOUGH} hands or more. It is no proof: signals, cards that were "
        "read well, and a partner who sees look the same."
    )


MOST_HANDS = 10_000_000
MOST_WORLDS = 1000
MOST_TRICKS = 12


def command(
    files: Annotated[
        list[str],
        typer.Argument(help="Records, and folders with records; - reads one from standard input."),
    ],
    hands: Annotated[
        int | None, number("How many hands to look at; all by default.", 1, MOST_HANDS)
    ] = None,
    worlds: Annotated[
        int, number("How many other hands each card is compared over.", 1, MOST_WORLDS)
    ] = WORLDS,
    tricks: Annotated[
        int, number("Look at cards with so many tricks left or fewer.", 2, MOST_TRICKS)
    ] = TRICKS,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Print partners together, for whoever runs an evening.")
    ] = False,
    seed: Seed = SEED,
    as_json: AsJson = False,
) -> None:
    """Look for play that seems to use hidden cards, over hundreds of hands.

    Each card is compared over hands that its player could not tell from the true one. An honest
    player gains as much in these as in the true hand, whether they play well or badly. It takes
    hundreds of hands to say anything, and it never proves what somebody did.
    """
    matches = [replayed(file) for file in _listed(files)]
    if not any(match.hands for match in matches):
        raise Refused(f"{files[0]}: no record here has a hand; expected one at least")
    with shown("hands") as progress:
        found = look(
            matches, hands=hands, worlds=worlds, tricks=tricks, seed=seed, progress=progress
        )
    print_answer(found.model_dump, report(found, pairs), as_json)


def _listed(files: Sequence[str]) -> Iterator[str]:
    for file in files:
        folder = Path(file)
        if file in ("", "-") or not folder.is_dir():
            yield file
            continue
        inside = sorted(str(path) for path in folder.rglob("*.json"))
        if not inside:
            raise Refused(f"{file}: no record in this folder; expected files named .json")
        yield from inside
