"""Sessions and return links in a database: who is signed in, and how somebody comes back.

What ends sessions, and what makes others by way of them, first locks the row of the person. So
nobody who is being signed out gets away by a link that is on its way in or out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from sqlalchemy import Connection, delete, insert, select

from rookery.server.store import schema as db
from rookery.server.store.base import Token
from rookery.server.table.state import Who

_S: Final = db.sessions.c
_R: Final = db.returns.c
_ASKED: Final = 500  # tokens in one question


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
