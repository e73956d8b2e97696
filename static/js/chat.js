// An open conversation: asks for what is new, shows it without moving what is read, marks it as read, and keeps what is
// typed. All of it works without a script, by forms and the link "Look again". htmx brings in what comes.
const NEAR = 120; // pixels from the end, within which one reads the newest
const BAR = 60; // pixels at the top, behind the title
const DRAFT_AFTER = 1_000;
const chat = document.querySelector(".chat"), list = document.getElementById("messages");
const says = document.getElementById("chat-says"), pill = document.getElementById("chat-new");
const root = document.documentElement;

const area = () => document.getElementById("message-text");
const messages = () => [...list.querySelectorAll("[data-message]")];
const idOf = (message) => message?.dataset.message ?? "";
const newest = () => idOf(messages().at(-1));
const isIn = (element, id) => element?.closest?.(`#${id}`);
const on = (name, act) => document.body.addEventListener(`htmx:${name}`, (event) => act(event.detail, event));

// ---- Where one reads ---------------------------------------------------------------------------------------------------
const atEnd = () => root.scrollHeight - innerHeight - scrollY < NEAR;
const toEnd = () => scrollTo(0, root.scrollHeight);

// Chosen photos and a long text let the form grow: whoever reads the newest still sees them above it.
const foot = document.querySelector(".chat-foot");
let tall = foot.offsetHeight;
new ResizeObserver(() => {
  const grown = foot.offsetHeight - tall;
  tall += grown;
  if (grown > 0 && root.scrollHeight - innerHeight - scrollY - grown < NEAR) toEnd();
}).observe(foot);

// What stands at the top of the screen is brought back there by the function that this returns.
function hold() {
  const stays = messages().find((one) => one.getBoundingClientRect().bottom > BAR);
  const top = stays?.getBoundingClientRect().top;
  return () => {
    const now = stays && document.getElementById(stays.id);
    if (now) scrollBy(0, now.getBoundingClientRect().top - top);
  };
}

// A message that one sends comes by its own answer, and by the news that it makes: it stands once. A day has one line, and
// none once nothing of it is left.
function tidy() {
  const here = new Set();
  for (const one of messages()) here.has(one.id) ? one.remove() : here.add(one.id);
  let last = "";
  for (const day of list.querySelectorAll(".chat-day")) {
    const { dateTime } = day.firstElementChild;
    if (dateTime === last || !day.nextElementSibling?.matches("[data-message]")) day.remove();
    else last = dateTime;
  }
}

// ---- News: when the site tells (news.js); else often while something moves, seldom when it is quiet. Never in a hidden tab ----
const GAP = 1_000, LONG = 10_000;
let looks = 0, waiting, asked = 0, gap = GAP, isSoon = false;
const isTold = () => document.documentElement.dataset.told === "open";
const pause = () => 1000 * (isTold() ? 120 : looks < 20 ? 3 : looks < 30 ? 6 : looks < 40 ? 12 : 30);

function ask() {
  clearTimeout(waiting);
  isSoon = false;
  if (document.hidden) return;
  asked = Date.now();
  document.getElementById("chat-news")?.dispatchEvent(new Event("news"));
  looks += 1;
  waiting = setTimeout(ask, pause());
}

// The site tells of every conversation. While nothing comes into this one, it asks less and less often.
function askSoon() {
  if (isSoon || document.hidden) return;
  const since = Date.now() - asked;
  if (since > 2 * gap) gap = GAP;
  clearTimeout(waiting);
  waiting = setTimeout(ask, Math.max(0, gap - since));
  gap = Math.min(LONG, 1.5 * gap);
  isSoon = true;
}

function stir() {
  const wasQuiet = looks >= 20;
  looks = 0;
  gap = GAP;
  if (wasQuiet && !isTold()) ask();
}

document.addEventListener("news", ({ detail }) => { if (detail === "chat" || detail === "any") askSoon(); });
document.addEventListener("told", () => {
  if (isSoon) return;
  clearTimeout(waiting);
  if (!document.hidden && document.getElementById("chat-news")) waiting = setTimeout(ask, pause());
});

