// One table as this browser knows it: the last snapshot, the line, the talk. Nothing is worked out here
// that the server has not said, and nothing is shown before it has said it.
import { announce } from "../a11y.js";
import { t } from "../i18n.js";
import { reasonOf } from "../parts.js";
import { play } from "../sound.js";
import { openSocket } from "../socket.js";
import { createStore } from "../store.js";
import { actsNow } from "./read.js";
import { changes } from "./says.js";

const KEPT_LINES = 200;

/** Return a room: `state` (a store), `ask(message)` for commands, `send`, `notice`, `close`. */
export function openRoom(code) {
  const state = createStore({
    line: "connecting", // connecting | open | lost | closed
    closed: null, // {code, reason} where the line is closed for good
    table: null, // the snapshot
    chat: [],
    hint: null,
    notice: null, // {text, n}: the last refusal, in words
    busy: false, // an action is under way
  });
  let notices = 0;
  const set = (some) => state.set({ ...state.get(), ...some });

  function notice(text) {
    notices += 1;
    set({ notice: text ? { text, n: notices } : null });
    announce(text, true);
  }

  function shown(table, greeting) {
    const before = state.get().table;
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

  function said(message) {
    const chat = [...state.get().chat.filter((one) => one.seq !== message.seq), message];
    set({ chat: chat.slice(-KEPT_LINES) });
  }

  const socket = openSocket(
    code,
    (message) => {
      if (message.type === "welcome" || message.type === "update") {
        shown(message.table, message.type === "welcome");
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
    hint: () => socket.send({ type: "hint" }),
    forgetHint: () => set({ hint: null }),
    close: () => socket.close(),
  };
}
