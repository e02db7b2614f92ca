// One table's socket: comes back by itself, beats, and sends again what was not acknowledged.

const BEAT = 10_000; // between pings
const SILENCE = 25_000; // nothing heard for so long: the line is dead
const RESEND = 4_000; // a command without an answer
const PATIENCE = new Set(["too-fast", "busy"]); // refusals that a moment cures
const LATER = 1_200; // how long that moment is
const MOST_TRIES = 3;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;
// The server says with these that coming back at once is of no use: 4001 is another tab of ours,
// 4003 forbidden, 4004 no such table.
const FINAL = new Set([4001, 4003, 4004]);

let made = 0;
const lot = Array.from(crypto.getRandomValues(new Uint8Array(6)), (n) => n.toString(16).padStart(2, "0")).join("");

function newId() {
  made += 1;
  return `${lot}-${made}`;
}

/**
 * Open the socket of a table.
 *
 * `heard(message)` gets every message from the server, `line(state)` gets "open", "lost" or
 * "closed" (for good; a second argument is the server's {code, reason} or null).
 * Returns {send, command, close}: `command` adds an id and resolves with {ok} or {refused}.
 */
export function openSocket(code, heard, line) {
  const open = new Map(); // id -> {message, settle, sent}
  let socket = null;
  let seen = 0;
  let tries = 0;
  let lastHeard = 0;
  let greeted = false;
  let over = false;
  let goodbye = null;
  let retry = 0;
  let resending = 0; // runs only while a command has no answer

  const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/${encodeURIComponent(code)}`;
  const ready = () => socket && socket.readyState === WebSocket.OPEN && greeted;
  const put = (message) => socket.send(JSON.stringify(message));

  function settle(id, result) {
    const one = open.get(id);
    if (!one) return;
    open.delete(id);
    if (!open.size) clearInterval(resending);
    one.settle(result);
  }

  function resend() {
    const now = Date.now();
    for (const one of open.values()) {
      if (now - one.sent < RESEND) continue;
      one.sent = now;
      put(one.message);
    }
  }

  function take(message) {
    if (typeof message.seq === "number") seen = Math.max(seen, message.seq);
    if (message.type === "welcome") {
      greeted = true;
      tries = 0;
      line("open");
      for (const one of open.values()) one.sent = 0;
      heard(message);
      resend();
      return;
    }
    if (message.type === "closing") goodbye = { code: message.code, reason: message.reason };
    if (message.type === "ack") settle(message.id, { ok: true });
    if (message.type === "refused" && message.id) {
      const one = open.get(message.id);
      if (one && PATIENCE.has(message.code) && one.tries < MOST_TRIES) {
        one.tries += 1;
        one.sent = Date.now() - RESEND + LATER;
        return;
      }
      settle(message.id, { refused: { code: message.code, reason: message.reason } });
    }
    heard(message);
  }

  function connect() {
    clearTimeout(retry);
    greeted = false;
    goodbye = null;
    socket = new WebSocket(url);
    const mine = socket;
    lastHeard = Date.now();
    mine.onopen = () => put({ type: "hello", seen });
    mine.onmessage = (event) => {
      if (mine !== socket) return;
      lastHeard = Date.now();
      take(JSON.parse(event.data));
    };
    mine.onclose = (event) => {
      if (mine !== socket || over) return;
      socket = null;
      if (FINAL.has(event.code)) {
        over = true;
        line("closed", goodbye || { code: `closed-${event.code}`, reason: event.reason });
        return;
      }
      line("lost", goodbye);
      again();
    };
  }

  function again() {
    clearTimeout(retry);
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 1.8 ** tries) * (0.7 + 0.6 * Math.random());
    tries += 1;
    retry = setTimeout(connect, wait);
  }

  function beat() {
    if (!socket || socket.readyState !== WebSocket.OPEN) return;
    if (Date.now() - lastHeard > SILENCE) {
      // A half-open line gives no close event for minutes.
      const dead = socket;
      socket = null;
      dead.onclose = null;
      dead.close();
      line("lost", null);
      again();
      return;
    }
    if (greeted) put({ type: "ping", seen });
  }

  function woken() {
    if (document.visibilityState !== "visible" || over) return;
    if (!socket) {
      tries = 0;
      connect();
    } else beat();
  }

  const beating = setInterval(beat, BEAT);
  addEventListener("online", woken);
  document.addEventListener("visibilitychange", woken);
  connect();

  return {
    /** Send a message that changes nothing and needs no answer; lost when the line is down. */
    send(message) {
      if (ready()) put(message);
    },
    /** Send a command; resolves when the server has answered it, however often the line breaks. */
    command(message) {
      const id = newId();
      return new Promise((settled) => {
        const one = { message: { ...message, id }, settle: settled, sent: Date.now(), tries: 0 };
        if (!open.size) resending = setInterval(() => ready() && resend(), 1_000);
        open.set(id, one);
        if (ready()) put(one.message);
        else one.sent = 0;
      });
    },
    seen: () => seen,
    close() {
      over = true;
      clearInterval(beating);
      clearInterval(resending);
      clearTimeout(retry);
      removeEventListener("online", woken);
      document.removeEventListener("visibilitychange", woken);
      if (socket) socket.close();
      for (const id of [...open.keys()]) settle(id, { refused: { code: "left", reason: "" } });
    },
  };
}
