"""Whose phone is whose: who says that they are somebody of an evening.

A phone is known by the number of its first entry. Such a word needs no secret, so it gives little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rookery.evening.movements.state import EveningError, Round


class Phones:
    """The phones of the people of an evening.

    Attributes:
        of: the phone of each person who has said who they are, by their numbers.
        entry: in which entry they said so.
        since: how many rounds had begun then.
    """

    def __init__(self) -> None:
        self.of: dict[int, int] = {}
        self.entry: dict[int, int] = {}
        self.since: dict[int, int] = {}
        self._was: dict[int, tuple[int, int]] = {}  # of a phone: person, rounds begun at that time

    def copy(self) -> Phones:
        """Return the same phones, with which something can be tried."""
        other = Phones()
        other.of, other._was = {**self.of}, {**self._was}
        other.entry, other.since = {**self.entry}, {**self.since}
        return other

    def claim(
        self,
        person: int,
        phone: int,
        entry: int,
        rounds: Sequence[Round],
        *,
        on_screens: bool,
        prepared: bool,
    ) -> None:
        """Have a phone be that of a person, by an entry that says so after some rounds began.

        With `on_screens` tables say by themselves what they have scored. With `prepared` others
        still play the deals that somebody has seen.

        Raises:
            EveningError: it cannot be; code ``claimed``.
        """
        if self.of.get(person, phone) != phone:
            raise EveningError("claimed", f"person {person}: is somebody else's phone")
        was, begun = self._was.get(phone, (person, len(rounds)))
        if was != person and prepared and any(was in seats for seats in _seated(rounds)):
            line = f"person {person}: you have been person {was}, who has seen prepared deals"
            raise EveningError("claimed", line)
        # Else they could say what another table has scored; on screens tables say so themselves.
        by_hand = () if on_screens else _seated(rounds[-1:])
        sits = next((seats for seats in by_hand if was in seats), ())
        if begun < len(rounds) and sits and person not in sits:
            raise EveningError("claimed", f"person {person}: this round you are person {was}")
        if person not in self.of:
            self.entry[person], self.since[person] = entry, len(rounds)
        self._was[phone] = (person, begun if sits else len(rounds))
        # One person a phone, so that nobody keeps the others from theirs.
        others = {who: by for who, by in self.of.items() if by != phone}
        self.of = {**others, person: phone}

    def free(self, person: int, phone: int) -> None:
        """Have nobody be a person any more; `phone` is that of whoever says so.

        Raises:
            EveningError: nobody is; code ``claimed``.
        """
        if person not in self.of:
            raise EveningError("claimed", f"person {person}: nobody is, so far")
        if phone != self.of[person]:  # a host, who knows who it is
            self._was.pop(self.of[person], None)
        self.forget(person)

    def undo(self, rounds: int) -> None:
        """Know that no more than so many rounds have begun after all."""
        self.since = {who: min(begun, rounds) for who, begun in self.since.items()}
        self._was = {by: (who, min(begun, rounds)) for by, (who, begun) in self._was.items()}

    def is_late(self, person: int, round_: int) -> bool:
        """Return whether somebody has said only during a round, or after it, who they are.

        During the first one everybody may: they have just come.
        """
        return self.since[person] >= max(round_, 2)

    def forget(self, person: int) -> None:
        """Have a person be without a phone."""
        self.of = {who: by for who, by in self.of.items() if who != person}


def _seated(rounds: Sequence[Round]) -> Iterator[tuple[int, ...]]:
    return (table.seats for one in rounds for table in one.tables)
