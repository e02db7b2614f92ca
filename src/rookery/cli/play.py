"""`rookery play`: a match in the terminal, against bots."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from rookery.cli.errors import Refused

if TYPE_CHECKING:
    from rookery.cli.play_game import Game

YOU: Final = 0


def command(
    rules: Annotated[
        str | None,
        typer.Option(help="A variant's id or a house-rule file.", show_default="kd_tournament"),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            help="Bots or levels from your left on, with commas; fewer than seats begin again.",
            show_default="karapet,papa,hog,rabbit",
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Deal the same cards again.", show_default="new cards")
    ] = None,
    record: Annotated[
        Path | None,
        typer.Option(help="Keep the match in this file, or go on with the one it holds."),
    ] = None,
    name: Annotated[str, typer.Option(help="What the others call you.")] = "You",
) -> None:
    """Play a match against bots; you have seat 0. Type ? at any prompt for what you can say."""
    from rookery.cli.play_prompt import Stopped

    if record is not None and record.exists():
        if rules is not None or bots is not None or seed is not None:
            raise Refused(f"{record}: goes on as it began; leave --rules, --bots and --seed out")
        game = _kept(record)
    else:
        game = _fresh(rules or "kd_tournament", bots, seed, record, name)
        game.save()
    try:
        game.run()
    except Stopped:
        again = "" if record is None else f" Go on with: rookery play --record {record}"
        typer.echo(f"\nStopped.{again}")


def _fresh(rules: str, bots: str | None, seed: int | None, path: Path | None, name: str) -> Game:
    from rookery.bots.levels import table_bot
    from rookery.bots.register import UnknownBot
    from rookery.cli.play_game import Game, default_bots
    from rookery.rules import load

    by = load(rules)
    if seed is not None and not 0 <= seed < 1 << 63:
        raise Refused(f"--seed: {seed} is out of range; expected 0 to {(1 << 63) - 1}")
    chosen = default_bots(by.seats) if bots is None else [b.strip() for b in bots.split(",")]
    try:
        chosen = [table_bot(bot).name for bot in chosen]
    except UnknownBot as error:
        raise Refused(f"--bots: {error}") from None
    if len(chosen) > by.seats - 1:
        raise Refused(f"--bots: {len(chosen)} bots; this game has {by.seats - 1} seats for them")
    seated = [chosen[i % len(chosen)] for i in range(by.seats - 1)]
    return Game.fresh(by, seated, secrets.randbits(62) if seed is None else seed, path, name)


def _kept(path: Path) -> Game:
    from rookery import record as records
    from rookery.cli.play_game import Game

    try:
        kept = records.read(path)
        match = records.replay(kept)
    except records.RecordError as error:
        raise Refused(f"{path}: {error}") from None
    if match.winners is not None:
        raise Refused(f"{path}: this match is over; name another file for a new one")
    return Game.resumed(kept, match, path)
