"""Twelve tables of a server and the people at them, made by REST and sockets alone."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import httpx
from tests.kept.served import Line, Server

NAMES = ("Ann", "Bob", "Cy", "Di", "Žofia")
FIVE = ("Bob", "Ann", "Cy", "Diana", "Žofia")
SIX = {
    "base": "dixie_6",
    "name": "Three pairs at the long table",
    "notes": "As we have played it since 1987.",
    "partnership": "fixed_opposite",
    "bid_minimum": 60,
    "target": 150,
    "counters": {"5": 5, "10": 10, "13": 5, "14": 10},
}
EIGHT = {"base": "rook_1906_8", "name": "Four pairs", "partnership": "fixed_opposite"}
SHORT = {"base": "kd_tournament", "name": "Short evening", "target": 120}
PUNISHED = {"base": "kd_tournament", "name": "With revokes", "renege": "penalised"}

Shown: TypeAlias = dict[str, Any]
Choose: TypeAlias = Callable[[Shown], str]


class Evening:
    """The people of a server, each with a browser of their own.

    Attributes:
        codes: the tables by what they are for.
    """

    def __init__(self, server: Server) -> None:
        self.server = server
        self.people: dict[str, httpx.Client] = {}
        self.codes: dict[str, str] = {}
        self.random = Random(1906)
        for name in NAMES:
            self.comes(name)

    def comes(self, name: str) -> httpx.Client:
        """Let somebody in."""
        self.people[name] = browser = self.server.browser()
        browser.post("/api/session", json={"name": name}).raise_for_status()
        return browser

    def make(self, what: str, host: str = "Ann", **wanted: object) -> str:
        """Let somebody make a table, and return its code."""
        asked = {"pace": "instant", **wanted}
        answer = self.people[host].post("/api/tables", json=asked)
        while answer.status_code == 429:
            time.sleep(5)
            answer = self.people[host].post("/api/tables", json=asked)
        answer.raise_for_status()
        self.codes[what] = code = str(answer.json()["code"])
        print(what, code, flush=True)
        return code

    @contextlib.contextmanager
    def lines(self, code: str, *names: str) -> Iterator[list[Line]]:
        """Open the sockets of some people."""
        with contextlib.ExitStack() as stack:
            yield [stack.enter_context(self.server.line(self.people[name], code)) for name in names]

    def any_legal(self, shown: Shown) -> str:
        """Return a legal action by chance, low cards of the auction preferred: people pass."""
        legal = shown["view"]["legal"]
        if isinstance(legal, list):
            usual = [one for one in legal if one not in ("redeal", "trump circus")]
            return "pass" if "pass" in legal else str(self.random.choice(usual))
        if "call" in legal:
            return f"call {legal['call']['from'][0]}"
        chosen = list(legal["must"])
        chosen += [card for card in legal["from"] if card not in chosen]
        return " ".join(["discard", *chosen[: legal["discard"]]])

    def play(
        self, lines: list[Line], until: Callable[[Shown], bool], choose: Choose | None = None
    ) -> Line:
        """Play on until the table is as it should be; return whose turn it is, else the host.

        `until` is asked only where a person has to act, or nobody has.
        """
        while True:
            for line in lines:
                line.now(0.15)
            turn = next((line for line in lines if _mine(line.table)), None)
            rests = _between(lines[0].table) or lines[0].table["phase"] != "playing"
            if (turn or rests) and until((turn or lines[0]).table):
                return turn or lines[0]
            if turn:
                action = (choose or self.any_legal)(turn.table)
                turn.done("act", action=action, seen=turn.table["seq"])
            elif rests:
                for line in lines:
                    if line.table["you"] not in line.table["ready"]:
                        line.do("next")


def _mine(shown: Shown) -> bool:
    view = shown["view"]
    return bool(view) and view["to_act"] == shown["you"] and not shown["pending"]


def _between(shown: Shown) -> bool:
    return bool(shown["view"]) and shown["view"]["phase"] in ("done", "redealt")


def _in_play(tricks: int, laid: int = 0) -> Callable[[Shown], bool]:
    """Return whether so many tricks are complete, and as many cards lie in the next one."""

    def there(shown: Shown) -> bool:
        view = shown["view"]
        if view["phase"] != "play" or not _mine(shown):
            return False
        return (
            len(view["tricks"]) >= tricks
            and laid <= len(view["trick"]) < len(view["hand_sizes"]) - 1
        )

    return there


def _over(shown: Shown) -> bool:
    return bool(shown["phase"] == "over")


def finished(e: Evening) -> None:
    """Two matches to the end, with chance of one's own and table talk."""
    code = e.make("finished", rules=SHORT, title="Ann & Bob's evening", pace="brisk")
    eve = e.comes("Eve")
    with e.lines(code, "Eve") as (watcher,):
        watcher.done("chat", text="Eve was here and will be forgotten")
    with e.lines(code, "Ann", "Bob") as (ann, bob):
        bob.done("sit", seat=2)
        ann.done("bot", seat=1, bot="papa:partner=noticed")
        ann.done("bot", seat=3, bot="casual")
        for seat, line in enumerate((ann, bob)):
            number = line.now()["deal"]["number"]
            line.done("contribute", number=number, share=f"{seat + 10:x}" * 32)
        ann.done("chat", text="Hello from Ann \u2013 🐦 and good luck")
        bob.done("chat", phrase="good-luck")
        ann.done("table", pace="calm")
        ann.done("start")
        e.play([ann, bob], _between)
        ann.done("next")
        ann.done("table", pace="instant")
        e.play([ann, bob], _over)
        ann.done("chat", phrase="good-game")
        ann.done("rematch")
        e.play([ann, bob], _over)
    eve.delete("/api/session").raise_for_status()
    del e.people["Eve"]


