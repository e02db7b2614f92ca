// Going through the steps of a hand: by slider, buttons, tricks or arrow keys.
import { announce } from "../../core/announce.js";
import { number, t } from "../../core/i18n.js";
import { html, useEffect, useMemo, useRef, useState } from "../../core/ui.js";
import { actionText, marksOf, outcomeText } from "./steps.js";

const SIGNS = {
  first: "M6 5v14M19 5l-9 7 9 7z", trick_back: "M12 5l-8 7 8 7zM21 5l-8 7 8 7z", back: "M16 5l-9 7 9 7z",
  on: "M8 5l9 7-9 7z", trick_on: "M12 5l8 7-8 7zM3 5l8 7-8 7z", last: "M18 5v14M5 5l9 7-9 7z",
};

function Buttons({ at, last, marks, to }) {
  const before = marks.filter((mark) => mark.at < at).pop();
  const after = marks.find((mark) => mark.at > at);
  const button = (sign, label, where) => html`<button type="button" class="button" aria-label=${label} title=${label}
    aria-disabled=${where === null ? "true" : undefined} onClick=${() => where !== null && to(where)}>
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${SIGNS[sign]} /></svg>
  </button>`;
  return html`<div class="replay-buttons" role="group" aria-label=${t("replay.controls")}>
    ${button("first", t("replay.first"), at > 0 ? 0 : null)}
    ${button("trick_back", t("replay.trick_back"), before ? before.at : null)}
    ${button("back", t("replay.back"), at > 0 ? at - 1 : null)}
    ${button("on", t("replay.on"), at < last ? at + 1 : null)}
    ${button("trick_on", t("replay.trick_on"), after ? after.at : at < last ? last : null)}
    ${button("last", t("replay.last"), at < last ? last : null)}
  </div>`;
}

// The marks as buttons; the one that is under way is lit, and kept in sight where there are many.
function Tricks({ at, marks, to }) {
  const box = useRef(null);
  const next = marks.findIndex((mark) => mark.at >= at);
  const lit = next < 0 ? marks.length - 1 : next;
  useEffect(() => {
    const { current } = box;
    const chip = current.children[lit];
    if (chip) current.scrollLeft = chip.offsetLeft - current.offsetLeft - (current.clientWidth - chip.clientWidth) / 2;
  }, [lit]);
  return html`<ol class="plain chips" ref=${box} aria-label=${t("replay.tricks")}>
    ${marks.map((mark, i) => {
      const here = i === lit;
      const words = mark.trick === null ? t("replay.contract") : mark.trick ? t("replay.trick", { n: mark.trick }) : t("replay.deal");
      return html`<li key=${mark.at}><button type="button" class=${`button chip ${here ? "picked" : ""}`} aria-current=${here ? "step" : undefined}
        aria-label=${words} onClick=${() => to(mark.at)}>${mark.trick || words}</button></li>`;
    })}
  </ol>`;
}

const LETTERS = { ArrowLeft: "back", ArrowRight: "on", ArrowUp: "trick_back", ArrowDown: "trick_on", PageUp: "trick_back", PageDown: "trick_on", Home: "first", End: "end" };

// The keys work wherever the focus is, except where they mean something else.
function useArrows(at, last, marks, to) {
  const now = useRef(null);
  now.current = { at, last, marks, to };
  useEffect(() => {
    const pressed = (event) => {
      const way = LETTERS[event.key];
      if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target.closest("input:not([type=range]), select, textarea, dialog, [role=region]")) return;
      event.preventDefault();
      const { at: here, last: end, marks: all, to: go } = now.current;
      const next = all.find((mark) => mark.at > here);
      const before = all.filter((mark) => mark.at < here).pop();
      const where = { back: here - 1, on: here + 1, trick_back: before ? before.at : 0, trick_on: next ? next.at : end, first: 0, end };
      go(Math.min(end, Math.max(0, where[way])));
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, []);
}

/** Return [at, to]: the step of a hand that is shown, and how to go to another, which is read aloud. */
export function useStep(hand, first) {
  const last = hand.steps.length - 1;
  const [at, setAt] = useState(Math.min(last, Math.max(0, first)));
  const here = Math.min(at, last);
  const to = (step) => {
    if (step === here) return;
    setAt(step);
    announce([actionText(hand, step), outcomeText(hand, step)].filter(Boolean).join(" "));
  };
  return [here, to];
}

/** The ways to a step, and what has happened there. */
export function Stepper({ hand, at, to }) {
  const last = hand.steps.length - 1;
  const marks = useMemo(() => marksOf(hand), [hand]);
  useArrows(at, last, marks, to);
  return html`<div class="replay-bar panel stack tight">
    <p class="replay-said"><b>${actionText(hand, at)}</b> ${outcomeText(hand, at)}</p>
    <label class="field">
      <span class="unseen">${t("replay.step")}</span>
      <input type="range" min="0" max=${last} value=${at} onInput=${(event) => to(Number(event.target.value))}
        aria-valuetext=${t("replay.step_of", { n: number(at), all: number(last), what: actionText(hand, at) })} />
    </label>
    <${Buttons} at=${at} last=${last} marks=${marks} to=${to} />
    <${Tricks} at=${at} marks=${marks} to=${to} />
  </div>`;
}
