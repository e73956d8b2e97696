// An open conversation: asks for what is new, shows it without moving what is read, marks it as read, keeps what is not
// sent yet. All of it works without a script, by forms and the link "Look again".
const PAUSES = [3_000, 3_000, 3_000, 3_000, 6_000, 6_000, 12_000, 30_000]; // as long as nothing comes, the next one
const NEAR = 120; // pixels from the end, within which one reads the newest
const DRAFT_AFTER = 1_000;
const chat = document.querySelector(".chat");
const list = document.getElementById("messages");
const says = document.getElementById("chat-says");
let step = 0, waiting, draftWaiting;

const area = () => document.getElementById("message-text");
const atEnd = () => document.documentElement.scrollHeight - innerHeight - scrollY < NEAR;
const toEnd = () => scrollTo({ top: document.documentElement.scrollHeight });
const newest = () => [...list.querySelectorAll("[data-message]")].at(-1);

// ---- News: often while people write, seldom when it is quiet, never in a hidden tab -----------------------------------
function wait() {
  clearTimeout(waiting);
  waiting = setTimeout(ask, PAUSES[Math.min(step, PAUSES.length - 1)]);
}

function ask() {
  if (document.hidden) return;
  step += 1;
  document.getElementById("chat-news")?.dispatchEvent(new Event("news"));
  wait();
}

function stir() {
  const wasQuiet = step > 3;
  step = 0;
  if (wasQuiet) wait();
}

document.addEventListener("visibilitychange", () => { if (!document.hidden) { step = 0; ask(); markRead(); } });
for (const name of ["keydown", "pointerdown"]) document.addEventListener(name, stir, { passive: true });

let wasAtEnd = true, before = null;
document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  wasAtEnd = atEnd();
  before = newest();
  if (detail.target.id === "chat-more") before = null;
});
document.body.addEventListener("htmx:afterSettle", ({ detail }) => {
  const { elt } = detail.requestConfig ?? detail;
  if (elt?.id === "chat-news") arrived();
  else if (elt?.closest?.("#chat-form")) { step = 0; toEnd(); ask(); }
});

function arrived() {
  step = 0;
  const came = before ? [...list.querySelectorAll("[data-message]")].filter((one) => one.dataset.message > before.dataset.message) : [];
  const others = came.filter((one) => !one.matches(".message-mine"));
  if (others.length) says.textContent = others.map((one) => one.querySelector(".bubble, p")?.innerText ?? "").join(" ");
  if (wasAtEnd) toEnd();
  markRead();
  expire();
}

// ---- Read: what stands on the screen -----------------------------------------------------------------------------------
let marked = "";
function markRead() {
  const form = document.getElementById("chat-read");
  const up = newest()?.dataset.message ?? "";
  if (!form || document.hidden || !atEnd() || up <= marked) return;
  marked = up;
  form.elements.up_to.value = up;
  form.dispatchEvent(new Event("read"));
}
addEventListener("scroll", markRead, { passive: true });

// ---- Older messages come above, and what is read stays where it is -----------------------------------------------------
let height = 0;
document.body.addEventListener("htmx:beforeSwap", ({ detail }) => { if (detail.target.id === "chat-more") height = document.documentElement.scrollHeight; });
document.body.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (height && detail.requestConfig?.target?.id === "chat-more") scrollBy(0, document.documentElement.scrollHeight - height);
  height = 0;
});

// ---- Writing -----------------------------------------------------------------------------------------------------------
let sent = null;
document.addEventListener("keydown", (event) => {
  if (event.target !== area() || event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  if (chat.dataset.enter !== "on" || !matchMedia("(pointer: fine)").matches) return;
  event.preventDefault();
  if (area().value.trim() || area().form.querySelector("[data-tile]")) area().form.requestSubmit();
});
document.body.addEventListener("htmx:beforeSend", ({ detail }) => { if (detail.elt.closest("#chat-form")) { sent = area().value; clearTimeout(draftWaiting); } });
document.body.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  if (detail.target.id !== "chat-form" || sent === null) return;
  const further = area().value === sent ? "" : area().value; // typed while it was on its way
  queueMicrotask(() => {
    area().value = further;
    area().focus({ preventScroll: true });
  });
  sent = null;
});
document.addEventListener("input", ({ target }) => {
  if (target !== area()) return;
  clearTimeout(draftWaiting);
  draftWaiting = setTimeout(() => {
    const form = document.getElementById("chat-draft");
    form.elements.content.value = area().value;
    form.dispatchEvent(new Event("draft"));
  }, DRAFT_AFTER);
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-answer]");
  if (!link || !area()) return;
  event.preventDefault();
  const id = link.dataset.answer, form = area().form;
  form.elements.answers.value = id;
  document.getElementById("chat-answers")?.remove();
  if (id) form.prepend(quote(id));
  link.closest("details")?.removeAttribute("open");
  area().focus();
});

function quote(id) {
  const line = document.getElementById("chat-quote").content.firstElementChild.cloneNode(true);
  const message = document.getElementById(`m-${id}`);
  const said = message?.querySelector(".message-text")?.textContent.trim() || message?.querySelector("img")?.alt || "";
  line.querySelector("bdi").textContent = said.slice(0, 120);
  return line;
}

// ---- Gone at the second ------------------------------------------------------------------------------------------------
const ends = new WeakMap();
let expiring;
function expire() {
  clearTimeout(expiring);
  const all = [...list.querySelectorAll("[data-ends]")];
  for (const one of all) if (!ends.has(one)) ends.set(one, Date.now() + 1000 * Number(one.dataset.ends));
  for (const one of all) if (ends.get(one) <= Date.now()) one.remove();
  const next = Math.min(...all.filter((one) => one.isConnected).map((one) => ends.get(one)));
  if (next < Infinity) expiring = setTimeout(expire, Math.min(next - Date.now() + 50, 2 ** 31 - 1));
}

if (!location.hash && !location.search.includes("page=")) toEnd();
markRead();
expire();
wait();
