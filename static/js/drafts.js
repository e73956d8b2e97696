// Keeps on the server what is being written, so that it is there on every device: 2 s after the last letter, at most
// every 10 s, and when the page is left. The browser keeps each letter itself (composer.js); beside it lies which draft
// that text belongs to, all that was composed with it, and whether the server has that. Composers that show the same text
// share a draft, in all tabs: they save as one `writer`, in `turn`s, so that a browser is never at odds with itself.
const QUIET = 2_000, APART = 10_000, LARGEST = 60_000; // ms; bytes that a browser still sends for a page that is left
const FIELDS = ["draft", "version", "writer"], OURS = [...FIELDS, "continues", "nonce", "csrfmiddlewaretoken", "at"];
const HAS_DRAFT = "form:has([data-drafts])", DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"; // of an id

const states = new Map(); // name of the text -> what is known of its draft
const areaOf = (form) => form.querySelector("[data-draft]"), nameOf = (form) => areaOf(form).dataset.draft;
const all = () => [...document.querySelectorAll(HAS_DRAFT)], formOf = (target) => target.closest?.(HAS_DRAFT);

const store = {
  text(name) { try { return localStorage.getItem(`draft:${name}`) || ""; } catch { return ""; } },
  about(name) { try { return JSON.parse(localStorage.getItem(`draft:at:${name}`)) || {}; } catch { return {}; } },
  set(name, about, text) {
    const kept = { [`draft:at:${name}`]: JSON.stringify(about), ...(text !== undefined && { [`draft:${name}`]: text }) };
    try { Object.assign(localStorage, kept); } catch { /* private window */ }
  },
  clear(name) { try { for (const kind of ["draft:", "draft:at:"]) localStorage.removeItem(kind + name); } catch { /* private window */ } },
};
const note = ({ name, draft, version, writer, turn }, isSent, form) => store.set(name, { draft, version, writer, turn, isSent, form });
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

const textsOf = (form) => [...form.querySelectorAll("textarea, input[type=text]")];
const isEmpty = (form) => !form.querySelector("[data-tile]") && !textsOf(form).some(({ value }) => value.trim());
const isAsSent = (form) => textsOf(form).every(({ value, defaultValue }) => value === defaultValue);

// One saving at a time, but for a page that is left: its last letters do not wait. The server goes by the turns.
function save(state, isLeaving = false) {
  clearTimeout(state.timer);
  const { form } = state, now = composed(form), words = form.querySelector("[data-drafts]").dataset;
  if (state.isPosted || state.isWaiting || !form.isConnected || now === state.saved) return;
  if (state.sending && (!isLeaving || now === state.sent)) return;
  if (!state.version && isEmpty(form)) return;
  [state.version, state.sent] = [state.version || "0", now];
  state.turn = Math.max(state.turn, store.about(state.name).turn || 0) + 1;
  mark(state);
  note(state, false, now);
  const body = new URLSearchParams(now);
  for (const name of OURS) if (form.elements[name]) body.set(name, form.elements[name].value);
  body.set("turn", state.turn);
  body.set("autosave", "1");
  state.last = performance.now();
  if (!isLeaving) say(state, words.saving);
  const arrives = fetch("/drafts", { method: "POST", body, redirect: "manual", keepalive: body.toString().length < LARGEST })
    .then(async (answer) => {
      const told = await answer.json();
      if (now === state.sent) state.saved = now; // what is refused is sent again with the next letter
      if (told.draft) {
        [state.draft, state.version] = [told.draft, told.version];
        mark(state);
        note(state, state.sent === state.saved && now === composed(form), composed(form));
      } else if (told.isGone && now === state.restored) return empty(state);
      else if (told.isGone) return beginAnew(state);
      if (!state.isPosted) say(state, told.said, !answer.ok);
    })
    .catch(() => say(state, words.local)); // offline, or signed out elsewhere
  const sending = Promise.all([state.sending, arrives]).then(() => {
    if (state.sending !== sending) return;
    state.sending = null;
    plan(state);
  });
  state.sending = sending;
}

// A text that only this browser has: of a new draft, or newer than what the server sent. Where another device has saved
// since, the server keeps both.
function restore(state) {
  const { form, name } = state, area = areaOf(form);
  if (form.elements.continues.value) takeOver(name.slice(0, name.indexOf(":draft:")), name, state.draft);
  const known = store.about(name), text = store.text(name);
  if (known.draft === state.draft) goOnAs(state, known);
  const isShared = form.elements.continues.value.startsWith("shared-") && isAsSent(form); // it may have been changed since
  const isNew = !state.version && known.version && text && (isShared || area.value === text);
  const isAhead = state.version && known.draft === state.draft && known.isSent === false && text && text !== area.value;
  if (!isNew && !isAhead) return;
  [state.draft, state.version, state.saved] = [known.draft, known.version, ""];
  goOnAs(state, known);
  refill(form, known.form);
  if (isAhead || isShared) area.value = text;
  if (isNew && known.isSent) state.restored = composed(form);
  if (isNew) bringPhotos(state, known.form);
  area.dispatchEvent(new Event("input", { bubbles: true }));
}

