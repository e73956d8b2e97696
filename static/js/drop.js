// A file dropped beside a composer must not replace the page. What else photos need (photos.js) is fetched when a
// composer gets the focus or a file.
(() => {
  const asked = new Set();
  const boxIn = (element) => element?.closest?.("form")?.querySelector("[data-photos]");
  function wake(box) {
    const script = box?.dataset.script;
    if (!script || asked.has(script)) return;
    asked.add(script);
    import(script).catch(() => asked.delete(script));
  }
  const dragged = (event) => {
    if (!event.dataTransfer?.types.includes("Files") || event.target.matches?.("[type=file]")) return;
    event.preventDefault();
    wake(document.querySelector("[data-photos]"));
  };

  for (const name of ["dragover", "drop"]) document.addEventListener(name, dragged);
  for (const name of ["focusin", "change"]) document.addEventListener(name, ({ target }) => wake(boxIn(target)));
  wake(boxIn(document.activeElement) || boxIn(document.querySelector("[data-tile]")));
})();
