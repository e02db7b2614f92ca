// What a table scored: a number a side, a row a deal; and what two people said differently.
import { number, t } from "../../core/i18n.js";
import { html, useEffect, useRef, useState } from "../../core/ui.js";
import { Figure } from "../sheet/fields.js";
import { MOST, valueOf } from "../sheet/said.js";
import { KeepSheet } from "./keep.js";
import { waitingFor } from "./log.js";
import { mayScore, onScreen, refusalOf, scoreText, sideName, sidesOf } from "./said.js";

// The form's values for what was said: a row a deal, a text a side.
const toForm = (table, sides, rows) => Array.from({ length: table.deals.length || 1 }, (_, at) => sides.map((side) => (rows?.[at] ? String(rows[at][side[0]]) : "")));

// Partners share: each seat has what its side has.
const toRows = (table, sides, values) => values.map((row) => table.seats.map((_, seat) => row[sides.findIndex((side) => side.includes(seat))]));

function next(event) {
  if (event.key !== "Enter" || event.target.tagName !== "INPUT" || event.isComposing) return;
  const all = [...event.currentTarget.querySelectorAll("input")];
  const to = all[all.indexOf(event.target) + 1];
  if (!to) return;
  event.preventDefault();
  to.focus();
  to.select();
}

function ScoreForm({ log, evening, round, table, rows, over, done, typing, focus, removable }) {
  const sides = sidesOf(evening, table);
  const [seen] = useState(over); // what comes in while somebody types has not been seen by them
  const [form, set] = useState(() => toForm(table, sides, rows));
  const [problem, setProblem] = useState(null);
  const [busy, setBusy] = useState(false);
  const box = useRef(null);
  useEffect(() => {
    if (focus) box.current.querySelector("input")?.focus({ preventScroll: true });
  }, []);
  const write = async (said) => {
    setBusy(true);
    const found = await log.score(round, table.number, said, seen);
    setBusy(false);
    if (found) setProblem({ text: refusalOf(found) });
    else {
      typing(false);
      done?.();
    }
  };
  const submit = (event) => {
    event.preventDefault();
    const values = form.map((row) => row.map(valueOf));
    const deal = values.findIndex((row) => row.some((n) => n === null || Math.abs(n) > MOST));
    if (deal >= 0) {
      const side = values[deal].findIndex((n) => n === null || Math.abs(n) > MOST);
      setProblem({ deal, side, text: t(values[deal][side] === null ? "score.wrong_number" : "evening.too_large") });
      box.current.querySelectorAll("input")[deal * sides.length + side]?.focus();
      return;
    }
    write(toRows(table, sides, values));
  };
  const change = (deal, side, text) => {
    setProblem(null);
    typing(true);
    set(form.map((row, at) => (at === deal ? row.map((one, i) => (i === side ? text : one)) : row)));
  };
  const id = `${round}-${table.number}`;
  return html`<form class="stack tight score-form" ref=${box} onSubmit=${submit} onKeyDown=${next} noValidate>
    ${form.map((row, deal) => html`<fieldset key=${deal} class="stack tight">
      <legend class=${table.deals.length ? "" : "unseen"}>${table.deals.length ? t("evening.deal", { n: table.deals[deal] }) : t("evening.score_of", { n: table.number })}</legend>
      <div class="sides">
        ${sides.map((side, at) => html`<${Figure} key=${side[0]} part=${`score-${deal}-${at}`} wrong=${`score-${id}`} name=${`score-${id}-${deal}-${at}`} label=${sideName(evening, table, side)}
          value=${row[at]} set=${(text) => change(deal, at, text)} sums=${true} problem=${problem && (problem.deal === undefined || (problem.deal === deal && problem.side === at))} />`)}
      </div>
    </fieldset>`)}
    ${problem && html`<p id=${`wrong-score-${id}`} class="wrong" role="alert">${problem.text}</p>`}
    <div class="row form-end">
      <button class="button primary big grow" disabled=${busy}>${t("evening.send")}</button>
      ${done && html`<button type="button" class="button big" disabled=${busy} onClick=${done}>${t("evening.cancel")}</button>`}
    </div>
    ${removable && html`<p class="row"><button type="button" class="button quiet" disabled=${busy} onClick=${() => write(null)}>${t("evening.take_back")}</button></p>`}
  </form>`;
}

// Return [busy, refusal, say]: `say(rows)` takes over what somebody has said of a table, by one tap.
function useSaying(log, round, table) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState(null);
  const say = async (rows) => {
    setBusy(true);
    setProblem(await log.score(round, table.number, rows, table.entry));
    setBusy(false);
  };
  return [busy, problem && html`<p class="wrong" role="alert">${refusalOf(problem)}</p>`, say];
}

