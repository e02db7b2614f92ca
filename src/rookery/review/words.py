"""The words of reasons: a code for programs, a sentence for people. Translations go by the code."""

from __future__ import annotations

from typing import Final

from rookery.review.document import Reason

REASONS: Final = {
    "only-choice": "There is nothing else to do.",
    "redeal-poor": "You hold no counter at all.",
    "challenge": "Somebody did not follow suit.",
    "bid-worth": "Your hand should be worth that much.",
    "bid-chance": "You should make it about {percent} times in 100.",
    "bid-rather": "You expect more from it than from leaving it to them at {points}.",
    "pass-partner": "Your side has the bid already.",
    "pass-enough": "Your hand does not promise more than that.",
    "pass-chance": "You would make {points} only about {percent} times in 100.",
    "pass-let-them": "You expect more from letting them play {points}.",
    "discard-least": "These cards help you least in this hand.",
    "discard-plain": "It lays no points away.",
    "discard-void": "It leaves you no {suit}.",
    "discard-home": "Its {points} points count for your side in any case.",
    "trump-longest": "It is your longest suit.",
    "trump-most": "With it you hold {cards} trumps, more than with any other colour.",
    "trump-best": "It makes the most of your high cards.",
    "rook-rank": "That rank serves your hand best.",
    "call-strongest": "Whoever holds it should help you most.",
    "call-top": "Nothing outside your hand beats {card} in its suit.",
    "leader": "That lead suits your hand best.",
    "give-least": "It is the card that you miss least.",
    "lead-trumps-gone": "The others have no trump left; {card} is safe now.",
    "lead-sure": "No card that is still out can beat it.",
    "lead-top-trump": "No trump that is out beats it, and it asks for theirs.",
    "lead-partner-trumps": "Your partner has no {suit} left and may trump it.",
    "lead-top": "It is the best card still out in {suit}.",
    "lead-trumps": "It draws the others' trumps.",
    "lead-last": "It is the last {suit} of this hand; from then on it can trump that suit.",
    "lead-keeps": "It gives nothing away and keeps {card}, which nothing that is out can beat.",
    "lead-length": "It is the longest suit of this hand.",
    "lead-cheap": "It gives nothing away.",
    "lead-best": "It is the best you can lead.",
    "win-last-points": "It takes {points} points, and nobody plays after it.",
    "win-last": "It takes the trick, and nobody plays after you.",
    "win-home": "Nothing that is out can beat it, so its own {points} points come home.",
    "win-ruff": "There is no {suit} in this hand; a trump takes the trick for sure.",
    "win-sure": "It takes the trick, and nothing that is out can beat it.",
    "win-least": "Of the cards that go ahead in the trick it is the weakest.",
    "win-now": "It goes ahead in the trick.",
    "give-safe": "Your partner is ahead and nobody behind can beat it: give the counters.",
    "give-partner": "Your partner is ahead; give the trick your counters.",
    "give-side": "Your own card is ahead; give the trick your counters.",
    "spare-safe": "Your partner is ahead and nobody behind can beat it; keep your good cards.",
    "spare-partner": "Your partner is ahead; keep your good cards.",
    "spare-side": "Your own card is ahead; keep your good cards.",
    "hope-partner": "Your partner plays after you and may still take it.",
    "throw-last": "It is the last {suit} of this hand; from now on it can trump that suit.",
    "cannot-win": "Nothing you may play takes this trick, and it costs no points.",
    "keep-counters": "You need not spend anything on this trick.",
    "lose-least": "It is the least you can lose here.",
    "revoke": "It does not follow suit, though it could.",
    "play-best": "It does best in the hands that are still possible.",
}

MISTAKES: Final = {
    "worse": "Something else does better in the hands that are still possible.",
    "bid-too-much": "It would be made about {percent} times in 100: a bid too many.",
    "bid-let-them": "Letting them play {points} was worth more.",
    "bid-over-partner": "Your side had the bid already.",
    "bid-too-high": "A lower bid would have done.",
    "bid-too-low": "The hand was worth a higher bid.",
    "pass-too-soon": "A bid of {points} would be made about {percent} times in 100.",
    "pass-too-meek": "A bid was worth more than a pass.",
    "discard-points": "It laid {points} points away, which the last trick takes.",
    "discard-lost": "It laid {points} points away, and they count for nobody.",
    "discard-timid": "Counters that are laid away count for your side; it laid fewer.",
    "discard-trump": "It laid a trump away.",
    "discard-no-void": "It could have left you no {suit}.",
    "trump-shorter": "You would have had {cards} trumps in {suit}, more than in this.",
    "trumps-out": "The others may still hold trumps; those could be drawn first.",
    "they-trump": "Somebody behind has no {suit} left and may trump it.",
    "missed-lead": "{card} could not be beaten; it could be led.",
    "trump-led": "Trumps were better kept for later.",
    "beatable": "{card} could still be beaten.",
    "fed": "It gave {points} points to a trick that somebody else was winning.",
    "missed-trick": "A trick with {points} points could be taken for sure.",
    "missed-win": "The trick could be taken for sure.",
    "missed-give": "Your side had the trick for sure; more counters were welcome.",
    "missed-hope": "Your partner could still take it; more counters were welcome.",
    "missed-ahead": "{card} would have gone ahead in the trick.",
    "leave-trick": "It was better to leave this trick.",
    "took-partner": "Your side was winning it already.",
    "too-strong": "A weaker card would have taken it just as surely.",
    "too-good": "A weaker card of that suit would have done here.",
    "too-weak": "A stronger card of that suit was called for.",
    "thrown": "Nothing that is out beats {card}; it was thrown away here.",
    "wasted-trump": "It spent a trump where none was needed.",
}


def said(code: str, **about: str | int) -> Reason:
    """Return the reason or mistake called `code`, `about` put into its sentence.

    >>> said("missed-trick", points=20).text
    'A trick with 20 points could be taken for sure.'
    """
    template = REASONS[code] if code in REASONS else MISTAKES[code]
    return Reason(code=code, text=template.format(**about), about=about)
