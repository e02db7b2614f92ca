// The odds of a hand: how the cards lie that somebody has not seen. This device counts them; docs/how-to/calculate-odds.md says what.
import { Problem } from "../../components/common.js";
import { Waiting, checkRules, getOnce, useLoaded } from "../../components/loading.js";
import { callName, suitName } from "../../cards/names.js";
import { SUITS } from "../../cards/suits.js";
import { device } from "../../core/here.js";
import { inWords, needWords, number, plural, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useEffect, useState } from "../../core/ui.js";
import { OnDevice } from "../../table/offline/on_device.js";
import { Figures } from "../stats/figures.js";
import { GameField, rulesOfAddress, useGames } from "./games.js";
import { Misfit } from "./house_rules.js";

await Promise.all([needWords("pages"), needWords("beside/own")]);

export const title = "own.odds";

const QUESTIONS = ["partner-trumps", "split", "nest"];
const ROWS = 12; // of the likeliest
const TEXTS = ["nest", "played", "declarer", "voids", "called"]; // what somebody knows besides

const optionsOf = (rules) => (typeof rules === "string" ? getOnce(inWords(`/api/variants/${encodeURIComponent(rules)}`)) : checkRules(rules));

// The trump calls of a game, as the program writes them.
const callsOf = ({ pack, trump_calls: forms }) =>
  forms.flatMap((form) => (form === "suits" ? SUITS[pack] : form === "suits-low" ? SUITS[pack].map((suit) => `${suit}-low`) : [form]));

// A chance in percent; one that was drawn has half of its interval beside it.
function percent({ probability, ci95 }) {
  const rounded = (part, digits) => number(Math.round(part * 100 * 10 ** digits) / 10 ** digits);
  if (!ci95) return probability > 0 && probability < 0.00005 ? "< 0.01 %" : `${rounded(probability, 2)} %`;
  return `${rounded(probability, 1)} ± ${rounded(Math.max(ci95[1] - probability, probability - ci95[0]), 1)} %`;
}

const tenths = ({ mean }) => number(Math.round(100 * mean) / 100);

function rowsOf(answer) {
  if (answer.question === "partner-trumps") {
    const rows = answer.chances.map(({ count, exactly, at_least: least }) => [plural("own.trumps", count, { n: number(count) }), percent(exactly), t("own.at_least", { chance: percent(least) })]);
    return [...rows, [t("own.average"), tenths(answer.average)]];
  }
  if (answer.question === "split") {
    return answer.shapes.slice(0, ROWS).map(({ hands, nest, chance }) =>
      [hands.join("-"), percent(chance), nest === null ? "" : t("own.and_nest", { n: number(nest) })]);
  }
  const counters = answer.counters.filter(({ count }) => count > 1).map(({ count, at_least: least }) => [t("own.counters", { n: number(count) }), percent(least)]);
  const points = answer.points.filter(({ points: n, at_least: least }) => n && least.probability >= 0.0005)
    .map(({ points: n, at_least: least }) => [plural("own.points", n, { n: number(n) }), percent(least)]);
  return [
    [t("own.counter"), percent(answer.counter)], ...(answer.rook ? [[t(`card.the_${answer.rook_name.endsWith("joker") ? "joker" : "rook"}`), percent(answer.rook)]] : []),
    ...counters, ...points, [t("own.average"), tenths(answer.average)],
  ];
}

function Answer({ answer }) {
  const how = answer.method === "exact"
    ? t("own.exact", { n: number(answer.unseen) })
    : t("own.sampled", { n: number(answer.unseen), samples: number(answer.samples) });
  const unseen = answer.question === "split" ? t("own.unseen", { n: number(answer.cards.length), cards: answer.cards.join(" ") || "–" }) : "";
  return html`<div role="status"><${Figures} head=${t(`own.answer.${answer.question}`)} rows=${rowsOf(answer)}>
    ${unseen && html`<p>${unseen}</p>`}
  <//><p class="mark">${how}</p></div>`;
}

function Field({ label, help, ...rest }) {
  return html`<label class="field"><span>${label}</span><input autocomplete="off" spellcheck="false" ...${rest} />${help && html`<small>${help}</small>`}</label>`;
}

