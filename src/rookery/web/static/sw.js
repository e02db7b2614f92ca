// Keeps the client's files, so that the page opens without a network and can say what is wrong.
// Never answers for /api or /ws: tables come from the server, or from a worker of the page (table/offline/). What that needs is in a
// cache of its own, which table/offline/kit.js has filled: whole, or not used.
const SHELF = "rookery-3";
const START = "/";
const KIT = "rookery-kit-"; // a version follows
const LIST = "/kit/list.json"; // is there once all the rest is

// What the start page and a table are made of, read from the files that name it.
async function needed() {
  const [page, lists] = await Promise.all([START, "/static/preload.js"].map(async (path) => (await fetch(path)).text()));
  const named = [...page.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map((match) => match[1]);
  const [, shared] = page.match(/data-modules="([^"]+)"/);
  const modules = [...shared.split(" "), ...[...lists.matchAll(/"([\w/]+\.js)"/g)].map((match) => match[1])].map((name) => `/static/${name}`);
  // A score sheet and an evening are also written where there is no network.
  const words = ["", "pages.", "beside/sheet.", "beside/evening."].flatMap((part) => ["en", "es"].map((language) => `/static/i18n/${part}${language}.json`));
  return [...new Set([START, ...named, ...modules, ...words, "/static/css/sheet.css", "/static/css/evening.css"])];
}

async function keep(shelf, path) {
  const answer = await fetch(path);
  if (answer.ok) await shelf.put(path, answer);
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  const fill = async () => {
    const [shelf, paths] = await Promise.all([caches.open(SHELF), needed()]);
    // A file that fails now is kept when it is next requested.
    await Promise.allSettled(paths.map((path) => keep(shelf, path)));
  };
  event.waitUntil(fill().catch(() => {}));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== SHELF && !name.startsWith(KIT)).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

// The answer that belongs to a whole version for play without a network; undefined where there is none.
async function ofKit(path) {
  for (const name of await caches.keys()) {
    const kit = name.startsWith(KIT) && (await caches.open(name));
    if (kit && (await kit.match(LIST))) return kit.match(path);
  }
  return undefined;
}

async function fresh(request, kept) {
  const shelf = await caches.open(SHELF);
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.type === "basic") await shelf.put(kept, answer.clone());
    return answer;
  } catch (error) {
    const old = (await ofKit(kept)) || (await shelf.match(kept));
    if (old) return old;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate" && !url.pathname.startsWith("/api")) {
    event.respondWith(fresh(request, START));
  } else if (url.pathname.startsWith("/static/") && !url.search) {
    event.respondWith(fresh(request, url.pathname));
  } else if (url.pathname.startsWith("/kit/") && url.pathname !== LIST && !url.search) {
    event.respondWith(ofKit(url.pathname).then((kept) => kept || fetch(request)));
  }
});
