"""A second, slow and obvious reading of the rules, written apart from the game itself.

Tests play the same hands here and in the package and compare. Nothing here is shared with the
package: cards are plain texts, hands plain lists, and speed does not matter.
"""

from .errors import JudgeError
from .hand import JudgeHand
from .match import add_to_totals, match_winners

__all__ = ["JudgeError", "JudgeHand", "add_to_totals", "match_winners"]
