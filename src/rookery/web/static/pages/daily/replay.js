// A daily deal once more, step by step, when it is over.
import { useLoaded, Waiting } from "../../components/loading.js";
import { get } from "../../core/api.js";
import { gameName, needWords, t } from "../../core/i18n.js";
import { Link } from "../../core/router.js";
import { html } from "../../core/ui.js";
import { Board } from "../replay/board.js";
import { Stepper, useStep } from "../replay/stepper.js";
import { addressOf } from "./attempt.js";
import { dayName } from "./days.js";

await Promise.all([needWords("pages"), needWords("review")]);

export const title = "replay.title";

// A finished attempt as a replay has its hands.
const handOf = ({ names, bots, ...told }) => ({ ...told, code: "", title: "", number: 0, players: names, bots });

function Steps({ hand }) {
  const [at, to] = useStep(hand, 0);
  return html`<div class="stack tight"><${Stepper} hand=${hand} at=${at} to=${to} /><${Board} hand=${hand} index=${at} /></div>`;
}

// Whoever opens somebody else's link has played nothing here, or is not known.
const isNobodys = (error) => [401, 404].includes(error?.status);

/** The page. */
export default function DealReplay({ params: { day, family } }) {
  const where = addressOf(day, family);
  const { value, error, again } = useLoaded(() => get(`${where}/position?seen=0`), [where]);
  return html`<div class="stack">
    <h1 tabindex="-1">${value ? t("daily.of", { game: gameName(value.rules.name), day: dayName(value.day) }) : t("replay.title")}</h1>
    ${value ? value.over && html`<${Steps} hand=${handOf(value)} />` : html`<${Waiting} error=${error} again=${isNobodys(error) ? null : again} />`}
    <p><${Link} class="button" href=${`/daily/${day}/${family}`}>${t(isNobodys(error) ? "daily.play" : "daily.back")}<//></p>
  </div>`;
}
