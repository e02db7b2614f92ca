"""The network's inputs for a decision: numbers that do not depend on the size of the deck.

All of them follow from the open table and the seat's own cards. Points are measured in mean tricks
or in parts of all points, and counts in parts of what is left. So one network serves every rule
set; the rules that matter for the play are inputs too.
"""

from __future__ import annotations

from rookery.bots.club.calls import all_points
from rookery.bots.club.counting import OWN, SURE, above, friends, none_of, unseen
from rookery.bots.club.play import not_beaten, to_play
from rookery.bots.seat_info import SeatInfo
from rookery.cards import ROOK
from rookery.engine.card_sets import count, lowest, points_of, spread
from rookery.engine.kernel import kernel
from rookery.engine.state import State
from rookery.engine.trick import beating
from rookery.learn import inputs
from rookery.learn.scoring import OF_CARD, OF_TABLE
from rookery.rules.order import BLACK_2, SUITS, TRUMP
from rookery.rules.table import (
    BONUS_LAST_TRICK,
    BONUS_MAJORITY,
    BONUS_PER_TRICK,
    NEST_TO_DECLARER,
    NEST_TO_LAST_TRICK,
    RuleTable,
)
from rookery.search.state import SearchState, list_candidate_cards, place_of_equal


@kernel
def list_cards(table: RuleTable, s: State, m: SeatInfo, search: SearchState) -> None:
    """List in `search` the cards that the seat of `m` may play, one of each run of equals."""
    if s.turn == m.seat:
        m.memo[OWN] = m.hand
    search.count = 0
    list_candidate_cards(table, s, m, search, unseen(table, s, m) | s.exposed | m.memo[OWN])


@kernel
def place_of(table: RuleTable, s: State, m: SeatInfo, search: SearchState, card: int) -> int:
    """Return the place in the list of `list_cards` of a card, or of its equal."""
    for i in range(search.count):
        if search.action[i] == card:
            return i
    rest = unseen(table, s, m) | s.exposed | m.memo[OWN]
    return max(0, place_of_equal(table, s, m, search, rest, card))


@kernel
def hold_best(table: RuleTable, row: int, suit: int, cards: int, others: int) -> bool:
    """Return whether one of some cards of a suit is above all `others` of it."""
    if table.natural:
        return cards > others
    while cards:
        if not above(table, row, suit, others, lowest(cards)):
            return True
        cards &= cards - 1
    return False


@kernel
def lacking(s: State, places: int) -> int:
    """Return how many of some places are known to lack a suit: a byte for each suit."""
    number = 0
    while places:
        number += spread(s.void[lowest(places)])
        places &= places - 1
    return number


@kernel
def encode_rules(table: RuleTable, s: State, work: list[float]) -> None:
    """Write those inputs that are the same for all decisions of a hand's play."""
    whole = 1.0 * all_points(table)
    work[inputs.SEATS] = table.seats / 8.0
    work[inputs.NEST] = table.nest_size / table.hand_size
    work[inputs.NEST_LAST] = table.nest_size > 0 and table.nest_to == NEST_TO_LAST_TRICK
    work[inputs.NEST_DECLARER] = table.nest_size > 0 and table.nest_to == NEST_TO_DECLARER
    work[inputs.BONUS] = 1.0 - table.card_points / whole
    work[inputs.BONUS_TRICK] = table.bonus == BONUS_PER_TRICK
    work[inputs.BONUS_MAJORITY] = table.bonus == BONUS_MAJORITY
    work[inputs.BONUS_LAST] = table.bonus == BONUS_LAST_TRICK
    work[inputs.CALLED] = table.called
    work[inputs.DOUBLE_SET] = table.set_factor - 1
    work[inputs.DEFENDERS_SCORE] = table.defenders_score
    work[inputs.DUTY] = table.void_duty > 0
    work[inputs.NO_TRUMP] = table.mask[s.row * SUITS + TRUMP] == 0
    work[inputs.FALLING] = table.falling[s.row]
    work[inputs.DUMMY] = s.dummy >= 0 or table.blind == 1


