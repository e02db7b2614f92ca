// For a projector, read from ten metres: who sits where, the time, who is ahead, and what is missing.
import { announce } from "../../../core/announce.js";
import { get } from "../../../core/api.js";
import { list, needWords, plural, t } from "../../../core/i18n.js";
import { Link } from "../../../core/router.js";
import { html, useEffect, useMemo, useStore } from "../../../core/ui.js";
import { PlainHttp, useAwake } from "../../../components/awake.js";
import { onlyHere } from "../../../components/common.js";
import { Waiting, needStyle, useLoaded } from "../../../components/loading.js";
import { Qr, shapesOf } from "../../../components/qr.js";
import { isLast, pathOf, watchEvening } from "../told.js";
import { Countdown } from "./countdown.js";
import { dealsOf, missingOf, momentOf, nameOf, namesOf, placesOf, sideHead, sidesOf, standingsOf, winnersOf } from "./seats.js";
import { Turning, useTurn } from "./turning.js";

await Promise.all([needWords("pages"), needWords("beside/hall"), needStyle("hall")]);

export const title = "hall.title";

const FEW = 3; // tables, whose names are written larger
const BESIDE = 10; // tables beside which there is room for the standings
const TOP = 20; // lines of the standings during a round
const NAMED = 12; // tables that are named one by one

// A name whose longest word is too long for its column is written smaller before it is broken.
function Name({ children }) {
  const longest = Math.max(...children.split(/[\s-]/).map((word) => word.length));
  const size = longest > 13 ? "longer" : longest > 10 || children.length > 16 ? "long" : "";
  return html`<span class=${`who ${size}`}>${children}</span>`;
}

function seatsSection(evening, columns) {
  const { tables } = evening.round;
  const most = Math.max(...tables.map((table) => sidesOf(evening, table.seats).length));
  const cells = (table) => {
    const sides = sidesOf(evening, table.seats);
    const names = (side) => side.map((seat) => nameOf(evening, table.seats[seat]));
    const deals = dealsOf(table);
    return html`<th scope="row" class="number">${table.number}${deals && html`<small>${t("hall.deals", { deals })}</small>`}${evening.screens && table.real && html`<small>${t("hall.real")}</small>`}</th>
      ${sides.map((side, i) => html`<td key=${i} colspan=${sides.length < most ? most : undefined}>
        ${sides.length > 1 ? names(side).map((name) => html`<${Name} key=${name}>${name}<//>`) : html`<${Name}>${names(side).join(", ")}<//>`}
      </td>`)}`;
  };
  return {
    key: "seats", kind: "seats", columns,
    heads: [t("hall.table"), ...Array.from({ length: most }, (_, n) => sideHead(most, n))],
    title: (rows) => {
      if (rows.length === tables.length) return t("hall.tables");
      const [from, to] = [tables[rows[0]].number, tables[rows.at(-1)].number];
      return rows.length > 1 ? t("hall.tables_from", { from, to }) : t("hall.table_n", { n: from });
    },
    rows: tables.map((table) => ({ key: table.number, cells: cells(table) })),
  };
}

function peopleSection(evening, columns) {
  const places = placesOf(evening);
  const where = (place) => (place.table ? place.table : place.bye ? t("hall.bye") : "–");
  const seated = evening.round !== null;
  return {
    key: "people", kind: "people", columns,
    heads: seated ? [t("hall.name"), t("hall.table")] : [t("hall.name")],
    title: (rows) => (rows.length < places.length ? t("hall.people_from", { from: places[rows[0]].name, to: places[rows.at(-1)].name }) : t(seated ? "hall.people" : "hall.here")),
    rows: places.map((place) => ({
      key: place.person,
      cells: html`<th scope="row"><${Name}>${place.name}<//></th>${seated && html`<td class=${place.table ? "number" : ""}>${where(place)}</td>`}`,
    })),
  };
}

function standingsSections(evening, columns, most = Infinity) {
  const { head, groups } = standingsOf(evening);
  return groups.map(({ side, rows }) => ({
    key: `standings ${side}`, kind: "standings", columns,
    heads: [t("hall.place"), t("hall.name"), t(head)],
    title: () => (side === null ? t("hall.standings") : t("hall.standings_of", { team: t("hall.team", { n: side + 1 }) })),
    rows: rows.slice(0, most).map((row) => ({
      key: row.people.join(),
      cells: html`<td class="place">${row.place}</td><th scope="row"><${Name}>${namesOf(evening, row.people)}<//></th><td class="figure">${row.figure}</td>`,
    })),
  }));
}

// What is at the top: how far the evening is.
function stateOf(evening, moment) {
  const { rounds, full } = evening;
  if (moment === "over") return t("hall.over");
  if (moment === "before") return t("hall.before");
  if (moment === "between") return isLast(evening) ? t("hall.all_played") : t("hall.between", { n: rounds, next: rounds + 1 });
  return full ? t("hall.round_of", { n: rounds, full }) : t("hall.round", { n: rounds });
}

