"""What ONE seat may know of a hand, built field by field out of what that seat has seen.

Nothing here is a copy of a hand with things taken out: a field not named below does not get out.
The rules behind it (`rules.md` B.10): hands are secret, partners' too; the discards are the
declarer's alone; a called partner stays unnamed until the card falls; captured tricks stay closed,
so of the cards played a view has the current trick and the last one, and of earlier tricks who led
and who won. When the hand is done everything is laid open, to everybody alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from operator import attrgetter, index
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rookery.cards import CARDS, SUIT_WORDS, CardSet, Pack, Seat, by_suit, card_name, unpack
from rookery.engine.state import Hidden
from rookery.game import Hand, Verb
from rookery.game.errors import check_kind
from rookery.rules.order import SUITS, TRUMP

if TYPE_CHECKING:
    from rookery.rules import Rules


@dataclass(frozen=True, slots=True)
class Played:
    """A card of a trick, and the place it came from: a blind hand's is the number of seats."""

    place: int
    card: str


_PLAYED: Final = lru_cache(maxsize=1024)(Played)  # the same few are shown at every table


@dataclass(frozen=True, slots=True)
class TrickSeen:
    """A complete trick. Its cards are open for the last one, and for all when the hand is done.

    Attributes:
        leader: the seat that led.
        winner: the place that won it.
        cards: what was played, in order; None while the trick is closed.
        points: the worth of its counters; None until the hand is done.
    """

    leader: int
    winner: int
    cards: list[Played] | None
    points: int | None


@dataclass(frozen=True, slots=True)
class LaidOpen:
    """What everybody sees when a hand is done.

    Attributes:
        deal: the hands as they were dealt, a blind one last.
        nest: the nest as it was dealt.
        discards: the nest as the declarer left it.
    """

    deal: list[list[str]]
    nest: list[str]
    discards: list[str]


@dataclass(frozen=True, slots=True)
class RulesSeen:
    """The rules at this table: the variant's id if it has one, its name, and every option."""

    id: str | None
    name: str
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class View:
    """One seat's knowledge: cards by name, game points, None for "nobody" and "not yet".

    Attributes:
        seat: whose view it is; None for somebody who only watches.
        rules: the rules of the table; None where the message has them elsewhere.
        phase: ``auction nest trump rook call leader circus play done redealt``.
        dealer: the seat that dealt.
        to_act: the seat whose decision is due, the declarer for a dummy.
        turn: the seat that the action has to name: the dummy's for its card.
        legal: what this seat may do now, in the shape of ``replay --json``; empty where nothing is.
        may_redeal: whether this seat may demand a redeal now, on its turn or off it.
        may_challenge: the seats that this one may accuse of a revoke, guilty or not.
        hand: the cards this seat holds; None for a watcher.
        hand_sizes: how many cards each place holds, a blind hand last.
        calls: the public actions but the plays, as a record writes them: bids, trump, called cards.
        high_bid: the highest bid so far, points or ``"sun"``.
        high_bidder: who made it.
        declarer: who won the auction.
        bid: the contract, points or ``"sun"``.
        nest_size: how many cards lie in the nest.
        nest_face_up: the cards of the dealt nest that everybody has seen.
        nest_found: the nest as the declarer found it, for the declarer alone.
        discards: what the declarer laid into the new nest, for the declarer alone.
        nest_statement: ``points`` or ``none`` or a number, where it has been said.
        call: the final trump call.
        circus: whether a circus has been called.
        rook: ``high`` or ``low`` where the declarer has ranked the Rook.
        called: the partner cards that have been called.
        allies: the seats that everybody knows to be on the declarer's side.
        partner: whether this seat holds, or held, a called card and so plays with the declarer.
        sides: who plays with whom, once everybody knows.
        gave: the card this seat passed on in the circus.
        received: the card it was given.
        dummy: the seat whose cards the declarer plays.
        dummy_hand: the dummy's cards, once they lie open.
        leader: who led, or leads, to the current trick.
        trick: the current trick, in the order played.
        tricks: the complete tricks.
        points: what each side took, in the order of `sides`, when the hand is done.
        score: what each seat scores, when the hand is done.
        totals: each seat's total in the match, if it was given.
        laid_open: all the cards, when the hand is done.
    """

    seat: int | None
    rules: RulesSeen | None
    phase: str
    dealer: int
    to_act: int | None
    turn: int | None
    legal: list[str] | dict[str, Any]
    may_redeal: bool
    may_challenge: list[int]
    hand: list[str] | None
    hand_sizes: list[int]
    calls: list[str]
    high_bid: int | str | None
    high_bidder: int | None
    declarer: int | None
    bid: int | str | None
    nest_size: int
    nest_face_up: list[str]
    nest_found: list[str] | None
    discards: list[str] | None
    nest_statement: str | int | None
    call: str | None
    circus: bool
    rook: str | None
    called: list[str]
    allies: list[int]
    partner: bool
    sides: list[list[int]] | None
    gave: str | None
    received: str | None
    dummy: int | None
    dummy_hand: list[str] | None
    leader: int | None
    trick: list[Played]
    tricks: list[TrickSeen]
    points: list[int] | None
    score: list[int] | None
    totals: list[int] | None
    laid_open: LaidOpen | None

    def as_dict(self) -> dict[str, Any]:
        """Return the view ready for JSON."""
        return asdict(self)


