// What is printed to deal the same cards by hand at every table: slips of the cards, and cards of the movement.
import { apart, needWords, t } from "../../../core/i18n.js";
import { html } from "../../../core/ui.js";
import { suitLetter } from "../../../cards/names.js";
import { namesOf } from "./seats.js";
import { seatName } from "../said.js";

await needWords("beside/evening");

const SUITS = { R: "red", G: "green", Y: "yellow", B: "black" };

// A card as its corner says it; other packs than the Rook deck say it in their own letters.
const cardText = (card) => (card in { RK: 1, JK: 1 } ? t(`print.card.${card}`) : /^[RGYB]\d/.test(card) ? `${suitLetter(SUITS[card[0]])}${card.slice(1)}` : card);
const placeName = ({ hands }, seats, place) => (place < seats ? seatName(seats, place) : place < hands.length ? t("print.blind") : t("evening.nest"));
const rangeOf = (deals) => (deals.length > 1 ? `${deals[0]}–${deals.at(-1)}` : String(deals[0]));

function Paper({ kind, children }) {
  return html`<section class=${`paper paper-${kind}`}><h2>${t(`print.kind.${kind}`)}</h2><p class="mark">${t(`print.how.${kind}`)}</p>${children}</section>`;
}

function Slip({ evening, deal, what, dealer, children }) {
  return html`<article class="dealing"><h3>${what}</h3><p>${[apart(evening.name), t("evening.deal", { n: deal.number }), dealer].filter(Boolean).join(" · ")}</p>${children}</article>`;
}

const dealerOf = (deal, seats) => t("print.dealer", { seat: seatName(seats, deal.dealer) });

/** A slip for each hand and the nest, for people who do not play. */
export function Hands({ evening, slips, seats }) {
  const each = (deal) => [...deal.hands, deal.nest].map((cards, place) => cards.length > 0 && html`<${Slip} key=${`${deal.number} ${place}`} evening=${evening} deal=${deal}
    what=${placeName(deal, seats, place)} dealer=${dealerOf(deal, seats)}><p class="of-cards">${cards.map(cardText).join("  ")}</p><//>`);
  return html`<${Paper} kind="hands"><div class="dealings">${slips.deals.map(each)}</div><//>`;
}

const Steps = ({ words }) => html`<ol class="steps">${words.map((word, i) => html`<li key=${i}><small>${i + 1}.</small> <b>${word}</b></li>`)}</ol>`;

/** The order of each pack, for whoever puts it so. */
export function Orders({ evening, slips }) {
  return html`<${Paper} kind="orders"><div class="dealings">${slips.deals.map((deal) => html`<${Slip} key=${deal.number} evening=${evening} deal=${deal} what=${t("print.order")}>
    <${Steps} words=${deal.order.map(cardText)} /><//>`)}</div><//>`;
}

/** Where each card of an ordered pack goes, for whoever deals it. */
export function Dealing({ evening, slips, seats }) {
  return html`<${Paper} kind="dealing"><div class="dealings">${slips.deals.map((deal) => html`<${Slip} key=${deal.number} evening=${evening} deal=${deal} what=${t("print.dealing")} dealer=${dealerOf(deal, seats)}>
    <${Steps} words=${deal.piles.map((place) => placeName(deal, seats, place))} /><//>`)}</div><//>`;
}

function Plan({ heading, heads, rows }) {
  return html`<article class="score-form"><h3>${heading}</h3>
    <table class="paper-grid" aria-label=${heading}><thead><tr>${heads.map((head) => html`<th key=${head} scope="col">${head}</th>`)}</tr></thead>
      <tbody>${rows.map(([first, ...more], i) => html`<tr key=${i}><th scope="row">${first}</th>${more.map((cell, at) => html`<td key=${at}>${cell}</td>`)}</tr>`)}</tbody></table>
  </article>`;
}

const sideName = (side) => t(`evening.side.${side}`);

/** Who comes to each table in each round, and with which deals. */
export function TableCards({ evening, slips }) {
  const numbers = [...new Set(slips.rounds.flat().map(({ table }) => table))].sort((a, b) => a - b);
  const row = (number) => (round, i) => {
    const at = round.find(({ table }) => table === number);
    return at ? [i + 1, rangeOf(at.deals), ...at.teams.map((team) => namesOf(evening, evening.teams[team]))] : [i + 1, "–", "–", "–"];
  };
  return html`<${Paper} kind="tables">${numbers.map((number) => html`<${Plan} key=${number} heading=${t("hall.table_n", { n: number })}
    heads=${[t("print.round"), t("print.deals"), sideName(0), sideName(1)]} rows=${slips.rounds.map(row(number))} />`)}<//>`;
}

/** Where each pair sits in each round, and against whom. */
export function PairCards({ evening, slips }) {
  const row = (pair) => (round, i) => {
    const at = round.find(({ teams }) => teams.includes(pair));
    if (!at) return [i + 1, t("hall.bye"), "–", "–", "–"];
    const side = at.teams.indexOf(pair);
    return [i + 1, at.table, sideName(side), rangeOf(at.deals), namesOf(evening, evening.teams[at.teams[1 - side]])];
  };
  return html`<${Paper} kind="pairs">${evening.teams.map((people, pair) => html`<${Plan} key=${pair} heading=${namesOf(evening, people)}
    heads=${[t("print.round"), t("hall.table"), t("print.side"), t("print.deals"), t("print.against")]} rows=${slips.rounds.map(row(pair))} />`)}<//>`;
}
