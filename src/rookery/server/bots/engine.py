"""Bots at live tables: asked off the event loop, with a deadline and a legal move in reserve."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from typing import Final, Generic, Literal, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from rookery.bots.names import Bot, table_bot
from rookery.bots.player import KernelPlayer, fallback_action
from rookery.bots.register import UnknownBot
from rookery.bots.seat_info import SeatInfo
from rookery.game import Action, Hand
from rookery.server.counters import Durations
from rookery.server.table.messages import Hint
from rookery.server.work import cancelled, executor

log = logging.getLogger("rookery.server.bots.engine")

UNATTENDED: Final = 0.2  # of a core: what bots may take at tables where nobody is
A_MOVE: Final = 0.002  # seconds of a core that a move costs the server at least
STAND_IN: Final = "club"  # decides where a bot cannot, and advises where no bot searches

State: TypeAlias = Literal["ready", "warming", "absent"]
KEPT: Final = 256  # deals of which is kept what `expert` makes of them, and as many wait
REST: Final = 60.0  # seconds until it is tried again what failed

Found = TypeVar("Found")
Played: TypeAlias = Literal["played", "working", "absent"]
OnProgress: TypeAlias = Callable[[int, int], None]


class Unanswered(Exception):
    """A bot gave no answer.

    Attributes:
        why: ``absent warming busy late gone failed``, a label for figures and for the log.
    """

    def __init__(self, why: str) -> None:
        self.why = why
        super().__init__(why)


class BotTally:
    """Counts since the server started, by the level or bot as tables name it.

    Attributes:
        times: how long decisions took, by name.
        stood_in: how often the club player decided instead, by name and reason (see
            `Unanswered`).
        hints: how many hints were given, by level.
        reviews: how many matches were reviewed, by outcome.
        given_up: how many workers were ended, by state: ``warming`` or ``stuck``.
    """

    def __init__(self) -> None:
        self.times: defaultdict[str, Durations] = defaultdict(Durations)
        self.stood_in: Counter[tuple[str, str]] = Counter()
        self.hints: Counter[str] = Counter()
        self.reviews: Counter[str] = Counter()
        self.given_up: Counter[str] = Counter()


class BotThreads:
    """Finds moves for bots, in a few threads of this process.

    `club` decides for bots that search; see `searching.Searching`.
    """

    def __init__(
        self, threads: int = 2, deadline: int = 300, tally: BotTally | None = None
    ) -> None:
        """Begin with no bots; `deadline` is how long one may think, milliseconds."""
        self._pool = executor(threads, "bot")
        self._deadline = deadline / 1000
        self._tally = tally or BotTally()
        self._unattended = asyncio.Lock()
        self._evenings = WeakValueDictionary[str, asyncio.Lock]()  # that have asked for a move
        self._players: dict[tuple[str, int, str], tuple[object, KernelPlayer]] = {}

    async def move(self, table: str, bot: str, hand: Hand, totals: Sequence[int] = ()) -> str:
        """Return a legal act for the seat that has to decide, as a record writes it.

        `totals` are the match's totals before this hand. Where a bot is late or fails, another move
        is made; the log says so.
        """
        began = time.perf_counter()
        text = await self._decided(table, bot, hand, totals)
        self._tally.times[bot].add(time.perf_counter() - began)
        return text

    async def _decided(self, table: str, bot: str, hand: Hand, totals: Sequence[int]) -> str:
        key = (table, hand.to_act or 0, in_a_thread(bot))
        dealt, player = self._player(key, hand)
        # Out of the shelf while it thinks: one that is late never shares its notes with the next.
        action = await self._within(player, hand, f"{bot} at table {table}")
        if action is None:
            return str(fallback_action(hand))
        self._players[key] = (dealt, player)
        return str(action)

    async def move_unattended(
        self, evening: str, table: str, bot: str, hand: Hand, totals: Sequence[int] = ()
    ) -> str:
        """Return what `move` does, for a table where nobody is; all of them share a part of a core.

        One decides after the other, and all wait for as long as keeps them at `UNATTENDED`. The
        evenings take turns: one of many tables keeps no other waiting.
        """
        turns = self._evenings.setdefault(evening, asyncio.Lock())
        async with turns, self._unattended:
            began = time.perf_counter()
            text = await self.move(table, bot, hand, totals)
            took = max(time.perf_counter() - began, A_MOVE)
            await asyncio.sleep(took * (1 / UNATTENDED - 1))
            return text

    async def advise(self, hand: Hand) -> Hint:
        """Return what a good bot would do for the seat that has to decide; here the club player."""
        # Imported late: a start loads only what a page needs.
        from rookery.review.reasons import why

        player = KernelPlayer(STAND_IN, secrets.randbits(62), hand.to_act or 0)
        found = await self._within(player, hand, f"hint of {STAND_IN}")
        self._tally.hints[STAND_IN] += 1
        action = found or fallback_action(hand)
        reason = why(hand, action)
        return Hint(action.words, reason.code, reason.text, about=reason.about)

    async def at_leisure(self, hand: Hand, mine: SeatInfo, chosen: Bot) -> Hand:
        """Return the hand after what a bot that searches does for the seat that has to decide.

        It takes as long as it takes, behind whatever else is asked. `mine` holds its dice and
        notes.

        Raises:
            Unanswered: there is no such bot here.
        """
        raise Unanswered("absent")

    async def review(self, record: bytes, progress: OnProgress) -> bytes:
        """Return the review of a finished match, JSON as in `rookery schema review`.

        `progress` is called with how many decisions are judged, and how many there are.

        Raises:
            Unanswered: there is no bot to judge.
        """
        raise Unanswered("absent")

    def state(self, bot: str) -> State:
        """Return whether a bot is ready, is getting ready, or is not available."""
        return "absent" if table_bot(bot).searches else "ready"

    def expect(self, bots: Sequence[str]) -> None:
        """Get bots ready that will be asked soon."""

    def forget(self, table: str) -> None:
        """Forget a table."""
        for key in [key for key in self._players if key[0] == table]:
            del self._players[key]

    async def leave(self) -> None:
        """Stop all threads and workers."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _within(self, player: KernelPlayer, hand: Hand, who: str) -> Action | None:
        """Return what a player does; None where that takes too long or fails."""
        try:
            thought = asyncio.get_running_loop().run_in_executor(self._pool, player.move, hand)
            return (await asyncio.wait_for(thought, self._deadline)).actions[-1]
        except TimeoutError:
            log.warning("%s took longer than %d ms", who, self._deadline * 1000)
        except Exception:
            log.exception("%s failed", who)
        return None

    def _player(self, key: tuple[str, int, str], hand: Hand) -> tuple[object, KernelPlayer]:
        seat, bot = key[1:]
        dealt = (hand.dealer, hand.dealt)
        kept = self._players.pop(key, None)
        if kept is not None and kept[0] == dealt:
            return kept
        return dealt, KernelPlayer(bot, secrets.randbits(62), seat)


