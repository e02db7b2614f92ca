// What is decided about a new table besides its rules; most of it can be changed there later.
import { post } from "../../core/api.js";
import { ALONE } from "../../core/base.js";
import { playBots } from "../../components/play_bots.js";
import { BotField, preferredBot, useBots } from "../../components/bots.js";
import { number, plural, t } from "../../core/i18n.js";
import { Problem } from "../../components/common.js";
import { go } from "../../core/router.js";
import { PACES, change as keep, settings } from "../../core/settings.js";
import { html, useState, useStore } from "../../core/ui.js";
import { NameField, doAs, useMe } from "../../components/name.js";

const CLOCKS = [0, 15, 30, 60, 120];

function Select({ label, value, set, choices, help }) {
  return html`<label class="field">
    <span>${label}</span>
    <select value=${value} onChange=${(event) => set(event.target.value)}>
      ${choices.map(([id, words]) => html`<option key=${id} value=${id} selected=${String(id) === String(value)}>${words}</option>`)}
    </select>
    ${help && html`<small>${help}</small>`}
  </label>`;
}

/** The form; a table is made and gone to when it is sent, which has to `wait` until the game is known. */
export function CreateForm({ rules, seats, gameName, wait }) {
  const { me, name, setName } = useMe();
  const { bot: savedBot, pace: savedPace } = useStore(settings);
  const botList = useBots([savedBot]);
  const [form, set] = useState({ title: "", open: false, count: null, pace: savedPace, clock: 0 });
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const change = (key) => (value) => set({ ...form, [key]: value });
  const bot = botList && preferredBot(botList, savedBot);
  const count = Math.min(form.count === null ? (ALONE ? seats : 0) : Number(form.count), seats - 1);

  const make = async () => {
    const wanted = {
      rules,
      title: form.title.trim(),
      open: form.open,
      bots: Array.from({ length: count }, () => bot),
      pace: form.pace,
      clock: Number(form.clock) || null,
    };
    return (await post("/api/tables", wanted)).code;
  };
  const goAfter = (made) => async (event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    keep({ pace: form.pace });
    try {
      go(`/t/${await doAs(name, made)}`);
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  const submit = goAfter(make);
  const alone = goAfter(() => playBots({ rules, seats, name: gameName }));
  return html`<form class="panel stack" onSubmit=${submit} aria-labelledby="form-title">
    <h2 id="form-title">${t("create.table")}</h2>
    ${me && !me.name && html`<${NameField} name=${name} setName=${setName} />`}
    ${!ALONE && html`<fieldset class="stack tight">
      <legend>${t("create.who")}</legend>
      <label class="switch">
        <input type="radio" name="open" checked=${!form.open} onChange=${() => change("open")(false)} />
        <span>${t("create.private")}</span>
      </label>
      <label class="switch">
        <input type="radio" name="open" checked=${form.open} onChange=${() => change("open")(true)} />
        <span>${t("create.open")}</span>
      </label>
    </fieldset>`}
    <div class="pair">
      <${Select} label=${t("create.bots")} value=${count} set=${change("count")}
        choices=${Array.from({ length: seats }, (_, n) => [n, n ? plural("create.bot_seats", n, { free: number(seats - 1 - n) }) : t("create.no_bots")])} />
      ${count > 0 && botList && html`<${BotField} bots=${botList.bots} value=${bot} />`}
    </div>
    <div class="pair">
      <${Select} label=${t("lobby.pace")} value=${form.pace} set=${change("pace")} choices=${PACES.map((pace) => [pace, t(`lobby.pace.${pace}`)])} />
      <${Select} label=${t("lobby.clock")} value=${form.clock} set=${change("clock")}
        choices=${CLOCKS.map((n) => [n, n ? plural("lobby.seconds", n) : t("lobby.no_clock")])} />
    </div>
    <label class="field">
      <span>${t("create.name")}</span>
      <input maxlength="60" value=${form.title} onInput=${(event) => change("title")(event.target.value)} />
    </label>
    ${error && html`<${Problem} error=${error} />`}
    <div class="row">
      <button class="button primary big" disabled=${busy || wait || (count > 0 && !botList)}>${t("create.make")}</button>
      <button type="button" class="button big" disabled=${busy || wait} onClick=${alone}>${t("create.alone")}</button>
    </div>
    <p class="mark">${t("create.later")}</p>
  </form>`;
}
