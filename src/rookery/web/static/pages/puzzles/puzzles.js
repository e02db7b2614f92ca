// Puzzles: one decision of a real hand, to try; then what is right, and why.
import { get } from "../../core/api.js";
import { gameName, inWords, language, needWords, number, plural, t } from "../../core/i18n.js";
import { Waiting, getOnce, useLoaded } from "../../components/loading.js";
import { Link, go } from "../../core/router.js";
import { html, useEffect, useRef, useState, useStore } from "../../core/ui.js";
import { Choices, Worth, sayChoice } from "./choices.js";
import { Position, tableOf } from "./position.js";
import { nextOf, rated, saved } from "./rating.js";

await Promise.all([needWords("review"), needWords("pages")]);

export const title = "puzzles.title";

const THEMES = ["draw-trumps", "feed", "save-ten", "bury", "void", "count-bird", "last-trick", "bid", "discard"];
const rounded = (one) => number(Math.round(one.value));

function addressOf(id, { rules, theme, free }) {
  const query = new URLSearchParams(Object.entries({ rules, theme, free: free ? "1" : "" }).filter(([, value]) => value));
  return `/puzzles${id ? `/${id}` : ""}${query.size ? `?${query}` : ""}`;
}

function Filter({ list, names, wanted, set }) {
  const games = [...new Set(list.map(({ rules }) => rules))];
  const choose = (name) => (event) => set({ ...wanted, [name]: event.target.value });
  return html`<details class="panel" open=${Boolean(wanted.rules || wanted.theme || wanted.free)}>
    <summary>${t("puzzles.filter")}</summary>
    <form class="stack tight" onSubmit=${(event) => event.preventDefault()}>
    <label class="field"><span>${t("puzzles.game")}</span>
      <select value=${wanted.rules} onChange=${choose("rules")}>
        <option value="">${t("puzzles.any_game")}</option>
        ${games.map((id) => html`<option key=${id} value=${id} selected=${id === wanted.rules}>${names[id] || id}</option>`)}
      </select></label>
    <label class="field"><span>${t("puzzles.about")}</span>
      <select value=${wanted.theme} onChange=${choose("theme")}>
        <option value="">${t("puzzles.any_theme")}</option>
        ${THEMES.map((theme) => html`<option key=${theme} value=${theme} selected=${theme === wanted.theme}>${t(`puzzles.theme.${theme}`)}</option>`)}
      </select></label>
    <label class="switch"><input type="checkbox" checked=${!wanted.free} onChange=${(event) => set({ ...wanted, free: !event.target.checked })} />
      <span>${t("puzzles.rated")}</span></label>
    </form>
  </details>`;
}

function Answer({ puzzle, told, done, change, next }) {
  const head = useRef(null);
  const table = tableOf(told);
  const right = told.choices.find((one) => one.right);
  const isRight = right.actions.includes(done);
  const said = isRight ? t("puzzles.right") : t("puzzles.wrong", { what: sayChoice(table, right.actions) });
  useEffect(() => head.current.focus(), []);
  return html`<section class="puzzle" aria-labelledby="answer-title">
    <div class="stack tight">
      <h2 id="answer-title" tabindex="-1" ref=${head}>${said}</h2>
      <p>${change ? t("puzzles.change", change) : t("puzzles.free")}</p>
      <p class="row tight">${told.themes.map((theme) => html`<span key=${theme} class="tag">${t(`puzzles.theme.${theme}`)}</span>`)}</p>
      <p><button type="button" class="button primary big" onClick=${next}>${t("puzzles.next")}</button></p>
      <p class="mark">${t("puzzles.how")}</p>
      <${Worth} table=${table} choices=${told.choices} done=${done} />
    </div>
    <div class="stack tight"><h3>${t("puzzles.open")}</h3><${Position} puzzle=${told} /></div>
  </section>`;
}

