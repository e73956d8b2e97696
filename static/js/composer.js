// The composer: drafts, how much is left, "Post" while there is something to post, Ctrl+Enter.
// app.js tells what htmx did: "shown" on what it put into the page, "sent" on a form that was taken.
(() => {
  const areasIn = (element) => element.querySelectorAll("[data-limit]"); // an edit is counted too, and has no draft
  const segmenter = self.Intl?.Segmenter ? new Intl.Segmenter() : null;
  const STEPS = [-1, 0, 10, 20, 50, Infinity];
  const draftOf = (area) => `draft:${area.dataset.draft}`;
  const store = {
    get(key) { try { return localStorage.getItem(key); } catch { return null; } },
    set(key, value) {
      try {
        if (value) localStorage.setItem(key, value);
        else localStorage.removeItem(key);
        return true;
      } catch { return !value; } // a private window
    },
  };

  const length = (text) => [...(segmenter && text.length <= 20000 ? segmenter.segment(text) : text)].length;

  // The text as the server counts it (socialsite/web/fields.py): in NFC, blank lines joined.
  const blankLines = /\n[\s\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*\n/gu;
  const counted = (text) => text.normalize("NFC").replace(blankLines, "\n\n").trim();

  // Of the two limits the one that is nearer.
  function room({ value, dataset }) {
    const text = counted(value);
    const of = (unit, size, limit) => ({ unit, left: limit - size, used: size / limit });
    const characters = of("characters", length(text), Number(dataset.limit));
    const bytes = of("bytes", new TextEncoder().encode(text).length, Number(dataset.bytes));
    return bytes.used > characters.used ? bytes : characters;
  }

  function count(area) {
    const { form } = area;
    const part = area.closest("[data-part]"); // of a story
    const isEmpty = !area.value.trim();
    const button = form.querySelector("[data-posts]");
    const isBlank = isEmpty && !form.querySelector("[data-tile]"); // a photo says enough
    if (!part && isBlank && document.activeElement === button) document.querySelector("#feed article")?.focus({ preventScroll: true });
    if (!part) button.disabled = isBlank;
    const { unit, left, used } = room(area);
    const of = part ?? form.querySelector(".composer-post") ?? form;
    const counter = of.querySelector(".counter");
    counter.classList.toggle("is-used", !isEmpty);
    counter.classList.toggle("is-over", left < 0);
    counter.querySelector(".ring-value").setAttribute("stroke-dasharray", `${Math.min(100, 100 * used)} 100`);
    const says = of.querySelector(".counter-says");
    const sentence = says.dataset[unit].replace("{n}", left);
    const isNear = used >= 0.95;
    counter.querySelector(".counter-left").textContent = isNear ? (unit === "bytes" ? sentence : left) : "";
    const step = String(isNear && STEPS.find((one) => left <= one)); // said once each, not with every letter
    if (says.dataset.step !== step) says.textContent = isNear ? sentence : "";
    says.dataset.step = step;
  }

  // What keeps drafts on the server is fetched once there is something to keep.
  function keepDraft(area) {
    const script = area.form.querySelector("[data-drafts]")?.dataset.drafts;
    if (script) import(script).catch(() => {});
  }

  function prepare(area) {
    if (area.dataset.ready) return;
    area.dataset.ready = "yes";
    if (!area.value && area.dataset.draft) area.value = store.get(draftOf(area)) || "";
    if (area.value) keepDraft(area);
    count(area);
    const languages = area.form.dataset.last && area.form.elements.language;
    if (languages && area.dataset.draft && !area.form.elements.version?.value) useLast(languages); // a draft has its own
  }

  // A composer on its own page posts without htmx: its draft goes once the next page says that all went well.
  const sent = sessionStorage.getItem("sent");
  if (sent && document.querySelector("#toasts .toast-success")) for (const key of JSON.parse(sent)) for (const one of [":", ":at:"]) store.set(key.replace(":", one), "");
  delete sessionStorage.sent;

  // One draft, wherever the page shows it: the composer of home is below the dialog.
  const sameDraft = (area) => [...areasIn(document)].filter((other) => other !== area && area.dataset.draft && other.dataset.draft === area.dataset.draft);

  function show(area, text) {
    area.value = text;
    count(area);
  }

  function keep(area, text) {
    const isKept = store.set(draftOf(area), text.trim() && text);
    area.form.toggleAttribute("data-unkept", !isKept);
    for (const other of sameDraft(area)) show(other, text);
  }

  document.addEventListener("input", ({ target }) => {
    const area = target.matches("[data-limit]") ? target : target.closest(".composer")?.querySelector("[data-limit]");
    if (!area) return;
    if (area.dataset.draft && area === target) keep(area, area.value);
    keepDraft(area);
    count(area);
  });

  // ---- The language: its code stands in the row, and the one that was chosen last comes first next time ------------
  const lastOf = (select) => `draft:language:${select.form.dataset.last}`; // goes with the drafts as one signs out

  function showLanguage(select) {
    select.parentElement.querySelector(".language-code").textContent = select.value.slice(0, 2);
  }

  function useLast(select) {
    const last = store.get(lastOf(select));
    const option = last && [...select.options].find(({ value }) => value === last);
    if (!option) return;
    select.prepend(option);
    select.value = last;
    showLanguage(select);
  }

  document.addEventListener("change", ({ target }) => {
    if (!target.matches(".tool-language select")) return;
    showLanguage(target);
    if (target.form.dataset.last) store.set(lastOf(target), target.value);
  });

  // In the text it posts; in any other field of a composer, such as a description, it leads back to the text.
  document.addEventListener("keydown", (event) => {
    const { form } = event.target;
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !form?.querySelector("[data-limit]")) return;
    event.preventDefault();
    if (event.isComposing || event.repeat) return;
    const button = form.querySelector("[data-posts]");
    if (!event.target.matches("[data-limit]")) form.querySelector("[data-limit]").focus();
    else if (!button.disabled) form.requestSubmit(button);
  });

  document.addEventListener("submit", (event) => {
    const areas = [...event.target.querySelectorAll("[data-draft]")];
    for (const area of areas) store.set(draftOf(area), area.value.trim() && area.value); // signing out in another tab cleared it
    if (areas.length && !event.defaultPrevented) sessionStorage.sent = JSON.stringify(areas.map(draftOf)); // htmx says so itself
    if (event.submitter?.matches("[data-sign-out]")) {
      for (const key of Object.keys(localStorage)) if (key.startsWith("draft:")) store.set(key, "");
    }
  });

  // The tabs of a browser show one text, so that none goes on from an old one. What was emptied elsewhere stays here.
  addEventListener("storage", ({ key, newValue }) => {
    for (const area of areasIn(document)) if (newValue && draftOf(area) === key) show(area, newValue);
  });

  document.addEventListener("sent", ({ target }) => {
    for (const area of areasIn(target)) keep(area, "");
  });

  document.addEventListener("forget", ({ detail }) => store.set(`draft:${detail}`, "")); // story.js removed a post
  document.addEventListener("shown", ({ target }) => { for (const area of areasIn(target)) prepare(area); });
  addEventListener("pageshow", ({ persisted }) => { // the browser may have filled it, or come back to it
    if (persisted) delete sessionStorage.sent;
    for (const area of areasIn(document)) count(area);
  });
  for (const area of areasIn(document)) prepare(area);

  // A part of the composer brings its own script when it is opened, photos theirs when the composer has the focus.
  const bring = ({ target }) => { if ((target.open ?? true) && target.dataset.script) import(target.dataset.script).catch(() => {}); };
  const bringIn = (element) => { for (const target of element.querySelectorAll("[data-script]:not([data-photos])")) bring({ target }); };
  document.addEventListener("toggle", bring, true);
  document.addEventListener("shown", ({ target }) => bringIn(target));
  bringIn(document);

  // "New post" opens the dialog, in which one can write at once, while compose.js brings the composer. Below 700 pixels
  // it leads to a page.
  const dialog = document.getElementById("compose");
  if (dialog && document.querySelector(".column .composer-own")) import(dialog.dataset.script);

  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href="/posts/new"]');
    if (!link || !dialog || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (document.querySelector(".column .composer-own") || !matchMedia("(width >= 700px)").matches) return;
    event.preventDefault();
    const area = dialog.querySelector("textarea") ?? dialog.appendChild(document.createElement("textarea"));
    if (!area.form) [area.className, area.ariaLabel] = ["compose-early", dialog.dataset.say];
    dialog.showModal();
    area.focus();
    import(dialog.dataset.script).then(() => dialog.dispatchEvent(new Event("begin")), () => {
      store.set(`draft:${dialog.dataset.for}`, (store.get(`draft:${dialog.dataset.for}`) || "") + area.value);
      location.assign(link.href);
    });
  });

  // Leaving asks only while something is kept nowhere.
  addEventListener("beforeunload", (event) => { if (document.querySelector("form[data-unkept]")) event.preventDefault(); });

  // What suggests people and tags is fetched with the first composer that gets the focus or the pointer; what searches and
  // links to people need (near.js) with the first of these.
  const suggest = ({ target }) => {
    if (target.matches("[data-draft]")) import(document.body.dataset.complete).catch(() => {});
    if (target.closest('.search, [href^="/@"]')) import(document.body.dataset.near).catch(() => {});
  };
  for (const name of ["focusin", "pointerover"]) document.addEventListener(name, suggest);
  suggest({ target: document.activeElement });
})();
