"""Hints, and why an action is good, in a sentence that follows from what its seat may know.

Every sentence is checked against the position, so that it holds in all hands that the seat thinks
possible. What does not follow from the cards in known is called a result of the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rookery.cards import ROOK, Card, CardSet, colour_of, pack_cards, unpack
from rookery.engine.actions import BID, PASS
from rookery.engine.card_sets import count, points_of
from rookery.engine.state import CALL, NEST
from rookery.game import Action, Hand, Verb
from rookery.game.action import call_number
from rookery.review.document import Alternative, Explanation, Reason
from rookery.review.inference import Inference, infer
from rookery.rules.order import BLACK_2, LONE, SUITS, TRUMP
from rookery.rules.table import ALL_PASS_DEALER, NEST_TO_DECLARER, NEST_TO_LAST_TRICK
from rookery.search.choice import Choice
from rookery.show.words import words

LENGTH: Final = 3  # cards that a suit has at least if it is called the longest
UNLIKELY: Final = 0.5  # a bid with a smaller chance is called unlikely

# The English sentence of every code, with {gaps}; other languages go by the code.
_WORDS: Final = words("reasons")
REASONS: Final = {
    key.removeprefix("reason."): text for key, text in _WORDS.items() if key.startswith("reason.")
}
# The reasons of actions that have always the same one.
_ALWAYS: Final = {
    Verb.REDEAL: "redeal-poor",
    Verb.CHALLENGE: "challenge",
    Verb.ROOK: "rook-rank",
    Verb.LEADER: "leader",
}


def reason(code: str, **about: str | int) -> Reason:
    """Return the reason or mistake with a code; `about` fills the gaps of its sentence.

    Points that cards are worth are counted in words, as `amount`; points of a bid are a number.

    >>> reason("missed-trick", points=20).text, reason("missed-trick", points=1).text
    ('A sure trick with 20 points was missed.', 'A sure trick with 1 point was missed.')
    """
    n = about.get("points")
    amount = _WORDS["amount.points.one" if n == 1 else "amount.points.other"].format(n=n)
    return Reason(code=code, text=REASONS[code].format(**about, amount=amount), about=about)


def why(hand: Hand, action: Action | str, choices: Sequence[Choice] = ()) -> Reason:
    """Return why the seat that acts might do `action`, a legal one.

    `choices`, as the search weighed them in this position, let a call say how likely it is.

    >>> from rookery.rules import load
    >>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    >>> why(hand, "1 pass").text
    'If nobody bids, the dealer has to play for the lowest bid.'
    """
    done = hand.parse(action)
    if done.verb in _ALWAYS:
        return reason(_ALWAYS[done.verb])
    return _BY_VERB[done.verb](infer(hand), done, choices)


def explain(hand: Hand, choices: Sequence[Choice], action: Action) -> Explanation:
    """Return what a searching bot would do for the seat to act, with the reason in words.

    Args:
        hand: the hand; its hidden cards are not looked at.
        choices: the result of `Searcher.weigh`, the best first. Those that were never tried are
            left out. So are all for a discard and a call of partner cards: they are chosen card
            by card, so the choices are no whole actions.
        action: what to do.

    >>> from rookery.engine.actions import BID, PASS
    >>> from rookery.rules import load
    >>> hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    >>> choices = [Choice(BID, 90, 4.25, 0.71), Choice(PASS, 90, -1.0, None)]
    >>> hint = explain(hand, choices, hand.action_of(BID))
    >>> hint.action, " ".join(hint.reason.text.split())
    ('bid 70', 'Your chance of making it is about 71 %.')
    """
    whole = hand.state.phase not in (NEST, CALL)
    return Explanation(
        action=action.words,
        making=choices[0].making,
        alternatives=[
            Alternative(
                action=hand.action_of(choice.action).words,
                margin=choice.margin,
                error=choice.behind_error or 0.0,
                making=choice.making,
            )
            for choice in choices
            if whole and choice.rollouts
        ],
        reason=why(hand, action, choices),
    )


def partner_has_bid(known: Inference) -> bool:
    """Return whether the seat or its partner has the highest bid."""
    bidder = known.state.bidder
    return bidder >= 0 and bool(known.table.partners[known.seat] >> bidder & 1)


def dealer_is_stuck(known: Inference) -> bool:
    """Return whether nobody has bid, and a dealer of the other side gets the lowest bid for it."""
    table, s = known.table, known.state
    foe = not table.called and not table.partners[known.seat] >> s.dealer & 1
    return s.bidder < 0 and table.all_pass == ALL_PASS_DEALER and foe


def percent(chance: float) -> int:
    """Return a chance in whole percent, from 1 to 99.

    >>> percent(0.347), percent(1.0)
    (35, 99)
    """
    return max(1, min(99, round(100 * chance)))


def bid_points(known: Inference, number: int) -> int:
    """Return the points of a bid with the engine's number."""
    return known.table.bid_minimum + (number - BID) * known.table.bid_step


