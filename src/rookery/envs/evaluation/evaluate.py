"""`evaluate`: a policy against the rungs of the ladder, on duplicate boards that are kept apart."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from pathlib import Path
from typing import Final, get_args

from rookery.about import version
from rookery.bots.names import LEVELS, Bot, bot, unhurried
from rookery.bots.register import BOTS
from rookery.engine.targets import Target
from rookery.envs.evaluation.boards import PolicyBoards
from rookery.envs.evaluation.policy import DrawnBot, Policy, PolicyBot
from rookery.envs.evaluation.report import NAME, OBSERVATIONS, Evaluation, Meeting, Partner, points
from rookery.lab.duplicate.holdout import Look, begin_look, usual_ledger
from rookery.lab.duplicate.match import Match, ahead, play_match
from rookery.lab.duplicate.result import result_of
from rookery.lab.duplicate.seeds import SEEDS, Family
from rookery.lab.duplicate.sprt import FARTHEST, Sprt
from rookery.lab.run.jobs import Chunk, Job, Progress, Sums
from rookery.rules import Rules, load
from rookery.rules.table import compile_rules

OPPONENTS: Final = ("beginner", "casual", "club")  # the rungs that need no search
MOST: Final = 10**12


class BadEvaluation(ValueError):
    """An evaluation that cannot be. Code: ``bad-evaluation``."""

    code = "bad-evaluation"


@dataclass(frozen=True)
class PolicyMatch(Match):
    """A match in which a policy has some of the seats."""

    def _boards(self, first: int, size: int) -> PolicyBoards:
        return PolicyBoards(**vars(super()._boards(first, size)))


class InTurn:
    """An executor that counts in the caller's thread: nobody said that a policy may have others."""

    def work(
        self, jobs: Mapping[str, Job], chunks: Iterator[Chunk]
    ) -> Iterator[tuple[Chunk, Sums]]:
        """Yield every chunk with its sums; see `Executor`."""
        for chunk in chunks:
            yield chunk, jobs[chunk.job].count(chunk.first, chunk.size)


def evaluate(
    policy: Policy,
    *,
    rules: Rules | str | Path | Mapping[str, object] = "kd_tournament",
    deals: int = 1000,
    seed: int = 1,
    name: str = "policy",
    opponents: Sequence[str] = OPPONENTS,
    partners: Sequence[Partner] = ("self", "known", "unknown"),
    family: Family | str = Family.VALIDATION,
    sprt: tuple[float, float] | Sprt | None = None,
    batched: bool = False,
    ledger: str | Path | None = None,
    progress: Progress | None = None,
    target: Target = "numba",
) -> Evaluation:
    """Return what a policy is worth against bots of known strength; ``print`` shows it as a table.

    The policy takes an observation, a dict with ``observation`` and ``action_mask`` as in
    `rookery.envs`, and returns the number of an action. If it cannot be called without a
    ``seat``, it is given the number of its seat, which no observation tells where two play. Every
    deal is played from every side of the table. The same seed gives the same deals and bots' dice,
    so the same figures where the policy draws no dice of its own.

    Where it has a method ``meet(partner)``, that is called before each match: with ``"self"``, with
    the name of the bot that sits opposite, or with None where that is not told.

    Args:
        policy: what decides.
        rules: a variant's id, the path of a rule file, options, or rules.
        deals: for each match, 2 or more; with a test, the most.
        seed: of all deals, 0 to 2^63 - 1.
        name: what it is called in the report; no bot's name.
        opponents: levels, whose clock is taken out, or bots. Where all need no search and revokes
            are not punished, compiled code plays; of ``strong`` a minute holds some 400 deals, of
            ``expert`` some 90.
        partners: ``self``, ``known`` (a bot like the opponents) and ``unknown`` (one of
            `opponents`, drawn for every hand). Left aside where each seat plays for itself.
        family: what the deals are for: ``tuning``, ``validation`` or ``holdout``. The holdout is
            looked at once for each name; the ledger is your own, so this is your own word.
        sprt: end a match once the deals decide between these two means, points a board.
        batched: the policy takes arrays of many observations, the first axis being the tables, and
            returns as many actions. That is faster where it computes with NumPy or on a GPU.
        ledger: the file that notes looks at the holdout; in your data folder where None.
        progress: called with how many deals are done, and how many there are.
        target: ``python`` plays without compiled code.

    Raises:
        BadEvaluation: there are no such deals, partners, name, test or target.
        PolicyError: the policy raised an error, or answered what its mask does not allow.
        UnknownBot, RulesError: there is no such opponent, or no such rules.
        TypeError: the rules are none that `load` takes.
        LookedAlready, LedgerUnusable: the holdout may not be used; nothing was played.
    """
    game = rules if isinstance(rules, Rules) else load(rules)
    label = rules if isinstance(rules, str) else game.id or game.name
    test = _test(sprt)
    _check(name, deals, seed, opponents, partners, family)
    deals, seed = int(deals), int(seed)  # a number of NumPy's would be rounded in the report
    if target not in get_args(Target):
        raise BadEvaluation(f"target {target!r}: expected {', '.join(get_args(Target))}")
    mine = PolicyBot(name, policy=policy, batched=batched)
    pool = tuple(rung(one) for one in opponents)
    table = compile_rules(game)
    sides = partners if table.partners[0].bit_count() > 1 else ("alone",)
    matches: list[tuple[str, Partner, PolicyMatch]] = []
    for told, other in zip(opponents, pool, strict=True):
        for partner in sides:
            friend = {"self": mine, "unknown": DrawnBot("drawn", pool=pool)}.get(partner, other)
            seated = tuple(
                mine if seat == 0 else friend if table.partners[0] >> seat & 1 else other
                for seat in range(game.seats)
            )
            bots = (mine, other) if partner in ("self", "alone") else seated
            match = PolicyMatch(game, label, bots, deals, seed, Family(family), test, target)
            matches.append((told, partner, match))
    looks = _looks([match for *_, match in matches], None if ledger is None else Path(ledger))
    meetings: list[Meeting] = []
    began = time.perf_counter()
    for at, (told, partner, match) in enumerate(matches):
        _tell(policy, partner, told)
        played = play_match(
            match, executor=InTurn(), progress=ahead(progress, at * deals, len(matches) * deals)
        )
        result = result_of(played)
        meetings.append(Meeting(**dict(result), opponent=told, partner=partner))
    # Not before: who was stopped may begin again. On other deals there are no looks.
    for look, meeting in zip(looks, meetings, strict=False):
        look.done(points(meeting))
    return Evaluation(
        name=name, rules=label, rookery=version(), observations=OBSERVATIONS, seed=seed,
        family=Family(family), seconds=round(time.perf_counter() - began, 3), meetings=meetings,
    )  # fmt: skip


