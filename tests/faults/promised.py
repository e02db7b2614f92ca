"""What the table promises, in words: the promises P1 to P20 and how each of them is tried."""

from __future__ import annotations

from typing import Final, NamedTuple


class Promise(NamedTuple):
    """One promise.

    Attributes:
        title: what is promised, one sentence.
        target: the figure to hold.
        how: how it is tried, one or two sentences.
        reduced: the tests of every change that do the same in small, with their controls.
        full: the command for full size.
        parts: the parts that it takes to show it.
    """

    title: str
    target: str
    how: str
    reduced: tuple[str, ...]
    full: str
    parts: tuple[str, ...] = ("",)


def _full(name: str) -> str:
    return f"scripts/promises --again --only {name}"


PROMISES: Final[dict[str, Promise]] = {
    "P1": Promise(
        "What was acknowledged survives `kill -9`.",
        "none lost in 1,000 kills; no gap, nothing twice, the database sound",
        "People play at eight tables; the server is killed at random times in every phase and "
        "started again. Every acknowledged act has to be in the log, where its answer said. "
        "A disk that fills up refuses politely and loses nothing either.",
        (
            "tests/faults/test_kill.py",
            "tests/faults/test_disk.py",
            "tests/server/core/test_kill.py",
            "tests/server/growth/test_promises.py",
        ),
        _full("P1"),
        ("kills", "disk full and read-only"),
    ),
    "P2": Promise(
        "... and a power cut.",
        "none lost in 300 cuts",
        "As P1, but with each kill everything that was not synced is gone, or is there in part.",
        ("tests/faults/test_power.py",),
        _full("P2"),
    ),
    "P3": Promise(
        "A restart is quick, and everybody has the seat back.",
        "listening again p99 under 1 s; everybody back with the right view within 5 s",
        "Seats: at every kill of P1. Times: at kills on a machine with nothing else to do, from "
        "the command to the first answer, and on to the last person's welcome.",
        ("tests/faults/test_kill.py", "tests/server/core/test_restart.py"),
        _full("P3"),
        ("seats", "times"),
    ),
    "P4": Promise(
        "A move is on all screens of its table at once.",
        "500 tables, 2,000 sockets, a move a table every 2 s: p50 under 10 ms, p99 under 50 ms, "
        "most under 500 ms",
        "People, `club` bots and rules at 500 tables, by the load generator; from sending a move "
        "until the last of its table's four screens has it.",
        ("tests/faults/test_load.py",),
        _full("P4"),
        ("", "a disk that takes 10 ms"),
    ),
    "P5": Promise(
        "There is room above that.",
        "1,000 durable actions a second; beyond that refusals, never failures",
        "Closed loop: at 250 tables, who has an answer asks the next thing at once; then at three "
        "times as many. At fewer tables what one person may ask for would be reached first. Open "
        "loop: the same people say 3,000 things a second besides, answered or not.",
        ("tests/faults/test_load.py",),
        _full("P5"),
    ),
    "P6": Promise(
        "Memory is bounded.",
        "under 60 KiB an idle socket; growth under 1 % an hour under load",
        "The server's resident memory before and after sockets that only listen, and tables; and "
        "its slope while people play.",
        ("tests/faults/test_bad_guests.py", "tests/server/core/test_flat.py"),
        _full("P6"),
        ("a socket and a table", "a soak"),
    ),
    "P7": Promise(
        "Nobody is sent what the rules hide.",
        "no leak in 1,000,000 messages, all variants, seats and watchers",
        "Swap law: two worlds that a seat cannot tell apart have to give it the same bytes. "
        "Canary: the key of a deal, from which every hand follows, in no byte of any socket, "
        "route or log before its hand is over. Canary of cards: every card of every hand goes by a "
        "random word of 64 bits; each byte to each person is looked through for words that the "
        "rules keep from that person at that moment.",
        (
            "tests/server/core/test_leaks.py",
            "tests/faults/test_card_canary.py",
            "tests/server/http/test_canary.py",
            "tests/server/http/test_canary_review.py",
            "tests/server/bots/test_secrecy.py",
        ),
        _full("P7"),
        ("swap law", "canary", "canary of cards"),
    ),
    "P8": Promise(
        "Garbage cannot hurt.",
        "1,000,000 fuzzed messages: no exception, no effect of a refused one, only listed codes",
        "Almost right messages, bytes and known traps on the socket of a player; after each the "
        "table is as it was, or the message was legal.",
        ("tests/server/http/test_garbage.py",),
        _full("P8"),
    ),
    "P9": Promise(
        "No request is answered as a fault of the server.",
        "100,000 generated requests over all operations: none 5xx, every body fits its schema",
        "Requests are generated from the API's own description.",
        ("tests/server/surface/test_generated.py", "tests/server/http/test_garbage.py"),
        _full("P9"),
    ),
    "P10": Promise(
        "The rules hold in every position.",
        "100,000 steps a variant: cards are kept, legal is legal, points add up, and a second "
        "reading of the rules agrees",
        "Hands of every variant and of random house rules are played at random, right and wrong, "
        "beside a second implementation that was written apart.",
        ("tests/laws/test_game_laws.py", "tests/laws/test_judge_agrees.py"),
        _full("P10"),
    ),
    "P11": Promise(
        "The replay is the truth.",
        "100,000 matches: the fold of the stored events is the table, a record read and written "
        "again is the same text",
        "Tables of every variant are played, stored, read and folded again; their records are "
        "printed, read, replayed and printed. No hash is kept beside a match: there is no second "
        "copy of it that could differ from the events.",
        (
            "tests/server/core/test_fold.py",
            "tests/server/core/test_past.py",
            "tests/faults/test_told_again.py",
        ),
        _full("P11"),
    ),
    "P12": Promise(
        "The same seed is the same match, everywhere.",
        "1,000 matches with one hash: compiled and not, one worker and two",
        "Matches by seed, hashed action by action; sums by one thread and two.",
        ("tests/faults/test_same.py",),
        _full("P12"),
    ),
    "P13": Promise(
        "One order for a table, the same for everybody.",
        "10,000 faults of the network: numbers 1, 2, 3 ... without gap or repeat, all agree",
        "Between people and server stands a proxy that is slow, stuck, cuts, tears frames, is "
        "deaf on one side and says things twice.",
        (
            "tests/faults/test_network.py",
            "tests/faults/test_history.py",
            "tests/server/core/test_order.py",
            "tests/server/core/test_copies.py",
        ),
        _full("P13"),
    ),
    "P14": Promise(
        "Of two at once one has its way.",
        "100,000 races: exactly one effect, and the other is told why by name",
        "Two seats, two tabs and two copies of one message at once, for every command of which "
        "only one can have its way, from the first seat to the rematch; on a store that takes up "
        "to 0.1 s.",
        ("tests/server/core/test_races.py", "tests/server/core/test_order.py"),
        _full("P14"),
    ),
    "P15": Promise(
        "Who is slow or hostile hurts nobody else.",
        "P4 holds beside 50 who never read and 50 who flood; the slow are closed with 4008 "
        "within 10 s",
        "P4's load with a hundred bad guests at tables of their own and of others, and one who "
        "asks for pages, files and health without end.",
        (
            "tests/faults/test_bad_guests.py",
            "tests/faults/test_deluge.py",
            "tests/server/surface/test_addresses.py",
            "tests/server/http/test_paced.py",
            "tests/server/http/test_floods.py",
            "tests/server/http/test_lines.py",
        ),
        _full("P15"),
    ),
    "P16": Promise(
        "An answer is true.",
        "10,000 faults of the network: no acknowledged act is ever gone, none is done behind a "
        "no, nobody is left without an answer",
        "The checker over the histories of P13; late copies of what was refused; a server that is "
        "killed while its disk takes everything and syncs nothing.",
        (
            "tests/faults/test_network.py",
            "tests/faults/test_late_copies.py",
            "tests/faults/test_disk.py",
            "tests/server/core/test_copies.py",
            "tests/server/growth/test_promises.py",
        ),
        _full("P16"),
        ("", "a disk that does not sync"),
    ),
    "P17": Promise(
        "Nothing across tables or seats.",
        "100,000 requests with another's table, seat, match or token: all refused alike",
        "Every route and every command by everybody who may not.",
        ("tests/faults/test_closed_doors.py", "tests/server/http/test_doors.py"),
        _full("P17"),
    ),
    "P18": Promise(
        "Deals are fair, and anybody can check them.",
        "chi-square and runs over 1,000,000 deals are not rejected at 10^-6; every hand of a "
        "finished match can be checked offline",
        "Deals of the live scheme with fixed keys: cards by places, runs, first cards that follow "
        "one another, neighbours of the fresh deck that are still together, and how many hands "
        "hold the Rook and so many 14s, so many counters, so many suits, against the exact "
        "hypergeometric shares. `rookery verify-deal` on files that were tampered with.",
        (
            "tests/server/core/test_deals.py",
            "tests/faults/test_fair.py",
            "tests/cli/test_verify_deal.py",
        ),
        _full("P18"),
        ("fair",),
    ),
    "P19": Promise(
        "Several servers keep all this.",
        "none lost, tables elsewhere within 10 s, never two writers",
        "Two servers on one PostgreSQL: each is killed, frozen, replaced, the news between them "
        "stops, the database is restarted. And both are updated while people play, to today's "
        "version and back to the last release, or the first one with today's database.",
        (
            "tests/faults/test_growth.py",
            "tests/faults/test_rolling.py",
            "tests/server/growth/test_fence.py",
            "tests/server/growth/test_news.py",
            "tests/server/growth/test_migrations.py",
        ),
        _full("P19"),
        ("two servers", "rolling updates"),
    ),
    "P20": Promise(
        "A backup can be brought back.",
        "restored, and every event is the one that was stored",
        "Tables are backed up while people play, restored elsewhere and compared event by event.",
        ("tests/server/growth/test_backup.py", "tests/faults/test_rescue.py"),
        _full("P20"),
    ),
}
