// A step of a replay as cards: the trick in the middle, a row for every place.
import { Back, Face, SuitMark } from "../../cards/face.js";
import { callSuit } from "../../cards/names.js";
import { needStyle } from "../../components/loading.js";
import { plural, t } from "../../core/i18n.js";
import { html, InTurn } from "../../core/ui.js";
import { levelOf, nameOf, seating, sideOf, sorted } from "../../table/snapshot.js";
import { bidName, contractText } from "../../table/words.js";
import { cardsOf, tableAt, trickAt } from "./steps.js";

await Promise.all([needStyle("table"), needStyle("table_small"), needStyle("board")]);

function Trick({ hand, index, table }) {
  const { cards, winner } = trickAt(hand, index);
  if (!cards.length) return html`<p class="mark waiting">${t("replay.no_trick")}</p>`;
  return html`<ol class="replay-trick" aria-label=${t("table.trick")}>
    ${cards.map(
      ({ place, card }) => html`<li key=${card} class=${place === winner ? "winner" : ""}>
        <${Face} card=${card} rules=${hand.rules.options} />
        <span>${nameOf(table, place)}</span>
        ${place === winner && html`<span class="tag">${t("replay.wins")}</span>`}
      </li>`,
    )}
  </ol>`;
}

function lastBid(view, place) {
  const mine = view.calls.filter((text) => /^\d+ (bid|pass)/.test(text) && Number(text.split(" ")[0]) === place);
  if (!mine.length) return null;
  const [, verb, bid] = mine[mine.length - 1].split(" ");
  return verb === "pass" ? t("auction.pass") : bidName(bid === "sun" ? "sun" : Number(bid));
}

function Place({ hand, index, table, place }) {
  const { view } = table;
  const cards = cardsOf(hand, index, place);
  const size = view.hand_sizes[place];
  const tricks = view.tricks.filter((trick) => trick.winner === place).length;
  const word = view.phase === "auction" ? lastBid(view, place) : null;
  const turn = view.turn === place && view.phase !== "done";
  const suit = place === view.declarer ? callSuit(view.call) : null;
  return html`<div role="group" class=${`replay-place ${turn ? "turn" : ""}`} aria-label=${nameOf(table, place)}>
    <h2>
      <span>${nameOf(table, place)}</span>
      ${levelOf(table, place) && html`<small>${levelOf(table, place)}</small>`}
      ${place === view.dealer && html`<span class="tag">${t("table.dealer")}</span>`}
      ${place === view.declarer && html`<span class="tag declarer">${t("table.declarer")} ${bidName(view.bid)}${suit && html`<${SuitMark} suit=${suit} />`}</span>`}
      ${place !== view.declarer && sideOf(table, place) === "declarer" && html`<span class="tag">${t("table.ally")}</span>`}
      ${place === view.dummy && html`<span class="tag">${t("table.dummy_mark")}</span>`}
      ${word && html`<span class="tag">${word}</span>`}
      ${view.tricks.length > 0 && html`<small>${plural("table.tricks_won", tricks)}</small>`}
    </h2>
    ${cards
      ? html`<div class="replay-cards">${sorted(cards, table).map((card) => html`<${Face} key=${card} card=${card} rules=${hand.rules.options} />`)}</div>`
      : html`<div class="replay-cards"><span class="unseen">${plural("table.cards_held", size)}</span>
          ${Array.from({ length: size }, (_, i) => html`<${Back} key=${i} />`)}</div>`}
  </div>`;
}

function Nest({ hand, index, table }) {
  const step = hand.steps[index];
  const { view } = table;
  const cards = step.nest || view.discards || (view.phase === "auction" || !view.nest_size ? view.nest_face_up : []);
  const hidden = Math.max(0, view.nest_size - cards.length);
  if (!view.nest_size && !cards.length) return null;
  return html`<div role="group" class="replay-place" aria-label=${t("over.nest")}>
    <h2>${t("over.nest")}</h2>
    <div class="replay-cards">
      ${cards.map((card) => html`<${Face} key=${card} card=${card} rules=${hand.rules.options} />`)}
      ${hidden > 0 && html`<span class="unseen">${plural("table.nest", view.nest_size)}</span>`}
      ${Array.from({ length: hidden }, (_, i) => html`<${Back} key=${i} />`)}
    </div>
  </div>`;
}

/** The board; `drawn` is called when all of it has been shown. */
export function Board({ hand, index, drawn }) {
  const table = tableAt(hand, index);
  const places = seating(table);
  const parts = [
    html`<div class="replay-middle" key="middle">
      <p class="replay-contract">${contractText(table) || t("table.no_bid_yet")}</p>
      <${Trick} hand=${hand} index=${index} table=${table} />
    </div>`,
    ...places.map((place) => html`<${Place} key=${place} hand=${hand} index=${index} table=${table} place=${place} />`),
    html`<${Nest} key="nest" hand=${hand} index=${index} table=${table} />`,
  ];
  return html`<div class="replay-board"><${InTurn} parts=${parts} drawn=${drawn} /></div>`;
}
