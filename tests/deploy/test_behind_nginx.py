"""The lines for nginx of the page on servers, run in nginx."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import httpx
import pytest
from tests.server.http.served import QUICK, Served, line, served, spare_port, wait_for

from rookery.server.http.ratelimit import RATES, Buckets, Rate

PAGE: Final = Path(__file__).parents[2] / "docs" / "how-to" / "run-a-server.md"
LIMITED: Final = dict(RATES) | {"person": Rate(1, 3600, 3)}
KINDS: Final = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def lines() -> str:
    """Return what the page has for nginx's `server` block."""
    return PAGE.read_text("utf-8").partition("\n```nginx\n")[2].partition("```\n")[0]


def program() -> str:
    """Return where nginx is; Debian keeps it where only root looks."""
    found = shutil.which("nginx", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
    if found is None:
        if os.environ.get("CI"):
            pytest.fail("this test needs nginx; scripts/debian installs it")
        pytest.skip("no nginx here; scripts/debian installs it")
    return found


@contextlib.contextmanager
def behind(folder: Path) -> Iterator[Served]:
    """Run a server behind nginx, with what the page says, and yield what browsers see of it."""
    nginx, port = program(), spare_port()
    url = f"http://127.0.0.1:{port}"
    with served(public_url=url, buckets=Buckets(LIMITED)) as inside:
        said = lines().replace("http://127.0.0.1:8000", inside.url)
        assert said != lines()
        assert said.count("_timeout 10s;") == 2
        said = said.replace("_timeout 10s;", "_timeout 1s;")  # so that tests need not wait as long
        places = "".join(f"{kind}_temp_path {folder / kind};\n" for kind in KINDS)
        text = (
            f"{'user root;' if os.geteuid() == 0 else ''}\n"
            f"daemon off;\npid {folder}/pid;\nerror_log {folder}/error.log;\nevents {{}}\n"
            f"http {{\n{places}access_log {folder}/access.log;\n"
            f"server {{\nlisten 127.0.0.1:{port};\n{said}}}\n}}\n"
        )
        config = folder / "nginx.conf"
        config.write_text(text)
        words = [nginx, "-p", str(folder), "-c", str(config), "-e", str(folder / "error.log")]
        tried = subprocess.run([*words, "-t"], capture_output=True, text=True, check=False)
        assert tried.returncode == 0, tried.stderr
        assert "warn" not in tried.stderr
        running = subprocess.Popen(words)
        outside = Served(url, inside.registry)
        try:
            wait_for(lambda: _answers(port))
            yield outside
        finally:
            for browser in outside.open:
                browser.close()
            running.terminate()
            running.wait(60)


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def test_a_page_and_a_socket_come_through_nginx(tmp_path: Path) -> None:
    with behind(tmp_path) as here:
        ann = here.browser("Ann")
        page = ann.get("/static/app.js")
        assert page.headers["content-encoding"] == "gzip"  # once: it can be read
        assert "import" in page.text
        assert len(page.headers.get_list("content-security-policy")) == 1
        code = ann.post("/api/tables", json={"rules": QUICK}).json()["code"]

        async def story() -> None:
            async with line(here, ann, code) as table:
                assert (await table.do(type="start"))["type"] == "ack"

        asyncio.run(story())


def test_of_where_they_come_from_nobody_is_believed_through_nginx(tmp_path: Path) -> None:
    with behind(tmp_path) as here:

        def asked(number: int) -> int:
            told = {"x-forwarded-for": f"198.51.100.{number}", "forwarded": "for=192.0.2.9"}
            browser = here.browser()
            return browser.post("/api/session", json={"name": "Ann"}, headers=told).status_code

        assert [asked(number) for number in range(4)] == [200, 200, 200, 429]


def test_nginx_passes_other_names_on_and_writes_down_no_link(tmp_path: Path) -> None:
    with behind(tmp_path) as here:
        browser = here.browser()
        assert browser.get("/", headers={"host": "evil.example"}).status_code == 421
        assert browser.get("/return/abcdefgh").status_code == 200
    assert "abcdefgh" not in "".join(p.read_text() for p in tmp_path.glob("*.log"))


def test_a_request_whose_head_does_not_arrive_is_not_waited_for_by_nginx(tmp_path: Path) -> None:
    with behind(tmp_path) as here:
        address = httpx.URL(here.url)
        with socket.create_connection((address.host, address.port or 80), 30) as half:
            half.sendall(b"GET / HTTP/1.1\r\nHost: ")
            assert half.recv(4096) == b""
