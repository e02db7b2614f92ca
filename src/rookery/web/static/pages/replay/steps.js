// Reading a replay: what a step shows, what was done, where the tricks begin.
import { cardName, cardNames } from "../../cards/names.js";
import { apart, list, signed, t } from "../../core/i18n.js";
import { nameOf } from "../../table/snapshot.js";
import { bidName, callText } from "../../table/words.js";

/** Return who sat where in a finished hand, as the table page reads its seats. */
export function seatsOf(hand) {
  return hand.players.map((name, seat) => ({ name, kind: hand.bots[seat] ? "bot" : "person", bot: hand.bots[seat], here: true }));
}

/** Return a step as the parts of the table page read it: like a snapshot. */
export function tableAt(hand, index) {
  const { view } = hand.steps[index];
  return {
    code: hand.code,
    title: hand.title,
    you: hand.seat,
    phase: "playing",
    rules: hand.rules,
    seats: seatsOf(hand),
    view,
    trumps: [],
    hands: [],
    hand_number: hand.number,
  };
}

/** Return the cards of a place at a step, null where this view hides them. */
export function cardsOf(hand, index, place) {
  const { cards, view } = hand.steps[index];
  if (cards) return cards[place] || [];
  if (place === hand.seat) return view.hand;
  return place === view.dummy ? view.dummy_hand : null;
}

/** Return {cards, winner}: the trick on the table at a step, a complete one until the next is led. */
export function trickAt(hand, index) {
  const { view } = hand.steps[index];
  const last = view.tricks[view.tricks.length - 1];
  if (view.trick.length || !last || !last.cards) return { cards: view.trick, winner: null };
  return { cards: last.cards, winner: last.winner };
}

/** Return the steps at which something begins: the deal, the bids, the contract, and every trick's end. */
export function marksOf(hand) {
  const marks = [{ at: 0, trick: 0 }];
  hand.steps.forEach(({ view }, at) => {
    const before = at ? hand.steps[at - 1].view : null;
    if (before && view.tricks.length > before.tricks.length) marks.push({ at, trick: view.tricks.length });
    else if (before && before.phase !== "play" && view.phase === "play") marks.push({ at, trick: null });
  });
  return marks;
}

/** Return what somebody did, in words; `open` says whether cards laid face down may be named. */
export function actText(table, action, open) {
  const { pack } = table.rules.options;
  const [seat, verb, ...rest] = action.split(" ");
  const name = nameOf(table, Number(seat));
  if (verb === "play") return t("say.played", { name, card: cardName(rest[0], pack) });
  if (verb === "discard") {
    if (!open) return t("replay.discards", { name });
    return rest.length ? t("replay.discards_open", { name, cards: cardNames(rest, pack) }) : t("replay.discards_none", { name });
  }
  const sentence = callText(table, action);
  if (sentence) return sentence;
  return open && rest.length ? t("replay.gives_open", { name, card: cardName(rest[0], pack) }) : t("replay.gives", { name });
}

/** Return what the action that led to a step was, in words. */
export function actionText(hand, index) {
  const { action } = hand.steps[index];
  const table = tableAt(hand, index);
  if (action === null) return t("replay.dealt", { name: nameOf(table, table.view.dealer) });
  return actText(table, action, hand.seat === null || hand.seat === Number(action.split(" ")[0]));
}

/** Return what else changed at a step: the trick's winner, the contract, the end. */
export function outcomeText(hand, index) {
  const { view } = hand.steps[index];
  const before = index ? hand.steps[index - 1].view : null;
  const table = tableAt(hand, index);
  const sentences = [];
  if (before && before.declarer === null && view.declarer !== null) {
    sentences.push(t(before.nest_size > view.nest_size ? "say.wins_nest" : "say.wins", { name: nameOf(table, view.declarer), bid: bidName(view.bid) }));
  }
  if (before && view.tricks.length > before.tricks.length) {
    sentences.push(t("say.trick", { name: nameOf(table, view.tricks[view.tricks.length - 1].winner) }));
  }
  return sentences.join(" ");
}

/** Return what each side took and scored, as rows of {key, names, points, score, each}. */
export function resultOf(hand) {
  const name = (seat) => nameOf({ seats: seatsOf(hand) }, seat);
  return hand.sides.map((side, i) => ({
    key: side.join(),
    names: list(side.map(name)),
    points: hand.points ? hand.points[i] : null,
    score: hand.score[side[0]],
    // A called partner may score otherwise than the declarer.
    each: side.every((seat) => hand.score[seat] === hand.score[side[0]]) ? null : side.map((seat) => [name(seat), hand.score[seat]]),
  }));
}

/** Return what each side scored as one line: "Ann and Bob +120 · Cy and Di −20". */
export function scoresOf(hand) {
  const parts = resultOf(hand).flatMap(({ names, score, each }) => each ?? [[names, score]]);
  return parts.map(([names, score]) => `${apart(names)} ${signed(score)}`).join(" · ");
}
