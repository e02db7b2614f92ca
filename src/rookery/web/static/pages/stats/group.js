// The people of a table over all its matches: who has played, how it went, and with whom.
import { CopyButton, OnlyHere } from "../../components/common.js";
import { lazy } from "../../components/lazy.js";
import { Waiting, useLink, useLoaded } from "../../components/loading.js";
import { get, here } from "../../core/api.js";
import { list, needWords, number, plural, signed, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html } from "../../core/ui.js";
import { Figures, mean, share } from "./figures.js";
import { Ratings } from "./ratings.js";
import { Beside } from "./strangers.js";

await needWords("pages");

const Portrait = lazy(() => import("../../components/bird.js"), "Portrait");

export const title = "group.title";

const SIZE = { width: 120, height: 28 };

/** The points of the latest matches as a line; a screen reader is told the numbers. */
function Trend({ points }) {
  if (points.length < 2) return null;
  const least = Math.min(0, ...points);
  const most = Math.max(0, ...points);
  const y = (n) => ((most - n) / (most - least || 1)) * SIZE.height;
  const line = points.map((n, i) => `${(i / (points.length - 1)) * SIZE.width},${y(n).toFixed(1)}`).join(" ");
  return html`<svg class="trend" role="img" viewBox=${`-3 -3 ${SIZE.width + 6} ${SIZE.height + 6}`} aria-label=${t("group.trend", { points: list(points.map(signed)) })}>
    <line class="zero" x1="0" x2=${SIZE.width} y1=${y(0)} y2=${y(0)} />
    <polyline points=${line} />
    <circle cx=${SIZE.width} cy=${y(points.at(-1))} r="3" />
  </svg>`;
}

function Person({ one, code }) {
  const best = one.best && html`<${Link} href=${`/replay/${code}/${one.best.number}`} aria-label=${t("group.watch", { name: one.name, points: signed(one.best.points) })}>${signed(one.best.points)}<//>`;
  return html`<${Figures} head=${one.name} face=${html`<span class="portrait"><${Portrait} name=${one.name} face=${one.face} meanwhile=${null} /></span>`} rows=${[
    [t("group.matches"), t("group.of", { n: number(one.matches_won), all: number(one.matches) }), share(one.matches_won, one.matches)],
    [t("stats.hands"), number(one.hands)],
    [t("stats.each"), mean(one.points, one.hands)],
    [t("group.contracts"), t("group.of", { n: number(one.made), all: number(one.declared) }), share(one.made, one.declared)],
    [t("stats.best"), best || "–"],
  ]}><${Trend} points=${one.trend} /><//>`;
}

function Pairs({ found }) {
  return html`<section class="panel" aria-labelledby="pairs-title">
    <h2 id="pairs-title">${t("group.partners")}</h2>
    <div class="sheet-box" tabindex="0" role="region" aria-label=${t("group.names")}>
      <table class="sheet">
        <thead><tr>
          <th scope="col">${t("group.names")}</th><th scope="col" class="figure">${t("stats.hands")}</th>
          <th scope="col" class="figure">${t("stats.each")}</th><th scope="col" class="figure">${t("group.matches")}</th>
        </tr></thead>
        <tbody>${found.partners.map((one) => html`<tr key=${one.pair.join()}>
          <th scope="row">${list(one.pair.map((at) => found.people[at].name))}</th>
          <td class="figure">${number(one.hands)}</td><td class="figure">${mean(one.points, one.hands)}</td>
          <td class="figure">${t("group.of", { n: number(one.matches_won), all: number(one.matches) })}</td>
        </tr>`)}</tbody>
      </table>
    </div>
  </section>`;
}

/** The page. */
export default function Group({ params: { code } }) {
  const { value: found, error, again } = useLoaded(() => get(`/api/tables/${encodeURIComponent(code)}/statistics`), [code]);
  const link = useLink(code);
  if (!found) return html`<div class="stack reading"><h1 tabindex="-1">${t("group.title")}</h1><${Waiting} error=${error} again=${again} /></div>`;
  return html`<div class="stack reading">
    <h1 tabindex="-1">${found.title || t("group.title")}</h1>
    <p class="mark">${found.hands ? t("group.lead", { matches: plural("group.n_matches", found.matches), hands: plural("group.n_hands", found.hands) }) : t("group.none")}</p>
    <section class="panel stack tight" aria-labelledby="again-title">
      <h2 id="again-title">${t("group.again")}</h2>
      <p>${t("group.how")}</p>
      <p class="link-text">${link}</p>
      <div class="row">
        <${Link} href=${`/t/${code}`} class="button primary">${t("group.go")}<//>
        ${link && html`<${CopyButton} text=${link} label=${t("lobby.copy")} />`}
      </div>
      <${OnlyHere} link=${link} />
    </section>
    <div class="figure-panels">${found.people.map((one, i) => html`<${Person} key=${i} one=${one} code=${code} />`)}</div>
    ${found.partners.length ? html`<${Pairs} found=${found} />` : null}
    ${!here?.isHere() && html`<${Beside} code=${code} /><${Ratings} code=${code} />`}
  </div>`;
}
