// What all tables made of each prepared deal, when the evening is over.
import { get } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { html, useState } from "../../core/ui.js";
import { Waiting, useLoaded } from "../../components/loading.js";
import { plain } from "../sheet/said.js";
import { namesOf } from "./said.js";
import { pathOf } from "./told.js";

function Deal({ code, evening, number, person }) {
  const { value, error, again } = useLoaded(() => get(`${pathOf(code)}/deals/${number}`), [number]);
  if (error?.status === 404) return html`<p class="mark none">${t("evening.deal_unplayed")}</p>`;
  if (value?.deal !== number) return html`<${Waiting} error=${error} again=${again} />`;
  return html`<table class="standings">
    <caption class="unseen">${t("evening.deal", { n: number })}</caption>
    <thead><tr>
      <th scope="col">${t("evening.side.0")}</th><th scope="col">${t("evening.side.1")}</th>
      <th scope="col" class="figure">${t("evening.col.points")}</th><th scope="col" class="figure">%</th>
    </tr></thead>
    <tbody>${value.results.map(({ people, scores, percent }) => html`<tr key=${people.join()} class=${people.flat().includes(person) ? "own" : ""}>
      <th scope="row">${namesOf(evening, people[0])}</th><td>${namesOf(evening, people[1])}</td>
      <td class="figure"><b>${scores.map(plain).join(" : ")}</b></td><td class="figure">${plain(percent[0])}</td>
    </tr>`)}</tbody>
  </table>`;
}

/** The prepared deals of an evening that is over, one at a time. */
export function Deals({ code, evening, person }) {
  const [number, setNumber] = useState(1);
  const [open, setOpen] = useState(false);
  return html`<details class="panel" onToggle=${(event) => setOpen(event.target.open)}>
    <summary>${t("evening.deal_by_deal")}</summary>
    ${open && html`<div class="stack tight">
      <label class="field">${t("evening.which_deal")}
        <select value=${number} onChange=${(event) => setNumber(Number(event.target.value))}>
          ${Array.from({ length: evening.deals }, (_, i) => html`<option key=${i} value=${i + 1}>${t("evening.deal", { n: i + 1 })}</option>`)}
        </select></label>
      <${Deal} code=${code} evening=${evening} number=${number} person=${person} />
      <p class="mark">${t("evening.percent_how")}</p>
    </div>`}
  </details>`;
}
