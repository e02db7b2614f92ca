"""A match checked by whoever has its record: every deal was promised, follows, and was played.

Nothing is asked of a server. Of each hand that a table wrote down, four things are done again: the
key opens the commitment; key and shares lead to these cards; every act was legal; and the deals
have numbers that follow one another, so that none was dealt and thrown away unseen. What a record
cannot say by itself is what was promised *before* the deal: for that, `checked` takes what a player
has noted down. The hand of a daily deal, see `day`, stands alone in its record: it has no number
and no shares, and its dealer too follows from the key. Of the deals of an evening, see `evening`, a
record has any, in any order, each once: they are no match.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, TypeAlias

from pydantic import BaseModel

from rookery.fairness import day
from rookery.fairness.day import DayDeal, is_day
from rookery.fairness.deal import KEY_BYTES, SCHEME, SHARE_DIGITS, commitment, deal_cards, rules_key
from rookery.fairness.evening import EveningDeals, is_evening
from rookery.game import BadAction, BadDeal, Hand, IllegalAction
from rookery.record import HandRecord, Record, RecordError, of_hand, replay
from rookery.rules import Rules

PROBLEMS: Final = {
    "no-proof": "the record has no proof of this deal",
    "bad-proof": "the proof cannot be read",
    "unknown-scheme": f"the proof is of another scheme; expected {SCHEME} or {day.SCHEME}",
    "key-not-shown": "the key is not shown yet; fetch the record again when its day has ended",
    "other-rules": "the deal was for other rules than those of the record",
    "other-table": "the deal is of another table than the hand before",
    "number-twice": "the deal of this number stands in the record before",
    "number-left-out": "the number of the deal does not follow that of the hand before",
    "commitment": "the key does not open the commitment",
    "cards": "the cards do not follow from the key and the shares",
    "not-promised": "what was noted down is the fingerprint of no deal in this record",
    "not-contributed": "what was noted down is no share of any deal in this record",
}


class Problem(BaseModel):
    """What is wrong: one of `PROBLEMS`, or a code of `record.RecordError`, and a sentence."""

    code: str
    reason: str


class CheckedHand(BaseModel):
    """One hand, and what was found.

    Attributes:
        hand: its number in the record, from 0.
        table: the code of the table, None without a proof.
        number: the number of the deal at that table or evening, None without a proof.
        evening: the name of the evening whose deals several tables play, None for any other.
        day: the day of a daily deal, None for any other.
        family: the family of its rules, None for any other.
        commitment: what the server promised, hexadecimal, None without a proof.
        shares: how many seats added chance of their own.
        contributors: these seats, in order.
        acts: how many acts were played again, and were legal.
        thrown_in: whether the hand was thrown in and dealt again, by the rules or by the server.
        problems: what is wrong; empty where all is as promised.
    """

    hand: int
    table: str | None = None
    number: int | None = None
    evening: str | None = None
    day: str | None = None
    family: str | None = None
    commitment: str | None = None
    shares: int = 0
    contributors: list[int] = []
    acts: int = 0
    thrown_in: bool = False
    problems: list[Problem] = []


class CheckedMatch(BaseModel):
    """A match, and what was found.

    Attributes:
        scheme: how the first deal is promised, or would be.
        rules: the id of the rules, or their name where they have none.
        players: who played, a name a seat.
        hands: the hands in order.
        problems: what is wrong beyond a single hand.
        good: whether nothing is wrong at all.
    """

    scheme: str = SCHEME
    rules: str
    players: list[str] | None
    hands: list[CheckedHand]
    problems: list[Problem]
    good: bool


class _Proof(NamedTuple):
    table: str
    number: int
    rules: str
    commitment: str
    key: bytes
    shares: list[str]


class _SetProof(NamedTuple):
    deal: DayDeal | EveningDeals
    number: int | None  # of an evening
    rules: str
    commitment: str
    hand: Callable[[], Hand]


_Promise: TypeAlias = _Proof | _SetProof
_NOTHING_TO_TRY: Final = ("no-proof", "key-not-shown", "unknown-scheme")


def checked(
    kept: Record, promised: Collection[str] = (), contributed: Collection[str] = ()
) -> CheckedMatch:
    """Return what a record's deals and acts come to when everything is done again.

    Args:
        kept: the record, as `rookery.record.loads` returns it.
        promised: commitments that a player noted before the deals, hexadecimal.
        contributed: shares that a player added, hexadecimal.
    """
    proofs = [_proof(kept.rules, hand) for hand in kept.hands]
    hands = [_hand(kept, at, proof) for at, proof in enumerate(proofs)]
    for before, after, hand in zip(proofs, proofs[1:], hands[1:], strict=False):
        earlier = [one.number for one in hands[: hand.hand]]
        hand.problems += map(_problem, _out_of_place(before, after, earlier))
    sound = [one for one in proofs if not isinstance(one, str)]
    problems = list(_noted(sound, promised, contributed))
    apart = any(isinstance(one, _SetProof) and one.number is not None for one in sound)
    problems += _as_a_match(kept, hands, apart)
    return CheckedMatch(
        scheme=day.SCHEME if proofs and isinstance(proofs[0], _SetProof) else SCHEME,
        rules=kept.rules.id or kept.rules.name,
        players=kept.players,
        hands=hands,
        problems=problems,
        good=bool(hands) and not problems and not any(hand.problems for hand in hands),
    )


def promises_nothing(kept: Record) -> bool:
    """Return whether a record has hands, and a proof with none of them.

    No table's server has dealt those: it writes a proof with every hand.
    """
    return bool(kept.hands) and all(hand.extra.get("proof") is None for hand in kept.hands)


def proven(rules: Rules, written: HandRecord) -> bool | None:
    """Return whether a hand's proof leads to its deal; None where there is nothing to try.

    That is without a proof, before its key is shown, and where its scheme is not known here.
    """
    wrong = next(_wrong(rules, written, _proof(rules, written)), None)
    return None if wrong in _NOTHING_TO_TRY else wrong is None


def waits_for_key(kept: Record) -> bool:
    """Return whether a record is of a daily deal, or an evening, whose key is not shown yet."""
    proofs = (_proof(kept.rules, hand) for hand in kept.hands)
    return any(proof == "key-not-shown" for proof in proofs)


def _out_of_place(
    before: _Promise | str, after: _Promise | str, earlier: Sequence[int | None]
) -> Iterator[str]:
    """Yield the code of what is wrong with a deal behind another one, if anything is."""
    of_sets = [one.deal for one in (before, after) if isinstance(one, _SetProof)]
    if any(isinstance(deal, DayDeal) for deal in of_sets):
        yield "other-table"
    elif isinstance(before, str) or isinstance(after, str):
        return  # said already
    elif of_sets:
        if len(of_sets) < 2 or of_sets[0] != of_sets[1]:
            yield "other-table"
        elif after.number in earlier:
            yield "number-twice"
    elif isinstance(before, _Proof) and isinstance(after, _Proof):
        if after.table != before.table:
            yield "other-table"
        elif after.number != before.number + 1:
            yield "number-left-out"


def _hand(kept: Record, at: int, proof: _Promise | str) -> CheckedHand:
    rules, written, is_last = kept.rules, kept.hands[at], at == len(kept.hands) - 1
    found = CheckedHand(hand=at)
    if isinstance(proof, _Proof):
        found.table, found.number, found.commitment = proof.table, proof.number, proof.commitment
        found.contributors = [seat for seat, share in enumerate(proof.shares) if share]
        found.shares = len(found.contributors)
    elif isinstance(proof, _SetProof):
        found.number, found.commitment = proof.number, proof.commitment
        if isinstance(proof.deal, DayDeal):
            found.day, found.family = proof.deal.day, proof.deal.family
        else:
            found.evening, is_last = proof.deal.evening, True
    found.problems += [_problem(code) for code in _wrong(rules, written, proof)]
    try:
        hand = _dealt(rules, written)
        for text in written.actions:
            hand = hand.act(text)
            found.acts += 1
    except (BadDeal, BadAction, IllegalAction) as error:
        where = f"act {found.acts}: " if found.acts < len(written.actions) else ""
        found.problems.append(Problem(code=error.code, reason=f"{where}{error.reason}"))
    else:
        found.thrown_in = hand.phase == "redealt" or not (hand.over or is_last)
    return found


def _dealt(rules: Rules, written: HandRecord) -> Hand:
    if written.deal is None:
        return Hand.shuffled(rules, written.dealer, written.seed or 0)
    return Hand.deal(rules, written.dealer, written.deal, written.nest)


def _wrong(rules: Rules, written: HandRecord, proof: _Promise | str) -> Iterator[str]:
    """Yield the codes of what is wrong with a deal's proof, or of why there is none."""
    if isinstance(proof, str):
        yield proof
        return
    if isinstance(proof, _Proof):
        opened = commitment(proof.table, proof.number, proof.key)
    else:
        opened = proof.deal.commitment
    if proof.rules != rules_key(rules):
        yield "other-rules"
    if proof.commitment != opened:
        yield "commitment"
    if isinstance(proof, _Proof) and len(proof.shares) != rules.seats:
        yield "bad-proof"
    elif not _leads_to(proof, rules, written):
        yield "cards"


