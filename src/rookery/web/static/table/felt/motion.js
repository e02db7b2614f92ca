// What moves at the table, and only when something has happened: the deal, a card on its way, a result, a won match.
// Only transform and opacity change, so that nothing is laid out or painted anew; without motion there is none of it.
import { settings } from "../../core/settings.js";
import { html, useEffect, useLayoutEffect, useRef, useState, useStore } from "../../core/ui.js";

const DEAL = { duration: 260, easing: "cubic-bezier(.2,.7,.3,1)", fill: "backwards" };
const DEAL_APART = 32; // milliseconds between two cards of a deal
const LAY = { duration: 240, easing: "cubic-bezier(.25,.7,.35,1)" };
const RISE = { duration: 260, easing: "ease-out", fill: "backwards" };
const RISE_APART = 110; // milliseconds between two lines of a result
const FEATHERS = 16;
const FALL = 2600; // milliseconds, the slowest half as long again
const FEATHER = "M2 30C0 18 4 6 14 0C16 10 14 20 6 27L10 17C6 21 4 25 3 31Z";

const middle = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });
const still = () => !settings.get().animation || matchMedia("(prefers-reduced-motion: reduce)").matches;

// The way from one box to another one's place and size, as a transform of the other.
function from(start, end) {
  const [a, b] = [middle(start), middle(end)];
  const scale = Math.min(1.2, Math.max(0.3, start.width / end.width));
  return `translate(${Math.round(a.x - b.x)}px, ${Math.round(a.y - b.y)}px) scale(${scale.toFixed(2)})`;
}

// The cards come into their row some at a time, and each is on its way before it is seen: until all are, or another hand lies there.
function deal(root, table, isOld) {
  const dealt = new Set();
  let begun = 0;
  const next = () => {
    const plate = root.querySelector(`.plate[data-place="${table.view.dealer}"]`);
    if (isOld() || !plate || !table.view.hand) return;
    const now = performance.now();
    const start = plate.getBoundingClientRect();
    const cards = [...root.querySelectorAll(".card-row.hand .card")];
    const ways = cards.map((card) => dealt.has(card) || from(start, card.getBoundingClientRect()));
    if (cards.length) begun ||= now;
    cards.forEach((card, i) => {
      if (dealt.has(card)) return;
      dealt.add(card);
      const delay = Math.max(0, begun + i * DEAL_APART - now);
      card.animate([{ transform: ways[i], opacity: 0 }, { opacity: 1, offset: 0.3 }, { transform: "none", opacity: 1 }], { ...DEAL, delay });
    });
    if (dealt.size < table.view.hand.length) requestAnimationFrame(next);
  };
  next();
}

function lay(root, places, held) {
  const ways = places.flatMap(({ place, card }) => {
    const lain = root.querySelector(`.lain[data-lain="${card}"]`);
    const plate = root.querySelector(`.plate[data-place="${place}"]`);
    const start = held.get(card) || (plate && plate.getBoundingClientRect());
    return lain && start ? [[lain, from(start, lain.getBoundingClientRect())]] : [];
  });
  for (const [lain, way] of ways) lain.animate([{ transform: way, opacity: 0.4 }, { opacity: 1, offset: 0.4 }, { transform: "none" }], LAY);
}

// A contract that is made lands, one that is set trembles; then what it came to is counted, line by line.
const LANDS = [{ transform: "scale(1.25)", opacity: 0 }, { transform: "scale(.98)", opacity: 1, offset: 0.7 }, { transform: "none" }];
const TREMBLES = [0, -9, 8, -6, 4, 0].map((x) => ({ transform: `translateX(${x}px)` }));

function rise(root, made) {
  const head = root.querySelector(".over h2");
  if (head) head.animate(made ? LANDS : TREMBLES, { ...RISE, duration: 420 });
  [...root.querySelectorAll(".over .scores li, .over .took li")].forEach((line, i) => {
    line.animate([{ transform: "translateY(14px)", opacity: 0 }, { transform: "none", opacity: 1 }], { ...RISE, delay: 160 + i * RISE_APART });
  });
}

// Return the cards that have been laid from one view to the next, in order.
function laid(before, after) {
  const done = after.tricks.length - before.tricks.length;
  if (done === 0) return after.trick.slice(before.trick.length);
  const last = after.tricks.at(-1);
  return done === 1 ? [...(last.cards || []).slice(before.trick.length), ...after.trick] : [];
}

function move(root, last, table, held, isOld) {
  const { view } = table;
  if (last.hand_number !== table.hand_number || !last.view) {
    if (view.phase === "auction") deal(root, table, isOld);
    return;
  }
  lay(root, laid(last.view, view), held);
  const ended = last.view.phase !== view.phase && ["done", "redealt"].includes(view.phase);
  if (ended || (last.phase !== table.phase && table.phase === "over")) rise(root, !table.result || table.result.made !== false);
}

/** What falls when a match is won: once, and then it is gone. */
function Feathers() {
  const box = useRef(null);
  useEffect(() => {
    [...box.current.children].forEach((one, i) => {
      const high = box.current.clientHeight + 60;
      const turns = [(i * 47) % 360, ((i * 47) % 360) + (i % 2 ? 220 : -220)];
      one.animate(
        [
          { transform: `translate(0, -60px) rotate(${turns[0]}deg)`, opacity: 1 },
          { transform: `translate(${i % 2 ? 40 : -40}px, ${high / 2}px) rotate(${turns[1]}deg)`, opacity: 1, offset: 0.55 },
          { transform: `translate(0, ${high}px) rotate(${turns[0]}deg)`, opacity: 0 },
        ],
        { duration: FALL + (i % 5) * (FALL / 8), delay: (i % 8) * 90, easing: "ease-in-out", fill: "both" },
      );
    });
  }, []);
  return html`<div class="feathers" ref=${box} aria-hidden="true">
    ${Array.from({ length: FEATHERS }, (_, i) => html`<svg key=${i} viewBox="0 0 16 32" class=${`feather feather-${i % 3}`} style=${{ "--at": `${((i * 61) % 97) + 1}%` }}>
      <path d=${FEATHER} />
    </svg>`)}
  </div>`;
}

/** Moves what is in `root` from one snapshot to the next; draws nothing but feathers. */
export function Motion({ table, root }) {
  const before = useRef(null);
  const held = useRef(new Map());
  const [feathers, fall] = useState(0);
  useStore(settings);
  useEffect(() => {
    // Where a card was when it was chosen: by the time it is laid, it has left the hand.
    const hold = () => {
      held.current = new Map(
        [...root.current.querySelectorAll(".card-row .card:is(.picked, :focus, :hover)")].map((card) => [card.dataset.card, card.getBoundingClientRect()]),
      );
    };
    const board = root.current;
    board.addEventListener("click", hold, true);
    return () => board.removeEventListener("click", hold, true);
  }, []);
  useLayoutEffect(() => {
    const last = before.current;
    before.current = table;
    if (last && last.hand_number !== table.hand_number) held.current = new Map();
    if (!last || still()) return;
    // Before the next picture, and in a task of its own, so that none takes long.
    const isOld = () => !root.current || before.current.view !== table.view;
    requestAnimationFrame(() => root.current && move(root.current, last, table, held.current, isOld));
    if (last.phase === "playing" && table.phase === "over" && table.winners && table.winners.includes(table.you)) fall((n) => n + 1);
  }, [table]);
  useEffect(() => {
    if (!feathers) return undefined;
    const timer = setTimeout(() => fall(0), FALL * 2);
    return () => clearTimeout(timer);
  }, [feathers]);
  return feathers ? html`<${Feathers} key=${feathers} />` : null;
}
