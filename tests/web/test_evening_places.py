"""Who is ahead at an evening: the same in the hall, on paper and on a phone."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page

STANDINGS = """
async (evening) => {
  await (await import("/static/core/i18n.js")).needWords("beside/hall");
  const { namesOf, placesOf, standingsOf, winnersOf } =
    await import("/static/pages/evening/hall/seats.js");
  const line = ({ place, people, figure }) => [place, namesOf(evening, people), figure];
  return {
    lines: standingsOf(evening).groups.flatMap(({ rows }) => rows.map(line)),
    winners: winnersOf(evening).map(({ people }) => namesOf(evening, people)),
    names: placesOf(evening).map(({ name }) => name),
  };
}
"""


def rank(person: int, place: int, points: int, games: int, wins: int) -> dict[str, int]:
    return {"person": person, "place": place, "points": points, "games": games, "wins": wins}


def shown(page: Page, movement: str, names: str, **more: Any) -> Any:  # noqa: ANN401
    people = [
        {"number": at, "name": name.strip("-"), "here": True, "bot": False}
        for at, name in enumerate(names.split())
    ]
    sides = {"4": [[0, 2], [1, 3]]}
    evening = {"movement": movement, "people": people, "sides": sides, "round": None, "pairs": []}
    return page.evaluate(STANDINGS, {**evening, "teams": [], **more})


def test_whoever_has_no_name_any_more_has_a_number_in_the_hall_and_on_paper(bare: Page) -> None:
    ranks = [rank(0, 1, 90, 1, 2), rank(2, 1, 90, 1, 2), rank(1, 3, 30, 1, 0), rank(3, 3, 30, 1, 0)]
    found = shown(bare, "individual", "Ann Bob - Dee", standings=ranks)
    assert found["winners"] == ["Ann", "No. 3"]
    assert found["names"] == ["Ann", "Bob", "Dee", "No. 3"]


def test_the_hall_names_who_has_won_a_knockout(bare: Page) -> None:
    ranks = [rank(0, 1, 190, 2, 4), rank(1, 2, 50, 2, 2), rank(2, 3, 150, 1, 0)]
    teams = [[0], [1], [2]]
    found = shown(bare, "single", "Ann Bob Cy", standings=ranks, teams=teams)
    assert found["lines"] == [[1, "Ann", "2/2"], [2, "Bob", "1/2"], [3, "Cy", "0/1"]]
    assert found["winners"] == ["Ann"]


def test_three_that_share_a_pair_have_its_points_in_the_hall(bare: Page) -> None:
    ranks = [
        *(rank(0, 1, 180, 3, 4), rank(1, 1, 180, 3, 4)),
        *(rank(3, 3, 160, 2, 2), rank(2, 3, 120, 2, 2), rank(4, 3, 20, 2, 0)),
    ]
    teams = [[0, 1], [2, 3, 4]]
    found = shown(bare, "pairs", "Ann Bob Cy Dee Eve", standings=ranks, teams=teams)
    assert found["lines"] == [[1, "Ann and Bob", "60"], [2, "Cy, Dee, and Eve", "50"]]


RANK = """
async ([evening, person]) =>
  (await import("/static/pages/evening/said.js")).rankOf(evening, person)
