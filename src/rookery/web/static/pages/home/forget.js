// "Delete my data": what the server has, and what this browser keeps.
import { forgetMe, rememberMe } from "../../core/api.js";
import { change, DEFAULTS } from "../../core/settings.js";
import { forgetAll as forgetTables } from "../../table/offline/device.js";
import { evenings } from "../evening/kept.js";
import { forget as forgetMistakes } from "../mistakes/kept.js";
import { owner } from "../mistakes/shared.js";
import { sheets } from "../sheet/kept.js";

const NOBODY = { person: null, name: "", tables: [], base: "", passkeys: false };
// Mistakes may be those of somebody else who uses this browser; how it looks and what it can do are nobody's.
const STAYS = /^rookery\.(mistakes|settings$|device(?!\.seen))/;

function forgetKept() {
  sheets.forgetAll();
  evenings.forgetAll();
  const { face, game, anyGame, bot } = DEFAULTS;
  change({ face, game, anyGame, bot });
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith("rookery.") && !STAYS.test(key)) localStorage.removeItem(key);
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

/** Have the server, this device and this browser forget me. Return {nobody, there}: who I am now, and whether the server was told. */
export async function forgetAll() {
  const person = await owner().catch(() => null);
  const nobody = await forgetMe().catch((error) => {
    if (error.code !== "offline") throw error;
    return null;
  });
  let player = null;
  try {
    player = await forgetTables(); // fails where the browser cannot open what it keeps them in
  } finally {
    // From then on no other window keeps more of them.
    forgetKept();
    for (const one of [person, player]) if (one) forgetMistakes(one);
  }
  return { nobody: nobody ?? rememberMe(NOBODY), there: Boolean(nobody) };
}
