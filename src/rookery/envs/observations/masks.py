"""What masks allow: whether an action may be done, and one that is drawn, at many tables.

Each table draws with dice of its own, so what is drawn there depends on no other table, and on no
order in which they are gone through.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rookery.cards import CARDS
from rookery.engine.actions import ACTIONS
from rookery.engine.card_sets import count, nth
from rookery.engine.kernel import kernel
from rookery.engine.rng import HasRng, below
from rookery.envs.observations.compact import CHOICES, MASK_WORDS


@dataclass(slots=True)
class Dice:
    """What actions are drawn with at one table: a state of `rookery.engine.rng`."""

    rng: int = 1


@kernel
def may(masks: list[int], choices: list[int], i: int, action: int) -> bool:
    """Return whether an action is legal for the agent of table `i`."""
    if 0 <= action < CARDS:
        return choices[i * CHOICES] >> action & 1 == 1
    inside = CARDS <= action < ACTIONS
    return inside and masks[i * MASK_WORDS + (action >> 3)] >> 8 * (action & 7) & 1 == 1


@kernel
def draw_action(dice: Sequence[Dice], masks: list[int], choices: list[int], i: int) -> int:
    """Return a legal action for table `i`, each equally likely; 0 where nothing is legal."""
    cards = choices[i * CHOICES]
    if choices[i * CHOICES + 1]:
        return draw_any(dice[i], masks, i * MASK_WORDS)
    if cards:
        return nth(cards, below(dice[i], count(cards)))
    return 0


@kernel
def draw_actions(
    dice: Sequence[Dice], masks: list[int], choices: list[int], actions: list[int]
) -> None:
    """Draw an action for each table, see `draw_action`."""
    for i in range(len(actions)):
        actions[i] = draw_action(dice, masks, choices, i)


@kernel
def draw_any(owner: HasRng, masks: list[int], at: int) -> int:
    """Return a legal action of the mask from ``masks[at]`` on, which has one."""
    n = 0
    for k in range(MASK_WORDS):
        n += count(masks[at + k])
    n = below(owner, n)
    k = 0
    while n >= count(masks[at + k]):
        n -= count(masks[at + k])
        k += 1
    return 8 * k + (nth(masks[at + k], n) >> 3)
