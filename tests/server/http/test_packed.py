"""What a socket is sent deflated is what it was sent, and costs no more memory than is said."""

from __future__ import annotations

import asyncio
import json
import zlib
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.server.core.renewed import renew
from tests.server.http.served import PATIENCE, Served, cookies, first_legal, served, table_for
from tests.server.http.test_paced import ASKED, Scene
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import NegotiationError
from websockets.extensions import Extension
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory
from websockets.frames import Frame, Opcode
from websockets.typing import Origin

from rookery.server.http.packed import GAME, KEPT, PACKING, SHORT, WINDOW, WRITTEN, Packed
from rookery.server.table.commands import LONGEST

OFFER = b"\r\nSec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n\r\n"


def agreed(client: ClientPerMessageDeflateFactory) -> tuple[Packed, Extension]:
    """Return both ends of a line whose client offers this."""
    answer, ours = PACKING.process_request_params(client.get_request_params(), [])
    assert isinstance(ours, Packed)
    return ours, client.process_response_params(answer, [])


def read(frame: Frame, theirs: Extension) -> bytes:
    return bytes(theirs.decode(frame, max_size=None).data)


HINT = b'{"type":"hint",'
OFFERS = st.builds(
    ClientPerMessageDeflateFactory,
    server_no_context_takeover=st.booleans(),
    client_no_context_takeover=st.booleans(),
    server_max_window_bits=st.none() | st.integers(WINDOW, 15),
    client_max_window_bits=st.none() | st.just(True) | st.integers(9, 15),
)
# Much in a message is as in the one before, or in one of long before.
PIECES = st.sampled_from([*WRITTEN, b"G5", "\u20ac".encode(), b"a" * 900])
HEADS = st.sampled_from([*GAME, b'{"type":"chat"', b'{"type":"welcome"', b""])
PARTS = st.lists(PIECES | st.binary(max_size=200), max_size=30).map(b"".join)
SAID = st.lists(st.builds(bytes.__add__, HEADS, PARTS), max_size=12)


@given(client=OFFERS, said=SAID)
def test_every_message_comes_as_it_was_sent(
    client: ClientPerMessageDeflateFactory, said: list[bytes]
) -> None:
    ours, theirs = agreed(client)
    for one in said:
        frame = ours.encode(Frame(Opcode.TEXT, one))
        writes = any(field in one for field in WRITTEN)
        assert frame.rsv1 == (len(one) >= SHORT and one.startswith(GAME) and not writes)
        assert read(frame, theirs) == one
        assert len(ours._last) <= KEPT
        # What they say is read as well, and nothing of it is kept.
        assert ours.decode(theirs.encode(Frame(Opcode.TEXT, one))).data == one
        assert not hasattr(ours, "decoder")


@given(client=OFFERS, said=SAID)
@example(ClientPerMessageDeflateFactory(), [b"x" * 125, HINT + bytes(126), bytes(0x10000)])
@example(ClientPerMessageDeflateFactory(), [HINT + bytes(size) for size in (80, 0x10000)])
def test_a_frame_is_as_the_library_writes_it(
    client: ClientPerMessageDeflateFactory, said: list[bytes]
) -> None:
    (ours, _), (theirs, _) = agreed(client), agreed(client)
    for one in said:
        frame = Frame(Opcode.TEXT, one).serialize(mask=False, extensions=[theirs])
        assert ours.framed(one) == frame


def test_the_control_a_message_that_refers_to_what_was_not_sent_is_not_read() -> None:
    ours, theirs = agreed(ClientPerMessageDeflateFactory())
    text, other = (HINT + bytes(range(200))[::way] + b"a change of the table" for way in (1, -1))
    assert read(ours.encode(Frame(Opcode.TEXT, text)), theirs) == text
    ours._last = other[-KEPT:]
    assert read(ours.encode(Frame(Opcode.TEXT, other)), theirs) != other


def test_a_message_like_the_one_before_takes_little() -> None:
    ours, theirs = agreed(ClientPerMessageDeflateFactory())
    sizes = []
    for number in range(3):
        text = HINT + json.dumps({"seq": number, "cards": [f"G{i}" for i in range(1, 15)]}).encode()
        frame = ours.encode(Frame(Opcode.TEXT, text))
        assert read(frame, theirs) == text
        sizes.append(len(frame.data))
    assert 3 * max(sizes[1:]) < sizes[0]


def test_whoever_keeps_nothing_is_told_so_that_it_is_not_needed() -> None:
    client = ClientPerMessageDeflateFactory(server_no_context_takeover=True)
    ours, _ = agreed(client)
    text = HINT + b"something to be kept" * 20
    first, second = (ours.encode(Frame(Opcode.TEXT, text)).data for _ in range(2))
    assert first == second
    assert ours._last == b""


def test_whoever_keeps_too_little_is_sent_all_as_it_is() -> None:
    with pytest.raises(NegotiationError):
        agreed(ClientPerMessageDeflateFactory(server_max_window_bits=WINDOW - 1))


WHOLE, BEGUN, ENDED = 0xC1, 0x41, 0x80  # a deflated message in a frame, or the first and the last