def in_a_thread(bot: str) -> str:
    """Return the kernel bot that plays for `bot` in this process: itself, or the club player.

    >>> in_a_thread("casual"), in_a_thread("expert"), in_a_thread("one of long ago")
    ('papa:partner=noticed', 'club', 'club')
    """
    try:
        found = table_bot(bot)
    except UnknownBot:
        log.warning("a table has a bot that is no longer known; %s plays for it", STAND_IN)
        return STAND_IN
    return STAND_IN if found.searches else str(found.bot)


class AtLeisure(Generic[Found]):
    """What `expert` makes of deals while nobody waits: of each once, one after the other.

    The one that was asked for last comes first, and where too many wait, the one that was asked for
    longest ago is dropped. Otherwise whoever asks for many would have all others wait, and a page
    that is still looked at asks again.
    """

    def __init__(self, thinker: BotThreads) -> None:
        self._thinker = thinker
        self._found: OrderedDict[str, Found] = OrderedDict()
        # By the deal: what the log calls it, and what plays it.
        self._wanted: OrderedDict[str, tuple[str, Callable[[], Awaitable[Found]]]] = OrderedDict()
        self._under_way = ""  # the deal that is being played
        self._task: asyncio.Task[None] | None = None
        self._failed: dict[str, float] = {}  # when, by the deal
        self._absent = False  # no worker here can think

    def of(
        self, key: str, name: str, play: Callable[[], Awaitable[Found]]
    ) -> tuple[Played, Found | None]:
        """Return whether a deal has been played, and what came of it; if not, have it begin.

        In the log the deal is called `name`; `play` plays it.
        """
        if key in self._found:
            self._found.move_to_end(key)
            return "played", self._found[key]
        if self._absent or self._thinker.state("expert") == "absent":
            return "absent", None
        rests = key in self._failed and time.monotonic() < self._failed[key] + REST
        if key != self._under_way and not rests:
            self._wanted[key] = name, play
            self._wanted.move_to_end(key)
            if len(self._wanted) > KEPT:
                self._wanted.popitem(last=False)
            if self._task is None:
                # Whoever asks first does not pay for what all are shown.
                self._task = asyncio.create_task(
                    self._run(), name="expert at leisure", context=Context()
                )
        return "working", None

    async def close(self) -> None:
        """Have `expert` play no more."""
        if self._task is not None:
            await cancelled([self._task])

    async def _run(self) -> None:
        try:
            while self._wanted:
                key, (name, play) = self._wanted.popitem()
                self._under_way = key
                try:
                    self._found[key] = await play()
                except Exception as error:
                    self._fail(key, name, error)
                if len(self._found) > KEPT:
                    self._found.popitem(last=False)
        finally:
            self._under_way, self._task = "", None

    def _fail(self, key: str, name: str, error: Exception) -> None:
        known = isinstance(error, Unanswered)
        self._absent = self._absent or (known and str(error) == "absent")
        if key not in self._failed:
            unforeseen = None if known else error
            log.warning("no expert plays the deal of %s: %s", name, error, exc_info=unforeseen)
        self._failed[key] = time.monotonic()
        if len(self._failed) > KEPT:
            del self._failed[next(iter(self._failed))]
