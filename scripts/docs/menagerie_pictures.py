"""The pictures of the Menagerie page."""

from __future__ import annotations

from io import BytesIO
from typing import Any, Final

import matplotlib as mpl
from matplotlib.figure import Figure as Canvas
from scripts.docs.menagerie_partners import Partners
from scripts.docs.menagerie_partners_text import PICTURE
from scripts.docs.menagerie_partners_text import picture as picture_of_partners
from scripts.docs.menagerie_text import what

from rookery.cards import ROOK, card_at
from rookery.lab.menagerie.figures import NAMES, PAPER
from rookery.lab.menagerie.publication import COLOURS, picture
from rookery.lab.menagerie.study import RULES, Study
from rookery.lab.pictures import FAINT, INK
from rookery.rules import load
from rookery.show.notebook import Row, drawn

PROGRAM: Final = "#8A8A8A"
REAL: Final = "#0072B2"


def pictures(program: Study, real: Study, partners: Partners) -> dict[str, bytes]:
    """Return the page's pictures by file name."""
    return {
        "menagerie-counters.svg": counters().encode(),
        "menagerie-tricks.svg": picture(real)["trimesters.svg"],
        "menagerie-games.svg": _svg(_games(program, real)),
        "menagerie-conclusions.svg": _svg(_conclusions(program, real)),
        PICTURE: _svg(_partners(partners)),
    }


def counters() -> str:
    """Return the counters of the game laid out, faint where the program is blind."""
    rules = load(RULES)
    rows = []
    for colour, word in enumerate(("Red", "Green", "Yellow", "Black")):
        cards = [card_at(colour, rank) for rank in (5, 10, 14)]
        rows.append(Row(word, "", cards, frozenset(cards[:1])))
    rows.append(Row("The Rook", "", [ROOK], frozenset([ROOK])))
    worth = rules.card_points
    all_points = sum(worth.values())
    seen = sum(worth[card] for row in rows for card in row.cards if card not in row.gone)
    title = f"{all_points} points in the deck; {seen} of them counted by the program"
    return drawn(title, rows, pack=rules.pack, worth=worth, columns=5)


def _svg(canvas: Canvas) -> bytes:
    file = BytesIO()
    with mpl.rc_context({"svg.hashsalt": "rookery"}):
        canvas.savefig(file, format="svg", metadata={"Date": None})
    return file.getvalue()


def _partners(partners: Partners) -> Canvas:
    canvas = picture_of_partners(partners)
    _bare(canvas.axes[0])
    return canvas


def _bare(axes: Any) -> None:  # noqa: ANN401
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color("#BBBBBB")
    axes.tick_params(length=0, pad=6, labelcolor=INK)
    axes.grid(axis="x", color="#E6E6E6", linewidth=0.8, zorder=0)


def _games(program: Study, real: Study) -> Canvas:
    """Draw what each character won, printed, in the program played again, and in the real game."""
    canvas = Canvas(figsize=(9.6, 4.3), facecolor="white")
    axes = canvas.subplots()
    canvas.subplots_adjust(left=0.12, right=0.96, top=0.74, bottom=0.16)
    for row, name in enumerate(reversed(NAMES)):
        before, after = program.tables.games_won[name], real.tables.games_won[name]
        axes.plot(
            [before.mean, after.mean],
            [row, row],
            color=COLOURS[name],
            linewidth=3,
            alpha=0.35,
        )
        axes.errorbar(
            before.mean, row, xerr=before.ci95, color=PROGRAM, ecolor=INK, marker="o", ms=9
        )
        axes.errorbar(
            after.mean, row, xerr=after.ci95, color=COLOURS[name], ecolor=INK, marker="D", ms=9
        )
        axes.plot(PAPER.games_won[name], row, color=INK, marker="|", ms=20, mew=1.6)
        gain = after.mean - before.mean
        side = 1 if gain > 0 else -1
        axes.annotate(
            f"{after.mean:.1f}",
            (after.mean, row),
            xytext=(14 * side, 0),
            textcoords="offset points",
            va="center",
            ha="left" if gain > 0 else "right",
            color=COLOURS[name],
            weight="bold",
        )
    axes.axvline(50, color=FAINT, linewidth=0.9, linestyle=(0, (4, 3)))
    axes.set_yticks(range(len(NAMES)), [name.title() for name in reversed(NAMES)], fontsize=11)
    axes.set_ylim(-0.6, len(NAMES) - 0.4)
    axes.margins(x=0.12)
    axes.set_xlabel("share of games won, % (two of four win, so half is par)", color=INK)
    _bare(axes)
    canvas.text(0.02, 0.92, "Who wins the game", fontsize=16, weight="bold", color=INK)
    key = "bar: printed, names put right   circle: the program again   diamond: the real game"
    canvas.text(0.02, 0.84, key, fontsize=10, color=INK)
    return canvas


def _conclusions(program: Study, real: Study) -> Canvas:
    """Draw every statement that decides a conclusion: does its gap stay clear of zero?"""
    runs = [(program, PROGRAM, "o", 0.14), (real, REAL, "D", -0.14)]
    found = [{what(s): s for c in study.conclusions for s in c.statements} for study, *_ in runs]
    labels = list(dict.fromkeys(label for statements in found for label in statements))
    canvas = Canvas(figsize=(9.6, 1.7 + 0.52 * len(labels)), facecolor="white")
    axes = canvas.subplots()
    top = 1 - 0.95 / (1.7 + 0.52 * len(labels))
    canvas.subplots_adjust(left=0.43, right=0.94, top=top, bottom=0.13)
    for (_, colour, mark, lift), statements in zip(runs, found, strict=True):
        for row, label in enumerate(reversed(labels)):
            if label in statements:
                gap = statements[label].gap
                axes.errorbar(
                    gap.mean, row + lift, xerr=gap.ci95,
                    color=colour, ecolor=INK, marker=mark, ms=7, capsize=3,
                )  # fmt: skip
                axes.annotate(
                    f"{gap.mean:+.1f}", (gap.mean, row + lift), xytext=(9, 0),
                    textcoords="offset points", va="center", fontsize=8.5, color=INK,
                )  # fmt: skip
    axes.axvline(0, color=INK, linewidth=1.1)
    axes.set_yticks(range(len(labels)), list(reversed(labels)), fontsize=9.5)
    axes.set_ylim(-0.6, len(labels) - 0.4)
    axes.set_xlabel("by how many points it holds; left of the line it fails", color=INK)
    _bare(axes)
    height = canvas.get_figheight()
    title = "What the conclusions rest on"
    canvas.text(0.02, 1 - 0.38 / height, title, fontsize=16, weight="bold", color=INK)
    key = "circle: the program again   diamond: the real game   lines: 95 % intervals"
    canvas.text(0.02, 1 - 0.68 / height, key, fontsize=10, color=INK)
    return canvas
