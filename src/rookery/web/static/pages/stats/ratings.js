// How well the people of a table play who want to be rated there; off until somebody switches it on.
import { botSeat } from "../../components/bots.js";
import { Waiting, useLoaded } from "../../components/loading.js";
import { Problem } from "../../components/common.js";
import { get } from "../../core/api.js";
import { apart, list, number, plural, signed, t } from "../../core/i18n.js";
import { html, useEffect, useLayoutEffect } from "../../core/ui.js";
import { useSwitch } from "./strangers.js";

const AGAIN = 2_000; // milliseconds until it is asked again what is being worked out

const tenth = (n) => signed(Math.round(10 * n) / 10);
const figure = (one) => html`<td class="figure">${tenth(one.points)} <small>${t("ratings.within", { n: number(one.ci95) })}</small></td>`;

/** What the figures say of somebody's place; nothing where they say nothing yet. */
const place = ({ ahead, behind }) =>
  [ahead && plural("ratings.ahead", ahead), behind && plural("ratings.behind", behind)].filter(Boolean).join(" · ") || t("ratings.open");

function Table({ name, head, rows }) {
  return html`<div class="sheet-box" tabindex="0" role="region" aria-label=${name}>
    <table class="sheet">
      <thead><tr>${head.map((one, i) => html`<th key=${i} scope="col" class=${i ? "figure" : ""}>${one}</th>`)}</tr></thead>
      <tbody>${rows}</tbody>
    </table>
  </div>`;
}

function Family({ one }) {
  const name = t(`ratings.family_${one.family}`);
  const people = one.people.map((person, i) => html`<tr key=${i}>
    <th scope="row">${apart(person.name)}<small class="mark">${one.people.length > 1 ? ` ${place(person)}` : ""}</small></th>
    ${figure(person)}<td class="figure">${number(person.hands)}</td>
  </tr>`);
  const pairs = one.pairs.map((pair) => html`<tr key=${pair.pair.join()}>
    <th scope="row">${list(pair.pair.map((at) => one.people[at].name))}</th>
    ${figure(pair.together)}${figure(pair.partner)}<td class="figure">${number(pair.hands)}</td>
  </tr>`);
  const bots = one.bots.map((bot) => html`<tr key=${bot.bot}>
    <th scope="row">${botSeat(bot.bot)}</th>${figure(bot)}<td class="figure">${number(bot.hands)}</td>
  </tr>`);
  const points = t("ratings.points");
  const hands = t("stats.hands");
  return html`<div class="stack tight">
    <h3>${name}</h3>
    ${people.length ? html`<${Table} name=${name} head=${[t("ratings.who"), points, hands]} rows=${people} />` : null}
    ${pairs.length ? html`<${Table} name=${t("group.partners")} head=${[t("group.names"), points, t("ratings.more"), hands]} rows=${pairs} />` : null}
    ${bots.length ? html`<${Table} name=${t("ratings.bots")} head=${[t("ratings.bots"), points, hands]} rows=${bots} />` : null}
  </div>`;
}

/** The section of a group's page. */
export function Ratings({ code }) {
  const where = `/api/tables/${encodeURIComponent(code)}/ratings`;
  const { value, error, again } = useLoaded(() => get(where), [code]);
  const { said, wish, problem, say, change } = useSwitch(where);
  useEffect(() => say(null), [value]);
  const found = said || value;
  const working = Boolean(found) && found.done < found.whole;
  // At once: a look from before may be answered in the moment in which something newer has been drawn.
  useLayoutEffect(() => {
    if (!working || wish !== null) return undefined;
    let wanted = true;
    let soon = 0;
    const look = () => get(where).then((answer) => wanted && say(answer), () => wanted && later());
    const later = () => {
      soon = setTimeout(look, AGAIN);
    };
    later();
    return () => {
      wanted = false;
      clearTimeout(soon);
    };
  }, [found, wish]);
  return html`<section class="panel stack tight" aria-labelledby="ratings-title">
    <h2 id="ratings-title">${t("ratings.title")}</h2>
    <p>${t("ratings.what")}</p>
    ${!found ? html`<${Waiting} error=${error} again=${again} />` : html`
      ${found.may || found.mine || wish !== null ? html`<label class="switch">
        <input type="checkbox" checked=${wish ?? found.mine} onChange=${(event) => change(event.target.checked)} />
        <span>${t("ratings.mine")}</span>
      </label>` : null}
      ${problem ? html`<${Problem} error=${problem} />` : null}
      <p class="mark" role="status">${found.people ? plural("ratings.people", found.people) : t("ratings.nobody")}${working ? ` ${t("ratings.working", { n: number(found.done), all: number(found.whole) })}` : ""}</p>
      ${found.families.filter((one) => one.people.length).map((one) => html`<${Family} key=${one.family} one=${one} />`)}
      ${found.families.some((one) => one.people.length) ? html`<p class="mark">${t("ratings.how")}</p>` : null}`}
  </section>`;
}
