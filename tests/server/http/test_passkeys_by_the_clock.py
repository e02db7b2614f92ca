"""A passkey lasts while the clock of its server is in doubt."""

from __future__ import annotations

import asyncio

import pytest
from tests.server.http.authenticator import Authenticator
from tests.server.http.test_passkeys import LOCAL, NO, Place, kept, shown, told

from rookery.server.settings import DAY

YEARS = 3 * 365 * DAY


@pytest.mark.parametrize("wrong", [True, False], ids=["wrong", "right"])
def test_a_passkey_outlives_a_wrong_clock_and_no_right_one(wrong: bool) -> None:
    async def story() -> None:
        place, key = Place(), Authenticator(LOCAL)
        async with place.person("Ann") as ann, place.browser() as phone:
            await place.here.registry.sweep()
            await kept(ann, key)
            if wrong:
                place.clock.wrong += YEARS
                place.clock.set(place.clock.now() + YEARS)
            else:
                for _ in range(36):
                    place.clock.turn(YEARS // 36)
                    await place.here.registry.sweep()
            await place.here.registry.sweep()
            assert bool(place.here.registry.calendar.doubt) == wrong
            answer = await shown(phone, key)
        if wrong:
            assert (answer.status_code, answer.json()["name"]) == (200, "Ann")
        else:
            assert told(answer) == NO

    asyncio.run(story())
