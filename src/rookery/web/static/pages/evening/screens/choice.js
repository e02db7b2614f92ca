// How a new evening is played: with real cards, or at tables on screens and how those go.
import { BotField, preferredBot, useBots } from "../../../components/bots.js";
import { number, plural, t } from "../../../core/i18n.js";
import { PACES, settings } from "../../../core/settings.js";
import { html, useStore } from "../../../core/ui.js";

const MOST_HANDS = 20;
const CLOCKS = [0, 15, 30, 60, 120];

/** What is chosen before anybody has. */
export const USUAL = { on: false, hands: "4", fill: true, pace: null, clock: "0", auto: true };

/** Return whether bots fill up the tables. */
export const isFilled = ({ on, fill }) => on && fill;

/** Return what the server is asked for, of what was `chosen` for so many `rounds`; null for real cards. */
export function screensOf(chosen, bot, rounds) {
  if (!chosen.on) return null;
  return {
    hands: Number(chosen.hands) || null, bot, fill: chosen.fill, pace: chosen.pace ?? settings.get().pace, clock: Number(chosen.clock) || null, auto: chosen.auto,
    rounds: Number(rounds) || null,
  };
}

/** Return {bots, bot}: the bots of the server, and the one that plays for whoever is not there; empty while nobody knows. */
export function useBot(wanted) {
  const { bot: saved } = useStore(settings);
  const found = useBots([saved], wanted);
  return { bots: found?.bots ?? [], bot: found ? preferredBot(found, saved) : "" };
}

function Select({ label, name, value, set, choices, help }) {
  return html`<label class="field"><span>${label}</span>
    <select name=${name} onChange=${(event) => set(event.target.value)}>
      ${choices.map(([id, words]) => html`<option key=${id} value=${id} selected=${String(id) === String(value)}>${words}</option>`)}
    </select>${help && html`<small>${help}</small>`}</label>`;
}

/** The field for how many hands a round has, 0 for a whole game. */
export function Hands({ value, set, help }) {
  const choices = [[0, t("evening.screens.whole_game")], ...Array.from({ length: MOST_HANDS }, (_, i) => [i + 1, plural("evening.screens.hands", i + 1, { n: number(i + 1) })])];
  return html`<${Select} label=${t("evening.screens.hands_a_round")} name="hands" value=${value} set=${set} choices=${choices} help=${help} />`;
}

/** The choice; `prepared` where the tables play prepared deals, whose number is chosen elsewhere. */
export function Choice({ chosen, change, bots, bot, prepared }) {
  const { pace: savedPace } = useStore(settings);
  const way = (on, key) => html`<label class="switch"><input type="radio" name="screens" checked=${chosen.on === on} onChange=${() => change({ on })} />
    <span>${t(`evening.${key}`)}<br /><small>${t(`evening.${key}_how`)}</small></span></label>`;
  const check = (key) => html`<label class="switch"><input type="checkbox" name=${key} checked=${chosen[key]} onChange=${(event) => change({ [key]: event.target.checked })} />
    <span>${t(`evening.screens.${key}`)}<br /><small>${t(`evening.screens.${key}_how`)}</small></span></label>`;
  return html`<fieldset class="stack tight">
      <legend>${t("evening.cards")}</legend>
      ${way(false, "real")}${way(true, "screens")}
    </fieldset>
    ${chosen.on && html`<fieldset class="stack on-screens">
      <legend class="unseen">${t("evening.screens")}</legend>
      ${!prepared && html`<${Hands} value=${chosen.hands} set=${(n) => change({ hands: n })} />`}
      <${Select} label=${t("lobby.clock")} name="clock" value=${chosen.clock} set=${(clock) => change({ clock })} help=${t("lobby.clock_how")}
        choices=${CLOCKS.map((n) => [n, n ? plural("lobby.seconds", n) : t("lobby.no_clock")])} />
      <${Select} label=${t("lobby.pace")} name="pace" value=${chosen.pace ?? savedPace} set=${(pace) => change({ pace })} choices=${PACES.map((pace) => [pace, t(`lobby.pace.${pace}`)])} />
      <${BotField} bots=${bots} value=${bot || "club"} />
      ${check("fill")}${check("auto")}
    </fieldset>`}`;
}
