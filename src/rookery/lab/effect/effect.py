"""The effect of house rules: they and their base are played by the same bots on the same deals.

The report as text is there in every language with a file of texts.
"""

from __future__ import annotations

import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import isfinite
from pathlib import Path
from textwrap import fill
from typing import Final

import numpy as np
from pydantic import BaseModel, Field

from rookery.bots.dispatch import kind_of
from rookery.engine.targets import Target
from rookery.lab.run.jobs import Executor, Progress, run_jobs
from rookery.lab.stats import Interval, student
from rookery.lab.studies.changes import hand_table
from rookery.lab.studies.questions.quantities import QUANTITIES, Quantity
from rookery.lab.studies.questions.rule_sets import RuleSet, RuleSets
from rookery.rules import HOUSE_RULES, Language, Rules, Texts, describe, quoted, texts

BOARDS: Final = 10_000
BOTS: Final = ("club", "papa")  # who plays, and the weaker one against whom skill shows


@dataclass(frozen=True)
class Compared:
    """One quantity under the base and under the house rules."""

    quantity: Quantity
    base: Interval
    house: Interval
    difference: Interval


@dataclass(frozen=True)
class Effect:
    """House rules and their base, measured on the same boards."""

    base: RuleSet
    house: RuleSet
    boards: int
    seed: int
    seconds: float

    @property
    def changes(self) -> dict[str, object]:
        """Return the options that differ, with the house rules' values."""
        return self.house.rules.changes(self.base.rules)

    @property
    def same_deals(self) -> bool:
        """Return whether both dealt the same cards to the same seats."""
        auto = [one.rules.redeal == "auto" for one in (self.base, self.house)]
        alike = ["deck", "cards", "seats", "hand_size", "blind"]
        if all(auto):
            alike.append("counters")  # a deal without any is dealt again
        return auto[0] == auto[1] and all(
            getattr(self.base.table, name) == getattr(self.house.table, name) for name in alike
        )

    @property
    def same_hands(self) -> bool:
        """Return whether no hand can differ, because the changes have no effect on a hand."""
        return hand_table(self.base.rules) == hand_table(self.house.rules)

    @property
    def same_play(self) -> bool:
        """Return whether every hand came out the same."""
        return self.house.blocks.same(self.base.blocks)

    @property
    def compared(self) -> list[Compared]:
        """Return every quantity that either rule set has."""
        both = (
            Compared(
                quantity,
                self.base.figure(quantity),
                self.house.figure(quantity),
                self.house.beyond(self.base, quantity),
            )
            for quantity in QUANTITIES.values()
        )
        return [one for one in both if np.isfinite([one.base.mean, one.house.mean]).any()]

    @property
    def wider(self) -> float:
        """Return the factor by which Bonferroni's correction widens an interval.

        With it, one set of comparisons in twenty has a false claim. Without it, one comparison in
        twenty is false.
        """
        blocks = len(self.house.blocks.rows)
        together = sum(one.difference.known for one in self.compared)
        return student(blocks, 0.05 / max(1, together)) / student(blocks)


