"""From hands to a match: the totals, and who has won."""

from __future__ import annotations

from typing import Any

from .pack import Options
from .sides import is_fixed, partners_of


def _own_contract(options: Options, result: dict[str, Any]) -> list[int]:
    """Return the seats whose side made its own contract in the hand."""
    declarer = result["declarer"]
    if declarer is None or result["score"] is None or result["score"][declarer] <= 0:
        return []
    if result["bid"] == "sun":
        made = len(result["tricks"]) == options["hand_size"]
    else:
        made = result["points"][0] >= result["bid"]
    return list(result["sides"][0]) if made else []


def add_to_totals(
    options: Options, totals: list[int], last_hand_result: dict[str, Any]
) -> list[int]:
    """Return the totals after a hand, one a seat; a redealt hand changes nothing."""
    score = last_hand_result["score"]
    if score is None:
        return list(totals)
    rule = options["own_contract_to_go_out"]
    new = []
    for seat, before in enumerate(totals):
        after = before + score[seat]
        if isinstance(rule, dict) and seat not in _own_contract(options, last_hand_result):
            held = max(int(rule["cap"]), before)
            after = min(after, held)
        new.append(after)
    return new


def match_winners(
    options: Options, totals: list[int], last_hand_result: dict[str, Any]
) -> list[int] | None:
    """Return the seats that have won the match with these totals, or None while it goes on."""
    out = [seat for seat, total in enumerate(totals) if total >= options["target"]]
    if options["own_contract_to_go_out"] == "yes":
        out = [seat for seat in out if seat in _own_contract(options, last_hand_result)]
    floor = options["negative_end"]
    if not out and floor != "none" and any(total <= floor for total in totals):
        out = list(range(len(totals)))
    if not out:
        return None
    best = max(totals[seat] for seat in out)
    winners = [seat for seat in out if totals[seat] == best]
    return (
        winners if _one_party(options, winners) else _break_tie(options, winners, last_hand_result)
    )


def _one_party(options: Options, seats: list[int]) -> bool:
    party = partners_of(options, seats[0]) if is_fixed(options) else [seats[0]]
    return all(seat in party for seat in seats)


def _break_tie(options: Options, tied: list[int], result: dict[str, Any]) -> list[int] | None:
    if options["tie"] == "shared":
        return tied
    if options["tie"] == "declarer" and result["declarer"] is not None:
        ours = [seat for seat in tied if seat in result["sides"][0]]
        return ours or None
    return None
