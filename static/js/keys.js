// Single keys, as templates/help/_keys.html lists them. `<body data-shortcuts="off">` turns them off (WCAG 2.1.4).
// app.js brings this file with the first one that is pressed.
const SECOND_KEY_WITHIN = 1500; // milliseconds after "g"
const BUSY = "input, textarea, select, [contenteditable], details.menu[open]";
const rows = () => [...document.querySelectorAll("main article[id]")].filter((row) => row.checkVisibility());
const own = () => document.querySelector('.account a[href^="/@"]')?.pathname ?? "/login";

const keys = {
  j: () => move(1),
  k: () => move(-1),
  o: () => open(current()),
  Enter: () => { if (document.activeElement.matches("article")) open(document.activeElement); }, // j may have moved it since
  l: (event) => { if (!event.repeat) current()?.querySelector(".like button")?.click(); },
  r: () => current()?.querySelector(".reply a")?.click(),
  n: () => focus(document.querySelector("#composer textarea")) || document.querySelector('a[href="/posts/new"]').click(), // the dialog or its page
  "/": () => focus(searchField()) || location.assign("/search#q"), // which has the focus then
  "?": () => htmx.ajax("GET", "/help/keys", "#modal"),
  g: () => { goingUntil = performance.now() + SECOND_KEY_WITHIN; },
};
const places = { h: () => "/", l: () => "/local", p: own, e: () => "/explore" };
let goingUntil = 0;

// The one that has the focus; on a post's own page the post.
function current() {
  return document.activeElement.closest("main article[id]") ?? document.querySelector("main .post-detail");
}

function open(row) {
  if (row?.dataset.href) location.assign(row.dataset.href);
}

function move(step) {
  const all = rows();
  const at = all.indexOf(document.activeElement.closest("article"));
  if (at >= 0) return focus(all[at + step]) || (step > 0 && focus(document.querySelector(".more a")));
  const bar = document.querySelector(".topbar").getBoundingClientRect().bottom;
  return focus(all.find((row) => row.getBoundingClientRect().bottom > bar + 40));
}

// Into view clear of the bars, which `scroll-padding` tells the browser of.
function focus(element) {
  if (!element) return false;
  element.focus({ preventScroll: true });
  element.scrollIntoView({ block: "nearest" });
  return true;
}

function searchField() {
  return [...document.querySelectorAll('input[type="search"]')].find((field) => field.checkVisibility());
}

function isTyping(event) {
  const modified = (event.ctrlKey || event.altKey) && !event.getModifierState("AltGraph");
  return modified || event.metaKey || event.isComposing || event.target.closest(BUSY) || document.querySelector("dialog[open]");
}

export function press(event) {
  if (document.body.dataset.shortcuts === "off" || event.defaultPrevented || isTyping(event)) return;
  const place = performance.now() < goingUntil && places[event.key];
  goingUntil = 0;
  if (place) location.assign(place());
  else if (Object.hasOwn(keys, event.key)) keys[event.key](event);
  else return;
  if (event.key !== "Enter") event.preventDefault();
}

// Keys that were pressed before this file came, also those of cases.js that wait for j: after "n" and "/" they are text,
// as a field has the focus.
export function replay(early) {
  for (const event of early.filter(({ defaultPrevented }) => !defaultPrevented)) {
    const field = document.activeElement, { key } = event;
    if (!field.matches("textarea, input:not([type=checkbox], [type=radio])")) {
      field.dispatchEvent(new KeyboardEvent("keydown", event));
    } else if (key === "Enter" && field.matches("input")) field.form.requestSubmit();
    else if (!event.ctrlKey && !event.metaKey && !event.altKey) {
      field.setRangeText(key === "Enter" ? "\n" : key, field.selectionStart, field.selectionEnd, "end");
      field.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
  }
}
