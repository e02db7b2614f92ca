"""Another world that a player holds possible, as a state of its own with a history of its own.

Cards are drawn by the sampler of `rookery.solver`, then a past that leads to them is looked for:
who was dealt what, which cards the declarer laid away, which were passed on in a circus. The engine
plays that past. Only where every action was legal, and the player's own cards and all that lies
open are the same in the end, is it taken. So nothing is left in it of what was hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple

import pyspiel

from rookery.cards import CARDS, pack_cards, unpack
from rookery.engine.state import CIRCUS_PASS, NEST
from rookery.envs.open_spiel.setting import Setting
from rookery.envs.open_spiel.state import RookState
from rookery.envs.positions import (
    Done,
    Positions,
    alike,
    choices,
    dealt_to,
    done,
    is_known_to,
    lies_closed,
    lies_open,
)
from rookery.rules.table import EXCHANGE_UP_TO, compile_rules

ATTEMPTS: Final = 256  # draws until a past is found
_LIKELY: Final = 0.9  # how often the likely gift is tried


class Past(NamedTuple):
    """A deal, and what was done from there on."""

    order: bytes
    actions: list[int]


def resample(state: RookState, player: int, rng: Callable[[], float]) -> RookState:
    """Return a state that a player cannot tell from this one, its hidden cards drawn anew.

    Args:
        state: a hand; one that is not dealt or is over is only copied.
        player: the seat that everything stays the same for.
        rng: gives numbers from 0 to below 1, such as ``random.random``.

    Raises:
        pyspiel.SpielError: no past was found that leads here.
    """
    if state.is_chance_node() or state.is_terminal():
        copied: RookState = state.clone()
        return copied
    game = state.get_game()
    setting: Setting = game.setting
    past = find_past(setting.positions, state.position, player, rng)
    if past is None:
        raise pyspiel.SpielError(f"player {player}: no other world was found in {ATTEMPTS} draws")
    other: RookState = game.new_initial_state()
    other.order = past.order  # taken by the deal
    other.apply_action(
        setting.drawn_anew if setting.deals is None else setting.deals.index(past.order)
    )
    for action in past.actions:
        other.apply_action(action)
    return other


def find_past(
    positions: Positions, position: bytes, seat: int, rng: Callable[[], float]
) -> Past | None:
    """Return a deal and actions that a seat cannot tell from what was; None where none is found."""
    for _ in range(ATTEMPTS):
        dice = Random(int(rng() * 2**53))  # noqa: S311  (a game)
        world = positions.closed_cards(position, seat, dice.getrandbits(62))
        hands = [int(hand) for hand in world.hand][: positions.rules.hands]
        blind = [int(card) for card in world.blind][: positions.rules.hand_size]
        past = _played(positions, position, seat, hands, int(world.nest), blind, dice)
        if past is not None:
            return past
    return None


def _played(
    positions: Positions,
    position: bytes,
    seat: int,
    hands: list[int],
    nest: int,
    blind: list[int],
    dice: Random,
) -> Past | None:
    """Return a past that leads to hands and nest, if one that is tried does."""
    rules, log = positions.rules, list(done(position))
    played = lies_open(position, "played_by")
    held = [hand | fallen for hand, fallen in zip(hands, played, strict=False)]
    given = [one for one in log if one.phase == CIRCUS_PASS]
    moved = len(given) == rules.seats
    gifts = {one.place: _gift(positions, position, one, seat, held, moved, dice) for one in given}
    if moved:
        for giver, card in gifts.items():
            held[giver] |= 1 << card
            held[(giver + 1) % rules.seats] &= ~(1 << card)
    found = _nest_as_found(positions, position, seat, held, nest, dice)
    discards = 0
    if found != nest or lies_closed(position, "pickup")[0]:
        declarer = lies_open(position, "declarer")[0]
        discards = nest
        held[declarer] = (held[declarer] | nest) & ~found
    if rules.blind:
        turned = lies_closed(position, "blind_at")[0]
        blind[:turned] = lies_closed(position, "blind")[:turned]
    face_up = lies_open(position, "face_up")[0] & found if rules.nest_face_up else 0
    cards = [*map(unpack, held[: rules.seats]), blind if rules.blind else ()]
    order = bytes(
        card for group in (*cards, unpack(face_up), unpack(found & ~face_up)) for card in group
    )
    if tuple(sorted(order)) != rules.deck:
        return None
    reached, actions = positions.laid_out(order), []
    for one in log:
        if one.place >= rules.seats:
            continue  # a blind hand plays by itself
        action = one.action
        if not is_known_to(one, seat):
            options = unpack(discards) if one.phase == NEST else [gifts[one.place]]
            legal = choices(reached)
            action = next((card for card in options if card in legal), -1)
        after = positions.after(reached, action) if action >= 0 else None
        if after is None:
            return None
        discards &= ~(1 << action) if one.phase == NEST else discards
        reached = after
        actions.append(action)
    return Past(order, actions) if alike(position, reached, seat) else None


def _gift(
    positions: Positions,
    position: bytes,
    one: Done,
    seat: int,
    held: Sequence[int],
    moved: bool,
    dice: Random,
) -> int:
    """Return which card a seat has passed to its left in a circus: drawn, where `seat` cannot tell.

    `held` are the cards that each place holds or has played; all have passed theirs if `moved`.
    """
    if one.place == seat:
        return one.action
    receiver = (one.place + 1) % positions.rules.seats
    declarer = lies_open(position, "declarer")[0]
    if moved and receiver == seat:
        had = dealt_to(position)[seat]
        if seat == declarer:
            had |= lies_closed(position, "pickup")[0]
        return next(unpack(held[seat] & ~had))
    pool = list(unpack(held[receiver if moved else one.place]))
    # The rules may ask for the best card or the worst, so that others are hardly worth a try.
    table = compile_rules(positions.rules)
    row = lies_open(position, "row")[0] * CARDS
    pool.sort(key=lambda card: table.strength[row + card])
    likely = pool[0] if table.partners[declarer] >> one.place & 1 else pool[-1]
    return likely if dice.random() < _LIKELY else dice.choice(pool)


def _nest_as_found(
    positions: Positions,
    position: bytes,
    seat: int,
    held: Sequence[int],
    nest: int,
    dice: Random,
) -> int:
    """Return the nest as it was dealt: what lay open of it, and any of the declarer's cards."""
    pickup, declarer = lies_closed(position, "pickup")[0], lies_open(position, "declarer")[0]
    if not pickup:
        return nest
    if seat == declarer:
        return pickup
    table, open_cards = compile_rules(positions.rules), lies_open(position, "face_up")[0]
    own, away = list(unpack(held[declarer] & ~open_cards)), list(unpack(nest & ~open_cards))
    room = table.nest_size - open_cards.bit_count()
    if not table.exchange:
        return open_cards | pack_cards(dice.sample(own + away, room))
    counts = range(table.exchange_count + 1)
    swapped = dice.choice(counts if table.exchange == EXCHANGE_UP_TO else (0, counts[-1]))
    kept = min(len(away), max(0, room - swapped))
    return open_cards | pack_cards(dice.sample(away, kept) + dice.sample(own, room - kept))
