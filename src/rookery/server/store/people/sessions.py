"""Sessions, return links and passkeys: who is signed in, how they come back, and until when.

What ends sessions, and what makes others by way of them, first locks the row of the person. So
nobody who is being signed out gets away by a link or a passkey that is on its way in or out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, Protocol, TypeVar

from sqlalchemy import (
    Connection,
    Executable,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    union,
    update,
)

from rookery.server.settings import DAY
from rookery.server.store import schema as db
from rookery.server.store.base import Challenge, Passkey, Token, Visitor, goes_on
from rookery.server.store.rows import LogRows
from rookery.server.table.state import Who

_S: Final = db.sessions.c
_R: Final = db.returns.c
_P: Final = db.passkeys.c
_E: Final = db.sheet_entries.c
_SEEN: Final = (_S, db.people.c)  # when each person was here last
_ASKED: Final = 500  # tokens in one question
# Used for every visitor; built once, because building it takes longer than running it.
_HOLDER: Final = (
    select(db.people.c.person, db.people.c.name, _S.made_at)
    .select_from(db.sessions.join(db.people, _S.person == db.people.c.person))
    .where(_S.token_hash == bindparam("token"), _S.made_at > bindparam("since"))
)
_BLOCKED: Final = select(db.blocks.c.blocked).where(db.blocks.c.person == bindparam("person"))

T = TypeVar("T")


class Database(Protocol):
    """The part of a database's store that reads and writes."""

    async def do(self, work: Callable[[Connection], T], *, of: str = "") -> T:
        """Return what `work` returns, once committed."""

    async def change(self, statement: Executable, *, of: str = "") -> int:
        """Return how many rows a statement has changed, once committed."""

    async def look(self, look: Callable[[Connection], T]) -> T:
        """Return what `look` reads."""


