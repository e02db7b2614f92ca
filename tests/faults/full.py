"""The campaigns in full, for a night or a release; ``scripts/faults --help`` says how.

The tests beside this run the same campaigns at a size for every change.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
import time
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from tests.faults import power
from tests.faults.bad_network import storm
from tests.faults.campaign import TABLES, Result, campaign
from tests.faults.growth import Growth
from tests.faults.load import Measured, cold_starts, opened, played, seated
from tests.faults.machine import Used, busy, many_files, spread, work
from tests.faults.proxy import Weather
from tests.faults.serving import ROOT, Server
from tests.faults.starting import starts, ways
from tests.server.growth.engines import postgres, redis

from rookery.rules import catalog
from rookery.rules import load as rules_of

KILLS, CUTS, FAULTS = 1_000, 300, 10_000
ROUNDS = 20  # kills of one database
STORM = 60.0  # seconds of bad weather over one database
STORM_TABLES = 40
SILENT = 30.0  # seconds without news between servers
TIMES = ("late", "stuck")  # not counted as faults: everything arrives, in order
RESULTS = ROOT / "benchmarks" / "results"

Tables = list[tuple[str | dict[str, Any], int, str]]


def tables_of(episode: int, count: int, rng: Random) -> Tables:
    """Return the tables of an episode; every second one goes on through the catalogue."""
    if episode % 2 == 0:
        return list(TABLES)
    names = list(catalog())
    chosen = [names[(episode // 2 * count + i) % len(names)] for i in range(count)]
    return [
        (name, rng.randint(1, rules_of(name).seats), rng.choice(("instant", "brisk")))
        for name in chosen
    ]


def kills(wanted: int, seed: int, skip: int, *, cut: bool) -> Result:
    """Kill, or cut the power, so many times, less those skipped; stop where something is found."""
    total = Result()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        shim = power.shim(folder) if cut else None
        for episode in range(skip // ROUNDS, -(-wanted // ROUNDS)):
            rounds = min(ROUNDS, wanted - episode * ROUNDS)
            tables = tables_of(episode, len(TABLES), Random(seed + episode))
            data = folder / f"{episode}"
            total.add(asyncio.run(campaign(data, rounds, seed + episode, shim=shim, tables=tables)))
            done = episode * ROUNDS + rounds
            option = f"--cuts {wanted}" if cut else f"--kills {wanted}"
            _progress(f"{wanted}, {total.acked} acknowledged", option, seed, done)
            if total.found:
                break
    return total


def told(what: str, result: Result) -> list[str]:
    """Return the lines about a campaign of kills."""
    starts, backs = spread(result.starts), spread(result.backs)
    return [
        f"{what}: {result.rounds} times ({result.torn} torn), {result.acked} acknowledged, "
        f"{result.lost} lost, {len(result.found)} complaints",
        f"  listening again p50 {starts['p50']:.0f} ms, p99 {starts['p99']:.0f} ms; "
        f"all seats back p99 {backs['p99']:.0f} ms later",
        f"  phases: {', '.join(f'{name} {n}' for name, n in result.phases.most_common())}",
        *(f"  ! {kind}: {text}" for kind, text in result.found[:20]),
    ]


def _progress(done: str, option: str, seed: int, skip: int) -> None:
    on = f"go on from here with {option} --seed {seed} --skip {skip}"
    print(f"  {skip} of {done}; {on}", file=sys.stderr, flush=True)


def storms(wanted: int, seed: int, skip: int) -> tuple[list[str], bool]:
    """Let so many faults happen, less those skipped; return the lines, and whether all was well."""
    faults: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    found, acked, resent, lines, episode = [], 0, 0, 0, skip
    rng = Random(seed + skip)

    def counted() -> int:
        return skip + sum(n for name, n in faults.items() if name not in TIMES)

    while (count := counted()) < wanted:
        _progress(f"{wanted} faults, {acked} acknowledged", f"--faults {wanted}", seed, count)
        tables = [
            one
            for i in range(STORM_TABLES // len(TABLES))
            for one in tables_of(episode + i, len(TABLES), rng)
        ]
        # Forty tables and this program share the cores: people take half a second for a move.
        with tempfile.TemporaryDirectory() as made:
            one = asyncio.run(
                storm(Path(made), STORM, seed + episode, "sound", Weather(life=4), tables, 0.5)
            )
        faults += one.faults
        refused += one.refused
        found += one.found
        acked, resent, lines = acked + one.acked, resent + one.resent, lines + one.lines
        episode += 1
        if found:
            break
    return [
        f"network: {counted() - skip} faults, {acked} acknowledged, {resent} sent again, "
        f"{lines} lines, {len(found)} complaints",
        f"  faults: {', '.join(f'{name} {n}' for name, n in faults.most_common())}",
        f"  refused: {', '.join(f'{name} {n}' for name, n in refused.most_common())}",
        *(f"  ! {kind}: {text}" for kind, text in found[:20]),
    ], not found


def grown(wanted: int, seed: int) -> bool:
    """Have so many things happen to two servers and their engines; return whether all was kept."""
    with tempfile.TemporaryDirectory() as made, postgres() as elephant, redis() as herald:
        growth = Growth(Path(made), elephant, herald, seed)

        async def scene() -> None:
            async with growth.running():
                for number in range(wanted):
                    await growth.anything(SILENT)
                    if growth.result.found:
                        return
                    print(f"  {number + 1} of {wanted}: {dict(growth.result.did)}", flush=True)

        asyncio.run(scene())
    result = growth.result
    moved, handed = spread(result.moved), spread(result.handed)
    print(
        f"two servers: {dict(result.did)}, {result.acked} acknowledged, "
        f"{len(result.found)} complaints\n"
        f"  tables at another server p50 {moved['p50'] / 1000:.1f} s, most "
        f"{max(result.moved, default=0):.1f} s; handed over p50 {handed['p50'] / 1000:.1f} s"
    )
    print("\n".join(str(one) for one in result.found[:20]))
    return not result.found


def timed(
    tables: int, seconds: float, period: float, bot: str, machine: str, slow: int, warm: float
) -> None:
    """Measure under load and from cold; print it and keep it under benchmarks/results."""
    before = busy()
    many_files()
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        extra = power.environment(power.shim(folder), None, slow) if slow else {}
        starts = asyncio.run(cold_starts(folder, 5))

        async def measured() -> dict[str, Any]:
            server, rng, found = Server(folder / "load", extra=extra), Random(1), Measured()
            used: list[Used] = []
            await server.start()
            try:
                made = await seated(server, rng, tables, bot, found, period)
                async with opened(server, made) as sockets:
                    loop = asyncio.get_running_loop()
                    loop.call_later(warm, lambda: used.append(work(server.pid)))
                    await played(made, sockets, seconds, rng, warm)
                    used.append(work(server.pid))
            finally:
                await server.end()
            return {
                "action_to_all_screens_ms": spread(found.screens),
                "acknowledged_ms": spread(found.acks),
                "bot_move_ms": spread(found.bots),
                "cores": _cores(used[0], used[1], seconds),
                "events_per_second": round(found.events / seconds, 1),
                "refused": dict(Counter(found.refused)),
                "errors": len(server.errors()),
            }

        figures = asyncio.run(measured())
    now = datetime.now(UTC)
    result = {
        "date": now.date().isoformat(),
        "described_as": machine,
        "machine": {"before": before, "after": busy()},
        "tables": tables,
        "seconds": seconds,
        "period": period,
        "warm": warm,
        "bot": bot,
        "slow_sync_ms": slow,
        **figures,
        "cold_start_ms": spread(starts),
    }
    kept = _keep("table", result)
    screens, bots, cold = (
        result["action_to_all_screens_ms"],
        result["bot_move_ms"],
        result["cold_start_ms"],
    )
    print(f"{tables} tables, {seconds:.0f} s: a move on all screens {screens}")
    print(f"  acknowledged {result['acknowledged_ms']}")
    print(f"  bot {bot}: {bots}")
    print(f"  cold start: {cold}; {figures['events_per_second']} events/s {figures['refused']}")
    print(f"  cores: {figures['cores']}")
    print(f"kept in {kept.relative_to(ROOT)}", file=sys.stderr)


def started(times: int, beside: Path | None, machine: str) -> None:
    """Measure starts in each way in turns; print it and keep it under benchmarks/results."""
    before = busy()
    with tempfile.TemporaryDirectory() as made:
        found = starts(Path(made), times, ways(beside))
    figures = {
        name: {
            "work_ms": spread([one.work for one in each]),
            "listening_ms": spread([one.listening for one in each]),
            "page_ms": spread([one.page for one in each]),
        }
        for name, each in found.items()
    }
    result = {
        "date": datetime.now(UTC).date().isoformat(),
        "described_as": machine,
        "machine": {"before": before, "after": busy()},
        **figures,
    }
    kept = _keep("start", result)
    for name, each in figures.items():
        told = (
            f"{what.removesuffix('_ms')} p50 {ms['p50']:.0f} p99 {ms['p99']:.0f} ms"
            for what, ms in each.items()
        )
        print(f"{name}: {', '.join(told)}")
    print(f"kept in {kept.relative_to(ROOT)}", file=sys.stderr)


def _keep(what: str, result: dict[str, Any]) -> Path:
    """Add a result to those of the day, and return where they are."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    kept = RESULTS / f"{result['date']}-{what}.json"
    every = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else []
    kept.write_text(json.dumps([*every, result], indent=2) + "\n", encoding="utf-8")
    return kept


