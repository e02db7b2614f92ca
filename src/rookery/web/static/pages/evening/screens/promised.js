// The prepared deals of an evening that the server deals: the fingerprint that binds them from the start, and at the end their key.
import { t } from "../../../core/i18n.js";
import { Link } from "../../../core/router.js";
import { html } from "../../../core/ui.js";

/** What was promised before the first round, and what it opens with. */
export function Promised({ code, evening }) {
  if (!evening.commitment) return null;
  return html`<details class="panel">
    <summary>${t("evening.promised")}</summary>
    <div class="stack tight">
      <p>${t(evening.key ? "evening.promised_shown" : "evening.promised_how")}</p>
      <dl class="proof"><dt>${t("deal.commitment")}</dt><dd>${evening.commitment}</dd>
        ${evening.key && html`<dt>${t("deal.key")}</dt><dd>${evening.key}</dd>`}</dl>
      <p class="row">${evening.key && html`<a class="button quiet" href=${`/api/evenings/${code}/opened`} download>${t("evening.promised_file")}</a>`}<${Link} href="/fair" class="button quiet">${t("evening.promised_more")}<//></p>
    </div>
  </details>`;
}
