// Keeps the client's files, so that the page opens at once and says what is wrong without a network.
// Never answers for /api or /ws: a table is only what the server says now.
const SHELF = "rookery-1";

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== SHELF).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

async function fresh(request, kept) {
  const shelf = await caches.open(SHELF);
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.type === "basic") await shelf.put(kept, answer.clone());
    return answer;
  } catch (error) {
    const old = await shelf.match(kept);
    if (old) return old;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (request.mode === "navigate" && !url.pathname.startsWith("/api")) {
    event.respondWith(fresh(request, "/"));
  } else if (url.pathname.startsWith("/static/")) {
    event.respondWith(fresh(request, url.pathname));
  }
});
