// How well I play with strangers, and those I sit with who want it known; off until I switch it on.
import { Problem } from "../../components/common.js";
import { Waiting, useLoaded } from "../../components/loading.js";
import { get, put } from "../../core/api.js";
import { number, signed, t } from "../../core/i18n.js";
import { html, useRef, useState } from "../../core/ui.js";

const WHERE = "/api/session/ratings";
const tenth = (n) => signed(Math.round(10 * n) / 10);

// Figures by game; with `who`, of several people.
function Figures({ name, rows, who }) {
  return html`<div class="sheet-box" tabindex="0" role="region" aria-label=${name}>
    <table class="sheet">
      <thead><tr>
        <th scope="col">${who ? t("ratings.who") : t("stats.game")}</th>
        <th scope="col" class="figure">${t("ratings.points")}</th><th scope="col" class="figure">${t("stats.matches")}</th>
      </tr></thead>
      <tbody>${rows.map((one) => html`<tr key=${one.name + one.family}>
        <th scope="row">${who ? html`${one.name} <small class="mark">${t(`ratings.family_${one.family}`)}</small>` : t(`ratings.family_${one.family}`)}</th>
        <td class="figure">${tenth(one.points)} <small>${t("ratings.within", { n: number(one.ci95) })}</small></td>
        <td class="figure">${number(one.matches)}</td>
      </tr>`)}</tbody>
    </table>
  </div>`;
}

/** Return a switch that the server keeps at an address: {said, wish, problem, say, change}. */
export function useSwitch(where) {
  const [said, say] = useState(null); // what the server has answered last
  const [wish, want] = useState(null); // how it has been set, until that is answered
  const [problem, fail] = useState(null);
  // One after the other, so that the last press counts; until that is answered it stands as it was pressed.
  const last = useRef(Promise.resolve());
  const change = (on) => {
    fail(null);
    want(on);
    const isLast = () => last.current === mine;
    const mine = last.current.then(() => put(where, { on })).then(say, (refused) => isLast() && fail(refused)).then(() => isLast() && want(null));
    last.current = mine;
  };
  return { said, wish, problem, say, change };
}

/** The section of my statistics: the switch, and my own figures. */
export function Strangers() {
  const { value, error, again } = useLoaded(() => get(WHERE));
  const { said, wish, problem, change } = useSwitch(WHERE);
  const found = said || value;
  return html`<section class="panel stack tight" aria-labelledby="strangers-title">
    <h2 id="strangers-title">${t("strangers.title")}</h2>
    <p>${t("strangers.what")}</p>
    ${!found ? html`<${Waiting} error=${error} again=${again} />` : html`
      <label class="switch">
        <input type="checkbox" checked=${wish ?? found.on} onChange=${(event) => change(event.target.checked)} />
        <span>${t("strangers.mine")}</span>
      </label>
      <p class="mark" role="status">${!found.on ? t("strangers.off") : found.mine.length ? t("strangers.how") : t("strangers.none")}</p>
      ${problem ? html`<${Problem} error=${problem} />` : null}
      ${found.mine.length ? html`<${Figures} name=${t("ratings.points")} rows=${found.mine} />` : null}`}
  </section>`;
}

/** The section of a table's page: the strangers who sit there with me; nothing where there are none. */
export function Beside({ code }) {
  const { value } = useLoaded(() => get(`${WHERE}?table=${encodeURIComponent(code)}`), [code]);
  if (!value || !value.others.length) return null;
  return html`<section class="panel stack tight" aria-labelledby="strangers-title">
    <h2 id="strangers-title">${t("strangers.beside")}</h2>
    <p class="mark">${t("strangers.how")}</p>
    <${Figures} name=${t("ratings.points")} rows=${[...value.mine, ...value.others]} who />
  </section>`;
}