def _leads_to(proof: _Promise, rules: Rules, written: HandRecord) -> bool:
    if isinstance(proof, _Proof):
        cards = deal_cards(rules, proof.table, proof.number, proof.key, proof.shares)
        return (cards.deal, cards.nest) == (written.deal, written.nest)
    try:
        hand = of_hand(proof.hand())
    except ValueError:  # whatever is dealt by such rules may be thrown in
        return False
    return (hand.dealer, hand.deal, hand.nest) == (written.dealer, written.deal, written.nest)


def _noted(
    proofs: list[_Promise], promised: Collection[str], contributed: Collection[str]
) -> Iterator[Problem]:
    known = {proof.commitment for proof in proofs}
    added = {share for proof in proofs if isinstance(proof, _Proof) for share in proof.shares}
    for noted, found, code in (
        (promised, known, "not-promised"),
        (contributed, added, "not-contributed"),
    ):
        for one in noted:
            if one.lower() not in found:
                yield Problem(code=code, reason=f"{PROBLEMS[code]}: {one[:64]}")


def _as_a_match(kept: Record, hands: list[CheckedHand], apart: bool) -> Iterator[Problem]:
    """Play the hands as one match, where each of them can be played, and they are not `apart`."""
    if not hands:
        yield Problem(code="no-proof", reason="the record has no hands")
    if apart or any(hand.acts < len(kept.hands[hand.hand].actions) for hand in hands):
        return
    try:
        replay(kept)
    except RecordError as error:
        if error.hand is None or not hands[error.hand].problems:
            yield Problem(code=error.code, reason=str(error))


