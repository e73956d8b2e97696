// "Share…" opens the device's own list of apps and people, where there is such a list. It is added to the menu of a post
// that opens, or is open when this script comes, and takes the place of "Copy link" on the page of a post.
(() => {
  if (!navigator.share) return;

  const made = () => document.querySelector("#share-template").content.cloneNode(true);
  const offer = (menu) => {
    const copy = menu.open && menu.querySelector("[data-copy]");
    if (copy && !menu.querySelector("[data-share]")) copy.after(made());
  };
  const change = (place) => {
    for (const link of place.querySelectorAll(".post-share[data-copy]")) {
      const share = made().firstElementChild;
      link.title = link.querySelector("span").textContent = share.textContent.trim();
      link.querySelector("svg").replaceWith(share.querySelector("svg"));
      link.dataset.share = "";
      delete link.dataset.copy;
    }
  };
  document.addEventListener("toggle", ({ target }) => offer(target), true);
  document.querySelectorAll("details.menu[open]").forEach(offer);
  document.addEventListener("shown", ({ target }) => change(target));
  change(document);

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-share]");
    if (!button) return;
    event.preventDefault();
    button.dispatchEvent(new CustomEvent("sent", { bubbles: true })); // closes its menu
    const { href, dataset } = button.href ? button : button.parentElement.querySelector("[data-copy]");
    navigator.share({ title: dataset.title, url: href }).catch(() => {}); // closed without a choice
  });
})();
