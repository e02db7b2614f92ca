// Choosing cards: one to play or give, several to lay into the nest.
import { cardName, cardNames } from "../../cards/names.js";
import { t } from "../../core/i18n.js";
import { settings } from "../../core/settings.js";
import { useLayoutEffect, useRef, useState, useStore } from "../../core/ui.js";
import { actsNow, choices, duty } from "../snapshot.js";
import { ledName } from "../words.js";

/** Return whether a choice made by this event waits for a second word. */
export function waits(event, { confirm }) {
  if (confirm === "always") return true;
  if (confirm === "never") return false;
  const kind = event && event.pointerType;
  if (kind) return kind !== "mouse";
  return Boolean(event && event.detail) && matchMedia("(pointer: coarse)").matches;
}

/** Return what may be done with cards now: {verb, source, from, must, n, swap}, or null. */
export function cardsAsked(table) {
  if (!actsNow(table)) return null;
  const { view } = table;
  const { legal } = view;
  if (!Array.isArray(legal) && "discard" in legal) {
    // Where only a part may change, the nest as it was found is where the choice begins.
    const from = [...legal.from, ...legal.must];
    const first = legal.swap ? (view.nest_found || []).filter((card) => from.includes(card)) : legal.must;
    return { verb: "discard", source: "hand", n: legal.discard, from, must: legal.must, first, swap: legal.swap };
  }
  const found = choices(view);
  for (const verb of ["play", "give"]) {
    if (!found[verb]) continue;
    const dummy = verb === "play" && view.dummy !== null && view.turn === view.dummy && view.dummy !== table.you;
    return { verb, source: dummy ? "dummy" : "hand", from: found[verb], must: [], first: [], n: 1 };
  }
  return null;
}

/** Return why these cards may not go: the bans of this table's rules. */
export function banText(table) {
  return table.rules.options.discard_ban.map((ban) => t(`nest.ban.${ban}`)).join(" ");
}

/** Return how many cards of the nest a choice would change. */
export const changed = (table, chosen) => chosen.filter((card) => !(table.view.nest_found || []).includes(card)).length;

/** Return the state of choosing: {asked, chosen, pick(card, source, event), confirm(), clear()}. */
export function usePicking(room, table) {
  const wishes = useStore(settings);
  const asked = cardsAsked(table);
  const key = asked ? `${table.hand_number} ${asked.verb} ${asked.source} ${table.view.tricks.length} ${table.view.hand.length}` : "";
  // Quick fingers choose again before the page is drawn: what is chosen is known at once.
  const state = useRef({ key: "", cards: [] });
  const [, draw] = useState(0);
  const now = () => (asked ? (state.current.key === key ? state.current.cards : asked.first) : []);
  const choose = (cards) => {
    state.current = { key, cards };
    draw((n) => n + 1);
  };
  useLayoutEffect(() => {
    room.forgetHint();
    // After an undo the same question comes again; the old choice must not answer it.
    return () => {
      state.current = { key: "", cards: [] };
    };
  }, [key]);
  const chosen = now();
  const pack = table.rules.options.pack;

  async function why(card, verb) {
    const refused = await room.try(`${verb} ${card}`);
    if (!refused) return;
    const owed = duty(table);
    if (refused.code === "must-follow" && owed && owed.kind === "follow") {
      room.notice(t("play.must_follow", { card: cardName(card, pack), suit: ledName(table, owed) }));
    } else room.refuse(refused);
  }

  function toggle(card) {
    const { from, must, n } = asked;
    if (must.includes(card)) return room.notice(t("nest.must", { card: cardName(card, pack) }));
    if (!from.includes(card)) {
      return room.notice(t("nest.banned", { card: cardName(card, pack), why: banText(table) }).trim());
    }
    const cards = now();
    if (cards.includes(card)) return choose(cards.filter((one) => one !== card));
    if (cards.length >= n) return room.notice(t("nest.enough", { n }));
    return choose([...cards, card]);
  }

  function pick(card, source, event) {
    if (!asked || asked.source !== source) {
      return room.notice(t(actsNow(table) ? "play.not_this" : "play.not_you"));
    }
    if (asked.verb === "discard") return toggle(card);
    if (!asked.from.includes(card)) return why(card, asked.verb);
    if (waits(event, wishes) && now()[0] !== card) return choose([card]);
    return room.act(`${asked.verb} ${card}`);
  }

  const whole = asked && chosen.length === asked.n;
  const fits = whole && (!asked.swap || asked.swap.includes(changed(table, chosen)));
  return {
    asked,
    chosen,
    fits: Boolean(fits),
    pick,
    clear: () => choose(asked ? asked.first : []),
    confirm: () => fits && room.act(`${asked.verb} ${chosen.join(" ")}`),
    words: () => cardNames(chosen, pack),
  };
}
