"""P9: whatever is asked, no answer is a fault of the server, and each is as it is described."""

from __future__ import annotations

from collections import Counter
from unittest.mock import patch

import pytest
from tests.server.surface.generated import REVIEW, planted, requests, steps

from rookery.server.api import problems
from rookery.server.http import middleware

SIZE = 600
CONTROL = 60
CHECK = "/api/rules/check"


def test_no_request_is_a_fault_of_the_server_and_every_body_is_as_described() -> None:
    answered = requests(SIZE, luck=9)
    assert answered.size >= SIZE
    assert not answered.wrong, answered.wrong[0]
    assert answered.faults == 0
    assert {200, 400, 401, 404} <= {status for _, status in answered.statuses}
    assert answered.halves.total() > SIZE // 16
    assert {*answered.halves} - {"too-large"} == {"not-unicode"}


def test_a_table_is_made_as_described() -> None:
    # By itself: whether chance makes one among all routes changes with each new one. And what it
    # tries hangs on all that has been imported by now, so it has several goes.
    for luck in range(9, 17):
        answered = requests(CONTROL, luck=luck, path="/api/tables")
        assert not answered.wrong, answered.wrong[0]
        if made := answered.statuses["POST /api/tables", 201]:
            break
    assert made


def test_the_control_without_its_door_what_is_no_unicode_has_other_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(middleware, "half_at", lambda _: None)
    answered = requests(CONTROL, luck=9, path=CHECK)
    assert {*answered.halves} - {"not-unicode"}


def test_a_review_is_made_shown_and_refused_as_described() -> None:
    answered = requests(120, luck=9, path=REVIEW)
    assert not answered.wrong, answered.wrong[0]
    assert answered.faults == 0
    assert {200, 202, 404, 409} <= {status for _, status in answered.statuses}


def test_the_control_a_review_that_nobody_can_make_is_taken_for_a_fault_of_the_server() -> None:
    with patch.dict(problems.PROBLEMS, {"no-review": problems.Kind(503, "not now")}):
        answered = requests(120, luck=9, path=REVIEW)
    assert answered.faults
    assert any("review" in told and "ServerError" in told for told in answered.wrong)


def test_where_one_answer_leads_to_the_next_it_is_the_same() -> None:
    # A table that was made is found again, and a link leads back to its person.
    led = {"GET /api/tables/{code}", "GET /api/tables/{code}/qr.svg", "POST /api/return"}
    statuses: Counter[tuple[str, int]] = Counter()
    for luck in range(9, 17):
        answered = steps(150, luck=luck)
        assert not answered.wrong, answered.wrong[0]
        assert answered.faults == 0
        statuses += answered.statuses
        if all(statuses[one, 200] for one in led):
            break
    assert all(statuses[one, 200] for one in led), statuses


def test_the_control_a_handler_that_trusts_an_int_is_found() -> None:
    # By itself: whether chance tries one of all routes changes with each new one.
    both = ["/api/planted/half", "/api/planted/other"]
    answered = requests(CONTROL, luck=9, here=planted(), path=both)
    assert answered.statuses["GET /api/planted/half", 500]
    assert any("planted/half" in told and "ServerError" in told for told in answered.wrong)
    assert any("planted/other" in told for told in answered.wrong)
