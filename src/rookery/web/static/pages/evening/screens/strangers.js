// A table of an evening, for whoever has no seat there: where to say who one is, and why nobody may look on.
import { get } from "../../../core/api.js";
import { needWords, t } from "../../../core/i18n.js";
import { Link } from "../../../core/router.js";
import { html } from "../../../core/ui.js";
import { reasonOf } from "../../../components/common.js";
import { useLoaded } from "../../../components/loading.js";

await needWords("beside/evening");

const ToEvening = ({ evening }) => html`<p><${Link} href=${evening ? `/e/${evening}` : "/evening"} class="button primary big">${t("table.to_evening")}<//></p>`;

/** Where a seat is to be had, for whoever has no name here yet. */
export function OfEvening({ evening }) {
  return html`<div class="stack"><p>${t("table.of_evening")}</p><${ToEvening} evening=${evening} /></div>`;
}

/** The page where others still play the same deals. */
export function Hidden({ code, why }) {
  const { value } = useLoaded(() => get(`/api/tables/${encodeURIComponent(code)}`), [code]);
  return html`<div class="narrow stack">
    <h1 tabindex="-1">${t("table.hidden")}</h1>
    <p class="panel" role="status">${reasonOf(why)}</p>
    <${ToEvening} evening=${value?.evening} />
  </div>`;
}
