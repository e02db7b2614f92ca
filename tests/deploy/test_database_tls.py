"""A server talks to its database and to nobody else who answers in its place."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.deploy.stacks import resources
from tests.server.core.tables import running
from tests.server.growth.engines import Postgres, found, postgres

from rookery.server.store.base import StoreError
from rookery.server.store.postgres import PostgresStore

CURVE = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2")


def certificate(folder: Path, name: str, *more: str) -> Path:
    """Make a certificate and its key; return the certificate's file."""
    file, key = folder / f"{name}.pem", folder / f"{name}.key"
    command = [found("openssl"), "req", "-x509", *CURVE, "-subj", f"/CN={name}"]
    subprocess.run([*command, "-keyout", key, "-out", file, *more], check=True, capture_output=True)
    return file


@pytest.fixture(scope="module")
def elephant() -> Iterator[Postgres]:
    """Run a database whose certificate is of an authority of ours, for ``localhost`` alone."""
    with postgres() as engine:
        folder = engine.folder
        ours = certificate(folder, "ours")
        certificate(folder, "theirs")
        signed = ("-CA", str(ours), "-CAkey", str(ours.with_suffix(".key")))
        server = certificate(folder, "server", *signed, "-addext", "subjectAltName=DNS:localhost")
        key = server.with_suffix(".key")
        key.chmod(0o600)
        owner = (folder / "data").stat()
        for file in (server, key):
            shutil.chown(file, owner.st_uid, owner.st_gid)
        with engine.line() as line:
            line.execute(f"ALTER SYSTEM SET ssl_cert_file = '{server}'")
            line.execute(f"ALTER SYSTEM SET ssl_key_file = '{key}'")
            line.execute("ALTER SYSTEM SET ssl = on")
        engine.stop()
        engine.start()
        yield engine


def url(engine: Postgres, authority: str, host: str = "localhost") -> str:
    """Return the address that a server in AWS gets, with its gaps filled in."""
    text: str = resources()["OwnerUrl"]["Properties"]["SecretString"]["Fn::Sub"]
    gaps = {
        "{{resolve:secretsmanager:${DatabasePassword}}}": "password",
        "${Database.Endpoint.Address}": host,
        "${Database.Endpoint.Port}": str(engine.port),
        "/rookery?": "/postgres?",
        "/opt/rookery/rds.pem": str(engine.folder / f"{authority}.pem"),
    }
    for gap, value in gaps.items():
        assert gap in text
        text = text.replace(gap, value)
    return text


def test_it_comes_to_the_database_whose_certificate_is_right(elephant: Postgres) -> None:
    async def scene() -> None:
        store = PostgresStore(url(elephant, "ours"))
        query = "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)"
        here = f"{query} WHERE application_name = 'rookery'"
        assert await store.look(lambda line: line.exec_driver_sql(here).scalar()) is True
        await store.close()

    running(scene)


@pytest.mark.parametrize(
    ("authority", "host", "told"),
    [
        ("theirs", "localhost", "certificate verify failed"),
        ("ours", "127.0.0.1", 'does not match host name "127.0.0.1"'),
        ("none", "localhost", "none.pem.* does not exist"),
    ],
)
def test_it_refuses_one_whose_certificate_is_not(
    authority: str, host: str, told: str, elephant: Postgres
) -> None:
    wanted = url(elephant, authority, host)
    with pytest.raises(StoreError, match=told):
        PostgresStore(wanted)
    # The control: it is there, and whoever only asks for encryption takes it.
    unchecked, _, _ = wanted.partition("?")
    running(PostgresStore(f"{unchecked}?sslmode=require").close)
