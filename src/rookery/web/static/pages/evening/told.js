// An evening as the server tells it to a page that only looks at it.
import { Refused, clockSet, soon, timed } from "../../core/api.js";
import { createStore } from "../../core/store.js";

const LOOK = 5_000; // milliseconds between two looks
const RAREST = 8; // times that this doubles at most where there is no such evening

/** Return the address of an evening on the server. */
export const pathOf = (code) => `/api/evenings/${encodeURIComponent(code)}`;

/** Return the numbers of tables with real cards at an evening on screens, from the next round on. */
export const realOf = ({ screens }) => screens?.real ?? [];

/** Return whether no round comes after this one, as far as is known. */
export const isLast = ({ rounds, full, screens }) => [full, screens?.rounds].some((most) => (most ?? null) !== null && rounds >= most);

/** Return the headers by which a key of an evening is shown. */
export const withKey = (key) => (key ? { "x-evening-key": key } : {});

/**
 * Look at an evening `every` so many milliseconds, or as many as that function returns each time; return {store, look, close}. The store has what was `told`, null before;
 * `ahead`, by how many milliseconds the server's clock is before this one; `away`, whether it can't be reached;
 * `error`, why there is nothing to show.
 */
export function watchEvening(code, key, every = LOOK) {
  const store = createStore({ told: null, ahead: 0, away: false, error: null });
  let tag = "";
  let clock = NaN; // how this device's was set when the server told the time
  let looks = 0; // begun
  let newest = 0; // of those that were answered
  let missed = 0; // looks in a row that found none
  let timer = null;
  let closed = false;
  const say = (more) => !closed && store.set({ ...store.get(), ...more });

  // With a tag of our own the browser hands an empty 304 on; from its cache the time would be an old one.
  async function ask() {
    const now = clockSet();
    const headers = { ...withKey(key), "if-none-match": tag, ...timed(clock) };
    const answer = await fetch(pathOf(code), { headers, credentials: "same-origin" });
    if (answer.status === 304) return {};
    const value = await answer.json();
    if (!answer.ok) throw new Refused(value.error?.code ?? "error", value.error?.reason ?? "", answer.status);
    return { told: { told: value, ahead: value.now - Date.now() }, known: [answer.headers.get("etag") ?? "", now] };
  }

  // An answer that takes long counts, too, unless a later look was answered before it.
  const found = (number) => ({ told, known }) => {
    if (number < newest) return;
    newest = number;
    if (known) [tag, clock] = known;
    say({ ...told, away: false, error: null });
    missed = 0;
  };

  // An evening that is gone is gone, and asked for ever more rarely; all else is shown as it was, and asked for again.
  function failed(error) {
    const gone = error.status === 404;
    missed = gone ? Math.min(missed + 1, RAREST) : 0;
    say({ away: !gone, error: gone || !store.get().told ? (error.code ? error : new Refused("offline", "")) : null });
  }

  async function look() {
    clearTimeout(timer);
    const number = (looks += 1);
    try {
      await soon(ask().then(found(number)));
    } catch (error) {
      if (number > newest) failed(error);
    }
    clearTimeout(timer);
    if (!closed) timer = setTimeout(look, (typeof every === "function" ? every() : every) * 2 ** missed);
  }

  addEventListener("online", look);
  look();
  return {
    store, look,
    close() {
      closed = true;
      clearTimeout(timer);
      removeEventListener("online", look);
    },
  };
}
