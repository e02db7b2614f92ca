"""The odds in words and small tables, for a terminal of 80 columns."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import fill

from rookery.cli.output import WIDTH
from rookery.lab.odds.answer import Answer, Average, Chance, NestOdds, SplitOdds, TrumpOdds

ROWS = 12


def told(answer: Answer) -> str:
    """Return an answer as a reader meets it."""
    parts = {TrumpOdds: _trumps, SplitOdds: _split, NestOdds: _nest}
    lines = [*parts[type(answer)](answer), "", _method(answer)]  # type: ignore[operator]
    return "\n".join(lines)


def percent(chance: Chance) -> str:
    """Return a chance in percent, with half of its interval where it was drawn.

    >>> percent(Chance(probability=0.25, fraction="1/4", ci95=None))
    '25.00 %'
    """
    if chance.ci95 is None:
        tiny = 0 < chance.probability < 0.00005
        return "< 0.01 %" if tiny else f"{100 * chance.probability:.2f} %"
    half = 100 * max(chance.ci95[1] - chance.probability, chance.probability - chance.ci95[0])
    return f"{100 * chance.probability:.1f} ± {half:.1f} %"


def _average(average: Average, what: str) -> str:
    half = "" if average.ci95 is None else f" ± {(average.ci95[1] - average.ci95[0]) / 2:.2f}"
    return f"On average {average.mean:.2f}{half} {what}."


def _method(answer: Answer) -> str:
    places = ", ".join(f"{place.name} {place.cards}" for place in answer.places)
    if answer.method == "exact":
        text = f"Exact: every way counted in which the {answer.unseen} cards you have not seen"
        text += f" can lie ({places})."
    else:
        text = f"Sampled: {answer.samples:,} deals drawn, seed {answer.seed}, with 95 % intervals;"
        text += f" {answer.unseen} cards you have not seen ({places})."
    return fill(text, WIDTH - 1)


def _trumps(answer: TrumpOdds) -> Iterator[str]:
    yield (
        f"Trump is {answer.trump}: {answer.trumps} trumps, of which you hold "
        f"{answer.held_trumps} and have not seen {answer.unseen_trumps}."
    )
    yield ""
    yield f"{'trumps':>8}{'exactly':>16}{'at least':>16}   with {answer.partner}"
    for row in answer.chances:
        yield f"{row.count:>8}{percent(row.exactly):>16}{percent(row.at_least):>16}"
    yield ""
    yield _average(answer.average, "trumps")


def _split(answer: SplitOdds) -> Iterator[str]:
    yield fill(
        f"Trump is {answer.trump}. Of {answer.suit} you have not seen {len(answer.cards)}: "
        f"{' '.join(answer.cards) or 'none'}.",
        WIDTH - 1,
    )
    with_nest = any(shape.nest is not None for shape in answer.shapes)
    yield ""
    yield f"{'in the hands':<20}{'in the nest' if with_nest else '':<14}{'chance':>14}"
    for shape in answer.shapes[:ROWS]:
        hands = "-".join(map(str, shape.hands))
        nest = "" if shape.nest is None else str(shape.nest)
        yield f"{hands:<20}{nest:<14}{percent(shape.chance):>14}"
    if len(answer.shapes) > ROWS:
        yield f"and {len(answer.shapes) - ROWS} rarer ones; --json has them all"


def _nest(answer: NestOdds) -> Iterator[str]:
    cards = "card" if answer.nest == 1 else "cards"
    yield f"The nest, {answer.nest} {cards} you have not seen:"
    yield ""
    yield f"  {'a counter':<22}{percent(answer.counter):>14}"
    if answer.rook is not None:
        yield f"  {answer.rook_name:<22}{percent(answer.rook):>14}"
    for row in answer.counters:
        if row.count > 1:
            yield f"  {f'{row.count} counters or more':<22}{percent(row.at_least):>14}"
    yield ""
    for points in answer.points:
        if points.points and points.at_least.probability >= 0.0005:
            yield f"  {f'{points.points} points or more':<22}{percent(points.at_least):>14}"
    yield ""
    yield _average(answer.average, "points")
