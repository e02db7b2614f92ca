// A table of which only what is new was sent.

// What was there with what is new; the lists that go on keep their first ones.
function renewed(before, { more = {}, ...rest }) {
  const lists = Object.entries(more).map(([name, [kept, next]]) => [name, [...before[name].slice(0, kept), ...next]]);
  return { ...before, ...rest, ...Object.fromEntries(lists) };
}

/** Return a table after a `change` of docs/reference/socket.md; null where that is of another table than this. */
export function changed(before, { base, seq, table }) {
  if (!before || before.seq !== base) return null;
  const view = table.view && before.view ? renewed(before.view, table.view) : table.view;
  return { ...renewed(before, table), ...(view && { view }), seq };
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
