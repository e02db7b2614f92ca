// Who is there, for whoever runs an evening: late comers, stand-ins, who leaves, who is called otherwise, who changes places.
import { t } from "../../core/i18n.js";
import { html, useState } from "../../core/ui.js";
import { Sure } from "../../components/sure.js";
import { nameOf, namesIn } from "./said.js";
import { Refusal, useDoing } from "./place.js";

function LateComers({ log }) {
  const [text, set] = useState("");
  const [busy, error, run] = useDoing();
  const names = namesIn(text);
  const add = async (change) => {
    set(""); // the next names may be typed before the server has these
    if (!(await run(() => log.act(change)))) set((since) => [text, since].filter(Boolean).join("\n"));
  };
  const submit = (event) => {
    event.preventDefault();
    if (names.length) add({ do: "arrive", names });
  };
  return html`<form class="stack tight" onSubmit=${submit}>
    <label class="field"><span>${t("evening.late")}</span>
      <textarea name="late" rows="2" autocomplete="off" spellcheck="false" value=${text} onInput=${(event) => set(event.target.value)}></textarea>
      <small>${t("evening.late_how")}</small></label>
    <div class="row">
      <button class="button" disabled=${busy || !names.length}>${t("evening.late_add")}</button>
      <button type="button" class="button" disabled=${busy || names.length !== 1} onClick=${() => add({ do: "stand_in", name: names[0] })}>${t("evening.stand_in")}</button>
    </div>
    <small>${t("evening.stand_in_how")}</small>
    <${Refusal} error=${error} />
  </form>`;
}

function Exchange({ log, evening }) {
  const [one, setOne] = useState("");
  const [other, setOther] = useState("");
  const [busy, error, run] = useDoing();
  const there = evening.people.filter(({ number }) => evening.round.tables.some(({ seats }) => seats.includes(number)) || evening.round.byes.includes(number));
  const choice = (label, name, value, set) => html`<label class="field"><span>${label}</span>
    <select name=${name} onChange=${(event) => set(event.target.value)}>
      <option value="" selected=${value === ""}>–</option>
      ${there.map(({ number }) => html`<option key=${number} value=${number} selected=${String(number) === value}>${nameOf(evening, number)}</option>`)}
    </select></label>`;
  const submit = async (event) => {
    event.preventDefault();
    if (one === "" || other === "" || one === other) return;
    if (await run(() => log.act({ do: "exchange", one: Number(one), other: Number(other) }))) {
      setOne("");
      setOther("");
    }
  };
  return html`<form class="stack tight" onSubmit=${submit}>
    <h3>${t("evening.exchange")}</h3>
    <div class="pair-fields">${choice(t("evening.exchange_one"), "one", one, setOne)}${choice(t("evening.exchange_other"), "other", other, setOther)}</div>
    <div class="row"><button class="button" disabled=${busy || one === "" || other === "" || one === other}>${t("evening.exchange_do")}</button></div>
    <${Refusal} error=${error} />
  </form>`;
}

function Change({ log, one, called, done }) {
  const [name, setName] = useState(one.name);
  const [busy, error, run] = useDoing();
  const act = async (change) => {
    if (await run(() => log.act({ ...change, person: one.number }))) done();
  };
  const rename = (event) => {
    event.preventDefault();
    if (name.trim() && name.trim() !== one.name) act({ do: "rename", name: name.trim() });
  };
  return html`<div class="stack tight">
    <form class="row nowrap" onSubmit=${rename}>
      <label class="field grow"><span class="unseen">${t("evening.new_name", { name: called })}</span><input name="rename" autocomplete="off" value=${name} onInput=${(event) => setName(event.target.value)} /></label>
      <button class="button" disabled=${busy || !name.trim() || name.trim() === one.name}>${t("evening.rename")}</button>
    </form>
    <div class="row">
      ${one.here
        ? html`<button type="button" class="button" disabled=${busy} onClick=${() => act({ do: "leave" })}>${t("evening.leave")}</button>`
        : html`<button type="button" class="button" disabled=${busy} onClick=${() => act({ do: "return" })}>${t("evening.return")}</button>`}
      ${one.claimed && html`<${Sure} label=${t("evening.free")} sure=${t("evening.free_sure")} back=${t("evening.cancel")} busy=${busy} act=${() => act({ do: "free" })} />`}
    </div>
    <${Refusal} error=${error} />
  </div>`;
}

function Person({ log, one, called }) {
  const [open, setOpen] = useState(false);
  return html`<li class="person stack tight" data-person=${called}>
    <div class="row tight nowrap">
      <span class="grow"><b>${called}</b>
        ${one.bot && html` <span class="tag">${t("evening.tag.bot")}</span>`}${!one.here && html` <span class="tag">${t("evening.tag.left")}</span>`}${one.stands_in && html` <span class="tag">${t("evening.tag.stands_in")}</span>`}${one.claimed && html` <span class="tag">${t("evening.tag.phone")}</span>`}</span>
      ${!one.bot && html`<button type="button" class="button chip" aria-expanded=${open} aria-label=${t("evening.change_person", { name: called })} onClick=${() => setOpen(!open)}>${t("evening.change")}</button>`}
    </div>
    ${open && html`<${Change} key=${one.name} log=${log} one=${one} called=${called} done=${() => setOpen(false)} />`}
  </li>`;
}

/** The people, and what happens to them. */
export function People({ log, evening }) {
  return html`<details class="panel people">
    <summary>${t("evening.people_host", { n: evening.people.filter(({ here, bot }) => here && !bot).length })}</summary>
    <div class="stack">
      ${!evening.over && html`<${LateComers} log=${log} />`}
      ${!evening.over && evening.round && !evening.screens && html`<${Exchange} log=${log} evening=${evening} />`}
      <ul class="plain people-list">${evening.people.map((one) => html`<${Person} key=${one.number} log=${log} one=${one} called=${nameOf(evening, one.number)} />`)}</ul>
    </div>
  </details>`;
}
