// One attempt at a daily deal: what the server told last, and how far that has been shown. Nothing is calculated here:
// what the bots did comes with the answer to one's own action, and is shown one after the other.
import { announce } from "../../core/announce.js";
import { reasonOf } from "../../components/common.js";
import { post, soon } from "../../core/api.js";
import { t } from "../../core/i18n.js";
import { settings } from "../../core/settings.js";
import { play } from "../../core/sound.js";
import { createStore } from "../../core/store.js";
import { actsNow } from "../../table/snapshot.js";
import { changes } from "../../table/words.js";

// Milliseconds after an action and after a trick, as at a table of that pace.
const PAUSES = { instant: [0, 0], brisk: [300, 800], normal: [700, 1500], calm: [1400, 3000] };
const WAITS = [1, 2, 5, 15]; // seconds until a server that cannot be reached is asked again

/** Return the address of a deal's routes. */
export const addressOf = (day, family) => `/api/daily/${encodeURIComponent(day)}/${encodeURIComponent(family)}`;

/** Return a view of a position as the parts of the table page read it: like a snapshot. */
export function tableAt(told, { trumps, led, taken, ...view }, seq = 0) {
  const seats = told.names.map((name, seat) => ({
    name, kind: told.bots[seat] ? "bot" : "person", bot: told.bots[seat], here: true, spare: false, total: 0,
  }));
  const isOver = ["done", "redealt"].includes(view.phase);
  return {
    code: "", title: "", phase: "playing", you: told.seat, host: told.seat, seq, rules: told.rules, sides: told.sides, seats, view, trumps, led,
    taken, hands: [], hand_number: told.number, match_number: 0, pending: null, turn_clock: null, winners: null, ready: [],
    pace: settings.get().pace, result: isOver ? told.result : null,
  };
}

// What may be otherwise in a moment: no network or a slow one, a server that is started again, too much at once.
const isPassing = ({ code, status }) => ["offline", "not-ready", "too-many", "too-slow"].includes(code) || (code === "bad-answer" && status >= 500);

function untilOnline(seconds, closed) {
  return new Promise((done) => {
    const on = () => {
      clearTimeout(timer);
      removeEventListener("online", on);
      done();
    };
    const timer = setTimeout(on, seconds * 1000);
    addEventListener("online", on);
    closed.addEventListener("abort", on, { once: true });
  });
}

/** Return an attempt that stands as `first` says: `state` (a store), what may be done with it, and `close`. */
export function openAttempt(where, first) {
  let seq = 0;
  let timer = null;
  const leaving = new AbortController();
  const closed = leaving.signal;
  const [deal, ...rest] = first.steps;
  const begun = tableAt(first, deal ? deal.view : first.view);
  const state = createStore({
    told: first, // the position as the server told it last
    table: begun, // what is shown
    left: rest, // the steps that are still to be shown
    busy: false, // an action is under way
    lost: false, // the server cannot be reached
    notice: "",
    watched: first.steps.length > 0, // somebody has seen the hand end, and has not come back to it
  });
  const set = (some) => state.set({ ...state.get(), ...some });

  function step() {
    const { told, table: before, left } = state.get();
    const [{ view }, ...others] = left;
    const table = tableAt(told, view, (seq += 1));
    for (const text of changes(before.hand_number === table.hand_number ? before : null, table)) announce(text);
    if (actsNow(table)) play("turn");
    else if (before.view.trick.length !== view.trick.length) play("card");
    set({ table, left: others });
    goOn();
  }

  function goOn() {
    clearTimeout(timer);
    const { left, table } = state.get();
    if (closed.aborted || !left.length) return;
    const [move, trick] = PAUSES[settings.get().pace];
    const { view } = table;
    timer = setTimeout(step, view.tricks.length && !view.trick.length ? trick : move);
  }

  function tell(told) {
    if (closed.aborted) return;
    const { left, told: known } = state.get();
    // An answer that was on its way when a later one came says nothing new.
    if (told.number === known.number && told.seen <= known.seen) {
      set({ busy: false, lost: false });
      return;
    }
    set({ told, left: [...left, ...told.steps], busy: false, lost: false, notice: "", watched: true });
    // What one did oneself is seen at once.
    if (!left.length && told.steps.length) step();
    else if (!told.steps.length && !left.length) set({ table: tableAt(told, told.view, (seq += 1)) });
  }

  /** Return the answer to a request that may be repeated, however often the connection breaks. One that comes after all counts, too. */
  async function steady(ask) {
    let late = null;
    let arrive;
    const arrived = new Promise((done) => {
      arrive = done;
    });
    for (let n = 0; ; n += 1) {
      try {
        const asked = late ?? ask();
        asked.then(() => arrive((late ??= asked)), () => {});
        const answer = await soon(Promise.race([arrived, asked]));
        if (n && !closed.aborted) announce(t("table.line.back"));
        return answer;
      } catch (error) {
        if (closed.aborted || !isPassing(error)) {
          set({ lost: false });
          throw error;
        }
        if (!n) announce(t("table.line.lost"), true);
        set({ lost: true });
        await Promise.race([arrived, untilOnline(WAITS[Math.min(n, WAITS.length - 1)], closed)]);
        if (closed.aborted) throw error;
      }
    }
  }

  function notice(text) {
    if (closed.aborted) return;
    set({ notice: text });
    announce(text, true);
  }

  // The server plays nothing twice, nor in another attempt: it is told what this page has seen.
  function send(action) {
    const { seen, number } = state.get().told;
    return steady(() => post(`${where}/act`, { action, seen, number }));
  }

  async function act(action) {
    if (state.get().busy || state.get().left.length) return false;
    set({ busy: true, notice: "" });
    try {
      tell(await send(action));
      return true;
    } catch (refused) {
      set({ busy: false });
      notice(reasonOf(refused));
      return false;
    }
  }

  /** Send an action that will not be allowed, to hear why; return the refusal, or null. */
  async function attempt(action) {
    if (state.get().busy || state.get().left.length) return null;
    set({ busy: true });
    try {
      tell(await send(action));
      return null;
    } catch (refused) {
      set({ busy: false });
      return refused;
    }
  }

  /** Begin another attempt. */
  async function again() {
    set({ busy: true });
    try {
      tell(await steady(() => post(where)));
    } catch (refused) {
      set({ busy: false });
      notice(reasonOf(refused));
    }
  }

  for (const text of changes(null, begun)) announce(text);
  goOn();
  return {
    state, act, again, notice,
    try: attempt,
    refuse: (refused) => notice(reasonOf(refused)),
    forgetHint: () => {},
    // The pace is this browser's: nobody else has to agree (PaceDialog).
    ask: async () => true,
    close() {
      leaving.abort();
      clearTimeout(timer);
    },
  };
}
