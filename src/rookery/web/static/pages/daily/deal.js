// A daily deal: before it is begun, while it is played at a table without people, a clock and hints, and its result.
import { announce } from "../../core/announce.js";
import { get, post } from "../../core/api.js";
import { IconButton, Problem } from "../../components/common.js";
import { lazy } from "../../components/lazy.js";
import { needStyle, useLoaded, Waiting } from "../../components/loading.js";
import { NameField, doAs, useMe } from "../../components/name.js";
import { gameName, needWords, t } from "../../core/i18n.js";
import { go, Link } from "../../core/router.js";
import { settings } from "../../core/settings.js";
import { html, useEffect, useState, useStore } from "../../core/ui.js";
import { Bar, Contract } from "../../table/bar.js";
import { Board, usePlay } from "../../table/felt/board.js";
import { isDone } from "../../table/snapshot.js";
import { addressOf, openAttempt } from "./attempt.js";
import { dayName } from "./days.js";

await Promise.all([needWords("pages"), needWords("review"), needStyle("daily")]);

const Result = lazy(() => import("./result.js"), "Result");

export const title = "daily.title";

// What single letters do here: there is no hint, no score sheet and nobody to talk to.
const LETTERS = ["last", "rules", "hand", "pass", "read", "keys"];

function Tools({ table, open }) {
  return html`<div class="tools">
    <div class="tools-text"><${Contract} table=${table} /></div>
    <div class="tools-buttons">
      <${IconButton} icon="pace" label=${t("table.pace", { pace: t(`lobby.pace.${table.pace}`) })} onClick=${() => open("pace")} />
      <${IconButton} icon="rules" label=${t("table.rules")} onClick=${() => open("rules")} />
      <${IconButton} icon="close" label=${t("daily.leave")} onClick=${() => go("/daily")} />
    </div>
  </div>`;
}

function Playing({ room, state, where }) {
  const { pace, face } = useStore(settings);
  const seats = state.table.seats.map((seat) => (seat.kind === "person" ? { ...seat, face } : seat));
  const table = { ...state.table, pace, seats };
  const { picking, open, dialogs } = usePlay(room, table, LETTERS);
  const over = isDone(table);
  const result = html`<${Result} room=${room} state=${state} where=${where} />`;
  return html`
    <${Board} table=${table} room=${room} picking=${picking} busy=${state.busy}
      head=${html`<${Tools} table=${table} open=${open} />${state.lost && html`<p class="banner">${t("table.line.lost")}</p>`}`}
      notes=${html`${state.notice && html`<p class="notice">${state.notice}</p>`}`}
      said=${over ? null : undefined} asked=${over ? result : undefined} foot=${over ? null : html`<${Bar} table=${table} room=${room} open=${open} />`} />
    ${dialogs}
  `;
}

function Attempt({ where, first }) {
  const [room] = useState(() => openAttempt(where, first));
  const state = useStore(room.state);
  useEffect(() => room.close, []);
  const { told } = state;
  const heading = t("daily.of", { game: gameName(told.rules.name), day: dayName(told.day) });
  // Whoever comes back to a hand that is over wants to know what it came to.
  if (told.over && !state.watched) {
    return html`<div class="reading stack"><h1 tabindex="-1">${heading}</h1><${Result} room=${room} state=${state} where=${where} /></div>`;
  }
  return html`<div class="page-table game deal">
    <h1 class="unseen" tabindex="-1">${heading}</h1>
    <${Playing} room=${room} state=${state} where=${where} />
  </div>`;
}

function Intro({ listed, where, begun }) {
  const { me, name, setName, error, again } = useMe();
  const [fault, setFault] = useState(null);
  const [busy, setBusy] = useState(false);
  const play = async (event) => {
    event.preventDefault();
    setBusy(true);
    setFault(null);
    try {
      begun(await doAs(name, () => post(where)));
    } catch (refused) {
      setFault(refused);
      setBusy(false);
    }
  };
  return html`<form class="narrow stack" onSubmit=${play}>
    <h1 tabindex="-1">${t("daily.of", { game: gameName(listed.name), day: dayName(listed.day) })}</h1>
    <p>${t("daily.intro")}</p>
    ${listed.ended && html`<p class="notice">${t("daily.ended")}</p>`}
    ${error && html`<${Problem} error=${error} retry=${again} />`}
    ${me && !me.name && html`<${NameField} name=${name} setName=${setName} />`}
    <div class="row">
      <button class="button primary big" disabled=${busy || !me}>${t("daily.play")}</button>
      <${Link} class="button quiet" href=${`/rules/${listed.rules}`}>${t("table.rules")}<//>
      <${Link} class="button quiet" href="/daily">${t("daily.today")}<//>
    </div>
    ${fault && html`<${Problem} error=${fault} />`}
  </form>`;
}

// What the lists say of a deal: today's, or an earlier one.
async function listedOf(day, family) {
  const today = await get("/api/daily");
  const days = today.day === day ? [today] : (await get("/api/daily/archive")).days.map((one) => ({ ...one, ended: true }));
  const found = days.find((one) => one.day === day);
  const listed = found && found.families.find((one) => one.family === family);
  if (!listed) throw Object.assign(new Error(), { code: "no-daily", status: 404 });
  return { ...listed, day, ended: Boolean(found.ended) };
}

async function enter(where, day, family) {
  try {
    return { first: await get(`${where}/position`) };
  } catch (refused) {
    // Nothing has been begun, or nobody is known here.
    if (refused.status !== 404 && refused.status !== 401) throw refused;
    return { listed: await listedOf(day, family) };
  }
}

/** The page. */
export default function Deal({ params: { day, family } }) {
  const where = addressOf(day, family);
  const { value, error, again } = useLoaded(() => enter(where, day, family), [where]);
  const [begun, setBegun] = useState(null);
  const first = begun || value?.first;
  useEffect(() => {
    if (!begun) return;
    announce(t("daily.begun"));
    // The button that was pressed is gone.
    document.querySelector(".deal h1")?.focus({ preventScroll: true });
  }, [begun]);
  if (first) return html`<${Attempt} where=${where} first=${first} />`;
  if (value) return html`<${Intro} listed=${value.listed} where=${where} begun=${setBegun} />`;
  return html`<div class="narrow stack"><h1 tabindex="-1">${t("daily.title")}</h1>
    <${Waiting} error=${error} again=${error && error.status === 404 ? null : again} />
    ${error && html`<p><${Link} href="/daily" class="button">${t("daily.today")}<//></p>`}</div>`;
}
