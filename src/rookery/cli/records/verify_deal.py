"""`rookery verify-deal`: check the record of a table, a day or an evening without a server."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Final

import typer

from rookery import record
from rookery.cli.arguments import AsJson, Refused
from rookery.cli.output import print_answer, printable, wrapped
from rookery.cli.records.replay import read_bytes, refused_records
from rookery.fairness.check import (
    CheckedHand,
    CheckedMatch,
    checked,
    promises_nothing,
    waits_for_key,
)
from rookery.fairness.deal import SHARE_DIGITS

FINGERPRINT_DIGITS: Final = 64


def command(
    file: Annotated[
        str,
        typer.Argument(
            help="A record of a table, a daily deal or an evening; - reads standard input."
        ),
    ],
    promised: Annotated[
        list[str] | None,
        typer.Option(
            help="A fingerprint that you noted before a deal; once or more.", metavar="HEX"
        ),
    ] = None,
    share: Annotated[
        list[str] | None,
        typer.Option(help="A random number that your browser added; once or more.", metavar="HEX"),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check every deal again: fingerprint, cards and every action.

    Exit status 0: all of it holds; 1: something does not; 2: the file cannot be read, has no proof
    of its deals, or is of a daily deal or an evening whose key is not shown yet.
    """
    for option, given, what, digits in (
        ("--promised", promised, "a fingerprint", FINGERPRINT_DIGITS),
        ("--share", share, "a random number", SHARE_DIGITS),
    ):
        for one in given or ():
            if not re.fullmatch(f"[0-9a-fA-F]{{{digits}}}", one):
                raise Refused(f"{option} {one}: expected {what}, {digits} hexadecimal digits")
    with refused_records(file):
        written = record.loads(read_bytes(file))
    # Whoever has noted something down was promised it, whatever the record says.
    if promises_nothing(written) and not (promised or share):
        why = "the record holds no promise to check: it was not dealt by a table's server"
        raise Refused(f"{file}: {why}")
    if waits_for_key(written):
        why = "the key of a daily deal is shown when its day has ended, by UTC"
        why += ", and that of an evening's deals when its last table has played"
        raise Refused(f"{file}: {why}; fetch the record again then")
    found = checked(written, promised or (), share or ())
    print_answer(found.model_dump, _story(found, noted=len(promised or ())), as_json)
    if not found.good:
        raise typer.Exit(1)


def _story(found: CheckedMatch, noted: int) -> Iterator[str]:
    names = ", ".join(printable(name) for name in found.players or [])
    yield f"{printable(found.rules, 80)}{f': {names}' if names else ''}"
    for hand in found.hands:
        yield ""
        yield from _hand(hand, found.players)
    yield ""
    for problem in found.problems:
        yield wrapped("Wrong", problem.reason)
    bad = sum(bool(hand.problems) for hand in found.hands)
    if found.good:
        n = len(found.hands)
        deals = "The deal is" if n == 1 else f"All {n} deals are"
        yield f"{deals} as promised, and every action was legal."
        if not noted:
            yield (
                "Was this the fingerprint that you were shown before a deal? If you noted it,\n"
                "--promised FINGERPRINT compares them."
            )
    elif bad:
        yield f"{bad} of {len(found.hands)} hands are not as promised."


def _hand(hand: CheckedHand, players: list[str] | None) -> Iterator[str]:
    table = printable(hand.table or "", 40)
    deal = "" if hand.number is None else f", deal {hand.number} at table {table}"
    if hand.day is not None:
        deal = f", the deal of {hand.day}, family {printable(hand.family or '', 40)}"
    if hand.evening is not None:
        deal = f", deal {hand.number} of the evening {printable(hand.evening, 40)}"
    thrown = ", thrown in" if hand.thrown_in else ""
    yield f"Hand {hand.hand}{deal}{thrown}: {'WRONG' if hand.problems else 'as promised'}"
    if hand.commitment is not None:
        yield f"  Fingerprint {printable(hand.commitment, 64)}"
    if not hand.problems:
        added = ", ".join(
            printable(players[seat]) if players else f"seat {seat}" for seat in hand.contributors
        )
        shares = f" and the shares of {added}" if added else " alone (nobody added a share)"
        if hand.day is not None or hand.evening is not None:
            shares = ""
        legal = f", {hand.acts} actions are legal" if hand.acts else ""  # none of prepared deals
        yield wrapped("Checked", f"the key fits it, the cards follow from the key{shares}{legal}")
    for problem in hand.problems:
        yield wrapped("Wrong", f"{problem.code}: {problem.reason}")
