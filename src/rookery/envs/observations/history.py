"""What one seat has been told in a hand, in order: a sequence of tokens, written by compiled code.

A token says who, and what: ``WHATS * who + what``, and `PADDING`, which is 0, fills the row behind
the last one. One vocabulary serves all rule sets. `divmod` by `WHATS` takes a token apart, for two
embeddings instead of one. This is version 0: what it means changes with the environments' version.

*Who* is 0 for nobody, 1 for the seat itself, 2 for the next one clockwise and so on, and
`BLIND` for a blind hand. *What* is the number of an action (`rookery.engine.actions`), where a card
is one that is played, or one of the numbers of `WORDS`. Seats in tokens count from the seat itself.

A row begins with who deals, the seat's own cards, and what lies open of the nest. Then comes each
call, discard and card as it is done. Of what is done in secret a seat is told its own; of the
others' it is told that it was done. Nothing hidden is ever written into a row, so there is nothing
to take out of it.
"""

from __future__ import annotations

from typing import Final

from rookery.cards import CARDS
from rookery.engine.actions import ACTIONS, BID, LEADS, apply
from rookery.engine.card_sets import lowest
from rookery.engine.kernel import kernel
from rookery.engine.state import CALL, CIRCUS_PASS, NEST, PLAY, Hidden, State
from rookery.rules.table import ONE_CALL_EACH, PLACES, RuleTable

PADDING: Final = 0
BLIND: Final = PLACES
DEALS: Final = ACTIONS
DEALT: Final = DEALS + 1  # + card
OPEN: Final = DEALT + CARDS  # + card
FOUND: Final = OPEN + CARDS  # + card
DISCARDED: Final = FOUND + CARDS  # + card
CALLED: Final = DISCARDED + CARDS  # + card
GAVE: Final = CALLED + CARDS  # + card
GOT: Final = GAVE + CARDS  # + card
DISCARDED_ONE: Final = GOT + CARDS
GAVE_ONE: Final = DISCARDED_ONE + 1
SAID: Final = GAVE_ONE + 1  # + amount
MOST_SAID: Final = 127
WHATS: Final = SAID + MOST_SAID + 1
VOCABULARY: Final = WHATS * (BLIND + 1)
# First number, how many, what it means.
WORDS: Final = (
    (0, CARDS, "plays the card"),
    (BID, ACTIONS - BID, "any other action, see `rookery.engine.actions`; `LEADS` + 0 is oneself"),
    (DEALS, 1, "deals"),
    (DEALT, CARDS, "is dealt the card; of oneself alone"),
    (OPEN, CARDS, "lays the card open: a dummy; nobody for a card of the nest"),
    (FOUND, CARDS, "finds the card in the nest; of oneself alone"),
    (DISCARDED, CARDS, "discards the card; of oneself alone"),
    (CALLED, CARDS, "calls the partner card"),
    (GAVE, CARDS, "passes the card on in a circus; of oneself alone"),
    (GOT, CARDS, "is passed the card in a circus; of oneself alone"),
    (DISCARDED_ONE, 1, "discards a card; of others alone"),
    (GAVE_ONE, 1, "passes a card on in a circus; of others alone"),
    (SAID, MOST_SAID + 1, "the new nest is said to hold so many points, or 1 for some"),
)
NOTHING: Final = -1  # what others are told of what is no concern of theirs
EACH_WORD: Final = 4  # tokens


@kernel
def history_words(table: RuleTable) -> int:
    """Return how many words a row has by these rules: room for all that one seat can be told."""
    calls = table.seats
    if table.auction != ONE_CALL_EACH:
        bids = table.bid_levels + table.sun
        calls += bids * (table.seats - 1) if table.return_after_pass else bids
    exchange = 3 * table.nest_size + 1  # open, found, discarded, and what is said of it
    declaration = 5 + table.called_cards  # two trump calls, the Rook, enough, who leads
    circus = table.seats + 1
    dummy = table.dummy * table.hand_size
    played = table.hand_size * (table.seats + table.blind)
    tokens = 1 + table.hand_size + calls + exchange + declaration + circus + dummy + played
    return (tokens + EACH_WORD - 1) // EACH_WORD


