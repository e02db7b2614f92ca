// The papers of an evening: who sits where, slips for tables, forms to write on, standings, and all rounds.
import { apart, t } from "../../../core/i18n.js";
import { html } from "../../../core/ui.js";
import { Qr } from "../../../components/qr.js";
import { realOf } from "../told.js";
import { dealsOf, figure, nameOf, namesOf, placesOf, sideHead, sidesOf, standingsOf } from "./seats.js";

const HANDS = 8; // lines of a form for a whole game

const roundOf = ({ name, round }) => [name, round && t("hall.round", { n: round.number }).replace(" ", "\u00a0")].filter(Boolean).join(" · ");
const people = (table, side) => side.map((seat) => table.seats[seat]);
const columnsOf = (evening, tables) => Math.max(1, ...tables.map((table) => sidesOf(evening, table.seats).length));

function Paper({ heading, about, kind, children }) {
  return html`<section class=${`paper paper-${kind}`}>
    <h2>${heading}</h2>
    ${about && html`<p class="mark">${about}</p>`}
    ${children}
  </section>`;
}

function Grid({ heads, rows, label }) {
  return html`<table class="paper-grid" aria-label=${label}>
    <thead><tr>${heads.map((head, i) => html`<th key=${i} scope="col">${head}</th>`)}</tr></thead>
    <tbody>${rows}</tbody>
  </table>`;
}

function Out({ evening, round }) {
  return html`${round.byes.length > 0 && html`<p>${t("print.byes", { names: namesOf(evening, round.byes) })}</p>`}
    ${round.playing.length > 0 && html`<p>${t("hall.playing", { names: namesOf(evening, round.playing) })}</p>`}`;
}

/** Who sits at which table in the last round. */
export function Seats({ evening }) {
  const { tables } = evening.round;
  const columns = columnsOf(evening, tables);
  const withDeals = tables.some(dealsOf);
  return html`<${Paper} kind="seats" heading=${t("hall.tables")} about=${roundOf(evening)}>
    <${Grid} label=${t("hall.tables")} heads=${[t("hall.table"), ...Array.from({ length: columns }, (_, i) => sideHead(columns, i)), ...(withDeals ? [t("print.deals")] : [])]}
      rows=${tables.map((table) => {
        const sides = sidesOf(evening, table.seats);
        return html`<tr key=${table.number}>
          <th scope="row" class="large">${table.number}${evening.screens && table.real && html` <small>${t("hall.real")}</small>`}</th>
          ${sides.map((side, i) => html`<td key=${i} colspan=${sides.length < columns ? columns : undefined}>${namesOf(evening, people(table, side))}</td>`)}
          ${withDeals && html`<td>${dealsOf(table)}</td>`}
        </tr>`;
      })} />
    <${Out} evening=${evening} round=${evening.round} />
  <//>`;
}

/** Where everybody sits in the last round, by name. */
export function Names({ evening }) {
  return html`<${Paper} kind="names" heading=${t("hall.people")} about=${roundOf(evening)}>
    <div class="paper-columns"><${Grid} label=${t("hall.people")} heads=${[t("hall.name"), t("hall.table")]}
      rows=${placesOf(evening).map(({ person, name, table, bye }) => html`<tr key=${person}>
        <th scope="row">${name}</th><td class="figure">${table ? html`<b>${table}</b>` : bye ? t("hall.bye") : "–"}</td>
      </tr>`)} /></div>
  <//>`;
}

// Where tables play on screens, those with real cards alone need paper to write on.
const written = ({ round, ...evening }) => (realOf(evening).length ? round.tables.filter(({ real }) => real) : round.tables);

function Slip({ evening, table, way }) {
  const deals = dealsOf(table);
  const sides = sidesOf(evening, table.seats);
  const lines = sides.length > 1 ? sides : table.seats.map((_, seat) => [seat]);
  const heading = t("hall.table_n", { n: table.number });
  return html`<article class="slip">
    <div class="slip-head"><h3>${heading}</h3><p>${roundOf(evening)}${deals && html`<br />${t("hall.deals", { deals })}`}</p></div>
    <div class="slip-body">
      <table class="paper-grid" aria-label=${heading}>
        <thead><tr><th scope="col">${sides.length > 1 ? t("print.side") : t("hall.players")}</th><th scope="col" class="blank">${t("print.score")}</th></tr></thead>
        <tbody>${lines.map((side, i) => html`<tr key=${i}><th scope="row">${people(table, side).map((who) => html`<div key=${who}>${nameOf(evening, who)}</div>`)}</th><td class="blank"></td></tr>`)}</tbody>
      </table>
      ${way && html`<div class="slip-way"><${Qr} ...${way.drawn} label=${t("print.qr", { n: table.number })} /><p>${t("print.scan")}</p></div>`}
    </div>
    <p>${t("print.clockwise", { names: table.seats.map((who) => apart(nameOf(evening, who))).join(" – ") })}</p>
  </article>`;
}

