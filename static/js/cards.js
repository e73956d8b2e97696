// A click anywhere on a card opens it, unless it hit something of its own or ended a selection.
(() => {
  document.addEventListener("click", (event) => {
    const card = event.target.closest("[data-href]");
    if (!card || event.defaultPrevented || event.target.closest("a, button, summary, details, input, label, form")) return;
    if (String(getSelection())) return;
    if (event.ctrlKey || event.metaKey) window.open(card.dataset.href);
    else location.assign(card.dataset.href);
  });
})();
