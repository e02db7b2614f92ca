// Something that several phones write, as this phone has it: what the server last said, and the entries that wait for
// it. An entry is kept before it is sent, and sent until it is answered; the server takes each id once.
import { clockSet, get, post, soon, timed } from "./api.js";
import { createStore } from "./store.js";

const LATER = new Set(["offline", "bad-answer", "bad-host", "too-slow", "too-many", "too-fast", "busy", "storage", "not-ready", "broken", "error"]);

const RAREST = 8; // times that the pause between two looks doubles at most
const FORGOTTEN = { code: "forgotten", status: 404 }; // as where there is none

/** Return whether a refusal says only that the server can't take it now. */
export const isLater = ({ code, status }) => !code || LATER.has(code) || status >= 500 || status === 429;

/** Return whether something that waited is not of a form that the server reads. */
export const isUnread = ({ problem }) => problem?.code === "bad-request";

/** Return a new id for something that is sent. */
export const newId = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Open what is kept on a shelf (shelf.js) under `code`; return {store, put, say, flush, look, heard, drop, close}. The store has
 * what is kept of it, and besides: `away`, whether the server can't be reached; `error`, why there is nothing to show;
 * `nameless`, whether a name is wanted before anything can be sent; `fleeting`, whether the browser keeps nothing.
 *
 * `path` and `headers(key)` read it, `to` takes entries, `every(told)` is how many milliseconds lie between two looks,
 * `proves(told)` tells whether it is the key that has opened it, and `taken(told)` returns what is kept of an answer.
 */
export function openOutbox({ shelf, code, key, path, to, headers, every, proves, taken = (told) => told }) {
  const { change, forget, onlyHere, read } = shelf;
  const store = createStore({ ...shelf.opened(code, key), away: false, error: null, nameless: false, fleeting: onlyHere(code) });
  let sending = null; // the sending that is under way
  let answered = 0; // entries
  let looks = 0; // begun
  let newest = 0; // of those that were answered
  let closed = false;
  let gone = false; // another window has deleted it, so nothing is kept of it any more
  let missed = 0; // looks in a row that found none
  let timer = null;
  let clock = NaN; // how this device's was set when the server told the time

  const say = (more) => !closed && store.set({ ...store.get(), ...more });
  const put = (by) => {
    if (!gone) say({ ...change(code, by), fleeting: onlyHere(code) });
    return store.get();
  };
  const shown = () => headers(read(code).key);

  // By how many milliseconds the server's clock is before this one. The browser's own answer is as old as it was, also one that it
  // had before this page was opened.
  const aheadOf = ({ now }, before) => (now <= before.told?.now ? before.ahead : now - Date.now());

  // Once there is something to show, nothing is wrong with that any more.
  const heard = (told, by = () => ({})) => {
    put((before) => ({ told: taken(told), heard: Date.now(), ahead: aheadOf(told, before), proven: before.proven || Boolean(before.key && proves(told)), ...by(before) }));
    if (store.get().error) say({ error: null });
  };

  const accepted = (sent, told) => {
    // Sent again, it was answered then; this tells an older state.
    if (!read(code).waiting.some((one) => one.entry.id === sent.id)) return;
    answered += 1;
    heard(told, ({ waiting }) => ({ waiting: waiting.filter((one) => one.entry.id !== sent.id) }));
  };

  const mark = (id, more) => put(({ waiting }) => ({ waiting: waiting.map((one) => (one.entry.id === id ? { ...one, ...more } : one)) }));

  const unsent = () => read(code).waiting.find((one) => !one.problem);

  async function send() {
    for (;;) {
      const next = unsent();
      if (!next && store.get().nameless) say({ nameless: false });
      if (!next || closed) return;
      mark(next.entry.id, { tried: true });
      try {
        // An answer that comes after all counts, too.
        await soon(post(to, next.entry, shown()).then((told) => accepted(next.entry, told)));
        say({ away: false, nameless: false });
      } catch (refused) {
        if (refused.code === "no-session") {
          say({ nameless: true, away: false });
          return;
        }
        if (isLater(refused)) {
          say({ away: true });
          return;
        }
        say({ away: false });
        mark(next.entry.id, { problem: { code: refused.code, reason: refused.message, ...refused.where } });
      }
    }
  }

  // A sending that is under way takes what is written meanwhile along.
  function flush() {
    sending ??= send().finally(() => {
      sending = null;
    });
    return sending;
  }

  // What was asked before an entry was answered, or before a later look, may lack what is known by now. It is not the number of
  // entries that tells: a server that was restored from a backup has fewer than before.
  const found = (before, number) => (told) => {
    if (before === answered && number > newest) {
      newest = number;
      heard(told);
    }
    missed = 0;
    say({ away: false, error: null });
  };

  function failed(refused) {
    missed = refused.status === 404 ? Math.min(missed + 1, RAREST) : 0;
    say(isLater(refused) ? { away: true, error: read(code).told ? null : refused } : { error: refused });
  }

  async function look() {
    clearTimeout(timer);
    await flush();
    const number = (looks += 1);
    try {
      const now = clockSet();
      await soon(get(path, { ...shown(), ...timed(clock) }).then(found(answered, number)));
      clock = now;
    } catch (refused) {
      if (number > newest) failed(refused);
    }
    clearTimeout(timer);
    later();
  }
  // Nobody sees a page in the background; coming back looks at once. What isn't there seldom comes back, as from a backup.
  function later() {
    if (!closed) timer = setTimeout(() => (document.hidden && !unsent() ? later() : look()), every(store.get().told) * 2 ** missed);
  }

  const wake = () => document.hidden || look();
  // The link with the key, opened in the window that shows this without one, loads no page anew.
  const { pathname } = location;
  const unlock = () => {
    if (location.pathname !== pathname) return;
    say(shelf.opened(code, location.hash.slice(1)));
    look();
  };
  addEventListener("online", wake);
  addEventListener("hashchange", unlock);
  document.addEventListener("visibilitychange", wake);
  const close = () => {
    closed = true;
    clearTimeout(timer);
    removeEventListener("online", wake);
    removeEventListener("hashchange", unlock);
    document.removeEventListener("visibilitychange", wake);
    forgetOthers();
  };
  const forgetOthers = shelf.watch(code, (state, kept) => {
    say(kept ? state : { ...state, error: FORGOTTEN });
    if (kept) return;
    gone = true;
    close();
    forget(code); // an answer may have come since
  });
  look();
  return {
    store, put, say, flush, look, shown, close,
    /** Take an answer that came to something else than an entry that waited. */
    heard(told) {
      answered += 1;
      heard(told);
    },
    drop: (id) => put(({ waiting }) => ({ waiting: waiting.filter((one) => one.entry.id !== id) })),
  };
}
