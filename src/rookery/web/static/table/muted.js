// Who is muted at this table, on this device and until another table is opened or the page closes.
import { createStore } from "../core/store.js";
import { useStore } from "../core/ui.js";

const muted = createStore([]);
let at = null; // the code of the table

/** Note that a table is opened: whoever was muted at another one is somebody else, though they may have that name here. */
export function openedAt(code) {
  if (code !== at) muted.set([]);
  at = code;
}

/** Hide the talk of a player, or show it again. */
export function mute(name, on) {
  const others = muted.get().filter((one) => one !== name);
  muted.set(on ? [...others, name] : others);
}

/** Return whether a player is muted. */
export const useMuted = (name) => useStore(muted).includes(name);

/** Return the lines that this person wants to see. */
export function useVisibleLines(chat) {
  const names = useStore(muted);
  return chat.filter((line) => !names.includes(line.name));
}
