"""The game record, format ``rookery/1``: read it, write it, play it again.

Playing a record again checks it whole: every deal, every action, every trick and every score.

>>> record = loads('{"format": "rookery/1", "rules": "kd_tournament", '
...                '"hands": [{"dealer": 0, "seed": 7, "actions": ["1 bid 75"]}]}')
>>> match = replay(record)
>>> match.hands[0].to_act, match.totals
(2, (0, 0, 0, 0))
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isinf
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from rookery.files import write_file
from rookery.game import BadAction, BadDeal, Hand, IllegalAction, Match
from rookery.game.errors import check_kind, shortened
from rookery.rules import (
    METADATA,
    Rules,
    RulesError,
    UnknownRules,
    catalog,
    is_nested,
    json_number,
    parse_json,
    stored,
    variant,
)
from rookery.unicode.halves import half_at, line_at

FORMAT: Final = "rookery/1"
DEEP: Final = 100  # how deep a field may be nested that this program does not know
_WIDTH: Final = 100
_Value = TypeVar("_Value")


class RecordError(ValueError):
    """A record that cannot be read or played.

    Codes: ``bad-json bad-format bad-rules unknown-rules bad-deal unknown-card bad-action``, and all
    of `IllegalAction`.

    Attributes:
        code: a stable word for programs.
        reason: the same in plain words.
        hand: the number of the hand, from 0; None where the file itself is at fault.
        action: the number of the action in that hand, from 0; None where it is none's fault.
        text: the action as it was written.
    """

    def __init__(
        self,
        code: str,
        reason: str,
        hand: int | None = None,
        action: int | None = None,
        text: str | None = None,
    ) -> None:
        self.code = code
        self.reason = reason
        self.hand = hand
        self.action = action
        self.text = text
        place = "" if hand is None else f"hand {hand}: "
        if action is not None:
            place = f"hand {hand}, action {action} ({shortened(text)}): "
        super().__init__(f"{place}{code}: {reason}")

    def document(self) -> dict[str, Any]:
        """Return the error as ``replay --json`` shows it."""
        names = ("hand", "action", "text", "code", "reason")
        return {"error": {name: getattr(self, name) for name in names}}


@dataclass
class HandRecord:
    """One hand as it is written.

    Attributes:
        dealer: the seat that deals.
        deal: the cards of each seat by name, a blind hand last; None where a seed stands for them.
        nest: the nest, by name.
        seed: the seed of ``rookery-rng-1`` that stands for deal and nest, or None.
        actions: what was done, in order.
        extra: fields that this program does not know, kept as they are.
    """

    dealer: int
    deal: list[list[str]] | None = None
    nest: list[str] = field(default_factory=list)
    seed: int | None = None
    actions: list[str] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)

    def written(self) -> dict[str, Any]:
        """Return the hand ready for JSON."""
        cards = {"seed": self.seed} if self.deal is None else {"deal": self.deal, "nest": self.nest}
        return {"dealer": self.dealer, **cards, "actions": self.actions, **self.extra}


@dataclass
class Record:
    """A match, or any part of one, as it is written.

    Attributes:
        rules: the rules it is played by.
        rules_written: how the record names them: an id, or a base and changes.
        players: a name for each seat, or None.
        hands: the hands in order.
        extra: fields that this program does not know, kept as they are.
    """

    rules: Rules
    rules_written: str | dict[str, Any]
    players: list[str] | None = None
    hands: list[HandRecord] = field(default_factory=list)
    extra: dict[str, Any] = field(default_factory=dict)

    def written(self) -> dict[str, Any]:
        """Return the record ready for JSON."""
        players = {} if self.players is None else {"players": self.players}
        hands = [hand.written() for hand in self.hands]
        head = {"format": FORMAT, "rules": self.rules_written, **players}
        return {**head, "hands": hands, **self.extra}


def read(path: str | Path) -> Record:
    """Return the record in the file at `path`.

    Raises:
        RecordError: it holds none; the reason begins with the path.
        OSError: it cannot be opened.
    """
    try:
        return loads(Path(path).read_bytes())
    except RecordError as error:
        raise RecordError(error.code, f"{path}: {error.reason}") from None


def loads(data: str | bytes | bytearray) -> Record:
    """Return the record that `data` holds; the actions are not played yet.

    Raises:
        RecordError: it holds none; codes ``bad-json bad-format bad-rules unknown-rules``.
    """
    fields = _checked(_parsed(data), dict, "an object", "the record")
    known = ("format", "rules", "players", "hands")
    if fields.get("format") != FORMAT:
        _misfit("format", f'"{FORMAT}"', _kind(fields.get("format")))
    if not isinstance(fields.get("rules"), (str, dict)):
        _misfit("rules", "a variant's id or an object of options", _kind(fields.get("rules")))
    rules = _rules(fields["rules"])
    players = None
    if "players" in fields:
        players = _texts(fields["players"], "players")
        if len(players) != rules.seats:
            _misfit("players", f"{rules.seats} names", f"{len(players)} names")
    dealt = _checked(fields.get("hands"), list, "a list", "hands")
    hands = [_hand(hand, f"hands[{i}]") for i, hand in enumerate(dealt)]
    extra = _shallow({key: value for key, value in fields.items() if key not in known})
    return Record(rules, fields["rules"], players, hands, extra)


def replay(record: Record) -> Match:
    """Return the match that a record tells, played again from its first deal.

    Raises:
        RecordError: a deal or an action that the rules do not allow, or a hand after the match was
            won (``hand-over``); it says which.
        TypeError: it is no record.
    """
    check_kind("record", record, Record, "a Record, as read_record returns it")
    match = Match(record.rules, record.players)
    for at, written in enumerate(record.hands):
        try:
            if written.deal is None:
                hand = Hand.shuffled(record.rules, written.dealer, written.seed or 0)
            else:
                hand = Hand.deal(record.rules, written.dealer, written.deal, written.nest)
            match = match.begin(hand)
        except (BadDeal, IllegalAction) as error:
            raise RecordError(error.code, error.reason, at) from None
        for number, text in enumerate(written.actions):
            try:
                match = match.act(text)
            except (BadAction, IllegalAction) as error:
                raise RecordError(error.code, error.reason, at, number, text) from None
    return match


def document(match: Match) -> dict[str, Any]:
    """Return a match as ``replay --json`` shows it, ready for JSON."""
    return {
        "hands": [hand.status() for hand in match.hands],
        "score": list(match.totals),
        "winners": None if match.winners is None else list(match.winners),
    }


def of_match(match: Match) -> Record:
    """Return the record of a match as it stands; every hand carries its deal.

    Raises:
        TypeError: it is no match.
    """
    check_kind("match", match, Match, "a Match, such as Match(rules).begin(hand)")
    players = None if match.players is None else list(match.players)
    hands = [of_hand(hand) for hand in match.hands]
    return Record(match.rules, written_rules(match.rules), players, hands)


def of_hand(hand: Hand) -> HandRecord:
    """Return the record of one hand, with its deal."""
    deal = [hand.names(cards) for cards in hand.dealt]
    return HandRecord(
        hand.dealer, deal, hand.names(hand.nest_dealt), None, [str(a) for a in hand.actions]
    )


def written_rules(rules: Rules) -> str | dict[str, Any]:
    """Return how a record names `rules`: a variant's id, or what differs from ``kd_tournament``.

    A variant stays itself where the catalogue describes its origin in other words than before. The
    id of a variant whose options these are not is left out, for nobody could read it back.
    """
    if rules.id in catalog():
        known = variant(rules.id)
        words = {"origin": known.origin, "reconstructed": known.reconstructed}
        if rules.model_copy(update=words) == known:
            return rules.id
    base = variant("kd_tournament")
    described = {key: getattr(rules, key) for key in METADATA if getattr(rules, key)}
    if rules.id in catalog() and rules.changes(variant(rules.id)):
        del described["id"]
    return {"base": "kd_tournament", **described, **rules.changes(base)}


def dumps(record: Record) -> str:
    """Return a record as a text, a line for each short part."""
    text = _laid_out(record.written(), 0) + "\n"
    # Half a surrogate pair, which JSON can spell and UTF-8 cannot, is spelled again.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def write(record: Record, path: str | Path) -> None:
    """Write a record to `path` at a stroke: a reader, or a crash, finds the old file or the new.

    Raises:
        OSError: the file cannot be written; what was there before is untouched.
        TypeError: it is no record.
    """
    check_kind("record", record, Record, "a Record, as record_of returns it")
    write_file(Path(path), dumps(record).encode())


def _parsed(data: str | bytes | bytearray) -> Any:  # noqa: ANN401  (JSON is anything)
    try:
        text = data.removeprefix("\ufeff") if isinstance(data, str) else data.decode("utf-8-sig")
        if (half := half_at(text)) is not None:
            raise ValueError(f"line {line_at(text, half)}: half a surrogate pair, which is no text")
        return parse_json(text, number=_finite, constant=_no_number)
    except UnicodeDecodeError as error:
        reason = f"byte {error.start} is not UTF-8; expected a text in UTF-8"
    except ValueError as error:
        reason = f"{error}; expected JSON"
    raise RecordError("bad-json", reason)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


def _finite(written: str) -> float:
    """Return a number that can be written again; `float` takes what is too large for endless."""
    if isinf(number := json_number(written)):
        raise ValueError(f"{shortened(written, 24)} is too large a number")
    return number


def _misfit(path: str, expected: str, found: str) -> NoReturn:
    raise RecordError("bad-format", f"{path}: expected {expected}, found {found}")


def _kind(value: object) -> str:
    """Return what a value of JSON is, for an error line."""
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "an object"
    if isinstance(value, str):
        return f"the text {shortened(value)}"
    return "nothing" if value is None else json.dumps(value)[:24]


def _rules(written: str | Mapping[str, object]) -> Rules:
    try:
        # Never a file's name: a record means the same wherever it is read.
        return variant(written) if isinstance(written, str) else stored(written)
    except UnknownRules as error:
        raise RecordError("unknown-rules", str(error)) from None
    except RulesError as error:
        raise RecordError("bad-rules", "; ".join(error.problems)) from None


def _checked(value: object, kind: type[_Value], expected: str, path: str) -> _Value:
    """Return a value of JSON if it is of a kind."""
    if not isinstance(value, kind) or isinstance(value, bool):
        _misfit(path, expected, _kind(value))
    return value


def _texts(value: object, path: str) -> list[str]:
    texts = enumerate(_checked(value, list, "a list", path))
    return [_checked(text, str, "a text", f"{path}[{i}]") for i, text in texts]


def _hand(written: object, path: str) -> HandRecord:
    fields = _checked(written, dict, "an object", path)
    hand = HandRecord(_checked(fields.get("dealer"), int, "a whole number", f"{path}.dealer"))
    if "seed" in fields and not {"deal", "nest"} & fields.keys():
        hand.seed = _checked(fields["seed"], int, "a whole number", f"{path}.seed")
    else:
        if "seed" in fields:
            _misfit(path, "a deal or a seed", "both")
        dealt = _checked(fields.get("deal"), list, "a list", f"{path}.deal")
        hand.deal = [_texts(cards, f"{path}.deal[{i}]") for i, cards in enumerate(dealt)]
        hand.nest = _texts(fields.get("nest", []), f"{path}.nest")
    hand.actions = _texts(fields.get("actions", []), f"{path}.actions")
    known = ("dealer", "deal", "nest", "seed", "actions")
    hand.extra = _shallow({key: value for key, value in fields.items() if key not in known})
    return hand


def _shallow(extra: dict[str, Any]) -> dict[str, Any]:
    """Return fields as they are; those that could not be written again are refused."""
    if is_nested(extra, DEEP):
        raise RecordError("bad-json", f"nested more than {DEEP} deep; expected a record")
    return extra


def _laid_out(value: object, indent: int) -> str:
    """Return `value` as JSON: on one line where it fits, else a line for each of its parts."""
    line = json.dumps(value, ensure_ascii=False)
    if len(line) + indent <= _WIDTH or not value or not isinstance(value, (dict, list)):
        return line
    pad = " " * (indent + 2)
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(key, ensure_ascii=False)}: {_laid_out(part, indent + 2)}"
            for key, part in value.items()
        ]
    elif any(isinstance(part, (dict, list)) for part in value):
        parts = [_laid_out(part, indent + 2) for part in value]
    else:
        parts = _filled([json.dumps(part, ensure_ascii=False) for part in value], indent + 2)
    brackets = "{}" if isinstance(value, dict) else "[]"
    body = f",\n{pad}".join(parts)
    return f"{brackets[0]}\n{pad}{body}\n{' ' * indent}{brackets[1]}"


def _filled(parts: list[str], indent: int) -> list[str]:
    """Return short parts joined to lines that fit."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + indent + 3 <= _WIDTH:
            lines[-1] += f", {part}"
        else:
            lines.append(part)
    return lines
