// What an evening says, in words: who sits where, with whom, and what a table scored.
import { apart, has, language, list, number, plural, t } from "../../core/i18n.js";
import { reasonOf } from "../../components/common.js";

/** Return the numbers of the tables; before the first round, of as many as people fill. */
export function numbersOf(evening) {
  const seats = Math.min(...Object.keys(evening.sides).map(Number));
  return evening.round?.tables.map(({ number }) => number) ?? Array.from({ length: Math.floor(evening.people.length / seats) }, (_, i) => i + 1);
}

/** Return what somebody is called. */
export const nameOf = (evening, person) => evening.people[person]?.name || t("evening.nameless", { n: person + 1 });

/** Return what people are called, as one text. */
export const namesOf = (evening, people) => list(people.map((one) => nameOf(evening, one)));

/** Return the seats of each side of a table; each alone where partners are called, or nobody has one. */
export const sidesOf = (evening, table) => evening.sides[table.seats.length] ?? table.seats.map((_, seat) => [seat]);

/** Return the names of a side of a table. */
export const sideName = (evening, table, side) => side.map((seat) => apart(nameOf(evening, table.seats[seat]))).join(" + ");

/** Return what a seat is called: a point of the compass where four sit. */
export const seatName = (seats, seat) => (seats === 4 ? t(`evening.compass.${seat}`) : t("evening.seat", { n: seat + 1 }));

/** Return the place of a person in a round: {at: "table", table, seat}, or at is "bye", "playing", "beaten", "away" or "next". */
export function placeOf(evening, person) {
  const { round } = evening;
  for (const table of round?.tables ?? []) {
    const seat = table.seats.indexOf(person);
    if (seat >= 0) return { at: "table", table, seat };
  }
  const kind = ["byes", "playing", "beaten"].find((one) => round?.[one].includes(person));
  if (kind) return { at: kind === "byes" ? "bye" : kind };
  return { at: evening.people[person].here ? "next" : "away" };
}

/** Return whether a table is one on screens, which tells its score by itself. */
export const onScreen = (evening, table) => Boolean(evening.screens) && !table.real;

/** Return a place at a table in words: "Table 4, South, with Ann, against Bo and Cy"; and with what cards, where tables differ. */
export function placeText(evening, place) {
  const words = peopleText(evening, place);
  return evening.screens && place.table.real ? t("evening.at_real", { where: words }) : words;
}

function peopleText(evening, { table, seat }) {
  const sides = sidesOf(evening, table);
  const own = sides.find((side) => side.includes(seat));
  const partners = own.filter((one) => one !== seat).map((one) => table.seats[one]);
  const others = table.seats.filter((_, one) => !own.includes(one));
  const where = t("evening.at_table", { n: table.number, seat: seatName(table.seats.length, seat) });
  if (!evening.sides[table.seats.length]) return t("evening.at_among", { where, names: namesOf(evening, others) });
  return partners.length
    ? t("evening.at_with", { where, partners: namesOf(evening, partners), others: namesOf(evening, others) })
    : t("evening.at_alone", { where, others: namesOf(evening, others) });
}

/** Return what a table's sides scored, as one text: "Ann + Bo 120, Cy + Dee −40"; all deals added up. */
export function scoreText(evening, table, rows) {
  if (!rows) return t("evening.taken_back");
  return sidesOf(evening, table)
    .map((side) => `${sideName(evening, table, side)} ${number(rows.reduce((all, row) => all + row[side[0]], 0))}`)
    .join(", ");
}

/** Return a place of the standings as it is told, a number: with fixed partners, among the teams that have a score. */
export function placeAmong({ standings, teams }, place) {
  const isBefore = (team) => standings.some((row) => row.games && row.place < place && team.includes(row.person));
  return teams.length ? 1 + teams.filter(isBefore).length : place;
}

/**
 * Return the place of somebody, with fixed partners that of their team, a number; null for whoever has none, or no score yet.
 * Where deals are prepared it is the place on the same deals.
 */
export function rankOf(evening, person) {
  const { pairs, standings } = evening;
  if (pairs.length) return pairs.find(({ people }) => people.includes(person))?.place ?? null;
  const found = standings.find((one) => one.person === person && one.games);
  return found ? placeAmong(evening, found.place) : null;
}

const ENDS = { one: "st", two: "nd", few: "rd", other: "th" };

/** Return a place in the standings in words: "you are 3rd". */
export function rankText(n) {
  const end = ENDS[new Intl.PluralRules(language.get(), { type: "ordinal" }).select(n)];
  return t(`evening.rank.${end}`, { n });
}

/** Return a refusal in words. */
export function refusalOf(error) {
  const part = error.where?.part ?? error.part;
  const key = `evening.wrong.${part}`;
  return error.code === "bad-change" && has(key) ? t(key) : reasonOf(error);
}

/** Return what a movement is called. */
export const movementName = (movement) => t(`evening.movement.${movement}`);

/** Return how many hands each table plays in a round, in words; empty for a whole game, and where deals are named. */
export const handsText = (evening) => (evening.hands && !evening.deals ? plural("evening.hands_round", evening.hands) : "");

/** Return whether a movement is one in which whoever loses is out. */
export const isKnockout = ({ movement }) => ["single", "double"].includes(movement);

/** Return why a movement may be wanted by so many people, in a sentence or three; `filled` where bots take what seats are free. */
export function movementWhy(choice, filled) {
  const facts = [t(`evening.movement.${choice.movement}.why`)];
  const out = choice.fixed_teams ? t(`evening.fact.byes_${isKnockout(choice) ? "knockout" : "fixed"}`) : plural("evening.fact.byes", choice.byes);
  facts.push(choice.byes ? filled ? t("evening.fact.filled") : out : t("evening.fact.no_byes"));
  if (choice.full) facts.push(plural(choice.whole ? "evening.fact.whole" : "evening.fact.full", choice.full));
  if (choice.by_results) facts.push(t("evening.fact.by_results"));
  if (choice.fixed_teams) facts.push(t("evening.fact.fixed"));
  return facts.join(" ");
}

/** Return the names in a text, one a line; a list that was numbered or bulleted is read too. */
export const namesIn = (text) => text.split(/\r?\n/).map((line) => line.replace(/^\s*(?:\d+[.)]|[-*•])\s+/, "").replace(/\s+/g, " ").trim()).filter(Boolean);

/** Return whether whoever looks sits at a table, or scores it. */
export const atTable = (told, table) => told.you.table === table.number || (told.you.person !== null && table.seats.includes(told.you.person));

/** Return whether whoever looks may say what a table scored; on screens tables tell it, and only hosts correct it. */
export const mayScore = (told, table) => told.you.host || (!onScreen(told.evening, table) && atTable(told, table));
