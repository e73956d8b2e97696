// Keeps on the server what is being written, so that it is there on every device: 2 s after the last letter, at most
// every 10 s, and when the page is left. The browser keeps each letter itself (composer.js); beside it lies which draft
// that text belongs to, and whether the server has all of it. Composers of a page that show the same text share a draft.
const QUIET = 2_000, APART = 10_000; // ms
const LARGEST = 60_000; // bytes that a browser still sends for a page that is left
const FIELDS = ["draft", "version", "writer"], OURS = [...FIELDS, "continues", "nonce", "csrfmiddlewaretoken", "at"];
const HAS_DRAFT = "form:has([data-drafts])";
const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // of an id

const states = new Map(); // name of the text -> what is known of its draft
const areaOf = (form) => form.querySelector("[data-draft]");
const nameOf = (form) => areaOf(form).dataset.draft;
const all = () => [...document.querySelectorAll(HAS_DRAFT)];
const formOf = (target) => target.closest?.(HAS_DRAFT);

const store = {
  text(name) { try { return localStorage.getItem(`draft:${name}`) || ""; } catch { return ""; } },
  about(name) { try { return JSON.parse(localStorage.getItem(`draft:at:${name}`)) || {}; } catch { return {}; } },
  set(name, about, text) {
    try {
      localStorage.setItem(`draft:at:${name}`, JSON.stringify(about));
      if (text !== undefined) localStorage.setItem(`draft:${name}`, text);
    } catch { /* private window */ }
  },
  clear(name) { try { for (const kind of ["draft:", "draft:at:"]) localStorage.removeItem(kind + name); } catch { /* private window */ } },
};
const note = (state, isSent) => store.set(state.name, { draft: state.draft, version: state.version, isSent });

const random = (length) => Array.from(crypto.getRandomValues(new Uint8Array(length)), (one) => DIGITS[one % 32]).join("");
function newId() {
  let time = "";
  for (let left = Date.now(); time.length < 10; left = Math.floor(left / 32)) time = DIGITS[left % 32] + time;
  return time + random(16);
}

function say(state, text = "", isTrouble = false) {
  const places = all().filter((form) => nameOf(form) === state.name).map((form) => form.querySelector(".composer-saved"));
  if (isTrouble && text && state.said !== text) document.body.dispatchEvent(new CustomEvent("toast", { detail: { text, level: "warning" } }));
  state.said = text;
  for (const place of places) if (place) place.textContent = text;
}

// All that was composed, so that a choice counts as a letter does. Files go their own way.
function composed(form) {
  const data = new FormData(form);
  for (const name of OURS) data.delete(name);
  return new URLSearchParams([...data].filter(([, value]) => typeof value === "string")).toString();
}

// Every form of the text says which draft it continues, as it may be posted from any.
function mark(state) {
  for (const form of all()) if (nameOf(form) === state.name) for (const field of FIELDS) form.elements[field].value = state[field];
}

function plan(state) {
  clearTimeout(state.timer);
  if (state.isPosted || composed(state.form) === state.saved) return;
  state.timer = setTimeout(() => save(state), Math.max(QUIET, state.last + APART - performance.now()));
}

// One saving at a time: the next one needs the version that this one makes.
function save(state, isLeaving = false) {
  clearTimeout(state.timer);
  const { form } = state, now = composed(form), words = form.querySelector("[data-drafts]").dataset;
  if (state.sending || state.isPosted || !form.isConnected || now === state.saved) return;
  if (!state.version && !areaOf(form).value.trim()) return;
  state.version ||= "0";
  mark(state);
  note(state, false);
  const body = new URLSearchParams(now);
  for (const name of OURS) if (form.elements[name]) body.set(name, form.elements[name].value);
  body.set("autosave", "1");
  state.last = performance.now();
  if (!isLeaving) say(state, words.saving);
  const keepalive = body.toString().length < LARGEST;
  state.sending = fetch("/drafts", { method: "POST", body, redirect: "manual", keepalive })
    .then(async (answer) => {
      const told = await answer.json();
      state.saved = now; // what is refused is sent again with the next letter
      if (told.draft) {
        [state.draft, state.version] = [told.draft, told.version];
        mark(state);
        note(state, now === composed(form));
      } else if (told.isGone && now === state.restored) return empty(state);
      say(state, told.said, !answer.ok);
    })
    .catch(() => say(state, words.local)) // offline, or signed out elsewhere
    .finally(() => { state.sending = null; plan(state); });
}

