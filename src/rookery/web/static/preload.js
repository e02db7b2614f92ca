// The first script of the page: has the browser fetch, all at once, the modules of app.js, which the server has written beside
// its name, and the modules and styles of the page that the address asks for; app.js would find them one layer after the other.
// A test keeps the lists complete.
const NEEDED = {
  alone: [
    "pages/home/alone.js", "pages/home/lists.js", "components/name.js", "components/bots.js", "pages/home/first_lesson.js",
    "pages/learn/progress.js", "core/here.js",
  ],
  "": [
    "pages/home/home.js", "pages/home/lists.js", "components/name.js", "components/passkeys.js",
    "core/passkeys.js", "core/socket.js", "components/bots.js", "components/play_bots.js", "pages/home/first_lesson.js", "pages/learn/progress.js",
  ],
  "new": [
    "pages/create/create.js", "components/loading.js", "pages/rules/catalogue.js", "pages/create/form.js",
    "pages/rules/found.js", "pages/rules/house_rules.js", "pages/rules/rules_text.js", "components/name.js", "components/bots.js",
    "components/play_bots.js", "core/socket.js",
  ],
  t: [
    "css/table.css", "css/table_small.css",
    "pages/table.js", "table/lobby/lobby.js", "table/room.js", "table/snapshot.js", "core/sound.js", "core/socket.js",
    "table/words.js", "cards/names.js", "cards/suits.js", "table/game.js", "table/bar.js", "table/decide/decide.js",
    "table/felt/board.js", "table/felt/felt.js", "table/felt/hand.js", "table/muted.js", "table/keys.js",
    "table/decide/picking.js", "table/felt/plates.js", "components/loading.js", "cards/face.js", "components/bots.js",
    "core/here.js", "pages/learn/progress.js",
  ],
  replay: [
    "css/table.css", "css/table_small.css", "css/board.css",
    "pages/replay/replay.js", "pages/replay/stepper.js", "table/words.js", "components/loading.js", "pages/replay/board.js",
    "pages/replay/steps.js", "cards/names.js", "table/snapshot.js", "cards/face.js", "cards/suits.js",
    "components/bots.js", "core/here.js", "table/result/save_link.js",
  ],
  rules: [
    "pages/rules/rules.js", "components/loading.js", "pages/rules/catalogue.js", "pages/rules/found.js",
    "pages/rules/house_rules.js", "pages/rules/rules_text.js",
  ],
  stats: [
    "pages/stats/stats.js", "components/loading.js", "pages/stats/figures.js", "pages/stats/strangers.js",
  ],
  group: [
    "pages/stats/group.js", "components/loading.js", "pages/stats/figures.js", "pages/stats/ratings.js",
    "pages/stats/strangers.js", "components/bots.js",
  ],
  puzzles: [
    "css/table.css", "css/table_small.css", "css/board.css",
    "pages/puzzles/puzzles.js", "components/loading.js", "pages/puzzles/choices.js", "pages/puzzles/position.js",
    "pages/puzzles/rating.js", "pages/replay/board.js", "pages/replay/steps.js", "table/advice.js", "table/snapshot.js",
    "table/words.js", "cards/face.js", "cards/names.js", "cards/suits.js", "components/bots.js",
  ],
  review: [
    "css/table.css", "css/table_small.css", "css/board.css",
    "pages/review/review.js", "components/loading.js", "pages/replay/board.js", "pages/replay/steps.js",
    "pages/review/decision.js", "pages/review/hand.js", "pages/review/players.js", "pages/review/words.js",
    "table/advice.js", "table/snapshot.js", "table/words.js", "cards/face.js", "cards/names.js", "cards/suits.js",
    "components/bots.js", "pages/mistakes/kept.js", "core/here.js",
  ],
  mistakes: [
    "css/table.css", "css/table_small.css", "css/board.css",
    "pages/mistakes/mistakes.js", "pages/mistakes/kept.js", "pages/mistakes/shared.js", "components/loading.js", "pages/replay/board.js",
    "pages/replay/steps.js", "table/advice.js", "table/snapshot.js", "table/words.js", "cards/face.js",
    "cards/names.js", "cards/suits.js", "components/bots.js",
  ],
  admin: [
    "pages/admin/admin.js", "components/bots.js", "pages/admin/figures.js", "pages/admin/words.js",
    "pages/admin/reports.js",
  ],
  learn: [
    "css/table.css", "css/table_small.css", "css/learn.css",
    "pages/learn/learn.js", "pages/learn/lessons.js", "pages/learn/progress.js", "pages/learn/lesson.js",
    "pages/learn/tree.js", "components/loading.js", "components/bots.js", "cards/names.js", "cards/suits.js",
    "cards/face.js", "table/decide/decide.js", "table/decide/picking.js", "table/felt/board.js", "table/felt/felt.js",
    "table/felt/hand.js", "table/felt/plates.js", "table/keys.js", "table/muted.js", "table/snapshot.js", "table/words.js",
  ],
  daily: [
    "css/daily.css",
    "cards/names.js", "cards/suits.js", "components/bots.js", "components/loading.js", "pages/daily/archive.js",
    "pages/daily/daily.js", "pages/daily/days.js", "table/snapshot.js", "table/words.js",
  ],
  deal: [
    "css/table.css", "css/table_small.css", "css/daily.css", "css/board.css",
    "cards/face.js", "cards/names.js", "cards/suits.js", "components/bots.js", "components/loading.js",
    "components/name.js", "core/sound.js", "pages/daily/attempt.js", "pages/daily/days.js", "pages/daily/deal.js",
    "pages/daily/replay.js", "pages/replay/board.js", "pages/replay/stepper.js", "pages/replay/steps.js", "table/bar.js",
    "table/decide/decide.js", "table/decide/picking.js", "table/felt/board.js", "table/felt/felt.js",
    "table/felt/hand.js", "table/felt/plates.js", "table/keys.js", "table/muted.js", "table/snapshot.js", "table/words.js",
  ],
  sheet: [
    "css/sheet.css",
    "components/loading.js", "components/name.js", "core/shelf.js", "pages/rules/games.js",
    "pages/rules/house_rules.js", "pages/sheet/kept.js", "pages/sheet/new.js", "pages/sheet/said.js",
  ],
  s: [
    "css/sheet.css",
    "components/awake.js", "components/loading.js", "components/qr.js", "components/sure.js", "components/unread.js", "components/way.js",
    "core/back.js", "core/outbox.js", "core/shelf.js", "pages/sheet/entry.js", "pages/sheet/fields.js",
    "pages/sheet/kept.js", "pages/sheet/ledger.js", "pages/sheet/log.js", "pages/sheet/said.js", "pages/sheet/share.js",
    "pages/sheet/sheet.js", "pages/sheet/at_table.js", "pages/evening/kept.js", "pages/evening/told.js",
  ],
  evening: [
    "css/evening.css",
    "components/loading.js", "components/name.js", "core/shelf.js", "pages/evening/kept.js", "pages/evening/new.js",
    "pages/evening/said.js", "pages/evening/screens/choice.js", "pages/rules/games.js", "pages/rules/house_rules.js",
    "components/bots.js",
  ],
  e: [
    "css/sheet.css", "css/evening.css",
    "components/awake.js", "components/loading.js", "components/qr.js", "components/sure.js", "components/unread.js", "components/way.js",
    "core/outbox.js", "core/shelf.js", "pages/evening/entry.js", "pages/evening/evening.js", "pages/evening/host.js",
    "pages/evening/kept.js", "pages/evening/log.js", "pages/evening/people.js", "pages/evening/place.js",
    "pages/evening/rounds.js", "pages/evening/said.js", "pages/evening/standings.js", "pages/evening/table.js",
    "pages/evening/screens/going.js", "pages/evening/screens/promised.js", "pages/evening/screens/real.js", "pages/evening/hall/countdown.js",
    "pages/evening/told.js", "pages/evening/ways.js", "pages/sheet/fields.js", "pages/sheet/said.js",
    "pages/evening/keep.js", "pages/sheet/kept.js",
  ],
  hall: [
    "css/hall.css",
    "pages/evening/hall/hall.js", "pages/evening/hall/countdown.js", "pages/evening/hall/seats.js", "pages/evening/hall/turning.js",
    "pages/evening/told.js", "components/awake.js", "components/loading.js", "components/qr.js",
  ],
  print: [
    "css/hall.css",
    "pages/evening/hall/print.js", "pages/evening/hall/papers.js", "pages/evening/hall/dealing.js", "pages/evening/hall/seats.js",
    "pages/evening/said.js", "pages/evening/told.js", "cards/names.js", "cards/suits.js",
    "pages/evening/kept.js", "core/shelf.js", "components/loading.js", "components/qr.js",
  ],
  fair: [
    "pages/fair.js", "fairness/record_check.js", "components/loading.js", "cards/suits.js",
    "fairness/deal_check.js",
  ],
  offline: [
    "table/offline/page.js", "pages/home/lists.js", "components/bots.js", "components/name.js", "components/play_bots.js",
    "core/socket.js", "table/offline/fetching.js", "table/offline/kit.js", "core/here.js",
  ],
  "return": [
    "pages/return.js", "pages/home/lists.js", "components/passkeys.js", "core/passkeys.js",
  ],
};

