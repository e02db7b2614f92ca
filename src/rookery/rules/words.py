"""The rules of a game in plain words, made from its options alone."""

from __future__ import annotations

from textwrap import fill
from typing import Final

from rookery.rules.model import Rules
from rookery.rules.words_call import nest, trump
from rookery.rules.words_deal import bidding, cards, deal, players
from rookery.rules.words_play import play
from rookery.rules.words_score import end, scoring

WIDTH: Final = 80
INDENT: Final = "  "


def sections(rules: Rules) -> dict[str, str]:
    """Return the rules as short texts under their titles, in the order of a hand.

    >>> from rookery.rules import load
    >>> sections(load("kd_tournament"))["Players"].partition(";")[0]
    'Four players in two partnerships'
    """
    told = {
        "Players": players,
        "Cards": cards,
        "Deal": deal,
        "Bidding": bidding,
        "Nest": nest,
        "Trump": trump,
        "Play": play,
        "Scoring": scoring,
        "End of the game": end,
    }
    texts = {title: " ".join(sentences(rules)) for title, sentences in told.items()}
    return {title: text for title, text in texts.items() if text}


def summary(rules: Rules) -> str:
    """Return the rules in plain words, a titled paragraph each, wrapped to 80 columns."""
    paragraphs = (
        f"{title}\n{fill(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)}"
        for title, text in sections(rules).items()
    )
    return "\n\n".join(paragraphs)
