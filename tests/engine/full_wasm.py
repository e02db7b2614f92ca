"""WebAssembly beside the other targets at length: ``python -m tests.engine.full_wasm``.

Every variant, in Node: hands action by action beside plain Python, and whole hands beside the
native library, `--hands` of them in all line-ups together. Whole records are compared, so totals
are too. With `--numba` the library's totals are compared with Numba's, with `--chromium` all is
done in that browser as well.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import sync_playwright
from tests.engine.repeating import Repeated, in_browser, in_node
from tests.engine.stepping import casts
from tests.engine.tape import Step, tape_of_hands, tape_of_streams
from tests.web.conftest import ARGS

from rookery.lab.run.streams import play_streams
from rookery.rules import catalog, variant
from rookery.rules.table import RuleTable, compile_rules

SEED = 1906
STREAM = 5_000  # hands of one call


def tapes(table: RuleTable, steps: int, streams: int) -> list[list[Step]]:
    """Return a variant's tapes: hands action by action, and whole hands."""
    wild, *line_ups = casts(table.seats)
    return [
        tape_of_hands(table, [wild, *line_ups], range(steps)),
        tape_of_streams(table, line_ups, seed=SEED, streams=streams, hands=STREAM, target="native"),
    ]


def unlike_numba(table: RuleTable, streams: int) -> int:
    """Return how many line-ups have other totals by Numba than by the native library."""
    wrong = 0
    for kinds in casts(table.seats)[1:]:
        ours, theirs = (
            play_streams(table, kinds, SEED, streams, STREAM, cores=1, target=one, bound=False)
            for one in ("native", "numba")
        )
        wrong += ours != theirs or not any(map(any, ours[0]))
    print(f"  numba: {wrong} line-ups with other totals", flush=True)
    return wrong


def told(where: str, results: Sequence[Repeated]) -> int:
    """Print how a variant's tapes went; return how many went wrong."""
    wrong = [one.difference for one in results if one.difference]
    agreed = " and ".join(str(one.agreed) for one in results)
    print(f"  {where}: {agreed} steps agree{', ' * bool(wrong)}{'; '.join(wrong)}", flush=True)
    return len(wrong)


def main() -> None:
    """Compare, and exit with 1 where anything differs."""
    parser = argparse.ArgumentParser(description="Compares WebAssembly at length.")
    parser.add_argument("--hands", type=int, default=1_000_000, help="whole hands of a variant")
    parser.add_argument("--steps", type=int, default=200, help="hands action by action")
    parser.add_argument("--variants", help="these alone")
    parser.add_argument("--chromium", action="store_true", help="in that browser as well")
    parser.add_argument("--numba", action="store_true", help="totals by Numba as well")
    options = parser.parse_args()
    names = options.variants.split(",") if options.variants else catalog()
    where = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        for name in names:
            began = time.perf_counter()
            table = compile_rules(variant(name))
            streams = -(-options.hands // STREAM // len(casts(table.seats)[1:]))
            made = tapes(table, options.steps, streams)
            print(f"{name}: {len(made[0])} and {len(made[1])} steps", flush=True)
            wrong += told("node", in_node(made, Path(folder))[1])
            if options.chromium:
                browser = playwright.chromium.launch(executable_path=where, args=ARGS)
                wrong += told("chromium", in_browser(browser, made))
                browser.close()
            if options.numba:
                wrong += unlike_numba(table, streams)
            print(f"  {time.perf_counter() - began:.0f} s", flush=True)
    print(f"{wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
