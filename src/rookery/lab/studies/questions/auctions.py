"""The question `auctions`: what each card of a hand is worth, and where to stop bidding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rookery.bots.dispatch import kind_of
from rookery.lab.run.jobs import Sums
from rookery.lab.studies.question import Answer, CannotAsk, Plan
from rookery.lab.studies.questions.hand_worth import HandValues


@dataclass(frozen=True)
class Auctions:
    """What each card of a hand is worth to a declarer, and where to stop bidding."""

    name: str = "auctions"
    about: str = "What a hand is worth by its cards, and up to where to bid on it."

    def jobs(self, plan: Plan) -> Sequence[HandValues]:
        """Return a job for each rule set."""
        if len(plan.bots) != 1:
            raise CannotAsk(
                f"{self.name}: {len(plan.bots)} bots; expected 1, which plays all seats"
            )
        if plan.target == "cuda":
            raise CannotAsk(f"{self.name}: the target cuda cannot play it; expected numba")
        bot, first = kind_of(plan.bots[0]), plan.family.first_board
        return [
            HandValues(one.label, one.rules, plan.boards, bot, plan.seed, first, plan.target)
            for one in plan.settings
        ]

    def answer(self, plan: Plan, sums: Mapping[str, Sums]) -> Answer:
        """Return card values, the points that hands of each strength take, and stopping bids."""
        from rookery.lab.studies.questions import auctions_tables as tables

        worth = [job.worth(sums[job.name]) for job in self.jobs(plan)]

        def draw() -> Mapping[str, bytes]:
            from rookery.lab.studies.questions import auctions_pictures as pictures

            return {
                "card-values.png": pictures.card_values(worth, plan),
                "stopping-bids.png": pictures.stopping_bids(worth, plan),
            }

        frames = {
            "card-values": tables.card_values(worth),
            "strengths": tables.strengths(worth),
            "stops": tables.stops(worth),
        }
        return Answer(tables.text(worth, plan), frames, draw)
