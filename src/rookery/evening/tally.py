"""What people say of a hand that they played with real cards, and what it scores.

They say what each side has captured, not which cards. So each pile stands for one card, which is
worth as much, and the engine scores the hand as it scores all others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from operator import sub
from typing import Final, TypeAlias

from rookery.cards import Seat, unpack
from rookery.engine.score import end_hand, punish_revoke, side_of
from rookery.engine.state import REDEALT, Hidden, State
from rookery.game.errors import Refusal
from rookery.game.position import Bid
from rookery.rules import Rules
from rookery.rules.table import (
    ALL_PASS_NO_CONTRACT,
    ALL_PASS_REDEAL,
    BONUS_FIRST_TO_SIX,
    BONUS_LAST_TRICK,
    BONUS_MAJORITY,
    BONUS_PER_TRICK,
    NEST_TO_DECLARER,
    NEST_TO_NOBODY,
    SWEEP_ALL_TRICKS,
    RuleTable,
    compile_rules,
)

Each: TypeAlias = tuple[int | None, ...]
Numbers: TypeAlias = tuple[int, ...]
MOST: Final = 500  # ways to take counters by value; where there are more, not all are looked at
_ORDER: Final = (
    *("redealt", "declarer", "bid", "partners", "revoked"),
    *("points", "tricks", "last_trick", "first_to_six"),
)
SIX: Final = 6  # tricks, for the bonus of the side that has them first [S4]


class BadTally(Refusal):
    """What is said of a hand cannot be.

    Codes: ``redealt declarer bid partners revoked points tricks last-trick first-to-six``, the part
    of the tally that it shows in.

    Attributes:
        side: the seats of the side that the reason names; empty where it names none.
    """

    def __init__(self, code: str, reason: str, side: Sequence[Seat] = ()) -> None:
        """Say what is wrong; ``{}`` in the reason stands for the seats of `side`."""
        self.side = tuple(side)
        self._form = reason
        seats = f"seat{'s' if len(side) > 1 else ''} {' and '.join(map(str, side))}"
        super().__init__(code, reason.replace("{}", seats) if side else reason)

    def to(self, names: Sequence[str]) -> str:
        """Return the reason with the players' `names`, one a seat, in it."""
        who = " and ".join(names[seat] for seat in self.side)
        return self._form.replace("{}", who) if self.side else self.reason


@dataclass(frozen=True, slots=True)
class Tally:
    """What is said of one hand.

    What a side has is said by any seat of it: the others of that side may be None. One side may be
    left out: it has the rest.

    Attributes:
        declarer: who won the auction; None where nobody bid.
        bid: the contract, points or ``"sun"``.
        partners: the called partners; empty where the declarer plays alone, or with the usual one.
        points: by seat, the counters that its side has captured, those of the nest too, points;
            no bonus.
        tricks: by seat, how many tricks its side has won; empty where `asked` does not want it.
        last_trick: a seat of the side that won the last trick, the number of seats for a blind
            hand; None where `asked` does not want it.
        first_to_six: a seat of the side that was the first to win six tricks; None for nobody.
        revoked: the seat whose revoke ended the hand; None without one.
        redealt: whether the hand was dealt again, so that nothing is scored.
    """

    declarer: Seat | None = None
    bid: Bid = None
    partners: tuple[Seat, ...] = ()
    points: Each = ()
    tricks: Each = ()
    last_trick: int | None = None
    first_to_six: Seat | None = None
    revoked: Seat | None = None
    redealt: bool = False


def asked(rules: Rules, tally: Tally | None = None) -> tuple[str, ...]:
    """Return the parts of a tally that these rules want, in the order in which people say them.

    What is wanted can depend on what is said already: tricks count only for some results.

    >>> from rookery.rules import variant
    >>> asked(variant("kd_tournament"))
    ('redealt', 'declarer', 'bid', 'points')
    """
    table = compile_rules(rules)
    tally = tally or Tally()
    # Where the dealer has to bid not all can pass; a sheet that says so is read all the same.
    offered = tally.redealt or table.redeal or not rules.dealer_bids
    parts = ["redealt"] if offered and _may_redeal(table) else []
    if tally.redealt:
        return tuple(parts)
    parts += ["declarer", "bid"]
    if table.called:
        parts.append("partners")
    if table.penalised:
        parts.append("revoked")
    parts.append("points")
    if tally.revoked is not None:
        return tuple(parts)
    if _wants_tricks(rules, table, tally):
        parts.append("tricks")
    if table.bonus == BONUS_LAST_TRICK:
        parts.append("last_trick")
    if table.bonus == BONUS_FIRST_TO_SIX:
        parts.append("first_to_six")
    return tuple(parts)


