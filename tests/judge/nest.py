"""What the declarer may put into the new nest."""

from __future__ import annotations

from .errors import JudgeError
from .order import always_trump
from .pack import Card, Options, is_rook, total_worth, worth


class Exchange:
    """The choice of a new nest out of a hand and the old nest.

    Where the bans leave no legal nest at all they fall away.
    """

    def __init__(
        self, options: Options, hand: list[Card], nest: list[Card], call: str | None
    ) -> None:
        """Work out what may and what must go; `call` is None while trump is not yet named."""
        self.options = options
        self.hand = list(hand)
        self.nest = list(nest)
        self.size = len(nest)
        self.call = call
        self.allowed: set[Card] = set()
        self.forced: set[Card] = set()
        self._apply_bans()
        if not self.swaps():
            self.allowed = set(self.hand + self.nest)
            self.forced = set()

    def _apply_bans(self) -> None:
        bans = self.options["discard_ban"]
        pool = []
        for card in self.hand + self.nest:
            if "counters" in bans and worth(self.options, card) > 0:
                continue
            if "trumps" in bans and always_trump(self.options, self.call, card):
                continue
            if "rook" in bans and is_rook(card):
                continue
            pool.append(card)
        if "counters_unless_forced" in bans:
            self._counters_last(pool)
        else:
            self.allowed = set(pool)

    def _counters_last(self, pool: list[Card]) -> None:
        plain = {card for card in pool if worth(self.options, card) == 0}
        counters = set(pool) - plain
        trump_counters: set[Card] = set()
        if self.call is not None:
            trump_counters = {c for c in counters if always_trump(self.options, self.call, c)}
        if len(plain) >= self.size:
            self.allowed = plain
        elif len(plain | trump_counters) >= self.size:
            self.forced = plain
            self.allowed = plain | trump_counters
        else:
            self.forced = plain | trump_counters
            self.allowed = set(pool)

    def allowed_swaps(self) -> list[int]:
        """Return how many cards the rules let change, before the bans are looked at."""
        rule = self.options["nest_exchange"]
        if rule == "all":
            return list(range(self.size + 1))
        if "up_to" in rule:
            return [n for n in range(self.size + 1) if n <= rule["up_to"]]
        return sorted({0, int(rule["exactly_or_none"])})

    def swaps(self, inside: Card | None = None, outside: Card | None = None) -> list[int]:
        """Return how many cards may change, so that a legal nest exists.

        Args:
            inside: A card that has to be in that nest.
            outside: A card that has to stay out of it.
        """
        needed = self.forced | ({inside} if inside is not None else set())
        free = self.allowed - {outside}
        if not needed <= free:
            return []
        good = []
        for count in self.allowed_swaps():
            from_hand = len(needed & set(self.hand)) <= count <= len(free & set(self.hand))
            kept = self.size - count
            from_nest = len(needed & set(self.nest)) <= kept <= len(free & set(self.nest))
            if from_hand and from_nest:
                good.append(count)
        return good

    def may_go(self) -> list[Card]:
        """Return the cards that some legal new nest holds."""
        return [card for card in self.hand + self.nest if self.swaps(inside=card)]

    def must_go(self) -> list[Card]:
        """Return the cards that every legal new nest holds."""
        return [card for card in self.hand + self.nest if not self.swaps(outside=card)]

    def check(self, chosen: list[Card]) -> None:
        """Check a new nest.

        Raises:
            JudgeError: ``discard-count``, ``not-held`` or ``discard-ban``.
        """
        if len(chosen) != self.size or len(set(chosen)) != self.size:
            raise JudgeError("discard-count", f"expected {self.size} different cards")
        for card in chosen:
            if card not in self.hand + self.nest:
                raise JudgeError("not-held", card)
        for card in chosen:
            if card not in self.allowed:
                raise JudgeError("discard-ban", card)
        if not self.forced <= set(chosen):
            raise JudgeError("discard-ban", "other cards have to go first")
        changed = len([card for card in chosen if card in self.hand])
        if changed not in self.allowed_swaps():
            raise JudgeError("discard-count", f"{changed} cards may not change")


def statement(options: Options, new_nest: list[Card]) -> str | int:
    """Return what is announced about the new nest."""
    points = total_worth(options, new_nest)
    if options["nest_statement"] == "amount":
        return points
    return "points" if points > 0 else "none"