@kernel
def add_token(told: list[int], notes: list[int], row: int, width: int, token: int) -> None:
    """Add a token to a row of `width` words; ``notes[row]`` is how many it has."""
    n = notes[row]
    if n < EACH_WORD * width:
        told[row * width + n // EACH_WORD] |= token << 16 * (n % EACH_WORD)
        notes[row] = n + 1


@kernel
def tell(
    table: RuleTable,
    told: list[int],
    notes: list[int],
    first: int,
    agents: int,
    place: int,
    what: int,
    others: int,
) -> None:
    """Tell the agents of a table what a place has done, -1 for nobody.

    Args:
        table: the rules.
        told: rows of tokens.
        notes: how many tokens each row has.
        first: the row of seat 0; the next seat's is the next.
        agents: set of the seats that are told.
        place: who has done it.
        what: what it is.
        others: what all others are told of it; `NOTHING`, or `what` where it is done openly.
    """
    width = history_words(table)
    for seat in range(table.seats):
        if agents >> seat & 1:
            said = what if seat == place else others
            if LEADS <= said < LEADS + table.seats:
                said = LEADS + (said - LEADS - seat) % table.seats
            who = 0
            if place >= 0:
                who = BLIND if place >= table.seats else (place - seat) % table.seats + 1
            if said != NOTHING:
                add_token(told, notes, first + seat, width, WHATS * who + said)


@kernel
def tell_cards(
    table: RuleTable,
    told: list[int],
    notes: list[int],
    first: int,
    agents: int,
    place: int,
    what: int,
    cards: int,
    openly: bool,
) -> None:
    """Tell the agents of a table of some cards, lowest first: `what` is added to each; see `tell`.

    What is not done openly only `place` is told.
    """
    while cards:
        said = what + lowest(cards)
        tell(table, told, notes, first, agents, place, said, said if openly else NOTHING)
        cards &= cards - 1


@kernel
def tell_deal(
    table: RuleTable,
    s: State,
    h: Hidden,
    told: list[int],
    notes: list[int],
    first: int,
    agents: int,
) -> None:
    """Begin the rows of a table anew, for a hand that has just been dealt; see `tell`."""
    width = history_words(table)
    for seat in range(table.seats):
        row = first + seat
        for i in range((notes[row] + EACH_WORD - 1) // EACH_WORD):
            told[row * width + i] = 0
        notes[row] = 0
    tell(table, told, notes, first, agents, s.dealer, DEALS, DEALS)
    for seat in range(table.seats):
        # The rules may have given the nest to somebody before anybody spoke.
        dealt = h.hand[seat] & ~(h.pickup if seat == s.declarer else 0)
        tell_cards(table, told, notes, first, agents, seat, DEALT, dealt, False)
    tell_cards(table, told, notes, first, agents, -1, OPEN, s.face_up, True)
    tell_cards(table, told, notes, first, agents, s.declarer, FOUND, h.pickup, False)


@kernel
def act_and_tell(
    table: RuleTable,
    s: State,
    h: Hidden,
    action: int,
    told: list[int],
    notes: list[int],
    first: int,
    agents: int,
) -> None:
    """Do an action, and tell the agents of a table what they see of it; see `tell`."""
    phase = s.phase
    place = s.turn
    face_up, exposed, pickup = s.face_up, s.exposed, h.pickup
    statement, blind_at = s.statement, h.blind_at
    what = others = action
    if phase == NEST:
        what, others = DISCARDED + action, DISCARDED_ONE
    elif phase == CIRCUS_PASS:
        what, others = GAVE + action, GAVE_ONE
    elif phase == CALL and action < CARDS:
        what = others = CALLED + action
    tell(table, told, notes, first, agents, place, what, others)
    apply(table, s, h, action)
    for i in range(blind_at, h.blind_at):
        card = h.blind[i]
        tell(table, told, notes, first, agents, table.seats, card, card)
    if phase < PLAY:
        tell_cards(table, told, notes, first, agents, -1, OPEN, s.face_up & ~face_up, True)
        found = h.pickup & ~pickup
        tell_cards(table, told, notes, first, agents, s.declarer, FOUND, found, False)
        if s.statement != statement:
            said = SAID + min(s.statement, MOST_SAID)
            tell(table, told, notes, first, agents, place, said, said)
        if phase == CIRCUS_PASS and s.phase != CIRCUS_PASS:
            for seat in range(table.seats):
                passed = 1 << h.gift[(seat + table.seats - 1) % table.seats]
                tell_cards(table, told, notes, first, agents, seat, GOT, passed, False)
    if table.dummy and not exposed:
        tell_cards(table, told, notes, first, agents, s.dummy, OPEN, s.exposed, True)
