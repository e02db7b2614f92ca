// Making a table and beginning the match there without a stop in the lobby.
import { post, Refused } from "../../core/api.js";
import { askBots, meant } from "../../components/bots.js";
import { settings } from "../../core/settings.js";
import { openSocket } from "../../core/socket.js";

const USUAL = { rules: "kd_tournament", others: 3 };

/** Begin the match at a table whose host I am. */
async function start(code) {
  let closed = () => {};
  const cut = new Promise((_, reject) => {
    closed = reject;
  });
  const line = openSocket(code, () => {}, (state, why) => {
    if (state === "closed") closed(new Refused(why?.code || "unknown", why?.reason || ""));
  });
  try {
    const answer = await Promise.race([line.command({ type: "start" }), cut]);
    if (answer.refused) throw new Refused(answer.refused.code, answer.refused.reason);
  } finally {
    line.close();
  }
}

/** Make a table with the usual rules and the bots that somebody likes to play with, and begin; return its code. */
export async function playBots() {
  const bot = meant(await askBots(), settings.get().bot);
  const bots = Array.from({ length: USUAL.others }, () => bot);
  const { code } = await post("/api/tables", { rules: USUAL.rules, bots });
  await start(code);
  return code;
}