def in_mid_hand(e: Evening) -> None:
    """A hand of a catalogue's variant in the middle of the play, with bots that have a style."""
    bots = ["strong:style=cautious", "club", "beginner"]
    code = e.make("mid_hand", rules="kd_tournament", bots=bots, clock=120)
    with e.lines(code, "Ann", "Cy") as (ann, cy):
        ann.done("bot", seat=2, bot=None)
        cy.done("sit", seat=2)
        ann.done("start")
        e.play([ann, cy], lambda shown: shown["you"] == 0 and _in_play(3, 1)(shown))


def lobby(e: Evening) -> None:
    """A lobby in which everything was changed once."""
    code = e.make(
        "lobby", "Bob", rules="red_1", title="Friday \u2013 Ñandú", open=True, pace="normal",
        bots=["expert:style=bold:version=1", "casual"],
    )  # fmt: skip
    with e.lines(code, "Bob", "Di") as (bob, di):
        di.done("sit", seat=3)
        e.people["Di"].post("/api/session", json={"name": "Diana"}).raise_for_status()
        e.people["Diana"] = e.people.pop("Di")
        with e.lines(code, "Cy") as (cy,):
            # Seat 2 is a bot's.
            bob.done("bot", seat=2, bot=None)
            cy.done("sit", seat=2)
            cy.done("leave")
            cy.done("sit")
        bob.done("replace", seat=2, bot="random")
        bob.done("bot", seat=2, bot=None)
        bob.done("arrange", seats=[3, 1, 2, 0])
        bob.done("table", title="Friday \u2013 Ñandú, later", pace="calm", clock=45)
        bob.now()
        host = bob.table["seats"].index(next(s for s in bob.table["seats"] if s["name"] == "Diana"))
        bob.done("host", seat=host)
        di.done("chat", text="bring the good cards")
        bob.done("report", seat=host, reason="only to see that it is kept")


