"""The module that loads the kernels: records as they begin, memory that grows, what it refuses."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest
from scripts.native.kernels import EXPORTED
from scripts.native.wasm import ALONE
from tests.engine.repeating import LOADER, node
from tests.engine.tape import cells_of

from rookery.engine.targets.native import symbol_of
from rookery.rules import variant
from rookery.rules.table import compile_rules

pytestmark = pytest.mark.skipif(
    not ALONE.path.exists(), reason="python -m scripts.native.wasm builds what is tested"
)

BEFORE = """
import { readFileSync } from "node:fs";
const [loader, file] = process.argv.slice(1);
const source = readFileSync(loader).toString("base64");
const { open } = await import(`data:text/javascript;base64,${source}`);
const kernels = await open(readFileSync(file));
const told = {};
"""
AFTER = "\nconsole.log(JSON.stringify(told));"


def run(code: str) -> dict[str, Any]:
    """Return what a script noted in `told`, with the kernels as `kernels`."""
    command = [node(), "--input-type=module", "-e", BEFORE + code + AFTER, LOADER, ALONE.path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_a_record_begins_as_in_python() -> None:
    told = run("""
        for (const kind of Object.keys(kernels.contents.records)) {
          told[kind] = [...kernels.make(kind, 2).cells].map(String);
        }
    """)
    kinds = {
        word.removesuffix("[]"): kernel.__globals__[word.removesuffix("[]")]
        for kernel in EXPORTED
        for word in kernel.__annotations__.values()
        if word.removesuffix("[]") in told
    }
    assert {"RuleTable", "State", "Hidden", "SearchState"} <= set(told)
    for kind, record in kinds.items():
        cells = cells_of(kind, record())
        assert told[kind] == [str(cell) for cell in cells * 2], kind
    assert any("-1" in cells for cells in told.values())


def test_a_hand_is_dealt_by_a_few_lines() -> None:
    """As docs/design/wasm.md says it."""
    table = compile_rules(variant("kd_tournament"))
    bytes_ = [*b"".join(cell.to_bytes(8, "little", signed=True) for cell in cells_of("", table))]
    told = run(f"""
        const call = (name, ...given) => kernels.call(`rookery_engine_${{name}}`, ...given);
        const table = kernels.make("RuleTable", 1, Uint8Array.from({json.dumps(bytes_)}));
        const [state, hidden] = [kernels.make("State"), kernels.make("Hidden")];
        const [order, actions] = [kernels.make("int", 57), kernels.make("int", 128)];
        hidden.field("rng")[0] = call("rng_seeded", 7, 0);
        call("deal_shuffle", table, hidden, order);
        call("deal_deal", table, state, hidden, order, 0);
        told.actions = Number(call("actions_legal", table, state, hidden, actions));
        told.hands = [...hidden.field("hand")].slice(0, 4).map(String);
        told.turn = Number(state.field("turn")[0]);
    """)
    hands = [int(hand) for hand in told["hands"]]
    assert [hand.bit_count() for hand in hands] == [table.hand_size] * 4
    assert not hands[0] & hands[1]
    assert told["turn"] == 1
    assert told["actions"] > 1


def test_memory_grows_and_is_given_back() -> None:
    told = run("""
        const first = kernels.make("int", 3);
        first.cells[1] = 5n;
        const { mark } = kernels;
        const large = kernels.make("float", 1 << 20);
        large.cells[(1 << 20) - 1] = 0.5;
        told.kept = [...first.cells].map(String);
        told.last = large.cells.at(-1);
        kernels.release(mark);
        const again = kernels.make("float", 1 << 20);
        told.same = again.address === large.address;
        told.empty = again.cells.every((number) => number === 0);
        told.aligned = kernels.make("int").address % 8;
    """)
    assert told == {"kept": ["0", "5", "0"], "last": 0.5, "same": True, "empty": True, "aligned": 0}


def test_what_does_not_fit_is_refused() -> None:
    legal = f"{symbol_of(EXPORTED[4])}"
    told = run(f"""
        const [table, state, hidden] = ["RuleTable", "State", "Hidden"].map((k) => kernels.make(k));
        const many = kernels.make("State", 2);
        const refused = (name, does) => {{
          try {{ does(); told[name] = "nothing"; }} catch (error) {{ told[name] = error.message; }}
        }};
        const legal = (...given) => kernels.call("{legal}", ...given);
        refused("order", () => legal(table, hidden, state, kernels.make("int", 9)));
        refused("many", () => legal(table, many, hidden, kernels.make("int", 9)));
        refused("list", () => legal(table, state, hidden, [0]));
        refused("kind", () => legal(table, state, hidden, kernels.make("float", 9)));
        refused("few", () => legal(table, state, hidden));
        refused("name", () => kernels.call("step"));
        refused("record", () => kernels.make("Cards"));
        refused("bytes", () => kernels.make("State", 1, new Uint8Array(8)));
        refused("field", () => state.field("hand"));
        refused("place", () => many.field("turn", 2));
        refused("one", () => many.one(2));
        refused("right", () => legal(table, many.one(1), hidden, kernels.make("int", 9)));
    """)
    assert told == {
        "order": f"{legal} takes State, got 1 of Hidden",
        "many": f"{legal} takes State, got 2 of State",
        "list": f"{legal} takes int[], got object",
        "kind": f"{legal} takes int[], got 9 of float",
        "few": f"{legal} takes 4, got 3",
        "name": "there is no kernel step",
        "record": "there is no record Cards",
        "bytes": "1 of State are 1040 bytes, got 8",
        "field": "State 0 of 1 has no field hand",
        "place": "State 2 of 2 has no field turn",
        "one": "there is no record 2 of 2 of State",
        "right": "nothing",
    }
