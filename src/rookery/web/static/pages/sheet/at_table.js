// The table of an evening whose hands are on a sheet: whether its score is the sheet's total.
import { plural, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useState } from "../../core/ui.js";
import { reasonOf } from "../../components/common.js";

/** What the table has as its score, and for whoever may say that: this is the result. */
export function AtTable({ log, state }) {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState(null);
  const { table, hands } = state.told;
  const counted = hands.some(({ scored }) => scored?.score && !scored.extra);
  const ready = table.may_score && !table.same && table.state !== "disputed" && counted && (!table.prepared || !table.lacks) && !state.waiting.length;
  const say = async () => {
    setBusy(true);
    setError(null);
    await log.result().catch(setError);
    setBusy(false);
  };
  const kind = table.prepared ? "deals" : "hands";
  const words = () => {
    if (!table.may_score) return t("score.table_others");
    if (table.state === "disputed") return t("score.table_disputed");
    if (table.same) return t(`score.table_${table.state}`);
    if (table.state === "open") return table.lacks ? plural(`score.lacks_${kind}`, table.lacks) : t("score.table_open");
    return t("score.table_other");
  };
  return html`<section class="panel stack tight at-table" aria-labelledby="at-table">
    <h2 id="at-table">${t("score.table", { n: table.table, round: table.round })}</h2>
    <p role="status">${words()}</p>
    ${error && html`<p class="wrong" role="alert">${reasonOf(error)}</p>`}
    <div class="row">
      ${ready && html`<button type="button" class=${`button ${state.told.winners.length ? "primary" : ""}`} disabled=${busy} onClick=${say}>${t("score.this_result")}</button>`}
      <${Link} href=${state.evening?.includes("/t/") ? `/e/${state.evening}` : `/e/${table.evening}`} class="button">${t("score.to_evening")}<//>
    </div>
  </section>`;
}
