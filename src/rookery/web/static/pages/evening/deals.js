// What all tables made of each prepared deal, when the evening is over.
import { get } from "../../core/api.js";
import { number, plural, t } from "../../core/i18n.js";
import { html, useEffect, useState } from "../../core/ui.js";
import { Face } from "../../cards/face.js";
import { callName } from "../../cards/names.js";
import { Waiting, useLoaded } from "../../components/loading.js";
import { bidName } from "../../table/words.js";
import { namesOf, seatName } from "./said.js";
import { pathOf } from "./told.js";

const LOOK_AGAIN = 5_000; // milliseconds until it is asked again whether the expert bot has finished

function contractOf({ declarer, bid, call }, seats) {
  if (declarer === null) return t("evening.line_none");
  return t("evening.line_contract", { seat: seatName(seats, declarer), bid: [bidName(bid), call && callName(call)].filter(Boolean).join(" · ") });
}

function openText({ open_points: points, open_made: made }) {
  if (made === null) return null;
  const came = made ? "made" : "set";
  return points === null ? t(`evening.line_open.${came}`) : plural(`evening.line_points.${came}`, points);
}

function Line({ line, state, seats }) {
  if (state === "working") return html`<p class="mark" role="status">${t("evening.line_working")}</p>`;
  if (!line) return html`<p class="mark">${t("evening.line_absent")}</p>`;
  return html`<p><b>${t("evening.line_expert")}</b> ${contractOf(line, seats)}${line.scores.length ? html`: <b>${line.scores.map(number).join(" : ")}</b>` : ""}</p>
    ${openText(line) && html`<p class="mark">${openText(line)}</p>`}`;
}

function Cards({ open }) {
  const row = (title, cards) => html`<h3 key=${title}>${title}</h3>
    <div class="shown-cards" key=${`cards ${title}`}>${cards.map((card) => html`<${Face} key=${card} card=${card} rules=${open.options} />`)}</div>`;
  const seats = open.cards.length;
  return html`<details>
    <summary>${t("evening.deal_cards")}</summary>
    ${open.cards.map((cards, seat) => row(seat === open.dealer ? t("evening.dealer", { seat: seatName(seats, seat) }) : seatName(seats, seat), cards))}
    ${open.nest.length > 0 && row(t("evening.nest"), open.nest)}
  </details>`;
}

function Deal({ code, evening, deal, person }) {
  const { value, error, again } = useLoaded(() => get(`${pathOf(code)}/deals/${deal}`), [deal]);
  const working = value?.open?.line_state === "working";
  // It takes its time, and others wait for it too.
  useEffect(() => {
    if (!working) return undefined;
    const timer = setInterval(() => document.hidden || again(), LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [value, error]);
  if (error?.status === 404) return html`<p class="mark none">${t("evening.deal_unplayed")}</p>`;
  if (value?.deal !== deal) return html`<${Waiting} error=${error} again=${again} />`;
  const { open } = value;
  return html`<table class="standings two">
    <caption class="unseen">${t("evening.deal", { n: deal })}</caption>
    <thead><tr>
      <th scope="col">${t("evening.side.0")}</th><th scope="col">${t("evening.side.1")}</th>
      <th scope="col" class="figure">${t("evening.col.points")}</th><th scope="col" class="figure">%</th>
    </tr></thead>
    <tbody>${value.results.map(({ people, scores, percent }) => html`<tr key=${people.join()} class=${people.flat().includes(person) ? "own" : ""}>
      <th scope="row">${namesOf(evening, people[0])}</th><td>${namesOf(evening, people[1])}</td>
      <td class="figure"><b>${scores.map(number).join(" : ")}</b></td><td class="figure">${number(percent[0])}</td>
    </tr>`)}</tbody>
  </table>
  ${open && html`<${Line} line=${open.line} state=${open.line_state} seats=${open.cards.length} /><${Cards} key=${deal} open=${open} />`}`;
}

/** The prepared deals of an evening that is over, one at a time. */
export function Deals({ code, evening, person }) {
  const [deal, choose] = useState(1);
  const [open, setOpen] = useState(false);
  return html`<details class="panel" onToggle=${(event) => setOpen(event.target.open)}>
    <summary>${t("evening.deal_by_deal")}</summary>
    ${open && html`<div class="stack tight">
      <label class="field">${t("evening.which_deal")}
        <select value=${deal} onChange=${(event) => choose(Number(event.target.value))}>
          ${Array.from({ length: evening.deals }, (_, i) => html`<option key=${i} value=${i + 1}>${t("evening.deal", { n: i + 1 })}</option>`)}
        </select></label>
      <${Deal} code=${code} evening=${evening} deal=${deal} person=${person} />
      <p class="mark">${t("evening.percent_how")}</p>
    </div>`}
  </details>`;
}
