// Words in the reader's language. Catalogues are flat JSON: "page.key": "Text with {name}".
// Plurals: "key.one" and "key.other" (and what else the language needs), looked up by plural().
import { fileAt } from "./base.js";
import { get } from "./api.js";
import { createStore } from "./store.js";
import { settings } from "./settings.js";

export const LANGUAGES = { en: "English", es: "Español" };

export const language = createStore("en");
/** How often words have come after they were needed: what waits for them is drawn again. */
export const late = createStore(0);
// Catalogues as they came, the newest first: to copy one into another takes longer than to draw a hand.
let words = [];
let fallback = [];
let games = {};
let rules = new Intl.PluralRules("en");

function wantedLanguage() {
  const chosen = settings.get().language;
  if (Object.hasOwn(LANGUAGES, chosen)) return chosen;
  for (const tag of navigator.languages || []) {
    const short = tag.slice(0, 2).toLowerCase();
    if (short in LANGUAGES) return short;
  }
  return "en";
}

async function catalogue(name, part = "") {
  const answer = await fetch(fileAt(`static/i18n/${part && `${part}.`}${name}.json`));
  if (answer.status >= 500) throw new Error(`no ${part || name}`); // the server is being started again
  return answer.ok ? answer.json() : {};
}

const AGAIN = 3_000; // milliseconds until words that could not be had are asked for again

// Catalogues beside the main one, NAME.LANGUAGE.json, that a page has asked for: when each is here.
const more = new Map();
let loading = Promise.resolve();

async function loadAll(name) {
  const parts = await Promise.all(["", ...more.keys()].map((part) => catalogue(name, part)));
  return parts.reverse();
}

// What the games of the catalogue are called; their English names do where they cannot be had.
const gameNames = (name) => get(`/api/rules/names?lang=${name}`).catch(() => ({}));

async function load() {
  const name = wantedLanguage();
  const others = name === "en" ? [[], {}] : [loadAll("en"), gameNames(name)];
  const [main, english, names] = await Promise.all([loadAll(name), ...others]);
  words = main;
  games = names;
  fallback = english;
  rules = new Intl.PluralRules(name);
  document.documentElement.lang = name;
  language.set(name);
}

/**
 * Load the catalogue of the wanted language; English replaces a text that is missing. One that cannot be had is asked for until it
 * can: `failed` is called each time.
 */
export async function loadWords(failed) {
  for (;;) {
    loading = loading.then(load, load);
    try {
      return await loading;
    } catch {
      failed?.();
      await new Promise((done) => setTimeout(done, AGAIN));
    }
  }
}

/** Wait for the catalogue that is being loaded. */
export const wordsLoaded = () => loading;

async function add(part) {
  const name = language.get();
  const names = name === "en" ? [name] : [name, "en"];
  const [added, english] = await Promise.all(names.map((lang) => catalogue(lang, part)));
  if (language.get() !== name) return; // the new language has come with all parts
  words = [added, ...words];
  if (english) fallback = [english, ...fallback];
}

/**
 * Load one more catalogue for good: a page with many words awaits it at the top of its module. It never rejects,
 * as a module that fails once is not run again: words that cannot be had now are drawn when they come.
 */
export async function needWords(part) {
  // A language that is chosen meanwhile is loaded next, and without what was not asked for by then.
  for (let last = null; last !== loading; ) await (last = loading).catch(() => {});
  if (!more.has(part)) more.set(part, add(part));
  const coming = more.get(part);
  try {
    await coming;
  } catch {
    if (more.get(part) !== coming) return;
    more.delete(part);
    setTimeout(() => needWords(part).then(() => more.has(part) && late.set(late.get() + 1)), AGAIN);
  }
}

// Letters of scripts that are written from right to left, by halves of a pair where they lie beyond 0xffff.
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a\ud83b]/;
const APART = /\u2068[^\u2068\u2069]*\u2069/g;

/**
 * Return a text as it may stand beside others: between two signs that nobody sees if it has letters which are written from right to
 * left. Without them a number beside a name in Hebrew goes to its other side, with its sign behind it.
 */
export const apart = (text) => (LEFTWARD.test(text) && LEFTWARD.test(text.replace(APART, "")) ? `\u2068${text}\u2069` : text);

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => (name in values ? apart(String(values[name])) : gap));
}

// The catalogue that has a text for `key`.
const holds = (key) => (part) => key in part;
const where = (key) => words.find(holds(key)) ?? fallback.find(holds(key));

/** Return the text of `key` with {placeholders} filled in; the key itself where there is no text. */
export function t(key, values = {}) {
  return filled(where(key)?.[key] ?? key, values);
}

/** Return whether a text of that key exists: for codes that come from the server. */
export function has(key) {
  return where(key) !== undefined;
}

/** Return the text of `key` for `n` things; the number is {n}. */
export function plural(key, n, values = {}) {
  const form = `${key}.${rules.select(n)}`;
  return t(has(form) ? form : `${key}.other`, { n, ...values });
}

/** Return the name of a game, which the server knows in English, or of somebody's own as it is. */
export const gameName = (name) => (Object.hasOwn(games, name) ? games[name] : name);

/** Return a path of the server that answers in words, so that they are the reader's. */
export const inWords = (path) => `${path}?lang=${language.get()}`;

/** Return a list of texts as one: "a, b, and c". What the browser has for this holds up a page when it is used first. */
export function list(texts) {
  if (texts.length < 2) return texts.map(apart).join("");
  const last = texts.at(-1);
  // In Spanish "y" is "e" before the sound of "i".
  const form = (texts.length > 2 ? "more" : "pair") + (/^([ií]|h[ií](?![ae]))/i.test(last) ? ".i" : "");
  return t(`list.${form}`, { first: texts.slice(0, -1).map(apart).join(", "), last });
}

// What writes numbers as a language does is made once, and only for those with a fraction: to make it takes longer than to
// draw a hand.
const numbers = {};
const THOUSANDS = /\B(?=(\d{3})+$)/g;

/** Return a number as the language writes it, with a real minus. */
export function number(n) {
  if (n < 0) return `−${number(-n)}`;
  if (Number.isSafeInteger(n)) {
    if (language.get() === "en") return String(n).replace(THOUSANDS, ",");
    return n < 10_000 ? String(n) : String(n).replace(THOUSANDS, "."); // Spanish leaves four digits together
  }
  const name = language.get();
  return (numbers[name] ??= new Intl.NumberFormat(name)).format(n);
}

/** Return a text as it begins a sentence. */
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Return what somebody scored, with its sign: "+85", "−40". */
export const signed = (n) => `${n > 0 ? "+" : ""}${number(n)}`;

/** Return the day of a moment, milliseconds since 1970, as the language writes it. */
export const day = (at) => new Intl.DateTimeFormat(language.get(), { dateStyle: "medium" }).format(at);

let lastWanted = settings.get().language;
settings.subscribe((now) => {
  if (now.language === lastWanted) return;
  lastWanted = now.language;
  loadWords();
});
