// Cards, suits and calls in words.
import { list, t } from "../core/i18n.js";
import { rankOf, suitOf } from "./suits.js";

/** Return a suit in words: "Green". */
export const suitName = (suit) => t(`card.suit.${suit}`);

/** Return the letter that cards of a suit of the Rook deck carry: the first of its name, which no other suit has. */
export const suitLetter = (suit) => suitName(suit)[0];

/** Return a card in words: "Green 14", "the Rook", "king of hearts". */
export function cardName(card, pack) {
  if (card === "RK") return t("card.the_rook");
  if (card === "JK") return t("card.the_joker");
  const suit = suitName(suitOf(card, pack));
  const rank = rankOf(card);
  if (pack === "rook") return t("card.numbered", { suit, rank });
  return t("card.of", { suit, rank: "AJQK".includes(rank) ? t(`card.rank.${rank}`) : rank });
}

/** Return several cards in words. */
export const cardNames = (cards, pack) => list(cards.map((card) => cardName(card, pack)));

/** Return a trump call in words: "Green", "Green, low cards best", "no trump". */
export function callName(call) {
  if (!call) return "";
  if (call.startsWith("notrump") || call === "circus") return t(`card.call.${call}`);
  const low = call.endsWith("-low");
  const suit = suitName(low ? call.slice(0, -4) : call);
  return low ? t("card.call.low", { suit }) : suit;
}

/** Return a trump call as a sentence: "Green is trump", "No trump". */
export function callSentence(call) {
  const suit = callSuit(call);
  return suit ? t(call.endsWith("-low") ? "card.call.trump-low" : "card.call.trump", { suit: suitName(suit) }) : callName(call);
}

/** Return the suit of a trump call, null where it has none. */
export function callSuit(call) {
  if (!call || call.startsWith("notrump") || call === "circus") return null;
  return call.replace("-low", "");
}