def rung(name: str) -> Bot:
    """Return the bot of a level, without its clock, or the bot of that name.

    >>> str(rung("casual")), str(rung("strong")), str(rung("hog"))
    ('papa:partner=noticed', 'expert:rollouts=200:ms=600000', 'hog')

    Raises:
        UnknownBot: there is none; code ``unknown-bot``.
    """
    level = name.strip().lower()
    return bot(unhurried(LEVELS[level])) if level in LEVELS else bot(name)


def _check(
    name: object,
    deals: int,
    seed: int,
    opponents: Sequence[str],
    partners: Sequence[str],
    family: str,
) -> None:
    """Refuse what cannot be evaluated, in one line."""
    if not isinstance(name, str) or not re.fullmatch(NAME, name):
        raise BadEvaluation(
            f"name {name!r}: expected 1 to 40 of letters, digits, spaces and . + _ -"
        )
    if name.lower().partition(":")[0] in {*LEVELS, *BOTS}:
        raise BadEvaluation(f"name {name!r}: is a bot's name; expected another")
    if not isinstance(deals, Integral) or not 2 <= deals <= MOST:
        raise BadEvaluation(f"deals {deals!r}: expected a whole number, 2 to {MOST}")
    if not isinstance(seed, Integral) or not 0 <= seed < SEEDS:
        raise BadEvaluation(f"seed {seed!r}: expected a whole number, 0 to 2^63 - 1")
    if not _are_texts(opponents):
        raise BadEvaluation(f"opponents {opponents!r}: expected a list of names, such as ['club']")
    known = [one for one in get_args(Partner) if one != "alone"]
    if not _are_texts(partners) or not set(partners) <= set(known):
        raise BadEvaluation(f"partners {partners!r}: expected a list of some of {', '.join(known)}")
    if family not in list(Family):
        raise BadEvaluation(f"family {family!r}: expected {', '.join(Family)}")


def _are_texts(value: object) -> bool:
    """Return whether a value is a list of texts, one at least."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        return False
    return bool(value) and all(isinstance(one, str) for one in value)


def _test(sprt: tuple[float, float] | Sprt | None) -> Sprt | None:
    if sprt is None or isinstance(sprt, Sprt):
        return sprt
    try:
        low, high = sprt
        if -FARTHEST < low < high < FARTHEST:
            return Sprt(low, high)
    except (TypeError, ValueError):
        pass
    raise BadEvaluation(f"sprt {sprt!r}: expected two means, the lower first")


def _looks(matches: Sequence[PolicyMatch], ledger: Path | None) -> list[Look]:
    """Note in the ledger what is about to be played on the holdout; nothing for other deals."""
    if matches[0].family is not Family.HOLDOUT:
        return []
    first = matches[0]
    test = f", test {first.sprt.low:g},{first.sprt.high:g}" if first.sprt else ""
    asked = f"seed {first.seed}, {first.deals} deals{test}"
    return [begin_look(ledger or usual_ledger(), match.question, asked) for match in matches]


def _tell(policy: Policy, partner: Partner, opponent: str) -> None:
    """Tell a policy that asks for it who sits opposite."""
    if meet := getattr(policy, "meet", None):
        meet({"self": "self", "known": opponent}.get(partner))
