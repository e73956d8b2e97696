// Comfort on top of pages that work without it. Every htmx event name of the site stands in the last part of this file.
// `collectstatic` puts this file and those it imports into one.
import "./menus.js";
import "./cards.js";
import "./composer.js";
import "./copy.js";
import "./drop.js";
import "./photos-of-posts.js";
import "./place.js";
import "./looks.js";
import "./zone.js";

(() => {
  const toasts = document.getElementById("toasts");
  if (!toasts) return;
  const words = toasts.dataset;
  const modal = document.getElementById("modal");

  const make = (tag, values) => Object.assign(document.createElement(tag), values);

  // ---- Toasts: success goes by itself or when trouble comes, trouble stays until it is closed -----------------------
  function toast(text, level = "info", reload = false, { label, act } = {}) {
    if (level === "error") dropSuccess();
    const box = document.getElementById("toast-template").content.firstElementChild.cloneNode(true);
    box.className = `toast toast-${level}`;
    const said = box.querySelector("p");
    said.textContent = text;
    if (reload) said.append(" ", make("a", { href: location.href, textContent: words.reload, onclick: (event) => { event.preventDefault(); location.reload(); } }));
    if (act) said.after(make("button", { type: "button", textContent: label, className: "toast-act", onclick: () => { box.remove(); act(); } }));
    for (const old of toasts.children) if (old.textContent === box.textContent) old.remove();
    toasts.append(box);
    fade(box);
  }

  function dropSuccess() {
    for (const old of toasts.querySelectorAll(".toast-success, .toast-info")) old.remove();
  }

  function fade(box) {
    if (box.matches(".toast-error, .toast-warning")) return;
    setTimeout(() => (box.matches(":hover, :focus-within") ? fade(box) : box.remove()), 6000);
  }

  function explain(status) {
    if (status === 401 || status === 403) toast(words.stale, "error", true);
    else toast({ 404: words.gone, 410: words.gone, 413: words.large, 429: words.busy, 503: words.down }[status] || words.failed, "error");
  }

  // ---- Like and follow: show the wanted state at once, take it back when the server says no ---------------------
  const confirmed = new WeakMap(); // button -> the last state the server told us

  function show(button, on) {
    if ((button.getAttribute("aria-pressed") === "true") === on) return;
    button.setAttribute("aria-pressed", on);
    button.value = on ? "0" : "1";
    button.classList.toggle("just-now", on); // "Unfollow" waits until the pointer has left once
    const count = button.dataset.count ? document.querySelector(button.dataset.count) : button.nextElementSibling?.firstElementChild; // of a card: beside it
    if (!count || !/^\d{1,3}$/.test(count.textContent)) return; // "1.2K" stays as it is
    const total = Math.max(0, Number(count.textContent) + (on ? 1 : -1));
    count.textContent = total;
    const link = count.closest("a");
    const word = link.querySelector("[data-word]");
    if (word) word.textContent = words[word.dataset.word + (total === 1 ? "One" : "Many")];
    if (link.matches("[class$=-count]")) link.hidden = !total;
  }

  function guess(button) {
    const on = button.getAttribute("aria-pressed") === "true";
    if (!confirmed.has(button)) confirmed.set(button, on);
    show(button, !on);
    if (!on) pop(button, 0);
  }

  function takeBack(button) {
    if (!confirmed.has(button)) return;
    show(button, confirmed.get(button));
    confirmed.delete(button);
  }

  // Pressed again before the answer: shown now, sent behind it, so that the server hears the last wish last.
  const again = new WeakSet();
  document.addEventListener("click", ({ target }) => {
    const button = target.closest("button[aria-pressed].htmx-request");
    if (button) show(button, button.getAttribute("aria-pressed") !== "true");
    if (button) again.add(button);
  }, true);

  let popped = null;
  function pop(button, at) {
    const icon = button.matches(".action") && button.querySelector(".icon");
    if (!icon || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const move = icon.animate({ scale: [1, 0.75, 1.25, 1] }, { duration: 320, easing: "ease-out" });
    move.currentTime = at;
    if (!at) popped = { id: button.id, start: performance.now() };
  }

  // The answer has replaced the button: an animation it was in the middle of goes on in the new one.
  function goOnPopping(old) {
    const at = popped && popped.id === old.id ? performance.now() - popped.start : 320;
    if (at < 320) pop(document.getElementById(old.id), Math.max(at, 1));
  }

  // Not by leaving: a button that was replaced under the pointer never hears that it was left.
  document.addEventListener("pointerover", ({ target }) => {
    for (const button of document.querySelectorAll(".just-now")) {
      if (!button.contains(target)) button.classList.remove("just-now");
    }
  });

  // ---- Dialog, and the small things one clicks ------------------------------------------------------------------
  document.addEventListener("click", (event) => {
    const target = event.target;
    if (target.closest(".toast-close")) {
      target.closest(".toast").remove();
      document.getElementById("main").focus({ preventScroll: true });
    }
    if (target === modal || (modal.open && target.closest("[data-close-modal]"))) {
      event.preventDefault();
      modal.close();
    }
    if (target.closest("[data-back]") && history.length > 1 && document.referrer.startsWith(location.origin + "/")) {
      event.preventDefault();
      history.back();
    }
  });

  let opener = null; // the menu whose entry opened the dialog; it closes as the focus leaves it
  async function openModal({ href }) {
    if (modal.open) return;
    opener = document.activeElement?.closest("details.menu");
    if (style && !(await dress()) && href) location.assign(href);
    else if (!modal.open) modal.showModal();
  }

  const style = modal.dataset.style?.trim();
  let dressed = null; // home comes without the styles of forms: they are fetched beside what the dialog shows first
  function dress() {
    dressed ??= style && new Promise((done) => {
      document.head.append(make("link", { rel: "stylesheet", href: style, onload: () => done(true), onerror: () => done(false) }));
    });
    return dressed;
  }
  modal.addEventListener("close", () => {
    modal.replaceChildren();
    if (opener?.isConnected) opener.querySelector("summary").focus();
  });

  // ---- htmx: the only place that knows its event names -----------------------------------------------------------
  const on = (name, act) => document.body.addEventListener(name, (event) => act(event.detail, event));
  const isPoll = (element) => element.matches("[data-quiet]");
  const isToggle = (element) => element.matches("button[aria-pressed]");

  on("htmx:beforeRequest", ({ elt }, event) => { if (document.hidden && isPoll(elt)) event.preventDefault(); });
  let ended = false; // the session, as a poll heard: the page stays, and its reader decides
  on("htmx:beforeOnLoad", ({ elt, xhr }, event) => {
    if (!isPoll(elt) || !xhr.getResponseHeader("HX-Redirect")) return;
    event.preventDefault();
    if (!ended) toast(words.stale, "error", true);
    ended = true;
  });
  // A list that was asked for before a press was answered may not know of it: it stays, and is asked for once more.
  const searches = "form.search", unaware = new WeakSet(), late = new Set();
  let presses = 0;
  function askAgain() {
    if (presses) return;
    for (const form of late) form.dispatchEvent(new Event("search"));
    late.clear();
  }
  on("htmx:beforeSend", ({ elt, target, xhr }) => {
    if (elt.matches(searches)) unaware[presses ? "add" : "delete"](elt);
    if (isToggle(elt)) {
      guess(elt);
      presses += 1;
      for (const form of document.querySelectorAll(searches)) unaware.add(form);
      xhr.addEventListener("loadend", () => { presses -= 1; askAgain(); });
    }
    if (target === modal) dress();
  });
  on("htmx:responseError", ({ elt, xhr }) => {
    if (isToggle(elt)) takeBack(elt);
    if (!isPoll(elt) && !/"toast"/.test(xhr.getResponseHeader("HX-Trigger") || "")) explain(xhr.status);
  });
  for (const name of ["htmx:sendError", "htmx:timeout"]) {
    on(name, ({ elt }) => {
      if (isToggle(elt)) takeBack(elt);
      if (!isPoll(elt)) toast(words.offline, "error");
    });
  }
  // Where nothing can come, the page stays, with what was typed. A site on the same machine is there without a network.
  addEventListener("offline", () => fetch("/pulse").catch(() => {
    if (self.navigation) navigation.onnavigate = (event) => {
      if (navigator.onLine || event.hashChange || event.navigationType === "traverse") return;
      event.preventDefault();
      delete sessionStorage.sent; // composer.js: the page stays, and nothing was posted
      toast(words.offline, "error");
    };
  }));
  let lastRead = null; // the row before the "Older posts" link that has the focus and is about to go

  on("htmx:beforeSwap", (detail) => {
    const { xhr, target, requestConfig } = detail;
    if (xhr.status === 422) dropSuccess();
    if (unaware.has(requestConfig.elt)) {
      detail.shouldSwap = false;
      late.add(requestConfig.elt);
      xhr.addEventListener("loadend", askAgain);
    }
    // A refusal that says where it belongs brings what to show there.
    if (xhr.getResponseHeader("HX-Retarget")) [detail.shouldSwap, detail.isError] = [true, false];
    lastRead = target.matches(".more:focus-within") ? target.previousElementSibling : null;
    if (requestConfig.verb === "post" && xhr.status < 300) requestConfig.elt.dispatchEvent(new CustomEvent("sent", { bubbles: true }));
    if (modal.open && modal.contains(requestConfig.elt) && !modal.contains(target) && xhr.status < 400) modal.close();
  });
  on("htmx:afterSwap", ({ target, requestConfig }) => {
    lastRead?.nextElementSibling?.focus({ preventScroll: true });
    if (target === modal) openModal(requestConfig.elt);
    else if (target.id === "compose") target.dispatchEvent(new Event("filled"));
    else if (requestConfig.elt.id === "pill") document.querySelector("#feed article")?.focus({ preventScroll: true });
    else if (isToggle(requestConfig.elt)) goOnPopping(requestConfig.elt);
  });
  on("htmx:afterSettle", ({ requestConfig: { elt } }) => {
    const now = document.getElementById(elt.id);
    if (elt.matches(".just-now")) now?.classList.add("just-now");
    if (!now || !again.has(elt) || now.ariaPressed === elt.ariaPressed) return;
    show(elt, now.ariaPressed === "true"); // a count that no answer brings goes back to what the answer says
    now.click();
  });
  on("htmx:afterRequest", ({ elt, xhr }) => {
    if (elt.id === "pulse") document.dispatchEvent(new CustomEvent("answered", { detail: xhr.status }));
  });
  on("htmx:load", ({ elt }) => elt.dispatchEvent(new CustomEvent("shown", { bubbles: true })));
  on("toast", (detail) => { for (const one of [detail.value ?? detail].flat()) toast(one.text, one.level, false, one); });

  for (const box of toasts.children) fade(box);

  // The title without the number, for waiting.js: taken before anything can change the number.
  const waiting = document.getElementById("pulse")?.dataset.count;
  document.body.dataset.title = document.title.slice(waiting ? waiting.length + 3 : 0);

  // ---- What few need comes once they do ---------------------------------------------------------------------------
  const bringExpiry = () => { if (document.querySelector("[data-expires]")) import(document.body.dataset.expiry).catch(() => {}); };
  document.addEventListener("shown", bringExpiry);
  bringExpiry();

  if (navigator.share) import(document.body.dataset.sharing).catch(() => {});
  addEventListener("load", () => setTimeout(() => import(document.body.dataset.later).catch(() => {})));

  const early = []; // keys that are pressed until keys.js is here
  function wake(event) {
    if (event.key.length > 1 && event.key !== "Enter") return;
    if (document.body.dataset.shortcuts === "off" || event.isComposing || event.target.closest("input, textarea, select")) return;
    if (early.push(event) > 1) return;
    import(document.body.dataset.keys).then(({ press, replay }) => {
      document.removeEventListener("keydown", wake);
      document.addEventListener("keydown", press);
      replay(early);
    }, () => { early.length = 0; });
  }
  document.addEventListener("keydown", wake);
})();