function Asking({ game, options, query }) {
  const [question, setQuestion] = useState(QUESTIONS.includes(query.question) ? query.question : QUESTIONS[0]);
  const [state, set] = useState({ busy: false, found: null, error: null });
  const calls = callsOf(options);
  const ask = async (asked) => {
    set({ busy: true, found: null, error: null });
    try {
      const { askOwn } = await device();
      set({ busy: false, found: await askOwn("/api/odds", { rules: game[1], ...asked }), error: null });
    } catch (error) {
      set({ busy: false, found: null, error });
    }
  };
  const submit = (event) => {
    event.preventDefault();
    const { voids = "", which, ...said } = Object.fromEntries(new FormData(event.target));
    ask({ question: which, ...said, voids: voids.split(/[,;]/).map((one) => one.trim()).filter(Boolean) });
  };
  const form = useState(() => ({ current: null }))[0];
  useEffect(() => {
    // A link that has a hand asks at once.
    if (query.hand) form.current.requestSubmit();
  }, []);
  const suits = [...SUITS[options.pack], "trump"];
  return html`<form class="panel stack" ref=${form} onSubmit=${submit} aria-label=${t("own.odds")}>
    <fieldset class="judged"><legend>${t("own.question")}</legend>
      <div class="ways-of">${QUESTIONS.map((one) => html`<label key=${one} class="switch">
        <input type="radio" name="which" value=${one} checked=${question === one} onChange=${() => setQuestion(one)} /><span>${t(`own.question.${one}`)}</span>
      </label>`)}</div>
    </fieldset>
    <${Field} name="hand" required defaultValue=${query.hand || ""} label=${t("own.hand")} help=${t("own.hand_how")} maxlength="1000" />
    ${question !== "nest" && html`<label class="field"><span>${t("own.trump")}</span>
      <select name="trump">${calls.map((call) => html`<option key=${call} value=${call} selected=${call === query.trump}>${callName(call)}</option>`)}</select></label>`}
    ${question === "split" && html`<label class="field"><span>${t("own.suit")}</span>
      <select name="suit">${suits.map((suit) => html`<option key=${suit} value=${suit} selected=${suit === query.suit}>${suit === "trump" ? t("own.trump") : suitName(suit)}</option>`)}</select></label>`}
    <details><summary>${t("own.known")}</summary><div class="stack tight">
      ${TEXTS.filter((name) => (question === "nest" ? name === "nest" : question === "split" ? name !== "called" : true)).map((name) =>
        html`<${Field} key=${name} name=${name} defaultValue=${query[name] || ""} label=${t(`own.known.${name}`)} help=${t(`own.known_how.${name}`)} maxlength="1000" />`)}
    </div></details>
    <div class="row"><button class="button primary" disabled=${state.busy}>${t("own.ask")}</button></div>
    ${state.busy && html`<p class="loading" role="status">${t("own.counting")}</p>`}
    ${state.error && html`<${Problem} error=${state.error} />`}
    ${state.found?.problem && html`<p class="problem" role="alert">${state.found.problem}</p>`}
    ${state.found?.answer && html`<${Answer} answer=${state.found.answer} />`}
  </form>`;
}

function Odds({ query }) {
  const { games, game, choose, error, again } = useGames(rulesOfAddress(query));
  const { value, error: unread, again: readAgain } = useLoaded(async () => game && { of: game[0], ...(await optionsOf(game[1])) }, [game?.[0]]);
  if (!games) return html`<${Waiting} error=${error} again=${again} />`;
  return html`<${GameField} games=${games} game=${game} choose=${choose} label=${t("own.game")} />
    ${value?.of !== game[0]
      ? html`<${Waiting} error=${unread} again=${readAgain} />`
      : value.ok === false
        ? html`<${Misfit} rules=${game[1]} problems=${value.problems} />`
        : html`<${Asking} key=${game[0]} game=${game} options=${value.options} query=${query} />`}`;
}

/** The page. */
export default function OddsPage({ query }) {
  return html`<div class="narrow stack">
    <h1 tabindex="-1">${t("own.odds")}</h1>
    <p class="lead">${t("own.odds_lead")}</p>
    <${OnDevice}><${Odds} query=${query} /><//>
    <p><${Link} href="/" class="button">${t("shell.home")}<//></p>
  </div>`;
}
