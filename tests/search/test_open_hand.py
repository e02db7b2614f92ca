"""`open-hand` sees all cards, and therefore sits at no table of people."""

from __future__ import annotations

from tests.search.positions import FEW, scripted

from rookery.bots.dispatch import NUMBERS
from rookery.bots.names import bot
from rookery.bots.register import BOTS
from rookery.game import Hand
from rookery.rules import load
from rookery.search.searcher import PerfectInformationSearcher, Searcher
from rookery.server.table.refusals import Refused
from rookery.server.table.seating import known_bot


def test_it_is_marked_and_no_table_knows_it() -> None:
    marked = [name for name, entry in BOTS.items() if entry.laboratory]
    assert marked == ["open-hand"]
    assert not set(marked) & set(NUMBERS)
    assert all(isinstance(known_bot(name), Refused) for name in marked)
    assert known_bot("club") == "club"  # the control


def test_it_tries_its_choices_out_in_the_true_hands() -> None:
    rules = load("kd_tournament")
    hands = scripted(Hand.shuffled(rules, dealer=0, seed=2))
    last = next(hand for hand in hands if len(hand.tricks) == 2 and len(hand.legal().actions) > 3)
    seat = last.to_act or 0
    peeper = bot("open-hand").seated(rules, seat, 1000)
    assert isinstance(peeper, PerfectInformationSearcher)
    peeper.begin(last, 1)
    seen = [choice.margin for choice in peeper.weigh(last)]
    again = PerfectInformationSearcher(rules, seat, {"rollouts": "1"})
    again.begin(last, 2)
    assert seen == [choice.margin for choice in again.weigh(last)]
    # The control: who does not see them is not so sure.
    blind = Searcher(rules, seat, FEW)
    blind.begin(last, 1)
    assert seen != [choice.margin for choice in blind.weigh(last)]