on("configRequest", ({ elt, parameters }) => {
  if (elt.id !== "chat-news") return;
  parameters.known = messages().map(idOf).filter((id) => id >= elt.dataset.recent).slice(-100).join(".");
  if (!area()) parameters.closed = 1;
});

// ---- What comes: htmx has brought it into the list ---------------------------------------------------------------------
let told = newest(), settle = null;

on("beforeSwap", ({ target, requestConfig: { elt } }) => {
  if (!chat.contains(elt)) return;
  if (isIn(elt, "chat-form")) [typed, chosen] = [area().value, tiles().filter((tile) => !sentTiles.includes(tile))];
  settle = target.id !== "chat-more" && atEnd() ? toEnd : hold();
});
on("oobBeforeSwap", (detail) => {
  const { target, fragment } = detail; // a message that looks as it did stays, with an open menu and the focus
  const words = ({ textContent }) => textContent.replace(/\s+/g, " ").trim();
  if (target.matches(".chat-message") && words(target) === words(fragment)) detail.shouldSwap = false;
});
on("afterRequest", ({ requestConfig: { elt }, xhr: { status } }) => {
  if (isIn(elt, "chat-form")) answered(status === 200);
  if (elt.id === "chat-read" && status !== 200) marked = "";
  if (!settle) return;
  tidy();
  settle();
  settle = null;
  tell();
  markRead();
  expire();
});

// Says what others wrote: aloud to screen readers, and by a button to people who read further up.
function tell() {
  const came = messages().filter((one) => idOf(one) > told && !one.matches(".message-mine"));
  told = newest() || told;
  if (!came.length) return;
  looks = 0;
  gap = GAP;
  const spoken = came.flatMap((one) => [...one.querySelectorAll(".message-by, .message-text, p:only-child")]);
  says.textContent = spoken.map((one) => one.textContent.trim()).join(" ");
  pill.hidden = atEnd();
}

// ---- Read: what stands on the screen -----------------------------------------------------------------------------------
let marked = "";
function markRead() {
  if (!atEnd()) return;
  pill.hidden = true;
  const form = document.getElementById("chat-read"), up = newest();
  if (!form || document.hidden || up <= marked) return;
  form.elements.up_to.value = marked = up;
  form.dispatchEvent(new Event("read"));
}

pill.addEventListener("click", () => {
  toEnd();
  area()?.focus({ preventScroll: true });
});

// ---- Sending -----------------------------------------------------------------------------------------------------------
let sent = "", sentTiles = [], typed = null, chosen = [], again = false;
const tiles = () => [...chat.querySelectorAll(".chat-form [data-tile]")];