@kernel
def encode_score(
    table: RuleTable, s: State, seat: int, us: int, whole: float, work: list[float]
) -> None:
    """Write the score so far: what each side has, and what the contract still lacks.

    `us` is the mask of the seat's side, and `whole` the points of a hand.
    """
    declaring = s.declarer >= 0 and us >> s.declarer & 1 == 1
    side = 0
    if s.declarer >= 0 and not declaring:
        side = s.allies | 1 << s.declarer if table.called else table.partners[s.declarer]
    ours = 0
    theirs = 0
    contracted = 0
    tricks_ours = 0
    tricks_theirs = 0
    for place in range(table.seats + table.blind):
        if us >> place & 1:
            ours |= s.captured[place]
            tricks_ours += s.won[place]
        else:
            theirs |= s.captured[place]
            tricks_theirs += s.won[place]
        if side >> place & 1:
            contracted |= s.captured[place]
    each = table.bonus_value if table.bonus == BONUS_PER_TRICK else 0
    points_ours = points_of(table, ours) + each * tricks_ours
    points_theirs = points_of(table, theirs) + each * tricks_theirs
    got = points_ours if declaring else points_theirs
    if side and contracted != theirs:
        got = points_of(table, contracted) + each * tricks_theirs
    need = s.contract - got if s.declarer >= 0 else 0
    room = whole - points_ours - points_theirs
    work[inputs.DECLARING] = declaring
    work[inputs.DECLARER] = s.declarer == seat
    work[inputs.CONTRACT] = min(2.0, s.contract / whole) if s.declarer >= 0 else 0.0
    work[inputs.NEED] = max(-0.5, min(1.0, need / whole))
    work[inputs.ROOM] = room / whole
    work[inputs.SAFE] = s.declarer >= 0 and need <= 0
    work[inputs.GONE] = need > room
    work[inputs.OURS] = points_ours / whole
    work[inputs.THEIRS] = points_theirs / whole
    work[inputs.TRICKS_OURS] = tricks_ours / table.hand_size
    work[inputs.TRICKS_THEIRS] = tricks_theirs / table.hand_size
    work[inputs.SWEEP] = table.sweep > 0 and tricks_theirs == 0


