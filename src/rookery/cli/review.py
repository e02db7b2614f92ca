"""`rookery review`: a match looked at again, decision by decision."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rookery.cli.checks import check_number, check_seed
from rookery.cli.errors import Refused
from rookery.cli.options import AsJson
from rookery.cli.output import print_json

if TYPE_CHECKING:
    from rookery.review.document import Review

MOST_TRIES = 1_000_000


def command(
    file: Annotated[str, typer.Argument(help="The record; - reads standard input.")],
    hand: Annotated[
        int | None, typer.Option(metavar="N", help="This hand alone, counted from 0.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(metavar="N", help="This seat's decisions alone.")
    ] = None,
    tries: Annotated[
        int | None,
        typer.Option(metavar="N", help="Rollouts for a decision; more find smaller differences."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="The same seed, the same review.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Say what each decision of a match cost, and where the match turned.

    Every decision is judged on what its player could know, by trying all choices out in the same
    likely hands; and once more with all cards open.
    """
    from rookery import record
    from rookery.cli.progress import shown
    from rookery.cli.review_text import told
    from rookery.review.hand_review import TRIES
    from rookery.review.match_review import SEED, review

    check_number("--tries", tries, 1, MOST_TRIES)
    check_seed(seed)
    data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    try:
        match = record.replay(record.loads(data))
    except record.RecordError as error:
        if not as_json:
            raise Refused(f"{file}: {error}") from None
        print_json(error.document())
        raise typer.Exit(2) from None
    if not match.hands:
        raise Refused(f"{file}: the record has no hand; expected one at least")
    check_number("--hand", hand, 0, len(match.hands) - 1)
    check_number("--seat", seat, 0, match.rules.seats - 1)
    with shown("decisions") as progress:
        found = review(
            match,
            tries=TRIES if tries is None else tries,
            seed=SEED if seed is None else seed,
            hands=None if hand is None else [hand],
            progress=progress,
        )
    if seat is not None:
        found = of_seat(found, seat)
    if as_json:
        print_json(found.model_dump())
    else:
        typer.echo("\n".join(told(found, match)))


def of_seat(found: Review, seat: int) -> Review:
    """Return a review with one seat's decisions alone."""
    hands = [
        one.model_copy(update={"decisions": [d for d in one.decisions if d.seat == seat]})
        for one in found.hands
    ]
    places = {(one.hand, d.action_index) for one in hands for d in one.decisions}
    return found.model_copy(
        update={
            "players": [player for player in found.players if player.seat == seat],
            "hands": hands,
            "turning": [t for t in found.turning if (t.hand, t.action_index) in places],
        }
    )
