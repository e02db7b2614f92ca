// A hint: what is best and why, and on demand what else there is.
import { botName } from "../../components/bots.js";
import { IconButton } from "../../components/common.js";
import { Terms } from "../../components/lazy.js";
import { plural, t } from "../../core/i18n.js";
import { html } from "../../core/ui.js";
import { reasonText, Alternatives } from "../advice.js";
import { actionText, choiceText } from "../words.js";

// What else there is, the best first, each as a sentence: how much less one's side is expected to get.
function others(table, { action, alternatives }) {
  const best = alternatives.find((one) => one.action === action) ?? alternatives[0];
  return alternatives.filter((one) => one.action !== best.action).map((one) => {
    const less = Math.round(best.margin - one.margin);
    const what = choiceText(table, one.action);
    return less > 0 ? plural("hint.less", less, { what }) : t("hint.even", { what });
  });
}

/** The hint, and the ways to follow it and to put it away. */
export function HintBox({ table, hint, room }) {
  const { action, alternatives, why, reason, about, by } = hint;
  return html`<div class="hint">
    <div class="hint-head">
      <p role="status"><strong>${actionText(table, action)}</strong> <${Terms} text=${reasonText({ code: why, text: reason, about }, table.rules.options.pack)} /></p>
      <button type="button" class="button primary chip" onClick=${() => room.act(action)}>${t("hint.do")}</button>
      <${IconButton} icon="close" label=${t("shell.close")} onClick=${room.forgetHint} />
    </div>
    ${alternatives.length > 1 && html`<details key=${action}>
      <summary>${t("hint.others")}</summary>
      <ul class="plain">${others(table, hint).map((text) => html`<li key=${text}>${text}</li>`)}</ul>
      <details>
        <summary>${t("hint.figures")}</summary>
        <p class="mark">${t("alternatives.how")} ${t("hint.by", { name: botName(by) })}</p>
        <${Alternatives} table=${table} alternatives=${alternatives} best=${action} />
      </details>
    </details>`}
  </div>`;
}
