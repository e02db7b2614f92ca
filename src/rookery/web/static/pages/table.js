// The table's page: a name, the connection, then lobby or game.
import { get, nameMe, whoAmI } from "../core/api.js";
import { gameName, list, t, wordsLoaded } from "../core/i18n.js";
import { loadLazyParts, whenIdle } from "../components/lazy.js";
import { Problem } from "../components/common.js";
import { Link, place } from "../core/router.js";
import { Lobby } from "../table/lobby/lobby.js";
import { openRoom } from "../table/room.js";
import { html, useEffect, useState, useStore } from "../core/ui.js";

export const title = "table.title";

// Fetched at once, but the lobby need not wait for it.
let game = import("../table/game.js");
game.catch(() => {});

function Playing({ room, state }) {
  const [loaded, set] = useState({ Game: null, error: null });
  const load = () => game.then(({ Game }) => set({ Game, error: null }), () => set({ Game: null, error: { code: "no-load" } }));
  useEffect(() => {
    load();
  }, []);
  const retry = () => {
    game = import("../table/game.js");
    load();
  };
  const { Game, error } = loaded;
  if (error) return html`<${Problem} error=${error} retry=${retry} />`;
  return Game ? html`<${Game} room=${room} state=${state} />` : html`<p class="loading">${t("shell.loading")}</p>`;
}

function AskName({ code, onName }) {
  const [preview, setPreview] = useState(null);
  const [loadError, setLoadError] = useState(null);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      onName(await nameMe(new FormData(event.target).get("name").trim()));
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  // Whoever comes by a link sees whose table it is, and at once if there is none.
  useEffect(() => {
    get(`/api/tables/${encodeURIComponent(code)}`).then(setPreview, setLoadError);
  }, [code]);
  if (loadError && loadError.status === 404) return html`<${Closed} why=${loadError} />`;
  const people = preview ? preview.seats.filter((seat) => seat.kind === "person").map((seat) => seat.name) : [];
  return html`<div class="narrow stack">
    <h1 tabindex="-1">${t("table.join", { code })}</h1>
    ${preview && html`<p><b>${preview.title || gameName(preview.rules_name)}</b>${preview.title && html`<br />${gameName(preview.rules_name)}`}
      ${people.length > 0 && html`<br />${t("table.sitting", { names: list(people) })}`}</p>`}
    <form class="panel stack" onSubmit=${submit}>
      <label class="field">
        <span>${t("table.your_name")}</span>
        <input name="name" required maxlength="24" autocomplete="nickname" />
      </label>
      ${error && html`<${Problem} error=${error} />`}
      <button class="button primary" disabled=${busy}>${t("table.come_in")}</button>
      <p class="mark">${t("table.no_account")}</p>
    </form>
  </div>`;
}

function Closed({ why }) {
  return html`<div class="narrow stack">
    <h1 tabindex="-1">${t("shell.trouble")}</h1>
    <${Problem} error=${why || { code: "unknown" }} retry=${() => location.reload()} />
    <p><${Link} href="/" class="button">${t("shell.home")}<//></p>
  </div>`;
}

// Whoever has a name here is let in while the page is still being drawn.
let early = null;
let drawn = false;
const first = place.get();
if (first.page === "table") {
  Promise.all([whoAmI(), wordsLoaded()]).then(([me]) => {
    const still = place.get();
    if (me.name && !drawn && still.page === "table" && still.params.code === first.params.code) {
      early = { code: first.params.code, room: openRoom(first.params.code) };
    }
  }, () => {});
}

function roomFor(code) {
  drawn = true;
  const opened = early;
  early = null;
  if (opened && opened.code === code) return opened.room;
  if (opened) opened.room.close();
  return openRoom(code);
}

function Room({ code }) {
  const [room, setRoom] = useState(null);
  useEffect(() => {
    const opened = roomFor(code);
    whenIdle(loadLazyParts);
    setRoom(opened);
    return () => opened.close();
  }, [code]);
  return room ? html`<${OpenRoom} room=${room} />` : html`<p class="loading">${t("shell.loading")}</p>`;
}

function OpenRoom({ room }) {
  const state = useStore(room.state);
  if (state.closed) return html`<${Closed} why=${state.closed} />`;
  if (!state.table) return html`<p class="loading" role="status">${t("table.line.connecting")}</p>`;
  const { table } = state;
  return html`
    ${state.connection === "lost" && html`<p class="banner" role="status">${t("table.line.lost")}</p>`}
    ${table.phase === "lobby" || !table.view
      ? html`<${Lobby} room=${room} state=${state} />`
      : html`<${Playing} room=${room} state=${state} />`}
  `;
}

/** The page. */
export default function Table({ params }) {
  const [me, setMe] = useState(null);
  const [error, setError] = useState(null);
  const ask = () => {
    setError(null);
    whoAmI().then(setMe, setError);
  };
  useEffect(ask, []);
  useEffect(() => {
    if (!error) return undefined;
    addEventListener("online", ask);
    return () => removeEventListener("online", ask);
  }, [error]);
  if (error) {
    return html`<div class="narrow stack">
      <h1 tabindex="-1">${t("shell.trouble")}</h1>
      <${Problem} error=${error} retry=${ask} />
      <p><${Link} href="/" class="button">${t("shell.home")}<//></p>
    </div>`;
  }
  if (!me) return html`<p class="loading">${t("shell.loading")}</p>`;
  if (!me.name) return html`<${AskName} code=${params.code} onName=${setMe} />`;
  return html`<${Room} key=${params.code} code=${params.code} />`;
}
