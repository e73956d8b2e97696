// A file dropped beside a composer must not replace the page. What photos need (photos.js) is fetched when a composer
// gets the focus or a file; files that are dropped or pasted wait for it.
(() => {
  const boxIn = (element) => element?.closest?.("form")?.querySelector("[data-photos]");
  const wake = (box) => box?.dataset.script && import(box.dataset.script).catch(() => {});
  const bring = async (event) => {
    const { target, type, dataTransfer: { files, types } = event.clipboardData } = event;
    // Office programs paste a picture of copied text beside the text.
    if (!types.includes("Files") || target.matches?.("[type=file]") || (type === "paste" && types.includes("text/plain"))) return;
    event.preventDefault();
    const brought = [...files]; // none while they are dragged, and none left after the event
    (await wake(document.querySelector("[data-photos]")))?.bring(target, brought);
  };

  for (const name of ["dragover", "drop", "paste"]) document.addEventListener(name, bring);
  for (const name of ["focusin", "change"]) document.addEventListener(name, ({ target }) => wake(boxIn(target)));
  wake(boxIn(document.activeElement) || boxIn(document.querySelector("[data-tile]")));
})();
