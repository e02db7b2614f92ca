"""The names of the network's inputs, in their order."""

from __future__ import annotations

from typing import Final

TABLE_INPUTS: Final = (
    # This moment. "Ours" is what the seat knows of its side, a foe is everybody else.
    "part_left",  # tricks left, of all
    "last_ones",  # 1 / tricks left
    "leading",
    "place",  # cards in the trick, of those that make one
    "foes_behind",  # foes yet to play to this trick, thirds
    "mates_behind",
    "held",  # the trick is ours as it lies
    "heap",  # points on the table, in four mean tricks
    "holds",  # chance that no foe behind beats the card that is winning
    "mate_takes",  # chance that a mate behind can beat it
    "trump_led",
    "ruff_behind",  # foes behind known to be out of the led suit, and not of trumps; thirds
    "mate_ruffs",  # the same of mates
    # The hand so far; points are parts of all.
    "declaring",
    "declarer",  # the seat itself
    "contract",
    "need",  # what the declarer's side lacks of it, as far as is open
    "room",  # what is still to be won
    "safe",  # the contract is made
    "gone",  # it cannot be made any more
    "ours",
    "theirs",
    "tricks_ours",
    "tricks_theirs",
    # The cards.
    "trumps",  # own trumps, of the tricks left
    "trumps_out",  # of the unseen cards
    "best_trump",  # it is ours
    "armed_foes",  # a foe may hold a trump
    "armed_behind",  # such foes behind, thirds
    "voids",  # suits that the hand lacks, quarters
    "counters",  # points in hand, in mean tricks a trick left
    "counters_out",  # unseen points, of all
    # The rules.
    "seats",  # eighths
    "side",  # places on our side, of all
    "nest",  # its size, of a hand
    "nest_last",  # it goes with the last trick
    "nest_declarer",
    "bonus",  # points of bonuses, of all
    "bonus_trick",
    "bonus_majority",
    "bonus_last",
    "called",  # partners are called
    "unknown",  # and not all known
    "double_set",
    "defenders_score",
    "sweep",  # a sweep counts, and is still possible for us
    "duty",  # who cannot follow must trump
    "no_trump",
    "falling",  # small cards beat large ones
    "dummy",  # an open dummy or a blind hand
    "locked",  # trumps may not be led yet
)
CARD_INPUTS: Final = (
    "trump",
    "follows",
    "wins",  # beats what lies
    "value",  # in two mean tricks
    "counter",
    "boss",  # no unseen card of its suit is higher
    "near_boss",  # 1 / (1 + unseen higher ones)
    "above",  # unseen higher ones, sixths
    "below",  # unseen lower ones, sixths
    "length",  # own cards of its suit, of the tricks left
    "only",  # the only one of its suit
    "out",  # unseen cards of its suit, of all unseen
    "holds",  # chance that no foe behind beats what wins then; negative where that is a foe's
    "mate_takes",  # chance that a mate behind can
    "stake",  # points in the trick with it, in four mean tricks
    "script",  # what `club` would play
    "mates_void",  # mates known to be out of its suit, and not of trumps; halves
    "foes_void",  # the same of foes
    "low_end",  # the lowest of its suit in hand
    "high_end",
    "suit_out",  # unseen points of its suit, in mean tricks
    "suit_own",  # the same in hand
    "gone",  # part of its suit that is played
    "behind_boss",  # a higher card in hand is the suit's best
    "strength",  # in its suit, of 64
    "rook",
    "partner_card",  # it was called for a partner
)
(
    PART_LEFT, LAST_ONES, LEADING, PLACE, FOES_BEHIND, MATES_BEHIND, HELD, HEAP, HOLDS, MATE_TAKES,
    TRUMP_LED, RUFF_BEHIND, MATE_RUFFS, DECLARING, DECLARER, CONTRACT, NEED, ROOM, SAFE, GONE, OURS,
    THEIRS, TRICKS_OURS, TRICKS_THEIRS, TRUMPS, TRUMPS_OUT, BEST_TRUMP, ARMED_FOES, ARMED_BEHIND,
    VOIDS, COUNTERS, COUNTERS_OUT, SEATS, SIDE, NEST, NEST_LAST, NEST_DECLARER, BONUS, BONUS_TRICK,
    BONUS_MAJORITY, BONUS_LAST, CALLED, UNKNOWN, DOUBLE_SET, DEFENDERS_SCORE, SWEEP, DUTY, NO_TRUMP,
    FALLING, DUMMY, LOCKED,
) = range(len(TABLE_INPUTS))  # fmt: skip
(
    IS_TRUMP, FOLLOWS, WINS, VALUE, COUNTER, BOSS, NEAR_BOSS, ABOVE, BELOW, LENGTH, ONLY, OUT,
    CARD_HOLDS, CARD_MATE_TAKES, STAKE, SCRIPT, MATES_VOID, FOES_VOID, LOW_END, HIGH_END, SUIT_OUT,
    SUIT_OWN, SUIT_GONE, BEHIND_BOSS, STRENGTH, IS_ROOK, PARTNER_CARD,
) = range(len(CARD_INPUTS))  # fmt: skip
# Those of a card that all cards of its suit in a hand share.
OF_SUIT: Final = (LENGTH, OUT, MATES_VOID, FOES_VOID, SUIT_OUT, SUIT_OWN, SUIT_GONE)
