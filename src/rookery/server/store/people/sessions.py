"""Sessions, return links and passkeys: who is signed in, how they come back, and until when.

What ends sessions, and what makes others by way of them, first locks the row of the person. So
nobody who is being signed out gets away by a link or a passkey that is on its way in or out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from sqlalchemy import (
    Connection,
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


def holder(connection: Connection, token: str, since: int) -> tuple[Who, int] | None:
    """Return the person of a token, if it is valid since later than `since`, and since when."""
    row = connection.execute(_HOLDER, {"token": token, "since": since}).first()
    return None if row is None else (Who(row[0], row[1]), row[2])


def visitor(connection: Connection, token: str, since: int) -> Visitor | None:
    """Return the person of a token, with what a socket needs to know."""
    found = holder(connection, token, since)
    if found is None:
        return None
    return Visitor(*found, frozenset(connection.scalars(_BLOCKED, {"person": found[0].id})))


def apart(connection: Connection, person: str, others: Collection[str]) -> set[str]:
    """Return those of the others whom a person has blocked, or who have blocked the person."""
    b = db.blocks.c
    mine = select(b.blocked).where(b.person == person, b.blocked.in_(others))
    theirs = select(b.person).where(b.blocked == person, b.person.in_(others))
    return set(connection.scalars(union(mine, theirs)))


def locked(connection: Connection, person: str) -> Who | None:
    """Return a person, whose sessions nobody else ends or makes until the transaction ends."""
    p = db.people.c
    query = select(p.person, p.name).where(p.person == person).with_for_update()
    row = connection.execute(query).first()
    return None if row is None else Who(row[0], row[1])


def add(connection: Connection, person: str, token: Token) -> None:
    """Store another token of a person."""
    line = {"token_hash": token.hash, "person": person, "made_at": token.used}
    made = insert(db.sessions).values({**line, "begun": token.begun, "device": token.device})
    connection.execute(made)


def drop(connection: Connection, token: str) -> None:
    """Delete a token; that its person was here stays known, for who comes back by a passkey."""
    person, p = connection.scalar(select(_S.person).where(_S.token_hash == token)), db.people.c
    if person is None:
        return
    locked(connection, person)
    gone = delete(db.sessions).where(_S.token_hash == token).returning(_S.made_at)
    if (used := connection.scalar(gone)) is not None:
        seen = update(db.people).where(p.person == person, p.made_at < used)
        connection.execute(seen.values(made_at=used))


def listed(connection: Connection, person: str, since: int, most: int) -> list[Token]:
    """Return a person's tokens that are valid since later than `since`, latest used first."""
    query = select(_S.token_hash, _S.begun, _S.made_at, _S.device)
    query = query.where(_S.person == person, _S.made_at > since)
    query = query.order_by(_S.made_at.desc(), _S.token_hash).limit(most)
    return [Token(*row) for row in connection.execute(query)]


def ended(connection: Connection, person: str, but: str, only: str) -> list[str]:
    """Delete a person's tokens but one, and all their return links; return the deleted tokens."""
    locked(connection, person)
    connection.execute(delete(db.returns).where(_R.person == person))
    others = delete(db.sessions).where(_S.person == person, _S.token_hash != but)
    others = others.where(_S.token_hash.startswith(only, autoescape=True))
    return list(connection.scalars(others.returning(_S.token_hash)))


def valid(connection: Connection, tokens: Collection[str], since: int) -> set[str]:
    """Return those of the tokens that are there, and valid since later than `since`."""
    asked, found = sorted(tokens), set[str]()
    for at in range(0, len(asked), _ASKED):
        query = select(_S.token_hash).where(_S.token_hash.in_(asked[at : at + _ASKED]))
        found |= set(connection.scalars(query.where(_S.made_at > since)))
    return found


def add_link(connection: Connection, link: Mapping[str, object], by: str) -> None:
    """Store a return link, unless it was asked for `by` a session that is over."""
    locked(connection, str(link["person"]))
    there = select(_S.token_hash).where(_S.token_hash == by)
    if not by or connection.execute(there).first() is not None:
        connection.execute(insert(db.returns).values(link))


def take_link(connection: Connection, token: str, now: int, fresh: Token | None) -> Who | None:
    """Use up a return link; return its person, who has the token `fresh` from then on."""
    person = connection.scalar(select(_R.person).where(_R.token_hash == token))
    who = None if person is None else locked(connection, person)
    # Of two who take it at once, the second finds nothing to delete.
    taken = delete(db.returns).where(_R.token_hash == token).returning(_R.expires)
    expires = connection.scalar(taken)
    connection.execute(delete(db.returns).where(_R.expires <= now))
    if who is None or expires is None or expires <= now:
        return None
    if fresh is not None:
        add(connection, who.id, fresh)
    return who


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


def passkeys(connection: Connection, **found: str) -> list[Passkey]:
    """Return the passkeys that have such fields, the oldest first."""
    query = select(db.passkeys).filter_by(**found).order_by(_P.made_at, _P.credential)
    return [Passkey(*row) for row in connection.execute(query)]


def add_passkey(
    connection: Connection, passkey: Passkey, spent: Challenge, by: str, most: int
) -> bool:
    """Store a passkey; return whether that was done, see `Store.add_passkey`."""
    who = locked(connection, passkey.person)
    there = connection.execute(select(_S.person).where(_S.token_hash == by)).first()
    own = select(func.count()).select_from(db.passkeys).where(_P.person == passkey.person)
    if who is None or there is None or (connection.scalar(own) or 0) >= most:
        return False
    if passkeys(connection, credential=passkey.credential) or not _spend(
        connection, spent, passkey.made
    ):
        return False
    fields: dict[str, Any] = dict(zip((column.name for column in _P), passkey, strict=True))
    connection.execute(insert(db.passkeys).values(fields))
    return True


def use_passkey(
    connection: Connection, credential: str, count: int, since: int, spent: Challenge, fresh: Token
) -> Who | None:
    """Sign a person in by a passkey; return the person, see `Store.use_passkey`."""
    person = connection.scalar(select(_P.person).where(_P.credential == credential))
    who = None if person is None else locked(connection, person)
    # Read only now: another answer may have been taken in the meantime.
    found = next(iter(passkeys(connection, credential=credential)), None)
    if who is None or found is None or not goes_on(found.counted, count):
        return None
    lately = or_(*(exists().where(t.person == who.id, t.made_at > since) for t in _SEEN))
    if found.used <= since and not connection.scalar(select(lately)):
        return None
    if not _spend(connection, spent, fresh.used):
        return None
    change = update(db.passkeys).where(_P.credential == credential)
    connection.execute(change.values(count=count, used_at=fresh.used))
    add(connection, who.id, fresh)
    return who


def _spend(connection: Connection, challenge: Challenge, now: int) -> bool:
    """Note that a challenge was answered; return whether it had not been."""
    p = db.spent.c
    # Not at once: a clock may be set back.
    connection.execute(delete(db.spent).where(p.expires <= now - DAY))
    if connection.execute(select(p.challenge).where(p.challenge == challenge.text)).first():
        return False
    connection.execute(insert(db.spent).values(challenge=challenge.text, expires=challenge.expires))
    return True
