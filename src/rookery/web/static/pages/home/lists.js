// The lists of the first page: tables of mine, tables open to strangers; a link for another device; and the way out.
import { get, post } from "../../core/api.js";
import { apart, gameName, list, plural, t } from "../../core/i18n.js";
import { CopyButton, OnlyHere, Problem } from "../../components/common.js";
import { Link } from "../../core/router.js";
import { html, useEffect, useState } from "../../core/ui.js";

const AGAIN = 15_000; // milliseconds between two looks at the open tables

function Row({ code, name, rules, facts, action }) {
  return html`<li class="table-row">
    <span class="grow">
      <b>${name || rules}</b>
      <small>${[name ? apart(rules) : "", ...facts].filter(Boolean).join(" · ")}</small>
    </span>
    <${Link} class="button" href=${`/t/${code}`} aria-label=${`${action}: ${name || rules}, ${code}`}>${action}<//>
  </li>`;
}

function company(table) {
  const others = table.seats.filter((seat, i) => i !== table.you && seat.kind === "person").map((seat) => seat.name);
  return others.length ? t("home.with", { names: list(others) }) : "";
}

const FEW = 2; // so many tables above the way to a new one leave that in sight
/** Whether a seat of mine waits at a table. */
export const isOpen = (table) => table.phase !== "over" && table.you !== null;

function Rows({ tables }) {
  return html`<ul class="plain">
    ${tables.map(
      (table) => html`<${Row} key=${table.code} code=${table.code} name=${table.title || (table.number && t("table.at_evening", { n: table.number }))} rules=${gameName(table.rules_name)}
        facts=${[t(`home.phase.${table.phase}`), company(table)]} action=${t(isOpen(table) ? "home.back" : "home.look")} />`,
    )}
  </ul>`;
}

/** The tables where I have sat, the last one first; of `few` only those where my seat waits are unfolded. */
export function MyTables({ tables, few = false }) {
  if (!tables.length) return null;
  const first = few ? tables.filter(isOpen).slice(0, FEW) : tables;
  const rest = tables.filter((table) => !first.includes(table));
  return html`<section class="panel stack tight" aria-labelledby="mine-title">
    <h2 id="mine-title">${t("home.mine")}</h2>
    <${Rows} tables=${first} />
    ${rest.length > 0 && html`<details><summary>${t("home.mine_more")}</summary><${Rows} tables=${rest} /></details>`}
  </section>`;
}

/** Return {tables, error, look}: the tables that anybody may join, looked up again while the page is open. */
export function useOpenTables() {
  const [tables, set] = useState(null);
  const [error, setError] = useState(null);
  const look = () => get("/api/tables").then((answer) => { set(answer); setError(null); }, setError);
  useEffect(() => {
    look();
    const timer = setInterval(() => document.visibilityState === "visible" && look(), AGAIN);
    return () => clearInterval(timer);
  }, []);
  return { tables, error, look };
}

/** The same as a list; a table where nobody is now is nothing to go to. */
export function OpenTables({ tables, error, look }) {
  const busy = tables && tables.filter((table) => table.here);
  return html`<section class="panel stack tight" aria-labelledby="open-title">
    <h2 id="open-title">${t("home.open")}</h2>
    ${error && html`<${Problem} error=${error} retry=${look} />`}
    ${busy && !busy.length && html`<p class="mark">${t("home.none_open")}</p>`}
    <ul class="plain">
      ${(busy || []).map(
        (table) => html`<${Row} key=${table.code} code=${table.code} name=${table.title} rules=${gameName(table.rules)}
          facts=${[t(`home.phase.${table.phase}`), plural("home.people", table.here), plural("home.free", table.free)]}
          action=${t(table.free ? "home.join" : "home.look")} />`,
      )}
    </ul>
  </section>`;
}

/** A one-use link that makes another browser mine too. */
export function Device() {
  const [created, set] = useState(null);
  const [error, setError] = useState(null);
  const make = () => post("/api/session/return").then((answer) => { set(answer); setError(null); }, setError);
  return html`<details>
    <summary>${t("home.device")}</summary>
    <div class="stack tight">
      <p class="mark">${t("home.device_how")}</p>
      ${error && html`<${Problem} error=${error} />`}
      ${created
        ? html`<p class="link-text" role="status">${created.link}</p>
            <p class="mark">${plural("home.device_for", Math.round(created.seconds / 60))}</p>
            <${OnlyHere} link=${created.link} />
            <div class="row"><${CopyButton} text=${created.link} label=${t("lobby.copy")} /></div>`
        : html`<div class="row"><button type="button" class="button" onClick=${make}>${t("more.device_link")}</button></div>`}
    </div>
  </details>`;
}

// Days until each goes by itself, as the server keeps them.
const KEPT = { lobby: 8, table: 365, chat: 30, sheet: 30, person: 400 };

/** What the server keeps about a person, and how long. */
export function Kept() {
  return html`<details>
    <summary>${t("home.kept")}</summary>
    <div class="stack tight mark">
      <p>${t("home.kept_little")}</p>
      <ul class="steps">${Object.entries(KEPT).map(([what, days]) => html`<li key=${what}>${t(`home.kept.${what}`, { days: plural("home.days", days) })}</li>`)}</ul>
    </div>
  </details>`;
}

/** Deletes my data, in two steps; `done` gets {nobody, there}: who I am afterwards, and whether the server was told. */
export function Forget({ done }) {
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const forget = () => {
    setBusy(true);
    import("./forget.js").then(({ forgetAll }) => forgetAll()).then(done, (refused) => { setError(refused); setBusy(false); });
  };
  return html`<details>
    <summary>${t("home.forget")}</summary>
    <div class="stack tight">
      <p class="mark">${t("home.forget_how")}</p>
      ${error && html`<${Problem} error=${error} />`}
      <div class="row"><button type="button" class="button danger" disabled=${busy} onClick=${forget}>${t("home.forget_sure")}</button></div>
    </div>
  </details>`;
}