def six(e: Evening) -> None:
    """House rules for six, partners across: a hand is done, the next is in the auction."""
    code = e.make("six", rules=SIX, bots=["club", "papa"])
    with e.lines(code, "Ann", "Bob", "Cy") as (ann, bob, cy):
        bob.done("sit", seat=3)
        cy.done("sit", seat=4)
        ann.done("start")
        e.play([ann, bob, cy], lambda shown: len(shown["hands"]) == 1 and _mine(shown))
        cy.done("block", seat=0)


def eight(e: Evening) -> None:
    """Eight seats, four pairs, in the play."""
    code = e.make("eight", rules=EIGHT, bots=["club", "hog"])
    with e.lines(code, "Ann", "Bob") as (ann, bob):
        bob.done("sit", seat=4)
        ann.done("start")
        e.play([ann, bob], _in_play(2))


def undo(e: Evening) -> None:
    """An act taken back, and one not."""
    code = e.make("undo", rules="kd_tournament")
    with e.lines(code, "Ann", "Bob", "Cy") as (ann, bob, cy):
        bob.done("sit", seat=1)
        cy.done("sit", seat=2)
        ann.done("start")
        for voices in ((True, True), (False,)):
            _wants_back(e, ann, bob, cy)
            for line, voice in zip((bob, cy), voices, strict=False):
                line.done("vote", yes=voice)
        e.play([ann, bob, cy], lambda shown: shown["you"] == 0 and _in_play(3)(shown))


def _wants_back(e: Evening, ann: Line, bob: Line, cy: Line) -> None:
    turn = e.play([ann, bob, cy], lambda shown: shown["you"] == 0 and _in_play(1)(shown))
    turn.done("act", action=e.any_legal(turn.table), seen=turn.table["seq"])
    turn.done("undo")


def claim(e: Evening) -> None:
    """Five people call partners: a hand is thrown in, in the next one a claim is granted."""
    code = e.make("claim", "Bob", rules="call_partner_5")
    with e.lines(code, *FIVE) as lines:
        for line in lines[1:]:
            line.done("sit")
        lines[0].done("start")

        def choose(shown: Shown) -> str:
            thrown_in = shown["hand_number"] == 0
            legal = shown["view"]["legal"]
            return "bid 100" if "bid 100" in legal and not thrown_in else e.any_legal(shown)

        turn = e.play(lines, _in_play(7), choose)
        turn.done("claim")
        for line in lines:
            if line is not turn:
                line.done("vote", yes=True)
        e.play(lines, lambda shown: shown["hand_number"] == 2 and _in_play(6)(shown), choose)


def open_questions(e: Evening) -> None:
    """Ask at two tables what is not answered by all when the server ends, half a minute later."""
    with e.lines(e.codes["claim"], *FIVE) as lines:
        turn = e.play(lines, _in_play(6))
        turn.done("claim")
        next(line for line in lines if line is not turn).done("vote", yes=True)
        assert turn.now()["pending"]["kind"] == "claim"
    with e.lines(e.codes["undo"], "Ann", "Bob", "Cy") as (ann, bob, cy):
        _wants_back(e, ann, bob, cy)
        bob.done("vote", yes=True)
        assert bob.now()["pending"]["kind"] == "undo"


def circus(e: Evening) -> None:
    """The circus, with the declarer's card still to be given."""
    code = e.make("circus", rules="circus", bots=["club", "papa", "rabbit"])
    with e.lines(code, "Ann") as (ann,):
        ann.done("start")

        def choose(shown: Shown) -> str:
            legal = shown["view"]["legal"]
            for wanted in ("bid 180", "trump circus"):
                if wanted in legal:
                    return wanted
            return e.any_legal(shown)

        e.play([ann], lambda shown: bool(shown["view"]["phase"] == "circus"), choose)


