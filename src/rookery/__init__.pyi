from rookery.bots.names import Bot as Bot
from rookery.bots.names import bot as bot
from rookery.bots.player import BotFailed as BotFailed
from rookery.bots.player import NoAnswer as NoAnswer
from rookery.bots.player import Player as Player
from rookery.bots.register import UnknownBot as UnknownBot
from rookery.cards import Card as Card
from rookery.cards import CardSet as CardSet
from rookery.cards import Seat as Seat
from rookery.cards import UnknownCard as UnknownCard
from rookery.cards import by_suit as by_suit
from rookery.cards import card_name as card_name
from rookery.cards import pack_cards as pack_cards
from rookery.cards import parse_card as parse_card
from rookery.cards import unpack as unpack
from rookery.envs.evaluation.evaluate import BadEvaluation as BadEvaluation
from rookery.envs.evaluation.evaluate import evaluate as evaluate
from rookery.envs.evaluation.policy import PolicyError as PolicyError
from rookery.envs.evaluation.report import Evaluation as Evaluation
from rookery.game import Action as Action
from rookery.game import BadAction as BadAction
from rookery.game import BadDeal as BadDeal
from rookery.game import CardChoice as CardChoice
from rookery.game import Deal as Deal
from rookery.game import Hand as Hand
from rookery.game import IllegalAction as IllegalAction
from rookery.game import Legal as Legal
from rookery.game import Match as Match
from rookery.game import ScoreLine as ScoreLine
from rookery.game import Trick as Trick
from rookery.game import Verb as Verb
from rookery.lab.duplicate.holdout import LedgerUnusable as LedgerUnusable
from rookery.lab.duplicate.holdout import LookedAlready as LookedAlready
from rookery.record import Record as Record
from rookery.record import RecordError as RecordError
from rookery.record import of_match as record_of
from rookery.record import read as read_record
from rookery.record import replay as replay
from rookery.record import write as write_record
from rookery.rules import Rules as Rules
from rookery.rules import RulesError as RulesError
from rookery.rules import catalog as catalog
from rookery.rules import load as load_rules
from rookery.solver.solution import Solution as Solution
from rookery.solver.solution import Unsolvable as Unsolvable
from rookery.solver.solution import solve as solve
from rookery.view import View as View
from rookery.view import view_of as view_of

__all__ = [
    "Action",
    "BadAction",
    "BadDeal",
    "BadEvaluation",
    "Bot",
    "BotFailed",
    "Card",
    "CardChoice",
    "CardSet",
    "Deal",
    "Evaluation",
    "Hand",
    "IllegalAction",
    "LedgerUnusable",
    "Legal",
    "LookedAlready",
    "Match",
    "NoAnswer",
    "Player",
    "PolicyError",
    "Record",
    "RecordError",
    "Rules",
    "RulesError",
    "ScoreLine",
    "Seat",
    "Solution",
    "Trick",
    "UnknownBot",
    "UnknownCard",
    "Unsolvable",
    "Verb",
    "View",
    "bot",
    "by_suit",
    "card_name",
    "catalog",
    "evaluate",
    "load_rules",
    "pack_cards",
    "parse_card",
    "read_record",
    "record_of",
    "replay",
    "solve",
    "unpack",
    "view_of",
    "write_record",
]
