// Messages for screen readers. Texts that come close together are read as one.

const waiting = { polite: [], urgent: [] };
const timers = {};

function speak(id) {
  const box = document.getElementById(id);
  if (!box) return;
  const line = document.createElement("p");
  // Emptied first: a text that fails silences only what was to be read with it.
  const due = waiting[id].splice(0);
  const texts = due.flatMap((text) => (typeof text === "function" ? text() : text));
  if (!texts.length) return;
  line.textContent = texts.join(" ");
  // The same text again is only read when it is a new node.
  box.replaceChildren(line);
}

/** Announce `text`, or the texts that a function returns when it is time; `urgent` interrupts what is being read. */
export function announce(text, urgent = false) {
  if (!text) return;
  const id = urgent ? "urgent" : "polite";
  waiting[id].push(text);
  clearTimeout(timers[id]);
  timers[id] = setTimeout(() => speak(id), 60);
}
