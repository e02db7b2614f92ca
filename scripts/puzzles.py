"""Chooses the puzzles that ship, out of files that `rookery puzzles make` wrote.

``python -m scripts.puzzles MADE [MADE ...]`` spreads them over deals, rules, themes and ratings.
Few of them are dull or alike, and none gives another one away as long as there are others. Their
themes are those of today: of the file that ships, the same puzzles are written with a new theme.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from rookery.files import write_file
from rookery.puzzles.document import reason_of
from rookery.puzzles.puzzle import Puzzle, line_of, named
from rookery.puzzles.shelf import SHIPPED, read
from rookery.puzzles.themes import themes_of

MOST: Final = 1000
PASSES: Final = 0.1  # of the puzzles, at most, have a pass for their answer
EASY: Final = 75  # percent of the tries in which a bot finds what is easy for it
CASUAL, EXPERT = 2, 5  # the numbers of two bots among those that tried
# The reasons of routine cards: for the right one, and for every wrong one.
ROUTINE: Final = (
    ("cannot-win", {"fed"}),
    ("give-safe", {"missed-give", "took-partner"}),
    ("win-last-points", {"missed-trick"}),
)


class Selection(NamedTuple):
    """Puzzles that were chosen, the easiest first.

    Attributes:
        puzzles: all of them.
        told: how many of these another one gives away, for want of others.
    """

    puzzles: list[Puzzle]
    told: int


def select(puzzles: Iterable[Puzzle], most: int) -> Selection:
    """Return at most so many puzzles, spread over deals, rules, themes and ratings.

    The rule sets take turns. Each takes a puzzle of a deal that has given fewest, one that is not
    dull, of the theme that it has least of, then of the one that all have least of, then of the
    hundred of rating points with the fewest. What a question gives away is taken when nothing else
    is left.
    """
    left: dict[str, list[Puzzle]] = {}
    for one in puzzles:
        left.setdefault(one.rules_name, []).append(one)
    dull = {one.id: dullness(one) for own in left.values() for one in own}
    deals: dict[tuple[str, str], list[Puzzle]] = {}
    own: Counter[tuple[str, str]] = Counter()
    themes: Counter[str] = Counter()
    ratings: Counter[int] = Counter()
    taken: list[Puzzle] = []
    told: set[str] = set()
    left = _with_few_passes(left, int(PASSES * most), dull)

    def need(one: Puzzle) -> tuple[bool, int, int, int, int, int, str]:
        beside = deals.get((one.rules_name, one.deal), [])
        return (
            any(gives_away(one, other) or gives_away(other, one) for other in beside),
            len(beside),
            dull[one.id],
            min(own[one.rules_name, theme] for theme in one.themes),
            min(themes[theme] for theme in one.themes),
            ratings[_hundred(one)],
            one.id,
        )

    while len(taken) < most and any(left.values()):
        best = {name: min(some, key=need) for name, some in left.items() if some}
        good = {name: one for name, one in best.items() if not need(one)[0]}
        for name, one in sorted((good or best).items()):
            if len(taken) == most:
                break
            left[name].remove(one)
            if name not in good:
                told.add(one.id)
            taken.append(one)
            deals.setdefault((name, one.deal), []).append(one)
            ratings[_hundred(one)] += 1
            for theme in one.themes:
                themes[theme] += 1
                own[name, theme] += 1
    taken.sort(key=lambda one: (round(one.rating.value), one.id))
    return Selection(taken, len(told))


def gives_away(question: Puzzle, other: Puzzle) -> bool:
    """Return whether what a puzzle shows before its answer has the other one's answer in it.

    It shows what was called and played before; what was discarded, to whoever discarded it.
    """
    if (question.rules_written, question.deal) != (other.rules_written, other.deal):
        return False
    before, after = [*other.calls], [*question.calls]
    if other.part == "play":
        pack = other.rules.pack
        before += named(other.plays, pack)
        after += named(question.plays, pack)
    if after[: len(before)] != before or len(after) == len(before):
        return False
    if other.part == "nest" and question.seat != other.seat:
        return False
    done = after[len(before)]
    return done in (words.removeprefix("play ") for words in other.right.actions)


def dullness(one: Puzzle) -> int:
    """Return how dull a puzzle is: 0 if `casual` misses it and `expert` finds it, up to 3.

    It is dull if every bot finds it, with two choices, or for a reason that recurs all the time.
    """
    if one.found[CASUAL] < EASY <= one.found[EXPERT] and not is_routine(one):
        return 0
    easy = min(one.found[1:]) >= EASY
    return 1 + easy + (is_routine(one) or (easy and len(one.choices) == 2))


def is_routine(one: Puzzle) -> bool:
    """Return whether a card is of the kinds that recur all the time.

    No counters for their trick, counters for a sure one of the own side, and taking points last.
    """
    if one.part != "play":
        return False
    right, *wrong = (reason_of(one, choice).code for choice in one.choices)
    return any(right == code and set(wrong) <= codes for code, codes in ROUTINE)


def _with_few_passes(
    left: dict[str, list[Puzzle]], most: int, dull: dict[str, int]
) -> dict[str, list[Puzzle]]:
    """Return all but passes, with so many of these for the rule sets that have least else."""
    kept = {name: [one for one in own if not _is_pass(one)] for name, own in left.items()}
    passes = {
        name: sorted(filter(_is_pass, own), key=lambda one: (-dull[one.id], one.id))
        for name, own in left.items()
    }
    for _ in range(most):
        names = [name for name in kept if passes[name]]
        if not names:
            break
        name = min(names, key=lambda name: (len(kept[name]), name))
        kept[name].append(passes[name].pop())
    return kept


def _is_pass(one: Puzzle) -> bool:
    return one.right.actions[0] == "pass"


def _hundred(one: Puzzle) -> int:
    return round(one.rating.value) // 100


def with_themes_of_today(puzzles: Iterable[Puzzle]) -> Iterator[Puzzle]:
    """Yield puzzles with the themes that they are about by now, but for those that have none."""
    for one in puzzles:
        if themes := themes_of(one.hand, one.choices):
            yield replace(one, themes=themes)


def main() -> None:
    """Write the file that ships, and say how many puzzles it has."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("made", nargs="+", type=Path)
    parser.add_argument("--most", type=int, default=MOST)
    parser.add_argument("--without", nargs="*", default=(), help="ids that somebody found wrong")
    given = parser.parse_args()
    made = {one.id: one for path in given.made for one in with_themes_of_today(read(path))}
    for identity in given.without:
        del made[identity]
    chosen, told = select(made.values(), given.most)
    write_file(SHIPPED, "".join(f"{line_of(one)}\n" for one in chosen).encode())
    size = SHIPPED.stat().st_size
    print(f"{SHIPPED}: {len(chosen)} of {len(made)} puzzles, {size:,} bytes")
    print(f"{told} of them are given away by another")


if __name__ == "__main__":
    main()
