// A hint: what is best and why, and on demand what else there is.
import { botName } from "../../components/bots.js";
import { t } from "../../core/i18n.js";
import { html } from "../../core/ui.js";
import { reasonText, Alternatives } from "../advice.js";
import { actionText } from "../words.js";

/** The hint; `close` takes it away. */
export function HintBox({ table, hint, close }) {
  const { action, alternatives, why, reason, about, by } = hint;
  return html`<div class="hint">
    <p role="status"><strong>${actionText(table, action)}</strong> ${reasonText({ code: why, text: reason, about }, table.rules.options.pack)}</p>
    ${alternatives.length > 1 && html`<details key=${action}>
      <summary>${t("hint.others")}</summary>
      <p class="mark">${t("alternatives.how")} ${t("hint.by", { name: botName(by) })}</p>
      <${Alternatives} table=${table} alternatives=${alternatives} best=${action} />
    </details>`}
    <button type="button" class="button chip" onClick=${close}>${t("shell.close")}</button>
  </div>`;
}
