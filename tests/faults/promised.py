"""The promises of the table, from P1 on, in words, and how each of them is tested."""

from __future__ import annotations

from typing import Final, NamedTuple


class Promise(NamedTuple):
    """One promise.

    Attributes:
        title: what is promised, one sentence.
        target: the figure to reach.
        how: how it is tested, a few sentences.
        reduced: the tests of every change that do the same in small, with their controls.
        full: the command for full size.
        parts: the parts that are needed to show it.
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
        "People play at eight tables. The server is killed at random times in every phase and "
        "started again. Every acknowledged action has to be in the log, where its answer said. "
        "With a full disk, commands are refused and nothing is lost either.",
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
        "As P1, but each kill also loses what was not synced, or leaves only a part of it.",
        ("tests/faults/test_power.py",),
        _full("P2"),
    ),
    "P3": Promise(
        "A restart is quick, and everybody has their seat back.",
        "listening again p99 under 1 s; everybody back with the right view within 5 s",
        "Seats are checked at every kill of P1. Times are taken on a machine with nothing else to "
        "do, from the start of the server to its first answer, and to the last person's welcome.",
        ("tests/faults/test_kill.py", "tests/server/core/test_restart.py"),
        _full("P3"),
        ("seats", "times"),
    ),
    "P4": Promise(
        "A move is on all screens of its table at once.",
        "500 tables, 2,000 sockets, a move a table every 2 s: p50 under 10 ms, p99 under 50 ms, "
        "most under 500 ms",
        "A load generator plays at 500 tables, with people, `club` bots and all rules. A move is "
        "timed from sending it until the last of its table's four screens has it.",
        ("tests/faults/test_load.py",),
        _full("P4"),
        ("", "a disk that takes 10 ms"),
    ),
    "P5": Promise(
        "There is room above that.",
        "1,000 durable actions a second; beyond that refusals, never failures",
        "Closed loop: at 250 tables, then at 750, whoever has an answer sends the next command at "
        "once. With fewer tables, a person's own limit would be reached first. Open loop: the same "
        "people also send 3,000 other commands a second, answered or not.",
        ("tests/faults/test_load.py",),
        _full("P5"),
    ),
    "P6": Promise(
        "Memory is bounded.",
        "under 60 KiB an idle socket; growth under 1 % an hour under load",
        "The server's resident memory is measured before and after opening sockets that only "
        "listen, and tables. Its growth is measured while people play.",
        ("tests/faults/test_bad_guests.py", "tests/server/core/test_flat.py"),
        _full("P6"),
        ("a socket and a table", "a soak"),
    ),
    "P7": Promise(
        "Nobody is sent what the rules hide.",
        "no leak in 1,000,000 messages, all variants, seats and watchers",
        "Swap law: two worlds that a seat cannot tell apart have to give it the same bytes. "
        "Canary: the key of a deal, from which every hand follows, may be in no byte of any "
        "socket, route or log before its hand is over. Canary of cards: every card of every hand "
        "gets a random word of 64 bits as its name. All that a person is sent is searched for the "
        "words of cards that the rules hide from them at that moment.",
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
        "Almost correct messages, random bytes and known traps are sent on the socket of a "
        "player. Each of them is legal, or leaves the table unchanged.",
        ("tests/server/http/test_garbage.py",),
        _full("P8"),
    ),
    "P9": Promise(
        "No request makes the server fail.",
        "100,000 generated requests over all operations: none 5xx, every body fits its schema",
        "Requests are generated from the API's own description.",
        ("tests/server/surface/test_generated.py", "tests/server/http/test_garbage.py"),
        _full("P9"),
    ),
    "P10": Promise(
        "The rules hold in every position.",
        "100,000 steps a variant: no card is lost, legal actions are legal, points add up, and a "
        "second implementation of the rules agrees",
        "Hands of every variant and of random house rules are played at random, with legal and "
        "illegal actions, beside a second implementation that was written independently.",
        ("tests/laws/test_game_laws.py", "tests/laws/test_judge_agrees.py"),
        _full("P10"),
    ),
    "P11": Promise(
        "The replay is the truth.",
        "100,000 matches: the fold of the stored events is the table, a record read and written "
        "again is the same text",
        "Tables of every variant are played, stored, read and folded again. Their records are "
        "written, read, replayed and written again. No hash is kept beside a match: there is no "
        "second copy of it that could differ from the events.",
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
        "Matches are dealt by seed and hashed action by action. Sums are taken by one thread and "
        "by two.",
        ("tests/faults/test_same.py",),
        _full("P12"),
    ),
    "P13": Promise(
        "One order for a table, the same for everybody.",
        "10,000 faults of the network: numbers 1, 2, 3 ... without gap or repeat, all agree",
        "A proxy between people and server is slow, gets stuck, cuts connections, tears frames, "
        "goes deaf on one side, and repeats messages.",
        (
            "tests/faults/test_network.py",
            "tests/faults/test_history.py",
            "tests/server/core/test_order.py",
            "tests/server/core/test_copies.py",
        ),
        _full("P13"),
    ),
    "P14": Promise(
        "Of two commands at once, exactly one succeeds.",
        "100,000 races: exactly one effect, and the other gets a code that says why",
        "Two seats, two tabs, or two copies of one message act at once, for every command of "
        "which only one can succeed, from the first seat to the rematch. The store takes up to "
        "0.1 s.",
        ("tests/server/core/test_races.py", "tests/server/core/test_order.py"),
        _full("P14"),
    ),
    "P15": Promise(
        "Slow and hostile clients hurt nobody else.",
        "P4 holds beside 50 who never read and 50 who flood; the slow are closed with 4008 "
        "within 10 s",
        "P4's load, with a hundred bad guests at tables of their own and of others, and one who "
        "asks for pages, files and health checks without end.",
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
        "10,000 faults of the network: no acknowledged action is lost, no refused one is done, "
        "and nobody is left without an answer",
        "The checker reads the histories of P13. Copies of refused commands come late. A server is "
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
        "Nobody reaches into another table or seat.",
        "100,000 requests with another's table, seat, match or token: all refused alike",
        "Every route and every command is tried by everybody who may not use it. The log of "
        "security events has to tell of each guess, in few lines, and of nobody's address.",
        (
            "tests/faults/test_closed_doors.py",
            "tests/server/http/test_doors.py",
            "tests/server/surface/test_security_events.py",
            "tests/faults/test_security_log.py",
        ),
        _full("P17"),
    ),
    "P18": Promise(
        "Deals are fair, and anybody can check them.",
        "chi-square and runs over 1,000,000 deals are not rejected at 10^-6; every hand of a "
        "finished match can be checked offline",
        "Deals of the live scheme with fixed keys are compared with chance: cards by places, "
        "runs, first cards of consecutive deals, and neighbours of the fresh deck that are still "
        "together. Hands are counted by their 14s and the Rook, by their counters and by their "
        "suits, and compared with the exact hypergeometric shares. `rookery verify-deal` gets "
        "files that were tampered with.",
        (
            "tests/server/core/test_deals.py",
            "tests/faults/test_fair.py",
            "tests/cli/records/test_verify_deal.py",
        ),
        _full("P18"),
        ("fair",),
    ),
    "P19": Promise(
        "Several servers keep all this.",
        "none lost, tables elsewhere within 10 s, never two writers",
        "Two servers share one PostgreSQL. Each is killed, frozen and replaced, the messages "
        "between them stop, the database is restarted. Both are updated while people play, to "
        "today's version and back to the last release, or to the first revision that knows "
        "today's database.",
        (
            "tests/faults/test_growth.py",
            "tests/faults/test_rolling.py",
            "tests/server/growth/test_fence.py",
            "tests/server/growth/test_pubsub.py",
            "tests/server/growth/test_migrations.py",
        ),
        _full("P19"),
        ("two servers", "rolling updates"),
    ),
    "P20": Promise(
        "A backup can be restored.",
        "restored, and every event is the one that was stored",
        "Tables are backed up while people play, restored elsewhere and compared event by event.",
        ("tests/server/growth/test_backup.py", "tests/faults/test_rescue.py"),
        _full("P20"),
    ),
    "P21": Promise(
        "No rule set that is accepted makes a server slow or large.",
        "100,000 hostile rule sets checked, 10,000 of the accepted begun for 500 acts or 0.5 s of "
        "a core each: no answer above 32,000 characters, no more than 50 hands running that "
        "nobody plays, no more than 5 in one turn, no message above 64 KiB",
        "Rule sets are made as somebody hostile would: values and lists of any size, games in "
        "which hardly a deal can be played, or in which nobody has to act. The test deals to see "
        "how many deals can be played; the log of a table with `club` says how many were.",
        (
            "tests/faults/test_hostile_rules.py",
            "tests/rules/test_bounds.py",
            "tests/server/core/test_unplayed.py",
        ),
        _full("P21"),
    ),
    "P22": Promise(
        "No clock loses data.",
        "none lost in 200 starts with clocks from 1970 to 60 years ahead, jumps while a server "
        "runs, and two servers that disagree",
        "A server is started again and again with a wrong clock, which jumps to another wrong time "
        "while it runs; then two servers on one PostgreSQL, each with a clock of its own. Every "
        "row has to stay, and everybody has to be recognised and find their tables all the time. A "
        "clock that is less than a week ahead cannot be told from the right one.",
        ("tests/faults/test_clocks.py", "tests/server/core/test_clock.py"),
        _full("P22"),
        ("starts", "two servers"),
    ),
    "P23": Promise(
        "Secrets survive restores.",
        "1,000 databases restored, in every phase: nothing that was known before tells of a card "
        "that is played after",
        "A table is saved in some phase and played on, so that every key and hidden card of the "
        "copy is known. Then it is restored: by `rookery restore`, as a file in its old place or "
        "in another, or with its whole folder, where only a client can tell that it is older. "
        "The next hand is searched for all that was ever dealt or promised there.",
        (
            "tests/faults/test_restores.py",
            "tests/server/growth/test_timeline.py",
            "tests/server/growth/test_timeline_postgres.py",
        ),
        _full("P23"),
    ),
    "P24": Promise(
        "A seat is its owner's.",
        "1,000,000 attempts: no hidden card, no seat and no time of others",
        "A stranger with many cookies tries everything that could bring them a look at others' "
        "cards, another's seat or time: as a watcher, a player and a host who leaves. Owners "
        "reload in every phase, go and come back. What was shown to whom, who lost a seat and "
        "whose clock ran out is judged by the table's events alone.",
        ("tests/faults/test_strangers.py", "tests/server/core/test_waiting.py"),
        _full("P24"),
    ),
    "P25": Promise(
        "Every route has a price.",
        "one address that comes through a proxy takes at most 10 % of a core over 10 s; the p99 "
        "of others stays under 50 ms",
        "Somebody with twenty cookies asks without end for the dearest request of each route, "
        "sends each message, wakes sleeping tables, and does all of it at once, at tables of 300 "
        "hands, while hosts change their tables. What an address pays for each route is compared "
        "with the processor time that it takes. Waking a table where one has a seat is free, but "
        "nobody else may have to wait for it.",
        (
            "tests/faults/test_price.py",
            "tests/server/surface/test_work.py",
            "tests/server/surface/test_waking.py",
            "tests/server/surface/test_lobby_read.py",
        ),
        _full("P25"),
    ),
    "P26": Promise(
        "Nobody comes under a name that can be taken for another's.",
        "100,000 generated confusables: none sits or talks beside its twin",
        "Names are drawn letter by letter from Unicode's list of what looks alike (UTS 39), read "
        "anew by the test, in other cases, widths and forms, and with invisible signs. Each "
        "tries to sit, to talk, or to be somebody's new name, beside the name it was drawn from.",
        ("tests/faults/test_twins.py", "tests/unicode/test_looks.py"),
        _full("P26"),
    ),
    "P27": Promise(
        "No score of an evening is lost.",
        "200 `kill -9` of the server during entry and 200 cut networks of phones: none lost, none "
        "there twice",
        "Phones write the scores of an evening's tables, and score sheets whose totals the evening "
        "has to show. The server is killed at random times, and phones lose their network while "
        "they wait for an answer. They send again what has no answer, as the page does. Every "
        "acknowledged score has to be there once, and the latest one has to be shown. On screens "
        "people play, and the server scores each table and begins the next round. What was shown "
        "has to stay as it was, and each table of a round has to be there once, with the seats "
        "that the evening gave. Names that hosts typed expire and are forgotten like players'.",
        (
            "tests/faults/test_scorers.py",
            "tests/faults/test_on_screens.py",
            "tests/evening/log/test_log.py",
            "tests/server/http/test_evenings.py",
            "tests/server/http/test_table_sheets.py",
            "tests/server/http/test_prepared_sheets.py",
            "tests/server/http/test_told_sheets.py",
            "tests/server/http/test_screens_coming.py",
            "tests/server/http/test_typed_names.py",
        ),
        _full("P27"),
        ("", "on screens"),
    ),
    "P28": Promise(
        "Evenings of a hundred tables have room beside each other.",
        "two evenings of 100 tables each on one server: p99 under 50 ms",
        "Eight hundred phones look at their evenings every 15 s, and every table scores a round "
        "within 90 s. A look and a score are timed from sending until the answer is there. At the "
        "end every score has to be shown. On screens as many people play a hand at all tables at "
        "once, a move a table every 1.5 s, and look as often. Every schedule is checked by a law "
        "of its own. A whole evening is played by sockets and three real browsers; with 40 people "
        "if `EVENING_PEOPLE=40 EVENING_SOCKETS=32` is set.",
        (
            "tests/faults/test_halls.py",
            "tests/evening/movements/test_individual.py",
            "tests/evening/movements/test_changes.py",
            "tests/evening/movements/test_teams.py",
            "tests/evening/movements/test_plan.py",
            "tests/web/e2e/test_whole_evening.py",
        ),
        _full("P28"),
        ("", "on screens"),
    ),
}
