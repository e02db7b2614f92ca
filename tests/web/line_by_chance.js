// A table's line and a server that is not there, in the time of made_up_time.js: minutes in which all may go wrong, by chance.
// Returns what went wrong, and how often each thing happened.
async (seeds) => {
  const { openSocket } = await import("/static/core/socket.js");
  const FINAL = [4001, 4003, 4004, 4007, 4016, 4020];
  const { at, pass, settled } = made;
  const wrong = new Set();
  const counted = {};
  const count = (what) => (counted[what] = (counted[what] ?? 0) + 1);

  const BITS = Array.from({ length: 256 }, (_, n) => {
    for (let bit = 0; bit < 8; bit += 1) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
    return n;
  });
  const crc = (text) => {
    let sum = 0xffffffff;
    for (const byte of new TextEncoder().encode(text)) sum = BITS[(sum ^ byte) & 255] ^ (sum >>> 8);
    return (sum ^ 0xffffffff) >>> 0;
  };

  async function episode(seed) {
    const random = made.begin(seed);
    const chance = (share) => random() < share;
    const pick = (all) => all[Math.floor(random() * all.length)];
    const fault = (what) => wrong.add(`${seed}: ${what}`);

    // The server: a table with a history, and what it has answered to each id.
    const old = chance(0.2); // one of before, which knows no changes
    const table = { seq: 1, n: 0, lines: ["é"], view: { cards: [] }, rules: null, hands_from: 0 };
    const past = new Map([[1, JSON.stringify(table)]]);
    const answers = new Map();
    const refusals = new Map(); // id -> how many temporary ones came to the page
    const lines = [];
    let net = "up", ended = null, calm = false;
    const heard = { seq: 0, mark: "" }; // what the page was told

    class Line {
      static CONNECTING = 0;
      static OPEN = 1;
      readyState = 0;
      constructor() {
        if (ended) fault("called again after an end for good");
        lines.push(this);
        if (net === "up") at(20 + 300 * random(), () => this.open());
        if (net === "refuses") at(20 + 100 * random(), () => this.end(1006));
      }
      open() {
        if (this.readyState) return;
        this.readyState = 1;
        this.onopen();
      }
      end(code, reason = "") {
        if (this.readyState === 3) return;
        this.readyState = 3;
        this.onclose?.({ code, reason });
      }
      close() {
        this.readyState = 3;
        at(20, () => this.onclose?.({ code: 1005, reason: "" }));
      }
      send(text) {
        const message = JSON.parse(text);
        if (this.readyState === 0) fault(`${message.type} on a line that is not open`);
        if (!this.welcomed && message.type !== "hello") fault(`${message.type} before the welcome`);
        if (message.type === "hello" && (message.seen !== heard.seq || message.mark !== heard.mark)) fault("hello knows something else");
        if (message.type === "ping" && message.seen !== heard.seq) fault("a ping has seen something else");
        if (this.readyState === 1 && !this.dead) this.after(() => this.hear(message), "there");
      }
      // What was said first comes first.
      after(act, way) {
        this[way] = Math.max(this[way] ?? 0, made.now + 10 + 200 * random());
        at(this[way] - made.now, () => this.readyState === 1 && !this.dead && act());
      }
      say(message) {
        this.after(() => {
          if (this.onmessage === undefined) return fault("nobody listens");
          if (message.type === "welcome") this.welcomed = true;
          if (message.code === "too-fast") {
            refusals.set(message.id, (refusals.get(message.id) ?? 0) + 1);
            this.slowed = { ...this.slowed, [message.id]: made.now };
          }
          this.onmessage({ data: JSON.stringify(message) });
        }, "back");
      }
      hear(message) {
        const { type, id } = message;
        if (type === "hello") {
          if (old && message.changes) return this.say({ type: "refused", code: "bad-message" });
          if (!old && !message.changes) fault("a server of today is asked for whole tables");
          this.greeted = true;
          count("welcome");
          return this.say({ type: "welcome", seq: table.seq, table: JSON.parse(past.get(table.seq)), mark: `m${table.seq}` });
        }
        if (made.now - this.slowed?.[id] > 3_000) fault("what came too fast is sent again late");
        if (!this.greeted) return fault(`${type} is the first that is said`);
        if (type === "ping") return this.say({ type: "pong" });
        if (old && type !== "act" && "seen" in message) return this.say({ type: "refused", id, code: "bad-message" });
        if (!answers.has(id)) {
          if (!calm && chance(0.3)) return this.say({ type: "refused", id, code: "too-fast" });
          const no = chance(0.15) && { type: "refused", id, code: "not-now" };
          if (!no) this.changed(message);
          answers.set(id, no || { type: "ack", id, seq: table.seq });
          if (!calm && chance(0.2)) {
            count("cut-before-the-answer");
            return this.end(1006);
          }
        }
        this.say(answers.get(id));
      }
      changed({ id }) {
        const base = table.seq;
        [table.seq, table.n] = [base + 1 + Math.floor(2 * random()), table.n + 1];
        table.lines = [...table.lines.slice(0, 3), id];
        const before = table.view;
        table.view = chance(0.1) ? null : { cards: [...(before?.cards ?? []), table.n] };
        past.set(table.seq, JSON.stringify(table));
        for (const line of lines) {
          if (!line.greeted) continue;
          if (old) line.say({ type: "update", seq: table.seq, table: JSON.parse(past.get(table.seq)), mark: `m${table.seq}` });
          else line.tell(base, before);
        }
      }
      tell(base, before) {
        const kept = table.lines.length - 1;
        const view = before && table.view ? { more: { cards: [before.cards.length, [table.n]] } } : table.view;
        const told = {
          type: "change", base, seq: table.seq, mark: `m${table.seq}`,
          table: { n: table.n, more: { lines: [kept, table.lines.slice(kept)] }, view },
        };
        if (!calm && chance(0.1)) {
          // One that is damaged, and says what the whole should be; or of another table.
          count("damaged");
          if (chance(0.5)) told.base += 1;
          else told.table.n += 1;
        } else if (chance(0.3)) return this.say({ ...told, check: crc(past.get(table.seq)) });
        this.say(told.table.n === table.n ? told : { ...told, check: crc(past.get(table.seq)) });
      }
    }
    window.WebSocket = Line;

    const said = []; // of the state of the line
    const shown = { seq: 0 };
    const line = openSocket("AAAA", (message) => {
      const { seq, mark } = message;
      if (seq) heard.seq = message.type === "welcome" ? seq : Math.max(heard.seq, seq);
      if (mark) heard.mark = mark;
      if (!message.table) return;
      if (JSON.stringify(message.table) !== past.get(message.table.seq)) fault("a table that never was");
      shown.seq = message.table.seq;
    }, (status, why) => said.push([status, why?.code]));

    const results = [];
    const command = () => {
      const message = chance(0.5) ? { type: "act" } : { type: "next" };
      if (chance(0.5)) message.seen = 1;
      const one = { times: 0 };
      results.push(one);
      line.command(message).then((result) => Object.assign(one, { result, times: one.times + 1 }));
    };
    const CHANCES = {
      cut: () => lines.forEach((one) => one.end(1006)),
      restart: () => lines.forEach((one) => {
        if (one.readyState === 1 && one.welcomed) one.onmessage({ data: JSON.stringify({ type: "closing", code: "restart", reason: "" }) });
        one.end(1012);
      }),
      dead: () => lines.forEach((one) => (one.dead = true)),
      refuses: () => (net = "refuses"),
      hangs: () => (net = "hangs"),
      up: () => (net = "up"),
      online: () => dispatchEvent(new Event("online")),
      offline: () => dispatchEvent(new Event("offline")),
      hidden: () => (made.visible = false),
      seen: () => {
        made.visible = true;
        document.dispatchEvent(new Event("visibilitychange"));
      },
    };
    line.send({ type: "typing" }); // lost: there is no line yet
    for (let n = 0; n < 30; n += 1) {
      await pass(3_000 * random() ** 2);
      if (chance(0.4)) command();
      if (chance(0.5)) {
        const what = pick(Object.keys(CHANCES));
        count(what);
        CHANCES[what]();
      }
    }

    if (chance(0.3)) {
      // The end for good.
      [net, calm] = ["up", true];
      await pass(60_000);
      const code = pick(FINAL);
      const told = chance(0.5);
      const [mine] = lines.slice(-1).filter((one) => one.readyState === 1 && one.welcomed && !one.dead);
      if (mine) {
        count("for-good");
        if (told) mine.onmessage({ data: JSON.stringify({ type: "closing", code: "sent-away", reason: "" }) });
        ended = true;
        mine.end(code);
        const last = said.at(-1);
        if (last[0] !== "closed" || last[1] !== (told ? "sent-away" : `closed-${code}`)) fault(`the end is told as ${last}`);
        CHANCES.online();
        CHANCES.seen();
      }
    }

    // All goes well now: within two minutes everything is as it should be.
    [net, calm] = ["up", true];
    if (!ended) {
      await pass(120_000);
      if (said.at(-1)[0] !== "open") fault(`the line is ${said.at(-1)}`);
      if (lines.filter((one) => one.readyState === 1 && !one.dead).length !== 1) fault("more than one line, or none");
      const [id, hellos] = [answers.size, counted.welcome];
      for (let n = 1; n < 10; n += 1) {
        command();
        await pass(3_000);
        if (answers.size !== id + n) fault("a command does not arrive");
      }
      if (counted.welcome !== hellos) fault("the whole table is asked for in vain");
      if (shown.seq !== table.seq) fault("an old table is shown");
      for (const { times } of results) if (times !== 1) fault(`a command was answered ${times} times`);
      lines.at(-1).end(1006);
      await pass(1_500);
      if (said.at(-1)[0] !== "open") fault("a line that was well is called again late");
      const quiet = lines.length;
      await pass(60_000);
      if (lines.length !== quiet) fault("a line that is well is called again");
    }

    // Whoever leaves is told of what has no answer; nothing goes on.
    const open = results.filter(({ times }) => !times);
    command();
    line.close();
    await settled();
    for (const { result } of open) if (result?.refused?.code !== "left") fault("whoever leaves waits for an answer");
    await pass(60_000);
    if (made.waiting()) fault(`${made.waiting()} timers go on`);
    if (made.heeded.size) fault(`${made.heeded.size} events are heeded`);
    if (lines.some((one) => one.readyState !== 3 && !one.dead)) fault("a line stays open");
    const acks = results.filter(({ result }) => result?.ok).length;
    const done = [...answers.values()].filter(({ type }) => type === "ack").length;
    if (acks > done || (!ended && acks !== done - (results.at(-1).result?.refused?.code === "left" && done > acks ? 1 : 0))) fault(`${acks} of ${done} commands are known to be done`);
    for (const { result } of results) {
      const { code, id } = result?.refused ?? {};
      if (code === "too-fast" && refusals.get(id) !== 4) fault(`given up after ${refusals.get(id)} refusals`);
      if (code === "too-fast") count("given-up");
      if (code === "bad-message") fault("a server of before is asked in vain");
    }
  }

  for (const seed of seeds) await episode(seed);
  return [[...wrong], counted];
}
