// The games that somebody chooses one of: the catalogue, and the house rules that this browser keeps.
import { inWords, language, plural, t } from "../../core/i18n.js";
import { settings } from "../../core/settings.js";
import { html, useState, useStore } from "../../core/ui.js";
import { checkRules, getOnce, useLoaded } from "../../components/loading.js";
import { FIRST_BASE, kept, unpacked } from "./house_rules.js";

/** Return the rules that an address brings along: an id, or house rules after the #; null for none. */
export function rulesOfAddress(query) {
  try {
    return unpacked(location.hash) || query.rules || null;
  } catch {
    return null;
  }
}

const keyOf = (rules) => (typeof rules === "string" ? rules : `house ${rules.name}`);

/**
 * Return {games, game, choose, error, again}: the games to choose from, each [key, rules, name, seats], and the one that is chosen,
 * `wanted` or the last used at first. The seats of house rules are known once they are chosen (`useSeats`).
 */
export function useGames(wanted) {
  const { value, error, again } = useLoaded(() => getOnce(inWords("/api/variants")), [useStore(language)]);
  const [chosen, choose] = useState(keyOf(wanted ?? settings.get().game?.rules ?? FIRST_BASE));
  const house = [...(wanted && typeof wanted === "object" ? [wanted] : []), ...kept().filter((one) => one.name !== wanted?.name)];
  const games = value && [
    ...house.map((rules) => [keyOf(rules), rules, rules.name, null]),
    ...value.map(({ id, name, seats }) => [id, id, name, seats]),
  ];
  const game = games && (games.find(([id]) => id === chosen) ?? games.find(([id]) => id === FIRST_BASE));
  return { games, game, choose, error, again };
}

/** Return {value, error, again} of what the server says of a game's rules: {of, ok, seats}; until it does, what it said `of` the one before. */
export function useSeats(game) {
  const known = game && game[3] !== null ? { of: game[0], ok: true, seats: game[3] } : null;
  const found = useLoaded(async () => known ?? (game && { of: game[0], ...(await checkRules(game[1])) }), [game?.[0]]);
  return known ? { ...found, value: known } : found;
}

const MOST_GAMES = 3;

/** Fields for more games, each for tables of another size; `also` are their ids, and `change` takes others. */
export function OtherGames({ games, seats, also, change, words }) {
  const sized = games.filter(([, , , size]) => size !== null);
  const sizeOf = (id) => sized.find(([one]) => one === id)?.[3];
  const free = (but) => {
    const taken = [seats, ...also.filter((id) => id !== but).map(sizeOf)];
    return sized.filter(([, , , size]) => !taken.includes(size)).sort((a, b) => a[3] - b[3]);
  };
  const more = free();
  const next = more.find(([, , , size]) => size === seats + 1) ?? more[0];
  return html`${also.map((id) => html`<label key=${id} class="field"><span>${words.also}</span>
      <select name="also" onChange=${(event) => change(also.flatMap((one) => (one === id ? event.target.value || [] : one)))}>
        <option value="">${words.none}</option>
        ${free(id).map(([one, , name, size]) => html`<option key=${one} value=${one} selected=${one === id}>${`${name} (${plural("catalogue.seats", size)})`}</option>`)}
      </select></label>`)}
    ${next && also.length < MOST_GAMES - 1 && html`<p class="row"><button type="button" class="button quiet more-sizes" onClick=${() => change([...also, next[0]])}>${words.more}</button></p>`}`;
}

/** The field. */
export function GameField({ games, game, choose, label }) {
  const group = (seats) => games.filter((one) => one[3] === seats);
  const option = ([id, , name]) => html`<option key=${id} value=${id} selected=${id === game[0]}>${name}</option>`;
  const sizes = [...new Set(games.map((one) => one[3]))].sort((a, b) => a - b);
  return html`<label class="field"><span>${label}</span>
    <select name="game" onChange=${(event) => choose(event.target.value)}>
      ${sizes.map((seats) => html`<optgroup key=${seats} label=${seats === null ? t("rules.house") : plural("catalogue.seats", seats)}>${group(seats).map(option)}</optgroup>`)}
    </select></label>`;
}
