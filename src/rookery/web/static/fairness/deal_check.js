// A deal repeated in this browser: cards from key and shares, by the scheme `rook-deal-1`.

const WORD = 2 ** 32;
const text = new TextEncoder();

/** Return the bytes that hexadecimal digits stand for. */
export const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) || [], (pair) => parseInt(pair, 16));

const hexOf = (bytes) => Array.from(bytes, (n) => n.toString(16).padStart(2, "0")).join("");

// Before each part comes its length as four bytes.
function withLengths(parts) {
  const all = parts.flatMap((part) => {
    const bytes = typeof part === "string" ? text.encode(part) : part;
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, bytes.length);
    return [...length, ...bytes];
  });
  return Uint8Array.from(all);
}

const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

async function hmac(key, bytes) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes));
}

/** Return whether a proof's key opens its commitment, which also covers these `parts`. */
export async function opens({ scheme, commitment, key }, parts) {
  return hexOf(await sha256(withLengths([scheme, ...parts.map(String), bytesOf(key)]))) === commitment;
}

/** Return the seat that deals, of so many, where that follows from the key of a day's deal. */
export async function dealerOf({ key, day, family }, seats) {
  const order = await shuffled([...Array(seats).keys()], await hmac(bytesOf(key), withLengths(["dealer", day, family])));
  return order[0];
}

// JSON with sorted keys and no spaces, whatever is not ASCII escaped: what the hash of the rules is made of.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value && typeof value === "object") {
    const keys = Object.keys(value).sort();
    return `{${keys.map((key) => `${canonical(key)}:${canonical(value[key])}`).join(",")}}`;
  }
  return JSON.stringify(value).replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Return the hash of the options, in hexadecimal. An option that the schema of the rules marks as later counts only
 * where it is not at its default.
 */
export async function rulesKey(options, { properties }) {
  const counts = ([name, value]) => !properties[name]?.later || canonical(value) !== canonical(properties[name].default);
  const counted = Object.fromEntries(Object.entries(options).filter(counts));
  return hexOf(await sha256(text.encode(canonical(counted))));
}

async function* words(seed) {
  for (let i = 0; ; i += 1) {
    const counter = new DataView(new ArrayBuffer(8));
    counter.setUint32(4, i);
    const block = new DataView((await hmac(seed, counter.buffer)).buffer);
    for (let at = 0; at < block.byteLength; at += 4) yield block.getUint32(at);
  }
}

async function shuffled(deck, seed) {
  const order = [...deck];
  const stream = words(seed);
  for (let i = order.length - 1; i > 0; i -= 1) {
    const fair = WORD - (WORD % (i + 1));
    let word = fair;
    while (word >= fair) word = (await stream.next()).value;
    const j = word % (i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

const same = (some, others) => some.length === others.length && some.every((card, i) => card === others[i]);
const alike = (some, others) => same([...some].sort(), [...others].sort());

/**
 * Return whether key and shares lead to these cards. `deck` has every card, the lowest number first; `game` is
 * the hash of the options; `open` is what was dealt: {deal: [hands from seat 0 on, a blind one last], nest}; `seats` is how many hands people hold.
 */
export async function leadsTo(open, { deck, game, code, seats, proof }) {
  const { key, number, shares } = proof;
  const message = withLengths(["deal", code, String(number), game, ...shares.map(bytesOf)]);
  const order = await shuffled(deck, await hmac(bytesOf(key), message));
  const hands = open.deal.map((hand) => order.splice(0, hand.length));
  // People hold their cards sorted; a blind hand and the nest keep the order in which they lie.
  return hands.every((hand, i) => (i < seats ? alike : same)(hand, open.deal[i])) && same(order, open.nest);
}
