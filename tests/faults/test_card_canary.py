"""P7: no word of a card comes out before the rules let it, in any of the games there are."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

import pytest
from tests.faults import caged
from tests.faults.caged import caught, games
from tests.server.http import test_canary

from rookery import view
from rookery.cards import card_name
from rookery.game import Hand, Verb
from rookery.rules import catalog
from rookery.server.api import tables
from rookery.server.live import connection
from rookery.server.live.actor import Actor
from rookery.server.live.connection import Connection
from rookery.server.live.turns import Turns
from rookery.server.registry import listing as tables_seen
from rookery.server.table import events as ev
from rookery.server.table import projection as public
from rookery.server.table import projection as snapshot
from rookery.server.table.refusals import Refused
from rookery.server.table.state import Table
from rookery.view import OwnView, View

Plant = Callable[[pytest.MonkeyPatch], None]
PARTNERS = list(catalog()).index("call_partner_4")


def test_no_card_comes_out_before_the_rules_let_it() -> None:
    cage = caught(1, 0, len(games()))
    assert cage.found == []
    assert cage.book.wrong == []
    # And cards do come out, so that there was something to look through.
    assert cage.frames > 100 * len(games())
    assert cage.pages > 5 * len(games())
    assert cage.words > 10 * cage.frames


def a_watcher_is_sent_a_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = snapshot.Showing.shown

    def shown(self: snapshot.Showing, seat: int | None) -> snapshot.Shown:
        return whole(self, 0 if seat is None else seat)

    monkeypatch.setattr(snapshot.Showing, "shown", shown)


def a_refusal_names_a_card(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, answer = Connection.refuse, Actor._answer
    answering = ContextVar[Actor]("answering")

    async def answers(self: Actor, line: Connection, command: Any) -> None:  # noqa: ANN401
        answering.set(self)
        await answer(self, line, command)

    def refuse(line: Connection, command: Any, why: Refused) -> None:  # noqa: ANN401
        table = answering.get().table
        hand, seat = table.hand, table.seat_of(line.who.id)
        if hand is not None and seat is not None and not hand.over:
            held = hand.names(hand.cards_held[(seat + 1) % hand.rules.seats])
            why = Refused(why.code, f"{why.reason}; the next one has {held[:1]}")
        whole(line, command, why)

    monkeypatch.setattr(Actor, "_answer", answers)
    monkeypatch.setattr(Connection, "refuse", refuse)
    monkeypatch.setattr(caged, "TRIES", 1.0)


def what_another_may_do(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = view.own_view

    def own_view(hand: Hand, seat: int) -> OwnView:
        return whole(hand, seat)._replace(legal=hand.legal().as_json())

    monkeypatch.setattr(snapshot, "own_view", own_view)


def the_nest_in_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = Actor._commit

    async def commit(self: Actor, events: Sequence[ev.Event], client: str | None = None) -> Any:  # noqa: ANN401
        for event in events:
            if isinstance(event, ev.HandDealt):
                log = logging.getLogger("rookery.server.live.actor")
                log.debug("table %s: %s", self.table.code, event.nest)
        return await whole(self, events, client)

    monkeypatch.setattr(Actor, "_commit", commit)


def who_has_the_called_card(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = view.open_view

    def open_view(hand: Hand, *rest: Any) -> View:  # noqa: ANN401
        shown, seats = whole(hand, *rest), range(hand.rules.seats)
        called = set(hand.called)
        return replace(shown, allies=[seat for seat in seats if called & set(hand.dealt[seat])])

    monkeypatch.setattr(snapshot, "open_view", open_view)


def a_discard_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Verb.DISCARD, "public", True)


def a_hint_for_the_next_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    actors: dict[Turns, Actor] = {}
    whole = Actor.__init__

    def init(self: Actor, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        whole(self, *args, **kwargs)
        actors[self._turns] = self

    async def advise(self: Turns, line: Connection, asked: Hand) -> None:
        hand = actors[self].table.hand or asked
        if not hand.over:
            line.outbox.put(await self._thinker.advise(hand))
        line.hinted = False

    monkeypatch.setattr(Actor, "__init__", init)
    monkeypatch.setattr(Turns, "_advise", advise)
    monkeypatch.setattr(caged, "HINTS", 1.0)


def cards_without_a_word(how: Callable[[int], object]) -> Plant:
    def plant(monkeypatch: pytest.MonkeyPatch) -> None:
        whole = public.public_event

        def told(entry: ev.Entry, seat: int | None) -> dict[str, Any]:
            return {**whole(entry, seat), "cards": how(56)}

        monkeypatch.setattr(connection, "public_event", told)

    return plant


def a_page_about_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = tables_seen.seen

    def seen(table: Table, person: str | None, link: str) -> tables_seen.TableSeen:
        hand = table.hand
        title = "" if hand is None else "".join(hand.names(hand.cards_held[0])[:1])
        return whole(table, person, link).model_copy(update={"title": title})

    monkeypatch.setattr(tables, "seen", seen)
    monkeypatch.setattr(caged, "PAGES", 12)


def told_by(plant: Plant) -> Plant:
    """Return how a card gets to where the other canary plants a key."""

    def one_card(table: Table) -> str:
        hand = table.hand
        return "none" if hand is None else hand.names(hand.nest_dealt)[0]

    def told(monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(test_canary, "key_of", one_card)
        plant(monkeypatch)

    return told


PLANTS: list[tuple[Plant, str, int]] = [
    (a_watcher_is_sent_a_hand, "a frame: a card that is closed", 0),
    (a_refusal_names_a_card, "a frame: a card that is closed", 0),
    (what_another_may_do, "a frame: a card that is closed", 0),
    (the_nest_in_the_log, "the log: a card", 0),
    (who_has_the_called_card, "a frame: who was called", PARTNERS),
    (a_discard_is_told, "a frame: a card that is closed", 0),
    (a_hint_for_the_next_turn, "a frame: a card that is closed", 0),
    (a_page_about_the_table, "a page: a card that is closed", 0),
    (told_by(test_canary.told_by_figures), "the metrics: a card", 0),
    (told_by(test_canary.told_by_the_admin_page), "the admin page: a card", 0),
    (cards_without_a_word(card_name), "a frame: a card without its word", 0),
    (cards_without_a_word(lambda card: 1 << card), "a frame: a card without its word", 0),
]


@pytest.mark.parametrize(("plant", "found", "number"), PLANTS)
def test_the_control_a_card_that_is_told_too_soon_is_caught(
    plant: Plant, found: str, number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    # What is under way when somebody looks depends on how fast the machine is: look until it shows.
    cages = (caught(seed, number, 1) for seed in range(1, 17))
    assert any(one.startswith(found) for cage in cages for one in cage.found)
