// A match looked at again: how well each played, where it turned, and every hand with its decisions.
import { announce } from "../../core/announce.js";
import { askWho, get } from "../../core/api.js";
import { isTold } from "../../core/here.js";
import { apart, gameName, needWords, number, plural, t } from "../../core/i18n.js";
import { Problem } from "../../components/common.js";
import { Link, place as shown, useAddress } from "../../core/router.js";
import { html, useEffect, useState } from "../../core/ui.js";
import { Waiting, useLoaded } from "../../components/loading.js";
import { collect } from "../mistakes/kept.js";
import { seatsOf } from "../replay/steps.js";
import { HandReviewed } from "./hand.js";
import { Players, Turning } from "./players.js";

await Promise.all([needWords("pages"), needWords("review")]);

export const title = "review.title";

const FORMAT = "rookery-review/1";
const AGAIN = 1_500; // milliseconds between two looks at a review that is being made

/** Return {review, progress, error, again}: the review of a match, requested again until it is complete. */
function useReview(path) {
  const [state, set] = useState({ review: null, progress: null, error: null });
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    if (!path) return undefined;
    let timer = null;
    let wanted = true;
    const look = async () => {
      try {
        const answer = await get(path);
        if (!wanted) return;
        if (answer.format === FORMAT) {
          set({ review: answer, progress: null, error: null });
          announce(t("review.ready"));
          return;
        }
        set({ review: null, progress: answer, error: null });
        timer = setTimeout(look, AGAIN);
      } catch (error) {
        if (wanted) set({ review: null, progress: null, error });
      }
    };
    set({ review: null, progress: null, error: null });
    look();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [path, attempt]);
  return { ...state, again: () => setAttempt(attempt + 1) };
}

function Working({ progress }) {
  const { done = 0, whole = 0 } = progress || {};
  return html`<div class="panel stack tight">
    <p role="status">${t("review.working")}</p>
    <progress ...${whole > 0 ? { max: whole, value: done } : {}} aria-label=${t("review.progress")}></progress>
    ${whole > 0 && html`<p class="mark">${t("review.decisions_done", { n: number(done), all: number(whole) })}</p>`}
    <p class="mark">${t(whole > 0 ? "review.working_how" : "review.working_first")}</p>
  </div>`;
}

function Judged({ by, setBy }) {
  return html`<fieldset class="judged">
    <legend>${t("review.by")}</legend>
    <div class="ways-of">${["known", "open"].map((one) => html`<label key=${one} class="switch">
      <input type="radio" name="by" value=${one} checked=${by === one} onChange=${() => setBy(one)} />
      <span>${t(`review.by.${one}`)}</span>
    </label>`)}</div>
    <p class="mark">${t(`review.by_how.${by}`)}</p>
  </fieldset>`;
}

function Chooser({ review, hand, setHand }) {
  return html`<div class="row" role="group" aria-labelledby="hands-title"><h2 id="hands-title">${t("review.hands")}</h2>
    ${review.hands.map((one) => html`<button type="button" key=${one.hand} class=${`button chip ${one.hand === hand ? "picked" : ""}`}
      aria-pressed=${String(one.hand === hand)} aria-label=${t("over.hand", { n: number(one.hand + 1) })} onClick=${() => setHand(one.hand)}>${number(one.hand + 1)}</button>`)}
  </div>`;
}

const figure = (text) => (/^\d{1,4}$/.test(text || "") ? Number(text) : null);

/** Keep what this person did wrong, to be asked again, where they still have the seat that they had; return how many that are. */
function collected(person, code, review, seen, played) {
  const mine = (hand) => seen.you !== null && hand.players[seen.you] === seen.seats[seen.you].name;
  return collect(person, code, played.filter(mine).flatMap(({ hand, number: place }) => {
    const reviewed = review.hands.find((one) => one.hand === hand);
    return (reviewed?.decisions || []).filter(({ seat }) => seat === seen.you).map((decision) => ({ hand: place, decision }));
  }));
}

