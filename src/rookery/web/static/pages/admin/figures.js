// What goes on at a server, as panels of figures.
import { botName } from "../../components/bots.js";
import { gameName, has, number, plural, t } from "../../core/i18n.js";
import { html } from "../../core/ui.js";
import { Reports } from "./reports.js";
import { ago, span } from "./words.js";

/** Return a number of bytes in MB. */
const megabytes = (n) => t("admin.mb", { n: number(Math.round(n / 1e5) / 10) });

/** Return milliseconds; a dash where nothing was timed. */
const milliseconds = (n) => (n === null ? "–" : number(Math.round(n * 10) / 10));

function Panel({ id, title, children }) {
  return html`<section class="panel stack tight" aria-labelledby=${id}><h2 id=${id}>${title}</h2>${children}</section>`;
}

function Figures({ rows }) {
  return html`<dl class="figures">
    ${rows.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd><b>${value}</b></dd></div>`)}
  </dl>`;
}

function Rows({ title, heads, rows }) {
  return html`<div class="sheet-box" tabindex="0" role="group" aria-label=${title}>
    <table class="sheet loose">
      <thead><tr>${heads.map((head, i) => html`<th key=${head} scope="col" class=${i ? "figure" : ""}>${head}</th>`)}</tr></thead>
      <tbody>${rows.map(([first, ...rest]) => html`<tr key=${first}>
        <th scope="row">${first}</th>${rest.map((cell, i) => html`<td key=${i} class="figure">${cell}</td>`)}
      </tr>`)}</tbody>
    </table>
  </div>`;
}

const words = (prefix, counts) => Object.entries(counts).map(([key, n]) => [t(`admin.${prefix}.${key}`), number(n)]);
const yes = (holds) => t(holds ? "admin.yes" : "admin.no");

function server({ server: one, database, version, python, started_at: began, at }) {
  return [
    [t("admin.version"), version],
    [t("admin.python"), python],
    [t("admin.up"), span((at - began) / 1000)],
    ...(one.memory === null ? [] : [[t("admin.memory"), megabytes(one.memory)]]),
    [t("admin.database"), [database.kind, database.version].filter(Boolean).join(" ")],
    ...(database.lost.length ? [[t("admin.lost"), database.lost.join(", ")]] : []),
    [t("admin.backup"), database.backup_age === null ? t("admin.none") : ago(at - 1000 * database.backup_age, at)],
    ...(one.shared ? [[t("admin.address"), one.address], [t("admin.alive"), yes(one.alive)], [t("admin.leads"), yes(one.leads)], [t("admin.hints"), yes(one.hints)]] : []),
  ];
}

function Codes({ title, counts }) {
  const rows = Object.entries(counts).sort(([, a], [, b]) => b - a);
  if (!rows.length) return null;
  const codeText = (code) => (has(`refused.${code}`) ? `${code}: ${t(`refused.${code}`)}` : code);
  return html`<details><summary>${title}</summary>
    <${Rows} title=${title} heads=${[t("admin.code"), t("admin.times")]} rows=${rows.map(([code, n]) => [codeText(code), number(n)])} />
  </details>`;
}

const seatName = (seat) => (seat.kind === "bot" ? botName(seat.bot) : seat.kind === "empty" ? t("lobby.free") : seat.name);

function Tables({ tables, at }) {
  if (!tables.length) return html`<p class="mark">${t("admin.no_tables")}</p>`;
  return html`<ul class="plain">${tables.map((table) => html`<li key=${table.code} class="table-row"><span class="grow">
    <b>${table.code} · ${gameName(table.rules)}</b>
    <small>${[t(`home.phase.${table.phase}`), ...(table.open ? [t("admin.open")] : []), ago(table.touched_at, at), plural("admin.watchers", table.watchers)].join(" · ")}</small>
    <small>${table.seats.map(seatName).join(", ")}</small>
  </span></li>`)}</ul>`;
}

function Security({ lines, at }) {
  if (!lines.length) return html`<p class="mark">${t("admin.no_security")}</p>`;
  const whose = (who) => (has(`admin.who.${who}`) ? t(`admin.who.${who}`) : t("admin.who", { who }));
  return html`<ul class="plain">${lines.map((one, i) => html`<li key=${i} class="table-row"><span class="grow">
    <b>${t(`admin.security.${one.kind}`)}</b>
    <small>${[plural("admin.so_often", one.times), whose(one.who), ago(one.at, at)].join(" · ")}</small>
  </span></li>`)}</ul>`;
}

/** All of them; `ask` returns the answer to a path that is behind the secret. */
export function Overview({ now, ask }) {
  const speed = Object.entries(now.speed).map(([name, { p50, p99, most }]) => [
    t(`admin.speed.${name}`), milliseconds(p50), milliseconds(p99), milliseconds(most),
  ]);
  const heads = ["what", "p50", "p99", "most"].map((head) => t(`admin.speed_head.${head}`));
  return html`<div class="figure-panels">
      <${Panel} id="admin-now" title=${t("admin.now")}><${Figures} rows=${words("now", now.now)} /><//>
      <${Panel} id="admin-minute" title=${t("admin.minute")}><${Figures} rows=${words("minute", now.minute)} /><//>
      <${Panel} id="admin-server" title=${t("admin.server")}><${Figures} rows=${server(now)} /><//>
      <${Panel} id="admin-bots" title=${t("admin.bots")}>
        ${now.bots.length ? html`<${Figures} rows=${now.bots.map(({ bot, seats }) => [botName(bot), number(seats)])} />` : html`<p class="mark">${t("admin.no_bots")}</p>`}
      <//>
    </div>
    <${Panel} id="admin-speed" title=${t("admin.speed")}><${Rows} title=${t("admin.speed")} heads=${heads} rows=${speed} /><//>
    <${Panel} id="admin-tables" title=${t("admin.tables")}><${Tables} tables=${now.tables} at=${now.at} /><//>
    <${Panel} id="admin-reports" title=${t("admin.reports")}><${Reports} reports=${now.reports} at=${now.at} ask=${ask} /><//>
    <${Panel} id="admin-security" title=${t("admin.security")}><${Security} lines=${now.security} at=${now.at} /><//>
    <${Panel} id="admin-codes" title=${t("admin.since")}>
      <${Codes} title=${t("admin.refused")} counts=${now.refused} />
      <${Codes} title=${t("admin.closed")} counts=${now.closed} />
      ${!Object.keys(now.refused).length && !Object.keys(now.closed).length && html`<p class="mark">${t("admin.nothing")}</p>`}
    <//>`;
}
