"""Evenings in full: what `whole` runs against real servers."""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from pathlib import Path
from typing import Final

from tests.faults.halls import halls, halls_on_screens
from tests.faults.on_screens import on_screens
from tests.faults.on_screens_judge import MOMENTS, Shown
from tests.faults.promises import Control, Result, share
from tests.faults.scorers import Scored, scoring

KILLS: Final = 200
CHUNK: Final = 20
TABLES: Final = 100
AWHILE: Final = 90.0  # seconds
HAND: Final = 150.0  # ... in which a hand is over at all tables on screens
MOST: Final = 50.0  # milliseconds: p99


def scores(size: int, seed: int, done: int) -> list[Result]:
    """Kill a server so often while phones write scores, and cut their networks as often; P27."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        control = None if done else _control(folder, seed)
        seen = asyncio.run(scoring(folder / "sound", size, size, seed + done))
    return score_results(seen, seed, time.perf_counter() - began, control)


def _control(folder: Path, seed: int) -> Control:
    early = asyncio.run(scoring(folder / "early", 6, 0, seed, build="early scores"))
    fresh = asyncio.run(scoring(folder / "fresh", 6, CHUNK, seed, fresh=True))
    deaf = asyncio.run(scoring(folder / "deaf", 2, 0, seed, build="deaf"))
    return Control(
        "an answer before the commit, phones with a new id for each time they send, and a table "
        "that does not follow its score sheet",
        bool(early.lost and fresh.twice and deaf.wrong),
        {
            "lost": len(early.lost),
            "there twice": len(fresh.twice),
            "not shown as they were said last": len(deaf.wrong),
        },
    )


def score_results(seen: Scored, seed: int, seconds: float, control: Control | None) -> list[Result]:
    """Return the result of P27 that a campaign comes to."""
    return [
        Result(
            promise="P27",
            part="",
            unit="kills",
            size=seen.kills,
            full=KILLS,
            held=seen.sound and seen.cuts >= seen.kills,
            counts={
                "cut networks": seen.cuts,
                "scores acknowledged": seen.acked,
                "sent again": seen.resent,
                "lost": len(seen.lost),
                "there twice": len(seen.twice),
                "not shown as they were said last": len(seen.wrong),
            },
            seed=seed,
            seconds=seconds,
            command="scripts/promises --only P27",
            control=control,
            note="; ".join((seen.lost + seen.twice + seen.wrong)[:1]),
        )
    ]


def screens(size: int, seed: int, done: int) -> list[Result]:
    """Kill a server so often while evenings are played on screens, and cut as many lines; P27."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        control = None if done else _faults_on_screens(folder, seed)
        seen = asyncio.run(on_screens(folder / "sound", size, size, seed + done))
    return screens_results(seen, seed, time.perf_counter() - began, control)


def _faults_on_screens(folder: Path, seed: int) -> Control:
    foretold, anew, turned = (
        asyncio.run(on_screens(folder / fault, 12, 0, seed, f"broken_screens/{fault}", rounds=2))
        for fault in ("foretold", "anew", "turned")
    )
    return Control(
        "scores shown before they are kept, codes that follow from nothing, seats turned by one",
        bool(foretold.lost and anew.twice and turned.seats),
        {
            "lost": len(foretold.lost),
            "there twice": len(anew.twice),
            "tables with other seats": len(turned.seats),
        },
    )


def screens_results(
    seen: Shown, seed: int, seconds: float, control: Control | None
) -> list[Result]:
    """Return the result of P27 on screens that a campaign comes to."""
    return [
        Result(
            promise="P27",
            part="on screens",
            unit="kills",
            size=seen.kills,
            full=KILLS,
            held=seen.sound and seen.cuts >= seen.kills,
            counts={
                **{f"of them with {moment}": seen.moments[moment] for moment in MOMENTS},
                "cut networks": seen.cuts,
                "acts acknowledged": seen.acts,
                "tables opened": seen.tables,
                "tables scored": seen.scores,
                "lost": len(seen.lost),
                "there twice": len(seen.twice),
                "tables with other seats": len(seen.seats),
                "shown otherwise before": len(seen.wrong),
            },
            seed=seed,
            seconds=seconds,
            command="scripts/promises --only screens",
            control=control,
            note="; ".join(seen.complaints[:1]),
        )
    ]


