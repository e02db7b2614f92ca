// A question to the table: may a card be taken back, is the rest yours.
import { Face } from "../../cards/face.js";
import { list, t } from "../../core/i18n.js";
import { html } from "../../core/ui.js";
import { nameOf, sorted } from "../snapshot.js";

/** The question, and my answer where it is wanted. */
export function Vote({ table, room }) {
  const { pending, you } = table;
  const { kind, by, voters, votes } = pending;
  const open = voters.filter((seat) => !(seat in votes));
  const wanted = you !== null && open.includes(you);
  return html`<section class="vote panel stack" role="group" aria-labelledby="vote-title">
    <h2 id="vote-title">${t(`say.asks.${kind}`, { name: nameOf(table, by) })}</h2>
    ${pending.cards && pending.cards.length
      ? html`<div class="shown-cards">${sorted(pending.cards, table).map((card) => html`<${Face} key=${card} card=${card} rules=${table.rules.options} />`)}</div>`
      : null}
    ${wanted
      ? html`<div class="row">
          <button type="button" class="button primary" onClick=${() => room.ask({ type: "vote", yes: true })}>${t(`vote.yes.${kind}`)}</button>
          <button type="button" class="button" onClick=${() => room.ask({ type: "vote", yes: false })}>${t(`vote.no.${kind}`)}</button>
        </div>`
      : html`<p class="mark">${t("vote.waiting", { names: list(open.map((seat) => nameOf(table, seat))) })}</p>`}
  </section>`;
}