const SOME = 4; // links of one task: to ask for one takes a millisecond

const wanted = [];
const ask = (rel, href, more = {}) => wanted.push({ rel, href, ...more });
function fetchSome() {
  for (const link of wanted.splice(0, SOME)) document.head.append(Object.assign(document.createElement("link"), link));
  if (wanted.length) setTimeout(fetchSome);
}

// The words of the likely language; i18n.js decides, and a wrong guess costs nothing but its bytes.
const known = (navigator.languages || []).find((tag) => /^(en|es)/i.test(tag));
const lang = known ? known.slice(0, 2).toLowerCase() : "en";
const data = { as: "fetch", crossOrigin: "anonymous" };
const root = document.currentScript.src.replace(/preload\.js.*$/, "");
ask("preload", `${root}i18n/${lang}.json`, data);
// As in core/base.js: where there is no server, the path stands behind a question mark.
const isAlone = "alone" in document.documentElement.dataset;
const [, segment = "", , family] = (isAlone ? location.search.slice(1) : location.pathname).split(/[/?]/);
// Whoever runs the server is nobody at its tables.
if (segment !== "admin" && !isAlone) ask("preload", "/api/session", data);
if (segment !== "t") ask("preload", `${root}i18n/pages.${lang}.json`, data);
const modules = document.currentScript.dataset.modules.split(" ");
// A day's list needs no table, and neither a hall nor paper a phone.
const page = segment === "daily" && family ? "deal" : segment === "e" && /hall|print/.test(family) ? family : segment || (isAlone ? "alone" : "");
for (const name of [...modules, ...(NEEDED[page] || [])]) {
  if (name.endsWith(".css")) ask("preload", root + name, { as: "style" });
  else ask("modulepreload", root + name);
}
fetchSome();
