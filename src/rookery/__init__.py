"""Rookery: the Rook you know, played, recorded, scored and measured.

Everything that a program needs is a name of this package, and is imported when it is first used:

>>> import rookery
>>> rules = rookery.load_rules("kd_tournament")
>>> hand = rookery.Deal.shuffled(rules, seed=7).hand()
>>> hand.legal().actions[0], "1 pass" in hand.legal()
(<Action 1 bid 70>, True)
>>> players = [rookery.bot("papa").seated(rules, seat) for seat in range(rules.seats)]
>>> for seat, player in enumerate(players):
...     player.begin(hand, dice=1 + seat)
>>> while not hand.over:
...     hand = hand.act(players[hand.to_act].act(hand))
>>> sum(hand.points)
120
>>> record = rookery.record_of(rookery.Match(rules).begin(hand))
>>> rookery.replay(record).hands[0].score == hand.score
True
"""

import sys
from importlib import import_module
from typing import Any, Final

# Where each name is defined: the names of each module, and those that are called otherwise here.
_MODULES: Final = {
    "bots.names": "Bot bot",
    "bots.player": "BotFailed NoAnswer Player",
    "bots.register": "UnknownBot",
    "envs.evaluation.evaluate": "BadEvaluation evaluate",
    "envs.evaluation.policy": "PolicyError",
    "envs.evaluation.report": "Evaluation",
    "cards": "Card CardSet Seat UnknownCard by_suit card_name pack_cards parse_card unpack",
    "game": "Action BadAction BadDeal CardChoice Deal Hand IllegalAction Legal Match ScoreLine "
    "Trick Verb",
    "lab.duplicate.holdout": "LedgerUnusable LookedAlready",
    "record": "Record RecordError replay",
    "rules": "Rules RulesError catalog",
    "solver.solution": "Solution Unsolvable solve",
    "view": "View view_of",
}
_NAMES: Final = {
    "load_rules": ("rules", "load"),
    "read_record": ("record", "read"),
    "record_of": ("record", "of_match"),
    "write_record": ("record", "write"),
    **{name: (module, name) for module, names in _MODULES.items() for name in names.split()},
}

__all__ = list(_NAMES)  # the stub beside this file has the same names for type checkers


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name in _NAMES:
        module, there = _NAMES[name]
        return getattr(import_module(f"rookery.{module}"), there)
    there = sys.modules[__name__]  # for Python to say which name it may have been
    raise AttributeError(f"module 'rookery' has no attribute {name!r}", name=name, obj=there)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
