// A lesson: the table as it stands, what is said about it, and one decision after the other. What a
// choice leads to stands in the lesson's tree, which the server's engine has made beforehand.
import { announce } from "../../core/announce.js";
import { whoAmI } from "../../core/api.js";
import { cardName } from "../../cards/names.js";
import { deckOf } from "../../cards/suits.js";
import { Icon } from "../../components/icons.js";
import { IconButton } from "../../components/common.js";
import { Terms } from "../../components/lazy.js";
import { getOnce, needStyle, useLoaded, Waiting } from "../../components/loading.js";
import { ALONE } from "../../core/base.js";
import { has, needWords, number, plural, t } from "../../core/i18n.js";
import { go, Link } from "../../core/router.js";
import { USUAL, change, settings } from "../../core/settings.js";
import { html, useEffect, useLayoutEffect, useRef, useState, useStore } from "../../core/ui.js";
import { usePicking } from "../../table/decide/picking.js";
import { Board } from "../../table/felt/board.js";
import { nameOf } from "../../table/snapshot.js";
import { bidName, changes, contractText } from "../../table/words.js";
import { ORDER } from "./lessons.js";
import { keep, progressOf } from "./progress.js";
import { endsTrick, tableAt, wayOf } from "./tree.js";

await Promise.all([needWords("learn"), needStyle("learn")]);

const PAUSE = 750; // milliseconds between two cards
const TRICK = 1700; // and after a trick, which lies there for a moment
const REST = { PAUSE: 250, TRICK: 650 }; // once nothing is asked any more

export const title = "learn.title";

/** Return how the lesson stands: a trail of nodes, the frames that still run, and what was chosen. */
function useLesson(tree, mine) {
  const { version, trail: begun } = progressOf(tree.id);
  // What another version or another hand has written there is no way through this tree.
  const isOurs = version === tree.version && Array.isArray(begun) && begun.length > 0 && begun.every((one) => tree.nodes[one]);
  const [trail, setTrail] = useState(isOurs ? begun : [0]);
  const node = tree.nodes[trail.at(-1)];
  const resumed = trail.length > 1;
  const [running, run] = useState(resumed ? [] : node.frames.slice(1));
  const [shown, show] = useState(resumed ? node.at : node.frames[0]);
  const [way, setWay] = useState(null); // the choice that was made here: null while it is open
  const [over, setOver] = useState(false);
  const fresh = useRef(true); // what comes after something was pressed is shown at once
  const [jumps, jump] = useState(0); // where the cards leapt, no old trick may lie over the new one

  useEffect(() => keep(tree.id, { version: tree.version, trail }), [trail]);
  useEffect(() => {
    if (!running.length) return undefined;
    const pace = !way && node.result ? REST : { PAUSE, TRICK };
    const wait = fresh.current ? 0 : endsTrick(tree, shown) ? pace.TRICK : pace.PAUSE;
    const timer = setTimeout(() => step(1), wait);
    return () => clearTimeout(timer);
  }, [running]);

  function step(count) {
    let from = shown;
    fresh.current = false;
    for (const one of running.slice(0, count)) {
      announce(changes(tableAt(tree, from, mine), tableAt(tree, one, mine)).join(" "));
      from = one;
    }
    show(from);
    run(running.slice(count));
  }
  const enter = (numbers, back = false, pressed = true) => {
    const next = tree.nodes[numbers.at(-1)];
    setTrail(numbers);
    setWay(null);
    if (back) show(next.at);
    fresh.current = pressed;
    run(back ? [] : next.frames);
  };
  return {
    node, shown, way, over, running: running.length > 0, at: node.step, total: tree.steps.length,
    jumps,
    mayGoBack: trail.length > 1 && !over,
    hurry() {
      step(running.length);
      jump(jumps + 1);
    },
    choose(action) {
      const found = wayOf(node, action);
      setWay({ ...found, action });
      fresh.current = true;
      run(found.frames || []);
    },
    point: (card) => setWay({ good: node.find.includes(card), card, points: true }),
    next(pressed = true) {
      const to = way ? (way.points ? node.next : way.next) : node.next;
      if (to !== null && to !== undefined) return enter([...trail, to], false, pressed);
      keep(tree.id, { trail: [0], done: true });
      return setOver(true);
    },
    again() {
      setWay(null);
      show(node.at);
      run([]);
    },
    back: () => enter(trail.slice(0, -1), true),
    retry: () => enter(trail.slice(0, trail.findIndex((one) => tree.nodes[one].step === node.back) + 1), true),
  };
}

