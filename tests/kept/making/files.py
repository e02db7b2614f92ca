"""Records and house-rule files, as the terminal writes them and the command line reads them."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from typer.testing import CliRunner

from rookery.cli.main import app

# As a family would write it by hand, after the documentation.
CLUB = """\
# The rules of our club. Whoever deals must not look.
name = "Our club"
base = "kd_tournament"
origin = "The club, since 1987"
notes = "The nest goes to nobody; ask Bob why."
bid_minimum = 60
nest_points_to = "nobody"
rook_rank = "10.5"
trump_calls = ["suits", "suits-low", "notrump"]
discard_ban = ["rook"]
special_bids = [{ name = "sun", value = 200 }]

[counters]
5 = 5
10 = 10
13 = 5
14 = 15

[sweep_value]
replace = 250
"""
PLAYED = {
    "kd_tournament": ("kd_tournament", 30),
    "circus": ("circus", 9),
    "call_partner_5": ("call_partner_5", 14),
    "rook_two_1914": ("rook_two_1914", 16),
    "one_low_180": ("one_low_180", 18),
    "club_file": ("club.toml", 40),
    "six_file": ("six.json", 20),
}


CHARACTERS = "karapet,random,hog"


class First(Random):
    """Chooses what comes first."""

    def choice(self, things: Any) -> Any:  # noqa: ANN401  (as in its parent)
        """Return the first of some things."""
        return things[0]


FIRST = First()


def told(*words: str | Path, said: str = "") -> str:
    """Return what a command prints; it has to end well."""
    done = CliRunner().invoke(app, [*map(str, words)], input=said, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def document(*words: str | Path) -> Any:  # noqa: ANN401  (JSON)
    """Return the JSON that a command prints."""
    return json.loads(told(*words))


def choice(legal: Any, random: Random) -> str:  # noqa: ANN401  (JSON)
    """Return a legal action out of the three shapes of `legal`; the boldest, if there is one."""
    if isinstance(legal, list):
        bold = [one for one in legal if one in ("trump circus", "bid 180")]
        return str(bold[0] if bold else random.choice([one for one in legal if one != "redeal"]))
    if "call" in legal:
        return f"call {legal['call']['from'][0]}"
    chosen = legal["must"] + [card for card in legal["from"] if card not in legal["must"]]
    return " ".join(["discard", *chosen[: legal["discard"]]])


def toml_of(options: dict[str, Any]) -> str:
    """Return rules as TOML, each option on a line of its own."""

    def value(one: Any) -> str:  # noqa: ANN401  (JSON)
        if isinstance(one, dict):
            pairs = (f"{json.dumps(key)} = {value(held)}" for key, held in one.items())
            return f"{{ {', '.join(pairs)} }}"
        if isinstance(one, list):
            return f"[{', '.join(map(value, one))}]"
        return json.dumps(one)

    return "".join(f"{name} = {value(held)}\n" for name, held in options.items())


def house_rules(folder: Path, six: dict[str, Any]) -> None:
    """Write files of house rules, and what `rules show` says of each."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "club.toml").write_text(CLUB, "utf-8")
    (folder / "six.json").write_text(json.dumps(six, indent=2) + "\n", "utf-8")
    # Every option by name, with a value: none may be renamed or dropped.
    for name in ("one_low_180", "five_person_poker"):
        options = document("rules", "show", name, "--json")["options"]
        whole = {"name": f"All of {name}", **options}
        (folder / f"whole_{name}.toml").write_text(toml_of(whole), "utf-8")
        (folder / f"whole_{name}.json").write_text(json.dumps(whole) + "\n", "utf-8")


def records(folder: Path, rules: Path) -> None:
    """Play in the terminal, one answer at a time, and keep the records."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (game, answers) in PLAYED.items():
        _played(folder / f"play_{name}.json", rules / game if "." in game else game, answers)
    _seeded(folder / "laboratory_seed.json")
    _played(folder / "play_characters.json", "kd_tournament", 6, CHARACTERS)


def continued(path: Path) -> list[dict[str, Any]]:
    """Return the hands of an unfinished match, played on to the end of the next hand.

    The person always takes the first legal action.
    """
    with tempfile.TemporaryDirectory() as where:
        copy = Path(shutil.copy(path, where))
        while True:
            shown = document("replay", copy, "--json")["hands"]
            if shown[-1]["to_act"] is None and len(shown) > 1:
                return list(json.loads(copy.read_text("utf-8"))["hands"])
            answer = choice(shown[-1]["legal"], FIRST) if shown[-1]["to_act"] == 0 else ""
            told("play", "--record", copy, said=f"{answer}\nquit\n")


def _played(path: Path, rules: str | Path, answers: int, bots: str = "") -> None:
    random = Random(path.name)
    path.unlink(missing_ok=True)
    usual = "papa" if rules == "rook_two_1914" else "papa,club:partner=ignored,rabbit"
    asked = ["--rules", rules, "--seed", "1906", "--bots", bots or usual, "--name", "Ann"]
    told("play", *asked, "--record", path, said="quit\n")
    for _ in range(answers):
        shown = document("replay", path, "--json")
        if shown["winners"] is not None:
            return
        hand = shown["hands"][-1]
        answer = choice(hand["legal"], random) if hand["to_act"] == 0 else ""
        told("play", "--record", path, said=f"{answer}\nquit\n")


def _seeded(path: Path) -> None:
    """Two hands by their seeds, with fields that the program does not know."""
    random = Random(7)
    written: dict[str, Any] = {
        "format": "rookery/1",
        "rules": {"base": "red_1", "bid_minimum": 90},
        "hands": [],
        "laboratory": {"board": 17},
    }
    for dealer, seed in ((1, 0), (2, 2**63 - 1)):
        hand: dict[str, Any] = {"dealer": dealer, "seed": seed, "actions": [], "note": "by seed"}
        written["hands"].append(hand)
        while True:
            path.write_text(json.dumps(written, indent=1) + "\n", "utf-8")
            shown = document("replay", path, "--json")["hands"][-1]
            if shown["to_act"] is None or len(hand["actions"]) == 60:
                break
            hand["actions"].append(f"{shown['to_act']} {choice(shown['legal'], random)}")
        if shown["phase"] != "done":
            break
