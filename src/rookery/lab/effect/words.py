"""The report of an effect as text, in every language with a file of texts."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from math import isfinite
from pathlib import Path
from textwrap import fill
from typing import Final

from rookery.lab.effect.effect import BOTS, Compared, Effect
from rookery.lab.stats import Interval
from rookery.rules import HOUSE_RULES, Language, Texts, describe, quoted, texts

FOLDER: Final = Path(__file__).parent / "lang"
WIDTH: Final = 80
TOLD: Final = (
    *("made", "contract", "taken", "passed_out", "spread", "rook", "lead", "nest"),
    *("seat_1", "luck", "ahead"),
)
# Options of which `club` never makes use, or that it does not look at: see `docs/design/club.md`.
UNUSED: Final = ("redeal", "special_bids", "renege", "circus_passing")
UNSEEN: Final = ("nest_face_up", "nest_shown", "nest_statement")
MATCH: Final = (
    *("target", "tie", "several_over_target", "negative_end", "own_contract_to_go_out"),
    *("totals", "rotation"),
)


@cache
def effect_texts(lang: Language) -> Texts:
    """Return the texts about effects in a language.

    Raises:
        ValueError: there are no texts in this language.
    """
    texts(lang)
    with (FOLDER / f"effect.{lang}.toml").open("rb") as file:
        return Texts(tomllib.load(file))


class Words:
    """The texts of the report of an effect.

    Attributes:
        found: the effect.
        lang: the language.
    """

    def __init__(self, found: Effect, lang: Language = "en") -> None:
        self.found = found
        self.lang = lang
        self.texts = effect_texts(lang)
        self.names = dict(zip(("bot", "weak"), BOTS, strict=True))
        self.base = describe(found.base.rules, lang).name
        self.rules = describe(found.house.rules, lang).name

    def text(self) -> str:
        """Return everything, in paragraphs of 80 columns, without a line break at the end."""
        say = self.texts.text
        if not self.found.changes:
            return fill(say("changed.none", base=self.base), WIDTH)
        parts = [fill(self.head(), WIDTH)]
        parts.append(self._part("changed.title", self.changed()))
        parts.append(self._part("played.title", self.sentences()))
        parts.append(self._part("limits.title", self.limits()))
        if not self.found.same_play:
            parts.append(self._part("glossary.title", [say("glossary.worth", **self.names)]))
        return "\n\n".join(parts)

    def head(self) -> str:
        """Return which rules are compared with which."""
        house = self.found.house.rules.name
        named = house != HOUSE_RULES.format(name=self.found.base.rules.name)
        return self.texts.text(
            "head", "named" if named else "other", rules=self.rules, base=self.base
        )

    def changed(self) -> list[str]:
        """Return the options that were changed, a line each."""
        theirs = self.found.base.rules.options()
        return [
            self.texts.text("changed.now", option=key, house=quoted(own), base=quoted(theirs[key]))
            for key, own in self.found.changes.items()
        ]

    def sentences(self) -> list[str]:
        """Return what changes and what does not, the clearest changes first."""
        say = self.texts.text
        if self.found.same_hands:
            return [say("played.no_hand")]
        how = say(
            "played.how", boards=self.whole(self.found.boards), rooms=self._rooms(), **self.names
        )
        if self.found.same_play:
            return [how, say("played.same")]
        said = [self._sentence(one) for one in self.told() if self.stands_out(one)]
        said += list(self._come_and_gone())
        kept = [one for one in self.told() if not self.stands_out(one) and one.difference.known]
        if kept:
            items = ", ".join(self._kept(one) for one in kept)
            said.append(say("kept.head", list=items))
        return [how, *said]

    def told(self) -> list[Compared]:
        """Return the quantities that the text and the picture show."""
        found = {one.quantity.name: one for one in self.found.compared}
        shown_ = [found[name] for name in TOLD if name in found]
        return [
            one
            for one in shown_
            if one.quantity.name != "passed_out" or one.base.mean or one.house.mean
        ]

    def stands_out(self, one: Compared) -> bool:
        """Return whether a difference is more than chance, corrected for many comparisons."""
        return one.difference.known and one.difference.clear(self.found.wider)

    def limits(self) -> list[str]:
        """Return what was not and could not be measured."""
        say = self.texts.text
        said = []
        for kind, options in (("unused", UNUSED), ("unseen", UNSEEN), ("match", MATCH)):
            names = [name for name in self.found.changes if name in options]
            if names:
                said.append(say(f"limits.{kind}", option=", ".join(names)))
        if not self.found.same_hands:
            said.append(say("limits.bots"))
            if not self.found.same_deals:
                said.append(say("limits.deals"))
        return said

    def label(self, one: Compared) -> str:
        """Return a quantity's short name."""
        return self.texts.text(f"label.{one.quantity.name}", **self.names)

    def value(self, one: Compared, measured: Interval) -> str:
        """Return a figure with its unit, as exact as the interval of the change allows."""
        return self.texts.text(
            "unit", one.quantity.unit, n=self.number(measured.mean, self._places(one))
        )

    def number(self, value: float, places: int) -> str:
        """Return a number as this language writes it."""
        written = f"{value:.{places}f}".replace("-", "\u2212")
        if float(f"{value:.{places}f}") == 0:
            written = written.lstrip("\u2212")
        return written.replace(".", self.texts.text("decimal"))

    def whole(self, value: int) -> str:
        """Return a count with its thousands set apart."""
        return f"{value:,}".replace(",", self.texts.text("thousands"))

    def _rooms(self) -> int:
        seats = self.found.base.rules.seats
        return seats + 2 + seats // self.found.base.table.partners[0].bit_count()

    def _places(self, one: Compared) -> int:
        sure = one.difference.ci95
        if not isfinite(sure):
            sure = min(one.base.ci95, one.house.ci95, key=lambda ci: (not isfinite(ci), ci))
        return 0 if sure >= 0.95 else 1 if sure >= 0.05 or sure == 0 else 2

    def _sentence(self, one: Compared) -> str:
        return self.texts.text(
            f"said.{one.quantity.name}",
            "up" if one.difference.mean > 0 else "down",
            house=self.value(one, one.house),
            base=self.value(one, one.base),
            by=self.number(abs(one.difference.mean), self._places(one)),
            sure=self._sure(one, one.difference),
            **self.names,
        )

    def _sure(self, one: Compared, measured: Interval) -> str:
        return self.number(measured.ci95, self._places(one)) if isfinite(measured.ci95) else "?"

    def _kept(self, one: Compared) -> str:
        sure = self._sure(one, one.difference)
        house = self.value(one, one.house)
        return self.texts.text("kept.item", label=self.label(one), house=house, sure=sure)

    def _come_and_gone(self) -> Iterator[str]:
        for one in self.told():
            if isfinite(one.base.mean) and not isfinite(one.house.mean):
                base = self.value(one, one.base)
                yield self.texts.text("kept.gone", label=self.label(one), base=base)
            elif isfinite(one.house.mean) and not isfinite(one.base.mean):
                house, sure = self.value(one, one.house), self._sure(one, one.house)
                yield self.texts.text("kept.new", label=self.label(one), house=house, sure=sure)

    def _part(self, title: str, lines: list[str]) -> str:
        folded = (fill(line, WIDTH, initial_indent="  ", subsequent_indent="  ") for line in lines)
        return "\n".join([self.texts.text(title), *folded])
