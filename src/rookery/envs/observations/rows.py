"""Rows of many tables: what stands at each now, and what stood there as an episode ended."""

from __future__ import annotations

from typing import Final

from rookery.bots.seat_info import SeatInfo
from rookery.engine.kernel import kernel
from rookery.engine.state import Hidden, State
from rookery.envs.observations.compact import words_of, write_observation
from rookery.envs.observations.history import history_words
from rookery.envs.observations.oracle import oracle_words, write_oracle
from rookery.rules.table import RuleTable

# 0 in code for tables that tell no history, show no oracle or play no matches: left out there.
TELLS: Final = 1
SHOWS: Final = 1
MATCHES: Final = 1


@kernel
def write_rows(
    table: RuleTable,
    s: State,
    h: Hidden,
    m: SeatInfo,
    i: int,
    observations: list[int],
    oracles: list[int],
) -> None:
    """Write what the agent of table `i` sees, and what nobody may see where that is asked for."""
    write_observation(table, s, m, observations, i * words_of(table))
    if SHOWS and len(oracles):
        write_oracle(table, s, h, m.seat, oracles, i * oracle_words(table))


@kernel
def copy_words(words: list[int], source: int, to: int, count: int) -> None:
    """Copy some words to another place in a list."""
    for i in range(count):
        words[to + i] = words[source + i]


@kernel
def clear_totals(table: RuleTable, totals: list[int], at: int) -> None:
    """Begin a match: set the totals of a table to 0."""
    for seat in range(table.seats):
        totals[at + seat] = 0


@kernel
def keep_last(
    table: RuleTable,
    i: int,
    tables: int,
    observations: list[int],
    oracles: list[int],
    told: list[int],
    totals: list[int],
) -> None:
    """Copy the rows of table `i` to where those of the last episode stand; begin a match anew."""
    copy_words(observations, i * words_of(table), (tables + i) * words_of(table), words_of(table))
    if SHOWS and len(oracles):
        width = oracle_words(table)
        copy_words(oracles, i * width, (tables + i) * width, width)
    if TELLS and len(told):
        width = table.seats * history_words(table)
        copy_words(told, i * width, (tables + i) * width, width)
    if MATCHES and len(totals):
        copy_words(totals, i * table.seats, (tables + i) * table.seats, table.seats)
        clear_totals(table, totals, i * table.seats)
