// The game in words: what has happened between two snapshots, and whose turn it is.
import { callName, callSentence, cardName, cardNames, suitName } from "../cards/names.js";
import { suitOf } from "../cards/suits.js";
import { has, list, number, plural, t } from "../core/i18n.js";
import { actsNow, choices, columns, duty, follows, heightOf, isTrump, nameOf, sideOf } from "./snapshot.js";

/** Return a bid in words. */
export const bidName = (bid) => (bid === "sun" ? t("table.sun") : number(bid));

/** Return the bid's name where the rules give it one: the moon is the highest bid of numbers. */
export function specialBid(table, bid) {
  const { special_bids: special, bid_maximum: most } = table.rules.options;
  if (bid === "sun") return t("table.sun");
  return special.some(({ name }) => name === "moon") && Number(bid) === most ? t("table.moon") : "";
}

/** Return a public action ("1 bid 75") in words. */
export function callText(table, text) {
  const [seat, verb, ...rest] = text.split(" ");
  const name = nameOf(table, Number(seat));
  const { pack } = table.rules.options;
  if (verb === "bid") return t("say.bid", { name, bid: bidName(rest[0] === "sun" ? "sun" : Number(rest[0])) });
  if (verb === "trump") return t("say.trump", { name, call: callName(rest[0]) });
  if (verb === "rook") return t(`say.rook.${rest[0]}`, { name });
  if (verb === "call") return t("say.call", { name, cards: cardNames(rest, pack) });
  if (verb === "leader" && rest[0] === seat) return t("say.leads", { name });
  if (verb === "leader" || verb === "challenge") return t(`say.${verb}`, { name, other: nameOf(table, Number(rest[0])) });
  if (verb === "pass" || verb === "redeal") return t(`say.${verb}`, { name });
  return "";
}

/** Return what is said without typing: a phrase, or the name of a face. */
export const phraseName = (phrase) => (has(`phrase.${phrase}`) ? t(`phrase.${phrase}`) : phrase);

/** Return a line of the talk as it is read to those who listen. */
export function lineText({ name, from, text, phrase }) {
  const who = from === null ? t("chat.who_watches", { name }) : name;
  return t("chat.says", { name: who, text: phrase ? phraseName(phrase) : text });
}

/** Return the suit that has to be followed, in words. */
export function ledName(table, { suit }) {
  if (table.led !== "trump") return suit ? suitName(suit) : "";
  if (suit) return t("turn.led_trump", { suit: suitName(suit) });
  return t(suitOf(table.view.trick[0].card, table.rules.options.pack) === "rook" ? "turn.led_rook" : "card.is_trump");
}

/** Return why a card of mine, or of the dummy, may not be played or given now; of any other duty only that it may not. */
export function whyNot(table, verb, name) {
  const card = cardName(name, table.rules.options.pack);
  if (verb === "give") return t(sideOf(table, table.you) === "declarer" ? "play.give_worst" : "play.give_best", { card });
  if (!table.view.trick.length) {
    const unbroken = table.rules.options.trump_lead === "when_broken" && isTrump(table, name);
    return t(unbroken ? "play.not_broken" : "refused.must-follow", { card });
  }
  const due = duty(table);
  if (due?.kind === "trump") return t(isTrump(table, name) ? "play.must_beat" : "play.must_trump", { card });
  if (due?.kind === "must" || follows(table, name)) return t("refused.must-follow");
  return t("play.must_follow", { card, suit: ledName(table, due?.kind === "follow" ? due : { suit: table.led }) });
}

/** Return what I have to do now: "Your turn: follow Green." */
export function myTurn(table) {
  const { view } = table;
  if (view.phase === "play") {
    const forDummy = view.dummy !== null && view.turn === view.dummy && view.dummy !== table.you;
    const due = duty(table);
    // Where revokes are punished, nothing is kept from me, and yet I may not play any card.
    const free = table.rules.options.renege === "penalised" ? "turn.card" : "turn.any";
    let what = t(view.trick.length ? free : "turn.lead");
    if (due) what = t(`turn.${due.kind}`, { suit: ledName(table, due) });
    return t(forDummy ? "turn.dummy" : "turn.mine", { what });
  }
  if (view.phase === "trump" && view.circus) return t("turn.mine", { what: t("turn.do.circus_trump") });
  if (view.phase === "auction" && !("pass" in choices(view))) return t("turn.mine", { what: t("turn.do.bid") });
  if (view.phase === "nest") return t("turn.mine", { what: plural("turn.do.nest", view.legal.discard) });
  return t("turn.mine", { what: t(`turn.do.${view.phase}`) });
}

/** Return whose turn it is, for the line above the hand. */
export function turnText(table) {
  const { view } = table;
  if (!view) return "";
  if (actsNow(table)) return myTurn(table);
  if (view.phase === "done") return t("turn.done");
  if (view.phase === "redealt") return t("turn.redealt");
  if (view.to_act === null) return "";
  if (table.halted) return t("turn.halted");
  return t(`turn.wait.${view.phase}`, { name: nameOf(table, view.to_act) });
}

