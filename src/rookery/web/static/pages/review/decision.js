// One decision of a review: what it cost and what was better; and the board at that moment.
import { Terms } from "../../components/lazy.js";
import { t } from "../../core/i18n.js";
import { html } from "../../core/ui.js";
import { choiceText } from "../../table/words.js";
import { reasonText, Alternatives } from "../../table/advice.js";
import { actText } from "../replay/steps.js";
import { amount, costOf, isCostly } from "./words.js";
import { Link } from "../../core/router.js";
import { Waiting, getOnce, useLoaded } from "../../components/loading.js";
import { Board } from "../replay/board.js";

function openText({ open_cost: cost, open_by: by }) {
  if (cost === null) return t("review.open_unknown");
  if (cost < 0.05) return t("review.open_nothing");
  return t(by === "solver" ? "review.open_exact" : "review.open_tried", { points: amount(cost) });
}

function Opened({ table, decision }) {
  const { pack } = table.rules.options;
  return html`<div class="stack tight">
    <p>${decision.sure && html`<b>${t("review.better", { what: choiceText(table, decision.best) })}</b> `}<${Terms} text=${reasonText(decision.reason, pack)} /></p>
    ${decision.mistake && html`<p><${Terms} text=${reasonText(decision.mistake, pack)} /></p>`}
    <p class="mark">${t("review.alternatives_how")}</p>
    <${Alternatives} table=${table} alternatives=${decision.alternatives} best=${decision.sure ? decision.best : null} done=${decision.action} />
    <p class="mark">${openText(decision)}</p>
  </div>`;
}

/** The line, and its details when it is open, with `children` below them. */
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

/** Return the address of a finished hand's replay, `seat` null for all cards open. */
export const replayPath = (code, hand, seat) => `/api/replay/${encodeURIComponent(code)}/${hand}${seat === null ? "" : `?seat=${seat}`}`;

/** The board before action `at` of a hand, and the way into its replay. */
export function Moment({ code, hand, at, seat }) {
  const path = replayPath(code, hand, seat);
  const { value, error, again } = useLoaded(() => getOnce(path), [path]);
  const query = new URLSearchParams(seat === null ? { at } : { at, seat });
  return html`<section class="stack tight" aria-label=${t("review.moment")}>
    ${value ? html`<${Board} hand=${value} index=${at} />` : html`<${Waiting} error=${error} again=${again} />`}
    <p><${Link} class="button" href=${`/replay/${code}/${hand}?${query}`}>${t("review.step")}<//></p>
  </section>`;
}
