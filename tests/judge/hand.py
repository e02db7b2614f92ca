"""One hand from the deal to its score."""

from __future__ import annotations

from typing import Any

from .choices import Choices
from .errors import JudgeError
from .nest import statement
from .pack import Card, Options, read_card
from .scoring import Finished
from .tricks import Tricks

PHASES = {"discard": "nest", "trump": "trump", "call": "call", "rook": "rook"}
VERBS = {
    "bid": "auction",
    "pass": "auction",
    "discard": "nest",
    "trump": "trump",
    "rook": "rook",
    "call": "call",
    "leader": "leader",
    "give": "circus",
    "play": "play",
    "challenge": "play",
}


class JudgeHand(Choices):
    """One hand, played with the texts of a record."""

    def __init__(
        self, options: Options, dealer: int, deal: list[list[Card]], nest: list[Card]
    ) -> None:
        """Deal, and go on to the first decision.

        Raises:
            JudgeError: ``bad-deal`` or ``bad-rules``.
        """
        super().__init__(options, dealer, deal, nest)
        if options["redeal"] == "auto" and any(self._no_counter(s) for s in range(self.seats)):
            self.phase = "redealt"
        elif self.auction.outcome is not None:
            self._close_auction()

    def _close_auction(self) -> None:
        if self.auction.outcome == "redeal":
            self.phase = "redealt"
        elif self.auction.outcome == "no_contract":
            self.call = "notrump"
            self._start_play(self._left(self.dealer))
        else:
            self.declarer = self.auction.bidder
            self.bid = self.auction.high
            assert self.declarer is not None
            self.seen = self.hands[self.declarer] + self.nest
            self.steps = [s for s in self.options["declaration_order"] if self._has_step(s)]
            self._next_phase()

    def _has_step(self, step: str) -> bool:
        if step == "discard":
            return bool(self.options["nest_size"] > 0)
        if step == "rook":
            return bool(self.options["rook_rank"] == "declared" and self.options["rook_in_deck"])
        if step == "call":
            return bool(self.options["called_cards"] > 0)
        return True

    def _next_phase(self) -> None:
        if self.steps:
            self.phase = PHASES[self.steps[0]]
        elif self.circus and not self.gifts_done:
            self.phase = "circus"
        elif self.options["first_lead"] == "declarer_chooses" and self.named_leader is None:
            self.phase = "leader"
        else:
            self._start_play(self._first_leader())

    def _first_leader(self) -> int:
        assert self.declarer is not None
        rule = self.options["first_lead"]
        if rule == "declarer":
            return self.declarer
        if rule == "left_of_declarer":
            return self._left(self.declarer)
        if rule == "caller":
            assert self.caller is not None
            return self.caller
        if rule == "declarer_chooses":
            assert self.named_leader is not None
            return self.named_leader
        return self._left(self.dealer)

    def _start_play(self, leader: int) -> None:
        self.phase = "play"
        self.tricks = Tricks(self._order(), self.hands, self.dealer, leader)

    # Actions.

    def act(self, text: str) -> None:
        """Carry out one action, written as in a record.

        Raises:
            JudgeError: The action is not legal now; its code says why.
        """
        words = text.split()
        if len(words) < 2 or not words[0].isdigit() or int(words[0]) >= self.seats:
            raise JudgeError("bad-action", text)
        seat, verb, rest = int(words[0]), words[1].lower(), words[2:]
        if verb != "redeal" and verb not in VERBS:
            raise JudgeError("bad-action", text)
        if self.phase in ("done", "redealt"):
            raise JudgeError("hand-over", text)
        if verb == "redeal":
            self._redeal(seat)
        elif VERBS[verb] != self.phase:
            raise JudgeError("not-now", text)
        elif verb == "challenge":
            self._challenge(seat, rest)
        else:
            self._check_turn(seat)
            self._do(seat, verb, rest)

    def _check_turn(self, seat: int) -> None:
        if self.phase == "play":
            assert self.tricks is not None
            expected: int | None = self.tricks.turn()
        else:
            expected = self.to_act
        if seat != expected:
            gone = self.phase == "auction" and self.auction.has_left(seat)
            raise JudgeError("already-passed" if gone else "not-your-turn", str(seat))

    def _do(self, seat: int, verb: str, rest: list[str]) -> None:
        expected_words = {"pass": 0, "discard": len(rest), "call": len(rest)}.get(verb, 1)
        if len(rest) != expected_words:
            raise JudgeError("bad-action", " ".join([verb, *rest]))
        if verb in ("bid", "pass"):
            self._auction_call(seat, verb, rest)
        elif verb == "discard":
            self._discard([read_card(self.options, word) for word in rest])
        elif verb == "trump":
            self._trump(seat, rest[0].lower())
        elif verb == "rook":
            self._rook(rest[0].lower())
        elif verb == "call":
            self._call([read_card(self.options, word) for word in rest])
        elif verb == "leader":
            self._leader(rest[0])
        elif verb == "give":
            self._give(seat, read_card(self.options, rest[0]))
        else:
            self._play(seat, read_card(self.options, rest[0]))

    def _step_done(self) -> None:
        self.steps = self.steps[1:]
        self._next_phase()

    def _redeal(self, seat: int) -> None:
        if not self.may_redeal(seat):
            raise JudgeError("no-redeal", str(seat))
        self.phase = "redealt"

    def _auction_call(self, seat: int, verb: str, rest: list[str]) -> None:
        if verb == "pass":
            self.auction.pass_(seat)
        elif rest[0].lower() == "sun":
            self.auction.bid(seat, "sun")
        elif rest[0].isdigit():
            self.auction.bid(seat, int(rest[0]))
        else:
            raise JudgeError("bad-action", rest[0])
        if self.auction.outcome is not None:
            self._close_auction()

    def _discard(self, cards: list[Card]) -> None:
        self._exchange().check(cards)
        assert self.declarer is not None
        everything = self.hands[self.declarer] + self.nest
        self.hands[self.declarer] = [card for card in everything if card not in cards]
        self.nest = cards
        if self.options["nest_statement"] != "none":
            self.said = statement(self.options, cards)
        self._step_done()

    def _trump(self, seat: int, call: str) -> None:
        texts = self.legal()
        if "trump " + call not in texts:
            raise JudgeError("call-not-allowed", call)
        if call == "circus":
            self.circus = True
            return
        self.call = call
        self.caller = seat
        self._step_done()

    def _rook(self, word: str) -> None:
        if word not in ("high", "low"):
            raise JudgeError("bad-action", word)
        self.rook_word = word
        self._step_done()

    def _call(self, cards: list[Card]) -> None:
        if not 1 <= len(cards) <= self.options["called_cards"]:
            raise JudgeError("bad-action", f"{len(cards)} cards called")
        if len(set(cards)) != len(cards):
            raise JudgeError("card-not-callable", "the same card twice")
        for card in cards:
            if card not in self._callable():
                raise JudgeError("card-not-callable", card)
        self.called = cards
        self._step_done()

    def _leader(self, word: str) -> None:
        if not word.isdigit() or int(word) not in self._leaders_allowed():
            raise JudgeError("bad-action", word)
        self.named_leader = int(word)
        self._next_phase()

    def _give(self, seat: int, card: Card) -> None:
        if card not in self.hands[seat]:
            raise JudgeError("not-held", card)
        if card not in self._gifts_allowed():
            raise JudgeError("must-follow", f"{card} is not the card that has to be given")
        self.gifts[seat] = card
        if len(self.gifts) == self.seats:
            for giver, gift in self.gifts.items():
                self.hands[giver].remove(gift)
            for giver, gift in self.gifts.items():
                self.hands[self._left(giver)].append(gift)
            self.gifts_done = True
            self._next_phase()

    def _play(self, seat: int, card: Card) -> None:
        assert self.tricks is not None
        if card not in self.hands[seat]:
            raise JudgeError("not-held", card)
        if card not in self._plays_allowed():
            raise JudgeError("must-follow", card)
        self.tricks.play(card)
        if self.tricks.over():
            self.phase = "done"

    def _challenge(self, seat: int, rest: list[str]) -> None:
        assert self.tricks is not None
        if len(rest) != 1 or not rest[0].isdigit() or int(rest[0]) >= self.seats:
            raise JudgeError("bad-action", " ".join(rest))
        accused = int(rest[0])
        if accused == seat:
            raise JudgeError("bad-action", "nobody challenges themselves")
        if self.options["renege"] != "penalised":
            raise JudgeError("not-now", "revokes are prevented here")
        if accused not in self.may_accuse(seat):
            raise JudgeError("no-revoke", "both are on one side")
        if accused not in self.tricks.revoked:
            raise JudgeError("no-revoke", str(accused))
        self.offender = accused
        self.phase = "done"

    # The outcome.

    def result(self) -> dict[str, Any]:
        """Return one hand of ``replay --json``."""
        complete = self.tricks.complete if self.tricks is not None else []
        result: dict[str, Any] = {
            "phase": self.phase,
            "to_act": self.to_act,
            "legal": self.legal(),
            "declarer": self.declarer,
            "bid": self.bid,
            "call": self.call,
            "sides": self.known_sides(),
            "tricks": [dict(trick) for trick in complete],
            "points": None,
            "score": None,
        }
        if self.options["nest_statement"] != "none":
            result["nest_statement"] = self.said
        if self.phase == "done":
            finished = Finished(
                self.options, self.true_sides(), self.declarer, self.bid, complete, self.nest
            )
            if self.offender is None:
                result["points"] = finished.points()
                result["score"] = finished.score()
            else:
                result["points"] = finished.captured()
                result["score"] = finished.score_after_revoke(self.offender)
        return result
