// The composer as a dialog, from 700 pixels; below that, and without script, "New post" leads to its page. Closing the
// dialog keeps what it holds: the text is a draft of this browser, everything else stays in the dialog until it opens again.
(() => {
  const dialog = document.getElementById("compose");
  if (!dialog) return;
  const NEW = 'a[href="/posts/new"]';
  const isWide = () => matchMedia("(width >= 700px)").matches;
  const main = (element) => element.querySelector("textarea[data-draft]");

  function toEnd(area) {
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }

  function open() {
    if (dialog.open) return;
    if (!dialog.firstElementChild) fetchInto();
    dialog.showModal();
    toEnd(dialog.querySelector(".composer-error") ? null : dialog.querySelector("textarea"));
  }

  // One can write at once; what was typed until the composer is here comes behind the draft.
  let early = null;
  async function fetchInto() {
    early = document.createElement("textarea");
    [early.className, early.ariaLabel] = ["compose-early", dialog.dataset.say];
    dialog.replaceChildren(early);
    await htmx.ajax("GET", "/posts/new", { target: dialog, swap: "innerHTML" });
    if (!early) return;
    const key = `draft:${dialog.dataset.for}`; // it did not come: another toast says why
    if (early.value) try { localStorage.setItem(key, (localStorage.getItem(key) ?? "") + early.value); } catch { return; }
    dialog.replaceChildren();
    dialog.close();
  }

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

  dialog.addEventListener("close", () => {
    const form = dialog.querySelector("form");
    if (!form) return;
    if (!isTouched(form)) dialog.replaceChildren();
    else document.body.dispatchEvent(new CustomEvent("toast", { detail: { text: dialog.dataset.kept, level: "info", label: dialog.dataset.continue, act: open } }));
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-close-compose]")) dialog.close();
    const link = event.target.closest(NEW);
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const page = document.querySelector(".column .composer-own");
    if (!page && !isWide()) return;
    event.preventDefault();
    if (page) toEnd(main(page));
    else open();
  });

  // app.js tells that the dialog has a composer, whose draft composer.js has put into it, or has lost the one that was posted.
  document.addEventListener("shown", ({ target }) => { if (dialog.contains(target)) filled(); });
  dialog.addEventListener("filled", () => { if (!dialog.firstElementChild) dialog.close(); });

  const own = document.querySelector(".column .composer-own");
  if (own && !own.querySelector(".composer-error")) toEnd(main(own));

  // Leaving asks only while something is kept nowhere.
  addEventListener("beforeunload", (event) => { if (document.querySelector("form[data-unkept]")) event.preventDefault(); });

  // The keyboard of a phone, where the browser lays the page out behind it (Safari).
  const view = window.visualViewport;
  if (!own || !view) return;
  const measure = () => {
    const hidden = view.scale > 1.01 ? 0 : innerHeight - view.height - view.offsetTop;
    document.documentElement.style.setProperty("--kb", `${Math.max(0, Math.round(hidden))}px`);
  };
  for (const name of ["resize", "scroll"]) view.addEventListener(name, measure);
})();
