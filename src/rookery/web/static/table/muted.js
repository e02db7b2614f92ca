// Who is muted at this table, on this device and until the page closes.

const muted = new Set();

/** Hide the talk of a player, or show it again. */
export function mute(name, on) {
  if (on) muted.add(name);
  else muted.delete(name);
}

/** Return whether a player is muted. */
export const isMuted = (name) => muted.has(name);

/** Return the lines that this person wants to see. */
export function visibleLines(chat) {
  return chat.filter((line) => !muted.has(line.name));
}
