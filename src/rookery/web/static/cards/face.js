// The face and the back of a card, drawn from one template on a grid of 100 by 140.
import { html } from "../ui.js";
import { CROW } from "./crow.js";
import { cardName } from "./names.js";
import { SHAPES, letterOf, rankOf, suitOf, worthOf } from "./suits.js";

/** A suit's shape on its own, decorative: words stand beside it. */
export function SuitMark({ suit }) {
  return html`<svg class=${`suit-mark suit-${suit}`} viewBox="-14 -14 28 28" aria-hidden="true">
    <path class="shape" d=${SHAPES[suit]} />
  </svg>`;
}

function Corner({ suit, rank, letter }) {
  return html`<g>
    <text class="rank" x="22" y="35" text-anchor="middle">${rank}</text>
    <path class="shape" transform="translate(21 54) scale(1.05)" d=${SHAPES[suit]} />
    ${letter && html`<text class="letter" x="21" y="86" text-anchor="middle">${letter}</text>`}
  </g>`;
}

function Numbered({ card, pack }) {
  const suit = suitOf(card, pack);
  const corner = html`<${Corner} suit=${suit} rank=${rankOf(card)} letter=${pack === "rook" && letterOf(suit)} />`;
  return html`<g class=${`suit-${suit}`}>
    ${corner}
    <path class="shape big" transform="translate(63 74) scale(2)" d=${SHAPES[suit]} />
    ${pack === "rook"
      ? html`<text class="middle" x="63" y=${suit === "green" ? 89 : 82} text-anchor="middle">${letterOf(suit)}</text>`
      : null}
    <text class="rank small" x="82" y="129" text-anchor="middle">${rankOf(card)}</text>
  </g>`;
}

function Bird({ joker }) {
  return html`<g class="suit-rook">
    <text class="rank" x="21" y="36" text-anchor="middle">${joker ? "J" : "R"}</text>
    <path class="shape" transform="translate(8 42) scale(.27)" d=${CROW} />
    <path class="shape" transform="translate(30 44) scale(.66)" d=${CROW} />
    <text class="word" x="62" y="130" text-anchor="middle">${joker ? "JOKER" : "ROOK"}</text>
  </g>`;
}

/**
 * A card, face up. `rules` are the options: they say which pack it is and what the card counts.
 * With `quiet` it is decoration: something around it has the card's name.
 */
export function Face({ card, rules, quiet = false, class: more = "" }) {
  const { pack } = rules;
  const bird = card === "RK" || card === "JK";
  const worth = worthOf(card, rules);
  const said = quiet ? { "aria-hidden": "true" } : { role: "img", "aria-label": cardName(card, pack) };
  return html`<svg class=${`face ${more}`} viewBox="0 0 100 140" ...${said}>
    <rect class="paper" x="1" y="1" width="98" height="138" rx="9" />
    ${bird ? html`<${Bird} joker=${card === "JK"} />` : html`<${Numbered} card=${card} pack=${pack} />`}
    ${worth
      ? html`<g class="worth">
          <rect x="5" y="96" width=${worth > 99 ? 42 : 33} height="23" rx="11.5" />
          <text x=${worth > 99 ? 26 : 21.5} y="113.5" text-anchor="middle">${worth}</text>
        </g>`
      : null}
  </svg>`;
}

/** A card, face down. */
export function Back() {
  return html`<svg class="face back" viewBox="0 0 100 140" aria-hidden="true">
    <rect class="paper" x="1" y="1" width="98" height="138" rx="9" />
    <rect class="ground" x="7" y="7" width="86" height="126" rx="6" />
    <path class="weave" d="M7 33L33 7M7 67L67 7M7 101L93 15M7 133L93 47M33 133L93 73M67 133L93 107" />
    <path class="bird" transform="translate(18 38) scale(.64)" d=${CROW} />
  </svg>`;
}
