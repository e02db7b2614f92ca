// One option in the editor: its name, what it means, a widget, the way back, and what is wrong.
import { Terms } from "../../components/lazy.js";
import { t } from "../../core/i18n.js";
import { html, useLayoutEffect, useRef } from "../../core/ui.js";
import { WIDGETS, isSingle } from "./widgets.js";
import { inNames, optionHelp, optionName } from "./words.js";

const LISTED = { several: "string", order: "string", ranks: "number", names: "string", specials: "object" };

// A file may hold anything; a widget is only shown a value of its own shape.
function fits(kind, value) {
  if (kind in LISTED) return Array.isArray(value) && value.every((one) => one !== null && typeof one === LISTED[kind]);
  if (["worth", "parts"].includes(kind)) return value !== null && typeof value === "object" && !Array.isArray(value);
  return true;
}

// A button that goes with what it did must not take the focus with it.
function useKeptFocus(now) {
  const box = useRef(null);
  const inside = useRef(false);
  useLayoutEffect(() => {
    if (inside.current && document.activeElement === document.body) box.current.focus();
  }, [now]);
  return {
    ref: box,
    tabindex: -1,
    onFocusIn: () => {
      inside.current = true;
    },
    onFocusOut: (event) => {
      if (event.relatedTarget && !box.current.contains(event.relatedTarget)) inside.current = false;
    },
  };
}

/** The field; `problems` are the server's texts for this option. */
export function Field({ field, options, base, changed, problems, set, reset }) {
  const { name } = field;
  const value = fits(field.kind, options[name]) ? options[name] : base[name];
  const kept = useKeptFocus(JSON.stringify(value));
  const id = `option-${name}`;
  const describedBy = [`${id}-help`, problems.length ? `${id}-problem` : ""].filter(Boolean).join(" ");
  const wrong = problems.length > 0;
  const words = optionName(name);
  const at = { id, "aria-describedby": describedBy, "aria-invalid": wrong ? "true" : undefined };
  const foot = html`
    <small id=${`${id}-help`}><${Terms} text=${optionHelp(name)} /></small>
    ${wrong && html`<p class="option-problem" id=${`${id}-problem`}>${problems.map(inNames).join(" ")}</p>`}
    ${changed && html`<button type="button" class="button quiet chip reset" aria-label=${`${t("editor.reset")}: ${words}`} onClick=${reset}>
      ${t("editor.reset")}
    </button>`}
  `;
  const state = `option ${changed ? "changed" : ""} ${wrong ? "wrong" : ""}`;
  const mark = changed && html` <span class="tag">${t("editor.changed")}</span>`;
  if (field.kind === "switch") {
    return html`<div class=${state} ...${kept}>
      <label class="switch">
        <input type="checkbox" checked=${value} ...${at} onChange=${(event) => set(event.target.checked)} />
        <span><b>${words}</b>${mark}</span>
      </label>
      ${foot}
    </div>`;
  }
  const Widget = WIDGETS[field.kind];
  if (isSingle(field)) {
    return html`<div class=${state} ...${kept}>
      <label for=${id}><b>${words}</b>${mark}</label>
      <${Widget} field=${field} value=${value} set=${set} options=${options} at=${at} />
      ${foot}
    </div>`;
  }
  return html`<fieldset class=${state} id=${id} aria-describedby=${describedBy} ...${kept}>
    <legend><b>${words}</b>${mark}</legend>
    <${Widget} field=${field} value=${value} set=${set} options=${options} at=${at} />
    ${foot}
  </fieldset>`;
}
