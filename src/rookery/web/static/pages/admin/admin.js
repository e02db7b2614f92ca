// For whoever runs this server: who plays, versions, rates. Its secret stays in this page's memory.
import { get, soon } from "../../core/api.js";
import { needWords, t } from "../../core/i18n.js";
import { Problem } from "../../components/common.js";
import { html, useEffect, useRef, useState } from "../../core/ui.js";
import { Overview } from "./figures.js";
import { clock } from "./words.js";

await Promise.all([needWords("pages"), needWords("beside/admin")]);

export const title = "admin.title";

const AGAIN = 5_000; // milliseconds between two looks

async function look(secret, path = "/api/admin") {
  // A header holds no other characters, so it cannot be the secret.
  if (/[^\x20-\x7e]/.test(secret)) throw Object.assign(new Error("secret"), { code: "bad-secret" });
  return get(path, { authorization: `Bearer ${secret}` });
}

function Enter({ entered, error }) {
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    await entered(new FormData(event.target).get("secret").trim());
    setBusy(false);
  };
  return html`<form class="panel stack narrow" onSubmit=${submit}>
    <label class="field">
      <span>${t("admin.secret")}</span>
      <input type="password" name="secret" required autocomplete="current-password" aria-describedby=${error ? "secret-how wrong-secret" : "secret-how"} aria-invalid=${error?.code === "bad-secret" ? "true" : undefined} />
      <small id="secret-how">${t("admin.secret_how")}</small>
    </label>
    ${error && html`<${Problem} error=${error.code === "not-found" ? { code: "no-admin" } : error} id="wrong-secret" />`}
    <div class="row"><button class="button primary" disabled=${busy}>${t("admin.enter")}</button></div>
  </form>`;
}

function Inside({ first, secret, leave }) {
  const [now, setNow] = useState(first);
  const [error, setError] = useState(null);
  const [going, setGoing] = useState(true);
  const asking = useRef(false);
  const looks = useRef({ begun: 0, newest: 0 }); // the newest of those that were answered
  // An answer that takes long counts, too, unless a later look was answered before it.
  const found = (number) => (answer) => {
    if (number < looks.current.newest) return;
    looks.current.newest = number;
    setNow(answer);
    setError(null);
  };
  const refresh = async () => {
    if (asking.current) return;
    asking.current = true;
    try {
      await soon(look(secret).then(found((looks.current.begun += 1))));
    } catch (refused) {
      if (refused.code === "bad-secret") leave(refused);
      else setError(refused);
    }
    asking.current = false;
  };
  useEffect(() => {
    if (!going) return undefined;
    const timer = setInterval(() => document.visibilityState === "visible" && refresh(), AGAIN);
    return () => clearInterval(timer);
  }, [going]);
  return html`
    <div class="row">
      <p class="grow">${t("admin.as_of", { time: clock(now.at) })}</p>
      <label class="switch">
        <input type="checkbox" checked=${going} onChange=${(event) => setGoing(event.target.checked)} /><span>${t("admin.going")}</span>
      </label>
      <button type="button" class="button" onClick=${refresh}>${t("admin.refresh")}</button>
      <button type="button" class="button" onClick=${() => leave(null)}>${t("admin.leave")}</button>
    </div>
    ${error && html`<${Problem} error=${error} retry=${refresh} />`}
    <${Overview} now=${now} ask=${(path) => look(secret, path)} />
  `;
}

/** The page. */
export default function Admin() {
  const [inside, setInside] = useState(null);
  const [error, setError] = useState(null);
  const entered = async (secret) => {
    setError(null);
    try {
      setInside({ secret, first: await soon(look(secret)) });
    } catch (refused) {
      setError(refused);
    }
  };
  const leave = (why) => {
    setInside(null);
    setError(why);
  };
  return html`<div class="stack">
    <h1 tabindex="-1">${t("admin.title")}</h1>
    ${inside ? html`<${Inside} ...${inside} leave=${leave} />` : html`<${Enter} entered=${entered} error=${error} />`}
  </div>`;
}