def _cores(before: Used, after: Used, seconds: float) -> dict[str, float] | None:
    """Return how many cores the server, the players and everybody else had, on average."""
    if before is None or after is None:
        return None
    used = [round((b - a) / seconds, 2) for a, b in zip(before, after, strict=True)]
    return dict(zip(("server", "players", "others"), used, strict=True))


def main() -> int:
    """Run what was asked for; return 1 where a server broke a promise."""
    parser = argparse.ArgumentParser(
        prog="scripts/faults",
        description="Kill the server, cut its power and its wires, and check what it promised.",
        epilog="Without an option: all three campaigns in full. One that was interrupted goes on "
        "with the --seed and --skip that it has said last.",
    )
    parser.add_argument("--kills", type=int, help=f"kill -9 so many times ({KILLS} in full)")
    parser.add_argument("--cuts", type=int, help=f"cut the power so many times ({CUTS} in full)")
    parser.add_argument("--faults", type=int, help=f"so many network faults ({FAULTS} in full)")
    parser.add_argument("--growth", type=int, help="so many things that happen to two servers")
    parser.add_argument("--skip", type=int, default=0, metavar="N", help="go on after so many")
    parser.add_argument("--load", action="store_true", help="measure times, and keep them")
    parser.add_argument("--starts", type=int, default=0, help="time so many starts, and keep them")
    parser.add_argument(
        "--beside", type=Path, metavar="SRC", help="... in turns with these sources"
    )
    parser.add_argument("--tables", type=int, default=100, help="how many, with --load")
    parser.add_argument("--seconds", type=float, default=60, help="how long, with --load")
    parser.add_argument(
        "--period", type=float, default=1, help="seconds between two moves at a table, with --load"
    )
    parser.add_argument(
        "--warm", type=float, default=5, help="seconds before that, which do not count"
    )
    parser.add_argument("--bot", default="club", help="who plays along, with --load")
    parser.add_argument("--slow-sync", type=int, default=0, metavar="MS", help="a slow disk")
    parser.add_argument("--machine", default="", help="how to call this machine, with --load")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="to run it again")
    chosen = parser.parse_args()
    asked = (chosen.kills, chosen.cuts, chosen.faults)
    if chosen.starts:
        started(chosen.starts, chosen.beside, chosen.machine)
        if not any(asked) and not chosen.load:
            return 0
    if chosen.load:
        how = chosen.period, chosen.bot, chosen.machine, chosen.slow_sync, chosen.warm
        timed(chosen.tables, chosen.seconds, *how)
        if not any(asked):
            return 0
    if chosen.growth:
        print(f"seed {chosen.seed}", flush=True)
        sound = grown(chosen.growth, chosen.seed)
        if not sound or not any(asked):
            return 0 if sound else 1
    wanted = (KILLS, CUTS, FAULTS) if not any(asked) else tuple(one or 0 for one in asked)
    if chosen.skip and (sum(map(bool, asked)) != 1 or not 0 < chosen.skip < max(wanted)):
        parser.error("--skip goes with one of --kills, --cuts and --faults, and is less than that")
    print(f"seed {chosen.seed}", flush=True)
    sound = True
    for number, what, cut in ((wanted[0], "kill -9", False), (wanted[1], "power cut", True)):
        if number and cut and power.compiler() is None:
            print("power cut: left out, there is no gcc")
        elif number:
            result = kills(number, chosen.seed, chosen.skip, cut=cut)
            print("\n".join(told(what, result)), flush=True)
            sound = sound and not result.found
    if wanted[2]:
        lines, fine = storms(wanted[2], chosen.seed, chosen.skip)
        print("\n".join(lines), flush=True)
        sound = sound and fine
    return 0 if sound else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