// A text that only this browser has: of a new draft, or newer than what the server sent. Where another device has saved
// since, the server keeps both.
function restore(state) {
  const { form, name } = state, area = areaOf(form);
  if (form.elements.continues.value) takeOver(name.slice(0, name.indexOf(":draft:")), name, state.draft);
  const known = store.about(name), text = store.text(name);
  const isNew = !state.version && known.version && text && area.value === text;
  const isAhead = state.version && known.draft === state.draft && known.isSent === false && text && text !== area.value;
  if (!isNew && !isAhead) return;
  [state.draft, state.version, state.saved] = [known.draft, known.version, ""];
  if (isAhead) area.value = text;
  if (isNew && known.isSent) state.restored = composed(form);
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

// The composer without a name began this draft: what it keeps belongs to the draft from now on.
function takeOver(from, name, draft) {
  const known = store.about(from);
  if (known.draft !== draft) return;
  if (!known.isSent && !store.text(name)) store.set(name, known, store.text(from));
  store.clear(from);
}

// The server had all of this text, and it was published or deleted on another device.
function empty(state) {
  const area = areaOf(state.form);
  forget(state.name);
  area.value = "";
  area.dispatchEvent(new Event("input", { bubbles: true }));
  store.clear(state.name);
  say(state);
}

// What is written next is another draft.
function forget(name) {
  clearTimeout(states.get(name)?.timer);
  states.delete(name);
  store.clear(name);
  for (const form of all()) if (nameOf(form) === name) [form.elements.draft.value, form.elements.version.value] = [newId(), ""];
}

function begin(form) {
  const name = nameOf(form), area = areaOf(form);
  let state = states.get(name);
  if (!state) {
    const { draft, version } = form.elements, saved = area.value === area.defaultValue ? composed(form) : "";
    state = { name, form, draft: draft.value, version: version.value, writer: random(16).toLowerCase(), saved, last: -APART };
    states.set(name, state);
    restore(state);
    plan(state);
  } else if (!state.form.isConnected) state.form = form;
  mark(state);
  return state;
}

for (const kind of ["input", "change"]) {
  document.addEventListener(kind, ({ target }) => {
    const form = formOf(target);
    if (!form) return;
    const state = begin(form);
    [state.form, state.isPosted] = [form, false];
    plan(state);
  });
}

document.addEventListener("visibilitychange", () => { if (document.hidden) for (const state of states.values()) save(state, true); });

// Signing out clears what the browser keeps, so the server gets the last letters first.
function signOut(event) {
  for (const state of states.values()) save(state, true);
  const sendings = [...states.values()].map(({ sending }) => sending).filter(Boolean);
  for (const state of states.values()) state.isPosted = true;
  waitFor(sendings, event);
}

function waitFor(sendings, event) {
  if (!sendings.length) return;
  const { target, submitter } = event;
  event.preventDefault();
  event.stopImmediatePropagation();
  Promise.all(sendings).then(() => target.requestSubmit(submitter));
}

// Nothing is saved after it was posted: a saving on its way is waited for, then the form goes.
document.addEventListener("submit", (event) => {
  if (event.submitter?.matches("[data-sign-out]")) return signOut(event);
  const form = formOf(event.target);
  if (!form) return;
  const state = begin(form);
  clearTimeout(state.timer);
  state.isPosted = true;
  waitFor(state.sending ? [state.sending] : [], event);
}, true);

const goOn = () => { for (const form of all()) begin(form).isPosted = false; };
document.addEventListener("sent", ({ target }) => { if (target.matches(HAS_DRAFT)) forget(nameOf(target)); });
document.addEventListener("shown", goOn);
addEventListener("pageshow", goOn);
goOn();
