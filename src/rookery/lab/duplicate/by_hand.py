"""Hands that are played one action at a time: by outside programs, by search, or to be told of.

The sums are those of the compiled boards, and a kernel bot scores the same either way.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from rookery.bots.names import Bot
from rookery.bots.player import BotFailed, NoAnswer, Player, fallback_action
from rookery.game import Action, BadAction, Hand, IllegalAction, Verb
from rookery.game.legal import check_accuser
from rookery.game.revokes import challenge_of
from rookery.lab.duplicate import boards as at
from rookery.rules import Rules

log = logging.getLogger("rookery.match")

DEADLINE: Final = 1000  # ms that an outside program has for an action


class HandPlayed(NamedTuple):
    """A hand of a match that is over.

    Attributes:
        unit: the number of its board; or of its set of mirrored games, each family's first being 0.
        room: the number of its room, from 0.
        number: the number of the hand in its game, from 0; 0 on a board.
        bots: who sat where, from seat 0 on.
        fallbacks: how often each seat was answered for in it.
        totals: the game's totals after it, by seat; None on a board.
    """

    unit: int
    room: int
    number: int
    bots: tuple[Bot, ...]
    hand: Hand
    fallbacks: tuple[int, ...]
    totals: tuple[int, ...] | None


Told = Callable[[HandPlayed], None]
"""Called with each hand that is over; by several threads at once."""


class Seats:
    """The players of a line-up: each sits down where it first has to, and stays until `close`."""

    def __init__(self, rules: Rules, lineup: Sequence[Bot], deadline_ms: int) -> None:
        """Seat nobody yet; an outside program has `deadline_ms` for an action."""
        self.rules = rules
        self.lineup = tuple(lineup)
        self._deadline_ms = deadline_ms
        self._seated: dict[tuple[int, int], Player] = {}

    def who(self, room: int) -> tuple[int, ...]:
        """Return the place in the line-up of each seat's bot in a room."""
        seats = self.rules.seats
        return tuple((seat - room) % seats for seat in range(seats))

    def bots(self, room: int) -> tuple[Bot, ...]:
        """Return who sits where in a room."""
        return tuple(self.lineup[who] for who in self.who(room))

    def players(self, room: int) -> list[Player]:
        """Return the players of a room, from seat 0 on."""
        for seat, who in enumerate(self.who(room)):
            if (who, seat) not in self._seated:
                player = self.lineup[who].seated(self.rules, seat, self._deadline_ms)
                self._seated[who, seat] = player
        return [self._seated[who, seat] for seat, who in enumerate(self.who(room))]

    def close(self) -> None:
        """End whatever the players have started."""
        for player in self._seated.values():
            player.close()
        self._seated.clear()


def play_hand(
    hand: Hand,
    seats: Seats,
    room: int,
    dice: Sequence[int],
    where: str,
    sums: list[int],
    totals: Sequence[int] = (),
) -> tuple[Hand, tuple[int, ...]]:
    """Return a dealt hand as the players of a room finish it, and how often each was answered for.

    `dice` are the states of the seats' generators, and `where` says in the log which hand this is.
    Actions are counted in `sums`; see `rookery.lab.duplicate.boards`. `totals` are those before
    this hand; there are none where there is no match.
    """
    players, answered = seats.players(room), [0] * hand.rules.seats
    for seat, player in enumerate(players):
        player.begin(hand, dice[seat], totals)
    while (seat_to_act := hand.to_act) is not None:
        # The bots leave it to the referee to watch for revokes.
        challenge = challenge_of(hand, (1 << len(players)) - 1)
        if challenge is not None:
            hand = hand.act(challenge)
            break
        own = at.BOTS + at.EACH * ((seat_to_act - room) % len(players))
        why = None
        try:
            after = _done(hand, players[seat_to_act].act(hand))
        except (IllegalAction, BadAction) as error:
            sums[own + at.ILLEGAL] += 1
            why = error.reason
        except NoAnswer as error:
            why = str(error)
        except BotFailed:
            raise
        except Exception as error:  # the match goes on after any error of a bot
            why = f"{type(error).__name__}: {error}"
        if why is not None:
            sums[own + at.FALLBACKS] += 1
            answered[seat_to_act] += 1
            action = fallback_action(hand)
            after = hand.act(action)
            log.warning(
                "%s in seat %d, %s: %s; it did %r instead",
                *(seats.bots(room)[seat_to_act], seat_to_act, where, why, action.words),
            )
        sums[at.DECISIONS] += _decisions(hand, after)
        hand = after
    for player in players:
        player.finish(hand)
    return hand, tuple(answered)


def _done(hand: Hand, action: Action) -> Hand:
    """Return the hand after an action, which must be one of the seat whose turn it is."""
    if action.seat != hand.turn:
        raise IllegalAction("not-your-turn", f"'{action}' is not an action of seat {hand.turn}")
    check_accuser(hand.table, *hand.records, action)
    return hand.act(action)


def _decisions(before: Hand, after: Hand) -> int:
    """Return how many engine actions the last action was; a discard is one for each card."""
    action = after.actions[-1]
    cards = len(action.cards)
    if action.verb is Verb.DISCARD:
        return cards
    if action.verb is Verb.CALL:
        return cards + (cards < before.table.called_cards)  # and "no further card"
    return 1
