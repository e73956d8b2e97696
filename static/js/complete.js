// Suggestions beside the caret while someone types @name or #tag: first the people whose posts stand on the page, which
// takes no request. Enter and Tab take the selected one, at first the first; where the whole word is typed already none is
// selected, and they do what they always do. Without this file people type the whole word.
(() => {
  const words = document.body.dataset;
  const MOST = 8;
  const MOST_OF_PAGE = 5;
  const GAP = 4; // pixels between the line and its suggestions
  const HIGHEST = 352;
  const LEAST = 132; // pixels: below a line with less room they stand above it
  const LIKE_THE_FIELD = ["direction", "font", "letterSpacing", "lineHeight", "padding", "border", "tabSize", "textIndent", "wordSpacing"];
  const WAIT = 250; // milliseconds without a key before the server is asked
  // As socialsite/texts.py reads a text: letters of scripts without spaces, letters of tags, and what stands between them.
  const GLUED = String.raw`\p{sc=Han}\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Hangul}`;
  const LETTER = String.raw`[\p{L}\p{M}\p{Nd}\p{Nl}_²³¹⁰\u2074-\u2079₀-₉]`;
  const INNER = String.raw`[\u200c\u200d\ua67e\u05be\u05f3\u05f4\u301c\uff5e\u30a0\u30fb\uff65\u0f0b\u0f0c·\u3003\u309b\u309c]`;
  const BEFORE = String.raw`(?:^|\s)\/+|[@\uff20#\uff03]${LETTER}+\/+|[^\p{L}\p{M}\p{N}_&=/@\uff20#\uff03]\p{M}*|\u20e3|[${GLUED}]\p{M}*`;
  const WORD = String.raw`[@\uff20][a-z0-9_]{0,30}|[#\uff03](?!\p{M})${LETTER}(?:${INNER}?${LETTER}){0,100}`;
  const TYPED = new RegExp(`(?:^|${BEFORE})(${WORD})$`, "iu");
  let area = null; // the textarea whose suggestions are open, or asked for
  let timer = 0;
  let asked = null; // the request under way
  let list = null;
  let isOwnChoice = false; // whether a key selected

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

  // The people of the page whose handle, or a word of whose name, begins with the word.
  function onPage(word) {
    const people = new Map();
    for (const link of "@\uff20".includes(word[0]) ? document.querySelectorAll("article .post-author") : []) {
      const [name, handle] = [...link.children].map((part) => part.textContent);
      const plain = ` ${name} ${handle.slice(1)}`.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
      if (plain.includes(` ${word.slice(1).toLowerCase()}`)) people.set(handle, link);
    }
    people.delete(document.querySelector(".account .handle")?.textContent);
    return [...people].slice(0, MOST_OF_PAGE).map(([handle, link]) => {
      const option = document.createElement("li");
      const text = document.createElement("span");
      text.append(...link.cloneNode(true).childNodes);
      option.append(link.closest("article").querySelector(".avatar").cloneNode(true), text);
      option.dataset.text = handle;
      return option;
    });
  }

  async function ask(word) {
    asked = new AbortController();
    const { signal } = asked;
    try {
      const answer = await fetch(`/complete?q=${encodeURIComponent(word)}`, { signal });
      const part = document.createElement("template");
      part.innerHTML = answer.ok && !answer.redirected ? await answer.text() : "";
      if (!signal.aborted && typed(area) === word) offer(part.content.children);
    } catch { /* aborted, or offline: the people of the page stay */ }
  }

  // Adds options that are not there yet behind the others, so that a selected one stays where it is.
  function offer(options) {
    for (const option of [...options]) {
      if (!list) open();
      const known = [...list.children].map((one) => one.dataset.text);
      if (known.length >= MOST || known.includes(option.dataset.text)) continue;
      option.id = `suggestion-${known.length + 1}`;
      option.role = "option";
      option.ariaSelected = false;
      list.append(option);
      says.textContent = words.suggested.replace("{n}", known.length + 1);
    }
    if (!list) return;
    const word = typed(area)?.toLowerCase();
    const isWhole = [...list.children].some((one) => one.dataset.text.toLowerCase() === word);
    if (isWhole && !isOwnChoice) deselect();
    else if (!isWhole && !selected()) mark(list.firstElementChild);
    place();
  }

  function open() {
    list = document.createElement("ul");
    list.className = list.id = "suggestions";
    list.role = "listbox";
    list.ariaLabel = words.suggestions;
    area.after(list, says);
    area.setAttribute("aria-controls", list.id);
    isOwnChoice = false;
    list.popover = "manual"; // above a dialog too, and cut off by none
    list.showPopover?.();
  }

  // Where the word begins on the screen. A textarea does not tell, so its text is laid out once more beside it.
  function wordBox() {
    const twin = document.createElement("div");
    const style = getComputedStyle(area);
    for (const name of LIKE_THE_FIELD) twin.style[name] = style[name];
    Object.assign(twin.style, { position: "fixed", visibility: "hidden", inset: "0 auto auto 0", boxSizing: "border-box", width: `${area.clientWidth}px`, whiteSpace: "pre-wrap", overflowWrap: "break-word" });
    const mark = document.createElement("span");
    mark.textContent = typed(area);
    twin.append(area.value.slice(0, area.selectionStart - mark.textContent.length), mark);
    area.after(twin);
    const field = area.getBoundingClientRect(), start = mark.getClientRects()[0], end = [...mark.getClientRects()].at(-1);
    twin.remove();
    const top = field.top - area.scrollTop;
    return { left: field.left + start.left, top: top + start.top, bottom: top + end.bottom, field };
  }

  // Below the line; above it where the keyboard of a phone, or the end of the window, leaves too little room.
  function place() {
    if (!list?.showPopover || !typed(area)) return;
    const { left, top, bottom, field } = wordBox();
    const { offsetTop: first, height } = window.visualViewport;
    const below = first + height - bottom - 2 * GAP, above = top - first - 2 * GAP;
    const isBelow = below >= Math.min(LEAST, list.scrollHeight) || below >= above;
    list.style.maxHeight = `${Math.min(HIGHEST, Math.max(44, isBelow ? below : above))}px`;
    list.style.top = `${isBelow ? bottom + GAP : top - GAP - list.offsetHeight}px`;
    list.style.left = `${Math.max(field.left, Math.min(left, field.right - list.offsetWidth))}px`;
  }

  const selected = () => list?.querySelector("[aria-selected=true]");

  function select(step) {
    const all = [...list.children];
    const at = all.indexOf(selected());
    const next = at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length;
    deselect();
    mark(all[next]);
    all[next].scrollIntoView({ block: "nearest" });
    isOwnChoice = true;
  }

  function mark(option) {
    option.setAttribute("aria-selected", "true");
    area.setAttribute("aria-activedescendant", option.id);
  }

  function deselect() {
    selected()?.setAttribute("aria-selected", "false");
    area.removeAttribute("aria-activedescendant");
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
    if (!word) return;
    offer(onPage(word));
    if (word.length > 1) timer = setTimeout(ask, WAIT, word);
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

  for (const name of ["resize", "scroll"]) {
    addEventListener(name, place, { capture: true, passive: true });
    window.visualViewport.addEventListener(name, place);
  }

  // A press keeps the focus in the text, so that the keyboard of a phone stays.
  document.addEventListener("mousedown", (event) => { if (list?.contains(event.target)) event.preventDefault(); });
  document.addEventListener("click", ({ target }) => {
    const option = list?.contains(target) && target.closest("[role=option]");
    if (option) choose(option);
    else if (list && target !== area) close();
  });
  document.addEventListener("focusout", ({ target }) => { if (target === area) close(); });
  if (document.activeElement.matches("[data-draft]")) look(document.activeElement); // typed while this file was on its way
})();
