// The form of one hand: what this game asks for, in the order in which people say it.
import { closedByBack } from "../../core/back.js";
import { language, signed, t } from "../../core/i18n.js";
import { reasonOf } from "../../components/common.js";
import { html, useEffect, useRef, useState } from "../../core/ui.js";
import { Choice, Figure, Wrong } from "./fields.js";
import { fromForm, misfit, sideName, toForm } from "./said.js";

const PAUSE = 350; // milliseconds after the last key until the server is asked
// A field stays where it is, whoever has the contract.
const bySeat = (sides) => sides.map((side) => [...side].sort((a, b) => a - b)).sort((a, b) => a[0] - b[0]);
const alone = (players) => players.map((_, seat) => [seat]);

// What is wrong, for the reader: the server's own words are English, and say more.
function wrongText(problem, told) {
  if (problem.malformed) return t("score.wrong_number");
  if (problem.empty) return t("score.no_bid");
  if (problem.code && problem.code !== "bad-tally") return reasonOf(problem);
  const plain = t(`score.wrong.${problem.part ?? "other"}`, { n: told.total_points ?? "" });
  if (language.get() !== "en" || !problem.reason) return plain;
  return `${problem.reason[0].toUpperCase()}${problem.reason.slice(1)}.`;
}

// The server names parts as its refusals do, the form as a score sheet's file does.
const partOf = (problem) => ({ ...problem, part: (problem.part ?? "other").replace(/-/g, "_") });

