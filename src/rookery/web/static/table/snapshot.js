// Reading a snapshot: who is who, and what I may do. It holds no rule of the game.
import { botSeat } from "../components/bots.js";
import { callSuit } from "../cards/names.js";
import { rankNumber, suitOf } from "../cards/suits.js";
import { t } from "../core/i18n.js";

/** Return the name of a place at the table; the place after the last seat is the blind hand. */
export function nameOf(table, place) {
  const seat = table.seats[place];
  if (!seat) return t("table.blind");
  if (!seat.name) return t("table.seat", { n: place + 1 });
  if (seat.kind !== "bot" || seat.name !== seat.bot) return seat.name;
  // At old tables bots are called after their level, so several may share a name.
  const name = botSeat(seat.bot);
  const shown = (other) => (other.name === other.bot ? botSeat(other.bot) : other.name).toLowerCase();
  const namesakes = table.seats.filter((other) => other.name && shown(other) === name.toLowerCase());
  return namesakes.length > 1 ? `${name} ${place + 1}` : name;
}

/** Return how the bot at a place plays, "Club"; nothing for a person, nor where that is its name. */
export function levelOf(table, place) {
  const seat = table.seats[place];
  return seat && seat.kind === "bot" && seat.name !== seat.bot ? botSeat(seat.bot) : "";
}

/** Return whether a decision of mine is due. */
export function actsNow(table) {
  return Boolean(table && table.view && table.you !== null && table.view.to_act === table.you && table.phase === "playing");
}

/** Return what a seat has scored: in the match, and at a table of an evening in those before it too. */
export const totalOf = ({ seats, evening }, seat) => (seats[seat].total || 0) + (evening?.points[seat] ?? 0);

/** Return whether I am the host of a table; at a table of an evening nobody is. */
export const isHost = ({ you, host, evening }) => you !== null && you === host && !evening;

/** Return where whoever leaves a table goes: to their evening, else to the start page. */
export const wayOut = ({ evening }) => (evening ? `/e/${evening.code}` : "/");

/** Return whether somebody else's hand lies open, which I see beside mine. */
export const seesDummy = ({ view, you }) => Boolean(view.dummy_hand?.length) && view.dummy !== you;

/** Return the key of what the cards are called that I may look at again; "" where there are none. */
export const seenCards = (table) => {
  const { discards, gave, nest_found: found, nest_face_up: shown, phase } = table.view;
  if (discards || gave) return "table.own_cards";
  if (found) return "over.nest";
  return phase !== "auction" && shown?.length ? "own_cards.shown" : "";
};

/** Return whether no more is played in this hand. */
export const isDone = ({ view }) => view.phase === "done" || view.phase === "redealt";

/** Return whether somebody's hand lies open in this hand, or will: its room is kept from the start. */
export const opensDummy = (table) => table.rules.options.dummy === "partner" && !isDone(table);

/** Return the classes of a board: it is over, the deck lies there to call a card from, it has room for a dummy's hand. */
export function boardClass(table) {
  const { legal } = table.view;
  const over = isDone(table) || table.phase === "over";
  const calls = actsNow(table) && legal && !Array.isArray(legal) && "call" in legal;
  return ["board", over && "done", calls && "calling", opensDummy(table) && "doubled"].filter(Boolean).join(" ");
}

/** Return what I may do: {verb: [words after it, ...]} of a list of actions. */
export function choices(view) {
  const byVerb = {};
  if (!Array.isArray(view.legal)) return byVerb;
  for (const action of view.legal) {
    const [verb, ...rest] = action.split(" ");
    (byVerb[verb] ??= []).push(rest.join(" "));
  }
  return byVerb;
}

/** Return which places sit where on the screen, mine (or the first) below, the rest clockwise. */
export function seating(table) {
  const seats = table.seats.length;
  const me = table.you ?? 0;
  const places = Array.from({ length: seats }, (_, i) => (me + i) % seats);
  const blind = table.view && table.view.hand_sizes.length > seats;
  return blind ? [...places, seats] : places;
}

/** Return the number of a seat's side where partners are fixed, else null. */
export function teamOf({ sides }, seat) {
  const team = sides ? sides.findIndex((side) => side.includes(seat)) : -1;
  return team >= 0 && sides[team].length > 1 ? team : null;
}

/** Return the columns of a score sheet: lists of seats that share a total. */
export function columns({ rules, seats, sides }) {
  return rules.options.totals === "team" && sides ? sides : seats.map((_, seat) => [seat]);
}

/** Return which side a place is known to play on: "declarer", "defender" or null. */
export function sideOf(table, place) {
  const { view } = table;
  if (!view || view.declarer === null) return null;
  if (place === view.declarer) return "declarer";
  if (view.sides) return view.sides[0].includes(place) ? "declarer" : "defender";
  if (view.allies.includes(place) || (view.partner && place === table.you)) return "declarer";
  return null;
}

/** Return whether two places are known to be partners. */
export function arePartners(table, a, b) {
  const sides = table.sides ?? table.view?.sides ?? [];
  return a !== b && sides.some((side) => side.includes(a) && side.includes(b));
}

/** Return how to compare cards of a suit by their numbers: a function of a card, in which 1 stands highest where the rules say so. */
export function heightOf({ rules: { options } }) {
  return (card) => (rankNumber(card) === 1 && options.ones === "high" ? 15 : rankNumber(card));
}

/** Return a hand in the order in which people hold it: trumps first, then suit by suit, high cards on the left. */
export function sorted(cards, table) {
  const { options } = table.rules;
  const called = callSuit(table.view && table.view.call);
  const height = heightOf(table);
  const suits = ["rook", "red", "green", "yellow", "black", "spades", "hearts", "clubs", "diamonds"];
  const key = (card) => {
    const strength = table.trumps.indexOf(card);
    if (strength >= 0) return [0, -strength];
    const suit = suitOf(card, options.pack);
    return [suit === called ? 0 : 1 + suits.indexOf(suit), -height(card)];
  };
  const keyed = cards.map((card) => [key(card), card]);
  keyed.sort(([a], [b]) => a[0] - b[0] || a[1] - b[1]);
  return keyed.map(([, card]) => card);
}

/** Return whether a card is a trump, as the server says. */
export const isTrump = (table, card) => table.trumps.includes(card);

/** Return whether a card is of the suit that was led. */
export function follows(table, card) {
  const trump = isTrump(table, card);
  return table.led === "trump" ? trump : !trump && suitOf(card, table.rules.options.pack) === table.led;
}

/**
 * Return what narrows my cards down: {kind: "follow", suit} where I can follow (suit null where only the
 * Rook is trump), {kind: "trump"} where a trump is due, {kind: "must"} for other duties; null for none.
 */
export function duty(table) {
  const { view, led } = table;
  const legal = choices(view).play;
  if (!legal || !view.trick.length) return null;
  const hand = view.turn === view.dummy && view.dummy !== table.you ? view.dummy_hand : view.hand;
  if (!hand || legal.length >= hand.length) return null;
  if (legal.some((card) => follows(table, card))) return { kind: "follow", suit: led === "trump" ? callSuit(view.call) : led };
  return legal.every((card) => isTrump(table, card)) ? { kind: "trump" } : { kind: "must" };
}
