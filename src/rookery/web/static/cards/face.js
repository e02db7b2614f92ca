// The face and the back of a card, drawn from one template on a grid of 100 by 140.
import { settings } from "../core/settings.js";
import { html, steady, useStore } from "../core/ui.js";
import { CROW } from "./crow.js";
import { cardName, suitLetter } from "./names.js";
import { SHAPES, rankOf, suitOf, worthOf } from "./suits.js";

/** A suit's shape on its own, decorative: words stand beside it. */
export function SuitMark({ suit }) {
  return html`<svg class=${`suit-mark suit-${suit}`} viewBox="-14 -14 28 28" aria-hidden="true">
    <path class="shape" d=${SHAPES[suit]} />
  </svg>`;
}

function Corner({ suit, rank, letter }) {
  return html`<g>
    <text class=${`rank ${String(rank).length > 1 ? "two" : ""}`} x="22" y="35" text-anchor="middle">${rank}</text>
    <path class="shape" transform="translate(21 54) scale(1.05)" d=${SHAPES[suit]} />
    ${letter && html`<text class="letter" x="21" y="86" text-anchor="middle">${letter}</text>`}
  </g>`;
}

// What the court of a French deck wears, on a box of 44 by 30 around the origin.
const COURT = {
  K: "M-20 13V-7L-10 2L0-14L10 2L20-7V13ZM-20 16H20V20H-20Z",
  Q: "M-19 13L-22-5L-12 3L-8-11L0 1L8-11L12 3L22-5L19 13ZM-22-8A3 3 0 1 0-21.9-8ZM-8-14A3 3 0 1 0-7.9-14ZM8-14A3 3 0 1 0 8.1-14ZM22-8A3 3 0 1 0 22.1-8ZM-19 16H19V20H-19Z",
  J: "M-20 12C-18-2-8-8 6-8C14-8 19-4 20 2C14 0 8 2 6 12ZM6-10C8-18 16-22 23-20C22-13 16-8 8-7ZM-22 15H14V20H-22Z",
};

function Numbered({ card, pack }) {
  const suit = suitOf(card, pack);
  const corner = html`<${Corner} suit=${suit} rank=${rankOf(card)} letter=${pack === "rook" && suitLetter(suit)} />`;
  return html`<g class=${`suit-${suit}`}>
    ${corner}
    ${COURT[rankOf(card)]
      ? html`<path class="court" transform="translate(63 48)" d=${COURT[rankOf(card)]} />`
      : null}
    <path class="shape big" transform=${`translate(63 ${COURT[rankOf(card)] ? 86 : 74}) scale(${COURT[rankOf(card)] ? 1.7 : 2})`} d=${SHAPES[suit]} />
    ${pack === "rook"
      ? html`<text class="middle" x="63" y=${suit === "green" ? 89 : 82} text-anchor="middle">${suitLetter(suit)}</text>`
      : null}
    <text class="rank small" x="93" y="129" text-anchor="end">${rankOf(card)}</text>
  </g>`;
}

function Bird({ joker }) {
  return html`<g class="suit-rook">
    <text class=${`rank ${joker ? "two" : ""}`} x="21" y="36" text-anchor="middle">${joker ? "JK" : "R"}</text>
    <path class="shape" transform="translate(8 42) scale(.27)" d=${CROW} />
    <path class="shape" transform="translate(30 44) scale(.66)" d=${CROW} />
    <text class="word" x="62" y="130" text-anchor="middle">${joker ? "JOKER" : "ROOK"}</text>
  </g>`;
}

/**
 * A card, face up. `rules` are the options: they say which pack it is and what the card counts.
 * With `quiet` it is decoration: something around it has the card's name. Whatever happens at the table, it stays as it was drawn.
 */
export const Face = steady(({ card, rules, quiet = false, class: more = "" }) => {
  const { pack } = rules;
  const bird = card === "RK" || card === "JK";
  const worth = worthOf(card, rules);
  const aria = quiet ? { "aria-hidden": "true" } : { role: "img", "aria-label": cardName(card, pack) };
  return html`<svg class=${`face ${more}`} viewBox="0 0 100 140" ...${aria}>
    <rect class="paper" x="1" y="1" width="98" height="138" rx="9" />
    ${bird ? html`<${Bird} joker=${card === "JK"} />` : html`<${Numbered} card=${card} pack=${pack} />`}
    ${worth
      ? html`<g class="worth">
          <rect x="5" y="96" width=${worth > 99 ? 42 : 33} height="23" rx="11.5" />
          <text x=${worth > 99 ? 26 : 21.5} y="113.5" text-anchor="middle">${worth}</text>
        </g>`
      : null}
  </svg>`;
});

// What is woven into the back of a card, as the settings say; the crow sits on the first.
const WEAVES = {
  crow: "M7 33L33 7M7 67L67 7M7 101L93 15M7 133L93 47M33 133L93 73M67 133L93 107",
  lattice: "M7 28L28 7M7 70L70 7M7 112L93 26M28 133L93 68M70 133L93 110M72 7L93 28M30 7L93 70M7 26L93 112M7 68L72 133M7 110L30 133",
  rings: "M50 28A42 42 0 1 0 50 112A42 42 0 1 0 50 28M50 42A28 28 0 1 0 50 98A28 28 0 1 0 50 42M50 56A14 14 0 1 0 50 84A14 14 0 1 0 50 56",
};

/** A card, face down. */
export function Back() {
  const { back } = useStore(settings);
  return html`<svg class=${`face back ${back}`} viewBox="0 0 100 140" aria-hidden="true">
    <rect class="paper" x="1" y="1" width="98" height="138" rx="9" />
    <rect class="ground" x="7" y="7" width="86" height="126" rx="6" />
    <path class="weave" d=${WEAVES[back] || WEAVES.crow} />
    ${back in WEAVES && back !== "crow" ? null : html`<path class="bird" transform="translate(18 38) scale(.64)" d=${CROW} />`}
  </svg>`;
}
