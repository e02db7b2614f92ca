// Reading TOML as house-rule files use it: keys, tables, texts, whole numbers, true and false, lists and
// inline tables. Dates and fractions have no place in rules; they are refused like any other mistake.

/** What is wrong with a TOML text, with its line. */
export class TomlError extends Error {
  constructor(line) {
    super(`line ${line}`);
    this.line = line;
  }
}

const BARE = /[\w-]+/y;
const INTEGER = /[+-]?(?:0|[1-9](?:_?\d)*)(?![\w.:-])/y;
const ESCAPES = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", '"': '"', "\\": "\\" };

/** Return what a TOML text holds, as an object. */
export function parseToml(text) {
  let at = 0;
  const fail = () => {
    throw new TomlError(text.slice(0, at).split("\n").length);
  };
  const match = (pattern) => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found && found[0];
  };
  const take = (word) => {
    if (!text.startsWith(word, at)) return false;
    at += word.length;
    return true;
  };
  const blanks = () => match(/[ \t]*/y);
  const space = () => match(/(?:[ \t\r\n]|#[^\n]*)*/y);

  function quoted(mark) {
    let found = "";
    for (;;) {
      if (at >= text.length || text[at] === "\n") fail();
      const one = text[at];
      at += 1;
      if (one === mark) return found;
      if (one !== "\\" || mark === "'") found += one;
      else found += escaped();
    }
  }

  function escaped() {
    const code = match(/u[\da-fA-F]{4}|U[\da-fA-F]{8}/y);
    if (code) {
      const point = Number.parseInt(code.slice(1), 16);
      if (point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) fail();
      return String.fromCodePoint(point);
    }
    const one = ESCAPES[text[at]];
    if (one === undefined) fail();
    at += 1;
    return one;
  }

  function blockText(mark) {
    match(/\r?\n/y);
    let found = "";
    while (!take(mark.repeat(3))) {
      if (at >= text.length) fail();
      const one = text[at];
      at += 1;
      if (one !== "\\" || mark === "'") found += one;
      else if (match(/[ \t]*\r?\n[ \t\r\n]*/y) === null) found += escaped();
    }
    return found;
  }

  function string() {
    for (const mark of ['"', "'"]) {
      if (take(mark.repeat(3))) return blockText(mark);
      if (take(mark)) return quoted(mark);
    }
    return null;
  }

  function path() {
    const keys = [];
    do {
      blanks();
      const key = string() ?? match(BARE);
      if (key === null) fail();
      keys.push(key);
      blanks();
    } while (take("."));
    return keys;
  }

  function within(table, keys) {
    for (const key of keys) {
      if (!Object.hasOwn(table, key)) put(table, key, {});
      table = table[key];
      if (table === null || typeof table !== "object" || Array.isArray(table)) fail();
    }
    return table;
  }

  function put(table, key, value) {
    if (Object.hasOwn(table, key)) fail();
    Object.defineProperty(table, key, { value, writable: true, enumerable: true, configurable: true });
  }

  function pair(table) {
    const keys = path();
    if (!take("=")) fail();
    blanks();
    put(within(table, keys.slice(0, -1)), keys.at(-1), value());
  }

  function listed(close, one) {
    space();
    while (!take(close)) {
      one();
      space();
      if (take(",")) space();
      else if (!text.startsWith(close, at)) fail();
    }
  }

  function value() {
    const words = string();
    if (words !== null) return words;
    if (take("true")) return true;
    if (take("false")) return false;
    const found = [];
    const table = {};
    if (take("[")) {
      listed("]", () => found.push(value()));
      return found;
    }
    if (take("{")) {
      listed("}", () => pair(table));
      return table;
    }
    const digits = match(INTEGER);
    if (digits === null) fail();
    return Number(digits.replace(/_/g, ""));
  }

  const whole = {};
  let table = whole;
  for (space(); at < text.length; space()) {
    if (take("[")) {
      const keys = path();
      if (!take("]")) fail();
      table = within(whole, keys);
    } else pair(table);
    blanks();
    match(/#[^\n]*/y);
    if (at < text.length && !match(/\r?\n/y)) fail();
  }
  return whole;
}
