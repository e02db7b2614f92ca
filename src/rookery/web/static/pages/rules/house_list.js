// The house rules that this browser keeps, as a list of links.
import { t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html } from "../../core/ui.js";
import { kept, packed } from "./house_rules.js";

/** The list; `href` makes a link of packed rules. Nothing where nothing is kept. */
export function HouseList({ href }) {
  const mine = kept();
  if (!mine.length) return null;
  return html`<section class="stack tight" aria-labelledby="house-title">
    <h2 id="house-title">${t("rules.house")}</h2>
    <ul class="plain variants">
      ${mine.map(
        (rules) => html`<li key=${rules.name}><${Link} class="variant" href=${href(packed(rules))}><b>${rules.name}</b><//></li>`,
      )}
    </ul>
  </section>`;
}
