"""Training examples: decisions from simulated hands, with the value of each card.

The script deals, bids and declares. Its hopes are scattered a little, so that contracts differ. At
each decision of the play every card is tried out. It is tried in worlds drawn from what the seat
knows, as the search does, or once in the true hands. One try in the true hands is noisier and far
cheaper. Over many hands it also knows what no drawn world does: how likely the cards are after all
that was bid and played. A value is an average over hands that look the same to the seat, so it
cannot depend on cards that the seat does not see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from rookery.bots.club.calls import all_points
from rookery.bots.club.play import club_card
from rookery.bots.dispatch import CLUB, decide, seated
from rookery.bots.seat_info import SeatInfo, clear_notes, observe, observe_trick
from rookery.cards import CARDS
from rookery.engine.actions import actor, apply
from rookery.engine.card_sets import count
from rookery.engine.deal import deal, shuffle
from rookery.engine.kernel import kernel
from rookery.engine.records import Allocator
from rookery.engine.rng import below, seeded
from rookery.engine.state import PLAY, Hidden, State, copy_hidden
from rookery.engine.targets import Target, load
from rookery.engine.targets.choice import for_training
from rookery.engine.trick import play
from rookery.learn.encoding import encode, encode_rules, list_cards, place_of
from rookery.learn.inputs import CARD_INPUTS, TABLE_INPUTS
from rookery.learn.net import Floats, Ints, Net, numbers_of
from rookery.learn.pupil import play_on
from rookery.learn.scoring import MOST_CARDS, OF_CARD, OF_TABLE, SCORES, WORK, score_cards
from rookery.rules.table import PLACES, RuleTable
from rookery.search.kernels import note_rollout, scatter_hope
from rookery.search.state import SearchState, begin_rollouts
from rookery.search.worlds import begin_trial, draw_by_calls
from rookery.solver.constraints import Constraints
from rookery.solver.sample import ROOM, prepare_worlds

SCORED: Final = -1  # worlds of examples that nobody tries: a network's scores are the values


class Examples(NamedTuple):
    """Decisions, with the cards of each one after another.

    Attributes:
        table: the inputs of each table, float32, shape (decisions, `TABLE_INPUTS`).
        cards: the inputs of each card, float32, shape (cards, `CARD_INPUTS`).
        worth: by how much the seat's side outscores the others with each card, parts of all
            points, float32, shape (cards,).
        script: the place of the script's card among those of its decision, shape (decisions,).
        start: the first card of each decision, and the end of the last, shape (decisions + 1,).
    """

    table: Floats
    cards: Floats
    worth: Floats
    script: Ints
    start: Ints

    @property
    def owner(self) -> Ints:
        """The decision that each card belongs to, shape (cards,)."""
        return np.repeat(np.arange(len(self.table)), np.diff(self.start))


def empty_examples(decisions: int) -> Examples:
    """Return arrays for so many decisions, with room for six cards each and one hand more."""
    cards = 6 * decisions + MOST_CARDS
    return Examples(
        np.zeros((decisions, len(TABLE_INPUTS)), np.float32),
        np.zeros((cards, len(CARD_INPUTS)), np.float32),
        np.zeros(cards, np.float32),
        np.zeros(decisions, np.int64),
        np.zeros(decisions + 1, np.int64),
    )


@kernel
def begin_hand(
    table: RuleTable, s: State, h: Hidden, mine: Sequence[SeatInfo], order: list[int], dealer: int,
    scatter: int,
) -> None:  # fmt: skip
    """Deal a hand with ``h.rng``, and let the script bid and declare with scattered hopes."""
    shuffle(table, h, order)
    deal(table, s, h, order, dealer)
    for seat in range(table.seats):
        clear_notes(mine[seat])
        if scatter:
            scatter_hope(table, h, h.hand[seat], seat, mine[seat], scatter)
    while s.phase < PLAY:
        m = mine[s.turn]
        observe(table, s, h, m)
        apply(table, s, h, decide(table, s, m, CLUB))


@kernel
def try_cards(
    table: RuleTable,
    s: State,
    m: SeatInfo,
    k: Constraints,
    world: Hidden,
    trial: State,
    closed: Hidden,
    cast: Sequence[SeatInfo],
    search: SearchState,
    ways: list[float],
    worlds: int,
    inner: SearchState,
    net: list[int],
    work: list[float],
    learned: int,
) -> None:
    """Try every card in the running in some more worlds.

    The seats of the mask `learned` play the hand to its end by the network, the others by script.
    """
    for turn in range(worlds):
        if not search.open:
            draw_by_calls(table, s, m.seat, k, world, search, ways)
        for i in range(search.alive):
            begin_trial(table, s, world, trial, closed, cast)
            play(table, trial, closed, search.action[i])
            play_on(table, trial, closed, cast, net, work, inner, learned)
            note_rollout(table, s, m.seat, trial, search, i, turn)
    m.rng = world.rng


@kernel
def _note_inputs(examples: Examples, n: int, first: int, cards: int, work: list[float]) -> None:
    """Keep the inputs of a decision that was encoded into `work`."""
    for i in range(OF_TABLE):
        examples.table[n, i] = work[i]
    for card in range(cards):
        for i in range(OF_CARD):
            examples.cards[first + card, i] = work[OF_TABLE + card * OF_CARD + i]


@kernel
def generate(
    table: RuleTable,
    s: State,
    h: Hidden,
    mine: Sequence[SeatInfo],
    order: list[int],
    k: Constraints,
    world: Hidden,
    trial: State,
    closed: Hidden,
    cast: Sequence[SeatInfo],
    search: SearchState,
    inner: SearchState,
    ways: list[float],
    net: list[int],
    work: list[float],
    examples: Examples,
    begin: int,
    end: int,
    seed: int,
    worlds: int,
    net_share: int,
    stray: int,
) -> int:
    """Fill the decisions from `begin` to `end` of `examples`; return how many hands were played.

    The records from `s` to `ways` are scratch, and so is `work`. ``examples.start[begin]`` is where
    its cards go on. The generator begins in the state `seed`. The rest is as in
    `ExampleGenerator.examples`.
    """
    h.rng = seed
    hands = 0
    n = begin
    whole = 1.0 * all_points(table)
    while n < end:
        hands += 1
        begin_hand(table, s, h, mine, order, below(h, table.seats), 25)
        learned = 0
        for seat in range(table.seats):
            if below(h, 256) < net_share:
                learned |= 1 << seat
        playing = (1 << table.seats) - 1 if net_share else 0
        while s.phase == PLAY and n < end:
            seat = actor(s) if table.dummy else s.turn
            m = mine[seat]
            observe_trick(table, s, h, m)
            card = club_card(table, s, m)
            if m.cards & (m.cards - 1):
                list_cards(table, s, m, search)
                if search.count > 1:
                    first = examples.start[n]
                    script = place_of(table, s, m, search, card)
                    encode_rules(table, s, work)
                    encode(table, s, m, search, script, work)
                    _note_inputs(examples, n, first, search.count, work)
                    if learned >> seat & 1 or worlds == SCORED:
                        best = score_cards(net, work, search.count)
                        if learned >> seat & 1:
                            card = search.action[best]
                    if worlds == SCORED:
                        for i in range(search.count):
                            examples.worth[first + i] = work[SCORES + i]
                    else:
                        begin_rollouts(search)
                        if worlds:
                            prepare_worlds(table, s, m, k, ways)
                            world.rng = h.rng
                        else:
                            copy_hidden(table, h, world)
                        search.open = 0 if worlds else 1
                        try_cards(
                            table, s, m, k, world, trial, closed, cast, search, ways,
                            max(1, worlds), inner, net, work, playing,
                        )  # fmt: skip
                        if worlds:
                            h.rng = world.rng
                        side = count(table.partners[m.seat])
                        scale = whole * side * (table.seats - side)
                        for i in range(search.count):
                            tries = search.rollouts[i]
                            examples.worth[first + i] = search.total[i] / (scale * tries)
                    examples.script[n] = script
                    examples.start[n + 1] = first + search.count
                    n += 1
                    if below(h, 256) < stray:
                        card = search.action[below(h, search.count)]
            play(table, s, h, card)
    return hands


class ExampleGenerator:
    """Makes examples in one thread; the first compiled generator of a process compiles."""

    def __init__(self, target: Target | None = None) -> None:
        """Prepare the records to work in.

        Raises:
            MissingTarget: the target, `for_training` where None, is not here.
        """
        target = target or for_training()
        self._generate: Callable[..., int] = load(target, generate, None, seated([CLUB]))
        self._scratch = Allocator(target)
        one, numbers = self._scratch.record, self._scratch.numbers
        mine, cast = (self._scratch.records(SeatInfo() for _ in range(PLACES)) for _ in range(2))
        self._records = (
            *(one(State()), one(Hidden()), mine, numbers([0] * CARDS), one(Constraints())),
            *(one(Hidden()), one(State()), one(Hidden()), cast, one(SearchState())),
            *(one(SearchState()), numbers([0.0] * ROOM)),
        )

    def examples(
        self,
        tables: Sequence[RuleTable],
        decisions: int,
        seed: int,
        net: Net,
        *,
        worlds: int = 0,
        net_share: int = 0,
        stray: int = 13,
    ) -> Examples:
        """Return decisions from hands of several rule sets, as many from each.

        The same seed gives the same examples. `worlds` are drawn for each decision; 0 tries
        every card once, in the true hands; with `SCORED` a card is worth what the network says of
        it, and none is tried. `net_share` is how likely a seat plays by the network,
        256ths; above 0 all rollouts do. `stray` is how often a card is played at random, 256ths.
        """
        examples = empty_examples(decisions * len(tables))
        row = self._scratch.numbers(numbers_of(net))
        work = self._scratch.numbers([0.0] * WORK)
        for turn, table in enumerate(tables):
            self._generate(
                self._scratch.record(table), *self._records, row, work, examples,
                turn * decisions, (turn + 1) * decisions, seeded(seed, turn), worlds, net_share,
                stray,
            )  # fmt: skip
        cards = int(examples.start[-1])
        return examples._replace(cards=examples.cards[:cards], worth=examples.worth[:cards])
