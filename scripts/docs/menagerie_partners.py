"""The paper's first open question on the page: its characters against themselves, noticing or not.

Asked as `rookery.lab.studies.questions.cooperation` asks it, of the four and of `club`, at the game
of the paper's title; the sums are kept as a file from which every figure follows.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from scripts.docs.menagerie_kept import KeptError

from rookery.engine.targets import Target
from rookery.engine.targets.choice import for_table
from rookery.lab.duplicate.boards import BOARDS, WIDTH, play_boards
from rookery.lab.duplicate.match import Played
from rookery.lab.duplicate.result import Result, difference_of, result_of
from rookery.lab.menagerie.figures import NAMES
from rookery.lab.menagerie.study import RULES
from rookery.lab.run.jobs import Executor, run_jobs
from rookery.lab.stats import Interval
from rookery.lab.studies.question import Plan, Setting
from rookery.lab.studies.questions.cooperation import BOTH, ONE, jobs, meeting
from rookery.rules import load

FORMAT: Final = "rookery-partners/1"
CAST: Final = (*NAMES, "club")
LINEUPS: Final = (BOTH, ONE)


@dataclass(frozen=True)
class Partners:
    """What was counted of the question.

    Attributes:
        boards: how many of each bot and line-up.
        seed: of all of them.
        sums: by bot and line-up (both partners notice, or one); see
            `rookery.lab.duplicate.boards`.
    """

    boards: int
    seed: int
    sums: Mapping[tuple[str, str], tuple[int, ...]]

    def gain(self, name: str, who: str) -> Interval:
        """Return by how many points a hand the side that notices is ahead."""
        return difference_of(self._played(name, who))

    def result(self, name: str, who: str) -> Result:
        """Return all that the match says; the first bot in it notices, the other does not."""
        return result_of(self._played(name, who))

    def _played(self, name: str, who: str) -> Played:
        plan = _plan(self.boards, self.seed)
        match = meeting(plan, plan.settings[0], name, who)
        return Played(match, self.sums[name, who], (), 0.0)


def ask(
    boards: int, seed: int, *, executor: Executor | None = None, target: Target | None = None
) -> Partners:
    """Play the question's boards, 2 or more a figure, and return what was counted.

    The code is that for all rules and bots, which Numba would compile for a minute.
    """
    plan = _plan(boards, seed, target or for_table(play_boards))
    counted = run_jobs(jobs(plan), executor)
    return Partners(
        boards,
        seed,
        {
            (name, who): tuple(int(number) for number in counted[f"{RULES}/{name}/{who}"])
            for name in CAST
            for who in LINEUPS
        },
    )


def _plan(boards: int, seed: int, target: Target = "python") -> Plan:
    return Plan((Setting(RULES, load(RULES)),), CAST, boards, seed, target)


def written(partners: Partners) -> str:
    """Return what was counted as JSON: the gains for readers, and the sums behind them."""
    runs = {name: {who: _run(partners, name, who) for who in LINEUPS} for name in CAST}
    head = {"format": FORMAT, "rules": RULES, "boards": partners.boards, "seed": partners.seed}
    parts = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in {**head, **runs}.items()]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _run(partners: Partners, name: str, who: str) -> dict[str, object]:
    gain = partners.gain(name, who)
    points = {"points": round(gain.mean, 4), "ci95": round(gain.ci95, 4)}
    return {**points, "sums": list(partners.sums[name, who])}


def read(text: str) -> Partners:
    """Return what `written` wrote.

    Raises:
        KeptError: the text holds no such thing.
    """
    try:
        held: dict[str, Any] = json.loads(text)
        if (held["format"], held["rules"]) != (FORMAT, RULES):
            raise KeptError(f"the format is {held['format']!r}; expected {FORMAT!r} of {RULES}")
        sums = {
            (name, who): tuple(int(number) for number in held[name][who]["sums"])
            for name in CAST
            for who in LINEUPS
        }
        boards, seed = int(held["boards"]), int(held["seed"])
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, KeptError):
            raise
        raise KeptError(f"this is not what the page knows of partners: {error!r}") from None
    for (name, who), row in sums.items():
        if len(row) != WIDTH or row[BOARDS] != boards:
            raise KeptError(f"{name}, {who}: not the sums of {boards} boards")
    return Partners(boards, seed, sums)
