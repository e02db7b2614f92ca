"""`club`: the table bot, a good partner.

It counts the cards, remembers who is out of what, works with its partner and bids what it holds.
It uses no dice: the same position always gets the same answer. ``club:partner=ignored`` takes
everybody else for a foe, ``club:signals=off`` gives its partner no signals and reads none.
"""

from rookery.bots.club.calls import club
from rookery.bots.club.counting import ALONE, SILENT
from rookery.bots.club.play import club_card
from rookery.bots.seat_info import SeatInfo
from rookery.engine.kernel import kernel
from rookery.engine.state import State
from rookery.rules.table import RuleTable


@kernel
def club_with_habits(table: RuleTable, s: State, m: SeatInfo, alone: int, silent: int) -> int:
    """Return the action of `club` before the play: 1 for a bot without partners or signals."""
    m.memo[ALONE] = alone
    m.memo[SILENT] = silent
    return club(table, s, m)


@kernel
def club_card_with_habits(table: RuleTable, s: State, m: SeatInfo, alone: int, silent: int) -> int:
    """Return the card that `club` plays: 1 for a bot without partners or signals."""
    m.memo[ALONE] = alone
    m.memo[SILENT] = silent
    return club_card(table, s, m)
