// The players around the table: names, calls, cards, tricks and totals.
import { UnreadyTag } from "../../components/bots.js";
import { callSuit } from "../../cards/names.js";
import { SuitMark } from "../../cards/face.js";
import { number, plural, t } from "../../core/i18n.js";
import { Icon } from "../../components/icons.js";
import { lazy } from "../../components/lazy.js";
import { settings } from "../../core/settings.js";
import { html, Later, useRef, useStore } from "../../core/ui.js";
import { arePartners, levelOf, nameOf, seating, sideOf, teamOf, totalOf } from "../snapshot.js";
import { useVisibleLines } from "../muted.js";
import { bidName } from "../words.js";

const Said = lazy(() => import("../talk.js"), "Said");

const SeatFace = lazy(() => import("../../components/bird.js"), "SeatFace");

function lastWord(view, place) {
  const mine = view.calls.filter((text) => text.startsWith(`${place} bid`) || text.startsWith(`${place} pass`));
  const last = mine[mine.length - 1];
  if (!last) return null;
  const [, verb, bid] = last.split(" ");
  return verb === "pass" ? t("auction.pass") : bidName(bid === "sun" ? "sun" : Number(bid));
}

function marks(table, place) {
  const { view, you } = table;
  const seat = table.seats[place];
  const list = [];
  if (place === you) list.push(["you", t("table.you")]);
  if (seat && seat.kind === "person" && !seat.here) list.push(["warn", t(seat.stand_in ? "table.away_bot" : "table.away")]);
  if (place === view.dealer) list.push(["dealer", t("table.dealer")]);
  if (place === view.declarer) list.push(["declarer", t("table.declarer")]);
  // One word is enough, or a plate would grow in the middle of a hand.
  if (place === view.dummy) list.push(["dummy", t("table.dummy_mark")]);
  else if (you !== null && arePartners(table, you, place)) list.push(["partner", t("table.partner")]);
  else if (place !== view.declarer && teamOf(table, place) === null && sideOf(table, place) === "declarer") list.push(["ally", t("table.ally")]);
  return list;
}

function Plate({ table, place, where, bots, line, end }) {
  const { view } = table;
  const seat = table.seats[place];
  const tricks = view.tricks.filter((trick) => trick.winner === place).length;
  const turn = view.turn === place && table.phase === "playing";
  const level = levelOf(table, place);
  const word = view.phase === "auction" ? lastWord(view, place) : null;
  const suit = place === view.declarer ? callSuit(view.call) : null;
  return html`<li data-place=${place} class=${`plate at-${where} ${turn ? "turn" : ""} ${seat && !seat.here && seat.kind === "person" ? "gone" : ""}`}>
    <span class="plate-name"><span class="plate-face"><${Later} of="face" meanwhile=${null}><${SeatFace} seat=${seat} level=${level} meanwhile=${html`<${Icon} name=${seat && seat.kind === "person" ? "person" : "bot"} />`} /><//></span><b>${nameOf(table, place)}</b>${level ? html` <small class="level">${level}</small>` : null}${seat && seat.kind === "bot" ? html`<span class="unseen">${t("table.bot")}</span>` : null}</span>
    <span class="plate-facts">
      <span title=${plural("table.cards_held", view.hand_sizes[place])}><span aria-hidden="true">▮${number(view.hand_sizes[place])}</span>
        <span class="unseen">${plural("table.cards_held", view.hand_sizes[place])}</span></span>
      ${view.phase !== "auction" && html` <span title=${plural("table.tricks_won", tricks)}><span aria-hidden="true">✓${number(tricks)}</span>
        <span class="unseen">${plural("table.tricks_won", tricks)}</span></span>`}
      ${seat && html` <span class="total" title=${t("table.total")}><span class="unseen">${t("table.total")} </span>${number(totalOf(table, place))}</span>`}
      ${seat && seat.kind === "bot" && html`<${UnreadyTag} bots=${bots} name=${seat.bot} />`}
    </span>
    <span class=${`plate-marks ${place === view.declarer && view.bid !== null ? "bidder" : ""}`}>
      ${marks(table, place).map(([kind, text]) => html`<span class=${`tag ${kind}`} key=${kind}>${text}</span>`)}
      ${place === view.declarer && view.bid !== null ? html`<span class="tag bid-tag">${bidName(view.bid)}${suit && html`<${SuitMark} suit=${suit} />`}</span>` : null}
      ${word && html`<span class=${`tag word ${place === view.high_bidder ? "high" : ""}`}>${word}</span>`}
    </span>
    ${turn && html`<span class="unseen">${t("table.turn")}</span>`}
    ${line && html`<${Said} key=${line.seq} line=${line} end=${end} meanwhile=${null} />`}
  </li>`;
}

// Mine below; of the others, clockwise, some on the left, some above, some on the right.
const SHARES = [[0, 0, 0], [0, 1, 0], [1, 0, 1], [1, 1, 1], [1, 2, 1], [1, 3, 1], [2, 2, 2], [2, 3, 2], [2, 4, 2]];

/** Return the places on the left (from below), above and on the right (from above). */
export function sides(table) {
  const [me, ...others] = seating(table);
  const [left, top] = SHARES[others.length];
  return { me, left: others.slice(0, left), top: others.slice(left, left + top), right: others.slice(left + top) };
}

/** The plates, in the order of play; `bots` are those that the server knows, and `chat` is what was said. */
export function Plates({ table, bots, chat = [] }) {
  const { me, left, top, right } = sides(table);
  const { chatMuted } = useStore(settings);
  const since = useRef(table.seq); // what was said before somebody came, or was shown, is in the talk alone
  const seen = (seq) => {
    since.current = Math.max(since.current, seq);
  };
  if (chatMuted && chat.length) seen(chat.at(-1).seq);
  const lines = useVisibleLines(chat);
  const said = chatMuted ? [] : lines.filter((line) => line.seq > since.current);
  const plate = (where) => (place) => html`<${Plate} key=${place} table=${table} place=${place} where=${where} bots=${bots}
    line=${said.filter((line) => line.from === place).at(-1)} end=${seen} />`;
  return html`
    <ul class="plates left" aria-label=${t("table.players_left")}>${left.map(plate("left"))}</ul>
    <ul class="plates top-row" aria-label=${t("table.players_top")}>${top.map(plate("top"))}</ul>
    <ul class="plates right" aria-label=${t("table.players_right")}>${right.map(plate("right"))}</ul>
    <ul class="plates own" aria-label=${t(table.you === null ? "table.players_near" : "table.players_own")}>${[me].map(plate("own"))}</ul>
  `;
}
