"""Boards played one action at a time, for bots without kernels: outside programs and search.

The sums are those of the compiled boards and are made by the same functions. A kernel bot scores
the same either way.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import ExitStack

from rookery.bots.names import Bot
from rookery.bots.player import BotFailed, NoAnswer, Player, fallback_action
from rookery.cards import CARDS
from rookery.engine.state import Hidden, State
from rookery.game import Action, BadAction, Hand, IllegalAction, Verb
from rookery.lab.duplicate.boards import (
    BOTS,
    DECISIONS,
    EACH,
    FALLBACKS,
    ILLEGAL,
    WIDTH,
    draw_board,
    note_board,
    note_room,
)
from rookery.rules import Rules
from rookery.rules.table import PLACES, compile_rules

log = logging.getLogger("rookery.match")


def play_hand_boards(
    rules: Rules,
    lineup: Sequence[Bot],
    rooms: int,
    bin_width: int,
    seed: int,
    first: int,
    boards: int,
    deadline_ms: int,
) -> list[int]:
    """Play boards and return their sums, as `rookery.lab.duplicate.boards.play_boards` does.

    Every bot is seated anew, and closed at the end.

    Raises:
        BotFailed: a bot cannot play at all.
    """
    table = compile_rules(rules)
    sums, dice, order = [0] * WIDTH, [0] * PLACES, [0] * CARDS
    seated: dict[tuple[int, int], Player] = {}
    with ExitStack() as leaving:
        for board in range(first, first + boards):
            draw_board(table, State(), Hidden(), dice, order, seed, board)
            result = squares = 0
            for room in range(rooms):
                hand = Hand(rules, board % rules.seats, order[: table.cards], None)
                players = []
                for seat in range(rules.seats):
                    who = (seat - room) % rules.seats
                    if (who, seat) not in seated:
                        seated[who, seat] = lineup[who].seated(rules, seat, deadline_ms)
                        leaving.callback(seated[who, seat].close)
                    players.append(seated[who, seat])
                    players[seat].begin(hand, dice[seat])
                hand = _play(hand, players, lineup, room, board, sums)
                for player in players:
                    player.finish(hand)
                margin = note_room(table, hand.state, room, sums)
                result += margin
                squares += margin * margin
            note_board(result, squares, bin_width, sums)
    return sums


def _play(
    hand: Hand,
    players: Sequence[Player],
    lineup: Sequence[Bot],
    room: int,
    board: int,
    sums: list[int],
) -> Hand:
    while (seat := hand.to_act) is not None:
        who = (seat - room) % len(players)
        at = BOTS + EACH * who
        try:
            before, hand = hand, _done(hand, players[seat].act(hand))
        except (IllegalAction, BadAction) as error:
            sums[at + ILLEGAL] += 1
            why = error.reason
        except NoAnswer as error:
            why = str(error)
        except BotFailed:
            raise
        except Exception as error:  # the match goes on after any error of a bot
            why = f"{type(error).__name__}: {error}"
        else:
            sums[DECISIONS] += _decisions(before, hand)
            continue
        sums[at + FALLBACKS] += 1
        action = fallback_action(hand)
        log.warning(
            "%s in seat %d, board %d, room %d: %s; it did %r instead",
            *(lineup[who], seat, board, room + 1, why, action.words),
        )
        before, hand = hand, hand.act(action)
        sums[DECISIONS] += _decisions(before, hand)
    return hand


def _done(hand: Hand, action: Action) -> Hand:
    """Return the hand after an action, which must be one of the seat whose turn it is."""
    if action.seat != hand.turn:
        raise IllegalAction("not-your-turn", f"'{action}' is no action of seat {hand.turn}")
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
