"""One hand and one match over the engine, in the game's own words."""

from rookery.game.action import Action, Verb
from rookery.game.errors import BadAction, BadDeal, IllegalAction
from rookery.game.hand import Deal, Hand
from rookery.game.legal import CardChoice, Legal
from rookery.game.match import Match, ScoreLine
from rookery.game.position import Trick

__all__ = [
    "Action",
    "BadAction",
    "BadDeal",
    "CardChoice",
    "Deal",
    "Hand",
    "IllegalAction",
    "Legal",
    "Match",
    "ScoreLine",
    "Trick",
    "Verb",
]
