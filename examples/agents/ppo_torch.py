"""Self-play PPO in PyTorch: that of `ppo.py` with a larger network, on a GPU where there is one.

python ppo_torch.py --hours 2 --out ppo-torch

PyTorch is not installed with Rookery: `pip install torch` first. Hands are played by compiled code
on the processor; the network alone is on the GPU. Ctrl-C ends the training and keeps what was
learnt.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from ppo import CLIP, LAMBDA, OPEN, POINTS, draw, measure
from torch import nn

import rookery
from rookery.envs.tables import Tables

TABLES = 4096  # hands that are played at a time
EPOCHS, BATCH, RATE = 2, 16384, 5e-4
PLACE = "cuda" if torch.cuda.is_available() else "cpu"


class Network(nn.Module):
    """Scores each action, and says what the hand will be worth to the seat."""

    def __init__(self, size: int, actions: int, hidden: int) -> None:
        """Begin with random weights; the last column of the output is the worth."""
        super().__init__()
        self.layers = nn.Sequential(
            *(nn.Linear(size, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU()),
            *(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, actions + 1)),
        )
        with torch.no_grad():
            self.layers[-1].weight *= 0.1

    def forward(self, seen: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logarithm of each action's chance, and the worth."""
        out = self.layers(torch.log1p(seen.float()))
        scores = out[:, :-1].masked_fill(mask == 0, -torch.inf)
        return torch.log_softmax(scores, 1), out[:, -1]

    @torch.no_grad()
    def play(self, observation: dict[str, np.ndarray]) -> np.ndarray:
        """Return the likeliest action of each row: this is the policy that is measured."""
        logs, _ = self(*(there(observation[name]) for name in ("observation", "action_mask")))
        return logs.argmax(1).cpu().numpy()


def there(array: np.ndarray) -> torch.Tensor:
    """Return an array as a tensor where the network is."""
    return torch.from_numpy(np.ascontiguousarray(array)).to(PLACE)


@torch.no_grad()
def play(tables: Tables, network: Network, seed: int) -> list[torch.Tensor]:
    """Play a hand at every table; return all decisions, as `ppo.play` does."""
    tables.begin(seed)
    steps, worth = [], np.zeros(tables.rewards.shape, np.float32)
    while (at := np.flatnonzero(tables.seats >= 0)).size:
        seen, mask = there(tables.observations[at]), there(tables.masks[at])
        logs, said = network(seen, mask)
        action = torch.multinomial(logs.exp(), 1)[:, 0]
        actions = np.zeros(len(tables.seats), np.int64)
        actions[at] = action.cpu().numpy()
        seat = at * worth.shape[1] + tables.seats[at]
        steps.append((seen, mask, action, logs.gather(1, action[:, None])[:, 0], said, there(seat)))
        tables.step(actions)
        worth += tables.rewards / POINTS
    after, goals = there(worth.ravel()), []
    for *_, said, seat in reversed(steps):
        goals.append(after[seat])
        after[seat] = LAMBDA * after[seat] + (1 - LAMBDA) * said
    seen, mask, action, log, said, _ = map(torch.cat, zip(*steps, strict=True))
    return [seen, mask, action, log, torch.cat(goals[::-1]), said]


def improve(network: Network, adam: torch.optim.Adam, played: list[torch.Tensor]) -> None:
    """Make what went better than was said likelier, within the limits of PPO."""
    seen, mask, action, before, goal, said = played
    gain = goal - said
    gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    for _ in range(EPOCHS):
        for part in torch.randperm(len(action), device=PLACE).split(BATCH):
            logs, worth = network(seen[part], mask[part])
            ratio = (logs.gather(1, action[part, None])[:, 0] - before[part]).exp()
            kept = ratio.clamp(1 - CLIP, 1 + CLIP)
            won = torch.minimum(ratio * gain[part], kept * gain[part]).mean()
            even = mask[part] / mask[part].sum(1, keepdim=True)
            rare = -(even * logs.clamp(min=-30)).sum(1).mean()
            loss = 0.25 * (worth - goal[part]).square().mean() - won + OPEN * rare
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            adam.step()


def train(
    rules: str, *, seconds: float = 1e9, rounds: int = 10**9, every: int = 10, hidden: int = 512,
    tables: int = TABLES, deals: int = 1000, seed: int = 1,
) -> tuple[Network, list[dict[str, Any]]]:  # fmt: skip
    """Return a network after so many seconds or rounds of training, and its curve."""
    torch.manual_seed(seed)
    there_played = Tables(rules, tables, bound=False)
    size, actions = there_played.observations.shape[1], there_played.masks.shape[1]
    network = Network(size, actions, hidden).to(PLACE)
    adam = torch.optim.Adam(network.parameters(), RATE)
    curve: list[dict[str, Any]] = []
    began, turn = time.perf_counter(), 0
    try:
        while True:
            spent = time.perf_counter() - began
            last = spent >= seconds or turn >= rounds
            if last or turn % every == 0:
                points = measure(network.play, rules, deals)
                curve.append({"hands": turn * tables, "seconds": round(spent, 1), "points": points})
                print(curve[-1], flush=True)
            if last:
                break
            improve(network, adam, play(there_played, network, seed * 10**9 + turn))
            turn += 1
    except KeyboardInterrupt:
        print("stopped")
    return network, curve


def main() -> None:
    """Train, write the curve as data and as a picture, and measure on deals kept apart."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", default="kd_tournament", help="a variant's id")
    parser.add_argument("--hours", type=float, default=2, help="of training, measuring included")
    parser.add_argument("--hidden", type=int, default=512, help="units of each of three layers")
    parser.add_argument("--deals", type=int, default=1000, help="of the report")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("ppo-torch"), help="a folder")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    network, curve = train(
        asked.rules, seconds=3600 * asked.hours, hidden=asked.hidden, seed=asked.seed
    )
    torch.save(network.state_dict(), asked.out / "weights.pt")
    (asked.out / "curve.json").write_text(json.dumps(curve, indent=1) + "\n", "utf-8")
    draw(curve, asked.out / "curve.svg", "hands", f"PPO by self-play in PyTorch, {asked.rules}")
    report = rookery.evaluate(
        network.play, rules=asked.rules, deals=asked.deals, name="ppo-torch", batched=True
    )
    (asked.out / "report.json").write_text(report.model_dump_json(indent=1) + "\n", "utf-8")
    print(report)


if __name__ == "__main__":
    main()
