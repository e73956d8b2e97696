// "Share…" in the menu of a post opens the device's own list of apps and people. It shows only where there is one.
(() => {
  if (!navigator.share) return;
  document.documentElement.classList.add("can-share");

  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-share]");
    if (!button) return;
    const menu = button.closest("details");
    menu.open = false;
    menu.querySelector("summary").focus();
    const { share, title } = button.dataset;
    navigator.share({ title, url: new URL(share, location).href }).catch(() => {}); // closed without a choice
  });
})();