/** A slip for each table: who sits there, room for the score, and the link to write it on a phone. */
export function Slips({ evening, ways }) {
  return html`<${Paper} kind="slips" heading=${t("print.kind.slips")}>
    <div class="slips">${written(evening).map((table) => html`<${Slip} key=${table.number} evening=${evening} table=${table} way=${ways?.get(table.number)} />`)}</div>
  <//>`;
}

function Form({ evening, table }) {
  const sides = sidesOf(evening, table.seats);
  const columns = sides.length > 1 ? sides.map((side) => people(table, side)) : table.seats.map((who) => [who]);
  const deals = table.deals.length ? table.deals : Array.from({ length: evening.hands ?? HANDS }, (_, i) => i + 1);
  const empty = columns.map((_, i) => html`<td key=${i}></td>`);
  const heading = t("hall.table_n", { n: table.number });
  return html`<article class="score-form">
    <h3>${heading}</h3><p>${roundOf(evening)}</p>
    <${Grid} label=${heading} heads=${[table.deals.length ? t("print.deal") : t("print.hand"), t("print.bidder"), t("print.bid"), ...columns.map((side) => namesOf(evening, side))]}
      rows=${[
        ...deals.map((deal) => html`<tr key=${deal}><th scope="row">${deal}</th><td></td><td></td>${empty}</tr>`),
        html`<tr key="total"><th scope="row" colspan="3">${t("print.total")}</th>${empty}</tr>`,
      ]} />
  </article>`;
}

/** An empty form for each table, to write the hands of the round on. */
export function Forms({ evening }) {
  return html`<${Paper} kind="forms" heading=${t("print.kind.forms")}>
    ${written(evening).map((table) => html`<${Form} key=${table.number} evening=${evening} table=${table} />`)}
  <//>`;
}

/** Who is ahead. */
export function Standings({ evening }) {
  const { head, groups } = standingsOf(evening);
  const paired = evening.pairs.length > 0;
  const more = paired
    ? [["print.deals", (row) => row.deals], ["hall.points", (row) => figure(row.points)], [head, (row) => row.figure], ["print.percent", (row) => figure(row.percent)]]
    : [["print.games", (row) => figure(row.games)], ["hall.wins", (row) => figure(row.wins / 2)], ["hall.points", (row) => figure(row.points)], ["hall.per_game", (row) => figure(row.points / row.games)]];
  return html`<${Paper} kind="standings" heading=${evening.over ? t("print.result") : t("hall.standings")} about=${roundOf(evening)}>
    ${!groups.length && html`<p>${t("print.no_scores")}</p>`}
    ${groups.map(({ side, rows }) => {
      const label = side === null ? t("hall.standings") : t("hall.standings_of", { team: t("hall.team", { n: side + 1 }) });
      return html`${side !== null && html`<h3>${label}</h3>`}
        <${Grid} label=${label} heads=${[t("hall.place"), t("hall.name"), ...more.map(([key]) => t(key))]}
          rows=${rows.map((row) => html`<tr key=${row.people.join()}><td>${row.place}</td><th scope="row">${namesOf(evening, row.people)}</th>
            ${more.map(([key, of]) => html`<td key=${key} class="figure">${of(row)}</td>`)}</tr>`)} />`;
    })}
  <//>`;
}

function RoundTable({ evening, round }) {
  const columns = columnsOf(evening, round.tables);
  const heads = columns > 1 ? Array.from({ length: columns }, (_, i) => [sideHead(columns, i), t("print.score")]).flat() : [t("hall.players")];
  const scoreOf = ({ scores }, seat) => (scores ? figure(scores[seat]) : "");
  const cells = (table) => {
    const sides = sidesOf(evening, table.seats);
    if (sides.length > 1) return sides.map((side, i) => html`<td key=${`names ${i}`}>${namesOf(evening, people(table, side))}</td><td key=${i} class="figure">${scoreOf(table, side[0])}</td>`);
    return html`<td colspan=${heads.length}>${table.seats.map((who, seat) => `${apart(nameOf(evening, who))} ${scoreOf(table, seat)}`.trim()).join(", ")}</td>`;
  };
  const label = t("hall.round", { n: round.number });
  return html`<h3>${label}</h3>
    <${Grid} label=${label} heads=${[t("hall.table"), ...heads]}
      rows=${round.tables.map((table) => html`<tr key=${table.number}><th scope="row">${table.number}</th>${cells(table)}</tr>`)} />
    <${Out} evening=${evening} round=${round} />`;
}

/** What was scored in all rounds. */
export function Rounds({ evening, rounds }) {
  return html`<${Paper} kind="rounds" heading=${t("print.kind.rounds")} about=${evening.name}>
    ${rounds.map((round) => html`<${RoundTable} key=${round.number} evening=${evening} round=${round} />`)}
  <//>`;
}
