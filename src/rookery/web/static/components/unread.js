// What waited here and the server cannot read: an older page of Rookery wrote it, or somebody by hand. Nothing of it is lost.
import { t } from "../core/i18n.js";
import { isUnread } from "../core/outbox.js";
import { html } from "../core/ui.js";

const MOST = 300; // characters of it that are shown

/** Each of them: where it belongs, as `placeOf(entry)` says, what it says, and what the server says against it. */
export function Unread({ state, drop, placeOf }) {
  return state.waiting.filter(isUnread).map(({ entry, problem }) => {
    const { id, ...said } = entry;
    return html`<div key=${id} class="problem unread" role="alert">
      <p><b>${placeOf(entry) ?? t("score.unread_place")}:</b> ${t("score.unread")}</p>
      <p>${t("score.unread_said")} <code>${JSON.stringify(said).slice(0, MOST)}</code></p>
      ${problem.reason && html`<p>${t("score.unread_why")} <code>${problem.reason}</code></p>`}
      <div class="row"><button type="button" class="button" onClick=${() => drop(id)}>${t("score.drop")}</button></div>
    </div>`;
  });
}
