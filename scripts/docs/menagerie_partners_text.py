"""What noticing a partner is worth, told on the Menagerie page and drawn for it."""

from __future__ import annotations

from typing import Any, Final

from matplotlib.figure import Figure as Canvas
from scripts.docs.menagerie_partners import CAST, Partners

from rookery.lab.menagerie.figures import NAMES, PEOPLE
from rookery.lab.menagerie.study import RULES
from rookery.lab.studies.questions.cooperation import BOTH, ONE
from rookery.rules import load

PICTURE: Final = "menagerie-partners.svg"
ALONE, TOGETHER, INK = "#8A8A8A", "#0072B2", "#333333"


def section(partners: Partners) -> str:
    """Return the section of the page, without its heading."""
    worth = sum(load(RULES).card_points.values())
    gains = {name: partners.gain(name, BOTH) for name in CAST}
    everybody = all(gains[name].low > 0 for name in CAST)
    answer = "Everybody gains by it." if everybody else "Not everybody is certain to gain by it."
    return (
        "This is the first question that the paper leaves for the future. Its characters never "
        "look at each other; how much would it be worth if they did?\n\n"
        "We taught them three habits. If your partner has the bid, leave it there. Do not beat "
        "your partner's card if you can play a lower one. Put a counter on a trick that your "
        "partner has won. Then each character played against itself: two who notice each other "
        f"against two who do not, on {partners.boards:,} deals, with the places changed until the "
        "cards favoured nobody. Beside them is `club`, Rookery's own table bot, which always "
        "notices its partner and was made to forget it.\n\n"
        f"{_table(partners)}\n\n"
        f"![By how many points a hand those who notice their partner are ahead: both of them, and "
        f"one alone](../img/{PICTURE})\n\n"
        f"**{answer}** {_extremes(partners)} A deal has {worth} points. {_halves(partners)}\n\n"
        f"{_contracts(partners)}"
    )


def in_short(partners: Partners) -> str:
    """Return the section in a sentence."""
    gains = sorted(partners.gain(name, BOTH).mean for name in CAST)
    return (
        "And to notice one's partner, which none of the four does, is worth "
        f"{gains[0]:.0f} to {gains[-1]:.0f} points a hand."
    )


def name_of(name: str) -> str:
    """Return what the page calls a player: the characters by name, a bot as it is typed."""
    return name.title() if name in NAMES else f"`{name}`"


def _table(partners: Partners) -> str:
    lines = [
        "| Points a hand, ahead | both notice | only one does | contracts made | made without |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for name in CAST:
        both, one = (partners.gain(name, who) for who in (BOTH, ONE))
        made = partners.result(name, BOTH).made
        lines.append(
            f"| {name_of(name)} | {both.mean:+.2f} ± {both.ci95:.2f} "
            f"| {one.mean:+.2f} ± {one.ci95:.2f} | {_percent(made[0])} | {_percent(made[1])} |"
        )
    return "\n".join(lines)


def _percent(share: float | None) -> str:
    return "none played" if share is None else f"{100 * share:.1f} %"


def _extremes(partners: Partners) -> str:
    order = sorted(CAST, key=lambda name: partners.gain(name, BOTH).mean)
    least, most = order[0], order[-1]
    return (
        f"It is worth most to {_who(most)}, {_points(partners, most)} a hand, and least to "
        f"{_who(least)}, {_points(partners, least)}."
    )


def _who(name: str) -> str:
    return PEOPLE[NAMES.index(name)] if name in NAMES else f"`{name}`"


def _points(partners: Partners, name: str) -> str:
    return f"{partners.gain(name, BOTH).mean:.1f} points"


def _halves(partners: Partners) -> str:
    """Say what part of the gain one partner has who notices alone, where that can be said."""
    clear = [name for name in CAST if partners.gain(name, BOTH).low > 0]
    if not clear:
        return "What one alone is worth cannot be said."
    parts = [partners.gain(name, ONE).mean / partners.gain(name, BOTH).mean for name in clear]
    least, most = (round(100 * part) for part in (min(parts), max(parts)))
    return (
        "One who notices, with a partner who does not, already brings the side "
        f"{least} to {most} % of that."
    )


def _contracts(partners: Partners) -> str:
    """Say how the contracts of those change who make the most of it."""
    most = max(CAST, key=lambda name: partners.gain(name, BOTH).mean)
    found = partners.result(most, BOTH)
    (made, before), (bid, bid_before) = found.made, found.mean_bid
    if made is None or before is None or bid is None or bid_before is None:
        return "So few contracts were played that nothing can be said of them."
    way = "down" if bid < bid_before else "up"
    who = _who(most)
    return (
        f"Look at {who}'s contracts: from {bid_before:.1f} points {way} to {bid:.1f} on average, "
        f"and of a hundred of them {100 * made:.0f} are made, not {100 * before:.0f}."
    )


def picture(partners: Partners) -> Canvas:
    """Return the gains as a picture: both partners noticing, and one alone."""
    canvas = Canvas(figsize=(9.6, 4.1), facecolor="white")
    axes: Any = canvas.subplots()
    canvas.subplots_adjust(left=0.12, right=0.96, top=0.76, bottom=0.17)
    rows = list(reversed(CAST))
    marks = ((ONE, ALONE, "o", -0.13), (BOTH, TOGETHER, "D", 0.13))
    for who, colour, mark, lift in marks:
        for row, name in enumerate(rows):
            gain = partners.gain(name, who)
            axes.plot([0, gain.mean], [row + lift] * 2, color=colour, linewidth=3, alpha=0.35)
            axes.errorbar(
                gain.mean, row + lift, xerr=gain.ci95,
                color=colour, ecolor=INK, marker=mark, ms=8, capsize=3,
            )  # fmt: skip
            axes.annotate(
                f"{gain.mean:+.1f}", (gain.mean, row + lift), xytext=(11, 0),
                textcoords="offset points", va="center", fontsize=9, color=INK,
            )  # fmt: skip
    axes.axvline(0, color=INK, linewidth=1.1)
    axes.set_yticks(range(len(rows)), [name_of(name).strip("`") for name in rows], fontsize=11)
    axes.set_ylim(-0.6, len(rows) - 0.4)
    axes.margins(x=0.1)
    axes.set_xlabel("points a hand ahead of the same player without it", color=INK)
    canvas.text(
        0.02, 0.92, "What noticing your partner is worth", fontsize=16, weight="bold", color=INK
    )
    key = "diamond: both partners notice   circle: only one does   lines: 95 % intervals"
    canvas.text(0.02, 0.845, key, fontsize=10, color=INK)
    return canvas
