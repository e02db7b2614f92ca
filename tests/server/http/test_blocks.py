"""Whom somebody blocks at one table they hear at none."""

from __future__ import annotations

import asyncio

from tests.server.http.served import line, served, table_for


def test_who_is_blocked_at_one_table_is_heard_at_no_other_that_is_open_already() -> None:
    async def story() -> None:
        with served() as here:
            ann, bob, eve = here.browser("Ann"), here.browser("Bob"), here.browser("Eve")
            one, other = table_for(ann), table_for(ann)
            async with (
                line(here, ann, one) as ann_here,
                line(here, ann, other) as ann_there,
                line(here, eve, other) as eve_there,
                line(here, bob, one) as bob_here,
                line(here, bob, other) as bob_there,
            ):
                assert (await bob_here.do(type="sit"))["type"] == "ack"
                await bob_there.do(type="chat", text="before")
                assert (await ann_here.do(type="block", seat=1))["type"] == "ack"
                await bob_there.do(type="chat", text="after")
                await eve_there.do(type="chat", text="the end")
                for who, heard in ((ann_there, ["before"]), (eve_there, ["before", "after"])):
                    while (await who.hear_type("chat"))["text"] != "the end":
                        pass
                    said = [one["text"] for one in who.heard if one["type"] == "chat"]
                    assert said == [*heard, "the end"]

    asyncio.run(story())