function whatOf(table, [verb, ...rest]) {
  if (["discard", "call", "give", "play"].includes(verb)) return cardNames(rest, table.rules.options.pack);
  if (verb === "bid") return bidName(rest[0] === "sun" ? "sun" : Number(rest[0]));
  if (verb === "trump") return callName(rest[0]);
  if (verb === "rook") return t(`rook.${rest[0]}`);
  return verb === "leader" ? nameOf(table, Number(rest[0])) : rest.join(" ");
}

/** Return an action that a hint names in words: "Play Green 14." */
export function actionText(table, action) {
  const words = action.split(" ");
  return t(`hint.${words[0]}`, { what: whatOf(table, words) });
}

/** Return an action as one of several: "Green 14", "bid 105", "Pass". */
export function choiceText(table, action) {
  const words = action.split(" ");
  if (words[0] === "pass" || words[0] === "redeal") return t(`auction.${words[0]}`);
  const what = whatOf(table, words);
  if (words[0] === "bid") return t("auction.say", { bid: what });
  return words[0] === "leader" ? t("leader.say", { name: what }) : what || t("auction.nothing");
}

/** Return the contract in words; empty before there is one. */
export function contractText(table) {
  const { view } = table;
  if (!view) return "";
  if (view.declarer === null) {
    if (view.high_bidder === null) return view.call ? t("table.no_contract") : "";
    return t("table.high_bid", { name: nameOf(table, view.high_bidder), bid: bidName(view.high_bid) });
  }
  const head = t("table.contract", { name: nameOf(table, view.declarer), bid: bidName(view.bid) });
  return view.call ? t("table.contract_call", { contract: head, call: callSentence(view.call) }) : head;
}

function plays(before, after) {
  const complete = after.tricks.length - before.tricks.length;
  if (complete < 0 || complete > 1) return [];
  if (complete === 0) return after.trick.slice(before.trick.length);
  const last = after.tricks[after.tricks.length - 1];
  return [...(last.cards || []).slice(before.trick.length), ...after.trick];
}

// Return the suit led where it is the reason why a card of higher rank lost: it is of another suit. Else "".
function ledOverHigher(table, led, won, cards) {
  const { pack } = table.rules.options;
  const suit = suitOf(won, pack);
  if (table.view.call?.endsWith("low") || isTrump(table, won) || suit !== suitOf(led, pack)) return "";
  const height = heightOf(table);
  return cards.some(({ card }) => suitOf(card, pack) !== suit && height(card) > height(won)) ? suit : "";
}

/** Return who takes a trick, and why where that may surprise: by a trump, by the black 2, or because another suit was led than that of a higher card. */
export function trickText(table, { winner, cards }) {
  const name = nameOf(table, winner);
  const won = cards?.find(({ place }) => place === winner)?.card;
  if (!won) return t("say.trick", { name });
  const led = cards[0].card;
  const { black_2: black } = table.rules.options;
  if (won === "B2" && black === "beats_rook" && cards.some(({ card }) => card === "RK")) return t("say.trick_black_2", { name });
  if (isTrump(table, won) && !isTrump(table, led)) return t("say.trick_trump", { name });
  const suit = ledOverHigher(table, led, won, cards);
  return suit ? t("say.trick_led", { name, suit: suitName(suit) }) : t("say.trick", { name });
}

function handChanges(before, after, table) {
  const { pack } = table.rules.options;
  const sentences = after.calls.slice(before.calls.length).map((text) => callText(table, text));
  if (before.declarer === null && after.declarer !== null) {
    const values = { name: nameOf(table, after.declarer), bid: bidName(after.bid) };
    sentences.push(t(before.nest_size > after.nest_size ? "say.wins_nest" : "say.wins", values));
  }
  if ((after.nest_face_up ?? []).length > (before.nest_face_up ?? []).length) {
    sentences.push(t("say.nest_shown", { cards: cardNames(after.nest_face_up, pack) }));
  }
  if (!before.call && after.call && after.declarer === null) sentences.push(contractText(table));
  if (after.nest_statement !== null && before.nest_statement === null) sentences.push(statementText(after.nest_statement));
  for (const { place, card } of plays(before, after)) {
    sentences.push(t("say.played", { name: nameOf(table, place), card: cardName(card, pack) }));
  }
  if (after.tricks.length > before.tricks.length) {
    sentences.push(trickText(table, after.tricks[after.tricks.length - 1]));
  }
  for (const seat of after.allies) {
    if (seat !== after.declarer && !before.allies.includes(seat) && after.called.length) sentences.push(t("say.partner", { name: nameOf(table, seat) }));
  }
  if (!before.dummy_hand && after.dummy_hand) {
    sentences.push(t("say.dummy", { name: nameOf(table, after.dummy), cards: cardNames(after.dummy_hand, pack) }));
  }
  if (before.received === null && after.received) sentences.push(t("say.received", { card: cardName(after.received, pack) }));
  if (after.phase === "done" && before.phase !== "done") sentences.push(scoreText(table));
  return sentences;
}

