"""A table as a text and as pixels, with all cards open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from rookery.cards import ROOK, Card, Pack, by_suit, card_name, colour_of
from rookery.engine.records import Attributes
from rookery.engine.state import PHASES
from rookery.game.action import call_words

if TYPE_CHECKING:
    from rookery.envs.tables import Tables

_PAPER, _INK = "#fffdf7", "#1c1b1f"
_RED, _GREEN, _YELLOW = "#b3261e", "#1b6e3c", "#7a5900"
_SUITS: Final[dict[Pack, tuple[str, ...]]] = {  # in the order of `SUIT_WORDS`
    "rook": (_RED, _GREEN, _YELLOW, _INK),
    "standard": (_INK, _RED, _RED, _INK),
}
_WIDE, _HIGH, _COLUMNS = 7, 18, 110  # pixels of a letter and of a line, and letters of a line


def _lines(tables: Tables, table: int) -> list[tuple[str, list[Card]]]:
    """Return the lines of a table: words, and the cards behind them."""
    rules = tables.rules
    s, h = Attributes(tables.states[table]), Attributes(tables.hiddens[table])
    seat, declarer = tables.seats[table], s.declarer
    due = f"seat {seat} to act" if seat >= 0 else "over"
    lines: list[tuple[str, list[Card]]] = [
        (f"{rules.name}. Dealer: seat {s.dealer}. {PHASES[s.phase]}, {due}", [])
    ]
    amount = "sun" if s.sun else s.high
    if declarer >= 0:
        call = f", {call_words(rules.pack)[s.call]}" if s.call >= 0 else ""
        lines.append((f"Seat {declarer} plays for {amount}{call}", []))
    elif s.bidder >= 0:
        lines.append((f"Seat {s.bidder} bids {amount}", []))
    for place in range(rules.hands):
        held = by_suit(int(h.hand[place]))
        lines.append((f"{place}  won {s.won[place]:2}  ", held))
    lines += [("nest      ", by_suit(int(h.nest))), ("trick     ", by_suit(int(s.trick_cards)))]
    if tables.ended[table]:
        lines.append((f"Score: {' '.join(map(str, s.score[: rules.seats]))}", []))
    return lines


def written(tables: Tables, table: int = 0) -> str:
    """Return a table as a text of several lines."""
    pack = tables.rules.pack
    return "\n".join(
        words + " ".join(card_name(card, pack) for card in cards)
        for words, cards in _lines(tables, table)
    )


def drawn(tables: Tables, table: int = 0) -> npt.NDArray[np.uint8]:
    """Return a table as pixels, shape (height, width, 3); the width never changes, needs Pillow."""
    from PIL import Image, ImageDraw

    lines, pack = _lines(tables, table), tables.rules.pack
    image = Image.new("RGB", (_WIDE * _COLUMNS, _HIGH * (tables.rules.hands + 6)), _PAPER)
    canvas = ImageDraw.Draw(image)
    for row, (words, cards) in enumerate(lines):
        canvas.text((_WIDE, row * _HIGH + 4), words, fill=_INK)
        for i, card in enumerate(cards):
            fill = _INK if card == ROOK else _SUITS[pack][colour_of(card)]
            at = (_WIDE * (12 + 4 * i), row * _HIGH + 4)
            canvas.text(at, card_name(card, pack), fill=fill)
    return np.asarray(image)
