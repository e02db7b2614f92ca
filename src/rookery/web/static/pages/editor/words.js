// Options and their values in words.
import { cardName } from "../../cards/names.js";
import { deckOf } from "../../cards/suits.js";
import { has, t } from "../../core/i18n.js";

/** Return the name of an option. */
export const optionName = (name) => (has(`editor.option.${name}`) ? t(`editor.option.${name}`) : name);

/** Return what the server says of rules, with the options by their names on this page. */
export const inNames = (text) =>
  text.replace(/\b[a-z]+(_[a-z0-9]+)+\b/g, (id) => (has(`editor.option.${id}`) ? `“${optionName(id)}”` : id));

/** Return what an option means: ours, or the schema's own words. */
export const optionHelp = ({ name, help }) => (has(`editor.help.${name}`) ? t(`editor.help.${name}`) : help || "");

/** Return a value of an option in words; a word that several options share has words of its own. */
export function valueName(name, value) {
  const key = `editor.value.${name}.${value}`;
  return has(key) ? t(key) : String(value);
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

/** Return what a key of the counters stands for: a rank in all suits, or one card. */
export function counterName(key, pack) {
  if (!/^\d+$/.test(key)) return known(key, pack) ? cardName(key, pack) : key;
  const rank = rankNames(pack).find(([n]) => n === Number(key));
  return t("editor.each", { rank: rank ? rank[1] : key });
}

/** Return whether a card's name is one of the pack. */
export function known(card, pack) {
  return packRows(pack).some((row) => row.includes(card)) || card === "RK" || card === "JK";
}
