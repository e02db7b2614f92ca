// Keeps the client's files, so that the page opens without a network and can say what is wrong.
// Never answers for /api or /ws: tables come from the server, or from a worker of the page (table/offline/). What that needs is in a
// cache of its own, which table/offline/kit.js has filled: whole, or not used.
const ALONE = false; // whether there are only files, and no server: then web/alone/build.py says so here
const START = new URL("./", location.href).pathname; // where the client lies: this script lies there too
const PLACE = START === "/" ? "" : START; // as in core/base.js
const SHELF = `rookery-3${PLACE}`;
const KIT = `rookery-kit-${PLACE}`; // a version follows
const LIST = `${START}kit/list.json`; // is there once all the rest is
const WORKER = `${START}static/table/offline/worker.js`; // has a policy of its own, and is of one version with its program

// What the start page and a table are made of, read from the files that name it.
async function needed() {
  const [page, lists] = await Promise.all([START, `${START}static/preload.js`].map(async (path) => (await fetch(path)).text()));
  const named = [...page.matchAll(/(?:href|src)="\/?(static\/[^"]+)"/g)].map((match) => START + match[1]);
  const [, shared] = page.match(/data-modules="([^"]+)"/);
  const files = [...shared.split(" "), ...[...lists.matchAll(/"([\w/]+\.(?:js|css))"/g)].map((match) => match[1])].map((name) => `${START}static/${name}`);
  // A score sheet and an evening are also written where there is no network.
  const words = ["", "pages.", "beside/sheet.", "beside/evening."].flatMap((part) => ["en", "es"].map((language) => `${START}static/i18n/${part}${language}.json`));
  return [...new Set([START, ...named, ...files, ...words])];
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

// Other sites of the same host have caches too.
const isOld = (name) => /^rookery-\d+/.exec(name)?.[0] + PLACE === name && name !== SHELF;

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

// The answer that belongs to the latest whole version for play without a network; undefined where there is none. An earlier one may
// not be deleted yet.
async function ofKit(path) {
  for (const name of (await caches.keys()).reverse()) {
    const kit = name.startsWith(KIT) && (await caches.open(name));
    if (kit && (await kit.match(LIST))) return kit.match(path);
  }
  return undefined;
}

// Some addresses that are opened are of no page: what they answer must not become the page.
const isKept = (answer, kept) => answer.ok && answer.type === "basic" && (kept !== START || /html/.test(answer.headers.get("content-type")));

const UNREACHED = [502, 503, 521, 522, 523, 530]; // as in core/api.js

async function fresh(request, kept) {
  const old = async () => (await ofKit(kept)) || (await (await caches.open(SHELF)).match(kept));
  let answer;
  try {
    answer = await fetch(request);
  } catch (error) {
    return (await old()) || Promise.reject(error);
  }
  if (UNREACHED.includes(answer.status)) return (await old()) || answer;
  // Where there is no room to keep it, it is what has just come all the same.
  if (isKept(answer, kept)) await caches.open(SHELF).then((shelf) => shelf.put(kept, answer.clone())).catch(() => {});
  return answer;
}

// A server gives the page for every path. Without one there is one address, and what else lies below it may be somebody else's.
const isPage = (path) => (ALONE ? /^(index\.html)?$/ : /^(?!(api|docs|kit|static)\b)/).test(path);

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin || !url.pathname.startsWith(START)) return;
  const path = url.pathname.slice(START.length);
  if (request.mode === "navigate" && isPage(path)) {
    event.respondWith(fresh(request, START));
  } else if (url.pathname === WORKER || (path.startsWith("kit/") && url.pathname !== LIST && !url.search)) {
    event.respondWith(ofKit(url.pathname).then((kept) => kept || fetch(request)));
  } else if (path.startsWith("static/") && !url.search) {
    event.respondWith(fresh(request, url.pathname));
  }
});
