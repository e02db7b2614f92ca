"""Bots by name, the same everywhere, and one line for a name that is none."""

import pytest

from rookery.bots.names import bot, bots
from rookery.bots.register import BOTS, Entry, Option, UnknownBot
from rookery.game import Hand
from rookery.rules import load


def test_every_bot_is_a_kernel_or_has_a_maker() -> None:
    assert all((entry.kernel is None) == bool(entry.maker) for entry in BOTS.values())
    assert all(entry.about for entry in BOTS.values())


@pytest.mark.timeout(60)  # a generator that stands still never ends
@pytest.mark.parametrize("name", [*BOTS, "expert:version=3"])
def test_every_bot_begins_with_whatever_dice_it_is_given(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ROOKERY_TARGET", "python")
    few = ":rollouts=8:ms=600000" if "rollouts" in BOTS[bot(name).name].options else ""
    hand = Hand.shuffled(load("kd_tournament"), dealer=0, seed=7)
    player = bot(name + few).seated(hand.rules, hand.to_act or 0)
    for dice in (0, 1, 2**62, (1 << 64) - 1):
        player.begin(hand, dice)
        assert player.act(hand) in hand.legal()


def test_names_are_read_in_either_case_and_written_in_one() -> None:
    assert [str(one) for one in bots(" Papa,HOG , club")] == ["papa", "hog", "club"]
    assert bot("PAPA") == bot("papa")


def test_a_command_keeps_its_words() -> None:
    one, other = bots(r"exec:python 'my bot.py' --seats=1\,2,papa")
    assert one.command == ("python", "my bot.py", "--seats=1,2")
    assert bot(str(one)) == one
    assert (one.kernel, str(other)) == (None, "papa")


@pytest.fixture
def thinker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add a bot with options, made by a function of this file."""
    options = {
        "ms": Option("time for an action", range(1, 5001), "20"),
        "style": Option("how it bids", ("calm", "bold"), "calm"),
    }
    entry = Entry("thinks", maker="tests.bots.test_names:made", options=options)
    monkeypatch.setitem(BOTS, "thinker", entry)


def made(rules: object, seat: int, options: dict[str, str]) -> tuple[object, int, dict[str, str]]:
    return rules, seat, options


@pytest.mark.usefixtures("thinker")
def test_options_are_read_and_the_usual_ones_left_unsaid() -> None:
    plain, bold = bot("thinker"), bot("thinker:style=BOLD:ms=20")
    assert dict(plain.options) == {"ms": "20", "style": "calm"}
    assert dict(bold.options) == {"ms": "20", "style": "bold"}
    assert (str(plain), str(bold)) == ("thinker", "thinker:style=bold")
    assert bot(str(bold)) == bold
    rules = load("kd_tournament")
    assert bold.seated(rules, 3, 1000) == (rules, 3, dict(bold.options))  # type: ignore[comparison-overlap]


@pytest.mark.usefixtures("thinker")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nobody", "'nobody' is no bot; there are karapet, papa"),
        ("", "'' is no bot"),
        ("taught:trust=40", "the bot 'taught' was removed: it played no better than 'expert'"),
        ("random:style=bold", "random: 'style=bold' is no option of this bot; there are none"),
        ("thinker:mood=calm", "'mood=calm' is no option of this bot; there are ms, style"),
        ("thinker:style", "thinker: 'style' has no value; expected style=VALUE, calm or bold"),
        ("strong", "'strong' is a level; the bot that plays at it is 'expert:rollouts=200:ms=500'"),
        ("thinker:ms=0", "thinker: ms=0; expected a number from 1 to 5000"),
        ("thinker:ms=-3", "expected a number from 1 to 5000"),
        pytest.param(f"thinker:ms={'1' * 5000}", f"ms={'1' * 60}; expected", id="digits"),
        ("thinker:style=odd", "thinker: style=odd; expected calm or bold"),
        ("exec:", "'exec:' names no program; expected exec:COMMAND"),
        ("exec:'open", "expected exec:COMMAND"),
    ],
)
def test_what_is_no_bot_gets_one_line(text: str, words: str) -> None:
    with pytest.raises(UnknownBot) as caught:
        bots(text)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.code == "unknown-bot"


@pytest.mark.parametrize("name", ["papa", "expert", "exec:no-such-program"])
def test_a_seat_that_the_rules_have_not_gets_one_line(name: str) -> None:
    rules = load("kd_tournament")
    for seat in (-1, 4, "0", 1.0):
        with pytest.raises(ValueError, match=rf"^there is no seat {seat!r}; expected 0 to 3$"):
            bot(name).seated(rules, seat)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^rules: expected Rules, as load_rules returns them, not"):
        bot(name).seated("kd_tournament", 0)  # type: ignore[arg-type]