function Versions({ log, evening, round, table, choose }) {
  const [busy, refusal, settle] = useSaying(log, round, table);
  const all = [table.said, ...table.others].filter(Boolean);
  return html`<section class="stack tight dispute" aria-labelledby=${`dispute-${round}-${table.number}`}>
    <h3 id=${`dispute-${round}-${table.number}`}>${t("evening.disputed")}</h3>
    <p>${t("evening.disputed_how", { n: all.length })}</p>
    <ul class="plain versions">
      ${all.map(({ rows, by, settles }, at) => html`<li key=${at} class="version stack tight">
        <h4>${by || t("evening.somebody")}</h4>
        <${Rows} evening=${evening} table=${table} rows=${rows} />
        ${(choose || settles) && html`<button type="button" class="button primary" disabled=${busy} onClick=${() => settle(rows)}
          aria-label=${t("evening.this_one_of", { name: by || t("evening.somebody"), score: scoreText(evening, table, rows) })}>${t("evening.this_one")}</button>`}
      </li>`)}
    </ul>
    ${refusal}
    ${!choose && !all.some(({ settles }) => settles) && html`<p class="mark">${t("evening.disputed_ask")}</p>`}
  </section>`;
}

function Rows({ evening, table, rows }) {
  if (!rows) return html`<p>${t("evening.taken_back")}</p>`;
  return rows.map((row, deal) => html`<p key=${deal} class="said-row">${table.deals.length > 0 && html`<small>${t("evening.deal", { n: table.deals[deal] })}</small>`}
    ${sidesOf(evening, table).map((side) => html`<span key=${side[0]}>${sideName(evening, table, side)} <b class=${row[side[0]] < 0 ? "minus" : ""}>${number(row[side[0]])}</b></span>`)}</p>`);
}

/** What a table scored in a round, and the form for it; with `done` the form is open at once, and closes by it. */
export function TableScore({ log, state, round, table, done }) {
  const { evening, agree, code, you } = state.told;
  const [editing, setEditing] = useState(Boolean(done));
  const [typing, setTyping] = useState(false);
  const [busy, refusal, accept] = useSaying(log, round, table);
  const again = useRef(null);
  const own = waitingFor(state, round, table.number);
  const rows = own ? own.entry.change.rows : table.said?.rows ?? null;
  const over = own ? own.entry.change.over : table.entry;
  const close = () => {
    setEditing(false);
    setTyping(false);
    done?.();
    requestAnimationFrame(() => again.current?.focus({ preventScroll: true }));
  };
  const disputed = !own && table.state === "disputed";
  const waiting = !own && table.state === "waiting";
  const blank = !own && table.state === "open";
  if (!own && !blank && !table.said) return html`<p class="mark">${t("evening.not_shown")}</p>`;
  const form = html`<${ScoreForm} key=${`${round}-${table.number}`} log=${log} evening=${evening} round=${round} table=${table} rows=${rows} over=${over}
    typing=${setTyping} focus=${editing} removable=${editing && rows} done=${editing ? close : null} />`;
  return html`<div class="stack tight table-score">
    ${own?.problem && html`<div class="problem" role="alert"><p>${refusalOf(own.problem)}</p>
      <div class="row"><button type="button" class="button" onClick=${() => log.drop(own.entry.id)}>${t("evening.drop")}</button></div></div>`}
    ${disputed && html`<${Versions} log=${log} evening=${evening} round=${round} table=${table} choose=${you.host || you.table === table.number} />`}
    ${waiting && html`<div class="stack tight dispute"><${Rows} evening=${evening} table=${table} rows=${table.said.rows} />
      <p class="mark">${t(agree ? "evening.agree_wait" : "evening.late_wait", { name: table.said.by || t("evening.somebody") })}</p>
      ${!table.said.writers?.includes(you.writer) && html`<div class="row"><button type="button" class="button primary" disabled=${busy} onClick=${() => accept(table.said.rows)}>${t("evening.agreed")}</button></div>`}
      ${refusal}</div>`}
    ${!disputed && !waiting && !blank && !editing && !typing && html`<div class="scored stack tight">
      <${Rows} evening=${evening} table=${table} rows=${rows} />
      ${own && !own.problem && html`<p class="mark">${t("evening.kept_here")}</p>`}</div>`}
    ${blank || editing || typing ? form : html`<div class="row"><button type="button" ref=${again} class="button" onClick=${() => setEditing(true)}>${t("evening.correct")}</button></div>`}
    ${!onScreen(evening, table) && mayScore(state.told, table) && html`<${KeepSheet} code=${code} at=${log.at} secret=${state.key} round=${round} table=${table} />`}
  </div>`;
}