def askable(rules: Rules) -> tuple[str, ...]:
    """Return the parts of a tally that these rules can ever want, in the same order.

    >>> from rookery.rules import variant
    >>> askable(variant("kd_tournament"))
    ('redealt', 'declarer', 'bid', 'points')
    """
    can_be = [Tally(), Tally(0, points=(None, 0))]
    can_be += [Tally(0, "sun")] if "sun" in bids(rules) else []
    found = {part for tally in can_be for part in asked(rules, tally)}
    return tuple(part for part in _ORDER if part in found)


def has_rest(rules: Rules, tally: Tally) -> tuple[str, ...]:
    """Return the parts of a tally in which a side that says nothing has the rest.

    >>> from rookery.rules import variant
    >>> has_rest(variant("kd_tournament"), Tally(0)), has_rest(variant("rook_two_1914"), Tally(0))
    (('points', 'tricks'), ())
    """
    table = compile_rules(rules)
    may_be_left = {"points": _may_be_left(table, tally), "tricks": bool(table.blind)}
    return tuple(part for part, left in may_be_left.items() if not left)


def bids(rules: Rules) -> list[int | str]:
    """Return every contract of these rules, the lowest first."""
    table = compile_rules(rules)
    found: list[int | str] = list(range(rules.bid_minimum, rules.bid_maximum + 1, rules.bid_step))
    return [*found, "sun"] if table.sun else found


def sides(rules: Rules, declarer: Seat | None, partners: Sequence[Seat]) -> list[tuple[Seat, ...]]:
    """Return who plays with whom, the declarer's side first, the others clockwise."""
    table, hidden = compile_rules(rules), Hidden()
    if declarer is not None:
        hidden.allies = table.partners[declarer] | _set_of({*partners})
    found: list[tuple[Seat, ...]] = []
    for i in range(rules.seats):
        side = tuple(unpack(side_of(table, hidden, ((declarer or 0) + i) % rules.seats)))
        if side not in found:
            found.append(side)
    return found


def scored(rules: Rules, tally: Tally) -> State:
    """Return the end of a hand of which `tally` is said: what each seat's side took, its score.

    Raises:
        BadTally: it cannot be; the reason says what was expected.
    """
    table, state, hidden = compile_rules(rules), State(), Hidden()
    if tally.redealt:
        if not _may_redeal(table):
            raise BadTally("redealt", "these rules never deal a hand again")
        state.phase = REDEALT
        return state
    _contract(rules, table, tally, state)
    if tally.revoked is not None and not table.penalised:
        raise BadTally("revoked", "by these rules no revoke ends a hand")
    if tally.revoked is not None:
        _seat(rules, "revoked", tally.revoked)
    who = sides(rules, tally.declarer, tally.partners)
    hidden.allies = _set_of(who[0]) if tally.declarer is not None else 0
    points = _shared_out("points", who, tally.points, table.card_points, _may_be_left(table, tally))
    _check_counters(table, points)
    table = _with_piles(table, who, points, state)
    if tally.revoked is not None:
        punish_revoke(table, state, hidden, tally.revoked)
        return state
    _tricks(rules, table, tally, state, who, points)
    end_hand(table, state, hidden, tally.last_trick or 0)
    return state


def _may_redeal(table: RuleTable) -> bool:
    return bool(table.redeal) or table.all_pass == ALL_PASS_REDEAL


