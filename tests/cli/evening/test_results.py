"""`rookery evening results`, run as a person runs it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from rookery import record
from rookery.cli.main import app
from rookery.evening.duplicate.results_file import Results
from rookery.evening.tally import Tally, scored
from rookery.game import Hand
from rookery.review.open_cards import OpenPlay

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "play-the-same-deals.md"
TEXT = PAGE.read_text("utf-8")
FILE = re.findall(r"^```toml\n(.*?)^```", TEXT, re.M | re.S)[0]
SHOWN = re.findall(r"^```text\n(.*?)^```", TEXT, re.M | re.S)[-1]


def results(*words: str, stdin: str = FILE) -> Result:
    return CliRunner().invoke(app, ["evening", "results", "-", *words], input=stdin)


def test_the_example_of_the_docs() -> None:
    assert results("--deals").stdout == SHOWN


def test_as_json_it_is_the_promised_document() -> None:
    found = Results.model_validate(json.loads(results("--json").stdout), strict=True)
    assert len(found.rankings) == 2
    assert [row.pair for row in found.rankings[0]] == ["Ann and Cy", "Eve and Gus"]
    (page,) = found.deals
    assert [one.scores for one in page.results] == [[95, 25], [-100, 30]]
    assert [one.points for one in page.results] == [[200.0, -200.0], [-200.0, 200.0]]
    assert [one.percent for one in page.results] == [[100.0, 0.0], [0.0, 100.0]]


def test_points_and_matchpoints_can_rank_otherwise() -> None:
    """One lucky deal of 300 points against two small ones."""
    rows = [(1, 300, 0), (8, 0, 5), (2, 0, 5)]
    text = "".join(
        f'[[result]]\ndeal = {deal}\npairs = ["A{a}", "B{a}"]\nscores = [{score}, 0]\n'
        for deal, *scores in rows
        for a, score in enumerate(scores)
    )

    def best(*words: str) -> str:
        ranking = json.loads(results("--json", *words, stdin=text).stdout)["rankings"][0]
        return str(ranking[0]["pair"])

    assert best() == "A0"
    assert best("--matchpoints") == "A1"
    pages = json.loads(results("--json", stdin=text).stdout)["deals"]
    assert [page["deal"] for page in pages] == [1, 2, 8]


def test_what_is_awarded_and_what_nobody_played() -> None:
    more = (
        FILE + '[[result]]\ndeal = 2\npairs = ["Ann and Cy", "Flo and Hal"]\nawarded = [60, 40]\n'
    )
    said = results("--deals", stdin=more).stdout
    assert "awarded" in said
    assert max(map(len, said.splitlines())) <= 80
    assert results(stdin='rules = "kd_tournament"\n').exit_code == 0


def test_three_who_play_alone_fit_too() -> None:
    rows = [("Ann", "Bob", "Cy", 90, 20, 10), ("Dee", "Eve", "Flo", 30, 60, 30)]
    text = 'rules = "rook_three_1914"\n' + "".join(
        f'[[result]]\ndeal = 1\npairs = ["{a}", "{b}", "{c}"]\nscores = [{x}, {y}, {z}]\n'
        for a, b, c, x, y, z in rows
    )
    done = results("--deals", stdin=text)
    assert done.exit_code == 0, done.output
    assert max(map(len, done.stdout.splitlines())) <= 80


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("rules = 1", "rules: 1 will not do; expected an id of the catalogue"),
        ('rules = "nope"', 'no variant is called "nope"'),
        ("x = 1", "x: there is no such key; there are rules, result"),
        ("result = [3]", "result 1: 3 will not do; expected a table [[result]]"),
        ("[[result]]\npairs = []", "result 1: deal: is missing; expected the number of the deal"),
        (FILE.replace("= 95", "= 96"), "result 1: bid: 96 cannot be bid; expected 70 to 120"),
        (FILE.replace('"North"', '"Ann"'), 'nobody is called "Ann"; expected North, East, South'),
        (FILE.replace("[-100, 30]", "[-100]"), "deal 1: expected a score for each side"),
        (FILE.replace("Eve and Gus", "Ann and Cy"), 'deal 1: "Ann and Cy" has two results'),
        (FILE.replace('["Eve and Gus", ', "["), "result 2: pairs: expected 2 names, one for each"),
        (FILE.replace("scores = [-100, 30]", "redealt = true"), "result 2: redealt: has no result"),
        ("= =", "standard input: "),
        ("\udc80", "is no text in UTF-8"),
    ],
)
def test_bad_input_is_one_line(text: str, line: str, tmp_path: Path) -> None:
    file = tmp_path / "results.toml"
    file.write_text(text, errors="surrogateescape")
    done = CliRunner().invoke(app, ["evening", "results", str(file)])
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert line.replace("standard input", str(file)) in done.stderr


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["evening", "results", str(tmp_path / "none.toml")])
    assert done.exit_code == 2
    assert "no such file or directory; expected a file of results" in done.stderr


def test_a_bot_s_line_stands_beside_the_results_of_each_deal(tmp_path: Path) -> None:
    made = CliRunner().invoke(
        app,
        ["evening", "deal", "Friday", "--deals", "2", "--key", "07" * 32, "--out", str(tmp_path)],
    )
    assert made.exit_code == 0, made.output
    opened = ("--opened", str(tmp_path / "opened.json"), "--bot", "papa")
    found = json.loads(results("--json", *opened).stdout)["deals"][0]
    line = found["line"]
    # Played by the engine again, the line comes to the same.
    kept = record.loads((tmp_path / "opened.json").read_bytes())
    first = kept.hands[0]
    assert first.deal is not None
    hand = Hand.deal(kept.rules, first.dealer, first.deal, first.nest).act_all(line["actions"])
    assert hand.over
    assert line["scores"] == [hand.score[0], hand.score[1]] if hand.score else []
    assert (line["bot"], line["bid"]) == ("papa", hand.bid)
    # With all hands open the contract scores what the solver says of the first lead.
    plays = [" play " in action for action in line["actions"]]
    led = Hand.deal(kept.rules, first.dealer, first.deal, first.nest).act_all(
        line["actions"][: plays.index(True)]
    )
    assert led.declarer == 1
    points = (None, OpenPlay([led], []).values[0])
    assert line["open"] == scored(kept.rules, Tally(1, hand.bid, points=points)).score[:2]
    said = results(*opened).stdout
    assert f"  papa: {line['declarer']} {line['bid']} " in said
    assert max(map(len, said.splitlines())) <= 80
    program = f"exec:{sys.executable} examples/stdio_bot.py"
    said = results("--opened", opened[1], "--bot", program).stdout
    assert "  exec:" in said
    assert "  exec: " not in said
    # Only the first of the two deals was played.
    assert len(json.loads(results("--json", *opened).stdout)["deals"]) == 1


def test_the_cards_of_another_game_or_of_a_match_are_refused(tmp_path: Path) -> None:
    deal = ["evening", "deal", "Friday", "--deals", "1", "--out", str(tmp_path), "--rules"]
    assert CliRunner().invoke(app, [*deal, "kd_full_57"]).exit_code == 0
    result = results("--opened", str(tmp_path / "opened.json"))
    assert (result.exit_code, "expected Kentucky Discard, Tournament" in result.output) == (2, True)
    result = results("--opened", str(tmp_path / "nowhere.json"))
    assert result.exit_code != 0
    other = tmp_path / "match.json"
    other.write_text(
        '{"format":"rookery/1","rules":"kd_tournament","hands":[{"dealer":0,"seed":1,"actions":[]}]}',
        "utf-8",
    )
    result = results("--opened", str(other))
    assert "hand 0: expected a deal of an evening" in result.output
    assert "nobot" in results("--opened", str(other), "--bot", "nobot").output


def test_cards_that_are_no_deal_of_an_evening_are_one_line(tmp_path: Path) -> None:
    deal = ["evening", "deal", "Friday", "--deals", "1", "--out", str(tmp_path)]
    assert CliRunner().invoke(app, deal).exit_code == 0
    opened = tmp_path / "opened.json"
    good = opened.read_text("utf-8")
    for key, value, said in (
        ("proof", "a proof", "hand 0: expected a deal of an evening"),
        ("proof", [1], "hand 0: expected a deal of an evening"),
        ("nest", [], "hand 0: "),
        ("dealer", 9, "hand 0: "),
    ):
        written = json.loads(good)
        written["hands"][0][key] = value
        opened.write_text(json.dumps(written), "utf-8")
        result = results("--opened", str(opened), "--bot", "papa")
        assert (result.exit_code, result.stderr.count("\n")) == (2, 1), result.exception
        assert f"--opened {opened}: {said}" in result.stderr
    opened.write_text(good, "utf-8")
    assert results("--opened", str(opened), "--bot", "papa").exit_code == 0
