// A click anywhere on a card opens it, unless it hit something of its own or ended a selection.
(() => {
  document.addEventListener("click", (event) => {
    const card = event.target.closest("[data-href]");
    const own = event.target.closest("a, button, summary, details, input, label, form");
    if (!card || event.defaultPrevented || (own && card.contains(own))) return; // a list of cards may be a form
    if (String(getSelection())) return;
    if (event.ctrlKey || event.metaKey) window.open(card.dataset.href);
    else location.assign(card.dataset.href);
  });
})();
