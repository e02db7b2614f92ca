// The frame of every page: header, the page for the path, settings, messages when something fails.
// docs/design/client.md says how a page is written.
import { announce } from "./core/announce.js";
import "./core/focus.js";
import { ALONE, fileAt } from "./core/base.js";
import { whoAmI } from "./core/api.js";
import { language, late, loadWords, t } from "./core/i18n.js";
import { Icon } from "./components/icons.js";
import { loadLazyParts, lazy, whenIdle } from "./components/lazy.js";
import { IconButton, Problem, notLoaded } from "./components/common.js";
import { Link, PAGES, place } from "./core/router.js";
import { html, render, useEffect, useErrorBoundary, useLayoutEffect, useRef, useState, useStore } from "./core/ui.js";

const SettingsDialog = lazy(() => import("./components/settings_dialog.js"), "SettingsDialog");

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
      (error) => wanted && set((before) => ({ name, module: null, error: notLoaded(error, before.name === name ? before.error : null) })),
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
  useStore(late);
  const [state, again] = usePage(here.page);
  const [open, setOpen] = useState(false);
  const first = useRef(true);
  const main = useRef(null);
  const { module, error } = state;
  const ready = state.name === here.page;
  const called = ready && module ? `${t(module.title)} · Rookery` : null;

  // A page may say more in an effect of its own, which comes after this one.
  useLayoutEffect(() => {
    if (called) document.title = called;
  }, [called, here.path]);
  useEffect(() => {
    if (!ready || !module) return;
    if (!first.current) {
      const heading = main.current && main.current.querySelector("h1");
      if (heading) heading.focus({ preventScroll: true });
      else announce(t(module.title));
    }
    first.current = false;
  }, [module, here.path, ready]);

  const Page = ready && module && module.default;
  return html`
    <header class=${`top of-${here.page || "none"}`}>
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

// A press acts once. Whoever clicks twice on everything, or holds Enter down, means what was there first, and nothing that has come to
// its place since: a way to another page where "Next hand" stood, the card beside the one just played, or "Yes, delete". A finger is
// not a mouse: two quick taps on one place are two moves.

// What the last click was for, and the words on it: what is drawn anew may take over a button. One that may be chosen stays itself.
let clicked = {};

addEventListener("click", (event) => {
  const button = event.target.closest?.("button, a") ?? null;
  const now = { button, words: button && !button.ariaPressed && (button.ariaLabel || button.textContent) };
  const isOther = now.button !== clicked.button || now.words !== clicked.words;
  clicked = now;
  if (event.detail < 2 || event.pointerType !== "mouse" || !isOther) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

addEventListener("keydown", (event) => {
  if (!event.repeat || event.key !== "Enter" || event.target.tagName === "TEXTAREA") return;
  event.preventDefault();
  event.stopImmediatePropagation();
}, true);

// These words are needed where no others can be had.
const NoWords = () => html`<p class="loading" role="status">Can't reach the server. Trying again …</p>
  <p class="loading" lang="es">No se puede conectar con el servidor. Se sigue intentando …</p>`;

async function begin() {
  const app = document.getElementById("app");
  const draw = (what) => {
    document.querySelector(".loading.first")?.remove(); // what the page says until this program has come
    render(what, app);
  };
  // Words, page and name load at the same time; otherwise each would wait for the one before.
  const words = loadWords(() => draw(html`<${NoWords} />`));
  const { page } = place.get();
  if (page) PAGES[page]().catch(() => {});
  if (page !== "admin" && !ALONE) whoAmI().catch(() => {});
  await words;
  const skip = document.querySelector(".skip");
  const rename = () => {
    skip.textContent = t("shell.skip");
  };
  rename();
  language.subscribe(rename);
  // The address stays: what follows its # may be house rules or a record.
  skip.addEventListener("click", (event) => {
    event.preventDefault();
    document.getElementById("main").focus();
  });
  draw(html`<${Shell} />`);
  whenIdle(async () => {
    await loadLazyParts();
    // Plain http on a LAN address has no service worker; everything else works there.
    if ("serviceWorker" in navigator && isSecureContext) await navigator.serviceWorker.register(fileAt("sw.js")).catch(() => {});
  });
}

// In a task of its own: in this one the browser has run all modules of the shell.
setTimeout(begin);
