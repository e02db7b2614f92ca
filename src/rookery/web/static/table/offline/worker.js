// Runs the table's own program, in Python, in a worker of the page: what it keeps lies in this browser's IndexedDB.
const ROOT = new URL("../../../", import.meta.url); // where the client lies
const KIT = new URL("kit/", ROOT).href;
const LEFT = 3_000; // milliseconds until another page counts as one that stays
const PLACE = ROOT.pathname.replace(/^\/$/, ""); // as in core/base.js
const NAME = "rookery.device" + PLACE; // of the database, and of the lock by which one page alone goes on with it

function opened() {
  return new Promise((done, fail) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("kept");
    asked.onsuccess = () => {
      // Another window deletes it all.
      asked.result.onversionchange = () => {
        asked.result.close();
        postMessage({ failed: "device-forgotten", reason: "" });
        close();
      };
      done(asked.result);
    };
    asked.onerror = () => fail(asked.error);
  });
}

const under = (prefix) => IDBKeyRange.bound(prefix, `${prefix}\uffff`);

// The texts under a prefix, as a JSON list of [key, text].
const loading = (database) => (prefix) =>
  new Promise((done, fail) => {
    const work = database.transaction("kept");
    const store = work.objectStore("kept");
    const keys = store.getAllKeys(under(prefix));
    const texts = store.getAll(under(prefix));
    work.oncomplete = () => done(JSON.stringify(keys.result.map((key, i) => [key, texts.result[i]])));
    work.onabort = () => fail(work.error);
  });

// All changes are on disk, or none; false where one of the new keys is there already.
const writing = (database) => (changes) =>
  new Promise((done, fail) => {
    const { new: added, changed, gone } = JSON.parse(changes);
    const work = database.transaction("kept", "readwrite", { durability: "strict" });
    const store = work.objectStore("kept");
    for (const prefix of gone) store.delete(under(prefix));
    for (const [key, text] of Object.entries(added)) store.add(text, key);
    for (const [key, text] of Object.entries(changed)) store.put(text, key);
    work.oncomplete = () => done(true);
    work.onabort = () => (work.error?.name === "ConstraintError" ? done(false) : fail(work.error));
  });

// Python as it was once it had begun: to begin takes longer than all else, so that is done once for each version that is kept,
// whose cache it lies in. It holds what the program imports of the standard library, and nothing of anybody.
const BEGUN = `${KIT}begun`;
const IMPORTED = `argparse, decimal, difflib, fractions, gettext, hmac, importlib.metadata, importlib.readers, importlib.resources,
  ipaddress, queue, secrets, shlex, tomllib, unicodedata, urllib.parse, uuid, zoneinfo`;

// The cache of the version in use, which is this worker's name; kit.js has filled it.
async function shelf() {
  const kit = `rookery-kit-${PLACE}${self.name}`;
  return (await caches.has(kit)) ? caches.open(kit) : undefined;
}

async function startedFrom(begun) {
  const { loadPyodide } = await import(`${KIT}pyodide.mjs`);
  if (begun) return loadPyodide({ indexURL: KIT, _loadSnapshot: begun.arrayBuffer() });
  const python = await loadPyodide({ indexURL: KIT, _makeSnapshot: true });
  python.runPython(`import ${IMPORTED.replace(/\s+/g, " ")}`);
  const kept = new Response(python.makeMemorySnapshot());
  // Where there is no room for it the next start takes as long as this one.
  shelf().then((cache) => cache?.put(BEGUN, kept)).catch(() => {});
  return python;
}

async function begin() {
  const begun = await shelf().then((cache) => cache?.match(BEGUN)).catch(() => null);
  try {
    return await beginWith(begun);
  } catch (error) {
    if (!begun) throw error;
    // What was kept may be the fault.
    await (await shelf()).delete(BEGUN);
    return beginWith(null);
  }
}

async function beginWith(begun) {
  const bytesOf = async (name) => (await fetch(KIT + name)).arrayBuffer();
  const packed = fetch(`${KIT}kit.json`).then(async (answer) => Promise.all((await answer.json()).wheels.map(bytesOf)));
  const [python, wheels, database] = await Promise.all([startedFrom(begun), packed, opened()]);
  // Imports leave nothing to collect; chance is not that of the last start.
  python.runPython("import gc, random; gc.disable(); random.seed()");
  for (const wheel of wheels) python.unpackArchive(wheel, "wheel");
  const program = python.pyimport("rookery.server.offline.browser");
  const way = await program.begin(loading(database), writing(database), (text) => postMessage(text), location.origin);
  python.runPython("gc.freeze(); gc.enable()");
  const codes = JSON.parse(await loading(database)("row/")).map(([key]) => key.slice("row/".length));
  return { way, codes };
}

// The lock is held for as long as this worker lives. That of a page which has just been left takes a moment to go.
const alone = new Promise((done) => {
  const held = () => new Promise(() => done(true));
  navigator.locks.request(NAME, { signal: AbortSignal.timeout(LEFT) }, held).catch(() => done(false));
});

const begun = alone.then((free) => {
  if (!free) throw Object.assign(new Error("another page of this browser plays here"), { code: "device-busy" });
  return begin();
});
begun.then(
  ({ codes }) => postMessage({ ready: codes }),
  (error) => postMessage({ failed: error.code || "device-failed", reason: String(error.message || error) }),
);
// Python may have ended with what it was doing, as where a text is nested deeper than the stack: then nothing is answered any more.
addEventListener("unhandledrejection", ({ reason }) => postMessage({ failed: "device-failed", reason: String(reason) }));
onmessage = ({ data }) => begun.then(({ way }) => way.hear(data), () => {});
