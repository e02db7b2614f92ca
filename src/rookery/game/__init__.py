"""One hand and one match over the engine, in the game's own words."""

from rookery.game.deal import Deal
from rookery.game.errors import BadAction, BadDeal, IllegalAction
from rookery.game.hand import Hand, Legal, Trick
from rookery.game.match import Match
from rookery.game.notation import Action, action_text, action_words, parse_action

__all__ = [
    "Action",
    "BadAction",
    "BadDeal",
    "Deal",
    "Hand",
    "IllegalAction",
    "Legal",
    "Match",
    "Trick",
    "action_text",
    "action_words",
    "parse_action",
]
