// Runs the table's own program, in Python, in a worker of the page: what it keeps lies in this browser's IndexedDB.
const ROOT = new URL("../../../", import.meta.url); // where the client lies
const KIT = new URL("kit/", ROOT).href;
const LEFT = 3_000; // milliseconds until another page counts as one that stays
const NAME = "rookery.device" + ROOT.pathname.replace(/^\/$/, ""); // of the database, and of the lock by which one page alone goes on with it

function opened() {
  return new Promise((done, fail) => {
    const asked = indexedDB.open(NAME, 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore("kept");
    asked.onsuccess = () => done(asked.result);
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

async function begin() {
  const database = await opened();
  const [{ loadPyodide }, { wheels }] = await Promise.all([import(`${KIT}pyodide.mjs`), fetch(`${KIT}kit.json`).then((answer) => answer.json())]);
  const packed = wheels.map((name) => fetch(KIT + name).then((answer) => answer.arrayBuffer()));
  const python = await loadPyodide({ indexURL: KIT });
  python.runPython("import gc; gc.disable()"); // imports leave nothing to collect
  for (const wheel of await Promise.all(packed)) python.unpackArchive(wheel, "wheel");
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
onmessage = ({ data }) => begun.then(({ way }) => way.hear(data), () => {});
