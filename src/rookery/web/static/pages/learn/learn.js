// The list of the lessons, and which of them are done.
import { needWords, plural, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html } from "../../core/ui.js";
import { LESSONS } from "./lessons.js";
import { progressOf } from "./progress.js";

await needWords("learn");

export const title = "learn.title";

function Row({ id, minutes }) {
  const { done, trail } = progressOf(id);
  const state = done ? "done" : trail?.length > 1 ? "begun" : "new";
  return html`<li class="table-row">
    <span class="grow">
      <b>${t(`lesson.${id}.title`)}</b>
      <small>${t(`lesson.${id}.about`)} ${plural("learn.minutes", minutes)}${state === "new" ? "" : html` · <span class="tag">${t(`learn.state.${state}`)}</span>`}</small>
    </span>
    <${Link} class=${`button ${state === "begun" ? "primary" : ""}`} href=${`/learn/${id}`}
      aria-label=${`${t(`learn.go.${state}`)}: ${t(`lesson.${id}.title`)}`}>${t(`learn.go.${state}`)}<//>
  </li>`;
}

/** The page. */
export default function Learn() {
  return html`<div class="narrow stack">
    <h1 tabindex="-1">${t("learn.title")}</h1>
    <p>${t("learn.lead")}</p>
    ${LESSONS.map(({ group, lessons }) => html`<section class="panel stack tight" key=${group} aria-labelledby=${`learn-${group}`}>
      <h2 id=${`learn-${group}`}>${t(`learn.group.${group}`)}</h2>
      <ul class="plain">${lessons.map(([id, minutes]) => html`<${Row} key=${id} id=${id} minutes=${minutes} />`)}</ul>
    </section>`)}
    <p class="mark">${t("learn.kept")}</p>
  </div>`;
}
