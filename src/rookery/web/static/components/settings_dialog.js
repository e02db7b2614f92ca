// The settings of this device.
import { birds, Portrait } from "./bird.js";
import { Dialog } from "./dialog.js";
import { LANGUAGES, t } from "../core/i18n.js";
import { CHOICES, change, settings } from "../core/settings.js";
import { html, useStore } from "../core/ui.js";

const SWITCHES = ["animation", "sound", "forced", "shortcuts", "chatMuted"];

function Choice({ name, value }) {
  return html`<label class="field">
    <span>${t(`settings.${name}`)}</span>
    <select value=${value} onChange=${(event) => change({ [name]: event.target.value })}>
      ${CHOICES[name].map(
        (one) => html`<option key=${one} value=${one} selected=${one === value}>${t(`settings.${name}.${one}`)}</option>`,
      )}
    </select>
  </label>`;
}

function FaceChoice({ chosen }) {
  const face = chosen ?? "";
  const choice = (one, label) => html`<label key=${one} class="face-choice" title=${label}>
    <input type="radio" name="face" value=${one} checked=${one === face} onChange=${() => change({ face: one })} />
    ${one ? html`<${Portrait} name=${one} face=${one} />` : html`<span aria-hidden="true">A</span>`}
    <span class="unseen">${label}</span>
  </label>`;
  return html`<details class="faces">
    <summary>${t("settings.face")}: ${face || t("settings.face.initial")}</summary>
    <fieldset aria-label=${t("settings.face")}>${["", ...birds].map((one) => choice(one, one || t("settings.face.initial")))}</fieldset>
  </details>`;
}

/** The dialog. */
export function SettingsDialog({ onClose }) {
  const now = useStore(settings);
  return html`<${Dialog} title=${t("shell.settings")} onClose=${onClose}>
    <div class="stack">
      <label class="field">
        <span>${t("settings.language")}</span>
        <select value=${now.language} onChange=${(event) => change({ language: event.target.value })}>
          <option value="auto" selected=${now.language === "auto"}>${t("settings.language.auto")}</option>
          ${Object.entries(LANGUAGES).map(
            ([tag, name]) => html`<option key=${tag} value=${tag} lang=${tag} selected=${tag === now.language}>${name}</option>`,
          )}
        </select>
      </label>
      ${Object.keys(CHOICES).map((name) => html`<${Choice} key=${name} name=${name} value=${now[name]} />`)}
      <${FaceChoice} chosen=${now.face} />
      ${SWITCHES.map(
        (name) => html`<label class="switch" key=${name}>
          <input type="checkbox" checked=${now[name]} onChange=${(event) => change({ [name]: event.target.checked })} />
          <span>${t(`settings.${name}`)}</span>
        </label>`,
      )}
      <p class="mark">${t("shell.marks")}</p>
    </div>
  <//>`;
}
