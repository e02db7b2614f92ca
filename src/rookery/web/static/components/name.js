// The player's name, asked for where it is first needed.
import { askWho, here, nameMe, whoAmI } from "../core/api.js";
import { t } from "../core/i18n.js";
import { html, useEffect, useState } from "../core/ui.js";

// The shell asks who I am when the document opens; after that my tables may have changed.
const OPENING = 3000; // milliseconds
const askNow = () => (performance.now() < OPENING ? whoAmI() : askWho());

/** Return {me, name, setName, error, again}: who I am, and the text in the name field. */
export function useMe() {
  const [me, setMe] = useState(null);
  const [name, setName] = useState(null);
  const [error, setError] = useState(null);
  const again = () => {
    setError(null);
    askNow().then(setMe, setError);
  };
  useEffect(again, []);
  return { me, setMe, name: name ?? (me ? me.name : ""), setName, error, again };
}

/** Take the name in the field, or a guest's where it is empty; return who I am now. */
export async function enterAs(name) {
  const wanted = name.trim();
  let me = await whoAmI();
  // This device may have answered while the server could not be reached.
  if (here && !me.name) me = await askWho();
  if (me.name && (!wanted || wanted === me.name)) return me;
  return nameMe(wanted || t("home.guest"));
}

/** Take the name as enterAs does, then call `act`, which needs a name; return its result. */
export async function doAs(name, act) {
  const me = await enterAs(name);
  try {
    return await act();
  } catch (refused) {
    if (refused.code !== "no-session") throw refused;
    // The session ended while the page stood open; the name is still known.
    await nameMe(name.trim() || me.name);
    return act();
  }
}

/** The field. */
export function NameField({ name, setName }) {
  return html`<label class="field">
    <span>${t("home.name")}</span>
    <input name="name" maxlength="24" autocomplete="nickname" value=${name} onInput=${(event) => setName(event.target.value)} />
    <small>${t("home.no_account")}</small>
  </label>`;
}