def _wants_tricks(rules: Rules, table: RuleTable, tally: Tally) -> bool:
    if table.bonus in {BONUS_MAJORITY, BONUS_PER_TRICK} or tally.bid == "sun":
        return True
    sweeps = table.sweep and table.sweep_test == SWEEP_ALL_TRICKS
    if not sweeps or tally.declarer not in range(rules.seats):
        return False
    # Whoever has won every trick has left no counter to the others.
    own = sides(rules, tally.declarer, tally.partners)[0]
    said = [(seat, points) for seat, points in enumerate(tally.points) if points is not None]
    mine = [points for seat, points in said if seat in own]
    if not said or any(points for seat, points in said if seat not in own):
        return False
    return not mine or _may_be_left(table, tally) or max(mine) == table.card_points


def _may_be_left(table: RuleTable, tally: Tally) -> bool:
    """Return whether there may be counters that no side has: in the nest, or with a blind hand."""
    lost = table.nest_to == NEST_TO_NOBODY and table.nest_size > 0
    lost |= table.nest_to == NEST_TO_DECLARER and tally.declarer is None
    return lost or bool(table.blind) or tally.revoked is not None


def _contract(rules: Rules, table: RuleTable, tally: Tally, state: State) -> None:
    if tally.declarer is None:
        if table.all_pass != ALL_PASS_NO_CONTRACT:
            raise BadTally("declarer", "somebody has the contract; expected a seat")
        if tally.bid is not None or tally.partners:
            raise BadTally("declarer", "there is a bid or a partner; expected a declarer too")
        return
    state.declarer = _seat(rules, "declarer", tally.declarer)
    if tally.bid not in bids(rules):
        also = " or sun" if table.sun else ""
        said = "no bid" if tally.bid is None else f"{tally.bid} cannot be bid"
        raise BadTally(
            "bid",
            f"{said}; expected {rules.bid_minimum} to {rules.bid_maximum} "
            f"in steps of {rules.bid_step}{also}",
        )
    state.sun = int(tally.bid == "sun")
    state.contract = table.sun_value if tally.bid == "sun" else int(tally.bid)
    _partners(rules, table, tally)


def _partners(rules: Rules, table: RuleTable, tally: Tally) -> None:
    if tally.partners and not table.called:
        raise BadTally("partners", "no partner is called by these rules; expected none")
    for seat in tally.partners:
        _seat(rules, "partners", seat)
    if tally.declarer in tally.partners or len({*tally.partners}) < len(tally.partners):
        raise BadTally("partners", "a partner is named twice, or is the declarer")
    if len(tally.partners) > table.called_cards:
        raise BadTally(
            "partners", f"{len(tally.partners)} partners; expected {table.called_cards} at most"
        )


def _tricks(
    rules: Rules,
    table: RuleTable,
    tally: Tally,
    state: State,
    who: Sequence[tuple[Seat, ...]],
    points: Sequence[int],
) -> None:
    """Note who won how many tricks, the last one, and six first, as far as it is asked or said."""
    last, seats = tally.last_trick, table.seats
    if last is None and table.bonus == BONUS_LAST_TRICK:
        raise BadTally("last-trick", "somebody won it; expected a seat")
    if last is not None and last not in range(seats + table.blind):
        raise BadTally("last-trick", f"no seat {last}; expected 0 to {seats + table.blind - 1}")
    if tally.tricks or _wants_tricks(rules, table, tally):
        tricks = _shared_out("tricks", who, tally.tricks, table.hand_size, bool(table.blind))
        for side, won, took in zip(who, tricks, points, strict=True):
            state.won[side[0]] = won
            nest = table.nest_to == NEST_TO_DECLARER and state.declarer in side
            if took and not won and not nest:
                raise BadTally("tricks", f"{{}}: {took} points without a trick", side)
            if last in side and not won:
                raise BadTally("last-trick", "{} won no trick, so not the last one", side)
    if table.bonus == BONUS_FIRST_TO_SIX:
        first = tally.first_to_six
        if first is None and not table.blind and table.hand_size > (SIX - 1) * len(who):
            raise BadTally("first-to-six", "one side has six tricks; expected a seat of it")
        state.first_to_six = -1 if first is None else first
        if first is not None and first not in range(seats):
            raise BadTally("first-to-six", f"no seat {first}; expected 0 to {seats - 1}")


