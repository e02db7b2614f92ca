// One table's socket: reconnects by itself, pings, and sends again what was not acknowledged.
import { Refused, here } from "./api.js";

const PING_EVERY = 10_000; // between pings
const ANSWER = 8_000; // a ping or a call that is not answered for so long: the connection is dead
const DOUBTED = 2_500; // the same where the browser says that there is no network
const SILENCE = 25_000; // until a table that is being opened has said something
const RESEND = 4_000; // a command without an answer
const TEMPORARY = new Set(["too-fast", "busy"]); // refusals after which the same command may be sent again
const RETRY_AFTER = 1_200; // how long to wait before that
const MOST_TRIES = 3;
const FIRST_WAIT = 400;
const LONGEST_WAIT = 10_000;
// After these codes it is of no use to reconnect at once: 4001 is another tab of ours,
// 4003 forbidden, 4004 no such table, 4007 sent away by the host, 4016 nobody may look on before the evening is over,
// 4020 this device cannot answer.
const FINAL = new Set([4001, 4003, 4004, 4007, 4016, 4020]);

const PATIENCE = 10_000; // milliseconds for a table whose page is not open to answer

// Times here are of a clock that nobody sets.
let idCount = 0;
const idPrefix = Array.from(crypto.getRandomValues(new Uint8Array(6)), (n) => n.toString(16).padStart(2, "0")).join("");

function newId() {
  idCount += 1;
  return `${idPrefix}-${idCount}`;
}

// What was there with what is new; the lists that go on keep their first ones.
function renewed(before, { more = {}, ...rest }) {
  const lists = Object.entries(more).map(([name, [kept, next]]) => [name, [...before[name].slice(0, kept), ...next]]);
  return { ...before, ...rest, ...Object.fromEntries(lists) };
}

/** Return a table after a `change` of docs/reference/socket.md; null where that is of another table than this. */
export function changed(before, { base, seq, table }) {
  if (!before || before.seq !== base) return null;
  const view = table.view && before.view ? renewed(before.view, table.view) : table.view;
  return { ...renewed(before, table), ...(view && { view }), seq };
}

// Return whether a table is the one that the server has; `check` is the CRC-32 of that.
function isWhole(table, check) {
  let sum = -1;
  for (const byte of new TextEncoder().encode(JSON.stringify({ ...table, rules: null, hands_from: 0 }))) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0 === check;
}

/**
 * Open the socket of a table.
 *
 * `onMessage(message)` gets every message from the server, `onStatus(status)` gets "open", "lost" or
 * "closed" (for good; a second argument is the server's {code, reason} or null).
 * Returns {send, command, close}: `command` adds an id and resolves with {ok} or {refused}.
 */
