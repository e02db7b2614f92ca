// Who did how well in a match, and the moments on which it turned.
import { list, number, plural, t } from "../../core/i18n.js";
import { html } from "../../core/ui.js";
import { levelOf, nameOf } from "../../table/snapshot.js";
import { actText, seatsOf } from "../replay/steps.js";
import { amount } from "./words.js";

// Whoever took a seat, or a bot that took a person's, is named beside them.
function whoPlayed(played, place) {
  const names = played.map((hand) => {
    const table = { seats: seatsOf(hand) };
    const level = levelOf(table, place);
    return level ? t("review.bot", { name: nameOf(table, place), level }) : nameOf(table, place);
  });
  return list([...new Set(names)]);
}

// 100 is for those alone who gave nothing away.
const whole = ({ accuracy, cost }) => Math.min(Math.round(accuracy), cost > 0 ? 99 : 100);

function Player({ played, player, by }) {
  const cost = by === "open" ? player.open_cost : player.cost;
  const facts = [
    plural("review.decisions", player.decisions, { n: number(player.decisions) }),
    plural("review.mistakes", player.mistakes, { n: number(player.mistakes) }),
    cost === null ? "" : t(by === "open" ? "review.given_open" : "review.given", { points: amount(cost) }),
  ];
  return html`<li class="stack tight">
    <p class="accuracy-line"><b>${whoPlayed(played, player.seat)}</b>
      <span>${player.accuracy === null ? t("review.no_accuracy") : t("review.accuracy", { n: number(whole(player)) })}</span></p>
    <div class="accuracy" aria-hidden="true" style=${{ "--share": `${player.accuracy ?? 0}%` }}></div>
    <small>${facts.filter(Boolean).join(" · ")}</small>
  </li>`;
}

/** The players, with how near to the best each came. */
export function Players({ played, players, by }) {
  return html`<section class="panel stack tight" aria-labelledby="players-title">
    <h2 id="players-title">${t("review.players")}</h2>
    <ul class="plain stack">${players.map((player) => html`<${Player} key=${player.seat} played=${played} player=${player} by=${by} />`)}</ul>
    <p class="mark">${t("review.accuracy_how")}</p>
  </section>`;
}

/** The turning points; `go(hand, action_index)` opens one. */
export function Turning({ tableIn, review, go }) {
  const decisionOf = ({ hand, action_index: at }) =>
    review.hands.find((one) => one.hand === hand)?.decisions.find((one) => one.action_index === at);
  const turningPoints = review.turning.map((point) => ({ point, decision: decisionOf(point) })).filter(({ decision }) => decision);
  return html`<section class="panel stack tight" aria-labelledby="turning-title">
    <h2 id="turning-title">${t("review.turning")}</h2>
    <p class="mark">${t(turningPoints.length ? "review.turning_how" : "review.no_turning")}</p>
    <ol class="plain stack tight">
      ${turningPoints.map(({ point, decision }) => html`<li key=${`${point.hand} ${point.action_index}`}>
        <button type="button" class="button turning" onClick=${() => go(point.hand, point.action_index)}>
          <span><b>${t("over.hand", { n: number(point.hand + 1) })}:</b> ${actText(tableIn(point.hand), `${decision.turn} ${decision.action}`, true)}</span>
          <small>${t(point.blame ? "review.swing_blame" : "review.swing_luck", { points: amount(point.swing) })}</small>
        </button>
      </li>`)}
    </ol>
  </section>`;
}
