// Which tables of an evening on screens have real cards, for whoever runs it.
import { t } from "../../../core/i18n.js";
import { html } from "../../../core/ui.js";
import { Refusal, useDoing } from "../place.js";
import { numbersOf } from "../said.js";
import { realOf } from "../told.js";

/** The tables by their numbers, to tap; it counts from the next round on. */
export function RealCards({ log, evening }) {
  const real = realOf(evening);
  const [busy, error, run] = useDoing();
  const numbers = [...new Set([...numbersOf(evening), ...real])].sort((a, b) => a - b);
  const change = (table) => run(() => log.act({ do: "real_cards", table, real: !real.includes(table) }));
  return html`<details class="real-cards">
    <summary>${t("evening.screens.real")}${real.length > 0 && html` <span class="tag">${real.join(", ")}</span>`}</summary>
    <div class="stack tight">
      <p id="real-how" class="mark">${t("evening.screens.real_how")}</p>
      <div class="picks" role="group" aria-label=${t("evening.screens.real")} aria-describedby="real-how">${numbers.map((n) => html`<label key=${n} class="switch">
        <input type="checkbox" checked=${real.includes(n)} disabled=${busy} onChange=${() => change(n)} /><span>${t("evening.table", { n })}</span></label>`)}</div>
      <${Refusal} error=${error} />
    </div>
  </details>`;
}