// Return {asked, sides, problem, scored}, what the server says to the form as it stands; all that can be asked while it is away.
function useCheck(log, told, form) {
  const [answer, set] = useState(null);
  const said = fromForm(form, told.asks.all);
  const unread = Boolean(misfit(form, told.asks.all)); // without it, the rest would seem to be all
  useEffect(() => {
    let wanted = true;
    const timer = setTimeout(() => {
      log.check(said).then((found) => wanted && set({ ...found, scored: unread ? null : found.scored, away: false }), () => wanted && set((before) => ({ ...before, problem: null, scored: null, away: true })));
    }, answer ? PAUSE : 0);
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [JSON.stringify(said), unread]);
  const asked = answer && !answer.away ? answer.asked : told.asks.all;
  return { said: fromForm(form, asked), asked, answer };
}

// The fields that somebody goes through with Enter, one stop a group.
function stops(form) {
  const found = [];
  const groups = new Set();
  for (const one of form.querySelectorAll("input, select, button.primary")) {
    if (one.type === "radio") {
      if (groups.has(one.name)) continue;
      groups.add(one.name);
      found.push(form.querySelector(`input[name="${one.name}"]:checked`) ?? one);
    } else if (one.type === "checkbox") {
      if (groups.has(one.name)) continue;
      groups.add(one.name);
      found.push(one);
    } else found.push(one);
  }
  return found;
}

function next(event) {
  if (event.key !== "Enter" || event.target.tagName === "BUTTON" || event.isComposing) return;
  event.preventDefault();
  const all = stops(event.currentTarget);
  const at = all.findIndex((one) => one === event.target || (one.name && one.name === event.target.name));
  const to = all[at + 1];
  if (!to || to.tagName === "BUTTON") event.currentTarget.requestSubmit();
  else {
    to.focus();
    to.select?.();
  }
}

export function Preview({ told, answer }) {
  if (answer?.away) return html`<p class="mark" role="status">${t("score.unchecked")}</p>`;
  const scored = answer?.scored;
  if (!scored?.score) return html`<p class="mark preview">${scored ? t("score.redealt") : "\u00a0"}</p>`;
  return html`<p class="preview" role="status">
    ${scored.sides.map((side) => html`<span key=${side[0]}>${sideName(told.players, side)} <b class=${scored.score[side[0]] < 0 ? "minus" : ""}>${signed(scored.score[side[0]])}</b></span>`)}
  </p>`;
}

/** The form of hand `number`; `onDone` is called when it is to be closed. */
export function HandForm({ log, told, number, said: before, over, draft, first, onDone }) {
  const { players } = told;
  const [form, set] = useState(() => (draft ? draft.form : toForm(players, before)));
  const [problem, setProblem] = useState(() => draft?.problem ?? (first ? partOf(first) : null));
  const [busy, setBusy] = useState(false);
  const box = useRef(null);
  const head = useRef(null);
  const done = useRef(onDone);
  done.current = onDone;
  const { said, asked, answer } = useCheck(log, told, form);
  const change = (more) => {
    const changed = { ...form, ...more };
    set(changed);
    setProblem(null);
    log.draft({ number, over, form: changed });
  };
  const close = () => {
    log.draft(null);
    done.current();
  };
  useEffect(() => closedByBack(close), []);
  useEffect(() => {
    (box.current.querySelector("input") ?? head.current).focus({ preventScroll: true });
    head.current.scrollIntoView({ block: "nearest" });
  }, []);
  useEffect(() => {
    if (!problem) return;
    const part = `[data-part="${problem.part}"]`;
    const field = box.current.querySelector(`${part} [aria-invalid]`) ?? (box.current.querySelector(part) ?? box.current).querySelector("input, select");
    field?.focus();
  }, [problem]);

  const refused = (found) => {
    const wrong = partOf(found);
    log.draft({ number, over, form, problem: wrong });
    setProblem(wrong);
  };
  const submit = async (event) => {
    event.preventDefault();
    if (form.who === null) {
      refused({ part: "declarer" });
      return;
    }
    const unread = misfit(form, asked);
    if (unread) {
      refused(unread);
      return;
    }
    setBusy(true);
    const found = await log.write(number, said, over);
    setBusy(false);
    if (found) refused(found);
    else close();
  };

  const wrong = (part) => (problem?.part === part ? wrongText(problem, told) : null);
  const seats = players.map((name, seat) => [seat, name]);
  const nobody = told.nobody ?? true;
  const contract = [...seats, ...(nobody ? [["nobody", t("score.nobody")]] : []), ...(told.asks.all.includes("redealt") ? [["redealt", t("score.redealt")]] : [])];
  const playing = form.who !== null && form.who !== "redealt";
  const has = playing && form.who !== "nobody";
  const sides = bySeat((answer && !answer.away && answer.sides) || told.sides || alone(players));
  const sun = told.bids.includes("sun");
  const numbers = told.bids.filter((bid) => bid !== "sun");
  const each = (part, side) => form[part][side.find((seat) => form[part][seat])] ?? "";
  const setEach = (part, side) => (value) => {
    const others = Object.fromEntries(Object.entries(form[part]).filter(([seat]) => !side.includes(Number(seat))));
    change({ [part]: value ? { ...others, [side[0]]: value } : others });
  };
  // Whether a side that says nothing has the rest: an earlier server does not tell.
  const hasRest = (part) => (answer?.rest ?? ["points", "tricks"]).includes(part);
  const perSide = (part) => html`<fieldset class="asked stack tight">
    <legend>${t(`score.${part}`)}</legend>
    <div class="sides">
      ${sides.map((side) => html`<${Figure} key=${side.join()} part=${part} name=${`${part}-${side[0]}`} label=${sideName(players, side)} value=${each(part, side)}
        set=${setEach(part, side)} placeholder=${hasRest(part) && sides.some((other) => other !== side && each(part, other)) ? t("score.rest") : ""}
        problem=${problem?.part === part && (!problem.seats?.length || side.some((seat) => problem.seats.includes(seat)))} sums=${true} />`)}
    </div>
    <small>${t(`score.${part}_${hasRest(part) ? "help" : "each"}`, { n: told.total_points ?? "" })}</small>
    <${Wrong} part=${part} text=${wrong(part)} />
  </fieldset>`;

  return html`<form class="panel stack hand-form" ref=${box} onSubmit=${submit} onKeyDown=${next} aria-labelledby="form-title" noValidate>
    <h2 id="form-title" ref=${head} tabindex="-1">${t("score.hand", { n: number + 1 })}</h2>
    <${Choice} part="declarer" legend=${t("score.declarer")} choices=${contract} value=${form.who} set=${(who) => change({ who })} problem=${wrong("declarer") ?? wrong("redealt")} />
    ${has && html`<div class="asked stack tight">
      <div class="row nowrap bid-row">
        <${Figure} part="bid" name="bid" label=${t("score.bid")} value=${form.bid === "sun" ? "" : form.bid} set=${(bid) => change({ bid })} problem=${wrong("bid")} />
        ${sun && html`<label class=${`pick ${form.bid === "sun" ? "chosen" : ""}`}><input type="checkbox" name="sun" checked=${form.bid === "sun"}
          onChange=${(event) => change({ bid: event.target.checked ? "sun" : "" })} /><span>${t("score.sun")}</span></label>`}
      </div>
      <small>${t("score.bid_help", { least: numbers[0] ?? "", most: numbers.at(-1) ?? "" })}</small>
      <${Wrong} part="bid" text=${wrong("bid")} />
    </div>`}
    ${has && asked.includes("partners") && html`<${Choice} part="partners" many=${true} legend=${t("score.partners")} help=${t("score.partners_help")}
      choices=${seats.filter(([seat]) => seat !== form.who)} value=${form.partners} set=${(partners) => change({ partners })} problem=${wrong("partners")} />`}
    ${playing && asked.includes("revoked") && html`<label class="field asked" data-part="revoked"><span>${t("score.revoked")}</span>
      <select name="revoked" aria-describedby=${problem?.part === "revoked" ? "wrong-revoked" : undefined}
        onChange=${(event) => change({ revoked: event.target.value === "" ? "" : Number(event.target.value) })}>
        <option value="" selected=${form.revoked === ""}>${t("score.revoked_no")}</option>
        ${seats.map(([seat, name]) => html`<option key=${seat} value=${seat} selected=${form.revoked === seat}>${name}</option>`)}
      </select><${Wrong} part="revoked" text=${wrong("revoked")} /></label>`}
    ${playing && asked.includes("points") && perSide("points")}
    ${playing && asked.includes("tricks") && perSide("tricks")}
    ${playing && asked.includes("last_trick") && html`<${Choice} part="last_trick" legend=${t("score.last_trick")} value=${form.last} set=${(last) => change({ last })}
      choices=${[...seats, ...(told.blind ? [["blind", t("score.blind")]] : [])]} problem=${wrong("last_trick")} />`}
    ${playing && asked.includes("first_to_six") && html`<${Choice} part="first_to_six" legend=${t("score.first_to_six")} value=${form.six} set=${(six) => change({ six })}
      choices=${[...seats, [null, t("score.nobody_six")]]} problem=${wrong("first_to_six")} />`}
    <div class="form-end stack tight">
      ${problem?.part === "other" && html`<p class="wrong" role="alert">${wrongText(problem, told)}</p>`}
      <span class="unseen" role="alert">${problem && problem.part !== "other" ? wrongText(problem, told) : ""}</span>
      <${Preview} told=${told} answer=${answer} />
      <div class="row">
        <button class="button primary big grow" disabled=${busy}>${t("score.write")}</button>
        <button type="button" class="button big" disabled=${busy} onClick=${close}>${t("score.cancel")}</button>
      </div>
    </div>
  </form>`;
}
