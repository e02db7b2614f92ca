"""The page on growth says what the kept results give, and no figure of its own."""

from __future__ import annotations

import re

from tests.deploy.million import PAGE, Assumed, Measured, filled, kept, needed


def test_the_page_is_what_the_results_give() -> None:
    page = PAGE.read_text("utf-8")
    assert filled(page, kept()) == page
    # The control: with another result it is another page.
    assert filled(page, kept()._replace(commits=9_000)) != page


def test_twice_the_people_take_twice_of_everything() -> None:
    one, two = (needed(kept(), Assumed(people=people)) for people in (100_000, 200_000))
    for name in one._fields[:-1]:
        assert abs(getattr(two, name) / getattr(one, name) - 2) < 1e-9, name


def test_what_is_reckoned_can_be_reckoned_by_hand() -> None:
    search = {"search_ms": 5.0, "search_mib": 512.0}
    found = Measured(
        core_ms=1.0, commits=1_000, table_kib=64, disk=100, wire=1_000, hand=50, **search
    )
    eight = needed(found, Assumed(people=8_000))
    assert (eight.tables, eight.events, eight.cores) == (2_000, 1_000, 2.0)
    assert eight.databases == 1.0
    # One seat in ten of 1,000 events: 100 decisions of 5 ms, which half of a core does.
    assert (eight.search_decisions, eight.search_cores, eight.search_gib) == (100, 1.0, 0.5)
    assert eight.dollars["bots that search"] == 730 * (0.04048 + 1.3 * 0.5 * 0.004445)
    assert eight.out_gbit == 4 * 8 * 1_000 * 1_000 / 1e9
    assert eight.memory_gib == (8_000 * 60 + 2_000 * 64) / 1024**2
    hours = 730
    assert eight.dollars["databases"] == hours * 4 * 0.13
    assert round(eight.dollars["what players are sent"], 6) == round(
        1_000 * 4e6 * 0.25 * hours * 3600 / 1e12 * 0.05, 6
    )


def test_what_breaks_first_comes_first() -> None:
    rows = re.findall(r"^\| ([\d,]+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    found = [int(row.replace(",", "")) for row in rows]
    assert len(found) > 5
    assert found == sorted(found)
