// House rules as they are kept, sent and read: an object {base, name, ...changes}, the same that a
// house-rule file holds. Nothing is checked here; the server says whether they fit.

const KEY = "rookery.house_rules";
export const FIRST_BASE = "kd_tournament";

/** What is wrong with a file or a link, as the key of a text and what stands in its gaps. */
export class Unreadable extends Error {
  constructor(key, values = {}) {
    super(key);
    this.key = key;
    this.values = values;
  }
}

/** Return `value` if it could be rules: an object. */
export function checked(value) {
  if (!value || typeof value !== "object" || Array.isArray(value)) throw new Unreadable("house.not_rules");
  return value;
}

/** Return rules as a link carries them, after the #. */
export function packed(rules) {
  const bytes = new TextEncoder().encode(JSON.stringify(rules));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `r=${text.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}`;
}

/** Return the rules of a link's part after the #; null where it carries none. */
export function unpacked(hash) {
  const found = /^#?r=([\w-]+)$/.exec(hash);
  if (!found) {
    if (/^#?r=/.test(hash)) throw new Unreadable("house.bad_link");
    return null;
  }
  let value;
  try {
    const text = atob(found[1].replace(/-/g, "+").replace(/_/g, "/"));
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(text, (c) => c.charCodeAt(0))));
  } catch {
    throw new Unreadable("house.bad_link");
  }
  return checked(value);
}

/** Return the rules that this browser keeps, by name. */
export function kept() {
  try {
    return Object.values(checked(JSON.parse(localStorage.getItem(KEY) || "{}"))).map(checked);
  } catch {
    return [];
  }
}

function write(all) {
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(all.map((rules) => [rules.name, rules]))));
}

/** Keep rules under their name, in place of those that had it; false where the browser keeps nothing. */
export function keep(rules) {
  try {
    write([...kept().filter((other) => other.name !== rules.name), rules]);
    return true;
  } catch {
    return false;
  }
}

/** Keep the rules of that name no longer. */
export function forget(name) {
  try {
    write(kept().filter((rules) => rules.name !== name));
  } catch {
    // Where nothing can be kept, nothing is there.
  }
}
