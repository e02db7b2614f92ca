// What this device needs for play without a network: fetched when somebody asks for it, whole or not at all, and kept in a
// cache of its own, from which the service worker (sw.js) takes it.
import { PLACE, fileAt } from "../../core/base.js";
import { noteDevice, onDevice } from "../../core/here.js";

// {version, bytes, files: [{path, bytes, hash}]}. A folder of files has more to say: `as`, where a file lies there that is packed
// by gzip, and `headers`, what a server says with it.
const LIST = fileAt("kit/list.json");
const CACHE = `rookery-kit-${PLACE}`; // the version follows
const AT_ONCE = 4; // files that are fetched at once

/** Return why this browser cannot keep anything; null where it can. */
export const hindrance = () => (isSecureContext && "serviceWorker" in navigator && "caches" in window && crypto.subtle ? null : "offline.insecure");

/** Return the list of files of the server; null where it has none to give, or cannot be reached. */
export async function offered() {
  const answer = await fetch(LIST, { cache: "no-store" }).catch(() => null);
  return answer?.ok ? answer.json().catch(() => null) : null; // some hosts have a page for every path
}

async function hashOf(bytes) {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (n) => n.toString(16).padStart(2, "0")).join("");
}

async function fetchOne(cache, { path, hash, as, headers }, signal, more) {
  const answer = await fetch(`${fileAt(as ?? path)}?for=${hash}`, { signal, cache: "no-store" });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  const reader = (as ? answer.body.pipeThrough(new DecompressionStream("gzip")) : answer.body).getReader();
  const parts = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    more(part.value.length);
  }
  const whole = new Blob(parts);
  // The server may have been given another version meanwhile.
  if ((await hashOf(await whole.arrayBuffer())) !== hash) throw new Error(`${path} has changed`);
  const said = ["content-type", "content-security-policy"].map((name) => [name, answer.headers.get(name)]).filter(([, value]) => value);
  await cache.put(fileAt(path), new Response(whole, { headers: { ...Object.fromEntries(said), ...headers } }));
}

/**
 * Fetch what is on the list and is not here yet; `progress(done, whole)` is called with bytes. Until all of it is here and is
 * what the list says, what was kept before stays in use.
 */
export async function makeReady(list, progress, signal) {
  const cache = await caches.open(CACHE + list.version);
  const there = new Set((await cache.keys()).map(({ url }) => url));
  const whole = list.files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  const more = (bytes) => progress((done += bytes), whole);
  const waiting = list.files.filter(({ path }) => !there.has(fileAt(path)));
  for (const { path, bytes } of list.files) if (there.has(fileAt(path))) more(bytes);
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener("abort", end);
  let wrong = null;
  const fetching = async () => {
    try {
      for (let file = waiting.shift(); file; file = waiting.shift()) await fetchOne(cache, file, ending.signal, more);
    } catch (error) {
      wrong ??= error;
      end(); // the others
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, fetching));
  signal.removeEventListener("abort", end);
  if (wrong) throw wrong;
  await cache.put(LIST, Response.json(list)); // whole from here on
  noteDevice({ kit: list.version });
  await forgetOthers(list.version);
  navigator.storage?.persist?.().catch(() => {});
}

// What goes on with a path is of another site of the same host, below this one.
const isMine = (name) => name.startsWith(CACHE) && !name.includes("/", CACHE.length);

async function forgetOthers(version) {
  for (const name of await caches.keys()) if (isMine(name) && name !== CACHE + version) await caches.delete(name);
}

// A page may have been closed while those before were being deleted; a later one is being fetched.
async function forgetEarlier(version) {
  const names = await caches.keys();
  for (const name of names.slice(0, Math.max(0, names.indexOf(CACHE + version)))) if (isMine(name)) await caches.delete(name);
}

/** Return the version that is kept whole, and note it; empty where none is. */
export async function version() {
  const { kit } = onDevice();
  const is = kit && (await caches.has(CACHE + kit)) && (await (await caches.open(CACHE + kit)).match(LIST));
  if (is) await forgetEarlier(kit);
  else if (kit) noteDevice({ kit: "" }); // the browser needed the room
  return is ? kit : "";
}

/** Remove what was fetched; the tables of this device stay, and can be played on when it is fetched again. */
export async function remove() {
  noteDevice({ kit: "" });
  await forgetOthers("");
}
