// After a hand, and after the match.
import { Face } from "../../cards/face.js";
import { ALONE } from "../../core/base.js";
import { Dialog } from "../../components/dialog.js";
import { Terms, seldom } from "../../components/lazy.js";
import { isHere } from "../../core/here.js";
import { announce } from "../../core/announce.js";
import { list, number, plural, signed, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useEffect, useState } from "../../core/ui.js";
import { useCountdown } from "../countdown.js";
import { columns, isHost, nameOf, totalOf } from "../snapshot.js";
import { overText, stoppedText } from "../words.js";
import { SaveLink } from "./save_link.js";
import { Sheet } from "./sheet.js";
import { Sources, verdictText } from "./verdict.js";

const HandIn = seldom(() => import("../offline/hand_in.js"), "HandIn");

/** All cards of a hand that is over. */
export function LaidOpen({ table }) {
  const { laid_open: open } = table.view;
  const [looked, look] = useState(false);
  if (!open) return null;
  const options = table.rules.options;
  const row = (title, cards) =>
    cards.length
      ? html`<h3>${title}</h3><div class="shown-cards">${cards.map((card) => html`<${Face} key=${card} card=${card} rules=${options} />`)}</div>`
      : null;
  // All cards of the deck are drawn for whoever wants to see them.
  return html`<details onToggle=${() => look(true)}>
    <summary>${t("over.all_cards")}</summary>
    ${looked && [...open.deal.map((cards, place) => row(nameOf(table, place), cards)), row(t("over.nest"), open.nest), row(t("over.discards"), open.discards)]}
  </details>`;
}

function Scores({ table }) {
  const { score } = table.view;
  if (!score) return null;
  return html`<ul class=${`scores ${columns(table).length > 2 ? "many" : ""}`}>
    ${columns(table).map((seats) => {
      const n = score[seats[0]];
      return html`<li key=${seats[0]}>
        <span>${list(seats.map((seat) => nameOf(table, seat)))}</span>
        <b class=${n < 0 ? "minus" : ""}>${signed(n)}</b>
        <span class="mark">${t("over.total", { n: number(totalOf(table, seats[0])) })}</span>
      </li>`;
    })}
  </ul>`;
}

// The people whose word the next hand waits for.
const waitedFor = (table) =>
  table.seats.flatMap((seat, i) => (seat.kind === "person" && seat.here && !table.ready.includes(i) ? [nameOf(table, i)] : []));

const dealtButton = (table, open) =>
  table.proof && html`<button type="button" class="button quiet" onClick=${() => open("deal")}>${t("deal.title")}</button>`;

const dailyLink = () => (ALONE ? null : html`<${Link} href="/daily" class="button quiet">${t("over.daily")}<//>`);

// With others the next hand comes by itself; whoever is alone is waited for.
function Countdown({ table }) {
  const left = useCountdown(table.turn_since, Math.ceil(table.pause / 1000), table.turn_seen);
  return html`<p class="mark" role="timer">${plural("over.deals_in", left)}</p>`;
}

function useVerdict(table) {
  const verdict = verdictText(table);
  useEffect(() => announce(verdict), [table.hand_number]);
  return verdict;
}

/** The result of a hand before, for whoever has not read it in time. */
export function ResultDialog({ table, onClose }) {
  return html`<${Dialog} title=${t("table.last_hand")} onClose=${onClose}>
    <div class="stack">
      <p><b><${Terms} seats=${table.seats} text=${verdictText(table)} /></b></p>
      <${Sources} table=${table} />
      <${Scores} table=${table} />
      <${LaidOpen} table=${table} />
    </div>
  <//>`;
}

/** What the hand came to, and the way to the next. */
export function HandOver({ table, room, open }) {
  const { view, you, host_asked: asked } = table;
  const wanted = asked ? you !== null && you === table.host : you !== null && !table.ready.includes(you);
  const waits = () => t(you === null ? "over.waiting" : "over.waiting_for", { names: list(waitedFor(table)) });
  const verdict = useVerdict(table);
  return html`<section class="panel stack over" aria-labelledby="over-title">
    <h2 id="over-title"><${Terms} seats=${table.seats} text=${view.phase === "redealt" ? t("over.redealt") : verdict} /></h2>
    <${Sources} table=${table} />
    <${Scores} table=${table} />
    ${asked && html`<p>${stoppedText(table)}</p>`}
    <div class="row next">
      ${wanted
        ? html`<button type="button" class="button primary big" onClick=${() => room.ask({ type: "next" })}>${t(asked ? "over.deal_on" : "over.next")}</button>`
        : !asked && html`<p class="mark">${waits()}</p>`}
      ${table.pause != null && html`<${Countdown} table=${table} />`}
      ${dealtButton(table, open)}
      ${wanted && table.pause == null && !asked && dailyLink()}
    </div>
    <${LaidOpen} table=${table} />
  </section>`;
}

// Prepared deals may still be played elsewhere: when nobody does any more, the evening shows the way to them.
const isShut = ({ evening }) => Boolean(evening?.deals.length);

function Again({ table, room }) {
  if (table.evening) return null; // the evening says what comes next
  return isHost(table) || (table.you !== null && !table.seats[table.host]?.here)
    ? html`<button type="button" class="button primary big" onClick=${() => room.ask({ type: "rematch" })}>${t("over.rematch")}</button>`
    : html`<p class="mark">${t("over.wait_host", { name: nameOf(table, table.host) })}</p>`;
}

/** Who won, and again. */
export function MatchOver({ table, room, wide, open }) {
  const verdict = useVerdict(table);
  return html`<section class="panel stack over" aria-labelledby="over-title">
    <h2 id="over-title">${overText(table)}</h2>
    <p><${Terms} seats=${table.seats} text=${verdict} /></p>
    <${Sources} table=${table} />
    <${Scores} table=${table} />
    ${!wide && html`<${Sheet} table=${table} />`}
    <div class="row">
      <${Again} table=${table} room=${room} />
      ${!isShut(table) && html`<${Link} href=${`/review/${table.code}/${table.match_number}`} class="button">${t("over.review")}<//>
        <${Link} href=${`/replay/${table.code}/${table.hand_number}`} class="button">${t("over.replay")}<//>
        <${SaveLink} path=${`/api/tables/${table.code}/record`} name=${`${table.code}.json`}>${t("over.record")}<//>`}
      ${dealtButton(table, open)}
      ${!table.evening && html`${dailyLink()}
        <${Link} href="/" class="button quiet">${t("shell.home")}<//>`}
    </div>
    ${isHere() && !ALONE && html`<${HandIn} code=${table.code} />`}
    ${table.rules.options.rotation === "deal_left_partners_redrawn" ? html`<p class="mark">${t("over.redrawn")}</p>` : null}
    <${LaidOpen} table=${table} />
  </section>`;
}
