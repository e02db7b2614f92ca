// One table as this browser knows it: the last snapshot, the connection, the talk. Nothing is calculated here,
// and nothing is shown before the server has sent it.
import { keepSeen, lastSeen } from "../core/here.js";
import { announce } from "../core/announce.js";
import { list, t } from "../core/i18n.js";
import { reasonOf } from "../components/common.js";
import { play } from "../core/sound.js";
import { openSocket } from "../core/socket.js";
import { createStore } from "../core/store.js";
import { openedAt } from "./muted.js";
import { actsNow } from "./snapshot.js";
import { changes, outcomes } from "./words.js";

const KEPT_LINES = 200;
const NAMED = 20; // watchers that a server names; when one of them goes, another who has long been there is named
const LOST = 15_000; // milliseconds after which a hint that has not come is asked for again
const SHARE_BYTES = 16;
const SCHEME = "rook-deal-1";
const OF_A_MOMENT = new Set(["undo", "claim", "vote", "next"]); // what would do something else later, as an act would

const randomShare = () => Array.from(crypto.getRandomValues(new Uint8Array(SHARE_BYTES)), (n) => n.toString(16).padStart(2, "0")).join("");

/** Return the score sheet after an update, which has only the hands that are new; of a long match the first ones are missing. */
export function sheet(before, update) {
  const from = Math.min(before.hands_from ?? 0, update.hands_from);
  return { hands: [...before.hands.slice(0, update.hands_from - from), ...update.hands], hands_from: from };
}

