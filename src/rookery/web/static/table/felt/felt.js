// The middle of the table: the nest before the play, then the trick, which stays until it is seen.
import { Back, Face } from "../../cards/face.js";
import { cardName } from "../../cards/names.js";
import { plural, t } from "../../core/i18n.js";
import { settings } from "../../core/settings.js";
import { html, useEffect, useRef, useState, useStore } from "../../core/ui.js";
import { actsNow, nameOf, seating, sorted } from "../snapshot.js";
import { statementText } from "../words.js";

const TRICK_STAYS = 1300; // a finished trick is left in peace so long, though the next is led

/** Return {cards, winner, waitsForTap, release}: what lies in the middle, and how to clear a trick that waits for a tap. */
function useTrick(table) {
  const { view } = table;
  const { stay } = useStore(settings);
  const [released, release] = useState(0);
  const [, again] = useState(0);
  const since = useRef({ hand: null, count: 0, at: 0 });
  const count = view.tricks.length;
  if (since.current.hand !== table.hand_number || since.current.count > count) {
    since.current = { hand: table.hand_number, count, at: 0 };
  } else if (since.current.count < count) since.current = { hand: table.hand_number, count, at: Date.now() };
  const { at } = since.current;
  const left = stay === "tap" ? (at && released < at ? Infinity : 0) : Math.max(0, at + TRICK_STAYS - Date.now());
  useEffect(() => {
    if (!left || left === Infinity || !view.trick.length) return undefined;
    const timer = setTimeout(() => again((n) => n + 1), left + 20);
    return () => clearTimeout(timer);
  }, [count, view.trick.length, left > 0]);
  const last = view.tricks[count - 1];
  const showsLast = last && last.cards && (left > 0 || !view.trick.length);
  if (!showsLast) return { cards: view.trick, winner: null, waitsForTap: false, number: count };
  return {
    cards: last.cards,
    winner: last.winner,
    waitsForTap: stay === "tap" && view.trick.length > 0,
    release: () => release(Date.now()),
    number: count - 1,
  };
}

function where(index, count) {
  const turn = Math.PI / 2 + (2 * Math.PI * index) / count;
  return { "--x": Math.cos(turn).toFixed(3), "--y": Math.sin(turn).toFixed(3) };
}

function Nest({ table }) {
  const { view } = table;
  if (view.phase === "nest" && actsNow(table) && view.nest_found && view.nest_found.length) {
    return html`<div class="nest">
      <p>${t("own_cards.nest")}</p>
      <div class="nest-cards apart">
        ${sorted(view.nest_found, table).map((card) => html`<${Face} key=${card} card=${card} rules=${table.rules.options} />`)}
      </div>
    </div>`;
  }
  const open = view.nest_face_up;
  const hidden = Math.max(0, view.nest_size - open.length);
  if (view.phase !== "auction" || !view.nest_size) return null;
  return html`<div class="nest">
    <p>${plural("table.nest", view.nest_size)}</p>
    <div class="nest-cards">
      ${open.map((card) => html`<${Face} key=${card} card=${card} rules=${table.rules.options} />`)}
      ${Array.from({ length: hidden }, (_, i) => html`<${Back} key=${i} />`)}
    </div>
  </div>`;
}

/** The middle of the table. */
export function Felt({ table }) {
  const { view } = table;
  const { cards, winner, waitsForTap, release, number } = useTrick(table);
  const places = seating(table);
  const statement = view.nest_statement !== null && !view.tricks.length && !view.trick.length ? statementText(view.nest_statement) : "";
  return html`<div class="felt">
    <${Nest} table=${table} />
    ${view.nest_face_up.length && view.phase !== "auction" && !view.tricks.length && !view.trick.length
      ? html`<p class="felt-note">${plural("table.nest_shown", view.nest_face_up.length)}</p>`
      : null}
    ${statement && html`<p class="felt-note">${statement}</p>`}
    <ul class=${`trick n-${places.length}`} aria-label=${t("table.trick")} key=${number}>
      ${cards.map(
        ({ place, card }) => html`<li key=${card} class=${`lain ${place === winner ? "winner" : ""}`}
          style=${where(places.indexOf(place), places.length)}>
          <${Face} card=${card} rules=${table.rules.options} quiet=${true} />
          <span class="unseen">${t("table.lain", { name: nameOf(table, place), card: cardName(card, table.rules.options.pack) })}</span>
        </li>`,
      )}
    </ul>
    ${winner !== null && cards.length
      ? html`<p class="taken">${t("say.trick", { name: nameOf(table, winner) })}</p>`
      : null}
    ${waitsForTap && html`<button type="button" class="button primary release" onClick=${release}>${t("table.seen")}</button>`}
  </div>`;
}
