"""A store in memory, for tests; they hold it to the same promises as the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence

from msgspec.structs import replace
from tests.server.memory.attempts import MemoryAttempts
from tests.server.memory.mistakes import MemoryMistakes
from tests.server.memory.rated import MemoryRated
from tests.server.memory.sheets import MemorySheets

from rookery.server.clock import Judged, Mark
from rookery.server.offline.kept import clients_of
from rookery.server.settings import DAY
from rookery.server.store.base import (
    Challenge,
    Conflict,
    OneDatabase,
    Passkey,
    Report,
    TableRow,
    Token,
    Visitor,
    goes_on,
)
from rookery.server.store.leases import UNOWNED, Lease
from rookery.server.store.people.attempts import Attempts
from rookery.server.store.people.mistakes import Mistakes
from rookery.server.store.people.rated import Rated
from rookery.server.store.people.sheets import Sheets
from rookery.server.store.timeline import Timeline, fresh
from rookery.server.table.events import Blocked, Chatted, Entry, Reported, Sat, maker_of
from rookery.server.table.state import Who


class MemoryStore(OneDatabase):
    """Keeps everything until the process ends."""

    kind = "memory"
    version: str | None = None

    def __init__(self) -> None:
        self.took: Callable[[float], object] = float  # nothing is durable here
        self.events: dict[str, list[Entry]] = {}
        self.rows: dict[str, TableRow] = {}
        self._reports: list[Report] = []
        self._clients: dict[tuple[str, str], int] = {}
        self._people: dict[str, Who] = {}
        self._seen: dict[str, int] = {}  # without their sessions
        self._tokens: dict[str, tuple[str, Token]] = {}
        self._going: set[str] = set()
        self._gone: set[str] = set()
        self._returns: dict[str, tuple[str, int]] = {}
        self._passkeys: dict[str, Passkey] = {}
        self._spent: dict[str, int] = {}
        self._secrets: dict[str, str] = {}
        self._blocks: dict[str, set[str]] = {}
        self._attempts = MemoryAttempts(lambda: self._people, self._beside)
        self.attempts: Attempts = self._attempts
        self._mistakes = MemoryMistakes(lambda: {one.person for one in self._passkeys.values()})
        self.mistakes: Mistakes = self._mistakes
        self._sheets = MemorySheets(lambda: self._people)
        self.sheets: Sheets = self._sheets
        self._rated = MemoryRated(lambda: self._people, lambda: self.rows)
        self.rated: Rated = self._rated
        self._mark: Mark | None = None
        self._timeline = fresh()._replace(id="")

    async def know(self, judge: Callable[[Mark | None], Judged]) -> Judged:
        found = judge(self._mark)
        self._mark = found.mark
        return found

    async def timeline(self, place: str = "") -> Timeline:
        return self._timeline

    async def begin_timeline(self, since: str, place: str = "") -> Timeline:
        if self._timeline.id == since:
            self._timeline = fresh()
        return self._timeline

    async def append(self, row: TableRow, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        self._check(row.code, entries)
        self.events.setdefault(row.code, []).extend(entries)
        self._clients |= clients_of(row.code, entries)
        self._touch(row)
        told = (entry.event for entry in entries)
        late = {one.person for one in told if isinstance(one, Sat | Chatted | Reported)}
        late |= {one for one in map(maker_of, entries) if one is not None}
        self._going |= late & self._gone
        self._gone -= late
        for entry in entries:
            if isinstance(entry.event, Blocked):
                self._blocks.setdefault(entry.event.person, set()).add(entry.event.blocked)
            elif isinstance(entry.event, Reported):
                said = entry.event
                made = row.code, entry.at, said.person, said.accused, said.reason, entry.seq
                self._reports.append(Report(*made))

    async def read(self, code: str, after: int = 0, most: int | None = None) -> list[Entry]:
        return self.events.get(code, [])[after:][:most]

    async def done(self, code: str, client: str) -> int | None:
        return self._clients.get((code, client))

    async def listed(self, most: int) -> list[TableRow]:
        return [row for row in self._latest() if row.open and row.phase != "over"][:most]

    async def past(self, lobby: int, begun: int) -> list[TableRow]:
        rows = self.rows.values()
        return [row for row in rows if row.touched_at <= (begun, lobby)[row.phase == "lobby"]]

    async def row(self, code: str) -> TableRow | None:
        return self.rows.get(code)

    async def rewrite(self, code: str, entries: Sequence[Entry], lease: Lease = UNOWNED) -> None:
        self._touch(self.rows[code])
        for entry in entries:
            self.events[code][entry.seq - 1] = entry

    async def retire(self, code: str, lease: Lease = UNOWNED) -> None:
        self.rows.pop(code, None)
        self.events.pop(code, None)
        self._rated.retire(code)

    async def tables_of(self, person: str) -> list[TableRow]:
        return [self.rows[code] for code in await self._named(person, Sat)]

    async def traces_of(self, person: str) -> list[str]:
        found = await self._named(person, Sat, Chatted, Reported)
        made = {code for code, log in self.events.items() if person in map(maker_of, log[:1])}
        return [*found, *made.difference(found)]

    async def said(self, since: int, until: int) -> list[str]:
        return [
            code
            for code, log in self.events.items()
            if any(
                isinstance(entry.event, Chatted) and entry.event.text and since < entry.at <= until
                for entry in log
            )
        ]

    async def reports(self, most: int, since: int = 0) -> list[Report]:
        lately = (one for one in self._reports if one.at > since)
        return sorted(lately, key=lambda one: -one.at)[:most]

    async def add_person(self, who: Who, token: str, now: int, device: str = "") -> None:
        self._people[who.id], self._seen[who.id] = who, now
        await self.add_token(who.id, token, now, device)

    async def rename(self, person: str, name: str) -> None:
        self._people[person] = Who(person, name)

    async def add_token(self, person: str, token: str, now: int, device: str = "") -> None:
        self._tokens[token] = person, Token(token, now, now, device)

    async def drop_token(self, token: str) -> None:
        if token in self._tokens:
            person, held = self._tokens.pop(token)
            self._seen[person] = max(held.used, self._seen.get(person, 0))

    async def tokens(self, person: str, since: int, most: int) -> list[Token]:
        own = [one for who, one in self._tokens.values() if who == person and one.used > since]
        return sorted(own, key=lambda one: (-one.used, one.hash))[:most]

    async def sign_out(self, person: str, but: str, only: str = "") -> list[str]:
        self._returns = {key: held for key, held in self._returns.items() if held[0] != person}
        own = [key for key, (who, _) in self._tokens.items() if who == person and key != but]
        gone = [key for key in own if key.startswith(only)]
        for key in gone:
            del self._tokens[key]
        return gone

    async def valid(self, tokens: Collection[str], since: int) -> set[str]:
        held = self._tokens
        return {token for token in tokens if token in held and held[token][1].used > since}

    async def person(self, token: str, since: int = 0) -> Who | None:
        person, held = self._tokens.get(token, ("", Token(token, since, since)))
        return self._people.get(person) if held.used > since else None

    async def visitor(self, token: str, since: int = 0) -> Visitor | None:
        who = await self.person(token, since)
        if who is None:
            return None
        blocked = frozenset(self._blocks.get(who.id, ()))
        return Visitor(who, self._tokens[token][1].used, blocked)

    async def apart(self, person: str, others: Collection[str]) -> set[str]:
        by, blocks = self._blocks.get(person, set()), self._blocks
        return {one for one in others if one in by or person in blocks.get(one, ())}

    async def renew(self, token: str, now: int, before: int) -> bool:
        person, held = self._tokens.get(token, ("", Token(token, now, now)))
        if held.used > before:
            return False
        self._tokens[token] = person, held._replace(used=now)
        return True

    async def forget(self, person: str, now: int) -> None:
        self._people.pop(person, None)
        self._seen.pop(person, None)
        self._attempts.keep(self._people)
        self._sheets.keep(self._people)
        self._rated.look()
        self._blocks.pop(person, None)
        for blocked in self._blocks.values():
            blocked.discard(person)
        self._silence(person)
        self._going.add(person)
        self._tokens = {key: held for key, held in self._tokens.items() if held[0] != person}
        self._passkeys = {key: one for key, one in self._passkeys.items() if one.person != person}
        self._mistakes.look()
        self._returns = {key: held for key, held in self._returns.items() if held[0] != person}

    async def unfinished(self) -> list[str]:
        return sorted(self._going)

    async def forgotten(self, person: str, wiped: Collection[str]) -> None:
        self._silence(person)
        if not set(await self.traces_of(person)).difference(wiped):
            self._going.discard(person)
            self._gone.add(person)

    def _silence(self, person: str) -> None:
        """Delete what a person wrote in reports, those too that came late."""
        self._reports = [
            one._replace(reason="") if one.person == person else one for one in self._reports
        ]

    async def compact(self, since: int) -> bool:
        """Return False: deleted data are gone at once."""
        return False

    async def dropping(self, due: int) -> None:
        """Do nothing: deleted data are gone at once."""

    async def dropped(self) -> bool:
        """Return True: deleted data are gone at once."""
        return True

    async def expire(self, since: int, now: int) -> bool:
        before = (self._tokens, self._passkeys, self._reports, self._returns, self._people)
        self._tokens = {key: held for key, held in self._tokens.items() if held[1].used > since}
        for log in self.events.values():
            for entry in [one for one in log if one.at <= since]:
                if isinstance(entry.event, Reported):
                    silent = replace(entry.event, reason="")
                    log[entry.seq - 1] = replace(entry, event=silent)
        self._reports = [one for one in self._reports if one.at > since]
        self._returns = {key: held for key, held in self._returns.items() if held[1] > now}
        here = {person for person, _ in self._tokens.values()}
        lately = here | {person for person, seen in self._seen.items() if seen > since}
        self._passkeys = {
            key: one
            for key, one in self._passkeys.items()
            if one.used > since or one.person in lately
        }
        self._mistakes.look()
        known = here | {person for person, _ in self._returns.values()}
        known |= {one.person for one in self._passkeys.values()}
        self._people = {person: who for person, who in self._people.items() if person in known}
        self._seen = {person: seen for person, seen in self._seen.items() if person in known}
        self._attempts.keep(self._people)
        self._sheets.keep(self._people)
        self._rated.look()
        self._blocks = {
            person: blocked & known for person, blocked in self._blocks.items() if person in known
        }
        after = (self._tokens, self._passkeys, self._reports, self._returns, self._people)
        return before != after

    async def add_return(self, person: str, token: str, expires: int, by: str = "") -> None:
        if not by or by in self._tokens:
            self._returns[token] = (person, expires)

    async def take_return(self, token: str, now: int, fresh: Token | None = None) -> Who | None:
        person, expires = self._returns.pop(token, ("", 0))
        who = self._people.get(person) if now < expires else None
        if who is not None and fresh is not None:
            self._tokens[fresh.hash] = who.id, fresh
        return who

    async def secret(self, name: str, fresh: str) -> str:
        return self._secrets.setdefault(name, fresh) if fresh else self._secrets.get(name, "")

    async def passkeys(self, person: str) -> list[Passkey]:
        own = (one for one in self._passkeys.values() if one.person == person)
        return sorted(own, key=lambda one: (one.made, one.credential))

    async def passkey(self, credential: str) -> Passkey | None:
        return self._passkeys.get(credential)

    async def add_passkey(self, passkey: Passkey, spent: Challenge, by: str, most: int) -> bool:
        full = len(await self.passkeys(passkey.person)) >= most
        taken = passkey.credential in self._passkeys or spent.text in self._spent
        if full or taken or by not in self._tokens:
            return False
        self._spend(spent, passkey.made)
        self._passkeys[passkey.credential] = passkey
        return True

    async def use_passkey(
        self, credential: str, count: int, since: int, spent: Challenge, fresh: Token
    ) -> Who | None:
        found = self._passkeys.get(credential)
        if found is None or spent.text in self._spent or not goes_on(found.counted, count):
            return None
        seen = max(found.used, self._seen.get(found.person, 0))
        if seen <= since and not await self.tokens(found.person, since, 1):
            return None
        self._spend(spent, fresh.used)
        self._passkeys[credential] = found._replace(counted=count, used=fresh.used)
        self._tokens[fresh.hash] = found.person, fresh
        return self._people.get(found.person)

    async def drop_passkey(self, person: str, credential: str) -> None:
        if credential in {one.credential for one in await self.passkeys(person)}:
            del self._passkeys[credential]
        self._mistakes.look()

    def _spend(self, challenge: Challenge, now: int) -> None:
        lately = {text: end for text, end in self._spent.items() if end > now - DAY}
        self._spent = {**lately, challenge.text: challenge.expires}

    async def ping(self) -> None:
        """Return."""

    async def close(self) -> None:
        """Do nothing: no write is pending."""

    def _check(self, code: str, entries: Sequence[Entry]) -> None:
        """Refuse events that do not follow, or of a command that was done.

        Raises:
            Conflict: they cannot be stored.
        """
        there = len(self.events.get(code, ()))
        expected = range(there + 1, there + 1 + len(entries))
        copies = clients_of(code, entries).keys() & self._clients.keys()
        if copies or [entry.seq for entry in entries] != list(expected):
            raise Conflict(f"table {code} has {there} events")

    def _touch(self, row: TableRow) -> None:
        before = self.rows.get(row.code, row).version
        self.rows[row.code] = row._replace(version=before + 1)

    def _latest(self) -> list[TableRow]:
        return sorted(self.rows.values(), key=lambda row: -row.touched_at)

    async def _beside(self, person: str) -> Counter[str]:
        """Return who has sat at how many tables with a person; neither has blocked the other."""
        apart = self._blocks.get(person, set()) | {person}
        apart = apart | {other for other, blocked in self._blocks.items() if person in blocked}
        found = Counter[str]()
        for code in await self._named(person, Sat):
            sat = (entry.event for entry in self.events[code])
            found.update({event.person for event in sat if isinstance(event, Sat)} - apart)
        return found

    async def _named(self, person: str, *kinds: type[Sat | Chatted | Reported]) -> list[str]:
        """Return the tables with such an event of a person who is not forgotten, latest first."""
        if person in self._gone:
            return []
        return [
            row.code
            for row in self._latest()
            if any(
                isinstance(entry.event, kinds) and entry.event.person == person
                for entry in self.events[row.code]
            )
        ]
