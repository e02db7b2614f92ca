// A table of which only what is new was sent.

/** Return a table after a `change` of docs/reference/socket.md; null where that is of another table than this. */
export function changed(before, { base, table }) {
  if (!before || before.seq !== base) return null;
  const { hands, hands_from: first, ...rest } = table;
  const after = { ...before, ...rest };
  if (rest.view && before.view) after.view = { ...before.view, ...rest.view };
  if (hands) after.hands = [...before.hands.slice(0, first), ...hands];
  return after;
}

/** Return whether a table is the one that the server has; `check` is the CRC-32 of that. */
export function isWhole(table, check) {
  let sum = -1;
  for (const byte of new TextEncoder().encode(JSON.stringify({ ...table, rules: null, hands_from: 0 }))) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0 === check;
}
