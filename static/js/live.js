// Something is new, as the pulse has told, or the site (news.js): an open list brings it in without moving what is read, an open
// thread, or a timeline, says how much came. Nothing is asked for before.
let box = document.querySelector("[data-live]");
const rows = (of) => [...of.querySelectorAll(`:scope > ${box.dataset.live}`)];
const pulse = () => document.getElementById("pulse")?.dataset ?? {};
let known = pulse()[box?.dataset.watch];

async function look() {
  const answer = await fetch(location.href).catch(() => null);
  if (!answer?.ok || answer.redirected) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.getElementById(box.id);
  if (fresh) (box.dataset.many ? offer : merge)(fresh);
}

// Rows that look as they did stay where they are, so the browser keeps what is read in its place.
function merge(fresh) {
  const came = rows(fresh), ids = new Set(came.map(({ id }) => id)), here = rows(box);
  const last = here.findLastIndex(({ id }) => ids.has(id));
  for (const old of here.slice(0, Math.max(last, 0))) if (!ids.has(old.id)) old.remove();
  came.reduce((above, row) => {
    const old = document.getElementById(row.id), stays = old?.textContent === row.textContent ? old : row;
    const hadFocus = stays !== old && old?.contains(document.activeElement);
    if (stays !== old) old?.remove();
    const all = rows(box);
    if (all[all.indexOf(above) + 1] !== stays) above ? above.after(stays) : box.prepend(stays);
    if (stays !== old) htmx.process(stays);
    if (hadFocus) (stays.matches("a") ? stays : stays.querySelector("a"))?.focus({ preventScroll: true });
    return stays;
  }, null);
  if (came.length) box.querySelector(":scope > .empty")?.remove();
  const read = fresh.querySelector("form[hx-trigger=load]");
  if (!read || document.hidden) return;
  box.append(read);
  htmx.process(read);
}

// A thread has forms in it and moves when it grows, a timeline has what its reader has scrolled to: the reader says when.
function offer(fresh) {
  const came = [...fresh.querySelectorAll("article")].filter(({ id }) => !document.getElementById(id));
  const slot = document.getElementById("live"), { one, many } = box.dataset;
  slot.replaceChildren();
  if (!came.length) return;
  const pill = Object.assign(document.createElement("button"), { type: "button", className: "pill" });
  pill.textContent = came.length === 1 ? one : many.replace("{n}", came.length);
  pill.addEventListener("click", () => {
    if ("above" in box.dataset) {
      box.querySelector(":scope > .empty")?.remove();
      box.prepend(...came);
      for (const one of came) htmx.process(one);
    } else {
      box.replaceWith(fresh);
      box = fresh;
      htmx.process(box);
    }
    gap = GAP;
    slot.replaceChildren();
    came[0].scrollIntoView({ block: "center" });
    came[0].focus({ preventScroll: true });
  });
  slot.append(pill);
}

// What the site tells by the second is looked at less and less often while the reader takes nothing of it.
const GAP = 2_000, LONG = 30_000;
let gap = GAP, looked = 0, waiting = 0, isLate = false;

function lookSoon() {
  isLate = document.hidden;
  if (isLate || waiting) return;
  const since = Date.now() - looked;
  gap = since > 2 * gap ? GAP : Math.min(LONG, 1.5 * gap);
  waiting = setTimeout(() => {
    [waiting, looked] = [0, Date.now()];
    look();
  }, Math.max(0, gap - since));
}

document.addEventListener("news", ({ detail }) => {
  if (box?.dataset.hears && (detail === box.dataset.hears || detail === "any")) lookSoon();
});
document.addEventListener("visibilitychange", () => { if (isLate) lookSoon(); });
document.addEventListener("shown", ({ target }) => {
  if (!box || target.id !== "pulse" || pulse()[box.dataset.watch] === known) return;
  known = pulse()[box.dataset.watch];
  look();
});
addEventListener("pageshow", ({ persisted }) => { if (box && persisted) look(); });
