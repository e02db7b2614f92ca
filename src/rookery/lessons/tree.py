"""A lesson as a tree: what every choice leads to, played by the engine beforehand.

The page that shows it needs no rule: it draws the frames, offers what the last one lists as legal,
and goes where the tree says. A frame is what the learner's seat may know at one moment; only what
differs from the frame before it is kept.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any, Final

from rookery.bots.player import KernelPlayer
from rookery.game import Action, CardChoice, Hand, IllegalAction, Verb
from rookery.lessons.goals import is_kind, missed
from rookery.lessons.source import Lesson, LessonError, Step
from rookery.record import replay
from rookery.solver.solution import solve
from rookery.view import led_suit, open_view, rules_seen, seat_view, trumps_of

MOST_NODES: Final = 400
MOST_DISCARDS: Final = 6  # discards that fulfil a goal; each has a branch of its own
LEAST_COST: Final = 5  # points that a wrong choice has to lose, where its cost is judged


def made(lesson: Lesson) -> dict[str, Any]:
    """Return the tree of a lesson, ready for JSON.

    Raises:
        LessonError: it does not teach what it says; see there for the codes.
    """
    return _Tree(lesson).document()


class _Tree:
    """A tree that grows from the lesson's first position."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson, self.seat = lesson, lesson.seat
        self.whole = replay(lesson.record).hands[0]
        self.line = self.whole.actions
        self.frames: list[list[Any]] = []
        self.seen: list[dict[str, Any]] = []
        self.nodes: list[dict[str, Any]] = []
        self.endings: dict[str, set[bool]] = {}

    def document(self) -> dict[str, Any]:
        """Return the whole tree."""
        start = next(self.whole.positions()).act_all(self.line[: self.lesson.start])
        first = self._frame(start, -1)
        self._grow(start, first, 0, [first])
        for step, reached in self.endings.items():
            if reached != {True, False}:
                code = "no-right-choice" if False in reached else "no-wrong-choice"
                raise LessonError(code, f"{step}: every way ends alike")
        rules = rules_seen(self.lesson.record.rules)
        sides = self.lesson.record.rules.fixed_sides
        grown = json.dumps([self.frames, self.nodes], sort_keys=True).encode()
        return {
            "id": self.lesson.id,
            "version": hashlib.sha256(grown).hexdigest()[:12],
            "minutes": self.lesson.minutes,
            "you": self.seat,
            "players": self.lesson.record.players or [],
            "rules": {"id": rules.id, "name": rules.name, "options": rules.options},
            "sides": None if sides is None else [list(side) for side in sides],
            "steps": [step.id for step in self.lesson.steps],
            "frames": self.frames,
            "nodes": self.nodes,
        }

    def _frame(self, hand: Hand, before: int) -> int:
        """Keep what the learner sees of a hand; return the frame's number."""
        view = seat_view(open_view(hand), hand, self.seat).as_dict()
        seen = {**view, "trumps": trumps_of(hand), "led": led_suit(hand)}
        old = self.seen[before] if before >= 0 else {}
        changed = {key: value for key, value in seen.items() if key not in old or old[key] != value}
        self.frames.append([before, changed])
        self.seen.append(seen)
        return len(self.frames) - 1

    def _next(self, hand: Hand) -> Action:
        """Return what is done without the learner: as in the record, or else by a bot.

        The record still counts where the learner has left it, as long as its action is legal and
        the trick is the same so far.
        """
        done, begun = len(hand.actions), len(hand.trick)
        if done < len(self.line) and self.line[done] in hand.legal():
            same = hand.actions[done - begun :] == self.line[done - begun : done]
            if hand.phase != "play" or same:
                return self.line[done]
        return played_on(hand, str(self.lesson.bot), done + 1).actions[-1]

    def _run(self, hand: Hand, at: str, frame: int) -> tuple[Hand, int, list[int]]:
        """Play on to a place; return the hand, its frame and the frames on the way."""
        frames: list[int] = []
        while not self._is_at(hand, at):
            if hand.over:
                raise LessonError("never-comes", f"the hand is over before {at!r}")
            hand = hand.act(self._next(hand))
            frame = self._frame(hand, frame)
            frames.append(frame)
        return hand, frame, frames

    def _is_at(self, hand: Hand, at: str) -> bool:
        place, _, number = at.partition(" ")
        if place == "now":
            return True
        if place == "end":
            return hand.over
        if place == "trick":
            return len(hand.tricks) >= int(number)
        if hand.over or hand.to_act != self.seat:
            return False
        if place in ("play", "dummy"):
            mine = (hand.turn == self.seat) == (place == "play")
            return hand.phase == "play" and len(hand.tricks) == int(number) - 1 and mine
        return _verb(hand) is Verb(place)

    def _grow(self, hand: Hand, frame: int, at: int, before: list[int]) -> int | None:
        """Add the node of step `at` and all that follow; return its number, None at the end."""
        if at == len(self.lesson.steps):
            return None
        step = self.lesson.steps[at]
        hand, frame, frames = self._run(hand, step.at, frame)
        number = len(self.nodes)
        if number > MOST_NODES:
            raise LessonError("too-large", f"{step.id}: more than {MOST_NODES} nodes")
        node: dict[str, Any] = {"step": at, "frames": [*before, *frames], "at": frame}
        self.nodes.append(node)
        if step.find is not None:
            node["find"] = self._found(hand, step, step.find)
        if step.at == "end" and hand.score is not None:
            node["result"] = result_of(hand, self.seat)
        if step.goal is None or step.at == "end":
            good = self._ended(hand, step)
            if good is not None:
                node["good"] = good
            if good is False:
                node["back"] = [one.id for one in self.lesson.steps].index(str(step.back))
            else:
                node["next"] = self._grow(hand, frame, at + 1, [])
            return number
        node["refused"] = self._refused(hand)
        choice = hand.legal().choice
        if choice is not None and choice.verb is Verb.DISCARD:
            self._discards(hand, choice, frame, at, node)
        else:
            self._choices(hand, frame, at, node)
        return number

    def _found(self, hand: Hand, step: Step, kinds: Sequence[str]) -> list[str]:
        held = hand.cards_held[self.seat]
        found = [card for card in held if any(is_kind(hand, card, kind) for kind in kinds)]
        if not found or len(found) == len(held):
            code = "no-wrong-choice" if found else "no-right-choice"
            raise LessonError(code, f"{step.id}: {len(found)} of {len(held)} cards fit")
        return hand.names(found)

    def _ended(self, hand: Hand, step: Step) -> bool | None:
        """Return whether the end fulfils its goal; None where it has none."""
        if step.goal is None:
            return None
        score = hand.score[self.seat] if hand.score else 0
        good = score >= int(step.goal["score"])
        self.endings.setdefault(step.id, set()).add(good)
        return good

    def _refused(self, hand: Hand) -> dict[str, str]:
        """Return why each card of the learner's that may not be played now is refused."""
        refused = {}
        if hand.phase == "play" and hand.turn is not None:
            for name in hand.names(hand.cards_held[hand.turn]):
                try:
                    hand.act(f"{hand.turn} play {name}")
                except IllegalAction as error:
                    refused[f"play {name}"] = error.code
        return refused

    def _after(self, hand: Hand, action: Action, frame: int) -> tuple[Hand, int, list[int]]:
        """Return the hand after a choice, for a card at the end of its trick, and its frames."""
        after = hand.act(action)
        first = self._frame(after, frame)
        if action.verb is not Verb.PLAY:
            return after, first, [first]
        end, last, more = self._run(after, f"trick {len(hand.tricks) + 1}", first)
        return end, last, [first, *more]

    def _choices(self, hand: Hand, frame: int, at: int, node: dict[str, Any]) -> None:
        """Add what each legal action leads to."""
        step = self.lesson.steps[at]
        goal = step.goal or {}
        actions = list(hand.legal())
        values = self._values(hand, step, actions)
        good: dict[str, Any] = {}
        bad: dict[str, Any] = {}
        for action in actions:
            kept = len(self.frames)
            after, last, frames = self._after(hand, action, frame)
            why = missed(goal, hand, action, after)
            if why is None:
                good[action.words] = (after, last, frames)
            elif action.verb is Verb.PLAY:
                bad[action.words] = {"good": False, "why": why, "frames": frames}
            else:  # nothing is shown, so nothing of it is kept
                del self.frames[kept:], self.seen[kept:]
                bad[action.words] = {"good": False, "why": why}
        self._judge(step, hand, good, bad, values)
        ways = node["ways"] = dict(bad)
        for words, (after, last, frames) in good.items():
            ways[words] = {"good": True, "frames": frames}
            ways[words]["next"] = self._grow(after, last, at + 1, [])
        node["own"] = self._own(hand, step, good)

    def _discards(
        self, hand: Hand, choice: CardChoice, frame: int, at: int, node: dict[str, Any]
    ) -> None:
        """Add the discards that fulfil the goal, and why each other card has to stay."""
        step = self.lesson.steps[at]
        kinds = (step.goal or {}).get("keeps", ())
        why = {
            card: next((kind for kind in kinds if is_kind(hand, card, kind)), None)
            for card in choice.cards
        }
        free = [card for card in choice.cards if why[card] is None]
        sets = list(combinations(free, choice.least))
        if not 1 <= len(sets) <= MOST_DISCARDS or len(free) == len(choice.cards):
            code = "no-right-choice" if not sets else "no-wrong-choice"
            raise LessonError(code, f"{step.id}: {len(free)} cards may go, {choice.least} have to")
        actions = [
            Action(hand.state.turn, Verb.DISCARD, cards, pack=hand.rules.pack) for cards in sets
        ]
        names = {card: hand.names([card])[0] for card in why}
        node["stay"] = {names[card]: kind for card, kind in why.items() if kind is not None}
        node["ways"] = ways = {}
        good = {}
        for action in actions:
            after, last, frames = self._after(hand, hand.parse(str(action)), frame)
            good[after.actions[-1].words] = after
            way = {"good": True, "frames": frames, "next": self._grow(after, last, at + 1, [])}
            ways[after.actions[-1].words] = way
        node["own"] = self._own(hand, step, good)
        if step.judge is not None:
            node["costs"] = self._judge_discards(hand, step, actions, node["stay"])

    def _own(self, hand: Hand, step: Step, good: dict[str, Any]) -> str:
        """Return the choice that is made for whoever skips: the record's own where it stands."""
        done = len(hand.actions)
        on_line = hand.actions == self.line[:done] and done < len(self.line)
        if on_line and self.line[done].words not in good:
            raise LessonError("own-line-fails", f"{step.id}: {self.line[done]}")
        return self.line[done].words if on_line else next(iter(good))

    def _values(self, hand: Hand, step: Step, actions: Sequence[Action]) -> dict[str, int]:
        """Return what each action is worth to the learner's side, as the step's judge says."""
        if step.judge == "solver":
            found = solve(hand)
            sign = 1 if self.seat in found.side else -1
            return {f"play {one.card}": sign * one.low for one in found.cards}
        if step.judge == "bots":
            return {action.words: self._score(hand, action) for action in actions}
        return {}

    def _score(self, hand: Hand, action: Action) -> int:
        """Return by how much the learner's side beats the best other one, played on by bots."""
        end = played_on(hand.act(action), str(self.lesson.bot))
        return margin(end, self.seat)

    def _judge(
        self,
        step: Step,
        hand: Hand,
        good: dict[str, Any],
        bad: dict[str, Any],
        values: dict[str, int],
    ) -> None:
        """Refuse a question that cannot be missed or met; write down what wrong choices cost."""
        if good and "any" in (step.goal or {}):
            return
        if not good or not bad:
            code = "no-wrong-choice" if good else "no-right-choice"
            raise LessonError(code, f"{step.id}: {len(good)} right, {len(bad)} wrong")
        if not values:
            return
        best = min(values[words] for words in good)
        for words, way in bad.items():
            way["costs"] = best - values[words]
            if way["costs"] < LEAST_COST:
                reason = f"{step.id}: {words} is {values[words]}, the right choice {best}"
                raise LessonError("costs-nothing", reason)

    def _judge_discards(
        self, hand: Hand, step: Step, actions: Sequence[Action], stay: dict[str, str]
    ) -> dict[str, int]:
        """Return what it costs to discard each card that has to stay, for another card."""
        best = min(self._score(hand, action) for action in actions)
        costs = {}
        for card in stay:
            swapped = [
                self._score(hand, hand.parse(f"{action.seat} discard {' '.join(names)}"))
                for action in actions
                for names in _swapped(hand.names(action.cards), card)
            ]
            costs[card] = best - max(swapped)
        dear = {card: cost for card, cost in costs.items() if cost >= LEAST_COST}
        if min(costs.values()) < 0 or 2 * len(dear) < len(costs):
            raise LessonError("costs-nothing", f"{step.id}: {costs}")
        return dear