function One({ id, state, setState, free, next }) {
  const where = `/api/puzzles/${encodeURIComponent(id)}`;
  const { value: puzzle, error, again } = useLoaded(() => get(where), [where]);
  const [picked, pick] = useState(null);
  const [told, setTold] = useState(null);
  const [fault, setFault] = useState(null);
  const [busy, setBusy] = useState(false);
  const [isWhole, setWhole] = useState(false); // the board, which what is asked stands below
  if (error && error.status === 404) {
    return html`<${Waiting} error=${error} />
      <p><button type="button" class="button primary big" onClick=${next}>${t("puzzles.next")}</button></p>`;
  }
  if (!puzzle) return html`<${Waiting} error=${error} again=${again} />`;
  const table = tableOf(puzzle);
  const check = async (event) => {
    event.preventDefault();
    if (!picked || busy) return;
    setBusy(true);
    setFault(null);
    try {
      const answer = await get(`${where}/answer`);
      const isRight = answer.choices.find((one) => one.right).actions.includes(picked);
      let change = null;
      const mine = saved(); // another window may have rated others since
      if (!free && !(id in mine.met)) {
        const before = { value: puzzle.rating, deviation: puzzle.deviation, volatility: 0.06 };
        const now = rated(mine, id, before, isRight);
        change = { before: rounded(mine.person), after: rounded(now.person), was: rounded(before), is: rounded(now.met[id]) };
        setState(now);
      }
      setTold({ answer, change, done: picked }); // another may be marked by now
    } catch (refused) {
      setFault(refused);
      setBusy(false);
    }
  };
  const game = html`<p class="mark">${gameName(puzzle.view.rules.name)} · ${t("puzzles.rating", { n: number(puzzle.rating) })}</p>`;
  if (told) return html`${game}<${Answer} puzzle=${puzzle} told=${told.answer} done=${told.done} change=${told.change} next=${next} />`;
  return html`<div class="puzzle">
    <div class="stack tight">${game}<${Position} puzzle=${puzzle} drawn=${() => setWhole(true)} /></div>
    ${isWhole && html`<form class="panel stack tight" onSubmit=${check}>
      <${Choices} table=${table} options=${puzzle.options} picked=${picked} pick=${pick} />
      ${fault && html`<${Waiting} error=${fault} />`}
      <div class="row">
        <button class="button primary big" aria-disabled=${picked ? undefined : "true"}>${t("puzzles.check")}</button>
        <button type="button" class="button" onClick=${next}>${t("puzzles.skip")}</button>
      </div>
    </form>`}
  </div>`;
}

function Shelf({ list, names, id, query }) {
  const [state, setState] = useState(saved);
  const wanted = { rules: query.rules || "", theme: query.theme || "", free: query.free === "1" };
  const fitting = list.filter(({ rules, themes }) => (!wanted.rules || rules === wanted.rules) && (!wanted.theme || themes.includes(wanted.theme)));
  const show = (options, from, last) => go(addressOf(nextOf(from, state, last), options), { replace: true });
  const set = (options) => {
    const from = list.filter(({ rules, themes }) => (!options.rules || rules === options.rules) && (!options.theme || themes.includes(options.theme)));
    const stays = from.some((one) => one.id === id);
    if (stays || !from.length) go(addressOf(from.length ? id : "", options), { replace: true });
    else show(options, from, id);
  };
  useEffect(() => {
    if (!id && fitting.length) show(wanted, fitting, "");
  }, [id, fitting.length]);
  return html`
    <p>${t("puzzles.yours_is", { n: rounded(state.person), spread: number(Math.round(2 * state.person.deviation)) })}
      ${" "}${plural("puzzles.count", fitting.length, { n: number(fitting.length) })}</p>
    ${!fitting.length && html`<p>${t("puzzles.none")}</p>`}
    ${id && html`<${One} key=${id} id=${id} state=${state} setState=${setState} free=${wanted.free} next=${() => show(wanted, fitting, id)} />`}
    <${Filter} list=${list} names=${names} wanted=${wanted} set=${set} />
  `;
}

async function everything() {
  const [list, variants] = await Promise.all([getOnce("/api/puzzles"), getOnce(inWords("/api/variants"))]);
  return { list, names: Object.fromEntries(variants.map(({ id, name }) => [id, name])) };
}

/** The page. */
export default function Puzzles({ params, query }) {
  const { value, error, again } = useLoaded(everything, [useStore(language)]);
  return html`<div class="stack puzzles">
    <h1 tabindex="-1">${t("puzzles.title")}</h1>
    <p class="lead">${t("puzzles.lead")}</p>
    ${value ? html`<${Shelf} ...${value} id=${params.id || ""} query=${query} />` : html`<${Waiting} error=${error} again=${again} />`}
    <p><${Link} href="/" class="button">${t("shell.home")}<//></p>
  </div>`;
}
