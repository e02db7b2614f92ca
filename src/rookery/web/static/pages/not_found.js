// An address where nothing is.
import { needWords, t } from "../core/i18n.js";
import { Link } from "../core/router.js";
import { html } from "../core/ui.js";

await needWords("pages");

export const title = "not_found.title";

/** The page. */
export default function NotFound() {
  return html`<div class="narrow stack">
    <h1 tabindex="-1">${t("not_found.title")}</h1>
    <p>${t("not_found.why")}</p>
    <p class="row">
      <${Link} href="/" class="button primary">${t("shell.home")}<//>
      <${Link} href="/rules" class="button">${t("home.rules")}<//>
    </p>
  </div>`;
}
