// A match against bots, begun at once: the game, the level and the pace that were last chosen on this device.
import { post, Refused } from "../core/api.js";
import { USUAL, change, settings } from "../core/settings.js";
import { openSocket } from "../core/socket.js";
import { fetchBots, preferredBot } from "./bots.js";

/** Begin the match at a table whose host I am; bots of this level take the other seats, where friends may sit down later. */
async function start(code, bot) {
  let closed = () => {};
  const cut = new Promise((_, reject) => {
    closed = reject;
  });
  const connection = openSocket(code, () => {}, (state, why) => {
    if (state === "closed") closed(new Refused(why?.code || "unknown", why?.reason || ""));
  });
  try {
    const answer = await Promise.race([connection.command({ type: "start", bot }), cut]);
    if (answer.refused) throw new Refused(answer.refused.code, answer.refused.reason);
  } finally {
    connection.close();
  }
}

/** Make a table for a game, {rules, seats, name}, with bots on all other seats, and begin; return its code. */
export async function playBots(game) {
  const { bot: saved, pace, newcomer } = settings.get();
  const bot = preferredBot(await fetchBots(), saved);
  try {
    const { code } = await post("/api/tables", { rules: game.rules, pace });
    change({ game, newcomer: newcomer ?? game.rules === USUAL.rules });
    await start(code, bot);
    return code;
  } catch (refused) {
    // A game that is not there any more is not offered again.
    if (["unknown-rules", "bad-rules"].includes(refused.code)) change({ game: null });
    throw refused;
  }
}
