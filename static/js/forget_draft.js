// A draft that is deleted goes from this browser too, which would offer its text once more (drafts.js). The page of drafts
// brings this script, and so does the form that asks.
document.addEventListener("submit", ({ target }) => {
  const { deletes } = target.dataset;
  try {
    for (const key of deletes ? Object.keys(localStorage) : []) {
      if (!key.startsWith("draft:at:") || JSON.parse(localStorage.getItem(key)).draft !== deletes) continue;
      for (const one of [key, key.replace(":at:", ":")]) localStorage.removeItem(one);
    }
  } catch { /* private window */ }
});
