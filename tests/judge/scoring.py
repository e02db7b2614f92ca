"""What each side took, and what each seat scores for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .pack import Card, Options, deck, total_worth
from .sides import side_of


@dataclass
class Finished:
    """A hand whose play has ended."""

    options: Options
    sides: list[list[int]]
    declarer: int | None
    bid: int | str | None
    tricks: list[dict[str, Any]]
    nest: list[Card]

    def winners(self) -> list[int | None]:
        """Return the side that won each trick, None where it was a blind dummy."""
        return [side_of(self.sides, trick["winner"]) for trick in self.tricks]

    def tricks_won(self) -> list[int]:
        """Return how many tricks each side won."""
        return [self.winners().count(index) for index in range(len(self.sides))]

    def captured(self) -> list[int]:
        """Return the counters in each side's tricks."""
        taken = [0] * len(self.sides)
        for side, trick in zip(self.winners(), self.tricks, strict=True):
            if side is not None:
                taken[side] += trick["points"]
        return taken

    def lost_to_dummy(self) -> int:
        """Return the counters that a blind dummy took."""
        return sum(int(trick["points"]) for trick in self.tricks) - sum(self.captured())

    def nest_awards(self) -> list[int]:
        """Return what each side gets for the counters in the nest."""
        awards = [0] * len(self.sides)
        to: int | None = None
        if self.options["nest_points_to"] == "last_trick":
            to = self.winners()[-1]
        elif self.options["nest_points_to"] == "declarer" and self.declarer is not None:
            to = 0
        if to is not None:
            awards[to] = total_worth(self.options, self.nest)
        return awards

    def bonuses(self) -> list[int]:
        """Return what each side gets for its tricks."""
        kind = self.options["trick_bonus"]
        value = int(self.options["trick_bonus_value"])
        won = self.tricks_won()
        awards = [0] * len(self.sides)
        if kind == "per_trick":
            return [value * count for count in won]
        if kind == "last_trick":
            last = self.winners()[-1]
            if last is not None:
                awards[last] = value
        if kind == "first_to_six":
            first = self._first_to_six()
            if first is not None:
                awards[first] = value
        if kind == "majority":
            most = max(won)
            leaders = [index for index, count in enumerate(won) if count == most]
            if len(leaders) == 1:
                awards[leaders[0]] = value
            elif self.options["tied_majority"] == "split" and most > 0:
                for index in leaders:
                    awards[index] = value // len(leaders)
        return awards

    def _first_to_six(self) -> int | None:
        count = [0] * len(self.sides)
        for side in self.winners():
            if side is not None:
                count[side] += 1
                if count[side] == 6:
                    return side
        return None

    def points(self) -> list[int]:
        """Return what each side took, bonuses and nest included."""
        parts = zip(self.captured(), self.nest_awards(), self.bonuses(), strict=True)
        return [sum(part) for part in parts]

    def made(self) -> bool:
        """Return whether the contract is fulfilled; False where there is none."""
        if self.bid is None:
            return False
        if self.bid == "sun":
            cards = self.captured()[0] + self.nest_awards()[0]
            every_point = cards == total_worth(self.options, deck(self.options))
            return every_point and self.tricks_won()[0] == len(self.tricks)
        return self.points()[0] >= int(self.bid)

    def has_every_point(self, side: int) -> bool:
        """Return whether the side has every point of the hand, and there are some."""
        points = self.points()
        others = sum(points) - points[side] + self.lost_to_dummy()
        return points[side] > 0 and others == 0

    def swept(self, side: int) -> bool:
        """Return whether the side earns the sweep value."""
        test = self.options["sweep_test"]
        ours = side == 0 and self.bid is not None
        if self.options["sweep_value"] == "none" or (ours and not self.made()):
            return False
        if test == "either_side_all_points":
            return self.has_every_point(side)
        if not ours:
            return False
        if test == "all_points":
            return self.has_every_point(side)
        return self.tricks_won()[side] == len(self.tricks)

    def _plain_score(self, side: int) -> int:
        points = self.points()[side]
        if self.swept(side):
            value = self.options["sweep_value"]
            return int(value["replace"]) if "replace" in value else points + int(value["add"])
        return points

    def _declarers_score(self) -> int:
        if self.bid == "sun" and self.made():
            return special_value(self.options, "sun")
        if not self.made():
            contract = contract_value(self.options, self.bid)
            return -2 * contract if self.options["set_penalty"] == "double" else -contract
        moon = any(special["name"] == "moon" for special in self.options["special_bids"])
        if moon and self.bid == self.options["bid_maximum"]:
            return special_value(self.options, "moon")
        return self._plain_score(0)

    def score(self) -> list[int]:
        """Return what each seat scores."""
        result = [0] * int(self.options["seats"])
        for index, side in enumerate(self.sides):
            for seat in side:
                result[seat] = self._seat_score(index, seat)
        return result

    def _seat_score(self, side: int, seat: int) -> int:
        if self.bid is None:
            return self._plain_score(side)
        if side != 0:
            silent = self.made() and not self.options["defenders_score"]
            return 0 if silent else self._plain_score(side)
        called_partner = self.options["partnership"] == "called" and seat != self.declarer
        spared = called_partner and not self.options["partner_shares_set"]
        return 0 if spared and not self.made() else self._declarers_score()

    def score_after_revoke(self, offender: int) -> list[int]:
        """Return what each seat scores when a revoke of the seat `offender` is proven."""
        guilty = side_of(self.sides, offender)
        result = [0] * int(self.options["seats"])
        for index, side in enumerate(self.sides):
            for seat in side:
                if index == guilty:
                    result[seat] = -contract_value(self.options, self.bid)
                else:
                    result[seat] = self.captured()[index]
        return result


def special_value(options: Options, name: str) -> int:
    """Return what a special bid is worth; ``game`` is the target."""
    for special in options["special_bids"]:
        if special["name"] == name:
            value = special["value"]
            return int(options["target"] if value == "game" else value)
    raise ValueError(f"no special bid {name}")


def contract_value(options: Options, bid: int | str | None) -> int:
    """Return the contract in points, 0 where there is none."""
    if bid is None:
        return 0
    return special_value(options, "sun") if bid == "sun" else int(bid)
