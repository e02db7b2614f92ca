// Short dialogs of the table.
import { Face } from "../../cards/face.js";
import { Dialog } from "../../components/dialog.js";
import { hrefOf } from "../../core/base.js";
import { t } from "../../core/i18n.js";
import { PACES, change } from "../../core/settings.js";
import { html } from "../../core/ui.js";
import { ChatPanel } from "../chat.js";
import { KEYS } from "../keys.js";
import { nameOf, seenCards } from "../snapshot.js";
import { trickText } from "../words.js";

/** The last trick, once more. */
export function LastTrickDialog({ table, onClose }) {
  const last = table.view.tricks[table.view.tricks.length - 1];
  return html`<${Dialog} title=${t("table.last_trick")} onClose=${onClose}>
    <p>${trickText(table, last)}</p>
    <ol class="trick-list">
      ${(last.cards || []).map(
        ({ place, card }) => html`<li key=${card} class=${place === last.winner ? "winner" : ""}>
          <${Face} card=${card} rules=${table.rules.options} /><span>${nameOf(table, place)}</span>
        </li>`,
      )}
    </ol>
  <//>`;
}

/** What only I may look at: the nest, my discards, the card I gave and the one I got; and what all have seen of the nest. */
export function OwnCardsDialog({ table, onClose }) {
  const { view, rules } = table;
  const row = (title, cards) =>
    cards && cards.length
      ? html`<h3>${title}</h3><div class="shown-cards">${cards.map((card) => html`<${Face} key=${card} card=${card} rules=${rules.options} />`)}</div>`
      : null;
  return html`<${Dialog} title=${t(seenCards(table))} onClose=${onClose}>
    ${!view.nest_found && row(t("own_cards.shown"), view.nest_face_up)} ${row(t("own_cards.nest"), view.nest_found)} ${row(t("own_cards.discards"), view.discards)}
    ${row(t("own_cards.gave"), view.gave && [view.gave])} ${row(t("own_cards.received"), view.received && [view.received])}
  <//>`;
}

/** Whom to accuse of a revoke. */
export function ChallengeDialog({ table, room, onClose }) {
  const accuse = async (seat) => {
    onClose();
    await room.ask({ type: "challenge", seat });
  };
  return html`<${Dialog} title=${t("table.challenge")} onClose=${onClose}>
    <p>${t("challenge.how")}</p>
    <div class="row">
      ${table.view.may_challenge.map(
        (seat) => html`<button type="button" class="button" key=${seat} onClick=${() => accuse(seat)}>${nameOf(table, seat)}</button>`,
      )}
    </div>
  <//>`;
}

/** Table talk on a phone. */
export function ChatDialog({ room, state, onClose }) {
  return html`<${Dialog} title=${t("chat.title")} onClose=${onClose}><${ChatPanel} room=${room} state=${state} /><//>`;
}

/** The keys. */
export function HelpDialog({ onClose, only = Object.values(KEYS) }) {
  return html`<${Dialog} title=${t("help.title")} onClose=${onClose}>
    <dl class="keys">
      <dt><kbd>←</kbd> <kbd>→</kbd></dt><dd>${t("help.arrows")}</dd>
      <dt><kbd>Enter</kbd></dt><dd>${t("help.enter")}</dd>
      <dt><kbd>Esc</kbd></dt><dd>${t("help.escape")}</dd>
      ${Object.entries(KEYS).map(([key, name]) => only.includes(name) && html`<dt key=${key}><kbd>${key}</kbd></dt><dd>${t(`help.${name}`)}</dd>`)}
    </dl>
    <p class="mark">${t("help.off")}</p>
    <p><a class="button" href=${hrefOf("/learn")} target="_blank">${t("help.learn")}</a></p>
  <//>`;
}

/** How fast bots play, and how long a finished trick stays: at this table, and at the next ones of this device. */
export function PaceDialog({ table, room, onClose }) {
  const choose = async (pace) => {
    if (!(await room.ask({ type: "table", pace }))) return;
    change({ pace });
    onClose();
  };
  return html`<${Dialog} title=${t("lobby.pace")} onClose=${onClose}>
    <p class="mark">${t("lobby.pace_how")}</p>
    <div class="row" role="group" aria-label=${t("lobby.pace")}>
      ${PACES.map((pace) => html`<button type="button" key=${pace} class=${`button ${pace === table.pace ? "picked" : ""}`}
        aria-pressed=${String(pace === table.pace)} onClick=${() => choose(pace)}>${t(`lobby.pace.${pace}`)}</button>`)}
    </div>
  <//>`;
}
