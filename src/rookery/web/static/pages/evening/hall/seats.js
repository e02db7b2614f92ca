// What an evening says, in the order in which people look for it: tables, people, standings. Screens and paper show it.
import { list, number, t } from "../../../core/i18n.js";

/** Return what somebody is called; of whoever has deleted their data that is a number. */
export const nameOf = (evening, person) => evening.people[person].name || t("hall.nameless", { n: person + 1 });

/** Return the names of some people as one text. */
export const namesOf = (evening, people) => list(people.map((one) => nameOf(evening, one)));

/** Return a figure with one digit after the point at most. */
export const figure = (n) => number(Math.round(n * 10) / 10);

/** Return the seats of each side of a table; one for all where partners are called, or each plays alone. */
export function sidesOf(evening, seats) {
  const sides = evening.sides[seats.length];
  return sides?.some((side) => side.length > 1) ? sides : [seats.map((_, seat) => seat)];
}

/** Return what the evening is at: "before" its first round, in a "round", "between" two, or "over". */
export function momentOf(evening) {
  const { over, round, rounds, missing } = evening;
  if (over) return "over";
  if (!round) return "before";
  return missing.some(([at]) => at === rounds) ? "round" : "between";
}

/** Return the people who are there, and the bots that play, by name: {person, table, bye}, `table` 0 without one in this round. */
export function placesOf(evening) {
  const at = new Map((evening.round?.tables ?? []).flatMap(({ number: table, seats }) => seats.map((one) => [one, table])));
  const byes = new Set(evening.round?.byes);
  const by = new Intl.Collator(document.documentElement.lang || "en", { numeric: true });
  return evening.people
    .filter((one) => (one.here && !one.bot) || at.has(one.number))
    .map((one) => ({ person: one.number, name: nameOf(evening, one.number), table: at.get(one.number) ?? 0, bye: byes.has(one.number) }))
    .sort((a, b) => by.compare(a.name, b.name) || a.person - b.person);
}

// By what people are ranked: in a Swiss movement by wins of their games, where a win is 2. Of a knockout they say most, too.
function ranking({ movement, standings }) {
  if (["swiss", "single", "double"].includes(movement)) return { head: "hall.wins", of: ({ wins, games }) => `${figure(wins / 2)}/${figure(games)}` };
  const games = new Set(standings.map((row) => row.games));
  if (games.size === 1) return { head: "hall.points", of: ({ points }) => figure(points) };
  return { head: "hall.per_game", of: ({ points, games: played }) => figure(points / played) };
}

// What a team has come to: where some take turns, each has played a part of its games; else whoever has played most, all of them.
function together(rows, people, members) {
  const most = rows.reduce((best, row) => (row.games > best.games ? row : best));
  const share = (part) => rows.reduce((all, row) => all + row[part], 0) / members;
  return people.length > members ? { ...most, points: share("points"), games: share("games"), wins: share("wins"), people } : { ...most, people };
}

// Fixed teams have one line, and places among teams; whoever has not played has none yet.
function lines({ teams, standings, sides }) {
  const teamOf = new Map(teams.flatMap((team) => team.map((one) => [one, team])));
  const rowsOf = new Map();
  for (const row of standings.filter(({ games }) => games)) {
    const people = teamOf.get(row.person) ?? [row.person];
    rowsOf.set(people, [...(rowsOf.get(people) ?? []), row]);
  }
  const members = Object.values(sides)[0]?.[0].length ?? 1;
  const found = [...rowsOf].map(([people, rows]) => together(rows, people, members));
  return found.map((row) => ({ ...row, place: 1 + found.filter(({ place }) => place < row.place).length }));
}

/**
 * Return who is ahead: {head, groups}, `head` being the key of what the figure is. Each group is a ranking of its own,
 * {side, rows: [{place, people, figure, ...}]}. There are no groups before a score counts.
 */
export function standingsOf(evening) {
  const { pairs } = evening;
  if (pairs.length) {
    const sides = [...new Set(pairs.map((row) => row.side))].sort();
    const rows = pairs.map((row) => ({ ...row, figure: figure(row.points_a_deal) }));
    return { head: "hall.per_deal", groups: sides.map((side) => ({ side, rows: rows.filter((row) => row.side === side) })) };
  }
  const { head, of } = ranking(evening);
  const rows = lines(evening).map((row) => ({ ...row, figure: of(row) }));
  return { head, groups: rows.length ? [{ side: null, rows }] : [] };
}

/** Return the lines of those who have won, or are ahead. */
export const winnersOf = (evening) => standingsOf(evening).groups.flatMap(({ rows }) => rows.filter((row) => row.place === 1));

/** Return the tables of the last round without a score, and those of earlier ones by round: {now, before}. */
export function missingOf({ missing, rounds }) {
  const of = (round) => missing.filter(([at]) => at === round).map(([, table]) => table);
  const before = [...new Set(missing.map(([at]) => at))].filter((at) => at < rounds);
  return { now: of(rounds), before: before.map((round) => ({ round, tables: of(round) })) };
}

/** Return the prepared deals of a table as a text: "1–4"; "" for none. */
export function dealsOf({ deals }) {
  if (!deals.length) return "";
  const whole = deals.every((deal, i) => deal === deals[0] + i);
  return whole && deals.length > 1 ? `${deals[0]}–${deals.at(-1)}` : deals.join(", ");
}

/** Return what a side is called at the head of its column; there is one column where there are no sides. */
export const sideHead = (sides, n) => (sides > 1 ? t("hall.team", { n: n + 1 }) : t("hall.players"));
