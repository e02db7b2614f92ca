// Answers where there is no server: what is the same for everybody lies there as a file, all else is up to this device.
import { Refused } from "../../core/api.js";
import { fileAt } from "../../core/base.js";
import { isReady, OTHERS } from "../../core/here.js";
import { needWords } from "../../core/i18n.js";

const CLIENT = /^\/static\//;
const SAME = /^\/api\/(bots|variants|rules\/(names|schema))\b/;
const WORDS = /^(\/api\/(?:variants|rules).*?)(?:\?lang=(\w+))?$/; // these are in a language
const NOBODY = /^\/api\/(session|tables)$/; // what a device answers that has nothing yet

/** Return the answer, {status, text}; `askDevice` is asked where no file has it. */
export async function answerTo([method, path], askDevice) {
  if (OTHERS.test(path)) {
    await needWords("beside/offline");
    throw new Refused("needs-server", "");
  }
  if (method !== "GET" || !(CLIENT.test(path) || SAME.test(path) || (NOBODY.test(path) && !isReady()))) return askDevice();
  const named = path.replace(WORDS, (_, what, lang = "en") => `${what}.${lang}`);
  const file = CLIENT.test(path) ? path.slice(1) : `static/answers${named.slice("/api".length)}.json`;
  const answer = await fetch(fileAt(file)).catch(() => null);
  if (!answer) return askDevice(); // no network
  // A host says in a page that there is no such file, some of them with status 200.
  const found = answer.ok && !/html/.test(answer.headers.get("content-type"));
  return found ? { status: answer.status, text: await answer.text() } : { status: answer.ok ? 404 : answer.status, text: JSON.stringify({ error: { code: "not-found" } }) };
}
