// Figures in panels: what a person, or a group, has played.
import { number, t } from "../../core/i18n.js";
import { html } from "../../core/ui.js";

/** Return a part of a whole as a percentage, "" of nothing. */
export const share = (part, all) => (all ? t("stats.share", { n: number(Math.round((100 * part) / all)) }) : "");
/** Return a mean with one decimal, a dash of nothing. */
export const mean = (sum, n) => (n ? number(Math.round((10 * sum) / n) / 10) : "–");

/** A panel of figures: a heading with a face, if there is one, and rows of name, value and a remark. */
export function Figures({ head, face = null, rows, children }) {
  return html`<section class="panel" aria-label=${head}>
    <h2>${face}${head}</h2>
    ${children}
    <dl class="figures">
      ${rows.map(([name, value, more]) => html`<div key=${name}><dt>${name}</dt><dd><b>${value}</b>${more && html` <small>${more}</small>`}</dd></div>`)}
    </dl>
  </section>`;
}
