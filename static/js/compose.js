// The composer as a dialog, which composer.js opens, and as a page. Closing the dialog keeps what it holds: the text is a
// draft of this browser, everything else stays in the dialog until it opens again.
(() => {
  const dialog = document.getElementById("compose");
  const PATIENCE = 1500; // ms that a saving gets until it is said that the draft is kept: this browser has it
  const main = (element) => element.querySelector("textarea[data-draft]");

  const own = document.querySelector(".column .composer-own");
  const changed = own?.querySelector("[data-changes]"); // a scheduled post; not kept until this script is here to drop them
  if (changed) changed.dataset.draft = changed.dataset.changes;
  const goesOn = ["continues", "scheduled"].some((name) => own?.elements[name]?.value); // then "New post" is another one
  const styled = own || new Promise((done) => {
    const sheet = document.createElement("link");
    [sheet.rel, sheet.href, sheet.onload, sheet.onerror] = ["stylesheet", dialog.dataset.style, done, done];
    document.head.append(sheet);
  });

  function toEnd(area) {
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }

  function open() {
    if (!dialog.open) dialog.showModal();
    if (!dialog.querySelector(".composer-error")) toEnd(main(dialog));
  }

  // What was typed until the composer is here comes behind the draft.
  let early = null;
  dialog.addEventListener("begin", async () => {
    const first = dialog.querySelector(".compose-early");
    if (!first) return open();
    if (early === first) return;
    early = first;
    await styled;
    await htmx.ajax("GET", "/posts/new", { target: dialog, swap: "innerHTML" });
    if (!early) return;
    const key = `draft:${dialog.dataset.for}`; // it did not come, as a toast says
    if (early.value) try { localStorage.setItem(key, (localStorage.getItem(key) ?? "") + early.value); } catch { return; }
    early = null;
    dialog.replaceChildren();
    dialog.close();
  });

  function filled() {
    const area = main(dialog);
    const typed = early?.value;
    early = null;
    if (area && typed) {
      area.value += typed;
      area.dispatchEvent(new InputEvent("input", { bubbles: true }));
    }
    if (area && !dialog.querySelector(".composer-error")) toEnd(area);
  }

  // What a form holds besides its text: anything that was changed since it came.
  const isTouched = (form) => [...form.elements].some((field) => (
    field.matches("input:not([type=hidden], [type=checkbox], [type=radio]), textarea") ? field.value.trim() !== field.defaultValue.trim() || (field === main(form) && field.value.trim())
      : field.matches("[type=checkbox], [type=radio]") && field.checked !== field.defaultChecked)) || form.querySelector("[data-tile]");

  dialog.addEventListener("close", async () => {
    const form = dialog.querySelector("form");
    if (!form) return;
    if (!isTouched(form)) return dialog.replaceChildren();
    const sendings = [];
    form.dispatchEvent(new CustomEvent("keep", { bubbles: true, detail: sendings }));
    await Promise.race([Promise.all(sendings), new Promise((done) => { setTimeout(done, PATIENCE); })]);
    if (!dialog.open) document.body.dispatchEvent(new CustomEvent("toast", { detail: { text: dialog.dataset.kept, level: "info", label: dialog.dataset.continue, act: open } }));
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-close-compose]")) dialog.close();
    if (!own || goesOn || !event.target.closest('a[href="/posts/new"]')) return;
    event.preventDefault();
    toEnd(main(own));
  });

  // app.js tells that the dialog has a composer, whose draft composer.js has put into it, or has lost the one that was posted.
  document.addEventListener("shown", ({ target }) => { if (dialog.contains(target)) filled(); });
  dialog.addEventListener("filled", () => { if (!dialog.firstElementChild) dialog.close(); });

  if (own && !own.querySelector(".composer-error, [data-part] [autofocus]")) toEnd(main(own));

  // A scheduled post changes when it is saved. Until then the browser alone keeps the changes, and "Cancel" drops them.
  if (changed) {
    const changes = changed.dataset.draft;
    const all = `draft:${changes.split(":scheduled:")[0]}:scheduled:`, these = `draft:${changes}`;
    const forget = (isOver) => {
      try { for (const key of Object.keys(localStorage)) if (key.startsWith(all) && isOver(key)) localStorage.removeItem(key); } catch { /* private window */ }
    };
    forget((key) => !key.startsWith(these)); // of what it was before
    const isTyped = changed.value !== changed.defaultValue; // before this script was here
    const kept = isTyped || own.querySelector(".composer-error") ? null : localStorage.getItem(these);
    changed.value = kept || changed.value;
    if (kept || isTyped) changed.dispatchEvent(new Event("input", { bubbles: true }));
    if (changed.matches(":focus")) changed.dispatchEvent(new FocusEvent("focusin", { bubbles: true })); // it suggests, too
    own.querySelector("[data-back]").addEventListener("click", () => forget(() => true));
  }

  // The keyboard of a phone, where the browser lays the page out behind it (Safari).
  const view = window.visualViewport;
  if (!own || !view) return;
  const measure = () => {
    const hidden = view.scale > 1.01 ? 0 : innerHeight - view.height - view.offsetTop;
    document.documentElement.style.setProperty("--kb", `${Math.max(0, Math.round(hidden))}px`);
  };
  for (const name of ["resize", "scroll"]) view.addEventListener(name, measure);
})();
