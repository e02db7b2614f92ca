// What the host decides about a table: its title, who may find it, its pace and clock.
import { ALONE } from "../../core/base.js";
import { plural, t } from "../../core/i18n.js";
import { PACES } from "../../core/settings.js";
import { html } from "../../core/ui.js";

const CLOCKS = [0, 15, 30, 60, 120];

/** The fields; each is sent when it is changed. */
export function TableSettings({ table, room }) {
  const put = (some) => room.ask({ type: "table", ...some });
  const clock = table.clock || 0;
  const clocks = CLOCKS.includes(clock) ? CLOCKS : [...CLOCKS, clock];
  return html`<div class="stack">
    <label class="field">
      <span>${t("lobby.name")}</span>
      <input maxlength="60" defaultValue=${table.title} onChange=${(event) => put({ title: event.target.value.trim() })} />
    </label>
    <label class="field">
      <span>${t("lobby.pace")}</span>
      <select value=${table.pace} onChange=${(event) => put({ pace: event.target.value })}>
        ${PACES.map(
          (pace) => html`<option key=${pace} value=${pace} selected=${pace === table.pace}>${t(`lobby.pace.${pace}`)}</option>`,
        )}
      </select>
      <small>${t("lobby.pace_how")}</small>
    </label>
    <label class="field">
      <span>${t("lobby.clock")}</span>
      <select value=${clock} onChange=${(event) => put({ clock: Number(event.target.value) })}>
        ${clocks.map(
          (n) => html`<option key=${n} value=${n} selected=${n === clock}>${n ? plural("lobby.seconds", n) : t("lobby.no_clock")}</option>`,
        )}
      </select>
      <small>${t("lobby.clock_how")}</small>
    </label>
    ${!ALONE && html`<label class="switch">
      <input type="checkbox" checked=${table.open} onChange=${(event) => put({ open: event.target.checked })} />
      <span>${t("lobby.open")}</span>
    </label>`}
  </div>`;
}