@kernel
def encode(
    table: RuleTable, s: State, m: SeatInfo, search: SearchState, script: int, work: list[float]
) -> None:
    """Write the inputs of the table and of each listed card into `work`, for `score_cards`.

    Those of `encode_rules` are there already.

    Args:
        table: the rules.
        s: the open table, in the play.
        m: the seat's own cards.
        search: the cards, as `list_cards` lists them.
        script: the place in that list of the card that `club` would play.
        work: as `rookery.learn.scoring` lays it out.
    """
    row = s.row
    us = friends(table, s, m)
    out = unseen(table, s, m)
    places = table.seats + table.blind
    left = table.hand_size - s.tricks
    behind = to_play(table, s)
    everybody = (1 << places) - 1
    foes = everybody & ~us
    mates = us & ~(1 << s.turn)
    whole = 1.0 * all_points(table)
    unit = whole / table.hand_size
    closed = max(1, count(out))
    leading = s.led < 0
    trump = table.mask[row * SUITS + TRUMP]
    own_trumps = m.hand & trump
    out_trumps = out & trump
    armed = 0  # the places that may hold a trump
    rest = everybody if out_trumps else 0
    while rest:
        place = lowest(rest)
        rest &= rest - 1
        armed |= (s.void[place] >> TRUMP & 1 ^ 1) << place
    share = min(SURE, left * SURE // closed)
    no_trump = none_of(share, count(out_trumps))
    heap = points_of(table, s.trick_cards)

    work[inputs.PART_LEFT] = left / table.hand_size
    work[inputs.LAST_ONES] = 1.0 / left
    work[inputs.LEADING] = leading
    work[inputs.PLACE] = s.trick_size / (places - 1)
    work[inputs.FOES_BEHIND] = count(behind & foes) / 3.0
    work[inputs.MATES_BEHIND] = count(behind & mates)
    work[inputs.HEAP] = heap / (4.0 * unit)
    held = not leading and us >> s.best_place & 1 == 1
    work[inputs.HELD] = held
    holds = SURE
    helpless = SURE
    out_of = 0
    work[inputs.TRUMP_LED] = s.led == TRUMP
    work[inputs.RUFF_BEHIND] = 0.0
    work[inputs.MATE_RUFFS] = 0.0
    if not leading:
        if s.led != TRUMP and out_trumps:
            out_of = none_of(share, count(out & table.mask[row * SUITS + s.led]))
        top = s.trick[s.best_place]
        high = table.suit[row * 57 + top]
        higher = above(table, row, high, out & table.mask[row * SUITS + high], top)
        over = none_of(share, higher)
        holds = not_beaten(s, behind & foes, s.led, high, over, no_trump, out_of)
        helpless = not_beaten(s, behind & mates, s.led, high, over, no_trump, out_of)
        work[inputs.RUFF_BEHIND] = (lacking(s, behind & foes & armed) >> 8 * s.led & 255) / 3.0
        work[inputs.MATE_RUFFS] = lacking(s, behind & mates & armed) >> 8 * s.led & 255
    work[inputs.HOLDS] = holds / 256.0
    work[inputs.MATE_TAKES] = 1.0 - helpless / 256.0

    encode_score(table, s, m.seat, us, whole, work)
    work[inputs.SIDE] = count(us) / places
    work[inputs.UNKNOWN] = table.called == 1 and not s.sides_known
    work[inputs.LOCKED] = table.trump_when_broken == 1 and not s.broken
    work[inputs.TRUMPS] = count(own_trumps) / left
    work[inputs.TRUMPS_OUT] = count(out_trumps) / closed
    voids = 0
    for suit in range(SUITS):
        same = table.mask[row * SUITS + suit]
        if same and not m.hand & same:
            voids += 1
    work[inputs.BEST_TRUMP] = hold_best(table, row, TRUMP, own_trumps, out_trumps)
    work[inputs.ARMED_FOES] = armed & foes != 0
    work[inputs.ARMED_BEHIND] = count(armed & foes & behind) / 3.0
    work[inputs.VOIDS] = voids / 4.0
    work[inputs.COUNTERS] = points_of(table, m.hand) / (unit * left)
    work[inputs.COUNTERS_OUT] = points_of(table, out) / whole

    mates_void = lacking(s, mates & armed)
    foes_void = lacking(s, foes & armed)
    winners = m.hand
    if not leading:
        winners = beating(table, s, winners & (trump | table.mask[row * SUITS + s.led]))
        if table.black_2_beats_rook and s.trick_cards >> ROOK & 1:
            winners |= 1 << BLACK_2
    # Of the suits met: for each its first card's place, the chance to have none of it, and whether
    # its best card is here.
    met = 0
    firsts = 0
    none_out = 0
    best_here = 0
    partner_cards = 0
    for i in range(s.called_count):
        partner_cards |= 1 << s.called[i]
    for i in range(search.count):
        card = search.action[i]
        bit = 1 << card
        suit = table.suit[row * 57 + card]
        same = table.mask[row * SUITS + suit]
        own = m.hand & same
        loose = out & same
        value = table.value[card]
        at = OF_TABLE + i * OF_CARD
        if met >> suit & 1:
            first = OF_TABLE + (firsts >> 8 * suit & 255) * OF_CARD
            for name in inputs.OF_SUIT:
                work[at + name] = work[first + name]
        else:
            met |= 1 << suit
            firsts |= i << 8 * suit
            best_here |= hold_best(table, row, suit, own, loose) << suit
            if leading and suit != TRUMP and out_trumps:
                none_out |= none_of(share, count(loose)) << 9 * suit
            work[at + inputs.LENGTH] = count(own) / left
            work[at + inputs.OUT] = count(loose) / closed
            work[at + inputs.MATES_VOID] = (mates_void >> 8 * suit & 255) / 2.0
            work[at + inputs.FOES_VOID] = (foes_void >> 8 * suit & 255) / 2.0
            work[at + inputs.SUIT_OUT] = points_of(table, loose) / unit
            work[at + inputs.SUIT_OWN] = points_of(table, own) / unit
            work[at + inputs.SUIT_GONE] = 1.0 - count(own | loose) / max(1, count(same))
        wins = winners >> card & 1 == 1
        higher = above(table, row, suit, loose, card)
        higher_own = above(table, row, suit, own & ~bit, card)
        card_holds = holds
        card_helpless = helpless
        if wins and behind:
            led = suit if leading else s.led
            out_of_led = none_out >> 9 * suit & 511 if leading else out_of
            over = none_of(share, higher)
            card_holds = not_beaten(s, behind & foes, led, suit, over, no_trump, out_of_led)
            card_helpless = not_beaten(s, behind & mates, led, suit, over, no_trump, out_of_led)
        work[at + inputs.IS_TRUMP] = suit == TRUMP
        work[at + inputs.FOLLOWS] = not leading and suit == s.led
        work[at + inputs.WINS] = wins and not leading
        work[at + inputs.VALUE] = value / (2.0 * unit)
        work[at + inputs.COUNTER] = value > 0
        work[at + inputs.BOSS] = higher == 0
        work[at + inputs.NEAR_BOSS] = 1.0 / (1 + higher)
        work[at + inputs.ABOVE] = higher / 6.0
        work[at + inputs.BELOW] = (count(loose) - higher) / 6.0
        work[at + inputs.ONLY] = own == bit
        ours_after = wins or held
        work[at + inputs.CARD_HOLDS] = card_holds / 256.0 if ours_after else -card_holds / 256.0
        work[at + inputs.CARD_MATE_TAKES] = 1.0 - card_helpless / 256.0
        work[at + inputs.STAKE] = (heap + value) / (4.0 * unit)
        work[at + inputs.SCRIPT] = i == script
        work[at + inputs.LOW_END] = higher_own == count(own) - 1
        work[at + inputs.HIGH_END] = higher_own == 0
        work[at + inputs.BEHIND_BOSS] = higher_own > 0 and best_here >> suit & 1 == 1
        work[at + inputs.STRENGTH] = (table.strength[row * 57 + card] & 127) / 64.0
        work[at + inputs.IS_ROOK] = card == ROOK
        work[at + inputs.PARTNER_CARD] = partner_cards >> card & 1
