// Suggestions below a composer while someone types @name or #tag. Nothing is selected until an arrow key is pressed, so
// that Enter and Tab do what they always do. Without this file people type the whole word.
(() => {
  const WAIT = 250; // milliseconds without a key before the server is asked
  const TYPED = /(?:^|[^\p{L}\p{M}\p{Nd}_&/=.@#\uff03]|[\u3040-\u30ff\u3400-\u9fff])((?:@[a-z0-9_]{1,30})|(?:[#\uff03][\p{L}\p{M}\p{Nd}_]{1,100}))$/iu;
  let area = null; // the textarea whose suggestions are open, or asked for
  let timer = 0;
  let asked = null; // the request under way
  let list = null;

  const says = document.createElement("p");
  says.className = "visually-hidden";
  says.role = "status";

  function typed(field) {
    const { selectionStart: start, selectionEnd: end, value } = field;
    return start === end ? value.slice(Math.max(0, start - 120), start).match(TYPED)?.[1] : undefined;
  }

  function close() {
    clearTimeout(timer);
    asked?.abort();
    asked = null;
    list?.remove();
    list = null;
    says.textContent = "";
    for (const name of ["controls", "activedescendant"]) area?.removeAttribute(`aria-${name}`);
  }

  async function ask(word) {
    asked = new AbortController();
    const { signal } = asked;
    try {
      const answer = await fetch(`/complete?q=${encodeURIComponent(word)}`, { signal });
      const html = answer.ok && !answer.redirected ? await answer.text() : "";
      if (!signal.aborted && typed(area) === word) open(html);
    } catch { /* aborted, or offline: no suggestions */ }
  }

  function open(html) {
    close();
    const part = document.createElement("template");
    part.innerHTML = html;
    list = part.content.querySelector("[role=listbox]");
    if (!list) return;
    area.after(list, says);
    area.setAttribute("aria-controls", list.id);
    says.textContent = part.content.querySelector("p").textContent.trim();
  }

  const selected = () => list?.querySelector("[aria-selected=true]");

  function select(step) {
    const all = [...list.children];
    const at = all.indexOf(selected());
    const next = at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length;
    selected()?.setAttribute("aria-selected", "false");
    all[next].setAttribute("aria-selected", "true");
    all[next].scrollIntoView({ block: "nearest" });
    area.setAttribute("aria-activedescendant", all[next].id);
  }

  function choose(option) {
    const field = area;
    const end = field.selectionStart;
    const space = /^\s/.test(field.value.slice(end)) ? "" : " ";
    field.setRangeText(option.dataset.text + space, end - typed(field).length, end, "end");
    close();
    field.focus();
    field.dispatchEvent(new InputEvent("input", { bubbles: true })); // the draft and the counter
  }

  function look(field) {
    close();
    area = field;
    area.setAttribute("aria-autocomplete", "list");
    area.setAttribute("aria-haspopup", "listbox");
    const word = typed(area);
    if (word) timer = setTimeout(ask, WAIT, word);
  }

  for (const name of ["input", "compositionend"]) {
    document.addEventListener(name, (event) => {
      if (event.target.matches("[data-draft]") && !event.isComposing) look(event.target);
    });
  }

  document.addEventListener("keydown", (event) => {
    if (!list || event.target !== area || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const chosen = ["Enter", "Tab"].includes(event.key) && !event.shiftKey && selected();
    if (step) select(step);
    else if (chosen) choose(chosen);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation(); // a dialog around it stays open
  }, true);

  // A press keeps the focus in the text, so that the keyboard of a phone stays.
  document.addEventListener("mousedown", (event) => { if (list?.contains(event.target)) event.preventDefault(); });
  document.addEventListener("click", ({ target }) => {
    const option = list?.contains(target) && target.closest("[role=option]");
    if (option) choose(option);
    else if (list && target !== area) close();
  });
  document.addEventListener("focusout", ({ target }) => { if (target === area) close(); });
})();
