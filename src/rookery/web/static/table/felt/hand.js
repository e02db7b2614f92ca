// A row of cards that can be chosen: mine, or a dummy's. Arrow keys move, Enter chooses.
import { Face } from "../../cards/face.js";
import { cardName } from "../../cards/names.js";
import { Icon } from "../../components/icons.js";
import { t } from "../../core/i18n.js";
import { afterFrame, beforeFrame, html, useLayoutEffect, useMedia, useRef, useState } from "../../core/ui.js";
import { isTrump, opensDummy } from "../snapshot.js";

const GAP = 4;

const LOW = 544; // pixels: below that a window is a phone's on its side
const TALL = 832; // and from here on one that stands has room for two hands

const SOME = 5; // cards of a new row that are drawn with one picture

// How wide the strip of a card is that the next one leaves free; rows are added until it is wide enough.
function layout(count, width, card, least) {
  for (let rows = 1; rows <= 4; rows += 1) {
    const each = Math.ceil(count / rows);
    const strip = each > 1 ? Math.min(card + GAP, (width - card) / (each - 1)) : card + GAP;
    if (strip >= least || rows === 4) return { each, strip };
  }
  return { each: count, strip: card };
}

// A hand that would need more rows than there is room for has narrower strips, or smaller cards, where there are any.
function measured(count, width, { sizes, leasts, most }) {
  const ways = leasts.flatMap((least) => sizes.map((card) => ({ card, ...layout(count, Math.max(width, card), card, least) })));
  return ways.find(({ each }) => count <= most * each) || ways.at(-1);
}

// How high the window was last. A new row does not ask: that would have the page laid out at once, while it is being drawn.
let seen = innerHeight;

// Return {width, high}: of the row, 0 until it is known, and of the window.
function useRoom(box) {
  const [room, set] = useState({ width: 0, high: seen });
  useLayoutEffect(() => {
    const sizes = () => ({ width: box.current.clientWidth, high: (seen = innerHeight) });
    const tell = (now) => set((before) => (before.width === now.width && before.high === now.high ? before : now));
    const measure = () => tell(sizes());
    // A table that has just been drawn gets its cards in a task of their own; by then more of it has changed, so it is
    // measured before.
    let known = false;
    const watch = new ResizeObserver(() => {
      const now = sizes();
      if (known) tell(now);
      else setTimeout(tell, 0, now);
      known = true;
    });
    watch.observe(box.current);
    addEventListener("resize", measure);
    return () => {
      watch.disconnect();
      removeEventListener("resize", measure);
    };
  }, []);
  return room;
}

// The widths, in pixels, that cards may have: on a phone by the width of the row, else by the height of the window.
function sizesOf({ width, high }, source, { small, doubled }) {
  // A phone that shows two hands has less for each.
  const tight = doubled && high < TALL;
  const low = high < LOW;
  if (source === "dummy" && (small || low)) return [low && !small ? 38 : tight ? 44 : 46];
  if (small) return tight ? [54] : [Math.min(84, Math.max(62, Math.round(width * 0.16))), 54];
  // In a low window two rows have what the lines above them leave.
  if (low) return [62, Math.round(Math.min(62, Math.max(44, (high - (doubled ? 266 : 206)) / 2.8)))];
  const card = high < 800 ? Math.max(62, high * 0.105) : Math.min(200, 84 + (high - 800) * 0.2);
  return [Math.round(source === "dummy" ? card * 0.74 : card)];
}

// The most cards that this row has had in a bid or a play of this hand: as long as it lasts, the row keeps its place.
function useMost(table, count) {
  const most = useRef({ hand: null, count: 0 });
  if (most.current.hand !== table.hand_number) most.current = { hand: table.hand_number, count: 0 };
  if (["auction", "play"].includes(table.view.phase)) most.current.count = Math.max(most.current.count, count);
  return Math.max(most.current.count, count);
}

// Return the names of the cards that are drawn by now: cards that come together come some at a time,
// each time after another picture; the first picture is for what stands round it.
function useDrawn(cards, measured) {
  const drawn = useRef(new Set());
  const [pictures, count] = useState(0);
  const due = cards.filter((name) => !drawn.current.has(name));
  if (due.length === 1 && cards.length > 1) drawn.current.add(due.pop());
  useLayoutEffect(() => {
    if (!measured || !due.length) return undefined;
    return afterFrame(() => {
      for (const name of due.slice(0, pictures && SOME)) drawn.current.add(name);
      count(pictures + 1);
    });
  }, [measured, pictures, due.join(" ")]);
  return drawn.current;
}

function labelOf(card, table, { request, chosen }, source) {
  const { view, rules } = table;
  const parts = [cardName(card, rules.options.pack)];
  if (isTrump(table, card)) parts.push(t("card.is_trump"));
  if (request && request.verb === "discard" && (view.nest_found || []).includes(card)) parts.push(t("card.from_nest"));
  if (request && request.source === source && chosen.includes(card)) parts.push(t("card.chosen"));
  if (request && (request.source !== source || !request.from.includes(card))) parts.push(t("card.not_now"));
  return parts.join(", ");
}