export function openSocket(code, onMessage, onStatus) {
  const open = new Map(); // id -> {message, settle, sent}
  let socket = null;
  let lastSeq = 0;
  let mark = ""; // proves to the server which event this page was told of, should its database be older
  let tries = 0;
  let lastMessageAt = 0;
  let welcomed = false;
  let shown = null; // the table as the server has sent it
  let changes = true; // whether to ask for what is new of it alone; a server of before does not know that
  let over = false;
  let closing = null;
  let retry = 0;
  let resending = 0; // runs only while a command has no answer
  let deadline = 0; // the timer of the connection, or of the ping that has to be answered first
  let asked = 0; // when that ping was sent
  let due = 0; // until when it has to be answered

  const url = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/${encodeURIComponent(code)}`;
  const mayTake = here?.isTable(code) ? here.STARTING : ANSWER; // until it answers
  const ready = () => socket && socket.readyState === WebSocket.OPEN && welcomed;
  const hangs = () => socket && socket.readyState === WebSocket.CONNECTING;
  const write = (message) => socket.send(JSON.stringify(message));
  const hello = () => write({ type: "hello", seen: lastSeq, parts: true, mark, ...(changes && { changes }) });

  function settle(id, result) {
    const one = open.get(id);
    if (!one) return;
    open.delete(id);
    if (!open.size) clearInterval(resending);
    one.settle(result);
  }

  function resend() {
    const now = performance.now();
    for (const one of open.values()) {
      if (now - one.sent < RESEND) continue;
      one.sent = now;
      write(one.message);
    }
  }

  // Return an update with the whole table; null where this page has another table than the server thinks.
  function updated(message) {
    shown = changed(shown, message);
    if (shown && message.check !== undefined && !isWhole(shown, message.check)) shown = null;
    return shown && { ...message, type: "update", table: shown };
  }

  function receive(told) {
    if (changes && !welcomed && told.type === "refused" && !told.id) {
      changes = false;
      hello();
      return;
    }
    const known = shown;
    const message = told.type === "change" ? updated(told) : told;
    if (!message) {
      if (known) hello(); // once, for the whole table
      return;
    }
    if (typeof message.seq === "number") lastSeq = Math.max(lastSeq, message.seq);
    if (message.mark) mark = message.mark;
    if (message.type === "welcome") {
      lastSeq = message.seq;
      shown = message.table;
      welcomed = true;
      tries = 0;
      onStatus("open");
      for (const one of open.values()) one.sent = -Infinity;
      onMessage(message);
      resend();
      return;
    }
    if (message.type === "closing") closing = { code: message.code, reason: message.reason };
    if (message.type === "ack") settle(message.id, { ok: true });
    if (message.type === "refused" && message.id) {
      const one = open.get(message.id);
      // A server of before knows this of an act alone.
      if (one && message.code === "bad-message" && one.message.type !== "act" && "seen" in one.message) {
        delete one.message.seen;
        write(one.message);
        return;
      }
      if (one && TEMPORARY.has(message.code) && one.tries < MOST_TRIES) {
        one.tries += 1;
        one.sent = performance.now() - RESEND + RETRY_AFTER;
        return;
      }
      settle(message.id, { refused: message });
    }
    onMessage(message);
  }

  function connect() {
    clearTimeout(retry);
    welcomed = false;
    closing = null;
    socket = here?.isTable(code) ? here.socketTo(code) : new WebSocket(url);
    const mine = socket;
    lastMessageAt = performance.now();
    clearTimeout(deadline);
    deadline = setTimeout(() => mine === socket && hangs() && drop(), mayTake);
    mine.onopen = hello;
    mine.onmessage = (event) => {
      if (mine !== socket) return;
      lastMessageAt = performance.now();
      receive(JSON.parse(event.data));
    };
    mine.onclose = (event) => {
      if (mine !== socket || over) return;
      socket = null;
      if (FINAL.has(event.code)) {
        over = true;
        onStatus("closed", closing || { code: `closed-${event.code}`, reason: event.reason });
        return;
      }
      onStatus("lost", closing);
      again();
    };
  }

  function again() {
    clearTimeout(retry);
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 1.8 ** tries) * (0.7 + 0.6 * Math.random());
    tries += 1;
    retry = setTimeout(connect, wait);
  }

  // A half-open line gives no close event for minutes.
  function drop() {
    const dead = socket;
    socket = null;
    dead.onclose = null;
    dead.close();
    onStatus("lost", null);
    again();
  }

  function ping(patience = ANSWER) {
    if (!socket || socket.readyState !== WebSocket.OPEN) return;
    const now = performance.now();
    if (!welcomed) {
      if (now - lastMessageAt > SILENCE) drop();
      return;
    }
    const mine = socket;
    write({ type: "ping", seen: lastSeq });
    // An earlier ping without an answer keeps its time, if that is up first.
    if (lastMessageAt < asked && due <= now + patience) return;
    [asked, due] = [now, now + patience];
    clearTimeout(deadline);
    deadline = setTimeout(() => mine === socket && lastMessageAt < now && drop(), patience);
  }

  // This machine may lose its network and still reach a server of its own: the line is tried.
  const doubt = () => ping(DOUBTED);

  function wake() {
    if (document.visibilityState !== "visible" || over) return;
    if (!socket) {
      tries = 0;
      connect();
    } else ping();
  }

  // What was called without a network may never be told so.
  function online() {
    if (hangs()) {
      tries = 0;
      drop();
    }
    wake();
  }

  const pingTimer = setInterval(ping, PING_EVERY);
  addEventListener("online", online);
  addEventListener("offline", doubt);
  document.addEventListener("visibilitychange", wake);
  connect();

  return {
    /** Send a message that changes nothing and needs no answer; lost when the connection is down. */
    send(message) {
      if (ready()) write(message);
    },
    /** Send a command; resolves when the server has answered it, however often the connection breaks. */
    command(message) {
      const id = newId();
      return new Promise((settled) => {
        const one = { message: { ...message, id }, settle: settled, sent: performance.now(), tries: 0 };
        if (!open.size) resending = setInterval(() => ready() && resend(), 1_000);
        open.set(id, one);
        if (ready()) write(one.message);
        else one.sent = -Infinity;
      });
    },
    close() {
      over = true;
      clearInterval(pingTimer);
      clearInterval(resending);
      clearTimeout(retry);
      clearTimeout(deadline);
      removeEventListener("online", online);
      removeEventListener("offline", doubt);
      document.removeEventListener("visibilitychange", wake);
      if (socket) socket.close();
      for (const id of [...open.keys()]) settle(id, { refused: { code: "left", reason: "" } });
    },
  };
}

/**
 * Give a table one command over a line of its own, which lasts `linger` ms longer than that.
 * Return null or what it refused with; "offline" where no answer comes in ten seconds.
 */
export async function tell(code, message, linger = 0) {
  let cut = () => {};
  const nothing = new Promise((end) => {
    cut = (why, reason = "") => end({ refused: { code: why, reason } });
  });
  const line = openSocket(code, () => {}, (state, why) => state === "closed" && cut(why?.code || "unknown", why?.reason));
  const timer = setTimeout(cut, PATIENCE, "offline");
  const { refused } = await Promise.race([line.command(message), nothing]);
  clearTimeout(timer);
  setTimeout(line.close, linger);
  return refused ? new Refused(refused.code, refused.reason) : null;
}
