"""A behaviour clone of `expert` in NumPy: one look at the table instead of a search.

python clone.py --minutes 10 --out clone

All seats ask the teacher. Now and then a seat does something else, any legal action, and what the
teacher would do from there on is learnt as well: a clone strays, and has to know how to go on.
"""

from __future__ import annotations

import argparse
import json
import time
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
from ppo import Network, chances_of, draw, measure, told

import rookery
from rookery.engine.actions import ACTIONS, TRUMP_CALLS
from rookery.envs.hands import observation_of
from rookery.envs.observations.compact import places_of
from rookery.rules.table import compile_rules

STRAY = 0.15  # of all decisions are done at random; what is learnt there is still the teacher's
KEPT_APART = 0.1  # of the hands tell how often the clone agrees with its teacher
BATCH, RATE = 512, 1e-3

Positions = dict[str, np.ndarray]


def positions(
    rules: str, teacher: str, *, seconds: float = 1e9, hands: int = 10**9, seed: int = 1
) -> Positions:
    """Return what the teacher does in hands of its own, until the time or the hands are over.

    Returns:
        ``observation``, ``action_mask`` and the teacher's ``action``, one row a position, and the
        number of the ``hand`` that it is from.
    """
    game, random = rookery.load_rules(rules), np.random.default_rng(seed)
    players = [rookery.bot(teacher).seated(game, seat) for seat in range(game.seats)]
    rows: list[tuple[np.ndarray, np.ndarray, int, int]] = []
    began, number = time.process_time(), 0
    while number < hands and time.process_time() - began < seconds:
        hand = rookery.Hand.shuffled(game, number % game.seats, int(random.integers(1 << 62)))
        for player in players:
            player.begin(hand, int(random.integers(1, 1 << 62)))
        while (seat := hand.to_act) is not None:
            wanted = hand.numbers_of(players[seat].act(hand))  # of a discard, each of its cards
            strays = len(wanted) == 1 and random.random() < STRAY
            for action in wanted:
                seen = observation_of(hand)
                rows.append((seen["observation"], seen["action_mask"], action, number))
                legal = np.flatnonzero(seen["action_mask"])
                hand = hand.do(int(random.choice(legal)) if strays else action)
        number += 1
    names = ("observation", "action_mask", "action", "hand")
    return dict(zip(names, map(np.array, zip(*rows, strict=True)), strict=True))


def recolourings(rules: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """Return all ways to exchange the four colours, of which none is special in these rules.

    Returns:
        For each way, from where each number of an observation and each action's comes.
    """
    game = rookery.load_rules(rules)
    places, ways = places_of(compile_rules(game)), []
    plain = (game.red_1, game.black_2, game.red_2) == ("off",) * 3
    special = not plain or game.rook_at_no_trump == "red_10_5"
    for order in permutations(range(4)) if not special else [(0, 1, 2, 3)]:
        columns, actions = np.arange(max(one.stop for one in places.values())), np.arange(ACTIONS)
        fields = [(actions, 0, 56), (actions, TRUMP_CALLS, 8)]
        for name, place in places.items():
            cards = place.stop - place.start == 64
            if cards or name == "call" or name.startswith("void"):
                fields.append((columns, place.start, 56 if cards else 8 if name == "call" else 4))
        for numbers, first, many in fields:
            at = np.arange(many)
            numbers[first : first + many] = first + at // 4 * 4 + np.array(order)[at % 4]
        ways.append((columns, actions))
    return ways


def agreement(network: Network, there: Positions) -> float:
    """Return how often the network does what the teacher did, 0 to 1, where there was a choice."""
    free = there["action_mask"].sum(1) > 1
    return float((network(there)[free] == there["action"][free]).mean())


def train(
    rules: str, found: Positions, *, epochs: int = 40, every: int = 8, deals: int = 500,
    seed: int = 1,
) -> tuple[Network, list[dict[str, Any]]]:  # fmt: skip
    """Return a network that was fitted to the teacher's actions, and its curve."""
    random, ways = np.random.default_rng(seed), recolourings(rules)
    network = Network(found["observation"].shape[1], found["action_mask"].shape[1], seed)
    apart = found["hand"] >= (1 - KEPT_APART) * (found["hand"][-1] + 1)
    learnt, exam = ({name: one[part] for name, one in found.items()} for part in (~apart, apart))
    steps, curve = -(-len(learnt["action"]) // BATCH), list[dict[str, Any]]()
    for epoch in range(epochs + 1):
        if epoch % every == 0 or epoch == epochs:
            points, share = measure(network, rules, deals), agreement(network, exam)
            curve.append({"epochs": epoch, "agreement": round(share, 4), "points": points})
            print(f"{epoch:>3} epochs, agrees {share:.1%}   {told(points)}", flush=True)
        if epoch == epochs:
            break
        for step, part in enumerate(
            np.array_split(random.permutation(len(learnt["action"])), steps)
        ):
            columns, actions = ways[random.integers(len(ways))]
            seen, mask = learnt["observation"][part], learnt["action_mask"][part]
            inputs, hidden, out = network.forward(seen[:, columns])
            slope = np.zeros_like(out)
            slope[:, :-1] = chances_of(out, mask[:, actions])
            slope[np.arange(len(part)), np.argsort(actions)[learnt["action"][part]]] -= 1
            rest = 1 - (epoch * steps + step) / (epochs * steps)  # the rate falls to nothing
            network.learn(inputs, hidden, slope / len(part), RATE * rest)
    return network, curve


def main() -> None:
    """Ask the teacher, train, and write curve, picture and a report on deals kept apart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="kd_tournament", help="a variant's id")
    parser.add_argument("--teacher", default="expert", help="a bot")
    parser.add_argument(
        "--minutes", type=float, default=10, help="of asking the teacher, of processor time"
    )
    parser.add_argument("--epochs", type=int, default=40, help="of training")
    parser.add_argument("--deals", type=int, default=1000, help="of the report")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("clone"), help="a folder; positions in it "
                        "are taken up")  # fmt: skip
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    kept = asked.out / "positions.npz"
    if not kept.exists():
        found = positions(asked.rules, asked.teacher, seconds=60 * asked.minutes, seed=asked.seed)
        np.savez_compressed(kept, **found)
    found = dict(np.load(kept))
    print(f"{len(found['action']):,} positions of {found['hand'][-1] + 1:,} hands")
    network, curve = train(asked.rules, found, epochs=asked.epochs, seed=asked.seed)
    np.savez(asked.out / "weights.npz", *network.weights)
    (asked.out / "curve.json").write_text(json.dumps(curve, indent=1) + "\n", "utf-8")
    draw(curve, asked.out / "curve.svg", "epochs", f"A clone of {asked.teacher}, {asked.rules}")
    report = rookery.evaluate(
        network, rules=asked.rules, deals=asked.deals, name="clone-of-expert", batched=True
    )
    (asked.out / "report.json").write_text(report.model_dump_json(indent=1) + "\n", "utf-8")
    print(report)


if __name__ == "__main__":
    main()
