"""`rookery review`: a match looked at again, decision by decision."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Annotated

import typer

from rookery.cli.arguments import AsJson, Refused, Seed, check_number, number
from rookery.cli.output import WIDTH, print_answer, printable, shown
from rookery.cli.records.replay import replayed, seat_names
from rookery.game import Hand, Match, Verb
from rookery.review.document import Decision, HandReview, Review

SHOWN = 4  # alternatives
HANG = 11
KEPT = "\u00a0"  # a space at which no line is broken


def report(found: Review, match: Match) -> Iterator[str]:
    """Yield the lines of a review: players, turning points, then hand by hand."""
    names = seat_names(match)
    yield typer.style(printable(found.rules, WIDTH), bold=True)
    totals = ", ".join(f"{n} {t}" for n, t in zip(names, found.totals, strict=False))
    won = " and ".join(names[seat] for seat in found.winners or ())
    yield from folded(f"{f'Won by {won}' if won else 'The match is not over'}: {totals}.")
    yield ""
    yield from _players(found, names)
    if found.turning:
        yield ""
        yield typer.style("Where it turned", bold=True)
        hands = {one.hand: one for one in found.hands}
        for turn in found.turning:
            decisions = hands[turn.hand].decisions
            one = next(d for d in decisions if d.action_index == turn.action_index)
            why = "a mistake" if turn.blame else "bad luck, nobody could know"
            hand = match.hands[turn.hand]
            place = f"Hand {turn.hand}, {place_of(hand, one).lower()}"
            text = f"{place}: {_did(hand, one, names)}, {turn.swing:.0f} points; {why}"
            yield from folded(text, "  ")
    for reviewed in found.hands:
        yield ""
        yield from _hand(reviewed, match.hands[reviewed.hand], names)
    yield ""
    yield from folded(
        "Points are those by which a side scores above the others; in brackets is the chance "
        "that the contract is made. A decision is judged on what its player could know, in about "
        f"{found.tries:,} rollouts; differences that may be chance do not count."
    )


def _players(found: Review, names: list[str]) -> Iterator[str]:
    heads = f"{'accuracy':>9}{'decisions':>11}{'mistakes':>10}{'given away':>12}"
    yield f"{'':<15}{heads}{'cards open':>12}"
    for one in found.players:
        # 100 is for those alone who gave nothing away.
        most = 99 if one.cost > 0 else 100
        shown = "-" if one.accuracy is None else f"{min(round(one.accuracy), most)} %"
        seen = "-" if one.open_cost is None else f"{one.open_cost:.0f}"
        yield (
            f"{names[one.seat]:<15}{shown:>9}{one.decisions:>11}{one.mistakes:>10}"
            f"{one.cost:>12.0f}{seen:>12}"
        )


def _hand(found: HandReview, hand: Hand, names: list[str]) -> Iterator[str]:
    yield typer.style(f"Hand {found.hand}: {_contract(found, names)}", bold=True)
    auction = found.auction
    if auction is not None:
        chance = "" if auction.making is None else f", with a {_percent(auction.making)} chance"
        yield from folded(
            f"Against a pass, winning the auction was worth {signed(auction.worth)} ± "
            f"{2 * auction.error:.0f} points{chance}.",
            "  ",
        )
    if found.open is not None:
        made = "made" if found.open.made else "set"
        points = "" if found.open.points is None else f"{found.open.points} points, "
        yield from folded(f"With all cards open and best play: {points}{made}.", "  ")
    costly = [one for one in found.decisions if one.sure or one.turning]
    if not costly:
        yield "  No mistake that anybody could have avoided."
    for one in costly:
        yield from _decision(one, hand, names)


def _contract(found: HandReview, names: list[str]) -> str:
    if found.phase == "redealt":
        return "dealt again"
    if found.declarer is None:
        return "no contract" if found.phase == "done" else f"stopped in the {found.phase}"
    bought = f"{names[found.declarer]} bid {found.contract}"
    bought += f" in {found.call}" if found.call else ""
    if found.made is None:
        return f"{bought}, {'ended by a revoke' if found.phase == 'done' else 'not played out'}"
    return f"{bought}, {'made' if found.made else 'set'} with {found.points}"


def _decision(one: Decision, hand: Hand, names: list[str]) -> Iterator[str]:
    place = place_of(hand, one)
    mark = typer.style(signed(-one.cost), fg="red") if one.sure else "luck"
    seen = "" if one.open_cost is None else f", {signed(-one.open_cost)} with cards open"
    yield ""
    yield f"  {place:<{HANG - 3}} {_did(hand, one, names)}: {mark}{seen}"
    if one.mistake is not None:
        yield from folded(one.mistake.text, " " * HANG)
        said = set(one.reason.about.items()) <= set(one.mistake.about.items())
        why = "" if one.reason.about and said else f" {one.reason.text}"
        yield from folded(f"Better: {one.best}.{why}", " " * HANG)
    else:
        yield from folded(one.reason.text, " " * HANG)
    others = [alternative for alternative in one.alternatives if alternative.action != one.action]
    listed = [a for a in one.alternatives if a.action == one.action or a in others[:SHOWN]]
    if len(listed) > 1 and one.phase not in ("nest", "call"):
        parts = []
        for alternative in listed:
            word = alternative.action.removeprefix("play ")
            made = "" if alternative.making is None else f" ({_percent(alternative.making)})"
            part = f"{word} {signed(alternative.margin)}{made}"
            parts.append(part.replace(" ", KEPT))
        yield from folded("; ".join(parts), " " * HANG)


def _did(hand: Hand, one: Decision, names: list[str]) -> str:
    action = hand.actions[one.action_index]
    word = "passes" if action.verb is Verb.PASS else f"{action.verb}s"
    return f"{names[one.seat]} {word} {action.argument}".rstrip()


def place_of(hand: Hand, one: Decision) -> str:
    """Return where in its hand a decision stands: `Auction`, `Discard`, `Trick 3`."""
    if one.phase != "play":
        return {"nest": "Discard", "leader": "Lead"}.get(one.phase, one.phase.capitalize())
    before = [a for a in hand.actions[: one.action_index] if a.verb is Verb.PLAY]
    return f"Trick {len(before) // hand.rules.seats + 1}"


def signed(points: float) -> str:
    """Return points with their sign, none before 0.

    >>> signed(12.4), signed(-0.3)
    ('+12', '0')
    """
    whole = round(points)
    return f"{whole:+d}" if whole else "0"


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def folded(text: str, indent: str = "") -> list[str]:
    """Return a text in lines that fit the terminal, each behind `indent`."""
    lines = textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
    return [line.replace(KEPT, " ") for line in lines]


MOST_ROLLOUTS = 1_000_000


def command(
    file: Annotated[str, typer.Argument(help="The record; - reads standard input.")],
    hand: Annotated[
        int | None, typer.Option(metavar="N", help="This hand alone, counted from 0.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(metavar="N", help="This seat's decisions alone.")
    ] = None,
    rollouts: Annotated[
        int | None,
        number(
            "Rollouts for a decision; more find smaller differences.",
            1,
            MOST_ROLLOUTS,
            "--rollouts",
            "--tries",
        ),
    ] = None,
    seed: Seed = 1,
    as_json: AsJson = False,
) -> None:
    """Say what each decision of a match cost, and where the match turned.

    Every decision is judged by what its player could know: all choices are tried in the same likely
    hands. It is judged once more with all cards open.
    """
    from rookery.review.hand_review import ROLLOUTS
    from rookery.review.match_review import review

    match = replayed(file, as_json)
    if not match.hands:
        raise Refused(f"{file}: the record has no hand; expected one at least")
    check_number("--hand", hand, 0, len(match.hands) - 1)
    check_number("--seat", seat, 0, match.rules.seats - 1)
    with shown("decisions") as progress:
        found = review(
            match,
            rollouts=ROLLOUTS if rollouts is None else rollouts,
            seed=seed,
            hands=None if hand is None else [hand],
            progress=progress,
        )
    if seat is not None:
        found = of_seat(found, seat)
    print_answer(found.model_dump, report(found, match), as_json)


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
