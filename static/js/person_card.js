// The card of a person beside a link to them: after a short pause of the pointer, or of the focus that a key brought. It
// stays while either is in the link or in the card, and goes by Escape (WCAG 1.4.13). Touch follows the link.
(() => {
  const PAUSE = 450, LEAVING = 250; // milliseconds before it comes, and before it goes
  const GAP = 6, EDGE = 8; // pixels from the link, and from the edge of the screen
  const ELSEWHERE = "nav, .rail, .menu, .topbar, dialog, [role=option]"; // links that are no names, or beside which there is no room
  const PLACES = "article, .side-person, .note";
  const cards = new Set(); // those of this page, as they were left
  const none = new Set(); // addresses that have none
  const styles = new Map();
  let link = null; // the one whose card is open, or asked for
  let card = null;
  let timer = 0, asked = null;
  let box = null; // of the link, where the pointer is: it may be in two lines
  let isByKey = false; // whether the focus brought it, and so keeps it

  const own = () => document.querySelector('.account a[href^="/@"]')?.pathname;
  const isPageOf = (path) => document.getElementById("profile") && `${location.pathname}/`.startsWith(`${path}/`);

  function personIn(target) {
    const found = target.closest?.('a[href^="/@"]');
    if (!found || found.closest(ELSEWHERE) || card?.contains(found)) return null;
    const path = found.pathname;
    return /^\/@\w+$/.test(path) && path !== own() && !isPageOf(path) ? found : null;
  }

  // The link of a mention says by an id whom it means.
  function known({ pathname, search }) {
    const meant = new URLSearchParams(search).get("id");
    return [...cards].find(({ dataset }) => (meant ? dataset.person === meant : dataset.path === pathname));
  }

  function dress(address) {
    if (!styles.has(address)) {
      styles.set(address, new Promise((done) => {
        document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: address, onload: done, onerror: done }));
      }));
    }
    return styles.get(address);
  }

  async function fetchCard({ pathname, search }, signal) {
    const address = `${pathname}/card${search}`;
    if (none.has(address)) return null;
    const answer = await fetch(address, { signal, headers: { "HX-Request": "true" } });
    if (answer.status === 404 || answer.status === 410) none.add(address);
    if (!answer.ok || !new URL(answer.url).pathname.endsWith("/card")) return null;
    const part = document.createElement("template");
    part.innerHTML = await answer.text();
    const made = part.content.firstElementChild;
    await dress(made.dataset.style);
    cards.add(made);
    return made;
  }

  async function open(at) {
    asked = new AbortController();
    const { signal } = asked;
    try {
      const found = known(at) ?? await fetchCard(at, signal);
      if (found && !signal.aborted && at.isConnected) show(found);
    } catch { /* left meanwhile, or offline: the link stays a link */ }
  }

  function show(found) {
    card = found;
    document.getElementById("main").append(card);
    htmx.process(card);
    card.showPopover?.();
    link.setAttribute("aria-expanded", "true");
    link.setAttribute("aria-controls", card.id);
    place();
  }

  // Below the link, above it where there is more room, and never beyond an edge.
  function place() {
    if (!card) return;
    const { top, bottom, left, right } = box();
    const { clientWidth: width, clientHeight: height } = document.documentElement;
    if (bottom < 0 || top > height) return remove();
    card.style.maxHeight = "";
    const below = height - bottom - GAP - EDGE, above = top - GAP - EDGE;
    const isBelow = below >= card.offsetHeight || below >= above;
    card.style.maxHeight = `${Math.max(isBelow ? below : above, 0)}px`;
    const start = getComputedStyle(card).direction === "rtl" ? right - card.offsetWidth : left;
    card.style.left = `${Math.max(EDGE, Math.min(start, width - card.offsetWidth - EDGE))}px`;
    card.style.top = `${isBelow ? bottom + GAP : top - GAP - card.offsetHeight}px`;
  }

  function close() {
    clearTimeout(timer); // of the next one too
    remove();
  }

  function remove() {
    asked?.abort();
    for (const name of ["expanded", "controls"]) link?.removeAttribute(`aria-${name}`);
    card?.remove();
    link = card = asked = null;
  }

  // Where a link is in two lines, the line that the pointer is in.
  const boxOf = (of, x, y) => () => {
    const lines = [...of.getClientRects()];
    return lines.find((one) => one.left <= x && x <= one.right && one.top - 1 <= y && y <= one.bottom + 1) ?? lines[0] ?? of.getBoundingClientRect();
  };

  // A face and a name beside each other are one place.
  const isSamePlace = (at) => card && at.closest(PLACES) && at.closest(PLACES) === link.closest(PLACES) && known(at) === card;

  function come(at, { clientX, clientY } = {}) {
    clearTimeout(timer);
    if (at === link || isSamePlace(at)) return;
    timer = setTimeout(() => {
      remove();
      if (!at.isConnected) return;
      [link, isByKey] = [at, clientX === undefined];
      box = boxOf(at, clientX, clientY);
      open(at);
    }, PAUSE);
  }

  const isIn = (target) => link?.contains(target) || card?.contains(target);
  const holds = () => (isByKey ? isIn : (one) => card?.contains(one))(document.activeElement) && document.activeElement.matches(":focus-visible");
  function leave() {
    clearTimeout(timer);
    if (link) timer = setTimeout(() => { if (!holds()) close(); }, LEAVING);
  }

  document.addEventListener("pointerover", (event) => {
    const { target, pointerType } = event, at = personIn(target);
    if (pointerType === "touch") return;
    if (at) come(at, event);
    else if (isIn(target)) clearTimeout(timer);
    else leave();
  });
  document.documentElement.addEventListener("pointerleave", leave);

  document.addEventListener("focusin", ({ target }) => {
    if (!target.matches(":focus-visible")) return;
    const at = personIn(target);
    if (at) come(at);
    else if (!isIn(target)) close();
  });

  // Pressing begins something else; in the card only its own links and buttons do.
  document.addEventListener("pointerdown", ({ target }) => { if (!card?.contains(target)) close(); });
  document.addEventListener("pagehide", close);

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      if (card) event.stopPropagation(); // what is behind it stays open
      if (card?.contains(document.activeElement)) link.focus();
      close(); // with what that focus would bring
    } else if (event.key === "Tab" && card) walk(event);
  }, true);

  // The card stands at the end of the page, and is reached from its link as if it stood there.
  function walk(event) {
    const stops = [...card.querySelectorAll("a:not([tabindex]), button")];
    const last = event.shiftKey ? stops[0] : stops.at(-1), { activeElement: here } = document;
    if (here === link && !event.shiftKey) {
      event.preventDefault();
      stops[0].focus();
    } else if (here === last) {
      link.focus(); // from where the browser goes on
      if (event.shiftKey) event.preventDefault();
    }
  }

  // Followed elsewhere on the page: what the cards said is old.
  document.addEventListener("followed", ({ target }) => { if (!card?.contains(target)) cards.clear(); });

  for (const name of ["resize", "scroll"]) addEventListener(name, place, { capture: true, passive: true });

  // The pointer or the focus that brought this file is there already.
  const over = [...document.querySelectorAll(":hover")].at(-1);
  const isByPointer = over && matchMedia("(hover: hover)").matches && personIn(over);
  const first = isByPointer || (document.activeElement.matches(":focus-visible") && personIn(document.activeElement));
  if (first) come(first, isByPointer ? { clientX: -1, clientY: -1 } : {});
})();
