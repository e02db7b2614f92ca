// This device in place of a server: requests and sockets of the page, answered by a worker.
import { PLACE } from "../../core/base.js";
import { noteDevice, onDevice } from "../../core/here.js";
import { late, needWords } from "../../core/i18n.js";

const PATIENCE = 120_000; // milliseconds until the worker is given up; it starts in some seconds

const DATABASE = "rookery.device" + PLACE; // as worker.js calls it

const UNABLE = 4020; // what a socket is closed with where nothing answers

let worker = null; // {thread, ready}
let count = 0;
const answers = new Map(); // number -> {done, fail}
const lines = new Map(); // number -> DeviceSocket

function keep(codes) {
  const { tables } = onDevice();
  const fresh = codes.filter((code) => !tables.includes(code));
  if (fresh.length) noteDevice({ tables: [...tables, ...fresh] });
}

function give(error) {
  worker?.thread.terminate();
  worker = null;
  for (const { fail } of answers.values()) fail(error);
  for (const line of [...lines.values()]) line.lost(error);
  answers.clear();
  lines.clear();
}

function take(said) {
  if (said.type === "answer") {
    answers.get(said.id)?.done({ status: said.status, text: said.body });
    answers.delete(said.id);
  } else lines.get(said.line)?.hears(said.text);
}

function start() {
  const thread = new Worker(new URL("worker.js", import.meta.url), { type: "module", name: onDevice().kit });
  const failed = (code, reason) => Object.assign(new Error(reason), { code });
  const ready = new Promise((done, fail) => {
    const broke = (error) => {
      clearTimeout(timer); // or it would end the worker after this one
      fail(error);
      // Words that say why. Nobody waits for them: they may come after names of games that are asked for here.
      needWords("beside/offline").then(() => late.set(late.get() + 1));
      if (worker?.thread === thread) give(error); // it may have been ready before
    };
    const timer = setTimeout(() => broke(failed("device-failed", "no answer")), PATIENCE);
    thread.onmessage = ({ data }) => {
      if (typeof data === "string") take(JSON.parse(data));
      else if (data.ready) {
        clearTimeout(timer);
        keep(data.ready);
        done();
      } else broke(failed(data.failed, data.reason));
    };
    thread.onerror = (event) => broke(failed("device-failed", event.message || ""));
  });
  ready.catch(() => {}); // who waits is told
  return { thread, ready };
}

/** Start what answers; resolves when it can. Rejects with a code, `device-busy` where another page of this browser plays. */
export function begin() {
  worker ??= start();
  return worker.ready;
}

const tell = (message) => worker?.thread.postMessage(JSON.stringify(message));

/** Return the answer to a request, {status, text}; `name` is what whoever asks is called, if that is known. */
export async function ask(method, path, body = "", name = "") {
  await begin();
  const id = (count += 1);
  const answer = await new Promise((done, fail) => {
    answers.set(id, { done, fail });
    tell({ type: "ask", id, method, path, body, name });
  });
  if (method === "POST" && path === "/api/tables" && answer.status === 201) keep([JSON.parse(answer.text).code]);
  return answer;
}

function refusal(text) {
  const { error } = JSON.parse(text);
  return Object.assign(new Error(error.reason), error);
}

/** Return the answer to a POST that no server has an answer for: a record that is given, or odds that are asked for. */
export async function askOwn(path, body) {
  const { status, text } = await ask("POST", path, JSON.stringify(body));
  if (status >= 400) throw refusal(text);
  const said = JSON.parse(text);
  if (said.code) {
    keep([said.code]); // its pages are answered here
    noteDevice({ told: [...new Set([...onDevice().told, said.code])] });
  }
  return said;
}

const asked = (request) => new Promise((done, fail) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
});

/** Return the public number of the person of this device; null where nobody has played here. */
export async function person() {
  const opening = indexedDB.open(DATABASE);
  opening.onupgradeneeded = () => opening.transaction.abort(); // there is none, and one that is empty would never start
  const database = await asked(opening).catch((error) => {
    if (error.name !== "AbortError") throw error;
  });
  if (!database) return null;
  try {
    const kept = database.objectStoreNames.contains("kept") && (await asked(database.transaction("kept").objectStore("kept").get("person")));
    return kept ? JSON.parse(kept).id : null;
  } finally {
    database.close();
  }
}

/** Delete the tables that this device keeps, and its person, whose public number is returned, if any; what was fetched for play stays. */
export async function forgetAll() {
  const forgotten = await person();
  give(Object.assign(new Error(""), { code: "device-forgotten" }));
  await asked(indexedDB.deleteDatabase(DATABASE)); // other windows close it
  noteDevice({ tables: [], told: [] });
  return forgotten;
}

/** Save the answer at a path as a file of that name; rejects with a code where it is a refusal. */
export async function save(path, name) {
  const { status, text } = await ask("GET", path);
  if (status >= 400) throw refusal(text);
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), PATIENCE);
}

/** A table's socket, used as a WebSocket is. */
export class DeviceSocket {
  constructor(code, name = "") {
    this.readyState = WebSocket.CONNECTING;
    this.number = count += 1;
    this.closing = null;
    begin().then(() => this.open(code, name), (error) => this.lost(error));
  }

  open(code, name) {
    if (this.readyState !== WebSocket.CONNECTING) return;
    lines.set(this.number, this);
    tell({ type: "open", line: this.number, code, name });
    this.readyState = WebSocket.OPEN;
    this.onopen?.();
  }

  hears(text) {
    const { type, code, reason } = JSON.parse(text);
    this.onmessage?.({ data: text });
    if (type === "closing") this.end(code, reason);
  }

  lost({ code = "device-failed", message: reason }) {
    this.onmessage?.({ data: JSON.stringify({ type: "closing", code, reason }) });
    this.end(UNABLE, reason);
  }

  end(code, reason) {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    lines.delete(this.number);
    this.onclose?.({ code, reason });
  }

  send(text) {
    if (this.readyState === WebSocket.OPEN) tell({ type: "say", line: this.number, text });
  }

  close() {
    if (this.readyState === WebSocket.OPEN) tell({ type: "close", line: this.number });
    this.end(1000, "");
  }
}
