// Making a table and beginning the match there without a stop in the lobby.
import { get, post, Refused } from "../api.js";
import { openSocket } from "../socket.js";

const USUAL = { rules: "kd_tournament", others: 3 };

/** Return the bots of the server, and the one that is a good partner for anybody. */
export async function askBots() {
  const bots = await get("/api/bots");
  return { bots, usual: bots.find((bot) => bot.id === "club") || bots[0] };
}

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

/** Make a table with the usual rules and bots, and begin; return its code. */
export async function playBots() {
  const { usual } = await askBots();
  const bots = Array.from({ length: USUAL.others }, () => usual.id);
  const { code } = await post("/api/tables", { rules: USUAL.rules, bots });
  await start(code);
  return code;
}
