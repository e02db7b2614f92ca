"""The kernels that the native library exports, and what each of them takes.

What a kernel takes is read from its annotations. A word stands for each argument, as in
`rookery.engine.targets.native`: ``int``, ``float``, the name of a record, or one of these with
``[]`` for a list.
"""

from __future__ import annotations

import collections.abc
import typing
from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any, Final

from rookery.bots import dispatch, seat_info
from rookery.engine import actions, auction, deal, rng
from rookery.envs import acting, stepping
from rookery.envs.evaluation import dealing
from rookery.envs.observations import compact, masks, oracle
from rookery.lab.duplicate import boards
from rookery.lab.menagerie import published, real_game, study
from rookery.lab.rows import games
from rookery.lab.rows import play as rows
from rookery.lab.run import streams
from rookery.lab.studies.questions import hand_value, measure
from rookery.learn import pupil, rollouts
from rookery.search import kernels as search
from rookery.solver import answer

Kernel: typing.TypeAlias = Callable[..., Any]

# What `rookery.h` declares, for programs in other languages.
PUBLIC: Final[tuple[Kernel, ...]] = (
    rng.seeded,
    deal.shuffle,
    deal.deal,
    actions.actor,
    actions.legal,
    auction.may_redeal,
    actions.may_challenge,
    actions.apply,
    seat_info.clear_notes,
    seat_info.observe,
    seat_info.observe_trick,
    dispatch.decide,
    dispatch.decide_card,
    streams.play_stream,
    answer.solve_ending,
    answer.respond,
    search.begin_search,
    search.run_rollouts,
    search.rank,
)
EXPORTED: Final[tuple[Kernel, ...]] = (
    *PUBLIC,
    boards.play_boards,
    *study.KERNELS.values(),
    measure.measure_boards,
    hand_value.value_boards,
    rows.play_boards_noted,
    real_game.open_real_game,
    games.play_real_hand,
    games.begin_published,
    published.auction,
    published.deal_cards,
    games.play_published_hand,
    compact.look,
    compact.write_observation,
    oracle.write_oracle,
    stepping.begin_tables,
    stepping.step_tables,
    masks.draw_actions,
    dealing.begin_boards,
    dealing.note_rooms,
    acting.deal_seed,
    acting.lay_out,
    acting.act,
    acting.list_seen,
    acting.draw_closed,
    boards.margin,
    pupil.network_card,
    rollouts.run_network_rollouts,
    rollouts.note_scores,
    rollouts.rank_by_scores,
)
# Written by a program, so without annotations.
_DECIDE: Final = (["RuleTable", "State", "SeatInfo", "int"], "int")
_ROW: Final = ["int[]", "int"]
_GENERATED: Final = {
    dispatch.decide: _DECIDE,
    dispatch.decide_card: _DECIDE,
    compact.write_observation: (["RuleTable", "State", "SeatInfo", *_ROW], "none"),
    oracle.write_oracle: (["RuleTable", "State", "Hidden", "int", *_ROW], "none"),
}


def signature_of(kernel: Kernel) -> tuple[list[str], str]:
    """Return the words for what a kernel takes, and the one for what it returns.

    >>> signature_of(actions.legal)
    (['RuleTable', 'State', 'Hidden', 'int[]'], 'int')

    Raises:
        TypeError: it takes or returns what the library's callers cannot give or take.
    """
    if kernel in _GENERATED:
        return _GENERATED[kernel]
    hints = typing.get_type_hints(kernel)
    returned = hints.pop("return")
    given = "none" if returned is type(None) else _word(returned)
    if given not in ("int", "float", "none"):
        raise TypeError(f"{kernel.__name__} returns {returned}")
    return [_word(hint) for hint in hints.values()], given


def _word(hint: Any) -> str:  # noqa: ANN401  (an annotation)
    if typing.get_origin(hint) in (list, collections.abc.Sequence):
        return f"{_word(typing.get_args(hint)[0])}[]"
    if hint in (int, bool):
        return "int"
    if hint is float:
        return "float"
    if is_dataclass(hint) and isinstance(hint, type):
        return hint.__name__
    raise TypeError(f"{hint} is neither a number, nor a record, nor a list of them")
