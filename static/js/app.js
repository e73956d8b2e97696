// Comfort on top of pages that work without it. Every htmx event name of the site stands in the last part of this file.
// `collectstatic` puts this file and those it imports into one.
import "./menus.js";
import "./cards.js";
import "./cases.js";
import "./copy.js";
import "./keys.js";
import "./place.js";
import "./looks.js";
import "./search.js";
import "./zone.js";

(() => {
  const toasts = document.getElementById("toasts");
  if (!toasts) return;
  const words = toasts.dataset;
  const modal = document.getElementById("modal");

  // ---- Toasts: success goes by itself or when trouble comes, trouble stays until it is closed -----------------------
  function toast(text, level = "info", reload = false) {
    if (level === "error") dropSuccess();
    const box = document.getElementById("toast-template").content.firstElementChild.cloneNode(true);
    box.className = `toast toast-${level}`;
    box.querySelector("p").textContent = text;
    if (reload) {
      const link = document.createElement("a");
      link.href = location.href;
      link.textContent = words.reload;
      link.addEventListener("click", (event) => { event.preventDefault(); location.reload(); });
      box.querySelector("p").append(" ", link);
    }
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
    const count = button.dataset.count && document.querySelector(button.dataset.count);
    if (!count || !/^\d{1,3}$/.test(count.textContent)) return; // "1.2K" stays as it is
    const total = Math.max(0, Number(count.textContent) + (on ? 1 : -1));
    count.textContent = total;
    const link = count.closest("a");
    const word = link.querySelector("[data-word]");
    if (word) word.textContent = words[word.dataset.word + (total === 1 ? "One" : "Many")];
    if (link.matches(".like-count")) link.hidden = total === 0;
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

  // ---- Composer: drafts, characters left, Ctrl+Enter ---------------------------------------------------------------
  const segmenter = self.Intl?.Segmenter ? new Intl.Segmenter() : null;
  const draftOf = (area) => `draft:${area.dataset.draft}`;
  const store = {
    get(key) { try { return localStorage.getItem(key); } catch { return null; } },
    set(key, value) { try { if (value) localStorage.setItem(key, value); else localStorage.removeItem(key); } catch { /* private window */ } },
  };

  function length(text) {
    let total = 0;
    if (!segmenter || text.length > 20000) return [...text].length;
    for (const _ of segmenter.segment(text)) total += 1; // eslint-disable-line no-unused-vars
    return total;
  }

  function count(area) {
    const form = area.form;
    form.querySelector("[type=submit]").disabled = !area.value.trim();
    const left = Number(area.dataset.limit) - length(area.value.trim());
    const counter = form.querySelector(".counter");
    counter.classList.toggle("is-used", area.value.trim() !== "");
    counter.classList.toggle("is-over", left < 0);
    counter.querySelector(".counter-left").textContent = left <= 50 ? left : "";
    const used = Math.min(100, Math.max(0, 100 - (100 * left) / area.dataset.limit));
    counter.querySelector(".ring-value").setAttribute("stroke-dasharray", `${used} 100`);
    const says = form.querySelector(".counter-says");
    if ([50, 20, 10, 0, -1].includes(left)) says.textContent = says.dataset.says.replace("{n}", left);
  }

  function prepare(area) {
    if (area.dataset.ready) return;
    area.dataset.ready = "yes";
    if (!area.value) area.value = store.get(draftOf(area)) || "";
    count(area);
  }

  // A composer on its own page posts without htmx: its draft goes once the next page says that all went well.
  const sent = sessionStorage.getItem("sent");
  if (sent && toasts.querySelector(".toast-success")) store.set(sent, "");
  sessionStorage.removeItem("sent");

  document.addEventListener("input", (event) => {
    if (!event.target.matches("[data-draft]")) return;
    store.set(draftOf(event.target), event.target.value.trim() && event.target.value);
    count(event.target);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !event.target.matches("[data-draft]")) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  });

  document.addEventListener("submit", (event) => {
    const area = event.target.querySelector("[data-draft]");
    if (area) {
      store.set(draftOf(area), area.value.trim() && area.value); // signing out in another tab cleared it
      sessionStorage.setItem("sent", draftOf(area));
    }
    if (event.submitter?.matches("[data-sign-out]")) {
      for (const key of Object.keys(localStorage)) if (key.startsWith("draft:")) store.set(key, "");
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
  function openModal() {
    if (modal.open) return;
    opener = document.activeElement?.closest("details.menu");
    modal.showModal();
  }
  modal.addEventListener("close", () => {
    modal.replaceChildren();
    if (opener?.isConnected) opener.querySelector("summary").focus();
  });

  // ---- htmx: the only place that knows its event names -----------------------------------------------------------
  const on = (name, act) => document.body.addEventListener(name, (event) => act(event.detail, event));
  const isPoll = (element) => /^every\b/.test(element.getAttribute("hx-trigger") || "");
  const isToggle = (element) => element.matches("button[aria-pressed]");

  on("htmx:beforeRequest", ({ elt }, event) => { if (document.hidden && isPoll(elt)) event.preventDefault(); });
  let ended = false; // the session, as a poll heard: the page stays, and its reader decides
  on("htmx:beforeOnLoad", ({ elt, xhr }, event) => {
    if (!isPoll(elt) || !xhr.getResponseHeader("HX-Redirect")) return;
    event.preventDefault();
    if (!ended) toast(words.stale, "error", true);
    ended = true;
  });
  on("htmx:beforeSend", ({ elt }) => { if (isToggle(elt)) guess(elt); });
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
  let lastRead = null; // the row before the "Older posts" link that has the focus and is about to go

  on("htmx:beforeSwap", (detail) => {
    const { xhr, target, requestConfig } = detail;
    if (xhr.status === 422) dropSuccess();
    // A refusal that says where it belongs brings what to show there.
    if (xhr.getResponseHeader("HX-Retarget")) [detail.shouldSwap, detail.isError] = [true, false];
    lastRead = target.matches(".more:focus-within") ? target.previousElementSibling : null;
    const area = requestConfig.verb === "post" && requestConfig.elt.querySelector("[data-draft]");
    if (area && xhr.status < 300) {
      store.set(draftOf(area), "");
      sessionStorage.removeItem("sent");
    }
    if (modal.open && modal.contains(requestConfig.elt) && !modal.contains(target) && xhr.status < 400) modal.close();
  });
  on("htmx:afterSwap", ({ target, requestConfig }) => {
    lastRead?.nextElementSibling?.focus({ preventScroll: true });
    if (target === modal) openModal();
    else if (requestConfig.elt.id === "pill") document.querySelector("#feed article")?.focus({ preventScroll: true });
    else if (isToggle(requestConfig.elt)) goOnPopping(requestConfig.elt);
  });
  on("htmx:afterSettle", ({ requestConfig: { elt } }) => {
    const now = document.getElementById(elt.id);
    if (elt.matches(".just-now")) now?.classList.add("just-now");
    if (elt.id === "composer" && document.activeElement.matches("body, :disabled")) {
      document.querySelector("#feed article")?.focus({ preventScroll: true }); // "Post" had the focus, and is disabled now
    }
    if (again.has(elt) && now?.ariaPressed !== elt.ariaPressed) now?.click();
  });
  on("htmx:load", ({ elt }) => { for (const area of elt.querySelectorAll("[data-draft]")) prepare(area); });
  on("toast", (detail) => { for (const one of [detail.value ?? detail].flat()) toast(one.text, one.level); });

  for (const area of document.querySelectorAll("[data-draft]")) prepare(area);
  addEventListener("pageshow", () => { for (const area of document.querySelectorAll("[data-draft]")) count(area); }); // the browser may have filled it
  for (const box of toasts.children) fade(box);
})();
