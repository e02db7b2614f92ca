// What I have played on this server, in figures.
import { get, whoAmI } from "../../core/api.js";
import { ALONE } from "../../core/base.js";
import { gameName, needWords, number, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html } from "../../core/ui.js";
import { Waiting, useLoaded } from "../../components/loading.js";
import { Figures, mean, share } from "./figures.js";
import { Strangers } from "./strangers.js";

await needWords("pages");

export const title = "stats.title";

function Played({ stats }) {
  const variants = Object.entries(stats.variants).sort(([, a], [, b]) => b - a);
  return html`
    <div class="figure-panels">
      <${Figures} head=${t("stats.matches")} rows=${[
        [t("stats.played"), number(stats.matches)],
        [t("stats.won"), number(stats.matches_won), share(stats.matches_won, stats.matches)],
        [t("stats.tables"), number(stats.tables)],
      ]} />
      <${Figures} head=${t("stats.hands")} rows=${[
        [t("stats.played"), number(stats.hands)],
        [t("stats.points"), number(stats.points)],
        [t("stats.each"), mean(stats.points, stats.hands)],
        [t("stats.best"), stats.best_hand === null ? "–" : number(stats.best_hand)],
      ]} />
      <${Figures} head=${t("stats.contracts")} rows=${[
        [t("stats.declared"), number(stats.declared)],
        [t("stats.made"), number(stats.made), share(stats.made, stats.declared)],
        [t("stats.bid"), mean(stats.bid_total, stats.bids)],
      ]} />
      <${Figures} head=${t("stats.defence")} rows=${[
        [t("stats.defended"), number(stats.defended)],
        [t("stats.defeated"), number(stats.defeated), share(stats.defeated, stats.defended)],
      ]} />
    </div>
    ${variants.length > 0 && html`<div class="panel">
      <h2 id="variants-title">${t("stats.variants")}</h2>
      <div class="sheet-box" tabindex="0" role="region" aria-labelledby="variants-title">
        <table class="sheet">
          <thead><tr><th scope="col">${t("stats.game")}</th><th scope="col" class="figure">${t("stats.hands")}</th></tr></thead>
          <tbody>${variants.map(([name, n]) => html`<tr key=${name}><th scope="row">${gameName(name)}</th><td class="figure">${number(n)}</td></tr>`)}</tbody>
        </table>
      </div>
    </div>`}
  `;
}

// Where one may look back: the tables of mine at which something was played.
function Back() {
  const { value: me } = useLoaded(whoAmI);
  const tables = me ? me.tables.filter(({ phase }) => phase !== "lobby") : [];
  if (!tables.length) return null;
  return html`<section class="panel stack tight" aria-labelledby="back-title">
    <h2 id="back-title">${t("stats.back")}</h2>
    <p class="mark">${t("stats.latest")}</p>
    <ul class="plain">${tables.map((table) => html`<li key=${table.code} class="table-row">
      <span class="grow"><b>${table.title || gameName(table.rules_name)}</b><small>${t(`home.phase.${table.phase}`)} · ${table.code}</small></span>
      <${Link} class="button" href=${`/group/${table.code}`} aria-label=${`${t("group.open")}: ${table.code}`}>${t("group.open")}<//>
      ${table.phase === "over" && html`<${Link} class="button" href=${`/review/${table.code}`} aria-label=${`${t("over.review")}: ${table.code}`}>${t("over.review")}<//>`}
      <${Link} class="button" href=${`/replay/${table.code}`} aria-label=${`${t("replay.all")}: ${table.code}`}>${t("replay.all")}<//>
    </li>`)}</ul>
  </section>`;
}

/** The page. */
export default function Stats() {
  const { value, error, again } = useLoaded(() => get("/api/session/statistics"));
  const nobody = error && error.code === "no-session";
  return html`<div class="stack reading">
    <h1 tabindex="-1">${t("stats.title")}</h1>
    ${nobody || (value && !value.hands)
      ? html`<p>${t("stats.none")}</p><p><${Link} href="/" class="button primary">${t("stats.begin")}<//></p>`
      : value
        ? html`<p class="mark">${t("stats.lead")}</p><${Played} stats=${value} /><${Back} />`
        : html`<${Waiting} error=${error} again=${again} />`}
    ${value && !ALONE && html`<${Strangers} />`}
  </div>`;
}
