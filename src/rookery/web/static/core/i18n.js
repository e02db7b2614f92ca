// Words in the reader's language. Catalogues are flat JSON: "page.key": "Text with {name}".
// Plurals: "key.one" and "key.other" (and what else the language needs), looked up by plural().
import { createStore } from "./store.js";
import { settings } from "./settings.js";

export const LANGUAGES = { en: "English", es: "Español" };

export const language = createStore("en");
let words = {};
let fallback = {};
let games = {};
let rules = new Intl.PluralRules("en");

function wantedLanguage() {
  const chosen = settings.get().language;
  if (chosen in LANGUAGES) return chosen;
  for (const tag of navigator.languages || []) {
    const short = tag.slice(0, 2).toLowerCase();
    if (short in LANGUAGES) return short;
  }
  return "en";
}

async function catalogue(name) {
  const answer = await fetch(`/static/i18n/${name}.json`);
  return answer.ok ? answer.json() : {};
}

// Catalogues beside the main one, NAME.LANGUAGE.json, that a page has asked for.
const more = new Set();
let loading = Promise.resolve();

async function loadAll(name) {
  const parts = await Promise.all([name, ...[...more].map((extra) => `${extra}.${name}`)].map(catalogue));
  return Object.assign({}, ...parts);
}

// What the games of the catalogue are called; their English names do where they cannot be had.
const gameNames = (name) => fetch(`/api/rules/names?lang=${name}`).then((answer) => (answer.ok ? answer.json() : {})).catch(() => ({}));

async function load() {
  const name = wantedLanguage();
  const others = name === "en" ? [null, {}] : [loadAll("en"), gameNames(name)];
  const [main, english, names] = await Promise.all([loadAll(name), ...others]);
  words = main;
  games = names;
  fallback = english || main;
  rules = new Intl.PluralRules(name);
  document.documentElement.lang = name;
  language.set(name);
}

/** Load the catalogue of the wanted language; English replaces a text that is missing. */
export function loadWords() {
  loading = loading.then(load, load);
  return loading;
}

/** Wait for the catalogue that is being loaded. */
export const wordsLoaded = () => loading;

/** Load one more catalogue for good: a page with many words awaits it at the top of its module. */
export async function needWords(part) {
  await loading;
  if (more.has(part)) return;
  more.add(part);
  const name = language.get();
  const names = name === "en" ? [name] : [name, "en"];
  const [added, english = added] = await Promise.all(names.map((lang) => catalogue(`${part}.${lang}`)));
  words = { ...words, ...added };
  fallback = { ...fallback, ...english };
}

function filled(text, values) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => (name in values ? String(values[name]) : gap));
}

/** Return the text of `key` with {placeholders} filled in; the key itself where there is no text. */
export function t(key, values = {}) {
  return filled(words[key] ?? fallback[key] ?? key, values);
}

/** Return whether a text of that key exists: for codes that come from the server. */
export function has(key) {
  return key in words || key in fallback;
}

/** Return the text of `key` for `n` things; the number is {n}. */
export function plural(key, n, values = {}) {
  const form = `${key}.${rules.select(n)}`;
  return t(has(form) ? form : `${key}.other`, { n, ...values });
}

/** Return the name of a game, which the server knows in English, or of somebody's own as it is. */
export const gameName = (name) => games[name] ?? name;

/** Return a path of the server that answers in words, so that they are the reader's. */
export const inWords = (path) => `${path}?lang=${language.get()}`;

/** Return a list of texts as one: "a, b and c". */
export function list(texts) {
  return new Intl.ListFormat(language.get(), { type: "conjunction" }).format(texts);
}

/** Return a number as the language writes it. */
export function number(n) {
  return new Intl.NumberFormat(language.get()).format(n);
}

/** Return the day of a moment, milliseconds since 1970, as the language writes it. */
export const day = (at) => new Intl.DateTimeFormat(language.get(), { dateStyle: "medium" }).format(at);

let lastWanted = settings.get().language;
settings.subscribe((now) => {
  if (now.language === lastWanted) return;
  lastWanted = now.language;
  loadWords();
});
