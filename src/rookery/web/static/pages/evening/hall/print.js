// What an evening has on paper: chosen by boxes, seen below as it will be, then printed by the browser.
import { get } from "../../../core/api.js";
import { needWords, t } from "../../../core/i18n.js";
import { Link } from "../../../core/router.js";
import { html, useEffect, useMemo, useState, useStore } from "../../../core/ui.js";
import { OnlyHere, Problem, onlyHere } from "../../../components/common.js";
import { Waiting, needStyle, useLoaded } from "../../../components/loading.js";
import { shapesOf } from "../../../components/qr.js";
import { evenings } from "../kept.js";
import { pathOf, watchEvening, withKey } from "../told.js";
import { Dealing, Hands, Orders, PairCards, TableCards } from "./dealing.js";
import { Forms, Names, Rounds, Seats, Slips, Standings } from "./papers.js";

await Promise.all([needWords("pages"), needWords("beside/hall"), needStyle("hall")]);

export const title = "print.title";

const LOOK = 30_000; // milliseconds between two looks: what is printed is read for longer
// In the order in which they are printed; `round` says whether there has to be one.
const KINDS = [
  { kind: "seats", round: true },
  { kind: "names", round: true },
  { kind: "slips", round: true },
  { kind: "forms", round: true },
  { kind: "standings", round: false },
  { kind: "rounds", round: true },
];
// To deal prepared cards by hand, for hosts alone.
const DEALT = [["hands", Hands], ["orders", Orders], ["dealing", Dealing], ["tables", TableCards], ["pairs", PairCards]];

// The link to each table of a round with its picture, by number.
async function waysOf(code, key, round) {
  const { links } = await get(`${pathOf(code)}/rounds/${round}/links`, withKey(key));
  return new Map(links.map(({ table, link, picture }) => [table, { link, drawn: shapesOf(picture) }]));
}

function Choice({ evening, dealt, chosen, choose }) {
  return html`<fieldset class="print-kinds">
    <legend>${t("print.what")}</legend>
    ${KINDS.map(({ kind, round }) => html`<label key=${kind} class="switch">
      <input type="checkbox" name=${kind} checked=${chosen.includes(kind)} disabled=${round && !evening.round} onChange=${() => choose(kind)} />
      <span>${t(`print.kind.${kind}`)}</span>
    </label>`)}
    ${dealt && DEALT.map(([kind]) => html`<label key=${kind} class="switch">
      <input type="checkbox" name=${kind} checked=${chosen.includes(kind)} onChange=${() => choose(kind)} />
      <span>${t(`print.kind.${kind}`)}</span>
    </label>`)}
    ${dealt && html`<p class="notice">${t("print.sees_cards")}</p>`}
  </fieldset>`;
}

function Print({ code, told, secret }) {
  const { evening, you } = told;
  const [wanted, setWanted] = useState(["seats"]);
  const choose = (kind) => setWanted((before) => (before.includes(kind) ? before.filter((one) => one !== kind) : [...before, kind]));
  const dealt = you.host && evening.commitment !== null && !evening.screens;
  const byHand = dealt ? DEALT.filter(([kind]) => wanted.includes(kind)) : [];
  const chosen = [...KINDS.filter(({ kind, round }) => wanted.includes(kind) && (evening.round || !round)), ...byHand.map(([kind]) => ({ kind }))].map(({ kind }) => kind);
  const tables = evening.round?.tables.map(({ number }) => number) ?? [];
  const scored = chosen.includes("slips") && you.host;
  const ways = useLoaded(() => (scored ? waysOf(code, secret, evening.rounds) : Promise.resolve(null)), [scored, evening.rounds, tables.join()]);
  const kept = useLoaded(() => (chosen.includes("rounds") ? get(`${pathOf(code)}/file?form=json`, withKey(secret)) : Promise.resolve(null)), [chosen.includes("rounds"), told.entries]);
  const slips = useLoaded(() => (byHand.length ? get(`${pathOf(code)}/slips`, withKey(secret)) : Promise.resolve(null)), [byHand.length > 0, evening.teams.length]);
  const waits = (byHand.length > 0 && !slips.value) || (scored && !ways.value) || (chosen.includes("rounds") && !kept.value && !kept.error);
  const seats = Number(Object.keys(evening.sides)[0]);
  const link = ways.value?.get(tables[0])?.link;
  const shown = { evening, ways: onlyHere(link) ? null : ways.value };
  return html`<div class="stack print-choice">
    <h1 tabindex="-1">${t("print.title")}</h1>
    <p>${evening.name}</p>
    ${!evening.round && html`<p class="notice">${t("print.no_round")}</p>`}
    <${Choice} evening=${evening} dealt=${dealt} chosen=${chosen} choose=${choose} />
    ${chosen.includes("slips") && !you.host && html`<p class="notice">${t("print.no_key")}</p>`}
    <${OnlyHere} link=${link} />
    ${[ways, kept, slips].map(({ error, again }, i) => error && html`<${Problem} key=${i} error=${error} retry=${again} />`)}
    <div class="row">
      <button type="button" class="button primary big" disabled=${waits || !chosen.length} onClick=${() => window.print()}>${t("print.print")}</button>
      <${Link} href=${`/e/${code}`} class="button">${t("print.back")}<//>
    </div>
  </div>
  <div class="papers">
    ${chosen.includes("seats") && html`<${Seats} ...${shown} />`}
    ${chosen.includes("names") && html`<${Names} ...${shown} />`}
    ${chosen.includes("slips") && html`<${Slips} ...${shown} />`}
    ${chosen.includes("forms") && html`<${Forms} ...${shown} />`}
    ${chosen.includes("standings") && html`<${Standings} ...${shown} />`}
    ${chosen.includes("rounds") && kept.value && html`<${Rounds} evening=${kept.value.evening} rounds=${kept.value.rounds} />`}
    ${slips.value && byHand.map(([kind, Kind]) => html`<${Kind} key=${kind} evening=${evening} slips=${slips.value} seats=${seats} />`)}
  </div>`;
}

// The key of the host's link that was opened now, or here before.
function keyOf(code) {
  const hash = location.hash.slice(1);
  return (hash ? evenings.opened(code, hash) : evenings.read(code)).key;
}

/** The page. */
export default function PrintPage({ params }) {
  const code = params.code.toUpperCase();
  const secret = useMemo(() => keyOf(code), [code]);
  const watched = useMemo(() => watchEvening(code, secret, LOOK), [code, secret]);
  useEffect(() => watched.close, [watched]);
  const { told, error } = useStore(watched.store);
  if (told && !error) return html`<${Print} code=${code} told=${told} secret=${secret} />`;
  return html`<div class="stack narrow">
    <h1 tabindex="-1">${t("print.title")}</h1>
    <${Waiting} error=${error} again=${error?.status === 404 ? null : watched.look} />
    ${error && html`<p><${Link} href="/" class="button">${t("shell.home")}<//></p>`}
  </div>`;
}
