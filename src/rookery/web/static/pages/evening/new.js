// A new evening of many tables: who plays, what, and how they change tables; and the evenings that this browser knows.
import { get, post } from "../../core/api.js";
import { day, needWords, number, plural, t } from "../../core/i18n.js";
import { Link, go } from "../../core/router.js";
import { html, useEffect, useRef, useState } from "../../core/ui.js";
import { Waiting, needStyle } from "../../components/loading.js";
import { NameField, doAs, useMe } from "../../components/name.js";
import { GameField, OtherGames, rulesOfAddress, useGames, useSeats } from "../rules/games.js";
import { evenings } from "./kept.js";
import { isKnockout, movementName, movementWhy, namesIn, refusalOf } from "./said.js";
import { Choice, Hands, USUAL, isFilled, screensOf, useBot } from "./screens/choice.js";

await Promise.all([needWords("pages"), needWords("beside/evening"), needStyle("evening")]);

export const title = "evening.new";

const DRAFT = "rookery.new_evening";
const PAUSE = 400; // milliseconds after the last key until the server is asked
const EMPTY = { name: "", people: "", rounds: "", minutes: "", movement: null, best_of: "1", boards: "4", hands: null, also: [], agree: false, slips: true, screens: USUAL };

// Of what another version wrote, or somebody by hand, what the form can show.
const fits = ([name, value]) => (Array.isArray(EMPTY[name]) ? Array.isArray(value) : typeof value === (EMPTY[name] === null ? "string" : typeof EMPTY[name]));

function readDraft() {
  try {
    const draft = { ...EMPTY, ...Object.fromEntries(Object.entries(JSON.parse(localStorage.getItem(DRAFT))).filter(fits)) };
    return { ...draft, screens: { ...USUAL, ...draft.screens } };
  } catch {
    return EMPTY;
  }
}

// What was typed is there again after a reload; where nothing can be kept, the page still works.
function keepDraft(form) {
  try {
    localStorage.setItem(DRAFT, JSON.stringify(form));
  } catch {
    // As private windows may refuse.
  }
}

// The rules of the Larry Smith Invitational have four hands a round; all else is a game a round.
const handsOf = (form, chosen) => form.hands ?? (chosen?.movement === "halves" ? "4" : "0");

const twice = (names) => names.find((name, at) => names.indexOf(name) < at);

// Where bots make the people `whole` tables, fixed partners suit that many, and all else suits those who are there.
async function suited(ask, people, whole) {
  if (whole === people) return ask(people);
  const [own, all] = await Promise.allSettled([ask(people), ask(whole)]);
  if (all.status === "rejected") throw all.reason;
  const mixed = own.status === "fulfilled" ? own.value.filter((one) => !one.fixed_teams) : [];
  return [...mixed, ...all.value.filter((one) => one.fixed_teams)];
}

