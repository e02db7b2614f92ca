// A new score sheet: which game, who plays, how long; and the sheets that this browser knows.
import { post } from "../../core/api.js";
import { day, gameName, inWords, language, needWords, plural, t } from "../../core/i18n.js";
import { Link, go } from "../../core/router.js";
import { settings } from "../../core/settings.js";
import { html, useState, useStore } from "../../core/ui.js";
import { Problem } from "../../components/common.js";
import { Waiting, checkRules, getOnce, needStyle, useLoaded } from "../../components/loading.js";
import { NameField, doAs, useMe } from "../../components/name.js";
import { FIRST_BASE, kept, unpacked } from "../rules/house_rules.js";
import { all, change } from "./kept.js";
import { asText } from "./said.js";

await Promise.all([needWords("pages"), needWords("beside/sheet"), needStyle("sheet")]);

export const title = "score.new";

// Rules that the address brings along: an id, or house rules after the #.
function fromAddress(query) {
  try {
    return unpacked(location.hash) || query.rules || null;
  } catch {
    return null;
  }
}

// The games to choose from: [key, rules, name, seats]; the seats of house rules are known once they are chosen.
function useGames(wanted) {
  const { value, error, again } = useLoaded(() => getOnce(inWords("/api/variants")), [useStore(language)]);
  const house = [...(wanted && typeof wanted === "object" ? [wanted] : []), ...kept().filter((one) => one.name !== wanted?.name)];
  const games = value && [
    ...house.map((rules) => [`house ${rules.name}`, rules, rules.name, null]),
    ...value.map(({ id, name, seats }) => [id, id, name, seats]),
  ];
  return { games, error, again };
}

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

function Players({ seats, names, set, dealer, setDealer }) {
  return html`<fieldset class="stack tight">
    <legend>${t("score.players")}</legend>
    <small>${t("score.players_how")}</small>
    <ol class="plain players">
      ${Array.from({ length: seats }, (_, seat) => html`<li key=${seat}>
        <label class="field"><span class="unseen">${t("score.player", { n: seat + 1 })}</span>
          <input class="large" name=${`player-${seat}`} required maxlength="40" autocomplete="off" enterkeyhint="next" placeholder=${t("score.player", { n: seat + 1 })}
            value=${names[seat] ?? ""} onInput=${(event) => set(seat, event.target.value)} /></label>
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
    if (new Set(players).size < players.length) {
      setError({ code: "score.twice", message: t("score.twice") });
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
  // Enter goes to the next name, and makes the sheet from the last one.
  const next = (event) => {
    const all = [...event.currentTarget.querySelectorAll('input[name^="player-"]')];
    const to = all[all.indexOf(event.target) + 1];
    if (event.key !== "Enter" || !to || !all.includes(event.target)) return;
    event.preventDefault();
    to.focus();
  };
  return html`<form class="stack" onSubmit=${submit} onKeyDown=${next}>
    <${Players} seats=${seats} names=${names} set=${(seat, one) => setNames(names.map((old, i) => (i === seat ? one : old)))} dealer=${dealer} setDealer=${setDealer} />
    <fieldset class="stack tight">
      <legend>${t("score.length")}</legend>
      <label class="switch"><input type="radio" name="length" checked=${hands === null} onChange=${() => setHands(null)} /><span>${t("score.length_end")}</span></label>
      <label class="switch"><input type="radio" name="length" checked=${hands !== null} onChange=${() => setHands("4")} /><span>${t("score.length_hands")}</span></label>
      ${hands !== null && html`<label class="field"><span>${t("score.hands")}</span>
        <input class="number" type="number" inputmode="numeric" min="1" max="1000" required value=${hands} onInput=${(event) => setHands(event.target.value)} /></label>`}
    </fieldset>
    <label class="switch"><input type="checkbox" checked=${agree} onChange=${(event) => setAgree(event.target.checked)} />
      <span>${t("score.both")}<br /><small>${t("score.both_how")}</small></span></label>
    ${me && !me.name && html`<${NameField} name=${name} setName=${setName} />`}
    ${error && html`<${Problem} error=${error} />`}
    <div class="row"><button class="button primary big grow" disabled=${busy}>${t("score.begin")}</button></div>
  </form>`;
}

function HouseForm({ rules }) {
  const { value, error, again } = useLoaded(() => checkRules(rules), [JSON.stringify(rules)]);
  if (!value) return html`<${Waiting} error=${error} again=${again} />`;
  if (value.ok === false) return html`<p class="problem" role="alert">${t("score.misfit")}</p>`;
  return html`<${Form} key=${value.seats} rules=${rules} seats=${value.seats} />`;
}

/** The page. */
export default function NewSheet({ query }) {
  const [wanted] = useState(() => fromAddress(query));
  const { games, error, again } = useGames(wanted);
  const first = wanted ?? settings.get().game?.rules ?? FIRST_BASE;
  const [chosen, choose] = useState(typeof first === "string" ? first : `house ${first.name}`);
  const game = games && (games.find(([id]) => id === chosen) ?? games.find(([id]) => id === FIRST_BASE));
  const group = (seats) => games.filter((one) => one[3] === seats);
  const option = ([id, , name]) => html`<option key=${id} value=${id} selected=${id === game[0]}>${name}</option>`;
  const sizes = games && [...new Set(games.map((one) => one[3]))].sort((a, b) => a - b);
  return html`<div class="stack reading new-sheet">
    <h1 tabindex="-1">${t("score.new")}</h1>
    <p class="lead">${t("score.lead")}</p>
    <${Known} />
    <section class="panel stack" aria-label=${t("score.new_sheet")}>
      ${games
        ? html`<label class="field"><span>${t("score.game")}</span>
            <select name="game" onChange=${(event) => choose(event.target.value)}>
              ${sizes.map((seats) => html`<optgroup key=${seats} label=${seats === null ? t("rules.house") : plural("catalogue.seats", seats)}>${group(seats).map(option)}</optgroup>`)}
            </select></label>
          ${game[3] === null ? html`<${HouseForm} key=${game[0]} rules=${game[1]} />` : html`<${Form} key=${game[3]} rules=${game[1]} seats=${game[3]} />`}`
        : html`<${Waiting} error=${error} again=${again} />`}
    </section>
  </div>`;
}
