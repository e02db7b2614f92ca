// What this browser keeps of things that several phones write: how they stood, their keys, and what has not reached the server yet.
const MOST = 20; // things of a kind; one with something to send or half typed is never dropped
const UNDONE = 20; // entries that can be taken back, one after the other

const EMPTY = { key: "", proven: false, told: null, heard: 0, ahead: 0, waiting: [], undo: [], draft: null, at: 0 };

// Of a text that an earlier version wrote, or somebody by hand, what can be used.
function usable(value, isTold) {
  if (!value || typeof value !== "object") return EMPTY;
  const { told, at, draft } = value;
  const waiting = Array.isArray(value.waiting) ? value.waiting.filter((one) => one?.entry && typeof one.entry.id === "string") : [];
  return {
    ...EMPTY, ...value, waiting, told: isTold(told) ? told : null, at: Number.isSafeInteger(at) ? at : 0,
    undo: Array.isArray(value.undo) ? value.undo : [], draft: draft?.form ? draft : null,
  };
}

/**
 * Return a shelf for one kind of them, kept by their code under `prefix`; `isKey` tells their keys from what else stands behind a #,
 * and `isTold` what a server may have said of one from what it never has.
 */
export function shelf(prefix, isKey, isTold) {
  const memory = new Map(); // for a browser that keeps nothing

  // Return what is kept of one: {key, proven, told, heard, ahead, waiting, undo, draft, at}.
  function read(code) {
    if (memory.has(code)) return memory.get(code);
    try {
      return usable(JSON.parse(localStorage.getItem(prefix + code)), isTold);
    } catch {
      return EMPTY;
    }
  }

  function codes() {
    const names = [];
    try {
      for (let i = 0; i < localStorage.length; i += 1) names.push(localStorage.key(i));
    } catch {
      // As private windows may refuse.
    }
    return [...new Set([...memory.keys(), ...names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))])];
  }

  // Return those that this browser knows, the newest first: {code, ...what is kept}.
  const all = () => codes().map((code) => ({ code, ...read(code) })).filter((one) => one.told).sort((a, b) => b.at - a.at);

  // Change what is kept of one by a function of it, and return the new state; nothing else may come between.
  function change(code, by) {
    const before = read(code);
    const after = { ...before, ...by(before) };
    after.undo = after.undo.slice(-UNDONE);
    try {
      localStorage.setItem(prefix + code, JSON.stringify(after));
      memory.delete(code);
    } catch {
      memory.set(code, after);
    }
    return after;
  }

  // Return whether the browser keeps nothing of this one beyond the open page.
  const onlyHere = (code) => memory.has(code);

  // Keep one no longer.
  function forget(code) {
    memory.delete(code);
    try {
      localStorage.removeItem(prefix + code);
    } catch {
      // A browser that keeps nothing has nothing to forget.
    }
  }

  // Keep none any longer: whoever used this browser is forgotten.
  const forgetAll = () => codes().forEach(forget);

  // Note that one was opened, with its key if it came with one; the oldest make room.
  function opened(code, key) {
    const state = change(code, (before) => {
      // What else may stand after the #, or a wrong key in a link, takes none away that has opened this.
      if (!isKey.test(key) || before.proven || key === before.key) return { at: Date.now() };
      const waiting = before.waiting.map((one) => (one.problem?.code === "bad-key" ? { ...one, problem: undefined } : one));
      return { key, waiting, at: Date.now() };
    });
    // What is part of another thing, as a table is of an evening, takes no room from a whole one: whoever tries the links of all tables
    // out keeps the key of the evening. By a clock that was set back, this one may be the oldest.
    const alike = all().filter((one) => one.code.includes("/") === code.includes("/"));
    for (const old of alike.slice(MOST)) if (old.code !== code && !old.waiting.length && !old.draft) forget(old.code);
    return state;
  }

  // Call `act` when another window of this browser changes what is kept of one, with whether it is still kept; return how to stop.
  function watch(code, act) {
    const changed = (event) => event.key === prefix + code && act(read(code), event.newValue !== null);
    addEventListener("storage", changed);
    return () => removeEventListener("storage", changed);
  }

  return { read, all, change, onlyHere, forget, forgetAll, opened, watch };
}
