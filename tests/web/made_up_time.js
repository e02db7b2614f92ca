// A time that a test makes, for what a page does by itself: all that waits is done in its turn, and no real time passes.
() => {
  const { port1: there, port2: back } = new MessageChannel();
  let due, numbers;
  // `skew` is by how much the device's clock is wrong; a test says that, and whether the page is seen.
  const made = (window.made = { now: 0, begins: 1_800_000_000_000, skew: 0, visible: true, heeded: new Set() });
  made.at = (after, act, every = null) => {
    numbers += 1;
    due.set(numbers, { at: made.now + Math.max(0, after ?? 0), act, every });
    return numbers;
  };
  made.waiting = () => due.size;
  // What follows from one thing is done before the next.
  made.settled = async () => {
    for (let n = 0; n < 100; n += 1) await null;
  };
  const all = () => new Promise((done) => {
    back.onmessage = done;
    there.postMessage(null);
  });
  made.pass = async (time) => {
    const end = made.now + time;
    for (;;) {
      let first = null;
      for (const [number, one] of due) if (one.at <= end && (!first || one.at < first[1].at)) first = [number, one];
      if (!first) {
        const known = numbers;
        await all();
        if (numbers === known) break;
        continue;
      }
      const [number, one] = first;
      made.now = one.at;
      if (one.every === null) due.delete(number);
      else one.at = made.now + one.every;
      one.act();
      await made.settled();
    }
    made.now = end;
  };
  /** Begin anew, with a chance of its own; returns that. */
  made.begin = (seed) => {
    let state = seed;
    const random = () => {
      state = (state + 0x6d2b79f5) | 0;
      let t = Math.imul(state ^ (state >>> 15), 1 | state);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    [due, numbers] = [new Map(), 0];
    Object.assign(made, { now: 0, skew: 0, visible: true });
    Math.random = random;
    return random;
  };
  window.setTimeout = (act, after, ...rest) => made.at(after, () => act(...rest));
  window.setInterval = (act, after) => made.at(after, () => act(), after);
  window.clearTimeout = window.clearInterval = (number) => due.delete(number);
  performance.now = () => made.now;
  Date.now = () => made.begins + made.now + made.skew;
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (made.visible ? "visible" : "hidden") });
  Object.defineProperty(document, "hidden", { configurable: true, get: () => !made.visible });
  for (const target of [window, document]) {
    const [add, remove] = [target.addEventListener.bind(target), target.removeEventListener.bind(target)];
    target.addEventListener = (name, act) => {
      made.heeded.add(act);
      add(name, act);
    };
    target.removeEventListener = (name, act) => {
      made.heeded.delete(act);
      remove(name, act);
    };
  }
}