/** Return what is said now: {text, mark}, with the names of cards and players filled in. */
function useWords(tree, lesson, table) {
  const { node, way } = lesson;
  const { options } = tree.rules;
  const values = Object.fromEntries(deckOf(options).flat().map((card) => [card, cardName(card, options.pack)]));
  table.seats.forEach((_, seat) => {
    values[`p${seat}`] = nameOf(table, seat);
  });
  const { ours, theirs, score, how } = node.result || {};
  Object.assign(values, { bid: table.view.bid === null ? "" : bidName(table.view.bid), ours, theirs, score });
  if (way?.card) values.card = cardName(way.card, options.pack);
  const key = `lesson.${tree.id}.${tree.steps[node.step]}`;
  const first = (...keys) => t(keys.find(has) ?? keys.at(-1), values);
  if (!way && node.good === false) return { mark: "wrong", text: t(`${key}.missed`, values) };
  if (!way) return { mark: null, text: first(`${key}.${how}`, key) };
  if (way.good) return { mark: "right", text: has(`${key}.right`) ? t(`${key}.right`, values) : "" };
  const said = first(`${key}.wrong.${way.why}`, `${key}.wrong`);
  return { mark: "wrong", text: way.costs ? `${said} ${plural("learn.costs", way.costs, { n: number(way.costs) })}` : said };
}

/** The text of the moment, and the way on. */
function Teacher({ lesson, words, asks }) {
  const { way, running, node } = lesson;
  const box = useRef(null);
  const seen = new Set(); // a word is explained where it comes first
  const quiet = running || (way?.good && !words.text);
  useEffect(() => {
    if (quiet) return;
    announce([words.mark && t(`learn.${words.mark}`), words.text].filter(Boolean).join(" "));
    const zone = asks && (document.querySelector(".lesson .decide button:not([disabled])") || document.querySelector('.lesson .mine [tabindex="0"]'));
    (zone || box.current.querySelector(".primary"))?.focus({ preventScroll: true });
  }, [node, way, quiet]);
  useEffect(() => {
    if (way?.good && !running && !words.text) lesson.next(false);
  }, [way, running]);
  const button = (text, press, more = "primary") => html`<button type="button" class=${`button ${more}`} onClick=${() => press()}>${text}</button>`;
  return html`<section class=${`teacher panel ${words.mark || ""}`} aria-label=${t("learn.teacher")} ref=${box}>
    ${quiet
      ? html`<p class="mark">${t("learn.watch")}</p>`
      : html`<div class="lesson-text">
          ${words.mark && html`<p class="verdict"><span aria-hidden="true">${words.mark === "right" ? "✓" : "✗"}</span> ${t(`learn.${words.mark}`)}</p>`}
          ${words.text.split("\n").map((line) => html`<p key=${line}><${Terms} text=${line} seen=${seen} /></p>`)}
        </div>`}
    <div class="row">
      ${running && button(t("learn.hurry"), lesson.hurry, "quiet hurry")}
      ${!quiet && way?.good && button(t("learn.next"), lesson.next)}
      ${!quiet && way && !way.good && button(t("learn.again"), lesson.again)}
      ${!quiet && !way && node.good === false && button(t("learn.again"), lesson.retry)}
      ${!quiet && !way && !asks && node.good !== false && button(t(node.next === null ? "learn.finish" : "learn.next"), lesson.next)}
    </div>
  </section>`;
}

// Pointing at a card needs no legal action: every card of the hand may be tapped.
const pointing = (table, lesson) => ({
  request: { verb: "play", source: "hand", from: table.view.hand, must: [], first: [], n: 1 },
  chosen: lesson.way?.card ? [lesson.way.card] : [],
  pick: (card) => lesson.point(card),
  clear: () => {},
});

/** The table of a lesson. */
function Play({ tree, table, lesson, head }) {
  const { node, way, running } = lesson;
  const [notice, setNotice] = useState("");
  const open = !running && !way && !lesson.over;
  const decides = open && Boolean(node.ways);
  const room = {
    act: lesson.choose,
    try: async (action) => (action in (node.refused || {}) ? { code: node.refused[action], reason: "" } : null),
    notice(text) {
      setNotice(text);
      announce(text);
    },
    refuse: ({ code }) => room.notice(t(`refused.${code}`)),
    forgetHint: () => {},
    forgives: true, // what is wrong is asked again, so that one tap is enough
  };
  // While nothing is asked nothing may be chosen, whatever would be legal.
  const quiet = decides ? table : { ...table, view: { ...table.view, to_act: null, legal: [] } };
  const choosing = usePicking(room, quiet);
  const finds = open && Boolean(node.find);
  const picking = finds || way?.points ? pointing(table, lesson) : choosing;
  useLayoutEffect(() => setNotice(""), [node, way]);
  // Of a discard that was wrong only the card that has to stay is chosen anew.
  const others = useRef({});
  useEffect(() => {
    if (way?.card && way.action) others.current = { node, cards: way.action.split(" ").slice(1).filter((card) => card !== way.card) };
    if (!decides || others.current.node !== node) return;
    for (const card of others.current.cards) choosing.pick(card, "hand");
    others.current = {};
  }, [node, way, decides]);
  const words = useWords(tree, lesson, table);
  const { stay } = useStore(settings);
  return html`<${Board} class="lesson" table=${quiet} room=${room} picking=${picking} head=${head} acts=${decides || finds} at=${null}
    felt=${`${lesson.jumps} ${stay === "tap" && !running}`} said=${html`<${Teacher} lesson=${lesson} words=${words} asks=${decides || finds} />`}
    asked=${decides ? undefined : null} also=${notice && html`<p class="notice">${notice}</p>`} />`;
}