def calm(e: Evening) -> None:
    """Two revokes are claimed, one in vain; somebody goes, a bot plays, the clock acts."""
    code = e.make("calm", rules=PUNISHED, bots=["club", "club"])

    def badly(shown: Shown) -> str:
        # Seat 3 does not follow suit where it could.
        view = shown["view"]
        if view["phase"] == "play" and view["trick"] and shown["you"] == 3:
            led = view["trick"][0]["card"][0]
            others = [card for card in view["hand"] if card[0] != led]
            if len(others) < len(view["hand"]) and others:
                return f"play {others[0]}"
        return e.any_legal(shown)

    def in_the_second_hand(shown: Shown) -> bool:
        return shown["hand_number"] > 0 and shown["you"] == 0 and _in_play(1, 1)(shown)

    with e.lines(code, "Ann") as (ann,):
        with e.lines(code, "Cy") as (cy,):
            cy.done("sit", seat=3)
            ann.done("start")
            e.play([ann, cy], lambda shown: shown["you"] == 0 and _in_play(5)(shown), badly)
            ann.done("challenge", seat=3)
            e.play([ann, cy], in_the_second_hand)
        ann.done("challenge", seat=1)
        while not ann.now()["seats"][3]["stand_in"]:
            time.sleep(1)
        ann.done("table", clock=5)
        # It holds from the next turn.
        ann.done("act", action=e.any_legal(ann.table), seen=ann.table["seq"])
        e.play([ann], lambda shown: shown["view"]["to_act"] == 0)
        before = ann.table["view"]["hand"]
        while ann.now()["view"]["hand"] == before:
            time.sleep(1)
        ann.done("table", clock=0, pace="calm")
        ann.done("table", pace="brisk")
        e.play([ann], lambda shown: _between(shown) and shown["hand_number"] > 0)
        ann.done("table", pace="calm")


def two(e: Evening) -> None:
    """Two players and a blind hand, one swap with the nest."""
    code = e.make("two", rules="rook_two_1914", bots=["club"])
    with e.lines(code, "Ann") as (ann,):
        ann.done("start")
        e.play([ann], _in_play(2))


def standard(e: Evening) -> None:
    """A standard pack, a hand done, and somebody who left for a spare bot."""
    code = e.make("standard", "Bob", rules="hoyle_standard", bots=["casual", "papa"])
    with e.lines(code, "Bob", "Žofia") as (bob, zofia):
        zofia.done("sit", seat=3)
        bob.done("start")
        e.play([bob, zofia], lambda shown: len(shown["hands"]) == 1 and _in_play(1)(shown))
        zofia.done("leave")
        e.play([bob], _in_play(2))


def low(e: Evening) -> None:
    """A call with low cards best, in the play, called by a person."""
    code = e.make("low", rules="pwinckles_57", bots=["hog", "papa", "karapet"])
    with e.lines(code, "Ann") as (ann,):
        ann.done("start")

        def choose(shown: Shown) -> str:
            legal = shown["view"]["legal"]
            for wanted in ("bid 180", "trump green-low"):
                if wanted in legal:
                    return wanted
            return e.any_legal(shown)

        e.play([ann], _in_play(4), choose)
        ann.done("chat", phrase="hurry")


def everything(server: Server, people: Path) -> dict[str, str]:
    """Make all tables, write down who holds which token, and return the codes."""
    e = Evening(server)
    for scene in (
        finished, in_mid_hand, lobby, six, eight, circus, calm, two, standard, low, undo, claim,
    ):  # fmt: skip
        scene(e)
    linked = e.people["Ann"].post("/api/session/return").json()
    phone = server.browser()
    phone.post("/api/return", json={"token": linked["token"]}).raise_for_status()
    link = e.people["Cy"].post("/api/session/return").json()
    open_questions(e)
    held = {name: next(iter(one.cookies.values())) for name, one in e.people.items()}
    people.write_text(
        json.dumps(
            {
                "tokens": {**held, "Ann's phone": next(iter(phone.cookies.values()))},
                "return": {"person": "Cy", "token": link["token"]},
                "tables": e.codes,
            },
            indent=1,
            ensure_ascii=False,
        )
        + "\n",
        "utf-8",
    )
    return e.codes