def is_bid(choice: Choice) -> bool:
    """Return whether a choice of the auction is a bid in points."""
    return BID <= choice.action < BID + 128


def _bid(known: Inference, done: Action, choices: Sequence[Choice]) -> Reason:
    for choice in choices:
        if is_bid(choice) and bid_points(known, choice.action) == done.amount:
            if choice.making is not None and choice.making >= UNLIKELY:
                return reason("bid-chance", percent=percent(choice.making))
            passed = [other for other in choices if other.action == PASS]
            foe = known.state.bidder >= 0 and not partner_has_bid(known)
            if passed and foe and passed[0].margin < choice.margin:
                return reason("bid-rather", points=known.state.high)
    return reason("bid-worth")


def _pass(known: Inference, done: Action, choices: Sequence[Choice]) -> Reason:
    if partner_has_bid(known):
        return reason("pass-partner")
    bids = sorted((c for c in choices if is_bid(c)), key=lambda c: c.action)
    if bids and bids[0].making is not None and bids[0].making < UNLIKELY:
        points = bid_points(known, bids[0].action)
        return reason("pass-chance", points=points, percent=percent(bids[0].making))
    best = max((choice.margin for choice in bids), default=0.0)
    passed = [choice for choice in choices if choice.action == PASS]
    if bids and passed and known.state.bidder >= 0 and passed[0].margin > best:
        return reason("pass-let-them", points=known.state.high)
    if known.state.bidder >= 0:
        return reason("pass-enough")
    return reason("pass-dealer" if dealer_is_stuck(known) else "pass-open")


def _discard(known: Inference, done: Action, choices: Sequence[Choice]) -> Reason:
    discards = pack_cards(done.cards)
    points = points_of(known.table, discards)
    if points and known.table.nest_to == NEST_TO_DECLARER:
        return reason("discard-home", points=points)
    emptied = emptied_colour(known.cards, discards)
    if emptied >= 0:
        return reason("discard-void", suit=known.suit_name(emptied))
    if points and known.table.nest_to == NEST_TO_LAST_TRICK:
        return reason("discard-buried", points=points)
    return reason("discard-least" if points else "discard-plain")


def emptied_colour(cards: CardSet, discards: CardSet) -> int:
    """Return a colour of which all the cards of a hand are discards, -1 if there is none."""
    for colour in range(4):
        same = pack_cards(c for c in unpack(cards) if c < 56 and colour_of(c) == colour)
        if same and not same & ~discards:
            return colour
    return -1


def trumps_under(known: Inference, call: int) -> int:
    """Return how many of the cards in hand would be trumps after a call of a suit."""
    return count(known.cards & known.table.mask[call * SUITS + TRUMP])


def _trump(known: Inference, done: Action, choices: Sequence[Choice]) -> Reason:
    call = call_number(done)
    if call < 8:
        own = trumps_under(known, call)
        others = [trumps_under(known, call - call % 4 + i) for i in range(4) if i != call % 4]
        if own > max(others):
            return reason("trump-most", cards=own)
        if own == max(others):
            return reason("trump-longest")
    return reason("trump-best")


def _called(known: Inference, done: Action, choices: Sequence[Choice]) -> Reason:
    if known.state.row >= 0 and len(done.cards) == 1:
        card = done.cards[0]
        elsewhere = pack_cards(known.table.deck[: known.table.cards]) & ~known.cards & ~(1 << card)
        if not known.stronger(card, elsewhere):
            return reason("call-top", card=known.name(card))
    return reason("call-strongest")


def _give(known: Inference, done: Action, choices: Sequence[Choice]) -> Reason:
    return reason("only-choice" if count(known.choice) == 1 else "give-least")


def _play(known: Inference, done: Action, choices: Sequence[Choice]) -> Reason:
    card = done.card
    if not known.choice >> card & 1:
        return reason("revoke")
    if count(known.choice) == 1:
        return reason("only-choice")
    if known.state.led < 0:
        return _lead(known, card)
    if known.takes(card):
        return _win(known, card)
    return _follow(known, card)