def house(size: int, seed: int, done: int) -> list[Result]:
    """Let two evenings of so many tables score a round side by side; P28."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        slow = asyncio.run(halls(folder / "afresh", size, AWHILE, seed, build="afresh"))
        seen = asyncio.run(halls(folder / "sound", size, AWHILE, seed + done))
    late = share([1000 * one for one in slow.looks + slow.scores], 0.99)
    looks, scores_ = ([1000 * one for one in each] for each in (seen.looks, seen.scores))
    return [
        Result(
            promise="P28",
            part="",
            unit="tables at each of two evenings",
            size=size,
            full=TABLES,
            held=not seen.errors and max(share(one, 0.99) for one in (looks, scores_)) < MOST,
            counts={
                "phones": 2 * 4 * size,
                "answers that they know it all": seen.known,
                "answers that are wrong": len(seen.errors),
            },
            times={"a look at the evening": looks, "a score": scores_},
            figures={"load average": os.getloadavg()[0]},
            seed=seed,
            seconds=time.perf_counter() - began,
            command="scripts/promises --only P28",
            control=Control(
                "a server that reads an evening anew for everybody",
                late > MOST,
                {"p99 in ms": round(late)},
            ),
            note="; ".join(seen.errors[:1]),
        )
    ]


def house_on_screens(size: int, seed: int, done: int) -> list[Result]:
    """Let two evenings of so many tables play a hand on screens side by side; P28."""
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as made:
        folder, unscored = Path(made), "broken_screens/unscored"
        blind = asyncio.run(halls_on_screens(folder / "blind", 2, 15, seed, unscored, period=0.1))
        seen = asyncio.run(halls_on_screens(folder / "sound", size, HAND, seed + done))
        load = os.getloadavg()[0]
        slow = asyncio.run(halls_on_screens(folder / "afresh", size, AWHILE / 2, seed, "afresh"))
    late = share([1000 * one for one in slow.looks + slow.acts], 0.99)
    looks, acts, shown = (
        [1000 * one for one in each] for each in (seen.looks, seen.acts, seen.screens)
    )
    return [
        Result(
            promise="P28",
            part="on screens",
            unit="tables at each of two evenings",
            size=size,
            full=TABLES,
            held=not seen.errors
            and seen.done == 2 * size
            and max(share(one, 0.99) for one in (looks, acts)) < MOST,
            counts={
                "people on sockets": 2 * 4 * size,
                "tables scored by the server": seen.done,
                "answers that are wrong": len(seen.errors),
            },
            times={
                "a look at the evening": looks,
                "an act, until it is answered": acts,
                "an act, until all at the table have it": shown,
            },
            figures={
                "load average": load,
                "to open a round, ms a table": 1000 * max(seen.opened),
            },
            seed=seed,
            seconds=time.perf_counter() - began,
            command="scripts/promises --only halls",
            control=Control(
                "a server that reads an evening anew for everybody, and one that scores no table",
                late > MOST and blind.done == 0,
                {"p99 in ms": round(late), "tables scored": blind.done},
            ),
            note="; ".join(seen.errors[:1]),
        )
    ]


CAMPAIGNS: Final = {
    "scores": (("P27",), KILLS, CHUNK, scores),
    "screens": (("P27-on-screens",), KILLS, CHUNK, screens),
    "evenings": (("P28",), TABLES, TABLES, house),
    "halls": (("P28-on-screens",), TABLES, TABLES, house_on_screens),
}
