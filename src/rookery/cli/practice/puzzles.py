"""`rookery puzzles`: decisions with one right answer, listed, shown and made."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from rookery.cli.arguments import (
    AsJson,
    Cores,
    Refused,
    Seed,
    check_name,
    group,
    number,
    say_unused,
)
from rookery.cli.output import WIDTH, print_answer, print_json, printable, shown, wrapped
from rookery.cli.records.replay import replayed
from rookery.cli.records.review import folded, signed
from rookery.game.errors import counted
from rookery.puzzles.document import PuzzleAnswer, answer, entry
from rookery.puzzles.puzzle import THEMES, Puzzle
from rookery.puzzles.shelf import by_id, chosen, found, read, shelf
from rookery.rules import catalog

app = group("Decisions with one right answer.")

MOST_HANDS: Final = 10_000_000
MOST_ROLLOUTS: Final = 1_000_000
HANDS: Final = 20

From = Annotated[
    Path | None, typer.Option("--file", metavar="FILE", help="The puzzles of a file that was made.")
]


@app.command("list")
def list_puzzles(
    rules: Annotated[
        str | None, typer.Option(metavar="ID", help="The puzzles of one variant alone.")
    ] = None,
    theme: Annotated[
        str | None, typer.Option(help=f"One of: {', '.join(THEMES)}.", metavar="THEME")
    ] = None,
    file: From = None,
    as_json: AsJson = False,
) -> None:
    """List the puzzles, the easiest first."""
    if theme is not None and theme not in THEMES:
        raise Refused(f"--theme {printable(theme)}: expected one of {', '.join(THEMES)}")
    puzzles = shelf() if file is None else tuple(read(file))
    known = {*catalog(), *(one.rules_name for one in puzzles)}
    if rules is not None and rules not in known:
        raise Refused(f"--rules {printable(rules, 40)}: no such variant; see `rookery rules list`")
    listed = [entry(one) for one in chosen(puzzles, rules, theme)]
    if as_json:
        print_json([one.model_dump() for one in listed])
        return
    typer.echo(f"{'id':<9}{'rating':>6}  {'seat':>4}  {'rules':<22}  themes")
    for one in listed:
        head = f"{one.id:<9}{one.rating:>6}  {one.seat:>4}  {printable(one.rules, 22):<22}"
        typer.echo(wrapped(head, ", ".join(one.themes), indent=0, hang=len(head) + 2))


@app.command("show")
def show(
    puzzle_id: Annotated[str, typer.Argument(metavar="ID", help="The puzzle's id.")],
    with_answer: Annotated[
        bool, typer.Option("--answer", help="Say what is right, and why.")
    ] = False,
    file: From = None,
    as_json: AsJson = False,
) -> None:
    """Show one puzzle as its seat sees it; with --answer also what is right, and why.

    With --json the document always has the answer: the record, the choices and their worth.
    """
    among = by_id() if file is None else {one.id: one for one in read(file)}
    puzzle = found(puzzle_id, among)
    told = answer(puzzle)
    print_answer(told.model_dump, _story(puzzle, told, with_answer), as_json)


def _story(puzzle: Puzzle, told: PuzzleAnswer, with_answer: bool) -> Iterator[str]:
    about = f": {', '.join(told.themes)}" if with_answer else ""
    yield typer.style(printable(puzzle.rules.name, WIDTH), bold=True)
    yield f"Puzzle {told.id}, rated {told.rating}{about}"
    yield ""
    yield from _position(puzzle, told)
    yield ""
    if not with_answer:
        yield "What do you do?"
        for actions in told.options:
            yield wrapped("-", actions[0] + _or(actions), hang=4)
        yield ""
        yield f"The answer: rookery puzzles show {told.id} --answer"
        return
    for one in told.choices:
        chance = "" if one.making is None else f", contract {100 * one.making:.0f} %"
        mark = "*" if one.right else " "
        yield wrapped(
            mark, f"{one.actions[0]}{_or(one.actions)}: {signed(one.worth)} points{chance}", hang=4
        )
        yield from folded(one.reason.text, "      ")
    yield ""
    yield from folded(
        "Points are those by which the seat's side can expect to score above the others, over "
        "hands that fit what the seat has seen."
    )


def _or(actions: list[str]) -> str:
    equal = ", ".join(words.partition(" ")[2] for words in actions[1:])
    return f" (or {equal})" if equal else ""


def _position(puzzle: Puzzle, told: PuzzleAnswer) -> Iterator[str]:
    view, rules = told.view, puzzle.rules
    partners = "".join(f", with seat {seat}" for seat in told.partners)
    yield wrapped(
        "You are", f"seat {told.seat} of {rules.seats}{partners}; seat {view['dealer']} dealt"
    )
    yield wrapped("Calls", ", ".join(view["calls"]))
    if view["declarer"] is not None:
        call = f" in {view['call']}" if view["call"] else ""
        yield wrapped("Contract", f"seat {view['declarer']} plays {view['bid']}{call}")
    if view["nest_face_up"]:
        yield wrapped("Nest", f"open: {' '.join(view['nest_face_up'])}")
    if view["nest_found"]:
        yield wrapped("Nest", f"found: {' '.join(view['nest_found'])}")
    if view["discards"]:
        yield wrapped("Discards", " ".join(view["discards"]))
    if view["dummy_hand"]:
        yield wrapped("Dummy", f"seat {view['dummy']}: {' '.join(view['dummy_hand'])}")
    for at, trick in enumerate(view["tricks"], 1):
        yield wrapped(f"Trick {at}", f"{_laid(trick['cards'])}; seat {trick['winner']} took it")
    if view["trick"]:
        yield wrapped("On table", _laid(view["trick"]))
    yield wrapped("Your hand", " ".join(view["hand"]))
    if told.turn != told.seat:
        yield wrapped("To play", f"a card of seat {told.turn}, the dummy")


def _laid(cards: list[dict[str, Any]]) -> str:
    return ", ".join(f"{one['place']} {one['card']}" for one in cards)


@app.command("make")
def make_puzzles(
    ctx: typer.Context,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="Where they are written; it resumes there.")
    ],
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="RECORD", help="Records; without any, bots play."),
    ] = None,
    rules: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ID", help="A variant for bots to play; may be given again; all by default."
        ),
    ] = None,
    hands: Annotated[
        int, number("How many hands of each variant bots play.", 1, MOST_HANDS)
    ] = HANDS,
    rollouts: Annotated[
        int | None, number("Rollouts for a first proof.", 1, MOST_ROLLOUTS, "--rollouts")
    ] = None,
    seed: Seed = 1,
    cores: Cores = None,
    as_json: AsJson = False,
) -> None:
    """Make puzzles out of records, or out of games that bots play.

    A decision is taken if one choice beats all others by ten points, or turns the contract, over
    many hands that fit what its seat has seen. It has to do so twice, and must not be worse with
    all cards open. Run it again, and it goes on where it stopped.
    """
    from rookery.lab.run.jobs import cores as all_cores
    from rookery.puzzles.making import Made, make, of_bots, of_records
    from rookery.puzzles.proof import ROLLOUTS

    check_name("--out", out)
    if files:
        say_unused(ctx, "it is for bots that play, without a RECORD", "rules", "hands")
    for name in rules or ():
        if name not in catalog():
            raise Refused(f"--rules {printable(name, 40)}: no such variant; see rookery rules list")
    matches = [replayed(str(file)) for file in files or ()]
    if matches and not any(match.hands for match in matches):
        raise Refused(f"{files[0] if files else ''}: the record has no hand; expected one at least")
    units = list(of_records(matches) if matches else of_bots(rules or catalog(), hands))
    proof = ROLLOUTS if rollouts is None else rollouts
    made = Made(out, seed, proof)
    with shown("hands") as progress:
        make(units, made, threads=cores or all_cores(), progress=progress)
    done = made.tally
    document = {
        "hands": done.hands,
        "decisions": done.looked,
        "near": done.near,
        "refused": done.refused,
        "puzzles": len(made.puzzles),
    }
    lines = [
        f"{counted(done.hands, 'hand')}, {counted(done.looked, 'decision')}, "
        f"{done.near:,} worth a proof",
        *(f"{times:>8,} refused: {code}" for code, times in sorted(done.refused.items())),
        f"{len(made.puzzles):>8,} {'puzzle' if len(made.puzzles) == 1 else 'puzzles'} in {out}",
    ]
    print_answer(lambda: document, lines, as_json)