class SqlSessions(Database):
    """What the `Store` of a database knows of people, and of what signs them in."""

    async def add_person(self, who: Who, token: str, now: int, device: str = "") -> None:
        def work(connection: Connection) -> None:
            person = {"person": who.id, "name": who.name, "made_at": now}
            connection.execute(insert(db.people).values(person))
            _add(connection, who.id, Token(token, now, now, device))

        await self.do(work)

    async def rename(self, person: str, name: str) -> None:
        await self.change(update(db.people).where(db.people.c.person == person).values(name=name))

    async def person(self, token: str, since: int = 0) -> Who | None:
        found = await self.look(lambda line: _holder(line, token, since))
        return None if found is None else found[0]

    async def visitor(self, token: str, since: int = 0) -> Visitor | None:
        def look(connection: Connection) -> Visitor | None:
            found = _holder(connection, token, since)
            if found is None:
                return None
            blocked = connection.scalars(_BLOCKED, {"person": found[0].id})
            return Visitor(*found, frozenset(blocked))

        return await self.look(look)

    async def apart(self, person: str, others: Collection[str]) -> set[str]:
        b = db.blocks.c
        mine = select(b.blocked).where(b.person == person, b.blocked.in_(others))
        theirs = select(b.person).where(b.blocked == person, b.person.in_(others))
        return await self.look(lambda line: set(line.scalars(union(mine, theirs))))

    async def add_token(self, person: str, token: str, now: int, device: str = "") -> None:
        await self.do(lambda line: _add(line, person, Token(token, now, now, device)))

    async def drop_token(self, token: str) -> None:
        p = db.people.c

        def work(connection: Connection) -> None:
            person = connection.scalar(select(_S.person).where(_S.token_hash == token))
            if person is None:
                return
            locked(connection, person)
            gone = delete(db.sessions).where(_S.token_hash == token).returning(_S.made_at)
            if (used := connection.scalar(gone)) is not None:
                # That its person was here stays known, for who comes back by a passkey.
                seen = update(db.people).where(p.person == person, p.made_at < used)
                connection.execute(seen.values(made_at=used))

        await self.do(work)

    async def tokens(self, person: str, since: int, most: int) -> list[Token]:
        query = select(_S.token_hash, _S.begun, _S.made_at, _S.device)
        query = query.where(_S.person == person, _S.made_at > since)
        query = query.order_by(_S.made_at.desc(), _S.token_hash).limit(most)
        return await self.look(lambda line: [Token(*row) for row in line.execute(query)])

    async def sign_out(self, person: str, but: str, only: str = "") -> list[str]:
        others = delete(db.sessions).where(_S.person == person, _S.token_hash != but)
        others = others.where(_S.token_hash.startswith(only, autoescape=True))

        def work(connection: Connection) -> list[str]:
            locked(connection, person)
            connection.execute(delete(db.returns).where(_R.person == person))
            return list(connection.scalars(others.returning(_S.token_hash)))

        return await self.do(work)

    async def valid(self, tokens: Collection[str], since: int) -> set[str]:
        asked = sorted(tokens)

        def look(connection: Connection) -> set[str]:
            found = set[str]()
            for at in range(0, len(asked), _ASKED):
                query = select(_S.token_hash).where(_S.token_hash.in_(asked[at : at + _ASKED]))
                found |= set(connection.scalars(query.where(_S.made_at > since)))
            return found

        return await self.look(look)

    async def renew(self, token: str, now: int, before: int) -> bool:
        change = update(db.sessions).where(_S.token_hash == token, _S.made_at <= before)
        return await self.change(change.values(made_at=now)) == 1

    async def add_return(self, person: str, token: str, expires: int, by: str = "") -> None:
        there = select(_S.token_hash).where(_S.token_hash == by)
        link = {"token_hash": token, "person": person, "expires": expires}

        def work(connection: Connection) -> None:
            locked(connection, person)
            if not by or connection.execute(there).first() is not None:
                connection.execute(insert(db.returns).values(link))

        await self.do(work)

    async def take_return(self, token: str, now: int, fresh: Token | None = None) -> Who | None:
        def work(connection: Connection) -> Who | None:
            person = connection.scalar(select(_R.person).where(_R.token_hash == token))
            who = None if person is None else locked(connection, person)
            # Of two who take it at once, the second finds nothing to delete.
            taken = delete(db.returns).where(_R.token_hash == token).returning(_R.expires)
            expires = connection.scalar(taken)
            connection.execute(delete(db.returns).where(_R.expires <= now))
            if who is None or expires is None or expires <= now:
                return None
            if fresh is not None:
                _add(connection, who.id, fresh)
            return who

        return await self.do(work)

    async def passkeys(self, person: str) -> list[Passkey]:
        return await self.look(lambda line: _passkeys(line, person=person))

    async def passkey(self, credential: str) -> Passkey | None:
        found = await self.look(lambda line: _passkeys(line, credential=credential))
        return next(iter(found), None)

    async def add_passkey(self, passkey: Passkey, spent: Challenge, by: str, most: int) -> bool:
        def work(connection: Connection) -> bool:
            who = locked(connection, passkey.person)
            there = connection.execute(select(_S.person).where(_S.token_hash == by)).first()
            own = select(func.count()).select_from(db.passkeys).where(_P.person == passkey.person)
            if who is None or there is None or (connection.scalar(own) or 0) >= most:
                return False
            if _passkeys(connection, credential=passkey.credential):
                return False
            if not _spend(connection, spent, passkey.made):
                return False
            fields = dict(zip((column.name for column in _P), passkey, strict=True))
            connection.execute(insert(db.passkeys).values(fields))
            return True

        return await self.do(work)

    async def use_passkey(
        self, credential: str, count: int, since: int, spent: Challenge, fresh: Token
    ) -> Who | None:
        def work(connection: Connection) -> Who | None:
            person = connection.scalar(select(_P.person).where(_P.credential == credential))
            who = None if person is None else locked(connection, person)
            # Read only now: another answer may have been taken in the meantime.
            found = next(iter(_passkeys(connection, credential=credential)), None)
            if who is None or found is None or not goes_on(found.counted, count):
                return None
            lately = or_(*(exists().where(t.person == who.id, t.made_at > since) for t in _SEEN))
            if found.used <= since and not connection.scalar(select(lately)):
                return None
            if not _spend(connection, spent, fresh.used):
                return None
            change = update(db.passkeys).where(_P.credential == credential)
            connection.execute(change.values(count=count, used_at=fresh.used))
            _add(connection, who.id, fresh)
            return who

        return await self.do(work)


def locked(connection: Connection, person: str) -> Who | None:
    """Return a person, whose sessions nobody else ends or makes until the transaction ends."""
    p = db.people.c
    query = select(p.person, p.name).where(p.person == person).with_for_update()
    row = connection.execute(query).first()
    return None if row is None else Who(row[0], row[1])