function Missing({ evening, moment }) {
  const { now, before } = missingOf(evening);
  if (moment === "before" || !(now.length || before.length)) return null;
  return html`<section class="hall-missing">
    <h2>${t(evening.screens ? "hall.still" : "hall.missing")}</h2>
    ${now.length > NAMED
      ? html`<p>${t("hall.missing_of", { n: now.length, of: evening.round.tables.length })}</p>`
      : now.length > 0 && html`<p class="numbers">${now.join(", ")}</p>`}
    ${before.slice(-2).map(({ round, tables }) => html`<p key=${round}>${t("hall.missing_before", { n: round, tables: tables.join(", ") })}</p>`)}
  </section>`;
}

// On screens the next round may begin by itself.
function Next({ evening, ahead, moment }) {
  const at = evening.screens?.next_at ?? null;
  if (at === null || moment === "over") return null;
  return html`<section class="hall-next"><h2>${isLast(evening) ? t("hall.ends") : t("hall.next", { n: evening.rounds + 1 })}</h2><${Countdown} ends=${at} ahead=${ahead} up="0:00" /></section>`;
}

function Way({ code }) {
  const { value } = useLoaded(() => get(`${pathOf(code)}/link`), [code]);
  // A link that leads nowhere on other devices is not shown to them.
  if (!value || onlyHere(value.link)) return null;
  return html`<section class="hall-way">
    <h2>${t("hall.join")}</h2>
    <${Qr} ...${shapesOf(value.picture)} label=${t("hall.qr")} />
    <p>${value.link.replace(/^https?:\/\//, "")}</p>
  </section>`;
}

function Aside({ evening }) {
  const { byes, playing } = evening.round;
  return html`<div class="hall-notes">
    ${byes.length > 0 && html`<p>${plural("hall.byes", byes.length, { names: namesOf(evening, byes) })}</p>`}
    ${playing.length > 0 && html`<p>${t("hall.playing", { names: namesOf(evening, playing) })}</p>`}
  </div>`;
}

function Winners({ evening }) {
  const names = winnersOf(evening).map((row) => namesOf(evening, row.people));
  if (!names.length) return null;
  return html`<section class="hall-winners"><h2>${plural("hall.winners", names.length)}</h2><p>${list(names)}</p></section>`;
}

// What takes turns beside each other: a list for each place on the screen.
function sectionsOf(evening, moment) {
  if (moment === "before") return [[peopleSection(evening, 3)]];
  if (moment !== "round") return [standingsSections(evening, 2)];
  const { tables } = evening.round;
  const beside = tables.length <= BESIDE;
  const standings = standingsSections(evening, beside ? 1 : 2, TOP);
  if (!beside) return [[seatsSection(evening, 2), peopleSection(evening, 4), ...standings]];
  return [[seatsSection(evening, standings.length || tables.length <= FEW ? 1 : 2)], ...(standings.length ? [standings] : [])];
}

function Hall({ code, told, ahead, away }) {
  const { evening } = told;
  const moment = momentOf(evening);
  const turn = useTurn([moment, evening.rounds]);
  const state = stateOf(evening, moment);
  useEffect(() => announce(state), [evening.rounds, moment]);
  const places = sectionsOf(evening, moment);
  const size = evening.people.length <= FEW * 4 ? "few" : evening.people.length > BESIDE * 4 ? "many" : "some";
  return html`<div class=${`hall hall-${moment} hall-${size}`}>
    <header class="hall-head">
      <h1 tabindex="-1">${evening.name || t("hall.title")}</h1>
      <p class="hall-state">${state}</p>
    </header>
    <div class="hall-main">
      ${moment === "over" && html`<${Winners} evening=${evening} />`}
      <div class=${`hall-places places-${places.length}`}>
        ${places.map((sections, i) => html`<${Turning} key=${`${moment} ${i}`} sections=${sections} turn=${turn} />`)}
      </div>
      ${moment === "round" && html`<${Aside} evening=${evening} />`}
    </div>
    <div class="hall-side">
      <${Next} evening=${evening} ahead=${ahead} moment=${moment} />
      ${evening.ends !== null && moment !== "over" && html`<${Countdown} ends=${evening.ends} ahead=${ahead} />`}
      <${Missing} evening=${evening} moment=${moment} />
      <${Way} code=${code} />
      ${away && html`<p class="notice">${t("hall.away")}</p>`}
      <${PlainHttp} />
    </div>
  </div>`;
}

/** The page. */
export default function HallPage({ params }) {
  const code = params.code.toUpperCase();
  const watched = useMemo(() => watchEvening(code, ""), [code]);
  useEffect(() => watched.close, [watched]);
  const { told, ahead, away, error } = useStore(watched.store);
  useAwake(true);
  if (told && !error) return html`<${Hall} code=${code} told=${told} ahead=${ahead} away=${away} />`;
  return html`<div class="stack narrow">
    <h1 tabindex="-1">${t("hall.title")}</h1>
    <${Waiting} error=${error} again=${error?.status === 404 ? null : watched.look} />
    ${error && html`<p><${Link} href="/" class="button">${t("shell.home")}<//></p>`}
  </div>`;
}
