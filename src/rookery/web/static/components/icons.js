// Pictures for buttons, drawn on a 24 by 24 grid.
import { CROW } from "../cards/crow.js";
import { html } from "../core/ui.js";

const LINES = {
  clock: "M12 21a8 8 0 1 0-.01 0zM12 8.5V13l3 2M9.5 2h5M12 2v3",
  close: "M6 6l12 12M18 6L6 18",
  gear: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.5v5M9 14.5v5",
  copy: "M9 9h10v11H9zM5 15V4h10",
  chat: "M4 5h16v11H10l-5 4v-4H4z",
  sheet: "M6 3h12v18H6zM9 8h6M9 12h6M9 16h3",
  rules: "M12 6c-2-2-5-2-8-1.5v14c3-.5 6-.5 8 1.5 2-2 5-2 8-1.5v-14c-3-.5-6-.5-8 1.5zM12 6v14",
  pace: "M4 6l7 6-7 6zM13 6l7 6-7 6z",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  bulb: "M9 18h6M10 21h4M8.5 15a6 6 0 1 1 7 0z",
  undo: "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10H9",
  cards: "M4 7l8-3 5 13-8 3zM14 5h6v13h-3",
  flag: "M6 21V4h12l-3 4 3 4H6",
  hand: "M7 12V6.5a1.5 1.5 0 0 1 3 0V11V4.5a1.5 1.5 0 0 1 3 0V11V5.5a1.5 1.5 0 0 1 3 0V12 8.5a1.5 1.5 0 0 1 3 0V15a6 6 0 0 1-6 6c-3 0-4-1-5.5-3.5L4.5 13a1.5 1.5 0 0 1 2.5-1.5z",
  eye: "M2 12c4-7 16-7 20 0-4 7-16 7-20 0zM12 9a3 3 0 1 0 .01 0z",
  keys: "M3 7h18v10H3zM7 10h.01M11 10h.01M15 10h.01M8 14h8",
  door: "M5 21V3h10v18M3 21h18M12 12h.01",
  up: "M12 19V5M6 11l6-6 6 6",
  down: "M12 5v14M6 13l6 6 6-6",
  bot: "M6 9h12v9H6zM12 9V5M9 13h.01M15 13h.01M10 16h4",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c1-5 4-7 8-7s7 2 8 7",
};

/** A picture; words beside it or around it always say the same. */
export function Icon({ name }) {
  if (name === "crow") {
    return html`<svg class="icon crow" viewBox="0 0 100 100" aria-hidden="true"><path d=${CROW} /></svg>`;
  }
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${LINES[name]} /></svg>`;
}
