"""Rookery: the Rook you know, played, recorded, scored and measured.

Everything that a program needs is a name of this package, and is imported when it is first used:

>>> import rookery
>>> rules = rookery.load_rules("kd_tournament")
>>> hand = rookery.Deal.shuffled(rules, seed=7).hand()
>>> hand.legal().actions[0], "1 pass" in hand.legal()
(<Action 1 bid 70>, True)
>>> players = [rookery.bot("papa").seated(rules, seat) for seat in range(rules.seats)]
>>> while not hand.over:
...     hand = hand.act(players[hand.to_act].act(hand))
>>> sum(hand.points)
120
>>> record = rookery.record_of(rookery.Match(rules).begin(hand))
>>> rookery.replay(record).hands[0].score == hand.score
True
"""

from importlib import import_module
from typing import Any, Final

# Where each name stands: a module, and its name there.
_NAMES: Final = {
    "Action": ("game", "Action"),
    "BadAction": ("game", "BadAction"),
    "BadDeal": ("game", "BadDeal"),
    "Bot": ("bots.names", "Bot"),
    "Card": ("cards", "Card"),
    "CardChoice": ("game", "CardChoice"),
    "CardSet": ("cards", "CardSet"),
    "Deal": ("game", "Deal"),
    "Hand": ("game", "Hand"),
    "IllegalAction": ("game", "IllegalAction"),
    "Legal": ("game", "Legal"),
    "Match": ("game", "Match"),
    "Player": ("bots.player", "Player"),
    "Record": ("record", "Record"),
    "RecordError": ("record", "RecordError"),
    "Rules": ("rules", "Rules"),
    "RulesError": ("rules", "RulesError"),
    "ScoreLine": ("game", "ScoreLine"),
    "Seat": ("cards", "Seat"),
    "Solution": ("solver", "Solution"),
    "Trick": ("game", "Trick"),
    "UnknownBot": ("bots.register", "UnknownBot"),
    "UnknownCard": ("cards", "UnknownCard"),
    "Unsolvable": ("solver", "Unsolvable"),
    "Verb": ("game", "Verb"),
    "View": ("view", "View"),
    "bot": ("bots.names", "bot"),
    "by_suit": ("cards", "by_suit"),
    "card_name": ("cards", "card_name"),
    "catalog": ("rules", "catalog"),
    "load_rules": ("rules", "load"),
    "pack_cards": ("cards", "pack_cards"),
    "parse_card": ("cards", "parse_card"),
    "read_record": ("record", "read"),
    "record_of": ("record", "of_match"),
    "replay": ("record", "replay"),
    "solve": ("solver", "solve"),
    "unpack": ("cards", "unpack"),
    "view_of": ("view", "view_of"),
    "write_record": ("record", "write"),
}

__all__ = list(_NAMES)  # the stub beside this file has the same names for type checkers


def __getattr__(name: str) -> Any:  # noqa: ANN401
    if name in _NAMES:
        module, there = _NAMES[name]
        return getattr(import_module(f"rookery.{module}"), there)
    raise AttributeError(f"module 'rookery' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *__all__]
