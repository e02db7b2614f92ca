// A new score sheet: which game, who plays, how long; and the sheets that this browser knows.
import { post } from "../../core/api.js";
import { day, gameName, needWords, plural, t } from "../../core/i18n.js";
import { Link, go } from "../../core/router.js";
import { html, useState } from "../../core/ui.js";
import { Problem } from "../../components/common.js";
import { Waiting, needStyle } from "../../components/loading.js";
import { NameField, doAs, useMe } from "../../components/name.js";
import { GameField, rulesOfAddress, useGames, useSeats } from "../rules/games.js";
import { all, change } from "./kept.js";
import { asText } from "./said.js";

await Promise.all([needWords("pages"), needWords("beside/sheet"), needStyle("sheet")]);

export const title = "score.new";

function Known() {
  const sheets = all();
  if (!sheets.length) return null;
  return html`<section class="panel stack tight" aria-labelledby="known-title">
    <h2 id="known-title">${t("score.known")}</h2>
    <ul class="plain">
      ${sheets.map(({ code, told, waiting, at }) => html`<li key=${code} class="table-row">
        <span class="grow"><b>${told.players.join(", ")}</b>
          <small>${[asText(told, gameName(told.rules.name)), day(at)].join(" · ")}</small>
          ${waiting.length > 0 && html`<small>${plural("score.unsent", waiting.length)}</small>`}</span>
        <${Link} class="button" href=${`/s/${code}`} aria-label=${`${t("score.open")}: ${told.players.join(", ")}`}>${t("score.open")}<//>
      </li>`)}
    </ul>
  </section>`;
}

// Who played the last time sits there again.
const lastPlayers = (seats) => all().find(({ told }) => told.players.length === seats)?.told.players ?? Array(seats).fill("");

function Players({ seats, names, set, dealer, setDealer, twice }) {
  return html`<fieldset class="stack tight">
    <legend>${t("score.players")}</legend>
    <small>${t("score.players_how")}</small>
    <ol class="plain players">
      ${Array.from({ length: seats }, (_, seat) => html`<li key=${seat}>
        <label class="field"><span class="unseen">${t("score.player", { n: seat + 1 })}</span>
          <input class="large" name=${`player-${seat}`} required maxlength="24" autocomplete="off" enterkeyhint="next" placeholder=${t("score.player", { n: seat + 1 })}
            aria-invalid=${seat === twice ? "true" : undefined} aria-describedby=${seat === twice ? "wrong-player" : undefined} value=${names[seat] ?? ""} onInput=${(event) => set(seat, event.target.value)} /></label>
        <label class=${`pick ${dealer === seat ? "chosen" : ""}`}><input type="radio" name="dealer" checked=${dealer === seat} onChange=${() => setDealer(seat)}
          aria-label=${t("score.deals_first", { name: names[seat] || t("score.player", { n: seat + 1 }) })} /><span aria-hidden="true">${t("score.dealer")}</span></label>
      </li>`)}
    </ol>
  </fieldset>`;
}

// The form for one game, whose number of seats is known.
function Form({ rules, seats }) {
  const { me, name, setName } = useMe();
  const [names, setNames] = useState(() => lastPlayers(seats));
  const [dealer, setDealer] = useState(0);
  const [hands, setHands] = useState(null); // null: to the game's own end
  const [agree, setAgree] = useState(false);
  const [error, setError] = useState(null);
  const [busy, setBusy] = useState(false);
  const make = async () => {
    const players = names.map((one) => one.trim());
    const { key, ...told } = await post("/api/sheets", { rules, players, hands: hands === null ? null : Number(hands), dealer, agree });
    change(told.code, () => ({ key, proven: true, told, at: Date.now() }));
    return `/s/${told.code}#${key}`;
  };
  const submit = async (event) => {
    event.preventDefault();
    const players = names.map((one) => one.trim());
    const twice = players.findIndex((one, seat) => players.indexOf(one) < seat);
    if (twice >= 0) {
      setError({ code: "score.twice", message: t("score.twice"), twice });
      event.target.elements[`player-${twice}`].focus();
      return;
    }
    setBusy(true);
    setError(null);
    try {
      go(await doAs(name, make));
    } catch (refused) {
      setError(refused);
      setBusy(false);
    }
  };
  const rename = (seat, one) => {
    setNames(names.map((old, i) => (i === seat ? one : old)));
    if (error?.twice) setError(null);
  };
  // Enter goes to the next name, and makes the sheet from the last one.
  const next = (event) => {
    const all = [...event.currentTarget.querySelectorAll('input[name^="player-"]')];
    const to = all[all.indexOf(event.target) + 1];
    if (event.key !== "Enter" || event.isComposing || !to || !all.includes(event.target)) return;
    event.preventDefault();
    to.focus();
  };
  return html`<form class="stack" onSubmit=${submit} onKeyDown=${next}>
    <${Players} seats=${seats} names=${names} set=${rename} dealer=${dealer} setDealer=${setDealer} twice=${error?.twice} />
    <fieldset class="stack tight">
      <legend>${t("score.length")}</legend>
      <label class="switch"><input type="radio" name="length" checked=${hands === null} onChange=${() => setHands(null)} /><span>${t("score.length_end")}</span></label>
      <label class="switch"><input type="radio" name="length" checked=${hands !== null} onChange=${() => setHands("4")} /><span>${t("score.length_hands")}</span></label>
      ${hands !== null && html`<label class="field"><span>${t("score.hands")}</span>
        <input class="number" type="number" inputmode="numeric" min="1" max="250" required value=${hands} onInput=${(event) => setHands(event.target.value)} /></label>`}
    </fieldset>
    <label class="switch"><input type="checkbox" checked=${agree} onChange=${(event) => setAgree(event.target.checked)} />
      <span>${t("score.both")}<br /><small>${t("score.both_how")}</small></span></label>
    ${me && !me.name && html`<${NameField} name=${name} setName=${setName} />`}
    ${error && html`<${Problem} error=${error} id="wrong-player" />`}
    <div class="row"><button class="button primary big grow" disabled=${busy}>${t("score.begin")}</button></div>
  </form>`;
}

/** The page. */
export default function NewSheet({ query }) {
  const [wanted] = useState(() => rulesOfAddress(query));
  const { games, game, choose, error, again } = useGames(wanted);
  const seats = useSeats(game);
  return html`<div class="stack reading new-sheet">
    <h1 tabindex="-1">${t("score.new")}</h1>
    <p class="lead">${t("score.lead")}</p>
    <${Known} />
    <section class="panel stack" aria-label=${t("score.new_sheet")}>
      ${games
        ? html`<${GameField} games=${games} game=${game} choose=${choose} label=${t("score.game")} />
          ${seats.value?.of !== game[0]
            ? html`<${Waiting} error=${seats.error} again=${seats.again} />`
            : seats.value.ok === false
              ? html`<p class="problem" role="alert">${t("score.misfit")}</p>`
              : html`<${Form} key=${game[3] ?? game[0]} rules=${game[1]} seats=${seats.value.seats} />`}`
        : html`<${Waiting} error=${error} again=${again} />`}
    </section>
  </div>`;
}
