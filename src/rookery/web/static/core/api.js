// REST. Every answer is JSON; a refusal throws `Refused` with the server's code and reason.

export class Refused extends Error {
  constructor(code, reason, status = 0) {
    super(reason);
    this.code = code;
    this.status = status;
  }
}

async function send(method, path, body, more = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      headers: body === undefined ? more : { ...more, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
    });
  } catch {
    throw new Refused("offline", "");
  }
  const text = await answer.text();
  let value = null;
  try {
    value = text ? JSON.parse(text) : null;
  } catch {
    throw new Refused("bad-answer", "", answer.status);
  }
  if (answer.ok) return value;
  const { code = "error", reason = "", where } = (value && value.error) || {};
  throw Object.assign(new Refused(code, reason, answer.status), { where });
}

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

/** Return who I am: {person, name, tables}, person null without a name; fetched once until it changes. */
export function whoAmI() {
  session ??= get("/api/session").catch((error) => {
    session = null;
    throw error;
  });
  return session;
}

/** Remember who I am now, and return it. */
export function rememberMe(me) {
  session = Promise.resolve(me);
  return me;
}

/** Return who I am by now: another window of this browser may have changed it. */
export const askWho = async () => rememberMe(await get("/api/session"));

/** Take a name; return who I am now. */
export const nameMe = async (name) => rememberMe(await post("/api/session", { name }));

/** Have the server forget me, in every browser and at every table; return who I am now: nobody. */
export const forgetMe = async () => rememberMe(await remove("/api/session"));
