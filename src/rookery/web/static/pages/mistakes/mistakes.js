// Decisions of mine that a review found to be mistakes, asked again: the board as I saw it, and my choices.
import { announce } from "../../core/announce.js";
import { day, needWords, number, plural, t } from "../../core/i18n.js";
import { Problem } from "../../components/common.js";
import { Link } from "../../core/router.js";
import { html, useEffect, useState } from "../../core/ui.js";
import { Waiting, getOnce, useLoaded } from "../../components/loading.js";
import { Alternatives, reasonText } from "../../table/advice.js";
import { choiceText } from "../../table/words.js";
import { Board } from "../replay/board.js";
import { tableAt } from "../replay/steps.js";
import { answered, daysUntil, drop, due, isKept, nextDue } from "./kept.js";
import { owner, player, share, tell } from "./shared.js";

await Promise.all([needWords("pages"), needWords("review")]);

export const title = "mistakes.title";

const PATIENCE = 3_000; // milliseconds for what the server keeps
const NOISE = 2; // standard errors within which a choice is as good as the best

/** Return whether a choice is as good as the best one, as far as the review can tell. */
export function isRight({ alternatives, best }, action) {
  const [top, chosen] = [best, action].map((wanted) => alternatives.find((one) => one.action === wanted));
  return action === best || (top !== undefined && chosen.margin >= top.margin - NOISE * chosen.error);
}

function Answer({ person, table, one, action }) {
  const { decision } = one;
  const right = isRight(decision, action);
  const { pack } = table.rules.options;
  const [again] = useState(() => {
    const now = answered(person, one, right);
    tell(person, now);
    if (!isKept(person, now)) return t("mistakes.no_room");
    const days = daysUntil(now);
    return days === null ? t("mistakes.never") : plural("mistakes.in_days", days, { n: number(days) });
  });
  return html`<div class="stack tight">
    <p><b>${t(right ? "mistakes.right" : "mistakes.wrong", { what: choiceText(table, decision.best) })}</b> ${reasonText(decision.reason, pack)}</p>
    <p class="mark">${again}</p>
    <${Alternatives} table=${table} alternatives=${decision.alternatives} best=${decision.best} done=${action} />
  </div>`;
}

function Question({ person, one, left, next }) {
  const path = `/api/replay/${encodeURIComponent(one.code)}/${one.hand}?seat=${one.decision.seat}`;
  const { value, error, again } = useLoaded(() => getOnce(path), [path]);
  const [action, choose] = useState(null);
  const gone = () => {
    tell(person, drop(person, one));
    next();
  };
  // Under that number there may be another hand by now.
  const isOther = value && value.steps[one.at]?.view.to_act !== one.decision.seat;
  if (isOther || (error && error.status === 404)) {
    return html`<p>${t("mistakes.gone")}</p><p><button type="button" class="button primary" onClick=${gone}>${t("mistakes.next")}</button></p>`;
  }
  if (!value) return html`<${Waiting} error=${error} again=${again} />`;
  const table = tableAt(value, one.at);
  const words = one.decision.alternatives.map(({ action: each }) => ({ action: each, words: choiceText(table, each) }));
  words.sort((a, b) => a.words.localeCompare(b.words, undefined, { numeric: true }));
  const say = (chosen) => {
    choose(chosen);
    announce(t(isRight(one.decision, chosen) ? "mistakes.right" : "mistakes.wrong", { what: choiceText(table, one.decision.best) }));
  };
  return html`
    <${Board} hand=${value} index=${one.at} />
    <section class="panel stack" aria-labelledby="question-title">
      <h2 id="question-title">${t("mistakes.question")}</h2>
      ${action === null
        ? html`<div class="choices">${words.map((each) => html`<button type="button" class="button" key=${each.action} data-action=${each.action} onClick=${() => say(each.action)}>${each.words}</button>`)}</div>`
        : html`<${Answer} person=${person} table=${table} one=${one} action=${action} />
            <div class="row">
              <button type="button" class="button primary" onClick=${next}>${t(left > 1 ? "mistakes.next" : "mistakes.finish")}</button>
              <${Link} class="button quiet" href=${`/replay/${one.code}/${one.hand}?at=${one.at}&seat=${one.decision.seat}`}>${t("over.replay")}<//>
            </div>`}
    </section>`;
}

function None({ people, shared }) {
  const [next = null] = people.map(nextDue).filter((at) => at !== null).sort((a, b) => a - b);
  return html`<div class="panel stack">
    <p>${next === null ? t("mistakes.none") : t("mistakes.later", { day: day(next) })}</p>
    <p class="mark">${t("mistakes.how")} ${t(shared ? "mistakes.kept_there" : "mistakes.kept_here")}</p>
    <p class="row"><${Link} href="/stats" class="button primary">${t("mistakes.matches")}<//><${Link} href="/" class="button quiet">${t("shell.home")}<//></p>
  </div>`;
}

/** The page. */
export default function Mistakes() {
  // To the server, whoever plays on this device is somebody else.
  const { value: people, error, again } = useLoaded(async () => [...new Set([await owner(), await player().catch(() => null)])]);
  const [asked, setAsked] = useState(null);
  const [shared, setShared] = useState(false);
  const [at, setAt] = useState(0);
  // What comes from the server later than that is asked the next time.
  useEffect(() => {
    if (!people) return;
    const [person] = people;
    const all = () => people.flatMap((who) => due(who).map((one) => ({ who, one }))).sort((a, b) => a.one.due - b.one.due);
    const begin = () => setAsked((before) => before ?? all());
    const timer = setTimeout(begin, PATIENCE);
    share(person).then(setShared, () => {}).then(begin);
    return () => clearTimeout(timer);
  }, [people]);
  const { who, one } = asked?.[at] ?? {};
  const next = () => {
    setAt(at + 1);
    document.querySelector("h1").focus();
  };
  return html`<div class="stack reading">
    <h1 tabindex="-1">${t("mistakes.title")}</h1>
    ${!asked && html`<${Waiting} error=${error} again=${again} />`}
    ${one
      ? html`<p class="mark">${t("mistakes.lead", { n: number(at + 1), all: number(asked.length) })}</p>
          <${Question} key=${`${one.code} ${one.hand} ${one.at}`} person=${who} one=${one} left=${asked.length - at} next=${next} />`
      : asked && html`<${None} people=${people} shared=${shared} />`}
  </div>`;
}
