// The keyboard: single letters, which can be turned off in the settings, and a focus that is never lost.
import { settings } from "../core/settings.js";
import { beforeFrame, useEffect, useLayoutEffect, useRef } from "../core/ui.js";
import { waits } from "./decide/picking.js";
import { mayPass } from "./words.js";

export const KEYS = { h: "hint", u: "undo", l: "last", s: "sheet", c: "chat", r: "rules", g: "hand", p: "pass", t: "read", "?": "keys" };

const TYPING = "input, textarea, select, [contenteditable], dialog";

// As the button does, which has the focus where a second word is waited for.
function pass(room) {
  if (!waits(null, settings.get(), room)) {
    room.act("pass");
    return;
  }
  const button = document.querySelector('[data-action="pass"]');
  button?.focus();
  button?.click();
}

/** Listen for the letters, or `only` those that do one of these things, while the game is drawn. */
export function useKeys({ room, table, open, read, only = Object.values(KEYS) }) {
  useEffect(() => {
    const acts = {
      hint: room.hint,
      undo: () => room.ask({ type: "undo" }),
      last: () => table.view.tricks.length && open("trick"),
      sheet: () => open("sheet"),
      chat: () => open("chat"),
      rules: () => open("rules"),
      hand: () => document.querySelector('.card-row [tabindex="0"]')?.focus(),
      pass: () => mayPass(table) && pass(room),
      read,
      keys: () => open("help"),
    };
    const pressed = (event) => {
      if (!settings.get().shortcuts || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest && event.target.closest(TYPING)) return;
      const name = KEYS[event.key.toLowerCase()];
      if (!only.includes(name)) return;
      event.preventDefault();
      acts[name]();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  });
}

/**
 * Keep the focus in its zone of `root`: it must not fall to the page's beginning when the thing that had it is gone. Return what
 * looks after it when something has been drawn by itself.
 */
export function useKeptFocus(root) {
  const zone = useRef(null);
  useEffect(() => {
    const remember = (event) => {
      zone.current = event.target.closest("[data-zone]")?.dataset.zone ?? null;
    };
    addEventListener("focusin", remember);
    return () => removeEventListener("focusin", remember);
  }, []);
  const keep = () => {
    if (!zone.current || document.activeElement !== document.body) return;
    beforeFrame(() => {
      if (document.activeElement !== document.body) return;
      const next =
        root.current?.querySelector(`[data-zone="${zone.current}"] [tabindex="0"], [data-zone="${zone.current}"] button:not([disabled])`) ||
        root.current?.querySelector('[data-zone="hand"] [tabindex="0"]');
      if (next) next.focus();
    });
  };
  useLayoutEffect(keep);
  return keep;
}
