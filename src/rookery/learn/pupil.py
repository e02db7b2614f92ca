"""The bot `pupil`: it bids by the script and plays its cards by the network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rookery.bots.club.counting import OWN
from rookery.bots.club.play import club_card
from rookery.bots.dispatch import CLUB, seated
from rookery.bots.player import KernelPlayer
from rookery.bots.seat_info import SeatInfo, observe_trick
from rookery.engine.actions import actor
from rookery.engine.kernel import kernel
from rookery.engine.records import Allocator, copy_of
from rookery.engine.state import PLAY, Hidden, State
from rookery.engine.targets import Target, load
from rookery.engine.targets.choice import for_seat
from rookery.engine.trick import play
from rookery.game import Hand
from rookery.learn.encoding import encode, encode_rules, list_cards, place_of
from rookery.learn.scoring import WORK, score_cards
from rookery.learn.shipped import shipped_numbers
from rookery.rules import Rules
from rookery.rules.table import RuleTable, compile_rules
from rookery.search.state import SearchState


@kernel
def weigh_cards(
    table: RuleTable,
    s: State,
    m: SeatInfo,
    search: SearchState,
    script: int,
    net: list[int],
    work: list[float],
) -> int:
    """Score the listed cards; return the place of the best.

    `script` is the card that the script would play; `work` has what `encode_rules` writes.
    """
    place = place_of(table, s, m, search, script)
    encode(table, s, m, search, place, work)
    return score_cards(net, work, search.count)


@kernel
def network_card(
    table: RuleTable,
    s: State,
    m: SeatInfo,
    search: SearchState,
    net: list[int],
    work: list[float],
    learned: bool,
) -> int:
    """Return the card to play: by the network if `learned`, else by the script."""
    encode_rules(table, s, work)
    return next_card(table, s, m, search, net, work, learned)


@kernel
def next_card(
    table: RuleTable,
    s: State,
    m: SeatInfo,
    search: SearchState,
    net: list[int],
    work: list[float],
    learned: bool,
) -> int:
    """Do as `network_card` does, with what `encode_rules` writes in `work`."""
    card = club_card(table, s, m)
    if learned and m.cards & (m.cards - 1):
        list_cards(table, s, m, search)
        if search.count > 1:
            card = search.action[weigh_cards(table, s, m, search, card, net, work)]
    return card


@kernel
def play_on(
    table: RuleTable,
    s: State,
    h: Hidden,
    cast: Sequence[SeatInfo],
    net: list[int],
    work: list[float],
    search: SearchState,
    learned: int,
) -> None:
    """Play a hand to its end: the seats of the mask `learned` by the network, others by script."""
    encode_rules(table, s, work)
    while s.phase == PLAY:
        seat = actor(s) if table.dummy else s.turn
        m = cast[seat]
        observe_trick(table, s, h, m)
        knows = learned >> seat & 1 == 1
        play(table, s, h, next_card(table, s, m, search, net, work, knows))


class Pupil(KernelPlayer):
    """A bot that bids by the script and plays its cards by the network.

    It is shown the open table and its own cards, never the hand as a whole.
    """

    def __init__(
        self, rules: Rules, seat: int, net: list[int] | None = None, target: Target | None = None
    ) -> None:
        """Sit down with a network; with the one that comes with the program where None.

        Raises:
            MissingTarget: the target, `for_seat` where None, is not here.
        """
        target = target or for_seat("pupil", network_card)
        super().__init__("club", 1, seat)
        self._given = rules, seat, net, target
        self._scratch = Allocator(target)
        net = net or shipped_numbers()
        self._net = self._scratch.numbers(net)
        self._work = self._scratch.numbers([0.0] * WORK)
        self._card: Callable[..., int] = load(target, network_card, None, seated([CLUB]))
        self._rules = self._scratch.record(compile_rules(rules))
        self._search = self._scratch.record(SearchState())

    def __reduce__(self) -> tuple[Any, ...]:
        """Return what `copy` and `pickle` make the same bot from, with records of its own."""
        return type(self), self._given, {"_info": copy_of(self._info)}

    def choose(self, hand: Hand) -> int:
        """Return the engine's number of the next action; of a discard, its next card."""
        state, info = hand.state, self._info
        if state.phase != PLAY:
            return super().choose(hand)
        observe_trick(hand.table, state, hand.hidden, info)
        if state.turn == info.seat:
            info.memo[OWN] = info.hand
        s, m = map(self._scratch.record, (state, info))
        return int(self._card(self._rules, s, m, self._search, self._net, self._work, True))


def pupil(rules: Rules, seat: int, options: Mapping[str, str]) -> Pupil:
    """Return `pupil` in a seat; it has no options."""
    return Pupil(rules, seat)
