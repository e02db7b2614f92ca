// A score sheet as this phone has it: what the server last said, and the entries that wait for it. An entry is kept
// before it is sent, and sent until it is answered; the server takes each id once.
import { get, post } from "../../core/api.js";
import { createStore } from "../../core/store.js";
import { change, onlyHere, opened, read, watch } from "./kept.js";

const LOOK = 4_000; // milliseconds between two looks at the sheet
const LATER = new Set(["offline", "bad-answer", "too-many", "too-fast", "busy", "storage", "not-ready", "broken", "error"]);

const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Return the address of a sheet on the server. */
export const pathOf = (code) => `/api/sheets/${encodeURIComponent(code)}`;

/** Return the headers by which a sheet's key is shown. */
export const withKey = (key) => (key ? { "x-sheet-key": key } : {});

/**
 * Open a sheet; return {store, write, undo, draft, drop, check, look, close}. The store has what is kept of it (kept.js), and
 * besides: `away`, whether the server can't be reached; `error`, why there is nothing to show; `nameless`, whether a
 * name is wanted before anything can be sent; `fleeting`, whether the browser keeps nothing.
 */
export function openLog(code, key) {
  const path = pathOf(code);
  const store = createStore({ ...opened(code, key), away: false, error: null, nameless: false, fleeting: onlyHere(code) });
  let sending = false;
  let answered = 0; // entries
  let closed = false;
  let timer = null;

  const say = (more) => !closed && store.set({ ...store.get(), ...more });
  const put = (by) => {
    say({ ...change(code, by), fleeting: onlyHere(code) });
    return store.get();
  };
  const headers = () => withKey(read(code).key);

  // A key has opened the sheet if it is not the cookie of whoever made it that did.
  const heard = (told, by = () => ({})) =>
    put((before) => ({ told, proven: before.proven || Boolean(before.key && told.may_write && !told.mine), ...by(before) }));

  const accepted = (sent, told) => {
    answered += 1;
    return heard(told, ({ waiting }) => ({ waiting: waiting.filter((one) => one.entry.id !== sent.id) }));
  };

  const mark = (id, more) => put(({ waiting }) => ({ waiting: waiting.map((one) => (one.entry.id === id ? { ...one, ...more } : one)) }));

  async function flush() {
    if (sending || closed) return;
    sending = true;
    try {
      for (;;) {
        const next = read(code).waiting.find((one) => !one.problem);
        if (!next || closed) return;
        mark(next.entry.id, { tried: true });
        try {
          accepted(next.entry, await post(`${path}/entries`, next.entry, headers()));
          say({ away: false, nameless: false });
        } catch (refused) {
          if (refused.code === "no-session") {
            say({ nameless: true, away: false });
            return;
          }
          if (!refused.code || LATER.has(refused.code) || refused.status >= 500 || refused.status === 429) {
            say({ away: true });
            return;
          }
          mark(next.entry.id, { problem: { code: refused.code, reason: refused.message, ...refused.where } });
        }
      }
    } finally {
      sending = false;
    }
  }

  async function look() {
    clearTimeout(timer);
    await flush();
    try {
      const before = answered;
      const told = await get(path, headers());
      // What was asked before an entry was answered may lack it. It is not the number of entries that tells: a server
      // that was restored from a backup has fewer than before.
      if (before === answered) heard(told);
      say({ away: false, error: null });
    } catch (refused) {
      const away = !refused.code || LATER.has(refused.code) || refused.status >= 500;
      say(away ? { away, error: read(code).told ? null : refused } : { error: refused });
    }
    clearTimeout(timer);
    if (!closed) timer = setTimeout(() => (document.hidden ? later() : look()), LOOK);
  }
  // Nobody sees a page in the background; coming back looks at once.
  const later = () => {
    timer = setTimeout(() => (document.hidden && !read(code).waiting.length ? later() : look()), LOOK);
  };

  const rowOf = (hand) => store.get().told?.hands.find(({ number }) => number === hand);

  /**
   * Write what is `said` of a hand by somebody who had seen its entry `over`. Returns the problem that the server has with
   * it, in which case nothing is kept of it here; null where it stands, or waits for the network.
   */
  async function write(hand, said, over, { undoing = false } = {}) {
    const entry = { id: newId(), hand, over, said };
    const before = current(store.get(), hand);
    let old;
    put(({ waiting, undo }) => {
      // What never left this phone is replaced; what may have arrived stays before it.
      old = waiting.find((one) => one.entry.hand === hand && (!one.tried || one.problem));
      if (old) entry.over = Math.min(old.entry.over, over);
      return {
        waiting: [...waiting.filter((one) => one !== old), { entry }],
        undo: undoing ? undo.slice(0, -1) : [...undo, { hand, said: before }],
      };
    });
    await flush();
    const mine = read(code).waiting.find((one) => one.entry.id === entry.id);
    if (!mine?.problem) return null;
    // What it was to replace waits again: whoever leaves the form has lost nothing.
    put(({ waiting, undo }) => ({ waiting: [...waiting.filter((one) => one.entry.id !== entry.id), ...(old ? [old] : [])], undo: undoing ? undo : undo.slice(0, -1) }));
    return mine.problem;
  }

  /** Take the last thing back that was written here. */
  function undo() {
    const last = store.get().undo.at(-1);
    return last ? write(last.hand, last.said, rowOf(last.hand)?.entry ?? 0, { undoing: true }) : Promise.resolve(null);
  }

  const wake = () => document.hidden || look();
  addEventListener("online", wake);
  document.addEventListener("visibilitychange", wake);
  const forgetOthers = watch(code, (state) => say(state));
  look();
  return {
    store, write, undo, look,
    draft: (draft) => put(() => ({ draft })),
    drop: (id) => put(({ waiting }) => ({ waiting: waiting.filter((one) => one.entry.id !== id) })),
    check: (said) => post(`${path}/check`, { said }, headers()),
    close() {
      closed = true;
      clearTimeout(timer);
      removeEventListener("online", wake);
      document.removeEventListener("visibilitychange", wake);
      forgetOthers();
    },
  };
}

/** Return what this phone takes to be said of a hand: what waits here, else what stands. */
export function current({ told, waiting }, hand) {
  const mine = waiting.findLast((one) => one.entry.hand === hand);
  return mine ? mine.entry.said : told?.hands.find(({ number }) => number === hand)?.said ?? null;
}

/** Return the rows of a sheet: its hands as the server told them, with what waits here in `own`. */
export function rows({ told, waiting }) {
  const found = new Map((told?.hands ?? []).map((hand) => [hand.number, { ...hand, own: null }]));
  for (const own of waiting) {
    const row = found.get(own.entry.hand) ?? { number: own.entry.hand, said: null, by: null, state: "stands", others: [], entry: 0, scored: null };
    found.set(own.entry.hand, { ...row, own });
  }
  return [...found.values()].sort((a, b) => a.number - b.number);
}
