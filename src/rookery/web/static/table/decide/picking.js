// Choosing cards: one to play or give, several to discard.
import { cardName, cardNames } from "../../cards/names.js";
import { t } from "../../core/i18n.js";
import { settings } from "../../core/settings.js";
import { useEffect, useLayoutEffect, useRef, useState, useStore } from "../../core/ui.js";
import { actsNow, choices } from "../snapshot.js";
import { whyNot } from "../words.js";

/** Return whether a choice made by this event needs a confirmation; where nothing is final only if always wanted. */
export function waits(event, { confirm }, { forgives }) {
  if (confirm === "always") return true;
  if (confirm === "never" || forgives) return false;
  const kind = event && event.pointerType;
  if (kind) return kind !== "mouse";
  return Boolean(event && event.detail) && matchMedia("(pointer: coarse)").matches;
}

/** Return what may be done with cards now: {verb, source, from, must, n, swap}, or null. */
export function cardRequest(table) {
  if (!actsNow(table)) return null;
  const { view } = table;
  const { legal } = view;
  if (!Array.isArray(legal) && "discard" in legal) {
    // Where only a part may change, the choice begins with the nest as it was dealt.
    const from = [...legal.from, ...legal.must];
    const first = legal.swap ? (view.nest_found || []).filter((card) => from.includes(card)) : legal.must;
    return { verb: "discard", source: "hand", n: legal.discard, from, must: legal.must, first, swap: legal.swap };
  }
  const byVerb = choices(view);
  for (const verb of ["play", "give"]) {
    if (!byVerb[verb]) continue;
    const dummy = verb === "play" && view.dummy !== null && view.turn === view.dummy && view.dummy !== table.you;
    return { verb, source: dummy ? "dummy" : "hand", from: byVerb[verb], must: [], first: [], n: 1 };
  }
  return null;
}

/** Return why these cards may not go: the bans of this table's rules. */
export function banText(table) {
  return table.rules.options.discard_ban.map((ban) => t(`nest.ban.${ban}`)).join(" ");
}

/** Return how many cards of the nest a choice would change. */
export const changed = (table, chosen) => chosen.filter((card) => !(table.view.nest_found || []).includes(card)).length;

// A forced card is played after a random time, so that its speed says nothing about the hand.
const FORCED_AFTER = [900, 2200];

/** Play a card by itself where it is the only one, for whoever wants that. */
export function useForced(room, table) {
  const { forced } = useStore(settings);
  const legal = table.view.legal;
  const only = forced && actsNow(table) && Array.isArray(legal) && legal.length === 1 && legal[0].startsWith("play ");
  const action = only ? legal[0] : null;
  useEffect(() => {
    if (!action) return undefined;
    const [least, most] = FORCED_AFTER;
    const timer = setTimeout(() => room.act(action), least + Math.random() * (most - least));
    return () => clearTimeout(timer);
  }, [action, table.seq]);
}

/** Return the state of choosing: {request, chosen, pick(card, source, event), confirm(), clear()}. */
export function usePicking(room, table) {
  const wishes = useStore(settings);
  const request = cardRequest(table);
  const key = request ? `${table.hand_number} ${request.verb} ${request.source} ${table.view.tricks.length} ${table.view.hand.length}` : "";
  // Quick fingers choose again before the page is drawn: what is chosen is known at once.
  const state = useRef({ key: "", cards: [] });
  const [, draw] = useState(0);
  const now = () => (request ? (state.current.key === key ? state.current.cards : request.first) : []);
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
    if (refused.code === "must-follow") room.notice(whyNot(table, verb, card));
    else room.refuse(refused);
  }

  function toggle(card) {
    const { from, must, n } = request;
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
    if (!request || request.source !== source) {
      return room.notice(t(actsNow(table) ? "play.not_this" : "play.not_you"));
    }
    if (request.verb === "discard") return toggle(card);
    if (!request.from.includes(card)) return why(card, request.verb);
    if (waits(event, wishes, room) && now()[0] !== card) return choose([card]);
    return room.act(`${request.verb} ${card}`);
  }

  const whole = request && chosen.length === request.n;
  const fits = whole && (!request.swap || request.swap.includes(changed(table, chosen)));
  return {
    request,
    chosen,
    fits: Boolean(fits),
    pick,
    clear: () => choose(request ? request.first : []),
    confirm: () => fits && room.act(`${request.verb} ${chosen.join(" ")}`),
    words: () => cardNames(chosen, pack),
  };
}
