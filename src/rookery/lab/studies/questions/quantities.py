"""The quantities that describe a rule set, and how each follows from the sums."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from rookery.lab.studies.questions import measure as at
from rookery.lab.studies.questions.blocks import Rows
from rookery.rules.table import RuleTable

Formula: TypeAlias = Callable[[RuleTable, Rows], Rows]


class Quantity(NamedTuple):
    """A figure of a rule set: its name in files, its meaning, and how it follows from the sums.

    The unit is ``%``, ``points`` or ``sd`` (standard deviations of a hand's margin).
    """

    name: str
    unit: str
    meaning: str
    formula: Formula


def _ratio(part: int, whole: int, factor: float = 1.0) -> Formula:
    return lambda _, sums: factor * _over(sums[..., part], sums[..., whole])


def _points(part: int, whole: int) -> Formula:
    return lambda table, sums: _over(sums[..., part], sums[..., whole]) / at.unit(table)


def _passed_out(_: RuleTable, sums: Rows) -> Rows:
    out = sums[..., at.UNSCORED]
    return 100 * _over(out, out + sums[..., at.ROOMS])


def _over(part: Rows, whole: Rows) -> Rows:
    return np.asarray(np.divide(part, np.where(whole > 0, whole, np.nan)))


def _spread(table: RuleTable, sums: Rows) -> Rows:
    return np.sqrt(_over(sums[..., at.SQUARES], table.seats * sums[..., at.ROOMS])) / at.unit(table)


def _variance(table: RuleTable, sums: Rows) -> Rows:
    return _over(sums[..., at.DUEL_SQUARES], table.seats * sums[..., at.DUEL_ROOMS])


def _ahead(sums: Rows) -> Rows:
    return _over(sums[..., at.DUEL_MARGIN], sums[..., at.DUEL_ROOMS])


def _luck(table: RuleTable, sums: Rows) -> Rows:
    # Subtract the better bot's mean result from its seats and add it to the others. Then any two
    # rooms of a board have only the deal in common.
    others = at.unit(table)
    common = _over(sums[..., at.DUEL_SHARED], table.seats * others * sums[..., at.DUEL_ROOMS])
    total = _variance(table, sums)
    return 100 * _over(common + (_ahead(sums) / others) ** 2, total)


def _skill(table: RuleTable, sums: Rows) -> Rows:
    return _over(_ahead(sums), np.sqrt(_variance(table, sums)))


def _seat(position: int) -> Quantity:
    where = "on the dealer's left" if position == 0 else f"place {position + 1} from there"

    def formula(table: RuleTable, sums: Rows) -> Rows:
        if position >= table.seats:
            return np.full(sums.shape[:-1], np.nan)
        return _points(at.SEAT_MARGIN + position, at.ROOMS)(table, sums)

    return Quantity(f"seat_{position + 1}", "points", f"margin of the seat {where}", formula)


QUANTITIES: Final[dict[str, Quantity]] = {
    quantity.name: quantity
    for quantity in (
        Quantity("made", "%", "contracts that are made", _ratio(at.MADE, at.CONTRACTS, 100)),
        Quantity("contract", "points", "the mean contract", _ratio(at.BID, at.CONTRACTS)),
        Quantity(
            "taken", "points", "what the declarer's side takes", _ratio(at.TAKEN, at.CONTRACTS)
        ),
        Quantity(
            "passed_out", "%", "deals that nobody bids on and that are dealt again", _passed_out,
        ),
        Quantity("spread", "points", "standard deviation of a hand's margin", _spread),
        Quantity(
            "rook", "points", "margin of the side that is dealt the Rook",
            _points(at.ROOK_MARGIN, at.ROOK_HELD),
        ),
        Quantity(
            "lead", "points",
            "margin of the side on lead, less its margin with the lead one seat on",
            _points(at.LEAD_GAIN, at.LEADS),
        ),
        Quantity(
            "nest", "points",
            "what the declarer's side takes, less what it takes with the nest left as dealt",
            _ratio(at.NEST_TAKEN, at.NESTS),
        ),
        Quantity(
            "nest_score", "points",
            "margin of the declarer's side, less its margin with the nest left as dealt",
            _points(at.NEST_GAIN, at.NESTS),
        ),
        *(_seat(position) for position in range(8)),
        Quantity(
            "luck", "%",
            "share of the variance of a hand's margin that comes again when others play the deal",
            _luck,
        ),
        Quantity(
            "ahead", "points", "margin of the better bot over the weaker one",
            _points(at.DUEL_MARGIN, at.DUEL_ROOMS),
        ),
        Quantity("skill", "sd", "the same, in standard deviations of a hand's margin", _skill),
    )
}  # fmt: skip
