// Single letters on the keyboard; they can be turned off in the settings.
import { settings } from "../core/settings.js";
import { useEffect } from "../core/ui.js";
import { mayPass } from "./words.js";

export const KEYS = { h: "hint", u: "undo", l: "last", s: "sheet", c: "chat", r: "rules", g: "hand", p: "pass", t: "read", "?": "keys" };

const TYPING = "input, textarea, select, [contenteditable], dialog";

/** Listen for the letters while the game is drawn. */
export function useKeys({ room, table, open, read }) {
  useEffect(() => {
    const acts = {
      hint: room.hint,
      undo: () => room.ask({ type: "undo" }),
      last: () => table.view.tricks.length && open("trick"),
      sheet: () => open("sheet"),
      chat: () => open("chat"),
      rules: () => open("rules"),
      hand: () => document.querySelector('.card-row [tabindex="0"]')?.focus(),
      pass: () => mayPass(table) && room.act("pass"),
      read,
      keys: () => open("help"),
    };
    const pressed = (event) => {
      if (!settings.get().shortcuts || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest && event.target.closest(TYPING)) return;
      const name = KEYS[event.key.toLowerCase()];
      if (!name) return;
      event.preventDefault();
      acts[name]();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}
