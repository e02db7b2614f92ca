// A row of cards that can be chosen: mine, or a dummy's. Arrow keys move, Enter chooses.
import { Face } from "../../cards/face.js";
import { cardName } from "../../cards/names.js";
import { t } from "../../core/i18n.js";
import { html, useLayoutEffect, useMedia, useRef, useState } from "../../core/ui.js";
import { isTrump } from "../snapshot.js";

const GAP = 4;

// How wide the strip of a card is that the next one leaves free; rows are added until it is wide enough.
function layout(count, width, card, least) {
  for (let rows = 1; rows <= 4; rows += 1) {
    const each = Math.ceil(count / rows);
    const strip = each > 1 ? Math.min(card + GAP, (width - card) / (each - 1)) : card + GAP;
    if (strip >= least || rows === 4) return { each, strip };
  }
  return { each: count, strip: card };
}

// A hand that needs three rows and more has smaller cards, where there are any.
function measured(count, width, { sizes, least }) {
  const ways = sizes.map((card) => ({ card, ...layout(count, Math.max(width, card), card, least) }));
  return ways.find(({ each }) => count <= 2 * each) || ways.at(-1);
}

function useWidth(box) {
  const [width, set] = useState(0);
  useLayoutEffect(() => {
    const measure = () => set(box.current.clientWidth);
    const watch = new ResizeObserver(measure);
    watch.observe(box.current);
    measure();
    return () => watch.disconnect();
  }, []);
  return width;
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
  const width = useWidth(box);
  const small = useMedia("(max-width: 40rem)");
  const coarse = useMedia("(pointer: coarse)");
  const focus = Math.min(at, Math.max(cards.length - 1, 0));
  const { request, chosen } = picking;
  const mine = request && request.source === source;
  const resting = request && !mine;
  // In a low window less is shown of what is only looked at.
  const compact = resting || (!mine && (source === "dummy" || table.view.phase === "call"));
  const { each, strip, card } = measured(cards.length, width, {
    sizes: source === "dummy" ? [small ? 46 : 62] : small ? [62, 54] : [84],
    least: coarse ? 38 : 30,
  });
  const isFromNest = (name) => Boolean(request && request.verb === "discard" && (table.view.nest_found || []).includes(name));

  useLayoutEffect(() => {
    // The card that had the focus has been played: its neighbour takes over.
    if (!inside.current || box.current.contains(document.activeElement)) return;
    const next = box.current.querySelector('[tabindex="0"]');
    if (next && document.activeElement === document.body) next.focus();
  }, [cards.join(" ")]);

  const go = (to) => {
    const next = (to + cards.length) % cards.length;
    setAt(next);
    box.current.querySelectorAll("button")[next].focus();
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
    class=${`card-row ${source} ${mine ? "asked" : ""} ${resting ? "resting" : ""} ${compact ? "looked" : ""}`} ref=${box} role="group" aria-label=${label}
    style=${{ "--card": `${card}px`, "--strip": `${strip}px`, "--row": each }}
    onKeyDown=${keyed} onFocusIn=${() => { inside.current = true; }}
    onFocusOut=${(event) => { if (event.relatedTarget) inside.current = false; }}
  >
    ${cards.map((name, i) => {
      const picked = mine && chosen.includes(name);
      const open = !mine || request.from.includes(name);
      const fromNest = isFromNest(name);
      const row = Math.floor(i / each);
      const below = row > 0 && cards.slice(row * each, (row + 1) * each).some((one) => isFromNest(one) || isTrump(table, one));
      const state = `${picked ? "picked" : ""} ${open ? "" : "closed"} ${mine && open ? "open" : ""} ${isTrump(table, name) ? "trump" : ""} ${below ? "below" : ""} ${hinted.includes(name) ? "hinted" : ""}`;
      return html`<button
        type="button" key=${name} data-card=${name} class=${`card ${state} ${i % each === each - 1 || i === cards.length - 1 ? "whole" : ""}`}
        tabindex=${i === focus ? 0 : -1} aria-pressed=${mine ? String(Boolean(picked)) : undefined}
        aria-label=${labelOf(name, table, picking, source)} title=${labelOf(name, table, picking, source)}
        style=${{ "--i": i % each, "--r": row }}
        onFocus=${() => setAt(i)} onClick=${(event) => picking.pick(name, source, event)}
      >
        <${Face} card=${name} rules=${table.rules.options} quiet=${true} />
        <span class="flags" aria-hidden="true">
          ${isTrump(table, name) && !fromNest ? html`<span class="flag">${t("card.trump_mark")}</span>` : null}
          ${fromNest ? html`<span class="flag nest-flag">${t("card.nest_mark")}</span>` : null}
        </span>
      </button>`;
    })}
  </div>`;
}