class OwnView(NamedTuple):
    """What a seat knows of a hand that not everybody does: these fields of its `View`."""

    seat: int | None
    legal: list[str] | dict[str, Any]
    may_redeal: bool
    may_challenge: list[int]
    hand: list[str] | None
    nest_found: list[str] | None
    discards: list[str] | None
    partner: bool
    gave: str | None
    received: str | None


_OWN: Final = attrgetter(*OwnView._fields)


def view_of(hand: Hand, seat: Seat | None, totals: Sequence[int] | None = None) -> View:
    """Return what `seat` may know of `hand`, or what a watcher may where `seat` is None.

    Raises:
        TypeError: the seat is no whole number, or there is no hand.
        ValueError: there is no such seat.

    >>> from rookery.rules import load
    >>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    >>> len(view_of(hand, 1).hand), view_of(hand, None).hand, view_of(hand, 2).legal
    (9, None, [])
    """
    check_kind("hand", hand, Hand, "a Hand, such as Match.hand")
    shown = replace(open_view(hand, totals), rules=rules_seen(hand.rules))
    return shown if seat is None else seat_view(shown, hand, index(seat))


def open_view(
    hand: Hand,
    totals: Sequence[int] | None = None,
    then: Hand | None = None,
    shown: View | None = None,
) -> View:
    """Return what everybody at a table may know of `hand`, without its rules.

    Of an earlier position, `then`, and how that was `shown`, is taken what is still the same.
    """
    s, h = hand.records
    done, sides = hand.phase == "done", hand.sides
    laid_open, tricks = None, None
    if then is not None and shown is not None and hand.tricks and not done:
        tricks = shown.tricks if then.tricks is hand.tricks else None
    if shown is not None and then is not None and _is_played_on(then, hand):
        calls, rook = shown.calls, shown.rook
    else:
        spoken = [action for action in hand.actions if action.verb is not Verb.PLAY]
        calls = [str(action) for action in spoken if action.verb.public]
        rook = next((action.rank for action in spoken if action.rank), None)
    if done:
        deal = [hand.names(cards) for cards in hand.dealt]
        laid_open = LaidOpen(deal, hand.names(hand.nest_dealt), _names(hand, h.nest))
    return View(
        seat=None,
        rules=None,
        phase=hand.phase,
        dealer=hand.dealer,
        to_act=hand.to_act,
        turn=hand.turn,
        legal=[],
        may_redeal=False,
        may_challenge=[],
        hand=None,
        hand_sizes=[h.hand[place].bit_count() for place in range(hand.rules.hands)],
        calls=calls,
        high_bid=None if s.bidder < 0 else "sun" if s.sun else s.high,
        high_bidder=None if s.bidder < 0 else s.bidder,
        declarer=hand.declarer,
        bid=hand.bid,
        nest_size=h.nest.bit_count(),
        nest_face_up=_names(hand, s.face_up),
        nest_found=None,
        discards=None,
        nest_statement=hand.nest_statement,
        call=hand.call,
        circus=bool(s.circus),
        rook=rook,
        called=hand.names(hand.called),
        allies=list(unpack(s.allies)),
        partner=False,
        sides=None if sides is None else [list(side) for side in sides],
        gave=None,
        received=None,
        dummy=hand.dummy,
        dummy_hand=_names(hand, s.exposed) if s.exposed else None,
        leader=hand.leader,
        trick=[] if done else _played(hand, s.leader, hand.trick),
        tricks=_tricks(hand, done=done) if tricks is None else tricks,
        points=hand.points,
        score=hand.score,
        totals=None if totals is None else list(totals),
        laid_open=laid_open,
    )


