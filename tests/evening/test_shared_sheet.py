"""A sheet that several phones write: laws of what stands, each with a fault that breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from random import Random
from typing import Any, TypeAlias

import pytest

from rookery.evening.score_sheet import ScoreSheet, meaning, sheet_of
from rookery.evening.tally import Tally
from rookery.evening.versions import Shared, Version, Written, folded
from rookery.rules import variant

KD = variant("kd_tournament")
SAID = (
    *(Tally(0, 95, points=(60,)), Tally(0, 95, points=(120,)), Tally(1, 100, points=(None, 110))),
    None,
)
Folded: TypeAlias = Mapping[int, Shared[Tally]]
Fold: TypeAlias = Callable[..., Folded]
Law: TypeAlias = Callable[[Fold, Sequence[Written[Tally]]], bool]


def evening(seed: int, phones: int = 3, size: int = 30, hands: int = 3) -> list[Written[Tally]]:
    """Return what phones write; some see it late, and what was sent comes twice now and then."""
    dice, written = Random(seed), list[Written[Tally]]()
    for number in range(1, size + 1):
        writer, hand = dice.randrange(phones), dice.randrange(hands)
        if written and dice.random() < 0.15:
            before = dice.choice(written)
            written.append(before._replace(number=number))
            continue
        there = [0, *(one.number for one in written if one.about == hand)]
        over = there[-1] if dice.random() < 0.6 else dice.choice(there)
        written.append(Written(number, f"id {number}", hand, over, dice.choice(SAID), writer))
    return written


def once(entries: Sequence[Written[Tally]]) -> list[Written[Tally]]:
    """Return the entries without what came again."""
    ids: dict[str, Written[Tally]] = {}
    for one in entries:
        ids.setdefault(one.id, one)
    return list(ids.values())


def by_hand(entries: Sequence[Written[Tally]]) -> dict[int, list[Written[Tally]]]:
    found: dict[int, list[Written[Tally]]] = {}
    for one in once(entries):
        found.setdefault(one.about, []).append(one)
    return found


def seen_by(entry: Written[Tally], before: Sequence[Written[Tally]]) -> bool:
    return all(one.number <= entry.over or one.writer == entry.writer for one in before)


def arrives_once(fold: Fold, entries: Sequence[Written[Tally]]) -> bool:
    return fold(entries) == fold(once(entries))


def hands_are_apart(fold: Fold, entries: Sequence[Written[Tally]]) -> bool:
    alone = {hand: fold(own)[hand] for hand, own in by_hand(entries).items()}
    return fold(entries) == alone


def the_last_who_knew_is_heard(fold: Fold, entries: Sequence[Written[Tally]]) -> bool:
    told = fold(entries)
    return all(
        told[hand].stands.said == own[-1].said and told[hand].state != "disputed"
        for hand, own in by_hand(entries).items()
        if seen_by(own[-1], own[:-1])
    )


def what_stood_goes_on_standing(fold: Fold, entries: Sequence[Written[Tally]]) -> bool:
    kept = once(entries)
    for at, one in enumerate(kept):
        own = [other for other in kept[:at] if other.about == one.about]
        if own and not seen_by(one, own):
            before, after = fold(kept[:at])[one.about], fold(kept[: at + 1])[one.about]
            if before.stands.said != after.stands.said:
                return False
    return True


def nothing_unseen_is_lost(fold: Fold, entries: Sequence[Written[Tally]]) -> bool:
    """Whatever was said is shown until somebody who knew of all of it has settled it."""
    told = fold(entries)
    for hand, own in by_hand(entries).items():
        shown = [told[hand].stands, *told[hand].others]
        settled = max(at for at, one in enumerate(own) if seen_by(one, own[:at]))
        wanted = [one.said for one in own[settled:]]
        if any(tally not in [one.said for one in shown] for tally in wanted):
            return False
    return True


def others_are_a_dispute(fold: Fold, entries: Sequence[Written[Tally]]) -> bool:
    told = fold(entries).values()
    different = all(one.stands.said not in [o.said for o in one.others] for one in told)
    return different and all((one.state == "disputed") == bool(one.others) for one in told)


def nobody_agrees_alone(fold: Fold, entries: Sequence[Written[Tally]]) -> bool:
    told, own = fold(entries, agree=True), by_hand(entries)
    for hand, one in told.items():
        sayers = {e.writer for e in own[hand] if e.said == one.stands.said}
        if one.counts and len(sayers) < 2:
            return False
        if (one.state == "waiting") != (not one.others and len(one.stands.writers) < 2):
            return False
        if not one.stands.writers <= sayers or one.newest != own[hand][-1].number:
            return False
    return True


def all_follows_from_what_stands(fold: Fold, entries: Sequence[Written[Tally]]) -> bool:
    told = fold(entries)
    sheet, numbers = sheet_of(told, KD)
    standing = {hand: told[hand].stands.said for hand in sorted(told)}
    on = {hand: tally for hand, tally in standing.items() if tally is not None}
    return (sheet.entries, numbers) == (ScoreSheet(KD, on.values()).entries, list(on))


# Faults, each of which one law has to find.


def twice(entries: Sequence[Written[Tally]], **how: Any) -> Folded:  # noqa: ANN401
    return folded([one._replace(id=str(one.number)) for one in entries], **how)


def one_for_all(entries: Sequence[Written[Tally]], **how: Any) -> Folded:  # noqa: ANN401
    told = folded([one._replace(about=0) for one in entries], **how)
    return {one.about: told[0] for one in entries}


def never_settled(entries: Sequence[Written[Tally]], **how: Any) -> Folded:  # noqa: ANN401
    return folded([one._replace(over=0) for one in entries], **how)


def last_wins(entries: Sequence[Written[Tally]], **how: Any) -> Folded:  # noqa: ANN401
    return folded([one._replace(over=1 << 30) for one in entries], **how)


def changed(told: Folded, **fields: Any) -> Folded:  # noqa: ANN401
    return {hand: one._replace(**fields) for hand, one in told.items()}


def forgetful(entries: Sequence[Written[Tally]], **how: Any) -> Folded:  # noqa: ANN401
    return {
        hand: one._replace(others=one.others[:-1], state="stands")
        for hand, one in folded(entries, **how).items()
    }


def silent(entries: Sequence[Written[Tally]], **how: Any) -> Folded:  # noqa: ANN401
    return changed(folded(entries, **how), state="stands")


def hasty(entries: Sequence[Written[Tally]], agree: bool = False) -> Folded:
    return folded(entries)


def careless(entries: Sequence[Written[Tally]], **how: Any) -> Folded:  # noqa: ANN401
    return changed(folded(entries, **how), counts=True, stands=Version(SAID[1], 1, frozenset()))


def disputes_out(entries: Sequence[Written[Tally]], **how: Any) -> Folded:  # noqa: ANN401
    told = folded(entries, **how)
    return {hand: one._replace(counts=one.counts and not one.others) for hand, one in told.items()}


LAWS: dict[Law, Fold] = {
    arrives_once: twice,
    hands_are_apart: one_for_all,
    the_last_who_knew_is_heard: never_settled,
    what_stood_goes_on_standing: last_wins,
    nothing_unseen_is_lost: forgetful,
    others_are_a_dispute: silent,
    nobody_agrees_alone: hasty,
    all_follows_from_what_stands: disputes_out,
}
EVENINGS = [evening(seed, phones=1 + seed % 4) for seed in range(150)]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_a_law_of_the_shared_sheet(law: Law) -> None:
    assert all(law(folded, entries) for entries in EVENINGS)
    # The control: a fold with a fault breaks it.
    assert not all(law(LAWS[law], entries) for entries in EVENINGS)


def test_whoever_writes_alone_never_disputes_with_themselves() -> None:
    for seed in range(50):
        told = folded(evening(seed, phones=1))
        assert {one.state for one in told.values()} == {"stands"}


def test_every_state_comes_up() -> None:
    told = [one for entries in EVENINGS for one in folded(entries, agree=True).values()]
    assert {one.state for one in told} == {"stands", "waiting", "disputed"}
    assert {one.counts for one in told if one.others} == {True, False}


def entries_of(*said: tuple[int, int, Tally | None]) -> Iterator[Written[Tally]]:
    """Return entries of hand 5: who writes, over what, and what."""
    for number, (writer, over, tally) in zip(count(1), said, strict=False):
        yield Written(number, f"id {number}", 5, over, tally, writer)


def test_two_phones_that_write_the_same_hand_agree_whatever_they_have_seen() -> None:
    ann, bob = Tally(0, 95, points=(60,)), Tally(0, 95, points=(None, 60))
    one = folded(entries_of((1, 0, ann), (2, 0, bob)), meaning(KD), agree=True)[5]
    assert (one.state, one.counts, one.stands.said) == ("stands", True, ann)
    for other in SAID[1:3]:
        two = folded(entries_of((1, 0, ann), (2, 0, other)), meaning(KD), agree=True)[5]
        assert two.state == "disputed"
    # The control: taken by the letter these are two.
    assert folded(entries_of((1, 0, ann), (2, 0, bob)))[5].state == "disputed"


def test_a_tap_on_one_of_two_versions_settles_and_is_the_second_voice_for_it() -> None:
    ann, bob = SAID[0], SAID[1]
    said = [(1, 0, ann), (2, 0, bob)]
    before = folded(entries_of(*said), agree=True)[5]
    assert (before.state, before.counts, before.newest) == ("disputed", False, 2)
    assert [one.said for one in (before.stands, *before.others)] == [ann, bob]
    after = folded(entries_of(*said, (1, 2, bob)), agree=True)[5]
    assert (after.state, after.counts, after.others) == ("stands", True, ())
    assert after.stands == Version(bob, 2, frozenset({1, 2}))


def test_an_earlier_hand_is_changed_and_taken_off_and_all_follows() -> None:
    log = [Written(at, str(at), at - 1, 0, SAID[0], 1) for at in (1, 2, 3)]
    sheet, numbers = sheet_of(folded(log), KD)
    assert (sheet.totals, numbers) == ((-285, 180, -285, 180), [0, 1, 2])
    log.append(Written(4, "4", 0, 1, SAID[1], 2))
    assert sheet_of(folded(log), KD)[0].totals == (-70, 120, -70, 120)
    log.append(Written(5, "5", 1, 2, None, 2))
    sheet, numbers = sheet_of(folded(log), KD)
    assert (sheet.totals, numbers) == ((25, 60, 25, 60), [0, 2])
    log.append(Written(6, "6", 1, 5, SAID[0], 1))
    assert sheet_of(folded(log), KD)[1] == [0, 1, 2]