function Finished({ tree }) {
  const after = ORDER[ORDER.indexOf(tree.id) + 1];
  const box = useRef(null);
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    announce(t("learn.finished"));
    box.current.querySelector("button").focus({ preventScroll: true });
  }, []);
  // A table at once: the game of the lesson, or the one that was last played here.
  const play = async () => {
    setBusy(true);
    try {
      const [{ doAs }, { playBots }] = await Promise.all([import("../../components/name.js"), import("../../components/play_bots.js"), needWords("pages")]);
      const { bot, game } = settings.get();
      if (!bot) change({ bot: "casual" }); // whoever has just learned the game has not chosen how bots play
      go(`/t/${await doAs("", () => playBots(game || USUAL))}`);
    } catch {
      go("/"); // where everything can be chosen, and what is wrong is said
    }
  };
  return html`<section class="teacher panel right finished" ref=${box}>
    <${Icon} name="crow" />
    <h2>${t("learn.finished")}</h2>
    <p>${t(tree.id === ORDER[0] ? "learn.finished_first" : "learn.finished_more")}</p>
    <div class="row">
      <button type="button" class="button primary" disabled=${busy} onClick=${play}>${t("learn.play")}</button>
      ${after && html`<${Link} class="button" href=${`/learn/${after}`}>${t("learn.then", { name: t(`lesson.${after}.title`) })}<//>`}
      <${Link} class="button quiet" href="/learn">${t("learn.all")}<//>
    </div>
    ${!ALONE && html`<p><${Link} class="button quiet" href="/daily">${t("learn.daily")}<//></p>`}
  </section>`;
}

function Course({ tree, mine }) {
  const lesson = useLesson(tree, mine);
  const table = tableAt(tree, lesson.shown, mine);
  const { at, total } = lesson;
  const contract = contractText(table);
  const { node, way, running, over } = lesson;
  const asks = !running && !way && !over && Boolean(node.ways || node.find);
  const own = () => (node.find ? lesson.point(node.find[0]) : lesson.choose(node.own));
  const head = html`<header class="lesson-head">
    <${IconButton} icon="undo" label=${t("learn.back")} disabled=${!lesson.mayGoBack} onClick=${lesson.back} />
    <div class="grow">
      <h1 tabindex="-1">${t(`lesson.${tree.id}.title`)}</h1>
      <p class="mark">${t("learn.step", { n: at + 1, of: total })}${contract && html`<span class="contract"> · ${contract}</span>`}</p>
    </div>
    ${asks && html`<button type="button" class="button show-me" onClick=${own}><${Icon} name="bulb" /><span>${t("learn.show_me")}</span></button>`}
    <${IconButton} icon="close" label=${t("learn.leave")} onClick=${() => go("/learn")} />
    <progress max=${total} value=${over ? total : at} aria-label=${t("learn.progress")}></progress>
  </header>`;
  return over
    ? html`<div class="lesson board">${head}<${Finished} tree=${tree} /></div>`
    : html`<${Play} tree=${tree} table=${table} lesson=${lesson} head=${head} />`;
}

/** The page of one lesson. */
export default function LessonPage({ params }) {
  const known = ORDER.includes(params.id);
  const { value, error, again } = useLoaded(async () => {
    if (!known) throw Object.assign(new Error(), { code: "not-found" });
    const [tree, me] = await Promise.all([getOnce(`/static/lessons/${params.id}.json`), ALONE ? {} : whoAmI().catch(() => ({}))]);
    return { tree, mine: me.name };
  }, [params.id]);
  if (!value) {
    return html`<div class="narrow stack"><h1 tabindex="-1">${t("learn.title")}</h1><${Waiting} error=${error} again=${known ? again : null} />
      ${error && html`<p><${Link} href="/learn" class="button">${t("learn.all")}<//></p>`}</div>`;
  }
  return html`<${Course} key=${params.id} tree=${value.tree} mine=${value.mine} />`;
}
