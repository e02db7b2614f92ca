// The table's page: a name, the connection, then lobby or game.
import { get, nameMe, whoAmI } from "../core/api.js";
import { hrefOf } from "../core/base.js";
import { isHere } from "../core/here.js";
import { gameName, list, t, wordsLoaded } from "../core/i18n.js";
import { lazy, loadLazyParts, seldom, whenIdle } from "../components/lazy.js";
import { needStyle } from "../components/loading.js";
import { Problem, notLoaded, wrongBy } from "../components/common.js";
import { Link, place } from "../core/router.js";
import { Lobby, SeatField, sitText } from "../table/lobby/lobby.js";
import { openRoom } from "../table/room.js";
import { keep } from "./learn/progress.js";
import { html, useEffect, useState, useStore } from "../core/ui.js";

await Promise.all([needStyle("table"), needStyle("table_small")]);

const strangers = () => import("./evening/screens/strangers.js");
const AtEvening = seldom(() => import("./evening/screens/at_table.js"), "AtEvening");
const Hidden = seldom(strangers, "Hidden");
const OfEvening = seldom(strangers, "OfEvening");
const OwnFace = lazy(() => import("../table/own_face.js"), "OwnFace");

export const title = "table.title";

// Fetched at once, but the lobby need not wait for it.
let game = import("../table/game.js");
game.catch(() => {});

function Playing({ room, state }) {
  const [loaded, set] = useState({ Game: null, error: null });
  const load = () => game.then(({ Game }) => set({ Game, error: null }), (error) => set((before) => ({ Game: null, error: notLoaded(error, before.error) })));
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
  // Whoever says a name sits down with it, on the seat they chose, or only watches.
  const submit = async (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    setBusy(true);
    setError(null);
    try {
      const me = await nameMe(form.get("name").trim());
      const seat = form.get("seat") ? { seat: Number(form.get("seat")) } : {};
      onName(me, event.submitter?.name === "watch" ? null : { type: "sit", wait: true, ...seat });
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
  const free = preview && !preview.evening ? preview.seats.flatMap((seat, i) => (seat.free ? [i] : [])) : [];
  return html`<div class="narrow stack">
    <h1 tabindex="-1">${t("table.join", { code })}</h1>
    ${preview && html`<p><b>${preview.title || gameName(preview.rules_name)}</b>${preview.title && html`<br />${gameName(preview.rules_name)}`}
      ${people.length > 0 && html`<br />${t("table.sitting", { names: list(people) })}`}</p>`}
    ${preview?.evening && html`<${OfEvening} evening=${preview.evening} />`}
    <form class="panel stack" onSubmit=${submit}>
      <label class="field">
        <span>${t("table.your_name")}</span>
        <input name="name" required maxlength="24" autocomplete="nickname" ...${wrongBy(error, "wrong-name")} />
      </label>
      ${free.length > 1 && html`<${SeatField} table=${preview} free=${free} />`}
      ${error && html`<${Problem} error=${error} id="wrong-name" />`}
      <div class="row">
        ${free.length > 0 && html`<button class="button primary big" disabled=${busy}>${sitText(preview, free)}</button>`}
        <button class=${`button ${free.length || preview?.evening ? "" : "primary big"}`} name="watch" value="1" disabled=${busy || !(preview || loadError)}>${t("table.watch")}</button>
      </div>
      <p class="mark">${t("table.no_account")}</p>
    </form>
  </div>`;
}

// Others still play the same deals, and whoever has no seat may not look on.
const isHidden = (why) => /4016$/.test(why.code);

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

function Room({ code, wanted }) {
  const [room, setRoom] = useState(null);
  useEffect(() => {
    const opened = roomFor(code);
    whenIdle(loadLazyParts);
    setRoom(opened);
    if (wanted) opened.ask(wanted);
    return () => opened.close();
  }, [code]);
  return room ? html`<${OpenRoom} code=${code} room=${room} />` : html`<p class="loading">${t("shell.loading")}</p>`;
}

function OpenRoom({ code, room }) {
  const state = useStore(room.state);
  // Whoever sits here is no newcomer on the start page any more.
  const sits = (state.table?.you ?? null) !== null;
  useEffect(() => {
    if (sits) keep("offer", { declined: true });
  }, [sits]);
  if (state.closed) return isHidden(state.closed) ? html`<${Hidden} code=${code} why=${state.closed} />` : html`<${Closed} why=${state.closed} />`;
  if (!state.table) return html`<p class="loading" role="status">${t("table.line.connecting")}</p>`;
  const { table } = state;
  return html`
    ${state.connection === "lost" && html`<p class="banner">${t("table.line.lost")}</p>`}
    ${table.evening && html`<${AtEvening} room=${room} table=${table} meanwhile=${null} />`}
    <${OwnFace} room=${room} table=${table} meanwhile=${null} />
    ${table.phase === "lobby" || !table.view
      ? html`<${Lobby} room=${room} state=${state} />`
      : html`<${Playing} room=${room} state=${state} />`}
  `;
}

/** The page. */
export default function Table({ params, query }) {
  // Whoever comes back to a table of this device has a name there.
  const [me, setMe] = useState(() => (isHere() ? { name: "me" } : null));
  // Whoever was shown here as a stranger sits down when the hand is over.
  const [wanted, setWanted] = useState("sit" in query ? { type: "sit", wait: true, matched: true } : null);
  const [error, setError] = useState(null);
  const named = (who, what) => {
    setWanted(what);
    setMe(who);
  };
  const ask = () => {
    setError(null);
    whoAmI().then(setMe, setError);
  };
  useEffect(() => {
    if ("sit" in query) history.replaceState(history.state, "", hrefOf(place.get().path));
    if (!me) ask();
  }, []);
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
  if (!me.name) return html`<${AskName} code=${params.code} onName=${named} />`;
  return html`<${Room} key=${params.code} code=${params.code} wanted=${wanted} />`;
}