"""


def test_the_place_that_a_phone_tells_is_that_of_the_pair_or_none_without_a_score(
    bare: Page,
) -> None:
    standings = [rank(0, 1, 90, 1, 2), rank(1, 2, 30, 1, 0), rank(2, 3, 0, 0, 0)]
    pairs = [{"people": [1], "place": 1}, {"people": [0], "place": 2}]
    for prepared, places in ([], [1, 2, None]), (pairs, [2, 1, None]):
        evening = {"standings": standings, "pairs": prepared, "teams": []}
        assert [bare.evaluate(RANK, [evening, who]) for who in range(3)] == places


def test_a_phone_counts_pairs_as_the_hall_does(bare: Page) -> None:
    standings = [rank(who, 1 + 2 * (who // 2), 0, 1, 0) for who in range(6)]
    evening = {"standings": standings, "pairs": [], "teams": [[0, 1], [2, 3], [4, 5]]}
    assert [bare.evaluate(RANK, [evening, who]) for who in range(6)] == [1, 1, 2, 2, 3, 3]


def test_a_pair_that_has_waited_only_is_before_nobody(bare: Page) -> None:
    ranks = [rank(0, 1, 90, 1, 2), rank(2, 1, 0, 0, 0), rank(1, 3, 30, 1, 0)]
    teams = [[0], [1], [2]]
    found = shown(bare, "single", "Ann Bob Cy", standings=ranks, teams=teams)
    assert found["lines"] == [[1, "Ann", "1/1"], [2, "Bob", "0/1"]]
    evening = {"standings": ranks, "pairs": [], "teams": teams}
    assert [bare.evaluate(RANK, [evening, who]) for who in range(3)] == [1, 2, None]


LINES = """
async (evening) => {
  const { html, render } = await import("/static/core/ui.js");
  const { needWords } = await import("/static/core/i18n.js");
  await Promise.all([needWords("pages"), needWords("beside/evening")]);
  const { Standings } = await import("/static/pages/evening/standings.js");
  const box = document.body.appendChild(document.createElement("div"));
  render(html`<${Standings} evening=${evening} person=${2} />`, box);
  return [...box.querySelectorAll("tbody td:first-child")].map((one) => one.textContent);
}
"""


def test_the_standings_on_a_phone_say_the_place_that_stands_above_them(bare: Page) -> None:
    people = [{"name": name} for name in ("Ann", "Bob", "Cy", "Dee")]
    standings = [rank(who, 1 + 2 * (who // 2), 0, 1, 0) for who in range(4)]
    evening = {"movement": "pairs", "people": people, "standings": standings, "pairs": []}
    for teams, places in ([[0, 1], [2, 3]], [1, 1, 2, 2]), ([], [1, 1, 3, 3]):
        told = {**evening, "teams": teams}
        assert bare.evaluate(LINES, told) == [f"{place}." for place in places]
        assert [bare.evaluate(RANK, [told, who]) for who in range(4)] == places


LISTED = """
async (people) => {
  const { html, render } = await import("/static/core/ui.js");
  const { needWords } = await import("/static/core/i18n.js");
  await Promise.all([needWords("pages"), needWords("beside/evening")]);
  const { People } = await import("/static/pages/evening/people.js");
  const { WhoAreYou } = await import("/static/pages/evening/place.js");
  const evening = { people, round: null, over: false, screens: null };
  const box = document.body.appendChild(document.createElement("div"));
  const state = { told: { evening, you: { host: false } } };
  render(html`<${People} log=${{}} evening=${evening} />
    <${WhoAreYou} log=${{}} state=${state} />`, box);
  return [".person b", ".picks button"].map((what) =>
    [...box.querySelectorAll(what)].map((one) => one.textContent));
}
"""


def test_a_host_reads_a_number_and_nobody_is_asked_whether_they_are_it(bare: Page) -> None:
    people = [
        {"number": at, "name": name, "here": True, "claimed": False, "bot": False}
        for at, name in enumerate(("Ann", "", "Cy"))
    ]
    assert bare.evaluate(LISTED, people) == [["Ann", "No. 2", "Cy"], ["Ann", "Cy"]]


WHY = """
async (choices) => {
  await (await import("/static/core/i18n.js")).needWords("beside/evening");
  const { movementWhy } = await import("/static/pages/evening/said.js");
  return choices.map((one) => movementWhy(one, false));
}
"""


def test_nobody_is_told_that_a_knockout_has_pairs_sit_out_in_turn(bare: Page) -> None:
    fixed = {"byes": 4, "full": 3, "whole": True, "by_results": False, "fixed_teams": True}
    single, pairs = bare.evaluate(WHY, [{"movement": one, **fixed} for one in ("single", "pairs")])
    assert "may wait in the first round" in single
    assert "in turn" not in single
    assert "Pairs sit out in turn." in pairs
