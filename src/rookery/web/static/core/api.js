// REST. Every answer is JSON; a refusal throws `Refused` with the server's code and reason. Pages of this device's own tables
// are answered by the device, and where no server can be reached, so are those that it can answer.
import { ALONE } from "./base.js";

export class Refused extends Error {
  constructor(code, reason, status = 0) {
    super(reason);
    this.code = code;
    this.status = status;
  }
}

let name = ""; // by which a server or this device knows me

/** What this device answers (here.js); null in a browser that was never made ready for play without a server. */
export let here = null;

/** Have this device answer. */
export function answeredBy(device) {
  here = device;
}

function mayBeHere() {
  try {
    return !here && (ALONE || /rookery\.device/.test(Object.keys(localStorage)));
  } catch {
    return false;
  }
}

async function lookHere() {
  try {
    if (mayBeHere()) await import("./here.js");
  } catch {
    // Then the server answers.
  }
}
// It is fetched while the page is still being drawn.
lookHere();

/** What a proxy answers, in words of its own, where it does not reach the server. After 504 the server may have done it. */
export const UNREACHED = new Set([502, 503, 521, 522, 523, 530]);

function isOurs(text) {
  try {
    return typeof JSON.parse(text).error.code === "string";
  } catch {
    return false;
  }
}

async function askServer(method, path, body, more) {
  const answer = await fetch(path, {
    method,
    headers: body === undefined ? more : { ...more, "content-type": "application/json" },
    body,
    credentials: "same-origin",
  });
  const text = await answer.text();
  if (UNREACHED.has(answer.status) && !isOurs(text)) throw new Refused("offline", "", answer.status);
  return { status: answer.status, text };
}

async function answerTo(...asked) {
  if (mayBeHere()) await lookHere(); // else the server is asked at once
  return here ? here.answerTo(asked, name, askServer) : askServer(...asked);
}

async function send(method, path, body, more = {}) {
  const sent = body === undefined ? undefined : JSON.stringify(body);
  const { status, text } = await answerTo(method, path, sent, more).catch((error) => {
    throw error instanceof Refused ? error : new Refused(error?.code || "offline", error?.code ? error.message : "");
  });
  let value = null;
  try {
    value = text ? JSON.parse(text) : null;
  } catch {
    throw new Refused("bad-answer", "", status);
  }
  if (status < 400) return value;
  const { code = "error", reason = "", where } = (value && value.error) || {};
  throw Object.assign(new Refused(code, reason, status), { where });
}

const PATIENCE = 10_000; // milliseconds until what has no answer counts as not sent

/** Return what was asked, or throw as without a network: a line may be dead without saying so, and what is asked of it has to be asked again. */
export const soon = (answer) => Promise.race([answer, new Promise((_, fail) => setTimeout(fail, PATIENCE, { code: "offline" }))]);

const APART = 1_000; // milliseconds by which a clock has been set

/** Return how this device's clock is set, by one that nobody sets; that one may stand still while the device sleeps. */
export const clockSet = () => Date.now() - performance.now();

/**
 * Return headers by which an answer tells the server's time, unless it has told it since the clock was set so: where nothing has
 * changed the browser takes an answer of its own, which tells an older time.
 */
export const timed = (before) => (Math.abs(clockSet() - before) < APART ? {} : { "if-none-match": '""' });

/** Return the answer to GET `path` with these headers. */
export const get = (path, headers) => send("GET", path, undefined, headers);

/** Return the answer to POST `path` with `body` and these headers. */
export const post = (path, body = {}, headers) => send("POST", path, body, headers);

/** Return the answer to PATCH `path` with `body`. */
export const patch = (path, body) => send("PATCH", path, body);

/** Return the answer to PUT `path` with `body`. */
export const put = (path, body) => send("PUT", path, body);

/** Return the answer to DELETE `path`. */
export const remove = (path) => send("DELETE", path);

let session = null;
let sessionHere; // whether that is who I am on this device

/** Return who I am: {person, name, tables}, person null without a name; fetched once until it changes. */
export async function whoAmI() {
  await lookHere();
  if (sessionHere !== here?.isHere()) session = null;
  sessionHere = here?.isHere();
  session ??= get("/api/session").then(
    (me) => {
      name = me.name || name;
      return me;
    },
    (error) => {
      session = null;
      throw error;
    },
  );
  return session;
}

/** Remember who I am now, and return it. */
export function rememberMe(me) {
  name = me.name;
  sessionHere = here?.isHere();
  session = Promise.resolve(me);
  return me;
}

/** Return who I am by now: another window of this browser may have changed it. */
export const askWho = async () => rememberMe(await get("/api/session"));

let isKept = false; // whether this browser has shown once that it keeps who I am

/** Take a name; return who I am now. Refused with `no-cookies` where the browser does not keep that. */
export async function nameMe(name) {
  const me = await post("/api/session", { name });
  const now = isKept ? me : await get("/api/session").catch(() => me);
  if (!now.person) throw new Refused("no-cookies", "");
  isKept = true;
  return rememberMe(me);
}

/** Have the server forget me, in every browser and at every table; return who I am now: nobody. */
export const forgetMe = async () => rememberMe(await remove("/api/session"));