/** Return a room: `state` (a store), `ask(message)` for commands, `send`, `notice`, `close`. */
export function openRoom(code) {
  openedAt(code);
  const state = createStore({
    connection: "connecting", // connecting | open | lost | closed
    closed: null, // {code, reason} where the connection is closed for good
    table: lastSeen(code), // the snapshot
    ended: null, // the snapshot of the last hand that has a result, to read it again
    watching: null, // {count, names}: who watches; null while nobody has told
    chat: [],
    hint: null,
    notice: null, // {text, n}: the last refusal, in words
    waits: false, // a `sit` that waits for the end of the hand
    nameTaken: null, // the command, `sit` or `chat`, that failed because somebody here has my name
    without: null, // the number of the last deal to which this browser added a share that is not in it
    outcome: null, // {text, hand, seq, ended, at}: how a question to the table ended, who has come, and when that was
    busy: false, // an action is under way
  });
  let noticeCount = 0;
  const set = (some) => state.set({ ...state.get(), ...some });

  function notice(text) {
    noticeCount += 1;
    set({ notice: text ? { text, n: noticeCount } : null });
    announce(text, true);
  }

  function showTable(update, isWelcome) {
    const before = state.get().table;
    // An update leaves out the rules and the hands that the page has already.
    const whole = update.rules ? update : { ...update, rules: before.rules, ...sheet(before, update) };
    // When it began by the clock of this machine, null where nobody saw it begin.
    const same = before && before.turn_since === update.turn_since;
    const table = { ...whole, turn_seen: same ? before.turn_seen : isWelcome ? null : Date.now(), came: isWelcome };
    keepSeen(table);
    const isNew = !before || before.seq !== table.seq;
    // Whoever has no seat any more is told no names, so what they were told is old.
    const watching = table.you === null ? null : state.get().watching;
    const ended = table.view?.phase === "done" ? table : state.get().ended;
    const said = isNew ? { hint: null, notice: null } : {};
    set({ table, ended, watching, busy: false, ...said });
    if (before && !isWelcome) {
      announce(() => changes(before, table));
      if (actsNow(table) && !actsNow(before)) play("turn");
      else if (before.view && table.view && before.view.trick.length !== table.view.trick.length) play("card");
    } else if (table.view) {
      announce(() => changes(null, table));
    }
  }

  // What this browser saw and gave before the cards were dealt, by the number of the deal: the proof
  // shown afterwards is compared with it.
  const deals = new Map();
  let dealt = null; // the number of the last deal that was looked at

  // A promise that replaces another one says so. A share for the old one may have come to the new one.
  function promised({ number, commitment, renewed }) {
    const before = deals.get(number);
    if (before && (before.commitment === commitment || !renewed)) return before;
    const kept = { commitment, renewed: Boolean(before), share: null, earlier: before && before.share, asked: false, refused: false };
    deals.set(number, kept);
    return kept;
  }

  function contribute({ deal, you, proof }) {
    // The hand may have been dealt before this page was back.
    if (proof && deals.has(proof.number)) promised(proof);
    if (!deal || deal.scheme !== SCHEME) return;
    const kept = promised(deal);
    if (deal.shares.includes(you)) kept.share = kept.share || kept.earlier;
    // A share goes with its person from seat to seat. Whoever gives their seat up and sits down again adds another.
    if (you === null || kept.asked || kept.refused || deal.shares.includes(you)) return;
    kept.share = randomShare();
    kept.asked = true;
    ask({ type: "contribute", number: deal.number, share: kept.share }).then((accepted) => {
      kept.asked = false;
      kept.refused = !accepted;
    });
  }

  /** Say so where the cards were dealt without what this browser added. */
  function compareShare({ proof, you }, isWelcome) {
    if (!proof || proof.number === dealt) return;
    dealt = proof.number;
    const kept = deals.get(dealt);
    if (isWelcome || you === null || !kept || !kept.share || proof.contributors.includes(you)) return;
    set({ without: dealt });
    announce(t("deal.mine_out"), true);
  }

  function showOutcomes(texts) {
    const { table } = state.get();
    if (!texts.length || !table.view) return;
    for (const text of texts) announce(text);
    // What has ended a hand is still worth reading beside its score.
    set({ outcome: { text: texts.join(" "), hand: table.hand_number, seq: table.seq, ended: table.view.phase === "done", at: Date.now() } });
  }

  // The lobby has a list of them; in a match it is said who comes.
  function showWatchers(message) {
    const { watching, table } = state.get();
    set({ watching: message });
    const known = watching ? watching.names : table.watchers ? message.names : [];
    const names = message.names.filter((name) => !known.includes(name));
    if (names.length && known.length < NAMED) showOutcomes([t("say.watches", { names: list(names) })]);
  }

  function addChat(message) {
    const chat = [...state.get().chat.filter((one) => one.seq !== message.seq), message];
    set({ chat: chat.slice(-KEPT_LINES) });
  }

  // A server prepares one hint at a time, for the decision that was due when it was asked: by then another may be.
  let advised = null; // that decision
  let going = false; // whether the hint is on its way
  let earlier = null; // the decision of the one before, where that has not come
  let wanted = null; // the last decision for which a hint was asked
  let askedAt = 0; // by a clock that nobody sets
  const decision = () => JSON.stringify(state.get().table.view);

  function hint() {
    wanted = decision();
    if (going && performance.now() - askedAt < LOST) return;
    [earlier, advised, going, askedAt] = [going ? advised : null, wanted, true, performance.now()];
    socket.send({ type: "hint" });
  }

  function showHint(message) {
    const now = decision();
    [earlier, going] = [null, false];
    if (advised === now) set({ hint: message, notice: null });
    else if (wanted === now) hint();
  }

  const socket = openSocket(
    code,
    (message) => {
      if (message.type === "watching") showWatchers(message);
      else if (message.type === "welcome" || message.type === "update") {
        const before = state.get().table;
        if (message.type === "welcome") {
          [earlier, going] = [null, false];
          set({ watching: null });
        }
        showTable(message.table, message.type === "welcome");
        const { table } = state.get();
        showOutcomes(outcomes(message.events || [], table, before));
        contribute(table);
        compareShare(table, message.type === "welcome");
        for (const line of message.chat || []) addChat(line);
      } else if (message.type === "chat") addChat(message);
      else if (message.type === "hint") showHint(message);
      else if (message.type === "refused" && !message.id) {
        // Another is refused while the one before is being prepared, which is not lost after all.
        if (earlier === null) notice(reasonOf(message));
        [advised, earlier, going] = [earlier ?? advised, null, earlier !== null];
      }
    },
    (connection, closed) => {
      const before = state.get().connection;
      set({ connection, closed: connection === "closed" ? closed : null });
      if (connection === "lost" && before === "open") announce(t("table.line.lost"), true);
      if (connection === "open" && before === "lost") announce(t("table.line.back"));
    },
  );

  // What a claim lacks is said in words that are fetched when they are wanted. Whoever has gone is told nothing.
  async function explain(refused) {
    if (refused.code === "left") return;
    const words = refused.about ? await import("./advice.js").catch(() => null) : null;
    notice(words ? words.doubtText(refused, state.get().table) : reasonOf(refused));
  }

  const asking = new Map(); // what is under way: of each type the last message, with the question that it answers, and its promise

  /** Send a command; return whether it was accepted. A refusal becomes the notice. What is asked twice in a row is sent once. */
  function ask(message) {
    if (message.type === "chat") return send(message);
    const what = JSON.stringify([message, state.get().table?.pending?.since]);
    const last = asking.get(message.type);
    if (last && last.what === what) return last.promise;
    const now = { what, promise: send(message).finally(() => asking.get(message.type) === now && asking.delete(message.type)) };
    asking.set(message.type, now);
    return now.promise;
  }

  async function send(message) {
    if (message.wait) set({ waits: true });
    const { refused } = await socket.command(OF_A_MOMENT.has(message.type) ? { ...message, seen: state.get().table.seq } : message);
    if (refused) explain(refused);
    if (message.type === "sit") set({ waits: false });
    if (message.type === "sit" || message.type === "chat") set({ nameTaken: refused && refused.code === "name-taken" ? message : null });
    return !refused;
  }

  /** Send an action of the game, as a record writes it without the seat. */
  async function act(action) {
    if (state.get().busy) return false;
    set({ busy: true, notice: null });
    const accepted = await ask({ type: "act", seen: state.get().table.seq, action });
    if (!accepted) set({ busy: false });
    return accepted;
  }

  /** Ask for an action that will not be allowed, to hear why; return the refusal, or null. */
  async function attempt(action) {
    const { refused } = await socket.command({ type: "act", seen: state.get().table.seq, action });
    return refused || null;
  }

  return {
    state,
    ask,
    act,
    try: attempt,
    refuse: explain,
    notice,
    promise: (number) => deals.get(number) || null,
    hint,
    forgetHint: () => set({ hint: null }),
    draft: "", // a line of talk that is being written
    forgetName: () => set({ nameTaken: null, notice: null }),
    close: () => socket.close(),
  };
}
