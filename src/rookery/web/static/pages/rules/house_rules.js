// House rules as this browser keeps, sends, reads and lists them: an object {base, name, ...changes}, the same
// that a house-rule file holds. Nothing is checked here; the server says whether they fit.
import { post } from "../../core/api.js";
import { inWords, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html } from "../../core/ui.js";

const KEY = "rookery.house_rules";
export const FIRST_BASE = "kd_tournament";

/** What is wrong with a file or a link: the key of a text, and the values for its gaps. */
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
  const encoded = /^#?r=([\w-]+)$/.exec(hash);
  if (!encoded) {
    if (/^#?r=/.test(hash)) throw new Unreadable("house.bad_link");
    return null;
  }
  let value;
  try {
    const text = atob(encoded[1].replace(/-/g, "+").replace(/_/g, "/"));
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

/** Return the rules that the text of a file holds, JSON or TOML: the server reads it. */
export async function read(text, name) {
  const { rules, problems } = await post(inWords("/api/rules/parse"), { text, name });
  if (!rules) throw new Unreadable("house.unreadable", { problem: problems[0].text });
  return rules;
}

/** Give the browser a file of these rules to keep. */
export function download(rules) {
  const url = URL.createObjectURL(new Blob([`${JSON.stringify(rules, null, 2)}\n`], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${rules.name.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").toLowerCase() || "rules"}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** The list; `href` makes a link of packed rules. Nothing where nothing is kept. */
export function HouseList({ href }) {
  const saved = kept();
  if (!saved.length) return null;
  return html`<section class="stack tight" aria-labelledby="house-title">
    <h2 id="house-title">${t("rules.house")}</h2>
    <ul class="plain variants">
      ${saved.map(
        (rules) => html`<li key=${rules.name}><${Link} class="variant" href=${href(packed(rules))}><b>${rules.name}</b><//></li>`,
      )}
    </ul>
  </section>`;
}

/** Why rules don't fit together, and the way to the editor. */
export function Misfit({ rules, problems }) {
  return html`<div class="problem stack tight" role="alert">
    <p>${t("create.misfit")}</p>
    <ul>${problems.map(({ option, text }) => html`<li key=${option + text}><b>${option}</b>: ${text}</li>`)}</ul>
    <p><${Link} href=${`/rules/edit#${packed(rules)}`} class="button">${t("create.mend")}<//></p>
  </div>`;
}
