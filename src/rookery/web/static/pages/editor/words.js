// Options and their values in words.
import { cardName } from "../../cards/names.js";
import { deckOf } from "../../cards/suits.js";
import { t } from "../../core/i18n.js";

let options = {}; // by name, as the schema of a rule set has them

/** Take the words for options and their values from the schema of a rule set, and return the schema. */
export function takeWords(schema) {
  options = schema.properties;
  return schema;
}

const wordsOf = (name) => (Object.hasOwn(options, name) ? options[name].words : undefined);

/** Return the name of an option. */
export const optionName = (name) => wordsOf(name)?.name ?? name;

/** Return a text of the server with option ids replaced by their names. */
export const inNames = (text) =>
  text.replace(/\b[a-z]+(_[a-z0-9]+)+\b/g, (id) => (wordsOf(id) ? `“${optionName(id)}”` : id));

/** Return what an option means. */
export const optionHelp = (name) => wordsOf(name)?.help ?? "";

/** Return all that is said of an option, for finding it. */
export const optionText = (name) => [name, optionName(name), optionHelp(name), ...Object.values(wordsOf(name)?.values ?? {})].join(" ");

/** Return a value of an option in words; a part of a value is named "option.part". */
export function valueName(name, value) {
  const [option, ...parts] = name.split(".");
  return wordsOf(option)?.values[[...parts, value].join(".")] ?? String(value);
}

/** Return the ranks of a pack as printed: [[number, "14"], ...]. */
export function rankNames(pack, least = 1, most = 14) {
  const faces = pack === "standard" ? { 1: "A", 11: "J", 12: "Q", 13: "K" } : {};
  return Array.from({ length: most - least + 1 }, (_, i) => [least + i, faces[least + i] || String(least + i)]);
}

/** Return the rook or joker of a pack in words. */
export const birdName = (pack) => cardName(pack === "rook" ? "RK" : "JK", pack);

/** Return every card that a pack may have, without the Rook: [[suit's cards], ...]. */
export function packRows(pack) {
  const ranks = rankNames(pack, 1, pack === "standard" ? 13 : 14).map(([rank]) => rank);
  return deckOf({ pack, ranks, extra_cards: [], rook_in_deck: false });
}

/** Return a key of the counters in words: a rank in all suits, or one card. */
export function counterName(key, pack) {
  if (!/^\d+$/.test(key)) return known(key, pack) ? cardName(key, pack) : key;
  const rank = rankNames(pack).find(([n]) => n === Number(key));
  return t("editor.each", { rank: rank ? rank[1] : key });
}

/** Return whether a card's name is one of the pack. */
export function known(card, pack) {
  return packRows(pack).some((row) => row.includes(card)) || card === "RK" || card === "JK";
}
