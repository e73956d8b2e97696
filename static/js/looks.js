// A page that the browser kept for the back button, from before theme, language, time zone or comforts were changed, is
// asked for again.
(() => {
  const looks = JSON.stringify([document.documentElement.lang, document.documentElement.dataset.theme, document.body.dataset]);

  addEventListener("pageshow", ({ persisted }) => {
    try {
      if (persisted && sessionStorage.looks !== looks) location.reload();
      else sessionStorage.looks = looks;
    } catch { /* private window */ }
  });
})();
