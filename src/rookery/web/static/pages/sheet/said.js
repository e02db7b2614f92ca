// What is said of a hand, as the form has it and as the server reads it; and in words. Nothing here knows a rule.
import { apart, list, number, t } from "../../core/i18n.js";

const BLIND = "blind hand"; // as a score sheet's file has it
/** The most that a field can say; the server takes no more. */
export const MOST = 99_999;
const SUM = /^\s*[+-]?\s*\d+(\s*[+-]\s*\d+)+\s*$/;

/** Return the seat of a player who is named, or numbered; null for nobody. */
export function seatOf(players, who) {
  const seat = players.indexOf(who);
  return seat >= 0 ? seat : /^\d+$/.test(who ?? "") && Number(who) < players.length ? Number(who) : null;
}

const bySeat = (players, each) => Object.fromEntries(Object.entries(each ?? {}).map(([who, n]) => [seatOf(players, who), String(n)]));

/** Return the form's values for what is said of a hand: who has the contract, a seat, "nobody", "redealt" or null. */
export function toForm(players, said) {
  const seat = (who) => (who === null || who === undefined ? null : seatOf(players, who));
  if (!said) return { who: null, bid: "", partners: [], revoked: "", points: {}, tricks: {}, last: null, six: null };
  return {
    who: said.redealt ? "redealt" : seat(said.declarer) ?? "nobody",
    bid: said.bid === null || said.bid === undefined ? "" : String(said.bid),
    partners: (said.partners ?? []).map(seat),
    revoked: seat(said.revoked) ?? "",
    points: bySeat(players, said.points),
    tricks: bySeat(players, said.tricks),
    last: said.last_trick === BLIND ? "blind" : seat(said.last_trick),
    six: seat(said.first_to_six),
  };
}

/** Return what the form says of a hand, as far as `asked` wants it and it is a number; players stand in it by their seats. */
export function fromForm(form, asked) {
  if (form.who === "redealt") return { redealt: true };
  const name = (seat) => String(seat); // somebody may be called otherwise by the time that it is sent
  const each = (values) => Object.fromEntries(Object.entries(values).filter(([, n]) => valueOf(n) !== null).map(([seat, n]) => [name(seat), valueOf(n)]));
  const said = {};
  const has = form.who !== null && form.who !== "nobody";
  if (has) said.declarer = name(form.who);
  if (has && form.bid.trim()) said.bid = form.bid === "sun" ? "sun" : Number(form.bid);
  if (has && asked.includes("partners") && form.partners.length) said.partners = form.partners.filter((seat) => seat !== form.who).map(name);
  if (asked.includes("revoked") && form.revoked !== "") said.revoked = name(form.revoked);
  said.points = each(form.points);
  if (asked.includes("tricks")) said.tricks = each(form.tricks);
  if (asked.includes("last_trick") && form.last !== null) said.last_trick = form.last === "blind" ? BLIND : name(form.last);
  if (asked.includes("first_to_six") && form.six !== null) said.first_to_six = name(form.six);
  return said;
}

/** Return what may stand in a sum: figures, plus and minus. */
export const typed = (text) => text.replace(/[−–]/g, "-").replace(/[^\d+\- ]/g, "").slice(0, 120);

/** Return what a sum such as 10+15-5 comes to, to show beside it; null where there is nothing to add. */
export const sum = (text) => (SUM.test(text) ? text.replace(/\s/g, "").match(/[+-]?\d+/g).reduce((all, one) => all + Number(one), 0) : null);

/** Return what is typed comes to: a number, or a sum of several; null where it is neither. */
export const valueOf = (text) => sum(text) ?? (/^\s*[+-]?\s*\d+\s*$/.test(text) ? Number(text.replace(/\s/g, "")) : null);

/**
 * Return what no server needs to be asked about in the form, as {part, ...}: no bid (`empty`), or at `seats` what is no number
 * (`malformed`), or none that can be counted; null where nothing is.
 */
export function misfit(form, asked) {
  if (form.who === null || form.who === "redealt") return null;
  if (form.who !== "nobody" && !form.bid.trim()) return { part: "bid", empty: true };
  for (const part of ["points", "tricks"].filter((one) => asked.includes(one))) {
    for (const [seat, text] of Object.entries(form[part])) {
      const n = text.trim() ? valueOf(text) : 0;
      if (n === null || n < 0 || n > MOST) return { part, malformed: n === null, seats: [Number(seat)] };
    }
  }
  return null;
}

/** Return the names of a side. */
export const sideName = (players, side) => side.map((seat) => apart(players[seat])).join(" + ");

/** Return who bid what, in words: "Ann 95", "Dealt again". */
export function contractOf(players, said) {
  if (!said) return t("score.removed");
  if (said.redealt) return t("score.redealt");
  if (said.declarer === null || said.declarer === undefined) return t("score.nobody");
  const who = players[seatOf(players, said.declarer)] ?? said.declarer;
  const bid = said.bid === "sun" ? t("score.sun") : said.bid ?? "";
  const partners = (said.partners ?? []).map((one) => players[seatOf(players, one)] ?? one);
  return partners.length ? t("score.with", { who, bid, names: list(partners) }) : `${apart(who)} ${bid}`.trim();
}

const figures = (players, each) =>
  Object.entries(each ?? {}).map(([who, n]) => `${apart(players[seatOf(players, who)] ?? who)} ${String(n).replace(/-/g, "−")}`).join(", ");

/** Return the rest of what is said of a hand, a line a part. */
export function linesOf(players, said) {
  if (!said || said.redealt) return [];
  const name = (who) => (who === BLIND ? t("score.blind") : players[seatOf(players, who)] ?? who);
  const lines = [];
  if (Object.keys(said.points ?? {}).length) lines.push(t("score.said.points", { figures: figures(players, said.points) }));
  if (Object.keys(said.tricks ?? {}).length) lines.push(t("score.said.tricks", { figures: figures(players, said.tricks) }));
  if (said.last_trick) lines.push(t("score.said.last", { name: name(said.last_trick) }));
  if (said.first_to_six) lines.push(t("score.said.six", { name: name(said.first_to_six) }));
  if (said.revoked) lines.push(t("score.said.revoked", { name: name(said.revoked) }));
  return lines;
}

/** Return how a sheet stands, as a text to send. */
export function asText(told, game) {
  const sides = told.sides ?? told.players.map((_, seat) => [seat]);
  const totals = sides.map((side) => `${sideName(told.players, side)} ${number(told.totals[side[0]])}`).join(", ");
  return `${apart(game)}: ${totals}`;
}
