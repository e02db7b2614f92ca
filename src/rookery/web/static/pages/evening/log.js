// An evening as this phone has it: what the server last said, the scores that wait to be sent, and what happens at once.
import { post, soon } from "../../core/api.js";
import { isLater, isUnread, newId, openOutbox } from "../../core/outbox.js";
import { evenings } from "./kept.js";
import { pathOf, withKey } from "./told.js";

const LOOK = 6_000; // milliseconds between two looks
const LOOK_MANY = 15_000; // of many people
const MANY = 100;

/** Return an answer with the scores of one's own table, which others may not see before the evening is over. */
function withOwn(told) {
  const { own, evening } = told;
  if (!own) return told;
  const tables = evening.round.tables.map((table) => (table.number === own.number ? own : table));
  return { ...told, evening: { ...evening, round: { ...evening.round, tables } } };
}

const sameTable = (change, round, table) => change?.round === round && change.table === table;

/**
 * Open an evening; `place` is "/t/3" on the phone of a table, which has a key of its own. Returns {store, score, act, at,
 * look, drop, close}; the store is as outbox.js has it, and `at` is where its key is kept.
 */
export function openEvening(code, key, place = "") {
  const path = pathOf(code);
  const at = `${code}${place}`;
  const box = openOutbox({
    shelf: evenings, code: at, key, path, to: `${path}/changes`, headers: withKey,
    every: (told) => (told?.evening.people.length > MANY ? LOOK_MANY : LOOK),
    proves: ({ you }) => you.host || you.table !== null,
    taken: withOwn,
  });
  const { store, put } = box;
  const asked = new Map(); // the ids of what had no answer: whoever asks for it again means the same

  /**
   * Write what a table scored in a round: a row a deal, or null to take it back. Returns the problem that the server has with
   * it, in which case nothing is kept of it here; null where it counts, or waits for the network.
   */
  async function score(round, table, rows, over) {
    const change = { do: "score", round, table, rows, over };
    const entry = { id: newId(), change };
    let old;
    put(({ waiting }) => {
      // What never left this phone is replaced; what may have arrived stays before it.
      old = waiting.find((one) => sameTable(one.entry.change, round, table) && (!one.tried || one.problem));
      if (old && !isUnread(old)) change.over = Math.min(old.entry.change.over, over);
      return { waiting: [...waiting.filter((one) => one !== old), { entry }] };
    });
    await box.flush();
    const mine = evenings.read(at).waiting.find((one) => one.entry.id === entry.id);
    if (!mine?.problem) return null;
    // What it was to replace waits again: whoever leaves the form has lost nothing.
    put(({ waiting }) => ({ waiting: [...waiting.filter((one) => one.entry.id !== entry.id), ...(old ? [old] : [])] }));
    return mine.problem;
  }

  /** Have something else happen, now; throws what the server says against it. */
  async function act(change) {
    const same = JSON.stringify(change);
    const id = asked.get(same) ?? newId();
    asked.set(same, id);
    let late = false; // more may have happened by then than the answer tells
    const answered = (told) => {
      asked.clear(); // whoever asks now for what had no answer before has seen how it stands, and means it anew
      return late ? box.look() : box.heard(told);
    };
    try {
      await soon(post(`${path}/changes`, { id, change }, box.shown()).then(answered));
    } catch (refused) {
      late = true;
      if (!isLater(refused)) asked.delete(same);
      throw refused;
    }
  }

  return { store, score, act, at, look: box.look, drop: box.drop, close: box.close };
}

/** Return what waits here to be said of a table in a round: {entry, problem}; undefined for nothing. */
export const waitingFor = ({ waiting }, round, table) => waiting.findLast((one) => !isUnread(one) && sameTable(one.entry.change, round, table));
