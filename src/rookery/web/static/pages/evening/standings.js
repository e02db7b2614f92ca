// Who is ahead: of the people, and of the pairs that play prepared deals.
import { number, t } from "../../core/i18n.js";
import { html } from "../../core/ui.js";
import { isKnockout, nameOf, namesOf, placeAmong } from "./said.js";

const place = (n) => t("evening.place", { n });
const ranked = (evening) => t(`evening.ranked_${isKnockout(evening) ? "knockout" : evening.movement === "swiss" ? "wins" : "points"}`);

/** The standings, with the line of `person` marked. */
export function Standings({ evening, person }) {
  if (!evening.standings.some((one) => one.games)) return html`<p class="mark none">${t("evening.no_scores")}</p>`;
  return html`<table class="standings">
    <caption class="unseen">${t("evening.standings")}</caption>
    <thead><tr>
      <th scope="col"><span class="unseen">${t("evening.col.place")}</span></th><th scope="col">${t("evening.col.name")}</th>
      <th scope="col" class="figure">${t("evening.col.points")}</th><th scope="col" class="figure">${t("evening.col.games")}</th><th scope="col" class="figure">${t("evening.col.wins")}</th>
    </tr></thead>
    <tbody>${evening.standings.map((one) => html`<tr key=${one.person} class=${one.person === person ? "own" : ""}>
      <td class="figure soft">${place(placeAmong(evening, one.place))}</td>
      <th scope="row">${nameOf(evening, one.person)}${evening.people[one.person]?.bot && html` <span class="tag">${t("evening.tag.bot")}</span>`}${one.person === person && html` <span class="tag">${t("evening.you")}</span>`}</th>
      <td class=${`figure ${one.points < 0 ? "minus" : ""}`}><b>${number(one.points)}</b></td><td class="figure">${one.games}</td><td class="figure">${number(one.wins / 2)}</td>
    </tr>`)}</tbody>
  </table>
  <p class="mark none">${ranked(evening)}</p>`;
}

function PairTable({ evening, pairs, person, caption }) {
  return html`<table class="standings">
    <caption class=${caption ? "" : "unseen"}>${caption || t("evening.pairs")}</caption>
    <thead><tr>
      <th scope="col"><span class="unseen">${t("evening.col.place")}</span></th><th scope="col">${t("evening.col.pair")}</th>
      <th scope="col" class="figure">${t("evening.col.a_deal")}</th><th scope="col" class="figure">%</th>
    </tr></thead>
    <tbody>${pairs.map((one) => html`<tr key=${one.people.join()} class=${one.people.includes(person) ? "own" : ""}>
      <td class="figure soft">${place(one.place)}</td>
      <th scope="row">${namesOf(evening, one.people)}${one.people.includes(person) && html` <span class="tag">${t("evening.you")}</span>`}</th>
      <td class=${`figure ${one.points_a_deal < 0 ? "minus" : ""}`}><b>${number(one.points_a_deal)}</b></td><td class="figure">${number(one.percent)}</td>
    </tr>`)}</tbody>
  </table>`;
}

/** What pairs have made of the same cards as others; two rankings where nobody changes sides. */
export function Pairs({ evening, person }) {
  if (!evening.pairs.length) return null;
  const sides = [...new Set(evening.pairs.map(({ side }) => side))];
  return html`<section class="panel stack tight" aria-labelledby="pairs-title">
    <h2 id="pairs-title">${t("evening.pairs")}</h2>
    <p class="mark">${t("evening.pairs_how")}</p>
    ${sides.map((side) => html`<${PairTable} key=${String(side)} evening=${evening} person=${person} pairs=${evening.pairs.filter((one) => one.side === side)}
      caption=${side === null ? "" : t(`evening.side.${side}`)} />`)}
  </section>`;
}
