"""The page on growth says what the kept results give, and no figure of its own."""

from __future__ import annotations

import re

from tests.deploy.million import PAGE, Assumed, Measured, filled, kept, needed, simulated


def test_the_page_is_what_the_results_give() -> None:
    page = PAGE.read_text("utf-8")
    assert filled(page, kept(), simulated()) == page
    # The control: with another result it is another page.
    assert filled(page, kept()._replace(disk=900), simulated()) != page


def test_what_is_reckoned_can_be_reckoned_by_hand() -> None:
    found = kept()._replace(
        table_kib=64, socket_kib=32, process_mib=80, disk=100, wire=1_000, search_ms=5.0,
        search_mib=512.0,
    )  # fmt: skip
    assert isinstance(found, Measured)
    seen = {"people": 8_000, "servers": 4, "databases": 2, "database_cores": 3, "events": 1_000}
    eight = needed(found, Assumed(share=0.25), seen)
    assert eight.tables == 2_000
    # One seat in ten of 1,000 events: 100 decisions of 5 ms, which half of a core does.
    assert (eight.search_decisions, eight.search_cores, eight.search_gib) == (100, 1.0, 0.5)
    assert eight.dollars["bots that search"] == 730 * (0.04048 + 1.3 * 0.5 * 0.004445)
    assert eight.out_gbit == 4 * 8 * 1_000 * 1_000 / 1e9
    # Of four servers one is the right one: 7 of 4 sockets.
    assert eight.memory_gib == (8_000 * 1.75 * 32 + 2_000 * 64) / 1024**2 + 4 * 80 / 1024
    assert eight.dollars["databases, each in two zones"] == 730 * 2 * 6 * 0.13
    assert round(eight.dollars["what players are sent"], 6) == round(
        1_000 * 4e6 * 0.25 * 730 * 3600 / 1e12 * 0.05, 6
    )


def test_what_breaks_first_comes_first() -> None:
    rows = re.findall(r"^\| ([\d,]+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    found = [int(row.replace(",", "")) for row in rows]
    assert len(found) > 5
    assert found == sorted(found)
