// One decision of a review: what was done and what it cost; opened, what was better, why, and by how much.
import { t } from "../../core/i18n.js";
import { html } from "../../core/ui.js";
import { choiceText } from "../../table/words.js";
import { reasonText } from "../../table/reasons.js";
import { Weighed } from "../../table/decide/weighed.js";
import { actText } from "../replay/steps.js";
import { amount, costOf, isCostly } from "./words.js";

function openText({ open_cost: cost, open_by: by }) {
  if (cost === null) return t("review.open_unknown");
  if (cost < 0.05) return t("review.open_nothing");
  return t(by === "solver" ? "review.open_exact" : "review.open_tried", { points: amount(cost) });
}

function Opened({ table, decision }) {
  const { pack } = table.rules.options;
  return html`<div class="stack tight">
    <p>${decision.sure && html`<b>${t("review.better", { what: choiceText(table, decision.best) })}</b> `}${reasonText(decision.reason, pack)}</p>
    ${decision.mistake && html`<p>${reasonText(decision.mistake, pack)}</p>`}
    <p class="mark">${t("review.weighed")}</p>
    <${Weighed} table=${table} alternatives=${decision.alternatives} best=${decision.sure ? decision.best : null} done=${decision.action} />
    <p class="mark">${openText(decision)}</p>
  </div>`;
}

/** The line, and what is below it when it is open; `children` stand under all. */
export function Decision({ table, decision, part, by, open, toggle, children }) {
  const cost = costOf(decision, by);
  const id = `decision-${decision.action_index}`;
  return html`<li class=${`decision ${open ? "open" : ""}`}>
    <button type="button" class="button" id=${id} aria-expanded=${String(open)} onClick=${toggle}>
      <span class="decision-said"><small>${part}${decision.turning ? ` · ${t("review.turned")}` : ""}</small>
        ${actText(table, `${decision.turn} ${decision.action}`, true)}</span>
      <b class="decision-cost">${isCostly(decision, by) ? t("review.minus", { points: amount(cost) }) : t(cost === null ? "review.unknown" : "review.fine")}</b>
    </button>
    ${open && html`<div class="decision-body stack tight"><${Opened} table=${table} decision=${decision} />${children}</div>`}
  </li>`;
}
