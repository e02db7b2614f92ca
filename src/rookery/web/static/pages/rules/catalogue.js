// The catalogue of variants: found by a word, the number of seats, or where it comes from.
import { number, plural, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html, useMemo, useState } from "../../core/ui.js";
import { found } from "./found.js";

const textOf = ({ name, id, special, origin, summary }) => `${name} ${id} ${special} ${origin} ${summary}`;

function Filter({ label, value, set, choices, words = (choice) => choice }) {
  return html`<label class="field">
    <span>${label}</span>
    <select value=${value} onChange=${(event) => set(event.target.value)}>
      <option value="" selected=${!value}>${t("catalogue.any")}</option>
      ${choices.map((choice) => html`<option key=${choice} value=${choice} selected=${String(choice) === value}>${words(choice)}</option>`)}
    </select>
  </label>`;
}

/** The facts of a variant as a row of tags. */
export function Facts({ variant }) {
  return html`<span class="facts">
    <span class="tag">${plural("catalogue.seats", variant.seats)}</span>
    <span class="tag">${plural("catalogue.cards", Array.isArray(variant.cards) ? variant.cards.length : variant.cards)}</span>
    ${variant.reconstructed && html`<span class="tag">${t("catalogue.reconstructed")}</span>`}
  </span>`;
}

const plainClick = (event) => event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey;

/**
 * The list with its filters; `href(id)` is where a line leads, `chosen` the id that is marked. With
 * `pick` a line is chosen where it stands, and the page stays as it is scrolled.
 */
export function Catalogue({ variants, href, chosen = null, pick = null }) {
  const [word, setWord] = useState("");
  const [seats, setSeats] = useState("");
  const [origin, setOrigin] = useState("");
  const all = useMemo(
    () => ({
      seats: [...new Set(variants.map((variant) => variant.seats))].sort((a, b) => a - b),
      origins: [...new Set(variants.map((variant) => variant.origin))].sort(),
    }),
    [variants],
  );
  const wanted = variants.filter((variant) => (!seats || variant.seats === Number(seats)) && (!origin || variant.origin === origin));
  const matching = found(wanted, word, textOf);
  const picking = (variant) =>
    pick && {
      onClick: (event) => {
        if (!plainClick(event)) return;
        event.preventDefault();
        pick(variant);
      },
    };
  return html`<div class="catalogue stack tight">
    <form class="filters" role="search" aria-label=${t("catalogue.search")} onSubmit=${(event) => event.preventDefault()}>
      <label class="field wide">
        <span>${t("catalogue.word")}</span>
        <input type="search" value=${word} onInput=${(event) => setWord(event.target.value)} />
      </label>
      <${Filter} label=${t("catalogue.for_seats")} value=${seats} set=${setSeats} choices=${all.seats} words=${number} />
      <${Filter} label=${t("catalogue.origin")} value=${origin} set=${setOrigin} choices=${all.origins} />
    </form>
    <p class="mark" role="status">${plural("catalogue.found", matching.length)}</p>
    <ul class="plain variants">
      ${matching.map(
        (variant) => html`<li key=${variant.id}>
          <${Link} class=${`variant ${variant.id === chosen ? "chosen" : ""}`} href=${href(variant.id)}
            aria-current=${variant.id === chosen ? "true" : undefined} ...${picking(variant)}>
            <b>${variant.name}</b>
            <span>${variant.special}</span>
            <${Facts} variant=${variant} />
            <small>${variant.origin}</small>
          <//>
        </li>`,
      )}
    </ul>
  </div>`;
}
