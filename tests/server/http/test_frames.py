"""Frames that are no messages: pings, their answers, and further parts of a message."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from tests.server.http.served import Line, Served, line, served, table_for
from websockets.exceptions import ConnectionClosed

from rookery.server.http import protocols


@pytest.mark.parametrize("frame", ["ping", "pong", "cont"])
def test_frames_that_are_no_messages_have_a_limit_too(frame: str) -> None:
    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        async with line(here, ann, table_for(ann)) as one:
            for number in range(protocols.FRAMES // 4):
                await sent(one, frame, number)
            assert (await one.do(type="chat", text="peace"))["type"] == "ack"
            with contextlib.suppress(ConnectionClosed):
                for number in range(protocols.FRAMES):
                    await sent(one, frame, number)
            # Whoever counts frames does not wait for the end of a closing handshake.
            with pytest.raises(ConnectionClosed) as ended:
                await one.hear_type("nothing")
            assert ended.value.rcvd is None

    async def sent(one: Line, frame: str, number: int) -> None:
        if frame == "cont":
            await one.socket.send(["{", f'"type":"chat","id":"c{number}","text":"x"', "}"])
        else:
            await getattr(one.socket, frame)(f"{number}")

    with served() as here:
        asyncio.run(story(here))
