// The fields of the form of a hand: large enough for a thumb, and for keys alone.
import { number, t } from "../../core/i18n.js";
import { html, useRef } from "../../core/ui.js";
import { sum, typed } from "./said.js";

/** One of several, as large buttons: radio buttons, or with `many` check boxes. `choices` are [value, words]. */
export function Choice({ part, legend, help, choices, value, set, problem, many = false }) {
  const chosen = (one) => (many ? value.includes(one) : value === one);
  const pick = (one) => set(!many ? one : chosen(one) ? value.filter((other) => other !== one) : [...value, one]);
  return html`<fieldset class="asked stack tight" data-part=${part} aria-describedby=${problem ? `wrong-${part}` : undefined}>
    <legend>${legend}</legend>
    <div class="picks">
      ${choices.map(([one, words]) => html`<label key=${one} class=${`pick ${chosen(one) ? "chosen" : ""}`}>
        <input type=${many ? "checkbox" : "radio"} name=${part} checked=${chosen(one)} onChange=${() => pick(one)} /><span>${words}</span>
      </label>`)}
    </div>
    ${help && html`<small>${help}</small>`}
    <${Wrong} part=${part} text=${problem} />
  </fieldset>`;
}

/** What is wrong with a field, below it. */
export function Wrong({ part, text }) {
  return text ? html`<p id=${`wrong-${part}`} class="wrong">${text}</p>` : null;
}

/** A number, or with `sums` several of them: most phones show only figures then, so plus and minus stand beside it. */
export function Figure({ part, name, label, value, set, placeholder, problem, sums = false, wrong = part }) {
  const box = useRef(null);
  const insert = (sign) => {
    const { current } = box;
    const at = current.selectionStart ?? value.length;
    set(typed(`${value.slice(0, at)}${sign}${value.slice(current.selectionEnd ?? at)}`));
    current.focus();
    requestAnimationFrame(() => current.setSelectionRange(at + 1, at + 1));
  };
  const key = (sign, words) => html`<button type="button" class="button sign" tabindex="-1" aria-label=${`${label}: ${words}`}
    onPointerDown=${(event) => event.preventDefault()} onClick=${() => insert(sign)}>${sign === "-" ? "−" : sign}</button>`;
  const clean = (text) => (sums ? typed(text) : text.replace(/\D/g, "").slice(0, 5));
  const total = sums ? sum(value) : null;
  return html`<div class="figure-field" data-part=${part}>
    <label class="field"><span>${label}</span>
      <input ref=${box} name=${name} class="large" inputmode="numeric" enterkeyhint="next" autocomplete="off" value=${value} placeholder=${placeholder}
        aria-invalid=${problem ? "true" : undefined} aria-describedby=${problem ? `wrong-${wrong}` : undefined}
        onInput=${(event) => {
          event.target.value = clean(event.target.value);
          set(event.target.value);
        }} />
    </label>
    ${sums && html`<div class="signs">${key("+", t("score.plus"))}${key("-", t("score.minus"))}
      <output class="sum">${total === null ? "" : `= ${number(total)}`}</output></div>`}
  </div>`;
}