document.addEventListener("keydown", (event) => {
  if (event.target !== area() || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  if (chat.dataset.enter !== "on" || !matchMedia("(pointer: fine)").matches) return;
  event.preventDefault();
  if (area().value.trim() || area().form.querySelector("[data-tile]")) area().form.requestSubmit();
});
document.addEventListener("submit", ({ target }) => { if (isIn(target, "chat-form")) again = target.matches(".htmx-request"); }, true);
on("beforeSend", ({ elt }) => {
  if (!isIn(elt, "chat-form")) return;
  [sent, sentTiles] = [area().value, tiles()];
  clearTimeout(draftWaiting);
});

function answered(successful) {
  if (successful) {
    if (document.querySelector(".chat-request")) location.assign(`${location.pathname}?sent#newest`); // by writing one accepts
    const quoted = document.querySelector("#chat-answers bdi"), own = messages().at(-1)?.querySelector(".message-answered bdi");
    if (quoted && own) own.textContent = quoted.textContent;
    answer("");
    for (const error of chat.querySelectorAll(".chat-form .field-error")) error.remove();
    area()?.removeAttribute("aria-invalid");
    settle = toEnd;
    looks = 0;
    kept = isKeeping ? null : ""; // a draft that is on its way comes behind the message
  }
  if (area() && typed !== null) {
    // What was typed while it was on its way stays, and so do photos that were chosen.
    area().value = successful && typed.startsWith(sent) ? typed.slice(sent.length).trimStart() : typed;
    if (chosen.length) {
      area().form.querySelector(".new-photos")?.append(...chosen);
      document.getElementById("chat-form").dispatchEvent(new Event("shown", { bubbles: true })); // photos.js numbers them
    }
    if (document.activeElement === document.body || isIn(document.activeElement, "chat-form")) area().focus({ preventScroll: true });
    if (successful && again && (area().value.trim() || chosen.length)) queueMicrotask(() => area().form.requestSubmit());
  }
  [typed, chosen, again] = [null, [], false];
  keepDraft();
}

// ---- Drafts: kept a second after the last key, and when one leaves -----------------------------------------------------
let kept = area()?.value ?? "", keeping = Promise.resolve(), isKeeping = 0, draftWaiting;

function keepDraft() {
  clearTimeout(draftWaiting);
  const form = document.getElementById("chat-draft"), text = area()?.value ?? "";
  if (!form || text === kept) return;
  const body = new FormData(form);
  body.set("content", kept = text);
  isKeeping += 1;
  keeping = keeping.then(() => fetch(form.action, { method: "POST", body, keepalive: true, headers: { "HX-Request": "true" } }))
    .then(({ ok }) => { if (!ok) kept = null; }, () => { kept = null; })
    .finally(() => { isKeeping -= 1; });
}

document.addEventListener("input", ({ target }) => {
  if (target !== area()) return;
  clearTimeout(draftWaiting);
  draftWaiting = setTimeout(keepDraft, DRAFT_AFTER);
});

// ---- Answering one message ---------------------------------------------------------------------------------------------
function answer(id) {
  const form = area()?.form, quote = document.getElementById("chat-quote")?.content.firstElementChild.cloneNode(true);
  document.getElementById("chat-answers")?.remove();
  if (!form) return;
  form.elements.answers.value = id;
  if (!id) return;
  const message = document.getElementById(`m-${id}`);
  quote.querySelector("bdi").textContent = message.querySelector(".message-text").textContent.trim() || (message.querySelector("img")?.alt ?? "");
  form.prepend(quote);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-answer]");
  if (!link || !area()) return;
  event.preventDefault();
  answer(link.dataset.answer);
  link.closest("details")?.removeAttribute("open");
  area().focus();
});

// ---- Gone at the second ------------------------------------------------------------------------------------------------
const ends = new WeakMap();
let expiring;

function expire() {
  clearTimeout(expiring);
  const all = [...list.querySelectorAll("[data-ends]")], back = atEnd() ? toEnd : hold();
  for (const one of all) if (!ends.has(one)) ends.set(one, Date.now() + 1000 * one.dataset.ends);
  const over = all.filter((one) => ends.get(one) <= Date.now());
  for (const one of over) {
    for (const quote of list.querySelectorAll(`[href="#${one.id}"] bdi`)) quote.textContent = chat.dataset.gone;
    one.remove();
  }
  if (over.length) tidy();
  if (over.length) back();
  const next = Math.min(...all.filter((one) => one.isConnected).map((one) => ends.get(one)));
  if (next < Infinity) expiring = setTimeout(expire, Math.min(next - Date.now() + 50, 2 ** 31 - 1));
}

// ---- From the beginning ------------------------------------------------------------------------------------------------
function wake() {
  if (document.hidden) return keepDraft();
  looks = 0;
  ask();
  markRead();
  expire();
}

for (const name of ["keydown", "pointerdown"]) document.addEventListener(name, stir, { passive: true });
addEventListener("scroll", markRead, { passive: true });
addEventListener("pageshow", ({ persisted }) => { if (persisted) wake(); });
document.addEventListener("visibilitychange", wake);
history.scrollRestoration = "manual";
if (document.getElementById("chat-news")) {
  if (!list.querySelector(":target")) toEnd();
  waiting = setTimeout(ask, pause());
}
expire();
document.addEventListener("DOMContentLoaded", markRead); // htmx listens by then
