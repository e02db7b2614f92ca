"""What an environment would show of a hand that is played by other means, seat to act alone.

>>> from rookery import Deal, load_rules
>>> hand = Deal.shuffled(load_rules("kd_tournament"), seed=7).hand()
>>> seen = observation_of(hand)
>>> seen["observation"].shape, int(seen["action_mask"].sum()) == len(hand.legal_numbers())
((912,), True)
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from rookery.bots.seat_info import SeatInfo
from rookery.engine.actions import ACTIONS
from rookery.envs.observations.compact import (
    CHOICES,
    MASK_WORDS,
    look,
    words_of,
    write_mask,
    write_observation,
)
from rookery.game import Hand

Seen: TypeAlias = dict[str, npt.NDArray[np.int8]]


def observation_of(hand: Hand) -> Seen:
    """Return what the seat to act sees and may do, as the environments show it.

    Returns:
        ``observation``, int8, shape (size,), see `rookery.envs.observations.compact`; and
        ``action_mask``, int8, shape (`ACTIONS`,): 1 for each legal action.

    Raises:
        ValueError: the hand is over, so nobody is to act.
    """
    if hand.to_act is None:
        raise ValueError("the hand is over; expected one in which somebody is to act")
    table, state, hidden, info = hand.table, hand.state, hand.hidden, SeatInfo()
    look(state, hidden, info, hand.to_act)
    row, mask = [0] * words_of(table), [0] * MASK_WORDS
    write_observation(table, state, info, row, 0)
    write_mask(table, state, hidden, [0] * ACTIONS, mask, [0] * CHOICES, 0)
    return {"observation": _numbers(row), "action_mask": _numbers(mask)[:ACTIONS].copy()}


def _numbers(words: list[int]) -> npt.NDArray[np.int8]:
    return np.array(words, np.int64).view(np.int8)
