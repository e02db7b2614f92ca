// A score sheet as this phone has it: what the server last said, and what waits to be sent (outbox.js).
import { post } from "../../core/api.js";
import { isUnread, newId, openOutbox } from "../../core/outbox.js";
import { evenings } from "../evening/kept.js";
import { withKey as eveningKey } from "../evening/told.js";
import { sheets } from "./kept.js";

const LOOK = 4_000; // milliseconds between two looks at the sheet

/** Return the address of a sheet on the server. */
export const pathOf = (code) => `/api/sheets/${encodeURIComponent(code)}`;

/** Return the headers by which a sheet's key is shown. */
export const withKey = (key) => (key ? { "x-sheet-key": key } : {});

/**
 * Open a sheet; return {store, write, undo, draft, drop, check, result, look, close}, the store and the rest as outbox.js has
 * them. The sheet of a table at an evening shows this phone's key of that evening too.
 */
export function openLog(code, key) {
  const path = pathOf(code);
  const keys = (own) => {
    const { evening, told } = sheets.read(code);
    const at = evening ?? told?.table?.evening;
    return { ...withKey(own), ...(at && eveningKey(evenings.read(at).key)) };
  };
  const box = openOutbox({
    shelf: sheets, code, key, path, to: `${path}/entries`, headers: keys, every: () => LOOK,
    // A key has opened the sheet if it is not the cookie of whoever made it that did, or who they are at the evening.
    proves: (told) => told.may_write && !told.mine && !told.table?.may_score,
  });
  const { store, put } = box;

  /**
   * Write what is `said` of a hand by somebody who had seen its entry `over`. Returns the problem that the server has with
   * it, in which case nothing is kept of it here; null where it stands, or waits for the network.
   */
  async function write(hand, said, over, { undoing = false } = {}) {
    const entry = { id: newId(), hand, over, said };
    const before = current(store.get(), hand);
    let old;
    let undone; // the step that an undo takes
    put(({ waiting, undo }) => {
      undone = undo.slice(-1);
      // What never left this phone is replaced; what may have arrived stays before it.
      old = waiting.find((one) => one.entry.hand === hand && (!one.tried || one.problem));
      if (old && !isUnread(old)) entry.over = Math.min(old.entry.over, over);
      return {
        waiting: [...waiting.filter((one) => one !== old), { entry }],
        undo: undoing ? undo.slice(0, -1) : [...undo, { hand, said: before, over: entry.over }],
      };
    });
    await box.flush();
    const mine = sheets.read(code).waiting.find((one) => one.entry.id === entry.id);
    if (!mine?.problem) return null;
    // What it was to replace waits again: whoever leaves the form has lost nothing. Nor is a step undone that was refused.
    put(({ waiting, undo }) => ({
      waiting: [...waiting.filter((one) => one.entry.id !== entry.id), ...(old ? [old] : [])],
      undo: undoing ? [...undo, ...undone] : undo.slice(0, -1),
    }));
    return mine.problem;
  }

  /** Take the last thing back that was written here; what others have written since is disputed, and not undone with it. */
  function undo() {
    const last = store.get().undo.at(-1);
    return last ? write(last.hand, last.said, last.over ?? 0, { undoing: true }) : Promise.resolve(null);
  }

  return {
    store, write, undo,
    look: box.look, drop: box.drop, close: box.close,
    draft: (draft) => put(() => ({ draft })),
    /** Say that the total is what the table scored; throws what the server says against it. */
    async result() {
      await box.flush();
      box.heard(await post(`${path}/result`, { over: store.get().told.table.entry }, box.shown()));
    },
    check: (said) => post(`${path}/check`, { said }, box.shown()),
  };
}

/** Return what this phone takes to be said of a hand: what waits here, else what stands. */
export function current({ told, waiting }, hand) {
  const mine = waiting.findLast((one) => !isUnread(one) && one.entry.hand === hand);
  return mine ? mine.entry.said : told?.hands.find(({ number }) => number === hand)?.said ?? null;
}

/** Return the rows of a sheet: its hands as the server told them, with what waits here in `own`. */
export function rows({ told, waiting }) {
  const found = new Map((told?.hands ?? []).map((hand) => [hand.number, { ...hand, own: null }]));
  for (const own of waiting.filter((one) => !isUnread(one) && Number.isInteger(one.entry.hand))) {
    const row = found.get(own.entry.hand) ?? { number: own.entry.hand, said: null, by: null, state: "stands", others: [], entry: 0, scored: null };
    found.set(own.entry.hand, { ...row, own });
  }
  return [...found.values()].sort((a, b) => a.number - b.number);
}
