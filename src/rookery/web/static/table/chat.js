// Table talk: the lines, quick phrases, and a field for a line of one's own.
import { t } from "../core/i18n.js";
import { settings } from "../core/settings.js";
import { html, useEffect, useRef, useState, useStore } from "../core/ui.js";
import { AnotherName } from "./lobby/another_name.js";
import { useVisibleLines } from "./muted.js";
import { EMOTES, Emote, PHRASES, Words } from "./talk.js";

/** The talk, and the ways to add to it. */
export function ChatPanel({ room, state }) {
  const { chatMuted } = useStore(settings);
  const [, draw] = useState(0);
  const [refused, setRefused] = useState(false);
  const log = useRef(null);
  const lines = useVisibleLines(state.chat);
  useEffect(() => {
    if (log.current) log.current.scrollTop = log.current.scrollHeight;
  }, [lines.at(-1)?.seq]);
  // It outlives this panel: the talk is closed, or the match begins.
  const write = (line) => {
    room.draft = line;
    draw((n) => n + 1);
  };
  const say = async (line) => {
    const said = await room.ask({ type: "chat", ...line });
    setRefused(!said);
    return said;
  };
  const submit = async (event) => {
    event.preventDefault();
    const line = room.draft.trim();
    if (!line) return;
    write(""); // the next line may be written before the table has this one
    if (!(await say({ text: line }))) write(`${line} ${room.draft}`.trim());
  };
  if (chatMuted) return html`<p class="mark">${t("chat.muted")}</p>`;
  return html`<div class="chat">
    <div class="chat-log" ref=${log} role="log" aria-label=${t("chat.title")} tabindex="0">
      ${lines.length
        ? lines.map((line) => html`<p key=${line.seq}><strong>${line.name}</strong>${line.from === null && html` <span class="tag">${t("chat.watching")}</span>`} <${Words} line=${line} /></p>`)
        : html`<p class="mark">${t("chat.empty")}</p>`}
    </div>
    <div class="phrases">
      ${PHRASES.map(
        (phrase) => html`<button type="button" class="button chip" key=${phrase}
          onClick=${() => say({ phrase })}>${t(`phrase.${phrase}`)}</button>`,
      )}
    </div>
    <div class="phrases">
      ${EMOTES.map((name) => html`<button type="button" class="icon-button" key=${name} onClick=${() => say({ phrase: name })}><${Emote} name=${name} /></button>`)}
    </div>
    <form class="row nowrap" onSubmit=${submit}>
      <label class="field grow">
        <span class="unseen">${t("chat.line")}</span>
        <input value=${room.draft} maxlength="300" placeholder=${t("chat.line")} onInput=${(event) => write(event.target.value)} />
      </label>
      <button class="button">${t("chat.send")}</button>
    </form>
    ${refused && state.notice && html`<p class="problem">${state.notice.text}</p>`}
    ${state.nameTaken && state.nameTaken.type === "chat" && html`<${AnotherName} room=${room} wanted=${state.nameTaken} />`}
  </div>`;
}