/** Return the statement about the new nest in words. */
export function statementText(statement) {
  if (typeof statement === "number") return plural("say.nest.amount", statement, { n: number(statement) });
  return t(`say.nest.${statement}`);
}

function scoreText(table) {
  const { score } = table.view;
  if (!score) return "";
  const parts = columns(table).map((seats) =>
    t("say.scores", { name: list(seats.map((seat) => nameOf(table, seat))), n: number(score[seats[0]]) }),
  );
  return parts.join(" ");
}

function seatChanges(before, after) {
  const sentences = [];
  // Whoever changes their seat neither comes nor goes.
  const isAt = ({ seats }, { kind, name }) => kind === "person" && seats.some((one) => one.kind === kind && one.name === name);
  for (const [i, seat] of after.seats.entries()) {
    const old = before.seats[i];
    if (!old) continue;
    const name = nameOf(after, i);
    const other = nameOf(before, i);
    const comes = seat.kind !== "empty" && !isAt(before, seat);
    const goes = old.kind !== "empty" && !isAt(after, old);
    if (comes && old.kind === "empty") sentences.push(t("say.sat", { name }));
    else if (goes && seat.kind === "empty") sentences.push(t("say.left", { name: other }));
    else if (goes && old.kind === "person" && seat.kind === "bot") sentences.push(t("say.sat_for", { name, other }));
    else if (old.kind === "person" && seat.kind === "person" && old.name === seat.name && old.here !== seat.here) {
      sentences.push(t(seat.here ? "say.returned" : "say.away", { name }));
    }
  }
  return sentences;
}

/** Return, as sentences in order, what has changed from one snapshot to the next. */
export function changes(before, after) {
  const sentences = before ? seatChanges(before, after) : [];
  if (before && before.phase === "lobby" && after.phase === "playing") sentences.push(t("say.begins"));
  const newHand = !before || !before.view || before.hand_number !== after.hand_number;
  if (after.view && newHand && after.view.hand) {
    const values = { dealer: nameOf(after, after.view.dealer), cards: cardNames(after.view.hand, after.rules.options.pack) };
    sentences.push(t("say.dealt", values));
  } else if (after.view && !newHand) sentences.push(...handChanges(before.view, after.view, after));
  const question = after.pending && (!before || !before.pending);
  if (question) sentences.push(t(`say.asks.${after.pending.kind}`, { name: nameOf(after, after.pending.by) }));
  if (after.host_asked && !before?.host_asked) sentences.push(stoppedText(after));
  if (after.phase === "over" && (!before || before.phase !== "over")) sentences.push(overText(after));
  const turnChanged =
    !before || !before.view || before.view.to_act !== after.view?.to_act || before.view.phase !== after.view?.phase ||
    before.view.trick.length !== after.view.trick.length || before.view.turn !== after.view.turn;
  if (actsNow(after) && turnChanged) sentences.push(myTurn(after));
  return sentences.filter(Boolean);
}

/** Return, as sentences, how questions to the table and charges ended and who took a bot's seat; `events` as an update has them. */
export function outcomes(events, table, before) {
  const sentences = [];
  for (const event of events) {
    const name = nameOf(table, event.seat);
    if (event.type === "vote_closed" && event.kind === "claim") sentences.push(t(event.accepted ? "say.claim_yes" : "say.claim_no", { name }));
    else if (event.type === "vote_closed" && !event.accepted) sentences.push(t("say.undo_no", { name }));
    else if (event.type === "undone") sentences.push(t("say.undone", { name }));
    else if (event.type === "sat" && before?.seats[event.seat].kind === "bot") sentences.push(t("say.sat_for", { name, other: nameOf(before, event.seat) }));
    else if (event.type === "acted" && event.by === "auto") sentences.push(t("say.clock", { name }));
    else if (event.type === "challenged") sentences.push(t("say.challenged", { name, other: nameOf(table, event.accused) }));
    else if (event.type === "acted" && event.verb === "challenge" && event.text) sentences.push(t("say.challenge_right", { other: nameOf(table, Number(event.text.split(" ")[2])) }));
  }
  return sentences;
}

/** Return why no hand is dealt by itself any more, and who decides. */
export function stoppedText(table) {
  const who = table.you !== null && table.you === table.host ? "mine" : "host";
  return `${t("over.stopped")} ${t(`over.stopped.${who}`, { name: nameOf(table, table.host) })}`;
}

/** Return who has won the match. */
export function overText(table) {
  const { evening, winners, you } = table;
  if (evening) return t("over.table"); // who wins is the evening's to say
  if (!winners || !winners.length) return t("over.ended");
  if (winners.includes(you)) return t("over.you_won");
  return t("over.won", { name: list(winners.map((seat) => nameOf(table, seat))) });
}

/** Return whether I may pass now. */
export const mayPass = (table) => actsNow(table) && "pass" in choices(table.view);