/** The row. */
export function CardRow({ cards, table, picking, source, label, hinted = [] }) {
  const box = useRef(null);
  const [at, setAt] = useState(0);
  const inside = useRef(false);
  const room = useRoom(box);
  const drawn = useDrawn(cards, room.width > 0);
  const small = useMedia("(max-width: 40rem)");
  const coarse = useMedia("(pointer: coarse)");
  const focus = Math.min(at, Math.max(cards.length - 1, 0));
  const { request, chosen } = picking;
  const mine = request && request.source === source;
  const resting = request && !mine;
  // On its side a phone has little room for a second row, and any has little where many sit.
  const low = room.high < LOW && !small;
  const leasts = !coarse ? [30] : room.high < LOW ? [33] : table.seats.length > 4 ? [38] : [44, 38];
  // A dummy's row is as high as it will be before its cards lie there.
  const most = useMost(table, source === "dummy" ? Math.max(...table.view.hand_sizes) : cards.length);
  const width = room.width || (small ? 340 : 900); // about what a row has
  const widest = measured(most, width, { sizes: sizesOf({ ...room, width }, source, { small, doubled: opensDummy(table) }), leasts, most: low ? 1 : 2 });
  const { card } = widest;
  // What is left of a hand of two rows is as wide apart as before.
  const rows = Math.max(1, Math.ceil(cards.length / widest.each));
  const each = Math.max(1, Math.ceil(cards.length / rows));
  const { strip } = layout(each, Math.max(width, card), card, 0);
  const isFromNest = (name) => Boolean(request && request.verb === "discard" && (table.view.nest_found || []).includes(name));

  useLayoutEffect(() => {
    // The card that had the focus has been played: its neighbour takes over.
    if (!inside.current || box.current.contains(document.activeElement)) return undefined;
    return beforeFrame(() => {
      const next = box.current?.querySelector('[tabindex="0"]');
      if (next && document.activeElement === document.body) next.focus();
    });
  }, [cards.join(" ")]);

  const go = (to) => {
    const next = (to + cards.length) % cards.length;
    setAt(next);
    box.current.querySelector(`[data-card="${cards[next]}"]`)?.focus(); // one that has just come may not be drawn yet
  };
  const keyed = (event) => {
    const step = { ArrowRight: focus + 1, ArrowLeft: focus - 1, ArrowDown: focus + each, ArrowUp: focus - each }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        if (step >= 0 && step < cards.length) go(step);
      } else go(step);
    } else if (event.key === "Home" || event.key === "End") {
      event.preventDefault();
      go(event.key === "Home" ? 0 : cards.length - 1);
    } else if (event.key === "Escape") picking.clear();
  };
  return html`<div
    class=${`card-row ${source} ${mine ? "asked" : ""} ${resting ? "resting" : ""}`} ref=${box} role="group" aria-label=${label}
    style=${{ "--card": `${card}px`, "--strip": `${strip}px`, "--row": each, "--rows": Math.ceil(most / widest.each) }}
    onKeyDown=${keyed} onFocusIn=${() => { inside.current = true; }}
    onFocusOut=${(event) => { if (event.relatedTarget) inside.current = false; }}
  >
    ${cards.map((name, i) => {
      if (!drawn.has(name)) return null;
      const picked = mine && chosen.includes(name);
      const open = !mine || request.from.includes(name);
      const fromNest = isFromNest(name);
      const row = Math.floor(i / each);
      const state = `${picked ? "picked" : ""} ${open ? "" : "closed"} ${mine && open ? "open" : ""} ${isTrump(table, name) ? "trump" : ""} ${row > 0 ? "below" : ""} ${hinted.includes(name) ? "hinted" : ""}`;
      const words = labelOf(name, table, picking, source);
      return html`<button
        type="button" key=${name} data-card=${name} class=${`card ${state} ${i % each === each - 1 || i === cards.length - 1 ? "whole" : ""}`}
        tabindex=${i === focus ? 0 : -1} aria-pressed=${mine ? String(Boolean(picked)) : undefined}
        aria-label=${words} title=${words}
        style=${{ "--i": i % each }}
        onFocus=${() => setAt(i)} onClick=${(event) => picking.pick(name, source, event)}
      >
        <${Face} card=${name} rules=${table.rules.options} quiet=${true} />
        <span class="flags" aria-hidden="true">
          ${picked ? html`<span class="flag picked-flag">✓</span>` : null}
          ${hinted.includes(name) ? html`<span class="flag hint-flag"><${Icon} name="bulb" /></span>` : null}
          ${isTrump(table, name) && !fromNest ? html`<span class="flag">${t("card.trump_mark")}</span>` : null}
          ${fromNest ? html`<span class="flag nest-flag">${t("card.nest_mark")}</span>` : null}
        </span>
      </button>`;
    })}
  </div>`;
}
