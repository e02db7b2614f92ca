// What a test knows of a page: what the page was told, and what it shows. Runs in every page.
(() => {
  // No two pages begin to count clicks at the same number.
  const told = { frames: [], table: null, socket: null, clicks: performance.timeOrigin, heard: [] };
  window.told = told;
  addEventListener("click", () => (told.clicks += 1), true);
  // What a screen reader was told: a later text takes the place of an earlier one.
  addEventListener("DOMContentLoaded", () => {
    const listening = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) told.heard.push(...[...addedNodes].map((one) => one.textContent));
    });
    for (const box of document.querySelectorAll("#polite, #urgent")) listening.observe(box, { childList: true });
  });
  // The chance that a browser adds to a deal is the same in every run; at a table nothing else has its length.
  const chance = crypto.getRandomValues.bind(crypto);
  const deals = (row) => row.length === 16 && location.pathname.startsWith("/t/");
  crypto.getRandomValues = (row) => (deals(row) ? row.fill(7) : chance(row));
  const hear = (frame) => {
    told.frames.push(frame);
    const message = JSON.parse(frame);
    // The rules are told once a connection, and each hand of the score sheet; of a `change` all that is new.
    if (message.type === "change") {
      const { view, ...rest } = message.table;
      const apply = (to, { more = {}, ...fields }) => {
        for (const [name, [kept, next]] of Object.entries(more)) to[name].splice(kept, Infinity, ...next);
        return Object.assign(to, fields);
      };
      const table = apply(structuredClone(told.table), rest);
      if (view !== undefined) table.view = view && table.view ? apply(table.view, view) : view;
      told.table = { ...table, seq: message.seq };
    } else if (message.table) {
      const { rules, hands, hands_from } = message.table;
      const known = hands_from ? told.table.hands.slice(0, hands_from) : [];
      told.table = { ...message.table, rules: rules ?? told.table.rules, hands: [...known, ...hands] };
    }
  };
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...all) {
      super(...all);
      told.socket = this;
      // Where a test has gone on to another table, the line to the one before may still say something.
      this.addEventListener("message", (event) => told.socket === this && hear(event.data));
    }
  };
  // A table of this device speaks through a worker.
  const Thread = window.Worker;
  window.Worker = class extends Thread {
    constructor(...all) {
      super(...all);
      this.addEventListener("message", ({ data }) => {
        const said = typeof data === "string" ? JSON.parse(data) : {};
        if (said.type === "hear") hear(said.text);
      });
    }
  };

  const all = (css, box = document) => [...box.querySelectorAll(css)];
  const same = (one, other) => one.length === other.length && [...one].sort().join() === [...other].sort().join();
  const offered = () => all(".decide [data-action]:not([disabled])").map((button) => button.dataset.action);
  const open = (css) => all(css).map((card) => card.dataset.card);

  function asked(view) {
    const { legal } = view;
    if (!Array.isArray(legal) && "call" in legal) {
      const cards = open(".deck [aria-disabled=false]");
      return same(cards, legal.call.from) && { kind: "call", ...legal.call, cards };
    }
    if (!Array.isArray(legal)) {
      const cards = open(".card-row.hand.asked .card.open");
      const wanted = new Set([...legal.from, ...legal.must]);
      return same(cards, [...wanted]) && all(".decide .discard").length === 1 && { kind: "discard", ...legal, cards };
    }
    const verb = legal[0].split(" ")[0];
    if (verb === "play" || verb === "give") {
      const cards = open(".card-row.asked .card.open");
      return same(cards.map((card) => `${verb} ${card}`), legal) && { kind: verb, cards };
    }
    const actions = offered();
    return same(actions, legal) && { kind: view.phase, actions };
  }

  // What the page asks of its person, once it shows what it was told; null before that.
  window.screenNow = (waiting) => {
    const { table } = told;
    if (!table || !document.querySelector("#app h1") || document.querySelector(".banner")) return null;
    const about = { seq: table.seq, you: table.you, phase: table.view && table.view.phase, hand: table.hand_number };
    if (!table.view) return document.querySelector(".lobby") ? { kind: "lobby", ...about } : null;
    if (!document.querySelector(".game")) return null;
    if (table.phase === "over") return document.querySelector(".over .scores") ? { kind: "over", ...about } : null;
    if (about.phase === "done" || about.phase === "redealt") {
      // At the quickest pace the next hand does not wait to be asked for.
      if (table.pause === 0 && !waiting) return null;
      return document.querySelector(".over") && (waiting || !table.ready.includes(table.you)) ? { kind: "done", ...about } : null;
    }
    const mine = Boolean(document.querySelector(".status.my-turn"));
    if (table.view.to_act !== table.you || table.pending) return waiting && !mine ? { kind: "wait", ...about } : null;
    const found = mine && asked(table.view);
    told.asked = JSON.stringify(table.view);
    return found ? { ...found, ...about } : null;
  };

  // What a page says where its person acts, and nothing is pressed.
  window.say = (action, seen) => told.socket.send(JSON.stringify({ type: "act", id: `said-${seen}`, action, seen }));

  // Say the highest bid, and the first of everything else, until the hand has come to one of these phases.
  window.skipTo = (phases) => {
    const { code, view, phase, you, pending, seq } = told.table;
    const { legal } = view;
    const mine = view.to_act === you && !pending;
    const now = phase === "over" ? phase : view.phase;
    if (phases.includes(now)) return mine || now === "over" || now === "done";
    if (mine && legal.swap) return true;
    if (!mine || told.said === `${code} ${seq}`) return false;
    told.said = `${code} ${seq}`;
    if (Array.isArray(legal)) say(legal.findLast((one) => one.startsWith("bid")) ?? legal[0], seq);
    else if (legal.call) say(["call", ...legal.call.from.slice(-legal.call.max)].join(" "), seq);
    else say(["discard", ...[...new Set([...legal.must, ...legal.from])].slice(0, legal.discard)].join(" "), seq);
    return false;
  };
})();
