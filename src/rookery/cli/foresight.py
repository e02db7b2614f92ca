"""`rookery foresight`: who chose cards that suit what he could not see, over many records."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rookery.cli.checks import check_number, check_seed
from rookery.cli.errors import Refused
from rookery.cli.options import AsJson
from rookery.cli.output import print_json

if TYPE_CHECKING:
    from rookery.game import Match

MOST_HANDS = 10_000_000
MOST_WORLDS = 1000
MOST_TRICKS = 12


def command(
    files: Annotated[
        list[str],
        typer.Argument(help="Records, and folders with records; - reads one from standard input."),
    ],
    hands: Annotated[
        int | None, typer.Option(metavar="N", help="Look at the first N hands; all, if not said.")
    ] = None,
    worlds: Annotated[
        int | None,
        typer.Option(metavar="N", help="Other hands that each card is held against; 16."),
    ] = None,
    tricks: Annotated[
        int | None, typer.Option(metavar="N", help="Look from so many tricks left on; 8.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="The same seed, the same figures.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Look for play that seems to use hidden cards, over hundreds of hands.

    Each card is compared over hands that its player could not tell from the true one. An honest
    player gains as much in these as in the true hand, whether they play well or badly. It takes
    hundreds of hands to say anything, and it never proves what somebody did.
    """
    from rookery.cli.foresight_text import told
    from rookery.cli.progress import shown
    from rookery.lab.foresight import SEED, look
    from rookery.review.foresight import TRICKS, WORLDS

    check_number("--hands", hands, 1, MOST_HANDS)
    check_number("--worlds", worlds, 1, MOST_WORLDS)
    check_number("--tricks", tricks, 2, MOST_TRICKS)
    check_seed(seed)
    matches = [_match(file) for file in _listed(files)]
    if not any(match.hands for match in matches):
        raise Refused(f"{files[0]}: no record here has a hand; expected one at least")
    with shown("hands") as progress:
        found = look(
            matches,
            hands=hands,
            worlds=WORLDS if worlds is None else worlds,
            tricks=TRICKS if tricks is None else tricks,
            seed=SEED if seed is None else seed,
            progress=progress,
        )
    if as_json:
        print_json(found.model_dump())
    else:
        typer.echo("\n".join(told(found)))


def _listed(files: Sequence[str]) -> Iterator[str]:
    for file in files:
        folder = Path(file)
        if file == "-" or not folder.is_dir():
            yield file
            continue
        inside = sorted(str(path) for path in folder.rglob("*.json"))
        if not inside:
            raise Refused(f"{file}: no record in this folder; expected files named .json")
        yield from inside


def _match(file: str) -> Match:
    from rookery import record

    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    try:
        return record.replay(record.loads(data))
    except record.RecordError as error:
        raise Refused(f"{file}: {error}") from None
