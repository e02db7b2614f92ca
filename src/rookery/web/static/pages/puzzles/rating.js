// Glicko-2 for a person and the puzzles they met, kept in this browser. After Mark E. Glickman's
// "Example of the Glicko-2 system"; the same as rookery/puzzles/glicko.py, one game at a time.

const KEY = "rookery.puzzles";
const SCALE = 173.7178;
const START = 1500;
const TAU = 0.5;
const EXACT = 1e-6;
const LEAST = 45; // the deviation never gets smaller, so that a rating follows whoever learns

export const BEGINNER = { value: START, deviation: 350, volatility: 0.06 };

function volatilityAfter(phi, sigma, delta, variance) {
  const middle = Math.log(sigma ** 2);
  const slope = (x) => {
    const grown = phi ** 2 + variance + Math.exp(x);
    return (Math.exp(x) * (delta ** 2 - grown)) / (2 * grown ** 2) - (x - middle) / TAU ** 2;
  };
  let low = middle;
  let high;
  if (delta ** 2 > phi ** 2 + variance) {
    high = Math.log(delta ** 2 - phi ** 2 - variance);
  } else {
    let steps = 1;
    while (slope(middle - steps * TAU) < 0) steps += 1;
    high = middle - steps * TAU;
  }
  let atLow = slope(low);
  let atHigh = slope(high);
  while (Math.abs(high - low) > EXACT) {
    const between = low + ((low - high) * atLow) / (atHigh - atLow);
    const at = slope(between);
    if (at * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [between, at];
  }
  return Math.exp(low / 2);
}

/** Return a rating {value, deviation, volatility} after one game with another, score 0 or 1. */
export function after(one, other, score) {
  const mu = (one.value - START) / SCALE;
  const phi = one.deviation / SCALE;
  const weight = 1 / Math.sqrt(1 + 3 * (other.deviation / SCALE / Math.PI) ** 2);
  const expected = 1 / (1 + Math.exp(-weight * (mu - (other.value - START) / SCALE)));
  const information = weight ** 2 * expected * (1 - expected);
  const gained = weight * (score - expected);
  const volatility = volatilityAfter(phi, one.volatility, gained / information, 1 / information);
  const narrow = 1 / Math.sqrt(1 / (phi ** 2 + volatility ** 2) + information);
  return {
    value: START + SCALE * (mu + narrow ** 2 * gained),
    deviation: Math.max(LEAST, SCALE * narrow),
    volatility,
  };
}

const isRating = (one) => one && ["value", "deviation", "volatility"].every((name) => Number.isFinite(one[name]));

let held = null; // the ratings of this visit, where the browser keeps none

/** Return {person, met}: my rating, and of each puzzle I was rated by, its rating since, by id. */
export function saved() {
  if (held) return held;
  try {
    const { person, met } = JSON.parse(localStorage.getItem(KEY));
    const known = Object.entries(met || {}).filter(([, one]) => isRating(one));
    return { person: isRating(person) ? person : BEGINNER, met: Object.fromEntries(known) };
  } catch {
    return { person: BEGINNER, met: {} };
  }
}

/** Return the ratings after I was right about a puzzle or not, and keep them in this browser. */
export function rated({ person, met }, id, puzzle, isRight) {
  const now = { person: after(person, puzzle, isRight ? 1 : 0), met: { ...met, [id]: after(puzzle, person, isRight ? 0 : 1) } };
  try {
    localStorage.setItem(KEY, JSON.stringify(now));
    held = null;
  } catch {
    held = now; // private windows may refuse storage
  }
  return now;
}

const NEAR = 12; // puzzles to choose one of, so that two people of one rating do not see the same

/** Return the id of a puzzle to try: one that I have not met, as hard as I am good. */
export function nextOf(list, { person, met }, last, dice = Math.random) {
  const fresh = list.filter(({ id }) => !(id in met) && id !== last);
  const open = fresh.length ? fresh : list.filter(({ id }) => id !== last);
  const near = [...open].sort((a, b) => Math.abs(a.rating - person.value) - Math.abs(b.rating - person.value)).slice(0, NEAR);
  return near.length ? near[Math.floor(dice() * near.length)].id : last;
}
