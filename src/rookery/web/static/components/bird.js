// The faces at the table: birds' heads, each put together from a few shapes of our own on a grid of 48 by 48.
import { Icon } from "./icons.js";
import { html } from "../core/ui.js";

const INK = {
  k: "#23262b", w: "#f6f1e4", g: "#8b949b", d: "#47535c", b: "#7a5535", t: "#c49a6c", c: "#a34e24", r: "#b8322a", o: "#df7a1c",
  y: "#e8bd2f", n: "#3f7d4c", u: "#2f6ea8", s: "#7fb2d6", v: "#6a5494", p: "#e3a5a0",
};
const GROUND = ["#d7e4ea", "#efe0c4", "#dce8d2", "#eadbe6"];

const BEAK = {
  short: "M33 19L42 23.5L33 27Z",
  cone: "M32 16L44 24L32 30Z",
  thin: "M33 21L46 23.6L33 25.6Z",
  long: "M32 19L48 24.5L32 28Z",
  up: "M33 22C40 24 45 21 47.5 14C47.5 23 42 28 33 27Z",
  down: "M32 18C42 18 47.5 26 46 38C43 29 38 26.5 32 27Z",
  hook: "M32 17C40 16.5 44.5 22 42 30C39.5 26 36 27 32 27Z",
  flat: "M33 21C39 21 45.5 22.5 47.5 26C43 29.5 37 29 33 28.5Z",
  big: "M31 13C43 11 49 20 46.5 29C42 28 36 31 31 32Z",
  pouch: "M32 19L48 23L47 27C44 36 36 38 31 31Z",
};
const CREST = {
  tuft: "M24 10C17 6 10 6 4 9C9 11 12 15 14 19Z",
  plume: "M20 10C12 7 6 12 1 21C8 17 12 18 15 20Z",
  fan: "M30 11L31 1L26 7L23 0L19 8L13 1L14 10L7 7L12 16L17 20Z",
  knot: "M24 11C23 5 26 1 31 2C34 4 31 7 29 6C27 7 27 9 28 11Z",
};
const MARK = {
  cap: "M9.2 20A13 13 0 0 1 34.8 20C28 16 18 16 9.2 20Z",
  mask: "M11 20C18 16 28 16 35 21V24C28 26 20 26 11 24Z",
  brow: "M12 17C19 12 28 13 34 18C27 16 20 17 12 20Z",
  cheek: "M15 26A6 6 0 1 0 27 26A6 6 0 1 0 15 26Z",
  bib: "M16 32C21 36 28 35 33 28C36 36 32 44 24 46C18 44 15 38 16 32Z",
};

// Beak and its ink, crest and its ink (- for none), head, body, then marks with theirs.
const BIRDS = {
  Avocet: "up k - w w cap:k", Bunting: "cone d - y b brow:b", Bulbul: "short k tuft:k d g cheek:r", Condor: "hook w - p k bib:w",
  Crane: "long d - d g cap:r cheek:w", Curlew: "down d - t t brow:b", Dipper: "short k - b b bib:w", Dunlin: "down k - t w cap:c",
  Egret: "long y plume:w w w", Eider: "flat o - w k cap:k cheek:n", Falcon: "hook y - d d bib:w cheek:k", Finch: "cone g - c p cap:g",
  Fulmar: "hook y - w g", Godwit: "up p - c c brow:t", Goshawk: "hook k - d g brow:w", Grebe: "thin p tuft:k w b cheek:c cap:k",
  Gull: "short y - w g", Harrier: "hook k - g w", Heron: "long y plume:k w g brow:k", Hoopoe: "down k fan:o o t",
  Ibis: "down p - r r", Jay: "short k tuft:t t u cheek:k", Kestrel: "hook y - g c cheek:w", Kinglet: "thin k - n t cap:y",
  Lark: "short b tuft:b t t brow:w", Linnet: "cone g - g b cap:r bib:r", Macaw: "big k - r u cheek:w", Magpie: "short k - k w",
  Oriole: "short p - y y mask:k", Osprey: "hook k - w b mask:b", Pelican: "pouch o plume:w w w", Petrel: "hook k - d d brow:g",
  Plover: "short k - w t cap:t mask:k", Puffin: "big o - w k cap:k", Quail: "short k knot:k b t brow:w bib:w", Shrike: "hook k - g w mask:k",
  Siskin: "cone g - y n cap:k", Stork: "long r - w w mask:w", Swallow: "short k - u u bib:c", Tanager: "cone w - r k",
  Teal: "flat k - c g mask:n", Tern: "thin r - w s cap:k", Toucan: "big o - k k bib:y cheek:s", Vireo: "short d - n y brow:w",
  Wagtail: "thin k - w g cap:k bib:k", Wigeon: "flat s - c p cap:y", Wren: "thin b - b c brow:t",
};

/** The birds that have a face, by name. */
export const birds = Object.keys(BIRDS);

/** The face that a person shows: a bird's, else the initial of their name; decoration beside the name. */
export function Portrait({ name, face }) {
  if (Object.hasOwn(BIRDS, face)) return html`<${Bird} name=${face} />`;
  const [initial = ""] = name;
  return html`<svg class="bird-face" viewBox="0 0 48 48" aria-hidden="true">
    <circle cx="24" cy="24" r="24" fill=${GROUND[name.length % GROUND.length]} />
    <text x="24" y="33" text-anchor="middle" font-size="26" font-weight="700" fill=${INK.k}>${initial.toLocaleUpperCase()}</text>
  </svg>`;
}

/** The face of a bird by its name, "Egret" or "Egret 2"; decoration beside the name, nothing for other names. */
export function Bird({ name }) {
  const [kind] = name.split(" ");
  if (!Object.hasOwn(BIRDS, kind)) return null;
  const [beak, beakInk, crest, head, body, ...marks] = BIRDS[kind].split(" ");
  const [crestKind, crestInk] = crest.split(":");
  const ground = GROUND[kind.length % GROUND.length];
  return html`<svg class="bird-face" viewBox="0 0 48 48" aria-hidden="true">
    <circle cx="24" cy="24" r="24" fill=${ground} />
    <path d="M2 34C8 29 30 28 38 47A24 24 0 0 1 2 34Z" fill=${INK[body]} />
    ${crestInk && html`<path d=${CREST[crestKind]} fill=${INK[crestInk]} />`}
    <path d=${BEAK[beak]} fill=${INK[beakInk]} stroke="#23262b" stroke-width=".7" />
    <path d="M9 22A13 13 0 0 1 35 22C35 31 31 37 22 39C13 38 9 31 9 22Z" fill=${INK[head]} stroke="#23262b" stroke-opacity=".4" stroke-width=".8" />
    ${marks.map((mark) => {
      const [where, ink] = mark.split(":");
      return html`<path key=${mark} d=${MARK[where]} fill=${INK[ink]} />`;
    })}
    <circle cx="26.5" cy="20.5" r="3.4" fill="#f6f1e4" />
    <circle cx="27" cy="20.5" r="2.3" fill="#16181b" />
    <circle cx="27.8" cy="19.7" r=".8" fill="#fff" />
  </svg>`;
}

/** The face of whoever sits at a table: `level` is how a bot plays that has a bird's name. */
export function SeatFace({ seat, level }) {
  if (level) return html`<${Bird} name=${seat.name} />`;
  if (seat && seat.kind === "person") return html`<${Portrait} name=${seat.name} face=${seat.face} />`;
  return html`<${Icon} name=${seat && seat.kind === "empty" ? "person" : "bot"} />`;
}
