// A person's mistakes, as reviews have found them: kept in this browser, and asked again after some days.
// With a passkey they are kept on the server too (shared.js); the last answer to each counts.
const OLD = "rookery.mistakes"; // one list for all who used the browser, as an earlier version kept it
const OWNER = "rookery.mistakes.of"; // ... and who had shared it
const keyFor = (person) => `${OLD}.${person}`;
const MOST = 200;
const MOST_DONE = 100; // are remembered, so that no review and no other device brings them back
const A_MATCH = 5;
const LEAST = 5; // points that a decision has to have cost
const AFTER = [1, 3, 9, 30]; // days
const NEVER = AFTER.length; // the step of what is asked no more

// What another version wrote, or somebody by hand, is left out.
const isPlaced = (one) => typeof one?.code === "string" && [one.hand, one.at, one.due, one.changed].every(Number.isFinite);
const isWhole = (one) =>
  isPlaced(one) && (one.step === NEVER ||
    (one.step in AFTER && Number.isFinite(one.decision?.seat) && typeof one.decision.best === "string" && one.decision.alternatives?.length > 1));

// Return the moment so many days later, at the same hour: not every day has 24 of them.
function later(moment, days) {
  const at = new Date(moment);
  return at.setDate(at.getDate() + days);
}

// An earlier version did not say when one was answered: when it is due tells.
const dated = (one) => (Number.isFinite(one?.changed) ? one : { ...one, changed: later(one?.due, -AFTER[one?.step]) });

const keyOf = (one) => `${one.code} ${one.hand} ${one.at}`;
const same = (a, b) => keyOf(a) === keyOf(b);

// Return all that is kept under a key, what is asked no more included.
function read(key) {
  try {
    const kept = JSON.parse(localStorage.getItem(key));
    return Array.isArray(kept) ? kept.map(dated).filter(isWhole) : [];
  } catch {
    return [];
  }
}

const everything = (person) => read(keyFor(person));
const asked = (person) => everything(person).filter((one) => one.step !== NEVER);

// Keep a person's list; return whether the browser has taken it.
function keep(person, all) {
  const sorted = [...all].sort((a, b) => a.changed - b.changed);
  const of = (done, most) => sorted.filter((one) => (one.step === NEVER) === done).slice(-most);
  try {
    localStorage.setItem(keyFor(person), JSON.stringify([...of(false, MOST), ...of(true, MOST_DONE)]));
    return true;
  } catch {
    return false; // private windows may refuse storage
  }
}

// Return two lists as one: of each mistake the last answer.
function latest(some, others) {
  const all = new Map(some.map((one) => [keyOf(one), one]));
  for (const one of others) {
    if (!(all.get(keyOf(one))?.changed >= one.changed)) all.set(keyOf(one), one);
  }
  return [...all.values()];
}

/** Return the codes of tables in the list that an earlier version kept for whoever used the browser. */
export const unclaimed = () => [...new Set(read(OLD).map(({ code }) => code))];

/** Take over what of that list is this person's; the rest stays for others, what was `looked` at by now comes last. */
export function claim(person, looked, isMine) {
  const all = read(OLD);
  const mine = all.filter(isMine);
  if (mine.length && !keep(person, latest(everything(person), mine))) return;
  const rest = all.filter((one) => !mine.includes(one));
  const seen = (one) => Number(looked.includes(one.code));
  try {
    if (rest.length) localStorage.setItem(OLD, JSON.stringify(rest.sort((a, b) => seen(a) - seen(b))));
    else for (const key of [OLD, OWNER]) localStorage.removeItem(key);
  } catch {
    // As above.
  }
}

/** Forget a person's list, and what is left of the old one where it was not known as somebody else's. */
export function forget(person) {
  try {
    const old = (localStorage.getItem(OWNER) ?? person) === person ? [OLD, OWNER] : [];
    for (const key of [keyFor(person), ...old]) localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

// The first moment of the next day: what is due tomorrow is asked from the morning on, whatever the hour of the last answer.
const tomorrow = (now) => new Date(now).setHours(24, 0, 0, 0);

// Nothing is asked so late by a right clock; it was answered by one that was ahead.
const isTooLate = ({ due: at, step }, now) => at > later(now, AFTER[step] + 1);

/** Return those of a person that are due today, the oldest first. */
export const due = (person, now = Date.now()) =>
  asked(person).filter((one) => one.due < tomorrow(now) || isTooLate(one, now)).sort((a, b) => a.due - b.due);

/** Return when the next one is due, in milliseconds; null where none is kept. */
export const nextDue = (person) => asked(person).reduce((least, one) => (least === null || one.due < least ? one.due : least), null);

// What is asked of a decision; a review says more.
function slim({ seat, best, alternatives, reason: { code, text, about } }) {
  return { seat, best, alternatives: alternatives.map(({ action, margin, error, making }) => ({ action, margin, error, making })), reason: { code, text, about } };
}

/**
 * Keep a person's worst mistakes in a match that are not kept yet; return how many of the match are kept.
 * `found` holds {hand, decision}: the hand's number at the table, and the decision as the review has it.
 */
export function collect(person, code, found, now = Date.now()) {
  const all = everything(person);
  const worst = found.filter(({ decision }) => decision.sure && decision.cost >= LEAST).sort((a, b) => b.decision.cost - a.decision.cost);
  const wanted = worst.slice(0, A_MATCH).map(({ hand, decision }) => (
    { code, hand, at: decision.action_index, decision: slim(decision), step: 0, due: later(now, AFTER[0]), changed: now }));
  const among = (some) => (one) => some.some((other) => same(one, other));
  const known = among(all);
  const fresh = wanted.filter((one) => !known(one));
  if (fresh.length) keep(person, [...all, ...fresh]);
  return wanted.filter(among(asked(person))).length;
}

function put(person, one) {
  keep(person, [...everything(person).filter((other) => !same(one, other)), one]);
  return one;
}

/** Note how a question was answered; return it as it is kept now. */
export function answered(person, one, right, now = Date.now()) {
  const step = right ? one.step + 1 : 0;
  if (step === NEVER) return drop(person, one, now);
  return put(person, { ...one, step, due: later(now, AFTER[step]), changed: now });
}

/** Ask a question no more: it was answered often enough, or its hand is gone. Return it as it is kept now. */
export function drop(person, one, now = Date.now()) {
  return put(person, { code: one.code, hand: one.hand, at: one.at, decision: null, step: NEVER, due: 0, changed: now });
}

/** Return in how many days one is asked again, null for never. */
export const daysUntil = (one) => AFTER[one.step] ?? null;

/** Return whether the browser has kept one as it is now: it may have no room. */
export const isKept = (person, one) => everything(person).some((other) => same(one, other) && other.changed === one.changed);

/** Take over what the server has of a person's list, of each mistake the last answer; return what it does not have. */
export function merge(person, theirs) {
  const mine = everything(person);
  const whole = theirs.filter(isWhole);
  const known = new Map(whole.map((one) => [keyOf(one), one.changed]));
  keep(person, latest(mine, whole));
  return mine.filter((one) => !(known.get(keyOf(one)) >= one.changed)).map((one) => (one.decision ? { ...one, decision: slim(one.decision) } : one));
}
