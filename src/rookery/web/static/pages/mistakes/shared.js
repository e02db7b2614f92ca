// My mistakes on all my devices: the server keeps them too, for whoever has a passkey.
import { askWho, get, here, patch } from "../../core/api.js";
import { claim, merge, unclaimed } from "./kept.js";

const AT_ONCE = 20;
const ROOM = 30_000; // characters of one request
const LONGEST = 2_900; // ... of one mistake; a longer one stays in this browser

const LOOKS = 20; // tables of the old list that are looked up at a time

let shared = null; // whose list the server keeps, as far as it has said

/**
 * Return who is here now, null for nobody, once what an earlier version kept of theirs is in their list:
 * what was done in their seat, or at a table that they have left.
 */
export async function owner() {
  const { person, tables } = await askWho();
  const codes = person ? unclaimed().slice(0, LOOKS) : [];
  if (!codes.length) return person;
  const left = new Set(tables.filter(({ you }) => you === null).map(({ code }) => code));
  const seats = new Map();
  const look = (code) => get(`/api/tables/${encodeURIComponent(code)}`).then(({ you }) => seats.set(code, you), () => {});
  await Promise.all(codes.map(look));
  const inSeat = (one, seat) => Number.isInteger(seat) && (one.decision?.seat ?? seat) === seat;
  claim(person, codes, (one) => left.has(one.code) || inSeat(one, seats.get(one.code)));
  return person;
}

/** Return who plays without a server in this browser, whose mistakes stay here; null for nobody. */
export const player = async () => (here?.hasTables() ? (await import("../../table/offline/device.js")).person() : null);

// Send some; one that the server does not take keeps no other from being sent.
async function send(some) {
  try {
    await patch("/api/mistakes", { mistakes: some });
  } catch (refused) {
    if (refused.code !== "bad-request" || some.length === 1) throw refused;
    for (const one of some) await send([one]).catch(() => {});
  }
}

async function sendAll(list) {
  let some = [];
  let size = 0;
  for (const one of list) {
    const { length } = JSON.stringify(one);
    if (length > LONGEST) continue;
    if (some.length === AT_ONCE || size + length > ROOM) {
      await send(some);
      [some, size] = [[], 0];
    }
    some.push(one);
    size += length;
  }
  if (some.length) await send(some);
}

/** Bring a person's list in this browser and the server's together, while they are here; return whether the server keeps one. */
export async function share(person) {
  const me = await askWho();
  shared = null;
  if (!person || me.person !== person || !me.passkeys) return false;
  const { kept, mistakes } = await get("/api/mistakes");
  if (!kept) return false;
  shared = person;
  await sendAll(merge(person, mistakes));
  return true;
}

/** Tell the server of one that this person has just changed; what does not arrive goes with the next `share`. */
export function tell(person, one) {
  // In another window somebody else may have come.
  if (shared === person) askWho().then((me) => me.person === person && sendAll([one])).catch(() => {});
}
