// What could be done, and what is to be expected of each: for a hint and for a match looked at again.
import { number, t } from "../../core/i18n.js";
import { html } from "../../core/ui.js";
import { choiceText } from "../words.js";

/** Return points, as exact as they are worth reading: whole ones from ten on, tenths below. */
export const points = (n) => number(Math.abs(n) < 10 ? Math.round(n * 10) / 10 : Math.round(n));

/** Return a share of one in per cent; a dash where there is none. */
export const percent = (share) => (share === null ? "–" : t("weighed.percent", { n: number(Math.round(100 * share)) }));

/** Return how one's side is expected to stand: "12 ahead", "3.5 behind", "even". */
export function standing(margin) {
  const n = points(Math.abs(margin));
  if (n === number(0)) return t("weighed.even");
  return t(margin > 0 ? "weighed.ahead" : "weighed.behind", { n });
}

/** The table; `best` and `done` are actions that are marked by a word. */
export function Weighed({ table, alternatives, best, done = null }) {
  return html`<div class="sheet-box" tabindex="0" role="region" aria-label=${t("weighed.title")}>
    <table class="sheet weighed loose">
      <thead><tr>
        <th scope="col">${t("weighed.choice")}</th>
        <th scope="col" class="figure">${t("weighed.expected")}</th>
        <th scope="col" class="figure">${t("weighed.making")}</th>
      </tr></thead>
      <tbody>${alternatives.map((one) => html`<tr key=${one.action}>
        <th scope="row">${choiceText(table, one.action)}
          ${one.action === best && html` <span class="tag">${t("weighed.best")}</span>`}
          ${one.action === done && html` <span class="tag">${t("weighed.done")}</span>`}
        </th>
        <td class="figure">${standing(one.margin)}</td>
        <td class="figure">${percent(one.making)}</td>
      </tr>`)}</tbody>
    </table>
  </div>`;
}
