// What two phones write, and a server that is not there, in the time of made_up_time.js: minutes in which all may go wrong, by
// chance. Returns what went wrong, and how often each thing happened.
async (seeds) => {
  const { isLater, newId, openOutbox } = await import("/static/core/outbox.js");
  const { shelf } = await import("/static/core/shelf.js");
  const { at, pass, settled } = made;
  const EVERY = 5_000;
  const wrong = new Set();
  const counted = {};
  const count = (what) => (counted[what] = (counted[what] ?? 0) + 1);

  async function episode(seed) {
    const random = made.begin(seed);
    const chance = (share) => random() < share;
    const pick = (all) => all[Math.floor(random() * all.length)];
    const fault = (what) => wrong.add(`${seed}: ${what}`);
    localStorage.clear();

    // The server: what it has taken, in its order, and what it has refused for good.
    let taken = [], refused = new Map(), net = "up", gone = false, calm = false, asks = 0, named = true;
    const told = () => ({ entries: taken.length, ids: [...taken], now: made.begins + made.now, may: true });
    const error = (status, code) => ({ status, body: { error: { code, reason: "" } } });
    function answer({ method, headers, body }) {
      if (gone) return error(404, "not-found");
      if (headers["x-key"] !== "secret") return error(403, "bad-key");
      if (method === "GET") return !calm && chance(0.1) ? error(429, "later") : { status: 200, body: told() };
      if (!named) return error(401, "no-session");
      const { id } = JSON.parse(body);
      if (refused.has(id)) return refused.get(id);
      if (!taken.includes(id)) {
        if (!calm && chance(0.2)) return pick([error(503, "busy"), error(409, "too-fast"), error(429, "later"), error(500, "what")]);
        if (chance(0.1)) {
          count("refused");
          refused.set(id, error(409, "not-this"));
          return refused.get(id);
        }
        taken.push(id);
      }
      return { status: 200, body: told() };
    }
    window.fetch = (path, asked) => new Promise((done, fail) => {
      asks += 1;
      const { net: way } = { net };
      const takes = 10 + 300 * random();
      const lost = () => at(takes, () => fail(new TypeError("no network")));
      if (way === "cut") return lost();
      at(takes, () => {
        if (way === "proxy") return done({ status: 502, text: async () => "<h1>Bad gateway</h1>" });
        const { status, body } = answer(asked);
        const say = () => done({ status, text: async () => JSON.stringify(body) });
        if (way === "up") return at(10 + 300 * random(), say);
        count(`${asked.method} ${way}`);
        // The server has heard it, and the answer gets lost, or comes when nobody waits for it any more.
        if (way === "lost") lost();
        else if (chance(0.5)) at(12_000 + 20_000 * random(), say);
      });
    });

    const phones = ["A", "B"].map((code) => ({ code, wrote: [], shelf: shelf(`some${code}.`, /^secret$/, () => true), box: null, key: "secret" }));
    const opens = (one) => {
      one.box = openOutbox({
        shelf: one.shelf, code: one.code, key: one.key, path: "/log", to: "/log/entries",
        headers: (key) => ({ "x-key": key }), every: () => EVERY, proves: ({ may }) => may,
      });
      one.key = pick(["", "secret", "wrong"]); // of the link by which it is opened again
    };
    phones.forEach(opens);
    const write = (one) => {
      const id = newId();
      one.wrote.push(id);
      one.box.put(({ waiting }) => ({ waiting: [...waiting, { entry: { id } }] }));
      one.box.flush();
    };
    const CHANCES = {
      cut: () => (net = "cut"),
      lost: () => (net = "lost"),
      hangs: () => (net = "hangs"),
      proxy: () => (net = "proxy"),
      up: () => (net = "up"),
      gone: () => (gone = chance(0.5)),
      restored: () => (taken = taken.slice(0, -1)),
      nameless: () => (named = false),
      named: () => (named = true),
      online: () => dispatchEvent(new Event("online")),
      hidden: () => (made.visible = false),
      seen: () => {
        made.visible = true;
        document.dispatchEvent(new Event("visibilitychange"));
      },
      clock: () => (made.skew = 600_000 * (random() - 0.5)),
      reload: () => {
        const one = pick(phones);
        one.box.close();
        one.left = true;
        opens(one);
      },
    };
    const lost = new Set(); // what the server had, and has not any more
    for (let n = 0; n < 30; n += 1) {
      await pass(8_000 * random() ** 2);
      for (const { box, left } of phones) {
        const { error: wrong, told: known } = box.store.get();
        if (left) continue; // an answer to the page that was left may have come to this one's shelf
        if (known && wrong && wrong.code !== "not-found") fault(`${wrong.code} stays beside what is known`);
      }
      if (chance(0.4)) write(pick(phones));
      if (!chance(0.5)) continue;
      const what = pick(Object.keys(CHANCES));
      count(what);
      if (what === "restored") taken.slice(-1).forEach((id) => lost.add(id));
      CHANCES[what]();
    }

    // All goes well now.
    [net, gone, calm] = ["up", false, true];
    CHANCES.seen();
    if (!named) {
      // ... once whoever writes has said their name.
      await pass(60_000);
      for (const { code, box } of phones) {
        const { nameless, waiting } = box.store.get();
        if (waiting.some(({ problem }) => !problem) && !nameless) fault(`${code}: nobody is asked for their name`);
      }
      named = true;
    }
    await pass(180_000);
    for (const { code, box, wrote, shelf: kept } of phones) {
      const state = box.store.get();
      const fine = (what, is) => is || fault(`${code}: ${what}`);
      fine("the server cannot be reached", !state.away && !state.error && !state.nameless);
      if (!state.told) {
        fault(`${code}: nothing is shown, ${JSON.stringify([state.error, state.key, state.away, asks])}`);
        continue;
      }
      fine("it shows something old", JSON.stringify(state.told.ids) === JSON.stringify(taken));
      fine("it does not know that its key is right", state.proven && state.key === "secret");
      fine(`it is ${state.ahead + made.skew} ms wrong`, Math.abs(state.ahead + made.skew) < 2_000);
      fine("the page shows what is not kept", JSON.stringify(kept.read(code).waiting) === JSON.stringify(state.waiting));
      const waits = state.waiting.map(({ entry }) => entry.id);
      for (const id of wrote) {
        const times = taken.filter((other) => other === id).length;
        const problem = state.waiting.find(({ entry }) => entry.id === id)?.problem?.code;
        if (problem === "not-found") continue; // it was sent while nothing was there
        if (lost.has(id)) fine("what was lost is there twice", times <= 1);
        else if (refused.has(id)) fine("a refusal is not told", problem === "not-this" && !times);
        else fine(`an entry is there ${times} times, ${problem}`, times === 1 && !waits.includes(id));
      }
      const order = taken.filter((id) => wrote.includes(id));
      fine("entries come in another order", lost.size || order.join() === wrote.filter((id) => taken.includes(id)).join());
    }

    // What is written now is there within moments, and everything is well again.
    net = "cut";
    write(phones[0]);
    await pass(12_000);
    if (!phones[0].box.store.get().away) fault("nobody is told that the server cannot be reached");
    net = "up";
    await pass(400);
    phones[0].box.flush();
    await pass(800);
    if (phones[0].box.store.get().away) fault("the server is said not to be reached, which has answered");

    // It looks again, as often as it says; not where nobody sees it.
    let before = asks;
    await pass(60_000);
    if (asks - before < 2 * 10 || asks - before > 2 * 13) fault(`${asks - before} looks in a minute`);
    CHANCES.hidden();
    await pass(EVERY);
    before = asks;
    await pass(60_000);
    if (asks !== before) fault("a page that nobody sees looks");
    phones.forEach(({ box }) => box.drop(box.store.get().waiting[0]?.entry.id));

    // Whoever leaves looks no more.
    phones.forEach(({ box }) => box.close());
    before = asks;
    CHANCES.online();
    CHANCES.seen();
    await pass(60_000);
    if (asks !== before) fault("a page that was left looks");
    if (made.waiting()) fault(`${made.waiting()} timers go on`);
    if (made.heeded.size) fault(`${made.heeded.size} events are heeded`);
    await settled();
  }

  for (const code of ["busy", "too-fast", "storage", "offline", "not-ready"]) if (!isLater({ code, status: 409 })) wrong.add(code);
  for (const code of ["not-this", "bad-key"]) if (isLater({ code, status: 409 })) wrong.add(code);
  for (const seed of seeds) await episode(seed);
  return [[...wrong], counted];
}