def expired(connection: Connection, since: int, now: int) -> bool:
    """Delete what has expired, see `Store.expire`; return whether there was any."""
    ways = (db.sessions, db.returns, db.passkeys)
    known = union(*(select(table.c.person) for table in ways))
    people, keys = select(db.people.c.person), db.passkeys.c
    idle = (keys.person.not_in(select(t.person).where(t.made_at > since)) for t in _SEEN)
    old = (
        delete(db.sessions).where(_S.made_at <= since),
        delete(db.passkeys).where(keys.used_at <= since, *idle),
        delete(db.returns).where(_R.expires <= now),
        delete(db.reports).where(db.reports.c.at <= since),
        delete(db.people).where(db.people.c.person.not_in(known)),
        delete(db.attempts).where(db.attempts.c.person.not_in(people)),
        delete(db.mistakes).where(db.mistakes.c.person.not_in(select(keys.person))),
        delete(db.sheets).where(db.sheets.c.person.not_in(people)),
        *(
            delete(table).where(table.c.person.not_in(people))
            for table in (db.rated, db.rated_strangers)
        ),
        delete(db.sheet_entries).where(_E.code.not_in(select(db.sheets.c.code))),
        update(db.sheet_entries)
        .where(_E.person != "", _E.person.not_in(people))
        .values(person="", name=""),
        delete(db.blocks).where(or_(*(one.not_in(people) for one in db.blocks.c))),
    )
    # All of them, in this order: people without a way back are deleted.
    return sum(connection.execute(change).rowcount for change in old) > 0


def forget(connection: Connection, person: str) -> None:
    """Delete a person, and all that is theirs alone."""
    locked(connection, person)
    ways, said = (
        (db.sessions, db.passkeys, db.returns),
        (db.attempts, db.mistakes, db.rated, db.rated_strangers, db.blocks),
    )
    for table in (*ways, *said, db.people):
        connection.execute(delete(table).where(table.c.person == person))
    connection.execute(delete(db.blocks).where(db.blocks.c.blocked == person))
    own = select(db.sheets.c.code).where(db.sheets.c.person == person)
    connection.execute(delete(db.sheet_entries).where(_E.code.in_(own)))
    connection.execute(delete(db.sheets).where(db.sheets.c.person == person))
    written = update(db.sheet_entries).where(_E.person == person)
    connection.execute(written.values(person="", name=""))
    silence(connection, person)


def silence(connection: Connection, person: str) -> None:
    """Delete what a person wrote in reports, those too that came late."""
    reports = update(db.reports).where(db.reports.c.person == person)
    connection.execute(reports.values(reason=""))


def secret(connection: Connection, rows: LogRows, name: str, fresh: str) -> str:
    """Return the secret of that name; where there is none yet, it is `fresh`."""
    rows.once(connection, db.secrets, name=name, secret=fresh)
    return secret_of(connection, name) or fresh


def secret_of(connection: Connection, name: str) -> str | None:
    """Return the secret of that name; None where there is none yet."""
    s = db.secrets.c
    return connection.scalar(select(s.secret).where(s.name == name))


def _holder(connection: Connection, token: str, since: int) -> tuple[Who, int] | None:
    """Return the person of a token, if it is valid since later than `since`, and since when."""
    row = connection.execute(_HOLDER, {"token": token, "since": since}).first()
    return None if row is None else (Who(row[0], row[1]), row[2])


def _add(connection: Connection, person: str, token: Token) -> None:
    """Store another token of a person."""
    line = {"token_hash": token.hash, "person": person, "made_at": token.used}
    made = insert(db.sessions).values({**line, "begun": token.begun, "device": token.device})
    connection.execute(made)


def _passkeys(connection: Connection, **found: str) -> list[Passkey]:
    """Return the passkeys that have such fields, the oldest first."""
    query = select(db.passkeys).filter_by(**found).order_by(_P.made_at, _P.credential)
    return [Passkey(*row) for row in connection.execute(query)]


def _spend(connection: Connection, challenge: Challenge, now: int) -> bool:
    """Note that a challenge was answered; return whether it had not been."""
    p = db.spent.c
    # Not at once: a clock may be set back.
    connection.execute(delete(db.spent).where(p.expires <= now - DAY))
    if connection.execute(select(p.challenge).where(p.challenge == challenge.text)).first():
        return False
    connection.execute(insert(db.spent).values(challenge=challenge.text, expires=challenge.expires))
    return True
