"""The role by which servers use a PostgreSQL database: it reads and changes rows, and owns nothing.

The tables' owner makes it when it upgrades the database. A server that was taken over can then
change neither the tables themselves nor which version they have.
"""

from __future__ import annotations

import re
from typing import Any, Final

from sqlalchemy import Connection, text

from rookery.server.store.base import StoreError
from rookery.server.store.postgres import address

# What servers do with the rows of each table, and nothing else.
RIGHTS: Final = {
    "alembic_version": "SELECT",
    "attempts": "SELECT, INSERT, UPDATE, DELETE",
    "blocks": "SELECT, INSERT, DELETE",
    "clock": "SELECT, UPDATE",
    "events": "SELECT, INSERT, UPDATE, DELETE",
    "forgotten": "SELECT, INSERT, UPDATE, DELETE",
    "mistakes": "SELECT, INSERT, UPDATE, DELETE",
    "passkeys": "SELECT, INSERT, UPDATE, DELETE",
    "people": "SELECT, INSERT, UPDATE, DELETE",
    "rated": "SELECT, INSERT, DELETE",
    "rated_matches": "SELECT, INSERT, DELETE",
    "rated_strangers": "SELECT, INSERT, UPDATE, DELETE",
    "reports": "SELECT, INSERT, UPDATE, DELETE",
    "returns": "SELECT, INSERT, DELETE",
    "seated": "SELECT, INSERT, DELETE",
    "secrets": "SELECT, INSERT",
    "servers": "SELECT, INSERT, UPDATE, DELETE",
    "sessions": "SELECT, INSERT, UPDATE, DELETE",
    "sheet_entries": "SELECT, INSERT, UPDATE, DELETE",
    "sheets": "SELECT, INSERT, UPDATE, DELETE",
    "spent": "SELECT, INSERT, DELETE",
    "spoke": "SELECT, INSERT, DELETE",
    "tables": "SELECT, INSERT, UPDATE, DELETE",
    "timeline": "SELECT, UPDATE",
}
_NAME: Final = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_MAINTAIN: Final = 170_000  # server_version_num from which VACUUM is a right that can be given
_TOO_MUCH: Final = text("""
    SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls
        OR pg_has_role(oid, current_user, 'MEMBER')
        OR EXISTS (SELECT FROM pg_shdepend WHERE refobjid = r.oid AND deptype = 'o')
    FROM pg_roles r WHERE rolname = :name
""")


def admit(connection: Connection, url: str) -> str:
    """Give servers that come by the address `url` their role; return its name.

    It is made with the address's password, or gets it in place of its old one.

    Raises:
        StoreError: the address names no role that is fit for servers.
    """
    there = address(url)
    name = there.username or ""
    if not _NAME.fullmatch(name):
        raise StoreError(f"{name!r} is no name of a role; expected one such as rookery_server")
    too_much = connection.scalar(_TOO_MUCH, {"name": name})
    if too_much:
        raise StoreError(f"the role {name} may do more than servers need; expected a new one")
    verb = "CREATE" if too_much is None else "ALTER"
    connection.exec_driver_sql(f"{verb} ROLE {name} LOGIN{_password(connection, there.password)}")
    schema = connection.scalar(text("SELECT quote_ident(current_schema())"))
    if connection.scalar(text(f"SELECT has_schema_privilege('{name}', '{schema}', 'CREATE')")):
        connection.exec_driver_sql(f"REVOKE CREATE ON SCHEMA {schema} FROM PUBLIC, {name}")
    connection.exec_driver_sql(f"GRANT USAGE ON SCHEMA {schema} TO {name}")
    connection.exec_driver_sql(f"REVOKE ALL ON ALL TABLES IN SCHEMA {schema} FROM PUBLIC, {name}")
    version = int(connection.scalar(text("SHOW server_version_num")) or 0)
    for table, rights in RIGHTS.items():
        more = ", MAINTAIN" if version >= _MAINTAIN and "DELETE" in rights else ""
        connection.exec_driver_sql(f"GRANT {rights}{more} ON {schema}.{table} TO {name}")
    return name


def _password(connection: Connection, password: Any) -> str:  # noqa: ANN401  (a word or an object)
    """Return the clause that sets a password: its proof alone, as a log may have the statement."""
    if not password:
        return ""
    line: Any = connection.connection.dbapi_connection
    proof = line.pgconn.encrypt_password(str(password).encode(), b"", b"scram-sha-256")
    return f" PASSWORD '{proof.decode('ascii')}'"