// The movements that can seat so many, those that suit best first; asked for once nobody types any more.
function useChoices(people, { rounds, minutes }, games, whole) {
  const [state, set] = useState({ choices: null, error: null });
  const rules = games.map((one) => (typeof one === "string" ? one : one.base)).filter(Boolean).map((id) => `&rules=${encodeURIComponent(id)}`).join("");
  const [attempt, again] = useState(0);
  useEffect(() => {
    if (!people) {
      set({ choices: null, error: null });
      return undefined;
    }
    let wanted = true;
    const time = rounds ? `&rounds=${rounds}` : minutes ? `&minutes=${minutes}` : "";
    const timer = setTimeout(() => {
      const ask = (n) => get(`/api/movements?people=${n}${time}${rules}`).then(({ choices }) => choices);
      suited(ask, people, whole).then(
        (choices) => wanted && set({ choices, error: null }),
        (error) => wanted && set({ choices: null, error }),
      );
    }, PAUSE);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [people, rounds, minutes, rules, attempt, whole]);
  return { ...state, again: () => again(attempt + 1) };
}

// How many rounds, or minutes, there is time for.
function Count({ name, digits, form, set }) {
  return html`<label class="field"><span>${t(`evening.new_${name}`)}</span>
    <input class="number" name=${name} inputmode="numeric" autocomplete="off" value=${form[name]} onInput=${(event) => {
      event.target.value = event.target.value.replace(/\D|^0+/g, "").slice(0, digits);
      set({ [name]: event.target.value });
    }} /><small>${t(`evening.new_${name}_how`)}</small></label>`;
}

function Known() {
  const known = evenings.all().filter(({ code }) => !code.includes("/"));
  if (!known.length) return null;
  return html`<section class="panel stack tight" aria-labelledby="known-title">
    <h2 id="known-title">${t("evening.known")}</h2>
    <ul class="plain">
      ${known.map(({ code, told, at }) => html`<li key=${code} class="table-row">
        <span class="grow"><b>${told.evening.name || t("evening.title")}</b>
          <small>${[plural("evening.people", told.evening.people.filter((one) => !one.bot).length), day(at)].join(" · ")}</small></span>
        <${Link} class="button" href=${`/e/${code}`} aria-label=${`${t("evening.open")}: ${told.evening.name || t("evening.title")}`}>${t("evening.open")}<//>
      </li>`)}
    </ul>
  </section>`;
}

function Movements({ choices, chosen, choose, filled }) {
  return html`<fieldset class="stack tight movements">
    <legend>${t("evening.movement")}</legend>
    ${choices.map((one, at) => html`<label key=${one.movement} class=${`movement ${one === chosen ? "chosen" : ""}`}>
      <input type="radio" name="movement" value=${one.movement} checked=${one === chosen} onChange=${() => choose(one.movement)} />
      <span class="grow"><b>${movementName(one.movement)}</b>${at === 0 && html` <span class="tag">${t("evening.best")}</span>`}<small>${movementWhy(one, filled)}</small></span>
    </label>`)}
  </fieldset>`;
}

// What is wrong, at the field to which it belongs; the names are where most of it can be mended.
const FIELDS = { movement: "movement", teams: "movement", knockout: "movement", full: "movement", game: "game" };
const fieldOf = (error) => (error.code === "bad-rules" || error.code === "unknown-rules" ? "game" : error.code === "bad-name" ? "people" : FIELDS[error.where?.part] ?? (error.where ? "people" : "other"));

function Wrong({ error, field }) {
  return error && error.field === field ? html`<p id=${`wrong-${field}`} class="wrong" role="alert">${error.words ?? refusalOf(error)}</p>` : null;
}

function Form({ games, seats, form, change, children }) {
  const { me, name, setName } = useMe();
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const box = useRef(null);
  const names = namesIn(form.people);
  const { screens } = form;
  const filled = isFilled(screens);
  const mixed = games.length > 1;
  const whole = filled && !mixed ? Math.ceil(names.length / seats) * seats : names.length;
  const { choices, error: misfit, again } = useChoices(names.length, form, games, whole);
  const chosen = choices && (choices.find(({ movement }) => movement === form.movement) ?? choices[0]);
  const { bots, bot } = useBot(screens.on);
  const knockout = chosen && isKnockout(chosen);
  const problem = error ?? (misfit?.where ? { field: "people", words: names.length < seats ? t("evening.few", { n: seats }) : refusalOf(misfit) } : null);
  useEffect(() => {
    if (error) box.current.querySelector(`[name="${error.field}"]`)?.focus();
  }, [error]);
  const set = (more) => {
    setError(null);
    change(more);
  };
  const make = async () => {
    const { key, ...told } = await post("/api/evenings", {
      name: form.name.trim(), movement: chosen.movement, people: names, rules: games, agree: form.agree && !screens.on, screens: screensOf(screens, bot, form.rounds),
      ...(knockout && { best_of: Number(form.best_of) }), ...(!chosen.boards && !screens.on && { hands: Number(handsOf(form, chosen)) || null }),
      ...(chosen.boards && { boards: Number(form.boards), slips: form.slips && !screens.on }),
    });
    evenings.change(told.code, () => ({ key, proven: true, told, at: Date.now() }));
    return `/e/${told.code}#${key}`;
  };
  const submit = async (event) => {
    event.preventDefault();
    const same = twice(names);
    if (same || !names.length) {
      setError({ field: "people", words: same ? t("evening.twice", { name: same }) : t("evening.nobody") });
      return;
    }
    if (!chosen) return;
    setBusy(true);
    setError(null);
    try {
      const way = await doAs(name, make);
      keepDraft({ screens }); // how one plays stays chosen
      go(way);
    } catch (refused) {
      setError({ ...refused, code: refused.code, message: refused.message, field: fieldOf(refused) });
      setBusy(false);
    }
  };
  const wrong = (field) => (problem?.field === field ? { "aria-invalid": "true", "aria-describedby": `wrong-${field}` } : {});
  const tables = mixed ? "" : `, ${plural("evening.tables", Math.floor(whole / seats))}`;
  const count = names.length ? `${plural("evening.people", names.length)}${tables}` : t("evening.one_a_line");
  return html`<form class="stack" ref=${box} onSubmit=${submit} noValidate>
    <label class="field"><span>${t("evening.names")}</span>
      <textarea name="people" rows="8" spellcheck="false" autocomplete="off" ...${wrong("people")} value=${form.people} onInput=${(event) => set({ people: event.target.value })}></textarea>
      <small role="status">${count}</small></label>
    <${Wrong} error=${problem} field="people" />
    ${children}
    <${Wrong} error=${problem} field="game" />
    <${Choice} chosen=${screens} change=${(more) => set({ screens: { ...screens, ...more } })} bots=${bots} bot=${bot} prepared=${Boolean(chosen?.boards)} />
    <${Count} name="rounds" digits="2" form=${form} set=${set} />
    ${!form.rounds && !screens.on && html`<${Count} name="minutes" digits="3" form=${form} set=${set} />`}
    ${misfit && !misfit.where && html`<${Waiting} error=${misfit} again=${again} />`}
    ${choices && html`<${Movements} choices=${choices} chosen=${chosen} choose=${(movement) => set({ movement })} filled=${filled} />`}
    <${Wrong} error=${problem} field="movement" />
    ${knockout && html`<label class="field"><span>${t("evening.best_of")}</span>
      <select name="best_of" onChange=${(event) => set({ best_of: event.target.value })}>
        ${["1", "3", "5", "7", "9"].map((n) => html`<option key=${n} value=${n} selected=${n === form.best_of}>${plural("evening.games", Number(n))}</option>`)}
      </select></label>`}
    ${chosen?.boards && html`<label class="field"><span>${t("evening.boards")}</span>
      <select name="boards" onChange=${(event) => set({ boards: event.target.value })}>
        ${["1", "2", "3", "4", "5", "6"].map((n) => html`<option key=${n} value=${n} selected=${n === form.boards}>${number(Number(n))}</option>`)}
      </select></label>`}
    ${chosen && !chosen.boards && !screens.on && html`<${Hands} value=${handsOf(form, chosen)} set=${(hands) => set({ hands })} help=${t("evening.hands_how")} />`}
    ${chosen?.boards && !screens.on && html`<label class="switch"><input type="checkbox" name="slips" checked=${form.slips} onChange=${(event) => set({ slips: event.target.checked })} />
      <span>${t("evening.slips")}<br /><small>${t("evening.slips_how")}</small></span></label>`}
    ${!screens.on && html`<label class="switch"><input type="checkbox" name="agree" checked=${form.agree} onChange=${(event) => set({ agree: event.target.checked })} />
      <span>${t("evening.agree")}<br /><small>${t("evening.agree_how")}</small></span></label>`}
    <label class="field"><span>${t("evening.name")}</span>
      <input name="title" maxlength="60" autocomplete="off" value=${form.name} onInput=${(event) => set({ name: event.target.value })} /></label>
    ${me && !me.name && html`<${NameField} name=${name} setName=${setName} />`}
    <${Wrong} error=${problem} field="other" />
    <div class="row"><button class="button primary big grow" disabled=${busy || (names.length > 0 && !chosen) || (screens.on && !bot)}>${t("evening.make")}</button></div>
  </form>`;
}

/** The page. */
export default function NewEvening({ query }) {
  const [wanted] = useState(() => rulesOfAddress(query));
  const { games, game, choose, error, again } = useGames(wanted);
  const seats = useSeats(game);
  const [form, setForm] = useState(readDraft);
  const change = (more) => setForm((before) => {
    const after = { ...before, ...more };
    keepDraft(after);
    return after;
  });
  const size = seats.value?.seats ?? 4;
  // Of each size one: a draft may name what is not there any more, or a size that the first game has now.
  const sizeOf = (id) => games?.find(([one]) => one === id)?.[3];
  const also = form.also.filter((id) => sizeOf(id) && sizeOf(id) !== size);
  return html`<div class="stack reading new-evening">
    <h1 tabindex="-1">${t("evening.new")}</h1>
    <p class="lead">${t("evening.lead")}</p>
    <${Known} />
    <section class="panel stack" aria-label=${t("evening.new")}>
      ${!games || !seats.value
        ? html`<${Waiting} error=${error ?? seats.error} again=${error ? again : seats.again} />`
        : html`<${Form} games=${[game[1], ...also]} seats=${Math.min(size, ...also.map(sizeOf))} form=${form} change=${change}>
            <${GameField} games=${games} game=${game} choose=${choose} label=${t("evening.game")} />
            <${OtherGames} games=${games} seats=${size} also=${also} change=${(ids) => change({ also: ids })}
              words=${{ also: t("evening.also"), none: t("evening.also_none"), more: t("evening.also_more") }} />
            ${seats.value.ok === false && html`<p class="wrong" role="alert">${t("evening.misfit")}</p>`}
          <//>`}
    </section>
  </div>`;
}