def _shared_out(
    what: str, who: Sequence[tuple[Seat, ...]], said: Each, whole: int, may_be_left: bool
) -> list[int]:
    """Return what each side has of the `whole`, by what its seats said."""
    if any(one is not None and one < 0 for one in said):
        raise BadTally(what, f"{min(one for one in said if one is not None)}; expected 0 or more")
    found: list[int | None] = []
    for side in who:
        told = {said[seat] for seat in side if seat < len(said)} - {None}
        if len(told) > 1:
            both = " and ".join(map(str, sorted(told, key=str)))
            raise BadTally(what, f"{{}} play together, but {both} were said", side)
        found.append(told.pop() if told else None)
    silent = [side for side, one in zip(who, found, strict=True) if one is None]
    if len(silent) > (not may_be_left):
        raise BadTally(what, "expected those of {}", silent[0])
    left = whole - sum(one or 0 for one in found)
    if left < 0 or (left and not silent and not may_be_left):
        sums = " + ".join(str(one) for one in found if one is not None)
        most = " at most" if may_be_left or silent else ""
        raise BadTally(what, f"{sums} make {whole - left}; expected {whole}{most}")
    return [left if one is None else one for one in found]


def _with_piles(
    table: RuleTable, who: Sequence[tuple[Seat, ...]], points: Sequence[int], state: State
) -> RuleTable:
    """Give each side its pile as if that were one card; return rules by which it is worth that."""
    left = table.card_points - sum(points)
    piles = {1 << at: worth for at, worth in enumerate((*points, left)) if worth}
    for at, side in enumerate(who):
        state.captured[side[0]] = 1 << at
    if table.blind:
        state.captured[table.seats] = 1 << len(points)
    values, masks = list(piles.values()), list(piles)
    room = [0] * (len(table.group_value) - len(piles))
    return replace(
        table,
        counters=sum(masks),
        groups=len(piles),
        group_value=[*values, *room],
        group_mask=[*masks, *room],
    )


def _check_counters(table: RuleTable, points: Sequence[int]) -> None:
    """Raise where no counters of the deck add up to what the sides are said to have."""
    groups = range(table.groups)
    values = tuple(table.group_value[group] for group in groups)
    counts = tuple(table.group_mask[group].bit_count() for group in groups)
    sums = _sums(values, counts)
    for one in points:
        if not sums[one >> 3] >> (one & 7) & 1:
            worth = ", ".join(map(str, values))
            raise BadTally("points", f"no counters add up to {one}; they are worth {worth}")
    if prod(many + 1 for many in counts) <= MOST and not _parted(tuple(points), values, counts):
        parts = " and ".join(map(str, points))
        raise BadTally("points", f"the counters cannot be parted into {parts}")


@lru_cache(8)
def _sums(values: Numbers, counts: Numbers) -> bytes:
    """Return the sums of counters: bit n of the bytes, the lowest first, where some make n."""
    sums = 1
    for value, many in zip(values, counts, strict=True):
        for _ in range(many):
            sums |= sums << value
    return sums.to_bytes(sums.bit_length() // 8 + 1, "little")


# A long sheet is read again and again, and most of its hands have not changed.
@lru_cache(4_096)
def _parted(points: Numbers, values: Numbers, counts: Numbers) -> bool:
    """Return whether counters can be parted into piles that are worth so much."""
    left = {counts}
    for one in points:
        left = {tuple(map(sub, have, take)) for have in left for take in _taken(one, values, have)}
    return bool(left)


def _taken(points: int, values: Numbers, counts: Numbers) -> Iterator[Numbers]:
    """Yield how many counters of each value can be taken, so that they add up to `points`."""
    if not values:
        if not points:
            yield ()
        return
    for many in range(min(counts[0], points // values[0]) + 1):
        for rest in _taken(points - many * values[0], values[1:], counts[1:]):
            yield (many, *rest)


def _set_of(side: Iterable[Seat]) -> int:
    return sum(1 << seat for seat in side)


def _seat(rules: Rules, what: str, seat: int) -> Seat:
    if seat not in range(rules.seats):
        raise BadTally(what, f"no seat {seat}; expected 0 to {rules.seats - 1}")
    return seat
