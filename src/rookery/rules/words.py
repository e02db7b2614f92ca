"""The rules of a game in plain words, made from its options alone."""

from __future__ import annotations

from textwrap import fill
from typing import Final

from rookery.rules.model import Rules
from rookery.rules.terms import Terms
from rookery.rules.tongue import Language
from rookery.rules.words_call import nest, trump
from rookery.rules.words_deal import bidding, cards, deal, players
from rookery.rules.words_play import play
from rookery.rules.words_score import end, scoring

WIDTH: Final = 80
INDENT: Final = "  "
TOLD: Final = {
    "players": players,
    "cards": cards,
    "deal": deal,
    "bidding": bidding,
    "nest": nest,
    "trump": trump,
    "play": play,
    "scoring": scoring,
    "end": end,
}


def sections(rules: Rules, lang: Language = "en") -> dict[str, str]:
    """Return the rules as short texts under their titles, in the order of a hand.

    >>> from rookery.rules import load
    >>> sections(load("kd_tournament"))["Players"].partition(";")[0]
    'Four players in two partnerships'
    >>> sections(load("kd_tournament"), "es")["Jugadores"].partition(";")[0]
    'Cuatro jugadores en dos parejas'
    """
    terms = Terms(rules.pack, lang)
    texts = {key: " ".join(sentences(rules, terms)) for key, sentences in TOLD.items()}
    return {terms.say(f"title.{key}"): text for key, text in texts.items() if text}


def summary(rules: Rules, lang: Language = "en") -> str:
    """Return the rules in plain words, a titled paragraph each, wrapped to 80 columns."""
    paragraphs = (
        f"{title}\n{fill(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)}"
        for title, text in sections(rules, lang).items()
    )
    return "\n\n".join(paragraphs)
