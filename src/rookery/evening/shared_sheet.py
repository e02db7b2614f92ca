"""A score sheet that several phones write: what stands of each hand, and what is disputed.

Every phone adds entries, and nobody takes one away. A hand is known by its number, from 0, so two
phones that write hand 5 mean the same one. All else follows from the entries.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from rookery.evening.score_sheet import ScoreSheet
from rookery.evening.tally import Tally, scored
from rookery.rules import Rules

SAYERS: Final = 2  # people who have to say the same, where that is wanted
Standing: TypeAlias = Literal["stands", "waiting", "disputed"]
Meaning: TypeAlias = Callable[[Tally], Hashable]


class Written(NamedTuple):
    """An entry: what somebody says of one hand.

    Attributes:
        number: which entry of the sheet it is, from 1.
        id: what the phone calls it; one that comes again counts for nothing.
        hand: the number of the hand, from 0.
        over: the number of the newest entry of that hand that the phone had seen; 0 for none.
        tally: what is said; None takes the hand off the sheet.
        writer: who says it.
    """

    number: int
    id: str
    hand: int
    over: int
    tally: Tally | None
    writer: int


class Version(NamedTuple):
    """What is said of a hand.

    Attributes:
        tally: the same; None takes the hand off the sheet.
        entry: the number of the first entry that says so.
        writers: who all say so.
    """

    tally: Tally | None
    entry: int
    writers: frozenset[int]


class SharedHand(NamedTuple):
    """A hand of a shared sheet.

    Attributes:
        stands: what stands, or waits until somebody else says it too.
        others: what was said differently by those who had not seen all that was said.
        newest: the number of its newest entry.
        state: whether it stands, waits or is disputed.
        counts: whether it counts: it has been agreed on, if that is wanted, and is on the sheet.
    """

    stands: Version
    others: tuple[Version, ...]
    newest: int
    state: Standing
    counts: bool


def meaning(rules: Rules) -> Meaning:
    """Return what tells what a tally says: who bid what with whom, and what all have got.

    It may be said in different words: what one side has, or what the other has. What is returned
    raises `BadTally` for what cannot be.

    >>> from rookery.rules import variant
    >>> of = meaning(variant("kd_tournament"))
    >>> of(Tally(0, 95, points=(60,))) == of(Tally(0, 95, points=(None, 60)))
    True
    """

    @cache
    def read(tally: Tally) -> Hashable:
        state, who = scored(rules, tally), frozenset(tally.partners)
        bare = (tally.redealt, tally.declarer, tally.bid, who, tally.revoked)
        return (*bare, *state.points[: rules.seats], *state.score[: rules.seats])

    return read


def folded(
    entries: Iterable[Written], means: Meaning | None = None, *, agree: bool = False
) -> dict[int, SharedHand]:
    """Return what the entries of a sheet make of each hand, by number, in order.

    Whoever has seen the newest entry of a hand changes it, and settles what is disputed. Whoever
    has not, and says something else, disputes it: what stood goes on standing, and theirs is kept
    beside it. Everybody has seen what they have written themselves.

    Args:
        entries: what was written, in order.
        means: what a tally says; two of which it is equal say the same. By default, what they are.
        agree: whether a hand waits until a second person says the same of it.
    """
    hands: dict[int, _Hand] = {}
    known: set[str] = set()
    for entry in entries:
        if entry.id in known:
            continue
        known.add(entry.id)
        hands.setdefault(entry.hand, _Hand()).write(entry, means or _itself)
    return {number: hands[number].told(agree) for number in sorted(hands)}


def sheet_of(
    hands: Mapping[int, SharedHand], rules: Rules, *, wanted: int | None = None, dealer: int = 0
) -> tuple[ScoreSheet, list[int]]:
    """Return the score sheet of the hands that count, and their numbers.

    Args:
        hands: what `folded` returned.
        rules: the rules.
        wanted: how many hands the game has; None where it goes to the target.
        dealer: the seat that dealt the first hand.

    Raises:
        BadTally: what is said of a hand cannot be.
    """
    counted = {
        number: hand.stands.tally
        for number, hand in hands.items()
        if hand.counts and hand.stands.tally is not None
    }
    sheet = ScoreSheet(rules, tuple(counted.values()), wanted, dealer)
    return sheet, list(counted)


class _Hand:
    """A hand as it is being folded."""

    def __init__(self) -> None:
        """Begin with nothing said."""
        self._versions: dict[Hashable, Version] = {}  # by what they mean; what stands first
        self._newest: dict[int, int] = {}  # the number of each writer's newest entry

    def write(self, entry: Written, means: Meaning) -> None:
        """Take in another entry."""
        key = None if entry.tally is None else means(entry.tally)
        said = self._versions.get(key) or Version(entry.tally, entry.number, frozenset())
        if self._has_seen(entry):
            self._versions = {}
        self._versions[key] = said._replace(writers=said.writers | {entry.writer})
        self._newest[entry.writer] = entry.number

    def told(self, agree: bool) -> SharedHand:
        """Return the hand as it is now."""
        stands, *others = self._versions.values()
        agreed = not agree or len(stands.writers) >= SAYERS
        state: Standing = "disputed" if others else "stands" if agreed else "waiting"
        counts = agreed and stands.tally is not None
        return SharedHand(stands, tuple(others), max(self._newest.values()), state, counts)

    def _has_seen(self, entry: Written) -> bool:
        others = (number for who, number in self._newest.items() if who != entry.writer)
        return entry.over >= max(others, default=0)


def _itself(tally: Tally) -> Hashable:
    return tally