function Looked({ person, code, review, seen, played, query }) {
  const [kept, setKept] = useState(0);
  useEffect(() => {
    if (!person || seen.you === null) return;
    const keep = async () => {
      const { owner, share } = await import("../mistakes/shared.js");
      await owner(); // what an earlier version kept is theirs first
      const found = collected(person, code, review, seen, played);
      setKept(found);
      if (found) await share(person);
    };
    keep().catch(() => {});
  }, []);
  const [by, setBy] = useState(query.by === "open" ? "open" : "known");
  const wanted = review.hands.find((one) => one.hand === (figure(query.hand) ?? 1) - 1);
  const [moment, setMoment] = useState({ hand: (wanted || review.hands[0]).hand, at: figure(query.at) });
  const hand = review.hands.find((one) => one.hand === moment.hand);
  const place = played.find((one) => one.hand === moment.hand)?.number ?? null;
  // Another may have had a seat in another hand; of one that was thrown in the list says nothing.
  const tableIn = (number) => tableOf(seen, played.find((one) => one.hand === number) || played[0]);
  useAddress(`${shown.get().path}?${new URLSearchParams({ hand: moment.hand + 1, ...(moment.at === null ? {} : { at: moment.at }), ...(by === "open" ? { by } : {}) })}`);
  const go = (wanted, at) => {
    setMoment({ hand: wanted, at });
    const head = document.getElementById("hand-title");
    head.focus({ preventScroll: true });
    head.scrollIntoView();
  };
  return html`
    <${Judged} by=${by} setBy=${setBy} />
    <div class="review-top">
      <${Players} played=${played} players=${review.players} by=${by} />
      <${Turning} tableIn=${tableIn} review=${review} go=${go} />
    </div>
    <${Chooser} review=${review} hand=${moment.hand} setHand=${(wanted) => setMoment({ hand: wanted, at: null })} />
    <${HandReviewed} table=${tableIn(moment.hand)} hand=${hand} code=${code} place=${place} by=${by} at=${moment.at}
      setAt=${(at) => setMoment({ ...moment, at })} />
    ${kept > 0 && html`<p class="panel">${plural("review.kept", kept, { n: number(kept) })} <${Link} href="/mistakes">${t("home.mistakes")}<//></p>`}
  `;
}

// A hand's names and cards are its own: seats may have changed since.
function tableOf(seen, hand) {
  return { code: seen.code, you: null, phase: "over", rules: seen.rules, sides: seen.sides, seats: seatsOf(hand), view: null };
}

function Match({ person, code, match, seen, played, query }) {
  const { review, progress, error, again } = useReview(`/api/tables/${encodeURIComponent(code)}/matches/${match}/review`);
  if (error) {
    const why = error.code === "no-hand" ? { code: "no-match" } : error;
    return html`<${Problem} error=${why} retry=${error.status === 404 ? null : again} />`;
  }
  if (!review) return html`<${Working} progress=${progress} />`;
  if (!review.hands.length) return html`<p>${t("replay.none")}</p>`;
  return html`<${Looked} person=${person} code=${code} review=${review} seen=${seen} played=${played} query=${query} />`;
}

/** The page. */
export default function Review({ params: { code, match }, query }) {
  const path = `/api/tables/${encodeURIComponent(code)}`;
  const { value, error, again } = useLoaded(async () => {
    // Whose seat that is: before a review is made, somebody else may have come.
    const [seen, hands, { person }] = await Promise.all([get(path), get(`${path}/hands`), askWho().catch(() => ({}))]);
    return { seen, hands, person };
  }, [path]);
  const last = value && value.hands.length ? value.hands.at(-1).match : 0;
  const wanted = match === undefined ? last : figure(match);
  const none = error && error.status === 404;
  const played = value ? value.hands.filter((hand) => hand.match === wanted) : [];
  return html`<div class="stack review">
    <h1 tabindex="-1">${t("review.title")}</h1>
    ${!value && html`<${Waiting} error=${error} again=${none ? null : again} />`}
    ${value && html`<p>${[value.seen.title, gameName(value.seen.rules.name), t("review.match", { n: number((wanted ?? 0) + 1) })].filter(Boolean).map(apart).join(" · ")}</p>`}
    ${value && !played.length && html`<p>${t("replay.none")}</p>`}
    ${value && played.length > 0 && html`<${Match} key=${wanted} person=${value.person} code=${code} match=${wanted} seen=${value.seen} played=${played} query=${query} />`}
    <p class="row">
      ${!none && html`<${Link} href=${`/replay/${code}`} class="button">${t("replay.all")}<//>`}
      ${!none && !isTold(code) && html`<${Link} href=${`/t/${code}`} class="button">${t("replay.table")}<//>`}
      <${Link} href="/" class="button">${t("shell.home")}<//>
    </p>
  </div>`;
}
