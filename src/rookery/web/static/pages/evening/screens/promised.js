// The prepared deals of an evening on screens: the fingerprint that binds them from the start, and at the end their key.
import { t } from "../../../core/i18n.js";
import { Link } from "../../../core/router.js";
import { html } from "../../../core/ui.js";

/** What was promised before the first round, and what it opens with. */
export function Promised({ screens }) {
  if (!screens?.commitment) return null;
  return html`<details class="panel">
    <summary>${t("evening.promised")}</summary>
    <div class="stack tight">
      <p>${t(screens.key ? "evening.promised_shown" : "evening.promised_how")}</p>
      <dl class="proof"><dt>${t("deal.commitment")}</dt><dd>${screens.commitment}</dd>
        ${screens.key && html`<dt>${t("deal.key")}</dt><dd>${screens.key}</dd>`}</dl>
      <p class="row"><${Link} href="/fair" class="button quiet">${t("evening.promised_more")}<//></p>
    </div>
  </details>`;
}
