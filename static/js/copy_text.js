// "Copy" puts the text of another element into the clipboard. Where browsers keep that back, there is no button.
(() => {
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("[data-copies]")) button.hidden = false;

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copies]");
    const said = button?.textContent;
    if (!button || said === button.dataset.copied) return;
    navigator.clipboard.writeText(document.getElementById(button.dataset.copies).innerText).then(() => {
      button.textContent = button.dataset.copied;
      setTimeout(() => { button.textContent = said; }, 2000);
    });
  });
})();
