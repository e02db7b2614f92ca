// The choices of a puzzle: one to pick, and afterwards what each is worth and why.
import { Face } from "../../cards/face.js";
import { list, t } from "../../core/i18n.js";
import { html } from "../../core/ui.js";
import { percent, reasonText, standing } from "../../table/advice.js";
import { choiceText } from "../../table/words.js";

const LAID = ["play", "discard"];

/** Return a choice in words, with the actions that are equal to it: "Green 5 or Green 6". */
export const sayChoice = (table, actions) => {
  const [first, ...equal] = actions.map((action) => choiceText(table, action));
  return equal.length ? t("puzzles.or", { what: first, others: list(equal) }) : first;
};

function Cards({ action, rules }) {
  const [verb, ...cards] = action.split(" ");
  if (!LAID.includes(verb)) return null;
  return html`<span class="puzzle-cards">${cards.map((card) => html`<${Face} key=${card} card=${card} rules=${rules.options} quiet=${true} />`)}</span>`;
}

/** The choices as radio buttons. */
export function Choices({ table, options, picked, pick }) {
  return html`<fieldset class="stack tight">
    <legend><b>${t("puzzles.question")}</b></legend>
    ${options.map((actions, i) => html`<label key=${actions[0]} class=${`puzzle-choice ${picked === actions[0] ? "picked" : ""}`}>
      <input type="radio" name="choice" value=${i} checked=${picked === actions[0]} onChange=${() => pick(actions[0])} />
      <${Cards} action=${actions[0]} rules=${table.rules} />
      <span>${sayChoice(table, actions)}</span>
    </label>`)}
  </fieldset>`;
}

/** The choices with what they are worth, the right one first. */
export function Worth({ table, choices, done }) {
  const { pack } = table.rules.options;
  return html`<ol class="plain stack tight" aria-label=${t("puzzles.worth")}>
    ${choices.map(({ actions, right, worth, making, reason }) => html`<li key=${actions[0]} class=${`puzzle-choice worth ${right ? "right" : ""}`}>
      <${Cards} action=${actions[0]} rules=${table.rules} />
      <div class="grow">
        <p><b>${sayChoice(table, actions)}</b>
          ${right && html` <span class="tag">${t("puzzles.right_tag")}</span>`}
          ${actions.includes(done) && html` <span class="tag">${t("puzzles.yours")}</span>`}</p>
        <p>${standing(worth)}${making !== null && html` · ${t("puzzles.making", { share: percent(making) })}`}</p>
        <p>${reasonText(reason, pack)}</p>
      </div>
    </li>`)}
  </ol>`;
}
