// The shell: header, the page for the path, settings, what is said when something fails.
//
// CONVENTIONS FOR PAGES
//
// 1. A page is static/pages/NAME.js, named in router.js (ROUTES and PAGES). It exports
//      export const title = "home.title";                 // key of the document's title
//      export default function Home({ params, query }) { return html`...`; }
//    The shell draws <header> and <main id="main">; a page begins with one <h1 tabindex="-1"> and
//    uses <h2> below it. After a change of page the shell puts the focus on that h1.
// 2. Import `html` and the hooks from "../ui.js", never from vendor/. No import has a bare name, no
//    inline script or style exists (the content policy forbids both): styles are classes; a value
//    that moves is set as style=${{ "--x": "12px" }}, an object, which goes through the DOM.
// 3. Every text a person reads is t("page.key", {name}) or plural("page.key", n) from "../i18n.js".
//    The keys begin with the page's name (home.*, create.*, rules.*, replay.*, stats.*); shell.* ,
//    card.* and table.* exist already. Both catalogues get every key, and only keys in use; a test
//    compares them. A key made up at run time is written as t(`prefix.${word}`) with the prefix in full.
//    Words that the table does not need stand in a catalogue of their own (i18n/PART.en.json), which a
//    page awaits at its top: await needWords("PART").
// 4. REST is get(path) and post(path, body) from "../api.js"; both throw Refused {code, message}.
//    Show a refusal with <${Problem} error=${error} retry=${again} /> from "../parts.js": it knows
//    the words of the codes (refused.*) and falls back on the server's reason.
// 5. Move with go("/t/CODE") and <${Link} href="..."> from "../router.js".
// 6. Buttons: class "button", with "primary", "quiet" or "danger"; fields: <label class="field">;
//    panels: class "panel"; a row that wraps: class "row"; a column: class "stack". Dialogs:
//    <${Dialog} title=${...} onClose=${...}> from "../dialog.js" (native <dialog>, Escape closes).
//    Everything that can be pressed is at least 44 px high on touch (var(--target)).
// 7. Cards: <${Face} card="R14" rules=${options} /> from "../cards/face.js" (decorative when
//    `quiet` is set); cardName("R14", pack) from "../cards/names.js" is the card in words. Colours only
//    through the custom properties of css/base.css, which change with the theme.
// 8. What changes without the person's doing is told by announce(text) from "../a11y.js".
// 9. Settings of the device: `settings` and `change` from "../settings.js", read with useStore().
// 10. The modules that a page imports stand in preload.js under the first part of its path, so that the
//    browser fetches them at once; a test compares that list with the imports. Style sheets stand in
//    index.html.
import { announce } from "./core/announce.js";
import { whoAmI } from "./core/api.js";
import { language, loadWords, t } from "./core/i18n.js";
import { Icon } from "./components/icons.js";
import { fetchRest, later, whenIdle } from "./components/lazy.js";
import { IconButton, Problem } from "./components/common.js";
import { Link, PAGES, place } from "./core/router.js";
import { html, render, useEffect, useErrorBoundary, useRef, useState, useStore } from "./core/ui.js";

const SettingsDialog = later(() => import("./components/settings_dialog.js"), "SettingsDialog");

function usePage(name) {
  const [state, set] = useState({ name: null, module: null, error: null });
  const [attempt, again] = useState(0);
  useEffect(() => {
    let wanted = true;
    if (!name) {
      set({ name, module: null, error: { code: "no-page", message: "" } });
      return undefined;
    }
    PAGES[name]().then(
      (module) => wanted && set({ name, module, error: null }),
      () => wanted && set({ name, module: null, error: { code: "no-load", message: "" } }),
    );
    return () => {
      wanted = false;
    };
  }, [name, attempt]);
  return [state, () => again(attempt + 1)];
}

function Guarded({ children }) {
  // A fault of ours in drawing must not leave an empty page.
  const [fault] = useErrorBoundary((error) => console.error(error));
  if (!fault) return children;
  return html`<div class="narrow stack">
    <h1 tabindex="-1">${t("shell.trouble")}</h1>
    <${Problem} error=${{ code: "fault" }} retry=${() => location.reload()} />
  </div>`;
}

function Shell() {
  const here = useStore(place);
  useStore(language);
  const [state, again] = usePage(here.page);
  const [open, setOpen] = useState(false);
  const first = useRef(true);
  const main = useRef(null);
  const { module, error } = state;
  const ready = state.name === here.page;

  useEffect(() => {
    if (!ready || !module) return;
    document.title = `${t(module.title)} · Rookery`;
    if (!first.current) {
      const heading = main.current && main.current.querySelector("h1");
      if (heading) heading.focus({ preventScroll: true });
      announce(t(module.title));
    }
    first.current = false;
  }, [module, here.path, ready]);

  const Page = ready && module && module.default;
  return html`
    <header class="top">
      <${Link} href="/" class="brand"><${Icon} name="crow" /><span>Rookery</span><//>
      <div id="top-slot" class="top-slot"></div>
      <${IconButton} icon="gear" label=${t("shell.settings")} onClick=${() => setOpen(true)} />
    </header>
    <main id="main" ref=${main} tabindex="-1" class=${`page page-${here.page || "none"}`}>
      ${Page
        ? html`<${Guarded} key=${here.path}><${Page} params=${here.params} query=${here.query} /><//>`
        : ready && error
          ? html`<div class="narrow stack">
              <h1 tabindex="-1">${t("shell.trouble")}</h1>
              <${Problem} error=${error} retry=${here.page ? again : null} />
              <p><${Link} href="/" class="button">${t("shell.home")}<//></p>
            </div>`
          : html`<p class="loading">${t("shell.loading")}</p>`}
    </main>
    ${open && html`<${SettingsDialog} onClose=${() => setOpen(false)} />`}
  `;
}

async function begin() {
  // Words, page and name are asked for side by side; each would wait for the one before otherwise.
  const words = loadWords();
  const { page } = place.get();
  if (page) PAGES[page]().catch(() => {});
  if (page !== "admin") whoAmI().catch(() => {});
  await words;
  const skip = document.querySelector(".skip");
  const rename = () => {
    skip.textContent = t("shell.skip");
  };
  rename();
  language.subscribe(rename);
  render(html`<${Shell} />`, document.getElementById("app"));
  whenIdle(async () => {
    await fetchRest();
    // Plain http on a LAN address has no service worker; everything else works there.
    if ("serviceWorker" in navigator && isSecureContext) await navigator.serviceWorker.register("/sw.js").catch(() => {});
  });
}

begin();