def bits(data: bytes, first: int = WHOLE) -> bytes:
    """Return a client's frame with what it has deflated; its mask changes nothing."""
    packer = zlib.compressobj(wbits=-9)
    body = packer.compress(data) + packer.flush(zlib.Z_SYNC_FLUSH)
    body = body if first == BEGUN else body[:-4]
    assert len(body) < 126, len(body)
    return bytes((first, 0x80 | len(body), 0, 0, 0, 0)) + body


def heard(*frames: bytes) -> tuple[Scene, int | None]:
    """Return a scene in which a client has said this, and with which code it was closed."""

    async def story() -> tuple[Scene, int | None]:
        scene = Scene(asked=ASKED.removesuffix(b"\r\n\r\n") + OFFER)
        await scene.accepted.wait()
        for frame in frames:
            scene.line.data_received(frame)
            for _ in range(50):
                await asyncio.sleep(0)
        scene.line.connection_lost(None)
        sent = scene.line.conn.close_sent
        return scene, None if sent is None else sent.code

    return asyncio.run(story())


def test_what_a_client_deflates_is_heard_up_to_the_longest_message() -> None:
    scene, code = heard(bits(b"{}"), bits(b" " * LONGEST), bits(b"[]"))
    assert scene.heard == ["{}", " " * LONGEST, "[]"]
    assert code is None


@pytest.mark.parametrize("size", [LONGEST + 1, 40_000])
def test_what_comes_to_more_than_a_message_ends_the_line_and_is_not_heard(size: int) -> None:
    scene, code = heard(bits(b" " * size), bits(b"[]"))
    assert (scene.heard, code) == ([], 1009)


def test_pieces_that_come_to_more_together_end_the_line_too() -> None:
    half = " " * (LONGEST // 2)
    begun = bits(half.encode(), BEGUN)
    scene, code = heard(begun, bits(half.encode(), ENDED), bits(b"[]"))
    assert (scene.heard, code) == ([half + half, "[]"], None)
    scene, code = heard(begun, bits(half.encode() + b" ", ENDED), bits(b"[]"))
    assert (scene.heard, code) == ([], 1009)


def test_what_is_no_deflated_message_ends_the_line() -> None:
    scene, code = heard(b"\xc1\x84\0\0\0\0\xff\xff\xff\xff", bits(b"[]"))
    assert (scene.heard, code) == ([], 1002)


class Counting(ClientConnection):
    """A socket that counts what comes on the wire."""

    came = 0

    def data_received(self, data: bytes) -> None:
        self.came += len(data)
        super().data_received(data)


class Reader:
    """Somebody's socket, and every table that they came to know."""

    def __init__(self, line: Counting) -> None:
        self.line, self.known = line, dict[str, Any]()
        self.tables: dict[int, dict[str, Any]] = {}

    async def hear(self) -> None:
        message = json.loads(await self.line.recv())
        if message["type"] == "welcome":
            self.known = message["table"]
        elif message["type"] == "change":
            renew(self.known, message)
            self.tables[message["seq"]] = json.loads(json.dumps(self.known))

    async def say(self, **message: object) -> None:
        await self.line.send(json.dumps(message))

    async def play(self) -> None:
        """Hear something, and do what is due then."""
        await self.hear()
        view, seq = self.known.get("view"), self.known["seq"]
        if view is None:
            return
        if view["to_act"] == self.known["you"] and view["legal"]:
            await self.say(type="act", id=f"a{seq}", action=first_legal(view), seen=seq)
        elif view["phase"] in ("done", "redealt") and self.known["you"] not in self.known["ready"]:
            await self.say(type="next", id=f"n{seq}")


def test_two_pages_of_one_person_know_the_same_and_the_deflated_one_is_sent_much_less() -> None:
    async def reader(here: Served, cookie: dict[str, str], code: str, how: str | None) -> Reader:
        line = await connect(
            f"{here.url.replace('http', 'ws', 1)}/ws/{code}",
            origin=Origin(here.url),
            additional_headers=cookie,
            compression=how,
            create_connection=Counting,
            open_timeout=PATIENCE,
            proxy=None,
        )
        assert isinstance(line, Counting)
        found = Reader(line)
        await found.say(type="hello", changes=True)
        await found.hear()
        assert found.known["code"] == code
        assert [one.name for one in line.protocol.extensions] == [Packed.name] * (how is not None)
        line.came = 0  # the whole table has names in it: it is sent as it is
        return found

    async def story(here: Served) -> None:
        ann = here.browser("Ann")
        code = table_for(ann, bots=["papa"] * 3)
        plain, short = [await reader(here, cookies(ann), code, how) for how in (None, "deflate")]
        await short.say(type="sit", id="s")
        await short.say(type="start", id="g")
        async with asyncio.timeout(PATIENCE):
            while len(short.tables) < 60:
                await short.play()
            last = max(short.tables)
            while last not in plain.tables:
                await plain.hear()
        seen = {seq: table for seq, table in plain.tables.items() if seq <= last}
        assert seen == short.tables
        # The first still has some to read, of what was told after that.
        assert short.line.came < 0.6 * plain.line.came
        for one in (plain, short):
            await one.line.close()

    with served() as here:
        asyncio.run(story(here))
