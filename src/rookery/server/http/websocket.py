"""The socket of a table: who may open it, what it takes, how fast, and how it ends."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from rookery.server.api.problems import Problem
from rookery.server.api.state import AppState
from rookery.server.bots.program import NAME, BotLine
from rookery.server.cluster.relay import HOUSEHOLD, relay
from rookery.server.http.dependencies import addresses_of, cookie_of, known, state_of
from rookery.server.http.handshake import home_of, refusal_of, refuse, relayed, too_many
from rookery.server.http.protocols import SAY
from rookery.server.http.ratelimit import OVER_BEFORE_CUT, Payer, household, kind_of_command
from rookery.server.live.actor import MOVED, Actor
from rookery.server.live.connection import TOO_SLOW, Connection, Frame, heard
from rookery.server.live.sockets import (
    CLOSINGS,
    NO_HELLO,
    NO_PROTOCOL,
    NO_SESSION,
    NO_STORE,
    NO_TABLE,
    NOT_OVER,
    RESTARTS,
    TOO_FAST,
)
from rookery.server.monitoring.security import kind_of_act
from rookery.server.store.base import Leaving, StoreError, Visitor
from rookery.server.table import commands as cm
from rookery.server.table import messages as ms
from rookery.server.table.events import tag
from rookery.server.table.refusals import CODES
from rookery.server.table.state import Who
from rookery.server.work import ACCOUNT, metered, within

log = logging.getLogger(__name__)

SOCKET_CODES: Final = CODES | {"too-fast"}
HELLO_WAIT: Final = 10.0  # seconds
WRITE_WAIT: Final = 5.0
MOVE_WAIT: Final = 20.0  # how long a table may take to move from a server that is gone
MOVE_EVERY: Final = 0.3
MESSAGE: Final = 0.0001  # seconds of a core for what no meter sees of a message
AGAIN: Final = 1.0  # seconds until a program's seat tries again what a table could not do
NO_TEXT: Final = 1007  # how the library ends a socket on which a text came that is no UTF-8
AT_ONCE: Final = 0.001  # a message that comes so soon had been waiting behind another one


async def table_socket(socket: WebSocket) -> None:
    """Serve one socket from its handshake to its end."""
    state, home = state_of(socket), home_of(socket)
    # Whoever waits to be let in has a place already: so nobody has more of them waiting.
    if not state.sockets.households.take(home):
        await refuse(socket, too_many())
        return
    try:
        await _let_in(socket, state, home)
    finally:
        state.sockets.households.give_back(home)


async def _let_in(socket: WebSocket, state: AppState, home: str | None) -> None:
    code, is_server = str(socket.path_params.get("code", "")), relayed(socket)
    if is_server:
        away = socket.headers.get(HOUSEHOLD)
        ACCOUNT.set(None if away is None else Payer(away, addresses_of(socket), patient=True))
    # Another server has already checked whatever it relays.
    try:
        refusal = None if is_server else await refusal_of(socket)
    except WebSocketDisconnect:
        return  # nobody is left to be answered
    if refusal is None and not code:
        refusal = Problem("not-found")  # it is for no table's address
    if refusal is not None:
        await refuse(socket, refusal)
        return
    try:
        async with state.sockets.door:
            await socket.accept()
            found = await known(socket, state.people.visitor, lambda one: one.who.id, home)
        if found is None:
            await _close(socket, NO_SESSION)
            return
        sent, visitor = found
        if not addresses_of(socket).buckets.take("connect", visitor.who.id):
            await _close(socket, TOO_FAST)
        elif socket.query_params.get("protocol", NAME) != NAME:
            await _close(socket, NO_PROTOCOL)
        else:
            await _admit(socket, state, code, visitor, sent.token)
    except Problem as problem:  # what wakes the table cannot be paid for
        state.registry.tally.count("refused", problem.code)
        await _close(socket, TOO_FAST)
    except Leaving:  # nothing is wrong with the store
        await _close(socket, RESTARTS)
    except StoreError as error:
        log.warning("a socket is closed, because the store fails: %s", error)
        await _close(socket, NO_STORE)


def _acted(socket: WebSocket, command: cm.Change) -> None:
    """Note what somebody has done, if it may be against others."""
    if (kind := kind_of_act(command)) is not None:
        state_of(socket).security.note(kind, home_of(socket))


def _ended(socket: WebSocket, code: int) -> None:
    """Note how a socket ends; of one that is relayed, the server that relays it knows more."""
    if not relayed(socket):
        state_of(socket).security.closed(code, household(socket.scope))


async def _admit(
    socket: WebSocket, state: AppState, code: str, visitor: Visitor, token: str
) -> None:
    actor = await _actor(socket, state, code, visitor.who, token)
    if actor is None:
        return
    # Nothing is awaited after the table was found: without a connection it may go to sleep.
    connection = actor.connect(visitor.who, visitor.blocked)
    state.sockets.opened(token, connection, actor)
    opened = _TableSocket(socket, state, actor, connection)
    reading = metered(connection.account, opened.read())
    tasks = (asyncio.create_task(reading), asyncio.create_task(opened.write()))
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        actor.disconnect(connection)
        state.sockets.closed(connection)
        connection.outbox.at_once = None  # else it and `opened` keep each other
        for task in tasks:
            task.cancel()
        for end in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(end, Exception):
                log.error("a socket of table %s failed", code, exc_info=end)


async def _actor(
    socket: WebSocket, state: AppState, code: str, who: Who, token: str
) -> Actor | None:
    """Return the table; where another server has it, relay the socket to there until it ends."""
    until = time.monotonic() + MOVE_WAIT
    while (found := await state.woken(code, who)) is not None:
        if isinstance(found, Actor):
            if await state.evenings.shows(found.table, who.id):
                return found
            await _close(socket, NOT_OVER)
            return None
        cookie = f"{cookie_of(socket).shared}={token}"
        lost = MOVED, CLOSINGS[MOVED]
        # The other server relayed the socket to here, and the table has moved since.
        if relayed(socket) or time.monotonic() > until:
            await _close(socket, MOVED)
            return None
        state.registry.relayed, home = state.registry.relayed + 1, household(socket.scope)
        code = code.strip().upper()
        gone = partial(state.registry.leases.until_gone, code, found)
        try:
            ended = partial(_ended, socket)
            if await relay(socket, code, found, cookie, lost, ended, home, gone):
                return None
        finally:
            state.registry.relayed -= 1
        # The other server does not answer. If it has gone, this one soon takes the table.
        await asyncio.sleep(MOVE_EVERY)
    await _close(socket, NO_TABLE)
    return None


class _TableSocket:
    """An open socket of a person: one task reads from it, another writes to it."""

    def __init__(
        self, socket: WebSocket, state: AppState, actor: Actor, connection: Connection
    ) -> None:
        self._socket, self._state = socket, state
        self._actor, self._connection = actor, connection
        self._buckets = addresses_of(socket).buckets
        is_program = "protocol" in socket.query_params
        self._bot = BotLine(state.registry.clock.now) if is_program else None
        self._greeted = False
        self._over = 0
        self._say: Callable[[bytes], bool] | None = socket.scope.get("extensions", {}).get(SAY)
        connection.acted = partial(_acted, socket)
        if self._say is not None and self._bot is None:
            connection.outbox.at_once = self._at_once

    def _at_once(self, frame: Frame, since: float | None) -> bool:
        """Send a message to somebody who plays, without waking `write`; return whether it was.

        This happens while somebody else's command is done. So it is not for a command that is paid
        for, nor for who watches and has to wait, and what fails here `write` meets by itself. To
        ask how much of a core it took would cost as much; `MESSAGE` has been paid for that.
        """
        plays = self._actor.table.seat_of(self._connection.who.id) is not None
        if self._say is None or not plays or ACCOUNT.get() is not None:
            return False
        try:
            if not self._say(frame.written()):
                return False
        except Exception:
            return False
        self._count(frame.message, since)
        return True

    async def write(self) -> None:
        """Send the messages of the outbox until the last one."""
        outbox = self._connection.outbox
        while True:
            message = await outbox.get()
            table, connection = self._actor.table, self._connection
            payer = connection.payer(table, message)
            if payer is not None and table.seat_of(connection.who.id) is None:
                await payer.turn()
            try:
                ends = await within(WRITE_WAIT, metered(payer, self._send(message)))
                self._count(message, outbox.since)
                if isinstance(message, ms.Closing):
                    await within(WRITE_WAIT, self._socket.close(message.code, message.reason))
                    return
                if ends:
                    await within(WRITE_WAIT, self._socket.close())
                    return
            except TimeoutError:
                await _close(self._socket, TOO_SLOW, blocked=True)
                return
            except (WebSocketDisconnect, RuntimeError):
                return

    async def _send(self, message: ms.Message) -> bool:
        """Send a message; return whether it is the last one. A program's seat acts on it."""
        if self._bot is None:
            text = self._connection.outbox.text()
            if self._say is None or not self._say(text.encode()):
                await self._socket.send_text(text)
            return isinstance(message, ms.Closing)
        answer = self._bot.translate(message)
        for command in answer.commands:
            self._actor.take(self._connection, command)
        for command in answer.again:
            asyncio.get_running_loop().call_later(AGAIN, self._again, command)
        for line in answer.lines:
            await self._socket.send_text(msgspec.json.encode(line).decode())
        return answer.ends

    def _count(self, message: ms.Message, since: float | None) -> None:
        tally = self._state.registry.tally
        if isinstance(message, ms.Refused):
            tally.count("refused", message.code)
        elif isinstance(message, ms.Closing):
            tally.count("closed", str(message.code))
            _ended(self._socket, message.code)
        elif isinstance(message, ms.Ack):
            tally.count("acks")
        if since is not None:
            took = time.monotonic() - since
            tally.took("ack" if isinstance(message, ms.Ack) else "screen", took)

    def _again(self, command: cm.Command) -> None:
        """Have the table do what it could not do a moment ago."""
        if not self._connection.outbox.ended:
            self._actor.take(self._connection, command)

    async def read(self) -> None:
        """Pass the person's commands to the table until the socket is closed."""
        if self._bot is not None:
            self._state.registry.tally.count("sockets", "program")
            self._greeted = True
            self._actor.take(self._connection, cm.Hello())
        while not self._connection.outbox.ended:
            began = time.monotonic()
            try:
                receives = self._socket.receive()
                message = await (receives if self._greeted else within(HELLO_WAIT, receives))
            except TimeoutError:
                self._end(NO_HELLO)
                continue
            if message["type"] == "websocket.disconnect":
                if message.get("code") == NO_TEXT:
                    self._state.registry.tally.count("closed", str(NO_TEXT))
                return
            now = time.monotonic()
            read = cm.read if self._bot is None else self._bot.act_of
            command = heard(message.get("text"), read, greeted=self._greeted)
            await self._pay(command)
            self._take(command)
            # A flood that is already in the buffer must not keep everybody else waiting.
            if now - began < AT_ONCE:
                async with self._state.sockets.door:
                    await asyncio.sleep(0)
        # Nothing more is read. `write` sends the last message, and its end cancels this task.
        await asyncio.Event().wait()

    async def _pay(self, command: cm.Command | ms.Refused | None) -> None:
        """Wait, for all but play, until there is processor time left to pay with."""
        if (account := self._connection.account) is not None:
            account.pay(MESSAGE)
        payer = self._connection.payer(self._actor.table, command)
        if payer is not None and not await payer.turn():
            self._end(TOO_FAST)

    def _take(self, command: cm.Command | ms.Refused | None) -> None:
        if self._connection.outbox.ended:
            return
        if command is None:
            if not self._buckets.take("play", self._connection.who.id):
                self._end(TOO_FAST)
            return
        if isinstance(command, ms.Refused):
            self._connection.outbox.put(command)
            if not self._buckets.take("garbage", self._connection.who.id):
                self._end(TOO_FAST)
            return
        if not self._buckets.take(kind_of_command(type(command)), self._connection.who.id):
            self._refuse_for_speed(command)
            return
        self._over = 0
        self._state.registry.tally.count("asked", tag(command))
        if isinstance(command, cm.Hello) and not self._greeted:
            self._state.registry.tally.count("sockets", "back" if command.seen else "first")
        self._greeted = True
        self._actor.take(self._connection, command)

    def _refuse_for_speed(self, command: cm.Command) -> None:
        asked = command.id if isinstance(command, cm.Change) else None
        seconds = self._buckets.wait(kind_of_command(type(command)), self._connection.who.id)
        refusal = ms.Refused(asked, "too-fast", f"too many messages; wait {seconds} s")
        if self._bot is not None:
            # A program answers a refusal at once with its next try.
            asyncio.get_running_loop().call_later(seconds, self._connection.outbox.put, refusal)
            return
        self._over += 1
        # Without its hello every later command is refused, though some may have been done before.
        if self._over >= OVER_BEFORE_CUT or not self._greeted:
            self._end(TOO_FAST)
            return
        self._connection.outbox.put(refusal)

    def _end(self, code: int) -> None:
        self._connection.outbox.end(code, CLOSINGS[code])


async def _close(socket: WebSocket, code: int, *, blocked: bool = False) -> None:
    """Close a socket and say why; one that is `blocked` takes no message any more."""
    state_of(socket).registry.tally.count("closed", str(code))
    _ended(socket, code)
    if blocked and socket.application_state is not WebSocketState.CONNECTED:
        return
    with suppress(TimeoutError, WebSocketDisconnect, RuntimeError):
        async with asyncio.timeout(1 if blocked else WRITE_WAIT):
            if not blocked:
                await socket.send_text(ms.encoded(ms.Closing(code, CLOSINGS[code])).decode())
            await socket.close(code, CLOSINGS[code])
