// What a person prefers on this device. Kept in localStorage; nothing here is sent anywhere.
import { createStore } from "./store.js";

const KEY = "rookery.settings";

export const DEFAULTS = {
  theme: "auto", // auto | light | dark
  language: "auto", // auto | en | es
  animation: true,
  sound: false,
  confirm: "touch", // touch | always | never: whether a chosen card or bid waits for a second word
  forced: false, // play a card by itself when it is the only one
  stay: "pace", // pace | tap: how long a finished trick lies there
  shortcuts: true, // single letters on the keyboard
  chatMuted: false,
  bot: "", // how bots play, by name; the server's usual one while nobody has chosen
};

function savedSettings() {
  try {
    const saved = JSON.parse(localStorage.getItem(KEY) || "{}");
    const known = Object.entries(saved).filter(([key]) => key in DEFAULTS);
    return { ...DEFAULTS, ...Object.fromEntries(known) };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings = createStore(savedSettings());

/** Change some settings and keep them; a browser that keeps nothing still has them until it closes. */
export function change(some) {
  settings.set({ ...settings.get(), ...some });
  try {
    localStorage.setItem(KEY, JSON.stringify(settings.get()));
  } catch {
    // Private windows may refuse storage.
  }
}

function show({ theme, animation }) {
  const root = document.documentElement;
  if (theme === "auto") root.removeAttribute("data-theme");
  else root.setAttribute("data-theme", theme);
  root.classList.toggle("still", !animation);
}

show(settings.get());
settings.subscribe(show);
