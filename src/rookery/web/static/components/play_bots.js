// A match against bots, begun at once: the game, the level and the pace that were last chosen on this device.
import { post } from "../core/api.js";
import { USUAL, change, settings } from "../core/settings.js";
import { tell } from "../core/socket.js";
import { fetchBots, preferredBot } from "./bots.js";

/**
 * Make a table for a game, {rules, seats, name}, and begin the match; return its code. Bots of one level take the other
 * seats, where friends may sit down later.
 */
export async function playBots(game) {
  const { bot: saved, pace, newcomer } = settings.get();
  const bot = preferredBot(await fetchBots(), saved);
  try {
    const { code } = await post("/api/tables", { rules: game.rules, pace });
    change({ game, newcomer: newcomer ?? game.rules === USUAL.rules });
    const refused = await tell(code, { type: "start", bot });
    if (refused) throw refused;
    return code;
  } catch (refused) {
    // A game that is not there any more is not offered again.
    if (["unknown-rules", "bad-rules"].includes(refused.code)) change({ game: null });
    throw refused;
  }
}
