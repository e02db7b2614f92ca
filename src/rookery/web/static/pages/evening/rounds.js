// The tables of a round: who sits where, and what they scored; and the rounds so far.
import { get } from "../../core/api.js";
import { number, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useState } from "../../core/ui.js";
import { Waiting, useLooked } from "../../components/loading.js";
import { TableScore } from "./entry.js";
import { waitingFor } from "./log.js";
import { atTable, mayScore, namesOf, seatName, sideName, sidesOf } from "./said.js";
import { pathOf, withKey } from "./told.js";

// Nobody looks on where others still play the same deals; one's own table opens for oneself alone.
const maySee = ({ evening }, table, mine) => Boolean(table.code) && (mine || evening.over || !evening.deals);

const STATES = { disputed: "warn", waiting: "late" };

function Tag({ state, table, own }) {
  if (own) return html`<span class="tag late">${t("evening.tag.unsent")}</span>`;
  return table.state in STATES ? html`<span class=${`tag ${STATES[table.state]}`}>${t(`evening.tag.${table.state}`)}</span>` : null;
}

function TableRow({ log, state, round, table }) {
  const { told } = state;
  const { evening, you } = told;
  const [open, setOpen] = useState(false);
  const own = waitingFor(state, round.number, table.number);
  const mine = you.person !== null && table.seats.includes(you.person);
  return html`<li class=${`round-table ${mine ? "own" : ""}`} data-table=${table.number}>
    <div class="round-line">
      <b class="n">${t("evening.table", { n: table.number })}</b>
      <${Tag} table=${table} own=${own} />
      ${evening.screens && table.real && html`<span class="tag">${t("evening.tag.real")}</span>`}
      ${maySee(told, table, mine) && html`<${Link} href=${`/t/${table.code}`} class="button chip" aria-label=${t(mine ? "evening.screens.go_n" : "evening.screens.watch_n", { n: table.number })}>${t(mine ? "evening.screens.go_short" : "table.watch")}<//>`}
      ${mayScore(told, table) && html`<button type="button" class="button chip" aria-expanded=${open} onClick=${() => setOpen(!open)}
        aria-label=${t(table.scores ? "evening.correct_table" : "evening.score_table", { n: table.number })}>${t(table.scores ? "evening.correct" : "evening.score")}</button>`}
    </div>
    <ul class="plain sides-list">
      ${sidesOf(evening, table).map((side) => html`<li key=${side[0]}><span>${sideName(evening, table, side)} <small>${side.map((seat) => seatName(table.seats.length, seat)).join(", ")}</small></span>
        <b>${table.scores ? number(table.scores[side[0]]) : html`<span class="soft">${table.state === "stands" ? "✓" : "–"}</span>`}</b></li>`)}
    </ul>
    ${table.deals.length > 0 && html`<p class="mark">${t("evening.deals", { deals: table.deals.join(", ") })}</p>`}
    ${open && html`<${TableScore} log=${log} state=${state} round=${round.number} table=${table} done=${() => setOpen(false)} />`}
  </li>`;
}

function Others({ evening, round }) {
  const lines = [["byes", "evening.byes"], ["beaten", "evening.out"], ["playing", "evening.still"]].filter(([part]) => round[part].length);
  return lines.map(([part, key]) => html`<p key=${part}>${t(key, { names: namesOf(evening, round[part]) })}</p>`);
}

/** The tables of a round; whoever may score one does so there. */
export function RoundTables({ log, state, round }) {
  return html`<div class="stack tight">
    <ul class="plain round-tables">${round.tables.map((table) => html`<${TableRow} key=${table.number} log=${log} state=${state} round=${round} table=${table} />`)}</ul>
    <${Others} evening=${state.told.evening} round=${round} />
  </div>`;
}

function Earlier({ log, state, code, number }) {
  const { value, error, again } = useLooked(() => get(`${pathOf(code)}/rounds/${number}`, withKey(state.key)), [number, state.told.entries]);
  return value ? html`<${RoundTables} log=${log} state=${state} round=${value} />` : html`<${Waiting} error=${error} again=${again} />`;
}

/** The rounds before this one, each fetched when it is opened. */
export function RoundsSoFar({ log, state, code }) {
  const { evening } = state.told;
  const [open, setOpen] = useState(new Set());
  const numbers = Array.from({ length: Math.max(0, evening.rounds - 1) }, (_, i) => evening.rounds - 1 - i);
  if (!numbers.length) return null;
  const lacking = new Set(evening.missing.map(([round]) => round));
  const toggled = (number) => (event) => {
    const now = new Set(open);
    if (event.target.open) now.add(number);
    else now.delete(number);
    setOpen(now);
  };
  return html`<section class="stack tight" aria-labelledby="rounds-title">
    <h2 id="rounds-title">${t("evening.earlier")}</h2>
    ${numbers.map((number) => html`<details key=${number} class="panel" onToggle=${toggled(number)}>
      <summary>${t("evening.round", { n: number })}${lacking.has(number) && html` <span class="tag late">${t("evening.tag.lacks")}</span>`}</summary>
      ${open.has(number) && html`<${Earlier} log=${log} state=${state} code=${code} number=${number} />`}
    </details>`)}
  </section>`;
}
