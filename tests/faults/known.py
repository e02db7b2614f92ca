"""Who may know which card at what moment, out of the rules' words and a table's events.

Hands are secret, from partners too; the nest is the declarer's from the end of the auction; what is
played, called, turned up, laid open or shown with a claim is everybody's; a card passed on in the
circus is known to whoever gave it, and once all have given to who has it now. When the hand is over
everything lies open. What somebody has seen stays seen, also if an act is taken back. And nobody
is named as a called partner before the card has fallen, unless the rules reveal partners at once.

That is said here once more, beside `view` and `public`, which say it for the product. What is no
secret is asked of the engine: who declares, who is dummy, what has been played, what is over.
"""

from __future__ import annotations

from collections.abc import Iterable

from rookery.game import Hand
from rookery.server.table import events as ev
from rookery.server.table.fold import evolve
from rookery.server.table.state import Table

Seat = int | None  # None for everybody


class Known:
    """What the people at one table may know, event by event.

    Attributes:
        table: the table after the last event.
    """

    def __init__(self) -> None:
        """Begin before the first event."""
        self.table = Table("")
        self._since: dict[Seat, dict[str, int]] = {None: {}}
        self._sitting: list[tuple[int, tuple[str | None, ...]]] = []
        self._named: list[tuple[int, frozenset[int]]] = []
        self._fallen: list[tuple[int, bool]] = []
        self._called: list[tuple[int, tuple[str, ...]]] = []
        self._dealt: ev.HandDealt | None = None
        self._given: dict[int, str] = {}

    def learn(self, entry: ev.Entry) -> None:
        """Take in what happened next."""
        self.table = evolve(self.table, entry)
        sitting = tuple(chair.person for chair in self.table.chairs)
        if not self._sitting or self._sitting[-1][1] != sitting:
            self._sitting.append((entry.seq, sitting))
        event, hand = entry.event, self.table.hand
        if isinstance(event, ev.VoteAsked):
            self._shown(None, event.shown)
        if hand is None:
            return
        if isinstance(event, ev.HandDealt):
            self._deal(event, hand)
        elif isinstance(event, ev.Acted):
            self._act(event, hand)
        if isinstance(event, ev.HandDealt | ev.Acted) and self._dealt is not None:
            if hand.over:
                self._shown(None, (card for held in self._dealt.deal for card in held))
                self._shown(None, self._dealt.nest)
            self._partners(hand)

    def may(self, person: str | None, card: str, seq: int) -> bool:
        """Return whether a person, or anybody for None, may know a card after an event."""
        if self._since[None].get(card, seq + 1) <= seq:
            return True
        if person is None:
            return False
        until = seq  # of what a seat knew, who has left it knows what lay there until then
        for since, sitting in reversed(self._sitting):
            if since <= seq and person in sitting:
                held = self._since.get(sitting.index(person), {})
                if held.get(card, until + 1) <= until:
                    return True
            until = min(until, since - 1)
        return False

    def seat_of(self, person: str | None, seq: int) -> int | None:
        """Return where a person sat after an event; None for somebody who watched."""
        if person is None:
            return None
        for since, sitting in reversed(self._sitting):
            if since <= seq:
                return sitting.index(person) if person in sitting else None
        return None

    def named(self, seq: int) -> frozenset[int]:
        """Return who was openly on the declarer's side after an event."""
        return next((seats for since, seats in reversed(self._named) if since <= seq), frozenset())

    def parted(self, seq: int) -> bool:
        """Return whether everybody knew after an event who plays with whom."""
        return next((all_ for since, all_ in reversed(self._fallen) if since <= seq), False)

    def was_called(self, seat: int | None, seq: int) -> bool:
        """Return whether after an event a seat knew a card as its own that had been called."""
        called = next((cards for since, cards in reversed(self._called) if since <= seq), ())
        return any(self._since.get(seat, {}).get(card, seq + 1) <= seq for card in called)

    def _shown(self, seat: Seat, cards: Iterable[str]) -> None:
        known = self._since.setdefault(seat, {})
        for card in cards:
            known.setdefault(card, self.table.seq)

    def _deal(self, event: ev.HandDealt, hand: Hand) -> None:
        self._dealt, self._given = event, {}
        for seat in range(hand.rules.seats):
            self._shown(seat, event.deal[seat])
        self._shown(None, event.nest[: hand.rules.nest_face_up])

    def _act(self, event: ev.Acted, hand: Hand) -> None:
        assert self._dealt is not None
        verb, *cards = event.text.split()[1:]
        if hand.declarer is not None:
            public = hand.rules.nest_shown == "after_auction"
            self._shown(None if public else hand.declarer, self._dealt.nest)
        self._shown(None, hand.names(hand.played))
        self._shown(None, hand.names(hand.called))
        if hand.dummy is not None:
            self._shown(None, self._dealt.deal[hand.dummy])
        if verb == "give":
            self._given[(event.seat + 1) % hand.rules.seats] = cards[0]
            if len(self._given) == hand.rules.seats:
                for seat, card in self._given.items():
                    self._shown(seat, [card])

    def _partners(self, hand: Hand) -> None:
        seats, everything = set[int](), hand.over
        if hand.declarer is not None and hand.called:
            seats.add(hand.declarer)
            where = self._places(hand)
            at_once = hand.rules.partner_revealed == "at_once"
            fallen = [card for card in hand.called if at_once or hand.over or card in hand.played]
            seats |= {where[card] for card in fallen if card in where}
            everything = everything or len(fallen) == len(hand.called)
        self._named.append((self.table.seq, frozenset(seats)))
        self._called.append((self.table.seq, tuple(hand.names(hand.called))))
        self._fallen.append((self.table.seq, everything or not hand.rules.called_cards))

    def _places(self, hand: Hand) -> dict[int, int]:
        """Return which seat each card was dealt to."""
        return {card: seat for seat in range(hand.rules.seats) for card in hand.dealt[seat]}
