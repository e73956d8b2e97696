// The search field as a combobox: arrow keys walk through what was found below it, or, while it is empty, through what its
// person searched for lately. Enter sends what is typed, unless the arrow keys chose an entry. Without this file the field
// is a plain form. What was searched for is kept on this device alone and goes with the drafts as one signs out
// (composer.js); of visitors nothing is kept, as nobody knows whose device it is.
(() => {
  const FIELD = "form.search[data-style] [type=search]"; // not of searches in one's own lists
  const MOST = 8;
  const KEPT = "draft:searches:";
  const handle = document.querySelector(".account .handle")?.textContent.slice(1);
  let form = null, field = null, found = null; // of the field that has the focus
  let recent = null; // the list of searches, while it is open
  let active = null; // the entry that the arrow keys chose

  const says = Object.assign(document.createElement("p"), { className: "visually-hidden", role: "status" });

  const store = {
    get() {
      try { return [JSON.parse(localStorage.getItem(KEPT + handle)) ?? []].flat().map(String).slice(0, MOST); } catch { return []; }
    },
    set(searches) {
      try {
        if (searches.length && handle) localStorage.setItem(KEPT + handle, JSON.stringify(searches.slice(0, MOST)));
        else localStorage.removeItem(KEPT + handle);
      } catch { /* private window */ }
    },
    dropOthers() {
      try {
        for (const key of Object.keys(localStorage)) if (key.startsWith(KEPT) && key !== KEPT + handle) localStorage.removeItem(key);
      } catch { /* private window */ }
    },
  };

  const make = (tag, values, ...inner) => {
    const made = Object.assign(document.createElement(tag), values);
    made.append(...inner);
    return made;
  };
  const hits = () => [...(found?.hidden === false ? found.querySelectorAll("a") : [])];
  const entries = () => (recent ? [...recent.querySelectorAll("[role=option]")] : hits());

  // Both lists wait for their styles, which come once.
  function dress() {
    const href = form.dataset.style;
    let sheet = document.querySelector(`link[href="${href}"]`);
    if (sheet?.sheet) return Promise.resolve();
    if (!sheet) document.head.append(sheet = make("link", { rel: "stylesheet", href }));
    return new Promise((done) => { for (const end of ["load", "error"]) sheet.addEventListener(end, done); });
  }

  function tell() {
    const isOpen = Boolean(entries().length);
    field.setAttribute("aria-expanded", isOpen);
    if (isOpen) field.setAttribute("aria-controls", recent ? "recent-searches" : found.id);
    else field.removeAttribute("aria-controls");
  }

  function choose(entry) {
    active?.setAttribute("aria-selected", "false");
    active = entry ?? null;
    active?.setAttribute("aria-selected", "true");
    active?.scrollIntoView({ block: "nearest" });
    if (active) field.setAttribute("aria-activedescendant", active.id);
    else field.removeAttribute("aria-activedescendant");
  }

  // ---- What was searched for lately -------------------------------------------------------------------------------
  function drawRecent() {
    const searches = field.value.trim() ? [] : store.get();
    const { recent: title, remove, clear } = form.dataset;
    choose(null);
    recent?.remove();
    recent = null;
    if (!searches.length) return tell();
    const list = make("div", { id: "recent-searches", role: "listbox", ariaLabel: title }, ...searches.map((search, n) => make("div", { id: `recent-${n}`, className: "recent", role: "option", ariaSelected: "false", dir: "auto", textContent: search })));
    const removes = searches.map((search) => make("button", { type: "button", className: "icon-button", ariaLabel: remove.replace("{q}", () => search), textContent: "×", onclick: () => forget(search) }));
    const all = make("button", { type: "button", className: "side-more", textContent: clear, onclick: () => forget() });
    recent = make("div", { className: "recents" }, make("p", { className: "side-note", textContent: title }), list, make("div", {}, ...removes), all);
    form.append(recent);
    says.textContent = document.body.dataset.suggested.replace("{n}", searches.length);
    tell();
  }

  function forget(search) {
    const left = search === undefined ? [] : store.get().filter((one) => one !== search);
    const at = [...recent.querySelectorAll(".icon-button")].indexOf(document.activeElement);
    store.set(left);
    drawRecent();
    (recent?.querySelectorAll(".icon-button")[Math.min(at, left.length - 1)] ?? field).focus();
  }

  function keep(search) {
    const text = search.trim();
    if (text && handle) store.set([text, ...store.get().filter((one) => one !== text)]);
  }

  // ---- Opening and closing ----------------------------------------------------------------------------------------
  async function open() {
    await dress();
    if (!form?.contains(document.activeElement)) return;
    if (found) found.hidden = false;
    drawRecent();
  }

  function close() {
    if (!form) return;
    choose(null);
    recent?.remove();
    recent = null;
    if (found) found.hidden = true;
    says.textContent = "";
    tell();
  }

  function begin(target) {
    if (target !== field) {
      close();
      field = target;
      form = field.form;
      found = form.querySelector("#side-found");
      for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-haspopup", "listbox"]]) field.setAttribute(name, value);
      form.append(says);
    }
    open();
  }

  // What came from the server becomes entries; a sentence is none.
  function takeIn() {
    const links = [...found.querySelectorAll("a")];
    choose(null);
    if (links.length) [found.role, found.ariaLabel] = ["listbox", document.body.dataset.suggestions];
    else for (const name of ["role", "aria-label"]) found.removeAttribute(name);
    links.forEach((link, n) => Object.assign(link, { id: `side-hit-${n}`, role: "option", ariaSelected: "false", tabIndex: -1 }));
    tell();
  }

  function take(entry) {
    if (entry.href) return entry.click();
    field.value = entry.textContent;
    close();
    form.requestSubmit();
  }

  function walk(step) {
    if (!entries().length) return false;
    const stops = [null, ...entries()]; // the first is the text itself
    choose(stops[(stops.indexOf(active) + step + stops.length) % stops.length]);
    return true;
  }

  document.addEventListener("keydown", (event) => {
    if (!field || !form.contains(event.target) || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.target === field && { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" && field.ariaExpanded === "true") { // in the field alone, Escape would clear it
      field.focus();
      close();
    } else if (step && !entries().length) open();
    else if (step) walk(step);
    else if (event.key === "Enter" && active && event.target === field) take(active);
    else return;
    event.preventDefault();
  });

  document.addEventListener("input", ({ target }) => {
    if (target !== field) return;
    if (found) found.hidden = false;
    drawRecent();
  });

  document.addEventListener("submit", ({ target }) => {
    if (target !== form) return;
    keep(field.value);
    close();
  });

  document.addEventListener("shown", ({ target }) => { if (found?.contains(target)) takeIn(); });

  // A press on an entry keeps the focus in the field.
  document.addEventListener("mousedown", (event) => { if (event.target.closest(".recents [role=option], #side-found")) event.preventDefault(); });
  document.addEventListener("click", ({ target }) => {
    if (target === field) open();
    else if (recent?.contains(target) && target.role === "option") take(target);
  });
  for (const name of ["focusin", "click"]) {
    document.addEventListener(name, ({ target }) => {
      if (name === "focusin" && target.matches(FIELD)) begin(target);
      else if (target.isConnected && !form?.contains(target)) close();
    });
  }
  addEventListener("pagehide", close);

  store.dropOthers();
  if (document.activeElement.matches(FIELD)) begin(document.activeElement);
})();