def effect(
    rules: Rules,
    base: Rules,
    *,
    boards: int = BOARDS,
    seed: int = 1,
    target: Target = "numba",
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Effect:
    """Play `rules` and `base` on the same boards and return how they differ.

    Nothing is played where they are the same. There are 2 `boards` or more. `executor` and
    `progress` are those of `rookery.lab.run.jobs.run_jobs`.
    """
    began = time.perf_counter()
    strong, weak = (kind_of(bot) for bot in BOTS)
    job = RuleSets("effect", (base, rules), boards, (strong, weak), seed, target=target)
    if hand_table(rules) == hand_table(base):
        job = replace(job, rules=(base,))
    if rules.changes(base):
        sums = run_jobs([job], executor, progress=progress)[job.name]
    else:
        sums = job.nothing()
    before, after = job.measured(sums)[0], job.measured(sums)[-1]
    if len(job.rules) == 1:
        after = replace(after, rules=rules)
    return Effect(before, after, boards, seed, time.perf_counter() - began)


class Figure(BaseModel, frozen=True):
    """One quantity under both rule sets; null where a rule set has no such thing."""

    name: str
    unit: str = Field(description="%, points, or sd: standard deviations of a hand's margin.")
    meaning: str
    base: float | None
    base_ci95: float | None = Field(description="Half the width of the 95 % interval.")
    house: float | None
    house_ci95: float | None
    difference: float | None = Field(description="House less base, over the same deals.")
    difference_ci95: float | None
    clear: bool = Field(
        description="Whether the difference stands out, all quantities being looked at together."
    )


class EffectDocument(BaseModel, frozen=True):
    """What `rookery rules effect --json` prints."""

    rules: str = Field(description="The name of the house rules.")
    base: str = Field(description="The id of the variant that they are compared with.")
    changes: dict[str, object] = Field(description="The options that differ, as the house has it.")
    boards: int = Field(description="Deals, each played several times under either rule set.")
    seed: int
    bots: tuple[str, str] = Field(description="Who played, and the weaker bot that shows skill.")
    same_deals: bool = Field(description="Whether both dealt the same cards to the same seats.")
    same_play: bool = Field(description="Whether not one hand came out differently.")
    figures: list[Figure]
    seconds: float


def document(effect: Effect) -> EffectDocument:
    """Return an effect as the document that the command prints."""
    wider = effect.wider
    return EffectDocument(
        rules=effect.house.rules.name,
        base=effect.base.rules.id or effect.base.rules.name,
        changes=effect.changes,
        boards=effect.boards,
        seed=effect.seed,
        bots=BOTS,
        same_deals=effect.same_deals,
        same_play=effect.same_play,
        figures=[
            Figure(
                name=one.quantity.name,
                unit=one.quantity.unit,
                meaning=one.quantity.meaning,
                **dict(zip(("base", "base_ci95"), _plain(one.base), strict=True)),
                **dict(zip(("house", "house_ci95"), _plain(one.house), strict=True)),
                **dict(zip(("difference", "difference_ci95"), _plain(one.difference), strict=True)),
                clear=one.difference.clear(wider),
            )
            for one in effect.compared
        ],
        seconds=round(effect.seconds, 3),
    )


def _plain(measured: Interval) -> list[float | None]:
    return [round(number, 4) if isfinite(number) else None for number in measured]


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
    """The texts of the report of an effect, in one language."""

    def __init__(self, found: Effect, lang: Language = "en") -> None:
        self.found = found
        self.texts = effect_texts(lang)
        self.names = dict(zip(("bot", "weak"), BOTS, strict=True))
        self.base = describe(found.base.rules, lang).name
        self.rules = describe(found.house.rules, lang).name

    def text(self) -> str:
        """Return everything, in paragraphs of 80 columns, without a line break at the end."""
        say = self.texts.text
        if not self.found.changes:
            return fill(say("changed.none", base=self.base), WIDTH)
        parts = [
            fill(self.head(), WIDTH),
            self._part("changed.title", self.changed()),
            self._part("played.title", self.sentences()),
            self._part("limits.title", self.limits()),
        ]
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
            "played.how", boards=self.whole(self.found.boards), times=self._times(), **self.names
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
        passed_out = found.get("passed_out")
        if passed_out and not (passed_out.base.mean or passed_out.house.mean):
            del found["passed_out"]
        return [found[name] for name in TOLD if name in found]

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

    def _times(self) -> str:
        """Return how often each deal was played."""
        tables = (self.found.base.table, self.found.house.table)
        rooms, house = (
            table.seats
            + 1
            + (table.nest_size > 0)  # once more with the nest left
            + table.seats // table.partners[0].bit_count()
            for table in tables
        )
        which = "times" if rooms == house else "times_two"
        return self.texts.text(f"played.{which}", rooms=rooms, house=house)

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
