"""P26: names that a reader can take for another's, made from Unicode's list of confusables.

The list is read here anew, and what looks alike is worked out without the program. A twin is drawn
letter by letter from a name as it is written, or from the name in small letters. Then it may be
taken apart, or mixed with signs that nobody sees. Others differ in case or width alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from random import Random
from unicodedata import category, normalize

from tests.server.core.tables import KENTUCKY, Chances

from rookery.server.names import NAME_MAX, BadText, clean_name
from rookery.server.table import commands as cm
from rookery.server.table import events as ev
from rookery.server.table.dealing import frozen_rules
from rookery.server.table.decide import decide
from rookery.server.table.fold import evolve
from rookery.server.table.refusals import Refused
from rookery.server.table.state import Table, Who
from rookery.server.table.timers import connected

UNSEEN = "\u200b\u200c\u200d\u200e\u034f\ufe0f\ufe00\u2060\u00ad\u3164\u115f\uffa0\u2800\U000e0041"
WAYS = ("sits", "talks", "sits beside talk", "talks after talk", "takes the name")
# People who sit down, and are all let in.
FAMILY = (
    *("Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal", "Ida", "Jo", "Kai", "Lia", "Max"),
    *("Nia", "Ole", "Pia", "Quinn", "Ray", "Sue", "Tom", "Uma", "Vic", "Wes", "Xia", "Zoë"),
    *(
        "Łukasz",
        "Иван",
        "Ольга",
        "Νίκη",
        "Γιώργος",
        "\u0639\u0644\u06cc\u200c\u0631\u0636\u0627",
        "נועה",
        "美咲",
        "健太",
        "수진",
    ),
    *(
        "पार्वती",
        "ශ්\u200dරී",
        "Anna 👩🏽\u200d🚀",
        "Max ❤️",
        "Grandma",
        "Grandpa",
        "Player 1",
        "Player 2",
    ),
)


@dataclass
class Tried:
    """What came of it.

    Attributes:
        ends: how often each thing came of it.
        beside: the names that stand beside their twin, the first hundred.
    """

    ends: Counter[str] = field(default_factory=Counter)
    beside: list[str] = field(default_factory=list)


@cache
def prototypes() -> dict[str, str]:
    """Return what each character of Unicode's list stands for."""
    found: dict[str, str] = {}
    for line in (
        files("rookery.unicode").joinpath("confusables.txt").read_text("utf-8").splitlines()
    ):
        prototype, _, sources = line.partition("#")[0].partition(";")
        text = "".join(chr(int(code, 16)) for code in prototype.split())
        found |= {chr(int(code, 16)): text for code in sources.split()}
    return found


def skeleton(text: str) -> str:
    """Return the skeleton of a text, as UTS 39 says: taken apart, mapped, taken apart."""
    apart = normalize("NFD", text)
    return normalize("NFD", "".join(prototypes().get(one, one) for one in apart))


@cache
def lookalikes() -> dict[str, tuple[str, ...]]:
    """Return for each letter or digit the others that look like it."""
    classes: dict[str, list[str]] = {}
    for one in sorted({*prototypes(), *prototypes().values()}):
        if len(one) > 1 or one in UNSEEN or category(one)[0] not in "LN":
            continue
        if normalize("NFD", one) == one:
            classes.setdefault(skeleton(one), []).append(one)
    alike = [tuple(letters) for letters in classes.values() if len(letters) > 1]
    return {one: tuple(x for x in letters if x != one) for letters in alike for one in letters}


def a_name(dice: Random) -> str:
    """Return a name: of the family's, or of any letters that have others like them."""
    if dice.random() < 0.5:
        return dice.choice(FAMILY)
    letters = dice.choices(sorted(lookalikes()), k=dice.randint(1, 4))
    return clean_name("".join([*letters, dice.choice(("a", "Bo", "Ik", "7"))]))


def a_twin(name: str, dice: Random) -> str:
    """Return another name that a reader can take for `name`."""
    how = dice.random()
    if how < 0.1:
        cased = dice.choice((name.upper(), name.lower(), name.swapcase(), name.title()))
        return cased if cased.casefold() == name.casefold() else name
    if how < 0.15:
        return "".join(chr(ord(one) + 0xFEE0) if "!" <= one <= "~" else one for one in name)
    letters = list(normalize("NFD", name if how < 0.6 else name.casefold()))
    for at, one in enumerate(letters):
        if one in lookalikes() and dice.random() < 0.6:
            letters[at] = dice.choice(lookalikes()[one])
    if dice.random() < 0.15:
        letters.insert(dice.randint(0, len(letters)), dice.choice(UNSEEN))
    return normalize(dice.choice(("NFC", "NFD")), "".join(letters))


@cache
def _made() -> Table:
    made = ev.TableMade("ABCDEF2", "", False, frozen_rules(KENTUCKY), "normal", None)
    return evolve(Table(""), ev.Entry(1, 0, made))


def at_table(*events: ev.Event) -> Table:
    """Return a table after these events."""
    table = _made()
    for event in events:
        table = evolve(table, ev.Entry(table.seq + 1, 0, event))
    return table


def stands(table: Table, way: str, person: str, name: str) -> bool:
    """Return whether somebody may do that at a table under a name."""
    if way == "takes the name":
        return bool(connected(table, person, name))
    command = cm.Sit("s") if "sits" in way else cm.Chat("c", phrase="hello")
    outcome = decide(table, Who(person, name), command, Chances(), "papa")
    return not (isinstance(outcome, Refused) and outcome.code == "name-taken")


def tried(size: int, seed: int) -> Tried:
    """Try so many twins, each in one of the ways of coming beside the other."""
    dice, found = Random(seed), Tried()
    while found.ends.total() < size:
        name = a_name(dice)
        try:
            twin = clean_name(a_twin(name, dice))
        except BadText:
            found.ends["refused as a name"] += 1
            continue
        if twin == name or len(twin) > NAME_MAX:
            continue
        way = dice.choice(WAYS)
        first = (
            ev.Chatted("p", name, None, phrase="hello")
            if "talk" in way[5:]
            else ev.Sat(0, "p", name)
        )
        others = [ev.Sat(1, "q", "Another One")] if way == "takes the name" else []
        if stands(at_table(first, *others), way, "q", twin):
            found.ends["stands beside it"] += 1
            found.beside += [f"{twin!a} {way} beside {name!a}"] if len(found.beside) < 100 else []
        else:
            found.ends[f"refused: {way}"] += 1
    return found
