// The middle of the table: the nest before the play, then the trick, which stays until it is seen.
import { Back, Face } from "../../cards/face.js";
import { cardName } from "../../cards/names.js";
import { worthOf } from "../../cards/suits.js";
import { number, plural, t } from "../../core/i18n.js";
import { settings } from "../../core/settings.js";
import { afterFrame, html, useEffect, useLayoutEffect, useRef, useState, useStore } from "../../core/ui.js";
import { actsNow, isDone, nameOf, seating, sorted } from "../snapshot.js";
import { statementText, trickText } from "../words.js";

const TRICK_STAYS = 1300; // a finished trick is left in peace so long, in milliseconds, though the next is led
const BROAD = 500; // pixels from which seven cards lie side by side
const SWEPT = 700; // and so long at least it lies aside once the next is led

/**
 * Return the tricks on the table, [{number, cards, winner, aside}], and {waitsForTap, release}: how to clear one that
 * waits for a tap. A finished trick lies in the middle until the next is led; then it makes room, so that it
 * hides nothing of what is asked.
 */
function useTricks(table) {
  const { view } = table;
  const { stay } = useStore(settings);
  const [released, release] = useState(0);
  const [, again] = useState(0);
  const since = useRef({ hand: null, count: 0, at: 0, led: 0 });
  const count = view.tricks.length;
  const led = view.trick.length > 0;
  if (since.current.hand !== table.hand_number || since.current.count > count) {
    since.current = { hand: table.hand_number, count, at: 0, led: 0 };
  } else if (since.current.count < count) since.current = { hand: table.hand_number, count, at: performance.now(), led: 0 };
  const now = since.current;
  if (!led) now.led = 0;
  else if (!now.led) now.led = performance.now();
  const waitsForTap = stay === "tap" && led && now.at > 0 && released < now.at;
  const lasts = Math.max(now.at + TRICK_STAYS - now.led, SWEPT);
  const left = now.at && led ? now.led + lasts - performance.now() : 0;
  useEffect(() => {
    if (left <= 0 || waitsForTap) return undefined;
    const timer = setTimeout(() => again((n) => n + 1), left + 20);
    return () => clearTimeout(timer);
  }, [count, led, left > 0, waitsForTap]);
  const last = view.tricks[count - 1];
  const kept = last && last.cards && (!led || waitsForTap || (stay !== "tap" && left > 0));
  const tricks = kept ? [{ number: count - 1, cards: last.cards, winner: last.winner, aside: led && !waitsForTap, lasts }] : [];
  if (led && !waitsForTap) tricks.push({ number: count, cards: view.trick, winner: null, aside: false });
  return { tricks, waitsForTap, release: () => release(performance.now()) };
}

// Cards are as large as the felt allows. Its size is told once it is known: with container units, which the browser
// tries out while it still looks for that size, every card would be laid out twice whenever anything changes.
function useSize() {
  const box = useRef(null);
  useLayoutEffect(() => {
    let known = false;
    const watch = new ResizeObserver(([{ contentRect: { width, height } }]) => {
      const tell = () => {
        if (!box.current) return;
        box.current.style.setProperty("--felt-wide", `${width}px`);
        box.current.style.setProperty("--felt-high", `${height}px`);
        box.current.classList.toggle("broad", width >= BROAD);
      };
      // Later it only changes with much else, a hand's result: then the cards follow in a task of their own.
      if (known) afterFrame(tell);
      else tell();
      known = true;
    });
    watch.observe(box.current);
    return () => watch.disconnect();
  }, []);
  return box;
}

// What lies further to the right or below lies on top, whoever played first: numbers stand on the left above.
function where(index, count) {
  const turn = Math.PI / 2 + (2 * Math.PI * index) / count;
  const [x, y] = [Math.cos(turn), Math.sin(turn)];
  return { "--x": x.toFixed(3), "--y": y.toFixed(3), "--z": String(Math.round(10 * x + 11 * y)) };
}

// Where a finished trick makes room, between its winner and the next place, and where it goes then: to its winner.
function sweep(index, count, lasts) {
  const room = where(index + 0.5, count);
  const winner = where(index, count);
  return { "--rx": room["--x"], "--ry": room["--y"], "--wx": winner["--x"], "--wy": winner["--y"], "--lasts": `${lasts}ms` };
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
  // What the declarer has taken stays in sight of the others until the play begins, as far as everybody has seen it.
  const open = view.nest_face_up;
  const lies = view.phase === "auction";
  const hidden = lies ? Math.max(0, view.nest_size - open.length) : 0;
  if (view.phase === "play" || isDone(table) || (!lies && view.nest_found) || !(open.length + hidden)) return null;
  return html`<div class="nest">
    <p>${lies ? plural("table.nest", view.nest_size) : plural("table.nest_shown", open.length)}</p>
    <div class="nest-cards">
      ${open.map((card) => html`<${Face} key=${card} card=${card} rules=${table.rules.options} />`)}
      ${Array.from({ length: hidden }, (_, i) => html`<${Back} key=${i} />`)}
    </div>
  </div>`;
}

/** The middle of the table. */
export function Felt({ table }) {
  const { view } = table;
  const { tricks, waitsForTap, release } = useTricks(table);
  const box = useSize();
  const places = seating(table);
  const gain = tricks.length && tricks[0].winner !== null ? tricks[0].cards.reduce((sum, { card }) => sum + worthOf(card, table.rules.options), 0) : 0;
  const statement = view.nest_statement !== null && !view.tricks.length && !view.trick.length ? statementText(view.nest_statement) : "";
  return html`<div class="felt" ref=${box} data-zone="felt">
    <${Nest} table=${table} />
    ${statement ? html`<p class="felt-note">${statement}</p>` : null}
    ${tricks.map(({ number: key, cards, winner, aside, lasts }) => html`<ul key=${key} class=${`trick n-${places.length} ${aside ? "aside" : ""}`}
      aria-label=${t(aside ? "table.last_trick" : "table.trick")}
      style=${winner === null ? {} : sweep(places.indexOf(winner), places.length, lasts)}>
      ${cards.map(
        ({ place, card }) => html`<li key=${card} data-lain=${card} class=${`lain ${place === winner ? "winner" : ""}`}
          style=${where(places.indexOf(place), places.length)}>
          <${Face} card=${card} rules=${table.rules.options} quiet=${true} />
          <span class="unseen">${t("table.lain", { name: nameOf(table, place), card: cardName(card, table.rules.options.pack) })}</span>
        </li>`,
      )}
    </ul>`)}
    ${tricks.length && tricks[0].winner !== null
      ? html`<p class="taken" key=${`taken ${tricks[0].number}`}>${trickText(table, tricks[0])}${gain ? html`<b>+${number(gain)}</b>` : null}</p>`
      : null}
    ${waitsForTap && html`<button type="button" class="button primary release" onClick=${release}>${t("table.seen")}</button>`}
  </div>`;
}
