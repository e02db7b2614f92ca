"""The Menagerie page in words and tables; every figure comes from the runs or from the paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import hypot
from pathlib import Path
from string import Template
from typing import Final

from scripts.docs.menagerie_partners import Partners
from scripts.docs.menagerie_partners_text import in_short, section

from rookery.lab.menagerie.figures import (
    CHANCES,
    HAND,
    HONEST,
    NAMES,
    PAIR_NAMES,
    PAPER,
    PAPER_GAMES,
    PEOPLE,
    SWAPPED,
    Conclusion,
    Statement,
    Verdict,
    front_runners,
)
from rookery.lab.menagerie.study import Study
from rookery.lab.menagerie.text import AGREES
from rookery.lab.stats import Interval
from rookery.rules import capital
from rookery.rules.chances import at_least

THIRDS: Final = ("tricks 1 to 3", "tricks 4 to 6", "tricks 7 to 9")
TEMPLATE: Final = Path(__file__).with_name("menagerie_page.md")
DECK: Final = 41
NUMBERS: Final = ("none", "one", "two", "three", "all")


def page(program: Study, real: Study, partners: Partners) -> str:
    """Return the page as Markdown.

    Args:
        program: the study in mode ``published``.
        real: the study in mode ``rules``.
        partners: what was counted of the paper's first open question.
    """
    right = sum(round(100 * float(exact), 2) == printed for _, exact, printed in _exact_chances())
    blocks = {
        "summary": f"{_summary(program, real)} {in_short(partners)}",
        "published": _published(),
        "swapped": _swapped(),
        "again": _again(program),
        "booking": _booking(program),
        "real": _real(program, real),
        "moved": _moved(program, real),
        "thirds": _thirds(program, real),
        "pairs": _pairs(program, real),
        "conclusions": _conclusions(program, real),
        "cooperation": section(partners),
        "arithmetic": f"Of its {len(CHANCES)} chances, {right} are right to the last digit.",
        "chances": _chances(),
        "games": f"{real.games:,}",
        "seed": str(real.seed),
        "boards": f"{partners.boards:,}",
        "boards_seed": str(partners.seed),
    }
    template = TEMPLATE.read_text("utf-8")
    return Template(template).substitute(blocks)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _value(figure: Interval) -> str:
    return f"{figure.mean:.2f} ± {figure.ci95:.2f}"


def _summary(program: Study, real: Study) -> str:
    verdicts = [conclusion.verdict for conclusion in real.conclusions]
    survive = sum(verdict is Verdict.SURVIVES for verdict in verdicts)
    far = sum(abs(distance) > AGREES for distance in program.distances().values())
    figures = len(program.distances())
    best = " and ".join(PEOPLE[kind] for kind in front_runners(real.sums))
    agree = "every one of its figures" if not far else f"{figures - far} of its {figures} figures"
    hold = f"{NUMBERS[survive]} of the paper's four conclusions"
    before, after = ({n: s.tables.games_won[n].mean for n in NAMES} for s in (program, real))
    rises = max(NAMES, key=lambda name: after[name] - before[name])
    falls = min(NAMES, key=lambda name: after[name] - before[name])
    return (
        f"**In short.** Played again, the paper's program gives {agree} within sampling error. "
        f"But it does not play Rook. At the real game, over {real.games:,} games, {hold} hold, and "
        f"the best player is {best}. "
        f"{capital(_who(rises))} gains most, from {before[rises]:.1f} to {after[rises]:.1f} % of "
        f"the games; {_who(falls)} loses most, from {before[falls]:.1f} to "
        f"{after[falls]:.1f} %."
    )


def _who(name: str) -> str:
    return PEOPLE[NAMES.index(name)]


def _published() -> str:
    first, other = SWAPPED
    printed = {**PAPER.games_won, first: PAPER.games_won[other], other: PAPER.games_won[first]}
    cast = _table(
        ("Percent", "games won", "tricks won", *THIRDS),
        (
            [
                name.title(),
                f"{printed[name]:.2f}",
                f"{PAPER.tricks_won[name]:.2f}",
                *(f"{cells[name]:.2f}" for cells in PAPER.trimesters),
            ]
            for name in NAMES
        ),
    )
    pairs = _table(
        ("Percent", "games won together", "tricks of the partnership"),
        (
            [p.title(), f"{PAPER.pair_games[p]:.2f}", f"{PAPER.pair_tricks[p]:.2f}"]
            for p in PAIR_NAMES
        ),
    )
    return (
        f"{PAPER_GAMES:,} games, as the paper prints them. Partners win together, so the games add "
        f"up to 200 %.\n\n{cast}\n\n{pairs}"
    )


def _swapped() -> str:
    other = SWAPPED[1]
    sums = {
        name: [PAPER.pair_games[pair] for pair in PAIR_NAMES if name in pair.split("-")]
        for name in SWAPPED
    }
    proof = ", ".join(
        f"{name.title()} {' + '.join(f'{n:.2f}' for n in parts)} = {sum(parts):.2f}"
        for name, parts in sums.items()
    )
    return (
        "**Two names are exchanged.** The second table says how often each pair won, "
        f"and whoever won, won with somebody: {proof}. The program agrees. So it was "
        f"{other.title()} who won {PAPER.games_won[other]:.2f} %. From here on the figures have "
        "the right names."
    )


def _again(program: Study) -> str:
    distances = program.distances()
    far = max(distances.values(), key=abs)
    inside = sum(abs(distance) <= AGREES for distance in distances.values())
    table = _cast_table(program, "paper", PAPER.games_won, PAPER.tricks_won)
    return (
        f"We wrote the program's game again and played {program.games:,} games, "
        f"{program.hands:,} hands. {inside} of {len(distances)} figures lie within "
        f"{AGREES:.0f} standard errors of the paper's; the farthest is {abs(far):.1f} away. Each "
        "figure has half of its 95 % interval beside it. The game is the unit, because tricks of "
        f"one game are not independent.\n\n{table}"
    )


def _cast_table(
    study: Study, beside: str, games: Mapping[str, float], tricks: Mapping[str, float]
) -> str:
    tables = study.tables
    return _table(
        ("Percent", "games won", beside, "tricks won", beside),
        (
            [
                name.title(),
                _value(tables.games_won[name]),
                f"{games[name]:.2f}",
                _value(tables.tricks_won[name]),
                f"{tricks[name]:.2f}",
            ]
            for name in NAMES
        ),
    )


def _booking(program: Study) -> str:
    tables = program.tables
    honest = tables.pair_tricks_honest or {}
    rows = (
        [
            pair.title(),
            f"{PAPER.pair_tricks[pair]:.2f}",
            _value(tables.pair_tricks[pair]),
            f"{HONEST[pair]:.2f}",
            _value(honest[pair]),
        ]
        for pair in PAIR_NAMES
    )
    head = (
        "Percent",
        "as printed",
        "ours, counted like that",
        "its games, correct",
        "ours, correct",
    )
    return _table(head, rows)


def _real(program: Study, real: Study) -> str:
    before = program.tables
    cast = _cast_table(
        real,
        "the program",
        {name: before.games_won[name].mean for name in NAMES},
        {name: before.tricks_won[name].mean for name in NAMES},
    )
    return (
        f"{real.games:,} games, {real.hands:,} hands: a game takes {real.hands / real.games:.1f} "
        f"hands here, {program.hands / program.games:.1f} in the program.\n\n{cast}"
    )


def _thirds(program: Study, real: Study) -> str:
    thirds = list(zip(real.tables.trimesters, program.tables.trimesters, strict=True))
    return _table(
        ("Percent", *THIRDS),
        (
            [
                name.title(),
                *(f"{_value(now[name])} ({then[name].mean:.2f})" for now, then in thirds),
            ]
            for name in NAMES
        ),
    )


def _pairs(program: Study, real: Study) -> str:
    before = program.tables
    honest = before.pair_tricks_honest or {}
    return _table(
        ("Percent", "games won together", "the program", "tricks together", "the program, correct"),
        (
            [
                pair.title(),
                _value(real.tables.pair_games[pair]),
                f"{before.pair_games[pair].mean:.2f}",
                _value(real.tables.pair_tricks[pair]),
                f"{honest[pair].mean:.2f}",
            ]
            for pair in PAIR_NAMES
        ),
    )


def _moved(program: Study, real: Study) -> str:
    moved = []
    for name in NAMES:
        then, now = program.tables.games_won[name], real.tables.games_won[name]
        change = now.mean - then.mean
        sure = hypot(then.ci95, now.ci95)
        if abs(change) > sure:
            way = "rises" if change > 0 else "falls"
            moved.append(f"{_who(name)} {way} by {abs(change):.1f} ± {sure:.1f}")
    if not moved:
        return "Nobody's share of the games is certain to have moved."
    return f"Share of games won, in percentage points: {'; '.join(moved)}."


_WORDS: Final[dict[Verdict, str]] = {
    Verdict.SURVIVES: "It holds",
    Verdict.PARTLY: "It holds in part",
    Verdict.OPEN: "It is not shown",
    Verdict.FAILS: "It does not hold",
}


MORALS: Final = (
    "Whoever plays low cards first still has high ones when the others have none.",
    "High cards that win the first tricks are gone when the last ones come.",
    "Papa pays for a trick exactly what it costs, and it shows.",
    "A trick is worth the counters in it, and many tricks have none.",
)
"""What a conclusion means at the table, said where it holds at the real game."""


def _conclusions(program: Study, real: Study) -> str:
    pairs = zip(program.conclusions, real.conclusions, MORALS, strict=True)
    return "\n\n".join(
        f"### {number}. {now.title}\n\n**{_WORDS[now.verdict]} at the real game.** "
        f"{_WORDS[then.verdict]} in the program."
        f"{f' {moral}' if now.verdict is Verdict.SURVIVES else ''}\n\n{_statements(then, now)}"
        for number, (then, now, moral) in enumerate(pairs, 1)
    )


def _statements(then: Conclusion, now: Conclusion) -> str:
    program, real = ({what(s): s for s in conclusion.statements} for conclusion in (then, now))
    runs = {"The real game": real, "The program": program}
    lines = [
        f"- {name}. {' '.join(_said(where, run.get(name)) for where, run in runs.items())}"
        for name in dict.fromkeys([*real, *program])
    ]
    return "\n".join(lines) or "No two characters are certain to stand in opposite order."


def what(statement: Statement) -> str:
    """Return what a statement says, without its figures."""
    return statement.text.partition(":")[0]


def _said(where: str, statement: Statement | None) -> str:
    if statement is None:
        return f"{where}: not shown."
    figures = statement.text.partition(": ")[2].rstrip(".")
    return f"{where}: {figures}, by {statement.gap.mean:+.2f} ± {statement.gap.ci95:.2f}."


def _exact_chances() -> Iterator[tuple[str, Fraction, float]]:
    for cards, targets, least, printed in CHANCES:
        name = f"{least} or more of {targets} {cards}"
        yield name, at_least(DECK, targets, HAND, least), printed


def _chances() -> str:
    rows = (
        [name, f"{100 * float(exact):.4f}", f"{printed:.2f}"]
        for name, exact, printed in _exact_chances()
    )
    return _table(("In a hand of nine, percent", "exact", "paper"), rows)
