// Brings the service worker, in the language and the colours of the page. Where a link or a form led nowhere, the worker says so
// to its page, which stays (sw.js).
{
  const { lang, dataset } = document.documentElement;
  const workers = navigator.serviceWorker;
  workers?.register(`/sw.js?l=${lang}&t=${dataset.theme}`, { updateViaCache: "all" }).catch(() => {}); // a private window, or no https
  // Where this page is being left for. What opens in another tab is no navigation of it; a browser that cannot say stays.
  let leaving;
  window.navigation?.addEventListener("navigate", ({ destination }) => { leaving = destination.url.split("#")[0]; });
  workers?.addEventListener("message", ({ data, ports }) => {
    if (!data.offline) return;
    const isLeft = !window.navigation || leaving === data.offline.split("#")[0];
    ports[0].postMessage(isLeft);
    if (!isLeft) return;
    delete sessionStorage.sent; // composer.js: nothing was posted
    document.body.dispatchEvent(new CustomEvent("toast", { detail: { text: document.getElementById("toasts").dataset.offline, level: "error" } }));
    dispatchEvent(new Event("shown")); // drafts.js goes on keeping what is written
  });

  // Composers keep their text; what is typed elsewhere would go with a page that is loaded again or closed.
  const isKept = ({ dataset: { draft }, value, defaultValue }) => draft || value === defaultValue;
  const guard = (event) => { if (![...document.querySelectorAll("form :is(textarea, input:not([type=hidden], [type=checkbox], [type=radio]))")].every(isKept)) event.preventDefault(); };
  addEventListener("offline", () => addEventListener("beforeunload", guard));
  addEventListener("online", () => removeEventListener("beforeunload", guard));
}
