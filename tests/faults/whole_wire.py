"""Secrecy, garbage, races and doors in full, against the application without a network."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final
from unittest.mock import patch

from tests.faults.caged import caught, games
from tests.faults.closed_doors import Knocked, knocked
from tests.faults.promises import Control, Result
from tests.faults.test_closed_doors import unguarded
from tests.faults.test_twins import by_letters
from tests.faults.twins import tried
from tests.server.core import test_leaks as swap
from tests.server.core import test_races
from tests.server.http import test_canary as canary
from tests.server.http.test_garbage import pelted, spilling, trusting

from rookery.game import Verb
from rookery.rules import catalog
from rookery.server.live import connection
from rookery.server.table import decide, seating
from rookery.server.table import events as ev
from rookery.server.table import projection as public
from rookery.server.table.state import Table

MESSAGES: Final = 1_000_000
CAGES: Final = 300
MATCHES: Final = 10_000
CAGE: Final = 50  # matches in one cage, after which a new one is cheaper
RACES: Final = 100_000
REQUESTS: Final = 100_000
TWINS: Final = 100_000
ALIKE: Final = 1.5  # how much longer one refusal may take than another, in the median


def swaps(size: int, seed: int, done: int) -> list[Result]:
    """Compare so many messages with those of a world that the seat cannot tell apart; P7."""
    began = time.process_time()
    compared, wrong = 0, list[str]()

    def counted(table: Table, entries: list[ev.Entry], seat: int | None) -> bytes:
        nonlocal compared
        compared += 1
        return swap.wire(table, entries, seat)

    hands = 0
    while compared < 2 * size:
        name = catalog()[hands % len(catalog())]
        found = swap.leaks(name, seed * 1_000_003 + done + hands, counted)
        wrong += [f"{name}: {one}" for one in found]
        hands += 1
    return [
        Result(
            promise="P7",
            part="swap law",
            unit="messages",
            size=compared // 2,
            full=MESSAGES,
            held=not wrong,
            counts={"hands": hands, "messages that differ": len(wrong)},
            seed=seed,
            seconds=time.process_time() - began,
            command="scripts/promises --only P7",
            control=None if done else _planted_leaks(),
            note=wrong[0] if wrong else "",
        )
    ]


def _planted_leaks() -> Control:
    planted = (
        swap.whole_log,
        swap.discards_told,
        swap.watcher_sees_a_hand,
        swap.length_of_the_hidden,
    )
    caught = sum(
        any(one for seed in range(3) for one in swap.leaks("kd_tournament", seed, leak))
        for leak in planted
    )
    counts = {"leaks planted": len(planted), "found": caught}
    return Control("cards leaked in four ways, one of them by a length", caught == 4, counts)


def cages(size: int, seed: int, done: int) -> list[Result]:
    """Catch all that comes out of so many servers with a game; P7."""
    began = time.perf_counter()
    messages, lines, keys, wrong = 0, 0, 0, list[str]()
    for _ in range(size):
        caught, found = canary.found_in()
        messages += len(caught.told)
        lines += len(caught.logged)
        keys += sum(isinstance(entry.event, ev.DealPromised) for entry in caught.entries)
        wrong += found
    control = None
    if not done:
        with patch.object(connection, "public_event", canary.tell_the_key(public.public_event)):
            leaked = canary.found_in()[1]
        counts = {"found": len(leaked)}
        control = Control("a key that is sent with its commitment", bool(leaked), counts)
    return [
        Result(
            promise="P7",
            part="canary",
            unit="games on a server of their own",
            size=size,
            full=CAGES,
            held=not wrong,
            counts={
                "keys": keys,
                "messages and pages searched": messages,
                "lines of the log": lines,
                "keys or actions shown too early": len(wrong),
            },
            seed=seed,
            seconds=time.perf_counter() - began,
            command="scripts/promises --only P7",
            control=control,
        )
    ]


def cards(size: int, seed: int, done: int) -> list[Result]:
    """Play so many matches whose cards betray where they were told; P7."""
    began = time.process_time()
    seen, wrong = Counter[str](), list[str]()
    for first in range(done, done + size, CAGE):
        cage = caught(seed * 1_000_003 + first, first, min(CAGE, done + size - first))
        seen += Counter(cage.seen())
        wrong += [*cage.found, *cage.book.wrong]
    control = None
    if not done:
        with patch.object(Verb.DISCARD, "public", True):
            leaked = caught(seed, 0, 1).found
        counts = {"found": len(leaked)}
        control = Control("a discard that is sent to everybody", bool(leaked), counts)
    return [
        Result(
            promise="P7",
            part="canary of cards",
            unit="matches of at most three hands",
            size=size,
            full=MATCHES,
            held=not wrong,
            counts={**seen, "cards shown too early": len(wrong)},
            figures={"games": len(games())},
            seed=seed,
            seconds=time.process_time() - began,
            command="scripts/promises --only P7",
            control=control,
            note=wrong[0] if wrong else "",
        )
    ]


def garbage(size: int, seed: int, done: int) -> list[Result]:
    """Pelt a table with so many messages; P8."""
    began = time.process_time()
    note, refused, did = "", 0, 0
    try:
        refused, did = asyncio.run(pelted(size, seed * 1_000_003 + done))
    except (AssertionError, TimeoutError) as error:
        note = f"{error}"[:300] or "a message was not answered"
    return [
        Result(
            promise="P8",
            part="",
            unit="messages",
            size=size,
            full=MESSAGES,
            held=not note,
            counts={
                "refused by a listed code": refused,
                "legal and done": did,
                "exceptions, unlisted codes, effects of a refused one or at another table": int(
                    bool(note)
                ),
            },
            seed=seed,
            seconds=time.process_time() - began,
            command="scripts/promises --only P8",
            control=None if done else _faulty_tables(seed),
            note=note,
        )
    ]


def _faulty_tables(seed: int) -> Control:
    caught = 0
    for fault in (trusting, spilling):
        with fault():
            try:
                asyncio.run(pelted(200, seed))
            except (AssertionError, TimeoutError):
                caught += 1
    what = "a handler that trusts its messages, and one that writes to every table"
    return Control(what, caught == 2, {"faults planted": 2, "found": caught})


def races(size: int, seed: int, done: int) -> list[Result]:
    """Run so many races of seats, tabs and copies; P14."""
    began = time.process_time()
    kinds, wrong, first = Counter[str](), list[str](), seed * 1_000_003 + done
    for number in range(-(-size // test_races.RACES)):
        found = test_races.raced(first + number)
        kinds += found.kinds
        wrong += found.wrong
    return [
        Result(
            promise="P14",
            part="",
            unit="races",
            size=kinds.total(),
            full=RACES,
            held=not wrong,
            counts={
                **{kind: kinds[kind] for kind in sorted(test_races.KINDS)},
                "that did not end with one effect and one named refusal": len(wrong),
            },
            seed=seed,
            seconds=time.process_time() - began,
            command="scripts/promises --only P14",
            control=None if done else _faulty_races(seed),
            note=wrong[0] if wrong else "",
        )
    ]


def _faulty_races(seed: int) -> Control:
    planted = test_races.PLANTED
    found = [fault for fault in planted if test_races.found_out(fault, seed)]
    counts = {"faults planted": len(planted), "found": len(found)}
    what = "a pause between reading and appending, by each command; an act from any seat"
    return Control(what, len(found) == len(planted), counts)


def doors(size: int, seed: int, done: int) -> list[Result]:
    """Ask for what is another's so many times; P17."""
    began = time.process_time()
    found = asyncio.run(knocked(size, seed * 1_000_003 + done))
    wrong = [*found.opened, *(f"{door} answers in different ways" for door in found.unlike)]
    wrong += [f"{count} of {kind} not in the log" for kind, count in found.unnoted.items()]
    times = dict(_times(found))
    wrong += [f"{name}: {ratio:.2f}" for name, ratio in times.items() if _apart(ratio)]
    return [
        Result(
            promise="P17",
            part="",
            unit="requests and commands",
            size=sum(found.asked.values()),
            full=REQUESTS,
            held=not wrong,
            counts={
                **{f"for {door}": n for door, n in sorted(found.asked.items())},
                "not refused, or not alike": len(wrong),
            },
            figures=times,
            seed=seed,
            seconds=time.process_time() - began,
            command="scripts/promises --only P17",
            control=None if done else _open_door(seed),
            note=wrong[0] if wrong else "",
        )
    ]


