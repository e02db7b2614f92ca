"""What several people say of one thing: what stands, and what is disputed.

Everybody adds entries, and nobody takes one away. All else follows from the entries.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Final, Generic, Literal, NamedTuple, TypeAlias, TypeVar

SAYERS: Final = 2  # people who have to say the same, where that is wanted
Standing: TypeAlias = Literal["stands", "waiting", "disputed"]
Said = TypeVar("Said")
Meaning: TypeAlias = Callable[[Said], Hashable]


class Written(NamedTuple, Generic[Said]):
    """An entry: what somebody says of one thing.

    Attributes:
        number: which entry of all it is, from 1.
        id: what the phone calls it; one that comes again counts for nothing.
        about: the number of what it is said of.
        over: the number of the newest entry about it that the phone had seen; 0 for none.
        said: what is said; None takes back whatever was.
        writer: who says it.
        waits: whether that alone does not count: nobody knows yet that it is for them to say.
    """

    number: int
    id: str
    about: int
    over: int
    said: Said | None
    writer: int
    waits: bool = False


class Version(NamedTuple, Generic[Said]):
    """What is said of something.

    Attributes:
        said: the same; None takes back whatever was said.
        entry: the number of the first entry that says so.
        writers: who says so, and has said nothing else since.
        waits: whether it counts only once a second person says the same.
    """

    said: Said | None
    entry: int
    writers: frozenset[int]
    waits: bool = False


class Shared(NamedTuple, Generic[Said]):
    """Something of which several people speak.

    Attributes:
        stands: what stands, or waits until somebody else says it too.
        others: what was said differently by those who had not seen all that was said.
        newest: the number of its newest entry.
        state: whether it stands, waits or is disputed.
        counts: whether it counts: it has been agreed on, if that is wanted, and not taken back.
    """

    stands: Version[Said]
    others: tuple[Version[Said], ...]
    newest: int
    state: Standing
    counts: bool


def folded(
    entries: Iterable[Written[Said]], means: Meaning[Said] | None = None, *, agree: bool = False
) -> dict[int, Shared[Said]]:
    """Return what entries make of each thing that they are about, by its number, in order.

    Whoever has seen the newest entry about something changes it, and settles what is disputed.
    Whoever has not, and says something else, disputes it: what stood goes on standing, and theirs
    is kept beside it. Everybody has seen what they have written themselves.

    Args:
        entries: what was written, in order.
        means: what is meant by it; two of which it is equal say the same. By default, what is
            said.
        agree: whether a thing waits until a second person says the same of it.
    """
    told: dict[int, Told[Said]] = {}
    known: set[str] = set()
    for entry in entries:
        if entry.id not in known:
            known.add(entry.id)
            told.setdefault(entry.about, Told()).write(entry, means)
    return {number: told[number].now(agree) for number in sorted(told)}


class Told(Generic[Said]):
    """Something of which several people speak, as it is being folded, an entry after the other."""

    def __init__(self, *, early: bool = False) -> None:
        """Begin before the first entry; if `early`, what only waits stands behind no other."""
        self._early = early
        self._versions: dict[Hashable, Version[Said]] = {}  # by their meaning
        self._newest: dict[int, int] = {}  # the number of each writer's newest entry
        self._last: dict[int, Hashable] = {}  # the meaning of it

    def copy(self) -> Told[Said]:
        """Return the same, to which something can be added."""
        other = Told[Said](early=self._early)
        other._versions, other._newest = {**self._versions}, {**self._newest}
        other._last = {**self._last}
        return other

    def write(self, entry: Written[Said], means: Meaning[Said] | None = None) -> None:
        """Take in another entry, which has an id of its own."""
        key = entry.said if entry.said is None or means is None else means(entry.said)
        said = self._versions.get(key) or Version(entry.said, entry.number, frozenset(), True)
        if self._has_seen(entry):
            self._versions = {}
        before = self._last.get(entry.writer)
        if (one := self._versions.get(before)) is not None:
            self._versions[before] = one._replace(writers=one.writers - {entry.writer})
        writers, waits = said.writers | {entry.writer}, said.waits and entry.waits
        version = said._replace(writers=writers, waits=waits)
        if self._is_behind(said) and not self._is_behind(version):
            self._versions.pop(key, None)  # it comes after what has stood meanwhile
        self._versions[key] = version
        self._newest[entry.writer], self._last[entry.writer] = entry.number, key

    def now(self, agree: bool) -> Shared[Said]:
        """Return it as it is now."""
        versions = [*self._versions.values()]
        stands = next((one for one in versions if not self._is_behind(one)), versions[0])
        others = [one for one in versions if one is not stands]
        agreed = len(stands.writers) >= SAYERS or not (agree or stands.waits)
        state: Standing = "disputed" if others else "stands" if agreed else "waiting"
        counts = agreed and stands.said is not None
        return Shared(stands, tuple(others), max(self._newest.values()), state, counts)

    def _is_behind(self, version: Version[Said]) -> bool:
        """Return whether it stands behind all others, until a second person says the same."""
        return version.waits and len(version.writers) < SAYERS and not self._early

    def _has_seen(self, entry: Written[Said]) -> bool:
        others = (number for who, number in self._newest.items() if who != entry.writer)
        return entry.over >= max(others, default=0)


def seen_by(written: Sequence[Written[Said]], said: Said | None, writer: int) -> int:
    """Return what somebody has seen of what is written who cannot settle what others say.

    They change what they have said themselves, and say the same as others; else they dispute.
    """
    latest: dict[int, Said | None] = {one.writer: one.said for one in written}
    latest.pop(writer, None)
    agreed = all(other == said for other in latest.values())
    return written[-1].number if written and agreed else 0
