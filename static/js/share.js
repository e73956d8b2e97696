// "Share…" in the menu of a post opens the device's own list of apps and people. The entry is added to a menu that opens,
// or is open when this script comes, where there is such a list.
(() => {
  if (!navigator.share) return;

  const offer = (menu) => {
    const copy = menu.open && menu.querySelector("[data-copy]");
    if (!copy || menu.querySelector("[data-share]")) return;
    copy.after(document.querySelector("#share-template").content.cloneNode(true));
  };
  document.addEventListener("toggle", ({ target }) => offer(target), true);
  document.querySelectorAll("details.menu[open]").forEach(offer);

  document.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-share]");
    if (!button) return;
    const menu = button.closest("details");
    menu.open = false;
    menu.querySelector("summary").focus();
    const { href, dataset } = menu.querySelector("[data-copy]");
    navigator.share({ title: dataset.title, url: href }).catch(() => {}); // closed without a choice
  });
})();
