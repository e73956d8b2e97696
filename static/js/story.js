// A story: posts that are added to the first one. Each keeps what it says like the first, in this browser, and comes back.
(() => {
  const MOST = 10;
  const partsOf = (story) => [...story.querySelectorAll("[data-part]")];
  const textOf = (part) => part.querySelector("textarea");
  const nameOf = (story) => { const { draft, changes } = textOf(story.closest("form")).dataset; return draft ?? changes; };
  const tell = (element, name) => element.dispatchEvent(new Event(name, { bubbles: true }));

  // The numbers follow the order, in names, ids, labels and what keeps the draft.
  function number(story) {
    const of = nameOf(story);
    partsOf(story).forEach((part, i) => {
      const was = textOf(part).name.split("-")[0];
      const n = String(i + 2);
      for (const element of [part, ...part.querySelectorAll("*")]) {
        for (const name of ["id", "for", "name", "aria-describedby", "aria-label"]) {
          const value = element.getAttribute(name);
          if (value) element.setAttribute(name, name === "aria-label" ? value.replace(was, n) : value.replace(`${was}-`, `${n}-`));
        }
      }
      for (const words of part.querySelectorAll(":scope > legend, .remove-post span")) words.textContent = words.textContent.replace(was, n);
      textOf(part).dataset.draft = `${of}:${n}`;
    });
    story.querySelector(".add-post").hidden = partsOf(story).length + 1 >= MOST;
  }

  function add(story) {
    story.querySelector(".add-post").before(story.querySelector("template").content.cloneNode(true));
    const part = partsOf(story).at(-1);
    number(story);
    tell(part, "shown");
    return part;
  }

  // After a removal the ones behind have other numbers: all are kept anew, the last place is emptied.
  function remove(part) {
    const story = part.closest("[data-story]");
    const before = textOf(part.previousElementSibling?.matches("[data-part]") ? part.previousElementSibling : story.closest("form"));
    const last = textOf(partsOf(story).at(-1)).dataset.draft;
    part.remove();
    number(story);
    for (const one of partsOf(story)) tell(textOf(one), "input");
    story.dispatchEvent(new CustomEvent("forget", { bubbles: true, detail: last }));
    before.focus();
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest(".add-post, [data-remove-part]");
    if (!button) return;
    event.preventDefault();
    if (button.matches(".add-post")) textOf(add(button.closest("[data-story]"))).focus();
    else remove(button.closest("[data-part]"));
  });

  // What was kept comes back with the first post.
  function restore(story) {
    if (story.dataset.ready) return;
    story.dataset.ready = "yes";
    number(story);
    for (const part of partsOf(story)) tell(part, "shown");
    const of = nameOf(story);
    const isKept = (n) => { try { return localStorage.getItem(`draft:${of}:${n}`); } catch { return null; } };
    for (let n = partsOf(story).length + 2; n <= MOST && isKept(n); n += 1) add(story);
  }

  const restoreIn = (element) => { for (const story of element.querySelectorAll("[data-story]")) restore(story); };
  document.addEventListener("shown", ({ target }) => { if (!target.matches("[data-part]")) restoreIn(target); });
  restoreIn(document);
})();
