// What a person prefers on this device. Kept in localStorage; nothing here is sent anywhere.
import { createStore } from "./store.js";

const KEY = "rookery.settings";

/** How fast a table may go, the fastest first; the server says what each means. */
export const PACES = ["instant", "brisk", "normal", "calm"];

export const DEFAULTS = {
  theme: "auto", // auto | light | dark
  felt: "green", // green | blue | wine
  back: "crow", // crow | lattice | rings
  face: null, // a bird's name; "" for the initial of my name; null while nobody has chosen
  language: "auto", // auto | en | es
  animation: true,
  sound: false,
  confirm: "touch", // touch | always | never: whether a chosen card or bid waits for a second word
  forced: false, // play a card by itself when it is the only one
  stay: "pace", // pace | tap: how long a finished trick lies there
  shortcuts: true, // single letters on the keyboard
  chatMuted: false,
  pace: "normal", // instant | brisk | normal | calm: of tables that are made here
  game: null, // {rules, seats, name}: what was last played against bots; the usual game while that is nothing
  anyGame: false, // with strangers: whatever is played, not only that game
  newcomer: null, // whether a first bid is told what one is; true in a first game against bots, which also stops
  bot: "", // how bots play, by name; the server's usual one while nobody has chosen
};

/** The game while nobody has chosen one. */
export const USUAL = { rules: "kd_tournament", seats: 4, name: "Kentucky Discard, Tournament rules" };

/** What may be chosen in the settings, besides switches and the language. */
export const CHOICES = {
  theme: ["auto", "light", "dark"],
  felt: ["green", "blue", "wine"],
  back: ["crow", "lattice", "rings"],
  confirm: ["touch", "always", "never"],
  stay: ["pace", "tap"],
};
const LISTS = { ...CHOICES, pace: PACES, newcomer: [null, true, false] };

const isGame = (game) =>
  game === null || (["string", "object"].includes(typeof game.rules) && game.rules && Number.isInteger(game.seats) && typeof game.name === "string");

function fits(key, value) {
  if (key in LISTS) return LISTS[key].includes(value);
  if (key === "game") return isGame(value);
  return key === "face" ? value === null || typeof value === "string" : typeof value === typeof DEFAULTS[key];
}

// What this browser keeps, as far as it is something that may be chosen.
function kept() {
  try {
    const saved = JSON.parse(localStorage.getItem(KEY) || "{}");
    return Object.fromEntries(Object.entries(saved).filter(([key, value]) => key in DEFAULTS && fits(key, value)));
  } catch {
    return {};
  }
}

export const settings = createStore({ ...DEFAULTS, ...kept() });
let refused = false; // the browser keeps nothing

/** Change some settings and keep them; a browser that keeps nothing still has them until it closes. */
export function change(some) {
  // Another tab may have changed others since.
  settings.set({ ...settings.get(), ...(refused ? {} : kept()), ...some });
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.get()));
  } catch {
    refused = true; // as private windows may
  }
}

function show({ theme, animation, felt }) {
  const root = document.documentElement;
  if (theme === "auto") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", theme);
  root.classList.toggle("still", !animation);
  root.setAttribute("data-felt", felt);
}

show(settings.get());
settings.subscribe(show);
