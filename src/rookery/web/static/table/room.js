// One table as this browser knows it: the last snapshot, the line, the talk. Nothing is worked out here
// that the server has not said, and nothing is shown before it has said it.
import { announce } from "../core/announce.js";
import { t } from "../core/i18n.js";
import { reasonOf } from "../components/common.js";
import { play } from "../core/sound.js";
import { openSocket } from "../core/socket.js";
import { createStore } from "../core/store.js";
import { actsNow } from "./snapshot.js";
import { changes, outcomes } from "./words.js";

const KEPT_LINES = 200;
const SHARE_BYTES = 16;
const SCHEME = "rook-deal-1";

const chance = () => Array.from(crypto.getRandomValues(new Uint8Array(SHARE_BYTES)), (n) => n.toString(16).padStart(2, "0")).join("");

/** Return a room: `state` (a store), `ask(message)` for commands, `send`, `notice`, `close`. */
export function openRoom(code) {
  const state = createStore({
    line: "connecting", // connecting | open | lost | closed
    closed: null, // {code, reason} where the line is closed for good
    table: null, // the snapshot
    chat: [],
    hint: null,
    notice: null, // {text, n}: the last refusal, in words
    nameless: null, // the wish to sit that failed because somebody here has my name
    told: null, // {text, hand, seq}: how a question to the table ended
    busy: false, // an action is under way
  });
  let notices = 0;
  const set = (some) => state.set({ ...state.get(), ...some });

  function notice(text) {
    notices += 1;
    set({ notice: text ? { text, n: notices } : null });
    announce(text, true);
  }

  function shown(news, greeting) {
    const before = state.get().table;
    // An update leaves out the rules, which stay as the greeting had them.
    const table = news.rules ? news : { ...news, rules: before.rules };
    const moved = !before || before.seq !== table.seq;
    set({ table, busy: false, hint: moved ? null : state.get().hint, notice: moved ? null : state.get().notice });
    if (before && !greeting) {
      for (const text of changes(before, table)) announce(text);
      if (actsNow(table) && !actsNow(before)) play("turn");
      else if (before.view && table.view && before.view.trick.length !== table.view.trick.length) play("card");
    } else if (table.view) {
      for (const text of changes(null, table)) announce(text);
    }
  }

  // What this browser saw and gave before the cards were dealt, by the number of the deal: the proof
  // shown afterwards is compared with it.
  const promises = new Map();

  function contribute({ deal, you }) {
    if (!deal || deal.scheme !== SCHEME) return;
    const kept = promises.get(deal.number) || { commitment: deal.commitment, share: null, seat: null };
    promises.set(deal.number, kept);
    if (you === null || kept.share || deal.shares.includes(you)) return;
    kept.share = chance();
    kept.seat = you;
    // Somebody else may begin the deal meanwhile: a refusal is no business of the player's.
    ask({ type: "contribute", number: deal.number, share: kept.share }, { quiet: true }).then((taken) => {
      if (!taken) kept.share = null;
    });
  }

  function ended(events, table) {
    const texts = outcomes(events, table);
    if (!texts.length) return;
    for (const text of texts) announce(text);
    // What has ended a hand is still worth reading beside its score.
    set({ told: { text: texts.join(" "), hand: table.hand_number, seq: table.seq, ended: table.view.phase === "done" } });
  }

  function said(message) {
    const chat = [...state.get().chat.filter((one) => one.seq !== message.seq), message];
    set({ chat: chat.slice(-KEPT_LINES) });
  }

  const socket = openSocket(
    code,
    (message) => {
      if (message.type === "welcome" || message.type === "update") {
        shown(message.table, message.type === "welcome");
        const { table } = state.get();
        ended(message.events || [], table);
        contribute(table);
        for (const line of message.chat || []) said(line);
      } else if (message.type === "chat") said(message);
      else if (message.type === "hint") set({ hint: message });
      else if (message.type === "refused" && !message.id) notice(reasonOf(message));
    },
    (line, closed) => {
      const before = state.get().line;
      set({ line, closed: line === "closed" ? closed : null });
      if (line === "lost" && before === "open") announce(t("table.line.lost"), true);
      if (line === "open" && before === "lost") announce(t("table.line.back"));
    },
  );

  /** Send a command; return whether it was accepted. A refusal becomes the notice. */
  async function ask(message, { quiet = false } = {}) {
    const { refused } = await socket.command(message);
    if (refused && !quiet) notice(reasonOf(refused));
    if (message.type === "sit") set({ nameless: refused && refused.code === "name-taken" ? message : null });
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
    refuse: (refused) => notice(reasonOf(refused)),
    notice,
    promise: (number) => promises.get(number) || null,
    hint: () => socket.send({ type: "hint" }),
    forgetHint: () => set({ hint: null }),
    close: () => socket.close(),
  };
}