def last_of_suit(known: Inference, card: Card) -> bool:
    """Return whether a card is the hand's last of a plain suit, and leaves trumps to ruff it with.

    With two cards left there is none: the other one has to be played to the last trick anyway.
    """
    suit = known.suit_of(card)
    plain = suit not in (TRUMP, LONE)
    alone = count(known.cards & known.suit(suit)) == 1 and count(known.cards) > 2
    return plain and alone and bool(known.cards & known.trumps)


def kept_winner(known: Inference, card: Card) -> Card | None:
    """Return a card that stays in hand and that nobody could beat if it were led."""
    for other in unpack(known.cards & ~(1 << card)):
        if known.state.led < 0 and known.choice >> other & 1 and known.sure(other):
            return other
    return None


def _lead(known: Inference, card: Card) -> Reason:
    suit = known.suit_of(card)
    word = known.suit_name(suit) if suit != LONE else ""
    trumps_out = known.with_others(known.trumps)
    if suit == TRUMP:
        if known.sure(card):
            return reason("lead-top-trump" if trumps_out else "lead-sure")
        return reason("lead-trumps" if trumps_out else "lead-best")
    if known.sure(card):
        if trumps_out or not known.trumps:
            return reason("lead-sure")
        return reason("lead-trumps-gone", card=known.name(card))
    if suit == LONE:
        return reason("lead-cheap" if not known.table.value[card] else "lead-best")
    if not known.stronger(card, known.with_others(known.suit(suit))):
        return reason("lead-top", suit=word)
    if known.may_ruff(suit, known.friends & known.others):
        return reason("lead-partner-trumps", suit=word)
    if last_of_suit(known, card):
        return reason("lead-last", suit=word)
    if not known.table.value[card]:
        kept = kept_winner(known, card)
        if kept is not None:
            return reason("lead-keeps", card=known.name(kept))
        return reason("lead-cheap")
    if longest_suit(known, suit):
        return reason("lead-length")
    return reason("lead-best")


def longest_suit(known: Inference, suit: int) -> bool:
    """Return whether no suit of the hand on turn is longer than `suit`, of three cards at least."""
    lengths = [count(known.cards & known.suit(other)) for other in range(TRUMP + 1)]
    return suit <= TRUMP and lengths[suit] == max(*lengths, LENGTH)


def _win(known: Inference, card: Card) -> Reason:
    table, s = known.table, known.state
    value = table.value[card]
    if not known.behind:
        points = points_of(table, s.trick_cards | 1 << card)
        return reason("win-last-points", points=points) if points else reason("win-last")
    if known.sure(card):
        if s.led not in (TRUMP, LONE) and not known.cards & known.suit(s.led):
            return reason("win-ruff", suit=known.suit_name(s.led))
        return reason("win-home", points=value) if value else reason("win-sure")
    ahead = [other for other in unpack(known.choice) if known.takes(other)]
    if len(ahead) > 1 and known.strength(card) == min(map(known.strength, ahead)):
        return reason("win-least")
    return reason("win-now")


def _follow(known: Inference, card: Card) -> Reason:
    table, s = known.table, known.state
    value = table.value[card]
    if known.friend_ahead and known.after(card).best_place == s.best_place:
        stays = not known.threats(card, -1)
        if not known.others >> s.best_place & 1:
            return reason("give-side" if value else "spare-side")
        if value:
            return reason("give-safe" if stays else "give-partner")
        return reason("spare-safe" if stays else "spare-partner")
    if value:
        if known.threats(card, known.friends & known.others):
            return reason("hope-partner")
        least = min(table.value[other] for other in unpack(known.choice))
        return reason("lose-least" if value == least else "play-best")
    if last_of_suit(known, card):
        return reason("throw-last", suit=known.suit_name(known.suit_of(card)))
    if any(known.takes(other) for other in unpack(known.choice)) or _rook_may_come(known):
        return reason("keep-counters")
    return reason("cannot-win")


def _rook_may_come(known: Inference) -> bool:
    """Return whether a black 2 of the hand may yet take the trick: by a Rook behind it."""
    meets = known.table.black_2_beats_rook and known.choice >> BLACK_2 & 1
    return bool(meets and known.with_others(1 << ROOK, known.behind))


_BY_VERB: Final = {
    Verb.BID: _bid,
    Verb.PASS: _pass,
    Verb.DISCARD: _discard,
    Verb.TRUMP: _trump,
    Verb.CALL: _called,
    Verb.GIVE: _give,
    Verb.PLAY: _play,
}
