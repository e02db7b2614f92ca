// Playing with strangers: how many wait, for which game, and the way to a seat beside them.
import { nameMe, post, Refused, whoAmI } from "../../core/api.js";
import { gameName, plural, t } from "../../core/i18n.js";
import { change, settings } from "../../core/settings.js";
import { tell } from "../../core/socket.js";
import { html, useStore } from "../../core/ui.js";

const TRIES = 8; // tables that others may be quicker to fill
const LINGER = 3_000; // milliseconds until the table's page has a line of its own: so nobody is told that I am away
const LISTED = 50; // tables; where there are more, the list does not say how many people wait

// Give a guest without a name of their own a number; return whether that was done.
async function numbered() {
  const { name } = await whoAmI();
  if (name !== t("home.guest")) return false;
  await nameMe(`${name} ${100 + Math.floor(900 * Math.random())}`);
  return true;
}

// Return the address of a table with others, or of a public one that was made for them.
async function withOthers({ rules }) {
  const { anyGame, pace } = settings.get();
  const but = [];
  try {
    while (but.length < TRIES) {
      const found = await post("/api/tables/quick", { rules, any: anyGame, but, pace });
      const refused = found.seated ? null : await tell(found.code, { type: "sit", matched: true }, LINGER);
      if (refused?.code === "offline") throw refused;
      if (!refused || refused.code === "already-seated") return `/t/${found.code}`;
      if (refused.code === "name-taken" && (await numbered())) continue;
      // The page of the table asks for another name, and waits for the end of the hand.
      if (["hand-under-way", "name-taken"].includes(refused.code)) return `/t/${found.code}?sit`;
      but.push(found.code);
    }
  } catch (refused) {
    // A game that is not there any more is not offered again.
    if (["unknown-rules", "bad-rules"].includes(refused.code)) change({ game: null });
    throw refused;
  }
  throw new Refused("no-match", "");
}

// How many people wait at public tables, in words; null where that is not known.
function company(tables, { rules }, anyGame, mine) {
  if (!tables) return null;
  const waiting = (some) => some.reduce((sum, one) => sum + one.here, 0);
  const open = tables.filter((one) => one.phase === "lobby" && one.free && !mine.includes(one.code));
  const all = waiting(open);
  // Whose house rules are like mine only the server can say.
  const same = anyGame || typeof rules !== "string" ? all : waiting(open.filter((one) => one.rules_id === rules));
  if (same) return plural("home.waiting", same);
  if (tables.length >= LISTED) return null;
  return all ? plural("home.waiting_else", all) : t("home.waiting_none");
}

/** The button with its choice of a game. `game` is the last one, `after` makes a handler that goes where a function says. */
export function Others({ game, tables, mine, busy, after }) {
  const { anyGame } = useStore(settings);
  return html`<div class="stack tight">
    <div class="ways others">
      <button type="button" class="button big" disabled=${busy} onClick=${after(() => withOthers(game), true)}>${t("home.others")}</button>
      <label class="field">
        <span class="unseen">${t("home.others_game")}</span>
        <select onChange=${(event) => change({ anyGame: event.target.value === "any" })}>
          <option value="one" selected=${!anyGame}>${gameName(game.name)}</option>
          <option value="any" selected=${anyGame}>${t("home.any_game")}</option>
        </select>
      </label>
    </div>
    <p class="mark" role="status">${company(tables, game, anyGame, mine) || "\u00a0"}</p>
  </div>`;
}
