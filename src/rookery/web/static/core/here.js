// Tables of this device: which there are, and whether it answers the page that is shown. What answers is table/offline/device.js,
// fetched when it is wanted. This module itself is fetched in browsers that were made ready, for pages of tables, and where there is
// no server.
import { answeredBy } from "./api.js";
import { ALONE, PLACE, pathNow } from "./base.js";

// {kit, tables, told}: the version of what is kept for play without a network, codes of tables, and which of them are of records
const KEY = "rookery.device" + PLACE;
const SEEN = "rookery.device.seen" + PLACE; // {code, table}: the table of this device that was shown last, as it was
const STARTING = 120_000; // milliseconds until a socket to this device opens: what answers has to be started
const OF_TABLES = new Set(["t", "replay", "review", "group"]); // pages whose address goes on with a table's code
const OF_SERVER = new Set(["admin", "daily", "e", "evening", "puzzles", "return", "s", "sheet"]); // pages that do nothing without one

/** What no device answers. */
export const OTHERS = /^\/api\/(admin|daily|evenings|matches|mistakes|movements|passkeys|puzzles|return|session\/(ratings|return)|sessions|sheets|tables\/(quick|[^/]+\/ratings))\b/;

const EMPTY = { kit: "", tables: [], told: [] };
let unkept = null; // the same where there is no room for it, until this page closes

/** Return what this browser keeps: {kit, tables, told}, as far as it can be used. */
export function onDevice() {
  if (unkept) return unkept;
  try {
    const { kit, tables, told } = { ...EMPTY, ...JSON.parse(localStorage.getItem(KEY)) };
    return { kit: typeof kit === "string" ? kit : "", tables: [...tables], told: [...told] };
  } catch {
    return EMPTY;
  }
}

/** Change some of that. */
export function noteDevice(some) {
  const whole = { ...onDevice(), ...some };
  try {
    localStorage.setItem(KEY, JSON.stringify(whole));
    unkept = null;
  } catch {
    unkept = whole;
  }
}

/** Return whether this device can play without a network. */
export const isReady = () => Boolean(onDevice().kit);

/** Return whether the table of a code is one of this device. */
export const isMine = (code) => onDevice().tables.includes(code.toUpperCase());

/** Return whether there is only a record of that code, and no table to go back to. */
export const isTold = (code) => onDevice().told.includes(code.toUpperCase());

function codeIn(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return ""; // such an address is of no page
  }
}

const pageNow = () => pathNow().split(/[/?#]/).slice(1);

/** Return whether this device answers the page that is shown, and not the server. */
export function isHere() {
  const [page, code = ""] = pageNow();
  return isReady() && (page === "offline" || (OF_TABLES.has(page) && (ALONE || isMine(codeIn(code)))));
}

// The code of the table that a request is of, "" where it is of none.
const codeOf = (path) => codeIn(/^\/api\/(?:replay|tables)\/([^/?]+)/.exec(path)?.[1] ?? "");

// Whether it is of a table of this device: on no page does the server know of one.
const isOfMine = (path) => isReady() && isMine(codeOf(path));

/** Return a table of this device as it was shown last, until what answers has started; null where that is not kept. */
export function lastSeen(code) {
  if (!isHere()) return null;
  try {
    const seen = JSON.parse(localStorage.getItem(SEEN));
    // It is kept again with what answers. A page that cannot draw it, as of another version, finds nothing the next time.
    localStorage.removeItem(SEEN);
    return seen.code === code.toUpperCase() ? seen.table : null;
  } catch {
    return null;
  }
}

/** Keep a table of this device as it is shown. */
export function keepSeen(table) {
  if (!isHere()) return;
  try {
    localStorage.setItem(SEEN, JSON.stringify({ code: table.code, table }));
  } catch {
    // Then it is drawn later.
  }
}

/** Return what makes an `a` save the answer at a path as a file: the server's, or this device's; `failed(error)` hears why not. */
export function saved(path, name, failed) {
  const save = (event) => {
    event.preventDefault();
    device().then((here) => here.save(path, name)).then(() => failed(null), failed);
  };
  return { href: ALONE ? "#" : path, download: name, ...(ALONE || isHere() ? { onClick: save } : {}) };
}

let whole = null; // whether what was fetched is still there: the browser may have needed the room

async function device() {
  whole ??= ALONE && isReady() ? import("../table/offline/kit.js").then(({ version }) => version()).catch(() => "") : null;
  await whole; // or it is noted that this device is not ready
  // Without a server whoever needs what answers is asked first whether to fetch it.
  if (ALONE && !isReady()) await (await import("../table/offline/asking.js")).fetched();
  return import("../table/offline/device.js");
}

// What answers is fetched first; until then the socket is one that is being connected.
function socketTo(code) {
  const line = { readyState: WebSocket.CONNECTING, send() {}, close() { line.readyState = WebSocket.CLOSED; } };
  const open = ({ DeviceSocket }) => {
    if (line.readyState !== WebSocket.CONNECTING) return;
    const inner = new DeviceSocket(code);
    Object.defineProperty(line, "readyState", { get: () => inner.readyState });
    Object.assign(line, { send: (text) => inner.send(text), close: () => inner.close() });
    inner.onopen = () => line.onopen();
    inner.onmessage = (event) => line.onmessage(event);
    inner.onclose = (event) => line.onclose?.(event);
  };
  device().then(open, () => line.onclose?.({ code: 1006, reason: "" }));
  return line;
}

let begun = false; // whether it has been asked, and could answer

async function ask([method, path, body], name) {
  begun = true;
  try {
    return await (await device()).ask(method, path, body, name);
  } catch (error) {
    begun = false;
    throw error;
  }
}

// Whether a request is worth no start of the device. A page that is left open looks again and again for open tables, and for a
// table of the server's.
const isIdle = ([method, path]) => (method === "GET" && path === "/api/tables" && !begun) || codeOf(path) !== "";

// The answer to a request, {status, text}, of this device or of the server.
async function answerTo(asked, name, askServer) {
  if (ALONE) return (await import("../table/offline/alone.js")).answerTo(asked, () => ask(asked, name));
  if (isHere() || isOfMine(asked[1])) return ask(asked, name);
  try {
    return await askServer(...asked);
  } catch (error) {
    // To ask the device starts it, and no other page of this browser can play on it from then on.
    if (!isReady() || OTHERS.test(asked[1]) || isIdle(asked) || OF_SERVER.has(pageNow()[0])) throw error;
    const answer = await ask(asked, name);
    // What it has no answer for needs the server.
    if ([404, 405].includes(answer.status)) throw error;
    return answer;
  }
}

const isTable = (code) => ALONE || (isReady() && isMine(code));
const hasTables = () => onDevice().tables.length > 0;
answeredBy({ isHere, answerTo, hasTables, isTable, socketTo, STARTING });
// It starts while the page is still being drawn.
if (isHere()) device().then(({ begin }) => begin()).catch(() => {});
// Exported here and not above: a test takes imports behind `export` for modules that are needed at once.
export { device };