def _is_played_on(then: Hand, now: Hand) -> bool:
    """Return whether `now` is `then` with one more card played."""
    done = now.actions
    if then.dealt is not now.dealt or not done or done[-1].verb is not Verb.PLAY:
        return False
    return done[:-1] == then.actions


def seat_view(shown: View, hand: Hand, seat: Seat) -> View:
    """Return what `seat` may know of `hand`: `shown`, which is everybody's, and what is its own."""
    return replace(shown, **own_view(hand, seat)._asdict())


def own_view(hand: Hand, seat: Seat) -> OwnView:
    """Return what `seat` may know of `hand` and not everybody does."""
    _, h = hand.records
    ours = seat == hand.declarer
    from_right = (seat - 1) % hand.rules.seats
    return OwnView(
        seat=seat,
        legal=hand.legal(seat).as_json(),
        may_redeal=hand.may_redeal(seat),
        may_challenge=hand.may_accuse(seat),
        hand=_names(hand, h.hand[seat]),
        nest_found=_names(hand, h.pickup) if ours and h.pickup else None,
        discards=_names(hand, h.nest) if ours and h.pickup and h.nest else None,
        # Its own cards tell a seat that it was called.
        partner=bool(hand.called) and not ours and bool(h.allies >> seat & 1),
        gave=_gift(hand, h, seat),
        received=None if hand.phase == "circus" else _gift(hand, h, from_right),
    )


def kept_views(
    then: Hand, now: Hand, seen: Mapping[Seat | None, OwnView | None]
) -> dict[Seat | None, OwnView | None]:
    """Return those of `seen`, which is of `then`, that are sure to be the same `now`.

    In the auction and in the play nothing is new for whoever neither acted nor is to act, and holds
    the same cards. `now` may not be an earlier position of the hand, nor another one's.
    """
    if now.phase != then.phase or now.phase not in ("auction", "play"):
        return {}
    if now.rules.renege == "penalised":
        return {}
    acting, held, holds = (then.to_act, now.to_act), then.records[1].hand, now.records[1].hand
    return {
        seat: view
        for seat, view in seen.items()
        if seat is not None and seat not in acting and held[seat] == holds[seat]
    }


def own_of(view: View) -> OwnView:
    """Return what a view has that not everybody's has."""
    return OwnView(*_OWN(view))


@lru_cache(maxsize=64)
def rules_seen(rules: Rules) -> RulesSeen:
    """Return the rules as a view shows them."""
    return RulesSeen(rules.id, rules.name, rules.options())


def trumps_of(hand: Hand) -> list[str]:
    """Return the trumps by name, lowest first; none before the trump call."""
    row, table = hand.records[0].row, hand.table
    if row < 0:
        return []
    cards = unpack(table.mask[row * SUITS + TRUMP])
    return hand.names(sorted(cards, key=lambda card: table.strength[row * CARDS + card]))


def led_suit(hand: Hand) -> str | None:
    """Return the suit led to the trick: a suit's word, ``trump``, ``rook``, or None."""
    led = hand.records[0].led
    if led < 0 or hand.over:
        return None
    return (*SUIT_WORDS[hand.rules.pack], "trump", "rook")[led]


def _names(hand: Hand, cards: CardSet) -> list[str]:
    return list(_sorted_names(cards, hand.rules.pack))


@lru_cache(maxsize=4096)
def _sorted_names(cards: CardSet, pack: Pack) -> tuple[str, ...]:
    # From one act to the next most hands of a table stay as they are.
    return tuple(card_name(card, pack) for card in by_suit(cards))


def _gift(hand: Hand, h: Hidden, seat: Seat) -> str | None:
    if h.gift[seat] < 0:
        return None
    return card_name(h.gift[seat], hand.rules.pack)


def _played(hand: Hand, leader: Seat, cards: Sequence[int]) -> list[Played]:
    return list(map(_PLAYED, hand.order_from(leader), hand.names(cards)))


def _tricks(hand: Hand, *, done: bool) -> list[TrickSeen]:
    last = len(hand.tricks) - 1
    return [
        TrickSeen(
            trick.leader,
            trick.winner,
            _played(hand, trick.leader, trick.cards),
            trick.points if done else None,
        )
        if done or number == last
        else _closed(trick.leader, trick.winner)
        for number, trick in enumerate(hand.tricks)
    ]


@lru_cache
def _closed(leader: Seat, winner: int) -> TrickSeen:
    return TrickSeen(leader, winner, None, None)