const goOnAs = (state, { writer, turn }) => { if (writer) [state.writer, state.turn] = [writer, turn || 0]; };

// The choices beside the text, so that nobody posts to more people than they had chosen.
function refill(form, kept) {
  const values = new URLSearchParams(kept || ""), places = {};
  if (!kept) return;
  for (const field of form.elements) {
    const { name, type } = field;
    if (!name || OURS.includes(name) || field.dataset.draft || ["file", "submit"].includes(type) || field.closest("[data-tile]")) continue;
    const was = type === "checkbox" ? field.checked : field.value;
    const given = values.getAll(name), place = places[name] = (places[name] ?? -1) + 1;
    if (type === "checkbox") field.checked = given.includes(field.value);
    else if (given.length > place) field.value = given[place];
    delete field.dataset.deviceZone;
    if (field.selectedIndex === -1) field.selectedIndex = field.length - 1; // a circle that is gone: only me
    if (was === (type === "checkbox" ? field.checked : field.value)) continue;
    field.closest("details.part")?.setAttribute("open", "");
    field.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

// Nothing is saved until the photos of the draft are there: the browser keeps the texts alone.
function bringPhotos(state, kept) {
  const done = () => { state.isWaiting = false; plan(state); };
  state.isWaiting = true;
  import(state.form.querySelector("[data-drafts]").dataset.photosOfDraft).then(({ bringPhotosOf }) => bringPhotosOf(state.draft, state.form, kept)).then(done, done);
}

// The composer without a name began this draft: what it keeps belongs to the draft from now on.
function takeOver(from, name, draft) {
  const known = store.about(from);
  if (known.draft !== draft) return;
  if (!known.isSent && !store.text(name)) store.set(name, known, store.text(from)); // else the server sent all
  store.clear(from);
}

// The server had all of this text, and it was published or deleted on another device.
function empty(state) {
  const area = areaOf(state.form);
  forget(state.name);
  area.value = "";
  area.dispatchEvent(new Event("input", { bubbles: true }));
  store.clear(state.name);
}

// What is typed over a text that was published or deleted elsewhere is a draft of its own.
function beginAnew(state) {
  [state.draft, state.version, state.saved, state.restored] = [newId(), "0", "", ""];
  mark(state);
  note(state, false, composed(state.form));
}

// What is written next is another draft.
function forget(name) {
  clearTimeout(states.get(name)?.timer);
  say({ name });
  states.delete(name);
  store.clear(name);
  for (const form of all()) if (nameOf(form) === name) [form.elements.draft.value, form.elements.version.value] = [newId(), ""];
}

function begin(form) {
  const name = nameOf(form);
  let state = states.get(name);
  if (!state) {
    const { draft, version } = form.elements, saved = isAsSent(form) ? composed(form) : "";
    state = { name, form, draft: draft.value, version: version.value, writer: random(16).toLowerCase(), turn: 0, saved, last: -APART };
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

// Another tab has saved this text, which composer.js shows here too; or it posts it, or goes on with it under its name.
addEventListener("storage", ({ key, newValue }) => {
  const state = [...states.values()].find(({ name }) => key === `draft:at:${name}`);
  if (!state) return;
  if (!newValue) { state.writer = random(16).toLowerCase(); return; }
  const known = JSON.parse(newValue);
  [state.draft, state.version] = [known.draft, known.version];
  goOnAs(state, known);
  refill(state.form, known.form);
  if (known.isSent) {
    state.saved = composed(state.form);
    bringPhotos(state, known.form);
  }
  mark(state);
});

document.addEventListener("visibilitychange", () => { if (document.hidden) for (const state of states.values()) save(state, true); });

// Signing out clears what the browser keeps, so the server gets the last letters first.
function signOut(event) {
  for (const state of states.values()) save(state, true);
  for (const state of states.values()) state.isPosted = true;
  waitFor([...states.values()].map(({ sending }) => sending).filter(Boolean), event);
}

function waitFor(sendings, event) {
  if (!sendings.length) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  Promise.all(sendings).then(() => event.target.requestSubmit(event.submitter));
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
document.addEventListener("keep", ({ target, detail }) => {
  for (const state of states.values()) if (target.contains(state.form)) detail.push((save(state), state.sending));
});
for (const kind of ["shown", "pageshow"]) addEventListener(kind, goOn);
goOn();