def _proof(rules: Rules, written: HandRecord) -> _Promise | str:
    """Return a hand's proof, or the code of what is wrong with it."""
    held: Any = written.extra.get("proof")
    if held is None:
        return "no-proof"
    try:
        if held["scheme"] == day.SCHEME:
            return _set_proof(rules, held)
        if held["scheme"] != SCHEME:
            return "unknown-scheme"
        found = _Proof(
            str(held["table"]),
            int(held["number"]),
            str(held["rules"]),
            str(held["commitment"]),
            bytes.fromhex(held["key"]),
            [str(share) for share in held["shares"]],
        )
        sound = len(found.key) == KEY_BYTES and all(map(_is_share, found.shares))
    except (KeyError, TypeError, ValueError):
        return "bad-proof"
    return found if sound else "bad-proof"


def _set_proof(rules: Rules, held: Any) -> _SetProof | str:  # noqa: ANN401  (JSON)
    if held["key"] is None:
        return "key-not-shown"
    key, told = bytes.fromhex(held["key"]), (str(held["rules"]), str(held["commitment"]))
    if "evening" in held:
        name, boards, number = str(held["evening"]), int(held["boards"]), int(held["number"])
        sound = is_evening(name, boards) and 1 <= number <= boards
        deals = EveningDeals(rules, name, boards, key)
        found = _SetProof(deals, number, *told, partial(deals.hand, number))
    else:
        deal = DayDeal(rules, str(held["day"]), str(held["family"]), key)
        sound, found = is_day(deal.day), _SetProof(deal, None, *told, deal.hand)
    return found if sound and len(key) == KEY_BYTES else "bad-proof"


def _is_share(share: str) -> bool:
    return not share or len(share) == len(bytes.fromhex(share)) * 2 == SHARE_DIGITS


def _problem(code: str) -> Problem:
    return Problem(code=code, reason=PROBLEMS[code])