def _times(found: Knocked) -> Iterator[tuple[str, float]]:
    told = "median time of the answer to"
    near, used = found.ratio("a near table", "a table"), found.ratio("a used link", "a link")
    yield f"{told} a code one letter off, divided by that to any other", near
    yield f"{told} a used link, divided by that to one never given", used


def _apart(ratio: float) -> bool:
    return not 1 / ALIKE < ratio < ALIKE


def _open_door(seed: int) -> Control:
    whole: Any = decide._seated
    with patch.object(decide, "_seated", unguarded(whole)):
        found = asyncio.run(knocked(400, seed))
    counts = {"found": len(found.opened)}
    return Control("a server that does not ask who is host", bool(found.opened), counts)


def twins(size: int, seed: int, done: int) -> list[Result]:
    """Try so many names beside one that they can be taken for; P26."""
    began, control = time.process_time(), None
    if not done:
        with patch.object(seating, "alike", by_letters):
            planted = tried(1_000, seed)
        counts = {"stood beside it": planted.ends["stands beside it"]}
        control = Control("names compared by their letters", bool(planted.beside), counts)
    found = tried(size, seed * 1_000_003 + done)
    return [
        Result(
            promise="P26",
            part="",
            unit="names",
            size=size,
            full=TWINS,
            held=not found.beside,
            counts={"stands beside it": 0, **found.ends},
            seed=seed,
            seconds=time.process_time() - began,
            command="scripts/promises --only P26",
            control=control,
            note=found.beside[0] if found.beside else "",
        )
    ]


CAMPAIGNS: Final = {
    "twins": (("P26",), TWINS, 25_000, twins),
    "garbage": (("P8",), MESSAGES, 50_000, garbage),
    "races": (("P14",), RACES, 10_000, races),
    "doors": (("P17",), REQUESTS, 25_000, doors),
    "cards": (("P7-canary-of-cards",), MATCHES, 200, cards),
    "swaps": (("P7-swap-law",), MESSAGES, 50_000, swaps),
    "cages": (("P7-canary",), CAGES, 20, cages),
}