def _swapped(names: Sequence[str], card: str) -> Iterator[list[str]]:
    for left in names:
        yield [card, *(name for name in names if name != left)]


def _verb(hand: Hand) -> Verb:
    """Return the verb of what the seat to act has to decide."""
    choice = hand.legal().choice
    if choice is not None:
        return choice.verb
    return Verb.BID if hand.phase == "auction" else hand.legal().actions[0].verb


def played_on(hand: Hand, bot: str, actions: int | None = None) -> Hand:
    """Return the hand after a bot has played on for all, to the end or up to so many actions."""
    while not hand.over and (actions is None or len(hand.actions) < actions):
        # A new player each time: what it does follows from the position alone.
        hand = KernelPlayer(bot, seed=0, seat=hand.to_act or 0).move(hand)
    return hand


def margin(hand: Hand, seat: int) -> int:
    """Return how far a seat's score is above the best of the other sides', game points."""
    score = hand.score or (0,) * hand.rules.seats
    ours = next(side for side in hand.sides or () if seat in side)
    others = [score[other] for other in range(hand.rules.seats) if other not in ours]
    return score[seat] - max(others)


def result_of(hand: Hand, seat: int) -> dict[str, Any]:
    """Return the end in figures: contract, points of both sides, and how it went for the seat.

    That is ``made`` or ``set`` for the declarer's side, ``lost`` or ``won`` for another; None
    without a contract, and where a revoke has ended the hand.
    """
    points, sides = hand.points or [], hand.sides or ()
    mine = next(i for i, side in enumerate(sides) if seat in side)
    theirs = sum(count for i, count in enumerate(points) if i != mine)
    score = hand.score or []
    declares = hand.declarer in sides[mine]
    how = ("made" if hand.made else "set") if declares else ("lost" if hand.made else "won")
    return {
        "bid": hand.bid,
        "ours": points[mine],
        "theirs": theirs,
        "score": score[seat],
        "how": None if hand.made is None else how,
    }


def dumped(tree: dict[str, Any]) -> str:
    """Return a tree as the file that the page fetches."""
    return json.dumps(tree, ensure_ascii=False, separators=(",", ":")) + "\n"
