"""Which of many puzzles ship: no deal twice if others are left, none that another gives away."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from scripts.puzzles import (
    PASSES,
    dullness,
    gives_away,
    is_routine,
    select,
    with_themes_of_today,
)

from rookery.puzzles.puzzle import THEMES, Puzzle, Worth
from rookery.puzzles.shelf import shelf
from rookery.rules import catalog

MISSED, FOUND = (50, 50, 0, 100, 100, 100), (50, 100, 100, 100, 100, 100)


def of(part: str) -> Puzzle:
    return next(one for one in shelf() if one.part == part)


def after(one: Puzzle, words: str) -> Puzzle:
    """Return a puzzle of the same deal, asked later, in which `words` was done."""
    if one.part == "play":
        later = next(c for c in "abcdefghijklmnop" if c not in one.plays)
        return replace(one, plays=one.plays + later)
    return replace(one, calls=(*one.calls, words))


def test_few_are_spread_over_rules_and_themes() -> None:
    some, told = select(shelf(), 2 * len(catalog()))
    assert told == 0
    every = Counter(one.rules_name for one in some)
    assert set(every) == set(catalog())
    assert max(every.values()) <= 3  # what one lacks, with other deals left, another one has
    assert set(THEMES) <= {theme for one in some for theme in one.themes}
    assert len({(one.rules_name, one.deal) for one in some}) == len(some)
    assert all(one.part == one.hand.phase for one in some)
    ratings = [round(one.rating.value) for one in some]
    assert ratings == sorted(ratings)


def test_a_later_question_gives_an_earlier_answer_away() -> None:
    call = of("auction")
    right, wrong = call.right.actions[0], call.choices[1].actions[0]
    assert gives_away(after(call, right), call)
    assert not gives_away(after(call, wrong), call)
    assert not gives_away(call, after(call, right))
    assert not gives_away(call, call)
    away = of("nest")
    same = after(away, away.right.actions[0])
    assert gives_away(same, away)
    assert not gives_away(replace(same, seat=same.seat + 1), away)  # they never saw it
    card = of("play")
    later = after(card, "")
    name = card.hand.names([ord(later.plays[-1]) - ord("a")])[0]
    asked = replace(card, choices=(Worth((f"play {name}",), 9.0, None), *card.choices[1:]))
    assert gives_away(later, asked)
    assert not gives_away(replace(later, plays=card.plays), asked)


def test_what_is_given_away_comes_last_and_is_counted() -> None:
    call = of("auction")
    later = after(call, call.right.actions[0])
    other = next(o for o in shelf() if o.rules_name == call.rules_name and o.deal != call.deal)
    one, told = select([call, later, other], 2)
    assert (len({p.deal for p in one}), told) == (2, 0)
    every, told = select([call, later, other], 3)
    assert (len(every), told) == (3, 1)


def test_passes_are_few_and_the_dull_wait() -> None:
    passes = [one for one in shelf() if one.right.actions[0] == "pass"]
    assert 0 < len(passes) <= PASSES * len(shelf())
    some, _ = select([*passes, *(one for one in shelf() if one.part == "play")], 200)
    assert sum(one.right.actions[0] == "pass" for one in some) <= 20
    first, *rest = (one for one in shelf() if one.part == "play" and not is_routine(one))
    second = next(one for one in rest if one.rules_name == first.rules_name)
    for one, other in ((first, second), (second, first)):
        hard, easy = replace(one, found=MISSED), replace(other, found=FOUND)
        assert dullness(hard) == 0 < dullness(easy)
        assert select([easy, hard], 1).puzzles == [hard]
    routine = next(one for one in shelf() if is_routine(one))
    assert dullness(replace(routine, found=MISSED)) > 0


def test_themes_are_those_of_today() -> None:
    some = [of(part) for part in ("auction", "nest", "play")]
    before = [replace(one, themes=("void",)) for one in some]
    assert [*with_themes_of_today(before)] == some != before
