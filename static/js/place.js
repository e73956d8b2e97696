// Coming back to a list: the same post at the same height, also when the browser did not keep the page. Older posts
// are loaded by scrolling down, or by the link, as a reader would, until the post is there.
(() => {
  const PAGES = 20; // further down one starts from the top
  const feed = document.querySelector(".feed, .people");
  if (!feed) return;
  const key = `place:${location.pathname}${location.search}`;
  const rows = () => feed.querySelectorAll("article[id]");

  addEventListener("pagehide", () => {
    const row = [...rows()].find((one) => one.getBoundingClientRect().bottom > 0);
    const place = row && scrollY > 0 ? JSON.stringify({ id: row.id, top: row.getBoundingClientRect().top }) : "";
    try { sessionStorage[key] = place; } catch { /* private window */ }
  });

  function lastPlace() {
    if (performance.getEntriesByType("navigation")[0]?.type !== "back_forward") return null;
    try { return JSON.parse(sessionStorage[key] || "null"); } catch { return null; }
  }

  const place = lastPlace();
  if (!place) return;
  let left = PAGES;
  const observer = new MutationObserver(seek);

  function seek() {
    const row = document.getElementById(place.id);
    const more = feed.querySelector(".more a");
    left -= 1;
    if (row) scrollBy({ top: row.getBoundingClientRect().top - place.top, behavior: "instant" });
    else if (left && more && document.body.dataset.scroll === "off") more.click();
    else if (left && more) scrollTo({ top: document.body.scrollHeight, behavior: "instant" });
    else left = 0;
    if (row || !left) stop();
  }

  function stop() {
    observer.disconnect();
    for (const name of ["wheel", "touchstart", "keydown"]) removeEventListener(name, stop);
  }

  addEventListener("load", () => {
    for (const name of ["wheel", "touchstart", "keydown"]) addEventListener(name, stop, { passive: true });
    observer.observe(feed, { childList: true });
    setTimeout(seek); // after the browser has put back what it can
  });
})();
