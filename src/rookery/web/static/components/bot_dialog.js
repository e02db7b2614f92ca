// Choosing who plays on a seat: the levels with a sentence each; characters, styles and older versions folded away.
import { BotState, botAbout, formatBot, parseBot } from "./bots.js";
import { Dialog } from "./dialog.js";
import { t } from "../core/i18n.js";
import { html, useState } from "../core/ui.js";

function Choice({ name, value, chosen, title, about, tag, set }) {
  return html`<label class="bot-choice">
    <input type="radio" name=${name} value=${value} checked=${chosen} onChange=${() => set(value)} />
    <span><b>${title}</b>${tag && html` <span class="tag">${tag}</span>`}${about && html`<small>${about}</small>`}</span>
  </label>`;
}

function Bots({ bots, id, set }) {
  return bots.map((bot) => html`<${Choice} key=${bot.id} name="bot" value=${bot.id} chosen=${bot.id === id} set=${set}
    title=${t(`bot.name.${bot.id}`)} about=${botAbout(bot.id)}
    tag=${bot.state === "ready" ? (bot.default ? t("bot.usual") : "") : t(`bot.tag.${bot.state}`)} />`);
}

// The first of the values is the usual one, and goes without saying.
function Fold({ option, title, values, options, words, set }) {
  if (values.length < 2) return null;
  const now = options[option] || values[0];
  return html`<details open=${now !== values[0]}>
    <summary>${title}</summary>
    <div class="stack tight">
      ${values.map((value, i) => html`<${Choice} key=${value} name=${option} value=${value} chosen=${value === now}
        set=${() => set({ ...options, [option]: i ? value : "" })} ...${words(value, i)} />`)}
    </div>
  </details>`;
}

const styleWords = (style) => ({ title: t(`bot.style.${style}`), about: t(`bot.style_about.${style}`) });
const versionWords = (version, i) => ({ title: i ? t("bot.version", { n: version }) : t("bot.newest") });

/** The dialog: `onChoose(name)` gets the bot that was chosen, null for none where `none` allows that. */
export function BotDialog({ title, bots, chosen, none = false, onChoose, onClose }) {
  const first = bots.find((bot) => bot.default) || bots[0];
  const [name, set] = useState(chosen || first.id);
  const { id, options } = parseBot(name);
  const bot = bots.find((one) => one.id === id) || first;
  const levels = bots.filter(({ kind }) => kind === "level");
  const characters = bots.filter(({ kind }) => kind !== "level");
  const submit = (event) => {
    event.preventDefault();
    onChoose(name);
    onClose();
  };
  return html`<${Dialog} title=${title} onClose=${onClose}>
    <form class="stack" onSubmit=${submit}>
      <fieldset class="stack tight">
        <legend class="unseen">${t("bot.levels")}</legend>
        <${Bots} bots=${levels} id=${id} set=${set} />
      </fieldset>
      <${BotState} bots=${bots} name=${name} />
      <${Fold} key=${`style ${id}`} option="style" title=${t("bot.style")} values=${bot.styles} options=${options} words=${styleWords} set=${(next) => set(formatBot(id, next))} />
      <${Fold} key=${`version ${id}`} option="version" title=${t("bot.versions")} values=${bot.versions} options=${options} words=${versionWords} set=${(next) => set(formatBot(id, next))} />
      ${characters.length > 0 && html`<details open=${characters.includes(bot)}>
        <summary>${t("bot.characters")}</summary>
        <div class="stack tight"><${Bots} bots=${characters} id=${id} set=${set} /></div>
      </details>`}
      <div class="row bot-take">
        <button class="button primary">${t("bot.take")}</button>
        ${none && html`<button type="button" class="button" onClick=${() => { onChoose(null); onClose(); }}>${t("lobby.no_bot")}</button>`}
      </div>
    </form>
  <//>`;
}
