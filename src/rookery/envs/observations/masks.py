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
from rookery.envs.observations.compact import CHOICES, IN_SET


@dataclass(slots=True)
class Dice:
    """What actions are drawn with at one table: a state of `rookery.engine.rng`."""

    rng: int = 1


@kernel
def may(choices: list[int], i: int, action: int) -> bool:
    """Return whether an action is legal for the agent of table `i`."""
    if 0 <= action < CARDS:
        return choices[i * CHOICES] >> action & 1 == 1
    if not CARDS <= action < ACTIONS:
        return False
    other = action - CARDS
    return choices[i * CHOICES + 1 + other // IN_SET] >> other % IN_SET & 1 == 1


@kernel
def draw_action(dice: Sequence[Dice], choices: list[int], i: int) -> int:
    """Return a legal action for table `i`, each equally likely; 0 where nothing is legal."""
    at = i * CHOICES
    cards = choices[at]
    if choices[at + 1] | choices[at + 2] | choices[at + 3]:
        return draw_any(dice[i], choices, at)
    if cards:
        return nth(cards, below(dice[i], count(cards)))
    return 0


@kernel
def draw_actions(dice: Sequence[Dice], choices: list[int], actions: list[int]) -> None:
    """Draw an action for each table, see `draw_action`."""
    for i in range(len(actions)):
        actions[i] = draw_action(dice, choices, i)


@kernel
def draw_any(owner: HasRng, choices: list[int], at: int) -> int:
    """Return a legal action of the sets from ``choices[at]`` on, in which there is one."""
    n = 0
    for k in range(CHOICES):
        n += count(choices[at + k])
    n = below(owner, n)
    k = 0
    while n >= count(choices[at + k]):
        n -= count(choices[at + k])
        k += 1
    first = CARDS + (k - 1) * IN_SET if k else 0
    return first + nth(choices[at + k], n)
