"""`rookery evening deal`: the same deals for every table of an evening, on paper."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from textwrap import fill
from typing import Annotated, Final

import typer
from pydantic import BaseModel

from rookery.cli.arguments import AsJson, Refused, check_folder, check_number, say_unused
from rookery.cli.output import WIDTH, print_answer, write_files
from rookery.evening.duplicate.slips import (
    dealing_slip,
    hand_slips,
    opened,
    order_slip,
    pair_cards,
    place_names,
    slips_of,
    table_cards,
)
from rookery.evening.movements.changes import begin
from rookery.evening.movements.register import MOVEMENTS
from rookery.evening.movements.rounds import laid_out, prepared_deals
from rookery.evening.movements.state import BOARDS, Evening, game_of
from rookery.fairness.deal import KEY_BYTES, secret
from rookery.fairness.evening import LONGEST_NAME, MOST_DEALS, EveningDeals, is_evening
from rookery.game.errors import counted
from rookery.rules import Rules, load, unprepared

OPENED: Final = "opened.json"
PLANNED: Final = [name for name, one in MOVEMENTS.items() if one.plan is not None]
HOW: Final = {
    "hand-slips.txt": "For people who do not play these deals: what each seat holds. Cut.",
    "order-slips.txt": (
        "Put the pack in this order, face up, from the top, and turn it over. Show nobody the "
        "slip. Somebody else deals; look away meanwhile."
    ),
    "dealing-slips.txt": (
        "Deal the pack face down from the top, a card to each of these. Show nobody the slip, and "
        "do not look at the order slip. Of a blind hand the first card dealt is the first."
    ),
}


class DealtEvening(BaseModel):
    """What was written, and what may be shown before anybody plays.

    Attributes:
        evening: the name of the evening.
        rules: the name of the rules.
        deals: how many deals there are.
        fingerprint: what binds to all of them, hexadecimal.
        files: the names of the files.
    """

    evening: str
    rules: str
    deals: int
    fingerprint: str
    files: list[str]


def deal(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="What this evening is called.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the files are written.")],
    deals: Annotated[
        int | None, typer.Option(metavar="N", help="How many deals, without a movement.")
    ] = None,
    movement: Annotated[
        str | None,
        typer.Option(metavar="NAME", help=f"Cards for its tables too: {', '.join(PLANNED)}."),
    ] = None,
    people: Annotated[
        int | None, typer.Option(metavar="N", help="How many people play in the movement.")
    ] = None,
    boards: Annotated[
        int, typer.Option(metavar="N", help="Deals that a table plays in a round of it.")
    ] = BOARDS,
    rules: Annotated[str, typer.Option(metavar="ID", help="The game.")] = "kd_tournament",
    key: Annotated[
        str | None,
        typer.Option(metavar="HEX", help="The key of 32 bytes; the same key, the same deals."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write slips by which people deal the same cards at every table, and cards for the tables.

    Show the fingerprint before the first deal. When the last table has played, show everybody
    opened.json: `rookery verify-deal` checks that the deals are those of the fingerprint.
    """
    game = load(rules)
    if reasons := unprepared(game):
        raise Refused(f"--rules {rules}: {reasons[0]}")
    if movement is None:
        say_unused(ctx, "it is for --movement", "people", "boards")
    seated = _seated(movement, people, boards, game)
    many = _many(deals, seated)
    if not is_evening(name, many):
        raise Refused(f"NAME: expected up to {LONGEST_NAME} printable characters, and no day")
    dealt = EveningDeals(game, name, many, _key(key))
    check_folder("--out", out)
    try:
        kept = out / OPENED
        # Slips may have been printed: without the key nobody can check the deals.
        if kept.exists() and dealt.key.hex().encode() not in kept.read_bytes():
            raise Refused(f"--out {out}: has the key of other deals; expected another folder")
        files = dict(_files(dealt, seated))
        write_files(out, {name: text.encode() for name, text in files.items()})
    except ValueError as error:
        raise Refused(f"--rules {rules}: {error}") from None
    except OSError as error:
        raise Refused(f"--out {out}: {(error.strerror or str(error)).lower()}") from None
    found = DealtEvening(
        evening=name, rules=game.name, deals=many, fingerprint=dealt.commitment, files=[*files]
    )
    print_answer(found.model_dump, _lines(found), as_json)


def _seated(movement: str | None, people: int | None, boards: int, rules: Rules) -> Evening | None:
    if movement is None:
        return None
    if movement not in PLANNED:
        raise Refused(f"--movement {movement}: expected one of {', '.join(PLANNED)}")
    if people is None:
        raise Refused("--people: how many people play? Expected a number")
    return laid_out(begin(movement, people, [game_of(rules)], boards=boards))


def _many(deals: int | None, seated: Evening | None) -> int:
    if (deals is None) == (seated is None):
        raise Refused("--deals: how many deals? Expected a number, or --movement and --people")
    if seated is not None:
        deals = prepared_deals(seated)
    check_number("--deals", deals, 1, MOST_DEALS)
    return deals or 0


def _key(written: str | None) -> bytes:
    if written is None:
        return secret()
    try:
        key = bytes.fromhex(written)
    except ValueError:
        key = b""
    if len(key) != KEY_BYTES:
        raise Refused(f"--key: expected {2 * KEY_BYTES} hexadecimal digits")
    return key


def _files(dealt: EveningDeals, seated: Evening | None) -> Iterator[tuple[str, str]]:
    places = place_names(dealt.rules)
    every = [slips_of(dealt, number) for number in range(1, dealt.boards + 1)]
    title = dealt.evening
    yield "fingerprint.txt", f"{title}, {counted(dealt.boards, 'deal')}\n{dealt.commitment}\n"
    slips = {
        "hand-slips.txt": [hand_slips(one, places, title) for one in every],
        "order-slips.txt": [order_slip(one, title) for one in every],
        "dealing-slips.txt": [dealing_slip(one, places, title) for one in every],
    }
    for name, lines in slips.items():
        yield name, "\n".join([fill(HOW[name], WIDTH), "", *chain.from_iterable(lines), ""])
    if seated is not None:
        names = [f"Pair {team + 1}" for team in range(len(seated.teams))]
        yield "table-cards.txt", "\n".join([*table_cards(seated, names), ""])
        yield "pair-cards.txt", "\n".join([*pair_cards(seated, names), ""])
    yield OPENED, opened(dealt, dealt.boards)


def _lines(found: DealtEvening) -> Iterator[str]:
    yield f"{found.evening}: {counted(found.deals, 'deal')} of {found.rules}."
    yield f"Fingerprint {found.fingerprint}"
    yield "Show it before the first deal, and opened.json after the last one."
