// What people say without typing: phrases and emotes, and what stands beside a player for a moment.
import { html, useEffect, useState } from "../core/ui.js";
import { phraseName } from "./words.js";

// The server knows these words; the catalogues know how to say them.
export const PHRASES = [
  "hello", "good-luck", "well-played", "nice-hand", "thanks", "sorry",
  "oops", "hurry", "one-moment", "back-soon", "good-game", "again",
];

const SHOWN = 4_500; // milliseconds
const EYES = "M9 10v.01M15 10v.01";
const HEAD = "M12 3a9 9 0 1 0 .01 0z";

// Drawn like the icons of buttons, on a 24 by 24 grid.
const DRAWN = {
  smile: `${HEAD}${EYES}M8 14c2 3 6 3 8 0`,
  laugh: `${HEAD}M8 10l1.5-1 1.5 1M13 10l1.5-1 1.5 1M7.5 13h9c-.5 5-8.5 5-9 0z`,
  wow: `${HEAD}${EYES}M12 13.5a2 2 0 1 0 .01 0z`,
  sad: `${HEAD}${EYES}M8.5 16.5c1.5-2.5 5.5-2.5 7 0`,
  wink: `${HEAD}M9 10v.01M13.5 10h3M8 14c2 3 6 3 8 0`,
  heart: "M12 20C2 13 3 5 8 5c2 0 3.5 1.5 4 3 .5-1.5 2-3 4-3 5 0 6 8-4 15z",
};
export const EMOTES = Object.keys(DRAWN);

/** A drawn face, with its name for whoever is read to. */
export function Emote({ name }) {
  return html`<svg class="emote" viewBox="0 0 24 24" role="img" aria-label=${phraseName(name)}><path d=${DRAWN[name]} /></svg>`;
}

/** What a line of talk says. */
export function Words({ line }) {
  if (!line.phrase) return line.text;
  return EMOTES.includes(line.phrase) ? html`<${Emote} name=${line.phrase} />` : phraseName(line.phrase);
}

/** A line beside the place of whoever said it; it goes by itself, and `end` is told its number. The talk itself is read to those who listen. */
export function Said({ line, end }) {
  const [over, hide] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      hide(true);
      end(line.seq);
    }, SHOWN);
    return () => clearTimeout(timer);
  }, []);
  return over ? null : html`<span class="said" aria-hidden="true"><${Words} line=${line} /></span>`;
}
