// How bots play, as a field: the level with its sentence, and a button to choose another.
import { BotState, botAbout, botName } from "./bots.js";
import { t } from "../core/i18n.js";
import { later } from "./lazy.js";
import { change } from "../core/settings.js";
import { html, useState } from "../core/ui.js";

const BotDialog = later(() => import("./bot_dialog.js"), "BotDialog");

/** The field; what is chosen is kept on this device. */
export function BotField({ bots, value }) {
  const [open, setOpen] = useState(false);
  return html`<div class="field">
    <span id="bot-label">${t("bot.how")}</span>
    <button type="button" class="button bot-button" aria-haspopup="dialog" aria-labelledby="bot-label bot-value" onClick=${() => setOpen(true)}>
      <span id="bot-value">${botName(value)}</span>
    </button>
    <small>${botAbout(value)}</small>
    <${BotState} bots=${bots} name=${value} />
    ${open && html`<${BotDialog} title=${t("bot.how")} bots=${bots} chosen=${value} take=${(bot) => change({ bot })} onClose=${() => setOpen(false)} />`}
  </div>`;
}
