"""Self-play PPO in NumPy: one small network in all four seats, and a curve after minutes on a core.

python ppo.py --minutes 4 --out ppo
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

import rookery
from rookery.envs.tables import Tables

HIDDEN = 96  # units of the network's one hidden layer
POINTS = 100.0  # a hand is worth about so many points
TABLES = 512  # hands that are played at a time
EPOCHS, BATCH, RATE = 2, 2048, 1e-3
CLIP, LAMBDA = 0.2, 0.95
OPEN = 0.06  # how hard every legal action is kept in play, so that rare ones are tried on
SIZES = np.log1p(np.arange(128)).astype(np.float32)  # counts grow slower than they are


class Network:
    """Scores each action, and says what the hand will be worth to the seat."""

    def __init__(self, size: int, actions: int, seed: int) -> None:
        """Begin with random weights; the last column of the output is the worth."""
        random = np.random.default_rng(seed)
        first = random.normal(0, (2 / size) ** 0.5, (size, HIDDEN))
        last = random.normal(0, 0.1 / HIDDEN**0.5, (HIDDEN, actions + 1))
        arrays = (first, np.zeros(HIDDEN), last, np.zeros(actions + 1))
        self.weights = [array.astype(np.float32) for array in arrays]
        self.slow, self.fast = ([0 * array for array in self.weights] for _ in range(2))
        self.steps = 0

    def __call__(self, observation: dict[str, np.ndarray]) -> np.ndarray:
        """Return the likeliest action of each row: this is the policy that is measured."""
        *_, out = self.forward(observation["observation"])
        return np.where(observation["action_mask"] == 1, out[:, :-1], -np.inf).argmax(1)

    def forward(self, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the inputs, the hidden layer and the output."""
        first, shift, last, end = self.weights
        inputs = SIZES[seen]
        hidden = np.maximum(inputs @ first + shift, 0)
        return inputs, hidden, hidden @ last + end

    def learn(self, inputs: np.ndarray, hidden: np.ndarray, slope: np.ndarray, rate: float) -> None:
        """Move the weights against the slope of the loss at the output, by Adam."""
        back = (slope @ self.weights[2].T) * (hidden > 0)
        slopes = (inputs.T @ back, back.sum(0), hidden.T @ slope, slope.sum(0))
        self.steps += 1
        rate *= (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for weight, slow, fast, one in zip(self.weights, self.slow, self.fast, slopes, strict=True):
            slow += 0.1 * (one - slow)
            fast += 0.001 * (one * one - fast)
            weight -= rate * slow / (np.sqrt(fast) + 1e-8)


def chances_of(out: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Return how likely each action is: softmax of the scores, 0 for what is not legal."""
    scores = np.where(mask == 1, out[:, :-1], -np.inf)
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def play(tables: Tables, network: Network, random: np.random.Generator) -> list[np.ndarray]:
    """Play a hand at every table, the network in all seats; return all decisions.

    Returns:
        What was seen, the masks, the actions, how likely these were, what the hand was worth after
        them (a mixture of its score and of what the network said later), and what it said then.
    """
    tables.begin(int(random.integers(1 << 62)))
    steps, worth = [], np.zeros(tables.rewards.shape, np.float32)
    while (at := np.flatnonzero(tables.seats >= 0)).size:
        seen, mask = tables.observations[at], tables.masks[at]
        *_, out = network.forward(seen)
        chances = chances_of(out, mask)
        dice = random.standard_exponential(chances.shape, np.float32) + 1e-12
        action = (chances / dice).argmax(1)  # each as often as it is likely
        actions = np.zeros(len(tables.seats), np.int64)
        actions[at] = action
        seat = at * worth.shape[1] + tables.seats[at]
        steps.append((seen, mask, action, chances[np.arange(len(at)), action], out[:, -1], seat))
        tables.step(actions)
        worth += tables.rewards / POINTS
    after, goals = worth.ravel(), []
    for *_, said, seat in reversed(steps):
        goals.append(after[seat])
        after[seat] = LAMBDA * after[seat] + (1 - LAMBDA) * said
    seen, mask, action, chance, said, _ = (np.concatenate(one) for one in zip(*steps, strict=True))
    return [seen, mask, action, chance, np.concatenate(goals[::-1]), said]


def improve(network: Network, played: list[np.ndarray], random: np.random.Generator) -> None:
    """Make what went better than was said likelier, within the limits of PPO."""
    seen, mask, action, chance, goal, said = played
    gain = goal - said
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    for _ in range(EPOCHS):
        for part in np.array_split(random.permutation(len(action)), -(-len(action) // BATCH)):
            inputs, hidden, out = network.forward(seen[part])
            chances, rows = chances_of(out, mask[part]), np.arange(len(part))
            ratio = chances[rows, action[part]] / chance[part]
            free = np.where(gain[part] > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
            push = free * ratio * gain[part]
            slope = np.empty_like(out)
            even = mask[part] / mask[part].sum(1, keepdims=True)
            slope[:, :-1] = chances * push[:, None] + OPEN * (chances - even)
            slope[rows, action[part]] -= push
            slope[:, -1] = 0.5 * (out[:, -1] - goal[part])
            network.learn(inputs, hidden, slope / len(part), RATE)


def measure(network: Network, rules: str, deals: int) -> dict[str, list[float]]:
    """Return points a board against each bot, with half of the 95 % interval."""
    found = rookery.evaluate(
        network, rules=rules, deals=deals, family="tuning", partners=["self"], batched=True
    )
    points = {one.opponent: one.difference for one in found.meetings}
    return {who: [one.mean, (one.ci95[1] - one.ci95[0]) / 2] for who, one in points.items()}


def told(points: dict[str, list[float]]) -> str:
    """Return points a board as text."""
    return ", ".join(f"{who} {mean:+.1f} ± {half:.1f}" for who, (mean, half) in points.items())


def train(
    rules: str, *, seconds: float = 1e9, rounds: int = 10**9, every: int = 20, deals: int = 500,
    seed: int = 1,
) -> tuple[Network, list[dict[str, Any]]]:  # fmt: skip
    """Return a network after so many seconds or rounds of training, and its curve."""
    tables, random = Tables(rules, TABLES, bound=False), np.random.default_rng(seed)
    network = Network(tables.observations.shape[1], tables.masks.shape[1], seed)
    curve: list[dict[str, Any]] = []
    spent, decisions, turn = 0.0, 0, 0
    while True:
        last = spent >= seconds or turn >= rounds
        if last or turn % every == 0:
            points = measure(network, rules, deals)
            so_far = {"hands": turn * TABLES, "decisions": decisions, "seconds": round(spent, 1)}
            curve.append({**so_far, "points": points})
            print(f"{so_far['hands']:>8,} hands {spent:>5.0f} s   {told(points)}", flush=True)
        if last:
            return network, curve
        began = time.process_time()
        played = play(tables, network, random)
        improve(network, played, random)
        spent += time.process_time() - began
        decisions, turn = decisions + len(played[0]), turn + 1


def draw(curve: list[dict[str, Any]], path: Path, across: str, title: str) -> None:
    """Draw a curve: points a board against each bot, with the intervals."""
    from matplotlib.figure import Figure

    figure = Figure((7, 4), layout="constrained")
    axes = figure.subplots()
    for who in curve[0]["points"]:
        at = [one[across] for one in curve]
        mean, half = np.array([one["points"][who] for one in curve]).T
        axes.plot(at, mean, label=f"against {who}")
        axes.fill_between(at, mean - half, mean + half, alpha=0.2)
    axes.axhline(0, color="gray", linewidth=0.8)
    axes.set(xlabel=across, ylabel="points a board, 95 % intervals", title=title)
    axes.legend()
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def main() -> None:
    """Train, write the curve as data and as a picture, and measure on deals kept apart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="kd_tournament", help="a variant's id")
    parser.add_argument("--minutes", type=float, default=4, help="of training, of processor time")
    parser.add_argument("--deals", type=int, default=1000, help="of the report")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("ppo"), help="a folder")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    network, curve = train(asked.rules, seconds=60 * asked.minutes, seed=asked.seed)
    np.savez(asked.out / "weights.npz", *network.weights)
    (asked.out / "curve.json").write_text(json.dumps(curve, indent=1) + "\n", "utf-8")
    draw(curve, asked.out / "curve.svg", "hands", f"PPO by self-play, {asked.rules}")
    report = rookery.evaluate(
        network, rules=asked.rules, deals=asked.deals, name="ppo-numpy", batched=True
    )
    (asked.out / "report.json").write_text(report.model_dump_json(indent=1) + "\n", "utf-8")
    print(report)


if __name__ == "__main__":
    main()
