// Answers where there is no server: what is the same for everybody lies there as a file, all else is up to this device.
import { Refused } from "../../core/api.js";
import { fileAt } from "../../core/base.js";
import { isReady } from "../../core/here.js";

const FILES = /^\/(static\/|api\/(variants|bots|rules\/(names|schema))\b)/;
const NOBODY = /^\/api\/(session|tables)$/; // what a device answers that has nothing yet
const OTHERS = /^\/api\/(admin|daily|evenings|mistakes|movements|passkeys|puzzles|return|sessions|sheets|tables\/quick)\b/;

/** Return the answer, {status, text}; `askDevice` is asked where no file has it. */
export async function answerTo(method, path, askDevice, body) {
  if (OTHERS.test(path)) throw new Refused("needs-server", "");
  if (method !== "GET" || !(FILES.test(path) || (NOBODY.test(path) && !isReady()))) return askDevice(method, path, body);
  const said = path.replace(/^\/api/, "static/answers").replace("?lang=", ".").replace(/^\//, "");
  const answer = await fetch(fileAt(said.endsWith(".json") ? said : `${said}.json`)).catch(() => null);
  if (!answer) return askDevice(method, path, body); // no network
  // A host says in a page of its own that there is no such file.
  return { status: answer.status, text: answer.ok ? await answer.text() : JSON.stringify({ error: { code: "not-found" } }) };
}
