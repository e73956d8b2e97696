// One number everywhere: what waits for the viewer (`#pulse`) is in the title, on the icon of the installed site, and in every
// tab, however it changed: by reading in another tab, too. What this browser knows last lies in its storage, as a channel
// would keep pages out of the back/forward cache.
{
  const KEY = "waiting", of = document.getElementById("compose")?.dataset.for;
  const pulse = () => document.getElementById("pulse")?.dataset;
  const asText = ({ count, notes, chats }) => JSON.stringify({ of, count, notes, chats });
  const ask = () => document.getElementById("pulse").dispatchEvent(new Event("pulse"));

  function put(count) {
    const { title } = document.body.dataset;
    if (title) document.title = count ? `(${count}) ${title}` : title;
    const done = count ? navigator.setAppBadge?.(parseInt(count, 10)) : navigator.clearAppBadge?.();
    done?.catch(() => {}); // not installed
  }

  function tell() {
    put(pulse().count);
    try { localStorage.setItem(KEY, asText(pulse())); } catch { /* a private window */ }
  }

  function hear(told) {
    if (!told || told === asText(pulse())) return;
    const { of: whose, count } = JSON.parse(told);
    if (whose !== of) return;
    if (document.hidden) put(count); // pulse.js asks for the rest when it is looked at
    else ask();
  }

  if (pulse()) {
    if (performance.getEntriesByType("navigation")[0]?.type === "back_forward") ask(); // the page may be an old one
    else tell();
    document.addEventListener("shown", ({ target }) => { if (target.id === "pulse") tell(); });
    addEventListener("storage", ({ key, newValue }) => { if (key === KEY) hear(newValue); });
    addEventListener("pageshow", ({ persisted }) => { if (persisted) ask(); });
  } else {
    put("");
    try { localStorage.removeItem(KEY); } catch { /* a private window */ }
  }
}
